//! The check of engines: a sound one passes, and every fault is named by its own check.

use crate::fake_engine::{fake, say, survivors};
use crate::tic_tac_toe::TicTacToe;
use crate::toy::toy;
use plywise_arena::engine::check::{Diagnosis, EngineCheck, Finding, Verdict};
use plywise_arena::engine::{Engine, Protocol};
use plywise_game::{Game, Notation};
use plywise_search::Signal;
use std::io;
use std::thread::{self, sleep};
use std::time::Duration;

/// What the behaviour of an engine begins with that is sound but for the fault that follows.
pub const PREFIX: &str = "sound but ";

/// A UCI engine for tic-tac-toe that does all that is asked, but for one fault.
pub fn serve(fault: &str) {
    let mut engine = Sound { fault: fault.to_owned(), position: TicTacToe::start(), pending: None, held: Vec::new() };
    for line in io::stdin().lines().map_while(Result::ok) {
        if line == "quit" && !engine.has("quit") {
            return;
        }
        engine.hear(&line);
    }
    if engine.has("end of input") {
        sleep(Duration::from_secs(60));
    }
}

struct Sound {
    fault: String,
    position: <TicTacToe as Game>::Position,
    /// What a search without an end was asked for.
    pending: Option<String>,
    held: Vec<Vec<u8>>,
}

impl Sound {
    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn hear(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "uci" => self.greet(),
            "isready" if self.has("deaf") && self.pending.is_some() => {}
            "isready" => say("readyok"),
            "setoption" if self.has("fragile") && rest.ends_with("value 64") => std::process::exit(3),
            "xyzzy" if self.has("puzzled") => std::process::exit(4),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "stop" | "ponderhit" => {
                if let Some(asked) = self.pending.take() {
                    if self.has("slow to stop") {
                        sleep(Duration::from_millis(2000));
                    }
                    self.answer(&asked);
                }
            }
            _ => {}
        }
    }

    fn greet(&self) {
        if !self.has("nameless") {
            say("id name sound\nid author us");
        }
        let default = if self.has("out of bounds") { 99 } else { 1 };
        say(&format!("option name Hash type spin default {default} min 1 max 64"));
        say("option name Ponder type check default false\nuciok");
    }

    fn set_position(&mut self, text: &str) {
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let start = start.strip_prefix("fen ").and_then(|text| TicTacToe::parse_position(text).ok());
        self.position = start.unwrap_or_else(TicTacToe::start);
        for mv in moves.split_whitespace() {
            let mv = TicTacToe::parse_move(&self.position, mv).unwrap();
            self.position = TicTacToe::play(&self.position, mv);
        }
    }

    fn go(&mut self, asked: &str) {
        let number = |key: &str| {
            let mut words = asked.split_whitespace().skip_while(|word| *word != key).skip(1);
            words.next().and_then(|word| word.parse::<u64>().ok())
        };
        let answers_early = self.has("impatient") && asked.contains("infinite")
            || self.has("impatient to ponder") && asked.contains("ponder");
        let is_endless = asked.contains("infinite") || asked.contains("ponder");
        let ignores_nodes = self.has("counting without end") && number("nodes").is_some();
        if is_endless && !answers_early || ignores_nodes {
            self.pending = Some(asked.to_owned());
            return;
        }
        if self.has("slow") && number("movetime").is_some() {
            sleep(Duration::from_millis(1500));
        }
        if self.has("looking at the wrong clock") && [number("wtime"), number("btime")].contains(&Some(900_000)) {
            sleep(Duration::from_millis(1500));
        }
        self.answer(asked);
    }

    fn answer(&mut self, asked: &str) {
        let moves = TicTacToe::legal_moves(&self.position);
        if TicTacToe::outcome(&self.position).is_some() || moves.is_empty() {
            if self.has("lost at the end") {
                std::process::exit(5);
            }
            return say("bestmove (none)");
        }
        let write = |mv: &<TicTacToe as Game>::Move| TicTacToe::write_engine_move(&self.position, *mv);
        let wanted = asked.split_once("searchmoves ").map(|(_, list)| list).filter(|_| !self.has("wilful"));
        let is_wanted = |mv: &String| wanted.is_none_or(|list| list.split(' ').any(|wanted| wanted == mv));
        let best = moves.iter().map(write).find(is_wanted).unwrap_or_default();
        let number = |key: &str| {
            let mut words = asked.split_whitespace().skip_while(|word| *word != key).skip(1);
            words.next().and_then(|word| word.parse::<u64>().ok())
        };
        let depth = number("depth").unwrap_or(1) + u64::from(self.has("too deep"));
        let nodes = match self.fault.as_str() {
            "greedy" => 10 * number("nodes").unwrap_or(100) + 20_000,
            "moody" => std::process::id().into(),
            _ => number("nodes").unwrap_or(100),
        };
        let pv = match self.fault.as_str() {
            "lying" => moves.last().map(write).unwrap_or_default(),
            "dreaming" => format!("{best} {best}"),
            _ => best.clone(),
        };
        if self.has("chatty") {
            say("I think, therefore I move");
        }
        if self.has("leaking") {
            self.held.push(vec![1; 300 << 10]);
        }
        say(&format!("info depth {depth} score cp 0 nodes {nodes} pv {pv}"));
        let played = if self.has("a cheat") { "d4" } else { &best };
        say(&format!("bestmove {played}"));
        if self.has("twofold") {
            say(&format!("bestmove {played}"));
        }
    }
}

