//! Inputs that are almost right.

use crate::random::word;
use crate::trial::{Failure, caught};
use plywise_game::random::Random;

/// What every format has, and numbers and letters that break carelessly written readers.
const TOKENS: &[&str] = &[
    "",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "0",
    "-0",
    "-1",
    "1",
    "00",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999",
    "1e308",
    "1e400",
    "-1e400",
    "1e-400",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "0.1",
    "1.",
    ".5",
    "0x10",
    "1_000",
    "é",
    "ß",
    "İ",
    "€",
    "😀",
    "\u{301}",
    "\u{202e}",
    "\u{a0}",
    "\u{2028}",
    "１",
    "\"",
    "'",
    "\\",
    "/",
    "//",
    "=",
    "==",
    ",",
    ";",
    ":",
    ".",
    "-",
    "+",
    "#",
    "$",
    "%",
    "*",
    "?",
    "!",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "{{",
    "true",
    "false",
    "null",
    "on",
    "off",
    "a1",
    "h8",
    "i9",
    "pass",
    "0000",
    "(none)",
    "startpos",
    "moves",
    "w",
    "b",
    "X",
    "O",
    "KQkq",
    "e.p.",
    "O-O-O",
    "e8=Q",
];

/// An input made from samples: now and then one as it is, most often one with a few changes.
pub(crate) fn mutated(samples: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    const LONGEST: usize = 1 << 16;
    let mut input = random.pick(samples).cloned().unwrap_or_default();
    let changes = match random.below(16) {
        0 => 0,
        1..=8 => 1,
        9..=13 => 1 + random.below(4),
        _ => 1 + random.below(24),
    };
    for _ in 0..changes {
        change(&mut input, samples, words, random);
        input.truncate(LONGEST);
    }
    input
}

fn change(input: &mut Vec<u8>, samples: &[Vec<u8>], words: &[&str], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let longest = if random.one_in(4) { input.len() } else { 4 };
    let end = (at + 1 + random.below(longest)).clamp(at, input.len());
    let token = |random: &mut Random| {
        let list = if !words.is_empty() && random.one_in(2) { words } else { TOKENS };
        word(random, list).as_bytes().to_vec()
    };
    match random.below(12) {
        0 => replace(input, at, at, &token(random)),
        1 => replace(input, at, end, &token(random)),
        2 => replace(input, at, end, &[]),
        3 => {
            let copy = input[at..end].to_vec();
            replace(input, at, at, &copy.repeat(1 + random.below(3)));
        }
        4 => flip(input, at, 1 << random.below(8)),
        5 => replace(input, at, end.min(at + 1), &[random.bits() as u8]),
        6 => input.truncate(at),
        7 => splice(input, at, samples, random),
        8 => swap_words(input, random),
        9 => change_number(input, random),
        10 => {
            // A letter of the input itself, which the format is likely to know.
            let letter = random.pick(input).copied().into_iter().collect::<Vec<u8>>();
            replace(input, at, end.min(at + 1), &letter);
        }
        _ => {
            let most = if random.one_in(20) { 3000 } else { 30 };
            replace(input, at, at, &token(random).repeat(1 + random.below(most)));
        }
    }
}

fn replace(input: &mut Vec<u8>, from: usize, to: usize, with: &[u8]) {
    input.splice(from..to, with.iter().copied());
}

fn flip(input: &mut [u8], at: usize, bits: u8) {
    if let Some(byte) = input.get_mut(at) {
        *byte ^= bits;
    }
}

/// Goes on with the end of another sample.
fn splice(input: &mut Vec<u8>, at: usize, samples: &[Vec<u8>], random: &mut Random) {
    if let Some(other) = random.pick(samples) {
        input.truncate(at);
        input.extend_from_slice(&other[random.below(other.len() + 1)..]);
    }
}

fn swap_words(input: &mut Vec<u8>, random: &mut Random) {
    let mut words: Vec<&[u8]> = input.split(|byte| *byte == b' ').collect();
    let (a, b) = (random.below(words.len()), random.below(words.len()));
    words.swap(a, b);
    *input = words.join(&b' ');
}

/// Puts another number in the place of one.
fn change_number(input: &mut Vec<u8>, random: &mut Random) {
    let is_digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> =
        (0..input.len()).filter(|&at| is_digit(input.get(at)) && (at == 0 || !is_digit(input.get(at - 1)))).collect();
    let Some(&start) = random.pick(&starts) else { return };
    let end = (start..input.len()).find(|&at| !is_digit(input.get(at))).unwrap_or(input.len());
    let number: i128 = String::from_utf8_lossy(&input[start..end]).parse().unwrap_or(0);
    let other = match random.below(6) {
        0 => number.saturating_add(1),
        1 => number - 1,
        2 => -number,
        3 => number.saturating_mul(10),
        4 => i128::from(random.bits() as i64 >> random.below(64)),
        _ => word(random, &["255", "65536", "2147483648", "4294967295", "9223372036854775808"]).parse().unwrap_or(0),
    };
    replace(input, start, end, other.to_string().as_bytes());
}

/// Checks an input; where that fails or panics, makes the input as small as it can while the check still fails.
pub(crate) fn check(input: &[u8], check: impl Fn(&[u8]) -> Result<(), String>) -> Result<(), Failure> {
    let problem = |input: &[u8]| caught(|| check(input)).unwrap_or_else(Err).err();
    let Some(mut found) = problem(input) else { return Ok(()) };
    let mut smallest = input.to_vec();
    let mut length = smallest.len().next_power_of_two();
    let mut tries = 2000;
    while length > 0 {
        let mut at = 0;
        while at < smallest.len() && tries > 0 {
            tries -= 1;
            let mut shorter = smallest.clone();
            shorter.drain(at..(at + length).min(smallest.len()));
            match problem(&shorter) {
                Some(problem) => (smallest, found) = (shorter, problem),
                None => at += length,
            }
        }
        length /= 2;
    }
    Err(Failure::new(found, String::from_utf8_lossy(&smallest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::of_case;

    #[test]
    fn mutations_differ_and_repeat() {
        let samples = [b"one 2 three".to_vec(), b"4 five".to_vec()];
        let input = |case| mutated(&samples, &["word"], &mut of_case("t", 1, case));
        let inputs: Vec<Vec<u8>> = (0..500).map(input).collect();
        assert_eq!(inputs, (0..500).map(input).collect::<Vec<_>>());
        let mut different = inputs.clone();
        different.sort();
        different.dedup();
        assert!(different.len() > 350, "{}", different.len());
    }

    #[test]
    fn finds_are_made_small() {
        let no_x = |input: &[u8]| if input.contains(&b'x') { panic!("an x") } else { Ok(()) };
        let failure = check(b"what a long text with an x in it", no_x).unwrap_err();
        assert_eq!(failure.input, "x");
        assert!(failure.problem.starts_with("panic: an x at "), "{}", failure.problem);
        assert_eq!(check(b"nothing", no_x), Ok(()));
    }
}
