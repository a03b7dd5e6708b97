//! `plywise learn`: from games to a profile that plays.

use crate::{json, output, plywise, repository_file};
use std::fs;
use std::path::Path;

#[test]
fn weights_are_learned_and_a_run_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    json(&format!("forge games loa --games 30 --nodes 200 --max-moves 60 -o {}", path("games.pgn")));
    let learn = |epochs: u32, more: &str| {
        let arguments = format!("learn eval loa --pgn {} --skip 4 --batch 64", path("games.pgn"));
        json(&format!("{arguments} --epochs {epochs} -o {} {more}", path("tuned.toml")))
    };
    let whole = learn(4, "");
    let weights = fs::read_to_string(path("tuned.toml")).unwrap();
    let losses = whole["epochs"].as_array().unwrap();
    assert_eq!(losses.len(), 5, "the beginning and four epochs");
    assert!(losses[4]["training_loss"].as_f64() < losses[0]["training_loss"].as_f64(), "{whole}");

    let run = format!("--run {}", path("run"));
    learn(2, &run);
    let resumed = learn(4, &run);
    assert_eq!(resumed["epochs"].as_array().unwrap().last(), losses.last());
    assert_eq!(fs::read_to_string(path("tuned.toml")).unwrap(), weights);
    assert!(fs::read_to_string(path("run/losses.svg")).unwrap().contains("validation"));

    let tuned = json(&format!("analyse loa --depth 3 --profile {}", path("tuned.toml")));
    assert_eq!((&tuned["profile"], &tuned["depth"]), (&"tuned".into(), &3.into()));
    assert_ne!(tuned["score"], json("analyse loa --depth 3")["score"], "the search uses the learned weights");
}

#[test]
fn games_of_another_game_teach_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.pgn");
    fs::write(&file, "").unwrap();
    let tuned = folder.path().join("tuned.toml");
    let arguments = format!("learn eval loa --pgn {} -o {}", file.display(), tuned.display());
    let assert = plywise(&arguments).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(complaint, "plywise: there is no game of Lines of Action to read: the files hold none\n");
    assert!(!tuned.exists());

    fs::write(&file, "1. e4 e5 2. Nf3 1-0\n").unwrap();
    let complaints = [arguments, format!("gather realization loa --pgn {} -o {}", file.display(), tuned.display())]
        .map(|arguments| String::from_utf8(plywise(&arguments).assert().code(2).get_output().stderr.clone()).unwrap());
    for complaint in complaints {
        let start =
            format!("plywise: there is no game of Lines of Action to read: '{}', game 1, line 1: ", file.display());
        assert!(complaint.starts_with(&start) && complaint.lines().count() == 1, "{complaint}");
        assert!(!tuned.exists());
    }
}

/// The first positions of our own chess suite.
fn small_suite(folder: &Path, positions: usize) -> String {
    let lines = repository_file("crates/plywise-chess/data/tactics.epd");
    let path = folder.join("small.epd");
    fs::write(&path, lines.lines().take(positions).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    path.display().to_string()
}

fn program() -> String {
    assert_cmd::cargo::cargo_bin("plywise").display().to_string()
}

#[test]
fn an_engine_is_examined_the_same_by_every_protocol_and_a_run_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = small_suite(folder.path(), 6);
    let learn = |iterations: u32, more: &[&str]| {
        let line =
            format!("learn extensions chess --offline --suite {suite} --nodes 3000 --iterations {iterations} --json");
        let mut command = plywise(&format!("{line} -o {}", path("learned.toml")));
        let output = command.args(more).assert().success().get_output().stdout.clone();
        serde_json::from_slice::<serde_json::Value>(&output).unwrap()["iterations"].clone()
    };
    let whole = learn(3, &[]);
    let profile = fs::read_to_string(path("learned.toml")).unwrap();
    assert_eq!(whole[0]["weights"], serde_json::json!([1.0, 1.0, 1.0, 1.0]));
    assert!(whole[2]["weights"][0].as_f64().unwrap() < 1.0, "checks become cheaper: {whole}");
    let engine = format!("{} uci chess --profile classic --hash 64 --show-parameters", program());
    assert_eq!(learn(3, &["--engine", &format!("thesis:{engine}")]), whole);
    assert_eq!(learn(3, &["--engine", &format!("uci:{engine}"), "--jobs", "1"]), whole);

    let run = path("run");
    learn(1, &["--run", &run]);
    assert_eq!(learn(3, &["--run", &run]), whole);
    assert_eq!(fs::read_to_string(path("learned.toml")).unwrap(), profile);
    let report = fs::read_to_string(path("run/report.md")).unwrap();
    for picture in ["nodes", "solved", "weights", "gradient"] {
        assert!(report.contains(&format!("({picture}.svg)")), "{report}");
        assert!(fs::read_to_string(path(&format!("run/{picture}.svg"))).unwrap().starts_with("<svg"));
    }
    let nodes = |profile: &str| json(&format!("analyse chess --depth 6 --profile {profile}"))["nodes"].clone();
    assert_ne!(nodes(&path("learned.toml")), nodes("classic"), "the search uses the learned prices");
}

