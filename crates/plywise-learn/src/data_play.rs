//! Games of self-play as training data: every move with the score of its search.

use crate::interior::{InteriorNode, InteriorNodes};
use crate::self_play::SelfPlay;
use plywise_game::{Depth, Evaluate, GameSoFar, Notation, Score, Side, pgn, random, score};
use plywise_net::data::{GameResult, Interior, PackedGame, PackedScore, Ply};
use plywise_search::{Observer, Signal};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// Self-play whose games teach.
#[derive(Clone, Debug)]
pub struct DataPlay<G: Notation, E: Evaluate<G>> {
    /// How the games are played.
    pub play: SelfPlay<G, E>,
    /// When a game is as good as won.
    pub win: Option<Won>,
    /// When a game is as good as drawn.
    pub draw: Option<Dead>,
    /// Which interior nodes of the searches are kept as well.
    pub interior: Option<InteriorSample>,
    /// The players have no evaluation: their scores say nothing unless they are decided, and are not kept.
    pub without_scores: bool,
}

/// A game is won when all scores of so many plies in a row say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// The least score of who wins.
    pub least: Score,
    /// The plies.
    pub plies: usize,
}

/// A game is drawn when all scores of so many plies in a row are close to even, once it has gone on for long enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dead {
    /// The largest score on either side.
    pub most: Score,
    /// The plies.
    pub plies: usize,
    /// The plies before it can happen.
    pub from: usize,
}

/// Which interior nodes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InteriorSample {
    /// The least depth in plies with which they were searched.
    pub least_depth: i32,
    /// One in so many is kept.
    pub every: usize,
}

impl<G: Notation, E: Evaluate<G>> DataPlay<G, E> {
    /// Plays the game with this number; nothing where `stop` interrupts it.
    pub fn game(&self, number: u64, stop: &Signal) -> Option<PackedGame> {
        let Some(sample) = self.interior else { return self.record(number, &mut (), &mut Vec::new, stop) };
        // The search writes to it, and after each search it is read.
        let seed = random::number(self.play.seed, number);
        let nodes = RefCell::new(InteriorNodes::<G>::new(Depth::plies(sample.least_depth), sample.every, seed));
        let mut watcher = crate::interior::Watcher(&nodes);
        self.record(number, &mut watcher, &mut || nodes.borrow_mut().take(), stop)
    }

    fn record(
        &self,
        number: u64,
        observer: &mut dyn Observer<G>,
        interior: &mut dyn FnMut() -> Vec<InteriorNode<G>>,
        stop: &Signal,
    ) -> Option<PackedGame> {
        let mut packed = PackedGame::default();
        let mut scores: Vec<Score> = Vec::new();
        let mut verdict = None;
        let game = self.play.play_with(number, observer, stop, &mut |game, report| {
            if game.moves().is_empty() {
                packed.start = G::write_position(game.position());
            }
            let score = Some(report.score()).filter(|&score| !self.without_scores || score::is_decided(score));
            packed.plies.extend(report.best_move().map(|mv| Ply::new(G::move_code(mv), score)));
            packed.interior.extend(interior().iter().map(pack::<G>));
            // Seen by the first player.
            let side = G::side_to_move(game.position());
            scores.push(if side == Side::First { report.score() } else { -report.score() });
            verdict = self.judge(&scores);
            if verdict.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        packed.result = verdict.unwrap_or_else(|| result(&game, scores.last().copied()));
        Some(packed)
    }

    /// What the scores so far decide, as the first player sees them.
    fn judge(&self, scores: &[Score]) -> Option<GameResult> {
        let last = |plies: usize| scores.len().checked_sub(plies).map(|from| &scores[from..]).filter(|_| plies > 0);
        if let Some(won) = self.win
            && let Some(last) = last(won.plies)
        {
            if last.iter().all(|&score| score >= won.least) {
                return Some(GameResult::First);
            }
            if last.iter().all(|&score| score <= -won.least) {
                return Some(GameResult::Second);
            }
        }
        let dead = self.draw.filter(|dead| scores.len() >= dead.from)?;
        let is_dead = last(dead.plies)?.iter().all(|score| score.abs() <= dead.most);
        is_dead.then_some(GameResult::Draw)
    }
}

/// How a game ended; one that was broken off was won by whom the last search saw winning by force, if anybody.
fn result<G: Notation>(game: &GameSoFar<G>, last: Option<Score>) -> GameResult {
    match game.result() {
        pgn::GameResult::Win(Side::First) => GameResult::First,
        pgn::GameResult::Win(Side::Second) => GameResult::Second,
        pgn::GameResult::Draw => GameResult::Draw,
        pgn::GameResult::Unknown => match last.filter(|&score| score::is_decided(score)) {
            Some(score) if score > 0 => GameResult::First,
            Some(score) if score < 0 => GameResult::Second,
            _ => GameResult::Unknown,
        },
    }
}

fn pack<G: Notation>(node: &InteriorNode<G>) -> Interior {
    Interior {
        position: G::write_position(&node.position),
        score: PackedScore::new(Some(node.score)),
        bound: node.bound,
        depth: node.depth.whole_plies().clamp(0, i32::from(u8::MAX)) as u8,
    }
}
