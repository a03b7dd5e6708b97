use crate::evolution::Genome;
use plywise_game::linear::Balance;
use plywise_game::score::{self, EVAL_LIMIT, INFINITY};
use plywise_game::{Game, Linear, Score};
use plywise_search::{Beyond, Params};
use std::marker::PhantomData;

/// How many evaluations look at a tree at once.
pub(super) const LANES: usize = 32;

/// A number for each of them.
pub(super) type Lanes = [i32; LANES];

/// Weights that always have the same value are one column of a tree.
#[derive(Clone, Debug)]
pub struct Columns {
    /// The column of each weight, or nothing where no gene drives it.
    of: Vec<Option<usize>>,
    /// What those are.
    fixed: Vec<i32>,
    /// A weight of each column.
    weights: Vec<usize>,
}

impl Columns {
    /// The columns for the evaluations that a genome makes.
    pub fn new(genome: &Genome) -> Columns {
        let (of, weights) = genome.groups();
        let nothing: Vec<i32> = genome.genes().iter().map(|gene| gene.offset).collect();
        Columns { fixed: genome.settings(&nothing), of, weights }
    }

    /// Up to [`LANES`] sets of weights, side by side in each column.
    pub(super) fn interleave(&self, weights: &[Vec<i32>]) -> Vec<Lanes> {
        let column = |&place: &usize| {
            let mut lanes = [0; LANES];
            lanes.iter_mut().zip(weights).for_each(|(lane, weights)| *lane = weights[place]);
            lanes
        };
        self.weights.iter().map(column).collect()
    }
}

/// Makes scores of sums of weights times amounts, as the evaluation of a game does.
#[derive(Clone, Copy)]
pub(super) struct ToPoints(fn(&mut Lanes));

impl ToPoints {
    pub(super) fn of<G: Game, W: Linear<G>>() -> ToPoints {
        ToPoints(|sums| sums.iter_mut().for_each(|sum| *sum = W::points(*sum).clamp(-EVAL_LIMIT, EVAL_LIMIT)))
    }
}

/// The lines that quiescence plays from some positions, with the amounts of the features in each node.
#[derive(Clone, Debug, Default)]
pub struct CaptureTree {
    nodes: Vec<Node>,
    terms: Vec<Term>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The place of the node before it; its own for a first node.
    parent: u32,
    /// Where its terms end; they begin where those of the node before end.
    terms_end: u32,
    stand: Stand,
}

/// What a node is worth to the side to move without a move of its own.
#[derive(Clone, Copy, Debug)]
enum Stand {
    /// Its evaluation; this much comes from weights that never change, before it is divided.
    Evaluated(i32),
    /// It must move.
    Nothing,
    /// The rules say.
    Known(Score),
}

#[derive(Clone, Copy, Debug)]
struct Term {
    column: u32,
    amount: i32,
}

/// Grows trees, one after the other.
pub struct Grower<'a, G: Game, W: Linear<G>> {
    columns: &'a Columns,
    params: &'a Params,
    balance: Balance<W>,
    tree: CaptureTree,
    _game: PhantomData<fn() -> G>,
}

