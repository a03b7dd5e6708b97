//! `plywise learn spsa`: parameters of a player, from games against itself.

use super::tunables;
use crate::arguments::LimitArgs;
use crate::commands::matches::openings::OpeningArgs;
use crate::document::{self, describe};
use crate::engine::{load_profile, setup_for};
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::players::{PLAYER_HELP, PlayerSpec};
use crate::plots::{Curve, Plot};
use crate::progress::JobMeter;
use crate::run_summary::{self, RunSummary};
use crate::runs::RunArgs;
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::statistics::{Elo, Pentanomial, Wdl};
use plywise_arena::{Entrant, Who, openings};
use plywise_host::AnyGame;
use plywise_learn::LearnableGame;
use plywise_learn::control::Tunable;
use plywise_learn::evolution::Games;
use plywise_learn::spsa::{Confirmation, Gains};
use plywise_learn::tuning::{Event, Iterated, LearnSpsa, LearnedSpsa};
use plywise_run::Job;
use plywise_search::{Limits, Signal};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Tune parameters of a player, or options of an engine, by games against itself (SPSA)
///
/// In each iteration two players meet in pairs of games, with all parameters moved at random, one way for one of them and
/// the other way for the other; what the games come to moves the parameters. The gains fall as Spall advises (1998). Then
/// a mirrored run of the same length begins on the other side of the start: what makes the player stronger moves the
/// same way again, chance does not. Parameters that both runs agree about move to the middle between the two ends, the
/// others stay where they were. --check-games plays the parameters against those of the beginning now and then, which
/// gives a curve of Elo.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP.as_str())]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Who is tuned
    #[arg(long, value_name = "PLAYER", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub player: PlayerSpec,
    /// The parameters of a profile: GROUP.NAME, or GROUP.NAME:STEP
    #[arg(
        long,
        value_name = "NAME[:STEP],…",
        value_delimiter = ',',
        required_unless_present = "options",
        conflicts_with = "options"
    )]
    pub tune: Vec<String>,
    /// A file that names the options of an engine, with ranges and steps: plywise-engine.toml, whose engine is built and
    /// tuned unless --player names another
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,
    /// The number of iterations; the mirrored run takes as many again
    #[arg(long, value_name = "N", default_value_t = 2300, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub pairs: u64,
    /// How much of its step a parameter moves for a won game, at the end
    #[arg(long, value_name = "X", default_value_t = Gains::RATE, value_parser = tunables::parse_rate)]
    pub rate: f64,
    /// Leave the mirrored run out, and take what one run learned
    #[arg(long)]
    pub once: bool,
    /// Games against the beginning at each tenth of the way; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub check_games: u64,
    /// A game is a draw after this many moves of each player
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// How many games to play at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The profile to write; with --options, the options with what was learned as their start
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub openings: OpeningArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{PLAYER_HELP}
Examples:
  plywise learn spsa chess --tune null_move.reduction,aspiration.window:5 --iterations 500 --nodes 5000 --run runs/spsa -o tuned.toml
  plywise learn spsa chess --player uci:stockfish --options options.toml --iterations 500 --tc 2+0.02 -o tuned-options.toml
  plywise learn spsa chess --options plywise-engine.toml --iterations 500 --nodes 5000 -o tuned-engine.toml"
    )
});

/// The nodes for a move, if no limit is given: results do not depend on how busy the machine is.
const USUAL_NODES: u64 = 5000;

/// Tunes as the arguments say.
pub fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let mut options = args.options.as_deref().map(tunables::OptionFile::read).transpose()?;
    let job = job(&**game, args, options.as_mut(), stop)?;
    // Two players, each with a table of its own.
    check_tables(2 * job.player.hash().max(1), usize::from(args.jobs))?;
    let programs: Vec<PathBuf> = job.player.engine().map(|engine| PathBuf::from(&engine.program)).into_iter().collect();
    let meter = JobMeter::default();
    let place = Place { programs: &programs, ..Place::new(&args.run, args.jobs.into(), stop) };
    let outcome = place.run(&job, game, &|event| match event {
        Event::Begun { left } => meter.begin(left, "iterations"),
        Event::Iterated => meter.advance(),
    });
    meter.finish();
    let learned = outcome?;
    finish(&**game, args, options.as_ref(), &job, &learned, out)?;
    match learned.fault {
        None => Ok(()),
        Some(fault) => Err(Failure::Failed(format!("{fault}; what was learned until then is kept"))),
    }
}

/// Tuning as a job.
pub(crate) fn job(
    game: &dyn AnyGame,
    args: &Arguments,
    options: Option<&mut tunables::OptionFile>,
    stop: &Signal,
) -> Result<LearnSpsa> {
    let limits = args.limits.once(Limits::nodes(USUAL_NODES))?;
    let (player, tunables) = match options {
        Some(options) => (tuned_engine(game, args, options, limits, stop)?, options.tunables.clone()),
        None => (args.player.read(game, Some(limits))?, tunables(game, args)?),
    };
    let openings = args.openings.read(game)?.iter().map(openings::write).collect();
    Ok(LearnSpsa {
        game: args.game.clone(),
        player,
        tunables,
        gains: Gains::new(args.iterations, args.rate),
        mirrored: !args.once,
        games: Games { count: 2 * args.pairs, max_moves: args.max_moves, openings },
        check_games: args.check_games,
        seed: args.seed,
    })
}

