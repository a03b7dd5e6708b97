//! Playing weaker than possible, at a rating that was measured.
//!
//! A weak player looks at few nodes, and slips: it takes one of its best lines at random, the worse a line the more
//! seldom. Both were measured together; docs/clients.md says how.

use crate::AnyGame;
use plywise_game::Grade;
use plywise_game::random::Random;
use plywise_search::{Limits, Line};
use std::ops::RangeInclusive;

/// How one move is weakened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rated {
    nodes: u64,
    slip: f64,
    /// What the slip of this move follows from.
    seed: u64,
}

impl Rated {
    /// The ratings of a game to choose from, where there are any.
    pub fn range(game: &dyn AnyGame) -> Option<RangeInclusive<u32>> {
        let grades = game.grades();
        Some(grades.first()?.elo..=grades.last()?.elo)
    }

    /// The lines that it chooses from: who does not slip needs no second one.
    pub fn lines(&self) -> usize {
        if self.slip < 1.0 { 1 } else { 4 }
    }

    /// The strength of a rating, between the two grades that it lies between.
    pub fn at(grades: &[Grade], elo: u32, seed: u64) -> Option<Rated> {
        let place = grades.partition_point(|grade| grade.elo < elo).clamp(1, grades.len().checked_sub(1)?);
        let (low, high) = (&grades[place - 1], &grades[place]);
        let share = (f64::from(elo) - f64::from(low.elo)) / f64::from(high.elo - low.elo);
        // Doubling the nodes is worth about the same anywhere.
        let nodes = (low.nodes as f64 * (high.nodes as f64 / low.nodes as f64).powf(share)) as u64;
        let slip = f64::from(low.slip) + share * f64::from(high.slip - low.slip);
        Some(Rated { nodes, slip, seed })
    }

    /// The limits of a player of this strength.
    pub fn within(&self, limits: Limits) -> Limits {
        Limits { nodes: Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes))), ..limits }
    }

    /// The place of the line that is played.
    pub fn choose<M>(&self, lines: &[Line<M>]) -> usize {
        let mut random = Random::new(self.seed);
        let mut lucky = |line: &Line<M>| f64::from(line.score) + self.slip * random.fraction();
        let scores: Vec<f64> = lines.iter().map(&mut lucky).collect();
        (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a))).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hosted;
    use plywise_chess::Chess;
    use plywise_loa::Loa;
    use plywise_search::Bound;

    #[test]
    fn stronger_players_look_further_and_slip_less() {
        let (chess, loa) = (Hosted::<Chess>::new(), Hosted::<Loa>::new());
        let at = |elo| Rated::at(chess.grades(), elo, 1).unwrap();
        let all: Vec<Rated> = Rated::range(&chess).unwrap().map(at).collect();
        assert!(all.is_sorted_by(|a, b| a.nodes <= b.nodes && a.slip >= b.slip));
        for grade in chess.grades() {
            assert!(at(grade.elo).nodes.abs_diff(grade.nodes) <= 1);
        }
        assert_eq!(all[0].within(Limits::nodes(7)).nodes, Some(7));
        assert!(Rated::range(&loa).is_none() && Rated::at(loa.grades(), 1500, 1).is_none());
    }

    #[test]
    fn slips_are_small_and_seldom() {
        let line = |score| Line { score, bound: Bound::Exact, depth: 1, pv: vec![()] };
        let lines = [100, 80, 0].map(line);
        let mut counts = [0; 3];
        (0..1000).for_each(|seed| counts[Rated { nodes: 1, slip: 50.0, seed }.choose(&lines)] += 1);
        assert!(counts[0] > 700 && counts[1] > 100 && counts[2] == 0, "{counts:?}");
        assert_eq!(Rated { nodes: 1, slip: 0.0, seed: 1 }.choose(&[5, 5, 4].map(line)), 0);
        assert_eq!(Rated { nodes: 1, slip: 9.0, seed: 1 }.choose::<()>(&[]), 0);
    }
}
