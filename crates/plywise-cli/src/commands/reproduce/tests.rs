use super::*;
use crate::cli;
use plywise_arena::matches::{ForgeGames, GameRecord, MatchOutcome, PlayMatch};
use plywise_arena::openings::MakeOpenings;
use plywise_arena::suites::{RunSuite, SuiteOutcome};
use plywise_arena::{Entrant, Limits};
use plywise_host::{AnyGame, Files, SuiteEntry};
use plywise_learn::evolution::{EvolveCoeval, EvolveEval, EvolveSearch, EvolvedCoeval, EvolvedEval, EvolvedSearch};
use plywise_learn::extensions::{LearnExtensions, LearnedExtensions};
use plywise_learn::{Gather, Gathered, LearnableGame};
use plywise_papers::Laboratory;
use plywise_run::JobError;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};

/// Does the same jobs, each as small as it can be.
struct Miniature<'a> {
    bench: Bench<'a>,
    /// The files that steps made.
    made: Mutex<BTreeSet<String>>,
}

const FEW_NODES: u64 = 30;

impl Laboratory for Miniature<'_> {
    fn game(&self, name: &str) -> Result<Arc<dyn LearnableGame>, JobError> {
        self.bench.game(name)
    }

    fn files(&self) -> &dyn Files {
        self.bench.files()
    }

    fn player(&self, game: &dyn AnyGame, text: &str, limits: Limits) -> Result<Entrant, JobError> {
        self.bench.player(game, text, limits)
    }

    fn keep(&self, name: &str, text: &str) -> Result<(), JobError> {
        assert!(!text.is_empty(), "{name}");
        self.made.lock().unwrap().insert(name.to_owned());
        Ok(())
    }

    fn play_match(&self, step: usize, job: &PlayMatch) -> Result<MatchOutcome, JobError> {
        let mut job = PlayMatch { games: 2, ..job.clone() };
        job.rules.longest = Some(8);
        job.players.iter_mut().for_each(|player| player.limits = Limits::depth(1));
        self.bench.play_match(step, &job)
    }

    fn run_suite(&self, step: usize, job: &RunSuite) -> Result<SuiteOutcome, JobError> {
        let job = RunSuite { limits: vec![Limits::depth(1)], ..job.clone() };
        self.bench.run_suite(step, &job)
    }

    fn make_openings(&self, step: usize, job: &MakeOpenings) -> Result<Vec<SuiteEntry>, JobError> {
        self.bench.make_openings(step, job)
    }

    fn forge_games(&self, step: usize, job: &ForgeGames) -> Result<Vec<GameRecord>, JobError> {
        // Many of so weak games are drawn, and teach nothing.
        let mut job = ForgeGames { games: 5 * job.games, ..job.clone() };
        job.player.limits = Limits::depth(1);
        self.bench.forge_games(step, &job)
    }

    fn gather(&self, step: usize, job: &Gather) -> Result<Gathered, JobError> {
        let mut job = job.clone();
        (job.play.longest, job.play.limits) = (12, Limits::depth(5));
        self.bench.gather(step, &job)
    }

    fn learn_extensions(&self, step: usize, job: &LearnExtensions) -> Result<LearnedExtensions, JobError> {
        self.bench.learn_extensions(step, &LearnExtensions { nodes: FEW_NODES, iterations: 1, ..job.clone() })
    }

    fn evolve_eval(&self, step: usize, job: &EvolveEval) -> Result<EvolvedEval, JobError> {
        let mut job = EvolveEval { generations: 1, ..job.clone() };
        job.plan.breeder.population = 2;
        self.bench.evolve_eval(step, &job)
    }

    fn evolve_coeval(&self, step: usize, job: &EvolveCoeval) -> Result<EvolvedCoeval, JobError> {
        let mut job = EvolveCoeval { generations: 1, limits: Limits::depth(1), ..job.clone() };
        (job.plan.breeder.population, job.games.count, job.games.max_moves) = (2, 2, 5);
        self.bench.evolve_coeval(step, &job)
    }

    fn evolve_search(&self, step: usize, job: &EvolveSearch) -> Result<EvolvedSearch, JobError> {
        let mut job = EvolveSearch { generations: 1, ..job.clone() };
        job.plan.breeder.population = 2;
        job.player.limits = Limits::nodes(FEW_NODES);
        self.bench.evolve_search(step, &job)
    }
}

