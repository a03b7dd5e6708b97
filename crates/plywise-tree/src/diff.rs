//! Where two searches of one position part.

use crate::names::{EXTENSIONS, KINDS, PHASES, PURPOSES};
use crate::node::{Node, NodeId};
use crate::notation::{TreeNotation, moves};
use crate::reader::{Step, Tree, TreeError};
use plywise_game::Score;
use plywise_search::Signal;

/// The first step that two searches do not share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The moves that lead to the node where they part.
    pub moves: Vec<u32>,
    /// How many steps they share.
    pub shared: u64,
    /// What the first does next; `None` where it has ended.
    pub a: Option<Act>,
    /// What the second does next.
    pub b: Option<Act>,
    /// What is not the same, and what it is in each.
    pub differences: Vec<(&'static str, String, String)>,
}

impl Parting {
    /// What is not the same, with moves as players write them.
    pub fn told(&self, notation: &dyn TreeNotation) -> Vec<(&'static str, String, String)> {
        let name = |act: Option<Act>| {
            let line: Vec<u32> = self.moves.iter().copied().chain(act.map(|act| act.node.mv)).collect();
            notation.line(&line).pop().unwrap_or_default()
        };
        let told = |(what, a, b): &(&'static str, String, String)| match *what {
            "move" => ("move", name(self.a), name(self.b)),
            what => (what, a.clone(), b.clone()),
        };
        self.differences.iter().map(told).collect()
    }
}

/// A step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Act {
    /// The node.
    pub id: NodeId,
    /// The node itself.
    pub node: Node,
    /// Whether it is left, and not entered.
    pub leaves: bool,
}

impl Act {
    fn of(step: Step) -> Act {
        match step {
            Step::Enter(id, node) => Act { id, node, leaves: false },
            Step::Leave(id, node) => Act { id, node, leaves: true },
        }
    }
}

/// Follows the first threads of two searches until they part; `None` where they are the same. A signal ends it early, with an
/// error.
pub fn parting(a: &Tree, b: &Tree, stop: &Signal) -> Result<Option<Parting>, TreeError> {
    let (mut one, mut other) = (a.replay(0)?, b.replay(0)?);
    let mut open: Vec<Node> = Vec::new();
    let mut shared = 0;
    loop {
        if stop.is_stopped() {
            return Err(TreeError::Stopped);
        }
        let acts = (one.next().transpose()?.map(Act::of), other.next().transpose()?.map(Act::of));
        let differences = match acts {
            (None, None) => return Ok(None),
            (Some(a), Some(b)) => differences(&a, &b),
            (a, b) => {
                let what = |act: Option<Act>| if act.is_some() { "goes on".to_string() } else { "has ended".into() };
                vec![("search", what(a), what(b))]
            }
        };
        let (a, b) = acts;
        if !differences.is_empty() {
            // The node that is left is open; that which is entered is not yet.
            return Ok(Some(Parting { moves: moves(&open), shared, a, b, differences }));
        }
        shared += 1;
        match a {
            Some(act) if act.leaves => drop(open.pop()),
            Some(act) => open.push(act.node),
            None => {}
        }
    }
}

fn differences(a: &Act, b: &Act) -> Vec<(&'static str, String, String)> {
    let step = |act: &Act| if act.leaves { "leaves".to_string() } else { "enters".into() };
    let score = |score: Option<Score>| score.map_or("none".into(), |score| score.to_string());
    let (one, other) = (&a.node, &b.node);
    if a.leaves != b.leaves {
        return vec![("step", step(a), step(b))];
    }
    let row = |name: &'static str, tell: &dyn Fn(&Node) -> String| (name, tell(one), tell(other));
    let rows = if a.leaves {
        vec![
            row("narrowed window", &|node| {
                node.narrowed.map_or("none".into(), |window| format!("({}, {})", window.alpha, window.beta))
            }),
            row("end", &|node| node.end.name().into()),
            row("value", &|node| score(node.value)),
            row("evaluation", &|node| score(node.evaluation)),
            row("uncertain", &|node| node.uncertain.to_string()),
            row("left_out", &|node| {
                let each: Vec<String> =
                    node.left_out.each().map(|(technique, moves)| format!("{} {moves}", technique.name())).collect();
                if each.is_empty() { "none".into() } else { each.join(", ") }
            }),
        ]
    } else {
        vec![
            row("move", &|node| node.mv.to_string()),
            row("purpose", &|node| PURPOSES.name(node.purpose).into()),
            row("depth", &|node| node.depth.to_string()),
            row("window", &|node| format!("({}, {})", node.window.alpha, node.window.beta)),
            row("kind", &|node| KINDS.name(node.kind).into()),
            row("price", &|node| node.price.to_string()),
            row("full price", &|node| node.full.to_string()),
            row("number", &|node| node.number.to_string()),
            row("phase", &|node| PHASES.name(node.phase).into()),
            row("class", &|node| EXTENSIONS.name(node.extension).into()),
        ]
    };
    rows.into_iter().filter(|(_, one, other)| one != other).collect()
}
