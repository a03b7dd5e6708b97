//! History pruning: near the horizon, a quiet move that has failed again and again is left out.
//!
//! The record of moves as a reason to leave them out, and not only to order them: Björnsson, "Selective depth-first
//! game-tree search", 2002, section 3.4, names it history pruning; strong chess programs do it with the record after the
//! moves before.

use crate::ordering::{Candidate, LARGEST_MERIT, MovePhase};
use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Whether a quiet move's record is too bad for the depth that is left.
    pub(crate) fn history_pruning(&mut self, node: &Node<G>, candidate: &Candidate<G::Move>) -> bool {
        let params = &self.params().history_pruning;
        if !params.on()
            || node.in_check
            || candidate.phase != MovePhase::Rest
            || node.so_far.searched == 0
            || node.depth > Depth::plies(params.most_depth)
        {
            return false;
        }
        let worst = -LARGEST_MERIT * params.threshold / 100 * node.depth.in_hundredths() / 100;
        self.counters.tried(Technique::HistoryPruning);
        let left_out = candidate.value < worst && !G::gives_check(node.position, candidate.mv);
        if left_out {
            self.counters.cut(Technique::HistoryPruning);
            self.tell_left_out(Technique::HistoryPruning, 1);
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ordering::Before;
    use crate::techniques::fixture::*;

    /// Two plies; the second move's record is as bad as said, in percent of the worst.
    fn search(percent: i32, second: Move, more: impl FnOnce(Ask) -> Ask) -> Seen {
        let here = position(0, [quiet(1), second]);
        let ask = Ask::all(here, 2, 50).with("history_pruning").with("history_pruning.threshold=10");
        more(ask.with("ordering.history=1")).search_after(|worker| {
            worker.memory.history.teach(&Before::default(), 1, -LARGEST_MERIT * percent / 100);
        })
    }

    #[test]
    fn a_move_with_a_bad_record_is_left_out() {
        let seen = search(21, quiet(2), |ask| ask);
        assert_eq!((seen.moves(), seen.left_out), (vec![0], vec![(Technique::HistoryPruning, 1)]));
        assert_eq!(search(19, quiet(2), |ask| ask).moves(), [0, 1], "just not too bad");
    }

    #[test]
    fn other_moves_are_searched() {
        for (why, seen) in [
            ("a check", search(90, check(2), |ask| ask)),
            ("a capture", search(90, capture(2, 0), |ask| ask)),
            ("deep", search(90, quiet(2), |ask| ask.with("history_pruning.most_depth=1"))),
            (
                "in check",
                search(90, quiet(2), |mut ask| {
                    ask.position.in_check = true;
                    ask
                }),
            ),
            ("off", search(90, quiet(2), |ask| ask.with("history_pruning=off"))),
        ] {
            assert_eq!(seen.moves().len(), 2, "{why}");
        }
    }
}
