//! The tables of evolution: evaluations from the moves of winners, and a search from a suite.

use super::{Entry, PrintedScore, Suites, Table, data};
use crate::conditions::{clock, options};
use crate::figure::{Figure, Row};
use crate::player::Player;
use crate::steps::{MatchStep, Participant, SEED, SuiteStep, exchange, nodes, percent_over, score_row, skipped};
use crate::suite::SuiteSource;
use crate::{Lab, Suite};
use plywise_arena::matches::{ForgeGames, Rules, games_to_pgn};
use plywise_arena::suites::{Enough, Half, Part};
use plywise_arena::{Limits, openings};
use plywise_game::parameters::Parameters;
use plywise_game::pgn;
use plywise_host::{AnyGame, Record, Setup, SuiteEntry, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::evolution::{
    Breeding, Chromosome, EvolveCoeval, EvolveEval, EvolveSearch, EvolvedEval, Fitness, Games, Measure, PAPER, Plan,
    genome_of_search, genome_of_weights, usual_preset,
};
use plywise_learn::imitation::{Sample, Sampler, Selection};
use plywise_run::JobError;
use serde::Deserialize;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Data {
    evolution_eval: Entry<Imitated>,
    evolution_match: Entry<Matches>,
    evolution_search: Entry<Search>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/evolution.toml"))?;
    let Suites { ecm, grandmasters, .. } = Suites::read()?;
    let again = grandmasters.clone();
    Ok(vec![
        read.evolution_eval.table("evolution-eval", move |printed, lab| printed.run(&grandmasters, lab)),
        read.evolution_match.table("evolution-match", move |printed, lab| printed.run(&again, lab)),
        read.evolution_search.table("evolution-search", move |printed, lab| printed.run(&ecm, lab)),
    ])
}

/// The player whose weights evolve when they imitate.
const IMITATOR: &str = "best";

/// The longest line of quiescence, in plies.
const QUIESCENCE_PLIES: u8 = 6;

/// Where the positions of winners come from: a file, or games of our own.
struct Winners {
    word: String,
    /// PGN.
    games: Vec<u8>,
}

/// The games of grandmasters, or without `--data` games of our own.
fn winners(lab: &mut Lab, suite: &Suite, positions: u64) -> Result<Winners, JobError> {
    if lab.conditions.data.is_some() {
        let place = suite.place(lab.conditions)?;
        let SuiteSource::File(path) = &place else { return Err(JobError::failed("no games come with chess")) };
        return Ok(Winners { word: place.word(), games: lab.read(path)? });
    }
    const NODES: u64 = 1000;
    const PLIES: usize = 6;
    const FILE: &str = "games.pgn";
    let game = lab.game("chess")?;
    let [player] = lab.players("chess", [IMITATOR])?;
    let job = ForgeGames {
        game: game.name().to_owned(),
        player: player.entrant(&*game, Limits::nodes(NODES)),
        random_plies: PLIES,
        // Half of the games are drawn or have too few moves.
        games: 2 * positions,
        rules: Rules { longest: Some(400), ..Rules::default() },
        seed: SEED,
    };
    let (games, nodes) = (job.games, options(&Limits::nodes(NODES)));
    let step = lab.begin(&format!("forge games chess --games {games} {nodes} --random-plies {PLIES} -o {FILE}"));
    let records = lab.laboratory.forge_games(step, &job)?;
    let text = games_to_pgn(&*game, &records, "Self-play").map_err(JobError::failed)?;
    lab.laboratory.keep(FILE, &text)?;
    Ok(Winners { word: FILE.to_owned(), games: text.into_bytes() })
}

impl Winners {
    /// A position of each of this many games.
    fn samples(&self, game: &dyn AnyGame, positions: u64) -> Result<Vec<Sample>, JobError> {
        let (mut sampler, selection) = (Sampler::new(positions as usize, SEED), Selection::default());
        for record in game.read_pgn(Box::new(&self.games[..])) {
            match record {
                Ok(record) if selection.admits(&record) => sampler.show(&record),
                Ok(Record { .. }) | Err(pgn::Error::Broken(_)) => {}
                Err(error) => return Err(JobError::input(format!("cannot read '{}': {error}", self.word))),
            }
        }
        let samples = sampler.finish();
        match samples.len() as u64 {
            count if count < positions => Err(JobError::input(format!(
                "only {count} games of '{}' can be used, one position each, but {positions} are wanted",
                self.word
            ))),
            _ => Ok(samples),
        }
    }

    /// Lets an evaluation evolve; its seed distinguishes one run from another.
    fn evolve(&self, lab: &mut Lab, seed: u64, positions: u64, generations: u64) -> Result<Evolved, JobError> {
        let game = lab.game("chess")?;
        let [player] = lab.players("chess", [IMITATOR])?;
        // Weights evolve, so nothing may take their place.
        let setup = Setup { network: None, ..player.setup };
        let genome = genome_of_weights(&*game, usual_preset(&*game), None, &setup.weights)?;
        let measure = Measure::Moves { positions: positions as usize / 2 };
        let job = EvolveEval {
            game: game.name().to_owned(),
            plan: Plan::new(&genome, Breeding::EVAL.breeder(seed), measure),
            generations,
            profile: IMITATOR.to_owned(),
            player: WrittenSetup::of(&*game, &setup),
            mentor: None,
            samples: Sample::write_all(&self.samples(&*game, positions)?),
            seed: SEED,
            quiescence_plies: QUIESCENCE_PLIES,
        };
        let (word, file) = (&self.word, format!("evolved-{seed}.toml"));
        let step = lab.begin(&format!(
            "evolve eval chess --pgn {word} --positions {positions} --generations {generations} --seed {seed} -o {file}"
        ));
        let outcome = lab.laboratory.evolve_eval(step, &job)?;
        check(outcome.lineage.fault.as_ref())?;
        let evolved = with_weights(&setup, &outcome.weights);
        lab.laboratory.keep(&file, &evolved.to_profile(&*game, "An evolved evaluation"))?;
        Ok(Evolved { outcome, file })
    }
}

/// An evaluation that evolved, and the file that keeps it.
struct Evolved {
    outcome: EvolvedEval,
    file: String,
}

/// A fault that ended an evolution early.
fn check(fault: Option<&String>) -> Result<(), JobError> {
    fault.map_or(Ok(()), |fault| Err(JobError::failed(fault)))
}

fn with_weights(setup: &Setup, weights: &[i32]) -> Setup {
    let mut setup = setup.clone();
    setup.weights.set_values(weights);
    setup
}

/// Section 4.1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Imitated {
    positions: u64,
    generations: u64,
    train: f64,
    test: f64,
    mean: f64,
}

