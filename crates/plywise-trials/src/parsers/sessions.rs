//! Lines of the UCI protocol, many to a process.

use crate::mutation::mutated;
use crate::process::{Conversation, Programs};
use crate::random::of_case;
use crate::trial::{Failure, Trial};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_cli::Playable;
use plywise_game::random::Random;
use plywise_loa::Loa;
use plywise_othello::Othello;
use std::time::Duration;

const WORDS: &[&str] = &[
    "startpos",
    "fen",
    "moves",
    "name",
    "value",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "mate",
    "perft",
    "searchmoves",
    "MultiPV",
    "Threads",
    "Seed",
    "Profile",
    "Move Overhead",
    "UCI_Chess960",
    "Clear Hash",
    "best",
    "brute",
    "true",
    "false",
    "null_move.enabled",
    "evaluation.",
    "e2e4",
    "b8b6",
    "d3",
    "a1b2",
    "0000",
];

/// Lines in a session. A session takes longer to set up than to read a line.
const LINES: usize = 25;

const PATIENCE: Duration = Duration::from_secs(120);

pub(super) fn trials(programs: &Programs) -> Vec<Trial> {
    vec![trial::<Chess>(programs), trial::<Loa>(programs), trial::<Othello>(programs), trial::<Abalone>(programs)]
}

fn trial<G: Playable>(programs: &Programs) -> Trial {
    let programs = programs.clone();
    let samples = samples::<G>();
    let case = move |_, random: &mut Random| {
        let lines: Vec<String> = (0..LINES).map(|_| line(&samples, random)).collect();
        converse(&programs, G::NAME, &lines).map_err(|problem| Failure::new(problem, lines.join("\n")))
    };
    let name = format!("{} UCI lines, {LINES} at a time", G::NAME);
    Trial { group: "parsers", name, short: 10, long: 1_000_000 / LINES as u64, case: Box::new(case) }
}

fn samples<G: Playable>() -> Vec<Vec<u8>> {
    let positions = super::games::sample_positions::<G>();
    let mut samples: Vec<String> =
        positions.iter().map(|position| format!("position fen {}", G::write_position(position))).collect();
    for seed in 0..6 {
        let line = super::games::random_game::<G>(G::start(), 12, &mut of_case("UCI", seed, 0));
        let moves: Vec<String> = line.iter().map(|(position, mv)| G::write_engine_move(position, *mv)).collect();
        samples.push(format!("position startpos moves {}", moves.join(" ")));
    }
    let others = [
        "go depth 2",
        "go nodes 300",
        "go movetime 3",
        "go wtime 20 btime 20 winc 1 binc 1 movestogo 3",
        "go infinite",
        "go ponder wtime 10 btime 10",
        "go mate 1 nodes 200",
        "go depth 2 searchmoves e2e4 d2d4",
        "go perft 2",
        "go",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name Move Overhead value 5",
        "setoption name UCI_Chess960 value true",
        "setoption name Clear Hash",
        "setoption name Seed value 7",
        "setoption name Profile value brute",
        "setoption name aspiration.window value 100",
        "ucinewgame",
        "d",
        "eval",
        "setoption name table.enabled value false",
        "isready",
        "uci",
        "ponderhit",
        "stop",
        "debug on",
    ];
    samples.extend(others.into_iter().map(String::from));
    samples.into_iter().map(String::into_bytes).collect()
}

/// A line that takes neither minutes nor gigabytes.
fn line(samples: &[Vec<u8>], random: &mut Random) -> String {
    loop {
        let bytes = mutated(samples, WORDS, random);
        let line = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ");
        let lower = line.to_lowercase();
        if !["hash value", "threads", "bench", "quit", "profile value /"].iter().any(|word| lower.contains(word)) {
            return line;
        }
    }
}

/// Says all lines. The program answers to the end and has nothing to complain about on its error output.
fn converse(programs: &Programs, game: &str, lines: &[String]) -> Result<(), String> {
    let mut command = programs.plywise();
    command.args(["uci", "--game", game, "--hash", "1"]);
    let mut talk = Conversation::begin(command)?;
    // What searches without end is stopped before the next line.
    lines.iter().for_each(|line| talk.say(format!("{line}\nstop")));
    talk.say("isready");
    talk.hang_up();
    let (heard, status) = talk.end(PATIENCE)?;
    let is_sound = status.success() && heard.last().is_some_and(|line| line == "readyok");
    match heard.iter().find(|line| line.starts_with("error output")) {
        Some(line) => Err(line.clone()),
        None if is_sound => Ok(()),
        None => Err(format!("{status}, and its last words are {:?}", heard.last())),
    }
}
