//! Trees to try things on.

use plywise_game::{BoardGame, GameSoFar};
use plywise_search::{Knowledge, Limits, Params, Profile, ProfiledGame, Report, Request, Searcher, Signal};
use plywise_tree::{Filter, Head, KnownBoard, Recording, Summary, Tree};
use std::path::{Path, PathBuf};

/// A search of a game to be recorded.
pub struct Setup<G: BoardGame> {
    pub params: Params,
    pub position: G::Position,
    pub limits: Limits,
    pub threads: usize,
    pub lines: usize,
    pub filter: Filter,
}

impl<G: BoardGame> Setup<G> {
    pub fn new(profile: &str, limits: Limits) -> Setup<G> {
        let params = Profile::named(profile).unwrap().params(ProfiledGame::of::<G>()).unwrap();
        Setup { params, position: G::start(), limits, threads: 1, lines: 1, filter: Filter::default() }
    }

    pub fn at(self, position: &str) -> Setup<G> {
        Setup { position: G::parse_position(position).unwrap(), ..self }
    }

    /// Searches, and records to a file.
    pub fn record(&self, path: &Path) -> Report<G::Move> {
        let evaluation = G::evaluation(G::Weights::default());
        let mut searcher = Searcher::<G, _>::new(self.params.clone(), evaluation, 4).unwrap();
        searcher.set_knowledge(Knowledge::built_in::<G>(&self.params));
        searcher.set_threads(self.threads);
        let position = G::write_position(&self.position);
        let head = Head { game: G::NAME.into(), position, ..Head::default() };
        let recording = Recording::create(path, &head, self.filter).unwrap();
        let mut recorder = recording.recorder::<G>();
        let request = Request { lines: self.lines, ..Request::new(self.position.clone()) };
        let report = searcher.search(&request, &self.limits, &Signal::new(), &mut recorder);
        drop(recorder);
        let techniques = Summary::effects(&report.counters);
        recording.finish(&Summary { nodes: report.nodes, techniques, ..Summary::default() }).unwrap();
        report
    }

    pub fn tree(&self) -> Tree {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tree");
        self.record(&path);
        Tree::open(&path).unwrap()
    }

    pub fn notation(&self) -> GameSoFar<G> {
        GameSoFar::new(self.position.clone())
    }

    pub fn board(&self) -> KnownBoard<G, G::Evaluation> {
        KnownBoard::new(self.position.clone(), &[], G::evaluation(G::Weights::default()))
    }
}

/// A file in a folder of its own.
pub fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tree");
    (folder, path)
}
