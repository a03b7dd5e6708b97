//! Games with comments, marks and variations, laid out as people and programs do: what was in is out.

use super::games::random_game;
use crate::random::word;
use crate::trial::{Failure, Trial};
use plywise_cli::Playable;
use plywise_game::pgn::{self, GameResult, Record, Remark, Variation};
use plywise_game::random::Random;
use plywise_game::{Game, Notation, Side};

/// The games of the long run.
const LONG: u64 = 1_000_000;

pub(super) fn trial<G: Playable>() -> Trial {
    let case = |_, random: &mut Random| check::<G>(random);
    Trial {
        group: "parsers",
        name: format!("{} PGN round trip", G::NAME),
        short: 200,
        long: LONG,
        case: Box::new(case),
    }
}

fn check<G: Notation>(random: &mut Random) -> Result<(), Failure> {
    let records: Vec<Record<G>> = (0..1 + random.below(3)).map(|_| record(random)).collect();
    let laid_out: String = records.iter().map(|record| lay_out(record, random)).collect();
    // In Latin-1 as well, where that has all the letters.
    let latin1: Option<Vec<u8>> = laid_out.chars().map(|letter| u8::try_from(letter).ok()).collect();
    let read = read_all(laid_out.as_bytes()).map_err(|error| Failure::new(error, laid_out.as_str()))?;
    for (record, read) in records.iter().zip(&read) {
        let written: String = read.to_string();
        let again = read_all::<G>(written.as_bytes()).map_err(|error| Failure::new(error, written.as_str()))?;
        let is_same = is_same(record, read) && matches!(&again[..], [again] if is_same(record, again));
        if !is_same || again[0].to_string() != written {
            return Err(Failure::new(format!("it reads as {read:?} and is written as {written:?}"), laid_out));
        }
    }
    if read.len() != records.len() || latin1.is_some_and(|bytes| read_all(&bytes).as_ref() != Ok(&read)) {
        return Err(Failure::new("it does not read the same in every encoding", laid_out));
    }
    Ok(())
}

fn read_all<G: Notation>(input: &[u8]) -> Result<Vec<Record<G>>, String> {
    pgn::read::<G, _>(input).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Whether nothing is lost. The writer adds tags.
fn is_same<G: Notation>(record: &Record<G>, read: &Record<G>) -> bool {
    let has = |name: &str| record.tags.iter().any(|(known, _)| known == name);
    let tags = read.tags.iter().filter(|(name, _)| has(name));
    let mut sorted: [Vec<_>; 2] = [record.tags.iter().collect(), tags.collect()];
    sorted.iter_mut().for_each(|tags| tags.sort());
    sorted[0] == sorted[1]
        && read.start == record.start
        && read.first_number == record.first_number
        && read.moves == record.moves
        && read.remarks == record.remarks
        && read.result == record.result
}

fn record<G: Notation>(random: &mut Random) -> Record<G> {
    let before = random_game::<G>(G::start(), random.below(20), random);
    let start = before.last().map_or_else(G::start, |(position, mv)| G::play(position, *mv));
    let mut record = Record::<G>::new(start.clone());
    for name in ["Event", "White", "Annotator", "Annotator", "Source-Title"] {
        if random.below(2) == 0 {
            record.tags.push((name.into(), text(random, TAG_WORDS)));
        }
    }
    Variation { moves: record.moves, remarks: record.remarks } = line::<G>(start, 24, 3, random);
    record.first_number = if record.moves.is_empty() { 1 } else { 1 + random.below(300) as u32 };
    let results = [GameResult::Win(Side::First), GameResult::Win(Side::Second), GameResult::Draw, GameResult::Unknown];
    record.result = results[random.below(results.len())];
    record
}

/// A random line with remarks, and variations in it so deep.
fn line<G: Game>(start: G::Position, plies: usize, depth: usize, random: &mut Random) -> Variation<G::Move> {
    let steps = random_game::<G>(start.clone(), random.below(plies + 1), random);
    let mut line = Variation::from(steps.iter().map(|(_, mv)| *mv).collect::<Vec<_>>());
    for moves in 0..=line.moves.len() {
        while random.below(4) == 0 {
            let remark = match random.below(if depth > 0 { 4 } else { 2 }) {
                0 => Remark::Comment(text(random, COMMENT_WORDS)),
                1 => Remark::Nag(
                    random.pick(&[1, 2, 3, 4, 5, 6, 0, 14, 255, 300, u32::MAX]).copied().unwrap_or_default(),
                ),
                _ => {
                    let from = steps.get(moves.saturating_sub(1)).map_or(&start, |(position, _)| position);
                    Remark::Variation(self::line::<G>(from.clone(), 5, depth - 1, random))
                }
            };
            if !matches!(&remark, Remark::Variation(line) if line.is_empty()) {
                line.remarks.add(moves, remark);
            }
        }
    }
    line
}

const COMMENT_WORDS: &[&str] = &[
    "a",
    "word",
    "(",
    ")",
    "{",
    "}",
    ";",
    "%",
    "%eval",
    "[%eval 0.35,12]",
    "[%clk 0:01:00]",
    "[Event \"x\"]",
    "$1",
    "1-0",
    "*",
    "e4",
    "!?",
    "é",
    "Ærø",
    "–",
    "😀",
    "\"",
    "\\",
    "1...",
    "12.",
];
const TAG_WORDS: &[&str] =
    &["a", "name", "\"", "\\", "]", "[", "{", "}", "ü", "ß", "č", ";", "%", "1-0", "?", "2024.02.29"];

/// A few words on one line.
fn text(random: &mut Random, words: &[&str]) -> String {
    (0..1 + random.below(12)).map(|_| word(random, words)).collect::<Vec<_>>().join(" ")
}

/// A record as somebody might have written it: not as our own writer does.
fn lay_out<G: Notation>(record: &Record<G>, random: &mut Random) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        text += &format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""));
    };
    record.tags.iter().for_each(|(name, value)| tag(name, value));
    tag("Variant", G::TITLE);
    if record.start != G::start() {
        tag("FEN", &G::write_position(&record.start));
    }
    tag("Result", &record.result.to_string());
    text += "\n";
    lay_out_line::<G>(&record.moves, &record.remarks, &record.start, record.first_number, random, &mut text);
    // Some programs end every game with a star.
    text += &if random.below(9) == 0 { GameResult::Unknown } else { record.result }.to_string();
    text + word(random, &["\n\n", "\n", "\r\n\r\n", "\n\n\n"])
}

