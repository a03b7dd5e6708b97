//! Bad input gets one clear sentence on standard error and exit code 2, and nothing else.

use crate::plywise;

#[track_caller]
fn check(arguments: &str, sentence: &str) {
    check_command(&mut plywise(arguments), sentence);
}

#[track_caller]
fn check_command(command: &mut assert_cmd::Command, sentence: &str) {
    let assert = command.assert().code(2);
    let output = assert.get_output();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(complaint, format!("plywise: {sentence}\n"));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "nothing else is said");
}

#[test]
fn games() {
    check("analyse ches", "unknown game 'ches'; the nearest is 'chess'");
    check("perft loaa --depth 1", "unknown game 'loaa'; the nearest is 'loa'");
    check("bench lo", "unknown game 'lo'; the nearest is 'loa'");
    check("params go", "unknown game 'go'; there are chess, loa, othello, abalone, connect4");
    check("params backgammon", "unknown game 'backgammon'; there are chess, loa, othello, abalone, connect4");
    check("uci checkers", "unknown game 'checkers'; the nearest is 'chess'");
}

#[test]
fn positions() {
    check("analyse chess 8/8 w - -", "FEN field 1 (pieces): it has 2 ranks instead of 8");
    check(
        "perft chess rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - --depth 1",
        "FEN field 2 (side to move): 'x' is neither 'w' nor 'b'",
    );
    check("analyse loa 8/8 b", &plywise_game_error::<plywise_loa::Loa>("8/8 b"));
}

/// The game's own sentence, which is for the game's own tests.
fn plywise_game_error<G: plywise_game::Notation>(text: &str) -> String {
    G::parse_position(text).unwrap_err().to_string()
}

#[test]
fn moves() {
    check("analyse chess --moves e4 e4", "move 2 of --moves: the move 'e4' is illegal in this position");
    check("analyse chess --moves e4 xyz", "move 2 of --moves: the move 'xyz' is unreadable");
}

#[test]
fn what_holds_line_breaks_is_refused_on_one_line() {
    check_command(plywise("analyse loa --depth 1").arg("--set=a\nb=1"), "unknown parameter 'a\\nb'");
    check_command(plywise("analyse loa --depth 1").arg("--profile=a\nb"), "unknown profile 'a\\nb'");
    check_command(
        plywise("analyse loa --depth 1").arg("--profile=/a\nb"),
        "cannot read '/a b': No such file or directory (os error 2)",
    );
}

#[test]
fn parameters() {
    let set = "analyse chess --depth 1 --set";
    check(
        &format!("{set} aspiration.windw=3"),
        "unknown parameter 'aspiration.windw'; the nearest is 'aspiration.window'",
    );
    check(&format!("{set} aspiration.window=0"), "aspiration.window is 0, but must lie between 1 and 1000");
    check(&format!("{set} aspiration.window=x"), "aspiration.window must be a whole number, not 'x'");
    check(
        &format!("{set} evaluation.material.midlegame.0=100"),
        "unknown parameter 'evaluation.material.midlegame.0'; the nearest is 'evaluation.material.middlegame.0'",
    );
    check(
        &format!("{set} evaluation.material.middlegame.0=-5"),
        "evaluation.material.middlegame.0 is -5, but must lie between 0 and 2000",
    );
    check(&format!("{set} xyzzy=3"), "unknown parameter 'xyzzy'");
    check(
        &format!("{set} aspiration.window"),
        "invalid value 'aspiration.window' for '--set <GROUP.NAME=VALUE>': a setting is written group.name=value",
    );
    check(
        "suite x.epd --sweep aspiration.window --depth 1",
        "invalid value 'aspiration.window' for '--sweep <GROUP.NAME=V,V,…>': a sweep is written group.name=value,value,…",
    );
}

#[test]
fn resources() {
    let memory = plywise("analyse chess --hash 30000000").assert().code(2).get_output().stderr.clone();
    let memory = String::from_utf8_lossy(&memory).into_owned();
    assert!(memory.starts_with("plywise: the hash size is beyond memory: 30000000 MB is more than the "), "{memory}");
    assert_eq!(memory.lines().count(), 1);
    for hash in ["0", "-1", "100000000", "99999999999999999999999", "much"] {
        check(
            &format!("analyse chess --hash {hash}"),
            &format!(
                "invalid value '{hash}' for '--hash <MB>': the size must be a whole number of MB between 1 and 33554432"
            ),
        );
    }
    check(
        "analyse chess --threads 0",
        "invalid value '0' for '--threads <N>': the number of threads must lie between 1 and 256",
    );
}

