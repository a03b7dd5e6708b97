//! Cutoffs by what the transposition table knows: about this node, or about one of its successors.
//!
//! The second kind is called enhanced transposition cutoffs: Schaeffer & Plaat, "New advances in alpha-beta searching",
//! 1996.

use crate::search::{Node, Value};
use crate::worker::Worker;
use crate::{Bound, Entry, Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Window};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Looks the node up: its entry, and the move that it suggests.
    pub(crate) fn probe_table(&mut self, node: &mut Node<G>) {
        if !self.params().table.on() {
            return;
        }
        node.entry = self.table.probe(node.hash);
        node.on_pv |= node.entry.is_some_and(|entry| entry.on_pv);
        if let Some(entry) = node.entry
            && self.params().ordering.table_move
        {
            node.table_move = self.move_of(node, entry.move_code);
        }
    }

    /// Asks for the entry of the successor that the node departs to, if it will be looked up.
    #[inline]
    pub(crate) fn prefetch_next(&self, node: &Node<G>) {
        let params = self.params();
        let at_horizon = params.quiescence.on() && (params.quiescence.table || params.quiescence.table_beyond);
        if params.table.on() && (node.depth > Depth::PLY || at_horizon) {
            self.table.prefetch(self.hash_at(node.ply + 1));
        }
    }

    /// The move with this code, if it may be played here.
    pub(crate) fn move_of(&self, node: &Node<G>, code: u16) -> Option<G::Move> {
        let mv = (code != 0).then(|| G::move_from_code(node.position, code)).flatten()?;
        (node.ply > 0 || self.root_moves.contains(&mv)).then_some(mv)
    }

    /// Cuts where the node's own entry answers the question; where it does not, its bound may narrow the window.
    pub(crate) fn table_cutoff(&mut self, node: &mut Node<G>) -> Option<Value> {
        let entry = node.entry?;
        self.counters.tried(Technique::Table);
        if !self.is_deep_enough(&entry, node.depth) {
            return None;
        }
        let settled = entry.settles(node.window, node.ply).map(Value::certain);
        if settled.is_none() && self.params().table.narrow && !entry.uncertain {
            let (score, Window { alpha, beta }) = (entry.score_at(node.ply), node.window);
            match entry.bound {
                Bound::Lower if score < beta => self.narrow(node, Window::new(alpha.max(score), beta)),
                Bound::Upper if score > alpha => self.narrow(node, Window::new(alpha, beta.min(score))),
                _ => {}
            }
        }
        settled
    }

    /// Cuts where the entry of a successor refutes the node.
    pub(crate) fn transposition_cutoffs(&mut self, node: &mut Node<G>) -> Option<Value> {
        let params = self.params();
        if !params.transposition_cutoffs.on()
            || !params.table.on()
            || node.depth < Depth::plies(params.transposition_cutoffs.least_depth)
        {
            return None;
        }
        self.counters.tried(Technique::TranspositionCutoffs);
        self.generate(node);
        let window = -node.window;
        self.moves.of_node(&node.cursor).iter().find_map(|&mv| {
            let after = G::play(node.position, mv);
            let entry = self.table.probe(G::hash(&after))?;
            let score = self
                .is_deep_enough(&entry, node.depth - Depth::PLY)
                .then(|| entry.settles(window, node.ply + 1))
                .flatten()?;
            (-score >= node.window.beta).then_some(Value::certain(-score))
        })
    }

    fn is_deep_enough(&self, entry: &Entry, depth: Depth) -> bool {
        if self.params().table.equal_depth_only { entry.depth == depth } else { entry.depth >= depth }
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// Searches three plies of a node with the window 0 to 100 whose entry is this.
    fn look_up(entry: Entry, more: impl FnOnce(Ask) -> Ask) -> Seen {
        let here = position(0, [quiet(20), quiet(30)]);
        let hash = Told::hash(&here);
        let ask = Ask { window: Window::new(0, 100), ..Ask::cut(here, 3, 100) };
        more(ask.with("table")).search_after(|worker| worker.table.store(hash, &entry))
    }

    #[test]
    fn an_entry_that_answers_the_question_cuts() {
        for (score, bound) in [(100, Bound::Lower), (0, Bound::Upper), (60, Bound::Exact)] {
            let seen = look_up(entry(score, bound, 3, 0), |ask| ask);
            assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::Table), score));
        }
        assert_eq!(look_up(entry(60, Bound::Exact, 4, 0), |ask| ask).cut_by(), Some(Technique::Table), "deeper");
    }

    #[test]
    fn an_entry_that_does_not_answer_it_suggests_a_move_and_no_more() {
        let on_pv = |ask| Ask { expect: Expect::Pv, ..ask };
        for (why, seen) in [
            ("a lower bound below beta", look_up(entry(99, Bound::Lower, 3, 1), |ask| ask)),
            ("an upper bound above alpha", look_up(entry(1, Bound::Upper, 3, 1), |ask| ask)),
            ("shallower", look_up(entry(60, Bound::Exact, 2, 1), |ask| ask)),
            ("uncertain", look_up(Entry { uncertain: true, ..entry(60, Bound::Exact, 3, 1) }, |ask| ask)),
            ("on the principal variation", look_up(entry(60, Bound::Exact, 3, 1), on_pv)),
            (
                "deeper, where only an equal depth counts",
                look_up(entry(60, Bound::Exact, 4, 1), |ask| ask.with("table.equal_depth_only=on")),
            ),
        ] {
            assert_eq!(seen.end, End::Moves, "{why}");
            assert_eq!(seen.moves(), [1, 0], "{why}");
            assert_eq!(seen.narrowed, None, "{why}");
        }
    }

    #[test]
    fn a_bound_narrows_the_window_if_asked_to() {
        let narrowed = |entry| look_up(entry, |ask| ask.with("table.narrow=on")).narrowed;
        assert_eq!(narrowed(entry(10, Bound::Lower, 3, 0)), Some(Window::new(10, 100)));
        assert_eq!(narrowed(entry(70, Bound::Upper, 3, 0)), Some(Window::new(0, 70)));
        assert_eq!(narrowed(entry(70, Bound::Upper, 2, 0)), None, "shallower");
        assert_eq!(narrowed(Entry { uncertain: true, ..entry(70, Bound::Upper, 3, 0) }), None, "uncertain");
    }

    /// Asks whether a node reaches 50 in four plies; its second successor's entry is this.
    fn look_ahead(entry: Entry, more: impl FnOnce(Ask) -> Ask) -> Seen {
        let hash = Told::hash(&calm(-2));
        let ask = Ask::cut(position(0, [quiet(1), quiet(2)]), 4, 50).with("table").with("transposition_cutoffs");
        more(ask).search_after(|worker| worker.table.store(hash, &entry))
    }

    #[test]
    fn the_entry_of_a_successor_refutes_the_node() {
        let seen = look_ahead(entry(-60, Bound::Upper, 3, 0), |ask| ask);
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::TranspositionCutoffs), 60));
        assert!(seen.searches.is_empty());
    }

    #[test]
    fn the_entry_of_a_successor_that_proves_nothing_does_not_cut() {
        let good = entry(-60, Bound::Upper, 3, 0);
        for (why, seen) in [
            ("below beta", look_ahead(entry(-49, Bound::Upper, 3, 0), |ask| ask)),
            ("exactly below beta", look_ahead(entry(-49, Bound::Exact, 3, 0), |ask| ask)),
            ("a bound on the other side", look_ahead(entry(-60, Bound::Lower, 3, 0), |ask| ask)),
            ("shallower", look_ahead(entry(-60, Bound::Upper, 2, 0), |ask| ask)),
            ("uncertain", look_ahead(Entry { uncertain: true, ..good }, |ask| ask)),
            ("no table", look_ahead(good, |ask| ask.with("table=off"))),
            ("near the horizon", look_ahead(good, |ask| ask.with("transposition_cutoffs.least_depth=5"))),
            ("on the principal variation", look_ahead(good, |ask| Ask { expect: Expect::Pv, ..ask })),
        ] {
            assert_eq!(seen.end, End::Moves, "{why}");
        }
    }
}
