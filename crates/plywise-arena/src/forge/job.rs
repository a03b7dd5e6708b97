use super::{Find, Forge, ForgeError, Recipe};
use plywise_host::{AnyGame, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `forge suite`: positions with proven answers from games of a player against itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ForgeSuite {
    /// The name of the game.
    pub game: String,
    /// How many positions. A run directory does not hold it, because it may grow.
    #[serde(default)]
    pub count: usize,
    /// Plays the games, and looks at positions first shallowly, then deeply.
    pub player: WrittenSetup,
    /// Confirms what was found. It must leave nothing out.
    pub prover: WrittenSetup,
    /// What is asked of a position.
    pub recipe: Recipe,
}

/// How far a suite has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForgeSuiteEvent {
    /// Games that were played and looked at.
    pub games: u64,
    /// Positions that were found.
    pub finds: usize,
}

impl Job for ForgeSuite {
    const NAME: &'static str = "forge suite";
    const MAY_GROW: &'static [&'static str] = &["count"];
    type Game = Arc<dyn AnyGame>;
    type Event = ForgeSuiteEvent;
    /// The positions, easiest first.
    type Outcome = Vec<Find>;

    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(ForgeSuiteEvent) + Sync),
    ) -> Result<Vec<Find>, JobError> {
        let read = |setup: &WrittenSetup| setup.read(&**game).map_err(JobError::input);
        let (player, prover) = (read(&self.player)?, read(&self.prover)?);
        let own = game.clone();
        let check = move |_, finds: &Vec<Find>| check_finds(&*own, finds);
        let mut games = workplace.units(self, None, check)?;
        let forge =
            Forge { game: &**game, player: &player, prover: &prover, recipe: self.recipe, concurrency: workplace.jobs };
        let mut progress = |games, finds| watch(ForgeSuiteEvent { games, finds });
        forge.run(self.count, &mut games, &workplace.stop, &mut progress).map_err(|error| match error {
            ForgeError::Player(error) => JobError::input(error),
            ForgeError::Work(error) => error.into(),
        })
    }
}

/// What is wrong with the finds of a game, if anything is.
fn check_finds(game: &dyn AnyGame, finds: &[Find]) -> Result<(), String> {
    for find in finds {
        let position = game.parse_position(&find.position).map_err(|error| error.to_string())?;
        position.parse_move(&find.best).map_err(|error| error.to_string())?;
    }
    Ok(())
}
