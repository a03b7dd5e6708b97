//! Which signs tell true cut-nodes from false ones: the question that multi-cut answers.
//!
//! Björnsson, "Selective depth-first game-tree search", 2002, section 5.4.1: at expected cut-nodes of a search the
//! promising moves are counted in several ways, and whether the node was cut in the end.

use super::{Statistic, Table};
use crate::self_play::{Players, TypedSelfPlay};
use plywise_game::{Depth, Evaluate, Game, Score};
use plywise_search::{Blueprint, Entered, Leaving, Limits, NodeKind, Observer, Purpose, Request, Searcher, Signal};
use serde::{Deserialize, Serialize};

/// Which expected cut-nodes of the searches of self-play are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutNodeQuestion {
    /// One in this many.
    pub every: u64,
    /// With less depth left there is no search two plies shallower.
    pub least_depth: i32,
    /// How far below beta a move still counts as promising for the schemes with a margin.
    pub margin: Score,
    /// What history must say of a move, and more than that, for the second count by history; 0 for the first.
    pub merit: i32,
}

/// An expected cut-node: what was promising there, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutNode {
    /// Whether it was cut.
    pub is_true: bool,
    /// How many moves it has.
    pub moves: u32,
    /// How many of them history speaks for, and how many with more than a merit.
    pub history: [u32; 2],
    /// How many of them reach beta in quiescence, and how many reach it less the margin.
    pub quiescence: [u32; 2],
    /// The same in a search two plies shallower.
    pub shallow: [u32; 2],
}

/// A way to count the promising moves of a cut-node.
#[derive(Clone, Copy, Debug)]
pub struct Scheme {
    /// What people call it.
    pub name: &'static str,
    count: fn(&CutNode) -> u32,
}

/// The ways of the thesis, in its order.
pub const SCHEMES: [Scheme; 7] = [
    Scheme { name: "legal moves", count: |node| node.moves },
    Scheme { name: "history", count: |node| node.history[0] },
    Scheme { name: "high history", count: |node| node.history[1] },
    Scheme { name: "quiescence", count: |node| node.quiescence[0] },
    Scheme { name: "quiescence with margin", count: |node| node.quiescence[1] },
    Scheme { name: "shallow search", count: |node| node.shallow[0] },
    Scheme { name: "shallow search with margin", count: |node| node.shallow[1] },
];

/// What a scheme counts at cut-nodes of different kinds: the mean and the deviation. `None` where there is no such node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SchemeRow {
    /// The scheme.
    pub scheme: &'static str,
    /// At nodes that were cut.
    #[serde(rename = "true")]
    pub cut: Option<[f64; 2]>,
    /// At nodes that were not.
    #[serde(rename = "false")]
    pub not_cut: Option<[f64; 2]>,
    /// At those of them where it promised something.
    #[serde(rename = "false_not_none")]
    pub not_cut_not_none: Option<[f64; 2]>,
    /// The most that it counts at a node that was not cut.
    #[serde(rename = "false_most")]
    pub not_cut_most: Option<u32>,
}

impl Scheme {
    /// What it counts at these nodes.
    pub fn compare(&self, nodes: &[CutNode]) -> SchemeRow {
        let of = |fits: &dyn Fn(&CutNode) -> bool| {
            let counts: Vec<f64> =
                nodes.iter().filter(|node| fits(node)).map(|node| f64::from((self.count)(node))).collect();
            let n = counts.len() as f64;
            let mean = counts.iter().sum::<f64>() / n;
            let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / n;
            (n > 0.0).then(|| [mean, variance.sqrt()])
        };
        SchemeRow {
            scheme: self.name,
            cut: of(&|node| node.is_true),
            not_cut: of(&|node| !node.is_true),
            not_cut_not_none: of(&|node| !node.is_true && (self.count)(node) > 0),
            not_cut_most: nodes.iter().filter(|node| !node.is_true).map(self.count).max(),
        }
    }
}

impl CutNodeQuestion {
    /// The thesis' question, of one node out of `every`; the margin is in the unit of the evaluation.
    pub fn of_thesis(every: u64, margin: Score) -> CutNodeQuestion {
        CutNodeQuestion { every, least_depth: LEAST_DEPTH, margin, merit: HIGH_MERIT }
    }
}

/// Shallower nodes have no search two plies shallower.
const LEAST_DEPTH: i32 = 4;

