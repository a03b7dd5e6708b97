//! Breakthrough with all its hooks.

use crate::examples::breakthrough::{Advance, Breakthrough, count_classes, middlegame, search};
use crate::profile;
use plywise::{Game, Knowledge, Technique, conformance, perft};
use std::sync::Arc;

#[test]
fn the_kit_finds_nothing() {
    assert_eq!(conformance::check_rules::<Breakthrough>(20, 1), Ok(()));
}

#[test]
fn move_paths_are_counted_by_hand() {
    let start = Breakthrough::start();
    // Two straight-and-diagonal corner pieces with two steps each, six with three; then the same for the other side.
    assert_eq!(perft::<Breakthrough>(&start, 1), 22);
    assert_eq!(perft::<Breakthrough>(&start, 2), 22 * 22);
}

#[test]
fn exact_profiles_agree() {
    for first in [0, 7, 15] {
        let position = *middlegame(first, 10).last().expect("the line has positions");
        let values = ["minimax", "alphabeta", "brute"]
            .map(|name| crate::search::<Breakthrough>(profile(name), Advance, position, 3).score());
        assert!(values.iter().all(|value| *value == values[0]), "{values:?}");
    }
}

#[test]
fn every_hook_switches_its_technique_on() {
    let tables = Knowledge { realization: Some(Arc::new(count_classes())), ..Knowledge::default() };
    let position = *middlegame(3, 16).last().expect("the line has positions");
    for technique in [
        Technique::NullMove,
        Technique::Futility,
        Technique::LateMoveReductions,
        Technique::Extensions,
        Technique::Realization,
    ] {
        let setting = format!("{}=on", technique.name());
        let report = search(position, 5, &[&setting], &tables);
        assert!(report.counters.cuts(technique) > 0, "{}", technique.name());
        assert_eq!(search(position, 5, &[], &tables).counters.tries(technique), 0, "{}", technique.name());
    }
}
