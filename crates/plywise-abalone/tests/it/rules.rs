//! The rules, case by case.

use crate::{after, position, random_game};
use plywise_abalone::{Abalone, Cell, Direction, Move, PLIES_TO_DRAW, Position, SYMMETRIES, canonical};
use plywise_abalone::{twin, twin_of_move};
use plywise_game::{Game, MoveTraits, Notation, Outcome, Phase, Side};
use proptest::prelude::*;

/// Checks which moves the marble on a cell leads, in alphabetical order.
#[track_caller]
fn check_moves_from(cell: &str, text: &str, expected: &str) {
    let position = position(text);
    let mut moves: Vec<String> = Abalone::legal_moves(&position)
        .into_iter()
        .map(|mv| Abalone::write_move(&position, mv))
        .filter(|mv| mv.starts_with(cell))
        .collect();
    moves.sort();
    assert_eq!(moves.join(" "), expected, "{}", Abalone::draw(&position));
}

#[test]
fn one_marble_steps_to_every_empty_neighbour() {
    check_moves_from("e5", "5/6/7/8/4b4/8/7/6/w4 b 0 0", "e5d4 e5d5 e5e4 e5e6 e5f5 e5f6");
    check_moves_from("a1", "5/6/7/8/9/8/7/6/b3w b 0 0", "a1a2 a1b1 a1b2");
}

#[test]
fn lines_move_along_themselves_and_sideways() {
    check_moves_from(
        "e4",
        "5/6/7/8/3bbb3/8/7/6/w4 b 0 0",
        "e4d3 e4d4 e4e3 e4e5 e4e5d3 e4e5d4 e4e5f4 e4e5f5 e4e6d3 e4e6d4 e4e6f4 e4e6f5 e4f4 e4f5",
    );
}

#[test]
fn at_most_three_marbles_move() {
    let four = "5/6/7/8/2bbbb3/8/7/6/w4 b 0 0";
    check_moves_from("e3", four, "e3d2 e3d3 e3e2 e3e4d2 e3e4d3 e3e4f3 e3e4f4 e3e5d2 e3e5d3 e3e5f3 e3e5f4 e3f3 e3f4");
}

/// Checks the position after a move, the side to move and the counts included.
#[track_caller]
fn check_push(before: &str, mv: &str, expected: &str) {
    let after = after(&position(before), mv);
    assert_eq!(Abalone::write_position(&after), expected);
    assert_eq!(Abalone::hash(&after), Abalone::hash_afresh(&after));
}

#[test]
fn more_push_fewer() {
    check_push("5/6/7/8/bbw6/8/7/6/5 b 0 0", "e1e2", "5/6/7/8/1bbw5/8/7/6/5 w 0 0 1");
    check_push("5/6/7/8/bbbw5/8/7/6/5 b 0 0", "e1e2", "5/6/7/8/1bbbw4/8/7/6/5 w 0 0 1");
    check_push("5/6/7/8/bbbww4/8/7/6/5 b 0 0 7", "e1e2", "5/6/7/8/1bbbww3/8/7/6/5 w 0 0 8");
}

#[test]
fn what_has_the_rim_behind_it_is_ejected() {
    check_push("5/6/7/8/w5bbw/8/7/6/5 b 0 0 30", "e7e8", "5/6/7/8/w6bb/8/7/6/5 w 0 1");
    check_push("5/6/7/8/w4bbbw/8/7/6/5 b 0 2", "e6e7", "5/6/7/8/w5bbb/8/7/6/5 w 0 3");
    check_push("5/6/7/8/4bbbww/8/7/6/5 b 0 5", "e5e6", "5/6/7/8/5bbbw/8/7/6/5 w 0 6");
    check_push("w4/b5/b6/8/9/8/7/6/4w b 0 0", "g3h4", "b4/b5/7/8/9/8/7/6/4w w 0 1");
}

