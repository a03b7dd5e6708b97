//! `plywise classes`: what realization probability makes of the moves of a position.

use crate::arguments::{PositionArgs, SearchArgs};
use crate::engine::setup;
use crate::games::Playable;
use crate::table::{Format, Sheet, write_csv};
use crate::{Failure, Result, document};
use clap::Args;
use serde_json::{Value, json};
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
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write) -> Result {
    let line = args.place.line::<G>()?;
    let setup = setup::<G>(&args.search)?;
    let Some(table) = setup.knowledge::<G>()?.realization else {
        let (name, game) = (&setup.name, G::TITLE);
        let sentence = format!("profile '{name}' does not use realization probability in {game}; --profile rps does");
        return Err(Failure::input(sentence));
    };
    let prices = table.prices(&setup.params.realization);
    let position = line.position();
    let row = |mv: &G::Move| {
        let class = G::move_class(position, *mv);
        let counts = table.classes.get(class).copied().unwrap_or_default();
        json!({
            "move": G::write_move(position, *mv),
            "class": class,
            "played": counts.played,
            "available": counts.available,
            "probability": counts.played as f64 / counts.available.max(1) as f64,
            "price": prices.get(class).map_or(1.0, |price| f64::from(price.in_hundredths()) / 100.0),
        })
    };
    let rows: Vec<Value> = G::legal_moves(position).iter().map(row).collect();
    if args.format.data.csv {
        return write_csv(out, rows);
    }
    if args.format.data.json {
        let results = json!({"game": G::NAME, "position": G::write_position(position), "moves": rows});
        return document::write(out, COMMAND, None, results);
    }
    let mut sheet = Sheet::new(&["move", "class", "played", "available", "probability", "price"], &[0]);
    for row in &rows {
        sheet.add(vec![
            row["move"].as_str().unwrap_or_default().to_string(),
            row["class"].to_string(),
            row["played"].to_string(),
            row["available"].to_string(),
            format!("{:.4}", row["probability"].as_f64().unwrap_or_default()),
            format!("{:.2}", row["price"].as_f64().unwrap_or_default()),
        ]);
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}
