use super::Found;
use crate::games::Playable;
use crate::text::show_score;
use plywise_game::pgn::{Mark, Record, Remark};
use plywise_game::{Chances, Score, Side};

/// A game and what the search thought of every position of it.
pub(super) struct Verdict<G: Playable> {
    pub(super) record: Record<G>,
    /// The positions, one more than the moves, each with what was found there.
    positions: Vec<(G::Position, Found)>,
    chances: Chances,
}

/// What is said about a move.
pub(super) struct Judged<M> {
    /// The move that was played.
    pub(super) played: M,
    pub(super) side: Side,
    /// The line that the search would have played; empty where it found none.
    pub(super) best: Vec<M>,
    /// The points, of one for a win, that the side to move gives away; negative where the move is better than expected.
    pub(super) loss: f64,
    pub(super) mark: Option<Mark>,
}

/// The points that a move must give away to deserve a mark.
const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.1;
const BLUNDER: f64 = 0.2;
/// The points by which a move must surprise to be interesting. A ply more changes many scores by a few hundredths.
const SURPRISE: f64 = 0.1;

/// The moves of a better line that are shown.
const SHOWN: usize = 8;

impl<G: Playable> Verdict<G> {
    /// What was found in every position of a game.
    pub(super) fn new(record: Record<G>, found: Vec<Found>) -> Verdict<G> {
        let positions = record.positions().zip(found).collect();
        Verdict { record, positions, chances: G::CHANCES }
    }

    /// What is to be said about every move.
    pub(super) fn moves(&self) -> Vec<Judged<G::Move>> {
        let pairs = self.record.moves.iter().zip(self.positions.windows(2));
        pairs.map(|(&played, pair)| self.judge(played, &pair[0], &pair[1])).collect()
    }

    fn judge(
        &self,
        played: G::Move,
        (position, found): &(G::Position, Found),
        (next, answer): &(G::Position, Found),
    ) -> Judged<G::Move> {
        let side = G::side_to_move(position);
        let points = |position, score| self.chances.outlook(G::phase(position), score).points();
        // Some games let a player move twice.
        let after = points(next, answer.score);
        let after = if G::side_to_move(next) == side { after } else { 1.0 - after };
        let loss = points(position, found.score) - after;
        let best = replay::<G>(position, &found.pv);
        let mark = match best.first() {
            // What the search would have played is as good as it knows, whatever it finds out a ply later.
            Some(&best) if best == played => None,
            _ if loss >= BLUNDER => Some(Mark::Blunder),
            _ if loss >= MISTAKE => Some(Mark::Mistake),
            _ if loss >= DUBIOUS => Some(Mark::Dubious),
            _ if loss <= -SURPRISE => Some(Mark::Interesting),
            _ => None,
        };
        Judged { played, side, best, loss, mark }
    }

    /// The score after so many moves, as the player sees it who moves first, and the depth of its search.
    pub(super) fn score(&self, moves: usize) -> (Score, i32) {
        let (position, found) = &self.positions[moves];
        let score = if G::side_to_move(position) == Side::First { found.score } else { -found.score };
        (score, found.depth)
    }

    /// The points that the player who moves first can expect after so many moves.
    pub(super) fn points(&self, moves: usize) -> f64 {
        let (position, found) = &self.positions[moves];
        let points = self.chances.outlook(G::phase(position), found.score).points();
        if G::side_to_move(position) == Side::First { points } else { 1.0 - points }
    }

    /// The position before a move.
    pub(super) fn position(&self, moves: usize) -> &G::Position {
        &self.positions[moves].0
    }

    pub(super) fn nodes(&self) -> u64 {
        self.positions.iter().map(|(_, found)| found.nodes).sum()
    }

    /// The game with our remarks beside its own, and how many scores of an earlier search ours replace: two scores for
    /// one move would contradict each other.
    pub(super) fn annotated(&self) -> (Record<G>, usize) {
        let mut record = self.record.clone();
        let mut replaced = 0;
        for (i, judged) in self.moves().into_iter().enumerate() {
            let mut own = record.remarks.replace(i + 1, Vec::new());
            let marks = own.iter().take_while(|remark| matches!(remark, Remark::Nag(_))).count();
            let mut remarks: Vec<Remark<G::Move>> = own.drain(..marks).collect();
            let mark = judged.mark.map(Mark::remark);
            remarks.extend(mark.filter(|mark| !remarks.contains(mark) && !own.contains(mark)));
            // A game that is over has a result, and needs no score.
            if G::outcome(&self.positions[i + 1].0).is_none() {
                let (score, depth) = self.score(i + 1);
                remarks.push(Remark::Comment(format!("[%eval {},{depth}]", show_score::<G>(score))));
                replaced += own.iter_mut().map(drop_evals).sum::<usize>();
            }
            remarks.extend(own.into_iter().filter(|remark| *remark != Remark::Comment(String::new())));
            let is_weak = judged.mark.is_some_and(|mark| mark > Mark::Interesting);
            let better: Vec<G::Move> = judged.best.into_iter().take(SHOWN).collect();
            let is_known = |remark: &Remark<G::Move>| match remark {
                Remark::Variation(line) => line.moves.starts_with(&better),
                _ => false,
            };
            if is_weak && !better.is_empty() && !remarks.iter().any(is_known) {
                remarks.push(Remark::Variation(better.into()));
            }
            record.remarks.replace(i + 1, remarks);
        }
        (record, replaced)
    }
}

/// Takes the scores out of a comment, and counts them.
fn drop_evals<M>(remark: &mut Remark<M>) -> usize {
    let Remark::Comment(comment) = remark else { return 0 };
    let mut dropped = 0;
    while let Some((before, rest)) = comment.split_once("[%eval ") {
        let after = rest.split_once(']').map_or("", |(_, after)| after);
        *comment = format!("{} {}", before.trim(), after.trim()).trim().to_owned();
        dropped += 1;
    }
    dropped
}

/// The moves of these codes, as far as they can be played.
fn replay<G: Playable>(position: &G::Position, codes: &[u16]) -> Vec<G::Move> {
    let (mut position, mut moves) = (position.clone(), Vec::new());
    for &code in codes {
        let Some(mv) = G::move_from_code(&position, code) else { break };
        position = G::play(&position, mv);
        moves.push(mv);
    }
    moves
}
