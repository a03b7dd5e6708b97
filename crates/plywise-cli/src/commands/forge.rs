//! `plywise forge`: material for learners and tests, made by self-play.

pub mod games;
pub mod suite;

use crate::games::with_game;
use crate::{Failure, Outcome};
use clap::{Args, Subcommand};
use std::io::Write;
use std::path::Path;

/// Make self-play games, or positions with proven answers
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise forge games loa --games 100 --nodes 5000 -o games.pgn
  plywise forge suite loa --count 300 --run runs/loa-suite -o loa.epd")]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What to make.
#[derive(Debug, Subcommand)]
pub enum What {
    /// Self-play games as PGN
    Games(games::Arguments),
    /// Positions with proven answers as EPD
    Suite(suite::Arguments),
}

/// Makes what the arguments ask for.
pub fn run(args: &Arguments, out: &mut dyn Write) -> Outcome {
    match &args.what {
        What::Games(args) => with_game!(&*args.game, G => games::run::<G>(args, out)),
        What::Suite(args) => with_game!(&*args.game, G => suite::run::<G>(args, out)),
    }
}

/// Writes a result to its file, whole or not at all.
fn write_output(path: &Path, text: &str) -> Outcome {
    std::fs::write(path, text).map_err(|error| Failure::input(format!("cannot write '{}': {error}", path.display())))
}

/// Finds out before the work whether its result can be written after it.
fn check_output(path: &Path) -> Outcome {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() || !folder.is_dir() {
        return Err(Failure::input(format!("cannot write '{}': it is no place for a file", path.display())));
    }
    Ok(())
}
