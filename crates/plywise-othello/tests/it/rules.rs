//! The rules, case by case.

use crate::{after, position, random_game};
use plywise_game::bitboard::{Square, squares};
use plywise_game::{Game, Notation, Outcome, Phase, Side};
use plywise_othello::{Move, Othello, Position, canonical};
use proptest::prelude::*;

/// Black cannot move, White can, once; then neither can.
pub const BLOCKED: &str = "OX-------------------------------------------------------------- X";

/// No game is shorter: after nine moves White has no disc.
pub const SHORT_GAME: &str = "d3c3b3d2e1d6d7e3f4";

#[test]
fn the_start_has_two_discs_of_each_side_crosswise() {
    let start = Othello::start();
    assert_eq!(start, position("---------------------------OX------XO--------------------------- X"));
    let moves: Vec<String> =
        Othello::legal_moves(&start).into_iter().map(|mv| Othello::write_move(&start, mv)).collect();
    assert_eq!(moves, ["d3", "c4", "f5", "e6"]);
}

/// The three openings after the first move, which is the same in all its symmetries.
#[test]
fn two_ply_openings_without_twins() {
    let start = Othello::start();
    let mut openings = Vec::new();
    Othello::moves(&start, |first| {
        let between = Othello::play(&start, first);
        Othello::moves(&between, |second| {
            let opening = canonical(&Othello::play(&between, second));
            if !openings.contains(&opening) {
                openings.push(opening);
            }
        });
    });
    assert_eq!(openings.len(), 3);
}

#[test]
fn a_move_turns_discs_in_every_direction() {
    let before = position(
        "X--X--X-\
         -O-O-O--\
         --OOO---\
         XOO-OOOX\
         --OOO---\
         -O-O-O--\
         X--O--X-\
         ---X---- X",
    );
    let after = after(&before, "d4");
    assert_eq!(after.discs(Side::Second), 0);
    assert_eq!(after.discs(Side::First).count_ones(), 27);
}

#[test]
fn a_line_without_an_own_disc_at_its_end_stays() {
    // Along the row the line runs into the rim, along the file into an empty square; on the diagonal it is enclosed.
    let before = position(
        "-OOOOOOO\
         OO------\
         O-X-----\
         --------\
         --------\
         --------\
         --------\
         -------- X",
    );
    let after = after(&before, "a1");
    assert_eq!(after.discs(Side::First), 0b100 << 16 | 1 << 9 | 1);
}

/// The discs that a move turns over, found by walking from square to square as people do.
fn flips_by_walking(position: &Position, square: Square) -> u64 {
    let at = |file: i32, row: i32| Square::at(u8::try_from(file).ok()?, u8::try_from(row).ok()?);
    let mut flips = 0;
    for (files, rows) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
        let mut line = 0;
        for steps in 1.. {
            let next = at(i32::from(square.file()) + files * steps, i32::from(square.rank()) + rows * steps);
            match next.map(Square::bit) {
                Some(bit) if position.enemy() & bit != 0 => line |= bit,
                Some(bit) if position.own() & bit != 0 => {
                    flips |= line;
                    break;
                }
                _ => break,
            }
        }
    }
    flips
}

/// Checks flips and moves on a board against the walk.
fn check_against_walking(position: &Position) -> Result<(), TestCaseError> {
    let mut mobility = 0;
    for square in squares(position.empty()) {
        let flips = flips_by_walking(position, square);
        prop_assert_eq!(position.flips(square), flips, "{} in {:?}", square, position);
        if flips != 0 {
            mobility |= square.bit();
        }
    }
    prop_assert_eq!(position.mobility(), mobility, "{:?}", position);
    Ok(())
}

proptest! {
    #[test]
    fn flips_and_moves_in_games_are_those_of_the_walk(seed: u64) {
        for position in random_game(seed) {
            check_against_walking(&position)?;
        }
    }

    /// Boards that no game reaches have longer lines and more corners in use.
    #[test]
    fn flips_and_moves_on_any_board_are_those_of_the_walk(own: u64, enemy: u64, holes: u64, more_holes: u64) {
        check_against_walking(&Position::new(own, enemy, Side::First))?;
        let occupied = !(holes & more_holes);
        check_against_walking(&Position::new(own & occupied, !own & occupied, Side::First))?;
        check_against_walking(&Position::new(own & enemy & occupied, !(own & enemy) & occupied, Side::Second))?;
    }

    #[test]
    fn codes_give_back_exactly_the_legal_moves(seed: u64, ply: prop::sample::Index) {
        let position = *ply.get(&random_game(seed));
        let found: Vec<Move> = (0..200).filter_map(|code| Othello::move_from_code(&position, code)).collect();
        prop_assert_eq!(found, Othello::legal_moves(&position));
    }
}

#[test]
fn a_player_without_a_move_passes() {
    let blocked = position(BLOCKED);
    assert_eq!(Othello::legal_moves(&blocked), [Move::PASS]);
    assert!(Othello::must_pass(&blocked));
    assert_eq!(Othello::outcome(&blocked), None);
    let passed = after(&blocked, "pass");
    assert_eq!(passed, after(&blocked, "0000"));
    assert_eq!(passed, position(&BLOCKED.replace(" X", " O")));
    assert!(!Othello::must_pass(&passed));
    let over = after(&passed, "c1");
    assert!(!Othello::must_pass(&over), "the game is over");
    assert_eq!(Othello::outcome(&over), Some(Outcome::Points(-64)));
}

/// Checks the outcome for the side to move.
#[track_caller]
fn check_outcome(text: &str, expected: Option<i32>) {
    let position = position(text);
    assert_eq!(Othello::outcome(&position), expected.map(Outcome::Points), "{}", Othello::draw(&position));
    assert_eq!(Othello::legal_moves(&position).is_empty(), expected.is_some());
}

#[test]
fn the_winner_gets_the_empty_squares() {
    check_outcome(SHORT_GAME, Some(-64));
    // Both sides stand apart, so neither can move: 8 to 8, 9 to 8, 8 to 9 and 16 to none.
    check_outcome("XXXXXXXX------------------------OOOOOOOO------------------------ X", Some(0));
    check_outcome("XXXXXXXXX-----------------------OOOOOOOO------------------------ X", Some(48));
    check_outcome("XXXXXXXX------------------------OOOOOOOOO----------------------- X", Some(-48));
    check_outcome("XXXXXXXX------------------------OOOOOOOOO----------------------- O", Some(48));
    check_outcome("XXXXXXXX------------------------XXXXXXXX------------------------ O", Some(-64));
    check_outcome("XXXXXXXXO------------------------------------------------------- X", None);
}

#[test]
fn phases_follow_the_number_of_discs() {
    let phase = |discs: usize| Othello::phase(&position(&format!("{:-<64} X", "X".repeat(discs))));
    assert_eq!([4, 20].map(phase), [Phase::Opening; 2]);
    assert_eq!([21, 44].map(phase), [Phase::Middlegame; 2]);
    assert_eq!([45, 64].map(phase), [Phase::Endgame; 2]);
}

#[test]
fn corners_are_tried_first_but_nothing_is_played_out() {
    let before = position("-OX-----OOX-----XX-X-------------------------------------------- X");
    let tactical: Vec<Move> = Othello::legal_moves(&before)
        .into_iter()
        .filter(|&mv| Othello::tactical_value(&before, mv).is_some())
        .collect();
    assert_eq!(tactical, [Othello::parse_move(&before, "a1").unwrap()]);
    Othello::tactical_moves(&before, |mv| panic!("{mv:?}"));
}
