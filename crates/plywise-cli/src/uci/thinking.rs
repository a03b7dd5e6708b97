//! A search in a thread of its own, and what it tells the interface.

use super::Output;
use super::strength::Strength;
use crate::engine::{self, Event, Setup};
use crate::games::Playable;
use crate::recording::Tape;
use crate::text::{milliseconds, nodes_per_second, write_moves};
use plywise_game::chances::{Chances, Outlook};
use plywise_game::{Score, score};
use plywise_learn::control::solve;
use plywise_net::NetworkEvaluation;
use plywise_search::{Bound, Limits, Progress, Request, RootMove, Searcher, Signal};
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

/// What to think about.
pub(super) struct Task<G: Playable> {
    pub(super) request: Request<G>,
    pub(super) limits: Limits,
    pub(super) signal: Signal,
    pub(super) work: Work<G::Move>,
    /// The move may not be given before the interface says stop or ponderhit.
    pub(super) waits_for_stop: bool,
    pub(super) chess960: bool,
    /// Where the tree is recorded, and what searches it.
    pub(super) tree: Option<(PathBuf, Setup)>,
    /// How the move is weakened, if it is.
    pub(super) strength: Option<Strength>,
    /// What scores are worth, if that is told with them.
    pub(super) chances: Option<Chances>,
}

/// What is wanted.
pub(super) enum Work<M> {
    /// The best move.
    BestMove,
    /// The number of move paths of this length.
    Perft(u32),
    /// The nodes until one of these moves is found best.
    Until(Vec<M>),
}

/// A searcher that is done.
pub(super) struct Returned<G: Playable> {
    pub(super) searcher: Box<Searcher<G, NetworkEvaluation<G>>>,
    /// The search panicked: nobody knows what state its evaluation is in.
    pub(super) panicked: bool,
}

/// A running search.
pub(super) struct Thinking<G: Playable> {
    thread: JoinHandle<Returned<G>>,
    signal: Signal,
    /// As long as this exists, a search that must wait keeps its move to itself.
    gate: Option<Sender<()>>,
    answered: Arc<AtomicBool>,
}