/// More than this is a high merit in the thesis, in the unit of its own history.
const HIGH_MERIT: i32 = 100;

/// The sampled nodes of the searches of a game.
pub(crate) fn cut_nodes<G: Game, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    question: &CutNodeQuestion,
    number: u64,
    stop: &Signal,
) -> Option<Vec<CutNode>> {
    let mut watcher = CutNodeWatcher::<G> { question: *question, met: 0, open: Vec::new(), found: Vec::new() };
    play.play(number, &mut watcher, stop)?;
    // The table is cleared before every search; clearing a large one takes longer than the search.
    let player = Blueprint { megabytes: 1, ..play.player.clone() };
    let Ok(mut searcher) = player.searcher() else { return Some(Vec::new()) };
    let found = watcher.found.iter().map(|sampled| question.look(&mut searcher, sampled, stop)).collect();
    (!stop.is_stopped()).then_some(found)
}

impl Statistic for CutNodeQuestion {
    type Share = Vec<CutNode>;

    fn share(&self, players: &dyn Players, number: u64, stop: &Signal) -> Option<Vec<CutNode>> {
        players.cut_nodes(self, number, stop)
    }

    fn table(&self, shares: Vec<Vec<CutNode>>) -> Table {
        Table::CutNodes(shares.into_iter().flatten().collect())
    }
}

impl CutNodeQuestion {
    /// Counts the promising moves of a node.
    fn look<G: Game, E: Evaluate<G>>(
        &self,
        searcher: &mut Searcher<G, E>,
        sampled: &Sampled<G>,
        stop: &Signal,
    ) -> CutNode {
        let moves = G::legal_moves(&sampled.position);
        let (mut quiescence, mut shallow) = ([0; 2], [0; 2]);
        for &mv in &moves {
            // After a move of its own, one ply is quiescence, and d - 2 plies are what multi-cut searches.
            let request = Request { only: vec![mv], ..Request::new(sampled.position.clone()) };
            for (counts, depth) in [(&mut quiescence, 1), (&mut shallow, sampled.depth - 2)] {
                searcher.forget();
                let value = searcher.search(&request, &Limits::depth(depth), stop, &mut ()).score();
                counts[0] += u32::from(value >= sampled.beta);
                counts[1] += u32::from(value >= sampled.beta - self.margin);
            }
        }
        let (is_true, history) = (sampled.is_true, sampled.history);
        CutNode { is_true, moves: moves.len() as u32, history, quiescence, shallow }
    }
}

/// A node that was sampled.
struct Sampled<G: Game> {
    position: G::Position,
    beta: Score,
    /// In whole plies.
    depth: i32,
    history: [u32; 2],
    is_true: bool,
}

/// Takes one in N expected cut-nodes of a search.
struct CutNodeWatcher<G: Game> {
    question: CutNodeQuestion,
    met: u64,
    /// The nodes on the current line: those that are sampled.
    open: Vec<Option<Sampled<G>>>,
    found: Vec<Sampled<G>>,
}

impl<G: Game> CutNodeWatcher<G> {
    /// The moves that history speaks for when a node is entered; later it knows what became of them.
    fn promised_by_history(&self, node: &Entered<'_, G>) -> [u32; 2] {
        let merits: Vec<i32> = G::legal_moves(node.position).into_iter().map(node.merit).collect();
        [0, self.question.merit].map(|least| merits.iter().filter(|&&merit| merit > least).count() as u32)
    }
}

impl<G: Game> Observer<G> for CutNodeWatcher<G> {
    fn sees_nodes(&self) -> bool {
        true
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        // A search that was broken off never left its nodes.
        if node.ply == 0 {
            self.open.clear();
        }
        let is_asked = node.kind == NodeKind::Cut
            && node.arrival.purpose == Purpose::Move
            && node.depth >= Depth::plies(self.question.least_depth)
            && !G::in_check(node.position);
        self.met += u64::from(is_asked);
        let is_taken = is_asked && self.met.is_multiple_of(self.question.every.max(1));
        self.open.push(is_taken.then(|| Sampled {
            position: node.position.clone(),
            beta: node.window.beta,
            depth: node.depth.whole_plies(),
            history: self.promised_by_history(node),
            is_true: false,
        }));
    }

    fn leave(&mut self, node: &Leaving) {
        if let Some(Some(sampled)) = self.open.pop() {
            let is_true = node.score >= sampled.beta;
            self.found.push(Sampled { is_true, ..sampled });
        }
    }
}
