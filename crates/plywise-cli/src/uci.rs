//! The engine for graphical interfaces and match runners: the Universal Chess Interface, for every game.
//!
//! [`Session`] is driven line by line and writes to anything: tests need no process. A search runs in a thread of its own,
//! and the session stays ready to answer.

mod examined;
mod go;
mod options;
mod thinking;

use crate::arguments::{DEFAULT_PROFILE, SearchArgs};
use crate::commands::bench;
use crate::engine::{Setup, new_engine};
use crate::games;
use crate::recording::RecordArgs;
use crate::text::nodes_per_second;
use crate::{Failure, Result};
use clap::Args;
use go::Go;
use options::Options;
use plywise_game::lines::{Found, decode, read_line};
use plywise_game::notation::excerpt;
use plywise_host::{AnyGame, AnyPosition, Engine, Move};
use plywise_search::Signal;
use plywise_tree::numbered;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thinking::{Goal, Order, Returned, Thinking, TreeFile};

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
pub(crate) fn run(game: Arc<dyn AnyGame>, args: &Arguments) -> Result {
    let setup = args.search.setup(&*game)?;
    let mut session = Session::new(game, setup, io::stdout())?;
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
pub struct Session<W: Write + Send + 'static> {
    out: Output<W>,
    game: Arc<dyn AnyGame>,
    options: Options,
    position: AnyPosition,
    state: SearchState,
    /// What `setparam` sets; the prices of extensions where nothing else was named.
    named: Vec<String>,
    /// Where the trees of searches are recorded, if they are, and how many were.
    record: Option<PathBuf>,
    trees: usize,
}

/// The engine, or the thread that has it while it thinks.
enum SearchState {
    Idle(Box<dyn Engine>),
    Thinking(Thinking),
    /// Only while it changes hands.
    Absent,
}

