//! `plywise openings`: systematic openings, and random ones that a search finds balanced.

use crate::arguments::SearchArgs;
use crate::games;
use crate::memory::check_tables;
use crate::players::PlayerSpec;
use crate::progress::{Meter, say};
use crate::runs::RunArgs;
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_arena::Who;
use plywise_arena::openings::{self, BalanceRule, Book, MakeOpenings, Window};
use plywise_game::pgn;
use plywise_host::{AnyGame, AnyPosition, SuiteEntry, WrittenSetup};
use plywise_run::Job;
use plywise_search::{Limits, Signal};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Make openings: all of a length, symmetric ones once, or random ones, and only those that a search finds balanced
///
/// Without --random it makes all openings of the length. With --window a search looks at each and drops those in which
/// either side is further ahead. Lines are EPD: the position, the moves as its id, and its score as ce.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise openings loa --plies 2 --distinct
  plywise openings loa --plies 3 --distinct --window 30 --count 100 -o loa.epd
  plywise openings abalone --from belgian-daisy --plies 4 --random 100 -o abalone.epd
  plywise openings chess --pgn masters.pgn --plies 4 --window 100 --count 100 -o played.epd
  plywise openings chess --polyglot book.bin --plies 8 --window 100 --count 100 -o book.epd
  plywise openings chess --plies 8 --random 100 --window 80,120 --judge uci:stockfish --nodes 100000 -o unbalanced.epd
  plywise openings chess --plies 8 --random 100 --window 50 --nodes 20000 --seed 7 -o chess.epd")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The position to begin from
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    pub from: String,
    /// The plies of each opening; with --pgn, how many to take from each game
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub plies: u16,
    /// Keep one opening per position; mirror images and transpositions count as the same
    #[arg(long)]
    pub distinct: bool,
    /// The number of random openings, all different, instead of every one
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub random: Option<u32>,
    /// Take the openings of the games in a PGN file, those that were played most often first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "distinct", "from"])]
    pub pgn: Option<PathBuf>,
    /// Take the lines that a Polyglot opening book may play, the most likely first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "distinct", "pgn"])]
    pub polyglot: Option<PathBuf>,
    /// With --pgn: only openings that at least this many games have
    #[arg(long, value_name = "N", default_value_t = 1, requires = "pgn")]
    pub least_games: u64,
    /// The number of openings to choose from all, at random; with --pgn and --polyglot, the first that fit
    #[arg(long, value_name = "COUNT", conflicts_with = "random", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: Option<u32>,
    /// Only openings whose score lies within ± this, in the evaluation's unit (hundredths of a pawn in chess); two scores
    /// are from the first player's view, for openings in which one side is ahead: 80,120
    #[arg(long, value_name = "SCORE|LOW,HIGH", allow_hyphen_values = true)]
    pub window: Option<Window>,
    /// Who judges an opening, if not the search: a PLAYER as in match, such as uci:COMMAND
    #[arg(long, value_name = "PLAYER", requires = "window")]
    pub judge: Option<PlayerSpec>,
    /// Nodes of the search that judges an opening
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the openings [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Makes the openings of the arguments.
pub fn run(game: &Arc<dyn AnyGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if let Some(path) = &args.output {
        files::check_writable(path)?;
    }
    let job = args.job(&**game, stop)?;
    if job.balance.is_none() && args.run.run.is_some() {
        return Err(Failure::input("--run is for openings that a search judges: it needs --window"));
    }
    let meter = job.wanted.filter(|_| job.balance.is_some()).map(|wanted| Mutex::new(Meter::new(wanted, "openings")));
    let watch = |()| {
        if let Some(meter) = &meter {
            meter.lock().unwrap_or_else(PoisonError::into_inner).advance();
        }
    };
    let entries = job.run(game, &args.run.workplace(1, &[], stop), &watch);
    if let Some(meter) = meter {
        meter.into_inner().unwrap_or_else(PoisonError::into_inner).finish();
    }
    write(&**game, args, &entries?, out)
}

impl Arguments {
    /// The openings of the games in a file, those that were played most often first.
    fn played(&self, game: &dyn AnyGame, file: &Path) -> Result<Vec<String>> {
        let plies = usize::from(self.plies);
        let (mut found, warnings) = openings::from_pgn(game, files::open(file)?, Some(plies));
        match warnings.first() {
            Some(error @ pgn::Error::Unreadable { .. }) => return Err(files::unreadable(file, error)),
            Some(warning) => say(&format!("'{}': {} games are left out; {warning}", file.display(), warnings.len())),
            None => {}
        }
        found.retain(|opening| opening.plies() == plies && opening.at(0).is_start());
        let played = openings::most_played(found, self.least_games);
        if played.is_empty() {
            let problem = format!("no opening of {plies} plies was played in {} games or more", self.least_games);
            return Err(Failure::input(format!("'{}': {problem}", file.display())));
        }
        Ok(played.iter().map(openings::write).collect())
    }

    /// The lines of a book, the most likely first.
    fn in_book(&self, start: &AnyPosition, file: &Path, stop: &Signal) -> Result<Vec<String>> {
        let book = Book::read(&files::read(file)?);
        let lines = book.and_then(|book| book.lines(start, self.plies.into(), stop));
        let lines = lines.map_err(|error| Failure::input(format!("'{}': {error}", file.display())))?;
        match stop.is_stopped() {
            true => Err(Failure::Interrupted),
            false => Ok(lines.iter().map(openings::write).collect()),
        }
    }

    fn job(&self, game: &dyn AnyGame, stop: &Signal) -> Result<MakeOpenings> {
        let judge = |window| {
            let judge = match &self.judge {
                Some(judge) => judge.read(game, Some(Limits::nodes(self.nodes)))?.who,
                None => {
                    let setup = self.search.setup(game)?;
                    check_tables(setup.hash, 1)?;
                    Who::Setup(WrittenSetup::of(game, &setup))
                }
            };
            Ok::<_, Failure>(BalanceRule { judge, nodes: self.nodes, window })
        };
        let start = game.position(&self.from)?;
        let given = match (&self.pgn, &self.polyglot) {
            (Some(file), _) => Some(self.played(game, file)?),
            (None, Some(file)) => Some(self.in_book(&start, file, stop)?),
            (None, None) => None,
        };
        Ok(MakeOpenings {
            game: game.name().to_owned(),
            from: start.text(),
            plies: self.plies,
            distinct: self.distinct,
            random: self.random.is_some(),
            shuffled: self.count.is_some() && given.is_none(),
            given: given.unwrap_or_default(),
            wanted: self.random.or(self.count).map(u64::from),
            balance: self.window.map(judge).transpose()?,
            seed: self.seed,
        })
    }
}

fn write(game: &dyn AnyGame, args: &Arguments, entries: &[SuiteEntry], out: &mut dyn Write) -> Result {
    let text: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    if let Some(path) = &args.output {
        files::write(path, &text, out)?;
    }
    match (args.json, &args.output) {
        (true, file) => {
            let lines = file.is_none().then(|| text.lines().collect::<Vec<_>>());
            let is_random = args.random.is_some() || args.count.is_some();
            let results = json!({"game": game.name(), "openings": entries.len(), "file": file, "lines": lines});
            document::write(out, MakeOpenings::NAME, is_random.then_some(args.seed), results)?;
        }
        (false, Some(path)) => writeln!(out, "{} openings in {}", entries.len(), path.display())?,
        (false, None) => write!(out, "{text}")?,
    }
    Ok(())
}
