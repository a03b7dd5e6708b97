//! Evaluations that choose as somebody did: which of the moves played would a search of one ply have found?
//!
//! An evaluation looks at a move by what quiescence makes of the position after it. Quiescence plays the same lines for
//! every evaluation that is linear in its weights, as long as what it leaves out does not hang on the weights; so these
//! trees are made once ([`CaptureTree`]), with the amounts of the features in each node. What an evaluation thinks of them
//! is then a product of its weights with these amounts, and a pass of negamax over the trees: many evaluations at once
//! ([`Imitation`]), in whole numbers, as the search itself would.
//!
//! After David-Tabibi, van den Herik, Koppel & Netanyahu, "Simulating human grandmasters: evolution and coevolution of
//! evaluation functions" (2009), and for scores instead of moves David-Tabibi, Koppel & Netanyahu, "Genetic algorithms for
//! mentor-assisted evaluation function optimization" (2008).

mod capture_tree;
mod sample;

pub use capture_tree::{CaptureTree, Columns, Grower};
pub use sample::{Sample, Sampler, Selection, USUAL_RATING};

use capture_tree::{LANES, Lanes, ToPoints};
use plywise_game::Score;
use plywise_game::random::number;
use plywise_host::{AnyPosition, Move, Playable};
use plywise_search::Params;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A position in which somebody moved, ready for any evaluation.
struct Choice {
    tree: CaptureTree,
    /// The positions after the moves, by their place in the tree, with what decides between equals.
    moves: Vec<(usize, u64, Move)>,
    /// Which of them was played.
    played: usize,
}

/// Positions in which somebody moved, as evaluations see them.
///
/// It knows its game only while the trees grow: evaluations look at them whatever the game.
pub struct Imitation {
    columns: Columns,
    choices: Vec<Choice>,
    to_points: ToPoints,
}

impl Imitation {
    /// What evaluations whose weights are grouped in these columns can be asked about. Quiescence is that of `params`;
    /// of moves that an evaluation finds equal, the seed decides.
    pub fn new<G: Playable>(
        samples: &[Sample],
        columns: Columns,
        params: &Params,
        seed: u64,
        threads: usize,
    ) -> Imitation {
        let choices = in_parallel(samples.len(), threads, |range| {
            let mut grower = Grower::<G, G::Weights>::new(&columns, params);
            let choice = |sample| choice::<G>(sample, &mut grower, seed);
            samples[range].iter().filter_map(choice).collect::<Vec<_>>()
        });
        Imitation {
            choices: choices.into_iter().flatten().collect(),
            columns,
            to_points: ToPoints::of::<G, G::Weights>(),
        }
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// The nodes of all trees.
    pub fn nodes(&self) -> usize {
        self.choices.iter().map(|choice| choice.tree.len()).sum()
    }

    /// How many of the moves each set of weights finds.
    pub fn found(&self, weights: &[Vec<i32>], threads: usize) -> Vec<u32> {
        let blocks: Vec<Vec<Lanes>> = weights.chunks(LANES).map(|weights| self.columns.interleave(weights)).collect();
        let counts = in_parallel(self.choices.len(), threads, |range| {
            let mut found = vec![0; weights.len()];
            let mut values = Vec::new();
            for choice in &self.choices[range] {
                for (block, found) in blocks.iter().zip(found.chunks_mut(LANES)) {
                    choice.tree.evaluate(block, self.to_points, &mut values);
                    let is_found = choice.is_found(&values);
                    found.iter_mut().zip(is_found).for_each(|(found, is_found)| *found += u32::from(is_found));
                }
            }
            found
        });
        let mut sum = vec![0; weights.len()];
        for count in counts {
            sum.iter_mut().zip(count).for_each(|(sum, found)| *sum += found);
        }
        sum
    }

    /// What these weights think of each move in a position, for the side that moves.
    pub fn values(&self, position: usize, weights: &[i32]) -> Vec<(Move, Score)> {
        let Some(choice) = self.choices.get(position) else { return Vec::new() };
        let mut values = Vec::new();
        choice.tree.evaluate(&self.columns.interleave(&[weights.to_vec()]), self.to_points, &mut values);
        choice.moves.iter().map(|&(node, _, mv)| (mv, -values[node][0])).collect()
    }
}

/// Nothing for a position of another game.
fn choice<G: Playable>(sample: &Sample, grower: &mut Grower<G, G::Weights>, seed: u64) -> Option<Choice> {
    let position = sample.position.typed::<G>()?.position();
    let here = G::hash(position);
    let mut moves = Vec::new();
    G::moves(position, |mv| {
        let node = grower.add(&G::play(position, mv), 1);
        // The table's code of a move says which one it is, wherever it stands in the order of generation.
        let code = G::move_code(mv);
        moves.push((node, number(seed ^ here, code.into()), Move(code)));
    });
    let played = moves.iter().position(|&(_, _, mv)| mv == sample.played).unwrap_or(moves.len());
    Some(Choice { tree: grower.take(), moves, played })
}

impl Choice {
    /// Whether each evaluation likes the move that was played best, by its values for the side that answers.
    fn is_found(&self, values: &[Lanes]) -> [bool; LANES] {
        let Some(&(node, tie, _)) = self.moves.get(self.played) else { return [false; LANES] };
        let played = values[node];
        let mut is_found = [true; LANES];
        for &(other, other_tie, _) in &self.moves {
            let value = &values[other];
            for lane in 0..LANES {
                let is_better = value[lane] < played[lane] || value[lane] == played[lane] && other_tie > tie;
                is_found[lane] &= !is_better;
            }
        }
        is_found
    }
}

/// Positions with scores that somebody gave them, as evaluations see them.
pub struct Mentored {
    columns: Columns,
    /// The lines of quiescence from each position, and its score.
    lessons: Vec<(CaptureTree, Score)>,
    to_points: ToPoints,
}

impl Mentored {
    /// Positions with their scores for the side to move.
    pub fn new<G: Playable>(
        positions: &[(AnyPosition, Score)],
        columns: Columns,
        params: &Params,
        threads: usize,
    ) -> Mentored {
        let lessons = in_parallel(positions.len(), threads, |range| {
            let mut grower = Grower::<G, G::Weights>::new(&columns, params);
            let mut lesson = |(position, score): &(AnyPosition, Score)| {
                grower.add(position.typed::<G>()?.position(), 0);
                Some((grower.take(), *score))
            };
            positions[range].iter().filter_map(&mut lesson).collect::<Vec<_>>()
        });
        Mentored {
            lessons: lessons.into_iter().flatten().collect(),
            columns,
            to_points: ToPoints::of::<G, G::Weights>(),
        }
    }

