//! `plywise evolve eval`: the weights of an evaluation, from the moves of winners or from a mentor's scores.

use super::genes::GeneArgs;
use super::lineage::{Habitat, Lineage, Newborn};
use super::plan::{JournalEntry, Measure, Plan, Trial};
use super::{BreedArgs, Defaults, jobs, mentor};
use crate::commands::learn::tunables;
use crate::document::joined;
use crate::engine::{Setup, hosted, require_weights, setup_of_profile};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::players::{Entrant, PlayerSpec};
use crate::runs::{RunArgs, Work, describe_setup};
use crate::table::{DataArgs, Format, write_csv};
use crate::{Failure, Result, document, files, recorded};
use clap::Args;
use plywise_arena::run::Units;
use plywise_game::parameters::Parameters;
use plywise_game::pgn::Record;
use plywise_game::{Evaluate, GameSoFar, Score};
use plywise_host::AnyPosition;
use plywise_learn::evolution::{Genome, Selection};
use plywise_learn::imitation::{Columns, Imitation, Mentored, Sample, Sampler};
use plywise_search::{Limits, Params, Signal};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Let the weights of an evaluation evolve until it moves as winners did
///
/// From each game that somebody won one position of the winner is taken at random. An organism chooses its move by a
/// search of one ply with quiescence; its fitness is the square of the number of moves that it finds. Half of the
/// positions are for that, the other half says what it is worth elsewhere. After David-Tabibi, van den Herik, Koppel &
/// Netanyahu (2009), whose settings are the defaults. With --mentor an organism scores the positions themselves, and its
/// fitness is inversely proportional to the mean difference to the mentor's scores (David-Tabibi, Koppel & Netanyahu 2008).
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise evolve eval chess --pgn masters.pgn --positions 10000 --generations 200 --run runs/eval -o evolved.toml
  plywise evolve eval chess --pgn masters.pgn --positions 10000 --mentor best -o pupil.toml
  plywise evolve eval loa --pgn games.pgn --preset full --positions 2000 --generations 40")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP, default_value = games::DEFAULT)]
    pub game: String,
    /// Files of games with results; repeatable
    #[arg(long, value_name = "FILE", required = true)]
    pub pgn: Vec<PathBuf>,
    /// How many positions to take, half of them to learn from and half to test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    pub positions: u32,
    /// The least rating of both players; without it 2600, and games that say no ratings are taken too
    #[arg(long, value_name = "ELO")]
    pub rating: Option<u32>,
    /// Which positions are taken, and which of equal moves counts as chosen
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub sample: u64,
    /// Imitate the scores of this player instead of the moves; it thinks as --mentor-depth says
    #[arg(long, value_name = "PLAYER")]
    pub mentor: Option<PlayerSpec>,
    /// How deep the mentor thinks about a position
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::arguments::parse_depth, requires = "mentor")]
    pub mentor_depth: i32,
    /// Evaluate right after the move, without quiescence
    #[arg(long)]
    pub no_quiescence: bool,
    /// The longest line of quiescence, in plies
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub quiescence_plies: u8,
    /// The profile that the evolved weights are put into
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// Write the weights in the unit of that profile, so that the margins of its search fit them: scaled until evaluations
    /// of the training half are as large on the average. Not for --from of 'evolve coeval', which reads genes
    #[arg(long)]
    pub scaled: bool,
    /// How many threads to use [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The profile to write
    #[arg(short, long, value_name = "PROFILE", default_value = "evolved.toml")]
    pub output: PathBuf,
    #[command(flatten)]
    pub genes: GeneArgs,
    #[command(flatten)]
    pub breed: BreedArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// What documents and run directories call it.
const COMMAND: &str = "evolve eval";

/// The settings of the paper.
const PAPER: Defaults =
    Defaults { generations: 200, population: 100, mutation: 0.005, selection: Selection::Proportional };

