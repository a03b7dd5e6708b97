//! `plywise forge suite`: positions with proven answers as EPD.

use crate::engine::setup_for;
use crate::games;
use crate::jobs::Place;
use crate::memory::check_tables;
use crate::progress::say;
use crate::runs::RunArgs;
use crate::{Failure, Result, arguments::ResourceArgs, document, files};
use clap::Args;
use plywise_arena::forge::{Find, ForgeSuite, ForgeSuiteEvent, Gain, Recipe};
use plywise_game::epd::Operation;
use plywise_game::score;
use plywise_host::{AnyGame, SuiteEntry, WrittenSetup};
use plywise_run::Job;
use plywise_search::Signal;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Make positions with proven answers from self-play
///
/// In each position the side to move has a forced win. A shallow search does not see it, a deep one does, and a search
/// that leaves nothing out (the profile of --prover) confirms it; no other move wins within the same depth. With --gain,
/// the default in chess, an advantage that no other move comes near counts too. Symmetric positions come once. Lines are
/// sorted by the nodes of the proof: acd is its depth in plies, acn its nodes, dm the moves to the win, ce the score, and
/// c0 says how it was proven.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge suite loa --count 300 --run runs/loa-suite -o loa.epd
  plywise forge suite chess --count 100 --gain 200,300 --proof-nodes 1000000 -o chess.epd")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// The number of positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// The profile that plays, and looks at positions shallowly and deeply
    #[arg(long, value_name = "NAME|FILE", default_value = crate::arguments::DEFAULT_PROFILE)]
    pub player: String,
    /// The profile that confirms; it should leave nothing out
    #[arg(long, value_name = "NAME|FILE", default_value = "brute")]
    pub prover: String,
    /// Random moves at the start of each game
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=200))]
    pub random_plies: u16,
    /// Nodes for each move of the games
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub play_nodes: u64,
    /// Nodes of the search that must not see the answer
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub shallow_nodes: u64,
    /// Nodes of the search that must see it
    #[arg(long, value_name = "N", default_value_t = 150_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub deep_nodes: u64,
    /// The least nodes that the proof must need
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub least_nodes: u64,
    /// The most nodes that it may need
    #[arg(long, value_name = "N", default_value_t = 1_500_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub proof_nodes: u64,
    /// An advantage of LEAST that is MARGIN above every other move is an answer too; 'none': only forced wins
    /// [default: 150,200 in chess, none elsewhere]
    #[arg(long, value_name = "LEAST,MARGIN")]
    pub gain: Option<String>,
    /// Stop a game after this many moves of each player
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub max_moves: u16,
    /// How many games to work on at the same time
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file for the suite
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// The player's table in MB. Another size would change what is found.
const PLAYER_HASH: usize = 16;
/// The prover's table in MB.
const PROVER_HASH: usize = 64;

/// Makes the suite of the arguments.
pub fn run(game: &Arc<dyn AnyGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    files::check_writable(&args.output)?;
    let job = args.job(&**game)?;
    check_tables(PLAYER_HASH + PROVER_HASH, args.jobs.into())?;
    let talk = Mutex::new(Talk { begun: Instant::now(), last: Instant::now(), wanted: args.count });
    let finds = Place::new(&args.run, args.jobs.into(), stop).run(&job, game, &|event| {
        talk.lock().unwrap_or_else(PoisonError::into_inner).say(event);
    })?;
    if finds.is_empty() && stop.is_stopped() {
        return Err(Failure::Interrupted);
    }
    let lines = finds.iter().enumerate().map(|(i, find)| Ok(format!("{}\n", entry(&**game, args, i + 1, find)?)));
    files::write(&args.output, &lines.collect::<Result<String>>()?, out)?;
    if args.json {
        let nodes: Vec<u64> = finds.iter().map(|find| find.nodes).collect();
        let results = json!({"game": game.name(), "positions": finds.len(), "nodes": nodes, "file": args.output});
        return document::write(out, ForgeSuite::NAME, Some(args.seed), results);
    }
    Ok(writeln!(out, "{} positions in {}", finds.len(), args.output.display())?)
}

