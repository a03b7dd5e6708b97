use super::plan::{JournalEntry, Measure, Plan, Trial, Verdict};
use super::{Chromosome, Gene, diversity, ranked};
use plywise_run::{JobError, Units, Workplace};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// What an evolution reports while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// The mentor is asked for the scores of this many positions.
    Scoring {
        /// The positions.
        positions: u64,
    },
    /// The mentor scored a position.
    Scored,
    /// This many trials are to be made.
    Trying {
        /// The trials.
        trials: u64,
    },
    /// A trial was made.
    Tried,
    /// A generation is finished.
    Finished(Standing),
}

/// How a generation did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its number; the first is 0.
    pub generation: usize,
    /// What its best organism came to.
    pub best: f64,
    /// What its organisms came to on the average.
    pub mean: f64,
    /// How different they are.
    pub diversity: f64,
    /// What the numbers mean.
    #[serde(skip)]
    pub measure: Measure,
}

/// Tries organisms.
///
/// A generation is tried in parts that do not depend on each other: they can be done in any order and on any number of
/// threads. Each finished part is in the journal.
pub(super) trait Habitat: Sync {
    /// What a thread needs to try organisms.
    type Worker: Send;

    /// A worker for each thread.
    fn workers(&self) -> Result<Vec<Self::Worker>, JobError>;

    /// Does a part of a generation. `None` if `stop` interrupts it.
    fn attempt(
        &self,
        worker: &mut Self::Worker,
        generation: &Newborn,
        part: u64,
        stop: &Signal,
    ) -> Result<Option<Trial>, String>;
}

/// A generation that was not tried yet.
pub(super) struct Newborn {
    /// Its number.
    pub(super) number: u64,
    /// The values of the genes of each organism.
    pub(super) values: Vec<Vec<i32>>,
}

/// A generation that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its organisms.
    pub organisms: Vec<Chromosome>,
    /// What its parts came to.
    pub trials: Vec<Trial>,
    /// What that says of each organism.
    pub verdicts: Vec<Verdict>,
}

impl Generation {
    /// The place of the fittest organism.
    pub fn best(&self) -> usize {
        ranked(&self.fitness())[0]
    }

    fn fitness(&self) -> Vec<f64> {
        self.verdicts.iter().map(|verdict| verdict.fitness).collect()
    }

    /// What the fittest organism came to.
    pub fn best_mark(&self) -> f64 {
        self.verdicts[self.best()].mark
    }

    /// What the organisms came to on the average.
    pub fn mean_mark(&self) -> f64 {
        self.verdicts.iter().map(|verdict| verdict.mark).sum::<f64>() / self.verdicts.len().max(1) as f64
    }
}

/// A population through its generations.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Lineage {
    /// What the generations follow from.
    pub plan: Plan,
    /// The generations. If the work was interrupted, there are fewer than asked for.
    pub generations: Vec<Generation>,
    /// What ended it early, if anything did.
    pub fault: Option<String>,
}

impl Lineage {
    fn new(plan: Plan) -> Lineage {
        Lineage { plan, generations: Vec::new(), fault: None }
    }

    /// The organisms that come next.
    fn next(&self) -> Vec<Chromosome> {
        match self.generations.last() {
            None => self.plan.first(),
            Some(last) => self.plan.breeder.breed(self.generations.len() as u64, &last.organisms, &last.fitness()),
        }
    }

    /// Takes note of what the next generation came to.
    fn add(&mut self, organisms: Vec<Chromosome>, trials: Vec<Trial>) {
        let verdicts = self.plan.judge(&trials);
        self.generations.push(Generation { organisms, trials, verdicts });
    }

