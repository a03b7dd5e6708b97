//! `plywise match`.

use crate::{json, output, plywise};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// A match of two that takes a moment: openings and nodes are few.
const QUICK: &str = "match loa --games 6 --nodes 200 --max-moves 30";

/// The journal without times, sorted by game: what must be the same on every machine.
fn games(run: &Path) -> Vec<(u64, Vec<Value>)> {
    let text = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let mut games: Vec<(u64, Vec<Value>)> = text
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let game = &line["unit"];
            let moves = game["moves"].as_array().unwrap().iter().map(|played| played["move"].clone()).collect();
            (game["index"].as_u64().unwrap(), moves)
        })
        .collect();
    games.sort_by_key(|(index, _)| *index);
    games
}

#[test]
fn equal_players_mirror_whatever_the_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, concurrency: u32| {
        let run = folder.path().join(name);
        let arguments = format!("{QUICK} --a name=one,best --b name=two,best --concurrency {concurrency}");
        let document = json(&format!("{arguments} --run {}", run.display()));
        (document, games(&run))
    };
    let (document, one) = play("one", 1);
    for key in ["games", "wins", "draws", "losses", "score", "pentanomial", "elo", "elo_error", "los"] {
        assert!(document.get(key).is_some_and(|value| !value.is_null()), "{key}: {document}");
    }
    assert_eq!((document["games"].as_u64(), document["score"].as_f64()), (Some(6), Some(0.5)));
    assert_eq!(document["pentanomial"], serde_json::json!([0, 0, 3, 0, 0]));
    assert_eq!(one.len(), 6);
    assert!(one.chunks(2).all(|pair| pair[0].1 == pair[1].1), "the games of a pair are the same");
    assert_eq!(play("two", 2).1, one);
}

/// How many finished games the journal of a run holds.
fn finished(run: &Path) -> usize {
    fs::read_to_string(run.join("journal.jsonl")).map_or(0, |text| text.matches('\n').count())
}

#[test]
fn a_match_survives_being_killed_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let arguments = |run: &Path| {
        let longer = QUICK.replace("--games 6", "--games 20");
        format!("{longer} --a best --b brute --concurrency 2 --run {}", run.display())
    };
    for _ in 0..3 {
        let before = finished(&killed);
        let program = std::process::Command::new(assert_cmd::cargo::cargo_bin("plywise"))
            .args(arguments(&killed).split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut child = program.unwrap();
        // SIGKILL: the program gets no chance to tidy up.
        while finished(&killed) < before + 3 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(finished(&killed) >= before + 3, "what was reported is kept");
    }
    json(&arguments(&killed));
    json(&arguments(&whole));
    assert_eq!(games(&killed), games(&whole));
}

#[test]
fn a_torn_journal_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, torn) = (folder.path().join("whole"), folder.path().join("torn"));
    let arguments = |run: &Path| format!("{QUICK} --a best --b brute --concurrency 1 --run {}", run.display());
    let expected = json(&arguments(&whole));
    fs::create_dir(&torn).unwrap();
    fs::copy(whole.join("run.json"), torn.join("run.json")).unwrap();
    let journal = fs::read(whole.join("journal.jsonl")).unwrap();
    fs::write(torn.join("journal.jsonl"), &journal[..journal.len() * 2 / 3]).unwrap();
    let resumed = json(&arguments(&torn));
    assert_eq!((&resumed["wins"], &resumed["pentanomial"]), (&expected["wins"], &expected["pentanomial"]));
    assert_eq!(games(&torn), games(&whole));
    let finished = output(&arguments(&torn));
    assert!(finished.contains("6 of 6 games") && !finished.contains("moves in"), "nothing is played again: {finished}");
    for file in ["games.pgn", "report.md"] {
        assert!(torn.join(file).is_file(), "{file}");
    }
    let longer = json(&arguments(&torn).replace("--games 6", "--games 8"));
    assert_eq!(longer["games"], 8, "a match may be made longer");
    assert_eq!(games(&torn)[..6], games(&whole)[..]);
}

