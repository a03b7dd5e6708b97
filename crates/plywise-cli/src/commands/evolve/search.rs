//! `plywise evolve search`: the parameters of a search, or the options of an engine, by the nodes to known answers or by
//! games.

use super::genes::GeneArgs;
use super::lineage::{Habitat, Lineage, Newborn};
use super::plan::{JournalEntry, Measure, Plan, Trial};
use super::tournament::{GameArgs, Tournament};
use super::{BreedArgs, Defaults, jobs};
use crate::arguments::{LimitArgs, describe_limits, parse_hash};
use crate::commands::duel::Duel;
use crate::commands::learn::tunables;
use crate::commands::matches::write_opening;
use crate::commands::suite::{Enough, PartArgs, Problem, read_problems};
use crate::document::{self, describe, joined};
use crate::engine::{Setup, TypedSetup, hosted, setup_of_profile};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::players::{PLAYER_HELP, PlayerSpec, local};
use crate::runs::{RunArgs, Work, describe_setup};
use crate::table::{DataArgs, Format, write_csv};
use crate::text::show_count;
use crate::{Failure, Result, files};
use clap::{ArgGroup, Args};
use plywise_arena::engine::{Engine, Examination, Examinee, Question, Setting};
use plywise_arena::run::{Place, Units};
use plywise_arena::{Contender, Limits};
use plywise_game::parameters::{ParameterError, Parameters, nearest_name};
use plywise_learn::control::Tunable;
use plywise_learn::evolution::{Gene, Genome, Others, Selection};
use plywise_net::NetworkEvaluation;
use plywise_search::{Searcher, Signal};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

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
    /// The options of that engine, with ranges and steps
    #[arg(long, value_name = "FILE", requires = "engine")]
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
A file of options has one table for each: [[option]] with name, min, max, start and perhaps step.

Examples:
  plywise evolve search chess --suite wac.epd --nodes 100000 --generations 50 --run runs/search -o evolved.toml
  plywise evolve search chess --engine uci:stockfish --options options.toml --suite wac.epd --nodes 100000 -o evolved-options.toml
  plywise evolve search chess --tournament --games 4 --nodes 5000 --generations 20 -o evolved.toml"
    )
});

/// What documents and run directories call it.
pub(super) const COMMAND: &str = "evolve search";

/// The paper as we have it does not say how it breeds: this is ours.
const PAPER: Defaults =
    Defaults { generations: 50, population: 10, mutation: 0.05, selection: Selection::Proportional };

/// The nodes for a position, unless the arguments say.
const USUAL_NODES: u64 = 100_000;

/// Who evolves.
enum Subject {
    /// This program.
    Own(Box<Setup>),
    /// Somebody else's engine.
    Engine(Box<Stranger>),
}

/// Somebody else's engine.
struct Stranger {
    /// As the arguments name it.
    spec: PlayerSpec,
    engine: Engine,
    /// The options that evolve.
    options: Vec<Tunable>,
}

/// Lets a search evolve as the arguments say.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let (subject, genome) = subject::<G>(args)?;
    let problems = problems::<G>(args)?;
    let limits = limits(args)?;
    let measure = match args.tournament {
        true => Measure::Games,
        false => Measure::Nodes { positions: problems.len() },
    };
    let plan = Plan::new(&genome, args.breed.breeder(PAPER)?, measure);
    let generations = args.breed.generations(PAPER);
    let searchers = if args.tournament { 2 * jobs(args.jobs) } else { jobs(args.jobs) };
    check_tables(args.hash, searchers)?;
    let mut units = open_run::<G>(args, &plan, &subject, &problems, &limits)?;
    let lineage = match (&subject, args.tournament) {
        (_, true) => tournament::<G>(args, &plan, &subject, &genome, limits, &mut units, stop)?,
        (Subject::Own(setup), false) => {
            let known = Mutex::default();
            let habitat = Solving { args, genome: &genome, setup, problems: &problems, limits, known };
            Lineage::evolve(plan, generations, &mut units, &habitat, stop)?
        }
        (Subject::Engine(stranger), false) => {
            let idle = Mutex::default();
            let habitat = Examining { args, genome: &genome, stranger, problems: &problems, limits, idle };
            Lineage::evolve(plan, generations, &mut units, &habitat, stop)?
        }
    };
    let text = result::<G>(args, &subject, &genome.settings(&lineage.best_values()))?;
    let title = format!("A search for {}", G::TITLE);
    lineage.keep(&text, &args.output, units.run(), &title, &words(args, &limits), out)?;
    report(args, &lineage, out)?;
    lineage.end()
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

