//! Annotation: what a search thinks of every move of a game.

use crate::{AnyGame, AnyPosition, Ask, Engine, Move, Record};
use plywise_game::pgn::{Mark, Remark};
use plywise_game::{Score, Side, score};
use plywise_search::{Limits, Signal};
use serde::{Deserialize, Serialize};

/// What a search found in a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// Seen by the side to move.
    pub score: Score,
    /// The depth it reached.
    pub depth: i32,
    /// The nodes it took.
    pub nodes: u64,
    /// The best line.
    pub pv: Vec<Move>,
}

impl Found {
    /// Searches a position from a clean slate; nothing if `stop` interrupts it.
    pub fn of(engine: &mut dyn Engine, position: &AnyPosition, limits: &Limits, stop: &Signal) -> Option<Found> {
        if let Some(outcome) = position.outcome() {
            return Some(Found { score: score::of_outcome(outcome, 0), depth: 0, nodes: 0, pv: Vec::new() });
        }
        engine.forget();
        let report = engine.search(&Ask::new(position), limits, stop, &mut |_| {});
        if stop.is_stopped() {
            return None;
        }
        let pv = report.lines.first().map_or(Vec::new(), |line| line.pv.clone());
        Some(Found { score: report.score(), depth: report.depth(), nodes: report.nodes, pv })
    }
}

/// A game and what the search thought of every position of it.
pub struct Verdict<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// The game as it was recorded.
    pub record: Record,
    /// The positions, one more than the moves, each with what was found there.
    positions: Vec<(AnyPosition, Found)>,
}

/// What is said about a move.
pub struct Judged {
    /// The move that was played.
    pub played: Move,
    /// Who played it.
    pub side: Side,
    /// The line that the search would have played; empty where it found none.
    pub best: Vec<Move>,
    /// The points, of one for a win, that the side to move gives away; negative where the move is better than expected.
    pub loss: f64,
    /// What a reader sees of it.
    pub mark: Option<Mark>,
}

/// The points that a move must give away to deserve a mark.
const DUBIOUS: f64 = 0.05;
const MISTAKE: f64 = 0.1;
const BLUNDER: f64 = 0.2;
/// The points by which a move must surprise to be interesting. A ply more changes many scores by a few hundredths.
const SURPRISE: f64 = 0.1;

/// The moves of a better line that are shown.
const SHOWN: usize = 8;

impl<'a> Verdict<'a> {
    /// What was found in every position of a game.
    pub fn new(game: &'a dyn AnyGame, record: Record, found: Vec<Found>) -> Verdict<'a> {
        let positions = record.positions().map(|position| position.alone()).zip(found).collect();
        Verdict { game, record, positions }
    }

    /// What is to be said about every move.
    pub fn moves(&self) -> Vec<Judged> {
        let pairs = self.record.position.moves().into_iter().zip(self.positions.windows(2));
        pairs.map(|(played, pair)| self.judge(played, &pair[0], &pair[1])).collect()
    }

    fn judge(
        &self,
        played: Move,
        (position, found): &(AnyPosition, Found),
        (next, answer): &(AnyPosition, Found),
    ) -> Judged {
        let side = position.side_to_move();
        let points = |position: &AnyPosition, score| self.game.chances().outlook(position.phase(), score).points();
        // Some games let a player move twice.
        let after = points(next, answer.score);
        let after = if next.side_to_move() == side { after } else { 1.0 - after };
        let loss = points(position, found.score) - after;
        let best = playable(position, &found.pv);
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

    /// The score after a number of moves, from the first player's view, and the depth of its search.
    pub fn score(&self, moves: usize) -> (Score, i32) {
        let (position, found) = &self.positions[moves];
        let score = if position.side_to_move() == Side::First { found.score } else { -found.score };
        (score, found.depth)
    }

    /// The points that the first player can expect after a number of moves.
    pub fn points(&self, moves: usize) -> f64 {
        let (position, found) = &self.positions[moves];
        let points = self.game.chances().outlook(position.phase(), found.score).points();
        if position.side_to_move() == Side::First { points } else { 1.0 - points }
    }

    /// The position before a move.
    pub fn position(&self, moves: usize) -> &AnyPosition {
        &self.positions[moves].0
    }

    /// The nodes of all its searches.
    pub fn nodes(&self) -> u64 {
        self.positions.iter().map(|(_, found)| found.nodes).sum()
    }

    /// The game with our remarks beside its own, and how many scores of an earlier search ours replace: two scores for
    /// one move would contradict each other.
    pub fn annotated(&self) -> (Record, usize) {
        let mut record = self.record.clone();
        let mut replaced = 0;
        for (i, judged) in self.moves().into_iter().enumerate() {
            let mut own = record.remarks.replace(i + 1, Vec::new());
            let marks = own.iter().take_while(|remark| matches!(remark, Remark::Nag(_))).count();
            let mut remarks: Vec<Remark<Move>> = own.drain(..marks).collect();
            let mark = judged.mark.map(Mark::remark);
            remarks.extend(mark.filter(|mark| !remarks.contains(mark) && !own.contains(mark)));
            // A game that is over has a result, and needs no score.
            if self.positions[i + 1].0.outcome().is_none() {
                let (score, depth) = self.score(i + 1);
                remarks.push(Remark::Comment(format!("[%eval {},{depth}]", self.game.show_score(score))));
                replaced += own.iter_mut().map(drop_evals).sum::<usize>();
            }
            remarks.extend(own.into_iter().filter(|remark| *remark != Remark::Comment(String::new())));
            let is_weak = judged.mark.is_some_and(|mark| mark > Mark::Interesting);
            let better: Vec<Move> = judged.best.into_iter().take(SHOWN).collect();
            let is_known = |remark: &Remark<Move>| match remark {
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

/// Moves as far as they are legal one after another.
fn playable(position: &AnyPosition, moves: &[Move]) -> Vec<Move> {
    let mut position = position.clone();
    moves.iter().copied().take_while(|&mv| position.play(mv).is_ok()).collect()
}
