//! The techniques of the search, one file each: what it does, its source, its conditions. Their parameters are declared
//! in `params.rs`; docs/techniques.md says when each helps.
//!
//! | shape | says | members |
//! | --- | --- | --- |
//! | cut the node | `Result<Option<Value>, Stopped>` | table, solver, enhanced transposition cutoffs, reverse futility, razoring, null move, ProbCut, ProbCut on captures, multi-cut |
//! | leave moves out | `bool` | late-move pruning, futility, N-best, history pruning, losing exchanges, uncertainty cutoffs |
//! | price a move | `Price` | fractional-ply extensions, singular extension, realization probability, late-move reductions, RankCut, learned prices |
//!
//! Some do something else as well or instead: mate distance narrows the window before it cuts, correction history corrects
//! the evaluation, fail-high and internal reductions take depth off the node, internal deepening finds a move to begin
//! with, and the singular extension searches the node before it prices a move.

mod capture_probcut;
pub(crate) mod correction;
pub(crate) mod extensions;
mod fail_high_reductions;
#[cfg(test)]
pub(crate) mod fixture;
mod futility;
mod history_pruning;
mod internal_deepening;
mod internal_reduction;
pub(crate) mod late_moves;
pub(crate) mod learned_price;
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

use crate::Params;

/// Lists the techniques once: the variant, the group of parameters that switches it, whether it may change the value of
/// the search (`selective`) or only its cost (`exact`), and whether it looks at the `evaluation` of the node.
macro_rules! techniques {
    ($($(#[doc = $doc:literal])* $variant:ident = $group:ident, $effect:ident $(, $reads:ident)?;)*) => {
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
                match self { $(Technique::$variant => stringify!($group),)* }
            }

            /// Whether these parameters switch it on.
            pub const fn is_on(self, params: &Params) -> bool {
                match self { $(Technique::$variant => params.$group.on(),)* }
            }

            /// Whether it may change the value of the search, rather than only its cost.
            pub const fn is_selective(self) -> bool {
                match self { $(Technique::$variant => techniques!(@$effect),)* }
            }

            /// Whether it looks at the evaluation of the node, or at whether that rises.
            pub const fn reads_evaluation(self) -> bool {
                match self { $(Technique::$variant => techniques!(@reads $($reads)?),)* }
            }
        }
    };
    (@selective) => { true };
    (@exact) => { false };
    (@reads evaluation) => { true };
    (@reads) => { false };
}

techniques! {
    /// A line too long to beat a win already found.
    MateDistance = mate_distance, exact;
    /// The transposition table knew the answer.
    Table = table, exact;
    /// The evaluation knew the exact value.
    Solver = solver, exact;
    /// What searches found beyond the evaluation corrects it.
    Correction = correction, selective, evaluation;
    /// The evaluation exceeds beta by a margin.
    ReverseFutility = reverse_futility, selective, evaluation;
    /// The evaluation is far below alpha, and quiescence agrees.
    Razoring = razoring, selective, evaluation;
    /// Less depth confirms an evaluation that reaches beta.
    FailHighReductions = fail_high_reductions, selective, evaluation;
    /// Even a pass reaches beta.
    NullMove = null_move, selective, evaluation;
    /// A shallow search predicts the deep one.
    ProbCut = probcut, selective, evaluation;
    /// A capture reaches far beyond beta in a shallow search.
    CaptureProbCut = capture_probcut, selective, evaluation;
    /// A shallower search finds a move to begin with.
    InternalDeepening = internal_deepening, exact;
    /// Without a move to begin with, less depth will do.
    InternalReduction = internal_reduction, selective;
    /// A successor in the transposition table refuted the node.
    TranspositionCutoffs = transposition_cutoffs, exact;
    /// Several moves reach beta in shallow searches.
    MultiCut = multi_cut, selective;
    /// One move is much better than all others.
    Singular = singular, selective;
    /// Only the first moves are searched.
    NBest = n_best, selective;
    /// Quiet moves late in the order are left out.
    LateMovePruning = late_move_pruning, selective, evaluation;
    /// A quiet move cannot lift the evaluation to alpha.
    Futility = futility, selective, evaluation;
    /// A quiet move has a bad record.
    HistoryPruning = history_pruning, selective;
    /// A move loses material where it lands.
    LosingExchanges = losing_exchanges, selective;
    /// A node that should have been refuted by now is left.
    Uncertainty = uncertainty, exact;
    /// Moves of some classes cost more or less than a ply.
    Extensions = extensions, selective;
    /// Likely moves cost less.
    Realization = realization, selective;
    /// Early moves are not reduced much.
    RealizationCap = realization_cap, selective;
    /// Surprising moves are confirmed in two steps.
    RealizationSteps = realization_steps, selective;
    /// Late moves are searched shallower.
    LateMoveReductions = late_move_reductions, selective, evaluation;
    /// The rest is searched shallower.
    RankCut = rank_cut, selective;
    /// Moves cost the more, the less likely they are to raise alpha.
    LearnedPrice = learned_price, selective, evaluation;
}

/// How often each technique was tried, and how often it cut, left out or repriced.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    tries: [u64; Technique::ALL.len()],
    cuts: [u64; Technique::ALL.len()],
    researches: u64,
}

impl Counters {
    /// How often a move was searched again with an open window, because a narrow one did not settle it.
    pub fn researches(&self) -> u64 {
        self.researches
    }

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

    /// Counts a search with an open window after one with a narrow one.
    #[inline]
    pub(crate) fn searched_again(&mut self) {
        self.researches += 1;
    }

    /// Adds another thread's counts.
    pub(crate) fn add(&mut self, other: &Counters) {
        for i in 0..Technique::ALL.len() {
            self.tries[i] += other.tries[i];
            self.cuts[i] += other.cuts[i];
        }
        self.researches += other.researches;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_threads_add_up() {
        let (mut one, mut other) = (Counters::default(), Counters::default());
        one.tried(Technique::NullMove);
        one.cut(Technique::NullMove);
        other.tried(Technique::NullMove);
        other.many(Technique::Futility, 5, 3);
        other.searched_again();
        one.add(&other);
        let counts = |technique| (one.tries(technique), one.cuts(technique));
        assert_eq!((counts(Technique::NullMove), counts(Technique::Futility)), ((2, 1), (5, 3)));
        assert_eq!((counts(Technique::MultiCut), one.researches()), ((0, 0), 1));
    }
}
