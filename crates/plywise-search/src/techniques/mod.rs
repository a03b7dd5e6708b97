//! The techniques of the search, one file each: what it does, its source, its conditions. Their parameters are declared
//! in `params.rs`; docs/techniques.md says when each helps.
//!
//! | shape | says | members |
//! | --- | --- | --- |
//! | cut the node | `Result<Option<Value>, Stopped>` | table, solver, enhanced transposition cutoffs, reverse futility, razoring, null move, ProbCut, multi-cut |
//! | leave a move out | `bool` | futility, N-best, late-move pruning, losing exchanges, uncertainty cutoffs |
//! | price a move | `Price` | fractional-ply extensions, singular extension, realization probability, late-move reductions, RankCut |

mod extensions;
mod futility;
mod internal_deepening;
mod late_moves;
mod losing_exchanges;
mod mate_distance;
mod multi_cut;
mod n_best;
mod null_move;
pub(crate) mod probcut;
mod quiet_moves;
pub(crate) mod rank_cut;
pub(crate) mod realization;
mod singular;
mod solver;
mod table_cutoffs;
mod uncertainty;

/// Lists the techniques once: the variant, the group of parameters that switches it, and whether it is selective.
macro_rules! techniques {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $selective:literal;)*) => {
        /// A technique that can cut a node, leave a move out, or change a move's price.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Technique {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Technique {
            /// All of them, in the order in which a node meets them.
            pub const ALL: &'static [Technique] = &[$(Technique::$variant),*];

            /// The name of its group of parameters.
            pub const fn name(self) -> &'static str {
                match self { $(Technique::$variant => $name,)* }
            }

            /// Whether it may change the value of the search, rather than only its cost.
            pub const fn is_selective(self) -> bool {
                match self { $(Technique::$variant => $selective,)* }
            }
        }
    };
}

techniques! {
    /// A line too long to beat a win already found.
    MateDistance = "mate_distance", false;
    /// The transposition table knew the answer.
    Table = "table", false;
    /// The evaluation knew the exact value.
    Solver = "solver", false;
    /// The evaluation exceeds beta by a margin.
    ReverseFutility = "reverse_futility", true;
    /// The evaluation is far below alpha, and quiescence agrees.
    Razoring = "razoring", true;
    /// Even a pass reaches beta.
    NullMove = "null_move", true;
    /// A shallow search predicts the deep one.
    ProbCut = "probcut", true;
    /// A shallower search finds a move to begin with.
    InternalDeepening = "internal_deepening", false;
    /// A successor in the transposition table refuted the node.
    TranspositionCutoffs = "transposition_cutoffs", false;
    /// Several moves reach beta in shallow searches.
    MultiCut = "multi_cut", true;
    /// One move is much better than all others.
    Singular = "singular", true;
    /// Only the first moves are searched.
    NBest = "n_best", true;
    /// Quiet moves late in the order are left out.
    LateMovePruning = "late_move_pruning", true;
    /// A quiet move cannot lift the evaluation to alpha.
    Futility = "futility", true;
    /// A move loses material where it lands.
    LosingExchanges = "losing_exchanges", true;
    /// A node that should have been refuted by now is left.
    Uncertainty = "uncertainty", false;
    /// Moves of some classes cost more or less than a ply.
    Extensions = "extensions", true;
    /// Likely moves cost less.
    Realization = "realization", true;
    /// Early moves are not reduced much.
    RealizationCap = "realization_cap", true;
    /// Surprising moves are confirmed in two steps.
    RealizationSteps = "realization_steps", true;
    /// Late moves are searched shallower.
    LateMoveReductions = "late_move_reductions", true;
    /// The rest is searched shallower.
    RankCut = "rank_cut", true;
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

    /// Counts `tried` moves, of which `cut` were left out.
    pub(crate) fn many(&mut self, technique: Technique, tried: usize, cut: usize) {
        self.tries[technique as usize] += tried as u64;
        self.cuts[technique as usize] += cut as u64;
    }

    /// Adds another thread's counts.
    pub(crate) fn add(&mut self, other: &Counters) {
        for i in 0..Technique::ALL.len() {
            self.tries[i] += other.tries[i];
            self.cuts[i] += other.cuts[i];
        }
    }
}