impl<G: Playable> Thinking<G> {
    /// Sets a searcher to work.
    pub(super) fn begin<W: Write + Send + 'static>(
        mut searcher: Box<Searcher<G, NetworkEvaluation<G>>>,
        task: Task<G>,
        out: Output<W>,
    ) -> Thinking<G> {
        let signal = task.signal.clone();
        let answered = Arc::new(AtomicBool::new(false));
        let (gate, opened) = mpsc::channel();
        let gate = task.waits_for_stop.then_some(gate);
        let has_answered = Arc::clone(&answered);
        let thread = thread::spawn(move || {
            let told = Cell::new(None);
            let work = AssertUnwindSafe(|| match &task.work {
                Work::BestMove => think(&mut searcher, &task, &opened, &out, &has_answered, &told),
                Work::Perft(depth) => count_paths(&task, *depth, &out, &has_answered),
                Work::Until(answers) => count_until(&mut searcher, &task, answers, &out, &has_answered),
            });
            // Whoever reads us may be gone. The session finds out with its own next line.
            let panicked = match panic::catch_unwind(work) {
                Ok(_) => false,
                Err(panic) => {
                    let _ = answer_after_panic(&task, &*panic, told.get(), &opened, &out);
                    true
                }
            };
            has_answered.store(true, Ordering::Release);
            Returned { searcher, panicked }
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

    /// Ends the search and gives the searcher back.
    pub(super) fn stop(mut self) -> Returned<G> {
        self.signal.stop();
        self.gate = None;
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

fn think<G: Playable, W: Write>(
    searcher: &mut Searcher<G, NetworkEvaluation<G>>,
    task: &Task<G>,
    opened: &Receiver<()>,
    out: &Output<W>,
    answered: &AtomicBool,
    told: &Cell<Option<G::Move>>,
) -> io::Result<()> {
    let Task { request, limits, signal, .. } = task;
    let write = |position: &G::Position, mv| G::engine_move(position, mv, task.chess960);
    let mut each = |event: Event<'_, G::Move>| {
        // A lost reader shows when the move is given.
        let _ = match event {
            Event::Progress(progress) => {
                if progress.line == 1 {
                    told.set(progress.pv.first().copied().or(told.get()));
                }
                let chances = task.chances.map(|chances| chances.outlook(G::phase(&request.position), progress.score));
                let pv = write_moves::<G>(&request.position, &progress.pv, write);
                out.say(progress_line(progress, chances.as_ref(), &pv))
            }
            Event::RootMove(root_move) if root_move.time >= QUIET_TIME => {
                out.say(root_move_line(root_move, &write(&request.position, root_move.mv)))
            }
            Event::RootMove(_) => Ok(()),
        };
    };
    let report = match &task.tree {
        None => engine::search(searcher, request, limits, signal, each),
        Some((path, setup)) => {
            let tape = Tape { path, filter: Filter::default(), setup };
            match tape.search(searcher, request, limits, signal, &mut each) {
                Ok((report, recorded)) => {
                    recorded.map(drop).or_else(|failure| out.explain(failure))?;
                    report
                }
                Err(failure) => {
                    out.explain(failure)?;
                    engine::search(searcher, request, limits, signal, each)
                }
            }
        }
    };
    // The other end of the channel is dropped when the interface says so, or at once where nothing must be waited for.
    let _ = opened.recv();
    let chosen = task.strength.map_or(0, |strength| strength.choose(&report.lines));
    let mut pv = report.lines.get(chosen).map_or(Vec::new(), |line| line.pv.clone());
    if pv.is_empty() {
        pv.extend(engine::best_move(&report, request));
    }
    let words = write_moves::<G>(&request.position, &pv, write);
    // From here on the next command may come at any moment.
    answered.store(true, Ordering::Release);
    match &words[..] {
        [] => {
            let outcome = G::outcome(&request.position).map_or(score::DRAW, |outcome| score::of_outcome(outcome, 0));
            out.say(format!("info depth 0 score {}", score_words(outcome, Bound::Exact)))?;
            out.say("bestmove (none)")
        }
        [best] => out.say(format!("bestmove {best}")),
        [best, reply, ..] => out.say(format!("bestmove {best} ponder {reply}")),
    }
}

/// Something in the rules, the evaluation or the search is broken. The interface still gets a move: the best that it was
/// told, or any legal one.
fn answer_after_panic<G: Playable, W: Write>(
    task: &Task<G>,
    panic: &(dyn Any + Send),
    told: Option<G::Move>,
    opened: &Receiver<()>,
    out: &Output<W>,
) -> io::Result<()> {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let reason = text.unwrap_or("it panicked").lines().collect::<Vec<_>>().join(" ");
    out.explain(format_args!("the search failed, which is a fault of this program: {reason}"))?;
    match task.work {
        Work::BestMove => {}
        Work::Perft(_) => return Ok(()),
        Work::Until(_) => return out.say(format!("nodes 0 {}", task.limits.nodes.unwrap_or_default())),
    }
    let _ = opened.recv();
    let Request { position, only, .. } = &task.request;
    // The rules themselves may be what is broken.
    let words = panic::catch_unwind(AssertUnwindSafe(|| {
        let mv = told.or(only.first().copied()).or_else(|| G::legal_moves(position).first().copied());
        mv.map(|mv| G::engine_move(position, mv, task.chess960))
    }));
    out.say(format!("bestmove {}", words.ok().flatten().as_deref().unwrap_or("(none)")))
}

/// After this time the interface is told which move is being searched.
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

/// `gountil`: the nodes until one of the answers is found best.
fn count_until<G: Playable, W: Write>(
    searcher: &mut Searcher<G, NetworkEvaluation<G>>,
    task: &Task<G>,
    answers: &[G::Move],
    out: &Output<W>,
    answered: &AtomicBool,
) -> io::Result<()> {
    let most = task.limits.nodes.unwrap_or(u64::MAX);
    let found = solve(searcher, &task.request.position, answers, most, &task.signal, None);
    answered.store(true, Ordering::Release);
    match found {
        Some(solution) => out.say(format!("nodes {} {}", u8::from(solution.solved), solution.nodes)),
        None => out.say(format!("nodes 0 {most}")),
    }
}

/// `go perft`: the move paths of a length, split by their first move. It can be stopped, as a long one must be.
fn count_paths<G: Playable, W: Write>(
    task: &Task<G>,
    depth: u32,
    out: &Output<W>,
    answered: &AtomicBool,
) -> io::Result<()> {
    let position = &task.request.position;
    let begun = Instant::now();
    let mut total = 0;
    for mv in G::legal_moves(position) {
        let after = G::play(position, mv);
        let Some(paths) = perft_until_stopped::<G>(&after, depth.saturating_sub(1), &task.signal) else { break };
        out.say(format!("{}: {paths}", G::engine_move(position, mv, task.chess960)))?;
        total += paths;
    }
    answered.store(true, Ordering::Release);
    if task.signal.is_stopped() {
        out.explain("stopped before all paths were counted")?;
    }
    let nps = nodes_per_second(total, begun.elapsed());
    out.say(format!("info nodes {total} nps {nps} time {}", milliseconds(begun.elapsed())))?;
    out.say(format!("\nNodes searched: {total}"))
}

fn perft_until_stopped<G: Playable>(position: &G::Position, depth: u32, signal: &Signal) -> Option<u64> {
    /// So many plies are counted before anybody can stop them.
    const AT_ONCE: u32 = 3;
    if signal.is_stopped() {
        return None;
    }
    if depth <= AT_ONCE {
        return Some((G::PERFT)(position, depth));
    }
    let below = |mv| perft_until_stopped::<G>(&G::play(position, mv), depth - 1, signal);
    G::legal_moves(position).into_iter().try_fold(0u64, |sum, mv| Some(sum.saturating_add(below(mv)?)))
}
