//! `plywise forge games`: self-play games as PGN.

use crate::arguments::LimitArgs;
use crate::commands::matches::games_to_pgn;
use crate::games::{self, BoardGame};
use crate::players::{PLAYER_HELP, PlayerSpec, check_memory};
use crate::progress::Meter;
use crate::runs::RunArgs;
use crate::{Failure, Outcome, files};
use clap::Args;
use plywise_arena::matches::{Entry, Format, GameRecord, Match, Rules, Silent};
use plywise_arena::openings;
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_search::Signal;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Play games of one player against itself and write them as PGN, with scores, depths and times
///
/// Every game begins with random moves of its own. The games follow from the seed, whatever the concurrency.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP.as_str())]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The number of games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub games: u32,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub player: PlayerSpec,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Random moves at the start of each game
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub random_plies: u16,
    /// Games of more moves of each player are drawn
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// Games that are played at the same time
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    #[command(flatten)]
    pub run: RunArgs,
    /// What everything that is drawn by lot comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the games
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    format!("{PLAYER_HELP}\nExample: plywise forge games loa --games 100 --player best --nodes 5000 -o games.pgn")
});

/// Plays the games of the arguments.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Outcome {
    files::check_writable(&args.output)?;
    let entrants = [args.player.entrant::<G>(args.limits.single()?)?];
    // Both seats are taken by the same player, each with a table of its own.
    check_memory(&entrants, 2 * usize::from(args.jobs))?;
    let opening = |number| openings::random::<G>(&G::start(), args.random_plies.into(), args.seed, number);
    let openings: Option<Vec<_>> = (0..u64::from(args.games)).map(opening).collect();
    let openings = openings.ok_or_else(|| Failure::input("random moves end the game too early"))?;
    let contest = Match {
        entries: entrants.iter().map(|e| Entry { contender: &*e.contender, limits: e.limits }).collect(),
        format: Format::SelfPlay,
        openings: &openings,
        shuffle: false,
        games: args.games.into(),
        rules: Rules { longest: Some(2 * args.max_moves), ..Rules::default() },
        sprt: None,
        concurrency: args.jobs.into(),
        seed: args.seed,
    };
    let work = json!({
        "command": "forge games",
        "game": G::NAME,
        "player": entrants[0].description,
        "random_plies": args.random_plies,
        "rules": contest.rules,
        "seed": args.seed,
    });
    let engine: Vec<PathBuf> = entrants[0].program.iter().cloned().collect();
    let (mut run, mut records) = args.run.open(work, &engine, &mut contest.record_check())?;
    let mut meter = Meter::new(u64::from(args.games).saturating_sub(records.len() as u64), "games");
    let mut played = Vec::new();
    let mut keep = |record: &GameRecord| {
        run.as_mut().map_or(Ok(()), |run| run.append(record))?;
        played.push(record.clone());
        meter.advance();
        Ok(())
    };
    let result = contest.run(&records, &mut keep, &Silent, stop);
    result.map_err(|error| Failure::Failed(error.to_string()))?;
    meter.finish();
    records.append(&mut played);
    records.sort_by_key(|record| record.index);
    if records.is_empty() {
        return Err(Failure::Interrupted);
    }
    files::write(&args.output, &games_to_pgn::<G>(&records, "Self-play")?, out)?;
    report(args, &records, out)
}

fn report(args: &Arguments, records: &[GameRecord], out: &mut dyn Write) -> Outcome {
    let count = |result: GameResult| records.iter().filter(|record| record.result == result).count();
    let results = [GameResult::Win(Side::First), GameResult::Draw, GameResult::Win(Side::Second)].map(count);
    let plies: usize = records.iter().map(|record| record.moves.len()).sum();
    if args.json {
        let [first, draws, second] = results;
        let document = json!({
            "game": args.game,
            "games": records.len(),
            "first_wins": first,
            "draws": draws,
            "second_wins": second,
            "plies": plies,
            "file": args.output,
        });
        return Ok(writeln!(out, "{document}")?);
    }
    let ([first, draws, second], file) = (results, args.output.display());
    Ok(writeln!(out, "{} games (+{first} ={draws} -{second} for who begins), {plies} plies, in {file}", records.len())?)
}
