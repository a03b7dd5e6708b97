//! `plywise evolve search`: the parameters of a search, or the options of an engine, by the nodes to known answers or by
//! games.

use super::BreedArgs;
use super::genes::GeneArgs;
use super::lineage::{self, EvolvedReport};
use super::tournament::GameArgs;
use crate::arguments::{LimitArgs, describe_limits, jobs, parse_hash};
use crate::commands::learn::tunables::{self, OptionFile};
use crate::commands::suite::PartArgs;
use crate::document::{self, joined};
use crate::engine::{Setup, setup_for};
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::players::{PLAYER_HELP, PlayerSpec};
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::suites::read_entries;
use crate::table::{DataArgs, Format, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, files};
use clap::{ArgGroup, Args};
use plywise_arena::engine::Engine;
use plywise_arena::{Entrant, Limits, Who};
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::evolution::{Breeding, EvolveSearch, EvolvedSearch, Fitness, Genome, Measure, Plan, option_genome};
use plywise_run::Job;
use plywise_search::Signal;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// Let the parameters of a search evolve, or the options of an engine
///
/// Fitness is the inverse of the nodes that the answers of a suite take to find, where an unsolved position counts all
/// that it may use; with --tournament it is points in games against the other organisms. The genes are those of
/// David-Tabibi, Koppel & Netanyahu (2010), or of a file. With --engine somebody else's engine evolves over UCI, its
/// author changes nothing: a file names its options.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("fitness").args(["suite", "tournament"]).required(true))]
#[command(after_help = AFTER_HELP.as_str())]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP, default_value = games::DEFAULT)]
    pub game: String,
    /// The suite: lines of POSITION bm MOVE [MOVE…]; id "…";
    #[arg(long, value_name = "FILE")]
    pub suite: Option<String>,
    #[command(flatten)]
    pub part: PartArgs,
    /// Fitness is points against the other organisms
    #[arg(long)]
    pub tournament: bool,
    /// A position is solved once the best move has been right for N iterations; the nodes up to the first count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=100))]
    pub stop_when_solved: u16,
    /// The profile whose search evolves, and whose parameters are kept where no gene drives them
    #[arg(long, value_name = "NAME|FILE", default_value = "classic", conflicts_with = "engine")]
    pub profile: String,
    /// An engine whose options evolve
    #[arg(long, value_name = "PLAYER", requires = "options", conflicts_with_all = ["genes", "preset"])]
    pub engine: Option<PlayerSpec>,
    /// The options of that engine, with ranges and steps: plywise-engine.toml, whose engine is built and evolves unless
    /// --engine names another
    #[arg(long, value_name = "FILE", conflicts_with_all = ["genes", "preset"])]
    pub options: Option<PathBuf>,
    /// Seconds that an engine may take for one position [default: 30, and a second for each 5000 nodes]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub patience: Option<u64>,
    /// The table of each search in MB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = parse_hash)]
    pub hash: usize,
    /// How many organisms or pairs are tried at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The profile to write; for an engine, its options with what evolved as their start
    #[arg(short, long, value_name = "FILE", default_value = "evolved-search.toml")]
    pub output: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub games: GameArgs,
    #[command(flatten)]
    pub genes: GeneArgs,
    #[command(flatten)]
    pub breed: BreedArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{PLAYER_HELP}
A file of options has one table for each: [[option]] with name, min, max, start and perhaps step. A
plywise-engine.toml is such a file.

Examples:
  plywise evolve search chess --suite wac.epd --nodes 100000 --generations 50 --run runs/search -o evolved.toml
  plywise evolve search chess --engine uci:stockfish --options options.toml --suite wac.epd --nodes 100000 -o evolved-options.toml
  plywise evolve search chess --options plywise-engine.toml --suite wac.epd --nodes 100000 -o evolved-engine.toml
  plywise evolve search chess --tournament --games 4 --nodes 5000 --generations 20 -o evolved.toml"
    )
});

/// The nodes for a position, unless the arguments say.
const USUAL_NODES: u64 = 100_000;

/// Who evolves.
struct Subject {
    who: Who,
    /// The setup, unless it is an engine in another process.
    setup: Option<Setup>,
    /// The options of such an engine.
    options: Option<OptionFile>,
    genome: Genome,
}

/// Lets a search evolve as the arguments say.
pub fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let subject = subject(&**game, args, stop)?;
    let job = job(&**game, args, &subject)?;
    let (jobs, meter) = (jobs(args.jobs, 1), JobMeter::default());
    check_tables(args.hash, if args.tournament { 2 * jobs } else { jobs })?;
    let programs: Vec<PathBuf> = job.player.engine().map(|engine| PathBuf::from(&engine.program)).into_iter().collect();
    let place = Place { programs: &programs, ..Place::new(&args.run, jobs, stop) };
    let outcome = place.run(&job, game, &|event| lineage::show_progress(&meter, event));
    meter.finish();
    let outcome = outcome?;
    let kept = EvolvedReport {
        text: &result(&**game, args, &subject, &outcome.settings)?,
        title: &format!("A search for {}", game.title()),
        words: &words(args, &job.player.limits),
    };
    lineage::keep(&outcome.lineage, &kept, &args.output, &args.run, out)?;
    report(args, &subject, &outcome, out)?;
    lineage::end(&outcome.lineage)
}

