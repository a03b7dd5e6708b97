use super::tournament::{Games, Tournament};
use super::{Event, Lineage, Plan};
use crate::LearnableGame;
use plywise_arena::{Contender, Limits, Local};
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, Setup, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `evolve coeval`: weights of an evaluation evolve by games of evaluations against each other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolveCoeval {
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
    /// What a player may use up.
    pub limits: Limits,
    /// How two organisms meet.
    pub games: Games,
}

/// What came out of [`EvolveCoeval`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EvolvedCoeval {
    /// The generations.
    pub lineage: Lineage,
    /// The weights of the best organism, in the order of declaration.
    pub weights: Vec<i32>,
}

impl Job for EvolveCoeval {
    const NAME: &'static str = "evolve coeval";
    const MAY_GROW: &'static [&'static str] = &["generations"];
    type Game = Arc<dyn LearnableGame>;
    type Event = Event;
    type Outcome = EvolvedCoeval;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(Event) + Sync),
    ) -> Result<EvolvedCoeval, JobError> {
        let setup = self.player.read(&**game).map_err(JobError::input)?;
        let genome = self.plan.genome(&setup.weights).map_err(JobError::input)?;
        let openings = self.games.read_openings(&**game)?;
        let mut units = workplace.units(self, Some(self.plan.total(self.generations)), self.plan.checker())?;
        let player = |values: &[i32]| {
            let mut setup = setup.clone();
            setup.weights.set_values(&genome.settings(values));
            local(game, setup)
        };
        let tournament = Tournament {
            game: &**game,
            plan: &self.plan,
            games: &self.games,
            openings: &openings,
            limits: self.limits,
            jobs: workplace.jobs,
            player: &player,
        };
        let lineage = Lineage::evolve(self.plan.clone(), self.generations, &mut units, &tournament, workplace, watch)?;
        let weights = genome.settings(&lineage.best_values());
        Ok(EvolvedCoeval { lineage, weights })
    }
}

/// A player in this process, if it has its tables and memory suffices.
pub(super) fn local(game: &Arc<dyn LearnableGame>, setup: Setup) -> Result<Box<dyn Contender>, JobError> {
    let player = Local::new(game.clone() as Arc<dyn AnyGame>, setup);
    player.check().map_err(JobError::input)?;
    Ok(Box::new(player))
}
