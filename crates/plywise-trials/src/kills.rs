//! Every command with `--run` is killed at random moments and then resumed: the result is that of an undisturbed run.

use crate::process::{Programs, wait};
use crate::trial::{Failure, Trial};
use plywise_game::random::Random;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The commands that can be resumed, each with few units of work. Another one is another line.
/// `RESULT` is the file for its result, `SUITE` and `CHESS` are suites of ours, the second cut short, `ENGINE` is this program as an engine.
const COMMANDS: &[(&str, &str)] = &[
    ("match", "match --game loa --a best --b brute --games 12 --nodes 300 --max-moves 20 --concurrency 2 --json"),
    ("forge games", "forge games loa --games 12 --nodes 300 --max-moves 20 --concurrency 2 -o RESULT --json"),
    (
        "forge suite",
        "forge suite loa --count 2 --play-nodes 200 --shallow-nodes 30 --deep-nodes 5000 --least-nodes 1000 \
         --proof-nodes 30000 --concurrency 2 -o RESULT --json",
    ),
    ("gather rankcut", "gather rankcut --game loa --games 12 --depth 4 --longest 30 --least-count 1 -o RESULT --json"),
    ("gather realization", "gather realization --game loa --games 12 --nodes 300 --longest 30 -o RESULT --json"),
    ("gather probcut", "gather probcut --game loa --games 12 --depth 4 --longest 30 --pairs 1-3,2-4 -o RESULT --json"),
    ("openings", "openings loa --plies 4 --random 40 --window 100 --nodes 1000 -o RESULT --json"),
    ("suite", "suite SUITE --game loa --sample 10 --profiles brute,best --nodes 3000 --json"),
    ("compare", "compare loa --profiles brute,classic,best --depth 2,3,4,5 --json"),
    (
        "learn extensions --offline",
        "learn extensions chess --offline --suite CHESS --nodes 300 --iterations 2 --jobs 2 --engine ENGINE -o RESULT --json",
    ),
    (
        "learn extensions --online",
        "learn extensions chess --online --suite CHESS --nodes 2000 --iterations 4 --jobs 2 -o RESULT --json",
    ),
    ("learn extensions --play", "learn extensions chess --online --play 6 --nodes 300 --drop 5 -o RESULT --json"),
    (
        "learn spsa",
        "learn spsa loa --tune aspiration.window --iterations 4 --pairs 1 --nodes 200 --max-moves 15 -o RESULT --json",
    ),
    ("evolve eval", "evolve eval chess --pgn GAMES --positions 6 --generations 60 --jobs 2 -o RESULT --json"),
    (
        "evolve coeval",
        "evolve coeval loa --preset full --population 3 --games 2 --generations 4 --nodes 100 --max-moves 15 --jobs 2 \
         -o RESULT --json",
    ),
    (
        "evolve search",
        "evolve search chess --suite CHESS --nodes 500 --population 4 --generations 4 --jobs 2 -o RESULT --json",
    ),
];

/// What may differ between two runs of the same work: time, and where its result is.
const MAY_DIFFER: &[&str] =
    &["file", "time", "time_ms", "seconds", "elapsed", "elapsed_ms", "nps", "nodes_per_second", "thinking_share"];

/// No command takes so long, not even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let trial = |&(name, line): &(&str, &'static str)| {
        let programs = programs.clone();
        let undisturbed = OnceLock::new();
        let case = move |_, random: &mut Random| {
            let expected = undisturbed.get_or_init(|| run_once(&programs, line)).clone()?;
            let found = run_with_kills(&programs, line, expected.1, random)?;
            match found == expected.0 {
                true => Ok(()),
                false => Err(Failure::new(format!("after the kills {found}, undisturbed {}", expected.0), line)),
            }
        };
        Trial { group: "kills", name: name.into(), short: 1, long: 100, case: Box::new(case) }
    };
    COMMANDS.iter().map(trial).collect()
}

/// The result of an undisturbed run, and the time it took.
fn run_once(programs: &Programs, line: &str) -> Result<(String, Duration), Failure> {
    let begun = Instant::now();
    let folder = tempfile::tempdir().map_err(|error| Failure::new(error, ""))?;
    finish(programs, line, &folder.path().join("run")).map(|result| (result, begun.elapsed()))
}

