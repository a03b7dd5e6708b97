//! Singular extension: a move that is better than all its siblings by a margin is searched deeper.
//!
//! Anantharaman, Campbell & Hsu, "Singular extensions: adding selectivity to brute-force searching", 1990. Only the move
//! that the table suggests is tested, by a shallow search of all others: where one good move refutes the node, and with
//! `pv` on the principal variation too. If the others reach beta, then with the table's move at least two moves do, and
//! where multi-cut is on, or with `cut`, the node is cut: the two techniques share their searches (Björnsson, "Selective
//! depth-first game-tree search", 2002, section 8.2).
//!
//! As strong chess programs have it since about 2019, a move that is better by far is extended twice (`double`), though
//! not too often in a line; and where the table says that its move reaches beta and the search of the others says that
//! they come close, the move deserves less depth (`negative`).

use crate::limits::Stopped;
use crate::search::{Kind, Node, NodeRequest, Price, Scout, Value};
use crate::worker::Worker;
use crate::{Arrival, Bound, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Window, score};

/// The table's value must be at most this much shallower than the node.
const TRUSTED_PLIES: i32 = 3;

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Finds out whether the table's move stands alone; cuts where, on the contrary, several moves reach beta.
    pub(crate) fn singular<K: Kind>(&mut self, node: &mut Node<G>) -> Result<Option<Value>, Stopped> {
        let params = self.params().singular.clone();
        if !params.on() || node.verifying || node.depth < Depth::plies(params.least_depth) || node.ply == 0 {
            node.singular_move = None;
            return Ok(None);
        }
        if node.singular_move.is_some() {
            return Ok(None);
        }
        let (Some(mv), Some(entry)) = (node.table_move, node.entry) else { return Ok(None) };
        let score = entry.score_at(node.ply);
        let trusted = entry.bound != Bound::Upper && entry.depth >= node.depth - Depth::plies(TRUSTED_PLIES);
        if !trusted || entry.uncertain || score::is_decided(score) {
            return Ok(None);
        }
        self.counters.tried(Technique::Singular);
        let bar = score - params.margin * node.depth.in_hundredths() / 10_000;
        let others = self.search_others(node, mv, bar)?;
        let cuts = !K::PV && (params.cut || self.params().multi_cut.on());
        if others.score < bar {
            node.singular_move = Some(mv);
            node.is_far_ahead = !K::PV && params.double > 0 && others.score < bar - params.double;
        } else if cuts && bar >= node.window.beta {
            return Ok(Some(Value { score: bar, ..others }));
        } else if score >= node.window.beta {
            node.has_rivals = true;
        }
        Ok(None)
    }

    /// A move that stands alone is searched deeper.
    pub(crate) fn extend_singular(&mut self, node: &Node<G>, mv: G::Move, price: &mut Price) {
        let params = &self.params().singular;
        let (extension, negative) = (Depth::hundredths(params.extension), Depth::hundredths(params.negative));
        let doubles = self.frames[node.ply].doubles;
        let twice = node.is_far_ahead && doubles < params.most_doubles;
        let is_singular = node.singular_move == Some(mv);
        self.frames[node.ply + 1].doubles = doubles + i32::from(is_singular && twice);
        let change = match is_singular {
            true if twice => Depth::ZERO - extension * 2,
            true => Depth::ZERO - extension,
            false if node.has_rivals && node.table_move == Some(mv) => negative,
            false => return,
        };
        self.counters.cut(Technique::Singular);
        // What is left must not be less than nothing.
        let change = change.min((node.depth - price.full - Depth::PLY).max(Depth::ZERO));
        price.full += change;
        price.reduced += change;
    }

    /// The value of the node without one move, at half the depth.
    fn search_others(&mut self, node: &Node<G>, excluded: G::Move, bar: i32) -> Result<Value, Stopped> {
        let depth = Depth::hundredths((node.depth - Depth::PLY).in_hundredths() / 2);
        let request = NodeRequest { depth, window: Window::reaching(bar), verifying: true, ..node.request() };
        // The inner search is of the same node, whose marks it must not change.
        let multi_cut_holds = self.frames[node.ply].multi_cut_holds;
        self.frames[node.ply].excluded = Some(excluded);
        self.announce(node.ply, Arrival::by(Purpose::Singular));
        let value = self.search::<Scout>(node.position, request);
        self.frames[node.ply].excluded = None;
        self.frames[node.ply].multi_cut_holds = multi_cut_holds;
        value
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// The table says that move 0 is worth at least 60, from a search of four plies.
    fn known() -> Entry {
        entry(60, Bound::Lower, 4, 0)
    }

    /// Six plies of a node in which move 0 turns out worth 0, and another as much as `other`. It stands alone if all
    /// others stay below 60 − 6 · 2 = 48.
    fn search(other: Score, entry: Entry, more: impl FnOnce(Ask) -> Ask) -> Seen {
        let here = position(0, [quiet(0), quiet(other)]);
        let hash = Told::hash(&here);
        let ask = Ask::cut(here, 6, 50).with("table").with("singular").with("singular.extension=50");
        more(ask).search_after(|worker| worker.table.store(hash, &entry))
    }

    #[test]
    fn a_move_that_stands_alone_is_searched_deeper() {
        let seen = search(47, known(), |ask| ask);
        assert_eq!(seen.prices(), [50, 100]);
        assert_eq!(seen.searches[0].purpose, Purpose::Singular);
        assert_eq!(seen.searches[0].depth.in_hundredths(), 250, "half of what is left after the move");
        assert_eq!(search(48, known(), |ask| ask).prices(), [100, 100], "another is about as good");
    }

    #[test]
    fn only_a_move_that_the_table_trusts_is_tested() {
        let shallow = Entry { depth: Depth::plies(2), ..known() };
        let on_pv = |ask| Ask { expect: Expect::Pv, window: Window::new(0, 100), ..ask };
        for (why, seen) in [
            ("an upper bound", search(0, Entry { bound: Bound::Upper, ..known() }, |ask| ask)),
            ("far shallower", search(0, shallow, |ask| ask)),
            ("uncertain", search(0, Entry { uncertain: true, ..known() }, |ask| ask)),
            ("a win", search(0, Entry { score: score::win_in(9), ..known() }, |ask| ask)),
            ("no move", search(0, Entry { move_code: 0, ..known() }, |ask| ask)),
            ("near the horizon", search(0, known(), |ask| ask.with("singular.least_depth=7"))),
            ("at the root", search(0, known(), |ask| Ask { ply: 0, ..on_pv(ask).with("singular.pv=on") })),
            ("verifying", search(0, known(), |ask| Ask { verifying: true, ..ask })),
            ("on the principal variation", search(0, known(), on_pv)),
        ] {
            assert!(seen.of(Purpose::Singular).is_empty(), "{why}");
            assert_eq!(seen.prices()[0], 100, "{why}");
        }
        let seen = search(0, known(), |ask| on_pv(ask).with("singular.pv=on"));
        assert_eq!(seen.prices()[0], 50, "on the principal variation, if asked to");
    }

    #[test]
    fn others_that_reach_beta_cut_where_multi_cut_is_on() {
        let with_multi_cut = |ask: Ask| ask.with("multi_cut").with("multi_cut.moves=0");
        let low_beta = |ask| Ask { window: Window::reaching(48), ..ask };
        let seen = search(48, known(), |ask| with_multi_cut(low_beta(ask)));
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::Singular), 48));
        assert_eq!(search(48, known(), low_beta).end, End::Moves, "without multi-cut");
        assert_eq!(search(48, known(), with_multi_cut).end, End::Moves, "below beta");
    }

    #[test]
    fn others_that_reach_beta_cut_if_asked_to() {
        let low_beta = |ask| Ask { window: Window::reaching(48), ..ask };
        let seen = search(48, known(), |ask| low_beta(ask).with("singular.cut=on"));
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::Singular), 48));
        assert_eq!(search(48, known(), |ask| ask.with("singular.cut=on")).end, End::Moves, "below beta");
    }

    #[test]
    fn a_move_that_is_far_ahead_is_extended_twice_though_not_too_often() {
        let twice = |ask: Ask| ask.with("singular.double=20");
        assert_eq!(search(27, known(), twice).prices()[0], 0);
        assert_eq!(search(28, known(), twice).prices()[0], 50, "20 less than 48 is not exceeded");
        assert_eq!(search(27, known(), |ask| ask).prices()[0], 50, "unless asked to");
        let often = |ask: Ask| twice(ask).with("singular.most_doubles=0");
        assert_eq!(search(27, known(), often).prices()[0], 50);
    }

    #[test]
    fn a_move_with_rivals_costs_more() {
        let negative = |ask: Ask| ask.with("singular.negative=70");
        assert_eq!(search(48, known(), negative).prices()[0], 170);
        assert_eq!(search(47, known(), negative).prices()[0], 50, "it stands alone");
        let high_beta = |ask| Ask { window: Window::reaching(70), ..negative(ask) };
        assert_eq!(search(48, known(), high_beta).prices()[0], 100, "the table does not say that it reaches beta");
    }
}
