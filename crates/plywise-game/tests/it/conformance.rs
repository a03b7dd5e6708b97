//! The kit accepts a sound game and finds each deliberate mistake with the check that is made for it.

use crate::broken::*;
use crate::tic_tac_toe::{OpenLines, TicTacToe};
use plywise_game::conformance::{self, Check};

const GAMES: u32 = 60;
const SEED: u64 = 2;

#[test]
fn a_sound_game_passes() {
    assert_eq!(conformance::check::<TicTacToe>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check::<With<Nothing>>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_rules::<TicTacToe>(GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_from::<TicTacToe>(&["x../.o./... x", "xoo/.../... x"], GAMES, SEED), Ok(()));
    assert_eq!(conformance::check_evaluation::<TicTacToe, _>(&OpenLines, GAMES, SEED), Ok(()));
}

/// Asserts that this check, perhaps among others, finds the mistake.
fn finds<M: Mistake>(check: Check) {
    let violations = conformance::violations::<With<M>>(GAMES, SEED);
    let found = violations.iter().find(|violation| violation.check == check);
    let name = std::any::type_name::<M>();
    let violation = found.unwrap_or_else(|| panic!("{check} does not find {name}, only {violations:#?}"));
    assert!(!violation.position.is_empty() && !violation.problem.is_empty(), "{violation}");
    assert!(conformance::check::<With<M>>(GAMES, SEED).is_err());
}

#[test]
fn mistakes_of_the_rules_are_found() {
    finds::<SecondMovesFirst>(Check::Start);
    finds::<OrderChanges>(Check::MoveOrder);
    finds::<ListsTwice>(Check::DuplicateMoves);
    finds::<TakesTakenSquares>(Check::PositionText);
    finds::<ForgetsCentre>(Check::MoveText);
    finds::<PlaysOnAfterTheEnd>(Check::Outcome);
    finds::<SeesNoOutcome>(Check::Outcome);
    finds::<KeepsTheTurn>(Check::SideToMove);
    finds::<PlaysAtRandom>(Check::Play);
}

#[test]
fn mistakes_of_the_hooks_are_found() {
    finds::<CountsTooMany>(Check::MoveCount);
    finds::<CodesFromZero>(Check::MoveCode);
    finds::<CodesCollide>(Check::MoveCode);
    finds::<CodesUnchecked>(Check::MoveFromCode);
    finds::<IndexTooLarge>(Check::MoveIndex);
    finds::<ClassTooLarge>(Check::MoveClass);
    finds::<QuietMovesAreTactical>(Check::TacticalMoves);
    finds::<TacticalMovesAreIllegal>(Check::TacticalMoves);
    finds::<TacticalMovesAreReversed>(Check::TacticalMoves);
    finds::<NullMoveInCheck>(Check::NullMove);
    finds::<NullMoveKeepsTheTurn>(Check::NullMove);
    finds::<NullMoveKeepsTheHash>(Check::NullMove);
    finds::<AlwaysGivesCheck>(Check::GivesCheck);
    finds::<OverlooksChecks>(Check::GivesCheck);
}

#[test]
fn mistakes_of_the_hash_are_found() {
    finds::<HashForgetsAMove>(Check::Hash);
    finds::<HashDependsOnOrder>(Check::EqualPositions);
    finds::<HashForgetsTheSide>(Check::DifferentPositions);
    finds::<HashForgetsASquare>(Check::DifferentPositions);
    finds::<HashMixesUpColours>(Check::DifferentPositions);
}

#[test]
fn mistakes_of_the_notation_are_found() {
    finds::<PositionTextLosesTheSide>(Check::PositionText);
    finds::<PositionTextMayGoOn>(Check::PositionText);
    finds::<MoveTextIsAmbiguous>(Check::MoveText);
    finds::<MoveTextHasSpaces>(Check::MoveText);
    finds::<MoveTextLooksLikeANumber>(Check::MoveText);
    finds::<ReadsIllegalMoves>(Check::MoveText);
    finds::<EngineMoveTextIsNotRead>(Check::EngineMoveText);
}

#[test]
fn mistakes_of_the_evaluation_are_found() {
    let finds = |result: Result<(), conformance::Violation>| assert_eq!(result.unwrap_err().check, Check::Evaluation);
    finds(conformance::check_evaluation::<TicTacToe, _>(&TooLarge, GAMES, SEED));
    finds(conformance::check_evaluation::<TicTacToe, _>(&Counting(0), GAMES, SEED));
    finds(conformance::check_evaluation::<TicTacToe, _>(&Stale(None), GAMES, SEED));
}

const PERFT: [(&str, &[u64]); 2] =
    [(".../.../... x", &[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]), ("xx./oo./... x", &[5, 16])];

#[test]
fn perft_shows_moves_that_are_missing() {
    assert_eq!(conformance::check_perft::<TicTacToe>(&PERFT), Ok(()));
    let violation = conformance::check_perft::<With<ForgetsCentre>>(&PERFT).unwrap_err();
    assert_eq!(violation.to_string(), "perft: 8 move paths of 1 plies instead of 9, in .../.../... x");
    let violation = conformance::check_perft::<TicTacToe>(&[("x", &[1])]).unwrap_err();
    assert_eq!(violation.check, Check::PositionText);
}

const GOLDEN: &str = include_str!("tic_tac_toe.golden");

#[test]
fn the_play_through_is_the_golden_one() {
    assert_eq!(conformance::check_play_through::<TicTacToe>(GOLDEN, SEED, 20), Ok(()));
    // Windows may have checked the file out with its own line ends.
    assert_eq!(conformance::check_play_through::<TicTacToe>(&GOLDEN.replace('\n', "\r\n"), SEED, 20), Ok(()));
}

#[test]
fn the_play_through_shows_rules_that_are_consistent_but_wrong() {
    assert_eq!(conformance::check::<With<WinnerLoses>>(GAMES, SEED), Ok(()));
    let violation = conformance::check_play_through::<With<WinnerLoses>>(GOLDEN, SEED, 20).unwrap_err();
    assert!(violation.problem.contains("'outcome: Win' where the golden one is 'outcome: Loss'"), "{violation}");
    let violation = conformance::check_play_through::<TicTacToe>(GOLDEN, SEED, 3).unwrap_err();
    assert!(violation.problem.contains("is at its end where"), "{violation}");
}

/// A reversible game: a stone on a ring of eight squares, pushed on or back in turn. Its moves claim not to be.
mod ring {
    use plywise_game::{Game, Outcome, Side};

    pub struct Ring<const IRREVERSIBLE: bool>;

    impl<const IRREVERSIBLE: bool> Game for Ring<IRREVERSIBLE> {
        type Position = (u8, Side);
        type Move = u8;

        fn start() -> (u8, Side) {
            (0, Side::First)
        }
        fn side_to_move(position: &(u8, Side)) -> Side {
            position.1
        }
        fn moves(_position: &(u8, Side), mut each: impl FnMut(u8)) {
            each(1);
            each(7);
        }
        fn play(position: &(u8, Side), mv: u8) -> (u8, Side) {
            ((position.0 + mv) % 8, !position.1)
        }
        fn hash(position: &(u8, Side)) -> u64 {
            u64::from(position.0) << 1 | position.1 as u64
        }
        fn stuck(_position: &(u8, Side)) -> Outcome {
            Outcome::Draw
        }
        fn move_code(mv: u8) -> u16 {
            mv.into()
        }
        fn is_irreversible(_position: &(u8, Side), _mv: u8) -> bool {
            IRREVERSIBLE
        }
    }
}

#[test]
fn moves_that_can_be_undone_are_not_irreversible() {
    assert_eq!(conformance::check_rules::<ring::Ring<false>>(5, SEED), Ok(()));
    let violation = conformance::check_rules::<ring::Ring<true>>(5, SEED).unwrap_err();
    assert_eq!(violation.check, Check::Irreversible);
}
