//! The evaluation's own solver: an endgame search made for one game, or a table of endings, knows the exact value faster
//! than this search finds it. Whether it is worth asking is the evaluation's to say.

use crate::limits::Stopped;
use crate::search::{Node, Value};
use crate::table::{from_table, to_table};
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Score, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves the node with its exact value, or a bound of it, where the evaluation can tell.
    pub(crate) fn solver(&mut self, node: &Node<G>) -> Result<Option<Value>, Stopped> {
        let solved = self.solve(node.position, node.ply, node.depth, node.window)?;
        Ok(solved.map(Value::certain))
    }

    /// The exact value of a position, or a bound of it outside the window, where the evaluation can tell. The nodes of
    /// its solver count as ours, and our limits hold for it.
    pub(crate) fn solve(
        &mut self,
        position: &G::Position,
        ply: usize,
        depth: Depth,
        window: Window,
    ) -> Result<Option<Score>, Stopped> {
        if !self.params().solver.on() {
            return Ok(None);
        }
        let (budget, nodes, pace) = (self.budget, &mut self.nodes, &mut self.pace);
        let mut stopped = false;
        let mut spend = |more| {
            let granted = budget.grant(nodes, pace, more);
            stopped |= granted == 0;
            granted
        };
        let within = Window::new(to_table(window.alpha, ply), to_table(window.beta, ply));
        let solved = self.memory.evaluate.solve(position, depth, within, &mut spend);
        if stopped && solved.is_none() {
            return Err(Stopped);
        }
        if solved.is_some() {
            self.counters.tried(Technique::Solver);
        }
        Ok(solved.map(|score| from_table(score, ply)))
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask(solved: Score) -> Ask {
        Ask::cut(Position { solved: Some(solved), ..position(0, [quiet(1)]) }, 3, 50).with("solver")
    }

    #[test]
    fn a_value_that_the_evaluation_knows_ends_the_node() {
        let seen = ask(70).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::Solver), 70));
        assert!(seen.searches.is_empty());
    }

    #[test]
    fn its_wins_count_from_the_root() {
        assert_eq!(ask(score::win_in(3)).search().value.score, score::win_in(3 + PLY));
    }

    #[test]
    fn it_is_not_asked_on_the_principal_variation_nor_where_it_is_off() {
        let on_pv = Ask { expect: Expect::Pv, ..ask(70) }.search();
        assert_eq!((on_pv.end, on_pv.moves()), (End::Moves, vec![0]));
        assert_eq!(ask(70).with("solver=off").search().end, End::Moves);
    }
}
