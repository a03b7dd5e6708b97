//! The game of the guide.

#[path = "../../src/guide/nim.rs"]
mod game;

use crate::search;
use game::{Even, Heap, Nim};
use plywise::{Params, Side, conformance, score};

#[test]
fn the_kit_finds_nothing() {
    assert_eq!(conformance::check_rules::<Nim>(200, 1), Ok(()));
}

#[test]
fn multiples_of_four_are_lost_and_all_others_won() {
    for matches in 1..=40 {
        let heap = Heap { matches, turn: Side::Second };
        let report = search::<Nim>(Params::DEFAULT, Even, heap, 40);
        let plies = score::plies_to_end(report.score()).expect("forty plies are enough");
        assert_eq!(plies < 0, matches % 4 == 0, "{matches} matches: {plies}");
        if plies > 0 {
            assert_eq!(report.best_move(), Some(matches % 4));
        }
    }
}
