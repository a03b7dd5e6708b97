//! `plywise tree diff`: where two searches part.

use super::query::show_path;
use super::{open, tell_loss, with_notation};
use crate::games::Games;
use crate::network::OFF;
use crate::table::{Format, Sheet};
use crate::text::show_count;
use crate::{Failure, Result, document};
use clap::Args;
use plywise_search::{Profile, ProfiledGame, Signal};
use plywise_tree::{Act, Parting, Stats, TechniqueStats, Tree, TreeNotation, describe_node, parting};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

/// Find the first node where two searches of one position part, and what each technique gained
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise tree record chess --depth 8 --profile classic -o a.tree
  plywise tree record chess --depth 8 --profile multicut -o b.tree
  plywise tree diff a.tree b.tree")]
pub struct Arguments {
    /// A tree
    #[arg(value_name = "A")]
    pub a: PathBuf,
    /// Another of the same position
    #[arg(value_name = "B")]
    pub b: PathBuf,
    #[command(flatten)]
    pub format: Format,
}

/// What a technique did in both.
struct Row {
    name: &'static str,
    a: TechniqueStats,
    b: TechniqueStats,
}

/// Compares the files of the arguments.
pub fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let (a, b) = (open(&args.a)?, open(&args.b)?);
    let what = |tree: &Tree| (tree.head().game.clone(), tree.head().position.clone());
    if what(&a) != what(&b) {
        return Err(Failure::input("these are trees of different positions"));
    }
    let parting = parting(&a, &b, &Signal::new()).map_err(Failure::input)?;
    let stats = (
        Stats::of(&a, &Signal::new()).map_err(Failure::input)?,
        Stats::of(&b, &Signal::new()).map_err(Failure::input)?,
    );
    let names: BTreeSet<&'static str> =
        stats.0.by_technique.keys().chain(stats.1.by_technique.keys()).copied().collect();
    let of = |stats: &Stats, name| stats.by_technique.get(name).copied().unwrap_or_default();
    let rows: Vec<Row> =
        names.into_iter().map(|name| Row { name, a: of(&stats.0, name), b: of(&stats.1, name) }).collect();
    with_notation(games, &a, |notation| {
        if args.format.data.json {
            let rows: Vec<Value> =
                rows.iter().map(|row| json!({"technique": row.name, "a": row.a, "b": row.b})).collect();
            let nodes = |stats: &Stats| stats.counted;
            let results = json!({
                "same": parting.is_none(),
                "nodes": {"a": nodes(&stats.0), "b": nodes(&stats.1)},
                "profiles": {"a": a.head().profile, "b": b.head().profile},
                "networks": {"a": network(&a), "b": network(&b)},
                "parting": parting.as_ref().map(|parting| to_json(notation, parting)),
                "techniques": rows,
            });
            return document::write(out, "tree diff", None, results);
        }
        if args.format.data.csv {
            let row = |row: &Row| json!({"technique": row.name, "a": row.a, "b": row.b});
            return crate::table::write_csv(out, rows.iter().map(row));
        }
        tell_loss(&a, out)?;
        tell_loss(&b, out)?;
        for (name, tree) in [("A", &a), ("B", &b)] {
            writeln!(out, "{name}: {}", player(tree))?;
        }
        match &parting {
            None => writeln!(out, "the searches are the same")?,
            Some(parting) => tell(notation, parting, out)?,
        }
        let (one, other) = (stats.0.counted, stats.1.counted);
        let change = 100.0 * (other as f64 / one.max(1) as f64 - 1.0);
        writeln!(out, "\n{} nodes in A, {} in B ({change:+.1} %)\n", show_count(one), show_count(other))?;
        Ok(write!(out, "{}", sheet(&rows).show(&args.format))?)
    })
}

/// The profile of a tree and the network that it played with.
fn player(tree: &Tree) -> String {
    let head = tree.head();
    match (head.sent, network(tree)) {
        (true, _) => head.build.clone(),
        (false, Some(network)) => format!("profile {} with the network '{network}'", head.profile),
        (false, None) => format!("profile {} without a network", head.profile),
    }
}

fn network(tree: &Tree) -> Option<String> {
    let profile = Profile::parse(&tree.head().profile, &tree.head().parameters).ok()?;
    profile.network(ProfiledGame::plain(&tree.head().game)).ok().flatten().filter(|name| name != OFF)
}

fn sheet(rows: &[Row]) -> Sheet {
    let columns = ["technique", "cuts A", "cuts B", "left out A", "left out B", "spent A", "spent B", "net A", "net B"];
    let mut sheet = Sheet::new(&columns, &[0]);
    let net = |stats: &TechniqueStats| format!("{:+}", stats.saved as i64 - stats.spent as i64);
    for Row { name, a, b } in rows {
        let both = |count: fn(&TechniqueStats) -> u64| [show_count(count(a)), show_count(count(b))];
        let counts = [both(|s| s.cuts), both(|s| s.left_out), both(|s| s.spent), [net(a), net(b)]];
        sheet.add([name.to_string()].into_iter().chain(counts.into_iter().flatten()).collect());
    }
    sheet
}

fn tell(notation: &dyn TreeNotation, parting: &Parting, out: &mut dyn Write) -> Result {
    let line = show_path(&notation.line(&parting.moves));
    writeln!(out, "the searches share {} steps and part at: {line}", show_count(parting.shared))?;
    for (name, act) in [("A", &parting.a), ("B", &parting.b)] {
        let Some(Act { id, node, leaves }) = act else {
            writeln!(out, "  {name} has ended")?;
            continue;
        };
        let step = if *leaves { "leaves" } else { "enters" };
        let mv = if *leaves { String::new() } else { format!(" {}", next_move(notation, parting, node.mv)) };
        writeln!(out, "  {name} {step}{mv} ({id}): {}", describe_node(node))?;
    }
    for (what, a, b) in parting.told(notation) {
        writeln!(out, "  {what}: {a} in A, {b} in B")?;
    }
    Ok(())
}

fn next_move(notation: &dyn TreeNotation, parting: &Parting, mv: u32) -> String {
    let line: Vec<u32> = parting.moves.iter().copied().chain([mv]).collect();
    notation.line(&line).pop().unwrap_or_default()
}

fn to_json(notation: &dyn TreeNotation, parting: &Parting) -> Value {
    let act = |act: &Option<Act>| {
        act.map(|act| json!({"id": act.id.to_string(), "leaves": act.leaves, "node": describe_node(&act.node)}))
    };
    let differences: Vec<Value> =
        parting.told(notation).into_iter().map(|(what, a, b)| json!({"what": what, "a": a, "b": b})).collect();
    json!({
        "path": notation.line(&parting.moves),
        "shared": parting.shared,
        "a": act(&parting.a),
        "b": act(&parting.b),
        "differences": differences,
    })
}
