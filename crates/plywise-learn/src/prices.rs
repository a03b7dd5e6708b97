//! What moves should cost, by all that the search knows of them: learns the table of the technique `learned_price`.

mod fit;
mod sighting;

pub use sighting::{PackedSightings, Sighting};
pub(crate) use sighting::{PriceWatcher, sightings};

use crate::self_play::SelfPlay;
use crate::{GatherEvent, LearnableGame};
use plywise_game::Score;
use plywise_host::WrittenSetup;
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{
    LearnedTable, MovePhase, Origin, Params, PriceInput, PriceTable, RankState, Signal, Standing, params,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// `learn prices`: what moves should cost, from searches of self-play that explore.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnPrices {
    /// The name of the game.
    pub game: String,
    /// How many games each round plays.
    pub games: u64,
    /// How they are played. The player must explore.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// At most this many sightings of each depth are taken from a game.
    pub per_depth: usize,
    /// The width of the score intervals; chosen by the sightings if it is not given.
    pub unit: Option<Score>,
    /// Whether to fit again without each topic.
    pub ablate: bool,
    /// At most this many rounds; each after the first searches with the prices of the one before.
    pub rounds: usize,
    /// The rounds end when the probabilities move by less than this on average, or by no more than chance.
    pub stable: f64,
}

/// What came out of [`LearnPrices`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LearnedPrices {
    /// The games of the last round.
    pub games: u64,
    /// The sightings that the table rests on.
    pub learned: usize,
    /// The sightings of the games that were held out.
    pub held_out: usize,
    /// What is left to be surprised about in the games that were held out: the table, and each single source.
    pub losses: Vec<SourceLoss>,
    /// The same without each topic.
    pub ablation: Vec<SourceLoss>,
    /// What the table says, and what happened.
    pub reliability: Vec<Reliability>,
    /// How far the probabilities moved with each round after the first.
    pub moves: Vec<f64>,
    /// How far they would move by chance, because each round plays other games.
    pub noise: Vec<f64>,
    /// Whether they still move.
    pub is_unstable: bool,
    /// The table.
    #[serde(skip)]
    pub table: PriceTable,
}

/// What a source of probabilities leaves open.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SourceLoss {
    /// Its name.
    pub source: String,
    /// The log loss in bits for each sighting.
    pub bits: f64,
    /// Where the source is one of several that learned the same, how many numbers it has.
    pub numbers: usize,
}

/// The moves to which the table gives about the same probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reliability {
    /// The probability that the table gives, on average.
    pub predicted: f64,
    /// The share that raised alpha.
    pub observed: f64,
    /// How many there are.
    pub sightings: usize,
}

impl LearnedPrices {
    /// The file of the table, with the settings that it was learned with.
    pub fn file(&self, game: &str, settings: &str) -> String {
        let samples = self.learned as u64;
        self.table.write(&Origin { game: game.to_owned(), settings: settings.to_owned(), samples })
    }
}

/// One game in this many is held out.
const HELD_OUT: u64 = 5;

impl Job for LearnPrices {
    const NAME: &'static str = "learn prices";
    const MAY_GROW: &'static [&'static str] = &["games"];
    type Game = Arc<dyn LearnableGame>;
    type Event = GatherEvent;
    type Outcome = LearnedPrices;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<LearnedPrices, JobError> {
        let game = &**game;
        let mut setup = self.play.player.read(game).map_err(JobError::input)?;
        if !setup.params.exploration.on() {
            return Err(JobError::input("prices are learned from a player that explores: switch on 'exploration'"));
        }
        let (mut last, mut moves, mut noise): (Option<PriceTable>, Vec<f64>, Vec<f64>) = (None, Vec::new(), Vec::new());
        for round in 1.. {
            let play = SelfPlay { player: WrittenSetup::of(game, &setup), ..self.play.clone() };
            let job = LearnPrices { play, rounds: 1, ..self.clone() };
            let place = if self.rounds > 1 { workplace.within(&format!("round-{round}")) } else { workplace.clone() };
            let gathered = job.gather(game, &place, watch)?;
            let outcome = self.learn(game, &setup.params, &gathered)?;
            if let Some(last) = &last {
                moves.push(distance(last, &outcome.table, &gathered.held_out));
                noise.push(self.noise(game, &outcome.table, &gathered));
            }
            let is_still = |(&moved, &noise): (&f64, &f64)| moved < self.stable || moved <= noise;
            let is_stable = moves.last().zip(noise.last()).is_some_and(is_still);
            if is_stable || round >= self.rounds || workplace.stop.is_stopped() {
                return Ok(LearnedPrices { is_unstable: self.rounds > 1 && !is_stable, moves, noise, ..outcome });
            }
            if !setup.params.learned_price.on() {
                setup.params.learned_price = params::LearnedPrice { enabled: true, ..Params::DEFAULT.learned_price };
            }
            setup.tables.prices = Some(Arc::new(outcome.table.clone()));
            last = Some(outcome.table);
        }
        Err(JobError::Interrupted)
    }
}

