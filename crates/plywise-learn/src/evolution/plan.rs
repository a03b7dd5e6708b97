use super::{Breeder, Chromosome, Gene, GeneError, Genome, Others};
use plywise_game::parameters::Parameters;
use serde::{Deserialize, Serialize};

/// The largest population.
const MOST_ORGANISMS: usize = 10_000;

/// Everything that the generations follow from, except the results of the trials: with these, the journal of a run tells
/// the whole evolution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The genes, in the order of the chromosome.
    pub genes: Vec<Gene>,
    /// What becomes of parameters that no gene drives.
    pub others: Others,
    /// How generations follow each other.
    pub breeder: Breeder,
    /// Organisms that were there from the beginning; the rest of the first generation is random.
    pub ancestors: Vec<Chromosome>,
    /// What fitness is.
    pub measure: Measure,
}

/// What fitness is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The square of the number of moves found.
    Moves {
        /// The positions.
        positions: usize,
    },
    /// The inverse of the mean difference to a mentor's scores.
    Mentor,
    /// The inverse of the nodes to the answers of a suite.
    Nodes {
        /// The positions.
        positions: usize,
    },
    /// Points against all others.
    Games,
}

/// What a part of a generation came to: a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trial {
    /// How many moves each organism of the generation found.
    Found(Vec<u32>),
    /// How far each organism of the generation is from the mentor's scores, on the average.
    Differences(Vec<f64>),
    /// What one organism needed for a suite.
    Solved {
        /// The nodes of all positions; an unsolved one counts all that were allowed.
        nodes: u64,
        /// How many positions were solved.
        solved: usize,
    },
    /// The games of two organisms: wins of the first, draws, losses.
    Games([u64; 3]),
}

/// A part of a generation as the journal keeps it: with what it came to, and with the first part the generation itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// What it came to.
    pub trial: Trial,
    /// The organisms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organisms: Option<Vec<Chromosome>>,
}

/// How an organism did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its fitness.
    pub fitness: f64,
    /// The same as people read it.
    pub mark: f64,
}

impl Plan {
    /// A plan for the organisms of a genome.
    pub fn new(genome: &Genome, breeder: Breeder, measure: Measure) -> Plan {
        Plan { genes: genome.genes().to_vec(), others: genome.others(), breeder, ancestors: Vec::new(), measure }
    }

    /// Its genes in their places among the parameters of `base`.
    pub fn genome(&self, base: &impl Parameters) -> Result<Genome, GeneError> {
        Genome::new(self.genes.clone(), self.others, base)
    }

    /// The first generation.
    pub fn first(&self) -> Vec<Chromosome> {
        let bits = self.genes.iter().map(|gene| gene.bits as usize).sum();
        let mut first = self.ancestors.clone();
        first.extend(self.breeder.first(bits));
        first.truncate(self.breeder.population);
        first
    }

    /// The number of units in the journal once this many generations have followed the first.
    pub fn total(&self, generations: u64) -> u64 {
        (generations + 1) * self.parts()
    }

    /// The number of parts of which the trial of a generation consists.
    pub fn parts(&self) -> u64 {
        let population = self.breeder.population as u64;
        match self.measure {
            Measure::Moves { .. } | Measure::Mentor => 1,
            Measure::Nodes { .. } => population,
            Measure::Games => population * (population - 1) / 2,
        }
    }

    /// The two organisms of a part in which two meet.
    pub fn pair(&self, part: u64) -> [usize; 2] {
        let (mut first, mut rest) = (0, part as usize);
        while rest >= self.breeder.population - 1 - first {
            rest -= self.breeder.population - 1 - first;
            first += 1;
        }
        [first, first + 1 + rest]
    }

    /// Says what is wrong with a plan that was read.
    pub fn validate(&self) -> Result<(), String> {
        let Breeder { population, elite, .. } = self.breeder;
        let bits: usize = self.genes.iter().map(|gene| gene.bits as usize).sum();
        if !(2..=MOST_ORGANISMS).contains(&population) || elite >= population {
            return Err(format!("{population} organisms, {elite} of them an elite, are no population"));
        }
        if self.genes.iter().any(|gene| gene.bits > u16::BITS) {
            return Err("a gene has too many bits".to_owned());
        }
        match self.ancestors.iter().all(|ancestor| ancestor.len() == bits) {
            true => Ok(()),
            false => Err(format!("an organism has {bits} bits")),
        }
    }

    /// Says what is wrong with what cannot be a part of this.
    pub fn check(&self, kept: &JournalEntry) -> Result<(), String> {
        let population = self.breeder.population;
        let is_whole = match (self.measure, &kept.trial) {
            (Measure::Moves { .. }, Trial::Found(found)) => found.len() == population,
            (Measure::Mentor, Trial::Differences(differences)) => differences.len() == population,
            (Measure::Nodes { .. }, Trial::Solved { .. }) | (Measure::Games, Trial::Games(_)) => true,
            _ => false,
        };
        is_whole.then_some(()).ok_or_else(|| format!("it is no trial of {population} organisms by their measure"))
    }

    /// The same as a function of its own, for a journal.
    pub fn checker(&self) -> impl Fn(u64, &JournalEntry) -> Result<(), String> + use<> {
        let plan = self.clone();
        move |_, kept| plan.check(kept)
    }

