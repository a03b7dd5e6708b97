//! Pictures of the statistics.

use crate::plots::{Curve, Panel, Plot};
use plywise_game::{Phase, Score, score};
use plywise_search::{Prediction, ProbCutTable, RankCounts, RankTable};
use std::collections::BTreeMap;

/// How likely a better move is still to come, by the number of the move, for each depth.
pub(super) fn ranks(table: &RankTable) -> Vec<Box<dyn Panel>> {
    let mut by_depth: BTreeMap<u8, BTreeMap<u8, RankCounts>> = BTreeMap::new();
    for (state, counts) in &table.counts {
        let sum = by_depth.entry(state.depth).or_default().entry(state.move_number).or_default();
        sum.better += counts.better;
        sum.seen += counts.seen;
    }
    let curve = |(depth, ranks): (u8, BTreeMap<u8, RankCounts>)| {
        let percent = |counts: &RankCounts| 100.0 * counts.better as f64 / counts.seen.max(1) as f64;
        let points = ranks.iter().map(|(&rank, counts)| (rank.into(), percent(counts))).collect();
        Curve { points, ..Curve::new(format!("depth {depth}"), []) }
    };
    vec![Box::new(Plot::new(
        "number of the move",
        "a better move follows, in %",
        by_depth.into_iter().map(curve).collect(),
    ))]
}

/// The most dots of a colour in a picture.
const MOST_DOTS: usize = 800;

/// For each pair of depths the deep score by the shallow one, as dots, and what is predicted, with a band of one σ.
/// Searches are phases by number and the scores of all iterations.
pub(super) fn predictions(
    pairs: &[(i32, i32)],
    table: &ProbCutTable,
    searches: &[(u8, Vec<Score>)],
) -> Vec<Box<dyn Panel>> {
    let panel = |&(shallow, deep): &(i32, i32)| {
        let mut plot = Plot::new("shallow score", format!("score at depth {deep} by depth {shallow}"), Vec::new());
        for row in table.rows.iter().filter(|row| (row.shallow, row.deep) == (shallow, deep)) {
            let dots = dots(row, searches);
            plot.curves.push(line(row, &dots));
            plot.clouds.push(dots);
        }
        Box::new(plot) as Box<dyn Panel>
    };
    pairs.iter().map(panel).collect()
}

fn dots(row: &Prediction, searches: &[(u8, Vec<Score>)]) -> Curve {
    let at = |scores: &[Score], depth: i32| {
        scores.get(depth as usize - 1).copied().filter(|score| !score::is_decided(*score)).map(f64::from)
    };
    let of_phase = searches.iter().filter(|(phase, _)| *phase == row.phase as u8);
    let points: Vec<(f64, f64)> =
        of_phase.filter_map(|(_, scores)| Some((at(scores, row.shallow)?, at(scores, row.deep)?))).collect();
    let every = points.len().div_ceil(MOST_DOTS).max(1);
    Curve { points: points.into_iter().step_by(every).collect(), ..Curve::new("", []) }
}

/// The prediction over the range of the dots.
fn line(row: &Prediction, dots: &Curve) -> Curve {
    let name = match row.phase {
        Phase::Opening => "opening",
        Phase::Middlegame => "middlegame",
        Phase::Endgame => "endgame",
    };
    let across = || dots.points.iter().map(|(x, _)| *x);
    let ends = [across().fold(f64::INFINITY, f64::min), across().fold(f64::NEG_INFINITY, f64::max)];
    let ends = ends.iter().filter(|x| x.is_finite());
    let points: Vec<(f64, f64)> = ends.map(|&x| (x, row.slope * x + row.intercept)).collect();
    let band = vec![row.sigma; points.len()];
    Curve { points, band, ..Curve::new(format!("{name}, σ {:.0}", row.sigma), []) }
}
