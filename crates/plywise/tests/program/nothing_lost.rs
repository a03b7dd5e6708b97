//! What is finished is never lost: interrupted, killed, raced, edited, and with a full disk.
#![cfg(unix)]

use crate::{output, plywise};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Long enough for the slowest machine; nothing waits so long where all is well.
const PATIENCE: Duration = Duration::from_secs(60);

/// Starts the program; what it says comes back with [`Child::wait_with_output`].
fn start(arguments: &str) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("plywise"))
        .args(arguments.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn wait_until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "it takes too long");
        sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("sh").args(["-c", &format!("kill -{name} {}", child.id())]).status().unwrap();
    assert!(status.success());
}

/// How many lines a file has.
fn lines(file: &Path) -> usize {
    fs::read_to_string(file).map_or(0, |text| text.matches('\n').count())
}

fn journal(run: &Path) -> PathBuf {
    run.join("journal.jsonl")
}

/// Starts a command with a run directory, and waits until it has finished `units` or is over.
fn start_run(arguments: &str, run: &Path, units: usize) -> Child {
    let before = lines(&journal(run));
    let mut child = start(&format!("{arguments} --run {}", run.display()));
    wait_until(|| lines(&journal(run)) >= before + units || child.try_wait().unwrap().is_some());
    child
}

/// Interrupts a command with a run directory after its first units: its exit status and what it wrote.
fn interrupt(arguments: &str, run: &Path, name: &str) -> (ExitStatus, String) {
    let child = start_run(arguments, run, 3);
    signal(&child, name);
    let output = child.wait_with_output().unwrap();
    (output.status, String::from_utf8(output.stdout).unwrap())
}

