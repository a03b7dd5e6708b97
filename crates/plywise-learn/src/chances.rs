//! What a score is worth: the chances to win, to draw and to lose.
//!
//! Two logistic curves, one for each phase of the game: a score `s` wins with probability `σ((s - even) / scale)` and loses
//! with `σ((-s - even) / scale)`; the rest are draws. At the score `even` a win is as likely as not. [`Chances::fit`] finds
//! both numbers from games of self-play, where they make the results most likely.

use plywise_game::{Game, Phase, Score, Side, score};
use plywise_net::data::{GameResult, PackedGame};
use serde::Serialize;
use std::collections::BTreeMap;

/// How likely each result is, together 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Outlook {
    /// To win.
    pub win: f64,
    /// To draw.
    pub draw: f64,
    /// To lose.
    pub loss: f64,
}

impl Outlook {
    /// The points to expect: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// In thousandths, which add up.
    pub fn permille(&self) -> [u32; 3] {
        let whole = |share: f64| (1000.0 * share).round() as u32;
        let (win, loss) = (whole(self.win), whole(self.loss).min(1000 - whole(self.win)));
        [win, 1000 - win - loss, loss]
    }
}

/// The curves of one phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The score at which a win is as likely as not.
    pub even: f64,
    /// How much the score must grow for the odds to grow e-fold.
    pub scale: f64,
}

impl Curve {
    /// The chances that come with a score.
    pub fn outlook(&self, score: Score) -> Outlook {
        let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
        let points = f64::from(score);
        let win = sigmoid((points - self.even) / self.scale);
        let loss = sigmoid((-points - self.even) / self.scale);
        Outlook { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

/// The chances that scores stand for in a game, phase by phase.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// For the opening, the middlegame and the endgame.
    pub curves: [Curve; 3],
}

const fn curve(even: f64, scale: f64) -> Curve {
    Curve { even, scale }
}

/// For games that nobody has fitted: a pawn, or what is like it, wins three games of four.
const UNFITTED: Chances = Chances { curves: [curve(0.0, 90.0); 3] };

impl Chances {
    /// The chances of a game that comes with plywise, which were fitted; of another one, a rule of thumb.
    pub fn built_in(game: &str) -> Chances {
        FITTED.iter().find(|(name, _)| *name == game).map_or(UNFITTED, |(_, chances)| *chances)
    }

    /// What a score promises the side to move.
    pub fn outlook<G: Game>(&self, position: &G::Position, score: Score) -> Outlook {
        match score {
            _ if score > score::WIN_THRESHOLD => Outlook { win: 1.0, draw: 0.0, loss: 0.0 },
            _ if score < -score::WIN_THRESHOLD => Outlook { win: 0.0, draw: 0.0, loss: 1.0 },
            _ => self.curves[G::phase(position) as usize].outlook(score),
        }
    }

    /// The curves that make the results of games most likely. A phase without a position keeps the rule of thumb.
    pub fn fit(tally: &Tally) -> Chances {
        let mut chances = UNFITTED;
        for (curve, counts) in chances.curves.iter_mut().zip(&tally.phases) {
            if !counts.is_empty() {
                *curve = fit(counts);
            }
        }
        chances
    }
}

/// How often positions with a score were won, drawn and lost by the side to move.
type Counts = BTreeMap<Score, [u64; 3]>;

/// How the games went on from the positions of each phase.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    phases: [Counts; 3],
}

/// Scores closer together than this are counted as one.
const STEP: Score = 5;

impl Tally {
    /// Counts a position.
    pub fn add(&mut self, phase: Phase, score: Score, result: GameResult, side: Side) {
        let Some(points) = result.points(side).filter(|_| !score::is_decided(score)) else { return };
        let counts = self.phases[phase as usize].entry(score.div_euclid(STEP) * STEP + STEP / 2).or_default();
        counts[(2.0 - 2.0 * points) as usize] += 1;
    }

    /// Counts the positions of a game, each with what its search thought of it.
    pub fn add_game<G: Game>(&mut self, game: &PackedGame, positions: &[G::Position]) {
        for (ply, position) in game.plies.iter().zip(positions) {
            if let Some(score) = ply.score.get() {
                self.add(G::phase(position), score, game.result, G::side_to_move(position));
            }
        }
    }

    /// How many positions of a phase were counted.
    pub fn positions(&self, phase: Phase) -> u64 {
        self.phases[phase as usize].values().flatten().sum()
    }

