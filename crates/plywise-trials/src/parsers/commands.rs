//! Arguments of the command line, through the whole program in this process.
//!
//! Each line ends early or searches next to nothing, and starts no other program: a match is refused for its `--sprt`
//! after its players have been read and before they are started.

use super::{Parser, ensure};
use std::ffi::OsString;
use std::process::ExitCode;

const WORDS: &[&str] = &[
    "null_move.enabled=on",
    "evaluation.",
    "search.",
    "quiescence.plies=",
    "aspiration.window",
    "name=",
    "depth=",
    "nodes=",
    "movetime=",
    "tc=",
    "set.",
    "table=",
    "threads=",
    "hash=1",
    "option.Hash=16",
    "dir=",
    "restart=on",
    "uci:",
    "cecp:",
    "best",
    "brute",
    "..",
    ",",
    "=",
    "\\,",
    "+",
    "0.5",
    "40/60",
    "e2e4",
    "d4",
    "34,8,10",
    "loa",
    "chess",
    "Nf3",
];

/// What is mutated, in place of the braces; samples of it.
const LINES: &[(&str, &str, &[&str])] = &[
    ("--set", "analyse loa --nodes 50 --hash 1 --set={}", &["null_move.enabled=off", "evaluation.mobility.weight=3"]),
    ("--tc", "analyse loa --nodes 50 --hash 1 --tc={}", &["60+0.6", "0.5", "40/60"]),
    ("--depth", "compare loa --profiles brute --hash 1 --nodes 50 --depth={}", &["1", "1,2,3"]),
    ("--moves", "perft chess --depth 1 --moves={}", &["e4 e5 Nf3", "e2e4 e7e5 g1f3", "d4"]),
    ("--profiles", "compare loa --hash 1 --nodes 50 --profiles={}", &["best", "brute,classic", "rps,erps"]),
    (
        "--sweep",
        "suite no/such/file --game loa --nodes 50 --sweep={}",
        &["null_move.reduction=1..3", "aspiration.window=10,20"],
    ),
    (
        "player",
        "match --game loa --b best --nodes 1 --sprt 1 --a={}",
        &[
            "best",
            "name=old,nodes=1000,brute",
            "set.null_move.reduction=3,best",
            "option.Hash=16,uci:no-such-engine --a=b,c",
            "name=a\\,b,cecp:no-such-engine",
            "tc=40/60+0.6,threads=2,hash=8,classic",
            "dir=..,restart=on,uci:no-such-engine",
        ],
    ),
    ("--draw", "match --game loa --a best --b best --nodes 1 --sprt 1 --draw={}", &["34,8,10"]),
    ("--resign", "match --game loa --a best --b best --nodes 1 --sprt 1 --resign={}", &["3,400"]),
    ("--sprt", "stats 40 74 10 --sprt={}", &["0,5", "-5,0"]),
    ("--alpha", "stats 34 54 63 64 75 --sprt 0,5 --alpha={}", &["0.05", "0.5"]),
    ("counts", "stats -- {}", &["40 74 10", "34 54 63 64 75", "0 0 0", "1 0 0 0 1"]),
    ("game", "perft --depth 1 -- {}", &["chess", "loa", "othello f5d6c3"]),
    ("option", "analyse loa --nodes 50 --hash 1 {}", &["--threads=2", "--lines=3", "--json", "--stats", "--explain"]),
];

pub(super) fn parsers() -> Vec<Parser> {
    let parser = |&(name, line, samples): &(&'static str, &'static str, &'static [&'static str])| {
        Parser::new(format!("command line {name}"), samples.iter().copied(), WORDS, move |input| runs(line, input))
            .slow()
    };
    LINES.iter().map(parser).collect()
}

/// Success, or exit code 2 with nothing but one sentence on the error output.
pub(super) fn runs(line: &str, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let mut arguments: Vec<OsString> = vec!["plywise".into()];
    for word in line.split(' ') {
        match word {
            // Words of their own. Help is clap's business, and it would print it.
            "{}" => arguments.extend(text.split_whitespace().filter(|word| !is_help(word)).map(OsString::from)),
            word => arguments.push(word.replace("{}", &text).into()),
        }
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = plywise_cli::run(&plywise_cli::built_in(), arguments, &mut out, &mut err, &|_| {});
    let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
    if code == ExitCode::SUCCESS {
        return ensure(err.is_empty(), || format!("it succeeds and complains: {err:?}"));
    }
    ensure(code == ExitCode::from(2), || format!("{code:?}, {err:?}"))?;
    ensure(out.is_empty(), || format!("it is refused after having written {out:?}"))?;
    let is_sentence = err.starts_with("plywise: ") && err.ends_with('\n') && err.trim_end().lines().count() == 1;
    ensure(is_sentence, || format!("it is not refused in one sentence: {err:?}"))
}

fn is_help(word: &str) -> bool {
    word.starts_with("-h") || "--help".starts_with(word) && word.len() > 2 || word == "help" || word.starts_with("-V")
}