/// Where a whole generation is tried at once.
struct AtOnce<'a> {
    genome: &'a Genome,
    /// What evaluations with these weights come to.
    examine: &'a (dyn Fn(&[Vec<i32>]) -> Trial + Sync),
}

impl Habitat for AtOnce<'_> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>> {
        Ok(vec![()])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, _part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        if stop.is_stopped() {
            return Ok(None);
        }
        let weights: Vec<Vec<i32>> = newborn.values.iter().map(|values| self.genome.settings(values)).collect();
        Ok(Some((self.examine)(&weights)))
    }
}

/// Scores that are further apart than this are just wrong: a won game, a queen more.
const FAR_APART: Score = 1000;

/// Lets weights evolve as the arguments say.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    require_weights::<G>()?;
    files::check_writable(&args.output)?;
    // Weights evolve, so nothing may take their place.
    let setup = Setup { network: None, ..setup_of_profile::<G>(&args.profile, &Default::default())? };
    let genome = args.genes.of_weights::<G>(&setup.weights)?;
    let mentor = mentor::<G>(args)?;
    let plan = plan(args, &genome)?;
    let samples = samples::<G>(args)?;
    let mut units = open_run::<G>(args, &plan, &setup, mentor.as_ref())?;
    let halves = samples.split_at(samples.len() / 2);
    let (threads, params) = (jobs(args.jobs), quiescence(args));
    let imitation = |samples: &[Sample<G>]| {
        Imitation::<G, G::Weights>::new(samples, Columns::new(&genome), &params, args.sample, threads)
    };
    let (training, generations) = (imitation(halves.0), args.breed.generations(PAPER));
    let mentored = |mentor: &Entrant, samples: &[Sample<G>]| -> Result<Mentored<G, G::Weights>> {
        Ok(Mentored::new(&scored::<G>(mentor, samples, threads, stop)?, Columns::new(&genome), &params, threads))
    };
    let lessons = mentor.as_ref().map(|mentor| mentored(mentor, halves.0)).transpose()?;
    let examine = |weights: &[Vec<i32>]| match &lessons {
        None => Trial::Found(training.found(weights, threads)),
        Some(lessons) => Trial::Differences(lessons.mean_difference(weights, FAR_APART, threads)),
    };
    let habitat = AtOnce { genome: &genome, examine: &examine };
    let lineage = Lineage::evolve(plan, generations, &mut units, &habitat, stop)?;
    let weights = genome.settings(&lineage.best_values());
    let mut rates = Rates::of(&weights, &training, &imitation(halves.1), threads);
    if let Some(mentor) = &mentor
        && !stop.is_stopped()
    {
        let test = mentored(mentor, halves.1)?;
        rates.difference = Some(test.mean_difference(std::slice::from_ref(&weights), FAR_APART, threads)[0]);
    }
    let kept =
        if args.scaled { in_unit_of(&setup.weights.to_typed::<G::Weights>(), &weights, halves.0) } else { weights };
    let profile = profile_text::<G>(args, &setup, &kept, &rates);
    let teacher = if mentor.is_some() { "the scores of a mentor" } else { "the moves of winners" };
    let title = format!("An evaluation for {} from {teacher}", G::TITLE);
    lineage.keep(&profile, &args.output, units.run(), &title, &rates.words(), out)?;
    report(args, &args.genes.name::<G>(), &lineage, &rates, out)
}

fn plan(args: &Arguments, genome: &Genome) -> Result<Plan> {
    let measure = match args.mentor {
        Some(_) => Measure::Mentor,
        None => Measure::Moves { positions: args.positions as usize / 2 },
    };
    Ok(Plan::new(genome, args.breed.breeder(PAPER)?, measure))
}

/// What the best organism found.
struct Rates {
    train: f64,
    test: f64,
    /// The size of the test.
    positions: usize,
    /// The nodes of all trees.
    nodes: usize,
    /// How far it is from the mentor's scores in the test, on the average.
    difference: Option<f64>,
}

