//! `plywise forge data`: self-play games with the score of every search, packed for `learn net`.

use crate::arguments::{LimitArgs, SearchArgs, describe_limits};
use crate::commands::matches::openings;
use crate::engine::{hosted, setup};
use crate::games::{self, Playable};
use crate::network::NOTHING;
use crate::progress::Meter;
use crate::runs::{RunArgs, Work, describe_setup, fail};
use crate::shown::{self, Numbered, Shown};
use crate::table::Sheet;
use crate::text::show_count;
use crate::{Failure, Result, document, files};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use plywise_game::Score;
use plywise_learn::{DataPlay, Dead, InteriorSample, SelfPlay, Won};
use plywise_net::data::{self, GameResult, PackedGame, Summary};
use plywise_net::{Filter, Samples};
use plywise_search::{Blueprint, Limits, Signal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Self-play games with the score of every search, packed for 'learn net'
///
/// Every game begins with random moves of its own, from the start or from an opening, and follows from the seed and its number
/// alone, whatever --jobs is. All positions are written; 'learn net' says which ones it learns from. Without --run nothing is
/// kept before the end.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge data loa --games 10000 --nodes 2000 --jobs 4 --run runs/loa-data -o loa.data
  plywise openings abalone --from belgian-daisy --plies 4 --random 100 -o abalone.epd
  plywise forge data abalone --openings abalone.epd --games 10000 --nodes 2000 -o abalone.data
  plywise forge data loa --merge one.data two.data -o both.data
  plywise forge data loa --stats both.data")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The number of games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    #[arg(required_unless_present_any = ["merge", "stats"])]
    pub games: Option<u64>,
    /// Put the games of these files into one instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["games", "stats"])]
    pub merge: Vec<PathBuf>,
    /// Tell what these files hold instead of playing
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "games")]
    pub stats: Vec<PathBuf>,
    /// A file of openings, EPD or PGN, from which the games begin in turn [default: the start of the game]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["merge", "stats"])]
    pub openings: Option<String>,
    /// Random plies, after the opening, before the players begin to think
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub random_plies: u64,
    /// Random plies after which the first search is further from even are replaced by others; 'none' takes all
    #[arg(long, value_name = "SCORE|none", default_value = "400", value_parser = parse_numbers::<1>)]
    pub balance: Numbers,
    /// A game is won when so many plies in a row have scores beyond this
    #[arg(long, value_name = "SCORE,PLIES|none", default_value = "2000,6", value_parser = parse_numbers::<2>)]
    pub win: Numbers,
    /// A game is drawn when so many plies in a row have scores within this, from a ply on
    #[arg(long, value_name = "SCORE,PLIES,FROM|none", default_value = "8,16,100", value_parser = parse_numbers::<3>)]
    pub draw: Numbers,
    /// Stop a game after so many plies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub longest: u64,
    /// Keep one in so many interior nodes of the searches as well, with their values or bounds
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub interior: Option<u32>,
    /// The least depth of these nodes in plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(i32).range(0..=60))]
    pub interior_depth: i32,
    /// How many games to play at the same time
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the games
    #[arg(short, long, value_name = "FILE", required_unless_present = "stats")]
    pub output: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Numbers with commas between them, or none.
pub type Numbers = Option<Vec<i32>>;

fn parse_numbers<const N: usize>(text: &str) -> Result<Numbers, String> {
    if text == "none" {
        return Ok(None);
    }
    let numbers: Option<Vec<i32>> = text.split(',').map(|number| number.trim().parse().ok()).collect();
    let is_sound = |numbers: &Vec<i32>| numbers.len() == N && numbers.iter().all(|&number| number >= 0);
    let words =
        if N == 1 { "a whole number".to_string() } else { format!("{N} whole numbers with commas between them") };
    numbers.filter(is_sound).map(Some).ok_or_else(|| format!("it is {words}, or 'none'"))
}

/// What documents and run directories call it.
const COMMAND: &str = "forge data";

/// The games of a block, which are kept together.
const BLOCK: u64 = 16;

/// The transposition table of a game, in MB: its searches are short.
const SMALL_TABLE: usize = 4;

/// A finished block, as the journal holds it.
#[derive(Serialize, Deserialize)]
struct Block {
    games: u64,
    plies: u64,
    /// In base 64.
    bytes: String,
}

