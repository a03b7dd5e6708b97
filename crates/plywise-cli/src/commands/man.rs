//! `plywise man`: manual pages from the declared command line.

use crate::games::Games;
use crate::{Failure, Result, files};
use clap::{Args, Command};
use clap_mangen::Man;
use std::io::Write;
use std::path::PathBuf;

/// Write the manual pages, one for each command, into a folder
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise man pages")]
pub struct Arguments {
    /// The folder, which is made if it is not there; a system looks for pages in share/man/man1
    pub folder: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    std::fs::create_dir_all(&args.folder)
        .map_err(|error| Failure::input(format!("cannot make the folder '{}': {error}", args.folder.display())))?;
    let mut command = crate::command(games.0).disable_help_subcommand(true);
    // This gives every command its full name.
    command.build();
    let pages = pages(&command);
    for (name, command) in &pages {
        let mut page = Vec::new();
        Man::new(command.clone()).render(&mut page)?;
        files::write(&args.folder.join(format!("{name}.1")), &String::from_utf8_lossy(&page), out)?;
    }
    Ok(writeln!(out, "{} pages in {}", pages.len(), args.folder.display())?)
}

/// A command and all below it, each called as its page is: `plywise-learn-eval`.
fn pages(command: &Command) -> Vec<(String, Command)> {
    let name = command.get_display_name().unwrap_or(command.get_name()).to_string();
    let page = command.clone().version(env!("CARGO_PKG_VERSION"));
    std::iter::once((name, page)).chain(command.get_subcommands().flat_map(pages)).collect()
}
