//! Engines that misbehave. The test executable runs itself again with a variable that says how.

use crate::tic_tac_toe::TicTacToe;
use plywise_arena::engine::{Engine, Protocol};
use plywise_game::{Game, Notation};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// How the engine behaves.
const BEHAVIOUR: &str = "PLYWISE_FAKE_ENGINE";

/// A folder in which every process leaves a file named after its number.
const PROCESSES: &str = "PLYWISE_FAKE_PROCESSES";

const FOREVER: Duration = Duration::from_secs(3600);

/// An engine that behaves so, and leaves its process numbers in `processes`.
pub fn fake(protocol: Protocol, behaviour: &str, processes: &Path) -> Engine {
    let test = std::env::current_exe().unwrap();
    let arguments = [
        format!("{BEHAVIOUR}={behaviour}"),
        format!("{PROCESSES}={}", processes.display()),
        test.display().to_string(),
        "fake_engine::entry_of_the_fake_engine".into(),
        "--exact".into(),
        "--nocapture".into(),
    ];
    Engine {
        name: behaviour.to_owned(),
        arguments: arguments.into(),
        start_timeout: Duration::from_secs(10),
        ..Engine::new(protocol, "env")
    }
}

/// The numbers of the processes that left a file in `processes` and are still alive. A zombie is not: here no process may
/// collect the children of a killed engine.
pub fn survivors(processes: &Path) -> Vec<String> {
    let numbers = fs::read_dir(processes).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_alive = |number: &String| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    };
    numbers.filter(is_alive).collect()
}

/// Not a test of anything unless the variable is set; then this is the engine.
// The child is not waited for on purpose: the arena must end it together with the engine.
#[test]
#[allow(clippy::zombie_processes)]
fn entry_of_the_fake_engine() {
    let Ok(behaviour) = std::env::var(BEHAVIOUR) else { return };
    let processes = std::env::var(PROCESSES).unwrap();
    fs::write(Path::new(&processes).join(std::process::id().to_string()), "").unwrap();
    if behaviour == "with-child" {
        let child = Command::new("sleep").arg("3600").spawn().unwrap();
        fs::write(Path::new(&processes).join(child.id().to_string()), "").unwrap();
    }
    if behaviour == "with-daemon" {
        // Its own session, and its parent is gone: neither a process group nor a line of parents leads to it.
        let mark = "echo > \"$PLYWISE_FAKE_PROCESSES/$$\"; exec sleep 3600";
        Command::new("setsid").args(["--fork", "sh", "-c", mark]).status().unwrap();
        while fs::read_dir(&processes).unwrap().count() < 2 {
            sleep(Duration::from_millis(2));
        }
    }
    // The test harness has begun a line of its own.
    say("");
    if let Some(fault) = behaviour.strip_prefix(crate::check::PREFIX) {
        return crate::check::serve(fault);
    }
    let mut fake = Fake { behaviour, position: TicTacToe::start(), moves: 0, forced: true };
    for line in io::stdin().lines() {
        let line = line.unwrap();
        if line == "quit" || fake.hear(&line).is_none() {
            break;
        }
    }
}

pub fn say(line: &str) {
    say_bytes(line.as_bytes());
}

fn say_bytes(line: &[u8]) {
    let mut stdout = io::stdout().lock();
    // The reader may be gone, which is its right.
    let _ = stdout.write_all(line).and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush());
}

struct Fake {
    behaviour: String,
    position: <TicTacToe as Game>::Position,
    /// The moves that it has played.
    moves: u32,
    /// CECP: whether moves are only taken note of.
    forced: bool,
}

impl Fake {
    fn is(&self, behaviour: &str) -> bool {
        self.behaviour == behaviour
    }

