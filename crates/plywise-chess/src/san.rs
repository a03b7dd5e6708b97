//! Standard Algebraic Notation, written strictly and read leniently.
//!
//! Read are also long algebraic moves (`Ng1-f3`), castling with zeros, captures without `x`, unnecessary or missing
//! signs for check and mate, promotion as `e8=Q`, `e8Q` or `e8(Q)`, and `e.p.` behind a capture.

use crate::Chess;
use crate::lists::{PieceList, has_moves};
use crate::moves::{captured_piece, is_castling};
use cozy_chess::{BitBoard, Board, File, Move, Piece, Rank, Square};
use plywise_game::Game;

/// What a text in algebraic notation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum San {
    /// Castling, short or long.
    Castling { short: bool },
    /// A move by `piece` to `to`; where it comes from may be known in part.
    Normal { piece: Piece, from_file: Option<File>, from_rank: Option<Rank>, to: Square, promotion: Option<Piece> },
}

/// Reads algebraic notation; `None` where it cannot be one.
pub(crate) fn read(text: &str) -> Option<San> {
    let text = text.trim_end_matches(['+', '#', '!', '?']).trim_end();
    let text = ["e.p.", "e.p", "ep"].iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text).trim_end();
    if let Some(castling) = read_castling(text) {
        return Some(castling);
    }

    let mut letters: Vec<char> =
        text.chars().filter(|c| !matches!(c, 'x' | 'X' | ':' | '-' | '=' | '(' | ')' | '/')).collect();
    let piece = match letters.first()? {
        'a'..='h' => Piece::Pawn,
        letter => {
            let piece = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            letters.remove(0);
            piece
        }
    };
    // A promotion is the letter behind the target. A small 'b' there can be nothing else, since a square ends in a digit.
    let promotion = match letters.last()? {
        letter if letter.is_ascii_digit() => None,
        letter => {
            let promotion = Piece::try_from(letter.to_ascii_lowercase()).ok()?;
            letters.pop();
            Some(promotion)
        }
    };
    let rank = Rank::try_from(letters.pop()?).ok()?;
    let file = File::try_from(letters.pop()?).ok()?;
    let (from_file, from_rank) = match letters[..] {
        [] => (None, None),
        [c] => match File::try_from(c) {
            Ok(file) => (Some(file), None),
            Err(_) => (None, Some(Rank::try_from(c).ok()?)),
        },
        [file, rank] => (Some(File::try_from(file).ok()?), Some(Rank::try_from(rank).ok()?)),
        _ => return None,
    };
    Some(San::Normal { piece, from_file, from_rank, to: Square::new(file, rank), promotion })
}

fn read_castling(text: &str) -> Option<San> {
    let mut wings = 0;
    for part in text.split('-') {
        match part {
            "O" | "0" | "o" => wings += 1,
            _ => return None,
        }
    }
    match wings {
        2 => Some(San::Castling { short: true }),
        3 => Some(San::Castling { short: false }),
        _ => None,
    }
}

/// The legal moves that fit; a promotion that is not named fits all four.
pub(crate) fn candidates(board: &Board, san: San) -> Vec<Move> {
    let color = board.side_to_move();
    match san {
        San::Castling { short } => {
            let rights = board.castle_rights(color);
            let rook = if short { rights.short } else { rights.long };
            rook.map(|file| Move {
                from: board.king(color),
                to: Square::new(file, Rank::First.relative_to(color)),
                promotion: None,
            })
            .filter(|mv| is_castling(board, *mv) && board.is_legal(*mv))
            .into_iter()
            .collect()
        }
        San::Normal { piece, from_file, from_rank, to, promotion } => {
            let from = board.pieces(piece)
                & from_file.map_or(BitBoard::FULL, File::bitboard)
                & from_rank.map_or(BitBoard::FULL, Rank::bitboard);
            let is_meant = |mv: &Move| {
                mv.to == to && !is_castling(board, *mv) && (promotion.is_none() || mv.promotion == promotion)
            };
            PieceList::of(board, from).iter().flatten().filter(is_meant).collect()
        }
    }
}

/// Writes a legal move with the least disambiguation, and `+` or `#`.
pub(crate) fn write(board: &Board, mv: Move) -> String {
    let Some(piece) = board.piece_on(mv.from).filter(|_| board.is_legal(mv)) else {
        return mv.to_string();
    };
    let mut text = String::with_capacity(8);
    if is_castling(board, mv) {
        text.push_str(if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" });
    } else {
        let captures = captured_piece(board, mv).is_some();
        if piece == Piece::Pawn {
            if captures {
                text.push(mv.from.file().into());
            }
        } else {
            text.push(char::from(piece).to_ascii_uppercase());
            push_origin(&mut text, board, piece, mv);
        }
        if captures {
            text.push('x');
        }
        text.push_str(&mv.to.to_string());
        if let Some(promotion) = mv.promotion {
            text.push('=');
            text.push(char::from(promotion).to_ascii_uppercase());
        }
    }
    let after = Chess::play(board, mv);
    if !after.checkers().is_empty() {
        text.push(if has_moves(&after) { '+' } else { '#' });
    }
    text
}

/// The file where it suffices to tell the piece from its twins, else the rank, else both.
fn push_origin(text: &mut String, board: &Board, piece: Piece, mv: Move) {
    let others = PieceList::of(board, board.pieces(piece) & !mv.from.bitboard());
    let twins: BitBoard = others.iter().filter(|moves| moves.to.has(mv.to)).map(|moves| moves.from).collect();
    if twins.is_empty() {
        return;
    }
    let file_tells = twins.is_disjoint(mv.from.file().bitboard());
    let rank_tells = twins.is_disjoint(mv.from.rank().bitboard());
    if file_tells || !rank_tells {
        text.push(mv.from.file().into());
    }
    if !file_tells {
        text.push(mv.from.rank().into());
    }
}
