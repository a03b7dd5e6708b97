//! `plywise learn`: from games to a profile that plays.

use crate::{json, output, plywise};
use std::fs;

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

    let shown = output(&format!("analyse loa --depth 3 --profile {}", path("tuned.toml")));
    assert!(shown.contains("depth"), "{shown}");
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
