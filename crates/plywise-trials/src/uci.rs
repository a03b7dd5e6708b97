//! Random conversations with `plywise uci`, valid and not, and searches with random sets of parameters: every `go` gets
//! exactly one legal `bestmove`, `isready` is answered, and the program ends on `quit`.

use crate::mutation::mutated;
use crate::parsers::games::{random_game, sample_positions};
use crate::process::{Conversation, Programs};
use crate::random::word;
use crate::trial::{Failure, Trial};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_cli::Playable;
use plywise_game::parameters::Parameters;
use plywise_game::random::Random;
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::Params;
use std::time::Duration;

/// A busy machine is not the engine's fault.
const PATIENCE: Duration = Duration::from_secs(60);

const OPTIONS: &[&str] = &[
    "Threads value 1",
    "Threads value 2",
    "MultiPV value 1",
    "MultiPV value 3",
    "Hash value 1",
    "Hash value 2",
    "Clear Hash",
    "Seed value 7",
    "Move Overhead value 1",
    "Ponder value true",
    "UCI_Chess960 value false",
    "Profile value brute",
    "Profile value best",
    "Profile value erps",
    "null_move.enabled value false",
    "aspiration.window value 100",
    "Hash value 99999999",
    "Threads value 0",
    "no such option value 1",
];

/// Searches that end by themselves.
const LIMITS: &[&str] = &[
    "depth 1",
    "depth 3",
    "nodes 1",
    "nodes 500",
    "movetime 1",
    "movetime 20",
    "wtime 50 btime 50",
    "mate 1 nodes 300",
    "wtime 100 btime 100 winc 1 binc 1 movestogo 2",
    "wtime -5 btime 0",
    "depth 0",
    "depth 99999999999 nodes 100",
    "nodes 99999999999999999999 movetime 2",
    "nodes 200 depth x",
];

/// Searches that end whatever the parameters are.
const SHORT_LIMITS: &[&str] =
    &["nodes 1", "nodes 100", "nodes 3000", "movetime 5", "depth 5 nodes 2000", "mate 2 nodes 500"];

const WORDS: &[&str] =
    &["go", "stop", "isready", "position", "startpos", "fen", "moves", "setoption", "name", "value", "ponderhit", "d"];

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (kind, run) in [("", Kind::Talk), (" parameters", Kind::Parameters)] {
        trials.push(trial::<Chess>(programs, kind, run));
        trials.push(trial::<Loa>(programs, kind, run));
        trials.push(trial::<Othello>(programs, kind, run));
        trials.push(trial::<Abalone>(programs, kind, run));
    }
    trials
}

/// What a session is about.
#[derive(Clone, Copy)]
enum Kind {
    Talk,
    Parameters,
}

fn trial<G: Playable>(programs: &Programs, name: &str, kind: Kind) -> Trial {
    let programs = programs.clone();
    let samples = sample_positions::<G>();
    let case = move |_, random: &mut Random| {
        let mut command = programs.plywise();
        command.args(["uci", "--game", G::NAME, "--hash", "1"]);
        let talk = Conversation::begin(command).map_err(|problem| Failure::new(problem, ""))?;
        let mut session = Session::<G> { talk, samples: &samples, position: G::start(), random };
        let end = match kind {
            Kind::Talk => session.run(),
            Kind::Parameters => session.run_with_parameters(),
        };
        end.map_err(|problem| Failure::new(problem, session.talk.log.join("\n")))
    };
    Trial { group: "uci", name: format!("{}{name}", G::NAME), short: 6, long: 750, case: Box::new(case) }
}

struct Session<'a, G: Playable> {
    talk: Conversation,
    samples: &'a [G::Position],
    /// What stands on the engine's board.
    position: G::Position,
    random: &'a mut Random,
}

