//! The checker: follows a recorded search and asks of every node whether its value follows from its children and from the
//! rules of the technique that cut it, whether windows, depths and prices fit, and, where the game is known, whether the
//! rules of the game and the table's memory agree. It shares no code with the search: it is how bugs in one show up.

mod board;
mod rules;
mod shelf;

use crate::filter::keeps_siblings;
use crate::names::{KINDS, PURPOSES};
use crate::node::{Ended, Node, NodeId};
use crate::reader::{Step, Tree, TreeError};
pub use board::{Board, KnownBoard, Played};
use plywise_game::score::{self, INFINITY};
use plywise_game::{Depth, Score, Window};
use plywise_search::{Algorithm, End, NodeKind, Params, Purpose, Technique};
use shelf::Shelf;
use std::collections::BTreeMap;

/// How many findings are kept with their words.
const KEPT: usize = 100;

/// Something that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The node.
    pub id: NodeId,
    /// The rule that it breaks.
    pub rule: &'static str,
    /// What is wrong.
    pub what: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The nodes that were looked at.
    pub nodes: u64,
    /// How often each rule is broken.
    pub broken: BTreeMap<&'static str, u64>,
    /// The first findings, in the order of the search.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub unchecked: Vec<String>,
}

impl Checked {
    /// Whether everything fits.
    pub fn is_sound(&self) -> bool {
        self.broken.is_empty()
    }

    fn find(&mut self, id: NodeId, rule: &'static str, what: impl FnOnce() -> String) {
        *self.broken.entry(rule).or_default() += 1;
        if self.findings.len() < KEPT {
            self.findings.push(Finding { id, rule, what: what() });
        }
    }
}

/// Checks a tree. `params` are those of the search, and `board` its root, where the game is known.
pub fn check(tree: &Tree, params: &Params, mut board: Option<&mut dyn Board>) -> Result<Checked, TreeError> {
    let mut checked = Checked::default();
    let is_whole = tree.head().filter.is_none();
    let remembers = is_whole && tree.streams() <= 1 && board.is_some() && params.table.on() && !tree.head().remembers;
    let has_siblings = tree.head().filter.as_deref().is_none_or(keeps_siblings);
    if !is_whole {
        checked.unchecked.push("values of nodes whose children were not recorded".into());
    }
    if !has_siblings {
        checked.unchecked.push("what follows from the moves before one, which may not have been recorded".into());
    }
    if board.is_none() {
        checked.unchecked.push("the rules of the game, which is not known".into());
    } else if params.table.on() && !remembers {
        checked.unchecked.push("what the table knew, which was not recorded in whole".into());
    }
    let mut counted = 0;
    for stream in 0..tree.streams() {
        let shelf = remembers.then(Shelf::default);
        let open = Vec::new();
        let mut audit = Audit { params, board: board.take(), shelf, is_whole, has_siblings, open, checked, counted: 0 };
        for step in tree.replay(stream)? {
            match step? {
                Step::Enter(id, node) => audit.enter(id, &node),
                Step::Leave(id, node) => audit.leave(id, &node),
            }
        }
        (checked, board) = (audit.checked, audit.board);
        counted += audit.counted;
    }
    if let Some(summary) = tree.summary().filter(|_| is_whole)
        && summary.nodes > 0
        && summary.nodes != counted
        && !(params.solver.on() && tree.loss().is_none() && summary.nodes > counted)
    {
        let id = NodeId { stream: 0, index: 0 };
        checked.find(id, "count", || format!("the search counted {} nodes, the file {counted}", summary.nodes));
    }
    Ok(checked)
}

