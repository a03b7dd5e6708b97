//! `plywise tree check`: does every value follow?

use super::query::{path, show_path};
use super::{as_far_as_possible, game_of, open, tell_loss, turned, with_notation};
use crate::games::Games;
use crate::text::show_count;
use crate::{Failure, Result, document};
use clap::Args;
use plywise_search::Params;
use plywise_tree::{Checked, check};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Follow a recorded search and check that every value, window, depth and count fits
#[derive(Debug, Args)]
#[command(after_help = "\
The exit code is 1 where something does not fit.

Example: plywise tree check start.tree")]
pub struct Arguments {
    /// The tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How many findings to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub first: usize,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Checks the file of the arguments.
pub fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut tree = open(&args.file)?;
    if tree.head().sent {
        let sentence = "another program sent this tree: what its values follow from is not known";
        return Err(Failure::input(sentence));
    }
    let checked = as_far_as_possible(&mut tree, |tree| {
        turned(game_of(games, tree).and_then(|of| match of {
            Some(of) => Ok(of.check(tree)?),
            None => Ok(check(tree, &Params::default(), None)),
        }))
    })?;
    let checked: Checked = checked?;
    let fits = checked.nodes > 0 && checked.is_sound();
    with_notation(games, &tree, |notation| {
        let shown = checked.findings.iter().take(args.first);
        if args.json {
            let row = |finding: &plywise_tree::Finding| {
                let path = path(&tree, notation, finding.id)?;
                Ok(json!({"id": finding.id.to_string(), "path": path, "rule": finding.rule, "what": finding.what}))
            };
            let findings: Result<Vec<Value>> = shown.map(row).collect();
            let Checked { nodes, broken, unchecked, .. } = &checked;
            let results = json!({
                "nodes": nodes,
                "sound": fits,
                "broken": broken,
                "findings": findings?,
                "unchecked": unchecked,
                "notice": tree.loss(),
            });
            return document::write(out, "tree check", None, results);
        }
        tell_loss(&tree, out)?;
        writeln!(out, "{} nodes checked", show_count(checked.nodes))?;
        checked.unchecked.iter().try_for_each(|what| writeln!(out, "not checked: {what}"))?;
        for (rule, count) in &checked.broken {
            writeln!(out, "{} do not fit: {rule}", show_count(*count))?;
        }
        for finding in shown {
            let path = show_path(&path(&tree, notation, finding.id)?);
            writeln!(out, "\n{} ({}): {}\n  {path}", finding.id, finding.rule, finding.what)?;
        }
        if fits {
            writeln!(out, "{} fits", if tree.loss().is_some() { "what could be read" } else { "everything" })?;
        }
        Ok(())
    })?;
    match checked.broken.values().sum::<u64>() {
        0 if fits => Ok(()),
        0 => Err(Failure::Failed("no node could be checked".to_string())),
        broken => Err(Failure::Failed(format!("{broken} nodes do not fit"))),
    }
}
