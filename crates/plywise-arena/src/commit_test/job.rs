use super::bench::Bench;
use super::engine_file::Recipe;
use super::source::SourceTree;
use super::speed::{MeasureSpeed, Round, Speed};
use super::workshop::{Built, Workshop};
use crate::Who;
use crate::matches::{MatchEvent, MatchOutcome, PlayMatch};
use crate::statistics::Decision;
use plywise_host::AnyGame;
use plywise_run::{Executor, Job, JobError, Workplace, shorten};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// `test`: two versions of an engine from their sources to a verdict.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestCommits {
    /// The version that is tested.
    pub new: Candidate,
    /// The version that it is tested against.
    pub old: Candidate,
    /// How often the speed is measured.
    #[serde(default)]
    pub speed_rounds: u64,
    /// The games. Its players are the engines of the two versions; where their programs are is known after the build.
    #[serde(flatten)]
    pub contest: PlayMatch,
    /// Where they are built. What is read from a message or a file has none, until somebody here allows it.
    #[serde(skip)]
    pub workshop: Option<Workshop>,
}

/// A version of an engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// What people call it.
    pub name: String,
    /// The commit, unless it is a folder.
    pub commit: Option<String>,
    /// The first line of the commit's message.
    pub subject: String,
    /// The bench that the commit's message names.
    pub bench: Option<u64>,
    /// How it is built and run.
    pub recipe: Recipe,
    /// What it is built from.
    pub source: SourceTree,
}

/// What happens in a test.
#[derive(Clone, Debug)]
pub enum TestEvent {
    /// A version is being built.
    Building {
        /// Which.
        name: String,
    },
    /// A version is built.
    Built {
        /// Which.
        name: String,
        /// How long it took; nothing if it was built earlier.
        time: Option<Duration>,
    },
    /// A bench was run for the first time.
    Benched {
        /// Whose.
        name: String,
        /// Its nodes, if there is a bench.
        nodes: Option<u64>,
        /// What the commit's message says.
        expected: Option<u64>,
    },
    /// The speed was measured once more.
    Measured(Round),
    /// The speed was measured.
    Speed(Speed),
    /// What happens in the games.
    Match(MatchEvent),
}

/// What came out of a test.
#[derive(Debug)]
pub struct TestOutcome {
    /// The rounds in which the speed was measured.
    pub rounds: Vec<Round>,
    /// The games.
    pub games: MatchOutcome,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The upper hypothesis is accepted.
    Better,
    /// The lower hypothesis is accepted.
    NotBetter,
    /// The games do not decide.
    Undecided,
}

impl TestOutcome {
    /// How fast the two are.
    pub fn speed(&self) -> Option<Speed> {
        Speed::of(&self.rounds)
    }

    /// What the games say.
    pub fn verdict(&self) -> Verdict {
        Verdict::of(self.games.standings.summary().and_then(|summary| Some(summary.sprt?.decision)))
    }
}

impl Verdict {
    /// The verdict of a sequential test.
    pub fn of(decision: Option<Decision>) -> Verdict {
        match decision {
            Some(Decision::H1) => Verdict::Better,
            Some(Decision::H0) => Verdict::NotBetter,
            Some(Decision::Continue) | None => Verdict::Undecided,
        }
    }
}

impl TestCommits {
    /// The folder within a run directory that keeps the measured speeds.
    pub const SPEED: &'static str = "speed";

    /// The rounds that a run directory holds, if any.
    pub fn rounds_of(run: &Path) -> Vec<Round> {
        let found = plywise_run::Units::<Round>::look(&run.join(TestCommits::SPEED), &|_, _| Ok(()));
        found.map_or_else(|_| Vec::new(), |(_, rounds)| rounds.into_values().collect())
    }

    /// Builds both versions.
    fn build(&self, workplace: &Workplace, watch: &(dyn Fn(TestEvent) + Sync)) -> Result<[Built; 2], JobError> {
        let Some(workshop) = &self.workshop else {
            return Err(JobError::input(
                "it is built from a source that comes from elsewhere, which is not allowed here",
            ));
        };
        let build = |candidate: &Candidate| -> Result<Built, JobError> {
            let name = candidate.name.clone();
            let begin = || watch(TestEvent::Building { name: name.clone() });
            let begun = Instant::now();
            let built = workshop.build(&candidate.source, &candidate.recipe, &name, &workplace.stop, &begin)?;
            watch(TestEvent::Built { name, time: (!built.was_ready).then(|| begun.elapsed()) });
            Ok(built)
        };
        Ok([build(&self.new)?, build(&self.old)?])
    }

    /// Runs the bench of both once, and refuses one that is not what its commit says.
    fn check_benches(
        &self,
        builds: &[Built; 2],
        workplace: &Workplace,
        watch: &(dyn Fn(TestEvent) + Sync),
    ) -> Result<(), JobError> {
        for (candidate, built) in [&self.new, &self.old].into_iter().zip(builds) {
            let nodes = built.bench(&workplace.stop)?.map(|Bench { nodes, .. }| nodes);
            let (name, expected) = (candidate.name.clone(), candidate.bench);
            watch(TestEvent::Benched { name, nodes, expected });
            nodes.map_or(Ok(()), |nodes| candidate.check_bench(nodes))?;
        }
        Ok(())
    }