    /// What is left to be surprised about, in bits for each position, if these are the chances.
    pub fn surprise(&self, phase: Phase, curve: &Curve) -> f64 {
        surprise(&self.phases[phase as usize], curve) / self.positions(phase).max(1) as f64
    }
}

/// The information in the results that the curve does not have, in bits.
fn surprise(counts: &Counts, curve: &Curve) -> f64 {
    let of_score = |(&score, counts): (&Score, &[u64; 3])| {
        let Outlook { win, draw, loss } = curve.outlook(score);
        // A result that was thought impossible costs much, but not everything.
        let bits = |chance: f64, count: u64| -(chance.max(1e-6).log2()) * count as f64;
        bits(win, counts[0]) + bits(draw, counts[1]) + bits(loss, counts[2])
    };
    counts.iter().map(of_score).sum()
}

/// The range of both numbers of a curve, in the evaluation's unit.
const LEAST: f64 = 0.01;
const MOST: f64 = 10_000.0;

/// The curve with the least surprise, by steps that become shorter wherever none of them leads down.
fn fit(counts: &Counts) -> Curve {
    let mut best = curve(20.0, 100.0);
    let mut least = surprise(counts, &best);
    let mut step = 2.0;
    while step > 1.0005 {
        let Curve { even, scale } = best;
        let tries = [(even * step, scale), (even / step, scale), (even, scale * step), (even, scale / step)];
        // Few games, or games that all end alike, would let a number grow beyond all bounds.
        let tries = tries.map(|(even, scale)| curve(even.clamp(LEAST, MOST), scale.clamp(LEAST, MOST)));
        let tried = tries.map(|tried| (surprise(counts, &tried), tried));
        match tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).filter(|(bits, _)| *bits < least) {
            Some((bits, better)) => (least, best) = (bits, better),
            None => step = f64::sqrt(step),
        }
    }
    best
}

/// Fitted by `plywise learn chances GAME --data FILE` to games of self-play of 1000 nodes a move; docs/clients.md says to which.
const FITTED: [(&str, Chances); 4] = [
    ("abalone", Chances { curves: [curve(121.2, 38.5), curve(129.4, 77.1), curve(160.7, 75.7)] }),
    ("chess", Chances { curves: [curve(77.1, 154.8), curve(94.8, 140.0), curve(228.3, 152.8)] }),
    ("loa", Chances { curves: [curve(4.4, 146.6), curve(5.0, 112.0), curve(14.7, 101.0)] }),
    ("othello", Chances { curves: [curve(0.8, 7.9), curve(0.8, 6.9), curve(0.9, 3.1)] }),
];

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::random::Random;

    #[test]
    fn chances_add_up_and_are_fair() {
        let curve = curve(80.0, 60.0);
        for score in [-900, -100, -3, 0, 40, 80, 2000] {
            let (here, there) = (curve.outlook(score), curve.outlook(-score));
            assert!((here.win + here.draw + here.loss - 1.0).abs() < 1e-9);
            assert!((here.win - there.loss).abs() < 1e-9 && (here.points() + there.points() - 1.0).abs() < 1e-9);
            assert_eq!(here.permille().iter().sum::<u32>(), 1000);
        }
        assert!((curve.outlook(80).win - 0.5).abs() < 1e-9);
    }

    #[test]
    fn the_curve_that_made_the_results_is_found() {
        let truth = curve(120.0, 70.0);
        let (mut random, mut tally) = (Random::new(1), Tally::default());
        for _ in 0..40_000 {
            let score = (1000.0 * random.fraction()) as Score - 500;
            let (outlook, draw) = (truth.outlook(score), random.fraction());
            let result = match draw {
                _ if draw < outlook.win => GameResult::Second,
                _ if draw < outlook.win + outlook.draw => GameResult::Draw,
                _ => GameResult::First,
            };
            tally.add(Phase::Endgame, score, result, Side::Second);
        }
        let fitted = Chances::fit(&tally).curves[Phase::Endgame as usize];
        assert!((fitted.even - 120.0).abs() < 6.0 && (fitted.scale - 70.0).abs() < 4.0, "{fitted:?}");
        assert!(tally.surprise(Phase::Endgame, &fitted) < tally.surprise(Phase::Endgame, &UNFITTED.curves[0]));
        assert_eq!(tally.positions(Phase::Opening), 0);
        let mut drawn = Tally::default();
        (0..10).for_each(|score| drawn.add(Phase::Opening, score, GameResult::Draw, Side::First));
        assert!(Chances::fit(&drawn).curves[0].even <= MOST, "games that are all drawn");
    }
}