/// A short game that this player won.
fn won_by(name: &str) -> String {
    format!("[White \"{name}\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n")
}

/// The words after an option.
fn after<'a>(words: &'a [String], option: &str) -> Option<&'a str> {
    words.iter().position(|word| word == option).and_then(|place| words.get(place + 1)).map(String::as_str)
}

/// Every table runs, each of its jobs is shown as a command that can be typed, and what a command reads is there: it comes
/// with the game, or an earlier step made it.
#[test]
fn every_table_runs_and_tells_commands_that_can_be_typed() {
    let games = plywise_learn::games::built_in();
    // What tables cannot do without: suites, and games of two players.
    let data = tempfile::tempdir().unwrap();
    let lct = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"one\";\n";
    std::fs::write(data.path().join("lctii.epd"), lct).unwrap();
    let win = "8/w1w5/3w1wb1/5w2/w2b4/8/4bb2/4b3 b bm f2xf5; id \"one\";\n";
    std::fs::write(data.path().join("loa-hard.epd"), win).unwrap();
    let players = ["Carlsen", "Shirov"].map(|name| won_by(name).repeat(3)).concat();
    std::fs::write(data.path().join("gm-2600.pgn"), players).unwrap();
    for table in tables().unwrap() {
        let name = table.name.as_str();
        let reads_data =
            ["rankcut-lct", "erps-hard", "evolution-match", "evolution-coeval", "evolution-players"].contains(&name);
        // One technique in one game, and one number of nodes, stand for all of them.
        let only = ["loa", "multi_cut"].map(str::to_owned);
        let has_levels = ["gain", "erps-nodes", "multicut-loa", "multicut-layered"].contains(&name);
        let conditions = Conditions {
            share: 0.0005,
            data: reads_data.then(|| data.path().to_owned()),
            limits: has_levels.then(|| Limits::nodes(100_000)),
            opponent: Some("classic".to_owned()),
            only: if table.parts.is_empty() { Vec::new() } else { only.into() },
        };
        let (run, stop) = (RunArgs::default(), Signal::new());
        let bench = Bench { games: Games(&games), run: &run, jobs: 1, stop: &stop };
        let miniature = Miniature { bench, made: Mutex::default() };
        let mut lab = Lab::new(&conditions, &miniature);
        let rows = table.run(&mut lab).unwrap_or_else(|error| panic!("{}: {error}", table.name));
        assert!(!rows.is_empty() && rows.iter().any(|row| row.ours.is_some()), "{}: {rows:?}", table.name);
        assert!(!lab.commands().is_empty(), "{}", table.name);
        let mut made = BTreeSet::new();
        for command in lab.commands() {
            let words = shlex::split(command).unwrap();
            let parsed = cli::parse(Games(&games), words.iter().map(OsString::from));
            parsed.unwrap_or_else(|error| panic!("{}: {command}: {error}", table.name));
            let reads = ["--openings", "--pgn", "--from", "--profiles", "--table"]
                .into_iter()
                .filter_map(|option| after(&words, option));
            for file in reads.flat_map(|list| list.split(',')).filter(|name| name.contains('.')) {
                let is_given = data.path().join(file).is_file();
                assert!(is_given || made.contains(file), "{}: {command}: what makes {file}?", table.name);
            }
            made.extend(after(&words, "-o").map(str::to_owned));
        }
        let kept = miniature.made.into_inner().unwrap();
        assert!(kept.is_subset(&made), "{}: {kept:?} {made:?}", table.name);
    }
}
