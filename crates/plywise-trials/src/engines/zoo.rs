//! The faulty engines. They play Lines of Action, the first legal move, until their fault is due.

use super::leave_mark;
use plywise_game::{Game, Notation};
use plywise_loa::Loa;
use std::env::ArgsOs;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, abort};
use std::thread::sleep;
use std::time::{Duration, Instant};

const FOREVER: Duration = Duration::from_secs(3600);

/// Is the engine that the arguments name: a folder for process numbers, the stage and the deed of its fault.
pub fn serve(arguments: ArgsOs) -> ExitCode {
    let words: Vec<String> = arguments.map(|word| word.to_string_lossy().into_owned()).collect();
    let [folder, stage, deed] = &words[..] else { return ExitCode::from(2) };
    let folder = PathBuf::from(folder);
    leave_mark(&folder, std::process::id());
    let mut engine =
        Faulty { folder, stage: stage.clone(), deed: deed.clone(), position: Loa::start(), moves: 0, forced: true };
    for line in io::stdin().lines() {
        match line.map_err(|_| ExitCode::FAILURE).and_then(|line| engine.hear(&line)) {
            Ok(()) => {}
            Err(code) => return code,
        }
    }
    ExitCode::SUCCESS
}

/// The processes with a file in the folder that stay alive: being killed takes a moment, and nobody waits for the
/// children of an engine.
pub(super) fn survivors(folder: &Path) -> Vec<String> {
    let patience = Instant::now() + Duration::from_secs(10);
    loop {
        let left = living(folder);
        if left.is_empty() || Instant::now() > patience {
            return left;
        }
        sleep(Duration::from_millis(5));
    }
}

fn living(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let is_alive = |number: &String| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
    };
    names.map(|name| name.to_string_lossy().into_owned()).filter(is_alive).collect()
}

fn say(line: &str) {
    say_bytes(line.as_bytes());
}

fn say_bytes(line: &[u8]) {
    let mut out = io::stdout().lock();
    // The reader may be gone, which is its right.
    let _ = out.write_all(line).and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
}

struct Faulty {
    folder: PathBuf,
    stage: String,
    deed: String,
    position: <Loa as Game>::Position,
    /// The moves that it has played.
    moves: u32,
    /// CECP: whether moves are only taken note of.
    forced: bool,
}

/// What to do instead of what the protocol asks.
enum Instead {
    /// End with this code.
    End(ExitCode),
    /// Say nothing more to this line.
    Silence,
    /// Go on as if nothing had happened.
    GoOn,
}

