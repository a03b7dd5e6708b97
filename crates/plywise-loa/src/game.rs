//! The rules of Lines of Action, and what a search may ask about it.

use crate::board::{Position, Region};
use crate::classes;
use crate::connection::{has_few_groups, is_connected};
use crate::moves::{self, Move};
use plywise_game::{Game, MoveTraits, Outcome, Phase, Side, zobrist};

/// So few groups of the opponent make a pass prove little.
const MENACING_GROUPS: usize = 2;

/// Lines of Action. Black is [`Side::First`].
#[derive(Clone, Copy, Debug)]
pub enum Loa {}

impl Game for Loa {
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
        if Loa::decided(position).is_some() {
            return;
        }
        let mut must_pass = true;
        moves::piece_moves(position, !0, |mv| {
            must_pass = false;
            each(mv);
        });
        if must_pass {
            each(Move::PASS);
        }
    }

    #[inline]
    fn play(position: &Position, mv: Move) -> Position {
        if mv.is_pass() { position.with_turn_passed() } else { position.with_piece_moved(mv.from(), mv.to()) }
    }

    #[inline]
    fn hash(position: &Position) -> u64 {
        position.hash()
    }

    #[inline]
    fn decided(position: &Position) -> Option<Outcome> {
        match (is_connected(position.own()), is_connected(position.enemy())) {
            (false, false) => None,
            (true, false) => Some(Outcome::Win),
            (false, true) => Some(Outcome::Loss),
            (true, true) => Some(Outcome::Draw),
        }
    }

    /// Never asked: a player without a move passes.
    fn stuck(_position: &Position) -> Outcome {
        Outcome::Draw
    }

    #[inline]
    fn is_stuck(_position: &Position) -> bool {
        false
    }

    fn hash_afresh(position: &Position) -> u64 {
        position.hash_afresh()
    }

    #[inline]
    fn move_count(position: &Position) -> usize {
        if Loa::decided(position).is_some() {
            return 0;
        }
        moves::piece_move_count(position.own(), position.enemy()).max(1)
    }

    #[inline]
    fn move_code(mv: Move) -> u16 {
        mv.code()
    }

    #[inline]
    fn move_from_code(position: &Position, code: u16) -> Option<Move> {
        let claimed = Move::from_code(code);
        if Loa::decided(position).is_some() {
            return None;
        }
        if claimed.is_pass() {
            return (moves::piece_move_count(position.own(), position.enemy()) == 0).then_some(Move::PASS);
        }
        moves::piece_move(position, claimed.from(), claimed.to()).ok().filter(|&mv| mv == claimed)
    }

    /// The side, the square left and the square reached.
    const MOVE_INDICES: usize = 2 * 64 * 64;

    #[inline]
    fn move_index(position: &Position, mv: Move) -> usize {
        (position.side_to_move() as usize * 64 + mv.from().index()) * 64 + mv.to().index()
    }

    const CAPTURE_INDICES: usize = Self::MOVE_INDICES;

    #[inline]
    fn capture_index(position: &Position, mv: Move) -> usize {
        Loa::move_index(position, mv)
    }

    /// How the own pieces stand, and how the enemy's do.
    const STRUCTURE_KEYS: usize = 2;

    #[inline]
    fn structure_hash(position: &Position, key: usize) -> u64 {
        zobrist::of_boards([if key == 0 { position.own() } else { position.enemy() }])
    }

    const MOVE_CLASSES: usize = classes::COUNT;

    #[inline]
    fn move_class(position: &Position, mv: Move) -> usize {
        classes::class_of(position.own(), mv)
    }

    /// Captures, the closer to the middle of the board the better, as MIA orders them (Winands & Björnsson 2008,
    /// section 3.2).
    #[inline]
    fn tactical_value(_position: &Position, mv: Move) -> Option<i32> {
        mv.captures().then(|| match Region::of(mv.to()) {
            Region::Centre | Region::Inner => 3,
            Region::Middle => 2,
            Region::Edge => 1,
            Region::Corner => 0,
        })
    }

    #[inline]
    fn tactical_moves(position: &Position, each: impl FnMut(Move)) {
        if Loa::decided(position).is_none() {
            moves::piece_moves(position, position.enemy(), each);
        }
    }

    /// A null move is a pass, which the rules know: nothing can go wrong but a game that is over.
    #[inline]
    fn null_move(position: &Position) -> Option<Position> {
        Loa::decided(position).is_none().then(|| position.with_turn_passed())
    }

    /// The opponent has two groups at most: a quiet move may threaten to connect them, which no evaluation sees coming.
    fn null_move_doubtful(position: &Position) -> bool {
        has_few_groups(position.enemy(), MENACING_GROUPS)
    }

    #[inline]
    fn is_irreversible(_position: &Position, mv: Move) -> bool {
        mv.captures()
    }

    #[inline]
    fn move_traits(_position: &Position, mv: Move, _after: &Position, previous: Option<Move>) -> MoveTraits {
        let recaptures =
            mv.captures() && previous.is_some_and(|previous| previous.captures() && previous.to() == mv.to());
        MoveTraits { recaptures, ..MoveTraits::default() }
    }

    /// By the number of pieces left, as nothing else in the game is as irreversible.
    #[inline]
    fn phase(position: &Position) -> Phase {
        match position.occupied().count_ones() {
            22.. => Phase::Opening,
            13..22 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }
}
