//! The studio: a web page, served to this machine alone, on which search trees and runs are looked at.
//!
//! [`Studio`] holds the files and folders that were named on the command line, and answers for nothing else. [`Studio::serve`] serves
//! the page and its data until it is told to stop. Only the binary opens a browser.

mod api;
mod connections;
mod games;
mod guard;
mod page;
mod runs;
mod words;

pub use games::{Host, Task};

use guard::Keys;
use plywise_tree::{Scribe, Sent, Tree};
use runs::Runs;
use std::path::PathBuf;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// A tree that can be looked at.
pub struct Opened {
    name: String,
    tree: Arc<Tree>,
    scribe: Box<dyn Scribe>,
    /// Whether the boards of its nodes can be drawn.
    known: bool,
    title: String,
}

impl Opened {
    /// A tree of a game that is known.
    pub fn known(name: String, title: String, tree: Tree, scribe: Box<dyn Scribe>) -> Opened {
        Opened { name, tree: Arc::new(tree), scribe, known: true, title }
    }

    /// A tree that another program sent, in its own words.
    pub fn sent(name: String, tree: Tree) -> Opened {
        let tree = Arc::new(tree);
        let title = tree.head().game.clone();
        Opened { name, scribe: Box::new(Words(tree.clone())), tree, known: false, title }
    }
}

/// The scribe of a tree that was sent, for as long as somebody looks at it.
struct Words(Arc<Tree>);

impl Scribe for Words {
    fn line(&self, moves: &[u32]) -> Vec<String> {
        Sent(&self.0).line(moves)
    }
    fn read(&self, line: &[u32], text: &str) -> Result<u32, String> {
        Sent(&self.0).read(line, text)
    }
    fn board(&self, moves: &[u32]) -> String {
        Sent(&self.0).board(moves)
    }
    fn position(&self, moves: &[u32]) -> String {
        Sent(&self.0).position(moves)
    }
    fn score(&self, score: i32) -> String {
        Sent(&self.0).score(score)
    }
}

/// How many requests may read a whole tree at once.
const READERS: usize = 2;
/// How many searches may run at once.
const SEARCHES: usize = 2;
/// How many trees may be recorded on the page.
const RECORDED: usize = 20;
/// How many pages may watch a run at once.
const WATCHERS: usize = 16;

/// What the page shows.
pub struct Studio {
    files: RwLock<Vec<Arc<Opened>>>,
    host: Box<dyn Host>,
    /// Where the trees go that are recorded on the page.
    folder: PathBuf,
    /// How many have.
    recorded: AtomicUsize,
    /// How many more may.
    shelf: Arc<Semaphore>,
    keys: Keys,
    runs: Runs,
    readers: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
}

impl Studio {
    /// A studio for these files, these run directories or folders of them, and the games of this host. Trees that are
    /// recorded on the page go to `folder`.
    ///
    /// # Errors
    ///
    /// Where the system has no random numbers for its token.
    pub fn new(files: Vec<Opened>, runs: Vec<PathBuf>, host: Box<dyn Host>, folder: PathBuf) -> Result<Studio, String> {
        let files = RwLock::new(files.into_iter().map(Arc::new).collect());
        Ok(Studio {
            files,
            host,
            folder,
            recorded: AtomicUsize::new(0),
            shelf: Arc::new(Semaphore::new(RECORDED)),
            keys: Keys::new()?,
            runs: Runs::new(runs),
            readers: Arc::new(Semaphore::new(READERS)),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            watchers: Arc::new(Semaphore::new(WATCHERS)),
        })
    }

    /// The address of the page, with what lets one browser in, once.
    pub fn address(&self, port: u16) -> String {
        self.keys.address(port)
    }

    /// Serves for as long as it is awaited.
    ///
    /// # Errors
    ///
    /// Where the listener has no address.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        let port = listener.local_addr()?.port();
        match connections::serve(listener, api::router(Arc::new(self), port)).await {}
    }

    fn files(&self) -> Vec<Arc<Opened>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a file, and tells its number.
    fn add(&self, file: Opened) -> usize {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.push(Arc::new(file));
        files.len() - 1
    }
}