#[test]
fn prices_are_learned_on_line_from_a_suite_and_from_play() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = small_suite(folder.path(), 8);
    let line = format!("learn extensions chess --online --suite {suite} --nodes 5000 -o {}", path("learned.toml"));
    let whole = json(&format!("{line} --iterations 3"));
    json(&format!("{line} --iterations 2 --run {}", path("run")));
    assert_eq!(
        json(&format!("{line} --iterations 3 --jobs 1 --run {}", path("run")))["iterations"],
        whole["iterations"]
    );
    let prices = whole["iterations"][2]["weights"].as_array().unwrap();
    assert!(prices.iter().any(|price| price.as_f64() < Some(1.0)), "{whole}");

    let line = format!("learn extensions chess --online --against brute --nodes 500 -o {}", path("played.toml"));
    let whole = json(&format!("{line} --play 2 --drop 5"));
    json(&format!("{line} --play 1 --drop 5 --run {}", path("played")));
    let resumed = json(&format!("{line} --play 2 --drop 5 --run {}", path("played")));
    assert_eq!((&resumed["learned"], &resumed["iterations"]), (&whole["learned"], &whole["iterations"]));
    assert!(fs::read_to_string(path("played/lessons.txt")).unwrap().contains("weights"), "{whole}");
    output(&format!("analyse chess --depth 3 --profile {}", path("played.toml")));
}

#[test]
fn what_cannot_be_learned_from_is_told_and_what_was_learned_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = small_suite(folder.path(), 2);
    fs::write(path("no-answers.epd"), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n").unwrap();
    let fails = |code: i32, suite: &str, more: &[&str]| {
        let line = format!("learn extensions chess --offline --suite {suite} --nodes 100 --iterations 2");
        let mut command = plywise(&format!("{line} -o {}", path("learned.toml")));
        let output = command.args(more).assert().code(code).get_output().clone();
        let complaint = String::from_utf8(output.stderr).unwrap();
        let complaint = complaint.lines().filter(|line| line.starts_with("plywise: ")).collect::<Vec<_>>();
        assert_eq!(complaint.len(), 1, "{complaint:?}");
        complaint[0].to_owned()
    };
    assert!(fails(2, &path("no-answers.epd"), &[]).contains("names no best move (bm)"));
    assert!(fails(2, &suite, &["--tune", "null_move.redaction"]).contains("the nearest is 'null_move.reduction'"));
    assert!(fails(2, &suite, &["--engine", "thesis:./no-such-engine"]).contains("cannot run"));
    assert!(fails(2, &suite, &["--engine", "stockfish"]).contains("write uci:COMMAND or thesis:COMMAND"));
    let silent = format!("uci:{} uci chess", program());
    assert!(fails(2, &suite, &["--engine", &silent]).contains("the engine has no option"));

    // The first pass of two positions with five questions each is answered; then it fails.
    let script = |name: &str, then: &str| {
        let text = format!(
            "n=0\nwhile read word rest; do\n case $word in gountil) n=$((n+1)); if [ $n -le 10 ]; then echo nodes 1 $n; \
             else {then}; fi;; esac\ndone\n"
        );
        fs::write(path(name), text).unwrap();
        format!("thesis:sh {}", path(name))
    };
    for (name, then, words) in [
        ("dies", "exit 3", "crash"),
        ("hangs", "sleep 30", "no line 'nodes FLAG COUNT' within 1 s"),
        ("babbles", "echo nodes perhaps", "instead of 'nodes FLAG COUNT'"),
    ] {
        let _ = fs::remove_file(path("learned.toml"));
        let complaint = fails(1, &suite, &["--jobs", "1", "--patience", "1", "--engine", &script(name, then)]);
        assert!(complaint.contains(words) && complaint.ends_with("what was learned until then is kept"), "{complaint}");
        assert!(Path::new(&path("learned.toml")).exists(), "{name}");
    }
}

