//! The tables of learning search control: chapters 6 and 7 of the thesis.

use super::{Entry, Suites, Table, data, number, percent};
use crate::conditions::clock;
use crate::figure::{Figure, Row};
use crate::player::{Player, setting};
use crate::steps::{MatchStep, Participant, SEED, SuiteStep, nodes, percent_over, score_of};
use crate::{Lab, Suite};
use plywise_arena::matches::MatchOutcome;
use plywise_arena::statistics::{Pentanomial, Wdl, mini_match};
use plywise_arena::suites::{Enough, Half, Part};
use plywise_host::{AnyGame, Setting, Setup, SuiteEntry, WrittenSetup};
use plywise_learn::control::Slots;
use plywise_learn::extensions::{
    LearnExtensions, LearnedExtensions, OFFLINE_DELTA, ONLINE_DELTA, PLAY_RATE, SUITE_RATE, Way,
};
use plywise_run::JobError;
use plywise_search::Limits;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    #[serde(rename = "control-6.4")]
    online: Entry<FromSuite>,
    #[serde(rename = "control-6.1")]
    in_play: Entry<InPlay>,
    #[serde(rename = "control-6.2")]
    round_robin: Entry<RoundRobin>,
    #[serde(rename = "control-7.2")]
    offline: Entry<FromSuite>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/control.toml"))?;
    let ecm = Suites::read()?.ecm;
    let (again, third) = (ecm.clone(), ecm.clone());
    Ok(vec![
        read.online.table("control-6.4", move |printed, lab| printed.run(true, &ecm, lab)),
        read.in_play.table("control-6.1", InPlay::run),
        read.round_robin.table("control-6.2", move |printed, lab| printed.run(&again, lab)),
        read.offline.table("control-7.2", move |printed, lab| printed.run(false, &third, lab)),
    ])
}

/// Nodes for a position of a suite.
const NODES: u64 = 500_000;

/// What was learned, and the player that it makes.
struct Learner {
    learned: LearnedExtensions,
    player: Player,
}

/// Does a learning job; `words` are those of the command, and `file` keeps what was learned.
fn learn(lab: &mut Lab, job: &LearnExtensions, words: &str, file: &str) -> Result<Learner, JobError> {
    let game = lab.game(&job.game)?;
    let step = lab.begin(&format!("learn extensions {} {words} -o {file}", job.game));
    let learned = lab.laboratory.learn_extensions(step, job)?;
    if let Some(fault) = &learned.fault {
        return Err(JobError::failed(fault));
    }
    let mut setup: Setup = job.player.read(&*game).map_err(JobError::input)?;
    job.apply(&learned.learned, &mut setup.params).map_err(JobError::input)?;
    lab.laboratory.keep(file, &setup.to_profile(&*game, &format!("Prices of extensions by '{words}'")))?;
    Ok(Learner { learned, player: Player::made(file, setup) })
}

/// Learns prices from the tune half of a suite.
fn learn_from_suite(
    lab: &mut Lab,
    suite: &Suite,
    is_online: bool,
    iterations: u64,
    file: &str,
) -> Result<Learner, JobError> {
    let game = lab.game("chess")?;
    let place = suite.place(lab.conditions)?;
    let sample = lab.conditions.positions(suite.size / 2);
    let part = Part { half: Some(Half::Tune), sample: Some(sample as u32), seed: SEED };
    let mut entries = lab.entries(&*game, &place, &part)?;
    entries.retain(|entry| !entry.best.is_empty());
    let (way, delta, word) = match is_online {
        true => (Way::Online { delta: ONLINE_DELTA }, ONLINE_DELTA, "--online"),
        false => (Way::Offline { engine: None, prices: true }, OFFLINE_DELTA, "--offline"),
    };
    let job = LearnExtensions {
        suite: entries.iter().map(SuiteEntry::to_string).collect(),
        iterations,
        nodes: NODES,
        ..learner(lab, &*game, way, Slots::BY_CLASS, delta, SUITE_RATE)?
    };
    let place = place.word();
    let words =
        format!("{word} --suite {place} --half tune --sample {sample} --nodes {NODES} --iterations {iterations}");
    learn(lab, &job, &words, file)
}

