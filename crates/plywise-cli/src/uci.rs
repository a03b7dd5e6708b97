//! The engine for graphical interfaces and match runners: the Universal Chess Interface, for every game.
//!
//! [`Session`] is driven line by line and writes to anything: tests need no process. A search runs in a thread of its own,
//! and the session stays ready to answer.

mod examined;
mod go;
mod options;
mod strength;
mod thinking;

use crate::arguments::{DEFAULT_PROFILE, ResourceArgs, SearchArgs};
use crate::commands::bench;
use crate::engine::{Setup, TypedSetup, require_weights, setup, setup_of_profile};
use crate::games::{self, Playable};
use crate::recording::RecordArgs;
use crate::text::nodes_per_second;
use crate::{Failure, Result};
use clap::Args;
use go::Go;
use options::Options;
use plywise_game::lines::{Found, decode, read_line};
use plywise_game::{Evaluate, GameSoFar, Linear};
use plywise_net::NetworkEvaluation;
use plywise_search::{Request, Searcher, Signal};
use plywise_tree::numbered;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thinking::{Returned, Task, Thinking, Work};

/// Run the engine for a graphical interface or a match runner (UCI)
///
/// Other games than chess speak the same protocol with their own moves: wtime is the clock of who moves first.
/// Besides the protocol it understands d (draw the board), eval, flip (the other side moves), bench and go perft N, and the commands by which learners
/// examine it: setboard POSITION, nameparam NAME…, setparam NUMBER…, gountil MOVE NODES.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise uci chess --threads 4 --hash 256
  (printf 'position startpos moves e2e4\\ngo movetime 1000\\n'; sleep 2) | plywise uci chess")]
pub struct Arguments {
    /// The name of the game.
    #[arg(default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    /// What searches.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What becomes of its trees.
    #[command(flatten)]
    pub record: RecordArgs,
    /// Declare every parameter of the search as an option; they can be set without, and 'Show Parameters' does the same
    #[arg(long)]
    pub show_parameters: bool,
}

/// The longest line that is understood: a hundred thousand moves fit into it.
const LONGEST_LINE: usize = 1 << 20;

/// Serves standard input until it ends or says quit.
pub fn run<G: Playable>(args: &Arguments) -> Result {
    let mut session = Session::<G, _>::new(setup::<G>(&args.search)?, io::stdout())?;
    session.record.clone_from(&args.record.record);
    session.options.shows_parameters = args.show_parameters;
    Ok(session.serve(io::stdin().lock())?)
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next line, please.
    Continue,
    /// The other side has said quit.
    Quit,
}

/// The writer that the session and its search thread share.
struct Output<W>(Arc<Mutex<W>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Output<W> {
        Output(Arc::clone(&self.0))
    }
}

impl<W: Write> Output<W> {
    /// Writes a line and sends it off at once: the other side waits for it.
    fn say(&self, text: impl AsRef<str>) -> io::Result<()> {
        let mut out = self.lock();
        writeln!(out, "{}", text.as_ref())?;
        out.flush()
    }

    /// Tells people something that the protocol has no word for.
    fn explain(&self, what: impl std::fmt::Display) -> io::Result<()> {
        self.say(format!("info string {what}"))
    }

    fn lock(&self) -> MutexGuard<'_, W> {
        // Every write is a whole line: a writer that panicked left nothing half done.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One conversation with a graphical interface.
pub struct Session<G: Playable, W: Write + Send + 'static> {
    out: Output<W>,
    options: Options<G>,
    line: GameSoFar<G>,
    mind: Mind<G>,
    /// What `setparam` sets; the prices of extensions where nothing else was named.
    named: Vec<String>,
    /// Where the trees of searches are recorded, if they are, and how many were.
    record: Option<PathBuf>,
    trees: usize,
}

/// The searcher, or the thread that has it while it thinks.
enum Mind<G: Playable> {
    Idle(Box<Searcher<G, NetworkEvaluation<G>>>),
    Thinking(Thinking<G>),
    /// Only while it changes hands.
    Absent,
}

