//! Mutated inputs for everything that reads: nothing panics, what is refused is refused in one sentence, and what is
//! read and written reads back the same.

mod commands;
mod files;
pub(crate) mod games;
mod round_trips;
mod sessions;

use crate::mutation::{check, mutated};
use crate::process::Programs;
use crate::trial::Trial;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::random::Random;
use plywise_loa::Loa;
use plywise_othello::Othello;

/// The inputs for each parser in the long run.
const LONG: u64 = 1_000_000;

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let mut parsers = games::parsers::<Chess>();
    parsers.extend(games::parsers::<Loa>());
    parsers.extend(games::parsers::<Othello>());
    parsers.extend(games::parsers::<Abalone>());
    parsers.extend(files::parsers());
    parsers.extend(commands::parsers());
    let mut trials: Vec<Trial> = parsers.into_iter().map(Parser::into_trial).collect();
    trials.extend(sessions::trials(programs));
    trials.push(round_trips::trial::<Chess>());
    trials.push(round_trips::trial::<Loa>());
    trials.push(round_trips::trial::<Othello>());
    trials.push(round_trips::trial::<Abalone>());
    trials
}

/// Reads an input and says what is wrong with how that went.
type Reads = dyn Fn(&[u8]) -> Result<(), String> + Sync;

/// Something that reads texts, with samples of what it reads.
struct Parser {
    name: String,
    samples: Vec<Vec<u8>>,
    /// Words that its format knows.
    words: &'static [&'static str],
    /// How many inputs take a moment: fewer where each is slow.
    short: u64,
    reads: Box<Reads>,
}

impl Parser {
    fn new(
        name: impl Into<String>,
        samples: impl IntoIterator<Item = impl Into<Vec<u8>>>,
        words: &'static [&'static str],
        reads: impl Fn(&[u8]) -> Result<(), String> + Sync + 'static,
    ) -> Parser {
        let samples = samples.into_iter().map(Into::into).collect();
        Parser { name: name.into(), samples, words, short: 1000, reads: Box::new(reads) }
    }

    /// A parser of which each input takes a while.
    fn slow(self) -> Parser {
        Parser { short: 100, ..self }
    }

    fn into_trial(self) -> Trial {
        let Parser { name, samples, words, short, reads } = self;
        let case = move |_, random: &mut Random| check(&mutated(&samples, words, random), &reads);
        Trial { group: "parsers", name, short, long: LONG, case: Box::new(case) }
    }
}

/// Checks that a refusal is one sentence on one line.
fn one_sentence(error: impl std::fmt::Display) -> Result<(), String> {
    let text = error.to_string();
    match text.trim().is_empty() || text.contains(['\n', '\r']) {
        true => Err(format!("it is not refused in one line: {text:?}")),
        false => Ok(()),
    }
}

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}
