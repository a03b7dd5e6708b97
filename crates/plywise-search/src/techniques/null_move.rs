//! Null-move pruning: if even a pass leaves the side to move above beta, a real move would too.
//!
//! Beal, "Experiments with the null move", 1989; Goetsch & Campbell, "Experiments with the null-move heuristic", 1990;
//! Donninger, "Null move and deep search", 1993. Adaptive reduction: Heinz, "Adaptive null-move pruning", 1999.
//! Verification: Tabibi & Netanyahu, "Verified null-move pruning", 2002.
//!
//! It is never tried twice in a row or in check. Where a pass proves little it is left out or verified. A pass that is
//! answered by a forced win shows a threat, which an extension may price.

use crate::limits::Stopped;
use crate::search::{Expect, Node, NodeRequest, Scout, Value};
use crate::worker::Worker;
use crate::{Arrival, Policy, Purpose, Technique};
use plywise_game::{Depth, Evaluate, Game, Window, score};

/// Plies that an evaluation above beta can add to the reduction.
const MOST_FOR_SURPLUS: i32 = 3;

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// Cuts where a pass, searched shallower, reaches beta; else notes the threat that it uncovered.
    pub(crate) fn null_move(&mut self, node: &mut Node<G>) -> Result<Option<Value>, Stopped> {
        let (params, extensions) = (&self.params().null_move, &self.params().extensions);
        let beta = node.window.beta;
        let may_cut = params.on();
        if !(may_cut || extensions.on() && extensions.threat_probe)
            || node.verifying
            || node.depth < Depth::plies(params.least_depth)
            || (may_cut && params.evaluation_first && node.evaluation < beta)
            || (may_cut && params.cut_nodes_only && node.expect != Expect::Cut)
            || score::is_decided(beta)
            || self.frames[node.ply - 1].mv.is_none()
        {
            return Ok(None);
        }
        let verifies = match params.doubtful {
            0 => false,
            _ if !G::null_move_doubtful(node.position) => false,
            1 => return Ok(None),
            _ => true,
        };
        let is_deep = node.depth > Depth::plies(params.adaptivity_depth);
        let adapted = match (params.adaptive, params.decremented) {
            (false, _) => params.reduction,
            (true, false) => params.reduction + i32::from(is_deep),
            (true, true) => (params.reduction - i32::from(!is_deep)).max(0),
        };
        let surplus = match params.surplus {
            0 => 0,
            each => ((node.evaluation - beta) / each).clamp(0, MOST_FOR_SURPLUS),
        };
        let growth = Depth::hundredths(params.growth * node.depth.whole_plies());
        let reduction = Depth::plies(adapted + surplus) + growth;
        let Some(after) = G::null_move(node.position) else { return Ok(None) };

        self.counters.tried(Technique::NullMove);
        self.depart_by_null(node.ply, &after);
        let request = NodeRequest {
            depth: node.depth - Depth::PLY - reduction,
            window: -Window::reaching(beta),
            ply: node.ply + 1,
            expect: node.expect.child(),
            verifying: false,
        };
        let price = reduction + Depth::PLY;
        self.announce(node.ply + 1, Arrival { price, full: price, ..Arrival::by(Purpose::NullMove) });
        let value = -self.search::<Scout>(&after, request)?;
        node.threatened = value.score < -score::WIN_THRESHOLD;
        if value.score < beta || !may_cut {
            return Ok(None);
        }
        if verifies && !self.holds_without_pass(node, reduction)? {
            return Ok(None);
        }
        // A win that was found after a pass is not proven.
        let score = if score::is_decided(value.score) { beta } else { value.score };
        Ok(Some(Value { score, ..value }))
    }

    fn holds_without_pass(&mut self, node: &Node<G>, reduction: Depth) -> Result<bool, Stopped> {
        let window = Window::reaching(node.window.beta);
        let request = NodeRequest { depth: node.depth - reduction, window, verifying: true, ..node.request() };
        self.announce(node.ply, Arrival::by(Purpose::Verification));
        Ok(self.search::<Scout>(node.position, request)?.score >= node.window.beta)
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    /// A node that reaches 50 by a pass, but by no move.
    fn here() -> Position {
        position(60, [quiet(0)]).with_pass(60)
    }

    fn ask(position: Position) -> Ask {
        Ask::cut(position, 4, 50).with("null_move")
    }

    #[test]
    fn a_pass_that_reaches_beta_cuts() {
        let seen = ask(here()).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::NullMove), 60));
        assert_eq!(seen.searches.len(), 1);
        assert_eq!((seen.searches[0].purpose, seen.searches[0].depth), (Purpose::NullMove, Depth::plies(1)));
    }

    #[test]
    fn the_reduction_adapts() {
        let depth = |ask: Ask| ask.search().of(Purpose::NullMove)[0].depth.in_hundredths();
        let deep = || Ask { depth: Depth::plies(7), ..ask(here()) };
        assert_eq!(depth(deep()), 300);
        assert_eq!(depth(deep().with("null_move.adaptive=off")), 400);
        assert_eq!(depth(deep().with("null_move.growth=10")), 230);
        assert_eq!(depth(deep().with("null_move.surplus=5")), 100, "10 above beta");
        assert_eq!(depth(deep().with("null_move.decremented=on")), 400);
    }

    #[test]
    fn a_pass_is_not_tried_where_it_may_not_be() {
        let lost_window = Window::reaching(score::loss_in(20));
        for (why, ask) in [
            ("in check", Ask { window: Window::reaching(-9), ..ask(Position { in_check: true, ..here() }) }),
            ("on the principal variation", Ask { expect: Expect::Pv, ..ask(here()) }),
            ("verifying", Ask { verifying: true, ..ask(here()) }),
            ("near the horizon", ask(here()).with("null_move.least_depth=5")),
            ("beta is a loss", Ask { window: lost_window, ..ask(here()) }),
            ("the evaluation is below beta", ask(Position { evaluation: 49, ..here() })),
            ("the rules forbid it", ask(Position { pass: None, ..here() })),
            ("doubtful", ask(Position { pass_is_doubtful: true, ..here() })),
        ] {
            assert!(ask.search().of(Purpose::NullMove).is_empty(), "{why}");
        }
        let after_pass = ask(here()).search_after(|worker| worker.frames[PLY - 1].mv = None);
        assert!(after_pass.of(Purpose::NullMove).is_empty(), "twice in a row");
    }

    #[test]
    fn a_pass_that_fails_cuts_nothing() {
        let seen = ask(position(60, [quiet(0)]).with_pass(49)).search();
        assert_eq!((seen.end, seen.of(Purpose::NullMove).len()), (End::Moves, 1));
    }

    #[test]
    fn a_doubtful_pass_is_verified_without_one() {
        let doubtful = |value| Position { moves: vec![quiet(value)], pass_is_doubtful: true, ..here() };
        for (value, cut) in [(0, None), (55, Some(Technique::NullMove))] {
            let seen = ask(doubtful(value)).with("null_move.doubtful=2").search();
            assert_eq!(seen.cut_by(), cut);
            assert_eq!(seen.of(Purpose::Verification)[0].depth, Depth::plies(2));
        }
    }

    #[test]
    fn a_win_after_a_pass_is_no_win() {
        let wins = Position { pass: Some(Box::new(lost())), ..here() };
        let seen = ask(wins).search();
        assert_eq!((seen.cut_by(), seen.value.score), (Some(Technique::NullMove), 50));
    }

    #[test]
    fn a_pass_that_loses_shows_a_threat() {
        let threatened = Position { pass: Some(Box::new(position(0, [to(lost())]))), ..here() };
        let prices = |position| ask(position).with("extensions").search().prices();
        assert_eq!(prices(threatened), [75]);
        assert_eq!(prices(position(60, [quiet(0)]).with_pass(0)), [100]);
    }
}
