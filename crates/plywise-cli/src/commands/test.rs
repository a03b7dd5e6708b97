//! `plywise test`: two versions of an author's engine, from commits to a verdict.

mod history;
mod sides;

use super::matches::live::Live;
use super::matches::openings::OpeningArgs;
use super::stats::write_facts;
use crate::arguments::{self, LimitArgs};
use crate::document::{self, describe, joined};
use crate::games::Games;
use crate::jobs::Place;
use crate::progress::say;
use crate::run_summary::RunSummary;
use crate::runs::RunArgs;
use crate::table::{DataArgs, write_csv};
use crate::text::{show_count, show_time};
use crate::{Failure, Result};
use clap::Args;
use plywise_arena::commit_test::{
    Candidate, FILE_NAME, Repository, Speed, TestCommits, TestEvent, TestOutcome, TestSettings, Verdict, Workshop,
    starter_file,
};
use plywise_arena::engine::Engine;
use plywise_arena::matches::{Format, PlayMatch};
use plywise_arena::{Entrant, Who, facts, forfeits, openings};
use plywise_host::AnyGame;
use plywise_run::{Job, digest};
use plywise_search::Signal;
use serde_json::{Value, json};
use sides::Author;
pub(crate) use sides::working_copy;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Test a commit of your engine against another: build both, check the bench, measure the speed, play, give a verdict
///
/// Runs in your engine's repository, where plywise-engine.toml says how to build and to run the engine; --init writes that
/// file. A bench that differs from the 'Bench: N' of its commit message is refused. The games are played in pairs until the
/// sequential test of the file decides. Builds and games are kept in the folder plywise-tests: the same command resumes
/// a test that was cut off, and 'plywise studio plywise-tests/runs' shows it.
///
/// Exit code: 0 if NEW is better, 3 if it is not, 4 if the games do not decide, 1 if something failed, 2 for wrong input (a
/// wrong bench too), 130 if interrupted.
#[derive(Debug, Args)]
#[command(after_help = "\
NEW and OLD are commits by any name that git knows (branch, tag, hash, HEAD~2), or folders: '.' is the working copy as it
is, with what is not committed.

Examples:
  plywise test --init
  plywise test my-branch
  plywise test my-branch main --nodes 20000 --sprt 0,3
  plywise test . HEAD --games 100
  plywise test --list")]
pub struct Arguments {
    /// The version to test
    #[arg(value_name = "NEW", required_unless_present_any = ["init", "list"])]
    pub new: Option<String>,
    /// The version to test against [default: 'base' of plywise-engine.toml]
    #[arg(value_name = "OLD")]
    pub old: Option<String>,
    /// Write plywise-engine.toml for the project of cargo, make or cmake in this folder
    #[arg(long, conflicts_with_all = ["new", "list"])]
    pub init: bool,
    /// List the tests that were made, the last one first
    #[arg(long, conflicts_with = "new")]
    pub list: bool,
    /// The file that says how to build and to run the engine [default: plywise-engine.toml here or in the repository]
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The folder that keeps builds and tests [default: plywise-tests beside plywise-engine.toml]
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// The most games [default: 'games' of the file, or 40000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub games: Option<u64>,
    /// The Elo bounds of the sequential test [default: 'sprt' of the file, or 0,5]
    #[arg(long, value_name = "E0,E1", value_delimiter = ',', num_args = 1, allow_hyphen_values = true)]
    pub sprt: Vec<f64>,
    /// How many games to play at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub data: DataArgs,
}

/// The exit code of a test that says that the new version is not better.
const NOT_BETTER: u8 = 3;

/// The exit code of a test that does not decide.
const UNDECIDED: u8 = 4;

