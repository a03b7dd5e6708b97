//! Embedding a search into another program: in slices on the program's own thread, and in a thread that can be stopped.
//!
//! The library starts no thread unless told to, prints nothing, keeps no global state, and takes as much memory as its
//! table is given.
#![allow(clippy::print_stdout)]

#[allow(dead_code)]
#[path = "connect_four.rs"]
pub mod connect_four;

use connect_four::{ConnectFour, Move, Position, Threats};
use plywise::{Game, Limits, Observer, Params, Progress, Report, Request, Searcher, Signal, TableTooLarge};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// A host with one thread, such as a page in a browser or the loop of a game: think a little in every frame, until the
/// depth is reached. The table remembers what earlier slices found, so little is searched twice.
pub fn think_in_slices(position: Position, depth: i32, mut frame: impl FnMut(&Report<Move>)) -> Option<Move> {
    // 0 MB is the smallest table: 32 bytes. A megabyte already does much better.
    let mut searcher = Searcher::<ConnectFour, _>::new(Params::DEFAULT, Threats, 1).ok()?;
    let mut nodes = 2_000;
    loop {
        let slice = Limits { depth: Some(depth), ..Limits::nodes(nodes) };
        let report = searcher.search(&Request::new(position), &slice, &Signal::new(), &mut ());
        frame(&report);
        if report.nodes < nodes {
            return report.best_move();
        }
        // A slice begins with the first iteration again, so it must grow to get anywhere.
        nodes += nodes / 2;
    }
}

/// Sends what the search finds to another thread, such as one that draws.
struct Sender(mpsc::Sender<Progress<Move>>);

impl Observer<ConnectFour> for Sender {
    fn progress(&mut self, progress: &Progress<Move>) {
        // The listener may be gone; the search goes on all the same.
        let _ = self.0.send(progress.clone());
    }
}

/// A search that runs in a thread of its own.
pub struct Thinking {
    /// What it finds on the way.
    pub progress: Receiver<Progress<Move>>,
    signal: Signal,
    thread: thread::JoinHandle<Result<Report<Move>, TableTooLarge>>,
}

impl Thinking {
    /// Begins to think, without any limit.
    pub fn begin(position: Position) -> Thinking {
        let (sender, progress) = mpsc::channel();
        let signal = Signal::new();
        let heard = signal.clone();
        let thread = thread::spawn(move || {
            let mut searcher = Searcher::<ConnectFour, _>::new(Params::DEFAULT, Threats, 4)?;
            Ok(searcher.search(&Request::new(position), &Limits::default(), &heard, &mut Sender(sender)))
        });
        Thinking { progress, signal, thread }
    }

    /// Stops, and says what was found.
    pub fn stop(self) -> Option<Report<Move>> {
        self.signal.stop();
        self.thread.join().ok()?.ok()
    }
}

fn main() {
    let start = ConnectFour::start();
    let mut frames = 0;
    let mv = think_in_slices(start, 12, |_| frames += 1);
    println!("in slices: {frames} frames, then {mv:?}");

    let thinking = Thinking::begin(start);
    thread::sleep(Duration::from_millis(300));
    for progress in thinking.progress.try_iter() {
        println!("depth {:>2}: value {:+}, {} nodes", progress.depth, progress.score, progress.nodes);
    }
    let report = thinking.stop();
    println!("stopped: {:?}", report.and_then(|report| report.best_move()));
}
