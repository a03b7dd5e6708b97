//! `plywise tree stats`: what a tree is made of.

use super::query::show_path;
use super::{as_far_as_possible, open, tell_loss, with_notation};
use crate::games::Games;
use crate::table::{Format, Sheet, write_csv};
use crate::text::show_count;
use crate::{Result, document};
use clap::Args;
use plywise_search::Signal;
use plywise_tree::{Stats, Tree};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Show what a tree is made of: kinds, depths, cuts, techniques, iterations, large subtrees
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise tree stats start.tree")]
pub struct Arguments {
    /// The tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How many of the largest subtrees to show, at most 100
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(..=100))]
    pub largest: u16,
    #[command(flatten)]
    pub format: Format,
}

/// Shows the file of the arguments.
pub fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut tree = open(&args.file)?;
    let stats = as_far_as_possible(&mut tree, |tree| Stats::of(tree, &Signal::new()))?;
    let paths = with_notation(games, &tree, |notation| {
        Ok(stats.largest.iter().map(|subtree| notation.line(&subtree.moves)).collect::<Vec<_>>())
    })?;
    if args.format.data.csv {
        let rows = stats.by_depth.iter().map(|(depth, of)| document::joined(json!({"depth": depth}), json!(of)));
        return write_csv(out, rows);
    }
    if args.format.data.json {
        return document::write(out, "tree stats", None, to_json(&tree, &stats, &paths));
    }
    tell_loss(&tree, out)?;
    introduce(&tree, &stats, out)?;
    for (title, sheet) in sheets(&stats) {
        writeln!(out, "\n{title}\n\n{}", sheet.show(&args.format).trim_end())?;
    }
    let mut sheet = Sheet::new(&["node", "nodes", "%", "line"], &[0, 3]);
    for (subtree, path) in stats.largest.iter().zip(&paths).take(args.largest.into()) {
        let share = percent(subtree.nodes, stats.counted);
        sheet.add(vec![subtree.id.to_string(), show_count(subtree.nodes), share, show_path(path)]);
    }
    Ok(writeln!(out, "\nThe largest subtrees\n\n{}", sheet.show(&args.format).trim_end())?)
}

fn to_json(tree: &Tree, stats: &Stats, paths: &[Vec<String>]) -> Value {
    let mut results = document::describe(stats);
    let head = tree.head();
    for (subtree, path) in results["largest"].as_array_mut().into_iter().flatten().zip(paths) {
        subtree["path"] = json!(path);
    }
    let about = json!({
        "game": head.game,
        "position": head.position,
        "profile": head.profile,
        "settings": head.settings,
        "filter": head.filter,
        "bytes": tree.bytes(),
        "threads": tree.streams(),
        "notice": tree.loss(),
    });
    results = document::joined(about, results);
    results
}

