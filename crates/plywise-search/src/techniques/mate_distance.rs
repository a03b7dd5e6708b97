//! Mate-distance pruning: a line that has become longer than a win already found cannot matter.

use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Evaluate, Game, Window, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Narrows the window to the scores that a line of this length can have; cuts if none is left.
    pub(crate) fn mate_distance(&mut self, node: &mut Node<G>) -> Option<Value> {
        if !self.params().mate_distance.on() || node.ply == 0 {
            return None;
        }
        self.counters.tried(Technique::MateDistance);
        let alpha = node.window.alpha.max(score::loss_in(node.ply));
        let beta = node.window.beta.min(score::win_in(node.ply + 1));
        if alpha >= beta {
            return Some(Value::certain(alpha));
        }
        self.narrow(node, Window::new(alpha, beta));
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    use plywise_game::score::{INFINITY, loss_in, win_in};

    fn ask(beta: Score) -> Ask {
        Ask::cut(calm(0), 3, beta).with("mate_distance")
    }

    #[test]
    fn a_line_that_is_too_long_to_matter_is_cut() {
        for (beta, score) in [(win_in(PLY), win_in(PLY + 1)), (loss_in(PLY), loss_in(PLY))] {
            let seen = ask(beta).search();
            assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::MateDistance), score));
            assert!(seen.searches.is_empty());
        }
    }

    #[test]
    fn a_line_that_may_still_win_in_time_is_searched() {
        for beta in [win_in(PLY + 1), 50, loss_in(PLY) + 1] {
            assert_eq!(ask(beta).search().moves(), [0], "{beta}");
        }
        assert_eq!(Ask { ply: 0, ..ask(win_in(0)) }.search().moves(), [0], "the root has to name a move");
    }

    #[test]
    fn the_window_is_narrowed_to_what_is_possible() {
        let full = Window::new(-INFINITY, INFINITY);
        let seen = Ask { expect: Expect::Pv, window: full, ..ask(0) }.search();
        assert_eq!(seen.narrowed, Some(Window::new(loss_in(PLY), win_in(PLY + 1))));
        assert_eq!(ask(50).search().narrowed, None);
    }
}