/// Writes the file, lists the tests, or makes one.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    if args.init {
        return init(args, out);
    }
    let author = Author::find(args)?;
    if args.list {
        return history::list(&author.kept(args).join(RUNS), &args.data, out);
    }
    let Some(new) = &args.new else { return Err(Failure::input("name the version to test")) };
    let (new, old) = author.sides(new, args.old.as_deref())?;
    let game = games.game(&new.recipe.game)?;
    let mut job = TestCommits {
        contest: contest(&*game, &author, args, [&new, &old])?,
        new,
        old,
        speed_rounds: author.file.test.speed_rounds(),
        workshop: None,
    };
    let kept = author.kept(args);
    keep_from_git(&kept)?;
    job.workshop = Some(Workshop::new(kept.join(BUILDS)));
    let run = match &args.run.run {
        Some(run) => run.clone(),
        None => kept.join(RUNS).join(run_name(&job)?),
    };
    let (live, jobs) = (Live::new(&*game, None), arguments::jobs(args.jobs, 1));
    let kept_run = args.run.at(&run);
    let place = Place::new(&kept_run, jobs, stop);
    let outcome = place.run(&job, &game, &|event| tell(event, &live))?;
    let verdict = outcome.verdict();
    report(args, &job, &outcome, &run, out)?;
    if let Some(failure) = outcome.games.failure {
        return Err(failure.into());
    }
    match verdict {
        Verdict::Better => Ok(()),
        Verdict::NotBetter => Err(Failure::Verdict(NOT_BETTER)),
        // A result that an interrupt left undecided is reported as an interrupt.
        Verdict::Undecided if stop.is_stopped() => Ok(()),
        Verdict::Undecided => Err(Failure::Verdict(UNDECIDED)),
    }
}

/// The folder of the builds.
const BUILDS: &str = "builds";

/// The folder of the tests.
const RUNS: &str = "runs";

/// Makes the folder of builds and tests, which is not for git. One that is there already is its owner's.
fn keep_from_git(kept: &Path) -> Result {
    let failed = |error| Failure::input(format!("cannot write to '{}': {error}", kept.display()));
    if kept.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(kept).map_err(failed)?;
    fs::write(kept.join(".gitignore"), "*\n").map_err(failed)
}

/// A name for the run directory that the same test has again.
fn run_name(job: &TestCommits) -> Result<String> {
    let plain = |name: &str| -> String {
        let letters = name.chars().map(|letter| if letter.is_alphanumeric() || letter == '.' { letter } else { '-' });
        letters.collect::<String>().trim_matches(['-', '.']).to_owned()
    };
    let work = Value::Object(job.work()?).to_string();
    let key = digest(work.as_bytes());
    Ok(format!("{}-vs-{}-{}", plain(&job.new.name), plain(&job.old.name), &key[..8]))
}

fn init(args: &Arguments, out: &mut dyn Write) -> Result {
    let file = args.file.clone().unwrap_or_else(|| FILE_NAME.into());
    if file.exists() {
        return Err(Failure::input(format!("'{}' is there already; edit it, or move it away", file.display())));
    }
    let folder = sides::folder_of(&file);
    let branch = Repository::around(&folder)?.map_or(Ok(None), |repository| repository.branch())?;
    crate::files::write(&file, &starter_file(&folder, branch.as_deref())?, out)?;
    let file = file.display();
    Ok(writeln!(out, "{file} is written: check 'build', 'run' and 'bench' in it, then 'plywise test BRANCH'")?)
}

/// The games of a test. Where the programs of the players are is known once they are built.
fn contest(game: &dyn AnyGame, author: &Author, args: &Arguments, sides: [&Candidate; 2]) -> Result<PlayMatch> {
    let settings = &author.file.test;
    let limits = match args.limits.single()? {
        Some(limits) => limits,
        None => settings.limits().map_err(|error| author.wrong(error))?,
    };
    let sprt = match args.sprt[..] {
        [] => settings.sprt().map_err(|error| author.wrong(error))?,
        [elo0, elo1] => {
            let settings = TestSettings { sprt: Some([elo0, elo1]), ..settings.clone() };
            settings.sprt().map_err(Failure::input)?
        }
        _ => return Err(Failure::input("--sprt takes two Elo differences, such as --sprt 0,5")),
    };
    let options = author.file.fixed_options();
    let player = |side: &Candidate| Entrant {
        who: Who::Engine(Engine {
            name: side.name.clone(),
            options: options.clone(),
            ..Engine::new(side.recipe.protocol, &side.recipe.run)
        }),
        limits,
    };
    let from = OpeningArgs {
        openings: settings.openings.as_deref().map(|file| author.openings(file)),
        plies: settings.plies,
        shuffle: settings.shuffle,
    };
    Ok(PlayMatch {
        game: game.name().to_owned(),
        players: sides.map(player).to_vec(),
        format: Format::RoundRobin,
        openings: from.read(game)?.iter().map(openings::write).collect(),
        shuffle: settings.shuffle,
        games: args.games.unwrap_or_else(|| settings.games()),
        rules: settings.rules(),
        sprt: Some(sprt),
        seed: args.seed,
    })
}

