//! What a tree is made of: one pass over its nodes.

use crate::costs::Seen;
use crate::file::Effects;
use crate::names::{BOUNDS, KINDS, PHASES, PURPOSES};
use crate::node::{Ended, Node, NodeId};
use crate::reader::{Tree, TreeError, Visit};
use plywise_game::Depth;
use plywise_search::{End, NodeKind, Purpose, Signal, Technique};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// How many of the largest subtrees are kept.
const LARGEST: usize = 100;

/// What a tree is made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stats {
    /// The recorded nodes.
    pub nodes: u64,
    /// Nodes that the search counted; more than were recorded where a filter or a solver hid some.
    pub counted: u64,
    /// Nodes by what they were expected to be.
    pub by_kind: BTreeMap<&'static str, u64>,
    /// Nodes by what they were searched for.
    pub by_purpose: BTreeMap<&'static str, u64>,
    /// Nodes by why they were left.
    pub by_end: BTreeMap<&'static str, u64>,
    /// Nodes by distance from the root.
    pub by_ply: BTreeMap<u16, u64>,
    /// What the nodes of each depth were; quiescence has depth 0.
    pub by_depth: BTreeMap<i32, DepthStats>,
    /// Moves searched at each node of the main search that searched any.
    pub branching_factor: f64,
    /// Which part of the order the moves came from that cut, and how many of them came first.
    pub cuts_by_phase: BTreeMap<&'static str, CutStats>,
    /// What the techniques did.
    pub by_technique: BTreeMap<&'static str, TechniqueStats>,
    /// Searches of a move once more, by their reason.
    pub again: BTreeMap<&'static str, AgainStats>,
    /// Nodes that the table cut, by what it knew.
    pub table_hits: BTreeMap<&'static str, u64>,
    /// The searches of the root, in the order of the search.
    pub iterations: Vec<IterationStats>,
    /// The largest subtrees below the root.
    pub largest: Vec<Subtree>,
}

/// The nodes of one depth.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct DepthStats {
    /// How many there are.
    pub nodes: u64,
    /// How many reached beta by a move.
    pub cuts: u64,
    /// How many of these by their first move.
    pub first_move: u64,
    /// Nodes in the subtrees of those that searched their moves.
    pub subtrees: u64,
    /// How many these were.
    pub searched: u64,
}

/// Cuts by moves of one part of the order.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct CutStats {
    /// Cuts.
    pub cuts: u64,
    /// By the first move of the node.
    pub first_move: u64,
}

/// What a technique did.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct TechniqueStats {
    /// How often it was tried, as the search counted; 0 where the search did not come to its end.
    pub tries: u64,
    /// How often it had an effect, as the search counted.
    pub effects: u64,
    /// Nodes that it cut.
    pub cuts: u64,
    /// Moves that it left out.
    pub left_out: u64,
    /// Nodes that its own searches took.
    pub spent: u64,
    /// Nodes that were saved, if those that it cut were as large as those of the same depth that searched their moves.
    pub saved: u64,
}

/// Searches of a move once more.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct AgainStats {
    /// How many there were.
    pub searches: u64,
    /// The nodes that they took.
    pub nodes: u64,
    /// How many confirmed what the first search said.
    pub confirmed: u64,
}

/// A search of the root.
#[derive(Clone, Debug, Serialize)]
pub struct IterationStats {
    /// Its node.
    #[serde(serialize_with = "as_text")]
    pub id: NodeId,
    /// Its depth in plies.
    pub depth: i32,
    /// The window.
    pub alpha: i32,
    /// The window.
    pub beta: i32,
    /// The value; `None` where it was stopped.
    pub value: Option<i32>,
    /// What the value is.
    pub bound: &'static str,
    /// Its nodes.
    pub nodes: u64,
    /// Those of quiescence.
    pub quiescence: u64,
    /// Those in searches of moves once more.
    pub again: u64,
    /// Those in probes of techniques.
    pub probes: u64,
    /// Those below the first move.
    pub first_move: u64,
}

