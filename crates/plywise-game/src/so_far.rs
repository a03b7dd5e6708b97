use crate::pgn::GameResult;
use crate::{Game, Notation, NotationError, Outcome, Side};

/// A game as far as it has been played: the position on the board, how it came about, and whether it is over.
///
/// ```
/// # use plywise_game::{Ended, Game, GameSoFar, Outcome, Side};
/// # enum Nim {}
/// # impl Game for Nim {
/// #     type Position = (u8, bool);
/// #     type Move = u8;
/// #     fn start() -> (u8, bool) { (3, true) }
/// #     fn side_to_move(p: &(u8, bool)) -> Side { if p.1 { Side::First } else { Side::Second } }
/// #     fn moves(p: &(u8, bool), each: impl FnMut(u8)) { (1..=p.0.min(3)).for_each(each) }
/// #     fn play(p: &(u8, bool), mv: u8) -> (u8, bool) { (p.0 - mv, !p.1) }
/// #     fn hash(p: &(u8, bool)) -> u64 { u64::from(p.0 * 2 + p.1 as u8) }
/// #     fn stuck(_: &(u8, bool)) -> Outcome { Outcome::Loss }
/// #     fn move_code(mv: u8) -> u16 { mv.into() }
/// # }
/// // Three matches; who takes the last one wins.
/// let mut game = GameSoFar::<Nim>::new(Nim::start());
/// game.play(1);
/// assert_eq!(game.ended(), None);
/// game.play(2);
/// assert_eq!(game.ended(), Some(Ended::Decided(Outcome::Loss)));
/// assert_eq!(game.winner(), Some(Side::Second));
/// ```
pub struct GameSoFar<G: Game> {
    /// Every position from the first to the one on the board.
    positions: Vec<G::Position>,
    /// Their hashes.
    hashes: Vec<u64>,
    moves: Vec<G::Move>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By the position on the board, with this outcome for the side to move.
    Decided(Outcome),
    /// The position on the board has occurred this many times.
    Repetition(usize),
    /// By a rule that makes it a draw although moves are left.
    DrawnByRule,
}

/// A position that stands on the board for this time makes the game a draw.
const REPETITIONS: usize = 3;

impl<G: Game> GameSoFar<G> {
    /// A game that begins with `position`.
    pub fn new(position: G::Position) -> GameSoFar<G> {
        GameSoFar { hashes: vec![G::hash(&position)], positions: vec![position], moves: Vec::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Every position from the first to the one on the board.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The moves from the first to the last.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// The moves, each with the position it was played in.
    pub fn steps(&self) -> impl Iterator<Item = (&G::Position, G::Move)> {
        self.positions.iter().zip(self.moves.iter().copied())
    }

    /// The hashes of the positions before the one on the board, oldest first: what a search needs to see repetitions.
    pub fn history(&self) -> &[u64] {
        &self.hashes[..self.moves.len()]
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Side {
        G::side_to_move(self.position())
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let after = G::play(self.position(), mv);
        self.hashes.push(G::hash(&after));
        self.positions.push(after);
        self.moves.push(mv);
    }

    /// Takes the last move back; `None` if there is none.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.truncate(self.moves.len() + 1);
        self.hashes.truncate(self.moves.len() + 1);
        Some(mv)
    }

    /// Why the game is over, if it is: also by the third repetition.
    pub fn ended(&self) -> Option<Ended> {
        self.ended_with(Some(REPETITIONS))
    }

    /// Why the game is over, if it is, where a position may stand on the board less than `repetitions` times.
    pub fn ended_with(&self, repetitions: Option<usize>) -> Option<Ended> {
        let position = self.position();
        if let Some(outcome) = G::outcome(position) {
            return Some(Ended::Decided(outcome));
        }
        let occurrences = self.occurrences();
        if repetitions.is_some_and(|limit| occurrences >= limit) {
            return Some(Ended::Repetition(occurrences));
        }
        G::drawn_by_rule(position).then_some(Ended::DrawnByRule)
    }

    /// The result; unknown while the game goes on.
    pub fn result(&self) -> GameResult {
        match self.ended() {
            Some(Ended::Decided(outcome)) => GameResult::of(outcome, self.side_to_move()),
            Some(Ended::Repetition(_) | Ended::DrawnByRule) => GameResult::Draw,
            None => GameResult::Unknown,
        }
    }

    /// Who has won, if somebody has.
    pub fn winner(&self) -> Option<Side> {
        match self.result() {
            GameResult::Win(side) => Some(side),
            GameResult::Draw | GameResult::Unknown => None,
        }
    }

    /// How often the position on the board has stood there.
    fn occurrences(&self) -> usize {
        let here = self.hashes[self.moves.len()];
        self.hashes.iter().filter(|&&hash| hash == here).count()
    }
}

impl<G: Notation> GameSoFar<G> {
    /// Reads a move in any notation of the game and plays it.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, NotationError> {
        let mv = G::parse_move(self.position(), text)?;
        self.play(mv);
        Ok(mv)
    }
}

// Derived, this would ask the game's own type to be `Clone`.
impl<G: Game> Clone for GameSoFar<G> {
    fn clone(&self) -> GameSoFar<G> {
        GameSoFar { positions: self.positions.clone(), hashes: self.hashes.clone(), moves: self.moves.clone() }
    }
}
