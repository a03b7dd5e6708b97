//! Games of self-play as training data: every move with the score of its search.

use crate::data::{Interior, PackedGame, PackedScore, Ply};
use crate::interior::{InteriorNode, InteriorNodes, Watcher};
use crate::self_play::TypedSelfPlay;
use plywise_game::pgn::GameResult;
use plywise_game::{Depth, Evaluate, GameSoFar, Notation, Score, Side, random, score};

use plywise_search::{Observer, Signal};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::ops::ControlFlow;

/// When games of training data end, and what is kept of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataRules {
    /// When a game is as good as won.
    pub win: Option<Won>,
    /// When a game is as good as drawn.
    pub draw: Option<Dead>,
    /// Which interior nodes of the searches are kept as well.
    pub interior: Option<InteriorSample>,
    /// The players have no evaluation: their scores say nothing unless they are decided, and are not kept.
    pub without_scores: bool,
}

/// A game is won when all scores of a number of plies in a row say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// The least score of who wins.
    pub least: Score,
    /// The plies.
    pub plies: usize,
}

/// A game is drawn when all scores of a number of plies in a row are close to even, once it has gone on for long enough.
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
    /// One in N is kept.
    pub every: usize,
}

/// Plays the game with this number; nothing where `stop` interrupts it.
pub(crate) fn packed<G: Notation, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    rules: &DataRules,
    number: u64,
    stop: &Signal,
) -> Option<PackedGame> {
    let record = |observer: &mut dyn Observer<G>, interior: &mut dyn FnMut() -> Vec<InteriorNode<G>>| {
        record(play, rules, number, observer, interior, stop)
    };
    let Some(sample) = rules.interior else { return record(&mut (), &mut Vec::new) };
    // The search writes to it, and after each search it is read.
    let seed = random::number(play.seed, number);
    let nodes = RefCell::new(InteriorNodes::<G>::new(Depth::plies(sample.least_depth), sample.every, seed));
    record(&mut Watcher(&nodes), &mut || nodes.borrow_mut().take())
}

fn record<G: Notation, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    rules: &DataRules,
    number: u64,
    observer: &mut dyn Observer<G>,
    interior: &mut dyn FnMut() -> Vec<InteriorNode<G>>,
    stop: &Signal,
) -> Option<PackedGame> {
    let mut packed = PackedGame::default();
    let mut scores: Vec<Score> = Vec::new();
    let mut verdict = None;
    let game = play.play_with(number, observer, stop, &mut |game, report| {
        if game.moves().is_empty() {
            packed.start = G::write_position(game.position());
        }
        let score = Some(report.score()).filter(|&score| !rules.without_scores || score::is_decided(score));
        packed.plies.extend(report.best_move().map(|mv| Ply::new(G::move_code(mv), score)));
        packed.interior.extend(interior().iter().map(pack::<G>));
        // Seen by the first player.
        let side = G::side_to_move(game.position());
        scores.push(if side == Side::First { report.score() } else { -report.score() });
        verdict = rules.judge(&scores);
        if verdict.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    packed.result = verdict.unwrap_or_else(|| result(&game, scores.last().copied()));
    Some(packed)
}

impl DataRules {
    /// What the scores so far decide, as the first player sees them.
    fn judge(&self, scores: &[Score]) -> Option<GameResult> {
        let last = |plies: usize| scores.len().checked_sub(plies).map(|from| &scores[from..]).filter(|_| plies > 0);
        if let Some(won) = self.win
            && let Some(last) = last(won.plies)
        {
            if last.iter().all(|&score| score >= won.least) {
                return Some(GameResult::Win(Side::First));
            }
            if last.iter().all(|&score| score <= -won.least) {
                return Some(GameResult::Win(Side::Second));
            }
        }
        let dead = self.draw.filter(|dead| scores.len() >= dead.from)?;
        let is_dead = last(dead.plies)?.iter().all(|score| score.abs() <= dead.most);
        is_dead.then_some(GameResult::Draw)
    }
}

/// How a game ended; one that was broken off was won by whom the last search saw winning by force, if anybody.
fn result<G: Notation>(game: &GameSoFar<G>, last: Option<Score>) -> GameResult {
    match (game.result(), last.filter(|&score| score::is_decided(score))) {
        (GameResult::Unknown, Some(score)) => GameResult::Win(if score > 0 { Side::First } else { Side::Second }),
        (result, _) => result,
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
