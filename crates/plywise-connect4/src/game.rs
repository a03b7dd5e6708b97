//! The rules of Connect Four, and what a search may ask about it.

use crate::board::{BOARD, COLUMNS, HEIGHT, PLACES, Place, Position};
use crate::classes;
use crate::lines::{completing, has_four};
use plywise_game::{Game, MoveTraits, Outcome, Phase, Side};

/// The columns from the middle outwards: those in the middle take part in the most lines, so their moves come first.
const COLUMN_ORDER: [u64; COLUMNS as usize] = {
    const COLUMN: u64 = (1 << HEIGHT) - 1;
    const MIDDLE: u8 = COLUMNS / 2;
    let mut columns = [COLUMN << (HEIGHT * MIDDLE); COLUMNS as usize];
    let mut distance = 1;
    while distance <= MIDDLE {
        columns[2 * distance as usize - 1] = COLUMN << (HEIGHT * (MIDDLE - distance));
        columns[2 * distance as usize] = COLUMN << (HEIGHT * (MIDDLE + distance));
        distance += 1;
    }
    columns
};

/// Calls `each` for these places, of which there is one in a column at most, from the middle outwards.
#[inline]
pub(crate) fn from_the_middle(places: u64, mut each: impl FnMut(Place)) {
    for column in COLUMN_ORDER {
        let bit = places & column;
        if bit != 0 {
            each(Place::of_bit(bit));
        }
    }
}

/// Connect Four. Red is [`Side::First`].
#[derive(Clone, Copy, Debug)]
pub enum Connect4 {}

impl Game for Connect4 {
    type Position = Position;
    type Move = Place;

    fn start() -> Position {
        Position::START
    }

    #[inline]
    fn side_to_move(position: &Position) -> Side {
        position.side_to_move()
    }

    #[inline]
    fn moves(position: &Position, each: impl FnMut(Place)) {
        if !has_four(position.enemy()) {
            from_the_middle(position.reachable(), each);
        }
    }

    #[inline]
    fn play(position: &Position, mv: Place) -> Position {
        position.with_disc_on(mv.bit())
    }

    #[inline]
    fn hash(position: &Position) -> u64 {
        position.hash()
    }

    /// The board is full.
    fn stuck(_position: &Position) -> Outcome {
        Outcome::Draw
    }

    #[inline]
    fn is_stuck(position: &Position) -> bool {
        position.occupied() == BOARD
    }

    /// Only the player who has just moved can have four in a row.
    #[inline]
    fn decided(position: &Position) -> Option<Outcome> {
        has_four(position.enemy()).then_some(Outcome::Loss)
    }

    #[inline]
    fn move_count(position: &Position) -> usize {
        if has_four(position.enemy()) { 0 } else { position.reachable().count_ones() as usize }
    }

    #[inline]
    fn move_code(mv: Place) -> u16 {
        mv.code()
    }

    #[inline]
    fn move_from_code(position: &Position, code: u16) -> Option<Place> {
        let bit = Place::bit_of_code(code) & position.reachable();
        (bit != 0 && !has_four(position.enemy())).then(|| Place::of_bit(bit))
    }

    /// The side and the place.
    const MOVE_INDICES: usize = 2 * PLACES as usize;

    #[inline]
    fn move_index(position: &Position, mv: Place) -> usize {
        position.side_to_move() as usize * PLACES as usize + mv.index()
    }

    const MOVE_CLASSES: usize = classes::COUNT;

    #[inline]
    fn move_class(position: &Position, mv: Place) -> usize {
        classes::class_of(position, mv)
    }

    /// Completing a line comes first, then keeping the opponent from it.
    #[inline]
    fn tactical_value(position: &Position, mv: Place) -> Option<i32> {
        let completes = |discs| completing(discs) & mv.bit() != 0;
        if completes(position.own()) { Some(1) } else { completes(position.enemy()).then_some(0) }
    }

    #[inline]
    fn tactical_moves(position: &Position, each: impl FnMut(Place)) {
        if !has_four(position.enemy()) {
            let completing = completing(position.own()) | completing(position.enemy());
            from_the_middle(completing & position.reachable(), each);
        }
    }

    /// The opponent would complete a line with the next move.
    #[inline]
    fn in_check(position: &Position) -> bool {
        completing(position.enemy()) & position.reachable() != 0
    }

    /// A disc stays where it is.
    #[inline]
    fn is_irreversible(_position: &Position, _mv: Place) -> bool {
        true
    }

    #[inline]
    fn move_traits(_position: &Position, _mv: Place, after: &Position, _previous: Option<Place>) -> MoveTraits {
        MoveTraits { gives_check: Connect4::in_check(after), ..MoveTraits::default() }
    }

    /// By the number of discs.
    #[inline]
    fn phase(position: &Position) -> Phase {
        match position.count() {
            ..=11 => Phase::Opening,
            12..=25 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}