/// Kills a command again and again, and gives what it writes when it is let go on to its end.
fn killed_and_resumed(arguments: &str, run: &Path) -> String {
    for _ in 0..3 {
        let mut child = start_run(arguments, run, 1);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    output(&format!("{arguments} --run {}", run.display()))
}

/// A suite of five positions of LOA.
fn small_suite(folder: &Path) -> PathBuf {
    let file = folder.join("suite.epd");
    let suite = crate::repository_file("crates/plywise-loa/data/wins.epd");
    fs::write(&file, suite.lines().take(5).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    file
}

/// Without what depends on the clock.
fn without_times(text: &str) -> Value {
    let mut document: Value = serde_json::from_str(text).unwrap();
    for row in document["rows"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("time_ms");
    }
    document
}

#[test]
fn killed_work_in_units_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let suite = small_suite(folder.path()).display().to_string();
    let check = |name: &str, arguments: &str, compare: &dyn Fn(&str) -> String| {
        let (one, other) = (folder.path().join(format!("{name}.one")), folder.path().join(format!("{name}.other")));
        let to = |file: &Path| arguments.replace("FILE", &file.display().to_string());
        let (whole, resumed) =
            (output(&to(&one)), killed_and_resumed(&to(&other), &folder.path().join(format!("{name}.run"))));
        match one.exists() {
            true => assert_eq!(fs::read_to_string(&one).unwrap(), fs::read_to_string(&other).unwrap(), "{name}"),
            false => assert_eq!(compare(&whole), compare(&resumed), "{name}"),
        }
    };
    let rows = |text: &str| without_times(text).to_string();
    for kind in ["rankcut", "realization", "probcut"] {
        let gather =
            format!("gather {kind} --game loa --games 8 --depth 3 --longest 40 --least-count 1 --least-depth 1");
        check(kind, &format!("{gather} --pairs 1-2,1-3 -o FILE"), &str::to_owned);
    }
    check("random", "openings loa --plies 4 --random 12 --window 200 --nodes 2000 -o FILE", &str::to_owned);
    check("systematic", "openings loa --plies 1 --distinct --window 9000 --nodes 2000 -o FILE", &str::to_owned);
    check("suite", &format!("suite loa {suite} --profiles brute,best --nodes 5000 --json"), &rows);
    check("compare", "compare loa --profiles brute,best --depth 3,4,5 --json", &rows);
}

#[test]
fn an_interrupt_lets_every_command_tell_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let suite = small_suite(folder.path()).display().to_string();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let check = |name: &str, signal: &str, arguments: &str| {
        let (status, text) = interrupt(arguments, &folder.path().join(format!("{name}.run")), signal);
        assert_eq!(status.code(), Some(130), "{name}: {text}");
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{name}: {error}: {text}"))
    };
    let players = "--a best --b brute --nodes 100 --max-moves 20 --concurrency 1";
    let endless = "--games 100000";
    let pgn = path("match.pgn");
    let document = check("match", "INT", &format!("match loa {players} {endless} --pgn {pgn} --json"));
    let games = document["games"].as_u64().unwrap();
    assert!((3..100_000).contains(&games), "{document}");
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Result ").count() as u64, games);
    let tables = format!("gather realization loa {endless} --nodes 50 --longest 20 -o {} --json", path("table"));
    assert!(check("gather", "TERM", &tables)["samples"].as_u64().unwrap() > 0);
    assert!(fs::read_to_string(path("table")).unwrap().contains("realization"));
    let openings = "openings loa --plies 8 --random 100000 --window 9000 --nodes 500 --json";
    assert!(check("openings", "INT", openings)["openings"].as_u64().unwrap() >= 3);
    let forge = format!("forge games loa {endless} --nodes 100 --max-moves 20 -o {} --json", path("games"));
    let games = check("games", "INT", &forge)["games"].as_u64().unwrap();
    assert_eq!(fs::read_to_string(path("games")).unwrap().matches("[Result ").count() as u64, games);
    // Not even its first position is finished so soon.
    let run = folder.path().join("suite.run");
    let suite = format!("suite loa {suite} --profiles best --nodes 300000000 --jobs 1 --json");
    let child = start(&format!("{suite} --run {}", run.display()));
    wait_until(|| run.join("run.json").exists());
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let (status, text) = (output.status, String::from_utf8(output.stdout).unwrap());
    assert_eq!(status.code(), Some(130));
    assert!(serde_json::from_str::<Value>(&text).unwrap()["positions"].as_u64().unwrap() < 5, "{text}");
    let learn = format!(
        "learn eval loa --pgn {} --epochs 100000 --skip 0 --validation 2 -o {} --json",
        path("games"),
        path("tuned")
    );
    assert!(check("learn", "INT", &learn)["epochs"].as_array().unwrap().len() >= 3);
    assert!(fs::read_to_string(path("tuned")).unwrap().contains("weights learned"));
}

#[test]
fn an_interrupted_search_tells_its_best_line() {
    let mut child = start("analyse loa --depth 100");
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.trim_start().starts_with("2/")), "it has searched two plies");
    signal(&child, "INT");
    assert!(lines.any(|line| line.starts_with("best move: ")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn an_interrupted_comparison_tells_the_searches_that_are_over() {
    let folder = tempfile::tempdir().unwrap();
    let child = start_run("compare loa --profiles best,brute --depth 2,100 --json", &folder.path().join("run"), 2);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.len() == 2 && rows.iter().all(|row| row["best"].is_string()), "{document}");
}

/// An engine that answers nothing once a game has begun, and does not end when its input does; every process of it adds
/// its number to a file.
fn hung_engine(folder: &Path) -> (PathBuf, PathBuf) {
    let (script, processes) = (folder.join("hung.sh"), folder.join("processes"));
    let text = format!(
        "echo $$ >> '{}'\nsleep 1000 &\necho $! >> '{}'\nwhile read -r line; do case \"$line\" in \
         uci) echo uciok;; isready) echo readyok;; 'go depth 1') echo bestmove b8b6;; esac; done\nwait\n",
        processes.display(),
        processes.display()
    );
    fs::write(&script, text).unwrap();
    (script, processes)
}

/// The processes in the file that are alive.
fn alive(processes: &Path) -> Vec<String> {
    let text = fs::read_to_string(processes).unwrap_or_default();
    let is_alive = |number: &&str| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    };
    text.lines().filter(is_alive).map(str::to_owned).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_hung_engine_does_not_outlive_the_match() {
    for signals in [&["KILL"][..], &["INT"], &["TERM"], &["INT", "INT"]] {
        let folder = tempfile::tempdir().unwrap();
        let (script, processes) = hung_engine(folder.path());
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args("match loa --a best --movetime 600000 --games 2 --openings start --concurrency 1".split(' '));
        command.arg("--b").arg(format!("uci:sh '{}'", script.display()));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // It is brought to the board once to be tried, and again for the game.
        wait_until(|| lines(&processes) >= 4);
        assert!(!alive(&processes).is_empty());
        for name in signals {
            signal(&child, name);
        }
        child.wait().unwrap();
        wait_until(|| alive(&processes).is_empty());
    }
}

#[test]
fn games_are_added_to_the_file_as_they_end() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, "[Event \"earlier\"]\n\n*\n\n").unwrap();
    let arguments = "match loa --a best --b brute --games 100000 --nodes 100 --max-moves 20 --concurrency 2";
    let games = || fs::read_to_string(&pgn).unwrap().matches("[Result ").count();
    let mut child = start(&format!("{arguments} --pgn {}", pgn.display()));
    wait_until(|| games() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(fs::read_to_string(&pgn).unwrap().starts_with("[Event \"earlier\"]"));
}

