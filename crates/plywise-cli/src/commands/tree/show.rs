//! `plywise tree show`: a node and its children in the terminal.

use super::query::{show_path, to_json};
use super::{as_far_as_possible, open, tell_loss, with_notation};
use crate::games::Games;
use crate::table::{Format, Sheet};
use crate::text::show_count;
use crate::{Failure, Result, document};
use clap::Args;
use plywise_game::Window;
use plywise_tree::{Node, NodeId, Tree, TreeNotation, describe_node, names_of};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Show a node and its children
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise tree show start.tree
  plywise tree show start.tree --path e4 --iteration 7
  plywise tree show start.tree --node 1234")]
pub struct Arguments {
    /// The tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The moves that lead from the root to the node; '--' is a null move
    #[arg(long, value_name = "MOVES", default_value = "", conflicts_with = "node")]
    pub path: String,
    /// The node, by the number that other commands tell
    #[arg(long, value_name = "ID")]
    pub node: Option<NodeId>,
    /// The iteration in which to look [default: the last one that was finished]
    #[arg(long, value_name = "N")]
    pub iteration: Option<i32>,
    #[command(flatten)]
    pub format: Format,
}

/// Shows the node of the arguments.
pub fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut tree = open(&args.file)?;
    as_far_as_possible(&mut tree, |tree| tree.roots(0))?;
    with_notation(games, &tree, |notation| {
        let id = match args.node {
            Some(id) => id,
            None => find(args, &tree, notation)?,
        };
        let node = tree.node(id).map_err(Failure::input)?;
        let moves = tree.moves_to(id).map_err(Failure::input)?;
        let children = children(&tree, id)?;
        if args.format.data.json || args.format.data.csv {
            let rows: Result<Vec<Value>> =
                children.iter().map(|(id, node)| to_json(&tree, notation, *id, node)).collect();
            if args.format.data.csv {
                return crate::table::write_csv(out, rows?);
            }
            let position = notation.position(&moves);
            let results = json!({
                "node": to_json(&tree, notation, id, &node)?,
                "position": position,
                "children": rows?,
                "notice": tree.loss(),
            });
            return document::write(out, "tree show", None, results);
        }
        tell_loss(&tree, out)?;
        writeln!(out, "{}", notation.board(&moves))?;
        writeln!(out, "{id}: {}\n  {}\n", show_path(&notation.line(&moves)), describe_node(&node))?;
        match children.is_empty() {
            true => Ok(writeln!(out, "nothing was searched below it")?),
            false => Ok(write!(out, "{}", sheet(notation, &moves, &node, &children).show(&args.format))?),
        }
    })
}

/// The node that the path of the arguments leads to.
fn find(args: &Arguments, tree: &Tree, notation: &dyn TreeNotation) -> Result<NodeId> {
    let root = root(args, tree)?;
    let mut moves = Vec::new();
    for text in args.path.split_whitespace() {
        let mv = notation.read(&moves, text).map_err(|error| Failure::input(format!("'{text}' in --path: {error}")))?;
        moves.push(mv);
    }
    let found = tree.descend(root, &moves).map_err(Failure::input)?;
    found.ok_or_else(|| Failure::input(format!("the search did not look at '{}'", args.path)))
}

fn root(args: &Arguments, tree: &Tree) -> Result<NodeId> {
    let mut found = None;
    for id in tree.roots(0).map_err(Failure::input)? {
        let node = tree.node(id).map_err(Failure::input)?;
        let fits = match args.iteration {
            Some(iteration) => node.depth.whole_plies() == iteration,
            None => node.value.is_some() || found.is_none(),
        };
        if fits {
            found = Some(id);
        }
    }
    found.ok_or_else(|| match args.iteration {
        Some(iteration) => Failure::input(format!("iteration {iteration} was not recorded")),
        None => Failure::input("the file holds no nodes"),
    })
}

fn children(tree: &Tree, id: NodeId) -> Result<Vec<(NodeId, Node)>> {
    let ids = tree.children(id).map_err(Failure::input)?;
    ids.into_iter().map(|id| Ok((id, tree.node(id).map_err(Failure::input)?))).collect()
}

/// The window on entry, and after an arrow what it was narrowed to.
fn show_windows(node: &Node) -> String {
    let show = |window: Window| format!("{} {}", window.alpha, window.beta);
    let narrowed = node.narrowed.map(|window| format!(" → {}", show(window)));
    show(node.window) + &narrowed.unwrap_or_default()
}

fn sheet(notation: &dyn TreeNotation, moves: &[u32], parent: &Node, children: &[(NodeId, Node)]) -> Sheet {
    let columns = ["node", "#", "move", "for", "kind", "depth", "window", "value", "end", "nodes", "%"];
    let mut sheet = Sheet::new(&columns, &[2, 3, 4, 8]);
    for (id, node) in children {
        let line: Vec<u32> = moves.iter().copied().chain([node.mv]).collect();
        let mv = if node.stays() { "(same)".into() } else { notation.line(&line).pop().unwrap_or_default() };
        let names = names_of(node);
        let sign = match names.bound {
            "lower" => "≥",
            "upper" => "≤",
            _ => "",
        };
        sheet.add(vec![
            id.to_string(),
            if node.number > 0 { node.number.to_string() } else { String::new() },
            mv,
            names.purpose.into(),
            names.kind.into(),
            node.depth.to_string(),
            show_windows(node),
            node.value.map_or("-".into(), |value| format!("{sign}{value}")),
            names.end.into(),
            show_count(node.nodes),
            format!("{:.1}", 100.0 * node.nodes as f64 / parent.nodes.max(1) as f64),
        ]);
    }
    sheet
}