#[test]
fn parameters_and_options_are_tuned_by_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let line = format!(
        "learn spsa loa --tune null_move.reduction,aspiration.window:5 --nodes 200 --max-moves 20 --iterations 4 --pairs 1 \
         --check-games 2 -o {}",
        path("tuned.toml")
    );
    let whole = json(&line);
    assert_eq!(whole["iterations"].as_array().unwrap().len(), 8, "a run and its mirrored run");
    assert_eq!(whole["confirmations"].as_array().unwrap().len(), 2);
    let once = json(&format!("{line} --once"));
    let iterations = whole["iterations"].as_array().unwrap();
    assert_eq!(once["iterations"].as_array().unwrap()[..], iterations[..4], "the first run is the same");
    assert_eq!((&once["learned"], &once["confirmations"]), (&iterations[3]["values"], &serde_json::Value::Null));
    let run = path("run");
    let twice = [json(&format!("{line} --run {run} --jobs 2")), json(&format!("{line} --run {run}"))];
    for key in ["iterations", "drifts", "confirmations", "learned"] {
        assert!(twice.iter().all(|each| each[key] == whole[key]), "{key}: {whole}");
    }
    for file in ["report.md", "elo.svg", "null-move-reduction.svg"] {
        assert!(Path::new(&path(&format!("run/{file}"))).exists(), "{file}");
    }
    output(&format!("analyse loa --depth 3 --profile {}", path("tuned.toml")));

    let options = "[[option]]\nname = \"aspiration.window\"\nmin = 5\nmax = 100\nstart = 25\nstep = 10\n";
    fs::write(path("options.toml"), options).unwrap();
    let mut command = plywise("learn spsa loa --nodes 100 --max-moves 10 --iterations 2 --pairs 1");
    command.args(["--player", &format!("uci:{} uci loa --show-parameters", program())]);
    command.args(["--options", &path("options.toml"), "-o", &path("tuned-options.toml")]).assert().success();
    let tuned = fs::read_to_string(path("tuned-options.toml")).unwrap();
    assert!(tuned.contains("name = \"aspiration.window\"") && tuned.contains("start = "), "{tuned}");
}

#[test]
fn prices_are_learned_played_with_and_seen_in_trees() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let learn = |games: u32, more: &str| {
        let arguments = format!("learn prices connect4 --games {games} --depth 5 --longest 12 --explore 200");
        json(&format!("{arguments} --seed 3 -o {} {more}", path("prices.toml")))
    };
    let whole = learn(6, &format!("--plot {}", path("prices.svg")));
    let table = fs::read_to_string(path("prices.toml")).unwrap();
    let bits = |source: usize| whole["losses"][source]["bits"].as_f64().unwrap();
    assert_eq!(
        (&whole["losses"][0]["source"], &whole["losses"][1]["source"]),
        (&"learned prices".into(), &"base rate".into())
    );
    assert!(bits(0) < bits(1), "{whole}");
    assert!(fs::read_to_string(path("prices.svg")).unwrap().contains("raised alpha"));

    let run = format!("--run {}", path("run"));
    learn(5, &run);
    assert_eq!(learn(6, &run)["losses"], whole["losses"], "the games that were kept are not played again");
    assert_eq!(fs::read_to_string(path("prices.toml")).unwrap(), table);

    let player = format!("--profile prices --table {}", path("prices.toml"));
    output(&format!("tree record connect4 --depth 7 {player} -o {}", path("prices.tree")));
    output(&format!("tree check {}", path("prices.tree")));
    let asked = plywise("tree query").args([&path("prices.tree"), "probability < 0.2"]).output().unwrap();
    let hits = String::from_utf8_lossy(&asked.stdout).into_owned();
    assert!(hits.contains("likely to raise alpha, most of all by its"), "{hits}");
    let spoilt = table.replacen("unit = ", "unit = 1", 1);
    fs::write(path("prices.toml"), spoilt).unwrap();
    let assert = plywise(&format!("analyse connect4 --depth 3 {player}")).assert().code(2);
    assert!(String::from_utf8_lossy(&assert.get_output().stderr).contains("its checksum is "));
}
