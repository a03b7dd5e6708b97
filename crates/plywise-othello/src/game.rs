//! The rules of Othello, and what a search may ask about it.

use crate::board::Position;
use crate::classes;
use crate::moves::Move;
use plywise_game::bitboard::squares;
use plywise_game::{Game, Outcome, Phase, Side, zobrist};

/// Othello. Black is [`Side::First`].
#[derive(Clone, Copy, Debug)]
pub enum Othello {}

impl Othello {
    /// Whether the side to move has no move but the pass, and the game goes on.
    pub fn must_pass(position: &Position) -> bool {
        position.mobility() == 0 && position.enemy_mobility() != 0
    }
}

impl Game for Othello {
    type Position = Position;
    type Move = Move;

    fn start() -> Position {
        Position::START
    }

    #[inline]
    fn side_to_move(position: &Position) -> Side {
        position.side_to_move()
    }

    #[inline]
    fn moves(position: &Position, mut each: impl FnMut(Move)) {
        let mobility = position.mobility();
        squares(mobility).for_each(|square| each(Move::to(square)));
        if mobility == 0 && position.enemy_mobility() != 0 {
            each(Move::PASS);
        }
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        match mv.square() {
            Some(square) => position.with_disc_placed(square, position.flips(square)),
            None => position.with_turn_passed(),
        }
    }

    #[inline]
    fn hash(position: &Position) -> u64 {
        position.hash()
    }

    /// The difference in discs; the winner gets the empty squares.
    fn stuck(position: &Position) -> Outcome {
        Outcome::Points(position.final_score())
    }

    #[inline]
    fn move_count(position: &Position) -> usize {
        match position.mobility().count_ones() {
            0 => usize::from(position.enemy_mobility() != 0),
            count => count as usize,
        }
    }

    #[inline]
    fn move_code(mv: Move) -> u16 {
        mv.code()
    }

    #[inline]
    fn move_from_code(position: &Position, code: u16) -> Option<Move> {
        let claimed = Move::from_code(code)?;
        let is_legal = match claimed.square() {
            Some(square) => position.mobility() & square.bit() != 0,
            None => Othello::must_pass(position),
        };
        is_legal.then_some(claimed)
    }

    /// The side and the square; the pass has a number of its own.
    const MOVE_INDICES: usize = 2 * 65;

    #[inline]
    fn move_index(position: &Position, mv: Move) -> usize {
        position.side_to_move() as usize * 65 + mv.index()
    }

    /// The discs on the edges.
    const STRUCTURE_KEYS: usize = 1;

    #[inline]
    fn structure_hash(position: &Position, _key: usize) -> u64 {
        const EDGES: u64 = 0xff81_8181_8181_81ff;
        zobrist::of_boards([position.own() & EDGES, position.enemy() & EDGES])
    }

    const MOVE_CLASSES: usize = classes::COUNT;

    #[inline]
    fn move_class(position: &Position, mv: Move) -> usize {
        classes::class_of(position, mv)
    }

    /// Corners: a disc there is never turned over again, so they are tried first.
    #[inline]
    fn tactical_value(_position: &Position, mv: Move) -> Option<i32> {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        mv.square().is_some_and(|square| square.bit() & CORNERS != 0).then_some(0)
    }

    /// None: every move turns discs over, so no position is quieter than another.
    #[inline]
    fn tactical_moves(_position: &Position, _each: impl FnMut(Move)) {}

    /// Never: there is no check in Othello.
    #[inline]
    fn gives_check(_position: &Position, _mv: Move) -> bool {
        false
    }

    /// Every move but the pass fills a square, and two passes end the game.
    #[inline]
    fn is_irreversible(_position: &Position, _mv: Move) -> bool {
        true
    }

    /// By the number of discs.
    #[inline]
    fn phase(position: &Position) -> Phase {
        match position.occupied().count_ones() {
            ..=20 => Phase::Opening,
            21..=44 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}
