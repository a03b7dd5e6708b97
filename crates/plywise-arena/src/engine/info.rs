//! What a UCI engine says while it searches.

use super::{estimate, mate};
use plywise_game::Score;

/// A line `info …`, as far as it can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Info<'a> {
    pub depth: Option<u32>,
    /// Which of several lines it is about; the best is 1.
    pub line: Option<u32>,
    pub score: Option<Score>,
    /// The mate that it announces, in the engine's own moves; negative where it is mated.
    pub mate: Option<i64>,
    /// Whether the score is a bound.
    pub is_bound: bool,
    pub nodes: Option<u64>,
    /// The time that the search has taken by the engine's own clock, in milliseconds.
    pub time: Option<u64>,
    /// The moves of the line, with spaces between them.
    pub pv: Option<&'a str>,
    /// The first word that does not belong here.
    pub strange: Option<&'a str>,
}

/// Words that a number follows, beyond those that are read here.
const NUMBERED: [&str; 8] = [
    "seldepth",
    "nps",
    "hashfull",
    "tbhits",
    "sbhits",
    "cpuload",
    "currmovenumber",
    // Not in the protocol, but common.
    "ebf",
];

impl<'a> Info<'a> {
    /// Reads a line; `None` if it is another one. What cannot be read is left out.
    pub(super) fn read(line: &'a str) -> Option<Info<'a>> {
        let mut rest = Words(line);
        if rest.next() != Some("info") {
            return None;
        }
        let mut info = Info::default();
        while let Some(word) = rest.next() {
            match word {
                "depth" => info.depth = info.number(&mut rest).or(info.depth),
                "multipv" => info.line = info.number(&mut rest),
                "nodes" => info.nodes = info.number(&mut rest).or(info.nodes),
                "time" => info.time = info.number(&mut rest).or(info.time),
                "score" => info.read_score(&mut rest),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "wdl" => (0..3).for_each(|_| {
                    info.number::<u32>(&mut rest);
                }),
                "currmove" => drop(rest.next()),
                // Moves and free text follow to the end of the line.
                "pv" => {
                    info.pv = Some(rest.0.trim());
                    break;
                }
                "string" | "refutation" | "currline" => break,
                _ if NUMBERED.contains(&word) => {
                    info.number::<i64>(&mut rest);
                }
                _ => info.strange = info.strange.or(Some(word)),
            }
        }
        Some(info)
    }

    /// Whether it is about the best line.
    pub(super) fn is_best(&self) -> bool {
        self.line.is_none_or(|line| line == 1)
    }

    /// The first move of the line.
    pub(super) fn first_move(&self) -> Option<&'a str> {
        self.pv?.split_whitespace().next()
    }

    fn number<T: std::str::FromStr>(&mut self, rest: &mut Words<'a>) -> Option<T> {
        let word = rest.next();
        let number = word.and_then(|word| word.parse().ok());
        if number.is_none() {
            self.strange = self.strange.or(Some(word.unwrap_or("a missing number")));
        }
        number
    }

    fn read_score(&mut self, rest: &mut Words<'a>) {
        match rest.next() {
            Some("cp") => self.score = self.number(rest).map(estimate).or(self.score),
            Some("mate") => {
                self.mate = self.number(rest);
                self.score = self.mate.map(mate).or(self.score);
            }
            other => self.strange = self.strange.or(Some(other.unwrap_or("a missing score"))),
        }
    }
}

/// The words of a line, and what is left of it.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let info = Info::read("info depth 5 multipv 1 score cp 3 nodes 77 nps 9 pv e2e4 e7e5").unwrap();
        let expected = Info {
            depth: Some(5),
            line: Some(1),
            score: Some(3),
            nodes: Some(77),
            pv: Some("e2e4 e7e5"),
            ..Info::default()
        };
        assert_eq!(info, expected);
        assert!(info.is_best() && info.first_move() == Some("e2e4"));
        let bound = Info::read("info depth 5 score mate -3 lowerbound nodes 77 pv e2e4").unwrap();
        assert_eq!((bound.mate, bound.is_bound, bound.strange), (Some(-3), true, None));
        assert!(!Info::read("info depth 5 multipv 2 nodes 77 pv e2e4").unwrap().is_best());
        assert_eq!(Info::read("info string nodes 5 pv e2e4"), Some(Info::default()));
        assert_eq!((Info::read("bestmove e2e4"), Info::read("information depth 7")), (None, None));
    }

    #[test]
    fn strange_words_are_named_and_passed_over() {
        let strange = |line| Info::read(line).unwrap().strange;
        assert_eq!(strange("info depth x score cp 5"), Some("x"));
        assert_eq!(strange("info depth 3 score 17 nodes 5"), Some("17"));
        assert_eq!(strange("info depth 3 flavour sweet"), Some("flavour"));
        assert_eq!(strange("info score cp"), Some("a missing number"));
        assert_eq!(strange("info depth 3 score cp 7 wdl 1 2 997 time 5 currmove e2e4 currmovenumber 1"), None);
        assert_eq!(Info::read("info depth x nodes 8").unwrap().nodes, Some(8));
    }
}
