//! `plywise learn chances`: what scores are worth, from the results of games.

use crate::games;
use crate::plots::{self, Plot, PlotArgs};
use crate::table::{Format, Sheet, write_csv};
use crate::{Result, document, sources};
use clap::Args;
use plywise_game::Phase;
use plywise_learn::{LearnChances, LearnableGame, LearnedChances, PhaseCurve};
use plywise_run::{Job, Workplace};
use plywise_search::Signal;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

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
    /// Files of games, or run directories of 'forge data'; repeatable
    #[arg(long, value_name = "FILE|DIR", required = true, num_args = 1..)]
    pub data: Vec<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub format: Format,
}

/// Reads the games, fits the curves and tells them.
pub(crate) fn run(game: &Arc<dyn LearnableGame>, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    args.plot.check()?;
    let job = LearnChances { game: game.name().to_owned(), data: sources::data(&args.data)? };
    let LearnedChances { games, curves } = job.run(game, &Workplace::local(1, stop), &|()| {})?;
    args.plot.draw(&|| vec![Box::new(picture(&curves))], out)?;
    let rows: Vec<Value> = curves.iter().map(|curve| json!(curve)).collect();
    if args.format.data.csv {
        return write_csv(out, rows);
    }
    if args.format.data.json {
        let results = json!({"game": game.name(), "games": games, "rows": rows});
        return document::write(out, LearnChances::NAME, None, results);
    }
    writeln!(out, "{}: {games} games\n", game.title())?;
    let mut sheet = Sheet::new(&["phase", "even", "scale", "positions", "surprise"], &[0]);
    for curve in &curves {
        let PhaseCurve { phase, even, scale, positions, surprise } = curve;
        let cells = [format!("{even:.1}"), format!("{scale:.1}"), positions.to_string(), format!("{surprise:.3}")];
        sheet.add([name(*phase).to_owned()].into_iter().chain(cells).collect());
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    }
}

/// The chances to win by score, in each phase.
fn picture(phases: &[PhaseCurve]) -> Plot {
    let reach = phases.iter().map(|curve| curve.even + 5.0 * curve.scale).fold(0.0, f64::max);
    let curves = phases.iter().map(|phase| {
        let points = (-50..=50).map(|step| (reach * f64::from(step) / 50.0) as i32);
        let points = points.map(|score| (score.into(), 100.0 * phase.curve().outlook(score).win)).collect();
        plots::Curve { points, ..plots::Curve::new(name(phase.phase), []) }
    });
    Plot::new("score", "wins in %", curves.collect())
}
