//! RankCut: moves are ordered, so once no better move is likely to come, the rest is searched shallower.
//!
//! Lim & Lee, "RankCut: a domain independent forward pruning method for games", 2006. What is likely comes from a table
//! of counts, Π′(f): how often, in a state f of the node, this or a later move turned out better than the bound. A move
//! that does turn out better clears the verdict; extended moves are never touched; tactical moves and killers come
//! before it starts.

use crate::knowledge::RankTable;
use crate::ordering::{Candidate, MovePhase};
use crate::search::{Node, Price, Standing, Tally};
use crate::worker::Worker;
use crate::{Observer, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Score};

impl<G: Game, E: Evaluate<G>, O: Observer<G>, P: Policy> Worker<'_, G, E, O, P> {
    /// Raises the price of a move where a better one has become unlikely.
    pub(crate) fn rank_cut(
        &mut self,
        node: &Node<G>,
        tally: &mut Tally<G::Move>,
        candidate: &Candidate<G::Move>,
        price: &mut Price,
    ) {
        let params = &self.params().rank_cut;
        if !params.on()
            || candidate.phase < MovePhase::History
            || tally.searched == 0
            || node.depth < Depth::plies(params.least_depth)
        {
            return;
        }
        let unlikely = tally.prune_rest
            || self.knowledge.rank_cut.as_ref().is_some_and(|table| {
                let standing = node.standing(tally, candidate.phase);
                table.is_unlikely(&standing, params.threshold, params.least_count)
            });
        let (reduction, confirm) = (Depth::hundredths(params.reduction), params.confirm == 1);
        self.counters.tried(Technique::RankCut);
        if unlikely {
            self.counters.cut(Technique::RankCut);
            tally.prune_rest = true;
            price.reduced += reduction;
            if !confirm {
                price.full += reduction;
            }
        }
    }
}

/// The state f of a node before its next move, discretised as in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RankState {
    /// The depth in whole plies, at most [`RankState::DEPTHS`].
    pub depth: u8,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The number of the move, at most [`RankState::MOVES`].
    pub move_number: u8,
    /// How often the best move has changed, at most [`RankState::CHANGES`].
    pub best_changes: u8,
    /// The interval of best − alpha.
    pub gap: u8,
    /// The interval of last − best.
    pub drop: u8,
    /// The phase of the order: 0 history, 1 rest, 2 losing tactical moves.
    pub phase: u8,
}

impl RankState {
    /// Greater depths count as this one.
    pub const DEPTHS: u8 = 12;
    /// Later moves count as this one.
    pub const MOVES: u8 = 40;
    /// More changes count as this many.
    pub const CHANGES: u8 = 4;

    /// The state of a node, with differences sorted into intervals of the evaluation's `unit`.
    pub fn of(standing: &Standing, unit: Score) -> RankState {
        RankState {
            depth: standing.depth.whole_plies().clamp(0, Self::DEPTHS.into()) as u8,
            in_check: standing.in_check,
            move_number: standing.move_number.min(Self::MOVES.into()) as u8,
            best_changes: standing.best_changes.min(Self::CHANGES.into()) as u8,
            gap: interval(standing.best.saturating_sub(standing.alpha), unit),
            drop: interval(standing.last.saturating_sub(standing.best), unit),
            phase: match standing.phase {
                MovePhase::Losing => 2,
                MovePhase::Rest => 1,
                _ => 0,
            },
        }
    }
}

/// Which of seven intervals a difference falls into.
fn interval(difference: Score, unit: Score) -> u8 {
    [-12, -4, -1].map(|n| n * unit).into_iter().chain([-1, 0, unit]).take_while(|&edge| difference > edge).count() as u8
}

impl RankTable {
    /// Whether this or a later move is so unlikely to be better that the rest may be searched shallower: less than
    /// `threshold` hundredths of a percent, in a state seen at least `least_count` times.
    pub fn is_unlikely(&self, standing: &Standing, threshold: i32, least_count: i32) -> bool {
        let state = RankState::of(standing, self.unit);
        self.counts.get(&state).is_some_and(|counts| {
            counts.seen >= least_count as u64 && counts.better * 10_000 < counts.seen * threshold as u64
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_fall_into_seven_intervals() {
        let intervals: Vec<u8> =
            [-9000, -240, -239, -80, -79, -20, -19, -1, 0, 1, 20, 21].iter().map(|&d| interval(d, 20)).collect();
        assert_eq!(intervals, [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 5, 6]);
    }
}