    /// How far each set of weights is from the scores, on the average. A difference counts up to `most`.
    pub fn mean_difference(&self, weights: &[Vec<i32>], most: Score, threads: usize) -> Vec<f64> {
        let blocks: Vec<Vec<Lanes>> = weights.chunks(LANES).map(|weights| self.columns.interleave(weights)).collect();
        let sums = in_parallel(self.lessons.len(), threads, |range| {
            let mut sums = vec![0u64; weights.len()];
            let mut values = Vec::new();
            for (tree, score) in &self.lessons[range] {
                for (block, sums) in blocks.iter().zip(sums.chunks_mut(LANES)) {
                    tree.evaluate(block, self.to_points, &mut values);
                    for (sum, value) in sums.iter_mut().zip(values[0]) {
                        *sum += u64::from(value.abs_diff(*score).min(most.unsigned_abs()));
                    }
                }
            }
            sums
        });
        let total = |organism: usize| sums.iter().map(|sums| sums[organism]).sum::<u64>() as f64;
        (0..weights.len()).map(|organism| total(organism) / self.lessons.len().max(1) as f64).collect()
    }
}

/// Does work on ranges of `count` things, on several threads, and gives what came of them in order. Where no thread can
/// be started the caller's own does it all.
fn in_parallel<T: Send>(count: usize, threads: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    const CHUNK: usize = 64;
    let chunks = count.div_ceil(CHUNK);
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return done;
            }
            done.push((chunk, work(chunk * CHUNK..count.min((chunk + 1) * CHUNK))));
        }
    };
    let mut all = thread::scope(|scope| {
        let helpers: Vec<_> =
            (1..threads).map_while(|_| thread::Builder::new().spawn_scoped(scope, take).ok()).collect();
        let mut all = take();
        for helper in helpers {
            match helper.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|&(chunk, _)| chunk);
    all.into_iter().map(|(_, result)| result).collect()
}