impl Arguments {
    /// The suite as a job.
    pub(crate) fn job(&self, game: &dyn AnyGame) -> Result<ForgeSuite> {
        let setup = |profile: &str, hash| {
            let setup = setup_for(game, profile, &ResourceArgs { hash, ..ResourceArgs::default() })?;
            Ok::<_, Failure>(WrittenSetup::of(game, &setup))
        };
        Ok(ForgeSuite {
            game: game.name().to_owned(),
            count: self.count as usize,
            player: setup(&self.player, PLAYER_HASH)?,
            prover: setup(&self.prover, PROVER_HASH)?,
            recipe: Recipe {
                seed: self.seed,
                random_plies: self.random_plies.into(),
                play_nodes: self.play_nodes,
                longest: 2 * usize::from(self.max_moves),
                shallow_nodes: self.shallow_nodes,
                deep_nodes: self.deep_nodes,
                least_nodes: self.least_nodes,
                proof_nodes: self.proof_nodes,
                gain: gain(self.gain.as_deref().unwrap_or(game.decisive_gain()))?,
            },
        })
    }
}

fn gain(text: &str) -> Result<Option<Gain>> {
    const MOST: i32 = 100_000;
    if text == "none" {
        return Ok(None);
    }
    let number = |word: &str| word.trim().parse::<i32>().ok().filter(|number| (1..=MOST).contains(number));
    let numbers = text.split_once(',').and_then(|(least, margin)| Some((number(least)?, number(margin)?)));
    let (least, margin) = numbers.ok_or_else(|| {
        Failure::input(format!("--gain takes two numbers between 1 and {MOST}, such as 150,200, or none, not '{text}'"))
    })?;
    Ok(Some(Gain { least, margin }))
}

/// The line of a find.
fn entry(game: &dyn AnyGame, args: &Arguments, number: usize, find: &Find) -> Result<SuiteEntry> {
    let position = game.parse_position(&find.position)?;
    let best = vec![position.parse_move(&find.best)?];
    let id = Some(format!("{}.{number:04}", game.name()));
    let mut entry = SuiteEntry { position, best, avoid: Vec::new(), id, operations: Vec::new() };
    let mut add = |opcode: &str, operands: String| {
        entry.operations.push(Operation { opcode: opcode.to_string(), operands });
    };
    add("acd", find.depth.to_string());
    add("acn", find.nodes.to_string());
    match score::plies_to_end(find.score) {
        // Players count a move of each side as one.
        Some(plies) => add("dm", ((plies + 1) / 2).to_string()),
        None => add("ce", find.score.to_string()),
    }
    add("c0", format!("\"{}\"", proof_in_words(game, args, find)));
    Ok(entry)
}

fn proof_in_words(game: &dyn AnyGame, args: &Arguments, find: &Find) -> String {
    let Arguments { player, prover, shallow_nodes, deep_nodes, .. } = args;
    let Find { depth, nodes, .. } = find;
    let (best, second) = (game.show_score(find.score), game.show_score(find.second));
    format!(
        "{best} by {prover} at depth {depth} in {nodes} nodes, every other move at most {second} there; \
         {player} sees it in {deep_nodes} nodes and not in {shallow_nodes}"
    )
}

/// Says now and then how far the work has come.
struct Talk {
    begun: Instant,
    last: Instant,
    wanted: u32,
}

impl Talk {
    fn say(&mut self, ForgeSuiteEvent { games, finds }: ForgeSuiteEvent) {
        const PAUSE: Duration = Duration::from_secs(10);
        if self.last.elapsed() < PAUSE {
            return;
        }
        self.last = Instant::now();
        let seconds = self.begun.elapsed().as_secs();
        say(&format!("{finds}/{} positions from {games} games, {seconds} s gone", self.wanted));
    }
}
