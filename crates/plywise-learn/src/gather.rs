//! Statistics for the techniques that need them, from games of self-play or from recorded games.

mod cut_nodes;
mod probcut;
mod ranks;
mod realization;
pub(crate) mod watch;

pub use cut_nodes::{CutNode, CutNodeQuestion, SCHEMES, Scheme, SchemeRow};
pub use probcut::{Iterations, ProbCutQuestion};
pub use ranks::{RankQuestion, RankRow};
pub use realization::RealizationQuestion;

pub(crate) use cut_nodes::cut_nodes;
pub(crate) use probcut::iterations;
pub(crate) use ranks::ranks;
pub(crate) use realization::{classes, count_classes};

use crate::self_play::{Players, SelfPlay};
use crate::{LearnableGame, Source, recorded};
use plywise_host::{Setup, WrittenSetup};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{ClassCounts, ClassTable, LearnedTable, Origin, Params, ProbCutTable, RankTable, Signal};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::Arc;

/// `gather`: statistics from games of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gather {
    /// The name of the game.
    pub game: String,
    /// How many games to play.
    pub games: u64,
    /// How they are played.
    #[serde(flatten)]
    pub play: SelfPlay,
    /// What is counted.
    pub question: Question,
    /// RankCut: gather again with what was gathered, until the probabilities move by less than this share on average.
    pub until_stable: Option<f64>,
}

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How often a better move still came, for RankCut.
    RankCut(RankQuestion),
    /// How often moves of each class are played.
    Realization(RealizationQuestion),
    /// How well a shallow search predicts a deep one.
    ProbCut(ProbCutQuestion),
    /// Which signs tell that an expected cut-node will be cut.
    CutNodes(CutNodeQuestion),
}

/// What happens while statistics are gathered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatherEvent {
    /// A round of this many games begins.
    Round(u64),
    /// A game was played.
    Game,
}

/// What was gathered.
#[derive(Clone, Debug, PartialEq)]
pub struct Gathered {
    /// How many games it rests on.
    pub games: u64,
    /// What they amount to.
    pub table: Table,
    /// How far the probabilities moved with each round after the first, as shares.
    pub moves: Vec<f64>,
    /// Whether they still move: there were too many rounds.
    pub is_unstable: bool,
}

/// What the games amount to.
#[derive(Clone, Debug, PartialEq)]
pub enum Table {
    /// RankCut's table, with the number of samples that it rests on.
    RankCut {
        /// The table.
        table: RankTable,
        /// The samples, those of states that were seen too rarely included.
        samples: u64,
    },
    /// The table of realization probabilities.
    Realization(ClassTable),
    /// ProbCut's table, with the searches that it rests on.
    ProbCut {
        /// The table.
        table: ProbCutTable,
        /// The scores of the searches.
        searches: Vec<Iterations>,
    },
    /// Cut-nodes, which make no table that a search uses.
    CutNodes(Vec<CutNode>),
}

impl Table {
    /// How many samples it rests on.
    pub fn samples(&self) -> u64 {
        match self {
            Table::RankCut { samples, .. } => *samples,
            // Every move that was played is of one class.
            Table::Realization(table) => table.classes.iter().map(|class| class.played).sum(),
            Table::ProbCut { searches, .. } => searches.len() as u64,
            Table::CutNodes(nodes) => nodes.len() as u64,
        }
    }

    /// How many states, classes or predictions it has.
    pub fn states(&self) -> usize {
        match self {
            Table::RankCut { table, .. } => table.counts.len(),
            Table::Realization(table) => table.classes.iter().filter(|class| class.available > 0).count(),
            Table::ProbCut { table, .. } => table.rows.len(),
            Table::CutNodes(nodes) => nodes.len(),
        }
    }

    /// The file of the table, with the settings that it was gathered with; `None` for what no search uses.
    pub fn file(&self, game: &str, settings: &str) -> Option<String> {
        let origin = Origin { game: game.to_owned(), settings: settings.to_owned(), samples: self.samples() };
        match self {
            Table::RankCut { table, .. } => Some(table.write(&origin)),
            Table::Realization(table) => Some(table.write(&origin)),
            Table::ProbCut { table, .. } => Some(table.write(&origin)),
            Table::CutNodes(_) => None,
        }
    }
}

/// A statistic of games of self-play: what each of them says, and what that amounts to.
trait Statistic: Sync {
    /// What one game says.
    type Share: Serialize + DeserializeOwned + Send + 'static;

    /// What the game with this number says; nothing where `stop` interrupts it.
    fn share(&self, players: &dyn Players, number: u64, stop: &Signal) -> Option<Self::Share>;

    /// What these games amount to, in their order.
    fn table(&self, shares: Vec<Self::Share>) -> Table;
}

/// More rounds than this would not settle it either.
const MOST_ROUNDS: usize = 10;

