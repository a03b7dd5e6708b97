//! Networks: from games to a file, and wherever a search takes one.

use crate::{json, output, plywise};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

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
    assert_eq!(merged["distinct_is_exact"], true);
    let stats = output(&format!("forge data loa --stats {}", path(&folder, "loa.data")));
    assert!(stats.contains("48 games") && stats.contains("decided"), "{stats}");

    fs::write(path(&folder, "cut.data"), &whole[..whole.len() - 5]).unwrap();
    let stats = json(&format!("forge data loa --stats {}", path(&folder, "cut.data")));
    assert_eq!((&stats["games"], &stats["cut_off"]), (&32.into(), &true.into()), "a block is lost, and no more");
}

#[test]
fn a_run_is_data_whether_it_is_finished_or_not() {
    let folder = forged(48, "");
    let (data, run) = (path(&folder, "loa.data"), path(&folder, "run"));
    json(&format!("forge data loa --games 48 --nodes 150 --seed 3 --run {run}"));
    let of = |place: &str| json(&format!("forge data loa --stats {place}"));
    assert_eq!(of(&run), of(&data));
    let learn = |place: &str, net: &str| {
        let net = path(&folder, net);
        json(&format!("learn net loa --data {place} --width 16 --epochs 1 --batch 64 --validation 0.3 -o {net}"));
        fs::read(net).unwrap()
    };
    assert_eq!(learn(&run, "a.net"), learn(&data, "b.net"), "the record of the data in the file included");
    let curves = |place: &str| json(&format!("learn chances loa --data {place}"));
    assert_eq!(curves(&run), curves(&data));

    // Killed while it wrote the last block.
    let journal = path(&folder, "run/journal.jsonl");
    let lines = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &lines[..lines.len() - 20]).unwrap();
    assert_eq!(of(&run)["games"], 32);
    let twice = of(&format!("{data} {run}"));
    assert!(twice["repeated"].as_f64().unwrap() > 0.3, "{twice}");
    assert_eq!(twice["distinct"], of(&data)["distinct"]);
    let merged = json(&format!("forge data loa --merge {run} {data} -o {}", path(&folder, "merged.data")));
    assert_eq!(merged["games"], 80);

    assert!(complaint(&format!("forge data chess --stats {run}")).contains("it holds games of 'loa', not of 'chess'"));
    fs::create_dir(path(&folder, "empty")).unwrap();
    assert!(complaint(&format!("forge data loa --stats {}", path(&folder, "empty"))).contains("not a run directory"));
    let other = path(&folder, "other");
    output(&format!("gather realization loa --games 1 --nodes 50 --run {other} -o {}", path(&folder, "t.toml")));
    let other = complaint(&format!("learn net loa --data {other} -o {}", path(&folder, "c.net")));
    assert!(other.contains("is a run directory of 'gather', not of 'forge data'"), "{other}");
}

#[test]
fn games_are_played_for_a_time_and_a_used_seed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let forge = |run: &str, more: &str| {
        let assert = plywise(&format!("forge data loa {more} --run {}", path(&folder, run))).assert();
        String::from_utf8(assert.success().get_output().stderr.clone()).unwrap()
    };
    assert!(!forge("one", "--for 1s --nodes 50 --seed 5").contains("seed"));
    let games = || json(&format!("forge data loa --stats {}", path(&folder, "one")))["games"].as_u64().unwrap();
    let first = games();
    assert!(first > 0 && first % 16 == 0, "{first}");
    assert!(!forge("one", "--for 1s --nodes 50 --seed 5").contains("seed"), "it is the same run");
    assert!(games() > first);
    let told = forge("two", "--games 16 --nodes 60 --seed 5");
    assert!(told.contains("one' has games with seed 5 too"), "{told}");
    assert!(!forge("three", "--games 16 --nodes 50 --seed 6").contains("seed"));
    for wrong in ["2", "h", "0s", "400d"] {
        let assert = plywise(&format!("forge data loa --nodes 50 --for {wrong} -o x.data")).assert().code(2);
        let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(told.contains("a time is a number with a unit"), "{told}");
    }
}

#[test]
fn a_search_ends_with_the_iteration_that_passes_the_soft_limit() {
    let folder = tempfile::tempdir().unwrap();
    let forge = |limits: &str, file: &str| {
        output(&format!("forge data loa --games 2 {limits} --seed 5 -o {}", path(&folder, file)));
        fs::read(path(&folder, file)).unwrap()
    };
    let soft = forge("--soft-nodes 50", "soft.data");
    assert_eq!(forge("--soft-nodes 50 --nodes 1000000", "both.data"), soft);
    assert_ne!(forge("--nodes 50", "hard.data"), soft);
    let none = complaint(&format!("forge data loa --games 2 -o {}", path(&folder, "none.data")));
    assert!(none.contains("a limit is needed"), "{none}");
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
    let with = json(&format!("analyse loa --depth 1 --network {net}"));
    let script = format!("setoption name EvalFile value {net}\nposition startpos\ngo depth 1\n");
    let answer = uci_answer("loa", &script);
    assert!(answer.contains(&format!("nodes {} ", with["nodes"])), "{answer}");
}

