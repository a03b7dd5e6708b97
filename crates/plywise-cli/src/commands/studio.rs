//! `plywise studio`: a web page for recorded trees and for runs.

mod kinds;
mod replay;
mod start;

use super::tree::{game_of, open};
use crate::games::{Games, unknown_game};
use crate::{Failure, Result};
use clap::Args;
use plywise_host::AnyGame;
use plywise_run::Run;
use plywise_studio::{Opened, RunReader, Studio};
use replay::{Indexes, replay};
use serde_json::{Map, Value};
use start::Starter;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tokio::net::TcpListener;

/// Look at recorded trees and runs, analyse and play on a web page of this machine
///
/// The page is served to this machine alone, and to the one browser that opens the printed address first. Nothing is served
/// but the files and folders that are named. Matches, suites and learners that are started on the page are kept in the first
/// folder that is named; they start no other program and read no file. Interrupt the program to end it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise studio
  plywise tree record chess --depth 10 -o start.tree
  plywise studio start.tree
  plywise match chess --a best --b classic --games 20 --nodes 2000 --run runs/best-classic
  plywise studio runs
  plywise studio runs --port 9000")]
pub struct Arguments {
    /// Trees, as 'plywise tree record' writes them; run directories, and folders that hold trees or runs
    #[arg(value_name = "FILE|RUN")]
    pub files: Vec<PathBuf>,
    /// The port of the page [default: 8017, or one that is free]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
}

/// The same port each time, so that what the browser remembers of the studio is there again.
const PORT: u16 = 8017;

/// The most trees that are opened because they lie in a folder that was named.
const MOST_TREES: usize = 100;

/// Serves the page until the program is interrupted.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = args.files.iter().partition(|path| path.is_dir());
    let opened: Result<Vec<Opened>> = files.into_iter().map(|path| look_into(games, path)).collect();
    let mut opened = opened?;
    // What lies in a folder and is no whole tree was not asked for by name, and is left out.
    let found = folders.iter().flat_map(|folder| trees_in(folder)).take(MOST_TREES);
    opened.extend(found.filter_map(|path| look_into(games, &path).ok()));
    // What is begun on the page is kept in the first folder that is no run itself.
    let kept = folders.iter().find(|folder| !Run::is_at(folder)).map(|folder| real(folder));
    let runs = folders.into_iter().map(|folder| real(folder)).collect();
    let failed = |error: std::io::Error| Failure::Failed(format!("the page cannot be served: {error}"));
    // What is recorded on the page goes when the studio does, and other users of the machine cannot read it.
    let folder = private_folder().map_err(failed)?;
    let reader = Box::new(RunDirectories { games: games.all(), indexes: Indexes::default() });
    let studio = Studio::new(games.all(), opened, runs, reader, folder.path().into()).map_err(Failure::Failed)?;
    let studio = studio.with_jobs(Box::new(Starter::new(games)), kept);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        // From here on no signal that can be caught leaves the folder behind.
        let interrupted = interrupted().map_err(failed)?;
        let listener = listen(args.port).await?;
        let address = studio.address(listener.local_addr().map_err(failed)?.port());
        writeln!(out, "The studio is at {address}\nInterrupt (Ctrl-C) ends it.")?;
        out.flush()?;
        if !args.no_open {
            open_browser(&address);
        }
        tokio::select! {
            served = studio.serve(listener) => served.map_err(failed),
            () = interrupted => Ok(()),
        }
    })?;
    // Searches that still run are not waited for.
    runtime.shutdown_background();
    Ok(())
}

/// A folder as it was named, or with its whole path if the system knows it.
fn real(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// Listens on this port; without one, on the usual one, or on one that is free.
async fn listen(port: Option<u16>) -> Result<TcpListener> {
    let bind = |port: u16| TcpListener::bind(("127.0.0.1", port));
    let (port, listener) = match port {
        Some(port) => (port, bind(port).await),
        None => match bind(PORT).await {
            Ok(listener) => (PORT, Ok(listener)),
            Err(_) => (0, bind(0).await),
        },
    };
    listener.map_err(|error| Failure::input(format!("port {port}: {error}")))
}

/// The files in a folder whose names say that they are trees, in the order of their names. Links are not followed.
fn trees_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_tree = |entry: &std::fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_file()) && entry.path().extension().is_some_and(|end| end == "tree")
    };
    let mut found: Vec<PathBuf> = entries.filter(is_tree).map(|entry| entry.path()).collect();
    found.sort();
    found
}

fn private_folder() -> std::io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("plywise-studio-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Waits for what ends the program: Ctrl-C, the signal to terminate, or the end of its terminal.
#[cfg(unix)]
fn interrupted() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut signals =
        [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?];
    Ok(async move {
        let [interrupt, terminate, hangup] = &mut signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interrupted() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// The run directories that the commands of the program made.
struct RunDirectories {
    games: Vec<Arc<dyn AnyGame>>,
    indexes: Indexes,
}

impl RunReader for RunDirectories {
    fn unit_name(&self, work: &Map<String, Value>) -> &'static str {
        kinds::units(work)
    }

    fn summary(&self, path: &Path) -> Result<Value, String> {
        kinds::summary(path).map(|summary| summary.to_json()).map_err(|failure| failure.to_string())
    }

    fn games(&self, path: &Path, from: usize, count: usize) -> Result<Value, String> {
        self.indexes.list(path, from, count).map_err(|failure| failure.to_string())
    }

    fn game(&self, path: &Path, number: u64) -> Result<Value, String> {
        let found = self.indexes.find(path, number);
        let replayed = found.and_then(|(name, record)| {
            let names: Vec<&str> = self.games.iter().map(|game| game.name()).collect();
            let game = self.games.iter().find(|game| game.name() == name);
            replay(&**game.ok_or_else(|| unknown_game(&name, &names))?, &record)
        });
        replayed.map_err(|failure| failure.to_string())
    }

    fn pgn(&self, path: &Path) -> Result<String, String> {
        replay::pgn(&self.games, path).map_err(|failure| failure.to_string())
    }
}

fn look_into(games: Games, path: &Path) -> Result<Opened> {
    let tree = open(path)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let changed = std::fs::metadata(path).and_then(|about| about.modified()).ok();
    let opened = match game_of(games, &tree)? {
        Some(of) => Opened::known(name, &*of.game, tree, of.root),
        None => Opened::sent(name, tree),
    };
    Ok(opened.changed_at(changed))
}

/// Asks the system to open a browser. Where it cannot, the address was printed.
fn open_browser(address: &str) {
    let (program, first) = match std::env::consts::OS {
        "macos" => ("open", None),
        "windows" => ("rundll32", Some("url.dll,FileProtocolHandler")),
        _ => ("xdg-open", None),
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