impl<G: Playable, W: Write + Send + 'static> Session<G, W> {
    /// A session with the default profile and a table of so many MB.
    pub fn with_table(megabytes: usize, out: W) -> Result<Session<G, W>> {
        let resources = ResourceArgs { hash: megabytes, ..ResourceArgs::default() };
        Session::new(setup_of_profile::<G>(DEFAULT_PROFILE, &resources)?, out)
    }

    /// A session at the start of a game.
    pub(crate) fn new(setup: Setup, out: W) -> Result<Session<G, W>> {
        let mut searcher = Box::new(setup.searcher::<G>()?);
        let mut options = Options::new(setup);
        searcher.set_seed(options.next_seed());
        Ok(Session {
            out: Output(Arc::new(Mutex::new(out))),
            options,
            line: GameSoFar::new(G::start()),
            mind: Mind::Idle(searcher),
            named: Vec::new(),
            record: None,
            trees: 0,
        })
    }

    /// Answers the lines of `input` until it ends or says quit, and stops whatever search is running then.
    pub fn serve(&mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            let flow = match read_line(&mut input, &mut bytes, LONGEST_LINE)? {
                Found::End => Flow::Quit,
                Found::Cut => {
                    self.out.explain(format_args!("a line of more than {LONGEST_LINE} bytes is ignored"))?;
                    Flow::Continue
                }
                // Not everything that arrives is text; what is not becomes an unknown word.
                Found::Whole => self.answer(&decode(&bytes))?,
            };
            if flow == Flow::Quit {
                break;
            }
        }
        self.stop();
        Ok(())
    }

    /// Answers one line.
    pub fn answer(&mut self, line: &str) -> io::Result<Flow> {
        let mut words = line.split_whitespace();
        let command = words.next().unwrap_or_default();
        match command {
            "" => {}
            "uci" => self.introduce()?,
            "isready" => {
                self.apply_options()?;
                self.out.say("readyok")?;
            }
            "ucinewgame" => {
                let seed = self.options.next_seed();
                if let Some(searcher) = self.idle_searcher(command)? {
                    searcher.forget();
                    searcher.set_seed(seed);
                    self.line = GameSoFar::new(G::start());
                }
            }
            "setoption" => self.set_option(line)?,
            "position" => self.set_position(line)?,
            "go" => self.go(line)?,
            "stop" => self.stop(),
            "ponderhit" => {
                if let Mind::Thinking(thinking) = &mut self.mind {
                    thinking.ponder_hit();
                }
            }
            "quit" => return Ok(Flow::Quit),
            "setboard" | "nameparam" | "setparam" | "gountil" => self.examine(command, line)?,
            "d" => self.draw()?,
            "flip" => self.flip()?,
            "eval" => self.evaluate()?,
            "bench" => self.bench()?,
            // Both are part of the protocol, and there is nothing to do for them.
            "debug" | "register" => {}
            unknown => self.out.explain(format_args!("unknown command '{}'", excerpt(unknown)))?,
        }
        Ok(Flow::Continue)
    }

    fn introduce(&mut self) -> io::Result<()> {
        let variant = if G::NAME == "chess" { String::new() } else { format!(" ({})", G::TITLE) };
        self.out.say(format!("id name plywise {}{variant}", env!("CARGO_PKG_VERSION")))?;
        self.out.say("id author the plywise authors")?;
        self.options.declare().iter().try_for_each(|option| self.out.say(option))?;
        self.out.say("uciok")
    }

    /// The searcher, if nothing is being searched; else says that `command` is ignored.
    fn idle_searcher(&mut self, command: &str) -> io::Result<Option<&mut Searcher<G, NetworkEvaluation<G>>>> {
        if matches!(&self.mind, Mind::Thinking(thinking) if thinking.has_answered()) {
            self.stop();
        }
        match &mut self.mind {
            Mind::Idle(searcher) => Ok(Some(searcher)),
            _ => {
                self.out
                    .explain(format_args!("'{command}' is ignored while a search is running; send 'stop' first"))?;
                Ok(None)
            }
        }
    }

    fn set_option(&mut self, line: &str) -> io::Result<()> {
        if self.idle_searcher("setoption")?.is_none() {
            return Ok(());
        }
        let Mind::Idle(searcher) = &mut self.mind else { return Ok(()) };
        match self.options.set(line, searcher) {
            Ok(()) => Ok(()),
            Err(failure) => self.out.explain(failure),
        }
    }

    /// Sets the position up, or keeps the one before if anything about the new one is wrong.
    fn set_position(&mut self, line: &str) -> io::Result<()> {
        match read_position(line) {
            Ok(line) => self.line = line,
            Err(failure) => self.out.explain(format_args!("the position stays as it was: {failure}"))?,
        }
        Ok(())
    }

    fn go(&mut self, line: &str) -> io::Result<()> {
        if self.idle_searcher("go")?.is_none() {
            return Ok(());
        }
        let go = Go::parse(line);
        go.complaints.iter().try_for_each(|complaint| self.out.explain(complaint))?;
        let mut request = self.request(&go)?;
        let mut limits = go.limits(self.line.side_to_move(), self.options.move_overhead);
        let strength = self.options.next_strength().filter(|_| !go.infinite && !go.is_for_mate());
        if let Some(strength) = strength {
            request.lines = request.lines.max(strength.lines());
            limits = strength.within(limits);
        }
        let task = Task {
            request,
            limits,
            strength,
            chances: self.options.shows_chances.then_some(G::CHANCES),
            signal: if go.ponder { Signal::pondering() } else { Signal::new() },
            work: go.perft.map_or(Work::BestMove, Work::Perft),
            waits_for_stop: go.infinite || go.ponder,
            chess960: self.options.chess960,
            tree: self.next_tree(),
        };
        self.apply_options()?;
        if go.is_for_mate() {
            self.prepare_proof()?;
        }
        self.begin(task);
        Ok(())
    }

    /// The file of the next tree, and what searches it, where trees are recorded.
    fn next_tree(&mut self) -> Option<(PathBuf, Setup)> {
        let path = self.record.as_ref()?;
        self.trees += 1;
        Some((numbered(path, self.trees), self.options.setup.clone()))
    }

    /// Sets the idle searcher to work.
    fn begin(&mut self, task: Task<G>) {
        self.mind = match std::mem::replace(&mut self.mind, Mind::Absent) {
            Mind::Idle(searcher) => Mind::Thinking(Thinking::begin(searcher, task, self.out.clone())),
            other => other,
        };
    }

    /// Lets the searcher, if it is idle, look for a forced win and nothing else.
    fn prepare_proof(&mut self) -> io::Result<()> {
        let Mind::Idle(searcher) = &mut self.mind else { return Ok(()) };
        self.options.prepare_proof(searcher).or_else(|failure| self.out.explain(failure))
    }

    /// Lets the searcher, if it is idle, know what options have changed.
    fn apply_options(&mut self) -> io::Result<()> {
        let Mind::Idle(searcher) = &mut self.mind else { return Ok(()) };
        match self.options.apply_to(searcher) {
            Ok(()) => Ok(()),
            Err(failure) => self.out.explain(format_args!("the search stays as it was: {failure}")),
        }
    }

    fn request(&self, go: &Go) -> io::Result<Request<G>> {
        let mut request = Request::of(&self.line);
        request.lines = self.options.lines;
        for text in &go.search_moves {
            match G::parse_move(self.line.position(), text) {
                Ok(mv) if request.only.contains(&mv) => {}
                Ok(mv) => request.only.push(mv),
                Err(error) => self.out.explain(error)?,
            }
        }
        Ok(request)
    }

    /// Ends the running search, if there is one, and waits until it has given its move.
    fn stop(&mut self) {
        self.mind = match std::mem::replace(&mut self.mind, Mind::Absent) {
            Mind::Thinking(thinking) => {
                let Returned { searcher, panicked } = thinking.stop();
                if panicked {
                    self.options.distrust();
                }
                Mind::Idle(searcher)
            }
            other => other,
        };
    }

    fn draw(&self) -> io::Result<()> {
        let position = self.line.position();
        self.out.say(format!("{}\n{}", G::draw(position).trim_end(), G::write_position(position)))
    }

    /// Gives the move to the other side, where the rules could bear that.
    fn flip(&mut self) -> io::Result<()> {
        match G::null_move(self.line.position()) {
            Some(position) => self.line = GameSoFar::new(position),
            None => self.out.explain("the side to move cannot pass here")?,
        }
        Ok(())
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let position = self.line.position();
        let setup = &self.options.setup;
        if require_weights::<G>().is_ok() {
            self.out.say(setup.weights.to_typed::<G::Weights>().explain(position).to_string().trim_end())?;
        }
        for (feature, points) in setup.evaluation::<G>().explain(position) {
            self.out.say(format!("network: {feature} {points:+}"))?;
        }
        let value = setup.evaluation::<G>().evaluate(position);
        self.out.say(format!("evaluation for the side to move: {value}"))
    }

    fn bench(&mut self) -> io::Result<()> {
        if self.idle_searcher("bench")?.is_none() {
            return Ok(());
        }
        match bench::measure::<G>(G::BENCH_DEPTH) {
            Ok(bench::Measurement { nodes, time }) => {
                self.out.say(format!("{nodes} nodes {} nps", nodes_per_second(nodes, time)))
            }
            Err(failure) => self.out.explain(failure),
        }
    }
}

impl<G: Playable, W: Write + Send + 'static> Drop for Session<G, W> {
    /// A search thread that outlives its session would write where nobody reads.
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads `position startpos|fen … [moves …]`.
fn read_position<G: Playable>(line: &str) -> Result<GameSoFar<G>> {
    let mut words = line.split_whitespace().skip(1);
    let start = match words.next() {
        Some("startpos") => {
            // What stands before the moves is none of our business.
            words.by_ref().take_while(|word| *word != "moves").for_each(drop);
            G::start()
        }
        Some("fen") => {
            let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
            G::parse_position(&text.join(" "))?
        }
        _ => return Err(Failure::input("a position begins with 'startpos' or 'fen'")),
    };
    let mut line = GameSoFar::new(start);
    for (i, text) in words.enumerate() {
        line.play_text(text).map_err(|error| Failure::input(format!("move {}: {error}", i + 1)))?;
    }
    Ok(line)
}

/// The beginning of a word that may be long or strange.
fn excerpt(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(40).collect()
}
