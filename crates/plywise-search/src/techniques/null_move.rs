//! Null-move pruning: if even a pass leaves the side to move above beta, a real move would too.
//!
//! Beal, "Experiments with the null move", 1989; Goetsch & Campbell, "Experiments with the null-move heuristic", 1990;
//! Donninger, "Null move and deep search", 1993. Adaptive reduction: Heinz, "Adaptive null-move pruning", 1999.
//! Verification: Tabibi & Netanyahu, "Verified null-move pruning", 2002.
//!
//! It is never tried twice in a row or in check. Where a pass proves little it is left out or verified. A pass that is
//! answered by a forced win shows a threat, which an extension may price.

use crate::limits::Stopped;
use crate::search::{Node, Scout, Task, Value};
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
        let task = Task {
            depth: node.depth - Depth::PLY - reduction,
            window: -Window::reaching(beta),
            ply: node.ply + 1,
            expect: node.expect.child(),
            verifying: false,
        };
        let price = reduction + Depth::PLY;
        self.announce(node.ply + 1, Arrival { price, full: price, ..Arrival::by(Purpose::NullMove) });
        let value = -self.search::<Scout>(&after, task)?;
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
        let task = Task { depth: node.depth - reduction, window, verifying: true, ..node.task() };
        self.announce(node.ply, Arrival::by(Purpose::Verification));
        Ok(self.search::<Scout>(node.position, task)?.score >= node.window.beta)
    }
}
