//! The player in this process, under every limit.

use crate::toy::{shared_toy, toy};
use plywise_arena::matches::{Ending, Entry, Format, GameRecord, Match, Rules, Silent, Standings};
use plywise_arena::{Limits, Local};
use plywise_game::Score;
use plywise_host::{AnyGame, AnyPosition, Hosted, NoFiles, Setting, Setup};
use plywise_loa::Loa;
use plywise_search::Signal;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static LOA: LazyLock<Arc<dyn AnyGame>> = LazyLock::new(|| Arc::new(Hosted::<Loa>::new()));

/// Lines of Action.
pub fn loa() -> &'static dyn AnyGame {
    &**LOA
}

/// A small player of Lines of Action.
pub fn setup(profile: &str) -> Setup {
    Setup { hash: 1, ..Setup::of_profile(loa(), profile).unwrap() }
}

fn player(name: &str, profile: &str) -> Local {
    Local { name: name.into(), ..Local::new(LOA.clone(), setup(profile)) }
}

fn two_openings() -> Vec<AnyPosition> {
    let after = |mv| {
        let mut position = loa().start();
        position.play(mv).unwrap();
        position
    };
    loa().start().legal_moves().into_iter().take(2).map(after).collect()
}

fn run(contest: &Match) -> (Standings, Vec<GameRecord>) {
    let mut records = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    let standings = contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap();
    records.sort_by_key(|record| record.index);
    (standings, records)
}

fn contest<'a>(players: [&'a Local; 2], openings: &'a [AnyPosition], limits: Limits, concurrency: usize) -> Match<'a> {
    Match {
        game: loa(),
        entries: players.map(|contender| Entry { contender: contender as _, limits }).into(),
        format: Format::RoundRobin,
        openings,
        shuffle: false,
        games: 4,
        rules: Rules { longest: Some(60), ..Rules::default() },
        sprt: None,
        cores: None,
        concurrency,
        seed: 1,
    }
}

/// What does not depend on the machine.
fn moves(record: &GameRecord) -> Vec<(String, Option<Score>, Option<u64>)> {
    record.moves.iter().map(|mv| (mv.text.clone(), mv.thought.score, mv.thought.nodes)).collect()
}

#[test]
fn equal_players_mirror_whatever_the_concurrency() {
    let (a, b, openings) = (player("a", "best"), player("b", "best"), two_openings());
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let (standings, one) = run(&contest([&a, &b], &openings, limits, 1));
    let summary = standings.summary().unwrap();
    assert_eq!((summary.score, summary.pentanomial.0), (Some(0.5), [0, 0, 2, 0, 0]));
    assert!(one.chunks(2).all(|pair| moves(&pair[0]) == moves(&pair[1])));
    let (_, three) = run(&contest([&a, &b], &openings, limits, 3));
    assert!(one.iter().map(moves).eq(three.iter().map(moves)));
}

#[test]
fn limits_are_kept() {
    let (a, b, openings) = (player("a", "brute"), player("b", "best"), two_openings());
    let none = Limits::default();
    let depth = Limits { depth: Some(2), ..none };
    let (_, games) = run(&contest([&a, &b], &openings, depth, 1));
    let thoughts = || games.iter().flat_map(|game| &game.moves).filter(|mv| mv.elapsed.is_some());
    assert!(thoughts().all(|mv| mv.thought.depth == Some(2)));
    assert!(thoughts().all(|mv| mv.thought.score.is_some()));
    let timed = [
        Limits { movetime: Some(Duration::from_millis(2)), ..none },
        Limits::clock("0.2+0.002".parse().unwrap()),
        Limits { nodes: Some(50), ..Limits::clock("10/0.1".parse().unwrap()) },
    ];
    for limits in timed {
        let (standings, games) = run(&contest([&a, &b], &openings, limits, 1));
        assert_eq!(standings.faults().count(), 0, "{limits:?}: {:?}", standings.faults().collect::<Vec<_>>());
        assert_eq!(games.len(), 4);
    }
}

#[test]
fn self_play_plays_every_opening_once() {
    let (a, openings) = (player("a", "best"), two_openings());
    let entry = Entry { contender: &a as _, limits: Limits { nodes: Some(200), ..Limits::default() } };
    let mut contest = contest([&a, &a], &openings, entry.limits, 2);
    (contest.entries, contest.format, contest.games) = (vec![entry], Format::SelfPlay, 2);
    let (standings, games) = run(&contest);
    assert_eq!(standings.counted(), 2);
    assert!(games.iter().enumerate().all(|(i, game)| game.players == [0, 0] && game.opening == i));
}

#[test]
fn a_panic_loses_the_game_and_nothing_else() {
    let sound = Setup { hash: 1, ..Setup::of_profile(toy(), "brute").unwrap() };
    let mut broken = sound.clone();
    let panics: Setting = "evaluation.panics.always=on".parse().unwrap();
    broken.apply(toy(), &panics, &NoFiles).unwrap();
    let (sound, broken) = (Local::new(shared_toy(), sound), Local::new(shared_toy(), broken));
    let openings = crate::openings();
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let mut contest = contest([&sound, &broken], &openings, limits, 1);
    contest.game = toy();
    let (standings, games) = run(&contest);
    assert_eq!(standings.summary().unwrap().wins, 4);
    let crash = |game: &GameRecord| matches!(&game.ending, Ending::Fault { fault, .. } if fault.to_string() == "crash: the search panicked");
    assert!(games.iter().all(crash));
}
