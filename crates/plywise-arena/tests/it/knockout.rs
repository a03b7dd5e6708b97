//! Knockouts.

use plywise_arena::matches::{Format, PlayMatch, Rules, play_knockout};
use plywise_arena::{Entrant, Limits};
use plywise_host::{AnyGame, Hosted, Setup};
use plywise_loa::Loa;
use plywise_run::{Job, JobError, Workplace};
use plywise_search::Signal;
use std::sync::Arc;

#[test]
fn the_winners_of_a_round_meet_in_the_next() {
    let game: Arc<dyn AnyGame> = Arc::new(Hosted::<Loa>::new());
    let entrant = |name: &str| {
        let setup = Setup { name: name.to_owned(), hash: 1, ..Setup::of_profile(&*game, "brute").unwrap() };
        Entrant::of_setup(&*game, &setup, Limits::nodes(30))
    };
    let job = PlayMatch {
        game: "loa".into(),
        players: ["a", "b", "c", "d", "e"].map(entrant).into(),
        format: Format::RoundRobin,
        openings: vec![game.start().text()],
        shuffle: false,
        games: 2,
        // Equal players draw every pair: the one entered first goes on.
        rules: Rules { longest: Some(4), ..Rules::default() },
        sprt: None,
        seed: 1,
    };
    let workplace = Workplace::local(1, &Signal::new());
    let mut rounds = Vec::new();
    let bracket = play_knockout(&job, |round, job| {
        rounds.push((round, job.players.len()));
        job.run(&game, &workplace, &|_| {})
    })
    .unwrap();
    assert_eq!(rounds, [(1, 4), (2, 2), (3, 2)]);
    let met: Vec<_> = bracket.meetings.iter().map(|meeting| (meeting.round, meeting.players.join("-"))).collect();
    let expected = [(1, "b-e"), (1, "c-d"), (2, "b-c"), (3, "a-b")];
    assert_eq!(met, expected.map(|(round, players)| (round, players.to_owned())));
    assert!(bracket.meetings.iter().all(|meeting| meeting.tied && meeting.points == [1.0, 1.0]));
    assert_eq!(bracket.winner.as_deref(), Some("a"));
    // A round that fails ends it.
    let failed = play_knockout(&job, |_, _| Err(JobError::Interrupted));
    assert!(matches!(failed, Err(JobError::Interrupted)));
}
