//! `plywise draw`: a picture of a position.

use crate::arguments::PositionArgs;
use crate::games::BoardGame;
use crate::{Failure, Result, files};
use clap::Args;
use plywise_game::View;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Draw a position as an SVG picture, with the last of its moves marked
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise draw loa -o start.svg")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    /// From the second player's side
    #[arg(long)]
    pub turned: bool,
    /// Write the picture to this file instead of standard output
    #[arg(short = 'o', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Draws the position of the arguments.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write) -> Result {
    if let Some(path) = args.output.as_deref() {
        if !is_svg(path) {
            let sentence = format!("cannot draw '{}': pictures are SVG, so the name must end in .svg", path.display());
            return Err(Failure::input(sentence));
        }
        files::check_writable(path)?;
    }
    let line = args.place.line::<G>()?;
    let view = View { turned: args.turned, last_move: line.moves().last().copied(), ..View::default() };
    let picture = G::draw_svg(line.position(), &view);
    match &args.output {
        None => Ok(out.write_all(picture.as_bytes())?),
        Some(path) => files::write(path, &picture, out),
    }
}

fn is_svg(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
}