/// The engine whose options are tuned: the one of --player, otherwise that of the file.
fn tuned_engine(
    game: &dyn AnyGame,
    args: &Arguments,
    options: &mut tunables::OptionFile,
    limits: Limits,
    stop: &Signal,
) -> Result<Entrant> {
    if args.player.profile().is_none() {
        let mut player = args.player.read(game, Some(limits))?;
        player.engine_mut().into_iter().for_each(|engine| engine.options.splice(..0, options.fixed()).for_each(drop));
        return Ok(player);
    }
    let engine = options.engine(&args.output, stop)?.ok_or_else(|| {
        Failure::input("--options needs an engine: --player uci:COMMAND, or [engine] in the file of options")
    })?;
    Ok(Entrant { who: Who::Engine(engine), limits })
}

fn tunables(game: &dyn AnyGame, args: &Arguments) -> Result<Vec<Tunable>> {
    let Some(profile) = args.player.profile() else {
        return Err(Failure::input(
            "--tune names parameters of a profile; the options of an engine come from --options",
        ));
    };
    let params = load_profile(game, profile)?.params(game.profiled())?;
    args.tune
        .iter()
        .map(|text| {
            let (path, step) = text.split_once(':').map_or((text.as_str(), None), |(path, step)| (path, Some(step)));
            let mut tunable = tunables::of_parameter(&params, path)?;
            if let Some(step) = step {
                let number = step.parse().ok().filter(|step| *step > 0.0 && *step <= tunable.max - tunable.min);
                tunable.step = number.ok_or_else(|| Failure::input(format!("'{step}' is no step for {path}")))?;
            }
            Ok(tunable)
        })
        .collect()
}

/// Writes what was learned: the profile, what a run directory shows, and a summary to `out`.
pub(crate) fn finish(
    game: &dyn AnyGame,
    args: &Arguments,
    options: Option<&tunables::OptionFile>,
    job: &LearnSpsa,
    learned: &LearnedSpsa,
    out: &mut dyn Write,
) -> Result {
    let text = match options {
        Some(options) => options.with(&learned.learned)?,
        None => profile(game, args, job, learned)?,
    };
    files::write(&args.output, &text, out)?;
    if args.run.run.is_some() {
        write_derived(game, args, job, learned)?;
    }
    let finished = &learned.iterations;
    if args.data.csv {
        return write_csv(out, finished.iter().map(describe));
    }
    if args.data.json {
        return document::write(out, LearnSpsa::NAME, Some(args.seed), to_json(args, options, job, learned));
    }
    let games: u64 = finished.iter().flat_map(|each| each.games).sum();
    writeln!(out, "{} iterations, {games} games", finished.len())?;
    write!(out, "{}", outcome_sheet(job, learned).show(&Format::default()))?;
    for (iteration, [wins, draws, losses]) in checks(finished) {
        writeln!(out, "after {} iterations against the beginning: +{wins} ={draws} -{losses}", iteration + 1)?;
    }
    writeln!(out, "the parameters are in {}", args.output.display())?;
    options.map_or(Ok(()), |options| options.tell(&learned.learned, out))
}

fn profile(game: &dyn AnyGame, args: &Arguments, job: &LearnSpsa, learned: &LearnedSpsa) -> Result<String> {
    let name = args.player.profile().unwrap_or_default();
    let mut setup = setup_for(game, name, &Default::default())?;
    job.apply(&learned.learned, &mut setup.params)?;
    let description = format!("{} tuned by {} iterations of SPSA", setup.name, learned.iterations.len());
    Ok(tunables::to_profile(game, &description, name, &setup))
}

fn write_derived(game: &dyn AnyGame, args: &Arguments, job: &LearnSpsa, learned: &LearnedSpsa) -> Result {
    let finished = &learned.iterations;
    let mut report = format!("# SPSA in {}: {} iterations\n\n", game.title(), finished.len());
    let format = Format { markdown: true, ..Format::default() };
    report += &outcome_sheet(job, learned).show(&format);
    for plot in plots(&job.tunables, &job.gains, finished) {
        let file = format!("{}.svg", plot.upwards.replace(|c: char| !c.is_alphanumeric(), "-"));
        args.run.derive(&file, &plot.to_svg()?)?;
        let _ = write!(report, "\n![{}]({file})\n", plot.upwards);
    }
    if checks(finished).next().is_some() {
        args.run.derive("elo.svg", &elo_plot(finished).to_svg()?)?;
        report += "\n![Elo against the beginning](elo.svg)\n";
    }
    args.run.derive("report.md", &report)
}

