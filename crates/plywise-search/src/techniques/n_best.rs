//! N-best: only the first moves of the order are searched, whatever they are. The oldest selective search of all
//! (Shannon's type B, "Programming a computer for playing chess", 1950), and the one that RankCut improves on.

use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Leaves out every move after the first few. In check all are searched: the order says little there.
    pub(crate) fn n_best(&mut self, node: &Node<G>) -> bool {
        let params = &self.params().n_best;
        if !params.on() || node.in_check || node.depth > Depth::plies(params.most_depth) {
            return false;
        }
        let left_out = node.tally.searched >= params.moves as usize;
        self.counters.tried(Technique::NBest);
        if left_out {
            self.counters.cut(Technique::NBest);
            self.tell_left_out(Technique::NBest, 1);
        }
        left_out
    }
}