fn lay_out_line<G: Notation>(
    moves: &[G::Move],
    remarks: &pgn::Remarks<G::Move>,
    start: &G::Position,
    mut number: u32,
    random: &mut Random,
    text: &mut String,
) {
    let mut before = (start.clone(), number);
    let mut position = start.clone();
    for i in 0..=moves.len() {
        for remark in remarks.after(i) {
            match remark {
                Remark::Nag(code @ 1..=6) if i > 0 && random.below(2) == 0 => {
                    *text += ["", "!", "?", "!!", "??", "!?", "?!"][*code as usize];
                    // Two marks without a space would be another one.
                    *text += " ";
                }
                Remark::Nag(code) => *text += &format!("${code}"),
                Remark::Comment(comment) if comment.contains('}') || random.below(5) == 0 => {
                    *text += &format!(" ;{comment}\n");
                }
                Remark::Comment(comment) if comment.contains('[') => *text += &format!("{{{comment}}}"),
                Remark::Comment(comment) => {
                    let space = word(random, &[" ", "  ", "\t"]);
                    *text += &format!("{{{}}}", comment.replace(' ', space));
                }
                Remark::Word(word) => *text += &format!(" {word} "),
                Remark::Variation(line) => {
                    *text += "(";
                    let (position, number) = &before;
                    lay_out_line::<G>(&line.moves, &line.remarks, position, *number, random, text);
                    *text += ")";
                }
            }
            *text += word(random, &["", " "]);
        }
        let Some(&mv) = moves.get(i) else { break };
        let side = G::side_to_move(&position);
        let dots = word(random, &[". ", ".", "... ", "...", "…"]);
        // Only the first number matters.
        let numbered = i == 0 || random.below(2) == 0;
        *text += &if numbered { format!(" {number}{dots}") } else { " ".to_string() };
        *text += &G::write_move(&position, mv);
        *text += word(random, &[" ", "\n ", "  "]);
        let after = G::play(&position, mv);
        before = (std::mem::replace(&mut position, after), number);
        number += u32::from(side == Side::Second);
    }
    *text += " ";
}
