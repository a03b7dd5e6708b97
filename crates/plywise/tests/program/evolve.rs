//! `plywise evolve`: from games and suites to profiles that play.

use crate::{json, output, plywise, repository_file};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder with games of Lines of Action.
struct Games {
    folder: tempfile::TempDir,
}

impl Games {
    fn new() -> Games {
        let games = Games { folder: tempfile::tempdir().unwrap() };
        output(&format!("forge games loa --games 40 --nodes 100 --max-moves 60 -o {}", games.path("games.pgn")));
        games
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn eval(&self, generations: u32, more: &str) -> Value {
        let settings = format!("--preset full --positions 30 --population 8 --generations {generations}");
        let (games, profile) = (self.path("games.pgn"), self.path("evolved.toml"));
        json(&format!("evolve eval loa --pgn {games} {settings} -o {profile} {more}"))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}

#[test]
fn an_evaluation_evolves_the_same_in_one_sitting_or_two_and_on_any_number_of_threads() {
    let games = Games::new();
    let whole = games.eval(6, "--jobs 1");
    let profile = games.read("evolved.toml");
    assert_eq!((&whole["generations"], &whole["population"]), (&6.into(), &8.into()));
    let curve = whole["curve"].as_array().unwrap();
    assert_eq!(curve.len(), 7, "the first generation and six that follow");
    let best: Vec<f64> = curve.iter().map(|row| row["best"].as_f64().unwrap()).collect();
    assert!(best.is_sorted(), "the best is never lost: {best:?}");
    let rate = whole["train_rate"].as_f64().unwrap();
    assert!((rate * 100.0 - best[6]).abs() < 1e-9, "{whole}");
    assert!((0.0..=1.0).contains(&whole["test_rate"].as_f64().unwrap()));

    let run = format!("--run {} --jobs 3", games.path("run"));
    games.eval(2, &run);
    let resumed = games.eval(6, &run);
    for key in ["curve", "chromosome", "train_rate", "test_rate"] {
        assert_eq!(resumed[key], whole[key], "{key}");
    }
    assert_eq!(games.read("evolved.toml"), profile);
    assert_eq!(games.read("run/best.toml"), profile);
    assert!(games.read("run/report.md").contains("![fitness](fitness.svg)"));
    assert!(games.read("run/fitness.svg").starts_with("<svg"));

    let shown = output(&format!("evolve show {}", games.path("run")));
    assert!(shown.contains("diversity") && shown.contains("[game.loa.evaluation"), "{shown}");
    let shown = json(&format!("evolve show {} --against best", games.path("run")));
    assert_eq!((&shown["chromosome"], &shown["curve"]), (&whole["chromosome"], &whole["curve"]));
    assert!(!shown["differences"].as_array().unwrap().is_empty());
    let evolved = json(&format!("analyse loa --depth 2 --profile {}", games.path("evolved.toml")));
    assert_eq!((&evolved["profile"], &evolved["depth"]), (&"evolved".into(), &2.into()));
    assert_ne!(evolved["score"], json("analyse loa --depth 2")["score"], "the search uses the evolved weights");
}

#[test]
fn evaluations_evolve_by_games_against_each_other() {
    let games = Games::new();
    games.eval(1, "");
    let run = |generations: u32, more: &str| {
        let from = format!("{0},{0}", games.path("evolved.toml"));
        let settings = "--preset full --population 3 --games 2 --nodes 30 --max-moves 15";
        let profile = games.path("coevolved.toml");
        json(&format!("evolve coeval loa --from {from} {settings} --generations {generations} -o {profile} {more}"))
    };
    let whole = run(3, "--jobs 2");
    let last = &whole["curve"][3];
    assert!(last["best"].as_f64() >= last["mean"].as_f64(), "{whole}");
    assert_eq!(last["mean"], 50.0, "what one wins the other loses");
    let directory = format!("--run {} --jobs 1", games.path("run"));
    run(1, &directory);
    assert_eq!(run(3, &directory)["curve"], whole["curve"]);
    assert!(games.read("coevolved.toml").contains("coevolved"));
}

#[test]
fn a_mentor_is_followed() {
    let games = Games::new();
    let document = games.eval(4, "--mentor best");
    let curve = document["curve"].as_array().unwrap();
    let best: Vec<f64> = curve.iter().map(|row| row["best"].as_f64().unwrap()).collect();
    assert!(best.is_sorted_by(|a, b| a >= b), "the difference only falls: {best:?}");
}

/// The first positions of our own chess suite.
fn small_suite(folder: &Path) -> PathBuf {
    let path = folder.join("small.epd");
    let lines = repository_file("crates/plywise-chess/data/tactics.epd");
    fs::write(&path, lines.lines().take(5).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    path
}

#[test]
fn a_search_evolves_from_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = small_suite(folder.path());
    let run = |generations: u32, more: &str| {
        let settings = format!("--nodes 2000 --population 4 --generations {generations} -o {}", path("evolved.toml"));
        json(&format!("evolve search chess --suite {} {settings} {more}", suite.display()))
    };
    let whole = run(3, "--jobs 2");
    let nodes = whole["nodes"].as_u64().unwrap();
    assert!(nodes <= 5 * 2000 && whole["solved"].as_u64().unwrap() <= 5, "{whole}");
    assert_eq!(whole["curve"][3]["best"].as_f64().unwrap() * 1e6, nodes as f64);
    let directory = format!("--run {} --jobs 1", path("run"));
    run(1, &directory);
    let resumed = run(3, &directory);
    assert_eq!((&resumed["nodes"], &resumed["chromosome"]), (&whole["nodes"], &whole["chromosome"]));
    let genes = whole["genes"].as_array().unwrap();
    assert_eq!(genes.len(), 19, "eighteen, and the conditions of the paper");
    let text = fs::read_to_string(path("evolved.toml")).unwrap();
    assert!(text.contains("remembered = true") && text.contains("threat_probe = true"), "{text}");
    let shown = output(&format!("evolve show {} --against classic", path("run")));
    assert!(shown.contains("multi_cut.remembered"), "{shown}");

    // The nodes are those of `suite`.
    let again = json(&format!(
        "suite chess {} --profiles {} --nodes 2000 --stop-when-solved 1 --hash 16",
        suite.display(),
        path("evolved.toml")
    ));
    let row = &again["rows"][0];
    assert_eq!(row["solved"], whole["solved"]);
}

#[test]
fn an_engine_of_somebody_else_evolves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let suite = small_suite(folder.path());
    let options = "[[option]]\nname = \"null_move.reduction\"\nmin = 0\nmax = 7\nstart = 2\nstep = 1\n";
    fs::write(path("options.toml"), options).unwrap();
    let engine = format!(
        "uci:{} uci chess --profile classic --show-parameters",
        assert_cmd::cargo::cargo_bin("plywise").display()
    );
    let evolve = |more: &[&str]| {
        let mut command = plywise("evolve search chess --population 2 --generations 1 --json");
        command.args(["--engine", &engine, "--options", &path("options.toml"), "-o", &path("evolved.toml")]).args(more);
        let out = command.assert().success().get_output().stdout.clone();
        serde_json::from_slice::<Value>(&out).unwrap()
    };
    let by_nodes = evolve(&["--suite", &suite.display().to_string(), "--nodes", "1000", "--run", &path("run")]);
    assert!(by_nodes["nodes"].as_u64().unwrap() <= 5000);
    let evolved = fs::read_to_string(path("evolved.toml")).unwrap();
    assert!(evolved.contains("null_move.reduction"), "{evolved}");
    let shown = output(&format!("evolve show {}", path("run")));
    assert!(shown.contains("null_move.reduction = "), "{shown}");
    let by_games = evolve(&["--tournament", "--games", "2", "--depth", "1", "--max-moves", "4"]);
    assert_eq!(by_games["curve"][1]["mean"], 50.0);
}

#[track_caller]
fn refused(line: &str, sentence: &str) {
    let assert = plywise(line).assert().code(2);
    let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(complaint.starts_with(&format!("plywise: {sentence}")), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
}

#[test]
fn what_cannot_evolve_is_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let drawn = write("drawn.pgn", "1. e4 e5 1/2-1/2\n");
    let weak = write("weak.pgn", "[WhiteElo \"1500\"]\n[BlackElo \"2700\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let won = write("won.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
    let named = write("named.pgn", "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let out = folder.path().join("out.toml").display().to_string();
    let eval = |rest: &str| format!("evolve eval {rest} -o {out}");
    let unusable = "none of the 1 games can be used: somebody must have won, and both players be rated";
    refused(&eval(&format!("chess --pgn {drawn} --positions 2")), unusable);
    refused(&eval(&format!("chess --pgn {weak} --positions 2")), unusable);
    refused(&eval(&format!("chess --pgn {won} --rating 2000 --positions 2")), unusable);
    let few = "only 1 of the 1 games can be used, one position each, but --positions is 2";
    refused(&eval(&format!("chess --pgn {won} --positions 2")), few);
    refused(&eval(&format!("chess --pgn {named} --winner ben --positions 2")), few);
    let lost = "none of the 1 games can be used: 'Ann' must have won";
    refused(&eval(&format!("chess --pgn {named} --winner Ann --positions 2")), lost);
    refused(&eval(&format!("loa --pgn {won} --preset paper")), "loa has no preset 'paper'; it has full");
    let genes = |path: &str| {
        format!("game = \"chess\"\n[[gene]]\nname = \"x\"\nbits = 3\ndrives = [{{ path = \"{path}\" }}]\n")
    };
    let unknown = write("unknown.toml", &genes("king_fiel.middlegame.0"));
    refused(
        &eval(&format!("chess --pgn {won} --genes {unknown}")),
        &format!("'{unknown}': gene 'x': unknown parameter"),
    );
    let chess = write("chess.toml", &genes("king_file.middlegame.0"));
    refused(
        &eval(&format!("loa --pgn {won} --genes {chess}")),
        &format!("the genes of '{chess}' are for chess, not for loa"),
    );
    let bare = write("bare.epd", "8/8/8/8/8/2k5/8/K7 w - - id \"nothing\";\n");
    refused(&format!("evolve search chess --suite {bare} -o {out}"), &format!("suite '{bare}' names no best move"));
    let here = folder.path().display();
    refused(&format!("evolve show {here}"), &format!("'{here}' is not a run directory"));
    assert!(!Path::new(&out).exists());
}