impl Faulty {
    /// Answers a line of either protocol.
    fn hear(&mut self, line: &str) -> Result<(), ExitCode> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            // It speaks CECP alone.
            "uci" if self.deed == "no-features" => Ok(()),
            "uci" => self.at("start", || say("id name faulty\noption name Hash type spin default 1\nuciok")),
            "protover" => self.at("start", || say("feature ping=1 setboard=1 usermove=1 done=1")),
            "isready" => self.at("ready", || say("readyok")),
            "ucinewgame" | "new" => {
                (self.position, self.moves, self.forced) = (Loa::start(), 0, true);
                self.at("game", || {})
            }
            "position" => {
                self.set_position(rest);
                Ok(())
            }
            "go" => {
                self.forced = false;
                self.play(if rest.is_empty() { "move " } else { "bestmove " })
            }
            "force" => {
                self.forced = true;
                Ok(())
            }
            "ping" => {
                let number = if self.deed == "wrong-pong" { "0" } else { rest };
                say(&format!("pong {number}"));
                Ok(())
            }
            "usermove" => self.hear_move(rest),
            "quit" => self.at("end", || {}).and(Err(ExitCode::SUCCESS)),
            _ if self.deed == "no-features" && Loa::parse_move(&self.position, line).is_ok() => self.hear_move(line),
            _ => Ok(()),
        }
    }

    /// Does its deed if this is the stage for it, and what the protocol asks unless the deed takes its place.
    fn at(&mut self, stage: &str, asked: impl FnOnce()) -> Result<(), ExitCode> {
        let instead = if self.stage == stage { self.misbehave("bestmove ") } else { Instead::GoOn };
        match instead {
            Instead::End(code) => Err(code),
            Instead::Silence => Ok(()),
            Instead::GoOn => {
                asked();
                Ok(())
            }
        }
    }

    fn set_position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let start = start.strip_prefix("fen ").and_then(|text| Loa::parse_position(text).ok());
        self.position = start.unwrap_or_else(Loa::start);
        moves.split_whitespace().for_each(|text| self.advance(text));
    }

    fn advance(&mut self, text: &str) {
        if let Ok(mv) = Loa::parse_move(&self.position, text) {
            self.position = Loa::play(&self.position, mv);
        }
    }

    fn hear_move(&mut self, text: &str) -> Result<(), ExitCode> {
        if self.deed == "deny-move" && !self.forced {
            say(&format!("Illegal move: {text}"));
            return Ok(());
        }
        self.advance(text);
        if self.forced { Ok(()) } else { self.play("move ") }
    }

    /// Answers a request to move.
    fn play(&mut self, word: &str) -> Result<(), ExitCode> {
        let is_due = self.stage == "go" || self.stage == "later" && self.moves == 2;
        match if is_due { self.misbehave(word) } else { Instead::GoOn } {
            Instead::End(code) => return Err(code),
            Instead::Silence => return Ok(()),
            Instead::GoOn => {}
        }
        let Some(mv) = Loa::legal_moves(&self.position).first().copied() else { return Ok(()) };
        let text = Loa::write_engine_move(&self.position, mv);
        self.position = Loa::play(&self.position, mv);
        self.moves += 1;
        match self.deed.as_str() {
            "byte-by-byte" => say_slowly(&format!("{word}{text}\n")),
            "carriage-returns" => say(&format!("info depth 5 score cp 12\r\n{word}{text}\r")),
            "twice" => say(&format!("{word}{text}\n{word}{text}")),
            _ => say(&format!("info depth 5 score cp 12 nodes 99 pv {text}\n{word}{text}")),
        }
        Ok(())
    }

    /// The fault itself. `word` stands in front of a move.
    fn misbehave(&mut self, word: &str) -> Instead {
        match self.deed.as_str() {
            "exit" => return Instead::End(ExitCode::SUCCESS),
            "fail" => {
                let _ = writeln!(io::stderr(), "no licence found");
                return Instead::End(ExitCode::from(3));
            }
            "abort" => abort(),
            "hang" => sleep(FOREVER),
            "spin" => loop {
                std::hint::spin_loop();
            },
            "flood" => loop {
                say("info string nothing to see here");
            },
            "endless-line" => loop {
                let _ = io::stdout().lock().write_all(&[b'x'; 4096]);
            },
            "half-line" => {
                let half = &word.as_bytes()[..word.len() / 2];
                let _ = io::stdout().lock().write_all(half);
                return Instead::End(ExitCode::SUCCESS);
            }
            "echo" => io::stdin().lines().map_while(Result::ok).for_each(|line| say(&line)),
            "child" => self.leave_child(),
            _ => return self.say_something_else(word),
        }
        Instead::GoOn
    }

    // The child is not waited for on purpose: the match must end it together with the engine.
    #[allow(clippy::zombie_processes)]
    fn leave_child(&self) {
        if let Ok(child) = Command::new("sleep").arg("3600").spawn() {
            leave_mark(&self.folder, child.id());
        }
    }

    fn say_something_else(&mut self, word: &str) -> Instead {
        let wrong_move: &[u8] = match self.deed.as_str() {
            "illegal" => b"a1h8",
            "nonsense" => b"resigns? no: I play the lottery",
            "no-move" => b"(none)",
            "empty-move" => b"",
            "unicode-move" => "b８b６😀".as_bytes(),
            "nul-move" => b"\0\0\0\0",
            "invalid-utf8-move" => b"\xff\xfe\xc3\x28",
            // It has been played already.
            "old-move" => b"b8b6",
            "long-move" => &[b'b'; 100_000],
            _ => return self.say_oddly(),
        };
        say_bytes(&[word.as_bytes(), wrong_move].concat());
        Instead::Silence
    }

    fn say_oddly(&mut self) -> Instead {
        match self.deed.as_str() {
            "claim-draw" => say("1/2-1/2 {I think so}"),
            // The first player is White to the protocol; a claim to win is false on either side.
            "claim-win" => say(if self.moves_first() { "1-0 {I win}" } else { "0-1 {I win}" }),
            "resign" => say("resign"),
            "other-protocol" => say("feature done=0\nid name nobody\nprotocol 3\nusiok"),
            "late" => {
                sleep(Duration::from_millis(600));
                return Instead::GoOn;
            }
            "no-features" => {}
            deed => {
                say_noise(deed);
                return match deed {
                    "strange-features" | "one-game" => Instead::Silence,
                    _ => Instead::GoOn,
                };
            }
        }
        Instead::Silence
    }

    fn moves_first(&self) -> bool {
        Loa::side_to_move(&self.position) == plywise_game::Side::First
    }
}

/// What an engine may say without doing harm.
fn say_noise(deed: &str) {
    match deed {
        "noise" => [
            "",
            "   ",
            "info",
            "info depth",
            "info score cp x",
            "bestmov",
            "hello, world",
            "# comment",
            "info string bestmove a1a2",
        ]
        .iter()
        .for_each(|line| say(line)),
        "nul-bytes" => say_bytes(b"info\0string \0\0"),
        "invalid-utf8" => say_bytes(b"info string \xff\xfe\xc3\x28"),
        "flood-then-play" => (0..20_000).for_each(|i| say(&format!("info depth {i} string x"))),
        "huge-numbers" => say("info depth 99999999999999999999 nodes -1 score cp 9223372036854775808 time 1e99\n\
             info depth -5 score mate -9223372036854775808 nodes 18446744073709551616\n\
             info score mate 9223372036854775807\n99999999999 -99999999999 99999999999 99999999999 x"),
        "long-line" => say(&format!("info string {}", "x".repeat(3_000_000))),
        "error-flood" => (0..20_000).for_each(|i| drop(writeln!(io::stderr(), "warning {i}"))),
        "early-move" => say("bestmove a1a2"),
        "many-options" => (0..20_000).for_each(|i| say(&format!("option name O{i} type spin default 1"))),
        "strange-features" => say(
            "feature telepathy=1 setboard=1 ping=1 usermove=1 myname=\"unclosed\nfeature =\nfeature option=\"x -spin\" \
             \nfeature variants=\"normal,loa\" done=1",
        ),
        "one-game" => say("feature ping=1 setboard=1 usermove=1 reuse=0 done=1"),
        "offer-draw" => say("offer draw"),
        _ => {}
    }
}

fn say_slowly(text: &str) {
    for byte in text.bytes() {
        let mut out = io::stdout().lock();
        let _ = out.write_all(&[byte]).and_then(|()| out.flush());
        sleep(Duration::from_millis(2));
    }
}