impl Rates {
    fn of<G: Playable>(
        weights: &[i32],
        training: &Imitation<G, G::Weights>,
        test: &Imitation<G, G::Weights>,
        threads: usize,
    ) -> Rates {
        let rate = |imitation: &Imitation<G, G::Weights>| {
            f64::from(imitation.found(&[weights.to_vec()], threads)[0]) / imitation.len().max(1) as f64
        };
        let nodes = training.nodes() + test.nodes();
        Rates { train: rate(training), test: rate(test), positions: test.len(), nodes, difference: None }
    }

    fn error(&self) -> f64 {
        (self.test * (1.0 - self.test) / self.positions.max(1) as f64).sqrt()
    }

    fn words(&self) -> String {
        let [train, test, error] = [self.train, self.test, self.error()].map(|share| 100.0 * share);
        let rates =
            format!("{train:.1} % of the moves in the training half, and {test:.1} ± {error:.1} % in the other");
        match self.difference {
            None => format!("The best organism finds {rates}."),
            Some(points) => {
                format!("The best organism is {points:.1} points from the mentor on the test half; it finds {rates}.")
            }
        }
    }
}

/// The search of one ply: quiescence leaves out only what does not hang on the weights.
fn quiescence(args: &Arguments) -> Params {
    let mut params = Params::DEFAULT;
    params.quiescence.margin = 0;
    params.quiescence.plies = args.quiescence_plies.into();
    params.quiescence.breadth = MOST_LINES;
    if args.no_quiescence {
        params.quiescence = Params::OFF.quiescence;
    }
    params
}

/// Trees have no window that would cut them, so they must not become too broad.
const MOST_LINES: i32 = 1000;

fn open_run<G: Playable>(
    args: &Arguments,
    plan: &Plan,
    setup: &Setup,
    mentor: Option<&Entrant>,
) -> Result<Units<JournalEntry>> {
    let programs: Vec<PathBuf> = mentor.and_then(|mentor| mentor.program.clone()).into_iter().collect();
    let work = json!({
        "command": COMMAND,
        "game": G::NAME,
        "plan": plan,
        "preset": args.genes.name::<G>(),
        "profile": args.profile,
        "player": describe_setup(&*hosted::<G>(), setup)?,
        "mentor": mentor.map(|mentor| &mentor.description),
        "pgn": args.pgn.iter().map(|path| args.run.digest(path)).collect::<Result<Vec<_>>>()?,
        "positions": args.positions,
        "rating": args.rating,
        "sample": args.sample,
        "quiescence": if args.no_quiescence { 0 } else { args.quiescence_plies },
    });
    let total = plan.total(args.breed.generations(PAPER));
    args.run.units(Work::new(work, total).by(&programs), plan.checker())
}

/// The mentor, if there is one.
fn mentor<G: Playable>(args: &Arguments) -> Result<Option<Entrant>> {
    let Some(mentor) = &args.mentor else { return Ok(None) };
    let entrant = mentor.entrant(&hosted::<G>(), Some(Limits::depth(args.mentor_depth)))?;
    if entrant.limits.movetime.is_some() || entrant.limits.clock.is_some() {
        return Err(Failure::input("a mentor thinks by depth or nodes, so that it always says the same"));
    }
    check_tables(entrant.hash.max(1), jobs(args.jobs))?;
    Ok(Some(entrant))
}

/// The positions that the mentor has a score for.
fn scored<G: Playable>(
    mentor: &Entrant,
    samples: &[Sample<G>],
    jobs: usize,
    stop: &Signal,
) -> Result<Vec<(G::Position, Score)>> {
    let positions: Vec<G::Position> = samples.iter().map(|sample| sample.position.clone()).collect();
    let erased = positions.iter().map(|position| AnyPosition::new(GameSoFar::<G>::new(position.clone())));
    let scores = mentor::ask(mentor, &erased.collect::<Vec<_>>(), jobs, stop)?;
    let scored: Vec<_> =
        positions.into_iter().zip(scores).filter_map(|(position, score)| Some((position, score?))).collect();
    match scored.is_empty() {
        true => Err(Failure::input(format!("{} gives no scores", mentor.contender.name()))),
        false => Ok(scored),
    }
}

