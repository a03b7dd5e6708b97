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
        let left_out = node.so_far.searched >= params.moves as usize;
        self.counters.tried(Technique::NBest);
        if left_out {
            self.counters.cut(Technique::NBest);
            self.tell_left_out(Technique::NBest, 1);
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask(position: Position, plies: i32) -> Ask {
        Ask::cut(position, plies, 50).with("n_best").with("n_best.moves=2").with("n_best.most_depth=3")
    }

    #[test]
    fn only_the_first_moves_are_searched() {
        let seen = ask(position(0, [quiet(1), quiet(2), quiet(3), quiet(4)]), 3).search();
        assert_eq!(seen.moves(), [0, 1]);
        assert_eq!(seen.left_out, [(Technique::NBest, 1); 2]);
        assert_eq!(seen.value.score, 2);
    }

    #[test]
    fn all_moves_are_searched_where_the_order_says_little_or_much_is_at_stake() {
        let here = || position(0, [quiet(1), quiet(2), quiet(3)]);
        for (why, ask) in [
            ("at the root", Ask { ply: 0, ..ask(here(), 3) }),
            ("in check", ask(Position { in_check: true, ..here() }, 3)),
            ("a depth beyond the greatest", ask(here(), 4)),
            ("the first moves lose", ask(position(0, [blunder(), blunder(), quiet(3)]), 3)),
        ] {
            assert_eq!(ask.search().moves(), [0, 1, 2], "{why}");
        }
    }
}
