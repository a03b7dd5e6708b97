//! `plywise studio`: a web page for recorded trees and for runs.

mod desk;
mod kinds;
mod replay;

use super::tree::{Lore, open};
use crate::games::Games;
use crate::{Failure, Result};
use clap::Args;
pub(crate) use desk::GameDesk;
use plywise_search::{Profile, Signal};
use plywise_studio::{Host, Opened, Studio, Task};
use replay::Indexes;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Look at recorded trees and runs, analyse and play on a web page of this machine
///
/// The page is served to this machine alone, and to the one browser that opens the printed address first. Nothing is served
/// but the files and folders that are named. Interrupt the program to end it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise studio
  plywise tree record chess --depth 10 -o start.tree
  plywise studio start.tree
  plywise match chess --a best --b classic --games 20 --nodes 2000 --run runs/best-classic
  plywise studio runs")]
pub struct Arguments {
    /// Trees, as 'plywise tree record' writes them; run directories, and folders that hold some
    #[arg(value_name = "FILE|RUN")]
    pub files: Vec<PathBuf>,
    /// The port of the page [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub no_open: bool,
}

/// Serves the page until the program is interrupted.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) = args.files.iter().partition(|path| path.is_dir());
    let opened: Result<Vec<Opened>> = files.into_iter().map(|path| look_into(games, path)).collect();
    let runs = folders.into_iter().map(|path| path.canonicalize().unwrap_or_else(|_| path.clone())).collect();
    let failed = |error: std::io::Error| Failure::Failed(format!("the page cannot be served: {error}"));
    // What is recorded on the page goes when the studio does, and other users of the machine cannot read it.
    let folder = private_folder().map_err(failed)?;
    let desk = Desk { games, indexes: Indexes::default() };
    let studio = Studio::new(opened?, runs, Box::new(desk), folder.path().into()).map_err(Failure::Failed)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        // From here on no signal that can be caught leaves the folder behind.
        let interrupted = interrupted().map_err(failed)?;
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", args.port)).await;
        let listener = listener.map_err(|error| Failure::input(format!("port {}: {error}", args.port)))?;
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

/// The games of the program, for the page.
struct Desk {
    games: Games,
    indexes: Indexes,
}

impl Desk {
    fn game(&self, name: &str) -> Result<GameDesk> {
        Ok(self.games.find(name)?.studio)
    }
}

impl Host for Desk {
    fn games(&self) -> Value {
        let games: Vec<Value> = self.games.0.iter().map(|game| (game.studio.about)()).collect();
        let profiles: Vec<Value> = Profile::built_in()
            .iter()
            .map(|profile| json!({"name": profile.name, "description": profile.description}))
            .collect();
        json!({"games": games, "profiles": profiles})
    }

    fn params(&self, game: &str, profile: &str) -> Result<Value, String> {
        self.game(game).and_then(|game| (game.params)(profile)).map_err(|failure| failure.to_string())
    }

    fn board(&self, task: &Task) -> Result<Value, String> {
        self.game(&task.game).and_then(|game| (game.board)(task)).map_err(|failure| failure.to_string())
    }

    fn analyse(&self, task: &Task, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value, String> {
        let game = self.game(&task.game);
        game.and_then(|game| (game.analyse)(task, stop, each)).map_err(|failure| failure.to_string())
    }

    fn record(&self, task: &Task, path: &Path, stop: &Signal) -> Result<Opened, String> {
        let game = self.game(&task.game);
        game.and_then(|game| (game.record)(task, path, stop)).map_err(|failure| failure.to_string())
    }

    fn run_units(&self, work: &Map<String, Value>) -> &'static str {
        kinds::units(work)
    }

    fn run(&self, path: &Path) -> Result<Value, String> {
        kinds::show(path).map(|shown| shown.to_json()).map_err(|failure| failure.to_string())
    }

    fn run_games(&self, path: &Path, from: usize, count: usize) -> Result<Value, String> {
        self.indexes.list(path, from, count).map_err(|failure| failure.to_string())
    }

    fn run_game(&self, path: &Path, number: u64) -> Result<Value, String> {
        let found = self.indexes.find(path, number);
        let told = found.and_then(|(game, record)| (self.game(&game)?.replay)(&record));
        told.map_err(|failure| failure.to_string())
    }
}

fn look_into(games: Games, path: &Path) -> Result<Opened> {
    let tree = open(path)?;
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(match Lore::about(games, &tree)? {
        Some(lore) => Opened::known(name, lore.title.into(), tree, lore.scribe),
        None => Opened::sent(name, tree),
    })
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
