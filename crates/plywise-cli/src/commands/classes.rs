//! `plywise classes`: what realization probability makes of the moves of a position.

use crate::Result;
use crate::arguments::{PositionArgs, SearchArgs};
use crate::document::{self, describe};
use crate::table::{Format, Sheet, write_csv};
use clap::Args;
use plywise_host::{AnyGame, MovePrice};
use serde_json::json;
use std::io::Write;

/// List the moves of a position with their classes, how often moves of these are played, and what they cost
///
/// The price is that of realization probability search, in plies: log P / log C, clipped. A move that turns out good is
/// confirmed at the least price of all classes.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise classes loa '8/2w4b/2w5/3w4/4b1b1/w1bb4/4w2b/1w6 b' --profile rps-paper")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub format: Format,
}

/// What documents call it.
const COMMAND: &str = "classes";

/// Lists the moves of the position of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    let position = args.place.position(game)?;
    let setup = args.search.setup(game)?;
    let moves = MovePrice::of_moves(game, &setup, &position)?;
    if args.format.data.csv {
        return write_csv(out, moves.iter().map(describe));
    }
    if args.format.data.json {
        let results = json!({"game": game.name(), "position": position.text(), "moves": moves});
        return document::write(out, COMMAND, None, results);
    }
    let mut sheet = Sheet::new(&["move", "class", "played", "available", "probability", "price"], &[0]);
    for MovePrice { mv, class, played, available, probability, price } in moves {
        let [class, played, available] = [class.to_string(), played.to_string(), available.to_string()];
        sheet.add(vec![mv, class, played, available, format!("{probability:.4}"), format!("{price:.2}")]);
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}
