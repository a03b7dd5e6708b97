//! Networks: from games to a file, and wherever a search takes one.

use crate::{json, output, plywise};
use std::fs;
use std::path::Path;

/// A folder with games of Lines of Action.
fn forged(games: u32, more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("loa.data");
    json(&format!("forge data loa --games {games} --nodes 150 --seed 3 -o {} {more}", file.display()));
    folder
}

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[track_caller]
fn complaint(arguments: &str) -> String {
    let assert = plywise(arguments).assert().code(2);
    let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

#[test]
fn data_is_the_same_in_one_sitting_or_several_and_merges() {
    let folder = forged(48, "");
    let whole = fs::read(path(&folder, "loa.data")).unwrap();
    let forge = |games: u32, file: &str| {
        json(&format!(
            "forge data loa --games {games} --nodes 150 --seed 3 --jobs 2 --run {} -o {}",
            path(&folder, "run"),
            path(&folder, file)
        ))
    };
    forge(16, "part.data");
    let told = forge(48, "again.data");
    assert_eq!(fs::read(path(&folder, "again.data")).unwrap(), whole, "sittings and jobs change nothing");
    assert_eq!(told["games"], 48);
    let merged =
        json(&format!("forge data loa --merge {0} {0} -o {1}", path(&folder, "loa.data"), path(&folder, "twice.data")));
    assert_eq!(merged["games"], 96);
    let empty = path(&folder, "empty.data");
    let header = whole.windows(3).position(|bytes| bytes == b"loa").unwrap() + 3;
    fs::write(&empty, &whole[..header]).unwrap();
    let refused = plywise(&format!("forge data loa --merge {empty} -o {}", path(&folder, "no.data"))).assert().code(2);
    let sentence = "plywise: there is no game to merge: the files hold none\n";
    assert_eq!(String::from_utf8_lossy(&refused.get_output().stderr), sentence);
    assert_eq!(merged["distinct"], told["distinct"], "the same positions again");
    let stats = output(&format!("forge data loa --stats {}", path(&folder, "loa.data")));
    assert!(stats.contains("48 games") && stats.contains("decided"), "{stats}");

    fs::write(path(&folder, "cut.data"), &whole[..whole.len() - 5]).unwrap();
    let stats = json(&format!("forge data loa --stats {}", path(&folder, "cut.data")));
    assert_eq!((&stats["games"], &stats["cut_off"]), (&32.into(), &true.into()), "a block is lost, and no more");
}

#[test]
fn games_begin_from_openings_in_turn() {
    let folder = tempfile::tempdir().unwrap();
    let (openings, data) = (path(&folder, "openings.epd"), path(&folder, "loa.data"));
    output(&format!("openings loa --plies 4 --random 2 --seed 4 -o {openings}"));
    output(&format!("forge data loa --openings {openings} --random-plies 0 --games 3 --nodes 100 -o {data}"));
    let bytes = fs::read(&data).unwrap();
    let begins = |opening: &str| bytes.windows(opening.len()).filter(|part| *part == opening.as_bytes()).count();
    let text = fs::read_to_string(&openings).unwrap();
    let positions: Vec<String> =
        text.lines().map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(positions.iter().map(|position| begins(position)).collect::<Vec<_>>(), [2, 1], "{positions:?}");
    fs::write(&openings, "8/8/8/3bb3/8/8/8/w6w b\n").unwrap();
    let over = complaint(&format!("forge data loa --openings {openings} --games 1 --nodes 9 -o {data}"));
    assert!(over.contains("in number 1 the game is over"), "{over}");
    let missing = path(&folder, "none.epd");
    assert!(
        complaint(&format!("forge data loa --openings {missing} --games 1 --nodes 9 -o {data}"))
            .contains("cannot read")
    );
}

#[test]
fn a_network_is_trained_resumed_and_used() {
    let folder = forged(64, "--interior 5");
    let learn = |epochs: &str, file: &str, more: &str| {
        let (data, net) = (path(&folder, "loa.data"), path(&folder, file));
        json(&format!(
            "learn net loa --data {data} --width 16 --batch 256 --epochs {epochs} --validation 0.2 -o {net} {more}"
        ))
    };
    let whole = learn("4", "loa.net", "");
    let losses: Vec<f64> = whole["epochs"].as_array().unwrap().iter().map(|e| e["train"].as_f64().unwrap()).collect();
    assert!(losses.len() == 4 && losses[3] < losses[0], "{losses:?}");
    // Interrupted between two epochs, it goes on from the checkpoint of the last one.
    let run = format!("--run {} --threads 2", path(&folder, "run"));
    learn("4", "run.net", &run);
    let journal = path(&folder, "run/journal.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    let all: Vec<&str> = lines.lines().collect();
    fs::write(&journal, format!("{}\n", all[..3].join("\n"))).unwrap();
    let resumed = learn("4", "run.net", &run);
    assert_eq!(resumed["epochs"], whole["epochs"]);
    assert_eq!(fs::read(path(&folder, "run.net")).unwrap(), fs::read(path(&folder, "loa.net")).unwrap());
    assert!(fs::read_to_string(path(&folder, "run/losses.svg")).unwrap().contains("validation"));

    let net = path(&folder, "loa.net");
    let explained = output(&format!("analyse loa --depth 2 --explain --network {net}"));
    assert!(explained.contains("black piece b8") && explained.contains("in place of these terms"), "{explained}");
    let with = json(&format!("analyse loa --depth 4 --network {net}"));
    assert_ne!(with["score"], json("analyse loa --depth 4 --network off")["score"]);
    assert_eq!(with["nodes"], json(&format!("analyse loa --depth 4 --set evaluation.network={net}"))["nodes"]);
    let profile = path(&folder, "mine.toml");
    fs::write(&profile, format!("base = \"best\"\n[game.loa.evaluation]\nnetwork = \"{net}\"\n")).unwrap();
    assert_eq!(with["nodes"], json(&format!("analyse loa --depth 4 --profile {profile}"))["nodes"]);
    let played = json(&format!("match loa --a name=net,network={net},best --b network=off,best --games 2 --nodes 100"));
    assert_eq!(played["games"], 2);
    // The first iteration is finished even where the input ends at once.
    let with = json(&format!("analyse loa --depth 1 --network {net}"));
    let script = format!("setoption name EvalFile value {net}\nposition startpos\ngo depth 1\n");
    let answer = plywise("uci loa").write_stdin(script).assert().success().get_output().stdout.clone();
    let nodes = format!("nodes {} ", with["nodes"]);
    assert!(String::from_utf8_lossy(&answer).contains(&nodes), "{}", String::from_utf8_lossy(&answer));
}

#[test]
fn a_tree_knows_its_network() {
    let folder = forged(32, "");
    let (data, net, tree) = (path(&folder, "loa.data"), path(&folder, "loa.net"), path(&folder, "a.tree"));
    json(&format!("learn net loa --data {data} --width 16 --epochs 1 --validation 0.2 --add -o {net}"));
    output(&format!("tree record loa --nodes 3000 --network {net} -o {tree}"));
    let checked = output(&format!("tree check {tree}"));
    assert!(!checked.is_empty());
}

#[test]
fn a_loop_goes_from_nothing_to_a_network() {
    let folder = tempfile::tempdir().unwrap();
    let run = |generations: u32| {
        format!(
            "learn loop loa --from nothing --generations {generations} --games 64 --nodes 120 --width 16 --epochs 3 \
             --match-games 60 --sprt -200,-100 --profile brute --run {} -o {}",
            path(&folder, "run"),
            path(&folder, "loa.net")
        )
    };
    json(&run(1));
    let both = json(&run(2));
    let generations = both["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    assert!(generations[0]["positions"].as_u64() < generations[1]["positions"].as_u64(), "both generations teach");
    assert!(Path::new(&path(&folder, "run/elo.svg")).exists());
    json(&format!("analyse loa --depth 3 --network {}", path(&folder, "loa.net")));
}

#[test]
fn what_is_no_network_and_no_data_gets_one_sentence() {
    let folder = forged(16, "");
    let (data, net) = (path(&folder, "loa.data"), path(&folder, "x.net"));
    fs::write(&net, "nothing").unwrap();
    assert!(complaint(&format!("analyse loa --depth 1 --network {net}")).contains("x.net"));
    assert!(complaint("analyse loa --depth 1 --network missing.net").contains("missing.net"));
    assert!(complaint(&format!("forge data chess --stats {data}")).contains("it holds games of 'loa', not of 'chess'"));
    assert!(complaint(&format!("forge data loa --stats {net}")).contains("not a file of packed games"));
    let learn = |more: &str| complaint(&format!("learn net loa --data {data} -o {} {more}", path(&folder, "y.net")));
    assert!(learn("--width 33").contains("a multiple of 16"));
    assert!(learn("--result-share 2").contains("result_share is 2"));
    let draws = path(&folder, "draws.data");
    output(&format!("forge data loa --games 4 --nodes 50 --longest 3 --random-plies 2 -o {draws}"));
    let complaint = complaint(&format!("learn net loa --data {draws} -o {}", path(&folder, "z.net")));
    assert!(complaint.contains("no game with scores was won or lost"), "{complaint}");
    assert!(!Path::new(&path(&folder, "z.net")).exists());
}
