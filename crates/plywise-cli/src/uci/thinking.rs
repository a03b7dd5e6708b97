//! A search in a thread of its own, and what it tells the interface.

use super::Output;
use crate::engine::Setup;
use crate::text::{milliseconds, nodes_per_second};
use plywise_game::chances::{Chances, Outlook};
use plywise_game::{Score, score};
use plywise_host::{AnyGame, AnyPosition, Ask, Engine, Event, Move, Rated, RecordedSearch, Style};
use plywise_search::{Bound, Limits, Progress, RootMove, Signal};
use plywise_tree::Filter;
use std::any::Any;
use std::cell::Cell;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What the interface wants from a search.
pub(super) struct Order {
    pub(super) position: AnyPosition,
    /// Only these moves are considered; all of them if empty.
    pub(super) only: Vec<Move>,
    pub(super) lines: usize,
    pub(super) limits: Limits,
    pub(super) signal: Signal,
    pub(super) goal: Goal,
    /// The move may not be given before the interface says stop or ponderhit.
    pub(super) waits_for_stop: bool,
    /// How moves are written.
    pub(super) style: Style,
    /// Where the tree is recorded, if it is.
    pub(super) tree: Option<TreeFile>,
    /// How the move is weakened, if it is.
    pub(super) strength: Option<Rated>,
    /// What scores are worth, if that is shown with them.
    pub(super) chances: Option<Chances>,
}

impl Order {
    fn ask(&self) -> Ask<'_> {
        Ask { position: &self.position, only: self.only.clone(), lines: self.lines }
    }
}

/// The file of a recorded tree, and how the engine thinks that searches it.
pub(super) struct TreeFile {
    pub(super) path: PathBuf,
    pub(super) game: Arc<dyn AnyGame>,
    pub(super) setup: Setup,
}

/// When a search has done its work.
pub(super) enum Goal {
    /// The best move.
    BestMove,
    /// The number of move paths of this length.
    Perft(u32),
    /// The nodes until one of these moves is found best.
    Until(Vec<Move>),
}

/// An engine that is done.
pub(super) struct Returned {
    pub(super) engine: Box<dyn Engine>,
    /// The search panicked: the state of the engine is unknown.
    pub(super) panicked: bool,
}

/// A running search.
pub(super) struct Thinking {
    thread: JoinHandle<Returned>,
    signal: Signal,
    /// As long as this exists, a search that must wait keeps its move to itself.
    gate: Option<Sender<()>>,
    answered: Arc<AtomicBool>,
}