/// The positions, in random order.
fn samples<G: Playable>(args: &Arguments) -> Result<Vec<Sample<G>>> {
    let mut sampler = Sampler::<G>::new(args.positions as usize, args.sample);
    let read = recorded::read_games::<G>(&args.pgn, u64::MAX, |_, record| {
        if is_rated(record, args.rating) {
            sampler.show(record);
        }
        Ok(())
    })?;
    let samples = sampler.finish();
    match samples.len() {
        0 => Err(Failure::input(format!(
            "none of the {} games can be used: somebody must have won, and both players be rated {} or more",
            read.games,
            args.rating.unwrap_or(USUAL_RATING)
        ))),
        count if count < args.positions as usize => Err(Failure::input(format!(
            "only {count} of the {} games can be used, one position each, but --positions is {}",
            read.games, args.positions
        ))),
        _ => Ok(samples),
    }
}

/// The rating of the paper's grandmasters.
const USUAL_RATING: u32 = 2600;

fn is_rated<G: Playable>(record: &Record<G>, asked: Option<u32>) -> bool {
    let rating = |tag: &str| record.tag(tag).and_then(|text| text.trim().parse::<u32>().ok());
    let least = asked.unwrap_or(USUAL_RATING);
    match ["WhiteElo", "BlackElo"].map(rating) {
        [None, None] => asked.is_none(),
        ratings => ratings.iter().all(|rating| *rating >= Some(least)),
    }
}

/// Weights times what makes evaluations of these positions as large, on the average, as those of `base`.
fn in_unit_of<G: Playable>(base: &G::Weights, weights: &[i32], samples: &[Sample<G>]) -> Vec<i32> {
    let size = |weights: &G::Weights| {
        let mut evaluation = G::evaluation(weights.clone());
        let sum: f64 = samples.iter().map(|sample| f64::from(evaluation.evaluate(&sample.position).abs())).sum();
        sum.max(1.0)
    };
    let mut evolved = base.clone();
    evolved.set_values(weights);
    let factor = size(base) / size(&evolved);
    weights.iter().map(|&weight| (f64::from(weight) * factor).round() as i32).collect()
}

fn profile_text<G: Playable>(args: &Arguments, setup: &Setup, weights: &[i32], rates: &Rates) -> String {
    let mut setup = setup.clone();
    setup.weights.set_values(weights);
    let description = format!(
        "{} with weights evolved from {} positions ({}, seed {}); it finds {:.1} % of the moves of others",
        setup.name,
        args.positions / 2,
        args.genes.name::<G>(),
        args.breed.seed,
        100.0 * rates.test
    );
    tunables::to_profile(&*hosted::<G>(), &description, &args.profile, &setup)
}

fn report(args: &Arguments, genes: &str, lineage: &Lineage, rates: &Rates, out: &mut dyn Write) -> Result {
    if args.data.csv {
        return write_csv(out, lineage.curve());
    }
    if args.data.json {
        let results = joined(to_json(args, genes, rates), lineage.to_json());
        return document::write(out, COMMAND, Some(args.breed.seed), results);
    }
    write!(out, "{}\n{}\n", lineage.sheet().show(&Format::default()), rates.words())?;
    Ok(writeln!(out, "the evaluation is in {}", args.output.display())?)
}

fn to_json(args: &Arguments, genes: &str, rates: &Rates) -> Value {
    json!({
        "game": args.game,
        "preset": genes,
        "positions": args.positions,
        "train_rate": rates.train,
        "test_rate": rates.test,
        "test_error": rates.error(),
        "test_difference": rates.difference,
        "tree_nodes": rates.nodes,
        "profile": args.output,
    })
}
