//! `plywise learn loop`: generations of networks. Each plays games, the next is trained on them, and reigns if it wins.

use crate::arguments::{self, ResourceArgs};
use crate::commands::forge::data as forge;
use crate::commands::learn::net;
use crate::commands::matches::{self, openings};
use crate::engine::setup_for;
use crate::games;
use crate::jobs::Place;
use crate::network::NOTHING;
use crate::players::DEFAULT_HASH;
use crate::plots::{Curve, Plot};
use crate::run_summary::{self, RunSummary};
use crate::runs::{RunArgs, digest_input};
use crate::table::{DataArgs, Sheet, write_csv};
use crate::{Failure, Result, document, files};
use clap::{Args, ValueEnum};
use plywise_arena::matches::{MatchOutcome, PlayMatch};
use plywise_arena::statistics::{EloModel, Sprt};
use plywise_host::{AnyGame, WrittenSetup};
use plywise_learn::{
    Filter, ForgeData, Generation, LearnLoop, LearnNetwork, LearnableGame, LearnedNetwork, Parts, Settings,
};
use plywise_net::Role;
use plywise_run::{Job, JobError};
use plywise_search::{Limits, Signal};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Let networks learn from their own games, generation after generation
///
/// The reigning player plays games against itself, a network is trained on the last generations of games, and the two play
/// a match: the winner reigns. Every part is kept in the run directory, and the same command resumes there.
/// The run directories of the parts lie within.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise learn loop loa --from nothing --generations 8 --run runs/loop -o loa.net")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// How many generations
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub generations: u32,
    /// Who plays first: a player without any evaluation, or one with that of the profile
    #[arg(long, value_name = "nothing|profile", default_value = "profile")]
    pub from: From,
    /// Games of each generation
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    pub games: u64,
    /// Nodes for each move of these games and of the matches
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// A file of openings, EPD or PGN, from which the games and the matches begin: one for each two games of a match, or games
    /// repeat [default: the start of the game]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Random plies before each game; with --openings the matches have none
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub random_plies: u16,
    /// How many generations of games a network is trained on, the last ones
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub window: u32,
    /// The width of the networks
    #[arg(long, value_name = "N", default_value_t = 32)]
    pub width: usize,
    /// How many times to go through the games
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
    /// The weight of the game results against the scores, from 0 (scores only) to 1 (results only)
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub result_share: f64,
    /// Train networks that are added to the linear evaluation, instead of taking its place
    #[arg(long)]
    pub add: bool,
    /// The most games of each match
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub match_games: u64,
    /// What a match decides between, in Elo
    #[arg(long, value_name = "E0,E1", default_value = "0,20", allow_hyphen_values = true)]
    pub sprt: String,
    /// The search profile of all players
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub profile: String,
    /// How many games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the network that reigns at the end
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// The player before the first generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    /// No evaluation: every position is worth 0
    Nothing,
    /// The evaluation of the profile
    Profile,
}

/// The scale of networks that begin with nothing: no evaluation says what a point is worth, and a hundred of them are a
/// clear advantage.
const SCALE_FROM_NOTHING: f64 = 150.0;

/// Goes through the generations that are left.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if args.run.run.is_none() {
        return Err(Failure::input("a loop needs --run: what its generations make is kept there"));
    }
    let job = args.job(&**game)?;
    files::check_writable(&args.output)?;
    let parts = Here { game, args, stop };
    let mut shown = Ok(());
    let mut each = |done: &[Generation]| {
        let Some(last) = done.last().filter(|_| shown.is_ok()) else { return };
        shown = if args.data.is_text() { tell(last, out) } else { Ok(()) }.and_then(|()| draw(&args.run, done));
    };
    let learned = job.run_with(game, &args.run.workplace(args.jobs.into(), &[], stop), &parts, &mut each)?;
    shown?;
    let Some(reigning) = &learned.reigning else {
        return Err(Failure::input("no generation has won its match, so there is no network to write"));
    };
    let bytes = files::read(reigning)?;
    plywise_run::files::write_whole(&args.output, &bytes)
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", args.output.display())))?;
    report(args, &learned.generations, out)
}

impl Arguments {
    fn job(&self, game: &dyn LearnableGame) -> Result<LearnLoop> {
        let network = (self.from == From::Nothing).then(|| NOTHING.to_owned());
        let resources = ResourceArgs { network, hash: DEFAULT_HASH, ..ResourceArgs::default() };
        let player = setup_for(game, &self.profile, &resources)?;
        let openings = self.openings.as_deref().map(|file| openings::lines(game, file)).transpose()?;
        Ok(LearnLoop {
            game: game.name().to_owned(),
            generations: self.generations,
            player: WrittenSetup::of(game, &player),
            limits: Limits::nodes(self.nodes),
            games: self.games,
            openings: openings.unwrap_or_default(),
            random_plies: self.random_plies,
            balance: forge::default_balance(),
            longest: forge::LONGEST as usize,
            rules: forge::default_rules(),
            window: self.window,
            settings: Settings {
                width: self.width,
                role: if self.add { Role::Add } else { Role::Replace },
                epochs: self.epochs,
                batch: net::BATCH,
                rate: net::RATE,
                result_share: self.result_share,
                ..Settings::default()
            },
            scale: (self.from == From::Nothing).then_some(SCALE_FROM_NOTHING),
            filter: Filter::default(),
            validation: net::VALIDATION,
            patience: net::PATIENCE,
            match_games: self.match_games,
            sprt: sprt(&self.sprt)?,
            seed: self.seed,
        })
    }
}

