//! The numbers of positions in Polyglot's opening books.

use crate::moves::en_passant_square;
use cozy_chess::{Board, Color, Piece, Square, get_pawn_attacks};
use polyglot_book_rs::hash::polyglot_hash;
use polyglot_book_rs::{BoardPosition, types};

/// The number of a position in a book.
pub fn key(board: &Board) -> u64 {
    polyglot_hash(&Seen(board))
}

/// A board as the format sees it.
struct Seen<'a>(&'a Board);

impl BoardPosition for Seen<'_> {
    fn piece_at(&self, square: u8) -> types::Piece {
        let square = Square::index(square.into());
        let Some((piece, color)) = self.0.piece_on(square).zip(self.0.color_on(square)) else {
            return types::Piece::Empty;
        };
        match (color, piece) {
            (Color::White, Piece::Pawn) => types::Piece::WPawn,
            (Color::White, Piece::Knight) => types::Piece::WKnight,
            (Color::White, Piece::Bishop) => types::Piece::WBishop,
            (Color::White, Piece::Rook) => types::Piece::WRook,
            (Color::White, Piece::Queen) => types::Piece::WQueen,
            (Color::White, Piece::King) => types::Piece::WKing,
            (Color::Black, Piece::Pawn) => types::Piece::BPawn,
            (Color::Black, Piece::Knight) => types::Piece::BKnight,
            (Color::Black, Piece::Bishop) => types::Piece::BBishop,
            (Color::Black, Piece::Rook) => types::Piece::BRook,
            (Color::Black, Piece::Queen) => types::Piece::BQueen,
            (Color::Black, Piece::King) => types::Piece::BKing,
        }
    }

    fn is_white_to_move(&self) -> bool {
        self.0.side_to_move() == Color::White
    }

    fn castling_rights(&self) -> u8 {
        let [white, black] = [Color::White, Color::Black].map(|color| self.0.castle_rights(color));
        let rights = [white.short, white.long, black.short, black.long];
        rights.iter().enumerate().map(|(bit, right)| u8::from(right.is_some()) << bit).sum()
    }

    /// It counts where a pawn stands beside the one that made the double step, even if a pin forbids the capture.
    fn en_passant_file(&self) -> Option<u8> {
        let color = self.0.side_to_move();
        let to = en_passant_square(self.0)?;
        let pawns = get_pawn_attacks(to, !color) & self.0.colored_pieces(color, Piece::Pawn);
        (!pawns.is_empty()).then_some(to.file() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chess;
    use plywise_game::{Game, Notation};

    /// The keys that the description of the format gives as a test.
    #[test]
    fn keys_are_those_of_the_format() {
        let key_after = |moves: &str| {
            let play = |board, word| Chess::play(&board, Chess::parse_move(&board, word).unwrap());
            key(&moves.split_whitespace().fold(Chess::start(), play))
        };
        let published = [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ];
        for (moves, expected) in published {
            assert_eq!(key_after(moves), expected, "{moves}");
        }
    }

    /// The format asks for a pawn beside the double step, not for a legal capture.
    #[test]
    fn a_pinned_pawn_counts_for_en_passant() {
        let read = |text: &str| Chess::parse_position(text).unwrap();
        let before = read("4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1");
        let after = |text: &str| Chess::play(&before, Chess::parse_move(&before, text).unwrap());
        let stepped = after("d7d5");
        let without = read("4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2");
        assert_eq!(Chess::hash(&stepped), Chess::hash(&without));
        assert_ne!(key(&stepped), key(&without));
    }
}
