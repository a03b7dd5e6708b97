//! What stands between the moves of a game: comments, marks and variations.

use std::collections::BTreeMap;
use std::fmt;

/// Something that stands between two moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark<M> {
    /// A comment, on one line.
    Comment(String),
    /// A numeric annotation glyph, such as `$14`. The marks `!`, `?`, `!!`, `??`, `!?` and `?!` are 1 to 6.
    Nag(u32),
    /// What might have been played instead of the move before it; ahead of the first move, instead of that.
    Variation(Variation<M>),
    /// A word that says nothing to us and is kept as it stands: in a variation a result, or a move that the rules do not
    /// allow, such as a null move, and every word after it.
    Word(String),
}

/// Moves and what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// The moves, legal one after another.
    pub moves: Vec<M>,
    /// What stands between them.
    pub remarks: Remarks<M>,
}

// Derived, this would ask the moves to have a default.
impl<M> Default for Variation<M> {
    fn default() -> Variation<M> {
        Variation { moves: Vec::new(), remarks: Remarks::default() }
    }
}

impl<M> Variation<M> {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty() && self.remarks.0.is_empty()
    }
}

impl<M> From<Vec<M>> for Variation<M> {
    fn from(moves: Vec<M>) -> Variation<M> {
        Variation { moves, remarks: Remarks::default() }
    }
}

/// Remarks in their order, by the number of moves that stand before them: 0 is ahead of the first move.
///
/// ```
/// use plywise_game::pgn::{Mark, Remark, Remarks};
///
/// let mut remarks = Remarks::<u8>::default();
/// remarks.add_comment(1, "the centre");
/// remarks.add(1, Mark::Dubious.remark());
/// remarks.add_comment(1, "as always");
/// assert_eq!(remarks.comment(1), "the centre as always");
/// assert!(remarks.after(1).contains(&Remark::Nag(6)));
/// assert_eq!(remarks.comment(2), "");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remarks<M>(BTreeMap<usize, Vec<Remark<M>>>);

// Derived, this would ask the moves to have a default.
impl<M> Default for Remarks<M> {
    fn default() -> Remarks<M> {
        Remarks(BTreeMap::new())
    }
}

impl<M> Remarks<M> {
    /// The remarks after this many moves.
    pub fn after(&self, moves: usize) -> &[Remark<M>] {
        self.0.get(&moves).map_or(&[], Vec::as_slice)
    }

    /// All remarks, each with the number of moves before it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Remark<M>)> {
        self.0.iter().flat_map(|(&moves, remarks)| remarks.iter().map(move |remark| (moves, remark)))
    }

    /// Adds a remark behind those after this many moves.
    pub fn add(&mut self, moves: usize, remark: Remark<M>) {
        self.0.entry(moves).or_default().push(remark);
    }

    /// Adds a comment behind the remarks after this many moves, unless it is empty.
    pub fn add_comment(&mut self, moves: usize, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.add(moves, Remark::Comment(text));
        }
    }

    /// The comments after this many moves as one text.
    pub fn comment(&self, moves: usize) -> String {
        let comments = self.after(moves).iter().filter_map(|remark| match remark {
            Remark::Comment(text) => Some(text.as_str()),
            _ => None,
        });
        comments.collect::<Vec<_>>().join(" ")
    }

    /// Puts others in the place of the remarks after this many moves, and gives these.
    pub fn replace(&mut self, moves: usize, remarks: Vec<Remark<M>>) -> Vec<Remark<M>> {
        let old = self.0.remove(&moves);
        if !remarks.is_empty() {
            self.0.insert(moves, remarks);
        }
        old.unwrap_or_default()
    }
}

/// What a move is worth, as annotators write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `!!`: brilliant.
    Brilliant,
    /// `!`: good.
    Good,
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
    const ALL: [Mark; 6] =
        [Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Dubious, Mark::Good, Mark::Mistake];

    /// The number that PGN has for it.
    pub fn code(self) -> u32 {
        match self {
            Mark::Good => 1,
            Mark::Mistake => 2,
            Mark::Brilliant => 3,
            Mark::Blunder => 4,
            Mark::Interesting => 5,
            Mark::Dubious => 6,
        }
    }

    /// The mark as a remark.
    pub fn remark<M>(self) -> Remark<M> {
        Remark::Nag(self.code())
    }

    /// The mark that a remark is, if it is one.
    pub fn of_remark<M>(remark: &Remark<M>) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| matches!(remark, Remark::Nag(code) if *code == mark.code()))
    }

    /// The marks that a text of exclamation and question marks consists of: `!!!` is `!!` and `!`.
    pub(super) fn split(mut text: &str) -> Vec<Mark> {
        let mut marks = Vec::new();
        // The longer ones come first among all.
        while let Some((mark, rest)) = Mark::ALL.iter().find_map(|mark| Some((mark, text.strip_prefix(mark.sign())?))) {
            marks.push(*mark);
            text = rest;
        }
        marks
    }

    /// The mark as people write it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Brilliant => "!!",
            Mark::Good => "!",
            Mark::Interesting => "!?",
            Mark::Dubious => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.sign())
    }
}
