//! `plywise evolve coeval`: the weights of an evaluation, from games of evaluations against each other.

use super::genes::GeneArgs;
use super::lineage::Lineage;
use super::plan::{Measure, Plan};
use super::tournament::{GameArgs, Tournament};
use super::{BreedArgs, Defaults, jobs};
use crate::arguments::LimitArgs;
use crate::commands::duel::Duel;
use crate::commands::learn::tunables;
use crate::commands::matches::write_opening;
use crate::document::{self, describe, joined};
use crate::engine::{Setup, hosted, require_weights, setup_of_profile};
use crate::games::{self, Playable};
use crate::memory::check_tables;
use crate::players::local;
use crate::runs::{RunArgs, Work, describe_setup};
use crate::table::{DataArgs, Format, write_csv};
use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::run::Place;
use plywise_arena::{Contender, Limits};
use plywise_game::parameters::Parameters;
use plywise_learn::evolution::{Breeder, Chromosome, Genome, Selection};
use plywise_search::{Clock, Signal, TimeControl};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Let evaluations evolve by games against each other
///
/// The first population are the organisms that separate runs of 'evolve eval' wrote (--from), or random ones. In each
/// generation everybody plays everybody; who wins more points is more likely to be a parent. After David-Tabibi, van den
/// Herik, Koppel & Netanyahu (2009), whose settings are the defaults: four games a pair, five seconds for a player and
/// game, fifty generations.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise evolve eval chess --pgn masters.pgn --positions 10000 --seed 1 -o evolved-1.toml
  plywise evolve eval chess --pgn masters.pgn --positions 10000 --seed 2 -o evolved-2.toml
  plywise evolve coeval chess --from evolved-1.toml,evolved-2.toml --generations 50 --nodes 2000 --run runs/coeval -o coevolved.toml
  plywise evolve coeval loa --preset full --population 10 --generations 50 --nodes 1000 -o coevolved.toml")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP, default_value = games::DEFAULT)]
    pub game: String,
    /// Profiles with the evaluations of the first population; the rest of it is random
    #[arg(long, value_name = "PROFILE,…", value_delimiter = ',')]
    pub from: Vec<String>,
    /// The profile whose search plays, and whose weights are kept where no gene drives them
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// The table of each player in MB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = crate::arguments::parse_hash)]
    pub hash: usize,
    /// How many pairs play at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The profile to write
    #[arg(short, long, value_name = "PROFILE", default_value = "coevolved.toml")]
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

/// What documents and run directories call it.
const COMMAND: &str = "evolve coeval";

/// The settings of the paper.
const PAPER: Defaults = Defaults { generations: 50, population: 10, mutation: 0.005, selection: Selection::Rank };

/// Lets evaluations evolve as the arguments say.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    require_weights::<G>()?;
    files::check_writable(&args.output)?;
    let mut setup = setup_of_profile::<G>(&args.profile, &Default::default())?;
    setup.hash = args.hash;
    // Weights evolve, so nothing may take their place.
    setup.network = None;
    let genome = args.genes.of_weights::<G>(&setup.weights)?;
    let mut plan = Plan::new(&genome, breeder(args)?, Measure::Games);
    plan.ancestors = ancestors::<G>(args, &genome)?;
    let (limits, openings) = (limits(args)?, args.games.openings.read(&*hosted::<G>())?);
    let jobs = jobs(args.jobs);
    check_tables(2 * setup.hash, jobs)?;
    let work = json!({
        "command": COMMAND,
        "game": G::NAME,
        "plan": plan,
        "preset": args.genes.name::<G>(),
        "profile": args.profile,
        "player": describe_setup(&*hosted::<G>(), &setup)?,
        "limits": describe(&limits),
        "games": args.games.games,
        "max_moves": args.games.max_moves,
        "openings": openings.iter().map(write_opening).collect::<Vec<_>>(),
    });
    let mut units = args.run.units(Work::new(work, plan.total(args.breed.generations(PAPER))), plan.checker())?;
    let game = hosted::<G>();
    let player = |values: &[i32]| -> Result<Box<dyn Contender>> {
        Ok(Box::new(local(&game, &with_weights(&setup, &genome.settings(values)))?))
    };
    let lineage = {
        let duel =
            Duel { game: &*game, openings: &openings, max_moves: args.games.max_moves, jobs: 1, place: Place::Here };
        let habitat = Tournament { plan: &plan, duel, games: args.games.games, limits, jobs, player: &player };
        Lineage::evolve(plan.clone(), args.breed.generations(PAPER), &mut units, &habitat, stop)?
    };
    let best = with_weights(&setup, &genome.settings(&lineage.best_values()));
    let generations = lineage.generations.len() - 1;
    let description = format!("{} with weights coevolved for {generations} generations", setup.name);
    let profile = tunables::to_profile(&*hosted::<G>(), &description, &args.profile, &best);
    let title = format!("Evaluations of {} against each other", G::TITLE);
    let words = format!("{} games a pair in each of {generations} generations.", args.games.games);
    lineage.keep(&profile, &args.output, units.run(), &title, &words, out)?;
    report(args, &lineage, out)?;
    lineage.end()
}

/// The population is that of the paper, unless more are named to begin with.
fn breeder(args: &Arguments) -> Result<Breeder> {
    let named = args.from.len();
    let population = PAPER.population.max(u16::try_from(named).unwrap_or(u16::MAX));
    let breeder = args.breed.breeder(Defaults { population, ..PAPER })?;
    match named > breeder.population {
        true => Err(Failure::input(format!("--from names {named}, but the population is {}", breeder.population))),
        false => Ok(breeder),
    }
}

/// The organisms that are nearest to what the profiles say.
fn ancestors<G: Playable>(args: &Arguments, genome: &Genome) -> Result<Vec<Chromosome>> {
    let ancestor = |profile: &String| {
        let weights = setup_of_profile::<G>(profile, &Default::default())?.weights.values();
        Ok(Chromosome::encode(&genome.values_of(&weights), genome.genes()))
    };
    args.from.iter().map(ancestor).collect()
}

/// Five seconds for a player and game, unless the arguments say otherwise.
fn limits(args: &Arguments) -> Result<Limits> {
    let usual = TimeControl { moves: None, base: Duration::from_secs(5), increment: Duration::ZERO };
    args.limits.once(Limits { clock: Some(Clock::new(usual)), ..Limits::default() })
}

fn with_weights(setup: &Setup, weights: &[i32]) -> Setup {
    let mut setup = setup.clone();
    setup.weights.set_values(weights);
    setup
}

fn report(args: &Arguments, lineage: &Lineage, out: &mut dyn Write) -> Result {
    if args.data.csv {
        return write_csv(out, lineage.curve());
    }
    if args.data.json {
        let results = joined(json!({"game": args.game, "profile": args.output}), lineage.to_json());
        return document::write(out, COMMAND, Some(args.breed.seed), results);
    }
    write!(out, "{}", lineage.sheet().show(&Format::default()))?;
    Ok(writeln!(out, "\nthe evaluation is in {}", args.output.display())?)
}
