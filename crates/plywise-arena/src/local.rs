use crate::player::{Action, Contender, Fault, FaultKind, Opening, Player, Reply, Thought, Turn};
use plywise_game::{Evaluate, Game, Notation, Side};
use plywise_search::{Blueprint, Limits, Report, Request, Searcher};
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// A player in this process.
///
/// Every game begins with nothing remembered. With one thread and a limit of nodes or depth it plays the same moves on
/// every machine.
pub struct Local<G: Game, E: Evaluate<G>> {
    /// The name in tables and game records.
    pub name: String,
    /// How it thinks.
    pub blueprint: Blueprint<G, E>,
    /// The time that a move loses on its way to the clock.
    pub overhead: Duration,
}

impl<G: Game, E: Evaluate<G>> Local<G, E> {
    /// A player of this name that thinks so.
    pub fn new(name: impl Into<String>, blueprint: Blueprint<G, E>) -> Local<G, E> {
        Local { name: name.into(), blueprint, overhead: OVERHEAD }
    }
}

/// The search looks at the clock once in a thousand nodes, and a busy machine may take a while to let it.
const OVERHEAD: Duration = Duration::from_millis(10);

impl<G: Notation, E: Evaluate<G> + Sync + 'static> Contender<G> for Local<G, E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn enter(&self) -> Result<Box<dyn Player<G>>, Fault> {
        let searcher =
            self.blueprint.searcher().map_err(|error| Fault::new(FaultKind::StartFailure, error.to_string()))?;
        Ok(Box::new(Seat { searcher, overhead: self.overhead }))
    }
}

struct Seat<G: Game, E: Evaluate<G>> {
    searcher: Searcher<G, E>,
    overhead: Duration,
}

impl<G: Notation, E: Evaluate<G>> Player<G> for Seat<G, E> {
    fn begin(&mut self, _: &Opening<G>, _: Side, _: &Limits, seed: u64) -> Result<(), Fault> {
        self.searcher.forget();
        self.searcher.set_seed(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<G>) -> Result<Reply, Fault> {
        let begun = Instant::now();
        let (position, before) = turn.positions.split_last().ok_or_else(no_position)?;
        let history = before.iter().map(G::hash).collect();
        let request = Request { history, ..Request::new(position.clone()) };
        let limits = Limits { clock: turn.clocks[0], overhead: self.overhead, ..*turn.limits };
        // A broken evaluation loses its game; the match goes on with a fresh player.
        let search = AssertUnwindSafe(|| self.searcher.search(&request, &limits, turn.stop, &mut ()));
        let report = panic::catch_unwind(search).map_err(|_| Fault::new(FaultKind::Crash, "the search panicked"))?;
        // The game is not over, so there is a move; an evaluation of another game's position may still find none.
        let mv = report.best_move().ok_or_else(|| Fault::new(FaultKind::Crash, "the search found no move"))?;
        Ok(Reply {
            action: Action::Play(G::write_engine_move(position, mv)),
            elapsed: begun.elapsed(),
            thought: thought(&report),
            offers_draw: false,
        })
    }
}

fn thought<M: Copy>(report: &Report<M>) -> Thought {
    Thought { score: Some(report.score()), depth: u32::try_from(report.depth()).ok(), nodes: Some(report.nodes) }
}

fn no_position() -> Fault {
    Fault::new(FaultKind::Crash, "there is no position to think about")
}