impl Thinking {
    /// Sets an engine to work.
    pub(super) fn begin<W: Write + Send + 'static>(
        mut engine: Box<dyn Engine>,
        order: Order,
        out: Output<W>,
    ) -> Thinking {
        let signal = order.signal.clone();
        let answered = Arc::new(AtomicBool::new(false));
        let (gate, opened) = mpsc::channel();
        let gate = order.waits_for_stop.then_some(gate);
        let has_answered = Arc::clone(&answered);
        let thread = thread::spawn(move || {
            let told = Cell::new(None);
            let work = AssertUnwindSafe(|| match &order.goal {
                Goal::BestMove => think(&mut *engine, &order, &opened, &out, &has_answered, &told),
                Goal::Perft(depth) => count_paths(&order, *depth, &out, &has_answered),
                Goal::Until(answers) => count_until(&mut *engine, &order, answers, &out, &has_answered),
            });
            // The reader may be gone. The session finds out with its own next line.
            let panicked = match panic::catch_unwind(work) {
                Ok(_) => false,
                Err(panic) => {
                    let _ = answer_after_panic(&order, &*panic, told.get(), &opened, &out);
                    true
                }
            };
            has_answered.store(true, Ordering::Release);
            Returned { engine, panicked }
        });
        Thinking { thread, signal, gate, answered }
    }

    /// Whether the move has been given and the thread is about to end.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Acquire)
    }

    /// The expected move has been played: from now on the search is on our own time.
    pub(super) fn ponder_hit(&mut self) {
        if self.signal.is_pondering() {
            self.signal.ponder_hit();
            self.gate = None;
        }
    }

    /// Ends the search and gives the engine back.
    pub(super) fn stop(mut self) -> Returned {
        self.signal.stop();
        self.gate = None;
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn think<W: Write>(
    engine: &mut dyn Engine,
    order: &Order,
    opened: &Receiver<()>,
    out: &Output<W>,
    answered: &AtomicBool,
    told: &Cell<Option<Move>>,
) -> io::Result<()> {
    let Order { position, limits, signal, style, .. } = order;
    let ask = order.ask();
    let mut each = |event: Event| {
        // A lost reader shows when the move is given.
        let _ = match event {
            Event::Progress(progress) => {
                if progress.line == 1 {
                    told.set(progress.pv.first().copied().or(told.get()));
                }
                let chances = order.chances.map(|chances| chances.outlook(position.phase(), progress.score));
                let pv = position.write_line_as(&progress.pv, *style);
                out.say(progress_line(progress, chances.as_ref(), &pv))
            }
            Event::RootMove(root_move) if root_move.time >= QUIET_TIME => {
                out.say(root_move_line(root_move, &position.write_move_as(root_move.mv, *style)))
            }
            Event::RootMove(_) => Ok(()),
        };
    };
    let report = match &order.tree {
        None => engine.search(&ask, limits, signal, &mut each),
        Some(TreeFile { path, game, setup }) => {
            let search = RecordedSearch { game: &**game, setup, path, filter: Filter::default() };
            match search.run(engine, &ask, limits, signal, &mut each) {
                Ok((report, recorded)) => {
                    recorded.map(drop).or_else(|failure| out.explain(failure))?;
                    report
                }
                Err(failure) => {
                    out.explain(failure)?;
                    engine.search(&ask, limits, signal, &mut each)
                }
            }
        }
    };
    // The other end of the channel is dropped when the interface says so, or at once where nothing must be waited for.
    let _ = opened.recv();
    let chosen = order.strength.map_or(0, |strength| strength.choose(&report.lines));
    let mut pv = report.lines.get(chosen).map_or(Vec::new(), |line| line.pv.clone());
    if pv.is_empty() {
        pv.extend(ask.best_move(&report));
    }
    let words = position.write_line_as(&pv, *style);
    // From here on the next command may come at any moment.
    answered.store(true, Ordering::Release);
    match &words[..] {
        [] => {
            let outcome = position.outcome().map_or(score::DRAW, |outcome| score::of_outcome(outcome, 0));
            out.say(format!("info depth 0 score {}", score_words(outcome, Bound::Exact)))?;
            out.say("bestmove (none)")
        }
        [best] => out.say(format!("bestmove {best}")),
        [best, reply, ..] => out.say(format!("bestmove {best} ponder {reply}")),
    }
}

/// Something in the rules, the evaluation or the search is broken. The interface still gets a move: the best that it was
/// told, or any legal one.
fn answer_after_panic<W: Write>(
    order: &Order,
    panic: &(dyn Any + Send),
    told: Option<Move>,
    opened: &Receiver<()>,
    out: &Output<W>,
) -> io::Result<()> {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let reason = text.unwrap_or("it panicked").lines().collect::<Vec<_>>().join(" ");
    out.explain(format_args!("the search failed, which is a fault of this program: {reason}"))?;
    match order.goal {
        Goal::BestMove => {}
        Goal::Perft(_) => return Ok(()),
        Goal::Until(_) => return out.say(format!("nodes 0 {}", order.limits.nodes.unwrap_or_default())),
    }
    let _ = opened.recv();
    // The rules themselves may be what is broken.
    let words = panic::catch_unwind(AssertUnwindSafe(|| {
        let Order { position, only, style, .. } = order;
        let mv = told.or(only.first().copied()).or_else(|| position.legal_moves().first().copied());
        mv.map(|mv| position.write_move_as(mv, *style))
    }));
    out.say(format!("bestmove {}", words.ok().flatten().as_deref().unwrap_or("(none)")))
}

/// After this time the interface sees which move is being searched.
const QUIET_TIME: Duration = Duration::from_secs(3);

fn progress_line<M>(progress: &Progress<M>, chances: Option<&Outlook>, pv: &[String]) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}{} nodes {} nps {} hashfull {} time {}",
        progress.depth,
        progress.selective_depth,
        progress.line,
        score_words(progress.score, progress.bound),
        chances.map_or(String::new(), chance_words),
        progress.nodes,
        nodes_per_second(progress.nodes, progress.time),
        progress.table_permille,
        milliseconds(progress.time),
    );
    if !pv.is_empty() {
        text.push_str(" pv ");
        text.push_str(&pv.join(" "));
    }
    text
}

