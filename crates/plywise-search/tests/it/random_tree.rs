//! A game without a board: a random tree that is fixed by its seed, with transpositions, checks, captures, passes and
//! early ends. What a position offers depends on its key alone.

use plywise_game::{Evaluate, Game, Outcome, Phase, Score, Side, random};

pub enum RandomTree {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub key: u64,
    pub second: bool,
}

impl Node {
    pub fn seeded(seed: u64) -> Node {
        Node { key: mix(seed), second: false }
    }

    fn draw(&self, salt: u64) -> u64 {
        mix(self.key ^ mix(salt) ^ u64::from(self.second))
    }
}

/// A number that looks random.
pub fn mix(n: u64) -> u64 {
    random::number(n, 0)
}

const END: u64 = 1;
const WIDTH: u64 = 2;
const TACTICAL: u64 = 3;
const EXCHANGE: u64 = 4;
const CHECK: u64 = 5;
const STUCK: u64 = 6;
const STRUCTURE: u64 = 7;

impl Game for RandomTree {
    type Position = Node;
    type Move = u8;

    fn start() -> Node {
        Node::seeded(0)
    }

    fn side_to_move(node: &Node) -> Side {
        if node.second { Side::Second } else { Side::First }
    }

    fn moves(node: &Node, each: impl FnMut(u8)) {
        if Self::decided(node).is_none() && !node.draw(STUCK).is_multiple_of(50) {
            (1..=1 + (node.draw(WIDTH) % 6) as u8).for_each(each);
        }
    }

    /// Moves of one side commute: a, x, b leads where b, x, a does.
    fn play(node: &Node, mv: u8) -> Node {
        let step = mix(u64::from(mv) << 1 | u64::from(node.second));
        Node { key: node.key.wrapping_add(step), second: !node.second }
    }

    fn hash(node: &Node) -> u64 {
        mix(node.key ^ u64::from(node.second))
    }

    fn decided(node: &Node) -> Option<Outcome> {
        match node.draw(END) % 40 {
            0 => Some(Outcome::Win),
            1 => Some(Outcome::Loss),
            2 => Some(Outcome::Draw),
            _ => None,
        }
    }

    fn stuck(node: &Node) -> Outcome {
        if node.draw(STUCK).is_multiple_of(100) { Outcome::Loss } else { Outcome::Draw }
    }

    fn move_code(mv: u8) -> u16 {
        mv.into()
    }

    const CAPTURE_INDICES: usize = 12;

    fn capture_index(node: &Node, mv: u8) -> usize {
        Self::move_index(node, mv)
    }

    const STRUCTURE_KEYS: usize = 1;

    /// There are four structures.
    fn structure_hash(node: &Node, _: usize) -> u64 {
        node.draw(STRUCTURE) >> 62 << 62
    }

    const MOVE_INDICES: usize = 12;

    fn move_index(node: &Node, mv: u8) -> usize {
        usize::from(mv - 1) * 2 + usize::from(node.second)
    }

    fn tactical_value(node: &Node, mv: u8) -> Option<i32> {
        (node.draw(TACTICAL + u64::from(mv) * 64).is_multiple_of(4)).then_some(i32::from(mv))
    }

    fn exchange_value(node: &Node, mv: u8) -> i32 {
        500 * ((node.draw(EXCHANGE + u64::from(mv) * 64) % 5) as i32 - 1)
    }

    fn in_check(node: &Node) -> bool {
        node.draw(CHECK).is_multiple_of(8)
    }

    fn null_move(node: &Node) -> Option<Node> {
        (!Self::in_check(node)).then(|| Node { second: !node.second, ..node.clone() })
    }

    fn phase(node: &Node) -> Phase {
        [Phase::Opening, Phase::Middlegame, Phase::Endgame][(node.key % 3) as usize]
    }
}

/// An evaluation that knows nothing: any number within `range` of 0, fixed by the position.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    pub salt: u64,
    pub range: u64,
}

impl<G: Game> Evaluate<G> for Hashed {
    fn evaluate(&mut self, position: &G::Position) -> Score {
        (mix(G::hash(position) ^ self.salt) % (2 * self.range + 1)) as Score - self.range as Score
    }
}