/// A node that is being followed.
struct Frame {
    id: NodeId,
    node: Node,
    /// The window as the node uses it.
    window: Window,
    /// The best that its moves came to.
    best: Score,
    /// The last search of the move that is being tried.
    trying: Option<Node>,
    /// The last probe of a technique.
    probe: Option<Node>,
    /// Multi-cut's probes that reached beta.
    reached: u32,
    uncertain: bool,
    /// A move reached beta: nothing may follow.
    cut: bool,
    /// The nodes of its children.
    nodes: u64,
    /// Something was left open below.
    stopped: bool,
}

struct Audit<'a, 'b> {
    params: &'a Params,
    board: Option<&'b mut dyn Board>,
    shelf: Option<Shelf>,
    is_whole: bool,
    /// The moves before one are all recorded.
    has_siblings: bool,
    open: Vec<Frame>,
    checked: Checked,
    counted: u64,
}

impl Audit<'_, '_> {
    fn enter(&mut self, id: NodeId, node: &Node) {
        self.checked.nodes += 1;
        self.settle_for(node);
        self.check_arrival(id, node);
        self.play(id, node);
        let window = used_window(node, self.params);
        let best = match node.evaluation {
            Some(evaluation) if node.is_quiescence() => evaluation,
            _ => -INFINITY,
        };
        self.open.push(Frame {
            id,
            node: *node,
            window,
            best,
            trying: None,
            probe: None,
            reached: 0,
            uncertain: node.left_out.by(Technique::Uncertainty) > 0,
            cut: false,
            nodes: 0,
            stopped: false,
        });
    }

    /// Before a node is entered, the move that was tried before it is done, unless it is searched once more.
    fn settle_for(&mut self, next: &Node) {
        let Some(frame) = self.open.last_mut() else { return };
        let again = frame.trying.is_some_and(|tried| next.is_again() && tried.mv == next.mv);
        if !again {
            let finding = frame.settle();
            self.report(finding);
        }
        if let Some(frame) = self.open.last()
            && frame.cut
            && self.has_siblings
        {
            let id = frame.id;
            self.checked.find(id, "after a cut", || "a move was searched although one had reached beta".into());
        }
    }

