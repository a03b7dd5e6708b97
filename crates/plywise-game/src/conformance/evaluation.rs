//! The checks of an evaluation.

use super::{Check, MAX_PLIES, Violation, ensure};
use crate::random::Random;
use crate::score::EVAL_LIMIT;
use crate::{Evaluate, Game};

/// Checks on `games` random games that an evaluation stays within its limit, depends on the position alone, neither on
/// the call nor on what was evaluated before, and is made from the view of the side to move.
pub fn check_evaluation<G: Game, E: Evaluate<G>>(evaluation: &E, games: u32, seed: u64) -> Result<(), Violation> {
    check_evaluation_from::<G, E>(&G::start(), evaluation, games, seed)
}

/// [`check_evaluation`] on random games from this position.
pub fn check_evaluation_from<G: Game, E: Evaluate<G>>(
    start: &G::Position,
    evaluation: &E,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    let mut used = evaluation.clone();
    let mut random = Random::new(seed);
    let mut moved = [Swings::default(), Swings::default()];
    for _ in 0..games {
        let line = random.game::<G>(start.clone(), MAX_PLIES);
        let mut values = Vec::with_capacity(line.len());
        // Backwards, so that a cache meets a different order of positions.
        for position in line.iter().rev() {
            let value = check_value::<G, E>(&mut used, &mut evaluation.clone(), position).map_err(|problem| {
                Violation { check: Check::Evaluation, position: format!("{position:?}"), problem }
            })?;
            values.push(f64::from(value));
        }
        values.reverse();
        for (position, values) in line.iter().zip(values.windows(3)) {
            moved[G::side_to_move(position) as usize].note(values);
        }
    }
    check_viewpoint(&moved).map_err(|problem| Violation {
        check: Check::Viewpoint,
        position: "random games".to_string(),
        problem,
    })
}

fn check_value<G: Game, E: Evaluate<G>>(used: &mut E, fresh: &mut E, position: &G::Position) -> Result<i32, String> {
    let value = used.evaluate(position);
    let again = used.evaluate(position);
    let afresh = fresh.evaluate(position);
    ensure(value.unsigned_abs() <= EVAL_LIMIT.unsigned_abs(), || format!("{value} lies beyond ±{EVAL_LIMIT}"))?;
    ensure(value == again, || format!("the first call gives {value}, the second {again}"))?;
    ensure(value == afresh, || format!("an evaluation that has been used gives {value}, a fresh one {afresh}"))?;
    Ok(value)
}

/// The values of positions, and of those one and two plies later.
#[derive(Default)]
struct Swings {
    now: Vec<f64>,
    next: Vec<f64>,
    second: Vec<f64>,
}

impl Swings {
    fn note(&mut self, values: &[f64]) {
        if let &[now, next, second] = values {
            self.now.push(now);
            self.next.push(next);
            self.second.push(second);
        }
    }

    /// How alike values are to those one ply and two plies later, from -1 to 1; nothing where all values are the same.
    fn likeness(&self) -> Option<[f64; 2]> {
        Some([correlation(&self.now, &self.next)?, correlation(&self.now, &self.second)?])
    }
}

/// Most moves change little on the board. What was good for the side to move is therefore bad for the next one: values
/// turn over with each ply, and are like those two plies later. From the view of one player they do not turn over, and
/// are most like those of the next ply.
fn check_viewpoint(moved: &[Swings; 2]) -> Result<(), String> {
    const ENOUGH: usize = 50;
    const ALIKE: f64 = 0.5;
    let likeness = |swings: &Swings| if swings.now.len() < ENOUGH { None } else { swings.likeness() };
    let [Some(first), Some(second)] = moved.each_ref().map(likeness) else { return Ok(()) };
    let is_turned = |[next, second_next]: [f64; 2]| next < ALIKE || next < second_next;
    ensure(is_turned(first) || is_turned(second), || {
        format!(
            "values hardly change when the turn does (the correlation from one ply to the next is {:+.2}); a value must \
             be that of the side to move, not always the first player's",
            first[0].min(second[0])
        )
    })
}

/// Pearson's coefficient; none where either list is constant.
fn correlation(xs: &[f64], ys: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_x, mean_y) = (mean(xs), mean(ys));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in xs.iter().zip(ys) {
        let (x, y) = (x - mean_x, y - mean_y);
        xx += x * x;
        yy += y * y;
        xy += x * y;
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx * yy).sqrt())
}
