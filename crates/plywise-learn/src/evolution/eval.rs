use super::lineage::{Habitat, Newborn};
use super::mentor::Mentor;
use super::{Event, Genome, Lineage, Plan, Trial};
use crate::LearnableGame;
use crate::imitation::{Columns, Imitation, Sample};
use plywise_arena::Entrant;
use plywise_game::Score;
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, AnyPosition, Setup, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{Params, Signal};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `evolve eval`: weights of an evaluation evolve until it moves as winners did, or scores positions as a mentor does.
///
/// An organism looks at each move by a search of one ply with quiescence. One half of the samples is to learn from, the
/// other is a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolveEval {
    /// The name of the game.
    pub game: String,
    /// How the weights evolve.
    pub plan: Plan,
    /// How many generations follow the first.
    pub generations: u64,
    /// What the profile of the player was called.
    pub profile: String,
    /// The player whose weights evolve, without a network.
    pub player: WrittenSetup,
    /// The player whose scores are imitated; without one, the moves of the samples are.
    pub mentor: Option<Entrant>,
    /// Positions with the moves that winners played, in random order, as [`Sample::write_all`] writes them.
    pub samples: String,
    /// Decides which of equally good moves is chosen.
    pub seed: u64,
    /// The longest line of quiescence, in plies; 0 for none.
    pub quiescence_plies: u8,
}

/// What came out of [`EvolveEval`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolvedEval {
    /// The generations.
    pub lineage: Lineage,
    /// The weights of the best organism, in the order of declaration.
    pub weights: Vec<i32>,
    /// What they are worth.
    pub rates: Rates,
}

/// What an evaluation found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// The share of the moves in the half to learn from.
    pub train: f64,
    /// The share of the moves in the test.
    pub test: f64,
    /// The size of the test.
    pub positions: usize,
    /// The nodes of all trees.
    pub nodes: usize,
    /// How far its scores are from the mentor's in the test, on the average.
    pub difference: Option<f64>,
}

impl Rates {
    fn of(weights: &[i32], training: &Imitation, test: &Imitation, threads: usize) -> Rates {
        let rate = |imitation: &Imitation| {
            f64::from(imitation.found(&[weights.to_vec()], threads)[0]) / imitation.len().max(1) as f64
        };
        let nodes = training.nodes() + test.nodes();
        Rates { train: rate(training), test: rate(test), positions: test.len(), nodes, difference: None }
    }

    /// The standard error of the share in the test.
    pub fn error(&self) -> f64 {
        (self.test * (1.0 - self.test) / self.positions.max(1) as f64).sqrt()
    }
}

/// Scores that differ by more than this are simply wrong: a won game, a queen more.
const FAR_APART: Score = 1000;

/// Trees have no window that would cut them, so they must not become too broad.
const MOST_LINES: i32 = 1000;

impl Job for EvolveEval {
    const NAME: &'static str = "evolve eval";
    const MAY_GROW: &'static [&'static str] = &["generations"];
    type Game = Arc<dyn LearnableGame>;
    type Event = Event;
    type Outcome = EvolvedEval;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<EvolvedEval, JobError> {
        let setup = self.setup(&**game)?;
        let genome = self.plan.genome(&setup.weights).map_err(JobError::input)?;
        let mentor = self.mentor.as_ref().map(|mentor| {
            let contender = mentor.contender(&(game.clone() as Arc<dyn AnyGame>)).map_err(JobError::input)?;
            Mentor::new(contender, mentor)
        });
        let mentor = mentor.transpose()?;
        let samples = self.samples(&**game)?;
        let mut units = workplace.units(self, Some(self.plan.total(self.generations)), self.plan.checker())?;
        let (threads, params, columns) = (workplace.jobs, self.quiescence(), Columns::new(&genome));
        let (learned, tested) = samples.split_at(samples.len() / 2);
        let imitation = |samples: &[Sample]| game.imitation(samples, &columns, &params, self.seed, threads);
        let mentored = |mentor: &Mentor, samples: &[Sample]| {
            let positions: Vec<AnyPosition> = samples.iter().map(|sample| sample.position.clone()).collect();
            Ok::<_, JobError>(game.mentored(&mentor.score(&positions, workplace, watch)?, &columns, &params, threads))
        };
        let training = imitation(learned);
        let lessons = mentor.as_ref().map(|mentor| mentored(mentor, learned)).transpose()?;
        let examine = |weights: &[Vec<i32>]| match &lessons {
            None => Trial::Found(training.found(weights, threads)),
            Some(lessons) => Trial::Differences(lessons.mean_difference(weights, FAR_APART, threads)),
        };
        let habitat = AtOnce { genome: &genome, examine: &examine };
        let lineage = Lineage::evolve(self.plan.clone(), self.generations, &mut units, &habitat, workplace, watch)?;
        let weights = genome.settings(&lineage.best_values());
        let mut rates = Rates::of(&weights, &training, &imitation(tested), threads);
        if let Some(mentor) = &mentor
            && !workplace.stop.is_stopped()
        {
            let test = mentored(mentor, tested)?;
            rates.difference = Some(test.mean_difference(std::slice::from_ref(&weights), FAR_APART, threads)[0]);
        }
        Ok(EvolvedEval { lineage, weights, rates })
    }
}

impl EvolveEval {
    /// Weights times what makes evaluations of the samples to learn from as large, on the average, as those of the player:
    /// the margins of its search fit them then.
    pub fn scaled(&self, game: &dyn AnyGame, weights: &[i32]) -> Result<Vec<i32>, JobError> {
        let setup = self.setup(game)?;
        let samples = self.samples(game)?;
        let learned = &samples[..samples.len() / 2];
        let size = |setup: &Setup| {
            let scores = learned.iter().filter_map(|sample| game.evaluate(setup, &sample.position));
            scores.map(|score| f64::from(score.abs())).sum::<f64>().max(1.0)
        };
        let mut evolved = setup.clone();
        evolved.weights.set_values(weights);
        let factor = size(&setup) / size(&evolved);
        Ok(weights.iter().map(|&weight| (f64::from(weight) * factor).round() as i32).collect())
    }

    fn setup(&self, game: &dyn AnyGame) -> Result<Setup, JobError> {
        self.player.read(game).map_err(JobError::input)
    }

    fn samples(&self, game: &dyn AnyGame) -> Result<Vec<Sample>, JobError> {
        Sample::read_all(game, &self.samples).map_err(JobError::input)
    }

    /// The search of one ply: quiescence leaves out only what does not depend on the weights.
    fn quiescence(&self) -> Params {
        let mut params = Params::DEFAULT;
        params.quiescence.margin = 0;
        params.quiescence.plies = self.quiescence_plies.into();
        params.quiescence.breadth = MOST_LINES;
        if self.quiescence_plies == 0 {
            params.quiescence = Params::OFF.quiescence;
        }
        params
    }
}

/// Tries a whole generation at once.
struct AtOnce<'a> {
    genome: &'a Genome,
    /// What evaluations with these weights come to.
    examine: &'a (dyn Fn(&[Vec<i32>]) -> Trial + Sync),
}

impl Habitat for AtOnce<'_> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>, JobError> {
        Ok(vec![()])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, _part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        if stop.is_stopped() {
            return Ok(None);
        }
        let weights: Vec<Vec<i32>> = newborn.values.iter().map(|values| self.genome.settings(values)).collect();
        Ok(Some((self.examine)(&weights)))
    }
}
