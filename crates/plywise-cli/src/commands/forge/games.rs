//! `plywise forge games`: self-play games as PGN.

use crate::arguments::LimitArgs;
use crate::games;
use crate::jobs::Place;
use crate::players::{PLAYER_HELP, PlayerSpec, check_memory, programs};
use crate::progress::Meter;
use crate::runs::RunArgs;
use crate::text::show_count;
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_arena::matches::{ForgeGames, ForgeGamesEvent, GameRecord, Rules, games_to_pgn};
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_host::AnyGame;
use plywise_run::Job;
use plywise_search::Signal;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::slice;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Play games of one player against itself and write them as PGN, with scores, depths and times
///
/// Every game begins with its own random moves. The same seed gives the same games, with any number of --jobs.
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
    /// A game is a draw after this many moves of each player
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

/// Plays the games of the arguments.
pub fn run(game: &Arc<dyn AnyGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let job = args.job(&**game)?;
    let players = slice::from_ref(&job.player);
    // Both seats are taken by the same player, each with a table of its own.
    check_memory(players, 2 * usize::from(args.jobs))?;
    let place = Place { programs: &programs(players), ..Place::new(&args.run, args.jobs.into(), stop) };
    let file = Mutex::new((GamesFile::new(&**game, files::Growing::draft(&args.output)?), None));
    let result = place.run(&job, game, &|event| {
        let (file, meter) = &mut *file.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            ForgeGamesEvent::Found(record) => file.take(*record),
            ForgeGamesEvent::Played(record) => {
                let left = job.games.saturating_sub(file.taken);
                meter.get_or_insert_with(|| Meter::new(left, "games")).advance();
                file.take(*record);
            }
        }
    });
    let (file, meter) = file.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(meter) = meter {
        meter.finish();
    }
    match result {
        // What was played is written, whatever failed later.
        Err(failure) if file.taken == 0 => Err(failure),
        result => {
            let results = file.finish(out);
            result?;
            report(args, &results?, out)
        }
    }
}

impl Arguments {
    /// The games as a job.
    pub(crate) fn job(&self, game: &dyn AnyGame) -> Result<ForgeGames> {
        Ok(ForgeGames {
            game: game.name().to_owned(),
            player: self.player.read(game, self.limits.single()?)?,
            random_plies: self.random_plies.into(),
            games: self.games.into(),
            rules: Rules { longest: Some(2 * self.max_moves), ..Rules::default() },
            seed: self.seed,
        })
    }
}

/// What writes the games down in the order of their numbers, and holds no more of them than have to wait for that.
struct GamesFile<'a> {
    game: &'a dyn AnyGame,
    file: files::Growing,
    /// Games that ended before others that began earlier.
    waiting: BTreeMap<u64, GameRecord>,
    /// The number of the game that is written next.
    next: u64,
    /// How many games were handed over.
    taken: u64,
    results: GameResults,
}

/// The report on the games.
#[derive(Default)]
struct GameResults {
    first_wins: u64,
    draws: u64,
    second_wins: u64,
    plies: u64,
}

impl GameResults {
    fn games(&self) -> u64 {
        self.first_wins + self.draws + self.second_wins
    }
}

impl GamesFile<'_> {
    fn new(game: &dyn AnyGame, file: files::Growing) -> GamesFile<'_> {
        GamesFile { game, file, waiting: BTreeMap::new(), next: 0, taken: 0, results: GameResults::default() }
    }

    fn take(&mut self, record: GameRecord) {
        self.taken += 1;
        self.waiting.insert(record.index, record);
        while let Some(record) = self.waiting.remove(&self.next) {
            self.next += 1;
            self.write(&record);
        }
    }

    fn write(&mut self, record: &GameRecord) {
        // What our own referee wrote down can be replayed, and a journal is checked when it is read.
        self.file.add(&games_to_pgn(self.game, std::slice::from_ref(record), "Self-play").unwrap_or_default());
        let results = &mut self.results;
        *match record.result {
            GameResult::Win(Side::First) => &mut results.first_wins,
            GameResult::Win(Side::Second) => &mut results.second_wins,
            GameResult::Draw | GameResult::Unknown => &mut results.draws,
        } += 1;
        results.plies += record.moves.len() as u64;
    }

    /// Writes the games after those that were given up, too.
    fn finish(mut self, out: &mut dyn Write) -> Result<GameResults> {
        for record in std::mem::take(&mut self.waiting).into_values() {
            self.write(&record);
        }
        if self.results.games() == 0 {
            return Err(Failure::Interrupted);
        }
        self.file.finish(out)?;
        Ok(self.results)
    }
}

fn report(args: &Arguments, results: &GameResults, out: &mut dyn Write) -> Result {
    let GameResults { first_wins, draws, second_wins, plies } = results;
    if args.json {
        let results = json!({
            "game": args.game,
            "games": results.games(),
            "first_wins": first_wins,
            "draws": draws,
            "second_wins": second_wins,
            "plies": plies,
            "file": args.output,
        });
        return document::write(out, ForgeGames::NAME, Some(args.seed), results);
    }
    let [games, plies] = [results.games(), *plies].map(show_count);
    let [first_wins, draws, second_wins] = [*first_wins, *draws, *second_wins].map(show_count);
    let file = args.output.display();
    Ok(writeln!(out, "{games} games (+{first_wins} ={draws} -{second_wins} for who begins), {plies} plies, in {file}")?)
}
