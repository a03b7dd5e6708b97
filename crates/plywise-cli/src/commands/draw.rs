//! `plywise draw`: a picture of a position.

use crate::arguments::PositionArgs;
use crate::{Result, files, plots};
use clap::Args;
use plywise_game::svg;
use plywise_host::AnyGame;
use std::io::Write;
use std::path::PathBuf;

/// Draw a position as an SVG picture, with the last of its moves marked
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise draw loa -o start.svg
  plywise draw chess --moves e4 e5 Nf3 --arrow b8c6 f3e5 --turned -o knight.svg")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    /// Arrows from place to place: e2e4
    #[arg(long, value_name = "FROMTO", num_args = 1..)]
    pub arrow: Vec<String>,
    /// From the second player's side
    #[arg(long)]
    pub turned: bool,
    /// Write the picture to this file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Draws the position of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    if let Some(path) = args.output.as_deref() {
        plots::check_picture(path)?;
    }
    let position = args.place.position(game)?;
    let picture = svg::with_arrows(&position.draw_svg(args.turned), &args.arrow)?;
    match &args.output {
        None => Ok(out.write_all(picture.as_bytes())?),
        Some(path) => files::write(path, &picture, out),
    }
}
