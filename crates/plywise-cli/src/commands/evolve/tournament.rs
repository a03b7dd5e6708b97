//! Fitness by games: everybody plays everybody.

use super::lineage::{Habitat, Newborn};
use super::plan::{Plan, Trial};
use crate::Result;
use crate::commands::duel::Duel;
use crate::commands::matches::openings::OpeningArgs;
use clap::Args;
use plywise_arena::matches::Entry;
use plywise_arena::{Contender, Limits};
use plywise_game::random;
use plywise_search::Signal;

/// How games are played.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub struct GameArgs {
    /// How many games each plays against each other in a generation
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub games: u64,
    /// A game is a draw after so many moves of each player
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    #[command(flatten)]
    pub openings: OpeningArgs,
}

/// Makes a player whose genes have given values.
pub type MakePlayer<'a> = dyn Fn(&[i32]) -> Result<Box<dyn Contender>> + Sync + 'a;

/// Where the fittest are those who beat the others.
pub struct Tournament<'a> {
    pub plan: &'a Plan,
    pub duel: Duel<'a>,
    /// Games of two organisms.
    pub games: u64,
    pub limits: Limits,
    /// Pairs that play at the same time.
    pub jobs: usize,
    /// Brings organisms to the board.
    pub player: &'a MakePlayer<'a>,
}

impl Habitat for Tournament<'_> {
    type Worker = ();

    fn workers(&self) -> Result<Vec<()>> {
        Ok(vec![(); self.jobs])
    }

    fn attempt(&self, _: &mut (), newborn: &Newborn, part: u64, stop: &Signal) -> Result<Option<Trial>, String> {
        let pair = self.plan.pair(part).map(|place| (self.player)(&newborn.values[place]));
        let play = || {
            let [first, second] = pair;
            let (first, second) = (first?, second?);
            let entries = [&first, &second].map(|player| Entry { contender: &**player, limits: self.limits });
            let seed = random::number(self.plan.breeder.seed, newborn.number * self.plan.parts() + part);
            self.duel.play(entries.into(), self.games, seed, stop)
        };
        play().map(|games| games.map(Trial::Games)).map_err(|failure| failure.to_string())
    }
}
