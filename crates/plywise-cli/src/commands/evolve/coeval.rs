//! `plywise evolve coeval`: the weights of an evaluation, from games of evaluations against each other.

use super::BreedArgs;
use super::genes::GeneArgs;
use super::lineage::{self, EvolvedReport};
use super::tournament::GameArgs;
use crate::arguments::{LimitArgs, jobs};
use crate::commands::learn::tunables;
use crate::document::{self, joined};
use crate::engine::{Setup, require_weights, setup_for};
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::table::{DataArgs, Format, write_csv};
use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::Limits;
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::evolution::{
    Breeder, Breeding, Chromosome, EvolveCoeval, EvolvedCoeval, Genome, Lineage, Measure, Plan,
};
use plywise_run::Job;
use plywise_search::{Clock, Signal, TimeControl};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
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

/// Lets evaluations evolve as the arguments say.
pub fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    require_weights(&**game)?;
    files::check_writable(&args.output)?;
    let mut setup = setup_for(&**game, &args.profile, &Default::default())?;
    setup.hash = args.hash;
    // Weights evolve, so nothing may take their place.
    setup.network = None;
    let jobs = jobs(args.jobs, 1);
    check_tables(2 * setup.hash, jobs)?;
    let (job, meter) = (job(&**game, args, &setup)?, JobMeter::default());
    let outcome = Place::new(&args.run, jobs, stop).run(&job, game, &|event| lineage::show_progress(&meter, event));
    meter.finish();
    let EvolvedCoeval { lineage, weights } = outcome?;
    setup.weights.set_values(&weights);
    let generations = lineage.generations.len() - 1;
    let description = format!("{} with weights coevolved for {generations} generations", setup.name);
    let kept = EvolvedReport {
        text: &tunables::to_profile(&**game, &description, &args.profile, &setup),
        title: &format!("Evaluations of {} against each other", game.title()),
        words: &format!("{} games a pair in each of {generations} generations.", args.games.games),
    };
    lineage::keep(&lineage, &kept, &args.output, &args.run, out)?;
    report(args, &lineage, out)?;
    lineage::end(&lineage)
}

fn job(game: &dyn AnyGame, args: &Arguments, setup: &Setup) -> Result<EvolveCoeval> {
    let genome = args.genes.of_weights(game, &setup.weights)?;
    let mut plan = Plan::new(&genome, breeder(args)?, Measure::Games);
    plan.ancestors = ancestors(game, args, &genome)?;
    Ok(EvolveCoeval {
        game: args.game.clone(),
        plan,
        generations: args.breed.generations(Breeding::COEVAL),
        profile: args.profile.clone(),
        player: WrittenSetup::of(game, setup),
        limits: limits(args)?,
        games: args.games.read(game)?,
    })
}

/// The population is that of the paper, unless more are named to begin with.
fn breeder(args: &Arguments) -> Result<Breeder> {
    let named = args.from.len();
    let population = Breeding::COEVAL.population.max(u16::try_from(named).unwrap_or(u16::MAX));
    let breeder = args.breed.breeder(Breeding { population, ..Breeding::COEVAL })?;
    match named > breeder.population {
        true => Err(Failure::input(format!("--from names {named}, but the population is {}", breeder.population))),
        false => Ok(breeder),
    }
}

/// The organisms that are nearest to what the profiles say.
fn ancestors(game: &dyn AnyGame, args: &Arguments, genome: &Genome) -> Result<Vec<Chromosome>> {
    let ancestor = |profile: &String| {
        let weights = setup_for(game, profile, &Default::default())?.weights.values();
        Ok(Chromosome::encode(&genome.values_of(&weights), genome.genes()))
    };
    args.from.iter().map(ancestor).collect()
}

/// Five seconds for a player and game, unless the arguments say otherwise.
fn limits(args: &Arguments) -> Result<Limits> {
    let usual = TimeControl { moves: None, base: Duration::from_secs(5), increment: Duration::ZERO };
    args.limits.once(Limits { clock: Some(Clock::new(usual)), ..Limits::default() })
}

fn report(args: &Arguments, lineage: &Lineage, out: &mut dyn Write) -> Result {
    if args.data.csv {
        return write_csv(out, lineage::curve(lineage));
    }
    if args.data.json {
        let results = joined(json!({"game": args.game, "profile": args.output}), lineage::to_json(lineage));
        return document::write(out, EvolveCoeval::NAME, Some(args.breed.seed), results);
    }
    write!(out, "{}", lineage::sheet(lineage).show(&Format::default()))?;
    Ok(writeln!(out, "\nthe evaluation is in {}", args.output.display())?)
}