fn job(game: &dyn AnyGame, args: &Arguments, subject: &Subject) -> Result<EvolveSearch> {
    let positions = positions(game, args)?;
    let limits = limits(args)?;
    let (measure, fitness) = match args.tournament {
        true => (Measure::Games, Fitness::Games(args.games.read(game)?)),
        false => {
            let measure = Measure::Nodes { positions: positions.len() };
            (measure, Fitness::Suite { positions, iterations: args.stop_when_solved })
        }
    };
    Ok(EvolveSearch {
        game: args.game.clone(),
        plan: Plan::new(&subject.genome, args.breed.breeder(Breeding::SEARCH)?, measure),
        generations: args.breed.generations(Breeding::SEARCH),
        profile: args.profile.clone(),
        player: Entrant { who: subject.who.clone(), limits },
        options: subject.options.as_ref().map_or(Vec::new(), |options| options.tunables.clone()),
        fitness,
        patience: args.patience.unwrap_or(30 + limits.nodes.unwrap_or(USUAL_NODES) / 5000),
    })
}

fn words(args: &Arguments, limits: &Limits) -> String {
    let limits = describe_limits(limits);
    match args.tournament {
        true => format!("Everybody played everybody, {} games a pair with {limits}.", args.games.games),
        false => format!(
            "Nodes to the answers of the suite, {limits} for each position; solved is a move that was right for {} \
             iterations.",
            args.stop_when_solved
        ),
    }
}

fn subject(game: &dyn AnyGame, args: &Arguments, stop: &Signal) -> Result<Subject> {
    let Some(file) = &args.options else {
        let mut setup = setup_for(game, &args.profile, &Default::default())?;
        setup.hash = args.hash;
        let genome = args.genes.of_search(game, &setup.params)?;
        let who = Who::Setup(WrittenSetup::of(game, &setup));
        return Ok(Subject { who, setup: Some(setup), options: None, genome });
    };
    let mut options = OptionFile::read(file)?;
    let engine = match &args.engine {
        Some(spec) => spec.engine()?.map(|engine| {
            let set = options.fixed().into_iter().chain(engine.options);
            Engine { options: set.collect(), ..engine }
        }),
        None => options.engine(&args.output, stop)?,
    };
    let engine = engine.ok_or_else(|| {
        Failure::input("--options needs an engine in another process: --engine uci:COMMAND, or [engine] in the file")
    })?;
    let genome = option_genome(&options.tunables);
    let genome = genome.map_err(|error| Failure::input(format!("'{}': {error}", file.display())))?;
    Ok(Subject { who: Who::Engine(engine), setup: None, options: Some(options), genome })
}

/// The positions that have an answer, as lines of EPD.
fn positions(game: &dyn AnyGame, args: &Arguments) -> Result<Vec<String>> {
    let Some(file) = &args.suite else { return Ok(Vec::new()) };
    let mut entries = read_entries(game, file, &args.part, args.breed.seed)?;
    // An engine is asked until it finds a move, not until it avoids one.
    entries.retain(|entry| !entry.best.is_empty() || !entry.avoid.is_empty() && args.options.is_none());
    match entries.is_empty() {
        true => Err(Failure::input(format!("suite '{file}' names no best move (bm), so that nothing can be solved"))),
        false => Ok(entries.iter().map(|entry| entry.to_string()).collect()),
    }
}

fn limits(args: &Arguments) -> Result<Limits> {
    if args.options.is_some() && args.stop_when_solved > 1 {
        return Err(Failure::input(
            "an engine is asked until it is right once; --stop-when-solved is for our own search",
        ));
    }
    args.limits.once(Limits::nodes(USUAL_NODES))
}

/// The profile or the options that evolved.
fn result(game: &dyn AnyGame, args: &Arguments, subject: &Subject, settings: &[i32]) -> Result<String> {
    let Some(setup) = &subject.setup else {
        return subject.options.as_ref().map_or(Ok(String::new()), |options| options.with(&numbers(settings)));
    };
    let mut setup = setup.clone();
    setup.params.set_values(settings);
    let description = format!("{} with an evolved search ({})", args.profile, args.genes.search_name());
    Ok(tunables::to_profile(game, &description, &args.profile, &setup))
}

fn numbers(settings: &[i32]) -> Vec<f64> {
    settings.iter().map(|&value| f64::from(value)).collect()
}

fn report(args: &Arguments, subject: &Subject, outcome: &EvolvedSearch, out: &mut dyn Write) -> Result {
    let lineage = &outcome.lineage;
    if args.data.csv {
        return write_csv(out, lineage::curve(lineage));
    }
    let (nodes, solved) = outcome.solved().unzip();
    if args.data.json {
        let own = json!({"game": args.game, "nodes": nodes, "solved": solved, "profile": args.output});
        let own = match &subject.options {
            Some(options) => joined(own, options.to_json(&numbers(&outcome.settings))),
            None => own,
        };
        return document::write(out, EvolveSearch::NAME, Some(args.breed.seed), joined(own, lineage::to_json(lineage)));
    }
    let plain = Format::default();
    write!(out, "{}\n{}", lineage::sheet(lineage).show(&plain), lineage::gene_sheet(lineage).show(&plain))?;
    if let (Some(nodes), Some(solved)) = (nodes, solved) {
        writeln!(out, "\nthe best organism takes {} nodes and solves {solved}", show_count(nodes))?;
    }
    writeln!(out, "it is in {}", args.output.display())?;
    subject.options.as_ref().map_or(Ok(()), |options| options.tell(&numbers(&outcome.settings), out))
}
