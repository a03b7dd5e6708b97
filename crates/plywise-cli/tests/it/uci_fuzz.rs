//! Whatever arrives, the engine neither panics nor hangs.

use crate::uci::Transcript;
use plywise_chess::Chess;
use plywise_cli::games::BoardGame;
use plywise_cli::uci::Session;
use plywise_loa::Loa;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Commands as interfaces send them. None of them takes long: searches without limits are stopped by the end.
const COMMANDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "position startpos",
    "position startpos moves e2e4 e7e5 g1f3",
    "position startpos moves b8b6 a3c3 b6b8 c3a3",
    "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1",
    "position fen 8/P7/8/8/8/8/k6K/8 w - - 99 1 moves a7a8q",
    "position fen 1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b",
    "go depth 2",
    "go nodes 300",
    "go movetime 3",
    "go wtime 20 btime 20 winc 1 binc 1 movestogo 3",
    "go infinite",
    "go ponder depth 2",
    "go ponder wtime 10 btime 10",
    "go mate 1 nodes 200",
    "go depth 2 searchmoves e2e4 d2d4",
    "go perft 2",
    "go perft 30",
    "go",
    "stop",
    "ponderhit",
    "setoption name Threads value 2",
    "setoption name Threads value 1",
    "setoption name MultiPV value 3",
    "setoption name Move Overhead value 5",
    "setoption name UCI_Chess960 value true",
    "setoption name Clear Hash",
    "setoption name Seed value 7",
    "setoption name Profile value brute",
    "setoption name aspiration.window value 100",
    "setoption name framework.algorithm value 3",
    "setoption name table.enabled value false",
    "debug on",
    "d",
    "eval",
];

/// A line: a command as it should be, one with letters changed, its words in another order, or noise.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let command = || select(COMMANDS).prop_map(|text| text.as_bytes().to_vec());
    let changed =
        (command(), vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)).prop_map(|(mut text, changes)| {
            for (at, byte) in changes {
                let at = at.index(text.len());
                text[at] = byte;
            }
            text
        });
    let mixed = (select(COMMANDS), select(COMMANDS), any::<prop::sample::Index>()).prop_map(|(a, b, cut)| {
        let words: Vec<&str> = a.split(' ').chain(b.split(' ')).collect();
        let cut = cut.index(words.len());
        [&words[cut..], &words[..cut]].concat().join(" ").into_bytes()
    });
    let numbers = (select(COMMANDS), any::<i64>()).prop_map(|(text, number)| {
        let replace = |word: &str| if word.parse::<i64>().is_ok() { number.to_string() } else { word.to_string() };
        text.split(' ').map(replace).collect::<Vec<_>>().join(" ").into_bytes()
    });
    prop_oneof![
        6 => command(),
        2 => changed,
        2 => mixed,
        1 => numbers,
        1 => vec(any::<u8>(), 0..40),
    ]
}

/// Feeds lines to a session and gives what it said, or `None` if it does not come to an end.
fn serve<G: BoardGame>(lines: &[Vec<u8>]) -> Option<String> {
    let transcript = Transcript::default();
    let mut input = lines.join(&b'\n');
    input.extend_from_slice(b"\nstop\nisready\n");
    let (done, ended) = mpsc::channel();
    let out = transcript.clone();
    thread::spawn(move || {
        let mut session = Session::<G, _>::with_table(1, out).expect("a small table fits");
        session.serve(&input[..]).expect("writing to memory succeeds");
        let _ = done.send(());
    });
    // A panic drops the sender, which ends the wait as well.
    ended.recv_timeout(Duration::from_secs(60)).ok().map(|()| transcript.text())
}

fn check<G: BoardGame>(lines: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let Some(text) = serve::<G>(lines) else {
        return Err(TestCaseError::fail("the session panicked or hung"));
    };
    // A noisy line may hold a quit, or a line end and more.
    if !lines.iter().any(|line| String::from_utf8_lossy(line).contains("quit")) {
        prop_assert!(text.lines().any(|line| line == "readyok"), "{text}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 50, ..ProptestConfig::default() })]

    #[test]
    fn chess_survives_everything(lines in vec(line(), 0..25)) {
        check::<Chess>(&lines)?;
    }

    #[test]
    fn loa_survives_everything(lines in vec(line(), 0..25)) {
        check::<Loa>(&lines)?;
    }
}