/// What all ways of learning have in common: `classic` learns.
fn learner(
    lab: &Lab,
    game: &dyn AnyGame,
    way: Way,
    slots: Slots,
    delta: f64,
    rate: f64,
) -> Result<LearnExtensions, JobError> {
    let [classic] = lab.players("chess", ["classic"])?;
    Ok(LearnExtensions {
        game: game.name().to_owned(),
        way,
        player: WrittenSetup::of(game, &classic.setup),
        tunables: slots.tunables(1.0, delta),
        rate,
        momentum: 0.0,
        nodes: NODES,
        iterations: 1,
        seed: SEED,
        suite: Vec::new(),
        patience: LearnExtensions::usual_patience(NODES),
    })
}

/// The prices of checks, only replies, recaptures and advances in all phases, as the learner begins with them.
fn prices(prices: [u32; 4]) -> Vec<Setting> {
    let names = ["check", "one_reply", "recapture", "advance"].into_iter().zip(prices).chain([("threat", 100)]);
    let in_phases = |(name, price)| (0..3).map(move |phase| setting(format!("extensions.{name}.{phase}"), price));
    names.flat_map(in_phases).chain([setting("extensions.limit", 8)]).collect()
}

/// Figures 6.4 and 7.2.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FromSuite {
    iterations: u64,
    saved: Saved,
    prices: Vec<Price>,
}

/// Millions of nodes, and solved positions in percent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    nodes: f64,
    nodes_before: f64,
    solved: f64,
    solved_before: f64,
    positions: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    name: String,
    /// What was printed; figure 7.2 only draws it.
    price: Option<f64>,
}

impl FromSuite {
    fn run(&self, is_online: bool, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let sample = lab.conditions.positions(suite.size / 2);
        let found = learn_from_suite(lab, suite, is_online, self.iterations, "learned.toml")?;
        let step = |player: Player, set| SuiteStep {
            game: "chess",
            suite: suite.into(),
            half: Some(Half::Report),
            sample,
            players: vec![player],
            set,
            sweeps: Vec::new(),
            limits: Limits::nodes(NODES),
            enough: Enough::Right(1),
        };
        let [classic] = lab.players("chess", ["classic"])?;
        let before = lab.search(&step(classic, prices([100; 4])))?;
        let after = lab.search(&step(found.player, Vec::new()))?;
        let Saved { nodes: nodes_after, nodes_before, solved, solved_before, positions } = self.saved;
        let share = |value: f64| Figure::share(value / 100.0 * positions, positions);
        let total: u64 = before.rows[0].iter().map(|attempt| attempt.nodes).sum();
        let nodes = percent_over(&after.rows[0], &before.rows[0], nodes);
        let mut rows = vec![
            Row::new("nodes, in percent of those before", percent(100.0 * nodes_after / nodes_before), nodes)
                .note(format!("{total} nodes before"))
                .of(before.positions()),
            Row::new("solved before", share(solved_before), before.solved_share(0)).of(before.answers),
            Row::new("solved after", share(solved), after.solved_share(0)).of(after.answers),
        ];
        for (Price { name, price }, learned) in self.prices.iter().zip(&found.learned.learned) {
            rows.push(Row::new(format!("price of {name}"), price.and_then(number), number(*learned)));
        }
        Ok(rows)
    }
}

/// How prices are learned in games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    games: u64,
    nodes: u64,
    drop: i32,
    lost: i32,
    random_plies: u16,
}

impl Play {
    fn learn(&self, lab: &mut Lab, file: &str) -> Result<Learner, JobError> {
        let game = lab.game("chess")?;
        let [opponent] = lab.players("chess", ["classic"])?;
        let games = lab.conditions.games(self.games);
        let nodes = lab.conditions.limits.and_then(|limits| limits.nodes).unwrap_or(self.nodes);
        let way = Way::Play {
            delta: ONLINE_DELTA,
            opponent: WrittenSetup::of(&*game, &opponent.setup),
            drop: self.drop,
            lost: self.lost,
            random_plies: self.random_plies,
        };
        let job = LearnExtensions {
            nodes,
            iterations: games,
            ..learner(lab, &*game, way, Slots::BY_CLASS_AND_PHASE, ONLINE_DELTA, PLAY_RATE)?
        };
        learn(lab, &job, &format!("--online --play {games} --against classic --nodes {nodes}"), file)
    }
}

/// Table 6.1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InPlay {
    play: Play,
    prices: Vec<PhasePrices>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhasePrices {
    name: String,
    middlegame: f64,
    endgame: f64,
}