/// The sightings of the games of a round.
struct Gathered {
    games: u64,
    learned: Vec<Sighting>,
    held_out: Vec<Sighting>,
}

impl LearnPrices {
    fn gather(
        &self,
        game: &dyn LearnableGame,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<Gathered, JobError> {
        let players = game.self_play(&self.play).map_err(JobError::input)?;
        let check = |_, packed: &PackedSightings| packed.unpack().map(drop);
        let mut units = workplace.units::<_, PackedSightings>(self, Some(self.games), check)?;
        watch(GatherEvent::Round(self.games));
        let mut each = |_, _: &PackedSightings| {
            watch(GatherEvent::Game);
            ControlFlow::Continue(())
        };
        let work = |(): &mut (), number, stop: &Signal| players.sightings(self.per_depth, number, stop);
        units.work(self.games, vec![(); workplace.jobs], &workplace.stop, work, &mut each)?;
        let (mut games, mut learned, mut held_out) = (0, Vec::new(), Vec::new());
        for (number, packed) in units.into_finished().into_iter().filter(|(number, _)| *number < self.games) {
            games += 1;
            let part = if number % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut learned };
            part.extend(packed.unpack().map_err(JobError::failed)?);
        }
        match games {
            0 => Err(JobError::Interrupted),
            _ if games < self.games && workplace.stop.is_stopped() => Err(JobError::Interrupted),
            _ if learned.is_empty() || held_out.is_empty() => Err(JobError::input(format!(
                "{} sightings to learn from and {} to test with are too few: play more games, at least {HELD_OUT}",
                learned.len(),
                held_out.len()
            ))),
            _ => Ok(Gathered { games, learned, held_out }),
        }
    }

    /// How far two tables lie apart that learned from other games of the same player: half the games against the other
    /// half, of which each knows less by a factor of √2.
    fn noise(&self, game: &dyn LearnableGame, table: &PriceTable, gathered: &Gathered) -> f64 {
        let (unit, classes) = (table.unit, game.move_classes());
        let (first, second) = gathered.learned.split_at(gathered.learned.len() / 2);
        let [first, second] =
            [first, second].map(|half| fit::fit(&fit::rows(half, unit, classes), unit, classes, &|_| false));
        distance(&first, &second, &gathered.held_out) / std::f64::consts::SQRT_2
    }

    /// Fits the table, and compares it on the games that were held out.
    fn learn(&self, game: &dyn LearnableGame, params: &Params, gathered: &Gathered) -> Result<LearnedPrices, JobError> {
        let Gathered { games, learned, held_out } = gathered;
        let classes = game.move_classes();
        let unit = self.unit.unwrap_or_else(|| unit_of(learned));
        let rows = fit::rows(learned, unit, classes);
        let table = fit::fit(&rows, unit, classes, &|_| false);
        let loss_of = |table: &PriceTable| log_loss(held_out, |one| chance(table, one));
        let numbers = table.weights.iter().map(|input| input.weights.len()).sum();
        let mut losses = vec![SourceLoss { source: "learned prices".to_owned(), bits: loss_of(&table), numbers }];
        losses.extend(sources(params, unit).into_iter().map(|source| source.compare(learned, held_out)));
        let mut topics: Vec<&str> = PriceInput::ALL.iter().flat_map(|input| input.topics()).copied().collect();
        topics.sort_unstable();
        topics.dedup();
        let ablate = |topic: &str| {
            let without = fit::fit(&rows, unit, classes, &|input| input.topics().contains(&topic));
            SourceLoss { source: topic.to_owned(), bits: loss_of(&without), numbers: 0 }
        };
        let topics = if self.ablate { topics } else { Vec::new() };
        Ok(LearnedPrices {
            games: *games,
            learned: learned.len(),
            held_out: held_out.len(),
            losses,
            ablation: topics.into_iter().map(ablate).collect(),
            reliability: reliability(&table, held_out),
            moves: Vec::new(),
            noise: Vec::new(),
            is_unstable: false,
            table,
        })
    }
}

