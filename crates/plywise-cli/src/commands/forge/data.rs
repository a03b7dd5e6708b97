//! `plywise forge data`: self-play games with the score of every search, packed for `learn net`.

use crate::arguments::{LimitArgs, SearchArgs, parse_nodes};
use crate::commands::matches::openings;
use crate::engine::setup_for;
use crate::games;
use crate::jobs::Place;
use crate::progress::{JobMeter, say};
use crate::run_summary::{self, RunSummary};
use crate::runs::RunArgs;
use crate::table::Sheet;
use crate::text::show_count;
use crate::{Failure, Result, document, files, sources};
use clap::Args;
use plywise_game::Score;
use plywise_host::{AnyPosition, Setup, WrittenSetup};
use plywise_learn::data::{self, Contents};
use plywise_learn::{
    BlockSize, DataRules, Dead, ForgeData, ForgeDataEvent, InteriorSample, LearnableGame, SelfPlay, Source, Won,
};
use plywise_run::{Job, Numbered};
use plywise_search::{Limits, Signal};
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Self-play games with the score of every search, packed for 'learn net'
///
/// Every game begins with its own random moves, from the start or from an opening. The same seed gives the same games, with any
/// number of --jobs. All positions are written; 'learn net' chooses those that it learns from. Without --run nothing is kept
/// before the end. A run directory can be read at any time, by 'learn net' and by --stats.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge data loa --games 10000 --nodes 2000 --jobs 4 --run runs/loa-data -o loa.data
  plywise openings abalone --from belgian-daisy --plies 4 --random 100 -o abalone.epd
  plywise forge data abalone --openings abalone.epd --games 10000 --nodes 2000 -o abalone.data
  plywise forge data loa --merge one.data two.data -o both.data
  plywise forge data chess --merge chess.data --to-bullet -o positions.bin
  plywise forge data loa --for 2h --nodes 2000 --jobs 4 --run runs/loa-data
  plywise forge data loa --stats both.data runs/loa-data")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The number of games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    #[arg(required_unless_present_any = ["time", "merge", "stats"])]
    pub games: Option<u64>,
    /// Stop after this long, such as 90s, 30m or 2h, even if --games are not played yet. Unfinished games are dropped
    #[arg(long = "for", id = "time", value_name = "TIME", value_parser = parse_time)]
    #[arg(conflicts_with_all = ["merge", "stats"])]
    pub time: Option<Duration>,
    /// Put the games of these files or run directories into one file instead of playing
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with_all = ["games", "stats"])]
    pub merge: Vec<PathBuf>,
    /// The files of --merge are positions of chess for the trainer bullet, 32 bytes each. Each becomes a game of one move
    #[arg(long, requires = "merge")]
    pub from_bullet: bool,
    /// Write the positions that networks learn from as the trainer bullet reads them, instead of games
    #[arg(long, requires = "merge", conflicts_with = "from_bullet")]
    pub to_bullet: bool,
    /// Describe the contents of these files or run directories instead of playing; the runs may still be growing
    #[arg(long, value_name = "FILE|DIR", num_args = 1.., conflicts_with = "games")]
    pub stats: Vec<PathBuf>,
    /// A file of openings, EPD or PGN, from which the games begin in turn [default: the start of the game]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["merge", "stats"])]
    pub openings: Option<String>,
    /// Random plies, after the opening, before the players begin to think
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub random_plies: u64,
    /// Redraw a random opening that the first search scores further from even than this; 'none' keeps all
    #[arg(long, value_name = "SCORE|none", default_value = BALANCE, value_parser = parse_numbers::<1>)]
    pub balance: Numbers,
    /// A game is won when PLIES plies in a row have scores beyond SCORE
    #[arg(long, value_name = "SCORE,PLIES|none", default_value = WIN, value_parser = parse_numbers::<2>)]
    pub win: Numbers,
    /// A game is drawn when PLIES plies in a row have scores within SCORE, from ply FROM on
    #[arg(long, value_name = "SCORE,PLIES,FROM|none", default_value = DRAW, value_parser = parse_numbers::<3>)]
    pub draw: Numbers,
    /// Stop a game after this many plies
    #[arg(long, value_name = "N", default_value_t = LONGEST, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub longest: u64,
    /// Keep one in N interior nodes of the searches as well, with their values or bounds
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
    /// The file for the games; with --run the directory is data too
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["stats", "run"])]
    pub output: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    /// Finish the iteration in which a search passes this many nodes, then stop, so every score is of a whole iteration. Set
    /// --nodes to several times as many to limit a long iteration
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub soft_nodes: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

