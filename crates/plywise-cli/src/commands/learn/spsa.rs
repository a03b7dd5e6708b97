//! `plywise learn spsa`: parameters of a player, from games against itself.

use super::tunables;
use crate::arguments::LimitArgs;
use crate::commands::duel::Duel;
use crate::commands::matches::{openings::OpeningArgs, write_opening};
use crate::document::{self, describe};
use crate::engine::{hosted, load_profile, setup_for};
use crate::games::{self, Playable};
use crate::players::{Entrant, PLAYER_HELP, PlayerSpec, check_memory};
use crate::plots::{Curve, Plot};
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, derive, fail};
use crate::shown::{self, Shown};
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::matches::Entry;
use plywise_arena::run::{Run, WorkError};
use plywise_arena::statistics::{Elo, Pentanomial, Wdl};
use plywise_game::parameters::Parameters;
use plywise_game::random;
use plywise_host::Hosted;
use plywise_host::{AnyGame, AnyPosition};
use plywise_learn::control::Tunable;
use plywise_learn::spsa::{Gains, Spsa};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// Tune parameters of a player, or options of an engine, by games against itself (SPSA)
///
/// In each iteration two players meet in pairs of games, with all parameters moved at random, one way for one of them and
/// the other way for the other; what the games come to moves the parameters. The gains fall as Spall advises (1998). Now
/// and then the parameters as they are play those of the beginning, which gives a curve of Elo.
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
    /// A file that names the options of an engine, with ranges and steps
    #[arg(long, value_name = "FILE")]
    pub options: Option<PathBuf>,
    /// The number of iterations
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub iterations: u64,
    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub pairs: u64,
    /// How much of its step a parameter moves for a won game, at the end
    #[arg(long, value_name = "X", default_value_t = 0.02, value_parser = tunables::parse_rate)]
    pub rate: f64,
    /// Games against the beginning at each tenth of the way; 0 for none
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub check_games: u64,
    /// A game is a draw after so many moves of each player
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

/// What documents and run directories call it.
const COMMAND: &str = "learn spsa";

static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{PLAYER_HELP}
Examples:
  plywise learn spsa chess --tune null_move.reduction,aspiration.window:5 --iterations 500 --nodes 5000 --run runs/spsa -o tuned.toml
  plywise learn spsa chess --player uci:stockfish --options options.toml --iterations 500 --tc 2+0.02 -o tuned-options.toml"
    )
});

/// One finished iteration: a line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Iterated {
    /// Wins, draws and losses of the first player.
    games: [u64; 3],
    /// The values afterwards.
    values: Vec<f64>,
    /// Wins, draws and losses of the values afterwards against those of the beginning, where they were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<[u64; 3]>,
}

/// Tunes as the arguments say.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let tunables = tunables::<G>(args)?;
    let game = hosted::<G>();
    let mut tuning = Tuning {
        args,
        openings: args.openings.read(&*game)?,
        game,
        spsa: Spsa::new(tunables, Gains::new(args.iterations, args.rate), args.seed),
        stop,
    };
    let beginning = tuning.entrants(&tuning.spsa.players(0))?;
    check_memory(&beginning, usize::from(args.jobs))?;
    let (mut run, mut finished) = tuning.open_run(&beginning)?;
    if (finished.len() as u64) < args.iterations {
        tuning.duel().contest(entries(&beginning), 1, 0).try_players(stop).map_err(Failure::input)?;
    }
    if let Some(last) = finished.last() {
        tuning.spsa.values.clone_from(&last.values);
    }
    let mut meter = Meter::new(args.iterations.saturating_sub(finished.len() as u64), "iterations");
    let mut fault = None;
    while (finished.len() as u64) < args.iterations {
        match tuning.iterate(finished.len() as u64) {
            Ok(Some(iterated)) => {
                run.as_mut().map_or(Ok(()), |run| run.append(&iterated)).map_err(|e| fail(WorkError::Journal(e)))?;
                finished.push(iterated);
            }
            Ok(None) => break,
            Err(failure) => {
                fault = Some(failure);
                break;
            }
        }
        meter.advance();
    }
    meter.finish();
    if finished.is_empty() {
        return Err(fault.unwrap_or(Failure::Interrupted));
    }
    tuning.finish(&finished, run.as_ref(), out)?;
    fault.map_or(Ok(()), |fault| Err(Failure::Failed(format!("{fault}; what was learned until then is kept"))))
}

