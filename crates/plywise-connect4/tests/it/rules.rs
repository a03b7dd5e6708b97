//! The rules, case by case.

use crate::{after, position, random_game};
use plywise_connect4::{Connect4, Place, Position, canonical, mirrored};
use plywise_game::{Game, MoveTraits, Notation, Outcome, Phase, Side, perft};

/// A full board without four in a row.
pub const FULL: &str = "ooxxoox/xxooxxo/ooxxoox/xxooxxo/ooxxoox/xxooxxo x";

/// The same before its last rows were filled.
pub const LAST_MOVES: &str = "7/7/ooxxoox/xxooxxo/ooxxoox/xxooxxo x";

/// What is played and who wins, read from the rules word by word: columns of letters, searched place by place.
#[derive(Clone, Default)]
struct Plain {
    columns: [Vec<char>; 7],
    discs: usize,
}

impl Plain {
    fn at(&self, column: i32, row: i32) -> Option<char> {
        self.columns.get(usize::try_from(column).ok()?)?.get(usize::try_from(row).ok()?).copied()
    }

    fn has_winner(&self) -> bool {
        let four = |column, row, columns, rows| {
            (0..4).map(|n| self.at(column + n * columns, row + n * rows)).reduce(|a, b| if a == b { a } else { None })
        };
        (0..7).any(|column| {
            (0..6).any(|row| {
                [(0, 1), (1, -1), (1, 0), (1, 1)]
                    .into_iter()
                    .any(|(columns, rows)| four(column, row, columns, rows).flatten().is_some())
            })
        })
    }

    fn moves(&self) -> Vec<usize> {
        if self.has_winner() { Vec::new() } else { (0..7).filter(|column| self.columns[*column].len() < 6).collect() }
    }

    fn play(&self, column: usize) -> Plain {
        let mut next = self.clone();
        next.columns[column].push(if self.discs.is_multiple_of(2) { 'x' } else { 'o' });
        next.discs += 1;
        next
    }

    fn perft(&self, depth: u32) -> u64 {
        match depth {
            1 => self.moves().len() as u64,
            _ => self.moves().into_iter().map(|column| self.play(column).perft(depth - 1)).sum(),
        }
    }
}

/// From the start it also counts 5,673,234 paths of eight plies, the first depth at which games are over, but takes ten
/// seconds for them.
#[test]
fn bitboards_and_the_rules_word_by_word_count_alike() {
    for columns in ["4", "443", "1212567"] {
        let plain = columns.bytes().fold(Plain::default(), |plain, digit| plain.play(usize::from(digit - b'1')));
        for depth in 1..=5 {
            assert_eq!(perft::<Connect4>(&position(columns), depth), plain.perft(depth), "{columns}, {depth} plies");
        }
    }
}

#[test]
fn bitboards_and_the_rules_word_by_word_agree_to_the_end() {
    let mut draws = 0;
    for seed in 0..300 {
        let (mut plain, game) = (Plain::default(), random_game(seed));
        for (number, position) in game.iter().enumerate() {
            let mut columns: Vec<usize> =
                Connect4::legal_moves(position).into_iter().map(|mv| usize::from(mv.column())).collect();
            columns.sort_unstable();
            assert_eq!(columns, plain.moves(), "{position:?}");
            assert_eq!(Connect4::decided(position), plain.has_winner().then_some(Outcome::Loss), "{position:?}");
            if let Some(next) = game.get(number + 1) {
                let added = next.occupied() & !position.occupied();
                let column = (0..7).find(|column| added >> (7 * column) & 0x7f != 0).unwrap();
                plain = plain.play(column);
            }
        }
        draws += usize::from(plain.discs == 42 && !plain.has_winner());
    }
    assert!(draws > 0, "random games do not reach a full board");
}

#[test]
fn a_disc_falls_and_moves_come_from_the_middle() {
    let start = Connect4::start();
    let names = |position: &Position| -> Vec<String> {
        Connect4::legal_moves(position).into_iter().map(|mv| mv.to_string()).collect()
    };
    assert_eq!(names(&start), ["d1", "c1", "e1", "b1", "f1", "a1", "g1"]);
    assert_eq!(names(&position("4443")), ["d4", "c2", "e1", "b1", "f1", "a1", "g1"]);
    assert_eq!(names(&position("444444")), ["c1", "e1", "b1", "f1", "a1", "g1"]);
}

