use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::ops::Not;

/// One of the two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The player who moves first from the start.
    First,
    /// The other.
    Second,
}

impl Side {
    /// What the first and the second player have, as what this side and the other have; and back again.
    ///
    /// An index would do the same, but through memory, which takes longer than the rest of playing a move.
    ///
    /// ```
    /// use plywise_game::Side;
    ///
    /// let [own, enemy] = Side::Second.own_first(["black", "white"]);
    /// assert_eq!([own, enemy], ["white", "black"]);
    /// assert_eq!(Side::Second.own_first([own, enemy]), ["black", "white"]);
    /// ```
    #[inline(always)]
    pub const fn own_first<T: Copy>(self, [first, second]: [T; 2]) -> [T; 2] {
        match self {
            Side::First => [first, second],
            Side::Second => [second, first],
        }
    }
}

impl Not for Side {
    type Output = Side;
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}

/// How a game ended, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Win,
    /// The side to move has lost.
    Loss,
    /// Neither has.
    Draw,
    /// The side to move has this many points more than the other, in the evaluation's unit.
    Points(i32),
}

/// The part of the game, for parameters that differ between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Most pieces stand where they began.
    Opening,
    /// The main part.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// What fractional-ply extensions ask about a move that is being searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveTraits {
    /// It puts the opponent in check.
    pub gives_check: bool,
    /// It takes back what the previous move took.
    pub recaptures: bool,
    /// It brings a far-advanced piece closer to its goal, as a passed-pawn push does.
    pub advances: bool,
}

