//! Correction history: the evaluation errs in the same way wherever the same structure stands on the board. What searches
//! found beyond it is remembered by that structure, and corrects it.
//!
//! Caissa (Michał Witanowski, 2023) corrects by the pawns of chess, and other programs followed with the pieces of each
//! side. Here a game names its structures, if it has any ([`Game::structure_hash`]). Where the correction is large the
//! evaluation is doubtful, and margins may widen by part of it.

use crate::ordering::{LARGEST_MERIT, taught};
use crate::search::Node;
use crate::worker::Worker;
use crate::{Bound, Policy, Technique};
use plywise_game::{Evaluate, Game, Score, Side, score};

/// Slots for each kind of structure and side.
const SLOTS: usize = 1 << 14;
/// One search corrects by at most this.
const LARGEST_LESSON: i32 = LARGEST_MERIT / 4;

/// What searches found beyond the evaluation, by structure. Empty until it is used.
#[derive(Debug, Default)]
pub(crate) struct Corrections(Vec<i16>);

impl Corrections {
    fn slot<G: Game>(position: &G::Position, key: usize) -> usize {
        let side = usize::from(G::side_to_move(position) == Side::Second);
        let hash = (G::structure_hash(position, key) >> (u64::BITS - SLOTS.ilog2())) as usize;
        (key * 2 + side) * SLOTS + hash
    }

    fn of<G: Game>(&self, position: &G::Position) -> i32 {
        if self.0.is_empty() {
            return 0;
        }
        (0..G::STRUCTURE_KEYS).map(|key| i32::from(self.0[Self::slot::<G>(position, key)])).sum()
    }

    fn teach<G: Game>(&mut self, position: &G::Position, lesson: i32) {
        self.0.resize(G::STRUCTURE_KEYS * 2 * SLOTS, 0);
        for key in 0..G::STRUCTURE_KEYS {
            let slot = &mut self.0[Self::slot::<G>(position, key)];
            *slot = taught((*slot).into(), lesson) as i16;
        }
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// What the evaluation of a position that is not in check is to be corrected by.
    pub(crate) fn correction(&mut self, position: &G::Position) -> Score {
        let params = &self.policy.params().correction;
        if !params.on() || G::STRUCTURE_KEYS == 0 {
            return 0;
        }
        self.counters.tried(Technique::Correction);
        let correction = self.memory.corrections.of::<G>(position) * params.most / LARGEST_MERIT;
        if correction != 0 {
            self.counters.cut(Technique::Correction);
        }
        correction
    }

    /// Learns from the value of a node, where it says that the evaluation errs, and not only that a tactical move is good.
    pub(crate) fn learn_correction(&mut self, node: &Node<G>, value: Score, best: Option<G::Move>) {
        let params = &self.policy.params().correction;
        if !params.on()
            || G::STRUCTURE_KEYS == 0
            || node.in_check
            || node.excluded.is_some()
            || score::is_decided(value)
        {
            return;
        }
        let evaluation = self.frames[node.ply].evaluation;
        let agrees = match Bound::of(value, node.window) {
            Bound::Exact => false,
            Bound::Lower => value <= evaluation,
            Bound::Upper => value >= evaluation,
        };
        if agrees || best.is_some_and(|mv| G::tactical_value(node.position, mv).is_some()) {
            return;
        }
        let lesson = i64::from(value - evaluation) * i64::from(node.depth.in_hundredths()) * i64::from(params.rate);
        let lesson = (lesson / 10_000).clamp(-i64::from(LARGEST_LESSON), LARGEST_LESSON.into()) as i32;
        self.memory.corrections.teach::<G>(node.position, lesson);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::techniques::fixture::*;

    /// A node that is asked whether it reaches 50, whose best move is worth as much; and what was learned there.
    fn learned(position: Position, more: impl FnOnce(Ask) -> Ask) -> i32 {
        let (here, mut found) = (position.clone(), 0);
        let ask = more(Ask::cut(position, 4, 50).with("correction").with("late_move_reductions"));
        ask.search_between(|_| {}, |worker| found = worker.memory.corrections.of::<Told>(&here));
        found
    }

    #[test]
    fn what_a_search_finds_beyond_the_evaluation_is_remembered() {
        let high = learned(position(10, [quiet(60)]), |ask| ask);
        assert_eq!(high, (60 - 10) * 4 * 2, "the difference, four plies, two for each");
        let low = learned(position(30, [quiet(-20)]), |ask| ask);
        assert_eq!(low, (-20 - 30) * 4 * 2);
    }

    #[test]
    fn what_says_nothing_about_the_evaluation_is_not() {
        let in_check = Position { in_check: true, ..position(10, [quiet(60)]) };
        for (why, here) in [
            ("a lower bound below the evaluation", position(90, [quiet(60)])),
            ("an upper bound above the evaluation", position(0, [quiet(40)])),
            ("a tactical move", position(10, [capture(60, 0)])),
            ("in check", in_check),
            ("a win", position(10, [to(lost())])),
        ] {
            assert_eq!(learned(here, |ask| ask), 0, "{why}");
        }
        assert_eq!(learned(position(10, [quiet(60)]), |ask| ask.with("correction=off")), 0, "off");
    }

    #[test]
    fn the_evaluation_is_corrected_where_the_structure_is_the_same() {
        // Reverse futility at two plies asks for 180 more than 50.
        let ask = |evaluation| {
            let here = position(evaluation, [quiet(0)]);
            Ask::cut(here, 2, 50).with("correction").with("correction.most=100").with("reverse_futility")
        };
        let teach = |structure: u8, lesson: i32| {
            let other = Position { structure, ..calm(0) };
            move |worker: &mut Worker<'_, Told, Evaluation, &Params, true>| {
                worker.memory.corrections.teach::<Told>(&other, lesson);
            }
        };
        // Half of the most for each quarter and a quarter of what is left; here 25.
        let cut = |ask: Ask, structure, lesson| ask.search_after(teach(structure, lesson)).cut_by().is_some();
        assert!(!cut(ask(206), 0, 0) && cut(ask(206), 0, LARGEST_LESSON), "206 + 25 - 180 reaches 50");
        assert!(!cut(ask(206), 1, LARGEST_LESSON), "another structure");
        assert!(cut(ask(231), 0, 0) && !cut(ask(231), 0, -LARGEST_LESSON), "231 - 25 - 180 does not");
        let widened = ask(206).with("correction.widen=100");
        assert!(!cut(widened, 0, LARGEST_LESSON), "the margin is as much wider");
    }
}
