use super::Chromosome;
use plywise_game::random::Random;
use serde::{Deserialize, Serialize};

/// How parents are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Selection {
    /// In proportion to their fitness.
    Proportional,
    /// In proportion to their rank: the worst counts once, the next twice, and so on.
    Rank,
}

/// How generations follow each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breeder {
    /// How many organisms there are.
    pub population: usize,
    /// How parents are chosen.
    pub selection: Selection,
    /// The probability that two parents are crossed, rather than copied.
    pub crossover: f64,
    /// The probability that a bit is turned.
    pub mutation: f64,
    /// How many of the best live on unchanged.
    pub elite: usize,
    /// What everything random follows from.
    pub seed: u64,
}

impl Breeder {
    /// Generation 0: random bits.
    pub fn first(&self, bits: usize) -> Vec<Chromosome> {
        let mut random = Random::stream(self.seed, 0);
        (0..self.population).map(|_| Chromosome::random(bits, &mut random)).collect()
    }

    /// The generation of this number, from the one before and its fitness, which must not be negative.
    pub fn breed(&self, generation: u64, parents: &[Chromosome], fitness: &[f64]) -> Vec<Chromosome> {
        let mut random = Random::stream(self.seed, generation);
        let ranked = ranked(fitness);
        let chances = self.chances(&ranked, fitness);
        let mut next: Vec<Chromosome> = ranked.iter().take(self.elite).map(|&i| parents[i].clone()).collect();
        while next.len() < self.population && !parents.is_empty() {
            let [mother, father] = [(); 2].map(|()| &parents[draw(&chances, random.fraction())]);
            let children = match random.fraction() < self.crossover {
                true => mother.cross(father, &mut random),
                false => [mother.clone(), father.clone()],
            };
            for mut child in children {
                child.mutate(self.mutation, &mut random);
                next.push(child);
            }
        }
        next.truncate(self.population);
        next
    }

    /// What each organism's chance to be a parent is in proportion to.
    fn chances(&self, ranked: &[usize], fitness: &[f64]) -> Vec<f64> {
        let mut chances = vec![0.0; fitness.len()];
        for (rank, &i) in ranked.iter().enumerate() {
            chances[i] = match self.selection {
                Selection::Proportional => fitness[i].max(0.0),
                Selection::Rank => (ranked.len() - rank) as f64,
            };
        }
        chances
    }
}

/// The places of the organisms from the best to the worst; of equals the first is better.
pub fn ranked(fitness: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..fitness.len()).collect();
    places.sort_by(|&a, &b| fitness[b].total_cmp(&fitness[a]));
    places
}

/// The place where the chances, added up, pass this fraction of their sum. Where no one has a chance all have the same.
fn draw(chances: &[f64], fraction: f64) -> usize {
    let total: f64 = chances.iter().sum();
    let last = chances.len().saturating_sub(1);
    if total <= 0.0 {
        return ((fraction * chances.len() as f64) as usize).min(last);
    }
    let mut left = fraction * total;
    let place = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    place.unwrap_or(last)
}

/// How different organisms are: the mean share of bits in which two of them differ, from 0 to about a half.
pub fn diversity(organisms: &[Chromosome]) -> f64 {
    let bits = organisms.first().map_or(0, Chromosome::len);
    let count = organisms.len() as f64;
    if bits == 0 || organisms.len() < 2 {
        return 0.0;
    }
    let ones = |bit: usize| organisms.iter().filter(|organism| organism.bit(bit)).count() as f64;
    let differing: f64 = (0..bits).map(|bit| ones(bit) * (count - ones(bit))).sum();
    differing / (count * (count - 1.0) / 2.0) / bits as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breeder(selection: Selection) -> Breeder {
        Breeder { population: 40, selection, crossover: 0.75, mutation: 0.01, elite: 1, seed: 3 }
    }

    fn ones(organism: &Chromosome) -> f64 {
        (0..organism.len()).filter(|&bit| organism.bit(bit)).count() as f64
    }

    #[test]
    fn generations_climb_and_the_best_is_never_lost() {
        for selection in [Selection::Proportional, Selection::Rank] {
            let breeder = breeder(selection);
            let mut organisms = breeder.first(60);
            assert!((0.4..0.6).contains(&diversity(&organisms)), "random bits differ by half");
            let mut best = 0.0;
            for generation in 1..=60 {
                let fitness: Vec<f64> = organisms.iter().map(|organism| ones(organism).powi(4)).collect();
                let now = fitness[ranked(&fitness)[0]];
                assert!(now >= best);
                best = now;
                organisms = breeder.breed(generation, &organisms, &fitness);
                assert_eq!(organisms.len(), 40);
            }
            assert!(best.powf(0.25) >= 50.0, "{selection:?}: {}", best.powf(0.25));
            assert!(diversity(&organisms) < 0.3);
        }
    }

    #[test]
    fn any_generation_follows_from_the_one_before() {
        let breeder = breeder(Selection::Rank);
        let organisms = breeder.first(50);
        let fitness: Vec<f64> = organisms.iter().map(ones).collect();
        assert_eq!(breeder.breed(7, &organisms, &fitness), breeder.breed(7, &organisms, &fitness));
        assert_ne!(breeder.breed(7, &organisms, &fitness), breeder.breed(8, &organisms, &fitness));
    }

    #[test]
    fn chances_are_in_proportion() {
        let chances = [1.0, 0.0, 3.0];
        assert_eq!([0.0, 0.24, 0.26, 0.99].map(|fraction| draw(&chances, fraction)), [0, 0, 2, 2]);
        assert_eq!(draw(&[0.0, 0.0], 0.6), 1);
    }
}
