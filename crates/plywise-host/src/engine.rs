use crate::{AnyPosition, HostError, Move, Playable, Setup};
use plywise_game::Game;
use plywise_net::NetworkEvaluation;
use plywise_search::{
    Entered, Leaving, Limits, Line, Observer, Progress, Report, Request, RootMove, Searcher, Signal, TableTooLarge,
    Technique,
};
use plywise_tree::{Recorder, Recording};

/// What is asked of a search.
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    /// The position, with the moves that led to it.
    pub position: &'a AnyPosition,
    /// Only these moves are considered; all of them if empty.
    pub only: Vec<Move>,
    /// How many of the best moves to report, each with its line.
    pub lines: usize,
}

impl Ask<'_> {
    /// Asks for the best move in a position.
    pub fn new(position: &AnyPosition) -> Ask<'_> {
        Ask { position, only: Vec::new(), lines: 1 }
    }

    /// The best move of a report; where the search was stopped before it had any, the first legal move.
    pub fn best_move(&self, report: &Report<Move>) -> Option<Move> {
        let first = || self.only.first().copied().or_else(|| self.position.legal_moves().first().copied());
        report.best_move().or_else(first)
    }
}

/// What a search reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// It has come further.
    Progress(&'a Progress<Move>),
    /// It turns to a move at the root.
    RootMove(&'a RootMove<Move>),
}

/// A search of one game that remembers what it searched.
pub trait Engine: Send {
    /// Searches a position until a limit is reached or the signal says stop, and reports to `each` on the way.
    ///
    /// A position of another game gives an empty report.
    fn search(&mut self, ask: &Ask, limits: &Limits, signal: &Signal, each: &mut dyn FnMut(Event)) -> Report<Move>;

    /// The same, and records every node.
    fn record(
        &mut self,
        ask: &Ask,
        limits: &Limits,
        signal: &Signal,
        recording: &Recording,
        each: &mut dyn FnMut(Event),
    ) -> Report<Move>;

    /// Changes how it thinks, and forgets what it found before; its threads and the size of its table stay.
    fn reconfigure(&mut self, setup: &Setup) -> Result<(), HostError>;

    /// Forgets everything that earlier searches found, as for a new game.
    fn forget(&mut self);

    /// Whether it remembers nothing of earlier searches.
    fn is_fresh(&self) -> bool;

    /// Sets the seed of variety: where the parameters ask for variety, another seed gives other games.
    fn set_seed(&mut self, seed: u64);

    /// Uses this many threads from now on.
    fn set_threads(&mut self, threads: usize);

    /// Replaces the table by an empty one of this many MB.
    fn set_table_size(&mut self, megabytes: usize) -> Result<(), TableTooLarge>;
}

/// The engine of a game that is known by its type.
pub(crate) struct TypedEngine<G: Playable> {
    searcher: Searcher<G, NetworkEvaluation<G>>,
}

impl<G: Playable> TypedEngine<G> {
    pub(crate) fn new(searcher: Searcher<G, NetworkEvaluation<G>>) -> TypedEngine<G> {
        TypedEngine { searcher }
    }
}

impl<G: Playable> Engine for TypedEngine<G> {
    fn search(&mut self, ask: &Ask, limits: &Limits, signal: &Signal, each: &mut dyn FnMut(Event)) -> Report<Move> {
        match request::<G>(ask) {
            Some(request) => erase_report::<G>(self.searcher.search(&request, limits, signal, &mut Watch(each))),
            None => Report::default(),
        }
    }

    fn record(
        &mut self,
        ask: &Ask,
        limits: &Limits,
        signal: &Signal,
        recording: &Recording,
        each: &mut dyn FnMut(Event),
    ) -> Report<Move> {
        let Some(request) = request::<G>(ask) else { return Report::default() };
        let mut observer = Recorded::<G> { watch: Watch(each), recorder: recording.recorder() };
        erase_report::<G>(self.searcher.search(&request, limits, signal, &mut observer))
    }

    fn reconfigure(&mut self, setup: &Setup) -> Result<(), HostError> {
        setup.blueprint::<G>()?.reconfigure(&mut self.searcher);
        Ok(())
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }

    fn is_fresh(&self) -> bool {
        self.searcher.is_fresh()
    }

    fn set_seed(&mut self, seed: u64) {
        self.searcher.set_seed(seed);
    }

    fn set_threads(&mut self, threads: usize) {
        self.searcher.set_threads(threads);
    }

    fn set_table_size(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        self.searcher.set_table_size(megabytes)
    }
}

fn request<G: Playable>(ask: &Ask) -> Option<Request<G>> {
    let game = ask.position.typed::<G>()?;
    let only = ask.only.iter().filter_map(|mv| G::move_from_code(game.position(), mv.0)).collect();
    Some(Request { only, lines: ask.lines, ..Request::of(game) })
}

fn erase<G: Game>(mv: G::Move) -> Move {
    Move(G::move_code(mv))
}

fn erase_report<G: Game>(report: Report<G::Move>) -> Report<Move> {
    let Report { lines, nodes, selective_depth, time, counters } = report;
    let lines = lines.into_iter().map(|Line { score, bound, depth, pv }| {
        let pv = pv.into_iter().map(erase::<G>).collect();
        Line { score, bound, depth, pv }
    });
    Report { lines: lines.collect(), nodes, selective_depth, time, counters }
}

/// Hands the events of a search to a closure. They are rare, and one observer type means that the search is compiled once
/// for each game.
struct Watch<'a>(&'a mut dyn FnMut(Event));

impl<G: Game> Observer<G> for Watch<'_> {
    fn sees_nodes(&self) -> bool {
        false
    }

    fn progress(&mut self, progress: &Progress<G::Move>) {
        let Progress { depth, selective_depth, line, score, bound, nodes, time, table_permille, ref pv } = *progress;
        let pv = pv.iter().map(|&mv| erase::<G>(mv)).collect();
        let erased = Progress { depth, selective_depth, line, score, bound, nodes, time, table_permille, pv };
        (self.0)(Event::Progress(&erased));
    }

    fn root_move(&mut self, root_move: &RootMove<G::Move>) {
        let RootMove { depth, mv, number, time } = *root_move;
        (self.0)(Event::RootMove(&RootMove { depth, mv: erase::<G>(mv), number, time }));
    }
}

/// Reports progress to a closure, and everything to a recorder.
struct Recorded<'a, G: Game> {
    watch: Watch<'a>,
    recorder: Recorder<G>,
}

impl<G: Game> Observer<G> for Recorded<'_, G> {
    fn progress(&mut self, progress: &Progress<G::Move>) {
        Observer::<G>::progress(&mut self.watch, progress);
    }

    fn root_move(&mut self, root_move: &RootMove<G::Move>) {
        Observer::<G>::root_move(&mut self.watch, root_move);
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        self.recorder.enter(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.recorder.leave(node);
    }

    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        self.recorder.enter_quiescence(node);
    }

    fn leave_quiescence(&mut self, node: &Leaving) {
        self.recorder.leave_quiescence(node);
    }

    fn narrowed(&mut self, window: plywise_game::Window) {
        self.recorder.narrowed(window);
    }

    fn left_out(&mut self, technique: Technique, moves: usize) {
        self.recorder.left_out(technique, moves);
    }

    fn beside(&mut self, thread: usize) -> Option<Box<dyn Observer<G> + Send>> {
        self.recorder.beside(thread)
    }
}
