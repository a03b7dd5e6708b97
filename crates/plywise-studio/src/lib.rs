//! The studio: a web page, served to this machine alone, on which search trees and runs are looked at.
//!
//! [`Studio`] holds the games of the program, and the files and folders that were named on the command line; it serves nothing
//! else. [`RunReader`] says what a run directory shows, which only its command knows. [`Studio::serve`] serves the page and its
//! data for as long as it is awaited. Only the binary opens a browser.

mod api;
mod connections;
mod games;
mod guard;
mod page;
mod runs;
mod words;

pub use runs::RunReader;

use guard::Keys;
use plywise_host::{AnyGame, AnyPosition};
use plywise_tree::{SentNotation, Tree, TreeNotation};
use runs::Runs;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// A tree that can be looked at.
pub struct Opened {
    name: String,
    tree: Arc<Tree>,
    notation: Box<dyn TreeNotation>,
    /// Whether the boards of its nodes can be drawn.
    known: bool,
    title: String,
    /// What people call the player who moves at the root, and the other.
    players: Option<[String; 2]>,
    /// Where the file lies, if the page recorded it.
    path: Option<PathBuf>,
}

impl Opened {
    /// A tree of a game that is known, searched from this position.
    pub fn known(name: String, game: &dyn AnyGame, tree: Tree, root: AnyPosition) -> Opened {
        let players = [root.side_to_move(), !root.side_to_move()].map(|side| game.player(side).to_string());
        let (title, notation) = (game.title().to_string(), Box::new(root));
        Opened { players: Some(players), ..Opened::written(name, title, tree, notation) }
    }

    /// A tree that is written like this.
    pub fn written(name: String, title: String, tree: Tree, notation: Box<dyn TreeNotation>) -> Opened {
        Opened { name, tree: Arc::new(tree), notation, known: true, title, players: None, path: None }
    }

    /// A tree that another program sent, in its own words.
    pub fn sent(name: String, tree: Tree) -> Opened {
        let tree = Arc::new(tree);
        let title = tree.head().game.clone();
        let path = None;
        Opened { name, notation: Box::new(SentNotation(tree.clone())), tree, known: false, title, players: None, path }
    }

    /// The same for a file that the page recorded, which can be saved from there.
    fn saved_at(mut self, path: &Path) -> Opened {
        self.path = Some(path.into());
        self
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
    games: Vec<Arc<dyn AnyGame>>,
    reader: Box<dyn RunReader>,
    /// Where the trees go that are recorded on the page.
    folder: PathBuf,
    /// How many have.
    recorded: AtomicUsize,
    /// How many more may.
    shelf: Arc<Semaphore>,
    /// How far those are that are under way, by their numbers.
    recording: Mutex<BTreeMap<usize, Value>>,
    keys: Keys,
    runs: Runs,
    readers: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    watchers: Arc<Semaphore>,
}

impl Studio {
    /// A studio for these games, these files, and these run directories or folders of them, of which `reader` knows what they
    /// show. Trees that are recorded on the page go to `folder`.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers for its token.
    pub fn new(
        games: Vec<Arc<dyn AnyGame>>,
        files: Vec<Opened>,
        runs: Vec<PathBuf>,
        reader: Box<dyn RunReader>,
        folder: PathBuf,
    ) -> Result<Studio, String> {
        let files = RwLock::new(files.into_iter().map(Arc::new).collect());
        Ok(Studio {
            games,
            files,
            reader,
            folder,
            recorded: AtomicUsize::new(0),
            shelf: Arc::new(Semaphore::new(RECORDED)),
            recording: Mutex::default(),
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

    /// Remembers how far a recording is; that of one that is over is forgotten.
    fn tell_recording(&self, number: usize, progress: Option<Value>) {
        let mut recording = self.recording.lock().unwrap_or_else(PoisonError::into_inner);
        match progress {
            Some(progress) => recording.insert(number, progress),
            None => recording.remove(&number),
        };
    }

    /// How far the recordings are that are under way.
    fn recordings(&self) -> Vec<Value> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Adds a file, and returns its number.
    fn add(&self, file: Opened) -> usize {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        files.push(Arc::new(file));
        files.len() - 1
    }
}
