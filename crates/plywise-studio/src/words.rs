//! A node in words: what happened there.

use plywise_host::show_count;
use plywise_search::{Bound, End, Purpose, Technique};
use plywise_tree::{Ended, Node, NodeId, Tree, TreeError, names_of};

/// What happened at a node.
pub(crate) fn tell(tree: &Tree, id: NodeId, node: &Node) -> Result<String, TreeError> {
    let children: Result<Vec<Node>, TreeError> = tree.children(id)?.into_iter().map(|id| tree.node(id)).collect();
    let children = children?;
    let mut parts = vec![ending(node, &children)];
    let failed = |purpose: Purpose, technique: Technique, what: &str| {
        let tried = children.iter().any(|child| child.purpose == Some(purpose));
        (tried && node.cut_by() != Some(technique)).then(|| what.to_string())
    };
    parts.extend(failed(Purpose::NullMove, Technique::NullMove, "the null move had failed"));
    parts.extend(failed(Purpose::MultiCut, Technique::MultiCut, "multi-cut had failed"));
    parts.extend(failed(Purpose::ProbCut, Technique::ProbCut, "ProbCut had failed"));
    let again = children.iter().filter(|child| child.is_again()).count();
    parts.extend((again > 0).then(|| format!("{} searched again", count(again as u64, "move was", "moves were"))));
    for (technique, moves) in node.left_out.each() {
        parts.push(format!("{} left out by {}", count(moves.into(), "move", "moves"), spoken(technique.name())));
    }
    parts.push(match node.nodes {
        1 => "nothing below".into(),
        nodes => format!("{} in its subtree", count(nodes, "node", "nodes")),
    });
    let mut sentence = parts.join("; ");
    if let Some(first) = sentence.get(..1).map(str::to_uppercase) {
        sentence.replace_range(..1, &first);
    }
    Ok(sentence + ".")
}

fn ending(node: &Node, children: &[Node]) -> String {
    let moves = children.iter().filter(|child| child.purpose == Some(Purpose::Move)).count() as u64;
    match (node.end, node.bound()) {
        (Ended::By(End::Moves), Some(Bound::Lower)) => match children.iter().rfind(|child| child.is_move()) {
            Some(last) if last.number == 1 => "cut by the first move".into(),
            Some(last) => format!("cut by move {}", last.number),
            None => "its evaluation was good enough".into(),
        },
        (Ended::By(End::Moves), Some(Bound::Upper)) if moves == 0 => "no move was worth a try".into(),
        (Ended::By(End::Moves), Some(Bound::Upper)) => {
            format!("{} searched, and none reached alpha", count(moves, "move was", "moves were"))
        }
        (Ended::By(End::Moves), _) if moves == 0 => "no move was worth a try, and its evaluation stands".into(),
        (Ended::By(End::Moves), _) => format!("{} searched, and one is best", count(moves, "move was", "moves were")),
        (Ended::By(End::StandPat), _) => "standing pat is good enough".into(),
        (Ended::By(End::Evaluated), _) => "the line was long enough, and is evaluated".into(),
        (Ended::By(End::Draw), _) => "a draw".into(),
        (Ended::By(End::Over), _) => "the game is over".into(),
        (Ended::By(End::Cut(Technique::Table)), _) => "the table knew".into(),
        (Ended::By(End::Cut(technique)), _) => format!("cut by {}", spoken(technique.name())),
        (Ended::Stopped, _) => "the search was stopped here".into(),
        (Ended::Unknown, _) => format!("left for a reason that was not told ({})", names_of(node).kind),
    }
}

fn spoken(name: &str) -> String {
    name.replace('_', " ")
}

/// A number and its noun, thousands apart.
fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", show_count(number), if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn numbers_are_spoken() {
        assert_eq!(count(1, "node", "nodes"), "1 node");
        assert_eq!(count(41_203, "node", "nodes"), "41,203 nodes");
        assert_eq!(count(1_000_000, "node", "nodes"), "1,000,000 nodes");
    }
}
