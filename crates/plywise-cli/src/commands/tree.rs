//! `plywise tree`: record search trees and question them.

mod check;
mod diff;
mod pack;
mod query;
pub mod record;
mod show;
mod stats;

use crate::engine::Disk;
use crate::games::Games;
use crate::{Failure, Result};
use clap::{Args, Subcommand};
use plywise_host::TreeGame;
use plywise_search::Signal;
use plywise_tree::{SentNotation, Tree, TreeError, TreeNotation};
pub(crate) use query::to_json as node_to_json;
use std::io::Write;
use std::path::Path;

/// Record search trees, and question them
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise tree record chess --depth 9 -o start.tree
  plywise tree stats start.tree
  plywise tree show start.tree --path e4
  plywise tree query start.tree 'cut_by = null_move and subtree > 1000'")]
pub struct Arguments {
    #[command(subcommand)]
    pub what: What,
}

/// What to do with trees.
#[derive(Debug, Subcommand)]
pub enum What {
    Record(Box<record::Arguments>),
    Stats(stats::Arguments),
    Query(query::Arguments),
    Diff(diff::Arguments),
    Check(check::Arguments),
    Show(show::Arguments),
    Pack(pack::Arguments),
}

impl Arguments {
    /// Whether it ends properly on an interrupt, with what it has so far.
    pub(crate) fn is_long(&self) -> bool {
        matches!(&self.what, What::Record(args) if args.from_pipe.is_none())
    }
}

/// Does what the arguments ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Record(args) => match (&args.from_pipe, &args.game) {
            (Some(pipe), _) => record::from_pipe(games, args, pipe, out),
            (None, Some(game)) => record::run(&*games.game(game)?, args, out, stop),
            (None, None) => Err(Failure::input("a game is needed, or --from-pipe")),
        },
        What::Stats(args) => stats::run(games, args, out),
        What::Query(args) => query::run(games, args, out),
        What::Diff(args) => diff::run(games, args, out),
        What::Check(args) => check::run(games, args, out),
        What::Show(args) => show::run(games, args, out),
        What::Pack(args) => pack::run(args, out),
    }
}

/// The game of a tree; `None` if only the program that sent the tree knows it.
pub(crate) fn game_of(games: Games, tree: &Tree) -> Result<Option<TreeGame>> {
    Ok(TreeGame::of_tree(&games.all(), tree, &Disk)?)
}

/// Calls `each` with the notation of a tree.
fn with_notation<T>(games: Games, tree: &Tree, each: impl FnOnce(&dyn TreeNotation) -> Result<T>) -> Result<T> {
    match game_of(games, tree)? {
        Some(of) => each(&of.root),
        None => each(&SentNotation(tree)),
    }
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> Result<Tree> {
    Tree::open(path).map_err(Failure::input)
}

/// Does something with a tree; if it meets a damaged block, with what stands before that block.
fn as_far_as_possible<T>(tree: &mut Tree, each: impl Fn(&Tree) -> Result<T, TreeError>) -> Result<T> {
    /// More damaged places than this were made on purpose: each costs another look at the whole file.
    const MOST_CUTS: usize = 64;
    let mut cuts = 0;
    loop {
        match each(tree) {
            Ok(done) => return Ok(done),
            Err(error) => {
                let before = tree.len();
                tree.cut_before(&error);
                cuts += 1;
                if tree.len() >= before || cuts > MOST_CUTS {
                    return Err(Failure::input(error));
                }
            }
        }
    }
}

/// Swaps the results: damage of the file outside and other failures inside, as [`as_far_as_possible`] needs them.
fn turned<T>(result: Result<Result<T, TreeError>>) -> Result<Result<T>, TreeError> {
    match result {
        Ok(Ok(done)) => Ok(Ok(done)),
        Ok(Err(damage)) => Err(damage),
        Err(failure) => Ok(Err(failure)),
    }
}

/// Says what could not be read.
fn tell_loss(tree: &Tree, out: &mut dyn Write) -> Result {
    if let Some(loss) = tree.loss() {
        writeln!(out, "Note: {loss}.\n")?;
    }
    Ok(())
}
