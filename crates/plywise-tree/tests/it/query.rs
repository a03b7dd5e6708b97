//! Questions are answered as somebody with all nodes in memory would.

use crate::support::Setup;
use plywise_chess::Chess;
use plywise_game::Depth;
use plywise_loa::Loa;
use plywise_search::{End, Limits, NodeKind, Purpose, Signal, Technique};
use plywise_tree::{Ended, MoveCost, Node, NodeId, Query, Tree, TreeNotation, assert_none};
use std::collections::BTreeMap;

/// All nodes, with the place of each one's parent.
fn all(tree: &Tree) -> Vec<(Node, Option<usize>)> {
    let nodes: Vec<Node> = (0..tree.len()).map(|index| tree.node(NodeId { stream: 0, index }).unwrap()).collect();
    let mut parents = vec![None; nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        // The smallest subtree that holds a node is that of its parent: parents come later, larger ones overwrite nothing.
        for parent in &mut parents[place + 1 - node.records as usize..place] {
            parent.get_or_insert(place);
        }
    }
    nodes.into_iter().zip(parents).collect()
}

#[track_caller]
fn compare(
    tree: &Tree,
    notation: &dyn TreeNotation,
    question: &str,
    holds: impl Fn(&Node, Option<&Node>, &[Node]) -> bool,
) {
    let nodes = all(tree);
    let mut children: Vec<Vec<Node>> = vec![Vec::new(); nodes.len()];
    for (node, parent) in &nodes {
        if let Some(parent) = parent {
            children[*parent].push(*node);
        }
    }
    let expected: Vec<u64> = (0..nodes.len())
        .filter(|&place| holds(&nodes[place].0, nodes[place].1.map(|parent| &nodes[parent].0), &children[place]))
        .map(|place| place as u64)
        .collect();
    let answer = Query::parse(question).unwrap().ask(tree, notation, 50, &Signal::new()).unwrap();
    let found: Vec<u64> = answer.first.iter().map(|(id, _)| id.index).collect();
    assert_eq!(answer.count, expected.len() as u64, "{question}");
    assert_eq!(found, expected[..expected.len().min(50)], "{question}");
    assert!(answer.count > 0, "{question} is true of no node: it tests nothing");
}

#[test]
fn answers_are_those_of_a_plain_look() {
    let setup = Setup::<Chess>::new("best", Limits::depth(7));
    let (tree, notation) = (setup.tree(), setup.notation());
    compare(&tree, &notation, "kind = cut and cut_by = null_move and parent.depth >= 4", |node, parent, _| {
        node.kind == Some(NodeKind::Cut)
            && node.cut_by() == Some(Technique::NullMove)
            && parent.is_some_and(|parent| parent.depth >= Depth::plies(4))
    });
    compare(&tree, &notation, "value < parent.beta and not end = moves", |node, parent, _| {
        node.end != Ended::By(End::Moves)
            && parent.is_some_and(|parent| node.value.is_some_and(|value| value < parent.window.beta))
    });
    compare(&tree, &notation, "any(child, purpose = null_move and value >= beta)", |_, _, children| {
        children.iter().any(|child| {
            child.purpose == Some(Purpose::NullMove) && child.value.is_some_and(|value| value >= child.window.beta)
        })
    });
    compare(&tree, &notation, "count(child) > 5 and max(child, -value) = value", |node, _, children| {
        children.len() > 5 && children.iter().filter_map(|child| child.value).map(|value| -value).max() == node.value
    });
    compare(&tree, &notation, "left_out_by_futility > 3 and abs(evaluation - value) < 2 * 150", |node, _, _| {
        node.left_out.by(Technique::Futility) > 3
            && node.evaluation.zip(node.value).is_some_and(|(one, other)| (one - other).abs() < 300)
    });
    compare(&tree, &notation, "evaluation = none and subtree > 2", |node, _, _| {
        node.evaluation.is_none() && node.nodes > 2
    });
    compare(&tree, &notation, "reduction > 1 and phase = rest or extension > 0.2", |node, _, _| {
        (node.price - node.full > Depth::PLY && node.phase == Some(plywise_search::MovePhase::Rest))
            || Depth::PLY - node.full > Depth::hundredths(20)
    });
}

