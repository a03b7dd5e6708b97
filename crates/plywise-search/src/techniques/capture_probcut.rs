//! ProbCut on captures: a capture that reaches far beyond beta in a shallow search reaches beta in a deep one.
//!
//! After Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995, as chess programs have it
//! since about 2010: one margin in place of the regression, tactical moves in place of the whole node, and quiescence
//! asked first.

use crate::limits::Stopped;
use crate::ordering::MovePhase;
use crate::quiescence::Beyond;
use crate::search::{Expect, Node, NodeRequest, Scout, Value};
use crate::worker::Worker;
use crate::{Arrival, Bound, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Window, score};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts where a tactical move reaches beta and a margin in a shallow search.
    pub(crate) fn capture_probcut(&mut self, node: &mut Node<G>) -> Result<Option<Value>, Stopped> {
        let params = &self.params().capture_probcut;
        if !params.on()
            || node.verifying
            || node.expect != Expect::Cut
            || node.depth < Depth::plies(params.least_depth)
            || score::is_decided(node.window.beta)
        {
            return Ok(None);
        }
        let (bar, price) = (node.window.beta + params.margin, Depth::plies(params.reduction));
        // What the table knows from a search of about this depth need not be asked again.
        let doubted = |entry: crate::Entry| {
            entry.bound != Bound::Lower && entry.depth >= node.depth - price && entry.score_at(node.ply) < bar
        };
        if score::is_decided(bar) || node.entry.is_some_and(doubted) {
            return Ok(None);
        }
        self.counters.tried(Technique::CaptureProbCut);
        self.generate(node);
        let mut number = 0;
        while !self.quiets_come_next(node) {
            let Some(candidate) = self.next_move(node) else { break };
            // The table's move may be quiet; and a move must win about what is missing.
            let is_tactical = G::tactical_value(node.position, candidate.mv).is_some();
            if !is_tactical || G::exchange_value(node.position, candidate.mv) < bar - node.evaluation {
                continue;
            }
            number += 1;
            let after = G::play(node.position, candidate.mv);
            self.depart(node.position, node.ply, candidate.mv, &after);
            let phase = Some(candidate.phase).filter(|phase| *phase != MovePhase::Losing);
            let arrival = |price| Arrival {
                purpose: Purpose::CaptureProbCut,
                price,
                full: price,
                number,
                phase,
                likelihood: None,
            };
            let window = -Window::reaching(bar);
            self.announce(node.ply + 1, arrival(node.depth));
            let mut value = Value::certain(-self.quiesce(&after, window, node.ply + 1, Beyond::HORIZON)?);
            if value.score >= bar && node.depth > price {
                self.announce(node.ply + 1, arrival(price));
                let (depth, ply, expect) = (node.depth - price, node.ply + 1, Expect::All);
                value = -self.search::<Scout>(&after, NodeRequest { depth, window, ply, expect, verifying: false })?;
            }
            if value.score >= bar && !value.uncertain {
                let score = if score::is_decided(value.score) { node.window.beta } else { value.score };
                return Ok(Some(Value::certain(score.min(bar))));
            }
        }
        node.cursor.rewind();
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// Five plies; a capture has to reach 50 and a margin of 100, in one ply.
    fn ask(moves: [Move; 2]) -> Ask {
        Ask::cut(position(0, moves), 5, 50)
            .with("capture_probcut")
            .with("capture_probcut.margin=100")
            .with("ordering.tactical")
    }

    #[test]
    fn a_capture_that_reaches_far_beyond_beta_cuts() {
        let seen = ask([quiet(0), capture(150, 150)]).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::CaptureProbCut), 150));
        let probes = seen.of(Purpose::CaptureProbCut);
        assert_eq!(
            probes.iter().map(|probe| (probe.mv, probe.depth)).collect::<Vec<_>>(),
            [(Some(1), Depth::ZERO), (Some(1), Depth::plies(1))]
        );
    }

    #[test]
    fn other_moves_do_not() {
        for (why, seen) in [
            ("too little", ask([quiet(0), capture(149, 150)]).search()),
            ("it wins too little on its square", ask([quiet(0), capture(150, 149)]).search()),
            ("quiet", ask([quiet(0), quiet(150)]).search()),
        ] {
            assert_eq!(seen.end, End::Moves, "{why}");
        }
        assert_eq!(
            ask([capture(20, 150), quiet(30)]).search().moves(),
            [0, 1],
            "the moves are searched from the first"
        );
    }

    #[test]
    fn other_nodes_are_not_looked_at() {
        let moves = || [quiet(0), capture(150, 150)];
        let in_check = Position { in_check: true, ..ask(moves()).position };
        let here = Told::hash(&ask(moves()).position);
        let doubted = ask(moves()).with("table").search_after(|worker| {
            worker.table.store(here, &entry(40, Bound::Upper, 2, 0));
        });
        for (why, seen) in [
            ("near the horizon", ask(moves()).with("capture_probcut.least_depth=6").search()),
            ("expected to fail low", Ask { expect: Expect::All, ..ask(moves()) }.search()),
            ("on the principal variation", Ask { expect: Expect::Pv, ..ask(moves()) }.search()),
            ("verifying", Ask { verifying: true, ..ask(moves()) }.search()),
            ("in check", Ask { position: in_check, ..ask(moves()) }.search()),
            ("the table knows better", doubted),
        ] {
            assert!(seen.of(Purpose::CaptureProbCut).is_empty(), "{why}");
        }
    }
}
