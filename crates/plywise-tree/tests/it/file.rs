//! What was searched is what is read.

use crate::support::{Setup, file};
use plywise_chess::Chess;
use plywise_game::{Depth, Game, Score, Window, score};
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::{End, Entered, Leaving, Limits, Observer, Purpose, Request, Searcher, Signal, Technique};
use plywise_tree::{Ended, Filter, Node, NodeId, Order, Stats, Step, Tree};
use std::path::Path;

/// What an observer of the test's own sees of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Seen {
    ply: usize,
    code: u32,
    depth: Depth,
    window: Window,
    narrowed: Option<Window>,
    purpose: Purpose,
    number: usize,
    value: Score,
    end: End,
    left_out: usize,
}

/// Lists nodes in the order in which they are left.
#[derive(Default)]
struct Lister {
    open: Vec<Seen>,
    left: Vec<Seen>,
}

impl Lister {
    fn open<G: Game>(&mut self, node: &Entered<'_, G>) {
        let purpose = node.arrival.purpose;
        let moved = matches!(
            purpose,
            Purpose::Move
                | Purpose::Step
                | Purpose::FullPrice
                | Purpose::OpenWindow
                | Purpose::MultiCut
                | Purpose::CaptureProbCut
        );
        let code = node.mv.filter(|_| moved).map_or(0, |mv| G::move_code(mv).into());
        let (ply, depth, window, number) = (node.ply, node.depth, node.window, node.arrival.number);
        let (narrowed, value, end, left_out) = (None, 0, End::Moves, 0);
        self.open.push(Seen { ply, code, depth, window, narrowed, purpose, number, value, end, left_out });
    }

    fn close(&mut self, node: &Leaving) {
        let seen = self.open.pop().unwrap();
        self.left.push(Seen { value: node.score, end: node.end, ..seen });
    }
}

impl<G: Game> Observer<G> for Lister {
    fn enter(&mut self, node: &Entered<'_, G>) {
        self.open(node);
    }
    fn leave(&mut self, node: &Leaving) {
        self.close(node);
    }
    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        self.open(node);
    }
    fn leave_quiescence(&mut self, node: &Leaving) {
        self.close(node);
    }
    fn narrowed(&mut self, window: Window) {
        self.open.last_mut().unwrap().narrowed = Some(window);
    }
    fn left_out(&mut self, _: Technique, moves: usize) {
        self.open.last_mut().unwrap().left_out += moves;
    }
}

fn ids(tree: &Tree) -> impl Iterator<Item = NodeId> {
    (0..tree.stream_len(0)).map(|index| NodeId { stream: 0, index })
}

#[test]
fn the_file_holds_what_an_observer_sees() {
    let setup = Setup::<Chess>::new("best", Limits::depth(8));
    let tree = setup.tree();
    let mut lister = Lister::default();
    let evaluation = <Chess as plywise_game::BoardGame>::evaluation(Default::default());
    let mut searcher = Searcher::<Chess, _>::new(setup.params.clone(), evaluation, 4).unwrap();
    let report = searcher.search(&Request::new(Chess::start()), &setup.limits, &Signal::new(), &mut lister);
    assert_eq!(tree.len(), report.nodes);
    assert_eq!(tree.len() as usize, lister.left.len());
    for (id, seen) in ids(&tree).zip(&lister.left) {
        let node = tree.node(id).unwrap();
        let read = Seen {
            ply: node.ply.into(),
            code: node.mv,
            depth: node.depth,
            window: node.window,
            narrowed: node.narrowed,
            purpose: node.purpose.unwrap(),
            number: node.number as usize,
            value: node.value.unwrap(),
            end: match node.end {
                Ended::By(end) => end,
                other => panic!("{other:?}"),
            },
            left_out: node.left_out.total() as usize,
        };
        assert_eq!(read, *seen, "node {id}");
    }
}

#[test]
fn a_window_is_known_on_entry_and_as_it_was_narrowed() {
    let setup = Setup::<Chess>::new("best", Limits::depth(8)).at("7k/8/4K3/6Q1/8/8/8/8 w - - 0 1");
    let tree = setup.tree();
    let mut narrowed = 0;
    for id in ids(&tree) {
        let node = tree.node(id).unwrap();
        let Some(window) = node.narrowed else { continue };
        narrowed += 1;
        let ply = usize::from(node.ply);
        assert_ne!(window, node.window, "node {id}");
        assert_eq!(window.alpha, node.window.alpha.max(score::loss_in(ply)), "node {id}");
        assert_eq!(window.beta, node.window.beta.min(score::win_in(ply + 1)), "node {id}");
        assert_eq!(node.used_window(), window);
    }
    assert!(narrowed > 10, "{narrowed}");
}

#[test]
fn files_of_the_versions_before_are_read() {
    for (file, nodes) in [("version-01.tree", 82), ("version-02.tree", 127)] {
        let tree = Tree::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)).unwrap();
        assert_eq!((tree.len(), tree.loss()), (nodes, None));
        let root = tree.node(*tree.roots(0).unwrap().last().unwrap()).unwrap();
        assert_eq!((root.value, root.narrowed, root.likelihood), (Some(score::win_in(1)), None, None));
        let setup = Setup::<Chess>::new("best", Limits::depth(3)).at(&tree.head().position);
        assert!(plywise_tree::check(&tree, &setup.params, Some(&mut setup.board())).unwrap().is_sound());
    }
}

