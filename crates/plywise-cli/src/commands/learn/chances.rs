//! `plywise learn chances`: what scores are worth, from the results of games.

use crate::commands::forge::data;
use crate::games::{self, Playable};
use crate::plots::{self, Plot, PlotArgs};
use crate::table::{Format, Sheet, write_csv};
use crate::{Failure, Result, document};
use clap::Args;
use plywise_game::{Chances, Phase};
use plywise_learn::chances::{ScoreCounts, fit_chances};
use plywise_search::Signal;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Fit what scores are worth, the chances to win, draw and lose, to games that 'forge data' played
///
/// A score s wins with probability σ((s - even) / scale) and loses with σ((-s - even) / scale), in each phase of the game
/// with numbers of its own: those that make the results of the games most likely. The engine's UCI_ShowWDL and the marks
/// of 'annotate' use what was fitted to our own games. The surprise is what the curves leave open, in bits a position.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise forge data loa --games 480 --nodes 1000 --seed 1 -o loa.data
  plywise learn chances loa --data loa.data --plot chances.svg")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    /// Files of games; repeatable
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub format: Format,
}

const PHASES: [(Phase, &str); 3] =
    [(Phase::Opening, "opening"), (Phase::Middlegame, "middlegame"), (Phase::Endgame, "endgame")];

/// Reads the games, fits the curves and tells them.
pub fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, _: &Signal) -> Result {
    args.plot.check()?;
    let (mut score_counts, mut games, mut broken) = (ScoreCounts::default(), 0u64, Ok(()));
    for path in &args.data {
        data::read::<G>(path, &mut |game| match game.replay::<G>() {
            Ok(replay) => {
                score_counts.add_game::<G>(&game, &replay.positions);
                games += 1;
            }
            Err(error) => broken = Err(Failure::input(format!("'{}': {error}", path.display()))),
        })?;
    }
    broken?;
    let fitted = fit_chances(&score_counts);
    let phases: Vec<(usize, Phase, &str)> = PHASES
        .iter()
        .enumerate()
        .map(|(i, &(phase, name))| (i, phase, name))
        .filter(|(_, phase, _)| score_counts.positions(*phase) > 0)
        .collect();
    if phases.is_empty() {
        return Err(Failure::input("the games have no position with a score and a result"));
    }
    args.plot.draw(&|| vec![Box::new(picture(&fitted, phases.iter().map(|&(i, _, name)| (i, name))))], out)?;
    let row = |&(i, phase, name): &(usize, Phase, &str)| {
        let curve = &fitted.curves[i];
        json!({
            "phase": name,
            "even": curve.even,
            "scale": curve.scale,
            "positions": score_counts.positions(phase),
            "surprise": score_counts.surprise(phase, curve),
        })
    };
    let rows: Vec<Value> = phases.iter().map(row).collect();
    if args.format.data.csv {
        return write_csv(out, rows);
    }
    if args.format.data.json {
        return document::write(out, "learn chances", None, json!({"game": G::NAME, "games": games, "rows": rows}));
    }
    writeln!(out, "{}: {games} games\n", G::TITLE)?;
    let mut sheet = Sheet::new(&["phase", "even", "scale", "positions", "surprise"], &[0]);
    for row in &rows {
        let number = |key: &str, digits: usize| format!("{:.digits$}", row[key].as_f64().unwrap_or_default());
        let phase = row["phase"].as_str().unwrap_or_default().to_string();
        sheet.add(vec![phase, number("even", 1), number("scale", 1), number("positions", 0), number("surprise", 3)]);
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}

/// The chances to win by score, in each phase.
fn picture<'a>(fitted: &Chances, phases: impl Iterator<Item = (usize, &'a str)>) -> Plot {
    let phases: Vec<(usize, &str)> = phases.collect();
    let reach = phases.iter().map(|&(i, _)| fitted.curves[i].even + 5.0 * fitted.curves[i].scale).fold(0.0, f64::max);
    let curves = phases.iter().map(|&(i, name)| {
        let points = (-50..=50).map(|step| (reach * f64::from(step) / 50.0) as i32);
        let points = points.map(|score| (score.into(), 100.0 * fitted.curves[i].outlook(score).win)).collect();
        plots::Curve { points, ..plots::Curve::new(name, []) }
    });
    Plot::new("score", "wins in %", curves.collect())
}
