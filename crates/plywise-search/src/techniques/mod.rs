//! The techniques of the search, one file each: what it does, its parameters' meaning, its source, its tests.
//!
//! | shape | says | members |
//! | --- | --- | --- |
//! | cut the node | `Result<Option<Value>, Stopped>` | table, enhanced transposition cutoffs |
//! | leave a move out | `bool` | |
//! | price a move | `Depth` | |

mod internal_deepening;
mod table_cutoffs;

/// A technique that can cut a node, leave a move out, or change a move's price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Technique {
    /// The transposition table knew the answer.
    Table,
    /// A successor in the transposition table refuted the node.
    TranspositionCutoffs,
    /// A line too long to beat a win already found.
    MateDistance,
}

impl Technique {
    /// All of them, in the order in which a node meets them.
    pub const ALL: [Technique; 3] = [Technique::MateDistance, Technique::Table, Technique::TranspositionCutoffs];

    /// The name of its group of parameters.
    pub fn name(self) -> &'static str {
        match self {
            Technique::Table => "table",
            Technique::TranspositionCutoffs => "transposition_cutoffs",
            Technique::MateDistance => "mate_distance",
        }
    }
}

/// How often each technique was tried, and how often it cut, left out or repriced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    tries: [u64; Technique::ALL.len()],
    cuts: [u64; Technique::ALL.len()],
}

impl Counters {
    /// How often it was tried.
    pub fn tries(&self, technique: Technique) -> u64 {
        self.tries[technique as usize]
    }

    /// How often it had an effect.
    pub fn cuts(&self, technique: Technique) -> u64 {
        self.cuts[technique as usize]
    }

    #[inline]
    pub(crate) fn tried(&mut self, technique: Technique) {
        self.tries[technique as usize] += 1;
    }

    #[inline]
    pub(crate) fn cut(&mut self, technique: Technique) {
        self.cuts[technique as usize] += 1;
    }

    /// Adds another thread's counts.
    pub(crate) fn add(&mut self, other: &Counters) {
        for i in 0..Technique::ALL.len() {
            self.tries[i] += other.tries[i];
            self.cuts[i] += other.cuts[i];
        }
    }
}
