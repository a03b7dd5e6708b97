//! `plywise tree`: record search trees and question them.

mod check;
mod diff;
mod pack;
mod query;
pub mod record;
mod show;
mod stats;

use crate::games::{Games, Playable, parse_position};
use crate::network;
use crate::{Failure, Result};
use clap::{Args, Subcommand};
use plywise_game::parameters::Parameters;
use plywise_net::NetworkEvaluation;
use plywise_search::{Params, Profile, Signal};
use plywise_tree::{Board, Head, Known, KnownBoard, Scribe, Sent, Tree, TreeError};
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
    /// Whether an interrupt lets it finish its books.
    pub(crate) fn is_long(&self) -> bool {
        matches!(&self.what, What::Record(args) if args.from_pipe.is_none())
    }
}

/// Does what the arguments ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    match &args.what {
        What::Record(args) => match (&args.from_pipe, &args.game) {
            (Some(pipe), _) => record::from_pipe(games, args, pipe, out),
            (None, Some(game)) => (games.find(game)?.tree_record)(args, out, stop),
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

/// What a game knows about a tree of it.
pub struct Lore {
    /// What people call the game.
    pub(crate) title: &'static str,
    pub(crate) scribe: Box<dyn Scribe>,
    /// The search that was recorded. A profile of another version may have parameters that this one does not know.
    pub(crate) search: Result<Searched>,
}

/// A search as its profile describes it.
pub(crate) struct Searched {
    pub(crate) params: Params,
    pub(crate) board: Box<dyn Board>,
}

impl Lore {
    pub(crate) fn of<G: Playable>(head: &Head) -> Result<Lore> {
        let root = parse_position::<G>(&head.position)?;
        let search = Searched::of::<G>(head, &root);
        Ok(Lore { title: G::TITLE, scribe: Box::new(Known::<G>::new(root)), search })
    }

    /// What is known about a tree; `None` where only the program that sent it knows the game.
    pub(crate) fn about(games: Games, tree: &Tree) -> Result<Option<Lore>> {
        match games.find(&tree.head().game) {
            Ok(game) if !tree.has_texts() => (game.tree_lore)(tree.head()).map(Some),
            Ok(_) => Ok(None),
            Err(_) if tree.head().sent => Ok(None),
            Err(unknown) => Err(unknown),
        }
    }
}

impl Searched {
    fn of<G: Playable>(head: &Head, root: &G::Position) -> Result<Searched> {
        let (mut params, mut weights, mut network) = (Params::default(), G::Weights::default(), None);
        if !head.parameters.is_empty() {
            let profile = Profile::parse(&head.profile, &head.parameters)?;
            params = profile.params(G::NAME)?;
            network = profile.network(G::NAME)?.map_or(Ok(None), |name| network::load::<G>(&name))?;
            if !G::Weights::declared().is_empty() {
                profile.apply_to_evaluation(G::NAME, &mut weights)?;
            }
        }
        let judge = NetworkEvaluation::<G>::new(G::evaluation(weights), network.map(|named| named.network));
        let board = KnownBoard::<G, _>::new(root.clone(), &head.history, judge);
        Ok(Searched { params, board: Box::new(board) })
    }
}

/// Calls `each` with the scribe of a tree.
fn with_scribe<T>(games: Games, tree: &Tree, each: impl FnOnce(&dyn Scribe) -> Result<T>) -> Result<T> {
    match Lore::about(games, tree)? {
        Some(lore) => each(&*lore.scribe),
        None => each(&Sent(tree)),
    }
}

/// Opens a file.
pub(crate) fn open(path: &Path) -> Result<Tree> {
    Tree::open(path).map_err(Failure::input)
}

/// Does something with a tree; where that meets a damaged block, with what stands before it.
fn as_far_as_possible<T>(tree: &mut Tree, each: impl Fn(&Tree) -> Result<T, TreeError>) -> Result<T> {
    /// A file that is damaged in more places was made to be: each costs another look at all of it.
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

/// Puts a mistake of the file outside and one of the user inside, as [`as_far_as_possible`] wants them.
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
