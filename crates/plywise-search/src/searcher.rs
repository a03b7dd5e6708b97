use crate::deepening::Role;
use crate::election::elect;
use crate::knowledge::Prepared;
use crate::limits::Budget;
use crate::lines::Lines;
use crate::ordering::History;
use crate::techniques::Counters;
use crate::techniques::correction::Corrections;
use crate::worker::{Memory, Shared, Worker};
use crate::{Bound, Knowledge, Limits, Observer, Params, Policy, Signal, TableTooLarge, TranspositionTable};
use plywise_game::{Evaluate, Game, GameSoFar, Score};
use std::time::Duration;

/// A player's mind: parameters, an evaluation, a transposition table and what earlier searches learned.
///
/// ```
/// # use plywise_game::{Evaluate, Game, Outcome, Score, Side};
/// # #[derive(Clone, Copy)] struct Count;
/// # enum Nim {}
/// # impl Game for Nim {
/// #     type Position = (u8, bool);
/// #     type Move = u8;
/// #     fn start() -> (u8, bool) { (10, true) }
/// #     fn side_to_move(p: &(u8, bool)) -> Side { if p.1 { Side::First } else { Side::Second } }
/// #     fn moves(p: &(u8, bool), each: impl FnMut(u8)) { (1..=p.0.min(3)).for_each(each) }
/// #     fn play(p: &(u8, bool), mv: u8) -> (u8, bool) { (p.0 - mv, !p.1) }
/// #     fn hash(p: &(u8, bool)) -> u64 { u64::from(p.0 * 2 + p.1 as u8).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
/// #     fn stuck(_: &(u8, bool)) -> Outcome { Outcome::Loss }
/// #     fn move_code(mv: u8) -> u16 { mv.into() }
/// # }
/// # impl Evaluate<Nim> for Count { fn evaluate(&mut self, _: &(u8, bool)) -> Score { 0 } }
/// use plywise_search::{Limits, Params, Searcher};
///
/// // Nim: take one to three of ten matches; who takes the last one wins.
/// let mut searcher = Searcher::<Nim, Count>::new(Params::DEFAULT, Count, 1)?;
/// let report = searcher.think(&Nim::start(), &Limits::depth(12));
/// assert_eq!(report.best_move(), Some(2));
/// # Ok::<(), plywise_search::TableTooLarge>(())
/// ```
pub struct Searcher<G: Game, E: Evaluate<G>, P: Policy = Params> {
    compiled: SearchFn<G, E, P>,
    policy: P,
    table: TranspositionTable,
    knowledge: Knowledge,
    /// What the knowledge says under the parameters, from the first search on.
    prepared: Option<Prepared>,
    memories: Vec<Memory<E>>,
    seed: u64,
    /// Nothing was searched since everything was forgotten.
    is_fresh: bool,
}

/// The search of a game with an evaluation, as a compiler made it: what a [`Searcher`] calls.
///
/// Compiling it takes long. A program that searches in many places can have one crate compile it, with all optimisation,
/// and the rest quickly.
pub struct SearchFn<G: Game, E: Evaluate<G>, P: Policy = Params>(Search<G, E, P>);

/// [`Searcher::search`] as a function.
type Search<G, E, P> =
    fn(&mut Searcher<G, E, P>, &Request<G>, &Limits, &Signal, &mut dyn Observer<G>) -> Report<<G as Game>::Move>;

impl<G: Game, E: Evaluate<G>, P: Policy> SearchFn<G, E, P> {
    /// SearchFn where this is called.
    pub const fn generic() -> SearchFn<G, E, P> {
        SearchFn(Searcher::search_generic)
    }

    /// SearchFn where `search` is: a function of one game that calls [`Searcher::search_generic`].
    pub const fn from_fn(search: Search<G, E, P>) -> SearchFn<G, E, P> {
        SearchFn(search)
    }
}

// Derived, these would ask the same of the game.
impl<G: Game, E: Evaluate<G>, P: Policy> Clone for SearchFn<G, E, P> {
    fn clone(&self) -> SearchFn<G, E, P> {
        *self
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy> Copy for SearchFn<G, E, P> {}

impl<G: Game, E: Evaluate<G>, P: Policy> std::fmt::Debug for SearchFn<G, E, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SearchFn")
    }
}

/// What is asked of a search.
pub struct Request<G: Game> {
    /// The position.
    pub position: G::Position,
    /// Hashes of the positions before it, oldest first, for repetitions.
    pub history: Vec<u64>,
    /// Only these moves are considered; all of them if empty.
    pub only: Vec<G::Move>,
    /// How many of the best moves to report, each with its line.
    pub lines: usize,
}

impl<G: Game> Request<G> {
    /// Asks for the best move in `position`.
    pub fn new(position: G::Position) -> Request<G> {
        Request { position, history: Vec::new(), only: Vec::new(), lines: 1 }
    }

    /// Asks for the best move of a game as far as it has been played.
    pub fn of(game: &GameSoFar<G>) -> Request<G> {
        Request { history: game.history().to_vec(), ..Request::new(game.position().clone()) }
    }
}