#[track_caller]
fn refused(arguments: &str, ending: &str) {
    let assert = plywise(arguments).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.ends_with(&format!("{ending}\n")) && complaint.lines().count() == 1, "{complaint}");
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stdout), "");
}

#[test]
fn a_run_is_known_by_what_its_files_hold() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str| fs::write(path(name), text).unwrap();
    write("one.toml", "base = \"brute\"\n[search.null_move]\nreduction = 2\n");
    let openings = output("openings loa --plies 1");
    let [first, last] = [openings.lines().next().unwrap(), openings.lines().last().unwrap()];
    write("openings.epd", first);
    let arguments = format!(
        "match loa --a {} --b brute --games 2 --nodes 50 --max-moves 5 --openings {} --run {}",
        path("one.toml"),
        path("openings.epd"),
        path("run")
    );
    output(&arguments);
    output(&arguments);
    // The same profile under another name is the same player.
    fs::create_dir(path("moved")).unwrap();
    fs::copy(path("one.toml"), path("moved/one.toml")).unwrap();
    output(&arguments.replace(&path("one.toml"), &path("moved/one.toml")));
    write("one.toml", "base = \"brute\"\n[search.null_move]\nreduction = 3\n");
    refused(&arguments, "its profile of player 1 is \"reduction = 2\", not \"reduction = 3\"");
    write("one.toml", "base = \"brute\"\n[search.null_move]\nreduction = 2\n");
    write("openings.epd", last);
    let assert = plywise(&arguments).assert().code(2);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("its --openings is "));
}

#[test]
fn a_changed_table_or_suite_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let gather = |seed: u32| {
        output(&format!(
            "gather realization loa --games 2 --nodes 50 --longest 10 --seed {seed} -o {}",
            path("table.toml")
        ))
    };
    gather(1);
    let suite = small_suite(folder.path());
    let arguments = format!(
        "suite loa {} --profiles rps --table {} --nodes 100 --run {}",
        suite.display(),
        path("table.toml"),
        path("run")
    );
    output(&arguments);
    gather(2);
    let assert = plywise(&arguments).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.contains("its --table of player 1 is \""), "{complaint}");
    gather(1);
    let text = fs::read_to_string(&suite).unwrap();
    fs::write(&suite, text.lines().take(4).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    refused(&arguments, "its positions is a list of 5, not of 4");
}

