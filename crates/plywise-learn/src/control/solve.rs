use super::GrowthCounter;
use plywise_game::{Evaluate, Game};
use plywise_search::{Bound, Entered, Leaving, Limits, Observer, Progress, Request, Searcher, Signal};

/// How a search for a known answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<M> {
    /// Whether the program agrees with the answer.
    pub solved: bool,
    /// The nodes until then; all that were allowed where it does not.
    pub nodes: u64,
    /// The line that it found best.
    pub pv: Vec<M>,
}

/// Searches `position` until the best move of a finished iteration is one of `answers`, or `nodes` are used up. Nothing
/// is known from earlier searches. Gives nothing where `stop` interrupts it.
///
/// A `counter` counts along what altered weights would cost.
pub fn solve<G: Game, E: Evaluate<G>>(
    searcher: &mut Searcher<G, E>,
    position: &G::Position,
    answers: &[G::Move],
    nodes: u64,
    stop: &Signal,
    counter: Option<&mut GrowthCounter>,
) -> Option<Solution<G::Move>> {
    searcher.forget();
    let signal = stop.child();
    let mut quest = Quest { answers, signal: &signal, found: None, counter };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let report = searcher.search(&Request::new(position.clone()), &limits, &signal, &mut quest);
    if stop.is_stopped() {
        return None;
    }
    let unsolved = || {
        // The program may have changed its mind for the better while it used up its last nodes.
        let solved = report.best_move().is_some_and(|mv| answers.contains(&mv));
        let pv = report.lines.first().map_or(Vec::new(), |line| line.pv.clone());
        Solution { solved, nodes: if solved { report.nodes } else { nodes }, pv }
    };
    Some(quest.found.take().unwrap_or_else(unsolved))
}

/// Ends a search when it has found what is looked for.
struct Quest<'a, G: Game> {
    answers: &'a [G::Move],
    signal: &'a Signal,
    found: Option<Solution<G::Move>>,
    counter: Option<&'a mut GrowthCounter>,
}

impl<G: Game> Observer<G> for Quest<'_, G> {
    fn sees_nodes(&self) -> bool {
        self.counter.is_some()
    }

    fn progress(&mut self, progress: &Progress<G::Move>) {
        let Progress { bound, line, depth, nodes, pv, .. } = progress;
        if *bound != Bound::Exact || *line != 1 || self.found.is_some() {
            return;
        }
        if let Some(counter) = &mut self.counter {
            counter.finish(*depth);
        }
        if pv.first().is_some_and(|mv| self.answers.contains(mv)) {
            self.found = Some(Solution { solved: true, nodes: *nodes, pv: pv.clone() });
            self.signal.stop();
        }
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        if let Some(counter) = &mut self.counter {
            counter.enter(node.ply, node.depth.in_hundredths(), node.extension);
        }
    }

    fn horizon(&mut self, ply: usize) {
        if let Some(counter) = &mut self.counter {
            counter.horizon(ply);
        }
    }

    fn leave(&mut self, _node: &Leaving) {
        if let Some(counter) = &mut self.counter {
            counter.leave();
        }
    }
}
