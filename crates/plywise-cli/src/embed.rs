//! plywise inside another program: commands, searches and trees, asked for in the words of the command line.
//!
//! A faulty request gets the same sentence as on the command line. Nothing is printed but progress,
//! which [`show_progress`] switches off.

use crate::arguments::{LimitArgs, SearchArgs};
use crate::cli::{completed, refusal, run_within};
use crate::commands::analyse::ShowArgs;
use crate::commands::tree::{game_of, node_to_json, open};
use crate::engine::{Setup, new_engine};
use crate::games::{Games, unknown_game};
use crate::{Failure, Result};
use clap::Args;
use plywise_host::{AnyGame, AnyPosition, Ask, Engine, Event, iteration_to_json, report_to_json, techniques_to_json};
use plywise_learn::LearnableGame;
use plywise_search::{Limits, Signal};
use plywise_tree::{NodeId, SentNotation, Tree};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub use crate::process::{Program, introduce, main_inside};
pub use crate::progress::show_progress;

/// Runs a command: `words` are those after the program's name. Its results go to `out`, and `stop` interrupts it.
pub fn execute(games: &[Arc<dyn LearnableGame>], words: &[String], out: &mut dyn Write, stop: &Signal) -> Result {
    let program = ["plywise".into()];
    let words = words.iter().map(OsString::from);
    run_within(Games(games), program.into_iter().chain(words), out, stop)
}

/// Says that a program has no game of this name, and which one may have been meant.
pub fn no_game(name: &str, games: &[Arc<dyn LearnableGame>]) -> Failure {
    let known: Vec<&str> = games.iter().map(|game| game.name()).collect();
    unknown_game(name, &known)
}

/// What is asked of a search: how long, and how many lines.
#[derive(Clone, Debug)]
pub struct Question {
    limits: Limits,
    lines: usize,
}

impl Question {
    /// The question that words such as `--depth 8 --lines 3` ask.
    pub fn new(words: &[String]) -> Result<Question> {
        #[derive(Args)]
        struct Asked {
            #[command(flatten)]
            limits: LimitArgs,
            #[command(flatten)]
            show: ShowArgs,
        }
        let asked: Asked = read(words)?;
        let limits = asked.limits.single()?.ok_or_else(crate::arguments::no_limit)?;
        Ok(Question { limits, lines: asked.show.lines.into() })
    }
}

/// Searches of one game, each of which uses what those before it found.
pub struct SearchSession {
    game: Arc<dyn AnyGame>,
    setup: Setup,
    engine: Box<dyn Engine>,
}

impl SearchSession {
    /// The search that words such as `--profile classic --set multi_cut=on` describe.
    pub fn new(game: Arc<dyn AnyGame>, words: &[String]) -> Result<SearchSession> {
        let setup = read::<SearchArgs>(words)?.setup(&*game)?;
        let engine = new_engine(&*game, &setup)?;
        Ok(SearchSession { game, setup, engine })
    }

    /// Searches a position. The answer is that of `plywise analyse --json --stats`.
    pub fn search(&mut self, position: &AnyPosition, question: &Question, stop: &Signal) -> Result<Value> {
        if !self.game.owns(position) {
            return Err(Failure::input(format!("the position is not one of {}", self.game.title())));
        }
        let ask = Ask { lines: question.lines, ..Ask::new(position) };
        let mut iterations = Vec::new();
        let report = self.engine.search(&ask, &question.limits, stop, &mut |event| {
            if let Event::Progress(progress) = event {
                iterations.push(iteration_to_json(position, progress));
            }
        });
        let mut answer = report_to_json(&*self.game, &self.setup, &ask, &report);
        answer["shown"] = json!(self.game.show_score(report.score()));
        answer["seconds"] = json!(report.time.max(Duration::from_nanos(1)).as_secs_f64());
        answer["techniques"] = techniques_to_json(&report);
        answer["iterations"] = iterations.into();
        Ok(answer)
    }

    /// Forgets everything that earlier searches found, as for a new game.
    pub fn forget(&mut self) {
        self.engine.forget();
    }
}

/// A group of arguments from words.
fn read<A: Args>(words: &[String]) -> Result<A> {
    let command = completed(A::augment_args(clap::Command::new("plywise").no_binary_name(true)), Games(&[]));
    let read = command.try_get_matches_from(words).and_then(|matches| A::from_arg_matches(&matches));
    read.map_err(|error| refusal(&error))
}

/// A recorded tree.
pub struct OpenTree {
    tree: Tree,
    /// The position at its root, if its game is known.
    root: Option<AnyPosition>,
}

impl OpenTree {
    /// Opens a file.
    pub fn open(games: &[Arc<dyn LearnableGame>], path: &Path) -> Result<OpenTree> {
        let tree = open(path)?;
        let root = game_of(Games(games), &tree)?.map(|of| of.root);
        Ok(OpenTree { tree, root })
    }

    /// The file.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// A node as `plywise tree query --json` shows it.
    pub fn node(&self, id: NodeId) -> Result<Value> {
        let node = self.tree.node(id).map_err(Failure::input)?;
        match &self.root {
            Some(root) => node_to_json(&self.tree, root, id, &node),
            None => node_to_json(&self.tree, &SentNotation(&self.tree), id, &node),
        }
    }
}