impl Imitated {
    fn run(&self, games: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let positions = lab.conditions.positions(self.positions);
        let generations = lab.conditions.positions(self.generations);
        let outcome = winners(lab, games, positions)?.evolve(lab, SEED, positions, generations)?.outcome;
        let half = self.positions as f64 / 2.0;
        let tested = outcome.rates.positions;
        let learned = positions as usize - tested;
        let mean = outcome.lineage.generations.last().map_or(0.0, |last| last.mean_mark() / 100.0);
        let row = |what: &str, printed: f64, ours: f64, of: usize| {
            let paper = Figure::share(printed / 100.0 * half, half);
            Row::new(what, paper, Figure::share(ours * of as f64, of as f64)).of(of)
        };
        Ok(vec![
            row("best organism, positions learned from", self.train, outcome.rates.train, learned),
            row("best organism, positions set aside", self.test, outcome.rates.test, tested),
            row("mean of the last generation", self.mean, mean, learned),
        ])
    }
}

/// Tables 1 and 2.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matches {
    runs: u64,
    positions: u64,
    generations: u64,
    profile: String,
    coevolved_generations: u64,
    games: u64,
    evolved_against_opponent: PrintedScore,
    coevolved_against_opponent: PrintedScore,
    coevolved_against_evolved: PrintedScore,
}

impl Matches {
    fn run(&self, games: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let runs = lab.conditions.positions(self.runs);
        let positions = lab.conditions.positions(self.positions);
        let generations = lab.conditions.positions(self.generations);
        let winners = winners(lab, games, positions)?;
        let mut organisms = Vec::new();
        for seed in 1..=runs {
            organisms.push(winners.evolve(lab, seed, positions, generations)?);
        }
        let game = lab.game("chess")?;
        let [player] = lab.players("chess", [self.profile.as_str()])?;
        let setup = Setup { network: None, ..player.setup };
        let coevolved = self.coevolve(lab, &game, &setup, &organisms)?;
        let first = &organisms[0];
        let evolved = Player::made(&first.file, with_weights(&setup, &first.outcome.weights)).named("evolved");
        let opponent = lab.conditions.opponent.clone().map(Participant::Opponent);
        let pairs = [
            ("evolved against Crafty", Some(evolved.clone()), opponent.clone(), self.evolved_against_opponent),
            ("coevolved against Crafty", Some(coevolved.clone()), opponent, self.coevolved_against_opponent),
            ("coevolved against evolved", Some(coevolved), Some(evolved.into()), self.coevolved_against_evolved),
        ];
        let mut rows = Vec::new();
        for (what, player, opponent, printed) in pairs {
            let (Some(player), Some(opponent)) = (player, opponent) else {
                rows.push(skipped(what, printed.figure(), "needs --opponent"));
                continue;
            };
            let outcome = lab.play(&MatchStep {
                game: "chess",
                players: vec![player.into(), opponent],
                games: lab.conditions.games(self.games),
                limits: lab.conditions.limits(clock(5.0, 0.05)),
                openings: None,
            })?;
            rows.push(score_row(what, printed.figure(), &outcome));
        }
        Ok(rows)
    }