fn subject<G: Playable>(args: &Arguments) -> Result<(Subject, Genome)> {
    let (Some(spec), Some(file)) = (&args.engine, &args.options) else {
        let mut setup = setup_of_profile::<G>(&args.profile, &Default::default())?;
        setup.hash = args.hash;
        let genome = args.genes.of_search::<G>(&setup.params)?;
        return Ok((Subject::Own(Box::new(setup)), genome));
    };
    let Some(engine) = spec.engine()? else {
        return Err(Failure::input("--engine names an engine in another process: uci:COMMAND; a profile is --profile"));
    };
    let options = tunables::of_file(file)?;
    let genome = option_genome(&options).map_err(|error| Failure::input(format!("'{}': {error}", file.display())))?;
    let spec = spec.clone();
    Ok((Subject::Engine(Box::new(Stranger { spec, engine, options })), genome))
}

/// A gene for each option.
fn option_genome(options: &[Tunable]) -> Result<Genome, plywise_learn::evolution::GeneError> {
    let numbers = |option: &Tunable| [option.min, option.max, option.start].map(|number| number.round() as i32);
    let gene = |option: &Tunable| {
        let [min, max, _] = numbers(option);
        Gene::covering(&option.name, min, max, (option.step.round() as i32).max(1))
    };
    let place = |path: &str| {
        options.iter().position(|option| option.name == path).ok_or_else(|| ParameterError::Unknown {
            path: path.to_owned(),
            nearest: nearest_name(path, options.iter().map(|option| option.name.clone())),
        })
    };
    let knobs: Vec<[i32; 3]> = options.iter().map(numbers).collect();
    Genome::over(options.iter().map(gene).collect(), Others::Keep, &knobs, &place)
}

/// The positions that have an answer.
fn problems<G: Playable>(args: &Arguments) -> Result<Vec<Problem<G>>> {
    let Some(file) = &args.suite else { return Ok(Vec::new()) };
    let mut problems = read_problems::<G>(file, &args.part, args.breed.seed)?;
    // An engine is asked until it finds a move, not until it avoids one.
    problems.retain(|problem| problem.has_answer() && (args.engine.is_none() || !problem.entry.best.is_empty()));
    match problems.is_empty() {
        true => Err(Failure::input(format!("suite '{file}' names no best move (bm), so that nothing can be solved"))),
        false => Ok(problems),
    }
}

fn limits(args: &Arguments) -> Result<Limits> {
    let limits = args.limits.once(Limits::nodes(USUAL_NODES))?;
    if args.engine.is_some() && args.stop_when_solved > 1 {
        return Err(Failure::input(
            "an engine is asked until it is right once; --stop-when-solved is for our own search",
        ));
    }
    match limits.nodes {
        _ if args.tournament => Ok(limits),
        Some(_) if limits.movetime.is_some() || limits.clock.is_some() => {
            Err(Failure::input("a suite is searched with --nodes alone, so that fitness does not hang on the clock"))
        }
        None => Err(Failure::input("a suite is searched with --nodes, which an unsolved position counts")),
        _ => Ok(limits),
    }
}

fn open_run<G: Playable>(
    args: &Arguments,
    plan: &Plan,
    subject: &Subject,
    problems: &[Problem<G>],
    limits: &Limits,
) -> Result<Units<JournalEntry>> {
    let who = match subject {
        Subject::Own(setup) => describe_setup(&*hosted::<G>(), setup)?,
        Subject::Engine(stranger) => describe(&stranger.engine),
    };
    let program = match subject {
        Subject::Own(_) => Vec::new(),
        Subject::Engine(stranger) => vec![PathBuf::from(&stranger.engine.program)],
    };
    let openings = if args.tournament { args.games.openings.read(&*hosted::<G>())? } else { Vec::new() };
    let work = json!({
        "command": COMMAND,
        "game": G::NAME,
        "plan": plan,
        "preset": args.genes.search_name(),
        "profile": args.profile,
        "player": who,
        "suite": describe_suite(problems),
        "stop_when_solved": args.stop_when_solved,
        "limits": describe(limits),
        "games": args.tournament.then_some(args.games.games),
        "max_moves": args.games.max_moves,
        "openings": openings.iter().map(write_opening).collect::<Vec<_>>(),
    });
    let total = plan.total(args.breed.generations(PAPER));
    args.run.units(Work::new(work, total).by(&program), plan.checker())
}