fn root_move_line<M>(root_move: &RootMove<M>, text: &str) -> String {
    format!("info depth {} currmove {text} currmovenumber {}", root_move.depth, root_move.number)
}

/// A score as the protocol has it: the evaluation's unit, or moves to the end of the game.
fn score_words(score: Score, bound: Bound) -> String {
    let value = match score::plies_to_end(score) {
        None => format!("cp {score}"),
        Some(plies) => format!("mate {}", (plies + plies.signum()) / 2),
    };
    match bound {
        Bound::Exact => value,
        Bound::Lower => format!("{value} lowerbound"),
        Bound::Upper => format!("{value} upperbound"),
    }
}

/// The chances to win, draw and lose in thousandths, as interfaces read them.
fn chance_words(chances: &Outlook) -> String {
    let [win, draw, loss] = chances.permille();
    format!(" wdl {win} {draw} {loss}")
}

/// `gountil`: the nodes until a finished iteration finds one of the answers best. Nothing is known from earlier searches.
fn count_until<W: Write>(
    engine: &mut dyn Engine,
    order: &Order,
    answers: &[Move],
    out: &Output<W>,
    answered: &AtomicBool,
) -> io::Result<()> {
    engine.forget();
    let (signal, mut found) = (order.signal.child(), None);
    let report = engine.search(&order.ask(), &order.limits, &signal, &mut |event| {
        let Event::Progress(Progress { bound: Bound::Exact, line: 1, nodes, pv, .. }) = event else { return };
        if found.is_none() && pv.first().is_some_and(|mv| answers.contains(mv)) {
            found = Some(*nodes);
            signal.stop();
        }
    });
    answered.store(true, Ordering::Release);
    // The engine may have changed its mind for the better while it used up its last nodes.
    let late = || report.best_move().filter(|mv| answers.contains(mv)).map(|_| report.nodes);
    match found.or_else(late).filter(|_| !order.signal.is_stopped()) {
        Some(nodes) => out.say(format!("nodes 1 {nodes}")),
        None => out.say(format!("nodes 0 {}", order.limits.nodes.unwrap_or(u64::MAX))),
    }
}

/// `go perft`: the move paths of a length, split by their first move. It can be stopped, as a long one must be.
fn count_paths<W: Write>(order: &Order, depth: u32, out: &Output<W>, answered: &AtomicBool) -> io::Result<()> {
    let Order { position, signal, style, .. } = order;
    let begun = Instant::now();
    let mut total: u64 = 0;
    for (mv, paths) in position.divide(depth, signal) {
        out.say(format!("{}: {paths}", position.write_move_as(mv, *style)))?;
        total = total.saturating_add(paths);
    }
    answered.store(true, Ordering::Release);
    if signal.is_stopped() {
        out.explain("stopped before all paths were counted")?;
    }
    let nps = nodes_per_second(total, begun.elapsed());
    out.say(format!("info nodes {total} nps {nps} time {}", milliseconds(begun.elapsed())))?;
    out.say(format!("\nNodes searched: {total}"))
}
