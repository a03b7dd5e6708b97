//! The rules, case by case.

use crate::{after, position, random_game};
use plywise_game::bitboard::Square;
use plywise_game::{Game, MoveTraits, Notation, Outcome, Phase, perft};
use plywise_loa::{Loa, Move, Position, canonical};

#[test]
fn perft_from_the_start() {
    for (depth, nodes) in [(1, 36), (2, 1244), (3, 44_952), (4, 1_563_208), (5, 55_963_132)] {
        assert_eq!(perft::<Loa>(&Loa::start(), depth), nodes, "depth {depth}");
    }
}

/// Björnsson, "Selective Depth-First Game-Tree Search" (2002), section 5.4.3, plays matches from these.
#[test]
fn two_ply_openings_without_twins() {
    let start = Loa::start();
    let mut openings = Vec::new();
    Loa::moves(&start, |first| {
        let between = Loa::play(&start, first);
        Loa::moves(&between, |second| {
            let opening = canonical(&Loa::play(&between, second));
            if !openings.contains(&opening) {
                openings.push(opening);
            }
        });
    });
    assert_eq!(openings.len(), 311);
}

/// Checks which moves a piece has, in the order of generation.
#[track_caller]
fn check_moves_from(square: &str, text: &str, expected: &str) {
    let position = position(text);
    let moves: Vec<String> = Loa::legal_moves(&position)
        .into_iter()
        .map(|mv| Loa::write_move(&position, mv))
        .filter(|mv| mv.starts_with(square))
        .collect();
    assert_eq!(moves.join(" "), expected, "{}", Loa::draw(&position));
}

#[test]
fn a_piece_moves_as_far_as_its_line_has_pieces() {
    // Alone on all lines but the d-file, where a second piece stands behind it.
    check_moves_from("d4", "bw6/8/8/8/3b4/8/8/1w1b3w b", "d4-e4 d4-c4 d4-e5 d4-c3 d4-d6 d4-d2 d4-c5 d4-e3");
}

#[test]
fn a_piece_jumps_its_own_but_not_the_enemys() {
    // Along the rank three pieces: e4 is jumped eastwards; c4, the enemy's, blocks the way west.
    check_moves_from("d4", "bw6/8/8/8/2wbb3/8/8/1w5b b", "d4-g4 d4-e5 d4-c3 d4-d5 d4-d3 d4-c5 d4-e3");
}

#[test]
fn a_piece_captures_by_landing() {
    let text = "bw6/8/3w4/8/3b4/8/8/1w5b b";
    check_moves_from("d4", text, "d4-e4 d4-c4 d4-e5 d4-c3 d4xd6 d4-d2 d4-c5 d4-e3");
    let before = position(text);
    let captured = after(&before, "d4xd6");
    assert_eq!(Loa::write_position(&captured), "bw6/8/3b4/8/8/8/8/1w5b w");
    assert_eq!(Loa::hash(&captured), Loa::hash_afresh(&captured));
}

/// The moves of the side to move, read from the rules word by word.
fn plain_moves(position: &Position) -> Vec<String> {
    let at = |file: i32, rank: i32| {
        let square = Square::at(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)?;
        Some([position.own(), position.enemy()].map(|pieces| pieces & square.bit() != 0))
    };
    let mut moves = Vec::new();
    for (file, rank) in (0..64).map(|square| (square % 8, square / 8)) {
        for (files, ranks) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let along = |steps: i32| at(file + files * steps, rank + ranks * steps);
            let distance = (-7..8).filter_map(along).filter(|[own, enemy]| *own || *enemy).count() as i32;
            let jumps_enemy = (1..distance).any(|steps| along(steps).is_some_and(|[_, enemy]| enemy));
            if let (Some([true, _]), Some([false, captures]), false) = (along(0), along(distance), jumps_enemy) {
                let name = |file: i32, rank: i32| format!("{}{}", (b'a' + file as u8) as char, rank + 1);
                let to = name(file + files * distance, rank + ranks * distance);
                moves.push(format!("{}{}{to}", name(file, rank), if captures { 'x' } else { '-' }));
            }
        }
    }
    moves
}

#[test]
fn bitboards_and_the_rules_word_by_word_agree() {
    for seed in 0..25 {
        for position in random_game(seed) {
            if Loa::decided(&position).is_some() {
                continue;
            }
            let mut plain = plain_moves(&position);
            if plain.is_empty() {
                plain.push("pass".to_string());
            }
            let mut moves: Vec<String> =
                Loa::legal_moves(&position).into_iter().map(|mv| Loa::write_move(&position, mv)).collect();
            plain.sort();
            moves.sort();
            assert_eq!(moves, plain, "{}", Loa::draw(&position));
            assert_eq!(Loa::move_count(&position), plain.len());
        }
    }
}