/// Plays games, puts files together, or tells what they hold.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if !args.stats.is_empty() {
        return tell::<G>(args, &args.stats, out);
    }
    let Some(output) = &args.output else { return Err(Failure::input("a file for the games is needed: --output")) };
    files::check_writable(output)?;
    let mut bytes = data::header(G::NAME);
    let blocks = match args.merge.is_empty() {
        true => play::<G>(args, stop)?,
        false => merge::<G>(&args.merge)?,
    };
    match (blocks.is_empty(), args.merge.is_empty()) {
        (true, true) => return Err(Failure::Interrupted),
        (true, false) => return Err(Failure::input("there is no game to merge: the files hold none")),
        (false, _) => {}
    }
    blocks.iter().for_each(|block| bytes.extend(block));
    plywise_arena::files::write_whole(output, &bytes)
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", output.display())))?;
    tell::<G>(args, std::slice::from_ref(output), out)
}

/// The blocks of several files.
fn merge<G: Playable>(paths: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    let (mut blocks, mut games) = (Vec::new(), Vec::new());
    for path in paths {
        read::<G>(path, &mut |game| {
            games.push(game);
            if games.len() as u64 == BLOCK {
                blocks.push(data::encode_block(&std::mem::take(&mut games)));
            }
        })?;
    }
    blocks.extend((!games.is_empty()).then(|| data::encode_block(&games)));
    Ok(blocks)
}

/// Reads a file of games.
pub fn read<G: Playable>(path: &Path, each: &mut dyn FnMut(PackedGame)) -> Result<Summary> {
    data::read_games(files::open(path)?, G::NAME, each).map_err(|error| files::unreadable(path, error))
}

/// Plays the games that are left, block by block.
fn play<G: Playable>(args: &Arguments, stop: &Signal) -> Result<Vec<Vec<u8>>> {
    let limits = args.limits.once(Limits::default())?;
    if limits == Limits::default() {
        return Err(crate::arguments::no_limit());
    }
    let setup = setup::<G>(&args.search)?;
    let without_scores = setup.network.as_ref().is_some_and(|network| network.name == NOTHING);
    let play = DataPlay {
        play: SelfPlay {
            limits,
            openings: openings::typed_positions::<G>(args.openings.as_deref())?,
            random_plies: args.random_plies as usize,
            balance: args.balance.as_ref().map(|numbers| numbers[0]),
            to_the_end: false,
            longest: args.longest as usize,
            seed: args.seed,
            player: Blueprint { threads: 1, megabytes: SMALL_TABLE, ..setup.blueprint::<G>()? },
        },
        win: args.win.as_deref().map(|numbers| Won { least: numbers[0], plies: numbers[1] as usize }),
        draw: args.draw.as_deref().filter(|_| !without_scores).map(|numbers| Dead {
            most: numbers[0],
            plies: numbers[1] as usize,
            from: numbers[2] as usize,
        }),
        interior: args.interior.map(|every| InteriorSample { least_depth: args.interior_depth, every: every as usize }),
        without_scores,
    };
    let mut work = json!({
        "command": COMMAND,
        "game": G::NAME,
        "player": describe_setup(&*hosted::<G>(), &setup)?,
        "limits": describe_limits(&limits),
        "random_plies": args.random_plies,
        "balance": args.balance,
        "win": play.win,
        "draw": play.draw,
        "interior": play.interior,
        "longest": args.longest,
        "seed": args.seed,
    });
    if !play.play.openings.is_empty() {
        work["openings"] = play.play.openings.iter().map(G::write_position).collect();
    }
    let games = args.games.unwrap_or(1);
    let count = games.div_ceil(BLOCK);
    let mut units = args.run.units(Work::new(work, count), |_, block| unpack(block).map(drop))?;
    let mut meter = Meter::new(count, "blocks of games");
    let mut each = |_, _: &Block| {
        meter.advance();
        ControlFlow::Continue(())
    };
    let make = |(): &mut (), number: u64, stop: &Signal| {
        let numbers = number * BLOCK..games.min((number + 1) * BLOCK);
        let games: Vec<PackedGame> = numbers.map(|number| play.game(number, stop)).collect::<Option<_>>()?;
        let plies = games.iter().map(|game| game.plies.len() as u64).sum();
        let bytes = BASE64_STANDARD.encode(data::encode_block(&games));
        Some(Block { games: games.len() as u64, plies, bytes })
    };
    units.work(count, vec![(); args.jobs.into()], stop, make, &mut each).map_err(fail)?;
    meter.finish();
    let blocks = units.into_finished().into_iter().filter(|(number, _)| *number < count);
    blocks.map(|(_, block)| unpack(&block).map_err(Failure::input)).collect()
}