#[test]
fn a_run_belongs_to_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{QUICK} --a best --b brute --games 1 --run {}", folder.path().join("run").display());
    let arguments = arguments.replacen("--games 6", "", 1);
    output(&arguments);
    let assert = plywise(&format!("{arguments} --seed 2")).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.ends_with("belongs to a different command: its --seed is 1, not 2\n"), "{complaint}");
    let refused = |arguments: &str| {
        let assert = plywise(arguments).assert().code(2);
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    let complaint = refused(&arguments.replace("--nodes 200", "--nodes 300"));
    assert!(complaint.ends_with("its --nodes of player 1 is 200, not 300\n"), "{complaint}");
    let timed =
        format!("match loa --a best --b brute --games 1 --max-moves 2 --run {}", folder.path().join("t").display());
    output(&format!("{timed} --movetime 50"));
    let complaint = refused(&format!("{timed} --movetime 100"));
    assert!(complaint.ends_with("its --movetime of player 1 is 0.05 s, not 0.1 s\n"), "{complaint}");
}

/// What a kill kept from the PGN file is added from the journal, once, and a game that it cut off is whole again.
#[test]
fn the_pgn_file_is_completed_from_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (run, pgn) = (folder.path().join("run"), folder.path().join("games.pgn"));
    let foreign = "[Event \"Mine\"]\n\n1. e4 *\n\n";
    fs::write(&pgn, foreign).unwrap();
    let arguments = format!("{QUICK} --a best --b brute --jobs 1 --run {} --pgn {}", run.display(), pgn.display());
    output(&arguments);
    let whole = fs::read_to_string(&pgn).unwrap();
    let starts: Vec<usize> = whole.match_indices("[Event ").map(|(at, _)| at).collect();
    assert_eq!(starts.len(), 7);
    // The third game is missing, and of the last one only a part was written.
    let damaged = format!("{}{}", &whole[..starts[3]], &whole[starts[4]..starts[6] + 150]);
    fs::write(&pgn, damaged).unwrap();
    output(&arguments);
    let repaired = fs::read_to_string(&pgn).unwrap();
    let sorted = |text: &str| {
        let mut games: Vec<String> = text.split("[Event ").map(|game| game.trim_end().to_owned()).collect();
        games.sort();
        games
    };
    assert_eq!(sorted(&repaired), sorted(&whole));
    assert!(repaired.starts_with(foreign));
    output(&arguments);
    assert_eq!(fs::read_to_string(&pgn).unwrap(), repaired, "nothing is added twice");
}

/// Games that ended ahead of their turn do not count after the decision of a test, and are not listed.
#[test]
fn a_decided_test_lists_the_games_that_count() {
    let line = "match loa --a best --b name=weak,nodes=1,brute --games 60 --nodes 400 --sprt 0,300 --jobs 4";
    let document = json(line);
    assert_eq!(document["sprt"]["decision"], "h1");
    assert_eq!(document["records"].as_array().map(Vec::len), document["games"].as_u64().map(|games| games as usize));
}

/// A player that crashes in every game: one line for each, with its name, then how often, and a warning.
#[test]
fn forfeits_are_counted_and_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine.sh");
    let script =
        "while read -r word rest; do case $word in uci) echo uciok;; isready) echo readyok;; go) exit 1;; esac; done";
    fs::write(&engine, script).unwrap();
    let play = |more: &str| {
        let mut command = plywise(&format!("match loa --b best --games 4 --nodes 50 --max-moves 5 --jobs 1 {more}"));
        command.arg("--a").arg(format!("name=fragile,uci:sh '{}'", engine.display()));
        command.assert().success().get_output().clone()
    };
    let told = play("");
    let (text, live) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    let sentence =
        "fragile lost 4 of 4 games by failing: that decides the result, which says little about who plays better.";
    assert!(text.lines().any(|line| line == sentence), "{text}");
    assert_eq!((live.matches("crash").count(), text.matches("crash").count()), (4, 0), "{live}{text}");
    assert!(live.contains("(fragile: crash: ") && !live.contains("first player"), "{live}");
    let document: Value = serde_json::from_slice(&play("--json").stdout).unwrap();
    assert_eq!((&document["forfeits"], &document["decided_by_forfeits"]), (&serde_json::json!([4, 0]), &true.into()));
    assert_eq!(document["faults"].as_array().map(Vec::len), Some(4));
}

