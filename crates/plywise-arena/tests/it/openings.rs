//! Openings: all of a length, random ones, and those of files.

use crate::local::{loa, setup};
use crate::toy::toy;
use plywise_arena::openings::{self, Balance, TooMany};
use plywise_search::{Limits, Signal};

#[test]
fn systematic_openings_are_those_of_the_papers() {
    let start = loa().start();
    let count = |plies, distinct| openings::systematic(&start, plies, distinct).unwrap().len();
    assert_eq!(count(0, false), 1);
    assert_eq!(count(2, false) as u64, start.perft(2, &Signal::new()).unwrap());
    // Björnsson 2002, section 5.4.
    assert_eq!(count(2, true), 311);
}

#[test]
fn games_that_are_over_are_no_openings_and_too_many_are_refused() {
    assert_eq!(openings::systematic(&toy().start(), 9, false).unwrap().len(), 0);
    assert_eq!(openings::systematic(&loa().start(), 5, false).unwrap_err(), TooMany(5));
}

#[test]
fn random_openings_follow_from_seed_and_number() {
    let text = |seed, number| {
        let opening = openings::random(&loa().start(), 6, seed, number).unwrap();
        assert_eq!(opening.plies(), 6);
        opening.text()
    };
    assert_eq!(text(1, 5), text(1, 5));
    assert_ne!(text(1, 5), text(1, 6));
    assert_ne!(text(1, 5), text(2, 5));
    assert!(openings::random(&toy().start(), 12, 1, 0).is_none());
}

#[test]
fn openings_are_read_as_they_were_written() {
    let start = loa().start();
    for number in 1..20 {
        let opening = openings::random(&start, number as usize, 1, number).unwrap();
        let text = openings::write(&opening);
        let read = openings::read(loa(), &text).unwrap();
        assert_eq!((read.text(), read.moves()), (opening.text(), opening.moves()), "{text}");
        assert_eq!(openings::read(loa(), &openings::write(&opening.alone())).unwrap().plies(), 0);
    }
    let illegal = format!("{} moves d3d4", start.text());
    assert!(openings::read(loa(), &illegal).is_err());
}

#[test]
fn a_balance_does_not_depend_on_earlier_ones() {
    let engine = loa().engine(&setup("best")).unwrap();
    let mut balance = Balance { engine, limits: Limits::nodes(500) };
    let all: Vec<_> = (0..8).map(|number| openings::random(&loa().start(), 10, 3, number).unwrap()).collect();
    let stop = Signal::new();
    let forwards: Vec<_> = all.iter().map(|opening| balance.score(opening, &stop)).collect();
    let mut backwards: Vec<_> = all.iter().rev().map(|opening| balance.score(opening, &stop)).collect();
    backwards.reverse();
    assert!(forwards.iter().all(Option::is_some));
    assert_eq!(forwards, backwards);
    stop.stop();
    assert_eq!(balance.score(&all[0], &stop), None);
}

#[test]
fn files_of_positions_are_openings() {
    let start = loa().start().text();
    let text = format!("# two\n{start} id \"start\";\n\n{start}\n");
    assert_eq!(openings::from_epd(loa(), text.as_bytes()).unwrap().len(), 2);
    // Moves that lead to the position are the opening; other names are names.
    let line = "2bbbbb1/w6w/wb5w/w6w/w6w/w6w/w6w/1bbbbbb1 w id";
    let moves = |id: &str| openings::from_epd(loa(), format!("{line} \"{id}\";").as_bytes()).unwrap()[0].plies();
    assert_eq!((moves("b8-b6"), moves("b8-b6 a2-c2"), moves("mine")), (1, 0, 0));
    let error = openings::from_epd(loa(), "nonsense".as_bytes()).unwrap_err().to_string();
    assert!(error.starts_with("line 1: "), "{error}");
}