/// The suite by content.
fn describe_suite<G: Playable>(problems: &[Problem<G>]) -> Value {
    let describe = |problem: &Problem<G>| {
        let moves = |kind: &str, moves: &[G::Move]| match moves {
            [] => String::new(),
            moves => format!(" {kind} {}", engine_moves::<G>(&problem.entry.position, moves).join(" ")),
        };
        let (best, avoid) = (moves("bm", &problem.entry.best), moves("am", &problem.entry.avoid));
        format!("{}{best}{avoid}", G::write_position(&problem.entry.position))
    };
    problems.iter().map(describe).collect()
}

fn engine_moves<G: Playable>(position: &G::Position, moves: &[G::Move]) -> Vec<String> {
    moves.iter().map(|&mv| G::write_engine_move(position, mv)).collect()
}

/// Where the fittest are those who find the answers of a suite with the fewest nodes.
struct Solving<'a, G: Playable> {
    args: &'a Arguments,
    genome: &'a Genome,
    setup: &'a Setup,
    problems: &'a [Problem<G>],
    limits: Limits,
    /// What parameters came to that were tried before: the best live on, and their children are often like them.
    known: Mutex<HashMap<Vec<i32>, Trial>>,
}

impl<G: Playable> Habitat for Solving<'_, G> {
    type Worker = Searcher<G, NetworkEvaluation<G>>;

    fn workers(&self) -> Result<Vec<Self::Worker>> {
        (0..jobs(self.args.jobs)).map(|_| self.setup.searcher::<G>()).collect()
    }

    fn attempt(
        &self,
        searcher: &mut Self::Worker,
        newborn: &Newborn,
        part: u64,
        stop: &Signal,
    ) -> Result<Option<Trial>, String> {
        let settings = self.genome.settings(&newborn.values[part as usize]);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(trial) = known().get(&settings) {
            return Ok(Some(trial.clone()));
        }
        let mut setup = self.setup.clone();
        setup.params.set_values(&settings);
        setup.reconfigure(searcher).map_err(|failure| failure.to_string())?;
        let budget = self.limits.nodes.unwrap_or(USUAL_NODES);
        let (mut nodes, mut solved) = (0, 0);
        for problem in self.problems {
            searcher.forget();
            let enough = Enough::Right(self.args.stop_when_solved);
            let Some(attempt) = problem.attempt(searcher, &self.limits, enough, stop) else { return Ok(None) };
            nodes += if attempt.solved { attempt.nodes } else { budget };
            solved += usize::from(attempt.solved);
        }
        let trial = Trial::Solved { nodes, solved };
        known().insert(settings, trial.clone());
        Ok(Some(trial))
    }
}

/// The same for an engine in another process.
struct Examining<'a, G: Playable> {
    args: &'a Arguments,
    genome: &'a Genome,
    stranger: &'a Stranger,
    problems: &'a [Problem<G>],
    limits: Limits,
    /// Engines that run and have nothing to do.
    idle: Mutex<Vec<Examinee>>,
}

impl<G: Playable> Habitat for Examining<'_, G> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        while idle.len() < jobs(self.args.jobs) {
            let started = Examinee::start(&self.stranger.engine, Examination::Uci);
            let refused = |fault| Failure::input(format!("{} cannot be examined: {fault}", self.stranger.engine.name));
            idle.push(started.map_err(refused)?);
        }
        Ok(vec![(); idle.len()])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut examinee) = idle().pop() else { return Err("no engine is left".to_owned()) };
        let trial = self.examine(&mut examinee, &newborn.values[part as usize], stop);
        idle().push(examinee);
        trial
    }
}