#[test]
fn several_players_get_ratings() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let players = "--player best --player name=shallow,depth=1,best --player brute";
    let arguments = "match loa --games 2 --nodes 100 --max-moves 20 --openings start --concurrency 1";
    let document = json(&format!("{arguments} {players} --pgn {}", pgn.display()));
    assert_eq!(document["games"], 6);
    assert_eq!(document["pairings"].as_array().unwrap().len(), 3);
    assert_eq!(document["ratings"].as_array().unwrap().len(), 3);
    assert_eq!(document["players"][1], "shallow");
    let games = fs::read_to_string(pgn).unwrap();
    for tag in ["[Variant \"Lines of Action\"]", "[Date \"20", "[TimeControl \"-\"]", "[PlyCount \"", "[Termination \""]
    {
        assert_eq!(games.matches(tag).count(), 6, "{tag}: {games}");
    }
    let gauntlet = json(&format!("{arguments} {players} --gauntlet"));
    assert_eq!(gauntlet["games"], 4);
}

#[test]
fn the_document_holds_settings_and_games() {
    let document = json("match loa --a best --b name=x,nodes=50,brute --games 2 --nodes 100 --max-moves 5 --seed 3");
    let settings = &document["settings"];
    let expected = serde_json::json!(["loa", 2, 100, 3, "round-robin", 10]);
    let found = ["game", "games", "openings", "seed", "format"].map(|key| settings[key].clone());
    let found: Vec<Value> = found.into_iter().chain([settings["rules"]["longest"].clone()]).collect();
    assert_eq!(Value::from(found), expected, "{settings}");
    let players = settings["players"].as_array().unwrap();
    assert_eq!((&players[1]["name"], &players[1]["limits"]["nodes"]), (&Value::from("x"), &Value::from(50)));
    let records = document["records"].as_array().unwrap();
    assert_eq!(records[0]["players"], serde_json::json!(["best", "x"]));
    assert_eq!(records[1]["players"], serde_json::json!(["x", "best"]));
    for (number, record) in records.iter().enumerate() {
        assert_eq!((record["number"].as_u64(), record["opening"].is_u64()), (Some(number as u64 + 1), true));
        assert_eq!((&record["result"], &record["plies"]), (&Value::from("1/2-1/2"), &Value::from(10)), "{record}");
        assert!(record["ending"].is_string(), "{record}");
    }
}

#[test]
fn our_own_engine_plays_over_uci_and_crashes_are_told() {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut command = plywise("match loa --a best --games 2 --nodes 50 --max-moves 5 --concurrency 1 --json");
    command.arg("--b").arg(format!("name=other,option.Hash=1,uci:'{}' uci loa", program.display()));
    let output = command.assert().success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((document["games"].as_u64(), document["faults"].as_array().map(Vec::len)), (Some(2), Some(0)));
}

/// A player with little time meets one with plenty, who hardly uses it. A player that reads the other's clock as its own thinks
/// for longer than it has.
#[test]
fn every_player_is_told_its_own_clock() {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    for game in ["chess", "loa", "othello", "abalone", "connect4"] {
        let engine = format!("uci:'{}' uci {game} --hash 1", program.display());
        let mut command = plywise("match --games 2 --max-moves 3 --openings start --concurrency 2 --json --game");
        command.arg(game).arg("--a").arg(format!("name=poor,tc=3,{engine}"));
        command.arg("--b").arg(format!("name=rich,tc=1800,nodes=10,{engine}"));
        let output = command.assert().success().get_output().stdout.clone();
        let document: Value = serde_json::from_slice(&output).unwrap();
        assert_eq!(document["faults"].as_array().map(Vec::len), Some(0), "{game}: {document}");
    }
}

/// Every command reads the same time controls.
#[test]
fn a_clock_for_so_many_moves_works_everywhere() {
    output("analyse chess --tc 40/1");
    output("compare chess --profiles brute,best --tc 40/0.5+0.01");
    output("match loa --a best --b best --games 1 --max-moves 3 --tc 40/1");
    let text = plywise("play chess --tc 40/1").write_stdin("e4\nlevel\nquit\n").assert().success().get_output().clone();
    assert!(String::from_utf8_lossy(&text.stdout).contains("The engine's limit is clock 40/1."));
}