    /// What settling a move found, if its last search is known to be the last.
    fn report(&mut self, finding: Option<(NodeId, &'static str, String)>) {
        if let Some((id, rule, what)) = finding.filter(|_| self.has_siblings) {
            self.checked.find(id, rule, || what);
        }
    }

    /// Checks how the search comes to a node: its window, depth, kind and place.
    fn check_arrival(&mut self, id: NodeId, node: &Node) {
        let Some(frame) = self.open.last() else {
            if node.purpose != Some(Purpose::Root) || node.ply != 0 {
                self.checked.find(id, "place", || "a search that is not of the root begins here".into());
            }
            return;
        };
        let mut findings = Vec::new();
        let mut find = |rule: &'static str, what: String| findings.push((rule, what));
        let above = &frame.node;
        let ply = if node.stays() { above.ply } else { above.ply + 1 };
        if node.ply != ply {
            find("place", format!("it is at ply {}, below one at ply {}", node.ply, above.ply));
        }
        let expected = frame.expected_window(node, self.params.framework.kind());
        if let Some(expected) = expected.filter(|expected| self.has_siblings && !expected.contains(&node.window)) {
            let shown: Vec<String> = expected.iter().map(|window| show(*window)).collect();
            find(
                "window",
                format!("its window is {}, but {} follows from above", show(node.window), shown.join(" or ")),
            );
        }
        if let Some(what) = wrong_narrowing(node, self.params) {
            find("window", what);
        }
        if let Some(what) = frame.wrong_depth(node, self.params) {
            find("depth", what);
        }
        if let Some(what) = wrong_price(node, self.params) {
            find("price", what);
        }
        if let Some(what) = frame.wrong_kind(node, self.params) {
            find("kind", what);
        }
        for (rule, what) in findings {
            self.checked.find(id, rule, || what);
        }
    }

    /// Plays the move that leads to a node, and asks the rules whether the game goes on as the search says.
    fn play(&mut self, id: NodeId, node: &Node) {
        let Some(board) = &mut self.board else { return };
        let played = match node.purpose {
            Some(Purpose::Root) => Played::Stays,
            Some(Purpose::NullMove) => board.pass(),
            _ if node.stays() => Played::Stays,
            _ => board.play(node.mv),
        };
        if played == Played::Illegal {
            self.checked.find(id, "rules", || "its move is not legal".into());
            board.stay();
            return;
        }
        if played == Played::Stays {
            board.stay();
        }
        let repeats = self.params.repetition.on() && board.repeats();
        let is_over = board.decided();
        let is_drawn = node.ply > 0 && is_over.is_none() && (repeats || board.drawn_by_rule());
        let says = node.end == Ended::By(End::Draw);
        if is_drawn != says && node.end != Ended::Stopped && !(node.stays() && above_went_on(&self.open)) {
            let what = if says { "it is called a draw, and is none" } else { "it is a draw, and was searched" };
            self.checked.find(id, "rules", || what.into());
        }
        let expected = match (node.end, is_over.or_else(|| board.stuck())) {
            (Ended::By(End::Over), Some(outcome)) => Some(score::of_outcome(outcome, node.ply.into())),
            (Ended::By(End::Over), None) => {
                self.checked.find(id, "rules", || "the game is not over".into());
                None
            }
            _ => None,
        };
        if let Some(expected) = expected.filter(|&expected| node.value != Some(expected)) {
            self.checked.find(id, "rules", || format!("the game is over with {expected}, not {}", value(node)));
        }
        let shifts = self.params.variety.on() || self.params.correction.on();
        let evaluation = if shifts { None } else { board.evaluate() };
        if let (Some(said), Some(evaluation)) = (node.evaluation, evaluation)
            && said != evaluation
        {
            self.checked.find(id, "evaluation", || format!("it is {evaluation}, not {said}"));
        }
        if let Some(shelf) = &self.shelf
            && let Some(what) = shelf.doubt(node, &**board, self.params)
        {
            self.checked.find(id, "table", || what);
        }
    }

    fn leave(&mut self, id: NodeId, node: &Node) {
        let finding = self.open.last_mut().and_then(Frame::settle);
        self.report(finding);
        let Some(frame) = self.open.pop() else { return };
        if node.purpose == Some(Purpose::Root) {
            self.counted += node.nodes;
        }
        let is_complete = self.check_count(&frame);
        if node.end != Ended::Stopped && is_complete && !frame.stopped {
            for what in rules::broken(&frame) {
                self.checked.find(id, frame.rule(), || what);
            }
        }
        if let Some(board) = &mut self.board {
            if let Some(shelf) = &mut self.shelf {
                let at_horizon = self.open.last().is_none_or(|above| !above.node.is_quiescence());
                shelf.keep(node, &**board, self.params, at_horizon);
            }
            board.undo();
        }
        if let Some(above) = self.open.last_mut() {
            above.take(node);
        }
    }

    /// Whether all nodes below were recorded; where they should have been, their counts add up.
    fn check_count(&mut self, frame: &Frame) -> bool {
        let expected = 1 + frame.nodes;
        let hides = matches!(frame.node.end, Ended::By(End::Cut(Technique::Solver)) | Ended::Stopped)
            || frame.stopped
            || self.params.solver.on();
        let adds_up = frame.node.nodes == expected || (hides && frame.node.nodes > expected);
        if self.is_whole && !adds_up {
            let node = frame.node;
            self.checked.find(frame.id, "count", || format!("{} nodes are said, {expected} recorded", node.nodes));
        }
        self.is_whole || frame.node.nodes == expected
    }
}

/// The window of a node as it uses it: as it says, or as mate distance narrows it, where the file does not know.
fn used_window(node: &Node, params: &Params) -> Window {
    node.narrowed.unwrap_or_else(|| window_by_distance(node, params))
}

/// The scores that a line of this length can have, of those in the window.
fn window_by_distance(node: &Node, params: &Params) -> Window {
    let (ply, Window { alpha, beta }) = (usize::from(node.ply), node.window);
    let narrows = params.mate_distance.on() && params.framework.kind() != Algorithm::Minimax;
    match narrows && ply > 0 && !node.is_quiescence() {
        true => Window { alpha: alpha.max(score::loss_in(ply)), beta: beta.min(score::win_in(ply + 1)) },
        false => node.window,
    }
}

/// What is wrong with a narrowed window: mate distance gives it, and only the table may take more away.
fn wrong_narrowing(node: &Node, params: &Params) -> Option<String> {
    let (narrowed, distance) = (node.narrowed?, window_by_distance(node, params));
    let lies_within = narrowed.alpha >= distance.alpha && narrowed.beta <= distance.beta;
    let is_right = narrowed == distance || params.table.narrow && lies_within && narrowed.alpha < narrowed.beta;
    (!is_right).then(|| format!("its window is narrowed to {}, by mate distance to {}", show(narrowed), show(distance)))
}

/// What is wrong with a learned price: only unlikely moves cost more than their full price, and none more than the most.
fn wrong_price(node: &Node, params: &Params) -> Option<String> {
    let (learned, per_myriad) = (&params.learned_price, node.likelihood?.per_myriad);
    let dearest = Depth::hundredths(learned.most).max(node.full);
    let is_likely = i32::from(per_myriad) > learned.even * 10 + 1;
    match node.price > node.full {
        _ if !learned.on() => Some("its price is learned, but prices are not".into()),
        true if node.price > dearest => Some(format!("it costs {}, but {dearest} is the most", node.price)),
        true if is_likely => Some(format!("it costs {}, although {per_myriad} in 10,000 raise alpha", node.price)),
        _ => None,
    }
}

/// Whether the node above had been found to go on, so that a search of the same node may.
fn above_went_on(open: &[Frame]) -> bool {
    open.last().is_some_and(|frame| frame.node.end != Ended::By(End::Draw))
}

impl Frame {
    /// The move that was tried is done: its last search counts.
    fn settle(&mut self) -> Option<(NodeId, &'static str, String)> {
        let tried = self.trying.take()?;
        let value = tried.value?.checked_neg()?;
        let alpha = self.window.alpha.max(self.best);
        let unconfirmed = value > alpha && tried.price > tried.full;
        self.best = self.best.max(value);
        if value >= self.window.beta {
            self.cut = true;
            self.uncertain = tried.uncertain;
        } else {
            self.uncertain |= tried.uncertain;
        }
        unconfirmed.then(|| {
            let what = format!(
                "move {} was good at a price of {} and not searched at its own, {}",
                tried.number, tried.price, tried.full
            );
            (self.id, "confirmation", what)
        })
    }