/// Half the distance between evaluation and alpha that half of the sightings keep; where nothing is evaluated, that of the best
/// score so far.
fn unit_of(sightings: &[Sighting]) -> Score {
    let evaluations = sightings.iter().filter_map(|one| one.prospect.evaluation);
    let mut distances: Vec<Score> = evaluations.map(i32::abs).collect();
    if distances.is_empty() {
        let later = sightings.iter().map(|one| one.prospect.standing).filter(|standing| standing.move_number > 1);
        distances = later.map(|Standing { best, alpha, .. }| best.saturating_sub(alpha).saturating_abs()).collect();
    }
    let middle = distances.len() / 2;
    match distances.is_empty() {
        true => 1,
        false => (*distances.select_nth_unstable(middle).1 / 2).max(1),
    }
}

/// The probability that a table gives.
fn chance(table: &PriceTable, sighting: &Sighting) -> f64 {
    let log_odds = f64::from(table.log_odds(&sighting.prospect)) / f64::from(PriceTable::ONE);
    1.0 / (1.0 + f64::exp(-log_odds))
}

/// The surprise that is left, in bits for each sighting.
fn log_loss(sightings: &[Sighting], chance: impl Fn(&Sighting) -> f64) -> f64 {
    let bits = |one: &Sighting| {
        let p = chance(one).clamp(1e-9, 1.0 - 1e-9);
        -(if one.raised { p } else { 1.0 - p }).log2()
    };
    sightings.iter().map(bits).sum::<f64>() / sightings.len().max(1) as f64
}

/// How far the probabilities of two tables lie apart on average.
fn distance(one: &PriceTable, other: &PriceTable, sightings: &[Sighting]) -> f64 {
    let apart = |sighting: &Sighting| (chance(one, sighting) - chance(other, sighting)).abs();
    sightings.iter().map(apart).sum::<f64>() / sightings.len().max(1) as f64
}

/// The bounds of the intervals of probability in which sightings are counted together.
const EDGES: [f64; 12] = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.15, 0.25, 0.4, 0.6, 0.8, 0.95];

/// What a table says, and what happened.
fn reliability(table: &PriceTable, sightings: &[Sighting]) -> Vec<Reliability> {
    let mut sums = [(0.0, 0usize, 0usize); EDGES.len() + 1];
    for one in sightings {
        let p = chance(table, one);
        let (predicted, raised, seen) = &mut sums[EDGES.iter().filter(|&&edge| p >= edge).count()];
        *predicted += p;
        *raised += usize::from(one.raised);
        *seen += 1;
    }
    let seen = sums.into_iter().filter(|(_, _, seen)| *seen > 0);
    let row = |(predicted, raised, sightings): (f64, usize, usize)| Reliability {
        predicted: predicted / sightings as f64,
        observed: raised as f64 / sightings as f64,
        sightings,
    };
    seen.map(row).collect()
}

/// A single source of probabilities: sightings that it cannot tell apart have the frequency with which they raised alpha.
struct Source {
    name: &'static str,
    key: Box<dyn Fn(&Sighting) -> u64>,
}

