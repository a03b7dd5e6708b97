//! Playing weaker than possible: `UCI_LimitStrength` and `UCI_Elo`.
//!
//! A weak player looks at few nodes, and slips: it takes one of its best lines at random, the worse a line the more
//! seldom. Both were measured together; docs/clients.md says how.

use crate::games::Playable;
use crate::{Failure, Result};
use plywise_game::random::Random;
use plywise_search::{Limits, Line};
use std::ops::RangeInclusive;

/// The ratings to choose from, where there are any.
pub(super) fn range<G: Playable>() -> Option<RangeInclusive<u32>> {
    Some(G::GRADES.first()?.elo..=G::GRADES.last()?.elo)
}

/// The same for an option that makes no sense without.
pub(super) fn required<G: Playable>() -> Result<RangeInclusive<u32>> {
    range::<G>().ok_or_else(|| Failure::input(format!("nobody has measured ratings for {}", G::TITLE)))
}

/// How one move is weakened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Strength {
    nodes: u64,
    slip: f64,
    /// What the slip of this move follows from.
    seed: u64,
}

impl Strength {
    /// The lines that it chooses from: who does not slip needs no second one.
    pub(super) fn lines(&self) -> usize {
        if self.slip < 1.0 { 1 } else { 4 }
    }

    /// The strength of a rating, between the two grades that it lies between.
    pub(super) fn at<G: Playable>(elo: u32, seed: u64) -> Option<Strength> {
        let grades = G::GRADES;
        let place = grades.partition_point(|grade| grade.elo < elo).clamp(1, grades.len().checked_sub(1)?);
        let (low, high) = (&grades[place - 1], &grades[place]);
        let share = (f64::from(elo) - f64::from(low.elo)) / f64::from(high.elo - low.elo);
        // Doubling the nodes is worth about the same anywhere.
        let nodes = (low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share)) as u64;
        let slip = f64::from(low.slip) + share * f64::from(high.slip - low.slip);
        Some(Strength { nodes, slip, seed })
    }

    /// The limits of a player of this strength.
    pub(super) fn within(&self, limits: Limits) -> Limits {
        Limits { nodes: Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes))), ..limits }
    }

    /// The place of the line that is played.
    pub(super) fn choose<M>(&self, lines: &[Line<M>]) -> usize {
        let mut random = Random::new(self.seed);
        let mut lucky = |line: &Line<M>| f64::from(line.score) + self.slip * random.fraction();
        let scores: Vec<f64> = lines.iter().map(&mut lucky).collect();
        (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_chess::Chess;
    use plywise_game::BoardGame;
    use plywise_loa::Loa;
    use plywise_search::Bound;

    #[test]
    fn stronger_players_look_further_and_slip_less() {
        let all: Vec<Strength> = range::<Chess>().unwrap().map(|elo| Strength::at::<Chess>(elo, 1).unwrap()).collect();
        assert!(all.is_sorted_by(|a, b| a.nodes <= b.nodes && a.slip >= b.slip));
        for grade in Chess::GRADES {
            assert!(Strength::at::<Chess>(grade.elo, 1).unwrap().nodes.abs_diff(grade.nodes) <= 1);
        }
        assert_eq!(all[0].within(Limits::nodes(7)).nodes, Some(7));
        assert!(range::<Loa>().is_none() && Strength::at::<Loa>(1500, 1).is_none() && required::<Loa>().is_err());
    }

    #[test]
    fn slips_are_small_and_seldom() {
        let line = |score| Line { score, bound: Bound::Exact, depth: 1, pv: vec![()] };
        let lines = [100, 80, 0].map(line);
        let mut counts = [0; 3];
        (0..1000).for_each(|seed| counts[Strength { nodes: 1, slip: 50.0, seed }.choose(&lines)] += 1);
        assert!(counts[0] > 700 && counts[1] > 100 && counts[2] == 0, "{counts:?}");
        assert_eq!(Strength { nodes: 1, slip: 0.0, seed: 1 }.choose(&[5, 5, 4].map(line)), 0);
        assert_eq!(Strength { nodes: 1, slip: 9.0, seed: 1 }.choose::<()>(&[]), 0);
    }
}
