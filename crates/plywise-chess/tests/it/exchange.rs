//! Static exchange evaluation. Pawn 100, knight 320, bishop 330, rook 500, queen 950.

use crate::{board, mv, random_games};
use cozy_chess::{Board, Color, Move, Piece, Square};
use plywise_chess::{Chess, is_castling};
use plywise_game::Game;

fn check(fen: &str, text: &str, expected: i32) {
    let board = board(fen);
    assert_eq!(Chess::exchange_value(&board, mv(&board, text)), expected, "{text} in {fen}");
}

#[test]
fn single_captures() {
    check("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "exd5", 100);
    check("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "Nxd5", 950);
    check("4k3/8/2p5/3p4/8/4N3/8/4K3 w - - 0 1", "Nxd5", 100 - 320);
    check("4k3/8/2p5/3n4/8/4N3/8/4K3 w - - 0 1", "Nxd5", 0);
    check("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5", 100);
}

#[test]
fn the_attacked_side_stops_where_taking_back_loses() {
    // The queen takes a pawn that a rook guards, but behind the queen stands a rook.
    check("3r2k1/8/8/3p4/8/3Q4/3R4/6K1 w - - 0 1", "Qxd5", 100 - 950 + 500);
    // Black's queen will not take back into the second rook.
    check("3q2k1/8/8/3p4/8/3R4/3R4/6K1 w - - 0 1", "Rxd5", 100);
}

#[test]
fn sliders_join_from_behind() {
    // Bishop behind the pawn, queen behind the bishop.
    check("4k3/8/2p5/3p4/4P3/5B2/6Q1/4K3 w - - 0 1", "exd5", 100);
    check("3r1k2/3r4/8/3p4/8/3R4/3R4/3R1K2 w - - 0 1", "Rxd5", 100);
    check("3r1k2/3r4/3r4/3p4/8/8/3R4/3R1K2 w - - 0 1", "Rxd5", 100 - 500);
}

#[test]
fn the_king_takes_only_what_is_unguarded() {
    check("4k3/8/8/8/8/8/3p4/3K4 w - - 0 1", "Kxd2", 100);
    check("8/8/8/8/4k3/4p3/8/R3K3 b - - 0 1", "Kd3", 0);
    check("4k3/4p3/8/8/8/8/8/4R1K1 w - - 0 1", "Rxe7+", 100 - 500);
    check("4k3/4p3/8/8/8/8/4R3/4R1K1 w - - 0 1", "Rxe7+", 100);
}

#[test]
fn en_passant() {
    check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 100);
    check("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 0);
    // The captured pawn uncovers a rook that takes back.
    check("3r2k1/8/8/3pP3/8/8/8/6K1 w - d6 0 1", "exd6", 0);
}

#[test]
fn promotions() {
    check("8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a8=Q", 850);
    check("8/P7/8/8/8/8/k7/4K3 w - - 0 1", "a8=N", 220);
    check("1r6/P7/8/8/8/8/k7/4K3 w - - 0 1", "axb8=Q", 500 + 850);
    check("1r6/P7/8/8/8/8/k7/4K3 w - - 0 1", "a8=Q", -100);
    // Taking on the last rank, the pawn that takes back becomes a queen.
    check("6k1/8/8/8/8/8/2p5/5RK1 w - - 0 1", "Rd1", -500 - 850);
}

#[test]
fn quiet_moves() {
    check("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "Ra5", 0);
    check("4k3/8/1p6/8/8/8/8/R3K3 w Q - 0 1", "Ra5", -500);
    check("4k3/8/1p6/8/8/2B5/8/R3K3 w Q - 0 1", "Ra5", 100 - 500);
    check("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", 0);
}

#[test]
fn equals_a_plain_recursion_on_random_games() {
    random_games(6, |board, _| {
        for mv in Chess::legal_moves(board) {
            assert_eq!(Chess::exchange_value(board, mv), Slow::new(board).exchange(board, mv), "{mv} in {board}");
        }
    });
}

/// The same rules without bitboards: squares in an array, lines walked step by step, take or stop by recursion.
struct Slow([Option<(Piece, Color)>; Square::NUM]);

impl Slow {
    fn new(board: &Board) -> Slow {
        Slow(Square::ALL.map(|square| Some((board.piece_on(square)?, board.color_on(square)?))))
    }

    fn exchange(&mut self, board: &Board, mv: Move) -> i32 {
        if is_castling(board, mv) {
            return 0;
        }
        let color = board.side_to_move();
        let mut gain = value(self.0[mv.to as usize].take());
        let mover = self.0[mv.from as usize].take().expect("a piece moves");
        if mover.0 == Piece::Pawn && gain == 0 && mv.from.file() != mv.to.file() {
            gain = value(self.0[Square::new(mv.to.file(), mv.from.rank()) as usize].take());
        }
        let placed = (mv.promotion.unwrap_or(mover.0), color);
        gain += value(Some(placed)) - value(Some(mover));
        self.0[mv.to as usize] = Some(placed);
        gain - self.best_capture(mv.to, !color)
    }

    /// What `color` gains by taking on `target`, or 0 by leaving it.
    fn best_capture(&mut self, target: Square, color: Color) -> i32 {
        let Some(from) = self.least_attacker(target, color) else { return 0 };
        let mover = self.0[from as usize].take().expect("an attacker");
        if mover.0 == Piece::King && self.least_attacker(target, !color).is_some() {
            return 0;
        }
        let promotes = mover.0 == Piece::Pawn && matches!(target.rank() as u8, 0 | 7);
        let placed = (if promotes { Piece::Queen } else { mover.0 }, color);
        let gain = value(self.0[target as usize]) + value(Some(placed)) - value(Some(mover));
        self.0[target as usize] = Some(placed);
        (gain - self.best_capture(target, !color)).max(0)
    }

    fn least_attacker(&self, target: Square, color: Color) -> Option<Square> {
        let attackers = Square::ALL.into_iter().filter(|from| self.attacks(*from, target, color));
        attackers.min_by_key(|from| self.0[*from as usize].map(|(piece, _)| piece))
    }

    fn attacks(&self, from: Square, target: Square, color: Color) -> bool {
        let Some((piece, _)) = self.0[from as usize].filter(|(_, of)| *of == color) else { return false };
        let files = target.file() as i8 - from.file() as i8;
        let ranks = target.rank() as i8 - from.rank() as i8;
        let (straight, diagonal) = ((files == 0) != (ranks == 0), files != 0 && files.abs() == ranks.abs());
        let forward = if color == Color::White { 1 } else { -1 };
        match piece {
            Piece::Pawn => files.abs() == 1 && ranks == forward,
            Piece::Knight => files.abs() * ranks.abs() == 2,
            Piece::King => files.abs().max(ranks.abs()) == 1,
            Piece::Bishop => diagonal && self.is_open(from, target),
            Piece::Rook => straight && self.is_open(from, target),
            Piece::Queen => (straight || diagonal) && self.is_open(from, target),
        }
    }

    fn is_open(&self, from: Square, target: Square) -> bool {
        let step = |a: u8, b: u8| (b as i8 - a as i8).signum();
        let files = step(from.file() as u8, target.file() as u8);
        let ranks = step(from.rank() as u8, target.rank() as u8);
        let mut square = from;
        loop {
            square = square.offset(files, ranks);
            if square == target {
                return true;
            }
            if self.0[square as usize].is_some() {
                return false;
            }
        }
    }
}

fn value(piece: Option<(Piece, Color)>) -> i32 {
    piece.map_or(0, |(piece, _)| [100, 320, 330, 500, 950, 20_000][piece as usize])
}