    /// Lets the organisms of separate runs play each other.
    fn coevolve(
        &self,
        lab: &mut Lab,
        game: &Arc<dyn LearnableGame>,
        setup: &Setup,
        organisms: &[Evolved],
    ) -> Result<Player, JobError> {
        const GAMES: u64 = 4;
        const MOST_MOVES: u32 = 200;
        const FILE: &str = "coevolved.toml";
        let genome = genome_of_weights(&**game, usual_preset(&**game), None, &setup.weights)?;
        let mut breeding = Breeding::COEVAL;
        breeding.population = breeding.population.max(organisms.len() as u16);
        let mut plan = Plan::new(&genome, breeding.breeder(SEED), Measure::Games);
        let ancestor =
            |organism: &Evolved| Chromosome::encode(&genome.values_of(&organism.outcome.weights), genome.genes());
        plan.ancestors = organisms.iter().map(ancestor).collect();
        let generations = lab.conditions.positions(self.coevolved_generations);
        let limits = lab.conditions.limits(clock(5.0, 0.0));
        let start = openings::from_epd(&**game, game.openings().as_bytes()).map_err(JobError::input)?;
        let player = Setup { hash: 16, ..setup.clone() };
        let job = EvolveCoeval {
            game: game.name().to_owned(),
            plan,
            generations,
            profile: self.profile.clone(),
            player: WrittenSetup::of(&**game, &player),
            limits,
            games: Games { count: GAMES, max_moves: MOST_MOVES, openings: start.iter().map(openings::write).collect() },
        };
        let from: Vec<&str> = organisms.iter().map(|organism| organism.file.as_str()).collect();
        let (from, limits, profile) = (from.join(","), options(&limits), &self.profile);
        let step = lab.begin(&format!(
            "evolve coeval chess --from {from} --profile {profile} --generations {generations} {limits} -o {FILE}"
        ));
        let outcome = lab.laboratory.evolve_coeval(step, &job)?;
        check(outcome.lineage.fault.as_ref())?;
        let evolved = with_weights(setup, &outcome.weights);
        lab.laboratory.keep(FILE, &evolved.to_profile(&**game, "A coevolved evaluation"))?;
        Ok(Player::made(FILE, evolved).named("coevolved"))
    }
}

/// The search that evolved.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    profile: String,
    generations: u64,
    nodes: u64,
    report_nodes: u64,
    games: u64,
}

impl Search {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let sample = lab.conditions.positions(suite.size / 2);
        let evolved = self.evolve(suite, sample, lab)?;
        let [classic] = lab.players("chess", [self.profile.as_str()])?;
        let searched = lab.search(&SuiteStep {
            game: "chess",
            suite,
            half: Some(Half::Report),
            sample,
            players: vec![classic.clone(), evolved.clone()],
            set: Vec::new(),
            sweeps: Vec::new(),
            limits: Limits::nodes(self.report_nodes),
            enough: Enough::Right(1),
        })?;
        let outcome = lab.play(&MatchStep {
            game: "chess",
            players: vec![evolved.named("evolved").into(), classic.into()],
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(5.0, 0.05)),
            openings: None,
        })?;
        let (without, with) = (&searched.rows[0], &searched.rows[1]);
        let (solved, [lost, gained]) = exchange(with, without, searched.answers);
        let note = format!("{} solves {}; {lost} lost, {gained} gained", self.profile, searched.solved(0));
        let percentage = percent_over(with, without, nodes);
        Ok(vec![
            Row::new("nodes, in percent of classic's", None, percentage).of(with.len()),
            Row::new("solved more than classic", None, solved).note(note).of(searched.answers),
            score_row("evolved against classic", None, &outcome),
        ])
    }

    fn evolve(&self, suite: &Suite, sample: u64, lab: &mut Lab) -> Result<Player, JobError> {
        const FILE: &str = "evolved-search.toml";
        let game = lab.game("chess")?;
        let place = suite.place(lab.conditions)?;
        let part = Part { half: Some(Half::Tune), sample: Some(sample as u32), seed: SEED };
        let mut entries = lab.entries(&*game, &place, &part)?;
        entries.retain(|entry| !entry.best.is_empty() || !entry.avoid.is_empty());
        let [player] = lab.players("chess", [self.profile.as_str()])?;
        let genome = genome_of_search(&*game, PAPER, None, &player.setup.params)?;
        let generations = lab.conditions.positions(self.generations);
        let measure = Measure::Nodes { positions: entries.len() };
        let job = EvolveSearch {
            game: game.name().to_owned(),
            plan: Plan::new(&genome, Breeding::SEARCH.breeder(SEED), measure),
            generations,
            profile: self.profile.clone(),
            player: player.entrant(&*game, Limits::nodes(self.nodes)),
            options: Vec::new(),
            fitness: Fitness::Suite { positions: entries.iter().map(SuiteEntry::to_string).collect(), iterations: 1 },
            patience: 30 + self.nodes / 5000,
        };
        let (place, nodes) = (place.word(), self.nodes);
        let step = lab.begin(&format!(
            "evolve search chess --suite {place} --half tune --sample {sample} --nodes {nodes} \
             --generations {generations} -o {FILE}"
        ));
        let outcome = lab.laboratory.evolve_search(step, &job)?;
        check(outcome.lineage.fault.as_ref())?;
        let mut setup = player.setup.clone();
        setup.params.set_values(&outcome.settings);
        lab.laboratory.keep(FILE, &setup.to_profile(&*game, "An evolved search"))?;
        Ok(Player::made(FILE, setup))
    }
}
