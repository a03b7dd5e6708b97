//! Groups of arguments that commands share.

use crate::engine::{Setup, setup_for};
use crate::games;
use crate::memory::LARGEST_TABLE_MB;
use crate::text::show_counted;
use crate::{Failure, Result};
use clap::Args;
use plywise_game::Depth;
pub use plywise_host::Setting;
use plywise_host::{AnyGame, AnyPosition};
use plywise_search::{Clock, Limits, TimeControl};
use std::time::Duration;

/// The game and a position of it.
#[derive(Debug, Args)]
pub struct PositionArgs {
    /// The name of the game.
    #[arg(help = games::HELP)]
    pub game: String,
    /// The position in the game's one-line notation (FEN for chess), with or without quotes [default: the start]
    #[arg(value_name = "POSITION", num_args = 0..)]
    pub position: Vec<String>,
    /// Moves to play from the position first, in any notation of the game: --moves e4 e5 Nf3
    #[arg(long, value_name = "MOVE", num_args = 1..)]
    pub moves: Vec<String>,
}

impl PositionArgs {
    /// The position with the moves played.
    pub fn position(&self, game: &dyn AnyGame) -> Result<AnyPosition> {
        let mut position = game.position(&self.position.join(" "))?;
        for (i, text) in self.moves.iter().flat_map(|words| words.split_whitespace()).enumerate() {
            position.play_text(text).map_err(|error| Failure::input(format!("move {} of --moves: {error}", i + 1)))?;
        }
        Ok(position)
    }
}

/// What a search, or each move of a player, may use up.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// Plies to search; commands that compare run each depth of a list: --depth 8,10,12
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = parse_depth)]
    pub depth: Vec<i32>,
    /// Nodes to search
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,
    /// Time for a move in milliseconds
    #[arg(long, value_name = "MS", value_parser = parse_movetime)]
    pub movetime: Option<Duration>,
    /// A clock in seconds, of which a move may use its share: 60+0.6, or 40/60 for 40 moves in 60 seconds
    #[arg(long, value_name = "[MOVES/]BASE[+INC]", conflicts_with = "movetime")]
    pub tc: Option<TimeControl>,
}

/// A depth in plies.
pub fn parse_depth(text: &str) -> Result<i32, String> {
    const DEEPEST: i32 = Depth::MAX.whole_plies();
    let depth = text.trim().parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    depth.ok_or_else(|| format!("a depth is a whole number from 1 to {DEEPEST}"))
}

/// A number of nodes.
pub fn parse_nodes(text: &str) -> Result<u64, String> {
    let nodes = text.trim().parse().ok().filter(|nodes| *nodes > 0);
    nodes.ok_or_else(|| "a number of nodes is a whole number of at least 1".to_string())
}

/// A time in milliseconds.
pub fn parse_movetime(text: &str) -> Result<Duration, String> {
    // A year: far from where sums of times overflow.
    const LONGEST: u64 = 365 * 24 * 3600 * 1000;
    let time = text.trim().parse().ok().filter(|time| (1..=LONGEST).contains(time));
    time.map(Duration::from_millis)
        .ok_or_else(|| format!("a time is a whole number of milliseconds from 1 to {LONGEST}"))
}

impl LimitArgs {
    /// Every set of limits that is asked for: one for each depth, or one without.
    pub fn each(&self) -> Vec<Limits> {
        let LimitArgs { nodes, movetime, .. } = *self;
        let common = Limits { nodes, movetime, clock: self.tc.map(Clock::new), ..Limits::default() };
        if self.depth.is_empty() {
            return vec![common];
        }
        self.depth.iter().map(|&depth| Limits { depth: Some(depth), ..common }).collect()
    }

    /// The limits for a command that has one set of them, if any are given.
    pub fn single(&self) -> Result<Option<Limits>> {
        match self.each()[..] {
            [one] => Ok(Some(one).filter(|one| *one != Limits::default())),
            _ => Err(Failure::input("a list of depths is for compare and suite; here --depth takes one")),
        }
    }

    /// The limits for a command that searches once, or `otherwise` if none are given.
    pub fn once(&self, otherwise: Limits) -> Result<Limits> {
        Ok(self.single()?.unwrap_or(otherwise))
    }

    /// All sets of limits for a command that cannot do without.
    pub fn required(&self) -> Result<Vec<Limits>> {
        let each = self.each();
        if each.contains(&Limits::default()) {
            return Err(no_limit());
        }
        Ok(each)
    }
}

/// Says that a search would never end.
pub fn no_limit() -> Failure {
    Failure::input("a limit is needed: --depth, --nodes, --movetime or --tc")
}

/// Limits in words, for documents and run directories: `depth 8`, `100000 nodes`.
pub fn describe_limits(limits: &Limits) -> String {
    limits.to_string()
}

/// Limits in words, for people: `depth 8`, `100,000 nodes`.
pub fn show_limits(limits: &Limits) -> String {
    limits.in_words(|nodes| show_counted(nodes, "node"))
}

/// What searches, apart from the profile.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct ResourceArgs {
    /// Change a parameter of the search, or a weight of the evaluation as evaluation.GROUP.NAME; repeatable
    #[arg(long, value_name = "GROUP.NAME=VALUE")]
    pub set: Vec<Setting>,
    /// A table that a learner wrote, instead of the built-in one of its kind; repeatable
    #[arg(long, value_name = "FILE")]
    pub table: Vec<String>,
    /// The network of the evaluation: a file that 'learn net' wrote, a built-in name, or 'off' [default: the profile's]
    #[arg(long, value_name = "FILE|off")]
    pub network: Option<String>,
    /// Threads of one search
    #[arg(long, value_name = "N", default_value_t = DEFAULT_THREADS, value_parser = parse_threads)]
    pub threads: usize,
    /// Size of the transposition table in MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH, value_parser = parse_hash)]
    pub hash: usize,
}

/// What plays unless the user says.
pub const DEFAULT_PROFILE: &str = "best";
const DEFAULT_THREADS: usize = 1;
const DEFAULT_HASH: usize = 64;

impl Default for ResourceArgs {
    fn default() -> ResourceArgs {
        ResourceArgs { set: Vec::new(), table: Vec::new(), network: None, threads: DEFAULT_THREADS, hash: DEFAULT_HASH }
    }
}

/// What searches: a profile and changes to it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// The search profile: a name that `plywise profiles` lists, or a TOML file
    #[arg(long, value_name = "NAME|FILE", default_value = DEFAULT_PROFILE)]
    pub profile: String,
    #[command(flatten)]
    pub resources: ResourceArgs,
}

impl SearchArgs {
    /// The setup that they ask for.
    pub fn setup(&self, game: &dyn AnyGame) -> Result<Setup> {
        setup_for(game, &self.profile, &self.resources)
    }
}

/// More threads than this are a slip of the finger: each has tables of its own.
pub const MOST_THREADS: usize = 256;

/// A number of threads.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
    threads.ok_or_else(|| format!("the number of threads must lie between 1 and {MOST_THREADS}"))
}

/// How many units of work run at the same time: as many as are asked for, or as the machine has cores for units of this
/// many threads each.
pub fn jobs(wanted: Option<u16>, threads: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    wanted.map_or_else(|| (cores() / threads.max(1)).max(1), usize::from)
}

/// A size of the transposition table in MB.
pub fn parse_hash(text: &str) -> Result<usize, String> {
    let megabytes = text.parse().ok().filter(|megabytes| (1..=LARGEST_TABLE_MB).contains(megabytes));
    megabytes.ok_or_else(|| format!("the size must be a whole number of MB between 1 and {LARGEST_TABLE_MB}"))
}
