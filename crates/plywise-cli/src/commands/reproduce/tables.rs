//! The tables: what each is made of, and what the papers have; one file for each subject.

mod control;
mod evolution;
mod pruning;
mod rankcut;
mod realization;

use super::{Compared, Figure, Step, Suite, Table, Wanted};
use plywise_arena::statistics::score_of_elo;
use serde_json::Value;

const THESIS: &str = "Björnsson, Selective Depth-First Game-Tree Search, 2002";

const ECM: Suite = Suite {
    file: "ecm.epd",
    source: "the Encyclopedia of Chess Middlegames as a test suite of 879 positions",
    size: 879,
    ours: Some("tactics"),
};
const BRATKO_KOPEC: Suite = Suite {
    file: "bratko-kopec.epd",
    source: "the 24 positions of Kopec & Bratko, 1982",
    size: 24,
    ours: Some("tactics"),
};
const LOA_WINS: Suite = Suite {
    file: "loa-wins.epd",
    source: "forced wins in Lines of Action, as 'plywise forge suite loa' makes them",
    size: 300,
    ours: Some("wins-by-brute"),
};
const ABALONE: Suite = Suite {
    file: "abalone.epd",
    source: "positions of Abalone, as 'plywise openings abalone' makes them",
    size: 100,
    ours: Some("openings"),
};

/// All tables, in the order of the papers.
pub(super) fn tables() -> impl Iterator<Item = &'static Table> {
    [rankcut::TABLES, pruning::TABLES, control::TABLES, realization::TABLES, evolution::TABLES].into_iter().flatten()
}

/// A match of two; by this clock, unless other limits are wanted.
fn duel(wanted: &Wanted, game: &str, [a, b]: [&str; 2], games: u64, clock: &str) -> Step {
    Step::alone(format!("match {game} --a {a} --b {b} --games {games} {}", wanted.limits(clock)))
}

fn compared(what: String, paper: Option<Figure>, ours: Option<Figure>, note: String) -> Compared {
    Compared { what, paper, ours, note, is_judged: true }
}

fn percent_of(value: f64) -> Option<Figure> {
    Some(Figure::exact(value, " %"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The mean, and half its 95 % interval.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// What one player used up in percent of what another did, over the same positions: a ratio of two sums. Its error is that
/// of what each position takes beyond the ratio; half of a 95 % interval. A single position has none.
fn percent_over(with: &[Value], without: &[Value], key: &str) -> Option<Figure> {
    let pairs: Vec<(f64, f64)> = with.iter().zip(without).map(|(a, b)| (number(&a[key]), number(&b[key]))).collect();
    let (n, sum) = (pairs.len() as f64, pairs.iter().map(|(_, without)| without).sum::<f64>().max(1.0));
    let ratio = pairs.iter().map(|(with, _)| with).sum::<f64>() / sum;
    let squares: f64 = pairs.iter().map(|(with, without)| (with - ratio * without).powi(2)).sum();
    let error = if n > 1.0 { 196.0 * (squares * n / (n - 1.0)).sqrt() / sum } else { 0.0 };
    (n > 0.0).then_some(Figure { value: 100.0 * ratio, error, unit: " %" })
}

/// The positions of a row of a suite, each with what it took.
fn details(row: &Value) -> &[Value] {
    list(&row["details"])
}

/// Half the 95 % interval of a score of so many games, in percent, as if all were won or lost.
fn score_error(percent: f64, games: f64) -> f64 {
    let share = percent / 100.0;
    if games > 0.0 { 196.0 * (share * (1.0 - share) / games).sqrt() } else { 0.0 }
}

/// Scores of matches beside those that were printed, with their games; not a number where none was.
fn scores(documents: &[Value], printed: &[(&str, f64, f64)]) -> Vec<Compared> {
    let row = |(document, (what, percent, games)): (&Value, &(&str, f64, f64))| {
        let ours = 100.0 * number(&document["score"]);
        let note = format!("+{} ={} -{}", document["wins"], document["draws"], document["losses"]);
        let paper = Figure { value: *percent, error: score_error(*percent, *games), unit: " %" };
        // The interval of the match itself, on the scale of the score.
        let [elo, error] = ["elo", "elo_error"].map(|key| number(&document[key]));
        let error = 50.0 * (score_of_elo(elo + error) - score_of_elo(elo - error));
        let ours = Figure { value: ours, error, unit: " %" };
        compared((*what).into(), Some(paper).filter(|figure| !figure.value.is_nan()), Some(ours), note)
    };
    documents.iter().zip(printed).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn percentages_of_nodes_have_an_error() {
        let positions = |nodes: &[u64]| nodes.iter().map(|nodes| json!({ "nodes": nodes })).collect::<Vec<_>>();
        let same = percent_over(&positions(&[50, 100]), &positions(&[100, 200]), "nodes").unwrap();
        assert_eq!((same.value, same.error), (50.0, 0.0));
        let varied = percent_over(&positions(&[50, 250]), &positions(&[100, 200]), "nodes").unwrap();
        assert!(varied.value == 100.0 && varied.error > 30.0, "{}", varied.error);
        assert!(percent_over(&[], &[], "nodes").is_none());
    }
}
