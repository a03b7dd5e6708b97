//! Every command's help has examples, and they work.
#![cfg(unix)]

use crate::openings::polyglot_book;
use crate::output;
use assert_cmd::Command;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Limits for a test: where an example has such an option, its value is replaced.
const SMALLER: [(&str, &str); 16] = [
    ("--for", "1s"),
    ("--scale", "0.01"),
    ("--depth", "2"),
    ("--nodes", "300"),
    ("--movetime", "20"),
    ("--tc", "1+0.01"),
    ("--games", "6"),
    ("-rounds", "1"),
    ("--count", "1"),
    ("--random", "4"),
    ("--epochs", "2"),
    ("--iterations", "2"),
    ("--play", "2"),
    ("--proof-nodes", "30000"),
    ("--positions", "2"),
    ("--generations", "2"),
];

/// Options that make commands shorter, where an example does not have them.
const ADDED: [(&str, &[(&str, &str)]); 13] = [
    ("plywise reproduce gain", &[("--scale", "0.001"), ("--nodes", "1000")]),
    ("plywise learn net", &[("--validation", "0.3")]),
    (
        "plywise learn loop",
        &[
            ("--games", "60"),
            ("--nodes", "100"),
            ("--match-games", "2"),
            ("--sprt", "-200,-100"),
            ("--width", "16"),
            ("--epochs", "1"),
        ],
    ),
    ("plywise evolve eval", &[("--population", "4")]),
    ("plywise evolve search", &[("--population", "2"), ("--generations", "1"), ("--max-moves", "3")]),
    ("plywise evolve coeval", &[("--population", "3"), ("--max-moves", "3")]),
    ("plywise check-engine", &[("--only", "stop")]),
    ("plywise fastchess", &[("-maxmoves", "1")]),
    ("plywise match", &[("--max-moves", "3")]),
    ("plywise learn spsa", &[("--max-moves", "3"), ("--pairs", "1")]),
    ("plywise gather", &[("--longest", "20")]),
    ("plywise learn eval", &[("--skip", "0"), ("--validation", "2")]),
    (
        "plywise forge suite",
        &[
            ("--play-nodes", "200"),
            ("--shallow-nodes", "30"),
            ("--deep-nodes", "5000"),
            ("--least-nodes", "1000"),
            ("--proof-nodes", "30000"),
        ],
    ),
];

/// The example with less to do, but with every word that is not a limit.
fn shortened(example: &str) -> String {
    let mut words: Vec<&str> = example.split(' ').collect();
    for (option, value) in SMALLER {
        if let Some(place) = words.iter().position(|word| *word == option) {
            words[place + 1] = value;
        }
    }
    for (option, value) in ADDED.iter().filter(|(command, _)| example.starts_with(command)).flat_map(|(_, more)| *more)
    {
        if !words.contains(option) {
            words.extend([option, value]);
        }
    }
    words.join(" ")
}

/// The lines of a help text that show how to use a command.
fn examples(help: &str) -> Vec<String> {
    let mut lines = help.lines().skip_while(|line| !line.starts_with("Example"));
    let title = lines.next().unwrap_or_default();
    let inline = title.strip_prefix("Example: ").map(str::to_string);
    let listed = lines.take_while(|line| line.starts_with("  ")).map(|line| line.trim().to_string());
    inline.into_iter().chain(listed).collect()
}

/// A folder with what examples read, and a stranger's engine to play with.
struct Workplace {
    folder: tempfile::TempDir,
}

/// Files of games that examples read.
const GAMES: [(&str, &str); 2] = [("othello", "game.pgn"), ("loa", "games.pgn")];

/// The tree that examples read.
const TREE: &str = "start.tree";

/// The packed games that examples read.
const DATA: [(&str, &str); 4] =
    [("loa", "one.data"), ("loa", "two.data"), ("loa", "loa.data"), ("chess", "chess.data")];

/// Plays the games and searches the tree that examples read.
fn play_games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (game, file) in GAMES {
        let file = folder.path().join(file);
        output(&format!("forge games {game} --games 4 --nodes 50 --max-moves 30 -o {}", file.display()));
    }
    for (game, file) in DATA {
        output(&format!("forge data {game} --games 16 --nodes 50 -o {}", folder.path().join(file).display()));
    }
    output(&format!("tree record chess --depth 9 -o {}", folder.path().join(TREE).display()));
    folder
}

