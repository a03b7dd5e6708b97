//! Openings: all of a length, random ones, and those of files.

use crate::fake_engine::fake;
use crate::local::{loa, setup};
use crate::toy::{shared_toy, toy};
use plywise_arena::Who;
use plywise_arena::engine::Protocol;
use plywise_arena::openings::{self, Balance, BalanceRule, Book, BookError, MakeOpenings, TooMany};
use plywise_host::games::Chess;
use plywise_host::{AnyGame, AnyPosition, Hosted, Style};
use plywise_run::{Job, Workplace};
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

/// Openings of games come in the order of how often they were played; an engine in another process may judge them.
#[test]
fn openings_of_games_are_counted_and_judged_by_any_engine() {
    let start = toy().start();
    let after = |moves: &[&str]| {
        let mut position = start.clone();
        for mv in moves {
            position.play_text(mv).unwrap();
        }
        position
    };
    // The last one is the second with its moves in another order.
    let games = [after(&["b2"]), after(&["a1", "b2", "c3"]), after(&["a2"]), after(&["c3", "b2", "a1"])];
    let texts = |least| openings::most_played(games.to_vec(), least).iter().map(openings::write).collect::<Vec<_>>();
    assert_eq!(texts(1), [&games[1], &games[0], &games[2]].map(openings::write));
    assert_eq!(texts(2), [openings::write(&games[1])]);

    let processes = tempfile::tempdir().unwrap();
    let judge = |window: &str, behaviour| {
        let rule = BalanceRule {
            judge: Who::Engine(fake(Protocol::Uci, behaviour, processes.path())),
            nodes: 100,
            window: window.parse().unwrap(),
        };
        let random = MakeOpenings::random(toy(), 0, 0, 1);
        let job = MakeOpenings { random: false, given: texts(1), wanted: None, balance: Some(rule), ..random };
        let workplace = Workplace::local(1, &Signal::new());
        let entries = job.run(&shared_toy(), &workplace, &|()| {}).map_err(|error| error.to_string())?;
        Ok::<_, String>(entries.into_iter().map(|entry| entry.id.unwrap_or_default()).collect::<Vec<_>>())
    };
    // The engine says 12 for the side to move, which is the second player after these.
    assert_eq!(judge("-12,-1", "good").unwrap(), ["a1 b2 c3", "b2", "a2"]);
    assert_eq!(judge("1,12", "good").unwrap(), [""; 0]);
    assert!(judge("20", "dies-mid-game").unwrap_err().starts_with("the judge failed: crash: "));
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

/// An entry of a Polyglot book: what it plays in a position, as the format numbers moves, and the weight.
fn entry(position: &AnyPosition, [from, to]: [u16; 2], promotion: u16, weight: u16) -> Vec<u8> {
    let numbers = [from << 6 | to | promotion << 12, weight, 7, 7].map(u16::to_be_bytes).concat();
    [position.polyglot_key().unwrap().to_be_bytes().to_vec(), numbers].concat()
}

#[test]
fn books_are_read_move_by_move() {
    let chess = Hosted::<Chess>::new();
    let castles = chess.position("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let [e1, g1, h1, b7, a8, b8] = [4, 6, 7, 49, 56, 57];
    let mut entries = vec![
        entry(&castles, [e1, h1], 0, 9),
        entry(&castles, [b7, a8], 1, 8),
        entry(&castles, [b7, b8], 4, 7),
        // Weight 0; no promotion; a promotion to nothing known; illegal; no move at all.
        entry(&castles, [h1, g1], 0, 0),
        entry(&castles, [b7, b8], 0, 1),
        entry(&castles, [b7, b8], 5, 1),
        entry(&castles, [e1, b8], 0, 1),
        entry(&castles, [0, 0], 0, 1),
        // Some books write castling as the king's own move.
        entry(&castles, [e1, g1], 0, 6),
        entry(&chess.start(), [12, 28], 0, 1),
    ];
    let written = |bytes: &[u8]| {
        let book = Book::read(bytes).unwrap();
        let known = |(mv, weight)| (castles.write_move_as(mv, Style::Engine), weight);
        book.moves(&castles).into_iter().map(known).collect::<Vec<_>>()
    };
    let expected = [("e1g1", 9), ("b7a8n", 8), ("b7b8q", 7), ("e1g1", 6)].map(|(mv, weight)| (mv.to_owned(), weight));
    assert_eq!(written(&entries.concat()), expected);
    // In whatever order the positions come.
    entries.rotate_right(1);
    assert_eq!(written(&entries.concat()), expected);
    assert_eq!(Book::read(&entries.concat()[1..]).unwrap_err(), BookError::Length(entries.len() * 16 - 1));
    assert!(Book::read(&[]).unwrap().moves(&castles).is_empty());
}

#[test]
fn lines_of_books_end_with_the_book_the_game_or_the_signal() {
    let chess = Hosted::<Chess>::new();
    let mut position = chess.start();
    let moves = [("f2f3", [13, 21]), ("e7e5", [52, 36]), ("g2g4", [14, 30]), ("d8h4", [59, 31])];
    let entries = moves.map(|(mv, squares)| {
        let entry = entry(&position, squares, 0, 1);
        position.play_text(mv).unwrap();
        entry
    });
    let book = Book::read(&entries.concat()).unwrap();
    let lines = |start: &AnyPosition, plies| Ok(book.lines(start, plies, &Signal::new())?.len());
    assert_eq!([0, 3].map(|plies| lines(&chess.start(), plies)), [Ok(1), Ok(1)]);
    assert_eq!(lines(&chess.start(), 4), Err(BookError::NoLine(4)), "the game is over");
    assert_eq!(lines(&toy().start(), 1), Err(BookError::OtherGame));
    let stop = Signal::new();
    stop.stop();
    assert!(book.lines(&chess.start(), 3, &stop).unwrap().is_empty());
}