/// The games say how they ended in the words of the game.
#[test]
fn endings_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    let openings = folder.path().join("mate-in-one.epd");
    fs::write(&openings, "6k1/5ppp/8/8/8/8/8/R5K1 w - -\n").unwrap();
    let arguments = format!("--openings {} --pgn {}", openings.display(), pgn.display());
    let assert = plywise(&format!("match --a best --b best --games 1 --depth 2 {arguments}")).assert().success();
    let live = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(live.contains("best (1) – best (2) 1-0 (White mates, 1 plies)"), "{live}");
    assert!(fs::read_to_string(pgn).unwrap().contains("White mates} 1-0"));
}

/// An engine for another game does not lose every game of a match: there is no match.
#[test]
fn an_engine_for_another_game_is_refused() {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut command = plywise("match loa --a best --games 2 --nodes 50 --b");
    let output = command.arg(format!("name=stranger,uci:'{}' uci", program.display())).assert().code(2);
    let complaint = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(complaint.starts_with("plywise: stranger cannot play: illegal move: its first move is '"), "{complaint}");
    assert_eq!(complaint.lines().count(), 1);
}

#[track_caller]
fn check(arguments: &str, sentence: &str) {
    let assert = plywise(arguments).assert().code(2);
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr), format!("plywise: {sentence}\n"));
    assert_eq!(String::from_utf8_lossy(&assert.get_output().stdout), "");
}

#[test]
fn bad_matches_get_one_sentence() {
    check("match --nodes 1", "a match needs --a and --b, or --player at least twice");
    check("match --a best --b best", "a limit is needed: --depth, --nodes, --movetime or --tc");
    check("match --a best --b bets --nodes 1", "unknown profile 'bets'; the nearest is 'best'");
    check(
        "match --a best --b set.null_move.reductoin=1,best --nodes 1",
        "unknown parameter 'null_move.reductoin'; the nearest is 'null_move.reduction'",
    );
    check(
        "match --a best --b best --nodes 1 --openings no.epd",
        "cannot read 'no.epd': No such file or directory (os error 2)",
    );
    check("match --a best --b best --nodes 1 --draw 1,2", "--draw takes three numbers, such as --draw 34,8,10");
    check(
        "match --a best --b dir=x,best --nodes 1",
        "player 'dir=x,best': 'dir' is a setting of engines, not of profiles",
    );
    check(
        "match --player best --player best --player best --nodes 1 --sprt 0,5",
        "an SPRT needs a match of exactly two players",
    );
    let assert = plywise("match --a best --b uci:/no/such/engine --nodes 1").assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.starts_with("plywise: engine cannot play: start failure: "), "{complaint}");
}

#[test]
fn games_that_repeat_are_told() {
    let line = "match loa --a best --b brute --nodes 100 --max-moves 5 --openings start";
    let document = json(&format!("{line} --games 6"));
    assert_eq!(document["repeated"], 4, "two games, three times");
    assert_eq!(json(&format!("{line} --games 2"))["repeated"], 0);
    let text = output(&format!("{line} --games 4"));
    assert!(text.contains("2 games repeat earlier ones move by move"), "{text}");
}

/// The number of games may grow. A command that is refused because it would shrink changes nothing.
#[test]
fn a_run_does_not_shrink() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let command =
        |games: u32| format!("match othello --a best --b classic --games {games} --nodes 50 --run {}", run.display());
    plywise(&command(4)).assert().success();
    let manifest = || std::fs::read_to_string(run.join("run.json")).unwrap();
    let before = manifest();
    let assert = plywise(&command(2)).assert().code(2);
    let sentence = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(sentence.ends_with("has 4 games already: their number may grow, not shrink to 2\n"), "{sentence}");
    // Another match is recognised as such, whatever its number of games.
    let other = plywise(&command(2).replace("--nodes 50", "--nodes 60")).assert().code(2);
    assert!(String::from_utf8_lossy(&other.get_output().stderr).contains("belongs to a different command"));
    assert_eq!(manifest(), before);
    assert_eq!(json(&command(6))["games"], 6);
}