fn to_json(args: &Arguments, options: Option<&tunables::OptionFile>, job: &LearnSpsa, learned: &LearnedSpsa) -> Value {
    let names: Vec<&str> = job.tunables.iter().map(|tunable| tunable.name.as_str()).collect();
    let own = json!({
        "game": args.game,
        "names": names,
        "start": job.tunables.iter().map(|tunable| tunable.start).collect::<Vec<_>>(),
        "iterations": learned.iterations,
        "learned": learned.learned,
        "drifts": learned.drifts.iter().map(|drift| drift.deviations()).collect::<Vec<_>>(),
        "confirmations": learned.confirmations,
        "file": args.output,
    });
    options.map_or(own.clone(), |options| document::joined(own, options.to_json(&learned.learned)))
}

/// Where the parameters began and where they are, and what else there is to say of each.
fn sheet(tunables: &[Tunable], learned: &[f64], more: &[(&str, Vec<String>)]) -> Sheet {
    let columns = ["parameter", "from", "to", "written as"].into_iter().chain(more.iter().map(|(name, _)| *name));
    let mut sheet = Sheet::new(&columns.collect::<Vec<_>>(), &[0]);
    for (i, (tunable, &value)) in tunables.iter().zip(learned).enumerate() {
        let name = tunable.name.clone();
        let mut cells = vec![name, tunable.text(tunable.start), format!("{value:.2}"), tunable.text(value)];
        cells.extend(more.iter().map(|(_, texts)| texts[i].clone()));
        sheet.add(cells);
    }
    sheet
}

/// The same with what speaks for each drift: by how many standard deviations each run moved the parameter.
fn outcome_sheet(job: &LearnSpsa, learned: &LearnedSpsa) -> Sheet {
    let deviations = |of: f64| format!("{of:+.1}");
    let drifts = learned.drifts.iter().map(|drift| deviations(drift.deviations())).collect();
    let mut more = vec![("drift/noise", drifts)];
    if let Some(confirmations) = &learned.confirmations {
        more.push(("mirrored", confirmations.iter().map(|each| deviations(each.mirrored)).collect()));
        let verdict = |each: &Confirmation| if each.is_real { "moved" } else { "kept: chance" }.to_string();
        more.push(("verdict", confirmations.iter().map(verdict).collect()));
    }
    sheet(&job.tunables, &learned.learned, &more)
}

/// The way of each parameter, with the steps that were tried on either side.
fn plots(tunables: &[Tunable], gains: &Gains, finished: &[Iterated]) -> Vec<Plot> {
    let plot = |(i, tunable): (usize, &Tunable)| {
        let values = std::iter::once(tunable.start).chain(finished.iter().map(|each| each.values[i]));
        let spread = |k| tunable.step * gains.spread(k % gains.iterations.max(1));
        let band = (0..=finished.len() as u64).map(spread).collect();
        Plot::new("iteration", &tunable.name, vec![Curve { band, ..Curve::new(&tunable.name, values) }])
    };
    tunables.iter().enumerate().map(plot).collect()
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    #[derive(Deserialize)]
    struct SpsaManifest {
        tunables: Vec<Tunable>,
        gains: Gains,
    }
    let (SpsaManifest { tunables, gains }, _, finished) = run_summary::read::<SpsaManifest, Iterated>(path)?;
    if finished.iter().any(|each| each.values.len() != tunables.len()) {
        return Err(Failure::input(format!("there are {} parameters in '{}'", tunables.len(), path.display())));
    }
    let mut plots = plots(&tunables, &gains, &finished);
    if checks(&finished).next().is_some() {
        plots.insert(0, elo_plot(&finished));
    }
    let learned = finished.last().map(|last| ("Parameters", sheet(&tunables, &last.values, &[])));
    let games: u64 = finished.iter().flat_map(|each| each.games).sum();
    let facts = vec![("Games played".into(), games.to_string())];
    Ok(RunSummary { facts, plots, sheets: learned.into_iter().collect(), ..RunSummary::default() })
}

/// The games against the beginning.
fn checks(finished: &[Iterated]) -> impl Iterator<Item = (usize, [u64; 3])> {
    finished.iter().enumerate().filter_map(|(i, each)| Some((i, each.check?)))
}

/// Elo against the beginning with its error, where the games tell one.
fn elo_plot(finished: &[Iterated]) -> Plot {
    let mut curve = Curve::new("Elo", [0.0]);
    curve.band.push(0.0);
    for (iteration, [wins, draws, losses]) in checks(finished) {
        // The openings of these games are shuffled, and their pairs are not told apart.
        if let Some(elo) = Elo::of(&Wdl { wins, draws, losses }, &Pentanomial::default()) {
            curve.points.push(((iteration + 1) as f64, elo.difference));
            curve.band.push(elo.error);
        }
    }
    Plot::new("iteration", "Elo against the beginning", vec![curve])
}