fn tunables<G: Playable>(args: &Arguments) -> Result<Vec<Tunable>> {
    if let Some(file) = &args.options {
        return tunables::of_file(file);
    }
    let Some(profile) = args.player.profile() else {
        return Err(Failure::input(
            "--tune names parameters of a profile; the options of an engine come from --options",
        ));
    };
    let params = load_profile(&Hosted::<G>::new(), profile)?.params(G::NAME)?;
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

struct Tuning<'a> {
    args: &'a Arguments,
    game: Arc<dyn AnyGame>,
    openings: Vec<AnyPosition>,
    spsa: Spsa,
    stop: &'a Signal,
}

impl Tuning<'_> {
    /// Two players with these values.
    fn entrants(&self, values: &[Vec<f64>; 2]) -> Result<Vec<Entrant>> {
        let limits = self.args.limits.single()?;
        let kind = if self.args.options.is_some() { "option" } else { "set" };
        let entrant = |values: &Vec<f64>| {
            let settings = self.spsa.tunables.iter().zip(values).flat_map(|(tunable, &value)| {
                tunable.paths.iter().map(move |path| (format!("{kind}.{path}"), tunable.text(value)))
            });
            self.args.player.with(settings).entrant(&self.game, limits)
        };
        values.iter().map(entrant).collect()
    }

    fn duel(&self) -> Duel<'_> {
        let Arguments { max_moves, jobs, run, .. } = self.args;
        Duel {
            game: &*self.game,
            openings: &self.openings,
            max_moves: *max_moves,
            jobs: (*jobs).into(),
            place: run.place.clone(),
        }
    }

    fn open_run(&self, entrants: &[Entrant]) -> Result<(Option<Run>, Vec<Iterated>)> {
        let count = self.spsa.tunables.len();
        let work = json!({
            "command": COMMAND,
            "game": self.game.name(),
            "player": entrants[0].description,
            "tunables": self.spsa.tunables,
            "gains": self.spsa.gains,
            "pairs": self.args.pairs,
            "check_games": self.args.check_games,
            "openings": self.openings.iter().map(write_opening).collect::<Vec<_>>(),
            "max_moves": self.args.max_moves,
            "seed": self.args.seed,
        });
        let engines: Vec<PathBuf> = entrants[0].program.iter().cloned().collect();
        let is_whole = |iterated: &Iterated| match iterated.values.len() == count {
            true => Ok(()),
            false => Err(format!("there are {count} parameters")),
        };
        self.args.run.open(Work::new(work, self.args.iterations).by(&engines), &mut |iterated| is_whole(iterated))
    }

    /// Plays one iteration and follows it; nothing where it is interrupted.
    fn iterate(&mut self, iteration: u64) -> Result<Option<Iterated>> {
        let values = self.spsa.players(iteration);
        let Some(games) = self.play(&values, 2 * self.args.pairs, iteration)? else { return Ok(None) };
        let [wins, _, losses] = games;
        self.spsa.follow(iteration, wins as f64 - losses as f64);
        let mut check = None;
        if self.is_checked(iteration) {
            let start: Vec<f64> = self.spsa.tunables.iter().map(|tunable| tunable.start).collect();
            let values = [self.spsa.values.clone(), start];
            check = self.play(&values, self.args.check_games, u64::MAX - iteration)?;
            if check.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Iterated { games, values: self.spsa.values.clone(), check }))
    }

    fn is_checked(&self, iteration: u64) -> bool {
        let tenth = |iteration: u64| 10 * iteration / self.args.iterations;
        self.args.check_games > 0 && tenth(iteration + 1) > tenth(iteration)
    }

    /// Wins, draws and losses of the first.
    fn play(&self, values: &[Vec<f64>; 2], games: u64, seed: u64) -> Result<Option<[u64; 3]>> {
        let entrants = self.entrants(values)?;
        self.duel().play(entries(&entrants), games, random::number(self.args.seed, seed), self.stop)
    }

    fn finish(&self, finished: &[Iterated], run: Option<&Run>, out: &mut dyn Write) -> Result {
        let learned = &finished[finished.len() - 1].values;
        let text = match self.args.options {
            Some(_) => tunables::to_file(&self.spsa.tunables, learned)?,
            None => self.profile(finished.len(), learned)?,
        };
        files::write(&self.args.output, &text, out)?;
        if let Some(run) = run {
            self.write_derived(finished, run)?;
        }
        if self.args.data.csv {
            return write_csv(out, finished.iter().map(describe));
        }
        if self.args.data.json {
            return document::write(out, COMMAND, Some(self.args.seed), self.to_json(finished));
        }
        let games: u64 = finished.iter().flat_map(|each| each.games).sum();
        writeln!(out, "{} iterations, {games} games", finished.len())?;
        write!(out, "{}", sheet(&self.spsa.tunables, learned).show(&Format::default()))?;
        for (iteration, [wins, draws, losses]) in checks(finished) {
            writeln!(out, "after {} iterations against the beginning: +{wins} ={draws} -{losses}", iteration + 1)?;
        }
        Ok(writeln!(out, "the parameters are in {}", self.args.output.display())?)
    }

    fn profile(&self, iterations: usize, learned: &[f64]) -> Result<String> {
        let name = self.args.player.profile().unwrap_or_default();
        let mut setup = setup_for(&*self.game, name, &Default::default())?;
        for (tunable, &value) in self.spsa.tunables.iter().zip(learned) {
            tunable.paths.iter().try_for_each(|path| setup.params.set(path, &tunable.setting(value).to_string()))?;
        }
        let description = format!("{} tuned by {iterations} iterations of SPSA", setup.name);
        Ok(tunables::to_profile(&*self.game, &description, name, &setup))
    }

    fn write_derived(&self, finished: &[Iterated], run: &Run) -> Result {
        let mut report = format!("# SPSA in {}: {} iterations\n\n", self.game.title(), finished.len());
        let format = Format { markdown: true, ..Format::default() };
        report += &sheet(&self.spsa.tunables, &finished[finished.len() - 1].values).show(&format);
        for plot in plots(&self.spsa.tunables, &self.spsa.gains, finished) {
            let file = format!("{}.svg", plot.upwards.replace(|c: char| !c.is_alphanumeric(), "-"));
            derive(run, &file, &plot.to_svg()?)?;
            let _ = write!(report, "\n![{}]({file})\n", plot.upwards);
        }
        if checks(finished).next().is_some() {
            derive(run, "elo.svg", &elo_plot(finished).to_svg()?)?;
            report += "\n![Elo against the beginning](elo.svg)\n";
        }
        derive(run, "report.md", &report)
    }

    fn to_json(&self, finished: &[Iterated]) -> Value {
        let names: Vec<&str> = self.spsa.tunables.iter().map(|tunable| tunable.name.as_str()).collect();
        json!({
            "game": self.args.game,
            "names": names,
            "start": self.spsa.tunables.iter().map(|tunable| tunable.start).collect::<Vec<_>>(),
            "iterations": finished,
            "learned": finished.last().map(|last| &last.values),
            "file": self.args.output,
        })
    }
}

