//! The rules of Abalone, and what a search may ask about it.

use crate::board::{LOST_TO_LOSE, PLIES_TO_DRAW, Position};
use crate::cells::{CELLS, Direction};
use crate::classes;
use crate::moves::{self, Move};
use plywise_game::{Game, MoveTraits, Outcome, Phase, Side, zobrist};

/// Abalone. Black is [`Side::First`].
#[derive(Clone, Copy, Debug)]
pub enum Abalone {}

impl Game for Abalone {
    type Position = Position;
    type Move = Move;

    fn start() -> Position {
        Position::STANDARD
    }

    #[inline]
    fn side_to_move(position: &Position) -> Side {
        position.side_to_move()
    }

    #[inline]
    fn moves(position: &Position, each: impl FnMut(Move)) {
        if Abalone::decided(position).is_none() {
            moves::all_moves(position, each);
        }
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        position.with_move_played(mv)
    }

    #[inline]
    fn hash(position: &Position) -> u64 {
        position.hash()
    }

    #[inline]
    fn decided(position: &Position) -> Option<Outcome> {
        let side = position.side_to_move();
        if position.lost(side) >= LOST_TO_LOSE {
            Some(Outcome::Loss)
        } else if position.lost(!side) >= LOST_TO_LOSE {
            Some(Outcome::Win)
        } else {
            None
        }
    }

    /// Marbles that are hemmed in until none can move have not been seen in play, and the rules do not mention them.
    fn stuck(_position: &Position) -> Outcome {
        Outcome::Draw
    }

    #[inline]
    fn drawn_by_rule(position: &Position) -> bool {
        position.quiet_plies() >= PLIES_TO_DRAW
    }

    fn hash_afresh(position: &Position) -> u64 {
        position.hash_afresh()
    }

    #[inline]
    fn move_count(position: &Position) -> usize {
        if Abalone::decided(position).is_some() { 0 } else { moves::count(position) }
    }

    #[inline]
    fn is_stuck(position: &Position) -> bool {
        // A marble beside an empty cell can move there.
        let has_room = Direction::ALL.iter().any(|direction| direction.shift(position.own()) & position.empty() != 0);
        !has_room && moves::count(position) == 0
    }

    #[inline]
    fn move_code(mv: Move) -> u16 {
        mv.code()
    }

    #[inline]
    fn move_from_code(position: &Position, code: u16) -> Option<Move> {
        if Abalone::decided(position).is_some() { None } else { moves::from_code(position, code) }
    }

    /// The side, the cell, the direction, and inline or one of two axes with two or three marbles.
    const MOVE_INDICES: usize = 2 * CELLS * 6 * 5;

    #[inline]
    fn move_index(position: &Position, mv: Move) -> usize {
        let direction = mv.direction() as usize;
        let shape = match mv.line() {
            None => 0,
            // Of the two axes that are not the direction's own, one lies sixty degrees further.
            Some(line) => 2 * ((line as usize + 5 - direction % 3) % 3) + mv.marbles() - 1,
        };
        ((position.side_to_move() as usize * CELLS + mv.from().index()) * 6 + direction) * 5 + shape
    }

    const CAPTURE_INDICES: usize = Self::MOVE_INDICES;

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> usize {
        Abalone::move_index(position, mv)
    }

    /// How the own marbles stand, and how the enemy's do.
    const STRUCTURE_KEYS: usize = 2;

    #[inline]
    fn structure_hash(position: &Position, key: usize) -> u64 {
        zobrist::of_boards([if key == 0 { position.own() } else { position.enemy() }])
    }

    const MOVE_CLASSES: usize = classes::COUNT;

    #[inline]
    fn move_class(_position: &Position, mv: Move) -> usize {
        classes::class_of(mv)
    }

    /// Ejections before other pushes, and those the earlier the closer they bring the enemy to the rim.
    #[inline]
    fn tactical_value(_position: &Position, mv: Move) -> Option<i32> {
        const EJECTION: i32 = 10;
        if mv.ejects() {
            return Some(EJECTION + mv.marbles() as i32);
        }
        (mv.pushed() > 0).then(|| {
            let last = mv.from().ahead(mv.direction(), mv.marbles() + mv.pushed());
            i32::from(last.ring()) + mv.pushed() as i32
        })
    }

    /// Ejections alone: other pushes come in great numbers and seldom change the evaluation much.
    #[inline]
    fn tactical_moves(position: &Position, each: impl FnMut(Move)) {
        if Abalone::decided(position).is_none() {
            moves::ejections(position, each);
        }
    }

    /// There is no pass, and none is missed: some move that harms little is always there.
    #[inline]
    fn null_move(position: &Position) -> Option<Position> {
        Abalone::decided(position).is_none().then(|| position.with_turn_passed())
    }

    #[inline]
    fn is_irreversible(_position: &Position, mv: Move) -> bool {
        mv.ejects()
    }

    /// A marble for a marble counts as taking back, wherever it happens.
    #[inline]
    fn move_traits(_position: &Position, mv: Move, _after: &Position, previous: Option<Move>) -> MoveTraits {
        let recaptures = mv.ejects() && previous.is_some_and(Move::ejects);
        MoveTraits { recaptures, ..MoveTraits::default() }
    }

    /// By the marbles lost, as nothing else in the game is irreversible.
    #[inline]
    fn phase(position: &Position) -> Phase {
        match position.lost(Side::First).max(position.lost(Side::Second)) {
            0 => Phase::Opening,
            1..4 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}
