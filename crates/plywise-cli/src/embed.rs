//! plywise inside another program: commands, searchers and trees, asked for in the words of the command line.
//!
//! What is wrong with a request is told in the same sentence as on the command line. Nothing is printed but progress,
//! which [`show_progress`] switches off.

use crate::arguments::{LimitArgs, SearchArgs};
use crate::cli::{completed, refusal, run_within};
use crate::commands::analyse::{ShowArgs, iteration_to_json, report_to_json, techniques_to_json};
use crate::commands::tree::{Lore, node_to_json, open};
use crate::engine::{self, Event, Setup, TypedSetup, setup};
use crate::games::{GameCommands, Games, Playable, unknown_game};
use crate::text::show_score;
use crate::{Failure, Result};
use clap::Args;
use plywise_game::GameSoFar;
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Request, Searcher, Signal};
use plywise_tree::{NodeId, Scribe, Sent, Tree};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

pub use crate::games::parse_position;
pub use crate::process::{Program, introduce, main_inside};
pub use crate::progress::show_progress;
pub use crate::text::show_ending;

/// Runs a command: `words` are those after the program's name. Its results go to `out`, and `stop` interrupts it.
pub fn execute(games: &'static [GameCommands], words: &[String], out: &mut dyn Write, stop: &Signal) -> Result {
    let program = ["plywise".into()];
    let words = words.iter().map(OsString::from);
    run_within(Games(games), program.into_iter().chain(words), out, stop)
}

/// Says that a program has no game of this name, and which one may have been meant.
pub fn no_game(name: &str, games: &[GameCommands]) -> Failure {
    let known: Vec<&str> = games.iter().map(|game| game.name).collect();
    unknown_game(name, &known)
}

/// A player of a game that remembers what it searched.
pub struct Mind<G: Playable> {
    setup: Setup,
    searcher: Searcher<G, NetworkEvaluation<G>>,
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

impl<G: Playable> Mind<G> {
    /// The player that words such as `--profile classic --set multi_cut=on` describe.
    pub fn new(words: &[String]) -> Result<Mind<G>> {
        let setup = setup::<G>(&read::<SearchArgs>(words)?)?;
        let searcher = setup.searcher::<G>()?;
        Ok(Mind { setup, searcher })
    }

    /// Searches the position on the board of a game. The answer is that of `plywise analyse --json --stats`.
    pub fn search(&mut self, line: &GameSoFar<G>, question: &Question, stop: &Signal) -> Value {
        let request = Request { lines: question.lines, ..Request::of(line) };
        let mut iterations = Vec::new();
        let report = engine::search(&mut self.searcher, &request, &question.limits, stop, |event| {
            if let Event::Progress(progress) = event {
                iterations.push(iteration_to_json::<G>(&request.position, progress));
            }
        });
        let mut answer = report_to_json(line, &self.setup, &report);
        answer["shown"] = json!(show_score::<G>(report.score()));
        answer["seconds"] = json!(report.time.max(Duration::from_nanos(1)).as_secs_f64());
        answer["techniques"] = techniques_to_json(&report);
        answer["iterations"] = iterations.into();
        answer
    }

    /// Forgets everything that earlier searches learned, as for a new game.
    pub fn forget(&mut self) {
        self.searcher.forget();
    }
}

/// A group of arguments from words.
fn read<A: Args>(words: &[String]) -> Result<A> {
    let command = completed(A::augment_args(clap::Command::new("plywise").no_binary_name(true)), Games(&[]));
    let read = command.try_get_matches_from(words).and_then(|matches| A::from_arg_matches(&matches));
    read.map_err(|error| refusal(&error))
}

/// A recorded tree, with who writes its moves: its game, or the program that sent them.
pub struct OpenTree {
    tree: Tree,
    scribe: Option<Box<dyn Scribe>>,
}

impl OpenTree {
    /// Opens a file.
    pub fn open(games: &'static [GameCommands], path: &Path) -> Result<OpenTree> {
        let tree = open(path)?;
        let scribe = Lore::about(Games(games), &tree)?.map(|lore| lore.scribe);
        Ok(OpenTree { tree, scribe })
    }

    /// The file.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// A node as `plywise tree query --json` shows it.
    pub fn node(&self, id: NodeId) -> Result<Value> {
        let node = self.tree.node(id).map_err(Failure::input)?;
        match &self.scribe {
            Some(scribe) => node_to_json(&self.tree, &**scribe, id, &node),
            None => node_to_json(&self.tree, &Sent(&self.tree), id, &node),
        }
    }
}