// What games are played by unless the arguments say otherwise.
const BALANCE: &str = "400";
const WIN: &str = "2000,6";
const DRAW: &str = "8,16,100";
pub(crate) const LONGEST: u64 = 400;

/// What [`Arguments::balance`] is by default.
pub(crate) fn default_balance() -> Option<Score> {
    parse_numbers::<1>(BALANCE).ok().and_then(|numbers| balance(&numbers))
}

/// When games end by default.
pub(crate) fn default_rules() -> DataRules {
    let [win, draw] = [parse_numbers::<2>(WIN), parse_numbers::<3>(DRAW)].map(Result::unwrap_or_default);
    DataRules { win: won(&win), draw: dead(&draw), ..DataRules::default() }
}

fn balance(numbers: &Numbers) -> Option<Score> {
    numbers.as_ref().map(|numbers| numbers[0])
}

fn won(numbers: &Numbers) -> Option<Won> {
    numbers.as_deref().map(|numbers| Won { least: numbers[0], plies: numbers[1] as usize })
}

fn dead(numbers: &Numbers) -> Option<Dead> {
    let dead = |numbers: &[i32]| Dead { most: numbers[0], plies: numbers[1] as usize, from: numbers[2] as usize };
    numbers.as_deref().map(dead)
}

/// Numbers with commas between them, or none.
pub type Numbers = Option<Vec<i32>>;

/// A time with its unit.
fn parse_time(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400)];
    let text = text.trim();
    let unit = UNITS.iter().find(|(name, _)| text.ends_with(*name));
    let time = unit.and_then(|(name, seconds)| Some((text.strip_suffix(*name)?.trim().parse::<f64>().ok()?, *seconds)));
    // A year.
    let time =
        time.map(|(number, seconds)| number * seconds as f64).filter(|time| (1.0..=365.0 * 86_400.0).contains(time));
    time.map(Duration::from_secs_f64)
        .ok_or_else(|| "a time is a number with a unit, from 1s to 365d: 90s, 30m, 2h or 1.5d".into())
}

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

/// Plays games, merges files, or describes their contents.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if !args.stats.is_empty() {
        return describe(&**game, args, (&names(&args.stats), &sources::data(&args.stats)?), out, stop);
    }
    args.output.as_deref().map_or(Ok(()), files::check_writable)?;
    if args.to_bullet {
        let positions = data::to_bullet(&**game, &sources::data(&args.merge)?, stop)?;
        return args.output.as_deref().map_or(Ok(()), |output| write(output, &positions));
    }
    let blocks = match (args.merge.is_empty(), args.from_bullet) {
        (true, _) => play(&args.job(&**game)?, game, &Place::new(&args.run, args.jobs.into(), stop))?,
        (false, true) => data::from_bullet(&**game, &sources::data(&args.merge)?, stop)?,
        (false, false) => data::merge(&**game, &sources::data(&args.merge)?, stop)?,
    };
    let source = match (&args.output, &args.run.run) {
        (Some(output), _) => {
            let bytes: Arc<[u8]> = [vec![data::header(game.name())], blocks].concat().concat().into();
            write(output, &bytes)?;
            let name = output.display().to_string();
            vec![Source::new(name, None, move || Ok(Box::new(Cursor::new(bytes.clone()))))]
        }
        (None, Some(run)) => sources::data(std::slice::from_ref(run))?,
        (None, None) => return Ok(()),
    };
    // An interrupted run is data too, and is described: nothing stops that.
    let place = args.output.as_ref().or(args.run.run.as_ref());
    let name = place.map_or_else(String::new, |place| place.display().to_string());
    describe(&**game, args, (&name, &source), out, &Signal::new())
}

fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn write(output: &Path, bytes: &[u8]) -> Result {
    plywise_run::files::write_whole(output, bytes)
        .map_err(|error| Failure::input(format!("cannot write '{}': {error}", output.display())))
}

