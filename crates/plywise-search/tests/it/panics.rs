//! A game or an evaluation that panics ends the search: its caller hears of it.

use crate::random_tree::Hashed;
use plywise_chess::Chess;
use plywise_game::{Evaluate, Game, Score};
use plywise_search::{Limits, Observer, Params, Progress, Request, Searcher, Signal};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// An evaluation that panics once: when all its copies together have been asked so often.
#[derive(Clone)]
struct Trap(Arc<AtomicU64>, u64);

impl<G: Game> Evaluate<G> for Trap {
    fn evaluate(&mut self, position: &G::Position) -> Score {
        assert_ne!(self.0.fetch_add(1, Ordering::Relaxed), self.1, "the trap is sprung");
        Evaluate::<G>::evaluate(&mut Hashed { salt: 1, range: 100 }, position)
    }
}

struct Touchy;

impl<G: Game> Observer<G> for Touchy {
    fn progress(&mut self, _: &Progress<G::Move>) {
        panic!("the evaluation must not be asked");
    }
}

/// Whether a search without limits ends by a panic, rather than never.
fn ends<E: Evaluate<Chess> + 'static>(
    evaluate: E,
    threads: usize,
    observer: impl Observer<Chess> + Send + 'static,
) -> bool {
    let (sender, ended) = mpsc::channel();
    thread::spawn(move || {
        let mut searcher = Searcher::<Chess, E>::new(Params::DEFAULT, evaluate, 1).unwrap();
        searcher.set_threads(threads);
        let (request, mut observer) = (Request::new(Chess::start()), observer);
        let search =
            AssertUnwindSafe(|| searcher.search(&request, &Limits::default(), &Signal::new(), &mut observer).nodes);
        let _ = sender.send(catch_unwind(search).is_err());
    });
    ended.recv_timeout(Duration::from_secs(60)).expect("the search does not hang")
}

#[test]
fn an_evaluation_that_panics_in_whatever_thread() {
    for threads in 1..=4 {
        for evaluations in [0, 1, 100, 5000, 50_000] {
            assert!(ends(Trap(Arc::default(), evaluations), threads, ()), "{threads} threads, {evaluations}");
        }
    }
}

#[test]
fn an_observer_that_panics() {
    for threads in [1, 3] {
        assert!(ends(Hashed { salt: 1, range: 100 }, threads, Touchy), "{threads} threads");
    }
}
