//! `plywise gather cutnodes`: what tells true cut-nodes from false ones.

use super::{Arguments, COMMAND, gather};
use crate::engine::setup;
use crate::games::Playable;
use crate::table::{Format, Sheet, write_csv};
use crate::{Result, document, files};
use plywise_learn::{CutNode, CutNodeQuestion};
use plywise_search::Signal;
use serde_json::{Value, json};
use std::io::Write;

/// Shallower nodes have no search two plies shallower.
const LEAST_DEPTH: i32 = 4;

/// A way to count promising moves.
struct Scheme {
    name: &'static str,
    count: fn(&CutNode) -> u32,
}

/// More than this is a high merit in the thesis, in the unit of its own history.
const HIGH_MERIT: i32 = 100;

const SCHEMES: [Scheme; 7] = [
    Scheme { name: "legal moves", count: |node| node.moves },
    Scheme { name: "history", count: |node| node.history[0] },
    Scheme { name: "high history", count: |node| node.history[1] },
    Scheme { name: "quiescence", count: |node| node.quiescence[0] },
    Scheme { name: "quiescence with margin", count: |node| node.quiescence[1] },
    Scheme { name: "shallow search", count: |node| node.shallow[0] },
    Scheme { name: "shallow search with margin", count: |node| node.shallow[1] },
];

/// Looks at the cut-nodes of games, writes them to the file, and tells how they differ.
pub(super) fn run<G: Playable>(args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let (limits, setup) = (args.limits()?, setup::<G>(&args.search)?);
    let question =
        CutNodeQuestion { every: args.every, least_depth: LEAST_DEPTH, margin: args.unit, merit: HIGH_MERIT };
    let (_, gathered) = gather::<G, _>(args, &setup, limits, &question, &args.run, stop, &mut |_| {})?;
    let nodes = gathered.table;
    let mut csv = Vec::new();
    write_csv(&mut csv, nodes.iter().map(describe))?;
    files::write(&args.output, &String::from_utf8_lossy(&csv), out)?;
    let rows: Vec<Value> = SCHEMES.iter().map(|scheme| compare(scheme, &nodes)).collect();
    let is_false = nodes.iter().filter(|node| !node.is_true).count();
    if args.json {
        let results = json!({"game": G::NAME, "samples": nodes.len(), "false": is_false, "schemes": rows,
                             "file": args.output});
        return document::write(out, COMMAND, Some(args.seed), results);
    }
    writeln!(out, "{} expected cut-nodes, {is_false} of them were not cut", nodes.len())?;
    let mut sheet =
        Sheet::new(&["promising moves by", "true: mean", "σ", "false: mean", "σ", "not none: mean", "σ"], &[0]);
    for row in &rows {
        let cell =
            |key: &str, place: usize| row[key][place].as_f64().map_or("–".into(), |value| format!("{value:.2}"));
        let cells = ["true", "false", "false_not_none"].into_iter().flat_map(|key| [cell(key, 0), cell(key, 1)]);
        sheet.add([row["scheme"].as_str().unwrap_or_default().to_string()].into_iter().chain(cells).collect());
    }
    Ok(write!(out, "{}", sheet.show(&Format::default()))?)
}

fn describe(node: &CutNode) -> Value {
    json!({"cut": node.is_true, "moves": node.moves, "history": node.history[0], "history_high": node.history[1],
           "quiescence": node.quiescence[0], "quiescence_margin": node.quiescence[1], "shallow": node.shallow[0],
           "shallow_margin": node.shallow[1]})
}

/// The means and deviations of a count at true nodes, at false ones, and at false ones where it promised something.
fn compare(scheme: &Scheme, nodes: &[CutNode]) -> Value {
    let of = |fits: &dyn Fn(&CutNode) -> bool| {
        let counts: Vec<f64> =
            nodes.iter().filter(|node| fits(node)).map(|node| f64::from((scheme.count)(node))).collect();
        let n = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / n;
        let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / n;
        (n > 0.0).then(|| [mean, variance.sqrt()])
    };
    json!({
        "scheme": scheme.name,
        "true": of(&|node| node.is_true),
        "false": of(&|node| !node.is_true),
        "false_not_none": of(&|node| !node.is_true && (scheme.count)(node) > 0),
    })
}
