use super::{Counts, Descent, Slots};
use crate::LearnableGame;
use plywise_game::Score;
use plywise_host::{AnyPosition, Move};
use plywise_search::params::Extensions;

/// Learns prices while it plays (section 6.3.1).
///
/// Where the value of a position C is much lower than that of A, two plies before, A was misjudged: a search that had
/// followed the moves played since and then C's own line would have known. That path teaches; a value that rises teaches
/// nothing, for the opponent may have blundered, and neither does a game that is lost.
pub struct Pupil {
    /// Which weights there are.
    pub slots: Slots,
    /// Where they stand.
    pub descent: Descent,
    /// τ: a drop by more than this makes a position critical.
    pub drop: Score,
    /// Below this a game is lost.
    pub lost_below: Score,
    /// What the weights were altered by in the counts, in plies.
    pub delta: f64,
    is_lost: bool,
    last: Option<Before>,
}

/// What was thought of a position.
struct Before {
    position: AnyPosition,
    best: Move,
    score: Score,
    counts: Counts,
}

/// What a critical position taught.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The position that was misjudged.
    pub position: AnyPosition,
    /// The line that would have shown it.
    pub path: Vec<Move>,
    /// The value of the position when it was searched.
    pub expected: Score,
    /// Its value two plies later.
    pub found: Score,
}

impl Pupil {
    /// A pupil that has seen no game.
    pub fn new(slots: Slots, descent: Descent, drop: Score, lost_below: Score, delta: f64) -> Pupil {
        Pupil { slots, descent, drop, lost_below, delta, is_lost: false, last: None }
    }

    /// Another game begins.
    pub fn new_game(&mut self) {
        (self.is_lost, self.last) = (false, None);
    }

    /// Takes note of a search of ours: the position with the moves that led to it, the value and line that were found, the
    /// counts of the last finished iteration and the prices in use. Learns where it can.
    pub fn note(
        &mut self,
        game: &dyn LearnableGame,
        position: &AnyPosition,
        (score, pv): (Score, &[Move]),
        counts: Option<&Counts>,
        prices: &Extensions,
    ) -> Option<Lesson> {
        let before = self.last.take();
        let reply = position.moves().last().copied();
        let lesson =
            before.filter(|_| !self.is_lost).and_then(|before| self.learn(game, before, reply?, (score, pv), prices));
        self.is_lost |= score < self.lost_below;
        let best = pv.first().copied();
        self.last = best.zip(counts).map(|(best, counts)| Before {
            position: position.clone(),
            best,
            score,
            counts: counts.clone(),
        });
        lesson
    }

    fn learn(
        &mut self,
        game: &dyn LearnableGame,
        before: Before,
        reply: Move,
        (score, pv): (Score, &[Move]),
        prices: &Extensions,
    ) -> Option<Lesson> {
        if score >= before.score - self.drop {
            return None;
        }
        let path: Vec<Move> = [before.best, reply].into_iter().chain(pv.iter().copied()).collect();
        let depth = game.path_depth(&before.position, &path, prices, &self.slots)?;
        let cost = before.counts.cost(&depth, self.delta);
        self.descent.step_by_gradient(cost.nodes, &cost.gradient);
        Some(Lesson { position: before.position, path, expected: before.score, found: score })
    }
}