/// Plays the games that are left, block by block.
pub(crate) fn play(job: &ForgeData, game: &Arc<dyn LearnableGame>, place: &Place) -> Result<Vec<Vec<u8>>> {
    let meter = JobMeter::default();
    let (begun, shown) = (Instant::now(), Mutex::new(0));
    match (job.blocks(), job.time) {
        (None, Some(time)) => meter.begin(time.as_secs(), "seconds"),
        (blocks, _) => meter.begin(blocks.unwrap_or_default(), "blocks of games"),
    }
    let watch = |event| match event {
        ForgeDataEvent::SeedIsUsed(path) => {
            let (path, seed) = (path.display(), job.play.seed);
            say(&format!("'{path}' has games with seed {seed} too: their random openings are the same"));
        }
        ForgeDataEvent::Block if job.games.is_some() => meter.advance(),
        ForgeDataEvent::Block => {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
            let gone = begun.elapsed().min(job.time.unwrap_or_default()).as_secs();
            (*shown..gone).for_each(|_| meter.advance());
            *shown = gone;
        }
    };
    let blocks = place.run(job, game, &watch);
    meter.finish();
    blocks
}

impl Arguments {
    fn job(&self, game: &dyn LearnableGame) -> Result<ForgeData> {
        let limits = Limits { soft_nodes: self.soft_nodes, ..self.limits.once(Limits::default())? };
        if limits == Limits::default() {
            return Err(crate::arguments::no_limit());
        }
        let setup = setup_for(game, &self.search.profile, &self.search.resources)?;
        let openings = openings::positions(game, self.openings.as_deref())?;
        let player = Setup { threads: 1, hash: ForgeData::TABLE_MB, ..setup };
        Ok(ForgeData {
            game: game.name().to_owned(),
            games: self.games,
            time: self.time,
            play: SelfPlay {
                player: WrittenSetup::of(game, &player),
                limits,
                openings: openings.iter().map(AnyPosition::text).collect(),
                random_plies: self.random_plies as usize,
                balance: balance(&self.balance),
                to_the_end: false,
                longest: self.longest as usize,
                seed: self.seed,
            },
            rules: DataRules {
                win: won(&self.win),
                draw: dead(&self.draw),
                interior: self
                    .interior
                    .map(|every| InteriorSample { least_depth: self.interior_depth, every: every as usize }),
                ..DataRules::default()
            }
            .of_player(&player),
        })
    }
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (_, _, blocks) = run_summary::read::<Value, Numbered<BlockSize>>(path)?;
    let sum = |part: fn(&BlockSize) -> u64| blocks.iter().map(|block| part(&block.result)).sum::<u64>();
    let (games, plies) = (sum(|size| size.games), sum(|size| size.plies));
    let mut facts = vec![("Games".into(), show_count(games)), ("Positions".into(), show_count(plies))];
    facts.extend((games > 0).then(|| ("Positions a game".into(), format!("{:.1}", plies as f64 / games as f64))));
    Ok(RunSummary { facts, ..RunSummary::default() })
}

/// Describes the contents of files.
fn describe(
    game: &dyn LearnableGame,
    args: &Arguments,
    (names, sources): (&str, &[Source]),
    out: &mut dyn Write,
    stop: &Signal,
) -> Result {
    let contents = Contents::of(game, sources, stop)?;
    let repeated = contents.repeated();
    if args.json {
        let mut results = json!(contents);
        results["repeated"] = json!(repeated);
        results["game"] = json!(game.name());
        results["file"] = json!(args.output);
        return document::write(out, ForgeData::NAME, Some(args.seed), results);
    }
    let [games, positions, interior] = [contents.games, contents.positions, contents.interior].map(show_count);
    let [first, draws, second] = [contents.first_wins, contents.draws, contents.second_wins].map(show_count);
    let [quiet, distinct] = [contents.quiet, contents.distinct].map(show_count);
    let about = if contents.distinct_is_exact { "" } else { "about " };
    writeln!(out, "{names}: {games} games (+{first} ={draws} -{second} for who begins), {positions} positions")?;
    writeln!(
        out,
        "{quiet} of them quiet, in the games or within their searches, {about}{distinct} of these different: {:.1} % repeat \
         others",
        100.0 * repeated
    )?;
    if contents.interior > 0 {
        writeln!(out, "{interior} positions from within the searches")?;
    }
    if contents.cut_off {
        writeln!(out, "the last block was cut off, and does not count")?;
    }
    let mut sheet = Sheet::new(&["score up to", "positions"], &[0]);
    let bands = Contents::BANDS.iter().map(Score::to_string).chain(["beyond".into(), "decided".into()]);
    bands.zip(contents.scores).for_each(|(band, count)| sheet.add(vec![band, show_count(count)]));
    Ok(write!(out, "{}", sheet.show(&Default::default()))?)
}
