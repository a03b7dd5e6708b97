//! Whether a search sees an answer, and whether one that leaves nothing out agrees.

use super::Gain;
use plywise_game::score::{self, MAX_PLY, Score};
use plywise_host::{AnyPosition, Ask, Engine, Event, Move};
use plywise_search::{Bound, Limits, Progress, Signal};

/// A move that a search takes for the answer.
pub(super) struct Answer {
    pub(super) best: Move,
    pub(super) score: Score,
}

impl Answer {
    /// Whether the other is the same answer: the same kind of gain by the same move.
    pub(super) fn agrees(&self, other: &Answer) -> bool {
        self.best == other.best && is_win(self.score) >= is_win(other.score)
    }
}

/// An answer that the prover confirms.
pub(super) struct Proof {
    best: Move,
    pub(super) score: Score,
    pub(super) depth: i32,
    pub(super) nodes: u64,
}

fn is_win(score: Score) -> bool {
    score::plies_to_end(score).is_some_and(|plies| plies > 0)
}

fn is_answer(score: Score, gain: Option<Gain>) -> bool {
    is_win(score) || gain.is_some_and(|gain| score >= gain.least)
}

/// The move that a search of `nodes` nodes takes for the answer, if any.
pub(super) fn look(
    engine: &mut dyn Engine,
    position: &AnyPosition,
    nodes: u64,
    gain: Option<Gain>,
    stop: &Signal,
) -> Option<Answer> {
    engine.forget();
    let limits = until_won(nodes);
    let report = engine.search(&Ask::new(position), &limits, stop, &mut |_| {});
    let answer = Answer { best: report.best_move()?, score: report.score() };
    is_answer(answer.score, gain).then_some(answer)
}

/// Confirms an answer within `nodes` nodes.
pub(super) fn prove(
    prover: &mut dyn Engine,
    position: &AnyPosition,
    answer: &Answer,
    nodes: u64,
    gain: Option<Gain>,
    stop: &Signal,
) -> Option<Proof> {
    prover.forget();
    let mut witness = Witness::default();
    prover.search(&Ask::new(position), &until_won(nodes), stop, &mut |event| witness.see(event));
    let Progress { ref pv, score, depth, nodes, .. } = witness.last?;
    let best = *pv.first()?;
    let is_confirmed = best == answer.best && is_answer(score, gain) && (is_win(score) || !is_win(answer.score));
    // A win is proven when it is seen; an estimate has been right since the move last changed.
    let nodes = if is_win(score) { nodes } else { witness.since };
    is_confirmed.then_some(Proof { best, score, depth, nodes })
}

/// Whether a search of `nodes` nodes finds every other move far below.
pub(super) fn is_alone(
    engine: &mut dyn Engine,
    position: &AnyPosition,
    answer: &Answer,
    nodes: u64,
    gain: Option<Gain>,
    stop: &Signal,
) -> bool {
    let other = search_others(engine, position, answer.best, &until_won(nodes), stop);
    other.is_some_and(|(second, _)| !is_win(second) && is_far_below(second, answer.score, gain))
}

/// The score of the best other move at the depth of the proof, if it is far enough below the answer's.
pub(super) fn second(
    prover: &mut dyn Engine,
    position: &AnyPosition,
    proof: &Proof,
    nodes: u64,
    gain: Option<Gain>,
    stop: &Signal,
) -> Option<Score> {
    // Whatever takes longer to refute is not worth waiting for: there are other positions.
    let most = nodes.saturating_mul(2);
    let limits = Limits { depth: Some(proof.depth), ..until_won(most) };
    let (second, used) = search_others(prover, position, proof.best, &limits, stop)?;
    (used < most && !is_win(second) && is_far_below(second, proof.score, gain)).then_some(second)
}

/// The best score without a move, and the nodes that finding it took; `None` where there is no other move, for an only
/// move answers no question.
fn search_others(
    engine: &mut dyn Engine,
    position: &AnyPosition,
    without: Move,
    limits: &Limits,
    stop: &Signal,
) -> Option<(Score, u64)> {
    let mut only = position.legal_moves();
    only.retain(|&mv| mv != without);
    if only.is_empty() {
        return None;
    }
    engine.forget();
    let ask = Ask { only, ..Ask::new(position) };
    let report = engine.search(&ask, limits, stop, &mut |_| {});
    Some((report.score(), report.nodes))
}

fn is_far_below(second: Score, best: Score, gain: Option<Gain>) -> bool {
    // Where only wins are answers, a move that does not win is far enough away.
    gain.is_none_or(|gain| best.min(gain.everything()) - second >= gain.margin)
}

fn until_won(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), win_within: Some(MAX_PLY as i32), ..Limits::default() }
}

/// Keeps the last finished iteration, and since when its move has been the best.
#[derive(Default)]
struct Witness {
    last: Option<Progress<Move>>,
    since: u64,
}

impl Witness {
    fn see(&mut self, event: Event) {
        let Event::Progress(progress) = event else { return };
        if progress.bound != Bound::Exact {
            return;
        }
        if self.last.as_ref().is_none_or(|last| last.pv.first() != progress.pv.first()) {
            self.since = progress.nodes;
        }
        self.last = Some(progress.clone());
    }
}