/// Engines are called what they call themselves, and what is said to each of their processes is kept on request.
#[test]
fn engines_are_named_by_themselves_and_dialogues_are_kept() {
    let (folder, program) = (tempfile::tempdir().unwrap(), assert_cmd::cargo::cargo_bin("plywise"));
    let engine = format!("uci:'{}' uci loa --hash 1", program.display());
    let log = folder.path().join("log");
    let mut command = plywise("match loa --games 2 --nodes 50 --max-moves 3 --jobs 1 --json --affinity --log");
    let output = command.arg(&log).args(["--a", "best", "--b", &engine]).assert().success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    let own_name = format!("plywise {} (Lines of Action)", env!("CARGO_PKG_VERSION"));
    assert_eq!(document["players"], serde_json::json!(["best", own_name]), "{document}");
    assert_eq!(document["time_forfeits"], serde_json::json!([0, 0]));
    let texts: Vec<String> =
        fs::read_dir(&log).unwrap().map(|file| fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains(" > go nodes 50\n") && text.contains(" < bestmove ")), "{texts:?}");
    // Two that share a name keep the names of their programs.
    let mut command = plywise("match loa --games 1 --nodes 20 --max-moves 1 --jobs 1 --json --openings start");
    let output = command.args(["--a", &engine, "--b", &engine]).assert().success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(document["players"], serde_json::json!(["plywise (1)", "plywise (2)"]));
}

#[test]
fn a_knockout_has_a_winner() {
    let folder = tempfile::tempdir().unwrap();
    let players = "--player best --player name=second,brute --player name=weak,nodes=1,brute";
    let line = format!("match loa --games 2 --nodes 200 --max-moves 30 --knockout --jobs 1 {players}");
    let kept = format!("{line} --run {}", folder.path().join("run").display());
    let document = json(&kept);
    let meetings = document["meetings"].as_array().unwrap();
    assert_eq!((meetings.len(), &meetings[0]["players"]), (2, &serde_json::json!(["second", "weak"])), "{document}");
    assert!(meetings.iter().any(|meeting| meeting["winner"] == document["winner"]));
    assert!(folder.path().join("run/round-2/journal.jsonl").is_file());
    assert_eq!(json(&kept)["meetings"], document["meetings"], "nothing is played again");
    let text = output(&line);
    assert!(text.lines().last().unwrap().ends_with(" wins the knockout"), "{text}");
}

/// Standings after each round, and who scored what against whom.
#[test]
fn many_players_have_standings_and_a_crosstable() {
    let line = "match loa --games 2 --nodes 50 --max-moves 10 --openings start --jobs 1 \
        --player best --player brute --player name=weak,nodes=1,brute";
    let assert = plywise(line).assert().success();
    let output = assert.get_output();
    let (text, live) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(live.matches("standings: ").count(), 1, "{live}");
    assert!(text.contains("| | | 1 | 2 | 3 | Points |"), "{text}");
    let cross = &json(line)["crosstable"];
    assert!(cross[0][0].is_null() && cross[0][1]["wins"] == cross[1][0]["losses"], "{cross}");
    let csv = crate::output(&format!("{line} --csv"));
    assert!(csv.lines().next().unwrap().contains("against.weak"), "{csv}");
}

/// Our own engine over GTP, as a player of Othello.
#[test]
fn our_own_engine_plays_over_gtp() {
    let program = assert_cmd::cargo::cargo_bin("plywise");
    let mut command = plywise("match othello --a best --games 2 --depth 1 --openings start --jobs 1 --json --b");
    command.arg(format!("gtp:'{}' gtp othello --depth 1 --hash 1 --profile brute", program.display()));
    let output = command.assert().success().get_output().stdout.clone();
    let document: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!((&document["games"], document["faults"].as_array().map(Vec::len)), (&2.into(), Some(0)), "{document}");
    assert_eq!(document["players"][1], concat!("plywise Othello ", env!("CARGO_PKG_VERSION")));
}
