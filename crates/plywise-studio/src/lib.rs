//! The studio: a web page, served to this machine alone, on which search trees and runs are looked at.
//!
//! [`Studio`] holds the games of the program, and the files and folders that were named on the command line; it serves nothing
//! else. [`RunReader`] says what a run directory shows, which only its command knows. [`Studio::serve`] serves the page and its
//! data for as long as it is awaited. Only the binary opens a browser.

mod api;
mod connections;
mod games;
mod guard;
mod jobs;
mod page;
mod runs;
mod words;

pub use jobs::{JobStarter, Pairs, ReadyJob};
pub use runs::RunReader;

use guard::Keys;
use jobs::Jobs;
use plywise_host::{AnyGame, AnyPosition};
use plywise_tree::{SentNotation, Tree, TreeNotation};
use runs::Runs;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;
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
    /// When it was written, if that is known.
    changed: Option<SystemTime>,
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
        Opened { name, tree: Arc::new(tree), notation, known: true, title, players: None, path: None, changed: None }
    }

    /// A tree that another program sent, in its own words.
    pub fn sent(name: String, tree: Tree) -> Opened {
        let tree = Arc::new(tree);
        let title = tree.head().game.clone();
        let (path, changed) = (None, None);
        Opened {
            name,
            notation: Box::new(SentNotation(tree.clone())),
            tree,
            known: false,
            title,
            players: None,
            path,
            changed,
        }
    }

    /// The same for a file that was written then.
    #[must_use]
    pub fn changed_at(self, changed: Option<SystemTime>) -> Opened {
        Opened { changed, ..self }
    }

    /// The same for a file that the page recorded just now, which can be saved from there.
    fn saved_at(self, path: &Path) -> Opened {
        Opened { path: Some(path.into()), changed: Some(SystemTime::now()), ..self }
    }
}

/// How many requests may read a whole tree at once.
const READERS: usize = 2;
/// How many searches may run at once.
const SEARCHES: usize = 2;
/// How many trees may be recorded on the page.
const RECORDED: usize = 20;
/// How many jobs that the page began may run at once.
const JOBS: usize = 2;
/// How many pages may watch a run at once.
const WATCHERS: usize = 16;

/// The folder of runs that are kept until the studio ends.
const OWN_RUNS: &str = "runs";

/// What the page shows.
pub struct Studio {
    files: RwLock<Vec<Arc<Opened>>>,
    games: Vec<Arc<dyn AnyGame>>,
    reader: Box<dyn RunReader>,
    /// Begins jobs, where that is wanted.
    starter: Option<Box<dyn JobStarter>>,
    /// The folder that was named for runs, in which those that are begun on the page are kept.
    kept: Option<PathBuf>,
    /// Where the trees go that are recorded on the page, and its runs where no folder was named.
    folder: PathBuf,
    /// How many have.
    recorded: AtomicUsize,
    /// How many more may.
    shelf: Arc<Semaphore>,
    /// How far those are that are under way, by their numbers.
    recording: Mutex<BTreeMap<usize, Value>>,
    /// How far long questions are, by the numbers that the page gave them.
    asked: Mutex<BTreeMap<u64, f64>>,
    keys: Keys,
    runs: Runs,
    jobs: Jobs,
    readers: Arc<Semaphore>,
    searches: Arc<Semaphore>,
    running: Arc<Semaphore>,
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
        let studio = Studio {
            games,
            files: RwLock::default(),
            reader,
            starter: None,
            kept: None,
            folder,
            recorded: AtomicUsize::new(0),
            shelf: Arc::new(Semaphore::new(RECORDED)),
            recording: Mutex::default(),
            asked: Mutex::default(),
            keys: Keys::new()?,
            runs: Runs::new(runs),
            jobs: Jobs::default(),
            readers: Arc::new(Semaphore::new(READERS)),
            searches: Arc::new(Semaphore::new(SEARCHES)),
            running: Arc::new(Semaphore::new(JOBS)),
            watchers: Arc::new(Semaphore::new(WATCHERS)),
        };
        files.into_iter().for_each(|file| drop(studio.add(file)));
        Ok(studio)
    }

    /// The same with jobs that the page may begin. Their runs are kept in the folder `kept`, or where there is none, until the
    /// studio ends.
    #[must_use]
    pub fn with_jobs(mut self, starter: Box<dyn JobStarter>, kept: Option<PathBuf>) -> Studio {
        if kept.is_none() {
            self.runs.add_place(self.folder.join(OWN_RUNS));
        }
        Studio { starter: Some(starter), kept, ..self }
    }

    /// Where runs go that are begun on the page.
    fn run_folder(&self) -> PathBuf {
        self.kept.clone().unwrap_or_else(|| self.folder.join(OWN_RUNS))
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

    /// Adds a file, and returns its name, by which addresses call it. Names are made different.
    fn add(&self, mut file: Opened) -> String {
        let mut files = self.files.write().unwrap_or_else(PoisonError::into_inner);
        let is_taken = |name: &str| files.iter().any(|known| known.name == name);
        file.name = distinct(&file.name, is_taken);
        let name = file.name.clone();
        files.push(Arc::new(file));
        name
    }
}

/// A name that is not taken: as it is, or with a number.
fn distinct(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = |number: u32| if number == 1 { name.to_string() } else { format!("{name} ({number})") };
    (1..).map(numbered).find(|name| !is_taken(name)).unwrap_or_else(|| name.to_string())
}
