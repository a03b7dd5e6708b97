//! Searches as JSON.

use crate::numbers::{milliseconds, nodes_per_second};
use crate::{AnyGame, AnyPosition, Ask, Move, Setup, Style};
use plywise_game::score;
use plywise_search::{Bound, Line, Progress, Report, Technique};
use serde_json::{Value, json};

/// What a search found.
pub fn report_to_json(game: &dyn AnyGame, setup: &Setup, ask: &Ask, report: &Report<Move>) -> Value {
    let position = ask.position;
    let best = ask.best_move(report);
    // If nothing is left to search, the rules say who has won.
    let value = position.outcome().map_or(report.score(), |outcome| score::of_outcome(outcome, 0));
    let line = |line: &Line<Move>| {
        let (bound, pv) = (bound_name(line.bound), position.write_line(&line.pv));
        json!({"score": line.score, "bound": bound, "depth": line.depth, "pv": pv})
    };
    json!({
        "game": game.name(),
        "position": position.text(),
        "profile": setup.name,
        "best": best.map(|mv| position.write_move(mv)),
        "best_engine": best.map(|mv| position.write_move_as(mv, Style::Engine)),
        "score": value,
        "plies_to_end": score::plies_to_end(value),
        "ended": position.ended().is_some().then(|| position.describe_end()),
        "depth": report.depth(),
        "selective_depth": report.selective_depth,
        "nodes": report.nodes,
        "time_ms": milliseconds(report.time),
        "nps": nodes_per_second(report.nodes, report.time),
        "pv": position.write_best_line(report),
        "lines": report.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// What each technique did in a search.
pub fn techniques_to_json<M>(report: &Report<M>) -> Value {
    let counters = &report.counters;
    let counts = |technique| json!({"tries": counters.tries(technique), "effects": counters.cuts(technique)});
    Technique::ALL.iter().map(|&technique| (technique.name(), counts(technique))).collect()
}

/// A row of the table of a search of `position`: an iteration, one of its lines, or a bound on the way to it.
pub fn iteration_to_json(position: &AnyPosition, progress: &Progress<Move>) -> Value {
    let Progress { depth, selective_depth, line, score, bound, nodes, time, ref pv, .. } = *progress;
    json!({
        "depth": depth,
        "selective_depth": selective_depth,
        "line": line,
        "score": score,
        "bound": bound_name(bound),
        "nodes": nodes,
        "time_ms": milliseconds(time),
        "nps": nodes_per_second(nodes, time),
        "pv": position.write_line(pv),
    })
}

fn bound_name(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    }
}