/// The parts of a generation, with the workers of the arguments.
struct Here<'a> {
    game: &'a Arc<dyn LearnableGame>,
    args: &'a Arguments,
    stop: &'a Signal,
}

impl Parts for Here<'_> {
    fn forge_data(&self, folder: &str, job: &ForgeData) -> Result<Vec<Vec<u8>>, JobError> {
        let run = self.args.run.within(folder);
        Ok(forge::play(job, self.game, &Place::new(&run, self.args.jobs.into(), self.stop))?)
    }

    /// Training is one piece of work, so it stays here; the result is the same on any number of threads.
    fn learn_network(&self, folder: &str, job: &LearnNetwork) -> Result<LearnedNetwork, JobError> {
        let run = self.args.run.within(folder);
        Ok(net::train(job, self.game, &run, arguments::jobs(None, 1), self.stop)?)
    }

    fn play_match(&self, folder: &str, job: &PlayMatch) -> Result<MatchOutcome, JobError> {
        let (run, game) = (self.args.run.within(folder), self.game.clone() as Arc<dyn AnyGame>);
        Ok(matches::play(job, &game, &Place::new(&run, self.args.jobs.into(), self.stop))?)
    }
}

/// The sequential test of a match: what it decides between, as two differences in Elo.
fn sprt(text: &str) -> Result<Sprt> {
    let bounds = text.split_once(',').and_then(|(e0, e1)| Some((e0.trim().parse().ok()?, e1.trim().parse().ok()?)));
    let (elo0, elo1) = bounds.ok_or_else(|| Failure::input("--sprt takes two Elo differences, such as --sprt 0,20"))?;
    Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Normalised).map_err(Failure::input)
}

fn tell(generation: &Generation, out: &mut dyn Write) -> Result {
    let error = show_error(generation);
    let Generation { generation, positions, validation_loss, games, score, elo, accepted, rating, .. } = generation;
    let verdict = if *accepted { "reigns" } else { "is discarded" };
    let percent = 100.0 * score;
    Ok(writeln!(
        out,
        "generation {generation}: {positions} positions, loss {validation_loss:.5}; {percent:.1} % of {games} games \
         ({elo:+.0} ± {error}): it {verdict}; rating {rating:+.0}"
    )?)
}

/// The error of its Elo; a match without a single point for one side has none.
fn show_error(generation: &Generation) -> String {
    generation.elo_error.map_or_else(|| "–".into(), |error| format!("{error:.0}"))
}

fn plots(done: &[Generation]) -> Vec<Plot> {
    let curve = |name: &str, value: fn(&Generation) -> f64| Curve {
        name: name.into(),
        points: done.iter().map(|generation| (f64::from(generation.generation), value(generation))).collect(),
        band: Vec::new(),
    };
    let against_last = Curve {
        band: done.iter().map(|generation| generation.elo_error.unwrap_or_default()).collect(),
        ..curve("against who reigned", |generation| generation.elo)
    };
    vec![
        Plot::new("generation", "Elo", vec![curve("who reigns", |generation| generation.rating), against_last]),
        Plot::new(
            "generation",
            "loss",
            vec![
                curve("training", |generation| generation.training_loss),
                curve("validation", |generation| generation.validation_loss),
            ],
        ),
        Plot::new("generation", "positions", vec![curve("trained on", |generation| generation.positions as f64)]),
    ]
}

fn draw(run: &RunArgs, done: &[Generation]) -> Result {
    for (name, plot) in ["elo.svg", "losses.svg", "positions.svg"].iter().zip(plots(done)) {
        run.derive(name, &plot.to_svg()?)?;
    }
    Ok(())
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, done) = run_summary::read::<Value, Generation>(path)?;
    let mut sheet =
        Sheet::new(&["generation", "positions", "loss", "games", "score", "Elo", "±", "reigns", "rating"], &[7]);
    for generation in &done {
        sheet.add(vec![
            generation.generation.to_string(),
            generation.positions.to_string(),
            format!("{:.5}", generation.validation_loss),
            generation.games.to_string(),
            format!("{:.1} %", 100.0 * generation.score),
            format!("{:+.0}", generation.elo),
            show_error(generation),
            if generation.accepted { "yes" } else { "no" }.to_string(),
            format!("{:+.0}", generation.rating),
        ]);
    }
    Ok(RunSummary { plots: plots(&done), sheets: vec![("Generations", sheet)], ..RunSummary::default() })
}

fn report(args: &Arguments, done: &[Generation], out: &mut dyn Write) -> Result {
    let rows: Vec<Value> = done.iter().map(|generation| json!(generation)).collect();
    if args.data.csv {
        return write_csv(out, rows);
    }
    let digest = digest_input(&args.output)?;
    if args.data.json {
        let results = json!({"game": args.game, "generations": rows, "file": args.output, "digest": digest});
        return document::write(out, LearnLoop::NAME, Some(args.seed), results);
    }
    let rating = done.last().map_or(0.0, |last| last.rating);
    Ok(writeln!(out, "{} generations, {rating:+.0} Elo above the beginning: {}", done.len(), args.output.display())?)
}