    /// What the trials of a whole generation say about each organism.
    pub fn judge(&self, trials: &[Trial]) -> Vec<Verdict> {
        let mut verdicts = vec![Verdict { fitness: 0.0, mark: 0.0 }; self.breeder.population];
        for (part, trial) in trials.iter().enumerate() {
            match trial {
                Trial::Found(found) => {
                    for (verdict, &found) in verdicts.iter_mut().zip(found) {
                        *verdict = self.of_moves(found);
                    }
                }
                Trial::Differences(differences) => {
                    for (verdict, &difference) in verdicts.iter_mut().zip(differences) {
                        *verdict = Verdict { fitness: 1.0 / difference.max(0.5), mark: difference };
                    }
                }
                Trial::Solved { nodes, .. } => {
                    let nodes = *nodes as f64;
                    verdicts[part] = Verdict { fitness: 1.0 / nodes.max(1.0), mark: nodes / 1e6 };
                }
                Trial::Games([wins, draws, losses]) => {
                    let [first, second] = self.pair(part as u64);
                    verdicts[first].fitness += *wins as f64 + *draws as f64 / 2.0;
                    verdicts[second].fitness += *losses as f64 + *draws as f64 / 2.0;
                }
            }
        }
        if self.measure == Measure::Games {
            let all: f64 = verdicts.iter().map(|verdict| verdict.fitness).sum();
            let games_each = 2.0 * all / self.breeder.population as f64;
            verdicts.iter_mut().for_each(|verdict| verdict.mark = 100.0 * verdict.fitness / games_each.max(1.0));
        }
        verdicts
    }

    fn of_moves(&self, found: u32) -> Verdict {
        let positions = match self.measure {
            Measure::Moves { positions } => positions.max(1) as f64,
            _ => 1.0,
        };
        Verdict { fitness: f64::from(found).powi(2), mark: 100.0 * f64::from(found) / positions }
    }
}

impl Measure {
    /// What an organism's mark means.
    pub fn unit(&self) -> &'static str {
        match self {
            Measure::Moves { .. } => "moves found in %",
            Measure::Mentor => "points from the mentor",
            Measure::Nodes { .. } => "million nodes",
            Measure::Games => "points in %",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evolution::Selection;

    fn plan(measure: Measure) -> Plan {
        let breeder =
            Breeder { population: 4, selection: Selection::Rank, crossover: 0.75, mutation: 0.0, elite: 1, seed: 1 };
        let genes = vec![Gene::covering("x", 0, 7, 1)];
        Plan { genes, others: Others::Keep, breeder, ancestors: Vec::new(), measure }
    }

    #[test]
    fn everybody_meets_everybody() {
        let plan = plan(Measure::Games);
        let pairs: Vec<[usize; 2]> = (0..plan.parts()).map(|part| plan.pair(part)).collect();
        assert_eq!(pairs, [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn points_are_shared_out() {
        let mut trials = vec![Trial::Games([1, 2, 1]); 6];
        trials[5] = Trial::Games([4, 0, 0]);
        let verdicts = plan(Measure::Games).judge(&trials);
        let marks: Vec<f64> = verdicts.iter().map(|verdict| verdict.mark).collect();
        let expected = [50.0, 50.0, 100.0 * 8.0 / 12.0, 100.0 * 4.0 / 12.0];
        assert!(marks.iter().zip(expected).all(|(mark, expected)| (mark - expected).abs() < 1e-9), "{marks:?}");
    }

    #[test]
    fn fewer_nodes_are_fitter() {
        let trial = |nodes| Trial::Solved { nodes, solved: 1 };
        let verdicts = plan(Measure::Nodes { positions: 1 }).judge(&[trial(100), trial(50), trial(200), trial(0)]);
        assert!(verdicts[3].fitness > verdicts[1].fitness && verdicts[1].fitness > verdicts[0].fitness);
        assert_eq!(verdicts[2].fitness, 1.0 / 200.0);
    }

    #[test]
    fn trials_of_another_kind_are_refused() {
        let kept = |trial| JournalEntry { trial, organisms: None };
        assert!(plan(Measure::Games).check(&kept(Trial::Found(vec![1; 4]))).is_err());
        assert!(plan(Measure::Moves { positions: 9 }).check(&kept(Trial::Found(vec![1; 3]))).is_err());
        assert!(plan(Measure::Moves { positions: 9 }).check(&kept(Trial::Found(vec![1; 4]))).is_ok());
    }

    #[test]
    fn plans_that_cannot_be_are_refused() {
        assert_eq!(plan(Measure::Games).validate(), Ok(()));
        let mut alone = plan(Measure::Games);
        alone.breeder.population = 1;
        assert!(alone.validate().is_err());
        let mut long = plan(Measure::Games);
        long.genes[0].bits = 32;
        assert!(long.validate().is_err());
        let mut short = plan(Measure::Games);
        short.ancestors = vec![Chromosome::encode(&[], &[])];
        assert!(short.validate().is_err());
    }

    #[test]
    fn ancestors_come_first() {
        let ancestor = Chromosome::encode(&[5], &plan(Measure::Games).genes);
        let plan = Plan { ancestors: vec![ancestor.clone()], ..plan(Measure::Games) };
        assert_eq!((plan.first().len(), &plan.first()[0]), (4, &ancestor));
    }
}
