//! Connect Four against a second, naive set of rules and a naive solver.

use crate::examples::connect_four::{ConnectFour, Threats, position_after};
use crate::{profile, search};
use plywise::cli;
use plywise::conformance::{self, Violation};
use plywise::score::plies_to_end;
use plywise::{Game, Notation, Outcome, Params, perft};
use plywise_host::Hosted;
use proptest::prelude::*;
use std::sync::Arc;

/// The seven columns, each from the bottom upwards.
#[derive(Clone, Default)]
struct Columns([Vec<u8>; 7]);

impl Columns {
    fn after(moves: &str) -> Columns {
        let mut columns = Columns::default();
        for (ply, column) in moves.bytes().enumerate() {
            columns.0[usize::from(column - b'a')].push(ply as u8 % 2);
        }
        columns
    }

    fn stones(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Whether anybody has four in a row.
    fn is_won(&self) -> bool {
        let at = |column: i32, row: i32| self.0.get(column as usize).and_then(|stones| stones.get(row as usize));
        let has_four = |column, row, (right, up)| {
            let line = [0, 1, 2, 3].map(|n| at(column + n * right, row + n * up));
            line[0].is_some() && line.iter().all(|stone| *stone == line[0])
        };
        (0..7).any(|c| (0..6).any(|r| [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|way| has_four(c, r, way))))
    }

    fn moves(&self) -> Vec<usize> {
        if self.is_won() { Vec::new() } else { (0..7).filter(|column| self.0[*column].len() < 6).collect() }
    }

    fn play(&self, column: usize) -> Columns {
        let mut after = self.clone();
        after.0[column].push(self.stones() as u8 % 2);
        after
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 { 1 } else { self.moves().into_iter().map(|mv| self.play(mv).perft(depth - 1)).sum() }
    }

    /// The plies to the end of the game if it is won or lost within that many.
    fn plies_to_end(&self, within: i32) -> Option<i32> {
        if self.is_won() {
            return Some(0);
        }
        let replies: Vec<Option<i32>> = match within {
            0 => return None,
            _ => self.moves().into_iter().map(|mv| self.play(mv).plies_to_end(within - 1)).collect(),
        };
        // Nought and below is a loss for the side to move there, above it a win.
        let wins = replies.iter().flatten().filter(|plies| **plies <= 0).map(|plies| 1 - plies).min();
        let losses = || {
            let all_lose = !replies.is_empty() && replies.iter().all(|plies| plies.is_some_and(|plies| plies > 0));
            all_lose.then(|| replies.iter().flatten().map(|plies| -1 - plies).min()).flatten()
        };
        wins.or_else(losses)
    }
}

#[test]
fn the_kit_finds_nothing() -> Result<(), Violation> {
    conformance::check::<ConnectFour>(20, 1)?;
    conformance::check_evaluation::<ConnectFour, _>(&Threats, 20, 2)?;
    conformance::check_features::<ConnectFour>(20, 3)
}

#[test]
fn move_paths_are_those_of_the_naive_rules() {
    assert_eq!(
        perft::<ConnectFour>(&ConnectFour::start(), 7),
        823_536,
        "seven to the seventh, less seven full columns"
    );
    for moves in ["ddcc", "abcdefgabcdef", "dddddd", "ddddddccccccg"] {
        let position = position_after(moves).expect("the moves are legal");
        assert_eq!(perft::<ConnectFour>(&position, 4), Columns::after(moves).perft(4), "{moves}");
    }
}

#[track_caller]
fn check_win(moves: &str, plies: i32, best: &str) {
    let position = position_after(moves).expect("the moves are legal");
    for params in [Params::DEFAULT, profile("brute")] {
        let report = search::<ConnectFour>(params, Threats, position, plies.abs() + 1);
        let mv = report.best_move().map(|mv| ConnectFour::write_move(&position, mv)).unwrap_or_default();
        assert_eq!(plies_to_end(report.score()), Some(plies), "{moves}: {report:?}");
        assert!(best.contains(&mv), "{moves}: {mv}");
    }
}

#[test]
fn forced_wins_are_found() {
    // Three in a row, open at both ends: the oldest trap.
    check_win("ddcc", 3, "be");
    check_win("dgcg", 3, "be");
    check_win("cadaea", 1, "bf");
    // Longer ones, which the bench finds with another library as well.
    check_win("ddgdabcbd", 9, "c");
    check_win("cabgcfgfcc", 13, "d");
}

#[test]
fn a_full_board_is_a_draw() {
    let position = position_after("gfdafdeccbbdgafddecgefgggfceeaafdbeabbbcac").expect("the moves are legal");
    assert_eq!(ConnectFour::outcome(&position), Some(Outcome::Draw));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn wins_and_losses_are_those_of_the_naive_solver(choices in prop::collection::vec(any::<u8>(), 6..36), within in 1..=5i32) {
        let mut moves = String::new();
        for choice in choices {
            let legal = Columns::after(&moves).moves();
            let Some(column) = legal.get(usize::from(choice) % legal.len().max(1)) else { break };
            moves.push(char::from(b'a' + *column as u8));
        }
        let columns = Columns::after(&moves);
        let position = position_after(&moves).expect("both rules agree on the moves");
        prop_assert_eq!(ConnectFour::outcome(&position) == Some(Outcome::Loss), columns.is_won());
        prop_assume!(!columns.moves().is_empty());
        let mut params = profile("brute");
        params.quiescence.enabled = false;
        let found = search::<ConnectFour>(params, Threats, position, within).score();
        prop_assert_eq!(plies_to_end(found), columns.plies_to_end(within), "{}", moves);
    }
}

/// What the program for this game prints.
fn program(arguments: &str) -> String {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let words = std::iter::once("connect_four").chain(arguments.split(' ')).map(Into::into);
    cli::run(&[Arc::new(Hosted::<ConnectFour>::new())], words, &mut out, &mut err, &|_| {});
    assert_eq!(String::from_utf8_lossy(&err), "", "{arguments}");
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn a_stranger_has_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(file("suite.epd"), "//xxx/oo///o bm c; id \"three in a column\";\n").unwrap();
    let solved = program(&format!("suite {} --profiles brute,best --depth 4 --json", file("suite.epd")));
    assert_eq!(solved.matches("\"solved\":1").count(), 2, "{solved}");
    let played = program("match connect-four --a best --b brute --games 4 --nodes 500 --json");
    assert!(played.contains("\"games\":4"), "{played}");
    assert!(program("analyse connect-four --moves d d c --depth 6").contains("best move"));
    assert!(program("analyse //xxx/oo/// --depth 4").contains("best move: c"), "the only game needs no name");
    assert_eq!(program("perft --depth 7 --json").matches("823536").count(), 1);
    for command in ["bench", "params", "profiles best", "compare --profiles brute,best --depth 4", "draw -o"] {
        let command = if command == "draw -o" { format!("draw -o {}", file("board.svg")) } else { command.to_string() };
        program(&command);
    }
    program(&format!("openings --plies 2 -o {}", file("openings.epd")));
    program(&format!("forge games --game connect-four --games 2 --nodes 200 -o {}", file("games.pgn")));
    program(&format!("gather rankcut --games 1 --nodes 300 -o {}", file("ranks.toml")));
}
