use crate::games;
use plywise_chess::Chess;
use plywise_game::random::Random;
use plywise_game::{Ended, Side};
use plywise_host::{AnyGame, AnyPosition, Hosted, Move, Style};
use plywise_search::Signal;

#[test]
fn games_can_be_played_written_read_and_taken_back() {
    for (seed, game) in games().iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let mut position = game.start();
        while position.ended().is_none() && position.plies() < 60 {
            let mv = *random.pick(&position.legal_moves()).unwrap();
            for style in [Style::People, Style::Engine] {
                let text = position.write_move_as(mv, style);
                assert_eq!(position.parse_move(&text), Ok(mv), "{} {}: {text}", game.name(), position.text());
            }
            let before = position.text();
            position.play(mv).unwrap();
            assert_eq!(position.undo(), Some(mv));
            assert_eq!(position.text(), before);
            position.play(mv).unwrap();
        }
        assert_eq!(game.parse_position(&position.text()).unwrap(), position);
        assert_eq!(position.at(0), game.start());
        assert_eq!(position.history().len(), position.plies());
        assert_eq!(position.alone().plies(), 0);
        assert_eq!(game.start().write_line(&position.moves()).len(), position.plies());
        assert_eq!(position.at(7).moves(), position.moves()[..7]);
    }
}

#[test]
fn what_is_not_legal_is_refused_and_changes_nothing() {
    let game = Hosted::<Chess>::new();
    let mut position = game.start();
    assert!(position.play(Move(0)).is_err());
    assert!(position.play_text("e5").is_err());
    assert_eq!(position.write_move(Move(0)), "?");
    assert_eq!(position, game.start());
    assert!(game.parse_position("nonsense").is_err());
}

#[test]
fn the_moves_before_decide_about_repetition() {
    let game = Hosted::<Chess>::new();
    let mut position = game.start();
    for text in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"] {
        assert_eq!(position.ended(), None);
        position.play_text(text).unwrap();
    }
    assert_eq!(position.ended(), Some(Ended::Repetition(3)));
    assert_eq!(position.describe_end(), "third repetition");
    assert_eq!(position.alone().ended(), None);
    assert_eq!(position.side_to_move(), Side::First);
}

#[test]
fn positions_of_different_games_are_different() {
    let games = games();
    for (i, one) in games.iter().enumerate() {
        for (j, other) in games.iter().enumerate() {
            assert_eq!(one.start() == other.start(), i == j);
            assert_eq!(one.owns(&other.start()), i == j);
        }
    }
}

#[test]
fn startpos_and_nothing_mean_the_start() {
    for game in games() {
        for text in ["", " ", "startpos"] {
            assert_eq!(game.position(text).unwrap(), game.start());
        }
    }
}

#[test]
fn paths_are_counted_as_moves_are_played() {
    fn plain(position: &AnyPosition, depth: u32) -> u64 {
        let after = |mv| {
            let mut after = position.alone();
            after.play(mv).unwrap();
            plain(&after, depth - 1)
        };
        if depth == 0 { 1 } else { position.legal_moves().into_iter().map(after).sum() }
    }
    let never = Signal::new();
    for (seed, game) in games().iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let position = game.start().random_opening(&mut random, 6).unwrap();
        for depth in 0..=2 {
            assert_eq!(position.perft(depth, &never), Some(plain(&position, depth)), "{} {depth}", game.name());
        }
        let divided: Vec<(Move, u64)> = position.divide(2, &never).collect();
        assert_eq!(divided.iter().map(|(mv, _)| *mv).collect::<Vec<_>>(), position.legal_moves());
        assert_eq!(divided.iter().map(|(_, paths)| paths).sum::<u64>(), plain(&position, 2));
    }
    // Longer paths than are counted in one go.
    assert_eq!(Hosted::<Chess>::new().start().perft(4, &never), Some(197_281));
}

#[test]
fn counting_ends_when_the_signal_says_stop() {
    let start = Hosted::<Chess>::new().start();
    let stop = Signal::new();
    let mut rows = start.divide(4, &stop);
    assert!(rows.next().is_some());
    stop.stop();
    assert_eq!(rows.next(), None);
    assert_eq!(start.perft(60, &stop), None);
}