/// A line and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The value for the side to move at the root.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The depth of the iteration that found it, in plies.
    pub depth: i32,
    /// The moves.
    pub pv: Vec<M>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report<M> {
    /// The best lines, best first; none where the game is over.
    pub lines: Vec<Line<M>>,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// The longest line searched, in plies.
    pub selective_depth: usize,
    /// The time it took.
    pub time: Duration,
    /// What the techniques did, in all threads.
    pub counters: Counters,
}

// Derived, this would ask the same of the move.
impl<M> Default for Report<M> {
    /// Nothing was searched.
    fn default() -> Report<M> {
        let (lines, counters) = (Vec::new(), Counters::default());
        Report { lines, nodes: 0, selective_depth: 0, time: Duration::ZERO, counters }
    }
}

impl<M: Copy> Report<M> {
    /// The best move, unless the game is over.
    pub fn best_move(&self) -> Option<M> {
        self.lines.first()?.pv.first().copied()
    }

    /// The expected answer to it.
    pub fn expected_reply(&self) -> Option<M> {
        self.lines.first()?.pv.get(1).copied()
    }

    /// The value of the best line; 0 where there is none.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(0, |line| line.score)
    }

    /// The depth of the best line's iteration, in plies.
    pub fn depth(&self) -> i32 {
        self.lines.first().map_or(0, |line| line.depth)
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy> Searcher<G, E, P> {
    /// A searcher with one thread and a table of `megabytes` MB.
    pub fn new(policy: P, evaluate: E, megabytes: usize) -> Result<Searcher<G, E, P>, TableTooLarge> {
        Searcher::with(SearchFn::generic(), policy, evaluate, megabytes)
    }

    /// The same with a search that may have been compiled elsewhere.
    pub fn with(
        compiled: SearchFn<G, E, P>,
        policy: P,
        evaluate: E,
        megabytes: usize,
    ) -> Result<Searcher<G, E, P>, TableTooLarge> {
        let table = TranspositionTable::new(megabytes)?;
        let memories = vec![Memory::new::<G>(evaluate)];
        let knowledge = Knowledge::default();
        Ok(Searcher { compiled, policy, table, knowledge, prepared: None, memories, seed: 0, is_fresh: true })
    }

    /// The parameters in use.
    pub fn params(&self) -> &Params {
        self.policy.params()
    }

    /// Changes the parameters. What the table holds was found under the old ones, so it is forgotten.
    pub fn set_policy(&mut self, policy: P) {
        self.policy = policy;
        self.prepared = None;
        self.forget();
    }

    /// Replaces the evaluation, and forgets what was found with the old one.
    pub fn set_evaluation(&mut self, evaluate: E) {
        self.memories.iter_mut().for_each(|memory| memory.evaluate = evaluate.clone());
        self.forget();
    }

    /// Gives the techniques that need them their tables.
    pub fn set_knowledge(&mut self, knowledge: Knowledge) {
        self.knowledge = knowledge;
        self.prepared = None;
        self.forget();
    }

    /// Uses `threads` threads from now on, at least one.
    pub fn set_threads(&mut self, threads: usize) {
        let evaluate = self.memories[0].evaluate.clone();
        self.memories.resize_with(threads.max(1), || Memory::new::<G>(evaluate.clone()));
    }

    /// Replaces the table by an empty one of `megabytes` MB.
    pub fn set_table_size(&mut self, megabytes: usize) -> Result<(), TableTooLarge> {
        // The old table goes first: two may not fit into memory. Should the new one not fit, the smallest remains.
        self.table = TranspositionTable::new(0)?;
        self.table = TranspositionTable::new(megabytes)?;
        Ok(())
    }

    /// Whether it remembers nothing of earlier searches.
    pub fn is_fresh(&self) -> bool {
        self.is_fresh
    }

    /// Forgets everything that earlier searches learned, as for a new game.
    pub fn forget(&mut self) {
        if std::mem::replace(&mut self.is_fresh, true) {
            return;
        }
        self.table.forget();
        for memory in &mut self.memories {
            memory.history = History::new(G::MOVE_INDICES, G::CAPTURE_INDICES);
            memory.corrections = Corrections::default();
            memory.evaluate.forget();
        }
    }

    /// Sets the seed of variety: where the parameters ask for variety, another seed gives other games.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        if self.params().variety.on() {
            self.forget();
        }
    }

    /// Searches a position until a limit is reached: the plain form of [`search`](Searcher::search).
    pub fn think(&mut self, position: &G::Position, limits: &Limits) -> Report<G::Move> {
        self.search(&Request::new(position.clone()), limits, &Signal::new(), &mut ())
    }

    /// Searches a position until a limit is reached or the signal says stop. The observer sees the first thread.
    ///
    /// # Panics
    ///
    /// If the game, the evaluation or the observer does, in whatever thread. All threads end first.
    pub fn search(
        &mut self,
        request: &Request<G>,
        limits: &Limits,
        signal: &Signal,
        observer: &mut dyn Observer<G>,
    ) -> Report<G::Move> {
        (self.compiled.0)(self, request, limits, signal, observer)
    }

    /// What [`search`](Searcher::search) does, compiled where it is named: for [`SearchFn::from_fn`].
    pub fn search_generic(
        &mut self,
        request: &Request<G>,
        limits: &Limits,
        signal: &Signal,
        observer: &mut dyn Observer<G>,
    ) -> Report<G::Move> {
        if observer.sees_nodes() {
            self.run::<true>(request, limits, signal, observer)
        } else {
            self.run::<false>(request, limits, signal, observer)
        }
    }

    fn run<const WATCHED: bool>(
        &mut self,
        request: &Request<G>,
        limits: &Limits,
        signal: &Signal,
        observer: &mut dyn Observer<G>,
    ) -> Report<G::Move> {
        self.is_fresh = false;
        self.table.next_generation();
        self.memories.iter_mut().for_each(|memory| memory.history.fade());
        let budget = Budget::new(limits, signal, self.memories.len(), &self.policy.params().time);
        let (policy, table) = (&self.policy, &self.table);
        let prepared = &*self.prepared.get_or_insert_with(|| self.knowledge.prepare(policy.params()));
        let shared = Shared { policy, table, prepared, budget: &budget, seed: self.seed };
        let (first, others) = self.memories.split_first_mut().expect("a searcher has at least one thread");
        let watchers: Vec<_> =
            (1..=others.len()).map(|thread| WATCHED.then(|| observer.beside(thread)).flatten()).collect();
        std::thread::scope(|scope| {
            let _end = EndOnPanic(&budget);
            let helpers: Vec<_> = others
                .iter_mut()
                .zip(watchers)
                .enumerate()
                .filter_map(|(i, (memory, watcher))| {
                    // Every other helper is a ply ahead, so that threads do not all do the same work.
                    let role = Role::Helper { first_depth: 1 + (i as i32 + 1) % 2 };
                    let shared = &shared;
                    let work = move || {
                        let _end = EndOnPanic(shared.budget);
                        match watcher {
                            Some(mut watcher) => help::<G, E, P, true>(shared, &mut *watcher, memory, request, role),
                            None => help::<G, E, P, false>(shared, &mut (), memory, request, role),
                        }
                    };
                    // Where the system has no thread left, those that there are search alone.
                    std::thread::Builder::new().spawn_scoped(scope, work).ok()
                })
                .collect();
            let mut main = Worker::<G, E, &P, WATCHED>::new(&shared, observer, first, request);
            let mut lines = main.deepen(&request.position, request.lines, Role::Main);
            budget.finish();
            let (mut nodes, mut counters) = (main.nodes, std::mem::take(&mut main.counters));
            let mut found = Vec::new();
            for helper in helpers {
                let (lines, more, other) = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                nodes += more;
                counters.add(&other);
                found.push(lines);
            }
            let results: Vec<_> = std::iter::once(lines.as_slice()).chain(found.iter().map(Lines::as_slice)).collect();
            let elected = elect(&results, limits.depth, policy.params().aspiration.window);
            if let Some(helper) = elected.checked_sub(1) {
                lines.adopt(found.swap_remove(helper));
                main.tell(&mut lines);
            }
            let lines = lines.into_vec();
            Report { lines, nodes, selective_depth: main.selective_depth, time: budget.elapsed(), counters }
        })
    }
}

