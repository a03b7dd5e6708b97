//! `plywise evolve eval`: the weights of an evaluation, from the moves of winners or from a mentor's scores.

use super::BreedArgs;
use super::genes::GeneArgs;
use super::lineage::{self, EvolvedReport};
use crate::arguments::jobs;
use crate::commands::learn::tunables;
use crate::document::joined;
use crate::engine::{Setup, require_weights, setup_for};
use crate::games;
use crate::memory::check_tables;
use crate::players::PlayerSpec;
use crate::progress::JobMeter;
use crate::runs::RunArgs;
use crate::table::{DataArgs, Format, write_csv};
use crate::{Failure, Result, document, files, recorded};
use clap::Args;
use plywise_arena::Entrant;
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::evolution::{Breeding, EvolveEval, EvolvedEval, Measure, Plan, Rates};
use plywise_learn::imitation::{self, Sample, Sampler};
use plywise_run::Job;
use plywise_search::{Limits, Signal};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

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
    /// Only games that this player won: a part of the name as the games have it
    #[arg(long, value_name = "NAME")]
    pub winner: Option<String>,
    /// Test on games that this other player won
    #[arg(long, value_name = "NAME", requires = "winner")]
    pub test_winner: Option<String>,
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

/// Lets weights evolve as the arguments say.
pub fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    require_weights(&**game)?;
    files::check_writable(&args.output)?;
    // Weights evolve, so nothing may take their place.
    let setup = Setup { network: None, ..setup_for(&**game, &args.profile, &Default::default())? };
    let job = job(&**game, args, &setup)?;
    let programs: Vec<PathBuf> =
        job.mentor.iter().filter_map(Entrant::engine).map(|engine| PathBuf::from(&engine.program)).collect();
    let (workplace, meter) = (args.run.workplace(jobs(args.jobs, 1), &programs, stop), JobMeter::default());
    let outcome = job.run(game, &workplace, &|event| lineage::show_progress(&meter, event));
    meter.finish();
    let EvolvedEval { lineage, weights, rates } = outcome?;
    let weights = if args.scaled { job.scaled(&**game, &weights)? } else { weights };
    let teacher = if job.mentor.is_some() { "the scores of a mentor" } else { "the moves of winners" };
    let kept = EvolvedReport {
        text: &profile_text(&**game, args, &setup, &weights, &rates),
        title: &format!("An evaluation for {} from {teacher}", game.title()),
        words: &words(&rates),
    };
    lineage::keep(&lineage, &kept, &args.output, &args.run, out)?;
    if args.data.csv {
        return write_csv(out, lineage::curve(&lineage));
    }
    if args.data.json {
        let results = joined(to_json(&**game, args, &rates), lineage::to_json(&lineage));
        return document::write(out, EvolveEval::NAME, Some(args.breed.seed), results);
    }
    write!(out, "{}\n{}\n", lineage::sheet(&lineage).show(&Format::default()), words(&rates))?;
    Ok(writeln!(out, "the evaluation is in {}", args.output.display())?)
}

fn job(game: &dyn AnyGame, args: &Arguments, setup: &Setup) -> Result<EvolveEval> {
    let genome = args.genes.of_weights(game, &setup.weights)?;
    let mentor = mentor(game, args)?;
    let measure = match mentor {
        Some(_) => Measure::Mentor,
        None => Measure::Moves { positions: args.positions as usize / 2 },
    };
    Ok(EvolveEval {
        game: args.game.clone(),
        plan: Plan::new(&genome, args.breed.breeder(Breeding::EVAL)?, measure),
        generations: args.breed.generations(Breeding::EVAL),
        profile: args.profile.clone(),
        player: WrittenSetup::of(game, setup),
        mentor,
        samples: Sample::write_all(&samples(game, args)?),
        seed: args.sample,
        quiescence_plies: if args.no_quiescence { 0 } else { args.quiescence_plies },
    })
}

/// The mentor, if there is one.
fn mentor(game: &dyn AnyGame, args: &Arguments) -> Result<Option<Entrant>> {
    let Some(mentor) = &args.mentor else { return Ok(None) };
    let entrant = mentor.read(game, Some(Limits::depth(args.mentor_depth)))?;
    check_tables(entrant.hash().max(1), jobs(args.jobs, 1))?;
    Ok(Some(entrant))
}

/// The positions, in random order: first those to learn from, then those to test on.
fn samples(game: &dyn AnyGame, args: &Arguments) -> Result<Vec<Sample>> {
    let Some(other) = &args.test_winner else { return won_by(game, args, args.winner.as_ref()) };
    let half = args.positions as usize / 2;
    let (mut samples, tested) = (won_by(game, args, args.winner.as_ref())?, won_by(game, args, Some(other))?);
    samples.truncate(half);
    samples.extend(tested.into_iter().skip(half));
    Ok(samples)
}

/// Positions of games that anybody won, or that one player did.
fn won_by(game: &dyn AnyGame, args: &Arguments, winner: Option<&String>) -> Result<Vec<Sample>> {
    let mut sampler = Sampler::new(args.positions as usize, args.sample);
    let taken = imitation::Selection { rating: args.rating, winner: winner.cloned() };
    let read = recorded::read_records(game, &args.pgn, u64::MAX, |_, record| {
        if taken.admits(&record) {
            sampler.show(&record);
        }
        Ok(())
    })?;
    let samples = sampler.finish();
    let who = winner.map_or_else(|| "somebody".to_owned(), |name| format!("'{name}'"));
    match samples.len() {
        0 => Err(Failure::input(format!(
            "none of the {} games can be used: {who} must have won, and both players be rated {} or more",
            read.games,
            taken.least()
        ))),
        count if count < args.positions as usize => Err(Failure::input(format!(
            "only {count} of the {} games can be used, one position each, but --positions is {}",
            read.games, args.positions
        ))),
        _ => Ok(samples),
    }
}

fn words(rates: &Rates) -> String {
    let [train, test, error] = [rates.train, rates.test, rates.error()].map(|share| 100.0 * share);
    let found = format!("{train:.1} % of the moves in the training half, and {test:.1} ± {error:.1} % in the other");
    match rates.difference {
        None => format!("The best organism finds {found}."),
        Some(points) => {
            format!("The best organism is {points:.1} points from the mentor on the test half; it finds {found}.")
        }
    }
}

fn profile_text(game: &dyn AnyGame, args: &Arguments, setup: &Setup, weights: &[i32], rates: &Rates) -> String {
    let mut setup = setup.clone();
    setup.weights.set_values(weights);
    let description = format!(
        "{} with weights evolved from {} positions ({}, seed {}); it finds {:.1} % of the moves of others",
        setup.name,
        args.positions / 2,
        args.genes.name(game),
        args.breed.seed,
        100.0 * rates.test
    );
    tunables::to_profile(game, &description, &args.profile, &setup)
}

fn to_json(game: &dyn AnyGame, args: &Arguments, rates: &Rates) -> Value {
    json!({
        "game": args.game,
        "preset": args.genes.name(game),
        "positions": args.positions,
        "train_rate": rates.train,
        "test_rate": rates.test,
        "test_error": rates.error(),
        "test_difference": rates.difference,
        "tree_nodes": rates.nodes,
        "profile": args.output,
    })
}
