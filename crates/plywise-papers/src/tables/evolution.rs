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
use plywise_learn::evolution::{
    Breeding, Chromosome, EvolveCoeval, EvolveEval, EvolveSearch, EvolvedEval, Fitness, Games, Measure, PAPER, Plan,
    genome_of_search, genome_of_weights, usual_preset,
};
use plywise_learn::imitation::{Sample, Sampler, Selection};
use plywise_run::JobError;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Data {
    evolution_eval: Entry<Imitated>,
    evolution_match: Entry<Matches>,
    evolution_search: Entry<Search>,
    evolution_coeval: Entry<Coevolved>,
    evolution_players: Entry<OfPlayers>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/evolution.toml"))?;
    let Suites { ecm, grandmasters, .. } = Suites::read()?;
    let (again, third, fourth) = (grandmasters.clone(), grandmasters.clone(), grandmasters.clone());
    Ok(vec![
        read.evolution_eval.table("evolution-eval", move |printed, lab| printed.run(&grandmasters, lab)),
        read.evolution_match.table("evolution-match", move |printed, lab| printed.run(&again, lab)),
        read.evolution_search.table("evolution-search", move |printed, lab| printed.run(&ecm, lab)),
        read.evolution_coeval.table("evolution-coeval", move |printed, lab| printed.run(&third, lab)),
        read.evolution_players.table("evolution-players", move |printed, lab| printed.run(&fourth, lab)),
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
    fn samples(&self, game: &dyn AnyGame, positions: u64, winner: Option<&str>) -> Result<Vec<Sample>, JobError> {
        let mut sampler = Sampler::new(positions as usize, SEED);
        let selection = Selection { winner: winner.map(str::to_owned), ..Selection::default() };
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
        let samples = self.samples(&*lab.game("chess")?, positions, None)?;
        self.evolve_from(lab, seed, &samples, generations, "", &format!("evolved-{seed}.toml"))
    }

    /// The same from the first half of these positions, tested on the others; `words` say which they are.
    fn evolve_from(
        &self,
        lab: &mut Lab,
        seed: u64,
        samples: &[Sample],
        generations: u64,
        words: &str,
        file: &str,
    ) -> Result<Evolved, JobError> {
        let game = lab.game("chess")?;
        let (positions, file) = (samples.len(), file.to_owned());
        let [player] = lab.players("chess", [IMITATOR])?;
        // Weights evolve, so nothing may take their place.
        let setup = Setup { network: None, ..player.setup };
        let genome = genome_of_weights(&*game, usual_preset(&*game), None, &setup.weights)?;
        let measure = Measure::Moves { positions: positions / 2 };
        let job = EvolveEval {
            game: game.name().to_owned(),
            plan: Plan::new(&genome, Breeding::EVAL.breeder(seed), measure),
            generations,
            profile: IMITATOR.to_owned(),
            player: WrittenSetup::of(&*game, &setup),
            mentor: None,
            samples: Sample::write_all(samples),
            seed: SEED,
            quiescence_plies: QUIESCENCE_PLIES,
        };
        let word = &self.word;
        let step = lab.begin(&format!(
            "evolve eval chess --pgn {word} {words} --positions {positions} --generations {generations} --seed {seed} -o {file}"
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
        let organisms = organisms(lab, games, [self.runs, self.positions, self.generations])?;
        let setup = linear(lab, &self.profile)?;
        let coevolved = coevolve(lab, &self.profile, &setup, &organisms, self.coevolved_generations, SEED)?;
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
}

/// The evaluations of separate runs, with the number of runs, positions and generations.
fn organisms(lab: &mut Lab, games: &Suite, [runs, positions, generations]: [u64; 3]) -> Result<Vec<Evolved>, JobError> {
    let [runs, positions, generations] = [runs, positions, generations].map(|whole| lab.conditions.positions(whole));
    let winners = winners(lab, games, positions)?;
    (1..=runs).map(|seed| winners.evolve(lab, seed, positions, generations)).collect()
}

/// A profile of chess with its linear evaluation.
fn linear(lab: &Lab, profile: &str) -> Result<Setup, JobError> {
    let [player] = lab.players("chess", [profile])?;
    Ok(Setup { network: None, ..player.setup })
}

/// Lets the organisms of separate runs play each other.
fn coevolve(
    lab: &mut Lab,
    profile: &str,
    setup: &Setup,
    organisms: &[Evolved],
    generations: u64,
    seed: u64,
) -> Result<Player, JobError> {
    const GAMES: u64 = 4;
    const MOST_MOVES: u32 = 200;
    let (game, file) = (lab.game("chess")?, format!("coevolved-{seed}.toml"));
    let genome = genome_of_weights(&*game, usual_preset(&*game), None, &setup.weights)?;
    let mut breeding = Breeding::COEVAL;
    breeding.population = breeding.population.max(organisms.len() as u16);
    let mut plan = Plan::new(&genome, breeding.breeder(seed), Measure::Games);
    let ancestor =
        |organism: &Evolved| Chromosome::encode(&genome.values_of(&organism.outcome.weights), genome.genes());
    plan.ancestors = organisms.iter().map(ancestor).collect();
    let generations = lab.conditions.positions(generations);
    let limits = lab.conditions.limits(clock(5.0, 0.0));
    let start = openings::from_epd(&*game, game.openings().as_bytes()).map_err(JobError::input)?;
    let player = Setup { hash: 16, ..setup.clone() };
    let job = EvolveCoeval {
        game: game.name().to_owned(),
        plan,
        generations,
        profile: profile.to_owned(),
        player: WrittenSetup::of(&*game, &player),
        limits,
        games: Games { count: GAMES, max_moves: MOST_MOVES, openings: start.iter().map(openings::write).collect() },
    };
    let from: Vec<&str> = organisms.iter().map(|organism| organism.file.as_str()).collect();
    let (from, limits) = (from.join(","), options(&limits));
    let step = lab.begin(&format!(
        "evolve coeval chess --from {from} --profile {profile} --generations {generations} {limits} --seed {seed} -o {file}"
    ));
    let outcome = lab.laboratory.evolve_coeval(step, &job)?;
    check(outcome.lineage.fault.as_ref())?;
    let evolved = with_weights(setup, &outcome.weights);
    lab.laboratory.keep(&file, &evolved.to_profile(&*game, "A coevolved evaluation"))?;
    Ok(Player::made(&file, evolved).named("coevolved"))
}

/// Coevolution beside a control that only picks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Coevolved {
    runs: u64,
    positions: u64,
    generations: u64,
    profile: String,
    coevolved_generations: u64,
    seeds: u64,
    games_to_pick: u64,
    games: u64,
    against_evolved: PrintedScore,
}

impl Coevolved {
    fn run(&self, games: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let organisms = organisms(lab, games, [self.runs, self.positions, self.generations])?;
        let setup = linear(lab, &self.profile)?;
        let player = |organism: &Evolved, name: &str| {
            Player::made(&organism.file, with_weights(&setup, &organism.outcome.weights)).named(name)
        };
        let picked = self.pick(lab, &organisms, &player)?;
        let (control, first) = (player(&organisms[picked], "control"), player(&organisms[0], "evolved"));
        let mut rows =
            vec![self.play(lab, "control: the best of the evolved, against the first", &control, &first, None)?];
        for seed in 1..=lab.conditions.positions(self.seeds) {
            let coevolved = coevolve(lab, &self.profile, &setup, &organisms, self.coevolved_generations, seed)?;
            let what = |other: &str| format!("coevolved, seed {seed}, against {other}");
            let printed = self.against_evolved.figure();
            rows.push(self.play(lab, &what("the first evolved"), &coevolved, &first, printed)?);
            rows.push(self.play(lab, &what("the control"), &coevolved, &control, None)?);
        }
        Ok(rows)
    }

    /// The evolved evaluation that scores best against the others.
    fn pick(
        &self,
        lab: &mut Lab,
        organisms: &[Evolved],
        player: &dyn Fn(&Evolved, &str) -> Player,
    ) -> Result<usize, JobError> {
        let names: Vec<String> = (1..=organisms.len()).map(|seed| format!("evolved-{seed}")).collect();
        let players = organisms.iter().zip(&names).map(|(organism, name)| player(organism, name).into());
        let outcome = lab.play(&MatchStep {
            game: "chess",
            players: players.collect(),
            games: lab.conditions.games(self.games_to_pick),
            limits: lab.conditions.limits(clock(5.0, 0.05)),
            openings: None,
        })?;
        let mut points = vec![0.0; organisms.len()];
        for ([a, b], pairing) in outcome.standings.pairings() {
            points[a] += pairing.games.points();
            points[b] += pairing.games.mirrored().points();
        }
        let best = (0..points.len()).max_by(|&a, &b| points[a].total_cmp(&points[b]).then(b.cmp(&a)));
        Ok(best.unwrap_or(0))
    }

    fn play(
        &self,
        lab: &mut Lab,
        what: &str,
        a: &Player,
        b: &Player,
        printed: Option<Figure>,
    ) -> Result<Row, JobError> {
        let outcome = lab.play(&MatchStep {
            game: "chess",
            players: vec![a.clone().into(), b.clone().into()],
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(5.0, 0.05)),
            openings: None,
        })?;
        Ok(score_row(what, printed, &outcome))
    }
}

/// Whether an evaluation knows whose moves it learned from.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfPlayers {
    players: Vec<String>,
    positions: u64,
    generations: u64,
    seeds: u64,
}

impl OfPlayers {
    fn run(&self, games: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let positions = lab.conditions.positions(self.positions);
        let generations = lab.conditions.positions(self.generations);
        let seeds = lab.conditions.positions(self.seeds);
        let (game, winners) = (lab.game("chess")?, winners(lab, games, positions)?);
        let of_player = |name: &String| winners.samples(&*game, positions, Some(name));
        let samples = self.players.iter().map(of_player).collect::<Result<Vec<_>, _>>()?;
        let half = positions as usize / 2;
        let mut rows = Vec::new();
        for (teacher, taught) in self.players.iter().zip(&samples) {
            for (other, tested) in self.players.iter().zip(&samples) {
                let both: Vec<Sample> = taught[..half].iter().chain(&tested[half..]).cloned().collect();
                let test = if other == teacher { String::new() } else { format!("--test-winner {other}") };
                let words = format!("--winner {teacher} {test}");
                let (mut found, mut of) = (0.0, 0);
                for seed in 1..=seeds {
                    let file = format!("of-{teacher}-on-{other}-{seed}.toml");
                    let rates = winners.evolve_from(lab, seed, &both, generations, &words, &file)?.outcome.rates;
                    (found, of) = (found + rates.test * rates.positions as f64, of + rates.positions);
                }
                // The runs see the same positions: the sample is that of one.
                let share = found / of.max(1) as f64;
                let tested = of / seeds.max(1) as usize;
                let ours = Figure::share(share * tested as f64, tested as f64);
                let what = format!("learned from {teacher}, tested on {other}: moves found");
                rows.push(Row::new(what, None, ours).note(format!("mean of {seeds} runs")).of(tested));
            }
        }
        Ok(rows)
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
            suite: suite.into(),
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
