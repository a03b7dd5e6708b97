use plywise_game::{Depth, Score, Window};
use plywise_search::{Bound, End, ExtensionClass, Likelihood, MovePhase, NodeKind, Purpose, Technique};

/// A node of a recorded tree: all that the search knew about it, but for the position, which its line leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move that led here: its code in the game, or its number among the texts of the file. 0 where there is none: at
    /// the root, and after a null move.
    pub mv: u32,
    /// Plies from the root.
    pub ply: u16,
    /// The depth left.
    pub depth: Depth,
    /// The window on entry.
    pub window: Window,
    /// The window after mate distance or the table narrowed it, where they did.
    pub narrowed: Option<Window>,
    /// What the node was expected to be; `None` where another program did not say.
    pub kind: Option<NodeKind>,
    /// What it was searched for; `None` for a probe of another program.
    pub purpose: Option<Purpose>,
    /// What the move that led here was searched at.
    pub price: Depth,
    /// What that move costs in full.
    pub full: Depth,
    /// The number of that move in the order, from 1; 0 where there is none.
    pub number: u32,
    /// The part of the order that it comes from.
    pub phase: Option<MovePhase>,
    /// The class by which it was priced.
    pub extension: Option<ExtensionClass>,
    /// How likely it was to raise alpha, where prices are learned.
    pub likelihood: Option<Likelihood>,
    /// The evaluation, where it was asked for.
    pub evaluation: Option<Score>,
    /// The value for the side to move; `None` where the search was stopped first.
    pub value: Option<Score>,
    /// Whether the value may not be the minimax value because a node below was left early.
    pub uncertain: bool,
    /// Why it was left.
    pub end: Ended,
    /// How many moves each technique left out.
    pub left_out: LeftOut,
    /// How many recorded nodes its subtree has, itself included.
    pub records: u64,
    /// How many nodes the search counted in its subtree, itself included.
    pub nodes: u64,
}

impl Node {
    /// The window that its moves were searched with.
    pub fn used_window(&self) -> Window {
        self.narrowed.unwrap_or(self.window)
    }

    /// Whether its value is exact or a bound, by the window on entry: narrowing takes away only what it cannot be.
    pub fn bound(&self) -> Option<Bound> {
        self.value.map(|value| Bound::of(value, self.window))
    }

    /// The technique that cut it.
    pub fn cut_by(&self) -> Option<Technique> {
        match self.end {
            Ended::By(End::Cut(technique)) => Some(technique),
            _ => None,
        }
    }

    /// Whether no move leads to it: it is a root, or searches the position of the node above once more.
    pub fn stays(&self) -> bool {
        self.purpose.map_or(self.mv == 0, Purpose::stays)
    }

    /// Whether it belongs to the moves of the node above, rather than to a technique's probe.
    pub fn is_move(&self) -> bool {
        use Purpose::{FullPrice, Move, OpenWindow, Step};
        matches!(self.purpose, Some(Move | Step | FullPrice | OpenWindow))
    }

    /// Whether it searches a move again that was searched before.
    pub fn is_again(&self) -> bool {
        self.is_move() && self.purpose != Some(Purpose::Move)
    }

    /// Whether it lies beyond the horizon.
    pub fn is_quiescence(&self) -> bool {
        self.kind == Some(NodeKind::Quiescence)
    }
}

/// Why a recorded node was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// As the search said.
    By(End),
    /// The search was stopped, or its recording cut off, while the node was open.
    Stopped,
    /// Another program did not say.
    Unknown,
}

/// The techniques that leave out moves, in the order in which [`LeftOut`] counts them.
pub const LEAVERS: [Technique; 7] = [
    Technique::NBest,
    Technique::LateMovePruning,
    Technique::Futility,
    Technique::LosingExchanges,
    Technique::Uncertainty,
    Technique::HistoryPruning,
    Technique::LearnedPrice,
];

/// How many moves of a node each technique left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut([u16; LEAVERS.len()]);

impl LeftOut {
    /// Adds moves that a technique left out.
    pub fn add(&mut self, technique: Technique, moves: usize) {
        if let Some(place) = LEAVERS.iter().position(|&leaver| leaver == technique) {
            self.0[place] = self.0[place].saturating_add(moves.min(u16::MAX.into()) as u16);
        }
    }

    /// How many one technique left out.
    pub fn by(&self, technique: Technique) -> u16 {
        LEAVERS.iter().position(|&leaver| leaver == technique).map_or(0, |place| self.0[place])
    }

    /// How many were left out in all.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&moves| u32::from(moves)).sum()
    }

    /// The techniques that left out any, and how many.
    pub fn each(&self) -> impl Iterator<Item = (Technique, u16)> {
        LEAVERS.into_iter().zip(self.0).filter(|(_, moves)| *moves > 0)
    }

    pub(crate) fn counts(&self) -> [u16; LEAVERS.len()] {
        self.0
    }

    pub(crate) fn of(counts: [u16; LEAVERS.len()]) -> LeftOut {
        LeftOut(counts)
    }
}

/// A node of a file: the thread that searched it, and its number in the order in which that thread left its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    /// The thread, from 0.
    pub stream: u16,
    /// The number, from 0.
    pub index: u64,
}

impl std::fmt::Display for NodeId {
    /// The number alone in the first thread, `thread:number` in the others.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.stream {
            0 => write!(f, "{}", self.index),
            stream => write!(f, "{stream}:{}", self.index),
        }
    }
}

impl std::str::FromStr for NodeId {
    type Err = String;
    fn from_str(text: &str) -> Result<NodeId, String> {
        let (stream, index) = text.split_once(':').unwrap_or(("0", text));
        match (stream.parse(), index.parse()) {
            (Ok(stream), Ok(index)) => Ok(NodeId { stream, index }),
            _ => Err("a node is a number such as 1234, or 1:1234 in the second thread".into()),
        }
    }
}
