//! `plywise match`: players against each other, with honest statistics.

mod live;
pub(crate) mod openings;
mod output;
mod rules;

use crate::arguments::LimitArgs;
use crate::commands::stats::SprtArgs;
use crate::engine::hosted;
use crate::games::{self, Playable};
use crate::players::{Entrant, PLAYER_HELP, PlayerSpec, check_memory};
use crate::plots::PlotArgs;
use crate::runs::{RunArgs, Work};
use crate::table::DataArgs;
use crate::{Failure, Result, document, files};
use clap::Args;
use live::Live;
pub use output::{games_to_pgn, shown};
use plywise_arena::matches::{Entry, Format, GameRecord, Match};
use plywise_host::{AnyGame, AnyPosition, Style};
use plywise_search::Signal;
use rules::RuleArgs;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

/// Play a match, a gauntlet or a round robin, with Elo, errors and a sequential test
///
/// Every opening is played with both colours. Illegal moves, crashes, hangs and overstepped time lose the game; they are
/// reported as they happen, and the match goes on. With --run every finished game is on the disk before it counts: the
/// same command resumes the match, and --games may grow. With --nodes or --depth, players in this process play the same
/// games whatever --jobs is.
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
    #[arg(long)]
    pub gauntlet: bool,
    /// How many games each pair of players plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    pub games: u64,
    /// How many games to play at the same time [default: one for each core]
    #[arg(long, alias = "concurrency", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Add the games to a file as they end, as PGN with scores, depths and times
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
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

/// What documents and run directories call it.
const COMMAND: &str = "match";

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
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    args.pgn.as_deref().map_or(Ok(()), files::check_writable)?;
    args.plot.check()?;
    let game = hosted::<G>();
    let entrants = entrants(&game, args)?;
    if args.plot.plot.is_some() && entrants.len() > 2 {
        return Err(Failure::input("--plot shows how a match of two goes; this one has more players"));
    }
    let concurrency = args.jobs.map_or_else(cores, usize::from);
    check_memory(&entrants, concurrency)?;
    let openings = args.openings.read(&*game)?;
    let contest = Match {
        game: &*game,
        entries: entrants.iter().map(|e| Entry { contender: &*e.contender, limits: e.limits }).collect(),
        format: if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin },
        openings: &openings,
        shuffle: args.openings.shuffle,
        games: args.games,
        rules: args.rules.rules()?,
        sprt: args.sprt.test()?,
        concurrency,
        seed: args.seed,
    };
    contest.check().map_err(Failure::input)?;
    let work = work(&contest, &entrants);
    args.run.check_growth(&work, contest.schedule().games(), "games")?;
    let engines: Vec<PathBuf> = entrants.iter().filter_map(|entrant| entrant.program.clone()).collect();
    let (mut run, mut records) = args
        .run
        .open(Work::new(work.clone(), contest.standings().scheduled()).by(&engines), &mut contest.record_check())?;
    if !contest.is_finished(&records) {
        contest.try_players(stop).map_err(Failure::input)?;
    }
    let event = output::title(contest.standings().names());
    let one = |record: &GameRecord| games_to_pgn(&*game, std::slice::from_ref(record), &event);
    let games: Vec<String> = match args.pgn {
        Some(_) => records.iter().map(one).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    let mut pgn = args.pgn.as_deref().map(|path| output::complete(path, &games)).transpose()?;
    let live = Live::new(records.len());
    let mut played = Vec::new();
    let mut keep = |record: &GameRecord| {
        run.as_mut().map_or(Ok(()), |run| run.append(record))?;
        if let Some(pgn) = &mut pgn {
            // What our own referee wrote down can be replayed.
            pgn.add(&one(record).unwrap_or_default());
        }
        played.push(record.clone());
        Ok(())
    };
    let result = contest.run_at(&args.run.place, &records, &mut keep, &live, stop);
    records.append(&mut played);
    records.sort_by_key(|record| record.index);
    // What was played is told, whatever ended the match.
    let standings = contest.standings_of(&records);
    let written = run.map_or(Ok(()), |run| output::write_derived(&*game, &run, &records, &standings));
    let settings = settings(work, &contest);
    // With a sequential test, games that were finished ahead of their turn do not count after its decision.
    let counted = records.partition_point(|record| record.index < standings.counted());
    let told = output::Told {
        settings,
        records: &records[..counted],
        standings: &standings,
        sitting: live.finish(concurrency),
    };
    args.plot.draw(&|| output::panels(contest.standings(), &records), out)?;
    output::write(args, told, out)?;
    pgn.map_or(Ok(()), |pgn| pgn.finish(out))?;
    result.map_err(|error| Failure::Failed(error.to_string()))?;
    written
}

/// As many games as there are cores: a player in another process computes while ours waits.
fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

fn entrants(game: &Arc<dyn AnyGame>, args: &Arguments) -> Result<Vec<Entrant>> {
    let specs: Vec<&PlayerSpec> = args.a.iter().chain(&args.b).chain(&args.player).collect();
    if specs.len() < 2 {
        return Err(Failure::input("a match needs --a and --b, or --player at least twice"));
    }
    let common = args.limits.single()?;
    specs.into_iter().map(|spec| spec.entrant(game, common)).collect()
}

/// Everything that decides the results, but for the number of games, which may grow.
fn work(contest: &Match, entrants: &[Entrant]) -> Value {
    json!({
        "command": COMMAND,
        "game": contest.game.name(),
        "players": entrants.iter().map(|entrant| &entrant.description).collect::<Vec<_>>(),
        "format": contest.format,
        "openings": contest.openings.iter().map(write_opening).collect::<Vec<_>>(),
        "shuffle": contest.shuffle,
        "rules": contest.rules,
        "sprt": contest.sprt,
        "seed": contest.seed,
    })
}

/// The same for a document: how many openings there are rather than each, and how many games.
fn settings(work: Value, contest: &Match) -> Value {
    let mut settings = document::object(work);
    settings.shift_remove("command");
    settings.insert("openings".into(), contest.openings.len().into());
    settings.insert("games".into(), contest.games.into());
    settings.insert("jobs".into(), contest.concurrency.into());
    settings.into()
}

/// Where an opening begins and the moves that follow, on one line.
pub(crate) fn write_opening(opening: &AnyPosition) -> String {
    let start = opening.at(0);
    let mut words = vec![start.text()];
    words.extend(start.write_line_as(&opening.moves(), Style::Engine));
    words.join(" ")
}