/// Says what happens, as it happens.
fn tell(event: TestEvent, live: &Live) {
    match event {
        TestEvent::Building { name } => say(&format!("building {name}")),
        TestEvent::Built { name, time: Some(time) } => say(&format!("built {name} in {}", show_time(time))),
        TestEvent::Built { name, time: None } => say(&format!("{name} was built before")),
        TestEvent::Benched { name, nodes: None, .. } => say(&format!("{name} has no bench command")),
        TestEvent::Benched { name, nodes: Some(nodes), expected: None } => {
            say(&format!("bench of {name}: {nodes}; its commit message has no 'Bench: N' to compare with"));
        }
        TestEvent::Benched { name, nodes: Some(nodes), expected: Some(expected) } => {
            let words =
                if nodes == expected { "as its commit message says" } else { "not what its commit message says" };
            say(&format!("bench of {name}: {nodes}, {words}"));
        }
        TestEvent::Measured(_) => {}
        TestEvent::Speed(speed) => say(&format!("speed: {}", speed_words(&speed))),
        TestEvent::Match(event) => live.take(event),
    }
}

/// A comparison of speeds in words.
fn speed_words(speed: &Speed) -> String {
    let percent = |difference: f64| format!("{:+.1} %", 100.0 * difference);
    let [least, most] = speed.range;
    let doubt = if least < 0.0 && most > 0.0 { "; the rounds disagree which is faster" } else { "" };
    format!(
        "{} against {} nodes a second: {} ({} to {} in {} rounds{doubt})",
        show_count(speed.new as u64),
        show_count(speed.old as u64),
        percent(speed.difference),
        percent(least),
        percent(most),
        speed.rounds
    )
}

/// A verdict in words.
fn verdict_words(verdict: Verdict, bounds: Option<[f64; 2]>) -> String {
    let bound = |which: usize| bounds.map_or(String::new(), |bounds| format!(" ({} Elo or more)", bounds[which]));
    match verdict {
        Verdict::Better => format!("better{}", bound(1)),
        Verdict::NotBetter => "not better".to_owned(),
        Verdict::Undecided => "undecided; more games may decide (--games)".to_owned(),
    }
}

fn report(args: &Arguments, job: &TestCommits, outcome: &TestOutcome, run: &Path, out: &mut dyn Write) -> Result {
    let standings = &outcome.games.standings;
    let Some(summary) = standings.summary() else { return Ok(()) };
    let (speed, verdict) = (outcome.speed(), outcome.verdict());
    if !args.data.is_text() {
        let side = |side: &Candidate| json!({"name": side.name, "commit": side.commit, "subject": side.subject, "bench": side.bench});
        let own = json!({
            "new": side(&job.new),
            "old": side(&job.old),
            "verdict": verdict,
            "speed": speed,
            "run": run,
            "game": job.contest.game,
            "forfeits": standings.forfeits(),
        });
        let document = joined(own, describe(&summary));
        return match args.data.csv {
            true => write_csv(out, [document]),
            false => document::write(out, TestCommits::NAME, Some(args.seed), document),
        };
    }
    writeln!(out, "{}: {} of {} games", standings.title(), standings.counted(), standings.scheduled())?;
    let mut rows =
        standings.pairings().next().map_or(Vec::new(), |(_, pairing)| facts(&pairing.games, &pairing.pairs, &summary));
    rows.extend(speed.map(|speed| ("Speed", speed_words(&speed))));
    let bounds = summary.sprt.map(|sprt| [sprt.elo0, sprt.elo1]);
    rows.push(("Verdict", verdict_words(verdict, bounds)));
    write_facts(&rows, out)?;
    if let Some(sentence) = forfeits(standings) {
        writeln!(out, "{sentence}")?;
    }
    Ok(writeln!(out, "kept in {}", run.display())?)
}