    /// A search below is done.
    fn take(&mut self, child: &Node) {
        self.nodes = self.nodes.saturating_add(child.nodes);
        self.stopped |= child.end == Ended::Stopped;
        if child.is_move() {
            self.trying = Some(*child);
        } else {
            self.probe = Some(*child);
            let reaches = child.value.and_then(i32::checked_neg).is_some_and(|value| value >= self.window.beta);
            self.reached += u32::from(child.purpose == Some(Purpose::MultiCut) && reaches);
        }
    }

    /// The windows with which a child may be searched; `None` where a technique has its own.
    fn expected_window(&self, child: &Node, algorithm: Algorithm) -> Option<Vec<Window>> {
        let (alpha, beta) = (self.window.alpha.max(self.best), self.window.beta);
        let whole = Window { alpha: -beta, beta: -alpha };
        let scout = Window { alpha: -alpha - 1, beta: -alpha };
        let reaching = Window { alpha: -beta, beta: 1 - beta };
        let is_pv = self.node.kind == Some(NodeKind::Pv);
        Some(match child.purpose? {
            _ if algorithm == Algorithm::Minimax => vec![Window::FULL],
            Purpose::Move if self.node.is_quiescence() => vec![whole],
            Purpose::Move if child.kind == Some(NodeKind::Pv) => vec![whole],
            Purpose::Move if is_pv && child.is_quiescence() => vec![whole, scout],
            Purpose::Move | Purpose::Step | Purpose::FullPrice => vec![scout],
            Purpose::OpenWindow => vec![whole],
            Purpose::NullMove | Purpose::MultiCut => vec![reaching],
            Purpose::Verification => vec![Window { alpha: beta - 1, beta }],
            Purpose::Razoring | Purpose::InternalDeepening => vec![self.window],
            Purpose::Root | Purpose::ProbCut | Purpose::CaptureProbCut | Purpose::Singular => return None,
        })
    }

