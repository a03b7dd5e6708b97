//! Game records with notes: marks, comments and better moves.

use super::{Record, Wrapped, write_comment_text, write_numbered};
use crate::{Game, Notation, Side};
use std::collections::BTreeMap;
use std::fmt;

/// What a move is worth, as annotators write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `!?`: better than it looks.
    Interesting,
    /// `?!`: not the best.
    Dubious,
    /// `?`: a mistake.
    Mistake,
    /// `??`: a blunder.
    Blunder,
}

impl Mark {
    /// The number that PGN has for it.
    pub fn code(self) -> u8 {
        match self {
            Mark::Mistake => 2,
            Mark::Blunder => 4,
            Mark::Interesting => 5,
            Mark::Dubious => 6,
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Mark::Interesting => "!?",
            Mark::Dubious => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        })
    }
}

/// What is said about a move of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note<M> {
    /// What it is worth.
    pub mark: Option<Mark>,
    /// A comment before the game's own.
    pub comment: String,
    /// What should have been played instead, and how it might have gone on; empty where nothing is better.
    pub better: Vec<M>,
}

impl<M: Copy> Note<M> {
    /// Writes what stands before the game's own comment, and whether a comment was among it.
    pub(super) fn write_before_comment(&self, out: &mut Wrapped) -> Result<bool, fmt::Error> {
        self.mark.map_or(Ok(()), |mark| out.put(&format!("${}", mark.code())))?;
        write_comment_text(&self.comment, out)
    }

    /// Writes the better line from the position before the move, and whether there is one.
    pub(super) fn write_variation<G: Notation<Move = M>>(
        &self,
        position: &G::Position,
        mut number: usize,
        out: &mut Wrapped,
    ) -> Result<bool, fmt::Error> {
        let mut position = position.clone();
        for (i, &mv) in self.better.iter().enumerate() {
            if i == 0 {
                out.put("(")?;
            }
            write_numbered::<G>(&position, mv, number, i == 0, out)?;
            number += usize::from(G::side_to_move(&position) == Side::Second);
            position = G::play(&position, mv);
        }
        if !self.better.is_empty() {
            out.put(")")?;
        }
        Ok(!self.better.is_empty())
    }
}

/// A game record with notes on its moves, which are numbered from 0. Its `Display` form is PGN.
///
/// ```
/// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
/// # use tic_tac_toe::TicTacToe;
/// use plywise_game::Notation;
/// use plywise_game::pgn::{self, Annotated, Mark, Note};
/// use std::collections::BTreeMap;
///
/// let record = pgn::read::<TicTacToe, _>("1. b2 a2 {hm} 2. a1 *".as_bytes()).next().unwrap().unwrap();
/// let before = record.positions().nth(1).unwrap();
/// let better = ["a1", "c3"].map(|text| TicTacToe::parse_move(&before, text).unwrap()).to_vec();
/// let note = Note { mark: Some(Mark::Mistake), comment: "loses".to_string(), better };
/// let text = Annotated { record: &record, notes: &BTreeMap::from([(1, note)]) }.to_string();
/// assert!(text.ends_with("1. b2 a2 $2 {loses} {hm} ( 1... a1 2. c3 ) 2. a1 *\n\n"), "{text}");
/// assert_eq!(pgn::read::<TicTacToe, _>(text.as_bytes()).next().unwrap().unwrap().moves, record.moves);
/// ```
pub struct Annotated<'a, G: Game> {
    /// The game.
    pub record: &'a Record<G>,
    /// The notes, by the number of the move.
    pub notes: &'a BTreeMap<usize, Note<G::Move>>,
}

impl<G: Notation> fmt::Display for Annotated<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.record.write_with_notes(f, self.notes)
    }
}
