use crate::player::{Action, Contender, Fault, FaultKind, Player, Reply, Thought, Turn};
use plywise_game::Side;
use plywise_host::{AnyGame, AnyPosition, Ask, Engine, HostError, Move, Setup, Style};
use plywise_search::{Limits, Report};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A player in this process.
///
/// Every game begins with nothing remembered. With one thread and a limit of nodes or depth it plays the same moves on
/// every machine.
pub struct Local {
    /// The name in tables and game records.
    pub name: String,
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// How it thinks.
    pub setup: Setup,
    /// The time that a move loses on its way to the clock.
    pub overhead: Duration,
}

impl Local {
    /// A player of this setup, with its name.
    pub fn new(game: Arc<dyn AnyGame>, setup: Setup) -> Local {
        Local { name: setup.name.clone(), game, setup, overhead: OVERHEAD }
    }

    /// What is wrong with its setup, if anything: a missing table, or one that does not fit into memory.
    pub fn check(&self) -> Result<(), HostError> {
        self.game.engine(&self.setup).map(drop)
    }
}

/// The search looks at the clock every quarter of a millisecond, but a busy machine may take a while to let it.
const OVERHEAD: Duration = Duration::from_millis(10);

impl Contender for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn enter(&self) -> Result<Box<dyn Player>, Fault> {
        let engine = self.game.engine(&self.setup);
        let engine = engine.map_err(|error| Fault::new(FaultKind::StartFailure, error.to_string()))?;
        Ok(Box::new(Seat { engine, overhead: self.overhead }))
    }
}

struct Seat {
    engine: Box<dyn Engine>,
    overhead: Duration,
}

impl Player for Seat {
    fn begin(&mut self, _: &AnyPosition, _: Side, _: &Limits, seed: u64) -> Result<(), Fault> {
        self.engine.forget();
        self.engine.set_seed(seed);
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let begun = Instant::now();
        let limits = Limits { clock: turn.clocks[0], overhead: self.overhead, ..*turn.limits };
        let ask = Ask::new(turn.position);
        // A broken evaluation loses its game; the match goes on with a fresh player.
        let search = AssertUnwindSafe(|| self.engine.search(&ask, &limits, turn.stop, &mut |_| {}));
        let report = panic::catch_unwind(search).map_err(|_| Fault::new(FaultKind::Crash, "the search panicked"))?;
        // The game is not over, so there is a move; an evaluation of another game's position may still find none.
        let mv = report.best_move().ok_or_else(|| Fault::new(FaultKind::Crash, "the search found no move"))?;
        Ok(Reply {
            action: Action::Play(turn.position.write_move_as(mv, Style::Engine)),
            elapsed: begun.elapsed(),
            thought: thought(&report),
            offers_draw: false,
        })
    }
}

fn thought(report: &Report<Move>) -> Thought {
    let depth = u32::try_from(report.depth()).ok();
    Thought { score: Some(report.score()), depth, nodes: Some(report.nodes), time: None }
}
