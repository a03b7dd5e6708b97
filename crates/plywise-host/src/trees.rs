//! Recorded trees: how they come about, and what their game knows about them.

use crate::{AnyGame, AnyPosition, Ask, Engine, Event, Files, HostError, Move, Setup, find_game, milliseconds};
use plywise_game::Score;
use plywise_search::{Limits, Profile, Report, Signal};
use plywise_tree::{Board, Checked, Filter, Head, Recorded, Recording, Summary, Tree, TreeError, TreeNotation, check};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

/// The position is the root of the tree.
impl TreeNotation for AnyPosition {
    fn line(&self, moves: &[u32]) -> Vec<String> {
        self.notation().line(moves)
    }

    fn read(&self, line: &[u32], text: &str) -> Result<u32, String> {
        self.notation().read(line, text)
    }

    fn board(&self, moves: &[u32]) -> String {
        self.notation().board(moves)
    }

    fn svg(&self, moves: &[u32], turned: bool) -> Option<String> {
        self.notation().svg(moves, turned)
    }

    fn position(&self, moves: &[u32]) -> String {
        self.notation().position(moves)
    }

    fn score(&self, score: Score) -> String {
        self.notation().score(score)
    }
}

/// The game of a tree.
pub struct TreeGame {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The position that was searched.
    pub root: AnyPosition,
    /// How the engine thought. A profile of another version may have parameters that this one does not know.
    setup: Result<Setup, HostError>,
}

impl TreeGame {
    /// The game and the position that the head of a file names. `files` reads a network that is not built in.
    pub fn new(game: Arc<dyn AnyGame>, head: &Head, files: &dyn Files) -> Result<TreeGame, HostError> {
        let root = game.position(&head.position)?;
        let setup = setup_of(&*game, head, files);
        Ok(TreeGame { game, root, setup })
    }

    /// The game of a tree, among these; `None` if only the program that sent the tree knows it.
    pub fn of_tree(games: &[Arc<dyn AnyGame>], tree: &Tree, files: &dyn Files) -> Result<Option<TreeGame>, HostError> {
        match find_game(games, &tree.head().game) {
            Ok(game) if !tree.has_texts() => TreeGame::new(game.clone(), tree.head(), files).map(Some),
            Ok(_) => Ok(None),
            Err(_) if tree.head().sent => Ok(None),
            Err(unknown) => Err(unknown),
        }
    }

    /// Whether everything in a tree of this game follows from the rules of the game and of the techniques.
    ///
    /// The error outside is one of the profile in the file, the one inside that of damage.
    pub fn check(&self, tree: &Tree) -> Result<Result<Checked, TreeError>, HostError> {
        let setup = self.setup.as_ref().map_err(Clone::clone)?;
        let mut board = self.game.board(setup, &self.root, &tree.head().history);
        Ok(check(tree, &setup.params, board.as_mut().map(|board| &mut **board as &mut dyn Board)))
    }
}

/// How the engine thought whose search was recorded; a tree that another program sent names no profile.
fn setup_of(game: &dyn AnyGame, head: &Head, files: &dyn Files) -> Result<Setup, HostError> {
    match head.parameters.is_empty() {
        true => Ok(Setup::linear(game)),
        false => Setup::new(game, Profile::parse(&head.profile, &head.parameters)?, None, files),
    }
}

/// A search whose tree is recorded to a file.
pub struct RecordedSearch<'a> {
    /// The game.
    pub game: &'a dyn AnyGame,
    /// How the engine thinks.
    pub setup: &'a Setup,
    /// The file.
    pub path: &'a Path,
    /// Which nodes are recorded.
    pub filter: Filter,
}

impl RecordedSearch<'_> {
    /// Searches, hands `each` the events, and records the nodes. The result inside is that of the recording: if the file
    /// cannot be written any more, the search goes on.
    pub fn run(
        &self,
        engine: &mut dyn Engine,
        ask: &Ask,
        limits: &Limits,
        signal: &Signal,
        each: &mut dyn FnMut(Event),
    ) -> Result<(Report<Move>, Result<Recorded, HostError>), HostError> {
        let failed = |error| HostError::new(format!("cannot write '{}': {error}", self.path.display()));
        let head = self.head(ask, limits, !engine.is_fresh());
        let recording = Recording::create(self.path, &head, self.filter).map_err(failed)?;
        let report = engine.record(ask, limits, signal, &recording, each);
        let summary = Summary {
            nodes: report.nodes,
            time_ms: milliseconds(report.time),
            pv: ask.position.write_best_line(&report),
            score: report.score(),
            techniques: Summary::effects(&report.counters),
        };
        Ok((report, recording.finish(&summary).map_err(failed)))
    }

    fn head(&self, ask: &Ask, limits: &Limits, remembers: bool) -> Head {
        let Setup { name, threads, hash, .. } = self.setup;
        Head {
            game: self.game.name().into(),
            position: ask.position.text(),
            history: ask.position.history().to_vec(),
            profile: name.clone(),
            parameters: self.setup.to_profile(self.game, name),
            build: concat!("plywise ", env!("CARGO_PKG_VERSION")).into(),
            settings: json!({
                "limits": limits.to_string(),
                "threads": threads,
                "hash": hash,
                "lines": ask.lines,
                "changed": self.setup.changes(self.game),
            }),
            remembers,
            ..Head::default()
        }
    }
}
