//! `plywise tree pack`: a tree in breadth-first order.

use crate::text::show_count;
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_tree::{Recorded, Tree};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;

/// Rewrite a tree breadth first, for the fastest browsing
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise tree pack start.tree -o packed.tree")]
pub struct Arguments {
    /// The tree
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The new file
    #[arg(short, long, value_name = "FILE", required = true)]
    pub output: PathBuf,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Packs the file of the arguments.
pub fn run(args: &Arguments, out: &mut dyn Write) -> Result {
    let tree = super::open(&args.file)?;
    files::check_writable(&args.output)?;
    if same_file(args) {
        return Err(Failure::input("a tree cannot be packed into its own file"));
    }
    let Recorded { records, bytes } = Tree::pack(&tree, &args.output).map_err(Failure::input)?;
    let file = args.output.display();
    if args.json {
        let results = json!({"nodes": records, "bytes": bytes, "file": file.to_string()});
        return document::write(out, "tree pack", None, results);
    }
    super::tell_loss(&tree, out)?;
    Ok(writeln!(out, "packed {} nodes in {} bytes: {file}", show_count(records), show_count(bytes))?)
}

fn same_file(args: &Arguments) -> bool {
    match (args.file.canonicalize(), args.output.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}
