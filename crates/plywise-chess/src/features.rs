//! What a network sees of a position: every piece on its square, from the view of each player.
//!
//! The second player sees the ranks the other way round. A player whose king stands on the files e to h sees the files the
//! other way round as well, so one half of the board is all that a network need learn for kings.

use crate::Chess;
use cozy_chess::{Board, Color, File, Piece};
use plywise_game::bitboard::{Square, squares};
use plywise_game::features::{FeatureSet, View};
use plywise_game::{Notation, Side};

/// The kinds of pieces.
const KINDS: usize = Piece::NUM;

/// The player's own pieces, then the other's: six kinds of each on 64 squares.
pub(crate) const COUNT: usize = 2 * KINDS * 64;

/// The kinds of views: the squares of the own king on the board as its player sees it, rank by rank, four each.
pub(crate) const VIEWS: usize = 32;

/// Kinds of views in buckets. A castled king, one in the middle, one that has moved up and one in the open need different
/// weights; the squares where kings stand most have the finest buckets.
#[rustfmt::skip]
pub(crate) const BUCKETS: &[&[u8]] = &[
    &[
        0, 0, 1, 1,
        2, 2, 2, 2,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
        3, 3, 3, 3,
    ],
    &[
        0, 1, 2, 3,
        4, 4, 5, 5,
        6, 6, 6, 6,
        6, 6, 6, 6,
        7, 7, 7, 7,
        7, 7, 7, 7,
        7, 7, 7, 7,
        7, 7, 7, 7,
    ],
    &[
         0,  1,  2,  3,
         4,  5,  6,  7,
         8,  8,  9,  9,
        10, 10, 11, 11,
        12, 12, 13, 13,
        12, 12, 13, 13,
        14, 14, 15, 15,
        14, 14, 15, 15,
    ],
];

/// The stages: how many pieces there are beside the kings, 30 at most.
pub(crate) const STAGES: usize = 32;

/// How White sees the board, and how Black does.
#[inline(always)]
pub(crate) fn views(board: &Board) -> [View; 2] {
    [view(board, Color::White), view(board, Color::Black)]
}

#[inline(always)]
fn view(board: &Board, player: Color) -> View {
    let turn = turn(board, player);
    let square = board.king(player) as usize ^ turn;
    View { kind: square / 8 * 4 + square % 4, mirrored: turn & FILES != 0 }
}

#[inline(always)]
pub(crate) fn stage(board: &Board) -> usize {
    // A position from a file may have more pieces than a game can: then it is in the last stage.
    (board.occupied().len() as usize).saturating_sub(2).min(STAGES - 1)
}

/// Calls `each` for every piece: White's first, kind by kind.
pub(crate) fn features(board: &Board, mut each: impl FnMut([usize; 2])) {
    let [white, black] = Color::ALL.map(|color| turn(board, color));
    for_each_piece(board, |color, piece, square| {
        let number = |own: bool, turn: usize| (usize::from(!own) * KINDS + piece as usize) * 64 + (square ^ turn);
        each([number(color == Color::White, white), number(color == Color::Black, black)]);
    });
}

/// The same as sets: one word for each kind of a colour.
#[inline(always)]
pub(crate) fn sets(board: &Board) -> [FeatureSet; 2] {
    [set(board, Color::White), set(board, Color::Black)]
}

#[inline(always)]
fn set(board: &Board, view: Color) -> FeatureSet {
    let turn = turn(board, view);
    let mut words = [0; 2 * KINDS];
    for (owner, color) in [view, !view].into_iter().enumerate() {
        for piece in Piece::ALL {
            words[owner * KINDS + piece as usize] = turned(board.colored_pieces(color, piece).0, turn);
        }
    }
    FeatureSet::from_words(words)
}

/// What people call the pieces, such as `white knight f3`.
pub(crate) fn names(board: &Board) -> Vec<String> {
    const NAMES: [&str; KINDS] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    let mut names = Vec::new();
    for_each_piece(board, |color, piece, square| {
        let side = if color == Color::White { Side::First } else { Side::Second };
        let player = Chess::player(side).to_lowercase();
        names.push(format!("{player} {} {}", NAMES[piece as usize], Square::from_index(square as u32)));
    });
    names
}

fn for_each_piece(board: &Board, mut each: impl FnMut(Color, Piece, usize)) {
    for color in Color::ALL {
        for piece in Piece::ALL {
            squares(board.colored_pieces(color, piece).0).for_each(|square| each(color, piece, square.index()));
        }
    }
}

/// The bits of a rank and of a file in the number of a square.
const RANKS: usize = 56;
const FILES: usize = 7;

/// What exclusive or does to the number of a square to turn the board for a player: the bits of the rank, of the file, or
/// both.
#[inline(always)]
fn turn(board: &Board, view: Color) -> usize {
    let ranks = if view == Color::White { 0 } else { RANKS };
    let files = if board.king(view).file() >= File::E { FILES } else { 0 };
    ranks | files
}

/// A set of squares on the turned board.
#[inline(always)]
fn turned(mut bits: u64, turn: usize) -> u64 {
    if turn & FILES != 0 {
        bits = bits.reverse_bits().swap_bytes();
    }
    if turn & RANKS != 0 {
        bits = bits.swap_bytes();
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, white: (usize, bool), black: (usize, bool), pieces: usize) {
        let board = text.parse().unwrap();
        let seen = views(&board).map(|view| (view.kind, view.mirrored));
        assert_eq!((seen, stage(&board)), ([white, black], pieces));
    }

    #[test]
    fn views_follow_the_kings_and_stages_the_pieces() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, (3, true), (3, true), 30);
        check("1k6/8/8/8/8/8/4P3/6K1 w - - 0 1", (1, true), (1, false), 1);
        check("8/8/8/8/k7/8/8/3K4 b - - 0 1", (3, false), (16, false), 0);
        check("7k/8/8/8/8/8/8/K7 b - - 0 1", (0, false), (0, true), 0);
        check("K7/8/8/8/8/8/8/7k b - - 0 1", (28, false), (28, true), 0);
    }
}