/// What others price moves by, each on its own.
fn sources(params: &Params, unit: Score) -> Vec<Source> {
    let late = params.late_move_reductions.clone();
    let formula = move |one: &Sighting| {
        let Standing { depth, move_number, phase, .. } = one.prospect.standing;
        if phase < MovePhase::History || move_number <= late.moves as usize {
            return 0;
        }
        let merit = one.prospect.merit.unwrap_or(0).clamp(-MERIT, MERIT);
        let reduction = late.formula(depth, move_number, merit, one.prospect.rising, one.prospect.kind);
        (1 + reduction.clamp(0, 1000) / 20) as u64
    };
    let state = move |one: &Sighting| {
        let standing = &one.prospect.standing;
        let RankState { depth, in_check, move_number, best_changes, gap, drop, phase: _ } =
            RankState::of(standing, unit);
        let digits = [depth, in_check.into(), move_number, best_changes, gap, drop, standing.phase as u8];
        digits.into_iter().fold(0, |key, digit| key << 8 | u64::from(digit))
    };
    let class = |one: &Sighting| one.prospect.class as u64;
    let phase = |one: &Sighting| one.prospect.standing.phase as u64;
    let bin = move |one: &Sighting, input: PriceInput| one.prospect.bins(unit)[input as usize] as u64;
    let evaluation = move |one: &Sighting| bin(one, PriceInput::Evaluation);
    vec![
        Source { name: "base rate", key: Box::new(|_| 0) },
        Source { name: "phase of the order", key: Box::new(phase) },
        Source { name: "evaluation against alpha", key: Box::new(evaluation) },
        Source { name: "late-move formula", key: Box::new(formula) },
        Source { name: "class (realization)", key: Box::new(class) },
        Source { name: "state (RankCut)", key: Box::new(state) },
    ]
}

/// The largest merit.
const MERIT: i32 = 1 << 14;

/// How many sightings of the average a frequency begins with.
const PRIOR: f64 = 4.0;

impl Source {
    fn compare(&self, learned: &[Sighting], held_out: &[Sighting]) -> SourceLoss {
        let mut counts: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
        for one in learned {
            let (raised, seen) = counts.entry((self.key)(one)).or_default();
            *raised += f64::from(u8::from(one.raised));
            *seen += 1.0;
        }
        let average = learned.iter().filter(|one| one.raised).count() as f64 / learned.len().max(1) as f64;
        let bits = log_loss(held_out, |one| {
            let (raised, seen) = counts.get(&(self.key)(one)).copied().unwrap_or_default();
            (raised + PRIOR * average) / (seen + PRIOR)
        });
        SourceLoss { source: self.name.to_owned(), bits, numbers: counts.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::sighting::tests::sighting;
    use super::*;

    #[test]
    fn the_unit_is_half_the_usual_distance_from_alpha() {
        let at = |evaluation: Option<Score>| {
            let mut one = sighting(2, false);
            one.prospect.evaluation = evaluation;
            one
        };
        assert_eq!(unit_of(&[at(Some(-10)), at(Some(80)), at(Some(300)), at(None)]), 40);
        assert_eq!(unit_of(&[at(None), at(None)]), 20, "the best score lies 40 below alpha");
        assert_eq!(unit_of(&[at(Some(0))]), 1);
        assert_eq!(unit_of(&[]), 1);
    }

    #[test]
    fn a_source_gives_what_it_cannot_tell_apart_one_frequency() {
        let seen: Vec<Sighting> = (0..8000).map(|i| sighting(2 + i % 2, i % 8 < 4 && i % 2 == 0)).collect();
        let losses: Vec<SourceLoss> =
            sources(&Params::DEFAULT, 20).iter().map(|one| one.compare(&seen, &seen)).collect();
        // A quarter in all: 0.8113 bits. Half of the second moves and none of the third: 0.5 bits.
        let bits = |name: &str| losses.iter().find(|loss| loss.source == name).map(|loss| loss.bits).unwrap();
        assert!((bits("base rate") - 0.8113).abs() < 1e-3, "{losses:?}");
        assert!((bits("class (realization)") - 0.8113).abs() < 1e-3, "{losses:?}");
        assert!((bits("state (RankCut)") - 0.5).abs() < 0.02, "{losses:?}");
    }

    #[test]
    fn reliability_tells_what_happened() {
        let table = PriceTable::new(1, 0, Vec::new());
        let seen = [sighting(2, true), sighting(3, false), sighting(4, false), sighting(5, false)];
        let [row] = reliability(&table, &seen)[..] else { panic!("one probability") };
        assert_eq!(row, Reliability { predicted: 0.5, observed: 0.25, sightings: 4 });
    }
}
