//! `plywise match`: players against each other, with honest statistics.

mod knockout;
pub(crate) mod live;
pub(crate) mod openings;
pub(crate) mod output;
mod rules;

use crate::arguments::{self, LimitArgs};
use crate::commands::stats::SprtArgs;
use crate::games;
use crate::jobs::Place;
use crate::players::{PLAYER_HELP, PlayerSpec, check_memory, describe_entrant, introduce, programs};
use crate::plots::PlotArgs;
use crate::runs::RunArgs;
use crate::table::DataArgs;
use crate::{Failure, Result, files};
use clap::Args;
use live::Live;
pub use output::{standings_of, summary};
use plywise_arena::Entrant;
use plywise_arena::matches::{Format, MatchOutcome, PlayMatch};
use plywise_host::AnyGame;
use plywise_run::Cores;
use plywise_search::Signal;
use rules::RuleArgs;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Play a match, a gauntlet, a round robin or a knockout, with Elo, errors and a sequential test
///
/// Every opening is played with both colours. Illegal moves, crashes, hangs and overstepped time lose the game; they are
/// reported as they happen, and the match goes on. With --run every finished game is on the disk before it counts: the
/// same command resumes the match, and --games may grow. With --nodes or --depth, players in this process play the same
/// games with any number of --jobs.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP.as_str())]
pub struct Arguments {
    /// The name of the game
    #[arg(default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    /// The player whose results are shown
    #[arg(long, value_name = "PLAYER", requires = "b", conflicts_with = "player")]
    pub a: Option<PlayerSpec>,
    /// Its opponent
    #[arg(long, value_name = "PLAYER", requires = "a", conflicts_with = "player")]
    pub b: Option<PlayerSpec>,
    /// A player of a round robin or gauntlet; repeatable
    #[arg(long, value_name = "PLAYER")]
    pub player: Vec<PlayerSpec>,
    /// The player named first meets all others; they do not meet each other
    #[arg(long, conflicts_with = "knockout")]
    pub gauntlet: bool,
    /// Who loses --games games against another is out; the first player meets the last, and a tie goes to the one named first
    #[arg(long, conflicts_with_all = ["sprt", "plot", "workers"])]
    pub knockout: bool,
    /// How many games each pair of players plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: u64,
    /// How many games to play at the same time [default: one for each core]
    #[arg(long, alias = "concurrency", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Add the games to a file as they end, as PGN with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write the dialogue with every process of an engine to a file of this folder
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// Keep each game on a core of its own: all, or a list such as 0-3,6
    #[arg(long, value_name = "CORES", num_args = 0..=1, default_missing_value = "all", conflicts_with = "workers")]
    pub affinity: Option<Cores>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub openings: openings::OpeningArgs,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub sprt: SprtArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

const MOST_GAMES: u64 = 100_000_000;

static AFTER_HELP: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
    format!(
        "{PLAYER_HELP}
Examples:
  plywise match chess --a best --b classic --games 200 --movetime 100 --sprt 0,10 --run runs/best-classic
  plywise match loa --a best --b classic --games 100 --nodes 2000 --sprt 0,20 --plot elo.svg
  plywise match loa --a name=reduced,set.null_move.reduction=3,best --b best --games 622 --nodes 20000
  plywise match chess --player best --player classic --player option.Hash=16,uci:stockfish --games 20 --tc 8+0.08"
    )
});

/// Plays the match of the arguments.
pub fn run(game: &Arc<dyn AnyGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    args.pgn.as_deref().map_or(Ok(()), files::check_writable)?;
    args.plot.check()?;
    let job = args.job(&**game)?;
    if args.plot.plot.is_some() && job.players.len() > 2 {
        return Err(Failure::input("--plot shows how a match of two goes; this one has more players"));
    }
    let (jobs, programs) = (args.jobs(), programs(&job.players));
    check_memory(&job.players, jobs)?;
    if let Some(cores) = &args.affinity {
        cores.of_threads(jobs).map_err(Failure::input)?;
    }
    if args.knockout {
        return knockout::run(game, args, &job, out, stop);
    }
    let live = Live::new(&**game, args.pgn.as_deref());
    let place = args.place(&args.run, &programs, stop);
    let outcome = place.run(&job, game, &|event| live.take(event))?;
    let settings = settings(&**game, &job, jobs)?;
    let (sitting, pgn) = live.finish(jobs);
    let told = output::Told { settings, records: outcome.counted(), standings: &outcome.standings, sitting };
    args.plot.draw(&|| output::panels(outcome.standings.before(), &outcome.records), out)?;
    output::write(args, told, out)?;
    pgn.map_or(Ok(()), |pgn| pgn?.finish(out))?;
    outcome.failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Plays a match for another command, and says how each game ends.
pub(crate) fn play(job: &PlayMatch, game: &Arc<dyn AnyGame>, place: &Place) -> Result<MatchOutcome> {
    check_memory(&job.players, place.jobs)?;
    let live = Live::new(&**game, None);
    place.run(job, game, &|event| live.take(event))
}

impl Arguments {
    /// The match as a job.
    pub(crate) fn job(&self, game: &dyn AnyGame) -> Result<PlayMatch> {
        let specs: Vec<&PlayerSpec> = self.a.iter().chain(&self.b).chain(&self.player).collect();
        if specs.len() < 2 {
            return Err(Failure::input("a match needs --a and --b, or --player at least twice"));
        }
        Ok(PlayMatch {
            game: game.name().to_owned(),
            players: self.players(game, &specs)?,
            format: if self.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
            openings: self.openings.read(game)?.iter().map(plywise_arena::openings::write).collect(),
            shuffle: self.openings.shuffle,
            games: self.games,
            rules: self.rules.rules()?,
            sprt: self.sprt.test()?,
            seed: self.seed,
        })
    }

    /// The players, with the names that engines give themselves.
    fn players(&self, game: &dyn AnyGame, specs: &[&PlayerSpec]) -> Result<Vec<Entrant>> {
        let common = self.limits.single()?;
        let mut players = specs.iter().map(|spec| spec.read_named(game, common)).collect::<Result<Vec<_>>>()?;
        for engine in players.iter_mut().filter_map(|player| player.entrant.engine_mut()) {
            engine.log.clone_from(&self.log);
        }
        // Engines that play elsewhere need not be here.
        if self.run.workers.is_none() {
            introduce(&mut players)?;
        }
        Ok(players.into_iter().map(|player| player.entrant).collect())
    }

    /// Where a match of this command is played.
    fn place<'a>(&self, run: &'a RunArgs, programs: &'a [PathBuf], stop: &'a Signal) -> Place<'a> {
        Place { programs, cores: self.affinity.clone(), ..Place::new(run, self.jobs(), stop) }
    }

    /// How many games at the same time: as many as there are cores, because a player in another process computes while
    /// ours waits.
    pub(crate) fn jobs(&self) -> usize {
        arguments::jobs(self.jobs, 1)
    }
}

/// What decided the results, for a document: how many openings there are rather than each.
fn settings(game: &dyn AnyGame, job: &PlayMatch, jobs: usize) -> Result<Value> {
    let PlayMatch { players, format, openings, shuffle, games, rules, sprt, seed, .. } = job;
    Ok(json!({
        "game": job.game,
        "players": players.iter().map(|player| describe_entrant(game, player)).collect::<Result<Vec<_>>>()?,
        "format": format,
        "openings": openings.len(),
        "shuffle": shuffle,
        "rules": rules,
        "sprt": sprt,
        "seed": seed,
        "games": games,
        "jobs": jobs,
    }))
}