impl<W: Write + Send + 'static> Session<W> {
    /// A session with the default profile and a table of this many MB.
    pub fn with_table(game: Arc<dyn AnyGame>, megabytes: usize, out: W) -> Result<Session<W>> {
        let setup = Setup { hash: megabytes, ..Setup::of_profile(&*game, DEFAULT_PROFILE)? };
        Session::new(game, setup, out)
    }

    /// A session at the start of a game.
    pub(crate) fn new(game: Arc<dyn AnyGame>, setup: Setup, out: W) -> Result<Session<W>> {
        let mut engine = new_engine(&*game, &setup)?;
        let mut options = Options::new(game.clone(), setup);
        engine.set_seed(options.next_seed());
        Ok(Session {
            out: Output(Arc::new(Mutex::new(out))),
            position: game.start(),
            game,
            options,
            state: SearchState::Idle(engine),
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
                if let Some(engine) = self.idle_engine(command)? {
                    engine.forget();
                    engine.set_seed(seed);
                    self.position = self.game.start();
                }
            }
            "setoption" => self.set_option(line)?,
            "position" => self.set_position(line)?,
            "go" => self.go(line)?,
            "stop" => self.stop(),
            "ponderhit" => {
                if let SearchState::Thinking(thinking) = &mut self.state {
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
        // The protocol is that of chess, and `UCI_Chess960` an option of chess alone: an interface must know other games.
        let variant = if self.game.has_chess960() { String::new() } else { format!(" ({})", self.game.title()) };
        self.out.say(format!("id name plywise {}{variant}", env!("CARGO_PKG_VERSION")))?;
        self.out.say("id author the plywise authors")?;
        self.options.declare().iter().try_for_each(|option| self.out.say(option))?;
        self.out.say("uciok")
    }

    /// The engine, if nothing is being searched; else says that `command` is ignored.
    fn idle_engine(&mut self, command: &str) -> io::Result<Option<&mut dyn Engine>> {
        if matches!(&self.state, SearchState::Thinking(thinking) if thinking.has_answered()) {
            self.stop();
        }
        match &mut self.state {
            SearchState::Idle(engine) => Ok(Some(&mut **engine)),
            _ => {
                self.out
                    .explain(format_args!("'{command}' is ignored while a search is running; send 'stop' first"))?;
                Ok(None)
            }
        }
    }

    fn set_option(&mut self, line: &str) -> io::Result<()> {
        if self.idle_engine("setoption")?.is_none() {
            return Ok(());
        }
        let SearchState::Idle(engine) = &mut self.state else { return Ok(()) };
        match self.options.set(line, &mut **engine) {
            Ok(()) => Ok(()),
            Err(failure) => self.out.explain(failure),
        }
    }

    /// Sets the position up, or keeps the one before if anything about the new one is wrong.
    fn set_position(&mut self, line: &str) -> io::Result<()> {
        match read_position(&*self.game, line) {
            Ok(position) => self.position = position,
            Err(failure) => self.out.explain(format_args!("the position stays as it was: {failure}"))?,
        }
        Ok(())
    }

    fn go(&mut self, line: &str) -> io::Result<()> {
        if self.idle_engine("go")?.is_none() {
            return Ok(());
        }
        let go = Go::parse(line);
        go.complaints.iter().try_for_each(|complaint| self.out.explain(complaint))?;
        let only = self.search_moves(&go)?;
        let mut lines = self.options.lines;
        let mut limits = go.limits(self.position.side_to_move(), self.options.move_overhead);
        let strength = self.options.next_strength().filter(|_| !go.infinite && !go.is_for_mate());
        if let Some(strength) = strength {
            lines = lines.max(strength.lines());
            limits = strength.within(limits);
        }
        let order = Order {
            position: self.position.clone(),
            only,
            lines,
            limits,
            strength,
            chances: self.options.shows_chances.then(|| self.game.chances()),
            signal: if go.ponder { Signal::pondering() } else { Signal::new() },
            goal: go.perft.map_or(Goal::BestMove, Goal::Perft),
            waits_for_stop: go.infinite || go.ponder,
            style: self.options.style(),
            tree: self.next_tree(),
        };
        self.apply_options()?;
        if go.is_for_mate() {
            self.prepare_proof()?;
        }
        self.begin(order);
        Ok(())
    }

    /// Where the next tree is recorded, if trees are.
    fn next_tree(&mut self) -> Option<TreeFile> {
        let path = self.record.as_ref()?;
        self.trees += 1;
        let (game, setup) = (self.game.clone(), self.options.setup.clone());
        Some(TreeFile { path: numbered(path, self.trees), game, setup })
    }

    /// Sets the idle engine to work.
    fn begin(&mut self, order: Order) {
        self.state = match std::mem::replace(&mut self.state, SearchState::Absent) {
            SearchState::Idle(engine) => SearchState::Thinking(Thinking::begin(engine, order, self.out.clone())),
            other => other,
        };
    }

    /// Lets the engine, if it is idle, look for a forced win and nothing else.
    fn prepare_proof(&mut self) -> io::Result<()> {
        let SearchState::Idle(engine) = &mut self.state else { return Ok(()) };
        self.options.prepare_proof(&mut **engine).or_else(|failure| self.out.explain(failure))
    }

    /// Lets the engine, if it is idle, know what options have changed.
    fn apply_options(&mut self) -> io::Result<()> {
        let SearchState::Idle(engine) = &mut self.state else { return Ok(()) };
        match self.options.apply_to(&mut **engine) {
            Ok(()) => Ok(()),
            Err(failure) => self.out.explain(format_args!("the search stays as it was: {failure}")),
        }
    }

    /// The moves that the search is confined to.
    fn search_moves(&self, go: &Go) -> io::Result<Vec<Move>> {
        let mut only = Vec::new();
        for text in &go.search_moves {
            match self.position.parse_move(text) {
                Ok(mv) if only.contains(&mv) => {}
                Ok(mv) => only.push(mv),
                Err(error) => self.out.explain(error)?,
            }
        }
        Ok(only)
    }

    /// Ends the running search, if there is one, and waits until it has given its move.
    fn stop(&mut self) {
        self.state = match std::mem::replace(&mut self.state, SearchState::Absent) {
            SearchState::Thinking(thinking) => {
                let Returned { engine, panicked } = thinking.stop();
                if panicked {
                    self.options.distrust();
                }
                SearchState::Idle(engine)
            }
            other => other,
        };
    }

    fn draw(&self) -> io::Result<()> {
        self.out.say(format!("{}\n{}", self.position.draw().trim_end(), self.position.text()))
    }

    /// Gives the move to the other side, where the rules could bear that.
    fn flip(&mut self) -> io::Result<()> {
        match self.position.null_move() {
            Some(position) => self.position = position,
            None => self.out.explain("the side to move cannot pass here")?,
        }
        Ok(())
    }

    fn evaluate(&mut self) -> io::Result<()> {
        let (game, setup, position) = (&self.game, &self.options.setup, &self.position);
        if let Some(explanation) = game.explain(setup, position) {
            self.out.say(explanation.to_string().trim_end())?;
        }
        let shares = game.explain_network(setup, position).map_or(Vec::new(), |explained| explained.shares);
        for (feature, points) in shares {
            self.out.say(format!("network: {feature} {points:+}"))?;
        }
        let value = game.evaluate(setup, position).unwrap_or_default();
        self.out.say(format!("evaluation for the side to move: {value}"))
    }

    fn bench(&mut self) -> io::Result<()> {
        if self.idle_engine("bench")?.is_none() {
            return Ok(());
        }
        match bench::measure(&*self.game, 0) {
            Ok(bench::Measurement { nodes, time }) => {
                self.out.say(format!("{nodes} nodes {} nps", nodes_per_second(nodes, time)))
            }
            Err(failure) => self.out.explain(failure),
        }
    }
}

impl<W: Write + Send + 'static> Drop for Session<W> {
    /// A search thread that outlives its session would write to a closed output.
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads `position startpos|fen … [moves …]`.
fn read_position(game: &dyn AnyGame, line: &str) -> Result<AnyPosition> {
    let mut words = line.split_whitespace().skip(1);
    let mut position = match words.next() {
        Some("startpos") => {
            // What stands before the moves is none of our business.
            words.by_ref().take_while(|word| *word != "moves").for_each(drop);
            game.start()
        }
        Some("fen") => {
            let text: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
            game.parse_position(&text.join(" "))?
        }
        _ => return Err(Failure::input("a position begins with 'startpos' or 'fen'")),
    };
    for (i, text) in words.enumerate() {
        position.play_text(text).map_err(|error| Failure::input(format!("move {}: {error}", i + 1)))?;
    }
    Ok(position)
}