fn entries(entrants: &[Entrant]) -> Vec<Entry<'_>> {
    entrants.iter().map(|entrant| Entry { contender: &*entrant.contender, limits: entrant.limits }).collect()
}

/// Where the parameters began and where they are.
fn sheet(tunables: &[Tunable], learned: &[f64]) -> Sheet {
    let mut sheet = Sheet::new(&["parameter", "from", "to", "written as"], &[0]);
    for (tunable, &value) in tunables.iter().zip(learned) {
        let name = tunable.name.clone();
        sheet.add(vec![name, tunable.text(tunable.start), format!("{value:.2}"), tunable.text(value)]);
    }
    sheet
}

/// The way of each parameter, with the steps that were tried on either side.
fn plots(tunables: &[Tunable], gains: &Gains, finished: &[Iterated]) -> Vec<Plot> {
    let plot = |(i, tunable): (usize, &Tunable)| {
        let values = std::iter::once(tunable.start).chain(finished.iter().map(|each| each.values[i]));
        let band = (0..=finished.len() as u64).map(|k| tunable.step * gains.spread(k)).collect();
        Plot::new("iteration", &tunable.name, vec![Curve { band, ..Curve::new(&tunable.name, values) }])
    };
    tunables.iter().enumerate().map(plot).collect()
}

/// What a run directory of this command shows.
pub fn shown(path: &Path) -> Result<Shown> {
    #[derive(Deserialize)]
    struct Work {
        tunables: Vec<Tunable>,
        gains: Gains,
    }
    let (Work { tunables, gains }, _, finished) = shown::read::<Work, Iterated>(path)?;
    if finished.iter().any(|each| each.values.len() != tunables.len()) {
        return Err(Failure::input(format!("there are {} parameters in '{}'", tunables.len(), path.display())));
    }
    let mut plots = plots(&tunables, &gains, &finished);
    if checks(&finished).next().is_some() {
        plots.insert(0, elo_plot(&finished));
    }
    let learned = finished.last().map(|last| ("Parameters", sheet(&tunables, &last.values)));
    let games: u64 = finished.iter().flat_map(|each| each.games).sum();
    let facts = vec![("Games played".into(), games.to_string())];
    Ok(Shown { facts, plots, sheets: learned.into_iter().collect(), ..Shown::default() })
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
