//! What recording costs, and how fast trees are read: ratios within one run.
//!
//!     cargo bench -p plywise-tree

use divan::Bencher;
use divan::counter::ItemsCount;
use plywise_chess::Chess;
use plywise_game::{BoardGame, GameSoFar};
use plywise_loa::Loa;
use plywise_search::{Limits, Profile, ProfiledGame, Request, Searcher, Signal};
use plywise_tree::{Filter, Head, Query, Recording, Stats, Summary, Tree};
use std::path::Path;

fn main() {
    divan::main();
}

const NODES: u64 = 200_000;

fn searcher<G: BoardGame>() -> Searcher<G, G::Evaluation> {
    let params = Profile::named("best").unwrap().params(ProfiledGame::of::<G>()).unwrap();
    Searcher::new(params, G::evaluation(G::Weights::default()), 16).unwrap()
}

fn record<G: BoardGame>(path: &Path, nodes: u64) {
    let head = Head { game: G::NAME.into(), position: G::write_position(&G::start()), ..Head::default() };
    let recording = Recording::create(path, &head, Filter::default()).unwrap();
    let mut recorder = recording.recorder::<G>();
    let request = Request::new(G::start());
    let report = searcher::<G>().search(&request, &Limits::nodes(nodes), &Signal::new(), &mut recorder);
    drop(recorder);
    recording.finish(&Summary { nodes: report.nodes, ..Summary::default() }).unwrap();
}

/// A search without an observer.
#[divan::bench(types = [Chess, Loa], sample_count = 10)]
fn search<G: BoardGame>(bencher: Bencher) {
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| {
        searcher::<G>().search(&Request::new(G::start()), &Limits::nodes(NODES), &Signal::new(), &mut ())
    });
}

/// The same search, recorded.
#[divan::bench(types = [Chess, Loa], sample_count = 10)]
fn search_recorded<G: BoardGame>(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tree");
    bencher.counter(ItemsCount::new(NODES)).bench_local(|| record::<G>(&path, NODES));
}

const LARGE: u64 = 1_000_000;

fn tree(folder: &tempfile::TempDir) -> Tree {
    let path = folder.path().join("a.tree");
    record::<Chess>(&path, LARGE);
    Tree::open(&path).unwrap()
}

/// All of `tree stats`.
#[divan::bench(sample_count = 10)]
fn stats(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let tree = tree(&folder);
    bencher.counter(ItemsCount::new(tree.len())).bench_local(|| Stats::of(&tree, &Signal::new()).unwrap());
}

/// A question that must look at every node and its parent.
#[divan::bench(sample_count = 10)]
fn query(bencher: Bencher) {
    let folder = tempfile::tempdir().unwrap();
    let tree = tree(&folder);
    let query =
        Query::parse("kind = cut and cut_by = null_move and parent.depth >= 4 and value < parent.beta").unwrap();
    let notation = GameSoFar::<Chess>::new(<Chess as plywise_game::Game>::start());
    bencher
        .counter(ItemsCount::new(tree.len()))
        .bench_local(|| query.ask(&tree, &notation, 10, &Signal::new()).unwrap());
}