#[test]
fn the_game_knows_what_stops_a_push() {
    check_moves_from("e1", "5/6/7/8/bww6/8/7/6/5 b 0 0", "e1d1 e1f2");
    check_moves_from("e2", "5/6/7/8/1bbwwb3/8/7/6/5 b 0 0", "e2d1 e2d2 e2e1 e2e3d1 e2e3d2 e2e3f2 e2e3f3 e2f2 e2f3");
    check_moves_from("e1", "5/6/7/8/bbwb5/8/7/6/5 b 0 0", "e1d1 e1e2d1 e1e2f2 e1f2");
    check_moves_from("e1", "5/6/7/8/bbbwww3/8/7/6/5 b 0 0", "e1d1 e1e2d1 e1e2f2 e1e3d1 e1e3f2 e1f2");
}

#[test]
fn no_move_pushes_an_own_marble_off() {
    check_moves_from("e8", "5/6/7/8/w6bb/8/7/6/5 b 0 0", "e8d7 e8d8 e8e7 e8e9d7 e8e9f8 e8f8 e8f9");
    assert!(Abalone::parse_move(&position("5/6/7/8/w6bb/8/7/6/5 b 0 0"), "e8e9").is_err());
}

/// The moves of the side to move, read from the rules word by word: every set of one to three marbles in a line, and
/// every direction in which all of them can go.
fn plain_moves(position: &Position) -> Vec<String> {
    let own = |cell: Cell| position.own() & cell.bit() != 0;
    let enemy = |cell: Cell| position.enemy() & cell.bit() != 0;
    let empty = |cell: Cell| !own(cell) && !enemy(cell);
    let cells: Vec<Cell> = (0..81).filter_map(|i| Cell::at(i / 9, i % 9)).collect();
    let mut moves = Vec::new();
    for &first in &cells {
        for line in [Direction::East, Direction::NorthEast, Direction::NorthWest] {
            for length in 1..=3 {
                let group: Vec<Cell> =
                    std::iter::successors(Some(first), |cell| cell.neighbour(line)).take(length).collect();
                // One marble alone has no line: it is looked at once.
                let is_group = group.len() == length && group.iter().all(|&cell| own(cell));
                if !is_group || length == 1 && line != Direction::East {
                    continue;
                }
                for direction in Direction::ALL {
                    let is_inline = length == 1 || direction == line || direction == line.opposite();
                    if is_inline {
                        let (rear, front) =
                            if direction == line { (first, group[length - 1]) } else { (group[length - 1], first) };
                        let mut ahead = front.neighbour(direction);
                        let mut pushed = 0;
                        while let Some(cell) = ahead.filter(|&cell| enemy(cell)) {
                            pushed += 1;
                            ahead = cell.neighbour(direction);
                        }
                        let has_room = match ahead {
                            Some(cell) => empty(cell),
                            None => pushed > 0,
                        };
                        if has_room && pushed < length {
                            moves.push(format!("{rear}{}", rear.neighbour(direction).unwrap()));
                        }
                    } else if group.iter().all(|cell| cell.neighbour(direction).is_some_and(empty)) {
                        let to = first.neighbour(direction).unwrap();
                        moves.push(format!("{first}{}{to}", group[length - 1]));
                    }
                }
            }
        }
    }
    moves
}

/// Marbles scattered over the board: denser than games get, so that every kind of push and block is there.
fn scattered() -> impl Strategy<Value = Position> {
    let cells: Vec<Cell> = (0..81).filter_map(|i| Cell::at(i / 9, i % 9)).collect();
    (Just(cells).prop_shuffle(), 2..=28_usize, any::<bool>()).prop_map(|(cells, marbles, black_moves)| {
        let letter = |cell: Cell| match cells.iter().position(|&other| other == cell) {
            Some(i) if i < marbles => ['b', 'w'][i % 2],
            _ => '1',
        };
        let row = |row: u8| -> String { (0..9).filter_map(|at| Cell::at(row, at)).map(letter).collect() };
        let rows: Vec<String> = (0..9).rev().map(row).collect();
        position(&format!("{} {} 0 0", rows.join("/"), if black_moves { 'b' } else { 'w' }))
    })
}

