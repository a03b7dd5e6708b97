use plywise_game::{Notation, NotationError, Side};
use plywise_search::Request;

/// A game as far as it has been played: the position on the board and how it came about.
pub struct GameLine<G: Notation> {
    /// Every position from the first to the one on the board.
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the position on the board: the game has a word for it.
    Decided,
    /// By the same position for the third time.
    Repetition,
}

impl<G: Notation> GameLine<G> {
    /// A game that begins with `position`.
    pub fn new(position: G::Position) -> GameLine<G> {
        GameLine { positions: vec![position], moves: Vec::new() }
    }

    /// The position on the board.
    pub fn position(&self) -> &G::Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Side {
        G::side_to_move(self.position())
    }

    /// The moves with the positions they were played in.
    pub fn moves(&self) -> impl Iterator<Item = (&G::Position, G::Move)> {
        self.positions.iter().zip(self.moves.iter().copied())
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        self.positions.push(G::play(self.position(), mv));
        self.moves.push(mv);
    }

    /// Reads a move in any notation of the game and plays it.
    pub fn play_text(&mut self, text: &str) -> Result<G::Move, NotationError> {
        let mv = G::parse_move(self.position(), text)?;
        self.play(mv);
        Ok(mv)
    }

    /// Takes the last move back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_some() {
            self.positions.pop();
            return true;
        }
        false
    }

    /// Asks a search about the position on the board, with the history that repetitions need.
    pub fn request(&self) -> Request<G> {
        let before = &self.positions[..self.positions.len() - 1];
        Request { history: before.iter().map(G::hash).collect(), ..Request::new(self.position().clone()) }
    }

    /// Why the game is over, if it is.
    pub fn ending(&self) -> Option<Ending> {
        let position = self.position();
        if G::outcome(position).is_some() {
            return Some(Ending::Decided);
        }
        if self.repetitions() >= 3 {
            return Some(Ending::Repetition);
        }
        G::drawn_by_rule(position).then_some(Ending::Decided)
    }

    /// How often the position on the board has stood there.
    fn repetitions(&self) -> usize {
        let hash = G::hash(self.position());
        self.positions.iter().filter(|position| G::hash(position) == hash).count()
    }
}