/// A large subtree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subtree {
    /// Its nodes.
    pub nodes: u64,
    /// Where it begins.
    #[serde(serialize_with = "as_text")]
    pub id: NodeId,
    /// The moves that lead there.
    #[serde(skip)]
    pub moves: Vec<u32>,
}

fn as_text<S: serde::Serializer>(id: &NodeId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// What is counted in tables while the nodes pass; names come last.
struct Count {
    nodes: u64,
    kinds: [u64; 8],
    purposes: [u64; 16],
    ends: [u64; 256],
    plies: Vec<u64>,
    /// By whole plies; quiescence comes first.
    depths: Vec<DepthStats>,
    moves: u64,
    phases: [CutStats; 16],
    techniques: [TechniqueStats; Technique::ALL.len()],
    /// Cuts of each technique, by depth.
    cut_depths: Vec<[u64; Technique::ALL.len()]>,
    again: [AgainStats; 16],
    hits: [u64; 4],
    iterations: Vec<IterationStats>,
    largest: BinaryHeap<Reverse<(u64, NodeId)>>,
    /// The lines to those that are, or were, among the largest.
    lines: HashMap<NodeId, Vec<u32>>,
}

impl Stats {
    /// Counts the nodes of a tree. A signal ends it early, with an error.
    pub fn of(tree: &Tree, stop: &Signal) -> Result<Stats, TreeError> {
        Stats::of_watched(tree, stop, &mut |_| {})
    }

    /// The same; `watch` gets the number of nodes counted, now and then.
    pub fn of_watched(tree: &Tree, stop: &Signal, watch: &mut dyn FnMut(u64)) -> Result<Stats, TreeError> {
        let mut count = Count {
            nodes: 0,
            kinds: [0; 8],
            purposes: [0; 16],
            ends: [0; 256],
            plies: Vec::new(),
            depths: Vec::new(),
            moves: 0,
            phases: Default::default(),
            techniques: [TechniqueStats::default(); Technique::ALL.len()],
            cut_depths: Vec::new(),
            again: Default::default(),
            hits: [0; 4],
            iterations: Vec::new(),
            largest: BinaryHeap::new(),
            lines: HashMap::new(),
        };
        let mut roots = Vec::new();
        for stream in 0..tree.streams() {
            roots.extend(tree.roots(stream)?);
        }
        for &id in &roots {
            count.iterations.push(IterationStats::of(id, &tree.node(id)?));
        }
        let mut seen = Seen::default();
        tree.scan(stop, |visit| {
            seen.add(watch);
            count.add(visit);
        })?;
        Ok(count.finish(tree))
    }
}

impl IterationStats {
    fn of(id: NodeId, node: &Node) -> IterationStats {
        IterationStats {
            id,
            depth: node.depth.whole_plies(),
            alpha: node.window.alpha,
            beta: node.window.beta,
            value: node.value,
            bound: BOUNDS.name(node.bound()),
            nodes: node.nodes,
            quiescence: 0,
            again: 0,
            probes: 0,
            first_move: 0,
        }
    }
}

/// The depth under which a node is counted.
fn depth_of(node: &Node) -> usize {
    if node.is_quiescence() { 0 } else { node.depth.whole_plies().clamp(1, Depth::MAX.whole_plies()) as usize }
}

/// The place of the technique whose own search a node begins.
fn prober(node: &Node) -> Option<Technique> {
    Some(match node.purpose? {
        Purpose::NullMove | Purpose::Verification => Technique::NullMove,
        Purpose::ProbCut => Technique::ProbCut,
        Purpose::CaptureProbCut => Technique::CaptureProbCut,
        Purpose::MultiCut => Technique::MultiCut,
        Purpose::Singular => Technique::Singular,
        Purpose::InternalDeepening => Technique::InternalDeepening,
        Purpose::Razoring => Technique::Razoring,
        Purpose::Root | Purpose::Move | Purpose::Step | Purpose::FullPrice | Purpose::OpenWindow => return None,
    })
}

/// Whether a child is the move, searched for the last time, that cut its parent.
pub(crate) fn cuts(child: &Node, parent: &Node) -> bool {
    let reaches = |value: i32| value.checked_neg().is_some_and(|value| value >= parent.window.beta);
    child.is_move()
        && parent.end == Ended::By(End::Moves)
        && child.value.is_some_and(reaches)
        && child.price <= child.full
        && !(child.uncertain && parent.kind == Some(NodeKind::Pv))
}

impl Count {
    fn add(&mut self, visit: &Visit) {
        let node = visit.node;
        self.nodes += 1;
        self.kinds[usize::from(KINDS.code(node.kind))] += 1;
        self.purposes[usize::from(PURPOSES.code(node.purpose))] += 1;
        self.ends[usize::from(node.end.code())] += 1;
        let ply = usize::from(node.ply);
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, 0);
        }
        self.plies[ply] += 1;
        let depth = depth_of(node);
        if self.depths.len() <= depth {
            self.depths.resize(depth + 1, DepthStats::default());
            self.cut_depths.resize(depth + 1, [0; Technique::ALL.len()]);
        }
        let of_depth = &mut self.depths[depth];
        of_depth.nodes += 1;
        let searched = node.end == Ended::By(End::Moves);
        if searched {
            of_depth.searched += 1;
            of_depth.subtrees += node.nodes;
        }
        if let Some(technique) = node.cut_by() {
            let place = technique as usize;
            self.techniques[place].cuts += 1;
            self.cut_depths[depth][place] += 1;
            if technique == Technique::Table {
                self.hits[usize::from(BOUNDS.code(node.bound()))] += 1;
            }
        }
        for (technique, moves) in node.left_out.each() {
            self.techniques[technique as usize].left_out += u64::from(moves);
        }
        if let Some(technique) = prober(node) {
            self.techniques[technique as usize].spent += node.nodes;
        }
        if let Some(parent) = visit.ancestor(1) {
            self.add_child(visit, &parent);
        }
    }

    fn add_child(&mut self, visit: &Visit, parent: &Node) {
        let node = visit.node;
        if node.purpose == Some(Purpose::Move) && !parent.is_quiescence() {
            self.moves += 1;
        }
        if node.is_again() {
            let again = &mut self.again[usize::from(PURPOSES.code(node.purpose))];
            again.searches += 1;
            again.nodes += node.nodes;
            again.confirmed += u64::from(node.value.is_some_and(|value| value < node.window.beta));
        }
        if !parent.is_quiescence() && cuts(node, parent) {
            let first = u64::from(node.number == 1);
            let phase = &mut self.phases[usize::from(PHASES.code(node.phase))];
            phase.cuts += 1;
            phase.first_move += first;
            // The parent was counted before its child.
            let of_depth = &mut self.depths[depth_of(parent)];
            of_depth.cuts += 1;
            of_depth.first_move += first;
        }
        self.add_to_iteration(visit, parent);
        let subtree = (node.nodes, visit.id);
        if self.largest.len() < LARGEST || self.largest.peek().is_some_and(|least| subtree > least.0) {
            self.largest.push(Reverse(subtree));
            self.lines.insert(visit.id, visit.moves());
        }
        if self.largest.len() > LARGEST
            && let Some(Reverse((_, id))) = self.largest.pop()
        {
            self.lines.remove(&id);
        }
    }

    /// Adds what begins at a node to its iteration: only the outermost search of its sort counts.
    fn add_to_iteration(&mut self, visit: &Visit, parent: &Node) {
        let node = visit.node;
        let begins_calm = node.is_quiescence() && !parent.is_quiescence();
        let is_first = parent.ply == 0 && parent.purpose == Some(Purpose::Root) && node.number == 1 && node.is_move();
        let (is_again, is_probe) = (node.is_again(), prober(node).is_some());
        if !(begins_calm || is_first || is_again || is_probe) {
            return;
        }
        let nested = |fits: fn(&Node) -> bool| {
            (1..).map_while(|generations| visit.ancestor(generations)).any(|above| fits(&above))
        };
        let outer_again = is_again && !nested(Node::is_again);
        let outer_probe = is_probe && !nested(|above| prober(above).is_some());
        // In the order of the file the first iteration that does not end before the node holds it.
        let place = self.iterations.partition_point(|iteration| iteration.id < visit.id);
        let Some(iteration) = self.iterations.get_mut(place) else { return };
        iteration.quiescence += if begins_calm { node.nodes } else { 0 };
        iteration.again += if outer_again { node.nodes } else { 0 };
        iteration.probes += if outer_probe { node.nodes } else { 0 };
        iteration.first_move += if is_first { node.nodes } else { 0 };
    }

    fn finish(mut self, tree: &Tree) -> Stats {
        for (of_depth, cuts) in self.depths.iter().zip(&self.cut_depths).filter(|(of, _)| of.searched > 0) {
            let mean = of_depth.subtrees as f64 / of_depth.searched as f64;
            for (technique, &cuts) in self.techniques.iter_mut().zip(cuts) {
                technique.saved += (mean * cuts as f64) as u64;
            }
        }
        if let Some(summary) = tree.summary() {
            for (name, &Effects { tries, effects }) in &summary.techniques {
                if let Some(technique) = crate::names::technique(name) {
                    self.techniques[technique as usize].tries = tries;
                    self.techniques[technique as usize].effects = effects;
                }
            }
        }
        let interior: u64 = self.depths.iter().skip(1).map(|each| each.searched).sum();
        let largest = self.largest.into_sorted_vec().into_iter().map(|Reverse((nodes, id))| {
            let moves = self.lines.remove(&id).unwrap_or_default();
            Subtree { nodes, id, moves }
        });
        let largest = largest.collect();
        let counted = self.iterations.iter().map(|iteration| iteration.nodes).sum();
        let used = |stats: &TechniqueStats| stats.tries + stats.cuts + stats.left_out + stats.spent > 0;
        let named = |technique: &Technique| (technique.name(), self.techniques[*technique as usize]);
        Stats {
            nodes: self.nodes,
            counted,
            by_kind: table(KINDS.all(), &self.kinds),
            by_purpose: table(PURPOSES.all(), &self.purposes),
            by_end: ends(&self.ends),
            by_ply: (0..).zip(self.plies).collect(),
            by_depth: (0..).zip(self.depths).filter(|(_, of)| of.nodes > 0).collect(),
            branching_factor: if interior == 0 { 0.0 } else { self.moves as f64 / interior as f64 },
            cuts_by_phase: PHASES.all().zip(self.phases).filter(|(_, stats)| stats.cuts > 0).collect(),
            by_technique: Technique::ALL.iter().map(named).filter(|(_, stats)| used(stats)).collect(),
            again: PURPOSES.all().zip(self.again).filter(|(_, stats)| stats.searches > 0).collect(),
            table_hits: table(BOUNDS.all(), &self.hits),
            iterations: self.iterations,
            largest,
        }
    }
}

fn table(names: impl Iterator<Item = &'static str>, counts: &[u64]) -> BTreeMap<&'static str, u64> {
    names.zip(counts.iter().copied()).filter(|(_, count)| *count > 0).collect()
}

fn ends(counts: &[u64; 256]) -> BTreeMap<&'static str, u64> {
    let named = |(code, count): (usize, &u64)| Some((Ended::at(code as u8, Technique::ALL)?.name(), *count));
    counts.iter().enumerate().filter(|(_, count)| **count > 0).filter_map(named).collect()
}
