use super::lineage::{Habitat, Newborn};
use super::{Plan, Trial};
use plywise_arena::matches::Entry;
use plywise_arena::{Contender, Duel, Limits, openings};
use plywise_game::random;
use plywise_host::{AnyGame, AnyPosition};
use plywise_run::{Executor, JobError};
use plywise_search::Signal;
use serde::{Deserialize, Serialize};

/// Games by which players are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games {
    /// How many games two players play.
    pub count: u64,
    /// A game is a draw after this many moves of each player.
    pub max_moves: u32,
    /// The openings, as [`openings::write`] writes them.
    pub openings: Vec<String>,
}

impl Games {
    /// The openings as positions.
    pub fn read_openings(&self, game: &dyn AnyGame) -> Result<Vec<AnyPosition>, JobError> {
        self.openings.iter().map(|text| openings::read(game, text).map_err(JobError::input)).collect()
    }
}

/// Makes a player whose genes have these values.
pub(super) type MakePlayer<'a> = dyn Fn(&[i32]) -> Result<Box<dyn Contender>, JobError> + Sync + 'a;

/// Tries organisms by games: each plays each.
pub(super) struct Tournament<'a> {
    pub(super) game: &'a dyn AnyGame,
    pub(super) plan: &'a Plan,
    pub(super) games: &'a Games,
    pub(super) openings: &'a [AnyPosition],
    pub(super) limits: Limits,
    /// Pairs that play at the same time.
    pub(super) jobs: usize,
    /// Makes the player of an organism.
    pub(super) player: &'a MakePlayer<'a>,
}

impl Tournament<'_> {
    fn play(&self, pair: [&[i32]; 2], seed: u64, stop: &Signal) -> Result<Option<Trial>, JobError> {
        let [first, second] = pair.map(self.player);
        let (first, second) = (first?, second?);
        let entries = [&first, &second].map(|player| Entry { contender: &**player, limits: self.limits });
        let duel = Duel {
            game: self.game,
            openings: self.openings,
            max_moves: self.games.max_moves,
            jobs: 1,
            executor: Executor::Local,
        };
        Ok(duel.play(entries.into(), self.games.count, seed, stop)?.map(Trial::Games))
    }
}

impl Habitat for Tournament<'_> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>, JobError> {
        Ok(vec![(); self.jobs])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        let pair = self.plan.pair(part).map(|place| &newborn.values[place][..]);
        let seed = random::number(self.plan.breeder.seed, newborn.number * self.plan.parts() + part);
        self.play(pair, seed, stop).map_err(|error| error.to_string())
    }
}