impl InPlay {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let Learner { learned, .. } = self.play.learn(lab, "play.toml")?;
        let rows = self.prices.iter().zip(learned.learned.chunks(2)).flat_map(|(printed, learned)| {
            let phases = [("middlegame", printed.middlegame), ("endgame", printed.endgame)];
            phases.into_iter().zip(learned).map(move |((phase, price), learned)| {
                Row::new(format!("{}, {phase}", printed.name), number(price), number(*learned))
            })
        });
        Ok(rows.collect())
    }
}

/// Table 6.2.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundRobin {
    games: u64,
    iterations: u64,
    play: Play,
    players: Vec<Entered>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entered {
    name: String,
    what: String,
    prices: Option<[u32; 4]>,
    points: Vec<f64>,
}

/// The players that are compared by Student's t.
const COMPARED: [&str; 2] = ["play", "hand"];

impl RoundRobin {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let play = self.play.learn(lab, "play.toml")?.player;
        let from_suite = learn_from_suite(lab, suite, true, self.iterations, "suite.toml")?.player;
        let game = lab.game("chess")?;
        let mut players = Vec::new();
        for entered in &self.players {
            let player = match (entered.prices, entered.name.as_str()) {
                (Some(of), _) => {
                    let [classic] = lab.players("chess", ["classic"])?;
                    classic.with(&*game, &prices(of))?
                }
                (None, "play") => play.clone(),
                (None, _) => from_suite.clone(),
            };
            players.push(Participant::from(player.named(&entered.name)));
        }
        let outcome = lab.play(&MatchStep {
            game: "chess",
            players,
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(10.0, 0.1)),
            openings: None,
        })?;
        Ok(self.rows(&outcome))
    }

    /// Everybody's score, the cross table, and Student's t.
    fn rows(&self, outcome: &MatchOutcome) -> Vec<Row> {
        let against = |a: usize, b: usize| -> Option<(Wdl, Pentanomial)> {
            let mut pairings = outcome.standings.pairings();
            pairings.find_map(|([x, y], pairing)| match (x, y) {
                _ if (x, y) == (a, b) => Some((pairing.games, pairing.pairs)),
                _ if (x, y) == (b, a) => Some((pairing.games.mirrored(), pairing.pairs.mirrored())),
                _ => None,
            })
        };
        let games = self.games as f64;
        let share = |points: f64, of: f64| Figure::share(points, of);
        let everybody = 0..self.players.len();
        let of_all = |a: usize| {
            let mut sum = (Wdl::default(), Pentanomial::default());
            for (games, pairs) in everybody.clone().filter_map(|b| against(a, b)) {
                sum.0 += games;
                sum.1 += pairs;
            }
            sum
        };
        let mut rows = Vec::new();
        for (a, player) in self.players.iter().enumerate() {
            let points: f64 = player.points.iter().sum();
            let (won, pairs) = of_all(a);
            rows.push(score_of(&player.what, share(points, games * player.points.len() as f64), &won, &pairs));
        }
        for (a, player) in self.players.iter().enumerate() {
            let others = everybody.clone().filter(|&b| b != a);
            for (b, &points) in others.zip(&player.points).filter(|(b, _)| *b > a) {
                let what = format!("{} against {}", player.name, self.players[b].name);
                let (won, pairs) = against(a, b).unwrap_or_default();
                rows.push(score_of(&what, share(points, games), &won, &pairs));
            }
        }
        let place = |name: &str| self.players.iter().position(|player| player.name == name);
        if let (Some(a), Some(b)) = (place(COMPARED[0]), place(COMPARED[1])) {
            let (first, second) = (of_all(a).0, of_all(b).0);
            let test = mini_match::scores_differ(&first, &second);
            let note = test.map_or(String::new(), |test| format!("p = {:.3}", test.p));
            let what = format!("Student's t, {} against {}", self.players[a].what, self.players[b].what);
            let sample = first.games().min(second.games()) as usize;
            rows.push(Row::new(what, None, test.and_then(|test| number(test.t))).note(note).of(sample));
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_cross_table_adds_up() {
        let RoundRobin { games, players, .. } =
            data::<Data>(include_str!("../../data/control.toml")).unwrap().round_robin.printed;
        let totals: Vec<f64> = players.iter().map(|player| player.points.iter().sum()).collect();
        assert_eq!(totals, [282.5, 267.5, 260.5, 259.5, 246.5, 183.5]);
        for a in 0..players.len() {
            for b in a + 1..players.len() {
                assert_eq!(players[a].points[b - 1] + players[b].points[a], games as f64, "{a} {b}");
            }
        }
    }
}