    /// Answers a line of either protocol; `None` to end.
    fn hear(&mut self, line: &str) -> Option<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // It speaks CECP alone.
            "uci" if self.is("version-1") || self.is("version-2") => {}
            "uci" => self.greet("option name Hash type spin default 1\nuciok")?,
            "isready" => say("readyok"),
            "position" => self.set_position(rest),
            "go" if rest.is_empty() => {
                self.forced = false;
                self.answer("move ")?;
            }
            "go" if self.is("ignores-nodes") && rest.starts_with("nodes") => {
                say("info depth 9 nodes 123456 score cp 1")
            }
            "stop" if self.is("ignores-nodes") => self.answer("bestmove ")?,
            "go" => self.answer("bestmove ")?,
            "protover" if self.is("uci-only") => say("Unknown command: 'protover 2'."),
            "protover" => self.features()?,
            "new" => (self.position, self.moves, self.forced) = (TicTacToe::start(), 0, true),
            "force" => self.forced = true,
            "setboard" => self.position = TicTacToe::parse_position(rest).unwrap(),
            "ping" => say(&format!("pong {rest}")),
            "usermove" => self.hear_move(rest)?,
            _ if self.is("version-1") && TicTacToe::parse_move(&self.position, line).is_ok() => self.hear_move(line)?,
            _ => {}
        }
        Some(())
    }

    fn greet(&mut self, greeting: &str) -> Option<()> {
        match self.behaviour.as_str() {
            "dies-at-start" => {
                let _ = writeln!(io::stderr(), "no licence found");
                return None;
            }
            "silent-at-start" => sleep(FOREVER),
            _ => say(greeting),
        }
        Some(())
    }

    fn features(&mut self) -> Option<()> {
        match self.behaviour.as_str() {
            "version-1" => {}
            "slow-features" => {
                say("feature done=0");
                sleep(Duration::from_millis(2300));
                say("feature ping=1 setboard=1 usermove=1 telepathy=1");
                say("feature done=1");
            }
            "one-game" => say("feature ping=1 setboard=1 usermove=1 reuse=0 done=1"),
            _ => self.greet(r#"feature ping=1 setboard=1 usermove=1 myname="A fake" done=1"#)?,
        }
        Some(())
    }

    fn set_position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        self.position = match start.strip_prefix("fen ") {
            Some(position) => TicTacToe::parse_position(position).unwrap(),
            None => TicTacToe::start(),
        };
        for mv in moves.split_whitespace() {
            self.play(mv);
        }
    }

    fn play(&mut self, text: &str) {
        let mv = TicTacToe::parse_move(&self.position, text).unwrap();
        self.position = TicTacToe::play(&self.position, mv);
    }

    fn hear_move(&mut self, text: &str) -> Option<()> {
        if self.is("denies-moves") && !self.forced {
            say(&format!("Illegal move: {text}"));
            return Some(());
        }
        self.play(text);
        if self.forced || TicTacToe::outcome(&self.position).is_some() { Some(()) } else { self.answer("move ") }
    }

    /// Answers a request to move.
    fn answer(&mut self, word: &str) -> Option<()> {
        match self.behaviour.as_str() {
            "dies-mid-game" if self.moves == 1 => return None,
            "closes-output" if self.moves == 1 => {
                // A panic in the test ends it with a message on the error output and a status.
                panic!("assertion in the fake engine");
            }
            "hangs" => sleep(FOREVER),
            "late" => sleep(Duration::from_millis(500)),
            "floods" => loop {
                say("info string nothing to see here");
            },
            "floods-one-line" => loop {
                let mut stdout = io::stdout().lock();
                stdout.write_all(&[b'x'; 4096]).ok()?;
            },
            "floods-then-plays" => (0..20_000).for_each(|i| say(&format!("info depth {i} string x"))),
            "invalid-utf-8" => say_bytes(b"info string \xff\xfe\xc3\x28"),
            "invalid-utf-8-move" => {
                say_bytes(&[word.as_bytes(), b"\xff\xfe"].concat());
                return Some(());
            }
            "illegal" => {
                say(&format!("{word}d4"));
                return Some(());
            }
            "no-move" => {
                say("bestmove (none)");
                return Some(());
            }
            "resigns" if self.moves == 1 => {
                say("resign");
                return Some(());
            }
            "claims-draw" => {
                say("1/2-1/2 {I think so}");
                return Some(());
            }
            "offers-draw" => say("offer draw"),
            _ => {}
        }
        say("info depth 5 score cp 12 nodes 99 pv a1");
        let mv = TicTacToe::legal_moves(&self.position)[0];
        let text = TicTacToe::write_engine_move(&self.position, mv);
        self.play(&text);
        self.moves += 1;
        say(&format!("{word}{text}"));
        Some(())
    }
}