/// What a thread beside the first does: it searches the same position, and its finds reach the others by the table.
fn help<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool>(
    shared: &Shared<P>,
    observer: &mut dyn Observer<G>,
    memory: &mut Memory<E>,
    request: &Request<G>,
    role: Role,
) -> (Lines<G::Move>, u64, Counters) {
    let mut worker = Worker::<G, E, &P, WATCHED>::new(shared, observer, memory, request);
    let lines = worker.deepen(&request.position, request.lines, role);
    (lines, worker.nodes, worker.counters)
}

/// Ends the search for all threads when one of them panics: nothing else would stop the others.
struct EndOnPanic<'a>(&'a Budget<'a>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::fixture::{Ask, Evaluation, Told, calm};
    use std::sync::Arc;

    #[test]
    fn what_tables_say_is_worked_out_once_for_all_searches() {
        let params = Ask::cut(calm(0), 1, 0).with("probcut").params;
        let mut searcher = Searcher::<Told, _>::new(params.clone(), Evaluation, 0).unwrap();
        searcher.set_knowledge(Knowledge { probcut: Some(Arc::default()), ..Knowledge::default() });
        let prepared_by_a_search = |searcher: &mut Searcher<Told, _>| {
            searcher.think(&calm(0), &Limits::depth(1));
            std::ptr::from_ref(searcher.prepared.as_ref().and_then(|all| all.predictions.as_ref()).unwrap())
        };
        let first = prepared_by_a_search(&mut searcher);
        assert_eq!(first, prepared_by_a_search(&mut searcher));
        searcher.set_policy(Params { probcut: Params::OFF.probcut, ..params });
        searcher.think(&calm(0), &Limits::depth(1));
        assert!(searcher.prepared.unwrap().predictions.is_none(), "other parameters, other verdicts");
    }
}