/// What a run directory of this command shows.
pub fn shown(path: &Path) -> Result<Shown> {
    /// A finished block without its games.
    #[derive(Deserialize)]
    struct Size {
        games: u64,
        plies: u64,
    }
    let (_, _, blocks) = shown::read::<Value, Numbered<Size>>(path)?;
    let sum = |part: fn(&Size) -> u64| blocks.iter().map(|block| part(&block.result)).sum::<u64>();
    let (games, plies) = (sum(|size| size.games), sum(|size| size.plies));
    let mut facts = vec![("Games".into(), show_count(games)), ("Positions".into(), show_count(plies))];
    facts.extend((games > 0).then(|| ("Positions a game".into(), format!("{:.1}", plies as f64 / games as f64))));
    Ok(Shown { facts, ..Shown::default() })
}

/// The bytes of a block, if it is whole.
fn unpack(block: &Block) -> Result<Vec<u8>, String> {
    let bytes = BASE64_STANDARD.decode(&block.bytes).map_err(|error| error.to_string())?;
    data::decode_block(&bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// What files hold.
#[derive(Default)]
struct Contents {
    games: u64,
    positions: u64,
    interior: u64,
    first: u64,
    draws: u64,
    second: u64,
    cut_off: bool,
    /// How many scores lie within each of [`BANDS`], and beyond; then those that are decided.
    scores: [u64; 6],
    samples: usize,
    distinct: usize,
}

/// Upper ends of bands of scores.
const BANDS: [Score; 4] = [50, 200, 500, 1000];

impl Contents {
    fn of<G: Playable>(paths: &[PathBuf]) -> Result<Contents> {
        let mut contents = Contents::default();
        let mut samples = Samples::new::<G>();
        let mut broken = Ok(());
        for path in paths {
            let summary = read::<G>(path, &mut |game| {
                contents.add(&game);
                let added = samples.add_game::<G>(&game, &Filter::default(), |_| 0);
                if broken.is_ok() {
                    broken = added.map_err(|error| Failure::input(format!("'{}': {error}", path.display())));
                }
            })?;
            contents.games += summary.games;
            contents.positions += summary.plies;
            contents.interior += summary.interior;
            contents.cut_off |= summary.cut_off;
        }
        broken?;
        (contents.samples, contents.distinct) = (samples.len(), samples.distinct());
        Ok(contents)
    }

    fn add(&mut self, game: &PackedGame) {
        match game.result {
            GameResult::First => self.first += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Second => self.second += 1,
            GameResult::Unknown => {}
        }
        for score in game.plies.iter().filter_map(|ply| ply.score.get()) {
            let band = match plywise_game::score::is_decided(score) {
                true => BANDS.len() + 1,
                false => BANDS.iter().position(|end| score.abs() <= *end).unwrap_or(BANDS.len()),
            };
            self.scores[band] += 1;
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "games": self.games,
            "positions": self.positions,
            "interior": self.interior,
            "first_wins": self.first,
            "draws": self.draws,
            "second_wins": self.second,
            "quiet": self.samples,
            "distinct": self.distinct,
            "cut_off": self.cut_off,
        })
    }
}

/// Tells what files hold.
fn tell<G: Playable>(args: &Arguments, paths: &[PathBuf], out: &mut dyn Write) -> Result {
    let contents = Contents::of::<G>(paths)?;
    if args.json {
        let mut results = contents.to_json();
        results["game"] = json!(G::NAME);
        results["file"] = json!(args.output);
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    let Contents { games, positions, interior, first, draws, second, samples, distinct, scores, cut_off } = &contents;
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let [games, positions, interior_shown] = [*games, *positions, *interior].map(show_count);
    let [first, draws, second] = [*first, *draws, *second].map(show_count);
    let [samples, distinct] = [*samples, *distinct].map(|count| show_count(count as u64));
    writeln!(
        out,
        "{}: {games} games (+{first} ={draws} -{second} for who begins), {positions} positions",
        names.join(", ")
    )?;
    writeln!(out, "{samples} of them quiet, in the games or within their searches, {distinct} of these different")?;
    if *interior > 0 {
        writeln!(out, "{interior_shown} positions from within the searches")?;
    }
    if *cut_off {
        writeln!(out, "the last block was cut off, and does not count")?;
    }
    let mut sheet = Sheet::new(&["score up to", "positions"], &[0]);
    let bands = BANDS.iter().map(Score::to_string).chain(["beyond".into(), "decided".into()]);
    bands.zip(scores).for_each(|(band, count)| sheet.add(vec![band, show_count(*count)]));
    Ok(write!(out, "{}", sheet.show(&Default::default()))?)
}