fn introduce(tree: &Tree, stats: &Stats, out: &mut dyn Write) -> Result {
    let head = tree.head();
    writeln!(out, "{}: {}", head.game, head.position)?;
    if !head.profile.is_empty() {
        let limits = head.settings["limits"].as_str().unwrap_or("no limit");
        let changed: Vec<&str> =
            head.settings["changed"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let with = if changed.is_empty() { String::new() } else { format!(" with {}", changed.join(", ")) };
        writeln!(out, "profile {}{with}, {limits}, {}", head.profile, head.build)?;
    }
    if let Some(filter) = &head.filter {
        writeln!(out, "recorded with {filter}")?;
    }
    let each = tree.bytes() as f64 / stats.nodes.max(1) as f64;
    writeln!(
        out,
        "{} nodes recorded of {} searched, {} bytes ({each:.1} each); {:.1} moves searched at a node",
        show_count(stats.nodes),
        show_count(stats.counted),
        show_count(tree.bytes()),
        stats.branching_factor,
    )?;
    Ok(())
}

fn sheets(stats: &Stats) -> Vec<(&'static str, Sheet)> {
    vec![
        ("Iterations", iterations(stats)),
        ("Nodes by kind", counts("kind", &stats.by_kind, stats.nodes)),
        ("Nodes by what they were searched for", counts("purpose", &stats.by_purpose, stats.nodes)),
        ("Nodes by why they were left", counts("end", &stats.by_end, stats.nodes)),
        ("Nodes by ply", by_ply(stats)),
        ("Nodes by depth left, and who cut", by_depth(stats)),
        ("Cuts by the part of the order", by_phase(stats)),
        ("Techniques", techniques(stats)),
        ("Moves searched again", again(stats)),
        ("Table hits", counts("bound", &stats.table_hits, stats.table_hits.values().sum())),
    ]
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { String::new() } else { format!("{:.1}", 100.0 * part as f64 / whole as f64) }
}

fn counts(name: &str, counts: &BTreeMap<&'static str, u64>, whole: u64) -> Sheet {
    let mut sheet = Sheet::new(&[name, "nodes", "%"], &[0]);
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (name, &count) in sorted {
        sheet.add(vec![name.to_string(), show_count(count), percent(count, whole)]);
    }
    sheet
}

fn iterations(stats: &Stats) -> Sheet {
    let columns = [
        "node",
        "depth",
        "window",
        "value",
        "nodes",
        "× before",
        "first move %",
        "quiescence %",
        "again %",
        "probes %",
    ];
    let mut sheet = Sheet::new(&columns, &[0]);
    let mut before: Option<u64> = None;
    for each in &stats.iterations {
        let share = |part: u64| percent(part, each.nodes);
        let growth = before.map_or(String::new(), |before| format!("{:.2}", each.nodes as f64 / before.max(1) as f64));
        sheet.add(vec![
            each.id.to_string(),
            each.depth.to_string(),
            window(each.alpha, each.beta),
            each.value.map_or("stopped".into(), |value| value.to_string()),
            show_count(each.nodes),
            growth,
            share(each.first_move),
            share(each.quiescence),
            share(each.again),
            share(each.probes),
        ]);
        before = Some(each.nodes);
    }
    sheet
}

fn window(alpha: i32, beta: i32) -> String {
    let bound = |bound: i32| if bound.abs() > 1_000_000 { "∞".to_string() } else { bound.abs().to_string() };
    let sign = |number: i32| if number < 0 { "-" } else { "" };
    format!("{}{} {}{}", sign(alpha), bound(alpha), sign(beta), bound(beta))
}

fn by_ply(stats: &Stats) -> Sheet {
    let mut sheet = Sheet::new(&["ply", "nodes", "%"], &[]);
    for (ply, &count) in &stats.by_ply {
        sheet.add(vec![ply.to_string(), show_count(count), percent(count, stats.nodes)]);
    }
    sheet
}

fn by_depth(stats: &Stats) -> Sheet {
    let mut sheet = Sheet::new(&["depth", "nodes", "%", "cut by a move", "by the first %"], &[]);
    for (depth, of) in &stats.by_depth {
        let depth = if *depth == 0 { "quiescence".into() } else { depth.to_string() };
        let (cuts, first) = (show_count(of.cuts), percent(of.first_move, of.cuts));
        sheet.add(vec![depth, show_count(of.nodes), percent(of.nodes, stats.nodes), cuts, first]);
    }
    sheet
}

fn by_phase(stats: &Stats) -> Sheet {
    let mut sheet = Sheet::new(&["phase", "cuts", "%", "by the first %"], &[0]);
    let whole = stats.cuts_by_phase.values().map(|of| of.cuts).sum();
    for (phase, of) in &stats.cuts_by_phase {
        let (share, first) = (percent(of.cuts, whole), percent(of.first_move, of.cuts));
        sheet.add(vec![phase.to_string(), show_count(of.cuts), share, first]);
    }
    sheet
}

fn techniques(stats: &Stats) -> Sheet {
    let columns = ["technique", "tries", "effects", "nodes cut", "moves left out", "nodes spent", "nodes saved, about"];
    let mut sheet = Sheet::new(&columns, &[0]);
    for (name, of) in &stats.by_technique {
        let counts = [of.tries, of.effects, of.cuts, of.left_out, of.spent, of.saved];
        sheet.add([name.to_string()].into_iter().chain(counts.map(show_count)).collect());
    }
    sheet
}

fn again(stats: &Stats) -> Sheet {
    let mut sheet = Sheet::new(&["purpose", "searches", "nodes", "%", "confirmed %"], &[0]);
    for (name, of) in &stats.again {
        let (share, confirmed) = (percent(of.nodes, stats.counted), percent(of.confirmed, of.searches));
        sheet.add(vec![name.to_string(), show_count(of.searches), show_count(of.nodes), share, confirmed]);
    }
    sheet
}
