//! How the moves and positions of a tree are written. A file says which game it is of only when it is read, so the game
//! stands behind a pointer.

use crate::node::{Node, NodeId};
use crate::reader::{Tree, TreeError};
use plywise_game::{Game, GameSoFar, Notation, Score, View, score};
use std::ops::Deref;

/// What a null move is called.
pub const NULL_MOVE: &str = "--";

/// Reads and writes the moves, positions and scores of a tree: the position at its root, as a game writes it, or
/// [what another program sent](SentNotation).
pub trait TreeNotation: Send + Sync {
    /// The moves of a line from the root, by their codes, as players write them; as far as they make sense.
    fn line(&self, moves: &[u32]) -> Vec<String>;

    /// The code of a move that is played after a line.
    fn read(&self, line: &[u32], text: &str) -> Result<u32, String>;

    /// The board after a line.
    fn board(&self, moves: &[u32]) -> String;

    /// The board after a line as an SVG document, with the last move marked, if it can be drawn.
    fn svg(&self, _moves: &[u32], _turned: bool) -> Option<String> {
        None
    }

    /// The position after a line, on one line.
    fn position(&self, moves: &[u32]) -> String;

    /// A score for people.
    fn score(&self, score: Score) -> String;
}

/// Plays a line as far as it makes sense, and hands `each` the moves, `None` for the null move.
fn play<G: Game>(
    root: &G::Position,
    moves: &[u32],
    mut each: impl FnMut(&G::Position, Option<G::Move>),
) -> Option<G::Position> {
    let mut position = root.clone();
    for &code in moves {
        position = match code {
            0 => {
                each(&position, None);
                G::null_move(&position)?
            }
            code => {
                let mv = G::move_from_code(&position, u16::try_from(code).ok()?)?;
                each(&position, Some(mv));
                G::play(&position, mv)
            }
        };
    }
    Some(position)
}

/// The last position is the root of the tree.
impl<G: Notation> TreeNotation for GameSoFar<G> {
    fn line(&self, moves: &[u32]) -> Vec<String> {
        let mut names = Vec::with_capacity(moves.len());
        let name = |position: &_, mv: Option<_>| mv.map_or(NULL_MOVE.into(), |mv| G::write_move(position, mv));
        play::<G>(GameSoFar::position(self), moves, |position, mv| names.push(name(position, mv)));
        names
    }

    fn read(&self, line: &[u32], text: &str) -> Result<u32, String> {
        if text == NULL_MOVE {
            return Ok(0);
        }
        let position = play::<G>(GameSoFar::position(self), line, |_, _| {}).ok_or("the line cannot be played")?;
        let mv = G::parse_move(&position, text).map_err(|error| error.to_string())?;
        Ok(G::move_code(mv).into())
    }

    fn board(&self, moves: &[u32]) -> String {
        play::<G>(GameSoFar::position(self), moves, |_, _| {}).map_or(String::new(), |position| G::draw(&position))
    }

    fn svg(&self, moves: &[u32], turned: bool) -> Option<String> {
        let mut last_move = None;
        let position = play::<G>(GameSoFar::position(self), moves, |_, mv| last_move = mv)?;
        Some(G::draw_svg(&position, &View { turned, last_move, ..View::default() }))
    }

    fn position(&self, moves: &[u32]) -> String {
        let position = play::<G>(GameSoFar::position(self), moves, |_, _| {});
        position.map_or(String::new(), |position| G::write_position(&position))
    }

    fn score(&self, score: Score) -> String {
        match score::plies_to_end(score) {
            Some(plies) => G::show_win(plies),
            None => G::show_score(score),
        }
    }
}

/// The notation of a tree that another program sent: its own words, which say all that is known of its game.
pub struct SentNotation<T>(pub T);

impl<T: Deref<Target = Tree> + Send + Sync> TreeNotation for SentNotation<T> {
    fn line(&self, moves: &[u32]) -> Vec<String> {
        let name = |&mv: &u32| if mv == 0 { NULL_MOVE.into() } else { self.0.text(mv).unwrap_or("?").to_string() };
        moves.iter().map(name).collect()
    }

    fn read(&self, _line: &[u32], text: &str) -> Result<u32, String> {
        if text == NULL_MOVE {
            return Ok(0);
        }
        let found = (1..).map_while(|mv| self.0.text(mv).map(|name| (mv, name))).find(|(_, name)| *name == text);
        found.map(|(mv, _)| mv).ok_or_else(|| format!("no move of this tree is called '{text}'"))
    }

    fn board(&self, moves: &[u32]) -> String {
        if moves.is_empty() { self.0.board().to_string() } else { String::new() }
    }

    fn position(&self, moves: &[u32]) -> String {
        if moves.is_empty() { self.0.head().position.clone() } else { String::new() }
    }

    fn score(&self, score: Score) -> String {
        score.to_string()
    }
}

/// The moves that lead from the root to the last of these nodes.
pub(crate) fn moves<'a>(line: impl IntoIterator<Item = &'a Node>) -> Vec<u32> {
    line.into_iter().filter(|node| !node.stays()).map(|node| node.mv).collect()
}

impl Tree {
    /// The moves that lead to a node, by their codes.
    pub fn moves_to(&self, id: NodeId) -> Result<Vec<u32>, TreeError> {
        let line: Result<Vec<Node>, TreeError> = self.line(id)?.into_iter().map(|id| self.node(id)).collect();
        Ok(moves(&line?))
    }

    /// The node that moves lead to from a root, where each was searched last: `None` where one was not searched.
    pub fn descend(&self, root: NodeId, moves: &[u32]) -> Result<Option<NodeId>, TreeError> {
        let mut at = root;
        for &mv in moves {
            let mut found = None;
            for child in self.children(at)? {
                let node = self.node(child)?;
                let is_it = node.mv == mv && !node.stays();
                // What the moves of a node found counts more than what a probe did.
                if is_it && (node.is_move() || found.is_none()) {
                    found = Some(child);
                }
            }
            match found {
                Some(child) => at = child,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }
}