/// The nodes of a replay, each with its parent.
fn families(tree: &Tree, stream: u16) -> Vec<(NodeId, Option<NodeId>)> {
    let (mut open, mut seen) = (Vec::new(), Vec::new());
    for step in tree.replay(stream).unwrap() {
        match step.unwrap() {
            Step::Enter(id, _) => {
                seen.push((id, open.last().copied()));
                open.push(id);
            }
            Step::Leave(id, _) => assert_eq!(open.pop(), Some(id)),
        }
    }
    seen
}

#[test]
fn children_parents_and_lines_agree() {
    let tree = Setup::<Loa>::new("best", Limits::nodes(9000)).tree();
    let families = families(&tree, 0);
    assert_eq!(families.len() as u64, tree.len());
    for &(id, parent) in families.iter().step_by(7) {
        let line = tree.line(id).unwrap();
        assert_eq!(line.last(), Some(&id));
        assert_eq!(line.iter().rev().nth(1).copied(), parent, "{id}");
        if let Some(parent) = parent {
            assert!(tree.children(parent).unwrap().contains(&id));
        }
    }
    let mut scanned = 0;
    tree.scan(&Signal::new(), |visit| {
        scanned += 1;
        assert_eq!(visit.ancestor(1).map(|node| node.ply + u16::from(!visit.node.stays())), {
            (visit.node.purpose != Some(Purpose::Root)).then_some(visit.node.ply)
        });
        assert_eq!(visit.root().purpose, Some(Purpose::Root));
    })
    .unwrap();
    assert_eq!(scanned, tree.len());
}

#[test]
fn a_packed_tree_is_the_same_tree() {
    let (_folder, path) = file();
    let tree = Setup::<Othello>::new("best", Limits::nodes(20_000)).tree();
    tree.pack(&path).unwrap();
    let packed = Tree::open(&path).unwrap();
    assert_eq!((packed.head().order, packed.len()), (Order::Breadth, tree.len()));
    let steps = |tree: &Tree| -> Vec<(bool, Node)> {
        let told = |step| match step {
            Step::Enter(_, node) => (true, node),
            Step::Leave(_, node) => (false, node),
        };
        tree.replay(0).unwrap().map(|step| told(step.unwrap())).collect()
    };
    assert_eq!(steps(&tree), steps(&packed));
    let stats = |tree: &Tree| {
        let stats = Stats::of(tree, &Signal::new()).unwrap();
        (
            stats.by_kind,
            stats.by_end,
            stats.by_ply,
            stats.counted,
            format!("{:?} {:?}", stats.again, stats.cuts_by_phase),
        )
    };
    assert_eq!(stats(&tree), stats(&packed));
    let last = NodeId { stream: 0, index: packed.len() - 1 };
    let line = packed.line(last).unwrap();
    for pair in line.windows(2) {
        assert!(packed.children(pair[0]).unwrap().contains(&pair[1]));
    }
}

#[test]
fn filters_keep_what_they_say() {
    let setup = |filter| Setup::<Chess> { filter, ..Setup::new("best", Limits::depth(7)) };
    let whole = setup(Filter::default()).tree();
    let counted = |tree: &Tree| Stats::of(tree, &Signal::new()).unwrap().counted;

    let iterations = setup(Filter { iterations: Some((5, 6)), ..Filter::default() }).tree();
    let depths: Vec<i32> =
        iterations.roots(0).unwrap().iter().map(|&id| iterations.node(id).unwrap().depth.whole_plies()).collect();
    assert!(!depths.is_empty() && depths.iter().all(|depth| (5..=6).contains(depth)), "{depths:?}");
    assert_eq!(iterations.head().filter.as_deref(), Some("--iterations 5-6"));

    let above = setup(Filter { above: Some(1), ..Filter::default() }).tree();
    above.scan(&Signal::new(), |visit| assert!(visit.node.depth > Depth::PLY)).unwrap();
    assert!(above.len() * 5 < whole.len());
    let first = whole.node(whole.roots(0).unwrap()[0]).unwrap().nodes;
    assert_eq!(counted(&above) + first, counted(&whole), "what is not recorded is counted, but for iteration 1");

    let below = setup(Filter { below: Some(3), ..Filter::default() }).tree();
    below.scan(&Signal::new(), |visit| assert!(visit.node.ply < 3)).unwrap();
    assert_eq!(counted(&below), counted(&whole));

    let sample = setup(Filter { sample: Some(20), ..Filter::default() }).tree();
    assert!(sample.len() * 3 < whole.len(), "{} of {}", sample.len(), whole.len());
    assert_eq!(counted(&sample), counted(&whole));
    assert_eq!(families(&sample, 0).len() as u64, sample.len());
}

#[test]
fn every_thread_has_a_stream() {
    let setup = Setup::<Chess> { threads: 2, ..Setup::new("best", Limits::depth(7)) };
    let (_folder, path) = file();
    let report = setup.record(&path);
    let tree = Tree::open(&path).unwrap();
    assert_eq!(tree.streams(), 2);
    assert_eq!(tree.len(), report.nodes);
    let checked = plywise_tree::check(&tree, &setup.params, Some(&mut setup.board())).unwrap();
    assert!(checked.is_sound(), "{:?}", checked.findings);
}

#[test]
fn a_search_that_is_stopped_ends_in_open_nodes() {
    let tree = Setup::<Chess>::new("best", Limits::nodes(5000)).tree();
    assert_eq!(tree.len(), 5000);
    let last = tree.roots(0).unwrap().pop().unwrap();
    assert_eq!(tree.node(last).unwrap().end, Ended::Stopped);
    assert_eq!(tree.node(last).unwrap().value, None);
    assert!(tree.loss().is_none());
}