/// Checks the outcome for the side to move.
#[track_caller]
fn check_outcome(text: &str, expected: Option<Outcome>) {
    let position = position(text);
    assert_eq!(Connect4::outcome(&position), expected, "{}", Connect4::draw(&position));
    assert_eq!(Connect4::legal_moves(&position).is_empty(), expected.is_some());
}

#[test]
fn four_in_a_row_win() {
    check_outcome("7/7/3x3/3x3/3x2o/3xo1o o", Some(Outcome::Loss));
    check_outcome("7/7/7/7/ooo4/xxxx3 o", Some(Outcome::Loss));
    check_outcome("7/7/7/7/3oooo/x1xxxox x", Some(Outcome::Loss));
    check_outcome("7/7/3x3/2xo3/1xoo3/xooxx2 o", Some(Outcome::Loss));
    check_outcome("7/7/o6/xo5/xxo4/xxoo3 x", Some(Outcome::Loss));
    check_outcome("7/7/7/xo5/xxo4/xxoo3 o", None);
    // Three at the top of one column and one at the bottom of the next are no line.
    check_outcome("x6/x6/x6/o6/o6/oxo4 x", None);
    check_outcome(FULL, Some(Outcome::Draw));
}

#[test]
fn a_threat_must_be_answered() {
    let threatened = position("7/7/7/7/7/oo1xxx1 o");
    assert!(Connect4::in_check(&threatened));
    let before = position("7/7/7/7/7/oo1xx2 x");
    let [f, a] = ["f", "a"].map(|mv| Connect4::parse_move(&before, mv).unwrap());
    assert!(Connect4::gives_check(&before, f) && !Connect4::gives_check(&before, a));
    let traits = |mv| Connect4::move_traits(&before, mv, &Connect4::play(&before, mv), None);
    assert_eq!(traits(f), MoveTraits { gives_check: true, ..MoveTraits::default() });
    assert_eq!(traits(a), MoveTraits::default());
    // A place that nothing can fall to yet is no threat to answer at once.
    assert!(!Connect4::in_check(&after(&position("7/7/7/3xxxo/3xoox/3ooxo x"), "a")));
}

#[test]
fn wins_come_before_blocks_and_nothing_else_is_tactical() {
    let tactical = |text: &str| -> Vec<(String, Option<i32>)> {
        let position = position(text);
        let mut found = Vec::new();
        Connect4::tactical_moves(&position, |mv| {
            found.push((mv.to_string(), Connect4::tactical_value(&position, mv)));
        });
        found
    };
    let both = tactical("7/7/7/o6/o5x/o2xxxo x");
    assert_eq!(both, [("c1".to_string(), Some(1)), ("a4".to_string(), Some(0))]);
    assert_eq!(tactical("7/7/7/7/7/7 x"), []);
}

#[test]
fn codes_give_back_exactly_the_legal_moves() {
    for seed in 0..10 {
        for position in random_game(seed) {
            let mut moves = Connect4::legal_moves(&position);
            moves.sort_unstable_by_key(|mv| Connect4::move_code(*mv));
            let found: Vec<Place> =
                (0..=u16::MAX).filter_map(|code| Connect4::move_from_code(&position, code)).collect();
            assert_eq!(found, moves, "{position:?}");
        }
    }
}

#[test]
fn no_two_positions_share_a_hash() {
    let mut hashes = std::collections::HashMap::new();
    for seed in 0..200 {
        for position in random_game(seed) {
            assert_eq!(*hashes.entry(Connect4::hash(&position)).or_insert(position), position);
        }
    }
}

#[test]
fn a_mirror_exchanges_left_and_right() {
    assert_eq!(mirrored(&position("1123")), position("7765"));
    for seed in 0..20 {
        for position in random_game(seed) {
            let mirrored = mirrored(&position);
            assert_eq!(plywise_connect4::mirrored(&mirrored), position);
            assert_eq!(canonical(&mirrored), canonical(&position));
            assert_eq!(Connect4::outcome(&mirrored), Connect4::outcome(&position));
            assert_eq!(Connect4::move_count(&mirrored), Connect4::move_count(&position));
        }
    }
}

#[test]
fn the_turn_and_the_phase_follow_from_the_discs() {
    let start = Connect4::start();
    assert_eq!((Connect4::side_to_move(&start), Connect4::phase(&start)), (Side::First, Phase::Opening));
    let later = position("444444333333");
    assert_eq!((Connect4::side_to_move(&later), Connect4::phase(&later)), (Side::First, Phase::Middlegame));
    assert_eq!(Connect4::phase(&position(LAST_MOVES)), Phase::Endgame);
    assert_eq!(position("4").discs(Side::First), position("4").enemy());
}