fn check(engine: &Engine, only: &[String]) -> (Diagnosis, Vec<Finding>) {
    // A busy machine may keep a sound engine waiting.
    let (patience, margin) = (Duration::from_secs(5), Duration::from_millis(400));
    let check = EngineCheck { game: toy(), engine, patience, margin, only };
    let mut watched = Vec::new();
    let diagnosis = check.run(&mut |finding| watched.push(finding.clone()), &Signal::new()).unwrap();
    (diagnosis, watched)
}

/// The verdict of one check of an engine with one fault, which must say something with `detail` in it.
#[track_caller]
fn check_fault(behaviour: &str, name: &str, verdict: Verdict, detail: &str) {
    let processes = tempfile::tempdir().unwrap();
    let (protocol, behaviour) = match behaviour.strip_prefix("cecp ") {
        Some(behaviour) => (Protocol::Cecp, behaviour),
        None => (Protocol::Uci, behaviour),
    };
    let engine = fake(protocol, behaviour, processes.path());
    let start_timeout = Duration::from_secs(if behaviour == "silent-at-start" { 2 } else { 20 });
    let engine = Engine { start_timeout, ..engine };
    let (diagnosis, _) = check(&engine, &[name.to_owned()]);
    let found = diagnosis.findings.iter().find(|finding| finding.check == name);
    let found = found.unwrap_or_else(|| panic!("{behaviour}: {diagnosis:?}"));
    assert_eq!(found.verdict, verdict, "{behaviour}: {found:?}");
    assert!(found.detail.contains(detail), "{behaviour}: {found:?}");
    assert_eq!(survivors(processes.path()), [""; 0], "{behaviour}");
}

/// Checks wait most of the time, so all of a list are made at once.
fn check_faults(faults: &'static [(&str, &str, Verdict, &str)]) {
    let checks: Vec<_> = faults
        .iter()
        .map(|&(behaviour, name, verdict, detail)| thread::spawn(move || check_fault(behaviour, name, verdict, detail)))
        .collect();
    checks.into_iter().for_each(|check| check.join().unwrap());
}

#[test]
fn a_sound_engine_passes() {
    let processes = tempfile::tempdir().unwrap();
    let (diagnosis, watched) = check(&fake(Protocol::Uci, &format!("{PREFIX}nothing"), processes.path()), &[]);
    let wrong: Vec<_> = diagnosis.findings.iter().filter(|finding| finding.verdict > Verdict::Sound).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(diagnosis.name.as_deref(), Some("sound"));
    assert_eq!(watched, diagnosis.findings);
    let made: Vec<&str> = diagnosis.findings.iter().map(|finding| finding.check).collect();
    assert!(EngineCheck::names(Protocol::Uci).iter().all(|name| made.contains(name)), "{made:?}");
    assert_eq!(survivors(processes.path()), [""; 0]);
}