/// The rules of a two-player zero-sum game of perfect information, and hooks for what a search may ask.
///
/// Implement it on an empty type. A position is a small value: playing a move makes a new one, nothing is undone. The
/// first seven items are the rules and have no default; every hook has one that switches off what depends on it.
pub trait Game: Sized + Send + Sync + 'static {
    /// Everything that the rules need to know about the board, the side to move included.
    type Position: Clone + PartialEq + Debug + Send + Sync;
    /// A move. It need not make sense without the position it is played in.
    type Move: Copy + Eq + Debug + Send + Sync;

    /// The position in which games begin.
    fn start() -> Self::Position;

    /// Whether games usually begin with this position.
    fn is_start(position: &Self::Position) -> bool {
        *position == Self::start()
    }

    /// Whose turn it is.
    fn side_to_move(position: &Self::Position) -> Side;

    /// Calls `each` once for every legal move, always in the same order. There is none exactly where the game is over;
    /// a player who must pass has one move, the pass.
    fn moves(position: &Self::Position, each: impl FnMut(Self::Move));

    /// The position after a legal move.
    fn play(position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// A number that tells positions apart, the side to move included, with as few collisions as 64 bits allow.
    fn hash(position: &Self::Position) -> u64;

    /// The outcome of a position that is not [`decided`](Game::decided) and has no move.
    fn stuck(position: &Self::Position) -> Outcome;

    /// A code for the move that differs from that of every other legal move in the same position, and is never 0. The
    /// transposition table stores it.
    fn move_code(mv: Self::Move) -> u16;

    // Hooks: what a search may ask. The defaults are safe for every game.

    /// The outcome where it can be seen before any move is generated: a connected group, a captured king. There
    /// [`moves`](Game::moves) must give none. Games that end only when no move is left keep the default.
    fn decided(_position: &Self::Position) -> Option<Outcome> {
        None
    }

    /// Whether a rule makes this a draw although moves are left: the fifty-move rule, bare kings. Repetition is the
    /// search's own business.
    fn drawn_by_rule(_position: &Self::Position) -> bool {
        false
    }

    /// The hash computed from the board alone, for games that keep it up to date move by move.
    fn hash_afresh(position: &Self::Position) -> u64 {
        Self::hash(position)
    }

    /// The number of legal moves, for games that count faster than they list.
    fn move_count(position: &Self::Position) -> usize {
        let mut count = 0;
        Self::moves(position, |_| count += 1);
        count
    }

    /// Whether a position that is not [`decided`](Game::decided) has no move, for games that see it faster than they count:
    /// every search asks before it evaluates.
    fn is_stuck(position: &Self::Position) -> bool {
        Self::move_count(position) == 0
    }

    /// The legal move that has this code, if there is one. The table may have mixed up positions: check.
    fn move_from_code(position: &Self::Position, code: u16) -> Option<Self::Move> {
        let mut found = None;
        Self::moves(position, |mv| {
            if Self::move_code(mv) == code {
                found = Some(mv);
            }
        });
        found
    }

    /// How many values [`move_index`](Game::move_index) has.
    const MOVE_INDICES: usize = 1;

    /// Moves that are alike in different positions share an index: history and countermoves learn by it.
    fn move_index(_position: &Self::Position, _mv: Self::Move) -> usize {
        0
    }

    /// How many values [`capture_index`](Game::capture_index) has; 0 where the record of tactical moves is not kept.
    const CAPTURE_INDICES: usize = 0;

    /// Tactical moves that are alike in different positions share an index, by what they move, where, and what they take:
    /// the record of captures learns by it.
    fn capture_index(_position: &Self::Position, _mv: Self::Move) -> usize {
        0
    }

    /// How many kinds of structure [`structure_hash`](Game::structure_hash) tells of.
    const STRUCTURE_KEYS: usize = 0;

    /// A number for one kind of structure of the position, its bits well mixed: positions that share it are likely to be
    /// misjudged in the same way. Correction history learns by it. In chess the pawns are such a structure.
    fn structure_hash(_position: &Self::Position, _key: usize) -> u64 {
        0
    }

    /// How many values [`move_class`](Game::move_class) has.
    const MOVE_CLASSES: usize = 1;

    /// The class of a move for realization probabilities: moves of one class are about equally likely to be played.
    fn move_class(_position: &Self::Position, _mv: Self::Move) -> usize {
        0
    }

    /// How promising a tactical move is (a capture, a promotion), higher first; `None` for a quiet move.
    fn tactical_value(_position: &Self::Position, _mv: Self::Move) -> Option<i32> {
        None
    }

    /// Calls `each` for every legal move that quiescence should try: those that change the evaluation abruptly. The
    /// order and the set are those of [`moves`](Game::moves) with a [`tactical_value`](Game::tactical_value), or fewer.
    fn tactical_moves(position: &Self::Position, mut each: impl FnMut(Self::Move)) {
        Self::moves(position, |mv| {
            if Self::tactical_value(position, mv).is_some() {
                each(mv);
            }
        });
    }

    /// What a move wins or loses once all exchanges on its target are over, in the evaluation's unit.
    fn exchange_value(_position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The least and the most that [`exchange_value`](Game::exchange_value) can be, for games that see it before any
    /// exchange: often that is all that the search has to know.
    fn exchange_bounds(position: &Self::Position, mv: Self::Move) -> (i32, i32) {
        let value = Self::exchange_value(position, mv);
        (value, value)
    }

    /// Whether the side to move must answer a threat at once. Such a position is not quiet: no standing pat, no null
    /// move, no pruning by its evaluation.
    fn in_check(_position: &Self::Position) -> bool {
        false
    }

    /// Whether a legal move puts the opponent in check, for games that see it faster than by playing the move.
    fn gives_check(position: &Self::Position, mv: Self::Move) -> bool {
        Self::in_check(&Self::play(position, mv))
    }

    /// The position after passing, where passing is harmless to the rules; `None` where it is not allowed.
    fn null_move(_position: &Self::Position) -> Option<Self::Position> {
        None
    }

    /// Whether a null move proves little here: because being obliged to move may well hurt, or because the opponent is so close
    /// to winning that a shallower search after a pass would miss it.
    fn null_move_doubtful(_position: &Self::Position) -> bool {
        false
    }

    /// Whether no position from before this move can come back: captures, pawn moves, placements.
    fn is_irreversible(_position: &Self::Position, _mv: Self::Move) -> bool {
        false
    }

    /// What extensions ask of a move: `after` is the position it leads to, `previous` the move before it.
    fn move_traits(
        _position: &Self::Position,
        _mv: Self::Move,
        _after: &Self::Position,
        _previous: Option<Self::Move>,
    ) -> MoveTraits {
        MoveTraits::default()
    }

    /// The part of the game that this position belongs to.
    fn phase(_position: &Self::Position) -> Phase {
        Phase::Middlegame
    }

    // Provided: do not override.

    /// Whether a move loses by the exchanges on its target.
    fn loses_exchange(position: &Self::Position, mv: Self::Move) -> bool {
        let (least, most) = Self::exchange_bounds(position, mv);
        least < 0 && (most < 0 || Self::exchange_value(position, mv) < 0)
    }

    /// The outcome of the game, if it is over. Known exactly where no move is left.
    fn outcome(position: &Self::Position) -> Option<Outcome> {
        Self::decided(position).or_else(|| (Self::move_count(position) == 0).then(|| Self::stuck(position)))
    }

    /// All legal moves.
    fn legal_moves(position: &Self::Position) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        Self::moves(position, |mv| moves.push(mv));
        moves
    }
}