    /// Lets this many generations follow the first. The result has at least one.
    pub(super) fn evolve<H: Habitat>(
        plan: Plan,
        generations: u64,
        units: &mut Units<JournalEntry>,
        habitat: &H,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<Lineage, JobError> {
        let already = units.finished().len() as u64;
        watch(Event::Trying { trials: plan.total(generations).saturating_sub(already) });
        let mut lineage = Lineage::new(plan);
        for number in 0..=generations {
            let organisms = lineage.next();
            let values = organisms.iter().map(|organism| organism.decode(&lineage.plan.genes)).collect();
            let newborn = Newborn { number, values };
            lineage.try_generation(&newborn, &organisms, units, habitat, &workplace.stop, watch)?;
            let Some(trials) = lineage.finished(units.finished(), &organisms)? else { break };
            lineage.add(organisms, trials);
            watch(Event::Finished(lineage.standing(number as usize)));
        }
        match (lineage.generations.is_empty(), lineage.fault.take()) {
            (true, Some(fault)) => Err(JobError::Failed(fault)),
            (true, None) => Err(JobError::Interrupted),
            (false, fault) => Ok(Lineage { fault, ..lineage }),
        }
    }

    /// The lineage that a journal tells of.
    pub fn replay(plan: Plan, finished: &BTreeMap<u64, JournalEntry>) -> Result<Lineage, JobError> {
        let mut lineage = Lineage::new(plan);
        loop {
            let organisms = lineage.next();
            let Some(trials) = lineage.finished(finished, &organisms)? else { return Ok(lineage) };
            lineage.add(organisms, trials);
        }
    }

    /// What all parts of the next generation came to, if they are finished. The journal must be about these organisms.
    fn finished(
        &self,
        finished: &BTreeMap<u64, JournalEntry>,
        organisms: &[Chromosome],
    ) -> Result<Option<Vec<Trial>>, JobError> {
        let (number, parts) = (self.generations.len() as u64, self.plan.parts());
        let kept: Vec<&JournalEntry> =
            finished.range(number * parts..(number + 1) * parts).map(|(_, kept)| kept).collect();
        if kept.iter().filter_map(|kept| kept.organisms.as_ref()).any(|kept| kept != organisms) {
            let sentence = format!("generation {number} of the journal does not follow from the one before");
            return Err(JobError::Input(sentence));
        }
        let trials: Vec<Trial> = kept.into_iter().map(|kept| kept.trial.clone()).collect();
        Ok((trials.len() as u64 == parts).then_some(trials))
    }

    /// Does the parts of a generation that are not finished.
    fn try_generation<H: Habitat>(
        &mut self,
        newborn: &Newborn,
        organisms: &[Chromosome],
        units: &mut Units<JournalEntry>,
        habitat: &H,
        stop: &Signal,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<(), JobError> {
        if self.finished(units.finished(), organisms)?.is_some() {
            return Ok(());
        }
        let start = newborn.number * self.plan.parts();
        let already: BTreeSet<u64> = units.finished().range(start..).map(|(&number, _)| number).collect();
        let (broken, fault) = (stop.child(), Mutex::new(None));
        let attempt = |worker: &mut H::Worker, number: u64, stop: &Signal| {
            let tried = habitat.attempt(worker, newborn, number - start, stop).unwrap_or_else(|found| {
                fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(found);
                broken.stop();
                None
            });
            tried.map(|trial| JournalEntry { trial, organisms: (number == start).then(|| organisms.to_vec()) })
        };
        let mut each = |number: u64, _: &JournalEntry| {
            if number >= start && !already.contains(&number) {
                watch(Event::Tried);
            }
            ControlFlow::Continue(())
        };
        units.work(start + self.plan.parts(), habitat.workers()?, &broken, attempt, &mut each)?;
        self.fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(())
    }

    /// The best organism of the last generation.
    pub fn best(&self) -> Option<&Chromosome> {
        self.generations.last().map(|last| &last.organisms[last.best()])
    }

    /// The values of its genes; none without a generation.
    pub fn best_values(&self) -> Vec<i32> {
        self.best().map_or(Vec::new(), |best| best.decode(&self.plan.genes))
    }

    /// How each generation did.
    pub fn standings(&self) -> Vec<Standing> {
        (0..self.generations.len()).map(|number| self.standing(number)).collect()
    }

    fn standing(&self, number: usize) -> Standing {
        let generation = &self.generations[number];
        Standing {
            generation: number,
            best: generation.best_mark(),
            mean: generation.mean_mark(),
            diversity: diversity(&generation.organisms),
            measure: self.plan.measure,
        }
    }

    /// Each gene of the best organism, and how sure it is: how much it differs within the last generations.
    pub fn genes(&self) -> Vec<GeneState> {
        const LAST: usize = 10;
        let genes = &self.plan.genes;
        let late = self.generations.iter().rev().take(LAST).flat_map(|generation| &generation.organisms);
        let late: Vec<Vec<i32>> = late.map(|organism| organism.decode(genes)).collect();
        let state = |(place, value): (usize, i32)| {
            let values: Vec<f64> = late.iter().map(|values| f64::from(values[place])).collect();
            let (mean, spread) = mean_and_spread(&values);
            GeneState { name: genes[place].name.clone(), value, mean, spread, range: range(&genes[place]) }
        };
        self.best_values().into_iter().enumerate().map(state).collect()
    }
}

/// A gene after the generations.
#[derive(Clone, Debug, Serialize)]
pub struct GeneState {
    /// Its name.
    pub name: String,
    /// In the best organism.
    pub value: i32,
    /// In all organisms of the last generations.
    pub mean: f64,
    /// The standard deviation there.
    pub spread: f64,
    /// From its least to its greatest value.
    pub range: u32,
}

fn range(gene: &Gene) -> u32 {
    gene.value((1 << gene.bits) - 1).abs_diff(gene.value(0))
}

/// The mean of numbers and their standard deviation.
pub fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}
