//! What a network sees of a position: every piece on its square, from the view of each player.
//!
//! The second player sees the ranks the other way round. A player whose king stands on the files e to h sees the files the
//! other way round as well, so one half of the board is all that a network need learn for kings.

use crate::Chess;
use cozy_chess::{Board, Color, File, Piece};
use plywise_game::bitboard::{Square, squares};
use plywise_game::features::FeatureSet;
use plywise_game::{Notation, Side};

/// The kinds of pieces.
const KINDS: usize = Piece::NUM;

/// The player's own pieces, then the other's: six kinds of each on 64 squares.
pub(crate) const COUNT: usize = 2 * KINDS * 64;

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

/// What exclusive or does to the number of a square to turn the board for a player: the bits of the rank, of the file, or
/// both.
#[inline(always)]
fn turn(board: &Board, view: Color) -> usize {
    const RANKS: usize = 56;
    const FILES: usize = 7;
    let ranks = if view == Color::White { 0 } else { RANKS };
    let files = if board.king(view).file() >= File::E { FILES } else { 0 };
    ranks | files
}

/// A set of squares on the turned board.
#[inline(always)]
fn turned(mut bits: u64, turn: usize) -> u64 {
    if turn & 7 != 0 {
        bits = bits.reverse_bits().swap_bytes();
    }
    if turn & 56 != 0 {
        bits = bits.swap_bytes();
    }
    bits
}