/// What the engine of a game answers to a script whose last line makes it search. The input stays open until it has moved:
/// an input that ends stops the search.
fn uci_answer(game: &str, script: &str) -> String {
    let mut engine = Command::new(assert_cmd::cargo::cargo_bin("plywise"))
        .args(["uci", game])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    input.write_all(script.as_bytes()).unwrap();
    let mut answer = String::new();
    for line in BufReader::new(engine.stdout.take().unwrap()).lines() {
        let line = line.unwrap();
        answer += &line;
        answer.push('\n');
        if line.starts_with("bestmove") {
            break;
        }
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
    answer
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

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_written_and_described() {
    let folder = tempfile::tempdir().unwrap();
    let (data, run) = (path(&folder, "loa.data"), path(&folder, "run"));
    let mut plywise = Command::new(env!("CARGO_BIN_EXE_plywise"));
    plywise.args(["forge", "data", "loa", "--for", "10m", "--nodes", "20", "--longest", "20", "--json"]);
    plywise.args(["--run", &run, "-o", &data]).stdout(Stdio::piped()).stderr(Stdio::null());
    let playing = plywise.spawn().unwrap();
    let begun = std::time::Instant::now();
    let is_begun =
        || fs::read_to_string(folder.path().join("run/journal.jsonl")).is_ok_and(|text| text.ends_with('\n'));
    while !is_begun() {
        assert!(begun.elapsed().as_secs() < 60, "no block of games is finished");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-TERM", &playing.id().to_string()]).status().unwrap().success());
    let output = playing.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["games"].as_u64().unwrap() >= 16, "{told}");
    assert_eq!(json(&format!("forge data loa --stats {data}"))["games"], told["games"]);
}

#[test]
fn data_and_networks_go_to_bullet_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| path(&folder, name);
    json(&format!("forge data chess --games 16 --nodes 60 --longest 60 --seed 3 -o {}", at("chess.data")));
    output(&format!("forge data chess --merge {} --to-bullet -o {}", at("chess.data"), at("positions.bin")));
    let positions = fs::read(at("positions.bin")).unwrap();
    assert!(!positions.is_empty() && positions.len() % 32 == 0);
    let told = json(&format!("forge data chess --merge {} --from-bullet -o {}", at("positions.bin"), at("again.data")));
    // All but those in which every move is tactical come back, each as a game.
    let [games, written] = [told["games"].as_u64().unwrap(), positions.len() as u64 / 32];
    assert!(games <= written && 10 * games > 9 * written && told["quiet"] == games, "{told}");
    output(&format!("forge data chess --merge {} --to-bullet -o {}", at("again.data"), at("twice.bin")));
    let records = |bytes: &[u8]| bytes.chunks(32).map(<[u8]>::to_vec).collect::<std::collections::BTreeSet<_>>();
    assert!(records(&fs::read(at("twice.bin")).unwrap()).is_subset(&records(&positions)));
    fs::write(at("cut.bin"), &positions[..40]).unwrap();
    let cut = complaint(&format!("forge data chess --merge {} --from-bullet -o {}", at("cut.bin"), at("no.data")));
    assert!(cut.contains("its position 2 makes no sense"), "{cut}");
    let loa = complaint(&format!("forge data loa --merge {} --from-bullet -o {}", at("cut.bin"), at("no.data")));
    assert!(loa.contains("bullet knows positions of chess, but not of Lines of Action"), "{loa}");

    let learn = "--width 16 --buckets 4 --outputs 8";
    let train = format!("learn net chess --data {} --epochs 1 --batch 64 --validation 0.3 {learn}", at("again.data"));
    let scale = json(&format!("{train} -o {}", at("chess.net")))["scale"].as_f64().unwrap();
    output(&format!("learn net chess --to-bullet {} -o {}", at("chess.net"), at("quantised.bin")));
    let back = format!("learn net chess --from-bullet {} {learn} --scale {scale}", at("quantised.bin"));
    output(&format!("{back} -o {}", at("back.net")));
    let score = |net: &str| json(&format!("analyse chess --depth 3 --network {}", at(net)));
    assert_eq!(score("chess.net")["nodes"], score("back.net")["nodes"]);
    let wrong = complaint(&format!("{} -o {}", back.replace("--buckets 4", "--buckets 8"), at("no.net")));
    assert!(wrong.contains("it is cut off"), "{wrong}");
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
    assert!(learn("--buckets 4").contains("the game sorts views into one bucket, not into 4"));
    assert!(learn("--outputs 2").contains("the outputs are 2, but must lie between 1 and 1"));
    assert!(learn("--result-share 2").contains("result_share is 2"));
    let draws = path(&folder, "draws.data");
    output(&format!("forge data loa --games 4 --nodes 50 --longest 3 --random-plies 2 -o {draws}"));
    let complaint = complaint(&format!("learn net loa --data {draws} -o {}", path(&folder, "z.net")));
    assert!(complaint.contains("no game with scores was won or lost"), "{complaint}");
    assert!(!Path::new(&path(&folder, "z.net")).exists());
}