fn check_against_the_rules(position: &Position) {
    let mut plain = plain_moves(position);
    let moves = Abalone::legal_moves(position);
    let mut written: Vec<String> = moves.iter().map(|&mv| Abalone::write_move(position, mv)).collect();
    plain.sort();
    written.sort();
    assert_eq!(written, plain, "{}", Abalone::draw(position));
    assert_eq!(Abalone::move_count(position), plain.len());
    let mut tactical = Vec::new();
    Abalone::tactical_moves(position, |mv| tactical.push(mv));
    let ejecting: Vec<Move> = moves
        .into_iter()
        .filter(|&mv| Abalone::play(position, mv).own().count_ones() < position.enemy().count_ones())
        .collect();
    assert_eq!(tactical, ejecting, "{}", Abalone::draw(position));
}

proptest! {
    #[test]
    fn bitboards_and_the_rules_word_by_word_agree(position in scattered()) {
        check_against_the_rules(&position);
    }

    #[test]
    fn twins_have_twin_moves(position in scattered()) {
        let codes = |moves: Vec<Move>| {
            let mut codes: Vec<u16> = moves.into_iter().map(Abalone::move_code).collect();
            codes.sort_unstable();
            codes
        };
        for symmetry in SYMMETRIES {
            let twin_position = twin(symmetry, &position);
            let twins = Abalone::legal_moves(&position).into_iter().map(|mv| twin_of_move(symmetry, mv)).collect();
            prop_assert_eq!(codes(twins), codes(Abalone::legal_moves(&twin_position)), "{:?}", symmetry);
            prop_assert_eq!(canonical(&twin_position), canonical(&position));
            for mv in Abalone::legal_moves(&position) {
                let after = Abalone::play(&twin_position, twin_of_move(symmetry, mv));
                prop_assert_eq!(after, twin(symmetry, &Abalone::play(&position, mv)));
            }
        }
    }

    #[test]
    fn no_two_moves_have_the_same_effect(position in scattered()) {
        let mut after: Vec<u64> =
            Abalone::legal_moves(&position).iter().map(|&mv| Abalone::hash(&Abalone::play(&position, mv))).collect();
        let count = after.len();
        after.sort_unstable();
        after.dedup();
        prop_assert_eq!(after.len(), count);
    }
}

#[test]
fn games_and_the_rules_word_by_word_agree() {
    for seed in 0..15 {
        for position in random_game(seed) {
            if Abalone::decided(&position).is_none() {
                check_against_the_rules(&position);
            }
        }
    }
}

#[test]
fn indices_tell_moves_apart() {
    for position in random_game(5) {
        let mut indices: Vec<usize> =
            Abalone::legal_moves(&position).iter().map(|&mv| Abalone::move_index(&position, mv)).collect();
        let count = indices.len();
        indices.sort_unstable();
        indices.dedup();
        assert_eq!(indices.len(), count, "{position:?}");
    }
}

#[test]
fn codes_give_back_exactly_the_legal_moves() {
    for seed in 0..3 {
        for position in random_game(seed).iter().step_by(9) {
            let moves = Abalone::legal_moves(position);
            let found = (0..=u16::MAX).filter_map(|code| Abalone::move_from_code(position, code));
            assert_eq!(found.count(), moves.len(), "{position:?}");
            for mv in moves {
                assert_eq!(Abalone::move_from_code(position, Abalone::move_code(mv)), Some(mv), "{position:?}");
            }
        }
    }
}

/// Checks the outcome for the side to move.
#[track_caller]
fn check_outcome(text: &str, expected: Option<Outcome>) {
    let position = position(text);
    assert_eq!(Abalone::decided(&position), expected, "{}", Abalone::draw(&position));
    assert_eq!(Abalone::outcome(&position), expected);
    assert_eq!(Abalone::legal_moves(&position).is_empty(), expected.is_some());
    assert_eq!(Abalone::move_count(&position), Abalone::legal_moves(&position).len());
    assert_eq!(Abalone::null_move(&position).is_none(), expected.is_some());
}