impl<G: Playable> Examining<'_, G> {
    fn examine(&self, examinee: &mut Examinee, values: &[i32], stop: &Signal) -> Result<Option<Trial>, String> {
        let settings = self.genome.settings(values);
        let texts: Vec<String> = settings.iter().map(i32::to_string).collect();
        let settings: Vec<Setting> = (self.stranger.options.iter().zip(&settings).zip(&texts))
            .map(|((option, &value), text)| Setting { options: &option.paths, number: value.into(), text })
            .collect();
        let budget = self.limits.nodes.unwrap_or(USUAL_NODES);
        let patience = Duration::from_secs(self.args.patience.unwrap_or(30 + budget / 5000));
        let (mut nodes, mut solved) = (0, 0);
        for problem in self.problems {
            if stop.is_stopped() {
                return Ok(None);
            }
            let position = &problem.entry.position;
            let question = Question {
                position: &G::write_position(position),
                answers: &engine_moves::<G>(position, &problem.entry.best),
                settings: &settings,
                nodes: budget,
                patience,
            };
            let answer =
                examinee.ask(&question).map_err(|fault| format!("{} failed: {fault}", self.stranger.engine.name))?;
            nodes += answer.nodes;
            solved += usize::from(answer.solved);
        }
        Ok(Some(Trial::Solved { nodes, solved }))
    }
}

fn tournament<G: Playable>(
    args: &Arguments,
    plan: &Plan,
    subject: &Subject,
    genome: &Genome,
    limits: Limits,
    units: &mut Units<JournalEntry>,
    stop: &Signal,
) -> Result<Lineage> {
    let game = hosted::<G>();
    let player = |values: &[i32]| -> Result<Box<dyn Contender>> {
        let settings = genome.settings(values);
        match subject {
            Subject::Own(setup) => {
                let mut setup = setup.clone();
                setup.params.set_values(&settings);
                Ok(Box::new(local(&game, &setup)?))
            }
            Subject::Engine(stranger) => {
                let named = stranger.options.iter().zip(settings);
                let options = named.map(|(option, value)| (format!("option.{}", option.name), value.to_string()));
                Ok(stranger.spec.with(options).entrant(&game, Some(limits))?.contender)
            }
        }
    };
    let openings = args.games.openings.read(&*game)?;
    let duel = Duel { game: &*game, openings: &openings, max_moves: args.games.max_moves, jobs: 1, place: Place::Here };
    let habitat = Tournament { plan, duel, games: args.games.games, limits, jobs: jobs(args.jobs), player: &player };
    Lineage::evolve(plan.clone(), args.breed.generations(PAPER), units, &habitat, stop)
}

/// The profile or the options that evolved.
fn result<G: Playable>(args: &Arguments, subject: &Subject, settings: &[i32]) -> Result<String> {
    match subject {
        Subject::Own(setup) => {
            let mut setup = setup.clone();
            setup.params.set_values(settings);
            let description = format!("{} with an evolved search ({})", args.profile, args.genes.search_name());
            Ok(tunables::to_profile(&*hosted::<G>(), &description, &args.profile, &setup))
        }
        Subject::Engine(stranger) => {
            tunables::to_file(&stranger.options, &settings.iter().map(|&value| f64::from(value)).collect::<Vec<_>>())
        }
    }
}

fn report(args: &Arguments, lineage: &Lineage, out: &mut dyn Write) -> Result {
    if args.data.csv {
        return write_csv(out, lineage.curve());
    }
    let best = lineage.generations.last().map(|last| last.trials.get(last.best()));
    let (nodes, solved) = match best {
        Some(Some(Trial::Solved { nodes, solved })) => (Some(*nodes), Some(*solved)),
        _ => (None, None),
    };
    if args.data.json {
        let own = json!({"game": args.game, "nodes": nodes, "solved": solved, "profile": args.output});
        return document::write(out, COMMAND, Some(args.breed.seed), joined(own, lineage.to_json()));
    }
    write!(out, "{}\n{}", lineage.sheet().show(&Format::default()), lineage.gene_sheet().show(&Format::default()))?;
    if let (Some(nodes), Some(solved)) = (nodes, solved) {
        writeln!(out, "\nthe best organism takes {} nodes and solves {solved}", show_count(nodes))?;
    }
    Ok(writeln!(out, "it is in {}", args.output.display())?)
}