impl Workplace {
    fn new(forged: &Path) -> Workplace {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let position = "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; id \"back rank\";\n";
        fs::write(path("wac.epd"), position).unwrap();
        let option = "[[option]]\nname = \"Move Overhead\"\nmin = 10\nmax = 100\nstart = 20\n";
        fs::write(path("options.toml"), option).unwrap();
        let engine = "[engine]\nrun = \"engines/stockfish\"\n[test]\nbase = \"main\"\nmovetime = 20\nmax-moves = 3\n";
        fs::write(path("plywise-engine.toml"), format!("{engine}games = 4\n{option}")).unwrap();
        let games = "1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n";
        fs::write(path("masters.pgn"), games).unwrap();
        let mut line = String::new();
        let book = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6"].map(|mv| {
            line = format!("{line} {mv}").trim_start().to_owned();
            (line.clone(), 1)
        });
        let book = book.each_ref().map(|(line, weight)| (line.as_str(), *weight));
        fs::write(path("book.bin"), polyglot_book(&book)).unwrap();
        for directory in ["docs", "engines"] {
            fs::create_dir(path(directory)).unwrap();
        }
        fs::write(path("engines/stockfish"), "#!/bin/sh\nexec plywise uci chess\n").unwrap();
        fs::set_permissions(path("engines/stockfish"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(path("engine"), "#!/bin/sh\nprintf 'plywise-tree 1 nim\\nt 1\\ne - 0 1 pv\\nx 1\\ns\\nd\\n'\n")
            .unwrap();
        fs::set_permissions(path("engine"), fs::Permissions::from_mode(0o755)).unwrap();
        for file in GAMES.iter().chain(&DATA).map(|(_, file)| *file).chain([TREE]) {
            fs::copy(forged.join(file), path(file)).unwrap();
        }
        Workplace { folder }
    }

    /// Runs a line as a shell would. What serves until it is interrupted is ended after a moment.
    fn run(&self, line: &str) {
        let line = match line.split(' ').nth(1) {
            Some("studio") => &format!("timeout 2 {line} --no-open; test $? = 124"),
            Some("test") => {
                self.write_author();
                // The file is there already, but not in every folder.
                let folder =
                    if line.ends_with("--init") { "mkdir fresh && cp Makefile fresh && cd fresh && " } else { "" };
                // Not better and undecided are results as well.
                &format!("{folder}{line}; code=$?; test $code = 0 || test $code = 3 || test $code = 4")
            }
            Some("worker" | "workers") => {
                let Some(nats) = crate::cluster::Nats::start(&["--jetstream"]) else { return };
                return self.run_at(&line.replace("nats://127.0.0.1:4222", &nats.address()));
            }
            _ => line,
        };
        self.run_line(line);
    }

    /// A repository with an engine, unless it is there: the stranger's, which plays as ours does.
    fn write_author(&self) {
        let engine = self.folder.path().join("Makefile");
        if engine.exists() {
            return;
        }
        let makefile = "EXE = engines/stockfish\nall:\n";
        fs::write(engine, makefile).unwrap();
        let git = "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false";
        self.run_line(&format!(
            "git init -q -b main . && git add Makefile engines && {git} commit -q -m first && git checkout -q -b my-branch \
             && echo '# new' >> Makefile && {git} commit -q -a -m second"
        ));
    }

    /// Runs a line about a NATS server that is there.
    fn run_at(&self, line: &str) {
        match line.starts_with("plywise workers") {
            true => self.run_line(line),
            false => self.run_line(&format!("timeout 2 {line}; test $? = 124")),
        }
    }

    fn run_line(&self, line: &str) {
        let program = assert_cmd::cargo::cargo_bin("plywise");
        let folders = [program.parent().map(Path::to_path_buf), Some(self.folder.path().join("engines"))];
        let system = std::env::var_os("PATH").unwrap_or_default();
        let folders: Vec<PathBuf> = folders.into_iter().flatten().chain(std::env::split_paths(&system)).collect();
        Command::new("sh")
            .args(["-c", line])
            .current_dir(self.folder.path())
            .env("PATH", std::env::join_paths(folders).unwrap())
            .timeout(Duration::from_secs(120))
            .assert()
            .success();
    }
}

/// Every command below this one, with its name in full.
fn all_commands(name: &str, command: &clap::Command) -> Vec<(String, clap::Command)> {
    let inner =
        command.get_subcommands().flat_map(|inner| all_commands(&format!("{name} {}", inner.get_name()), inner));
    std::iter::once((name.to_string(), command.clone())).chain(inner).collect()
}

#[test]
fn every_example_of_every_command_works() {
    let (program, games) = (plywise_cli::command(&plywise_cli::built_in()), play_games());
    let commands = Mutex::new(all_commands("plywise", &program).into_iter());
    let next = || commands.lock().unwrap().next();
    let work = || {
        while let Some((name, command)) = next() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = examples(&help);
            assert!(examples.iter().any(|example| example.contains(&name)), "{name} has no example");
            let workplace = Workplace::new(games.path());
            examples.iter().for_each(|example| workplace.run(&shortened(example)));
        }
    };
    // Each command has a folder of its own, and most of them wait.
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(work))));
}