/// What a run directory of a test shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let mut shown = super::matches::summary(path)?;
    let speed = Speed::of(&TestCommits::rounds_of(path));
    shown.facts.extend(speed.map(|speed| ("Speed".to_owned(), speed_words(&speed))));
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_arena::commit_test::{EngineFile, Round, SourceTree};
    use plywise_arena::matches::{Ending, GameRecord, Rules};
    use plywise_arena::statistics::{EloModel, Sprt};
    use plywise_arena::{Limits, engine};
    use plywise_game::Side;
    use plywise_game::pgn::GameResult;
    use plywise_run::{Manifest, Numbered, Run, Workplace};

    fn candidate(name: &str) -> Candidate {
        let file = EngineFile::read("[engine]\nrun = \"./toy\"\nbuild = \"make\"\n").unwrap();
        Candidate {
            name: name.into(),
            commit: Some("12345678".into()),
            subject: "Faster".into(),
            bench: Some(7),
            recipe: file.engine.unwrap(),
            source: SourceTree::default(),
        }
    }

    fn job() -> TestCommits {
        let player = |name: &str| Entrant {
            who: Who::Engine(Engine { name: name.into(), ..Engine::new(engine::Protocol::Uci, "./toy") }),
            limits: Limits::nodes(5),
        };
        let contest = PlayMatch {
            game: "loa".into(),
            players: vec![player("new"), player("old")],
            format: Format::RoundRobin,
            openings: vec!["x".repeat(10_000)],
            shuffle: false,
            games: 2,
            rules: Rules::default(),
            sprt: Some(Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalised).unwrap()),
            seed: 1,
        };
        TestCommits { new: candidate("new"), old: candidate("old"), speed_rounds: 1, contest, workshop: None }
    }

    /// A run directory of a test is one of a match, with the speed beside the games.
    #[test]
    fn the_studio_and_the_list_show_a_test() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one");
        let workplace = Workplace { directory: Some(path.clone()), ..Workplace::local(1, &Signal::new()) };
        let open = || workplace.open(&job(), Some(2), &mut |_: GameRecord| Ok(())).unwrap().unwrap();
        let mut run = open();
        let record = |index: u64| GameRecord {
            index,
            players: [index as usize % 2, 1 - index as usize % 2],
            names: ["new".into(), "old".into()],
            opening: 0,
            date: String::new(),
            time_controls: Default::default(),
            start: String::new(),
            moves: Vec::new(),
            result: GameResult::Win(Side::First),
            ending: Ending::Resignation,
        };
        run.append(&record(0)).unwrap();
        run.append(&record(1)).unwrap();
        drop(run);
        drop(open());
        let round = Round { speeds: [110, 100], nodes: [7, 7] };
        let speed = path.join(TestCommits::SPEED);
        let mut run = Run::open::<Value>(&speed, &Manifest::default(), false, &mut |_| Ok(())).unwrap();
        run.append(&Numbered { number: 0, result: round }).unwrap();
        drop(run);

        let shown = summary(&path).unwrap();
        assert_eq!((shown.games, shown.result.unwrap().games), (2, [1, 0, 1]));
        assert!(shown.facts.iter().any(|(name, value)| name == "Speed" && value.contains("+10.0 %")));
        let (mut out, data) = (Vec::new(), DataArgs { json: true, csv: false });
        history::list(folder.path(), &data, &mut out).unwrap();
        let listed: Value = serde_json::from_slice(&out).unwrap();
        let test = &listed["tests"][0];
        assert_eq!((&test["new"], &test["subject"], &test["games"]), (&"new".into(), &"Faster".into(), &2.into()));
        assert_eq!((&test["verdict"], &test["running"]), (&"undecided".into(), &false.into()));
    }

    #[test]
    fn the_same_test_has_the_same_name() {
        let name = run_name(&job()).unwrap();
        let more = TestCommits { contest: PlayMatch { games: 4, ..job().contest }, ..job() };
        assert_eq!(run_name(&more).unwrap(), name);
        let other = TestCommits { contest: PlayMatch { seed: 2, ..job().contest }, ..job() };
        assert_ne!(run_name(&other).unwrap(), name);
        let odd = TestCommits { new: candidate("feature/x ../y"), ..job() };
        assert!(run_name(&odd).unwrap().starts_with("feature-x-..-y-vs-old-"));
    }
}