/// Checks the outcome for the side to move.
#[track_caller]
fn check_outcome(text: &str, expected: Option<Outcome>) {
    let position = position(text);
    assert_eq!(Loa::decided(&position), expected, "{}", Loa::draw(&position));
    assert_eq!(Loa::outcome(&position), expected);
    assert_eq!(Loa::legal_moves(&position).is_empty(), expected.is_some());
    assert_eq!(Loa::move_count(&position), Loa::legal_moves(&position).len());
    assert_eq!(Loa::null_move(&position).is_none(), expected.is_some());
}

#[test]
fn all_pieces_in_one_group_win() {
    check_outcome("w6w/8/2b5/3b4/4b3/8/8/w7 w", Some(Outcome::Loss));
    check_outcome("w6w/8/2b5/3b4/4b3/8/8/w7 b", Some(Outcome::Win));
    check_outcome("w6w/8/2b5/3b4/5b2/8/8/w7 w", None);
}

#[test]
fn a_pass_is_doubtful_against_an_opponent_in_two_groups() {
    let doubtful = |text| Loa::null_move_doubtful(&position(text));
    assert!(doubtful("w6w/8/2b5/3b4/5b2/8/8/w7 w"));
    assert!(!doubtful("w6w/8/2b5/3b4/5b2/8/8/w7 b"));
}

#[test]
fn one_piece_is_a_group() {
    check_outcome("w6w/8/8/3b4/8/8/8/w7 w", Some(Outcome::Loss));
}

#[test]
fn connecting_both_sides_at_once_draws() {
    check_outcome("8/8/2b5/3b4/4b3/8/ww6/8 w", Some(Outcome::Draw));
    // Taking the lone white piece connects both.
    let before = position("8/8/4b3/4w3/8/8/4b3/ww6 b");
    assert_eq!(Loa::decided(&before), None);
    assert_eq!(Loa::decided(&after(&before, "e2xe5")), Some(Outcome::Draw));
}

#[test]
fn a_capture_can_win_for_the_victim() {
    let before = position("b7/8/4b3/4w3/8/8/4b3/ww6 b");
    assert_eq!(Loa::decided(&after(&before, "e2xe5")), Some(Outcome::Win), "White is to move, and has won");
}

#[test]
fn a_player_without_a_move_passes() {
    // Black's two pieces are shut in the corners: every line is blocked by the enemy or as long as the board.
    let stuck = position(BLOCKED);
    assert_eq!(Loa::legal_moves(&stuck), [Move::PASS]);
    assert_eq!(Loa::move_count(&stuck), 1);
    assert_eq!(Loa::outcome(&stuck), None);
    let passed = after(&stuck, "pass");
    assert_eq!(passed, after(&stuck, "0000"));
    assert_eq!(Loa::write_position(&passed), BLOCKED.replace(" b", " w"));
    assert_eq!(Loa::hash(&passed), Loa::hash_afresh(&passed));
    assert_eq!(Loa::move_from_code(&stuck, Loa::move_code(Move::PASS)), Some(Move::PASS));
    assert_eq!(Loa::move_from_code(&passed, Loa::move_code(Move::PASS)), None);
}

/// A position in which Black cannot move.
pub const BLOCKED: &str = "bw4wb/ww4ww/8/8/8/8/8/8 b";

#[test]
fn codes_give_back_exactly_the_legal_moves() {
    for seed in 0..5 {
        for position in random_game(seed).iter().step_by(3) {
            let moves = Loa::legal_moves(position);
            let found: Vec<Move> = (0..=u16::MAX).filter_map(|code| Loa::move_from_code(position, code)).collect();
            assert_eq!(found.len(), moves.len(), "{position:?}");
            for mv in moves {
                assert_eq!(Loa::move_from_code(position, Loa::move_code(mv)), Some(mv), "{position:?}");
            }
        }
    }
}

#[test]
fn taking_back_is_a_recapture() {
    let before = position("b6b/8/b2w2w1/8/3b4/8/8/w6w b");
    let capture = Loa::parse_move(&before, "d4xd6").unwrap();
    let between = Loa::play(&before, capture);
    let recapture = Loa::parse_move(&between, "g6xd6").unwrap();
    let elsewhere = Loa::parse_move(&between, "g6-g5").unwrap();
    let traits = |mv, previous| Loa::move_traits(&between, mv, &between, previous);
    assert_eq!(traits(recapture, Some(capture)), MoveTraits { recaptures: true, ..MoveTraits::default() });
    assert_eq!(traits(recapture, None), MoveTraits::default());
    assert_eq!(traits(elsewhere, Some(capture)), MoveTraits::default());
}

#[test]
fn phases_follow_the_number_of_pieces() {
    assert_eq!(Loa::phase(&Loa::start()), Phase::Opening);
    assert_eq!(Loa::phase(&position("bbbbb2b/8/8/8/8/8/8/wwwwwww1 b")), Phase::Middlegame);
    assert_eq!(Loa::phase(&position("b6b/8/8/8/8/8/8/w6w b")), Phase::Endgame);
}