    fn wrong_depth(&self, child: &Node, params: &Params) -> Option<String> {
        let above = self.node.depth;
        let left = match child.purpose? {
            Purpose::Razoring => Depth::ZERO,
            Purpose::ProbCut | Purpose::Singular | Purpose::InternalDeepening | Purpose::Verification => {
                let is_deeper = child.depth > above;
                return is_deeper.then(|| format!("a search of the same node has {} left of {above}", child.depth));
            }
            _ if self.node.is_quiescence() => Depth::ZERO,
            _ => above - child.price,
        };
        let expected = if left.is_exhausted() { Depth::ZERO } else { left };
        // The line may have become as long as lines can.
        let is_right = child.depth == expected
            || usize::from(child.ply) >= score::MAX_PLY
            || self.reductions(params).any(|less| child.depth == (left - less).max(Depth::ZERO));
        (!is_right).then(|| format!("it has {} left, but {above} less {} is {expected}", child.depth, child.price))
    }

    /// What techniques may have taken off the depth of the node before its moves.
    fn reductions(&self, params: &Params) -> impl Iterator<Item = Depth> {
        let (internal, fail_high) = (&params.internal_reduction, &params.fail_high_reductions);
        let internal = Depth::hundredths(if internal.on() { internal.reduction } else { 0 });
        let fail_high = Depth::hundredths(if fail_high.on() { fail_high.reduction } else { 0 });
        [internal, fail_high, internal + fail_high].into_iter()
    }

    fn wrong_kind(&self, child: &Node, params: &Params) -> Option<String> {
        let (above, kind) = (self.node.kind?, child.kind?);
        let fits = match (child.purpose?, above, kind) {
            (_, NodeKind::Quiescence, kind) => kind == NodeKind::Quiescence,
            (_, _, NodeKind::Quiescence) => true,
            (Purpose::MultiCut, NodeKind::All, _) if !params.multi_cut.all_nodes => false,
            (Purpose::MultiCut, NodeKind::Pv, _) => false,
            (Purpose::OpenWindow, NodeKind::Pv, kind) => kind == NodeKind::Pv,
            (_, above, kind) if child.stays() => above == kind,
            (_, NodeKind::Cut, kind) => kind == NodeKind::All,
            (_, NodeKind::All, kind) => kind == NodeKind::Cut,
            (Purpose::Move, NodeKind::Pv, kind) => kind != NodeKind::All,
            (_, NodeKind::Pv, kind) => kind == NodeKind::Cut,
        };
        (!fits).then(|| {
            let purpose = PURPOSES.name(child.purpose);
            format!("below {} it is {}, searched for {purpose}", KINDS.name(self.node.kind), KINDS.name(child.kind))
        })
    }

    /// The rule that its value has to follow.
    fn rule(&self) -> &'static str {
        self.node.end.name()
    }
}

fn show(window: Window) -> String {
    format!("({}, {})", window.alpha, window.beta)
}

fn value(node: &Node) -> String {
    node.value.map_or("nothing".into(), |value| value.to_string())
}