/// The result of a run that is killed up to three times, each time at any moment from its start to its end.
fn run_with_kills(programs: &Programs, line: &str, longest: Duration, random: &mut Random) -> Result<String, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(error, ""))?;
    let run = folder.path().join("run");
    for _ in 0..1 + random.below(3) {
        let mut child = start(programs, line, &run)?;
        thread::sleep(longest.mul_f64(random.below(1000) as f64 / 1000.0));
        let _ = child.kill();
        let _ = child.wait();
    }
    finish(programs, line, &run)
}

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plywise-loa/data/wins.epd");
const CHESS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../plywise-chess/data/tactics.epd"));

/// A file with the first positions of our chess suite, beside the run.
fn small_suite(run: &Path) -> PathBuf {
    let file = run.with_extension("epd");
    let lines: String = CHESS.lines().take(20).map(|line| format!("{line}\n")).collect();
    // Where it cannot be written, the command says that it cannot read it.
    let _ = std::fs::write(&file, lines);
    file
}

/// A file with a few short games, beside the run.
fn small_games(run: &Path) -> PathBuf {
    let file = run.with_extension("pgn");
    let games = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";
    let _ = std::fs::write(&file, games.repeat(3));
    file
}

/// The file for the result of a run.
fn result(run: &Path) -> PathBuf {
    run.with_extension("result")
}

fn command(programs: &Programs, line: &str, run: &Path) -> Command {
    let mut command = programs.plywise();
    let word = |word: &str| match word {
        "RESULT" => result(run).into_os_string(),
        "SUITE" => SUITE.into(),
        "CHESS" => small_suite(run).into_os_string(),
        "GAMES" => small_games(run).into_os_string(),
        "ENGINE" => {
            let engine = programs.plywise();
            let words = [engine.get_program()].into_iter().chain(engine.get_args()).map(|word| word.to_string_lossy());
            format!("thesis:{} uci chess --profile classic", words.collect::<Vec<_>>().join(" ")).into()
        }
        word => word.into(),
    };
    command.args(line.split_whitespace().map(word)).arg("--run").arg(run).stdin(Stdio::null());
    command
}

fn start(programs: &Programs, line: &str, run: &Path) -> Result<Child, Failure> {
    let mut command = command(programs, line, run);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| Failure::new(error, line))
}

/// Runs a command to its end, and gives what it says and what it leaves, without times.
fn finish(programs: &Programs, line: &str, run: &Path) -> Result<String, Failure> {
    let mut command = command(programs, line, run);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let output = child.map_err(|error| error.to_string()).and_then(collect);
    let output = output.map_err(|problem| Failure::new(problem, line))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!("it ends with {}: {words}", output.status), line));
    }
    // Where the result is differs from run to run.
    let place = result(run).display().to_string();
    let document = String::from_utf8_lossy(&output.stdout).replace(&place, "RESULT");
    let mut document: Value = serde_json::from_str(&document).map_err(|error| Failure::new(error, line))?;
    forget_times(&mut document);
    Ok(format!("{document}\n{}\n{}", games(&run.join("games.pgn")), games(&result(run))))
}

/// Waits for a process, but not for ever. What it writes fits into its pipes.
fn collect(mut child: Child) -> Result<Output, String> {
    if wait(&mut child, Instant::now() + PATIENCE).is_none() {
        let _ = child.kill();
        let _ = child.wait();
        return Err("it does not end".into());
    }
    child.wait_with_output().map_err(|error| error.to_string())
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            keys.retain(|key, _| !MAY_DIFFER.contains(&key.as_str()));
            keys.values_mut().for_each(forget_times);
        }
        Value::Array(list) => list.iter_mut().for_each(forget_times),
        _ => {}
    }
}

/// What a run leaves, without the comments and dates of games; nothing where it leaves none.
fn games(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut plain = String::new();
    let mut is_comment = false;
    for letter in text.chars() {
        is_comment |= letter == '{';
        if !is_comment {
            plain.push(letter);
        }
        is_comment &= letter != '}';
    }
    let is_kept = |line: &&str| !line.contains("Date \"") && !line.contains("Time \"");
    plain.lines().filter(is_kept).flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}
