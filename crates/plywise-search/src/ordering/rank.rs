//! The rank of a move: the phase it belongs to, and its place there.

use super::history::{Before, LARGEST_MERIT, MOST_REWARDED};
use super::{History, MovePhase};
use crate::params;
use crate::worker::Frame;
use plywise_game::Game;

/// What the order of a node's moves depends on.
pub(super) struct Order<'a, M> {
    ordering: &'a params::Ordering,
    history: &'a History,
    /// Only as many as are in use.
    killers: [Option<M>; 2],
    before: Before,
}

impl<'a, M: Copy + Eq> Order<'a, M> {
    pub(super) fn new<G: Game<Move = M>>(
        ordering: &'a params::Ordering,
        history: &'a History,
        frames: &[Frame<G>],
        ply: usize,
    ) -> Order<'a, M> {
        let [first, second] = frames[ply].killers;
        let killers = [first.filter(|_| ordering.killers > 0), second.filter(|_| ordering.killers > 1)];
        Order { ordering, history, killers, before: Before::at(ordering, frames, ply) }
    }

    /// The rank of a tactical move.
    #[inline]
    pub(super) fn tactical<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> Option<(MovePhase, i32)> {
        let value = if self.ordering.tactical { G::tactical_value(position, mv) } else { None };
        // Behind the killers they are ranked together with the quiet moves.
        let is_first = |value: &i32| !self.ordering.killers_first && *value >= self.ordering.least_tactical;
        let record = |value| match self.ordering.captures {
            0 => value,
            most => value + self.history.capture(G::capture_index(position, mv)) * most / LARGEST_MERIT,
        };
        value.filter(is_first).map(|value| (MovePhase::Tactical, record(value)))
    }

    /// The value of a tactical move that comes after the killers and before all other moves.
    #[inline]
    fn behind_killers<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> Option<i32> {
        if !self.ordering.killers_first {
            return None;
        }
        G::tactical_value(position, mv).filter(|&value| value >= self.ordering.least_tactical)
    }

    /// The rank of a move that does not come with the tactical ones.
    #[inline]
    pub(super) fn quiet<G: Game<Move = M>>(&self, position: &G::Position, mv: M) -> (MovePhase, i32) {
        if self.killers[0] == Some(mv) {
            (MovePhase::Killer, 1)
        } else if self.killers[1] == Some(mv) {
            (MovePhase::Killer, 0)
        } else if let Some(value) = self.behind_killers::<G>(position, mv) {
            (MovePhase::History, MOST_REWARDED + 1 + value)
        } else {
            let merit = self.history.value(self.ordering, &self.before, G::move_index(position, mv));
            (if merit > 0 { MovePhase::History } else { MovePhase::Rest }, merit)
        }
    }
}

impl Before {
    /// The moves before the node at `ply`, as far as they count.
    #[inline]
    pub(super) fn at<G: Game>(ordering: &params::Ordering, frames: &[Frame<G>], ply: usize) -> Before {
        let back = |share: i32, plies: usize| match ply.checked_sub(plies - 1) {
            Some(at) if share > 0 => frames[at].previous_index,
            _ => None,
        };
        Before([back(ordering.replies, 1), back(ordering.follow_ups, 2), back(ordering.plans, 4)])
    }
}