impl<'a, G: Game, W: Linear<G>> Grower<'a, G, W> {
    /// Grows trees for these columns, with the quiescence of `params`.
    pub fn new(columns: &'a Columns, params: &'a Params) -> Grower<'a, G, W> {
        Grower { columns, params, balance: Balance::new(), tree: CaptureTree::default(), _game: PhantomData }
    }

    /// Adds the lines from a position that stands `ply` plies after the root, and says where it is. A position that
    /// the rules decide, mate and stalemate included, has none.
    pub fn add(&mut self, position: &G::Position, ply: usize) -> usize {
        let place = self.tree.len();
        self.grow(position, ply, place, Beyond::HORIZON);
        place
    }

    /// The tree, and nothing of it stays.
    pub fn take(&mut self) -> CaptureTree {
        self.tree.nodes.shrink_to_fit();
        self.tree.terms.shrink_to_fit();
        std::mem::take(&mut self.tree)
    }

    fn grow(&mut self, position: &G::Position, ply: usize, parent: usize, beyond: Beyond) {
        if let Some(outcome) = G::decided(position) {
            return self.push(parent, Stand::Known(score::of_outcome(outcome, ply)));
        }
        if G::drawn_by_rule(position) {
            return self.push(parent, Stand::Known(score::DRAW));
        }
        if G::is_stuck(position) {
            return self.push(parent, Stand::Known(score::of_outcome(G::stuck(position), ply)));
        }
        let quiescence = &self.params.quiescence;
        if !beyond.goes_on(quiescence) {
            return self.push_evaluated(position, parent);
        }
        let place = self.tree.len();
        let in_check = G::in_check(position);
        let mut moves = Vec::new();
        match in_check {
            true => G::moves(position, |mv| moves.push(mv)),
            false => G::tactical_moves(position, |mv| moves.push(mv)),
        }
        let next = beyond.next(moves.len());
        if !in_check && quiescence.leave_out_losing {
            moves.retain(|&mv| G::exchange_value(position, mv) >= 0);
        }
        match in_check {
            true => self.push(parent, Stand::Nothing),
            false => self.push_evaluated(position, parent),
        }
        for mv in moves {
            self.grow(&G::play(position, mv), ply + 1, place, next);
        }
    }

    fn push(&mut self, parent: usize, stand: Stand) {
        let terms_end = self.tree.terms.len() as u32;
        self.tree.nodes.push(Node { parent: parent as u32, terms_end, stand });
    }

    fn push_evaluated(&mut self, position: &G::Position, parent: usize) {
        W::add_terms(position, &mut self.balance);
        let (start, mut constant) = (self.tree.terms.len(), 0);
        self.balance.take(|place, amount| match self.columns.of[place] {
            Some(column) => self.tree.terms.push(Term { column: column as u32, amount }),
            None => constant += self.columns.fixed[place] * amount,
        });
        self.tree.merge(start);
        self.push(parent, Stand::Evaluated(constant));
    }
}

impl CaptureTree {
    /// How many nodes it has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Brings the terms from `start` on to one for each column.
    fn merge(&mut self, start: usize) {
        let terms = &mut self.terms;
        terms[start..].sort_unstable_by_key(|term| term.column);
        let mut end = start;
        for i in start..terms.len() {
            let term = terms[i];
            if end > start && terms[end - 1].column == term.column {
                terms[end - 1].amount += term.amount;
            } else {
                terms[end] = term;
                end += 1;
            }
        }
        terms.truncate(end);
    }

    /// What each evaluation thinks of every node, for the side to move there.
    pub(super) fn evaluate(&self, weights: &[Lanes], to_points: ToPoints, values: &mut Vec<Lanes>) {
        values.clear();
        let mut start = 0;
        for node in &self.nodes {
            let terms = &self.terms[start..node.terms_end as usize];
            start = node.terms_end as usize;
            values.push(match node.stand {
                Stand::Known(score) => [score; LANES],
                Stand::Nothing => [-INFINITY; LANES],
                Stand::Evaluated(constant) => {
                    let mut sums = [constant; LANES];
                    add_terms(terms, weights, &mut sums);
                    (to_points.0)(&mut sums);
                    sums
                }
            });
        }
        hand_on(&self.nodes, values);
    }
}

plywise_game::for_each_level! {
    /// Adds weights times amounts, for all evaluations.
    fn add_terms(terms: &[Term], weights: &[Lanes], sums: &mut Lanes) {
        for &Term { column, amount } in terms {
            let column = &weights[column as usize];
            // Tests are built without the optimisation that ranges need here.
            let mut lane = 0;
            while lane < LANES {
                sums[lane] += column[lane] * amount;
                lane += 1;
            }
        }
    }
}

plywise_game::for_each_level! {
    /// Makes the value of every node that of its best move, or of none. A node stands after the one that it comes from:
    /// backwards, every value is whole before it is handed on.
    fn hand_on(nodes: &[Node], values: &mut [Lanes]) {
        for (place, node) in nodes.iter().enumerate().rev() {
            let parent = node.parent as usize;
            if parent != place {
                let value = values[place];
                let best = &mut values[parent];
                let mut lane = 0;
                while lane < LANES {
                    best[lane] = if best[lane] > -value[lane] { best[lane] } else { -value[lane] };
                    lane += 1;
                }
            }
        }
    }
}
