//! `plywise draw`: a picture of a position.

use crate::arguments::PositionArgs;
use crate::games::Playable;
use crate::{Result, files, plots};
use clap::Args;
use plywise_game::{View, svg};
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
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write) -> Result {
    if let Some(path) = args.output.as_deref() {
        plots::check_picture(path)?;
    }
    let line = args.place.line::<G>()?;
    let view = View { turned: args.turned, last_move: line.moves().last().copied(), ..View::default() };
    let picture = svg::with_arrows(&G::draw_svg(line.position(), &view), &args.arrow)?;
    match &args.output {
        None => Ok(out.write_all(picture.as_bytes())?),
        Some(path) => files::write(path, &picture, out),
    }
}
