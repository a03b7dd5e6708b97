//! A game whose type has no rules: what it says is values, and nothing asks the type.

use plywise_game::{
    BoardGame, Evaluate, Game, GameInfo, Notation, NotationError, Outcome, Score, Side, conformance, zobrist,
};
use plywise_host::{AnyGame, Ask, Hosted, Playable, Record, Setup};
use plywise_search::{Limits, Signal};

/// Matches lie on the table. The players take one to three in turn; the player who takes the last one wins.
enum Nim {}

/// How many there were, how many are left, and whose turn it is.
type Table = (u8, u8, Side);

impl Game for Nim {
    type Position = Table;
    type Move = u8;

    fn start() -> Table {
        panic!("the type knows no start")
    }
    fn is_start(table: &Table) -> bool {
        table.0 == table.1 && table.2 == Side::First
    }
    fn side_to_move(table: &Table) -> Side {
        table.2
    }
    fn moves(table: &Table, each: impl FnMut(u8)) {
        (1..=table.1.min(3)).for_each(each);
    }
    fn play(table: &Table, taken: u8) -> Table {
        (table.0, table.1 - taken, !table.2)
    }
    fn hash(table: &Table) -> u64 {
        zobrist::key(u64::from(table.1) * 2 + table.2 as u64)
    }
    fn stuck(_: &Table) -> Outcome {
        Outcome::Loss
    }
    fn move_code(taken: u8) -> u16 {
        taken.into()
    }
}

impl Notation for Nim {
    const NAME: &'static str = "the name of the type";
    const TITLE: &'static str = "The title of the type";

    fn parse_position(_: &str) -> Result<Table, NotationError> {
        panic!("the type reads no position")
    }
    fn write_position(table: &Table) -> String {
        format!("{} {}", table.1, if table.2 == Side::First { 'a' } else { 'b' })
    }
    fn write_short_position(table: &Table) -> String {
        Self::write_position(table)
    }
    fn write_move(_: &Table, taken: u8) -> String {
        format!("take{taken}")
    }
}

#[derive(Clone)]
struct Even;

impl Evaluate<Nim> for Even {
    fn evaluate(&mut self, _: &Table) -> Score {
        0
    }
}

impl BoardGame for Nim {
    type Weights = ();
    type Evaluation = Even;

    fn evaluation((): ()) -> Even {
        Even
    }
}

impl Playable for Nim {}

fn parse(matches: u8, text: &str) -> Result<Table, NotationError> {
    let wrong = || NotationError::new(format!("'{text}' is not a position of nim with {matches} matches"));
    let (left, side) = text.split_once(' ').ok_or_else(wrong)?;
    let left = left.parse().ok().filter(|left| *left <= matches).ok_or_else(wrong)?;
    match side {
        "a" => Ok((matches, left, Side::First)),
        "b" => Ok((matches, left, Side::Second)),
        _ => Err(wrong()),
    }
}

fn nim(matches: u8) -> Hosted<Nim> {
    let title = format!("Nim with {matches} matches");
    Hosted::with("nim", &title, move || (matches, matches, Side::First), move |text| parse(matches, text))
}

#[test]
fn each_has_its_own_start_and_texts() {
    let (small, large) = (nim(5), nim(9));
    assert_eq!((small.name(), small.title()), ("nim", "Nim with 5 matches"));
    assert_eq!(["startpos", ""].map(|text| small.position(text).unwrap().text()), ["5 a", "5 a"]);
    assert_eq!(large.position("7 b").unwrap().text(), "7 b");
    assert!(small.position("7 b").is_err());
    assert!(large.start().is_start() && !large.position("5 a").unwrap().is_start());
    assert_eq!(large.bench().0, [large.start()]);
    let setup = Setup::of_profile(&large, "best").unwrap();
    let mut engine = large.engine(&setup).unwrap();
    let report = engine.search(&Ask::new(&large.start()), &Limits::depth(10), &Signal::new(), &mut |_| {});
    assert_eq!(large.start().write_best_line(&report)[0], "take1");
}

#[test]
fn records_and_suites_are_read_by_the_values() {
    let game = nim(9);
    let mut position = game.start();
    position.play_text("take3").unwrap();
    let usual = Record::new(position).to_string();
    assert!(!usual.contains("FEN"), "{usual}");
    let mut position = game.position("8 b").unwrap();
    position.play_text("take1").unwrap();
    let other = Record::new(position).to_string();
    assert!(other.contains("[FEN \"8 b\"]"), "{other}");
    let named = usual.replace(Nim::TITLE, game.title());
    for text in [usual, other, named] {
        let read = game.read_pgn(Box::new(text.as_bytes())).next().unwrap().unwrap();
        assert_eq!(read.to_string(), text.replace(game.title(), Nim::TITLE));
    }
    let line = "6 b bm take2; id \"two\";";
    let entry = game.read_epd(Box::new(line.as_bytes())).next().unwrap().unwrap();
    assert_eq!(entry.to_string(), line);
    assert!(nim(5).read_epd(Box::new(line.as_bytes())).next().unwrap().is_err());
}

#[test]
fn the_conformance_kit_asks_the_values() {
    conformance::check_with(nim(9).info(), 20, 1).unwrap();
    let start = nim(9).info().start();
    conformance::check_evaluation_from::<Nim, _>(&start, &Even, 20, 1).unwrap();
    let forgetful = GameInfo::<Nim>::new("nim", "Nim", || (9, 9, Side::First), |_| Ok((9, 9, Side::First)));
    let found = conformance::check_with(&forgetful, 20, 1).unwrap_err();
    assert_eq!(found.check, conformance::Check::PositionText);
}