#[test]
fn every_fault_of_uci_is_named() {
    use Verdict::{Faulty, Odd};
    check_faults(&[
        ("sound but nameless", "identity", Odd, "no name"),
        ("sound but out of bounds", "options", Faulty, "the default 99, which is not between 1 and 64"),
        (
            "sound but fragile",
            "option values",
            Faulty,
            "after 'setoption name Hash value 64': the process ended with exit status 3",
        ),
        ("sound but puzzled", "unknown words", Faulty, "exit status 4"),
        ("sound but a cheat", "first move", Faulty, "'d4' in"),
        ("sound but twofold", "first move", Faulty, "twice"),
        ("sound but too deep", "go depth", Faulty, "2 plies instead of 1"),
        ("sound but greedy", "go nodes", Faulty, "nodes instead of 1"),
        ("sound but counting without end", "go nodes", Faulty, "'go nodes 1' does not end"),
        ("sound but slow", "go movetime", Faulty, "of 200 ms"),
        ("sound but looking at the wrong clock", "own clock", Faulty, "with 0.3 s against 900 s"),
        ("sound but impatient", "go infinite", Faulty, "before 'stop'"),
        ("sound but deaf", "isready in search", Faulty, "no readyok while it searches"),
        ("sound but slow to stop", "stop", Faulty, "bestmove only after"),
    ]);
}

#[test]
fn every_other_fault_of_uci_is_named() {
    use Verdict::{Faulty, Odd};
    check_faults(&[
        ("sound but impatient to ponder", "ponder", Faulty, "before 'ponderhit'"),
        ("sound but wilful", "searchmoves", Faulty, "instead of one of"),
        ("sound but lying", "lines", Faulty, "but its pv begins with"),
        ("sound but dreaming", "lines", Faulty, "move 2 of a pv is illegal"),
        ("sound but lost at the end", "game over", Faulty, "exit status 5"),
        ("sound but moody", "determinism", Odd, "two processes differ"),
        ("sound but leaking", "memory", Faulty, "KB with every search"),
        ("sound but quit", "quit", Faulty, "after 'quit' while it is idle"),
        ("sound but end of input", "end of input", Faulty, "with its input closed while it is idle"),
        ("dies-at-start", "handshake", Faulty, "no licence found"),
        ("silent-at-start", "handshake", Faulty, "no uciok"),
        ("closes-output", "odd positions", Faulty, "exit status 101"),
        ("illegal", "first move", Faulty, "'d4' in"),
        ("no-move", "first move", Faulty, "'(none)' in"),
    ]);
}

#[test]
fn faults_of_cecp_are_named() {
    use Verdict::{Faulty, Odd};
    check_faults(&[
        ("cecp good", "first move", Verdict::Sound, "a1"),
        ("cecp good", "odd positions", Verdict::Sound, "legal moves in 3 of them"),
        ("cecp good", "illegal moves", Faulty, "exit status 101"),
        ("cecp dies-at-start", "handshake", Faulty, "exit status 0"),
        ("cecp version-1", "handshake", Odd, "version 1"),
        ("cecp one-game", "sd", Verdict::Sound, ""),
        ("cecp hangs", "first move", Faulty, "no move within"),
        ("cecp illegal", "first move", Faulty, "'d4' in"),
        ("cecp claims-draw", "first move", Faulty, "it says '1/2-1/2 {I think so}' instead of a move"),
    ]);
}

#[test]
fn a_program_that_is_not_there_cannot_be_checked() {
    let engine = Engine::new(Protocol::Uci, "/nonexistent/engine");
    let check = EngineCheck {
        game: toy(),
        engine: &engine,
        patience: Duration::from_secs(1),
        margin: Duration::ZERO,
        only: &[],
    };
    let fault = check.run(&mut |_| {}, &Signal::new()).unwrap_err();
    assert!(fault.detail.starts_with("cannot run '/nonexistent/engine'"), "{fault}");
}

/// What is said between us and an engine, in a file for each of its processes.
#[test]
fn dialogues_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let (processes, log) = (folder.path().join("processes"), folder.path().join("log"));
    std::fs::create_dir(&processes).unwrap();
    let engine = fake(Protocol::Uci, "sound but chatty", &processes);
    let engine = Engine { log: Some(log.clone()), name: "a/b c".into(), ..engine };
    let (diagnosis, _) = check(&engine, &["first move".to_owned(), "output".to_owned()]);
    let output = diagnosis.findings.last().unwrap();
    assert_eq!((output.check, output.verdict), ("output", Verdict::Odd));
    assert!(output.detail.contains("'I think, therefore I move'"), "{output:?}");
    let first = std::fs::read_to_string(log.join("a_b_c-1.log")).unwrap();
    assert!(first.contains(" > uci\n") && first.contains(" < uciok\n"), "{first}");
    let second = std::fs::read_to_string(log.join("a_b_c-2.log")).unwrap();
    assert!(second.contains(" > go depth 1\n") && second.contains(" < bestmove a1\n"), "{second}");
}
