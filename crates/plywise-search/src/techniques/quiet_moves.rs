//! Near the horizon, quiet moves are left out together. That they come too late, or cannot lift the evaluation to alpha,
//! is true of the node and of all its remaining moves, so these need no ranking. Late-move pruning (`late_moves.rs`) and
//! futility (`futility.rs`) decide.

use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Evaluate, Game, Score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out the quiet moves to come, but for checks; says whether there were any. What they could have reached,
    /// where that is known, bounds the node.
    pub(super) fn leave_out_quiets(&mut self, node: &mut Node<G>, technique: Technique, hope: Option<Score>) -> bool {
        let (tried, left_out) = self.moves.retain_quiets(&mut node.cursor, |mv| G::gives_check(node.position, mv));
        self.counters.many(technique, tried, left_out);
        self.tell_left_out(technique, left_out);
        if left_out > 0 {
            node.so_far.bound_by(hope);
        }
        left_out > 0
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn here() -> Position {
        position(-400, [quiet(60), capture(-300, 0), check(-350), quiet(60)])
    }

    #[test]
    fn quiet_moves_are_left_out_together_but_tactical_moves_and_checks_are_searched() {
        let seen = Ask::all(here(), 1, 50).with("futility").search();
        assert_eq!(seen.moves(), [1, 2]);
        assert_eq!(seen.left_out, [(Technique::Futility, 2)]);
        let counts = (seen.counters.tries(Technique::Futility), seen.counters.cuts(Technique::Futility));
        assert_eq!(counts, (3, 2), "a check is looked at and kept");
    }

    #[test]
    fn what_they_could_have_reached_bounds_the_node_where_it_is_known() {
        let futility = Ask::all(here(), 1, 50).with("futility").search();
        assert_eq!(futility.value.score, -400 + 150, "the evaluation and the margin");
        let late = Ask::all(here(), 1, 50).with("late_move_pruning").with("late_move_pruning.moves=1");
        let late = late.with("late_move_pruning.growth=0").search();
        assert_eq!((late.moves(), late.value.score), (vec![1, 2], -300), "the best that was searched");
    }

    #[test]
    fn a_node_without_quiet_moves_is_searched_as_ever() {
        let seen = Ask::all(position(-400, [capture(-300, 0), check(60)]), 1, 50).with("futility").search();
        assert_eq!((seen.moves(), seen.value.score), (vec![0, 1], 60));
        assert!(seen.left_out.is_empty());
    }
}
