//! The game that a checked search was about.

use plywise_game::{Evaluate, Game, Outcome, Score, score};

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Played {
    /// It was played.
    Played,
    /// There was none: the position stays.
    Stays,
    /// The rules do not allow it.
    Illegal,
}

/// A line of positions that follows a search, one for each open node.
pub trait Board {
    /// Plays the move with this code.
    fn play(&mut self, code: u32) -> Played;
    /// Passes.
    fn pass(&mut self) -> Played;
    /// Opens a node of the same position.
    fn stay(&mut self);
    /// Goes back to the node above.
    fn undo(&mut self);
    /// The hash of the position.
    fn hash(&self) -> u64;
    /// The hashes of the positions after each legal move.
    fn successors(&self) -> Vec<u64>;
    /// The outcome that shows before moves are generated.
    fn decided(&self) -> Option<Outcome>;
    /// The outcome where no move is left.
    fn stuck(&self) -> Option<Outcome>;
    /// Whether a rule makes it a draw.
    fn drawn_by_rule(&self) -> bool;
    /// Whether the position stood before: once in the search, or twice in the game.
    fn repeats(&self) -> bool;
    /// Its evaluation.
    fn evaluate(&mut self) -> Option<Score>;
}

/// A position of the line, with what came before it.
struct Place<G: Game> {
    position: G::Position,
    hash: u64,
    /// Plies since the last move that cannot be undone.
    reversible: usize,
    /// Whether a move or a pass led here.
    moved: bool,
}

/// The board of a known game.
pub struct KnownBoard<G: Game, E> {
    root: G::Position,
    evaluate: E,
    line: Vec<Place<G>>,
    /// Hashes of the game before the root, and of the moves of the line.
    path: Vec<u64>,
    history: usize,
}

impl<G: Game, E: Evaluate<G>> KnownBoard<G, E> {
    /// For searches of `root`, after positions with these hashes.
    pub fn new(root: G::Position, history: &[u64], evaluate: E) -> KnownBoard<G, E> {
        KnownBoard { root, evaluate, line: Vec::new(), path: history.to_vec(), history: history.len() }
    }

    fn position(&self) -> &G::Position {
        self.line.last().map_or(&self.root, |place| &place.position)
    }

    fn push(&mut self, position: G::Position, reversible: usize) {
        let hash = G::hash(&position);
        self.path.push(hash);
        self.line.push(Place { position, hash, reversible, moved: true });
    }
}

impl<G: Game, E: Evaluate<G>> Board for KnownBoard<G, E> {
    fn play(&mut self, code: u32) -> Played {
        let position = self.position();
        let mv = u16::try_from(code).ok().and_then(|code| G::move_from_code(position, code));
        let Some(mv) = mv.filter(|_| code != 0) else { return Played::Illegal };
        let before = self.line.last().map_or(self.history, |place| place.reversible);
        let reversible = if G::is_irreversible(position, mv) { 0 } else { before + 1 };
        let after = G::play(position, mv);
        self.push(after, reversible);
        Played::Played
    }

    fn pass(&mut self) -> Played {
        match G::null_move(self.position()) {
            Some(after) => {
                self.push(after, 0);
                Played::Played
            }
            None => Played::Illegal,
        }
    }

    fn stay(&mut self) {
        let position = self.position().clone();
        let (hash, reversible) = (G::hash(&position), self.line.last().map_or(self.history, |place| place.reversible));
        let moved = self.line.is_empty();
        if moved {
            self.path.push(hash);
        }
        self.line.push(Place { position, hash, reversible, moved });
    }

    fn undo(&mut self) {
        if self.line.pop().is_some_and(|place| place.moved) {
            self.path.pop();
        }
    }

    fn hash(&self) -> u64 {
        self.line.last().map_or(0, |place| place.hash)
    }

    fn successors(&self) -> Vec<u64> {
        let position = self.position();
        G::legal_moves(position).into_iter().map(|mv| G::hash(&G::play(position, mv))).collect()
    }

    fn decided(&self) -> Option<Outcome> {
        G::decided(self.position())
    }

    fn stuck(&self) -> Option<Outcome> {
        let position = self.position();
        (G::move_count(position) == 0).then(|| G::stuck(position))
    }

    fn drawn_by_rule(&self) -> bool {
        G::drawn_by_rule(self.position())
    }

    fn repeats(&self) -> bool {
        let (here, Some(place)) = (self.path.len() - 1, self.line.last()) else { return false };
        let ply = here - self.history;
        let before = (2..=place.reversible.min(here)).step_by(2).filter(|back| self.path[here - back] == place.hash);
        let found: Vec<usize> = before.collect();
        found.iter().any(|&back| back <= ply) || found.len() >= 2
    }

    fn evaluate(&mut self) -> Option<Score> {
        let position = self.position().clone();
        Some(self.evaluate.evaluate(&position).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT))
    }
}