#[test]
fn another_build_is_told_and_goes_on_where_it_is_asked_to() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let arguments = format!("compare loa --profiles best --depth 2 --run {}", run.display());
    output(&arguments);
    let manifest = run.join("run.json");
    let mut document: Value = serde_json::from_str(&fs::read_to_string(&manifest).unwrap()).unwrap();
    document["builds"]["plywise"] = "0123456789abcdef".into();
    fs::write(&manifest, document.to_string()).unwrap();
    let ending = "was begun by another build of plywise, whose results may differ; --resume-anyway goes on with it";
    refused(&arguments, ending);
    output(&format!("{arguments} --resume-anyway"));
    output(&arguments);
    document["work"]["version"] = "0.0.1".into();
    fs::write(&manifest, document.to_string()).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    refused(&format!("{arguments} --resume-anyway"), &format!("its version is \"0.0.1\", not \"{version}\""));
}

#[test]
fn an_edited_journal_is_found_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let arguments = |games: u32| {
        let players = "--a best --b brute --nodes 50 --max-moves 5 --concurrency 1";
        format!("match loa {players} --games {games} --run {}", run.display())
    };
    output(&arguments(2));
    let text = fs::read_to_string(journal(&run)).unwrap();
    fs::write(journal(&run), text.replacen("\"result\":\"", "\"result\" :\"", 1)).unwrap();
    refused(&arguments(100_000), "is damaged: its checksum is wrong, so it was changed");
}

/// Two commands want one directory at the same moment: one works there, the other is refused, and nothing is mixed.
#[test]
fn a_race_for_a_directory_has_one_winner() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..5 {
        let run = folder.path().join(round.to_string());
        let arguments = |seed: u32| {
            let players = "--a best --b brute --nodes 50 --max-moves 5 --games 4 --concurrency 1";
            format!("match loa {players} --seed {seed} --run {}", run.display())
        };
        let children = [1, 2].map(|seed| start(&arguments(seed)));
        let codes = children.map(|child| child.wait_with_output().unwrap().status.code().unwrap());
        assert!(codes == [0, 2] || codes == [2, 0], "{codes:?}");
        let winner = if codes[0] == 0 { 1 } else { 2 };
        assert_eq!(lines(&journal(&run)), 4);
        assert!(output(&arguments(winner)).contains("4 of 4 games"));
    }
}

/// Runs a command that may not write a single byte into a file, as on a full disk: its exit code and its output.
fn with_full_disk(arguments: &str) -> (Option<i32>, String) {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec '{}' {arguments}", program.display());
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_full_disk_leaves_the_old_file_and_the_result_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.svg");
    for arguments in [
        "openings loa --plies 1 --distinct -o FILE",
        "gather realization loa --games 2 --nodes 50 --longest 10 -o FILE",
        "forge games loa --games 2 --nodes 50 --max-moves 5 -o FILE",
        "match loa --a best --b brute --games 2 --nodes 50 --max-moves 5 --concurrency 1 --pgn FILE",
        "draw loa -o FILE",
    ] {
        let arguments = arguments.replace("FILE", &file.display().to_string());
        fs::write(&file, "").unwrap();
        output(&arguments);
        let result = fs::read_to_string(&file).unwrap();
        fs::write(&file, "the old one\n").unwrap();
        let (code, printed) = with_full_disk(&arguments);
        assert_eq!(code, Some(1), "{arguments}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "the old one\n", "{arguments}");
        let is_steady = |line: &&str| !line.is_empty() && !line.contains("emt");
        for line in result.lines().filter(is_steady) {
            assert!(printed.contains(line), "{arguments}: {line}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_found_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("none").join("result.svg").display().to_string();
    let suite = small_suite(folder.path()).display().to_string();
    let pgn = format!("learn eval loa --pgn {suite} -o FILE");
    for arguments in [
        "openings loa --plies 200 --random 1000000 --window 0 --nodes 1000000000 -o FILE",
        "gather realization loa --games 1000000 --nodes 1000000 -o FILE",
        "forge games loa --games 1000000 --nodes 1000000 -o FILE",
        "forge suite loa --count 1000000 -o FILE",
        "match loa --a best --b brute --games 1000000 --nodes 1000000 --pgn FILE",
        "draw loa -o FILE",
        &pgn,
    ] {
        let sentence = format!("plywise: cannot write '{file}': No such file or directory (os error 2)");
        refused(&arguments.replace("FILE", &file), &sentence);
    }
}
