//! Engines that speak CECP in their various ways.

use crate::fake_engine::{fake, survivors};
use crate::players::{Local, Style};
use crate::toy::toy;
use crate::{contest, increment, openings};
use plywise_arena::Limits;
use plywise_arena::engine::Protocol;
use plywise_arena::matches::{Ending, GameRecord, Silent};
use plywise_host::AnyPosition;
use plywise_search::Signal;

fn play(behaviour: &str, games: u64, openings: &[AnyPosition], limits: Limits, local: Style) -> Vec<GameRecord> {
    let processes = tempfile::tempdir().unwrap();
    let engine = fake(Protocol::Cecp, behaviour, processes.path());
    let local = Local { name: "local", style: local };
    let mut contest = contest([&engine, &local], openings, games, 1);
    contest.entries[0].limits = limits;
    let mut records = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap();
    assert_eq!(survivors(processes.path()), [""; 0], "{behaviour}");
    records
}

/// Games with both colours, from an opening with a move and one with none.
fn check_plays(behaviour: &str) {
    let openings = [openings().swap_remove(4), toy().start()];
    let records = play(behaviour, 4, &openings, increment(2000), Style::First);
    assert_eq!(records.len(), 4, "{behaviour}");
    for record in &records {
        assert!(matches!(record.ending, Ending::Decided { .. }), "{behaviour}");
    }
}

#[test]
fn engines_with_and_without_features_play() {
    check_plays("good");
    check_plays("version-1");
}

#[test]
fn slow_features_are_waited_for() {
    check_plays("slow-features");
}

#[test]
fn an_engine_for_one_game_is_started_again() {
    check_plays("one-game");
}

#[test]
fn positions_are_set_up() {
    let start = toy().parse_position(".../.x./o.. x").unwrap();
    let records = play("good", 2, &[start], increment(2000), Style::First);
    assert!(records.iter().all(|record| matches!(record.ending, Ending::Decided { .. })), "{records:?}");
}

#[test]
fn an_engine_that_cannot_set_up_a_position_says_so() {
    let start = toy().parse_position(".../.x./o.. x").unwrap();
    let records = play("version-1", 1, &[start], increment(2000), Style::First);
    assert!(records[0].ending.to_string().contains("lacks the feature setboard"), "{}", records[0].ending);
}

#[test]
fn a_limit_on_nodes_is_refused() {
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    let records = play("good", 1, &openings(), limits, Style::First);
    assert!(records[0].ending.to_string().contains("has no limit on nodes"), "{}", records[0].ending);
}

#[test]
fn a_legal_move_called_illegal_is_a_false_claim() {
    let records = play("denies-moves", 1, &[toy().start()], increment(2000), Style::First);
    assert!(records[0].ending.to_string().contains("false claim: it answered a legal move"), "{}", records[0].ending);
}

#[test]
fn engines_resign_and_agree_to_draws() {
    let records = play("resigns", 2, &[toy().start()], increment(2000), Style::First);
    for record in &records {
        assert_eq!(record.ending, Ending::Resignation);
        assert_eq!(record.half_points(), if record.players[0] == 0 { 0 } else { 2 });
    }
    let records = play("offers-draw", 2, &[toy().start()], increment(2000), Style::Offering);
    assert!(records.iter().all(|record| record.ending == Ending::Agreement && record.moves.len() == 2));
}
