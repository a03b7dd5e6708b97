//! A game that gives no more than it must has every command: what it leaves out has a default.

use crate::arguments::{ResourceArgs, Setting};
use crate::commands::analyse::explain;
use crate::commands::bench;
use crate::commands::matches::openings::OpeningArgs;
use crate::engine::{require_weights, setup_for};
use plywise_game::{BoardGame, Evaluate, Game, Notation, NotationError, Outcome, Score, Side, zobrist};
use plywise_host::Playable;
use plywise_host::{AnyGame, Hosted, NoFiles};

/// Thirty matches lie on the table. The players take one to three in turn; the player who takes the last one wins.
enum Nim {}

type Table = (u8, Side);

impl Game for Nim {
    type Position = Table;
    type Move = u8;

    fn start() -> Table {
        (30, Side::First)
    }
    fn side_to_move(table: &Table) -> Side {
        table.1
    }
    fn moves(table: &Table, each: impl FnMut(u8)) {
        (1..=table.0.min(3)).for_each(each);
    }
    fn play(table: &Table, taken: u8) -> Table {
        (table.0 - taken, !table.1)
    }
    fn hash(table: &Table) -> u64 {
        zobrist::key(u64::from(table.0) * 2 + table.1 as u64)
    }
    fn stuck(_: &Table) -> Outcome {
        Outcome::Loss
    }
    fn move_code(taken: u8) -> u16 {
        taken.into()
    }
}

impl Notation for Nim {
    const NAME: &'static str = "nim";
    const TITLE: &'static str = "Nim";

    fn parse_position(text: &str) -> Result<Table, NotationError> {
        let matches = text.parse().map_err(|_| NotationError::new(format!("'{text}' is no number of matches")))?;
        Ok((matches, Side::First))
    }
    fn write_position(table: &Table) -> String {
        table.0.to_string()
    }
    fn write_move(_: &Table, taken: u8) -> String {
        format!("-{taken}")
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

#[test]
fn what_needs_weights_says_that_there_are_none() {
    let sentence = "the evaluation of Nim has no weights";
    assert_eq!(require_weights(&Hosted::<Nim>::new()).unwrap_err().to_string(), sentence);
    let mut setup = setup_for(&Hosted::<Nim>::new(), "best", &ResourceArgs::default()).unwrap();
    let setting = Setting { path: "evaluation.pawn".into(), value: "3".into() };
    assert_eq!(setup.apply(&Hosted::<Nim>::new(), &setting, &NoFiles).unwrap_err().to_string(), sentence);
}

#[test]
fn an_evaluation_without_terms_has_a_value() {
    let setup = setup_for(&Hosted::<Nim>::new(), "best", &ResourceArgs::default()).unwrap();
    let (game, mut out) = (Hosted::<Nim>::new(), Vec::new());
    explain(&game, &setup, &game.start(), &mut out).unwrap();
    assert_eq!(String::from_utf8_lossy(&out), "the evaluation in all: +0 for First, who is to move\n\n");
}

#[test]
fn it_is_searched_from_its_start() {
    assert!(bench::measure(&Hosted::<Nim>::new(), 0).unwrap().nodes > 4);
}

#[test]
fn matches_begin_with_random_moves() {
    let args = OpeningArgs { openings: None, plies: None, shuffle: false };
    let openings = args.read(&Hosted::<Nim>::new()).unwrap();
    // Four moves take four to twelve matches.
    assert_eq!(openings.len(), 9);
    assert!(openings.iter().all(|opening| opening.plies() == 4));
}

#[test]
fn moves_and_players_have_defaults() {
    assert_eq!(Nim::parse_move(&Nim::start(), " -2 "), Ok(2));
    let sentence = "'-4' is not a legal move in this position";
    assert_eq!(Nim::parse_move(&Nim::start(), "-4").unwrap_err().to_string(), sentence);
    assert_eq!((Nim::player(Side::Second), Nim::draw(&Nim::start())), ("Second", "30\n".to_string()));
}
