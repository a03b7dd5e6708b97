//! The studio: a web page, served to this machine alone, on which search trees are looked at.
//!
//! [`Studio`] holds the files that were named on the command line, and answers for nothing else. [`Studio::serve`] serves
//! the page and its data until it is told to stop. Only the binary opens a browser.

mod api;
mod guard;
mod page;
mod words;

use plywise_tree::{Scribe, Sent, Tree};
use std::future::Future;
use std::sync::Arc;
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

/// What the page shows.
pub struct Studio {
    files: Vec<Opened>,
    /// Who knows it may look.
    token: String,
    readers: Semaphore,
}

impl Studio {
    /// A studio for these files.
    ///
    /// # Errors
    ///
    /// Where the system has no random numbers for its token.
    pub fn new(files: Vec<Opened>) -> Result<Studio, String> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Studio { files, token, readers: Semaphore::new(READERS) })
    }

    /// The address of the page, with what lets a browser in.
    pub fn address(&self, port: u16) -> String {
        format!("http://127.0.0.1:{port}/?token={}", self.token)
    }

    /// Serves until `stop` is done.
    ///
    /// # Errors
    ///
    /// Where the listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> std::io::Result<()> {
        let port = listener.local_addr()?.port();
        let router = api::router(Arc::new(self), port);
        axum::serve(listener, router).with_graceful_shutdown(stop).await
    }
}