#[test]
fn limits() {
    for command in ["analyse chess", "match --a best --b best", "forge games loa --games 1 -o x.pgn"] {
        for depth in ["0", "-1", "129", "deep"] {
            let sentence =
                format!("invalid value '{depth}' for '--depth <N>': a depth is a whole number from 1 to 128");
            check(&format!("{command} --depth {depth}"), &sentence);
        }
        check(
            &format!("{command} --nodes -5"),
            "invalid value '-5' for '--nodes <N>': a number of nodes is a whole number of at least 1",
        );
        check(
            &format!("{command} --movetime 0"),
            "invalid value '0' for '--movetime <MS>': a time is a whole number of milliseconds from 1 to 31536000000",
        );
        check(
            &format!("{command} --tc fast"),
            "invalid value 'fast' for '--tc <[MOVES/]BASE[+INC]>': 'fast' is not a time control in seconds, such as \
             8+0.08 or 40/60",
        );
    }
    check(
        "match --a best --b best --games -1",
        "invalid value '-1' for '--games <N>': it must be a whole number within its range",
    );
    check("match --a best --b best --depth 3,4", "a list of depths is for compare and suite; here --depth takes one");
    check("analyse chess --depth 3,4", "a list of depths is for compare and suite; here --depth takes one");
    check("compare chess", "a limit is needed: --depth, --nodes, --movetime or --tc");
}

#[test]
fn files() {
    let missing = "No such file or directory (os error 2)";
    check("analyse chess --profile none.toml", &format!("cannot read 'none.toml': {missing}"));
    check("suite none.epd --depth 1", &format!("cannot read 'none.epd': {missing}"));
    check("analyse chess --table none.toml", &format!("cannot read 'none.toml': {missing}"));
    check("analyse chess --profile bets", "unknown profile 'bets'; the nearest is 'best'");
    check("profiles bets", "unknown profile 'bets'; the nearest is 'best'");

    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_string()
    };
    let broken = file("broken.epd", b"# A comment.\n8/8/8/8/8/8/8/K1k5 w - - bm Kb9;\n");
    check(
        &format!("suite {broken} --depth 1"),
        &format!("suite '{broken}', line 2: bm names 'Kb9', which cannot be played: the move 'Kb9' is unreadable"),
    );
    let empty = file("empty.epd", b"# Nothing.\n");
    check(&format!("suite {empty} --depth 1"), &format!("suite '{empty}' holds no position"));
    let binary = file("binary.toml", b"\xff\xfe\x00");
    check(&format!("analyse chess --profile {binary}"), &format!("cannot read '{binary}': it is not text"));
    check(&format!("analyse chess --table {empty}"), &format!("'{empty}' is not a table that a learner wrote"));
    let profile = file("mine.toml", b"base = 'brute'\n[search]\naspiration.windw = 3\n");
    check(
        &format!("analyse chess --profile {profile}"),
        "profile 'mine': unknown parameter 'aspiration.windw'; the nearest is 'aspiration.window'",
    );
    let profile = file("other.toml", b"base = 'brute'\n[game.ches.search]\naspiration.window = 3\n");
    check(
        &format!("analyse chess --profile {profile}"),
        "profile 'other': unknown game 'ches'; the nearest is 'chess'",
    );
    check("draw chess -o board.png", "cannot draw 'board.png': pictures are SVG, so the name must end in .svg");
}

#[test]
fn usage() {
    check("", "a command is needed; --help lists them");
    check("analyse", "the following required arguments were not provided: <GAME>");
    check("perft chess", "the following required arguments were not provided: --depth <N>");
    check("analyze chess", "unrecognized subcommand 'analyze'; tip: a similar subcommand exists: 'analyse'");
    check("play chess --side green --depth 1", "the side 'green' is none of White, Black, both and none");
    check("bench --quickly", "unexpected argument '--quickly' found");
}

#[cfg(unix)]
#[test]
fn inputs_without_end() {
    let long = "cannot read '/dev/zero': it is longer than 256 MB";
    check("analyse chess --depth 1 --network /dev/zero", long);
    check("suite chess /dev/zero --depth 1", &format!("{long}; the suites of Chess are 'tactics', 'openings'"));
    let line = "cannot read '/dev/zero': cannot read on after line 0: the next line is longer than 16 MB";
    check("annotate chess /dev/zero --depth 1", line);
    check("match chess --a best --b best --games 2 --nodes 1 --openings /dev/zero", long);
}

#[cfg(unix)]
#[test]
fn one_signal_ends_waiting_for_a_pipe() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for words in
        [&["annotate", "chess", &pipe, "--depth", "1"][..], &["analyse", "chess", "--depth", "1", "--table", &pipe]]
    {
        let mut plywise = Command::new(env!("CARGO_BIN_EXE_plywise"));
        let mut waiting = plywise.args(words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert!(waiting.try_wait().unwrap().is_none(), "{words:?} waits");
        let begun = Instant::now();
        assert!(Command::new("kill").args(["-TERM", &waiting.id().to_string()]).status().unwrap().success());
        let output = waiting.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{words:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "plywise: interrupted before anything was finished\n");
    }
}
