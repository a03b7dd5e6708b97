//! `plywise fastchess`: what scripts written for fastchess need.

use crate::plywise;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A script as authors have it: it plays a match, and reads the verdict from the output. The program comes in the variable
/// FASTCHESS, as it does in their scripts, and the engines and the folder in others.
const SCRIPT: &str = r#"
set -e
$FASTCHESS \
    -engine cmd="$ENGINE" args="uci chess --network off" name=new \
    -engine cmd="$ENGINE" args="uci chess --network off --profile brute" name=old \
    -each tc=5+0.05 proto=uci option.Hash=1 depth=1 \
    -openings file="$BOOK" format=epd order=random -srand 3 \
    -rounds 3 -games 2 -repeat -concurrency 2 -recover -ratinginterval 2 \
    -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 \
    -resign movecount=3 score=900 -draw movenumber=40 movecount=8 score=10 -maxmoves 6 \
    -event "Nightly" -site "here" -pgnout file="$FOLDER/games.pgn" notation=san nodes=true > "$FOLDER/log"

# What parsers look for.
finished=$(grep -c '^Finished game [0-9]* (.* vs .*): .* {.*}$' "$FOLDER/log")
started=$(grep -c '^Started game [0-9]* of 6 (.* vs .*)$' "$FOLDER/log")
elo=$(sed -n 's/^Elo: \([-0-9.]*\) +\/- .*$/\1/p' "$FOLDER/log" | tail -1)
games=$(sed -n 's/^Games: \([0-9]*\), Wins: [0-9]*, Losses: [0-9]*, Draws: [0-9]*, Points: .*$/\1/p' "$FOLDER/log" | tail -1)
pairs=$(sed -n 's/^Ptnml(0-2): \[\([0-9, ]*\)\], WL\/DD Ratio: .*$/\1/p' "$FOLDER/log" | tail -1)
llr=$(sed -n 's/^LLR: \([-0-9.]*\) ([-0-9.]*%) (-2.94, 2.94) \[0.00, 5.00\]$/\1/p' "$FOLDER/log" | tail -1)
grep -q '^Results of new vs old (5+0.05, NULL, 1MB, book.epd):$' "$FOLDER/log"
echo "$started $finished $games|$pairs|${elo:+elo} ${llr:+llr}"
"#;

#[test]
fn a_script_that_was_written_for_fastchess_runs() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    fs::write(
        &book,
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nrnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1\n",
    )
    .unwrap();
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let output = Command::new("sh")
        .args(["-c", SCRIPT])
        .env("FASTCHESS", format!("{} fastchess", program.display()))
        .env("ENGINE", &program)
        .env("BOOK", &book)
        .env("FOLDER", folder.path())
        .output()
        .unwrap();
    let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    let (said, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{log}{complaints}");
    assert_eq!(said.split('|').next(), Some("6 6 6"), "{log}");
    assert!(said.trim_end().ends_with("|elo llr"), "{said}{log}");
    assert!(log.contains("{Draw by adjudication}") && log.trim_end().ends_with("Tournament finished"), "{log}");
    let pgn = fs::read_to_string(folder.path().join("games.pgn")).unwrap();
    assert_eq!((pgn.matches("[Event \"Nightly\"]").count(), pgn.matches("[Site \"here\"]").count()), (6, 6), "{pgn}");
    assert!(pgn.contains("[%nodes ") && pgn.contains("[%nps ") && pgn.contains("[%overhead "), "{pgn}");
}

#[test]
fn a_match_of_a_script_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let play = |rounds: u32| {
        let mut command = plywise("fastchess --run");
        command.arg(folder.path().join("run"));
        for profile in ["best", "brute"] {
            command.args(["-engine", &format!("cmd={}", program.display()), &format!("name={profile}")]);
            command.arg(format!("args=uci chess --network off --hash 1 --profile {profile}"));
        }
        command.args(["-each", "depth=1", "-maxmoves", "5", "-rounds", &rounds.to_string()]);
        String::from_utf8(command.assert().success().get_output().stdout.clone()).unwrap()
    };
    let count = |log: &str| log.matches("Finished game").count();
    assert_eq!(count(&play(1)), 2);
    let longer = play(2);
    assert_eq!(count(&longer), 2, "{longer}");
    assert!(longer.contains("\nGames: 4, "), "{longer}");
}

#[test]
fn what_is_not_taken_is_refused_by_name() {
    let check = |words: &str, sentence: &str| {
        let assert = plywise(&format!("fastchess {words}")).assert().code(2);
        let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(complaint, format!("plywise: {sentence}\n"));
    };
    let two = "-engine cmd=sh -engine cmd=sh -each depth=1";
    check(&format!("{two} -tb /syzygy"), "plywise fastchess does not take -tb");
    check(&format!("{two} -openings file=no.epd"), "cannot read 'no.epd': No such file or directory (os error 2)");
    check("-engine cmd=sh depth=1", "at least two engines are needed: -engine cmd=PROGRAM");
    assert!(!Path::new("no.epd").exists());
}
