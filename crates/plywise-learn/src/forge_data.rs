//! `forge data`: games of self-play with the scores of their searches, to train networks on.

use crate::LearnableGame;
use crate::data::{self, PackedGame};
use crate::data_play::DataRules;
use crate::self_play::SelfPlay;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use plywise_run::{Job, JobError, Run, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games of self-play with the scores of their searches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForgeData {
    /// The name of the game.
    pub game: String,
    /// How many games to play; without a number, as many as the time allows.
    pub games: Option<u64>,
    /// How long to play. What is under way then does not count.
    pub time: Option<Duration>,
    /// How they are played.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// When they end, and what is kept.
    #[serde(flatten)]
    pub rules: DataRules,
}

/// What happens while games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForgeDataEvent {
    /// A run beside this one has played games with the same seed.
    SeedIsUsed(PathBuf),
    /// A block of games is finished.
    Block,
}

/// A finished block, as the journal holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// How many games it has.
    pub games: u64,
    /// How many moves these have.
    pub plies: u64,
    /// In base 64.
    bytes: String,
}

/// How large a finished block is: what the journal says without the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockSize {
    /// How many games it has.
    pub games: u64,
    /// How many moves these have.
    pub plies: u64,
}

impl Block {
    fn new(games: &[PackedGame]) -> Block {
        let plies = games.iter().map(|game| game.plies.len() as u64).sum();
        Block { games: games.len() as u64, plies, bytes: BASE64_STANDARD.encode(data::encode_block(games)) }
    }

    /// The bytes of a block, if it is whole.
    pub(crate) fn unpack(&self) -> Result<Vec<u8>, String> {
        let bytes = BASE64_STANDARD.decode(&self.bytes).map_err(|error| error.to_string())?;
        data::decode_block(&bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

/// The games of a block, which are kept together.
const BLOCK: u64 = 16;

impl ForgeData {
    /// The transposition table of a game, in MB: its searches are short.
    pub const TABLE_MB: usize = 4;

    /// How many blocks the games make, if their number is known.
    pub fn blocks(&self) -> Option<u64> {
        self.games.map(|games| games.div_ceil(BLOCK))
    }

    /// Run directories of this game beside another that have used the same seed.
    fn used_seeds(&self, directory: &Path) -> Vec<PathBuf> {
        let folder = directory.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let uses_seed = |path: &PathBuf| {
            let Ok(work) = Run::glance(path).map(|glance| glance.manifest.work) else { return false };
            work.get("command").is_some_and(|name| name == ForgeData::NAME)
                && work.get("game").is_some_and(|game| *game == self.game)
                && work.get("seed").is_some_and(|seed| *seed == self.play.seed)
        };
        let beside = entries.map(|entry| entry.path()).filter(|path| path.file_name() != directory.file_name());
        let mut used: Vec<PathBuf> = beside.filter(uses_seed).collect();
        used.sort();
        used
    }
}

impl Job for ForgeData {
    const NAME: &'static str = "forge data";
    const MAY_GROW: &'static [&'static str] = &["games", "time"];
    type Game = Arc<dyn LearnableGame>;
    type Event = ForgeDataEvent;
    /// The blocks of a file, which [a header](data::header) precedes.
    type Outcome = Vec<Vec<u8>>;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(ForgeDataEvent) + Sync),
    ) -> Result<Vec<Vec<u8>>, JobError> {
        let game = &**game;
        let players = game.self_play(&self.play).map_err(JobError::input)?;
        let mut units =
            workplace.units::<_, Block>(self, self.blocks(), |_, block: &Block| block.unpack().map(drop))?;
        if let Some(directory) = &workplace.directory {
            self.used_seeds(directory).into_iter().for_each(|path| watch(ForgeDataEvent::SeedIsUsed(path)));
        }
        let (begun, count, games) = (Instant::now(), self.blocks().unwrap_or(u64::MAX), self.games.unwrap_or(u64::MAX));
        let is_over = || self.time.is_some_and(|time| begun.elapsed() >= time);
        let before: BTreeSet<u64> = units.finished().keys().copied().collect();
        let mut each = |number, _: &Block| {
            watch(ForgeDataEvent::Block);
            if is_over() && !before.contains(&number) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let make = |(): &mut (), number: u64, stop: &Signal| {
            let numbers = number * BLOCK..games.min((number + 1) * BLOCK);
            let games: Option<Vec<PackedGame>> =
                numbers.map(|number| players.packed(&self.rules, number, stop)).collect();
            Some(Block::new(&games?))
        };
        units.work(count, vec![(); workplace.jobs], &workplace.stop, make, &mut each)?;
        let blocks = units.into_finished().into_iter().filter(|(number, _)| *number < count);
        let blocks: Vec<Vec<u8>> =
            blocks.map(|(_, block)| block.unpack().map_err(JobError::input)).collect::<Result<_, _>>()?;
        if blocks.is_empty() { Err(JobError::Interrupted) } else { Ok(blocks) }
    }
}
