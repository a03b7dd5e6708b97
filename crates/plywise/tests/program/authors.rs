//! `plywise test` in an author's repository: engines in C and in Rust, built from commits of a temporary repository.
#![cfg(unix)]
#![allow(clippy::print_stderr)]

use crate::cluster::{Killed, Nats, journal, lines};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Long enough for the slowest machine; nothing waits so long where all is well.
const PATIENCE: Duration = Duration::from_secs(60);

/// An author's repository.
struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    /// An empty one on the branch `main`.
    fn new() -> Repository {
        let repository = Repository { folder: tempfile::tempdir().unwrap() };
        repository.git("init -q -b main .");
        repository
    }

    /// The toy in C, built by make.
    fn in_c() -> Repository {
        let repository = Repository::new();
        repository.write("engine.c", include_str!("authors/toy.c"));
        repository.write("Makefile", "EXE = toy\n$(EXE): engine.c strength.h\n\t$(CC) -O1 -o $@ engine.c\n");
        repository.write("strength.h", "#define LOOKS_AHEAD 0\n#define SLOWNESS 2\n#define BENCH 1000\n");
        repository.write("plywise-engine.toml", &file("make", "nodes = 100\nsprt = [0, 200]\ngames = 200"));
        repository.commit("First\n\nBench: 1000");
        repository
    }

    /// The toy in Rust, built by the compiler alone.
    fn in_rust(test: &str) -> Repository {
        let repository = Repository::new();
        repository.write("main.rs", include_str!("authors/toy.rs"));
        repository.write("strength.rs", &strength(60, 0));
        repository.write("plywise-engine.toml", &file("rustc --edition 2021 -C debuginfo=0 -o toy main.rs", test));
        repository.commit("First");
        repository
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn git(&self, words: &str) {
        self.git_with(&words.split(' ').collect::<Vec<_>>());
    }

    fn git_with(&self, words: &[&str]) {
        let who = ["-c", "user.name=Author", "-c", "user.email=author@example.org", "-c", "commit.gpgsign=false"];
        let mut command = Command::new("git");
        command.args(who).args(words).current_dir(&self.folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        let output = command.output().unwrap();
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn commit(&self, message: &str) {
        self.git("add -A");
        self.git_with(&["commit", "-q", "-m", message]);
    }

    /// A new branch with another strength.
    fn branch(&self, name: &str, file: &str, text: &str, message: &str) {
        self.git(&format!("checkout -q -b {name}"));
        self.write(file, text);
        self.commit(message);
    }

    fn run(&self, arguments: &str) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args(arguments.split(' ')).current_dir(&self.folder).output().unwrap()
    }

    /// The document of a test that ends with this code.
    #[track_caller]
    fn test(&self, arguments: &str, code: i32) -> Value {
        let output = self.run(&format!("test {arguments} --json"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{errors}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {errors}"))
    }

    /// What a test says that is refused.
    #[track_caller]
    fn refusal(&self, arguments: &str, code: i32) -> String {
        let output = self.run(&format!("test {arguments}"));
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stdout));
        let errors = String::from_utf8(output.stderr).unwrap();
        errors.lines().find(|line| line.starts_with("plywise: ")).unwrap().to_owned()
    }

    /// The only run directory.
    fn run_directory(&self) -> PathBuf {
        let mut runs = fs::read_dir(self.path("plywise-tests/runs")).unwrap();
        runs.next().unwrap().unwrap().path()
    }
}

fn file(build: &str, test: &str) -> String {
    format!(
        "[engine]\ngame = \"connect4\"\nbuild = \"{build}\"\nrun = \"./toy\"\nbench = \"./toy bench\"\n\n\
         [test]\nbase = \"main\"\nspeed-rounds = 3\n{test}\n"
    )
}

/// The numbers of the toy in Rust: how long its bench takes, and a move.
fn strength(bench_ms: u64, move_ms: u64) -> String {
    format!(
        "const BENCH: u64 = 7000;\nconst BENCH_MS: u64 = {bench_ms};\nconst MOVE_MS: u64 = {move_ms};\nconst MARGIN: i32 = 20;\n"
    )
}

const STRONG: &str = "#define LOOKS_AHEAD 1\n#define SLOWNESS 1\n#define BENCH 2000\n";

/// Whether a program of the author is here.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("SKIPPED: {program} is not installed");
    }
    found
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn the_stronger_and_faster_commit_is_found() {
    if !has("make") {
        return;
    }
    let repository = Repository::in_c();
    repository.branch("strong", "strength.h", STRONG, "Look ahead\n\nIt wins.\n\nBench: 2,000");
    let found = repository.test("strong", 0);
    assert_eq!((&found["verdict"], &found["sprt"]["decision"]), (&"better".into(), &"h1".into()));
    assert_eq!((&found["new"]["bench"], &found["new"]["subject"]), (&2000.into(), &"Look ahead".into()));
    assert_eq!((&found["speed"]["difference"], &found["speed"]["rounds"]), (&1.0.into(), &3.into()));
    // The same command shows it again; nothing is built, measured or played.
    assert_eq!(repository.test("strong", 0), found);
    assert_eq!(repository.test("main strong", 3)["verdict"], "not-better");
    assert_eq!(fs::read_dir(repository.path("plywise-tests/builds")).unwrap().count(), 4, "two builds and their locks");

    // The working copy is not what was committed.
    repository.write("strength.h", &STRONG.replace("AHEAD 1", "AHEAD 0"));
    let worse = repository.test(". strong", 3);
    assert_eq!((&worse["new"]["commit"], &worse["new"]["bench"]), (&Value::Null, &Value::Null));

    let listed = repository.test("--list", 0);
    let verdicts: Vec<&str> =
        listed["tests"].as_array().unwrap().iter().map(|t| t["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["not-better", "not-better", "better"], "{listed}");
    let text = String::from_utf8(repository.run("test --list").stdout).unwrap();
    assert!(text.contains("+100.0 %") && text.contains("strong "), "{text}");
    // What plywise keeps is not for git.
    assert!(!repository.run_git("status --short").contains("plywise-tests"));
}

impl Repository {
    fn run_git(&self, words: &str) -> String {
        let output = Command::new("git").args(words.split(' ')).current_dir(&self.folder).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

#[test]
fn what_is_wrong_with_a_commit_is_told() {
    if !has("make") {
        return;
    }
    let repository = Repository::in_c();
    repository.branch("wrong", "strength.h", STRONG, "Look ahead\n\nBench: 5");
    let sentence = repository.refusal("wrong", 2);
    assert!(sentence.contains("says 'Bench: 5', but its bench searches 2000 nodes"), "{sentence}");
    assert!(!repository.path("plywise-tests/runs").exists(), "a test that was refused is none");
    repository.branch("broken", "engine.c", "#error \"no engine\"\n", "Break it");
    let sentence = repository.refusal("broken", 1);
    assert!(sentence.contains("the build of broken ") && sentence.contains("no engine"), "{sentence}");
    for (arguments, words) in [
        ("nothing", "'nothing' is no commit of the repository"),
        ("main", "name another version"),
        ("wrong --sprt 5,0", "below"),
        ("main wrong --file none.toml", "none.toml"),
        ("--init", "is there already"),
    ] {
        let sentence = repository.refusal(arguments, 2);
        assert!(sentence.contains(words), "{sentence}");
    }
    repository.write("plywise-engine.toml", "[engine]\nrun = \"./toy\"\nbuidl = \"make\"\n");
    assert!(repository.refusal("main HEAD", 2).contains("buidl"));
    // Without a bench there is nothing to check, and a folder without git can be tested as well.
    fs::remove_dir_all(repository.path(".git")).unwrap();
    fs::create_dir(repository.path("old")).unwrap();
    for name in ["engine.c", "Makefile", "strength.h"] {
        let text = match name {
            "engine.c" => include_str!("authors/toy.c").to_owned(),
            name => fs::read_to_string(repository.path(name)).unwrap(),
        };
        fs::write(repository.path("old").join(name), text).unwrap();
    }
    repository.write("plywise-engine.toml", &file("make", "nodes = 9").replace("bench = \"./toy bench\"\n", ""));
    let output = repository.test("./old ./old --games 2", 4);
    assert_eq!((&output["speed"], &output["games"]), (&Value::Null, &2.into()));
}

#[test]
fn a_file_to_begin_with_is_written() {
    let repository = Repository::new();
    repository.write("Makefile", "EXE = toy\n");
    let output = repository.run("test --init");
    assert!(output.status.success());
    let text = fs::read_to_string(repository.path("plywise-engine.toml")).unwrap();
    assert!(text.contains("run = \"./toy\"") && text.contains("base = \"main\""), "{text}");
    let empty = tempfile::tempdir().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
    assert_eq!(command.args(["test", "--init"]).current_dir(&empty).status().unwrap().code(), Some(2));
}

#[test]
fn a_test_survives_a_kill_while_it_builds_and_while_it_plays() {
    let repository = Repository::in_rust("nodes = 10\ngames = 12");
    let (begun, go) = (repository.path("begun"), repository.path("go"));
    let slow = |command: &str| {
        format!("touch {}; until test -e {}; do sleep 0.01; done; {command}", begun.display(), go.display())
    };
    let recipe = fs::read_to_string(repository.path("plywise-engine.toml")).unwrap();
    repository.write("plywise-engine.toml", &recipe.replace("rustc ", &slow("rustc ")));
    repository.branch("other", "strength.rs", &strength(5, 3), "Faster bench, slower moves");
    let start = || Killed::start_in(&["test", "other", "--jobs", "1"], repository.folder.path());

    let mut killed = start();
    wait_for("the build does not begin", || begun.exists());
    killed.kill();
    fs::write(&go, "").unwrap();
    // What the build had started is gone: it would have gone on by now, and have built the engine.
    sleep(Duration::from_millis(100));
    let builds = repository.path("plywise-tests/builds");
    let built =
        || fs::read_dir(&builds).unwrap().flatten().filter(|entry| entry.path().join("source/toy").exists()).count();
    assert_eq!(built(), 0, "a build outlives the command");

    let mut killed = start();
    let run = || repository.path("plywise-tests/runs");
    wait_for("no game is played", || run().exists() && lines(&repository.run_directory()) >= 3);
    killed.kill();
    let played = lines(&repository.run_directory());
    assert!(played < 12, "it was too fast to be killed");
    let found = repository.test("other --jobs 1", 4);
    assert_eq!((&found["games"], &found["verdict"]), (&12.into(), &"undecided".into()));
    // How much faster depends on what it takes to start a process.
    assert!(found["speed"]["difference"].as_f64().unwrap() > 0.0, "{found}");
    // The same games as in one sitting.
    repository.test("other --jobs 1 --run alone", 4);
    assert_eq!(journal(&repository.run_directory()), journal(&repository.path("alone")));
}

#[test]
fn a_worker_builds_what_it_is_sent_if_it_may() {
    if !has("make") {
        return;
    }
    let Some(nats) = Nats::start(&["--jetstream"]) else { return };
    let repository = Repository::in_c();
    let recipe = fs::read_to_string(repository.path("plywise-engine.toml")).unwrap();
    // The worker does not finish before it is killed.
    let go = repository.path("go");
    let slow = format!("case $PWD in */outpost/*) until test -e {}; do sleep 0.01; done;; esac; make", go.display());
    repository.write("plywise-engine.toml", &recipe.replace("\"make\"", &format!("\"{slow}\"")));
    repository.branch("strong", "strength.h", STRONG, "Look ahead\n\nBench: 2000");
    let (address, outpost) = (nats.address(), tempfile::tempdir().unwrap());
    let log = outpost.path().join("log");
    let worker = |more: &[&str]| {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args(["worker", &address, "--jobs", "1"]).args(more).current_dir(&outpost);
        Killed(command.stdout(Stdio::null()).stderr(fs::File::create(&log).unwrap()).spawn().unwrap())
    };
    let said = |words: &str| fs::read_to_string(&log).is_ok_and(|text| text.contains(words));

    let careful = worker(&[]);
    let words = ["test", "strong", "--workers", &address];
    let mut coordinator = Killed::start_in(&words, repository.folder.path());
    wait_for("the worker does not refuse", || said("--allow-build"));
    assert_eq!(fs::read_dir(&outpost).unwrap().count(), 1, "only the log");
    drop(careful);
    let bold = || worker(&["--allow-build", "--builds", "outpost"]);
    let killed = bold();
    let builds = outpost.path().join("outpost");
    let build =
        || fs::read_dir(&builds).into_iter().flatten().flatten().map(|entry| entry.path()).find(|path| path.is_dir());
    wait_for("the worker does not build", || build().is_some());
    drop(killed);
    assert!(!build().unwrap().join("built.json").exists(), "the build does not wait");
    fs::write(&go, "").unwrap();
    let _bold = bold();
    wait_for("the test does not end", || coordinator.0.try_wait().unwrap().is_some());
    assert!(coordinator.0.wait().unwrap().success());
    assert!(said("helps with 'test connect4'") && !said("leaves"), "{}", fs::read_to_string(&log).unwrap());
    assert!(build().unwrap().join("built.json").exists());

    // The same games as here alone.
    let run = repository.run_directory();
    repository.test("strong --run alone", 0);
    let decided = |run: &Path| journal(run).into_iter().take(10).collect::<Vec<_>>();
    assert_eq!(decided(&run), decided(&repository.path("alone")));
}

#[test]
fn the_options_of_the_same_file_are_tuned_and_the_patch_applies() {
    let repository = Repository::in_rust("nodes = 10");
    let option = "\n[[option]]\nname = \"Margin\"\nmin = 0\nmax = 100\nstart = 20 # the default\nstep = 40\n";
    let recipe = fs::read_to_string(repository.path("plywise-engine.toml")).unwrap();
    repository.write("plywise-engine.toml", &format!("{recipe}{option}"));
    let strength = fs::read_to_string(repository.path("strength.rs")).unwrap();
    repository.write("strength.rs", &strength.replace("MARGIN: i32 = 20;", "MARGIN: i32 = 20; // Margin"));
    repository.commit("Name the option");
    let words =
        "learn spsa connect4 --options plywise-engine.toml --iterations 3 --pairs 2 --once --rate 0.5 -o tuned.toml";
    let tune = || -> Value {
        let output = repository.run(&format!("{words} --json --run runs/spsa"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let found = tune();
    // What the command wrote into the repository is no part of the engine: the same command shows it again.
    assert_eq!(tune(), found);
    let change = &found["changes"][0];
    assert_eq!((&change["option"], &change["old"]), (&"Margin".into(), &"20".into()));
    let new = change["new"].as_str().unwrap();
    assert_ne!(new, "20", "nothing was learned");
    assert_eq!(found["not_in_the_source"], Value::Array(Vec::new()));
    repository.write("tuned.patch", found["patch"].as_str().unwrap());
    repository.git("apply tuned.patch");
    let changed =
        |name: &str, old: &str| fs::read_to_string(repository.path(name)).unwrap().contains(&old.replace("20", new));
    assert!(changed("strength.rs", "MARGIN: i32 = 20; // Margin"));
    assert!(changed("plywise-engine.toml", "start = 20 # the default"));
    // What -o names is the whole file.
    let tuned = fs::read_to_string(repository.path("tuned.toml")).unwrap();
    assert_eq!(tuned, fs::read_to_string(repository.path("plywise-engine.toml")).unwrap());
    // People read the same.
    repository.git("checkout -q -- .");
    let text = String::from_utf8(repository.run(words).stdout).unwrap();
    assert!(text.contains(&format!("Margin: 20 -> {new}")) && text.contains("+++ b/strength.rs"), "{text}");
}