#[test]
fn paths_are_in_the_notation_of_the_game() {
    let setup = Setup::<Chess>::new("classic", Limits::depth(6));
    let (tree, notation) = (setup.tree(), setup.notation());
    let ask = |question: &str| Query::parse(question).unwrap().ask(&tree, &notation, 1000, &Signal::new()).unwrap();
    let answer = ask("path = 'e4 e5' and purpose = move");
    assert!(answer.count > 0);
    for (id, _) in &answer.first {
        assert_eq!(notation.line(&tree.moves_to(*id).unwrap()), ["e4", "e5"]);
    }
    let below = ask("path begins 'e4 e5' and ply > 2");
    assert!(below.count > 0);
    assert!(below.first.iter().all(|(id, _)| notation.line(&tree.moves_to(*id).unwrap())[..2] == ["e4", "e5"]));
    assert!(ask("move = 'Nf3' and ply = 1").count > 0);
    assert_eq!(ask("path = 'e4 e5' and ply != 2").count, 0);
    let root = tree.roots(0).unwrap().pop().unwrap();
    let line = [notation.read(&[], "e4").unwrap()];
    let child = tree.descend(root, &line).unwrap().unwrap();
    assert_eq!(notation.line(&tree.moves_to(child).unwrap()), ["e4"]);
    assert!(Query::parse("move = 'e4'").unwrap().fits(&tree, &notation, child).unwrap());
}

#[test]
fn what_must_not_happen_can_be_asserted() {
    let setup = Setup::<Loa>::new("multicut", Limits::depth(5));
    let (tree, notation) = (setup.tree(), setup.notation());
    assert_none(&tree, &notation, "cut_by = multi_cut and value != beta");
    assert_none(&tree, &notation, "cut_by = multi_cut and kind != cut");
    assert_none(&tree, &notation, "depth / 0 > 1 or ply / 0 = ply / 0");
    let panic = std::panic::catch_unwind(|| assert_none(&tree, &notation, "cut_by = multi_cut")).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("nodes of the tree are what must not be: cut_by = multi_cut"), "{message}");
}

#[test]
fn moves_cost_what_a_plain_count_says() {
    let setup = Setup::<Chess>::new("best", Limits::depth(7));
    let tree = setup.tree();
    let nodes = all(&tree);
    let key = |node: &Node| (!node.stays() && node.ply > 0).then_some((node.mv, node.ply.is_multiple_of(2)));
    let mut expected: BTreeMap<(u32, bool), (u64, u64)> = BTreeMap::new();
    for (node, parent) in &nodes {
        let Some(of) = key(node) else { continue };
        let above = std::iter::successors(*parent, |&place| nodes[place].1);
        let is_inner = above.into_iter().any(|place| key(&nodes[place].0) == Some(of));
        let (searches, cost) = expected.entry(of).or_default();
        *searches += 1;
        *cost += if is_inner { 0 } else { node.nodes };
    }
    let mut told = 0;
    let costs = MoveCost::of(&tree, &Signal::new(), &mut |seen| told = seen).unwrap();
    assert!(told <= tree.len() && costs.is_sorted_by(|one, other| one.nodes >= other.nodes));
    assert!(expected.values().any(|(searches, _)| *searches > 10), "moves recur");
    let found: BTreeMap<(u32, bool), (u64, u64)> =
        costs.iter().map(|cost| ((cost.mv, cost.is_second), (cost.searches, cost.nodes))).collect();
    assert_eq!(found, expected);
    for cost in &costs {
        let largest = tree.node(cost.largest).unwrap();
        assert_eq!(key(&largest), Some((cost.mv, cost.is_second)));
    }
    let stop = Signal::new();
    stop.stop();
    assert!(MoveCost::of(&tree, &stop, &mut |_| {}).is_err());
}