#[test]
fn six_marbles_decide() {
    let board = "5/6/7/2bbb3/9/2www3/7/6/5";
    check_outcome(&format!("{board} b 5 5"), None);
    check_outcome(&format!("{board} b 6 3"), Some(Outcome::Loss));
    check_outcome(&format!("{board} w 6 3"), Some(Outcome::Win));
    check_outcome(&format!("{board} w 0 6"), Some(Outcome::Loss));
    let before = position("5/6/7/8/w5bbw/8/7/6/5 b 0 5");
    assert_eq!(Abalone::decided(&after(&before, "e7e8")), Some(Outcome::Loss), "White is to move, and has lost");
}

#[test]
fn a_long_time_without_an_ejection_draws() {
    let almost = position(&format!("5/6/7/8/w5bbw/8/7/6/5 b 0 0 {}", PLIES_TO_DRAW - 1));
    assert!(!Abalone::drawn_by_rule(&almost));
    let drawn = after(&almost, "e7e6");
    assert!(Abalone::drawn_by_rule(&drawn));
    assert_eq!(Abalone::outcome(&drawn), None, "moves are left");
    assert_eq!(after(&drawn, "e1e2").quiet_plies(), PLIES_TO_DRAW, "it is counted no further");
    assert!(!Abalone::drawn_by_rule(&after(&almost, "e7e8")));
}

#[test]
fn marbles_that_cannot_move_draw() {
    // The black marble in the corner is walled in, and one cannot push.
    let stuck = position("5/6/7/8/9/8/www4/ww4/bw3 b 0 0");
    assert_eq!(Abalone::outcome(&stuck), Some(Outcome::Draw));
}

#[test]
fn a_marble_for_a_marble_is_a_recapture() {
    let before = position("5/6/7/8/wbb3bbw/8/7/6/5 b 0 0");
    let mv = |text| Abalone::parse_move(&before, text).unwrap();
    let (first, second, quiet) = (mv("e3e2"), mv("e7e8"), mv("e2f2"));
    let traits = |mv, previous| Abalone::move_traits(&before, mv, &before, previous);
    assert_eq!(traits(second, Some(first)), MoveTraits { recaptures: true, ..MoveTraits::default() });
    assert_eq!(traits(second, Some(quiet)), MoveTraits::default());
    assert_eq!(traits(second, None), MoveTraits::default());
    assert_eq!(traits(quiet, Some(first)), MoveTraits::default());
}

#[test]
fn ejections_come_before_pushes() {
    let position = position("5/6/7/8/1wbb2bbw/8/bbw4/6/5 b 0 0");
    let value = |text| Abalone::tactical_value(&position, Abalone::parse_move(&position, text).unwrap());
    assert!(value("e7e8") > value("e4e3"), "an ejection, a push to the rim");
    assert!(value("e4e3") > value("c1c2"), "a push to the rim, a push away from it");
    assert_eq!(value("e3f3"), None);
}

#[test]
fn phases_follow_the_marbles_lost() {
    let phase = |lost: &str| Abalone::phase(&position(&format!("5/6/7/2bbb3/9/2www3/7/6/5 b {lost}")));
    assert_eq!(phase("0 0"), Phase::Opening);
    assert_eq!(phase("0 1"), Phase::Middlegame);
    assert_eq!(phase("3 3"), Phase::Middlegame);
    assert_eq!(phase("4 0"), Phase::Endgame);
}

#[test]
fn passing_only_hands_over_the_turn() {
    let start = Abalone::start();
    let passed = Abalone::null_move(&start).unwrap();
    assert_eq!(passed.side_to_move(), Side::Second);
    assert_eq!(Abalone::null_move(&passed), Some(start));
}