impl Job for Gather {
    const NAME: &'static str = "gather";
    const MAY_GROW: &'static [&'static str] = &["games"];
    type Game = Arc<dyn LearnableGame>;
    type Event = GatherEvent;
    type Outcome = Gathered;

    fn run(
        &self,
        game: &Arc<dyn LearnableGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<Gathered, JobError> {
        let game = &**game;
        match self.until_stable {
            None => self.gather(game, workplace, watch),
            Some(share) => self.gather_until_stable(share, game, workplace, watch),
        }
    }
}

impl Gather {
    /// The size of the transposition table of a game, in MB.
    pub const TABLE_MB: usize = 16;

    /// Whether games go on after a win was proved. The last moves of a game count as much as its first; searches after a
    /// proven win count for nothing.
    pub fn plays_to_the_end(question: &Question) -> bool {
        matches!(question, Question::Realization(_))
    }

    fn gather(
        &self,
        game: &dyn LearnableGame,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<Gathered, JobError> {
        let (games, table) = match &self.question {
            Question::RankCut(question) => self.ask(question, game, workplace, watch),
            Question::Realization(question) => self.ask(question, game, workplace, watch),
            Question::ProbCut(question) => self.ask(question, game, workplace, watch),
            Question::CutNodes(question) => self.ask(question, game, workplace, watch),
        }?;
        Ok(Gathered { games, table, moves: Vec::new(), is_unstable: false })
    }

    /// Plays the games that are left; how many there are in all, and what they amount to.
    fn ask<S: Statistic>(
        &self,
        statistic: &S,
        game: &dyn LearnableGame,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<(u64, Table), JobError> {
        let players = game.self_play(&self.play).map_err(JobError::input)?;
        let mut units = workplace.units::<_, S::Share>(self, Some(self.games), |_, _| Ok(()))?;
        watch(GatherEvent::Round(self.games));
        let mut each = |_, _: &S::Share| {
            watch(GatherEvent::Game);
            ControlFlow::Continue(())
        };
        let work = |(): &mut (), number, stop: &Signal| statistic.share(&*players, number, stop);
        units.work(self.games, vec![(); workplace.jobs], &workplace.stop, work, &mut each)?;
        let finished = units.into_finished().into_iter().filter(|(number, _)| *number < self.games);
        let shares: Vec<S::Share> = finished.map(|(_, share)| share).collect();
        if shares.is_empty() {
            return Err(JobError::Interrupted);
        }
        Ok((shares.len() as u64, statistic.table(shares)))
    }

    /// RankCut's statistics again and again, by a player that prunes by the last ones. Each round is a job of its own.
    fn gather_until_stable(
        &self,
        share: f64,
        game: &dyn LearnableGame,
        workplace: &Workplace,
        watch: &(dyn Fn(GatherEvent) + Sync),
    ) -> Result<Gathered, JobError> {
        let mut setup = self.play.player.read(game).map_err(JobError::input)?;
        if !setup.params.rank_cut.on() {
            return Err(JobError::input("only a player that uses RankCut can gather with pruning on"));
        }
        // The first round prunes nothing.
        let params = Params { rank_cut: Params::DEFAULT.rank_cut, ..setup.params.clone() };
        let mut player = Setup { params, ..setup.clone() };
        let (mut last, mut moves): (Option<RankTable>, _) = (None, Vec::new());
        let mut round = 0;
        loop {
            let play = SelfPlay { player: WrittenSetup::of(game, &player), ..self.play.clone() };
            let job = Gather { play, until_stable: None, ..self.clone() };
            let gathered = job.gather(game, &workplace.within(&format!("round-{round}")), watch)?;
            let Table::RankCut { table, .. } = &gathered.table else {
                return Err(JobError::input("only RankCut's statistics change what they are gathered from"));
            };
            moves.extend(last.as_ref().map(|last| last.distance(table)));
            let is_stable = moves.last().is_some_and(|moved| *moved < share);
            let is_unstable = !is_stable && round + 1 == MOST_ROUNDS;
            if is_stable || is_unstable || workplace.stop.is_stopped() {
                return Ok(Gathered { moves, is_unstable, ..gathered });
            }
            setup.tables.rank_cut = Some(Arc::new(table.clone()));
            (player, last) = (setup.clone(), Some(table.clone()));
            round += 1;
        }
    }
}

/// Counts the moves of recorded games, for realization probabilities; also says how many games were read.
pub fn count_recorded(
    game: &dyn LearnableGame,
    sources: &[Source],
    stop: &Signal,
) -> Result<(ClassTable, recorded::Recorded), JobError> {
    let mut classes = vec![ClassCounts::default(); game.move_classes()];
    let read = recorded::read_games(game, sources, u64::MAX, stop, &mut |_, record| {
        for (sum, counts) in classes.iter_mut().zip(game.count_classes(&record.position)) {
            sum.played += counts.played;
            sum.available += counts.available;
        }
    })?;
    Ok((ClassTable { classes }, read))
}
