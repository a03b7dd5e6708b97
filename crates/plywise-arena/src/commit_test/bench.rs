//! What an engine's bench command prints.

/// What a bench says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bench {
    /// The nodes searched: the signature of the engine's behaviour.
    pub nodes: u64,
    /// The nodes a second, if the bench prints them.
    pub speed: Option<u64>,
}

/// A word of a line of the bench.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    Number(u64),
    /// What is counted: nodes.
    Nodes,
    /// Nodes a second.
    Speed,
    Other,
}

/// Reads the output of a bench: the last count of nodes, and the last speed.
///
/// Engines write `Nodes searched: 4,321`, `Bench: 4321`, `4321 nodes 1234567 nps` or `nodes 4321 nps 1234567`.
///
/// ```
/// use plywise_arena::commit_test::{Bench, read_bench};
/// assert_eq!(read_bench("4321 nodes 99000 nps"), Some(Bench { nodes: 4321, speed: Some(99_000) }));
/// assert_eq!(read_bench("Nodes searched  : 4321"), Some(Bench { nodes: 4321, speed: None }));
/// ```
pub fn read_bench(output: &str) -> Option<Bench> {
    let (mut nodes, mut speed) = (None, None);
    for line in output.lines() {
        let words = words(line);
        let place =
            |number: usize| if numbers_come_first(&words) { number.checked_add(1) } else { number.checked_sub(1) };
        for (i, word) in words.iter().enumerate() {
            let Word::Number(number) = *word else { continue };
            match place(i).and_then(|place| words.get(place)) {
                Some(Word::Nodes) => nodes = Some(number),
                Some(Word::Speed) => speed = Some(number),
                _ => {}
            }
        }
    }
    nodes.map(|nodes| Bench { nodes, speed })
}

/// Whether a line says `5 nodes` rather than `nodes 5`: then nothing is counted after its last name.
fn numbers_come_first(words: &[Word]) -> bool {
    let last = words.iter().rposition(|word| matches!(word, Word::Nodes | Word::Speed));
    last.is_some_and(|last| !matches!(words.get(last + 1), Some(Word::Number(_))))
}

fn words(line: &str) -> Vec<Word> {
    // What stands in brackets explains.
    let line = line.split('(').next().unwrap_or_default().to_lowercase();
    let mut line = line;
    for rate in ["nodes/second", "nodes per second", "nodes/sec", "nodes/s"] {
        line = line.replace(rate, "nps");
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '_' | '\'');
    line.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).map(word).collect()
}

fn word(text: &str) -> Word {
    match text.trim_matches(|letter: char| !letter.is_alphanumeric()) {
        "nodes" | "searched" | "bench" | "signature" => Word::Nodes,
        "nps" => Word::Speed,
        number => match number.replace([',', '_', '\''], "").parse() {
            Ok(number) => Word::Number(number),
            Err(_) => Word::Other,
        },
    }
}

/// The signature that a commit message names: the number of its last `Bench: N`.
pub(super) fn bench_of_message(message: &str) -> Option<u64> {
    let number = |line: &str| {
        let line = line.trim().to_lowercase();
        let rest = line.strip_prefix("bench")?.trim_start_matches([' ', ':', '=', '\t']);
        rest.replace([',', '_', '\''], "").trim_end_matches('.').parse().ok()
    };
    message.lines().rev().find_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, nodes: u64, speed: Option<u64>) {
        assert_eq!(read_bench(output), Some(Bench { nodes, speed }), "{output}");
    }

    #[test]
    fn benches_of_many_engines_are_read() {
        let stockfish = "Position: 1/2\ninfo depth 5 nodes 77 nps 88 time 1\n===========================\n\
                         Total time (ms) : 1234\nNodes searched  : 2,345,678\nNodes/second    : 1900874\n";
        check(stockfish, 2_345_678, Some(1_900_874));
        check("Bench [# 1]   15 cp   12345 nodes\nOVERALL:      4321 nodes  123456 nps", 4321, Some(123_456));
        check("info depth 9 nodes 100 nps 50\n4321 nodes 99 nps (12 ms)", 4321, Some(99));
        check("Bench: 4321", 4321, None);
        check("bench: 4321 nodes 1234 nps", 4321, Some(1234));
        check("time 5 ms nodes 4321 nps 1234", 4321, Some(1234));
        check("4'321 nodes", 4321, None);
        for nothing in ["", "done", "nps 5", "nodes: many", "info depth 5", "1.5 Mnps"] {
            assert_eq!(read_bench(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_commit_message_names_its_bench() {
        assert_eq!(bench_of_message("Order captures\n\nPassed.\n\nBench: 1,234,567\n"), Some(1_234_567));
        assert_eq!(bench_of_message("x\nbench 12\n\nSigned-off-by: A"), Some(12));
        assert_eq!(bench_of_message("x\nBENCH=12."), Some(12));
        assert_eq!(bench_of_message("a faster bench"), None);
        assert_eq!(bench_of_message("bench: print more\n"), None);
    }
}