impl<G: Playable> Session<'_, G> {
    fn run(&mut self) -> Result<(), String> {
        if !self.random.one_in(4) {
            self.talk.say("uci");
            self.await_line("uciok")?;
        }
        for _ in 0..2 + self.random.below(14) {
            match self.random.below(8) {
                0 => self.noise()?,
                1 => self.option(),
                2..=3 => self.set_position()?,
                4 => self.search_until_stopped()?,
                5 => self.ready()?,
                _ => self.search()?,
            }
        }
        self.ready()?;
        self.say_goodbye()
    }

    /// Sets of parameters, each of which searches a few positions.
    fn run_with_parameters(&mut self) -> Result<(), String> {
        let declared = Params::declared();
        for _ in 0..4 {
            for _ in 0..1 + self.random.below(12) {
                let Some(parameter) = self.random.pick(&declared) else { continue };
                let (least, most) = (i64::from(parameter.min), i64::from(parameter.max));
                // Its bounds come most often, and now and then one that it must refuse.
                let value = match self.random.below(8) {
                    0..=1 => least,
                    2..=3 => most,
                    4 => most + 1,
                    _ => least + (self.random.bits() % (most - least + 1).unsigned_abs()) as i64,
                };
                let value = match parameter.names.get(usize::try_from(value - least).unwrap_or(usize::MAX)) {
                    Some(name) => name.to_string(),
                    None if parameter.is_bool => (value != 0).to_string(),
                    None => value.to_string(),
                };
                self.talk.say(format!("setoption name {} value {value}", parameter.path()));
            }
            let threads = 1 + self.random.below(2);
            self.talk.say(format!("setoption name Threads value {threads}"));
            for _ in 0..3 {
                self.set_sound_position()?;
                let limits = word(self.random, SHORT_LIMITS);
                self.talk.say(format!("go {limits}"));
                self.await_move(&G::legal_moves(&self.position))?;
            }
        }
        self.ready()?;
        self.say_goodbye()
    }

    /// Waits for a line of one word; nothing before it may be a move.
    fn await_line(&mut self, word: &str) -> Result<Vec<String>, String> {
        let heard =
            self.talk.hear_until(PATIENCE, |line| line == word).map_err(|problem| format!("{word}: {problem}"))?;
        match heard.iter().find(|line| line.starts_with("bestmove") || line.starts_with("error output")) {
            Some(line) => Err(format!("'{line}' came without having been asked for")),
            None => Ok(heard),
        }
    }

    fn ready(&mut self) -> Result<(), String> {
        self.talk.say("isready");
        self.await_line("readyok").map(drop)
    }

    fn option(&mut self) {
        let option = word(self.random, OPTIONS);
        self.talk.say(format!("setoption name {option}"));
    }

    /// A position with moves, sound or with something changed.
    fn set_position(&mut self) -> Result<(), String> {
        if self.random.one_in(5) {
            self.talk.say("ucinewgame");
            self.position = G::start();
        }
        if !self.random.one_in(4) {
            return self.set_sound_position();
        }
        let (text, _) = self.position_and_moves();
        let bytes = mutated(&[text.into_bytes()], WORDS, self.random);
        self.say_noise(&bytes)
    }

    fn set_sound_position(&mut self) -> Result<(), String> {
        let (text, position) = self.position_and_moves();
        self.talk.say(text);
        self.position = position;
        let shown = self.shown()?;
        match shown == G::write_position(&self.position) {
            true => Ok(()),
            false => Err(format!("its board shows {shown}")),
        }
    }

    /// A command that sets a random position up, and where that leads.
    fn position_and_moves(&mut self) -> (String, G::Position) {
        let from_start = self.random.one_in(2);
        let start = match self.random.pick(self.samples) {
            Some(position) if !from_start => position.clone(),
            _ => G::start(),
        };
        let head = match from_start {
            true => "position startpos".to_string(),
            false => format!("position fen {}", G::write_position(&start)),
        };
        let plies = self.random.below(12);
        let line = random_game::<G>(start.clone(), plies, self.random);
        let moves: Vec<String> = line.iter().map(|(position, mv)| G::write_engine_move(position, *mv)).collect();
        let text = if moves.is_empty() { head } else { format!("{head} moves {}", moves.join(" ")) };
        (text, line.last().map_or(start, |(position, mv)| G::play(position, *mv)))
    }

    /// The position that the engine shows.
    fn shown(&mut self) -> Result<String, String> {
        self.talk.say("d\nisready");
        let heard = self.await_line("readyok")?;
        let place = heard.len().checked_sub(2).ok_or("it draws nothing")?;
        Ok(heard[place].clone())
    }

    /// Something that means little. Afterwards the engine shows where it stands.
    fn noise(&mut self) -> Result<(), String> {
        let samples: Vec<Vec<u8>> = [
            "position startpos moves",
            "setoption name Hash value 1",
            "d",
            "eval",
            "debug on",
            "register later",
            "stop",
            "ponderhit",
            "xyzzy",
            "",
        ]
        .map(|text| text.as_bytes().to_vec())
        .to_vec();
        let bytes = mutated(&samples, WORDS, self.random);
        self.say_noise(&bytes)
    }

    /// Says bytes of which no line may begin a search, end the session, ask for an answer of its own, or claim all memory.
    fn say_noise(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(bytes).to_lowercase();
        let first_words = text.lines().map(|line| line.split_whitespace().next().unwrap_or_default().to_string());
        if first_words.into_iter().any(|word| ["go", "quit", "bench", "isready"].contains(&&*word))
            || text.contains("hash")
        {
            return Ok(());
        }
        self.talk.say(bytes);
        self.ready()?;
        let shown = self.shown()?;
        self.position = G::parse_position(&shown).map_err(|error| format!("its board shows '{shown}': {error}"))?;
        Ok(())
    }

    fn search(&mut self) -> Result<(), String> {
        let limits = word(self.random, LIMITS);
        let moves = G::legal_moves(&self.position);
        // Sometimes only some moves count.
        let only: Vec<G::Move> = match self.random.one_in(5) {
            true => moves.iter().copied().filter(|_| self.random.one_in(3)).collect(),
            false => Vec::new(),
        };
        let words: String = only.iter().map(|mv| format!(" {}", G::write_engine_move(&self.position, *mv))).collect();
        let tail = if only.is_empty() { String::new() } else { format!(" searchmoves{words}") };
        self.talk.say(format!("go {limits}{tail}"));
        if self.random.one_in(4) {
            self.talk.say("stop");
        }
        self.await_move(if only.is_empty() { &moves } else { &only })
    }

    fn search_until_stopped(&mut self) -> Result<(), String> {
        let go = word(
            self.random,
            &["go infinite", "go ponder movetime 5", "go ponder wtime 50 btime 50", "go ponder depth 2"],
        );
        self.talk.say(go);
        if self.random.one_in(2) {
            self.talk.say("isready");
            self.await_line("readyok")?;
        }
        if self.random.one_in(3) {
            // It is busy.
            self.talk.say("go depth 1");
        }
        std::thread::sleep(Duration::from_millis(self.random.below(15) as u64));
        let is_ponder = go.starts_with("go ponder");
        self.talk.say(if is_ponder && self.random.one_in(2) { "ponderhit" } else { "stop" });
        self.await_move(&G::legal_moves(&self.position))
    }

    /// The one move that a search gives.
    fn await_move(&mut self, allowed: &[G::Move]) -> Result<(), String> {
        let heard = self
            .talk
            .hear_until(PATIENCE, |line| line.starts_with("bestmove"))
            .map_err(|p| format!("bestmove: {p}"))?;
        if let Some(line) = heard.iter().find(|line| line.starts_with("error output")) {
            return Err(line.clone());
        }
        let best = heard.last().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
        match G::parse_move(&self.position, best) {
            Ok(mv) if allowed.contains(&mv) => Ok(()),
            Err(_) if best == "(none)" && allowed.is_empty() => Ok(()),
            _ => Err(format!("the move '{best}' is not one of those allowed in {}", G::write_position(&self.position))),
        }
    }

    fn say_goodbye(&mut self) -> Result<(), String> {
        if self.random.one_in(3) {
            self.talk.say("go infinite");
        }
        match self.random.one_in(2) {
            true => self.talk.say("quit"),
            false => self.talk.hang_up(),
        }
        let (heard, status) = self.talk.end(PATIENCE)?;
        match status.success() && !heard.iter().any(|line| line.starts_with("error output")) {
            true => Ok(()),
            false => Err(format!("it ends with {status}: {heard:?}")),
        }
    }
}
