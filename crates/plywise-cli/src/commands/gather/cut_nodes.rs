//! `plywise gather cutnodes`: what tells true cut-nodes from false ones.

use super::Arguments;
use crate::table::{Format, Sheet, write_csv};
use crate::{Result, document, files};
use plywise_learn::{CutNode, Gather, SCHEMES};
use plywise_run::Job;
use serde_json::{Value, json};
use std::io::Write;

/// Writes the cut-nodes of games to the file, and tells how they differ.
pub(super) fn report(args: &Arguments, nodes: &[CutNode], out: &mut dyn Write) -> Result {
    let mut csv = Vec::new();
    write_csv(&mut csv, nodes.iter().map(describe))?;
    files::write(&args.output, &String::from_utf8_lossy(&csv), out)?;
    let rows = SCHEMES.map(|scheme| scheme.compare(nodes));
    let is_false = nodes.iter().filter(|node| !node.is_true).count();
    if args.json {
        let results = json!({"game": args.game, "samples": nodes.len(), "false": is_false, "schemes": rows,
                             "file": args.output});
        return document::write(out, Gather::NAME, Some(args.seed), results);
    }
    writeln!(out, "{} expected cut-nodes, {is_false} of them were not cut", nodes.len())?;
    let mut sheet =
        Sheet::new(&["promising moves by", "true: mean", "σ", "false: mean", "σ", "not none: mean", "σ"], &[0]);
    for row in &rows {
        let cell =
            |count: Option<[f64; 2]>, place: usize| count.map_or("–".into(), |count| format!("{:.2}", count[place]));
        let counts = [row.cut, row.not_cut, row.not_cut_not_none];
        let cells = counts.into_iter().flat_map(|count| [cell(count, 0), cell(count, 1)]);
        sheet.add([row.scheme.to_owned()].into_iter().chain(cells).collect());
    }
    Ok(write!(out, "{}", sheet.show(&Format::default()))?)
}

fn describe(node: &CutNode) -> Value {
    json!({"cut": node.is_true, "moves": node.moves, "history": node.history[0], "history_high": node.history[1],
           "quiescence": node.quiescence[0], "quiescence_margin": node.quiescence[1], "shallow": node.shallow[0],
           "shallow_margin": node.shallow[1]})
}
