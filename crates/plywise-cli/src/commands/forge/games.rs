//! `plywise forge games`: self-play games as PGN.

use crate::arguments::LimitArgs;
use crate::commands::matches::games_to_pgn;
use crate::engine::hosted;
use crate::games::{self, Playable};
use crate::players::{PLAYER_HELP, PlayerSpec, check_memory};
use crate::progress::Meter;
use crate::runs::{RunArgs, Work};
use crate::text::show_count;
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_arena::matches::{Entry, Format, GameRecord, Match, Rules, Silent};
use plywise_arena::openings;
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_host::AnyGame;
use plywise_search::Signal;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Play games of one player against itself and write them as PGN, with scores, depths and times
///
/// Every game begins with random moves of its own. The same seed gives the same games, whatever --jobs is.
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
    /// Random moves at the start of each game
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub random_plies: u16,
    /// A game is a draw after so many moves of each player
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// How many games to play at the same time
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the games
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    format!("{PLAYER_HELP}\nExample: plywise forge games loa --games 100 --player best --nodes 5000 -o games.pgn")
});

/// What documents and run directories call it.
const COMMAND: &str = "forge games";

/// Plays the games of the arguments.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let game = hosted::<G>();
    let entrants = [args.player.entrant(&game, args.limits.single()?)?];
    // Both seats are taken by the same player, each with a table of its own.
    check_memory(&entrants, 2 * usize::from(args.jobs))?;
    let start = game.start();
    let opening = |number| openings::random(&start, args.random_plies.into(), args.seed, number);
    let openings: Option<Vec<_>> = (0..u64::from(args.games)).map(opening).collect();
    let openings = openings.ok_or_else(|| Failure::input("random moves end the game too early"))?;
    let contest = Match {
        game: &*game,
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
        "command": COMMAND,
        "game": game.name(),
        "player": entrants[0].description,
        "random_plies": args.random_plies,
        "rules": contest.rules,
        "seed": args.seed,
    });
    args.run.check_growth(&work, contest.games, "games")?;
    let engine: Vec<PathBuf> = entrants[0].program.iter().cloned().collect();
    let mut scribe = Scribe::new(&*game, files::Growing::draft(&args.output)?);
    let (mut check, mut finished) = (contest.record_check(), Vec::new());
    let mut run = args.run.read(Work::new(work, contest.games).by(&engine), &mut |record: GameRecord| {
        check(&record)?;
        finished.push(GameRecord { moves: Vec::new(), ..record.clone() });
        scribe.take(record);
        Ok(())
    })?;
    if !contest.is_finished(&finished) {
        contest.try_players(stop).map_err(Failure::input)?;
    }
    let mut meter = Meter::new(u64::from(args.games).saturating_sub(finished.len() as u64), "games");
    let mut keep = |record: &GameRecord| {
        run.as_mut().map_or(Ok(()), |run| run.append(record))?;
        scribe.take(record.clone());
        meter.advance();
        Ok(())
    };
    let result = contest.run_at(&args.run.place, &finished, &mut keep, &Silent, stop);
    meter.finish();
    let tally = scribe.finish(out);
    result.map_err(|error| Failure::Failed(error.to_string()))?;
    report(args, &tally?, out)
}

/// What writes the games down in the order of their numbers, and holds no more of them than have to wait for that.
struct Scribe<'a> {
    game: &'a dyn AnyGame,
    file: files::Growing,
    /// Games that ended before others that began earlier.
    waiting: BTreeMap<u64, GameRecord>,
    /// The number of the game that is written next.
    next: u64,
    tally: Tally,
}

/// What is told of the games.
#[derive(Default)]
struct Tally {
    first_wins: u64,
    draws: u64,
    second_wins: u64,
    plies: u64,
}

impl Tally {
    fn games(&self) -> u64 {
        self.first_wins + self.draws + self.second_wins
    }
}

impl Scribe<'_> {
    fn new(game: &dyn AnyGame, file: files::Growing) -> Scribe<'_> {
        Scribe { game, file, waiting: BTreeMap::new(), next: 0, tally: Tally::default() }
    }

    fn take(&mut self, record: GameRecord) {
        self.waiting.insert(record.index, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(&record);
        }
    }

    fn write(&mut self, record: &GameRecord) {
        // What our own referee wrote down can be replayed, and a journal is checked when it is read.
        self.file.add(&games_to_pgn(self.game, std::slice::from_ref(record), "Self-play").unwrap_or_default());
        let tally = &mut self.tally;
        *match record.result {
            GameResult::Win(Side::First) => &mut tally.first_wins,
            GameResult::Win(Side::Second) => &mut tally.second_wins,
            GameResult::Draw | GameResult::Unknown => &mut tally.draws,
        } += 1;
        tally.plies += record.moves.len() as u64;
    }

    /// Writes the games after those that were given up, too.
    fn finish(mut self, out: &mut dyn Write) -> Result<Tally> {
        for record in std::mem::take(&mut self.waiting).into_values() {
            self.write(&record);
        }
        if self.tally.games() == 0 {
            return Err(Failure::Interrupted);
        }
        self.file.finish(out)?;
        Ok(self.tally)
    }
}

fn report(args: &Arguments, tally: &Tally, out: &mut dyn Write) -> Result {
    let Tally { first_wins, draws, second_wins, plies } = tally;
    if args.json {
        let results = json!({
            "game": args.game,
            "games": tally.games(),
            "first_wins": first_wins,
            "draws": draws,
            "second_wins": second_wins,
            "plies": plies,
            "file": args.output,
        });
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    let [games, plies] = [tally.games(), *plies].map(show_count);
    let [first_wins, draws, second_wins] = [*first_wins, *draws, *second_wins].map(show_count);
    let file = args.output.display();
    Ok(writeln!(out, "{games} games (+{first_wins} ={draws} -{second_wins} for who begins), {plies} plies, in {file}")?)
}