    fn check_rounds(&self, rounds: &[Round]) -> Result<(), JobError> {
        let check = |round: &Round| self.new.check_bench(round.nodes[0]).and(self.old.check_bench(round.nodes[1]));
        rounds.iter().try_for_each(check)
    }

    fn measure(
        &self,
        builds: &[Built; 2],
        workplace: &Workplace,
        watch: &(dyn Fn(TestEvent) + Sync),
    ) -> Result<Vec<Round>, JobError> {
        let sides = [&self.new, &self.old];
        let benches = sides.map(|side| side.recipe.bench.clone());
        if self.speed_rounds == 0 || benches.iter().any(Option::is_none) {
            return Ok(Vec::new());
        }
        let sources = sides.map(|side| side.source.digest());
        let job = MeasureSpeed { sources, benches, rounds: self.speed_rounds };
        let rounds =
            job.run(builds, &workplace.within(TestCommits::SPEED), &|round| watch(TestEvent::Measured(round)))?;
        self.check_rounds(&rounds)?;
        if workplace.stop.is_stopped() {
            return Err(JobError::Interrupted);
        }
        Speed::of(&rounds).into_iter().for_each(|speed| watch(TestEvent::Speed(speed)));
        Ok(rounds)
    }

    /// The match between the two builds.
    fn built_contest(&self, builds: &[Built; 2]) -> Result<PlayMatch, JobError> {
        let mut contest = self.contest.clone();
        for (player, built) in contest.players.iter_mut().zip(builds) {
            let Who::Engine(engine) = &mut player.who else {
                return Err(JobError::input("a test is played by engines"));
            };
            *engine = built.engine(&engine.options)?;
        }
        Ok(contest)
    }
}

impl Candidate {
    fn check_bench(&self, nodes: u64) -> Result<(), JobError> {
        match self.bench {
            Some(expected) if expected != nodes => Err(JobError::Input(format!(
                "the commit message of {} says 'Bench: {expected}', but its bench searches {nodes} nodes; correct the \
                 message or the commit",
                self.name
            ))),
            _ => Ok(()),
        }
    }
}

impl Job for TestCommits {
    const NAME: &'static str = "test";
    const MAY_GROW: &'static [&'static str] = &["games", "speed_rounds"];
    type Game = Arc<dyn AnyGame>;
    type Event = TestEvent;
    type Outcome = TestOutcome;

    fn run(
        &self,
        game: &Arc<dyn AnyGame>,
        workplace: &Workplace,
        watch: &(dyn Fn(TestEvent) + Sync),
    ) -> Result<TestOutcome, JobError> {
        let builds = self.build(workplace, watch)?;
        let contest = self.built_contest(&builds)?;
        let mut rounds = workplace.directory.as_deref().map_or_else(Vec::new, TestCommits::rounds_of);
        if rounds.is_empty() {
            // The first run of a program is slow: it counts as a check, not as a measurement.
            self.check_benches(&builds, workplace, watch)?;
        }
        // A worker's machine is compared by plywise's own bench.
        if !matches!(workplace.executor, Executor::Worker(_)) {
            // The directory is for this test before anything is kept in it.
            drop(workplace.open(self, Some(contest.games), &mut |_: serde::de::IgnoredAny| Ok(()))?);
            rounds = self.measure(&builds, workplace, watch)?;
        }
        let games = contest.run_for(self, game, workplace, &|event| watch(TestEvent::Match(event)))?;
        Ok(TestOutcome { rounds, games })
    }

    /// The sources stand there by their digests.
    fn work(&self) -> Result<Map<String, Value>, JobError> {
        let failed = |error: serde_json::Error| JobError::Failed(error.to_string());
        let mut work = Map::from_iter([("command".to_owned(), Value::from(Self::NAME))]);
        let light = |side: &Candidate| {
            let Candidate { name, commit, subject, bench, recipe, source: _ } = side;
            let (name, commit, subject) = (name.clone(), commit.clone(), subject.clone());
            Candidate { name, commit, subject, bench: *bench, recipe: recipe.clone(), source: SourceTree::default() }
        };
        let (contest, speed_rounds) = (self.contest.clone(), self.speed_rounds);
        let job = TestCommits { new: light(&self.new), old: light(&self.old), speed_rounds, contest, workshop: None };
        let Value::Object(fields) = serde_json::to_value(job).map_err(failed)? else {
            return Err(JobError::failed("a test is no object"));
        };
        work.extend(fields);
        for (side, candidate) in [("new", &self.new), ("old", &self.old)] {
            work[side]["source"] = candidate.source.digest().into();
        }
        Self::MAY_GROW.iter().for_each(|field| drop(work.shift_remove(*field)));
        work.values_mut().for_each(shorten);
        Ok(work)
    }
}
