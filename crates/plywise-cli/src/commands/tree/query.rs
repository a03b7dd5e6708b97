//! `plywise tree query`: the nodes that an expression is true of.

use super::{as_far_as_possible, open, tell_loss, turned, with_notation};
use crate::games::Games;
use crate::text::show_count;
use crate::{Failure, Result, document};
use clap::Args;
use plywise_search::Signal;
use plywise_tree::{Answer, Node, NodeId, Query, Tree, TreeNotation, describe_fields, describe_node};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Find the nodes that an expression is true of
#[derive(Debug, Args)]
#[command(after_help = help())]
pub struct Arguments {
    /// The tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// What is true of the nodes that are wanted
    #[arg(value_name = "EXPR")]
    pub question: String,
    /// How many of them to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub first: usize,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

fn help() -> String {
    format!(
        "\
A node has fields; those of its parent are parent.FIELD (and parent.parent.FIELD), those of its search root.FIELD. They are
compared by = != < <= > >= and joined by and, or, not, ( ), + - * / and abs(). any(child, …), all(child, …),
count(child, …), sum, min and max ask the children; the same of ancestor. path and move are compared with a text:
path = 'e4 e5', path begins 'e4 e5', move = 'Nf3'. What a node does not have is none.

{}
Examples:
  plywise tree query start.tree 'kind = cut and cut_by = null_move and parent.depth >= 4'
  plywise tree query start.tree 'end = moves and number > 20 and value < parent.beta' --first 5
  plywise tree query start.tree 'any(child, purpose = multi_cut and value >= beta) and subtree > 10000' --json",
        describe_fields()
    )
}

/// Asks the question of the arguments.
pub fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let query = Query::parse(&args.question).map_err(Failure::input)?;
    let mut tree = open(&args.file)?;
    let answer = as_far_as_possible(&mut tree, |tree| {
        turned(with_notation(games, tree, |notation| Ok(query.ask(tree, notation, args.first, &Signal::new()))))
    })?;
    let answer: Answer = answer?;
    with_notation(games, &tree, |notation| {
        if args.json {
            let nodes: Result<Vec<Value>> =
                answer.first.iter().map(|(id, node)| to_json(&tree, notation, *id, node)).collect();
            let results = json!({"count": answer.count, "nodes": nodes?, "notice": tree.loss()});
            return document::write(out, "tree query", None, results);
        }
        tell_loss(&tree, out)?;
        let many = if answer.count == 1 { "node" } else { "nodes" };
        writeln!(out, "{} {many} of {}", show_count(answer.count), show_count(tree.len()))?;
        for (id, node) in &answer.first {
            let path = path(&tree, notation, *id)?;
            writeln!(out, "\n{id}: {}\n  {}", show_path(&path), describe_node(node))?;
        }
        let more = answer.count.saturating_sub(answer.first.len() as u64);
        if more > 0 && args.first > 0 {
            writeln!(out, "\nand {} more: --first N shows them", show_count(more))?;
        }
        Ok(())
    })
}

/// The moves that lead to a node.
pub(super) fn path(tree: &Tree, notation: &dyn TreeNotation, id: NodeId) -> Result<Vec<String>> {
    Ok(notation.line(&tree.moves_to(id).map_err(Failure::input)?))
}

/// The moves that lead to a node, for people.
pub(super) fn show_path(path: &[String]) -> String {
    if path.is_empty() { "the root".into() } else { path.join(" ") }
}

/// A node for other programs.
pub(crate) fn to_json(tree: &Tree, notation: &dyn TreeNotation, id: NodeId, node: &Node) -> Result<Value> {
    let path = path(tree, notation, id)?;
    let mut fields = json!({"id": id.to_string(), "path": path});
    for (name, value) in plywise_tree::node_fields(node) {
        fields[name] = value;
    }
    Ok(fields)
}
