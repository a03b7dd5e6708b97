//! Run directories that are killed, damaged and confused.

use crate::players::{Local, Style};
use crate::{contest, lines, openings};
use plywise_arena::matches::{GameRecord, Silent};
use plywise_game::Side;
use plywise_game::pgn::GameResult::{Draw, Win};
use plywise_run::{Manifest, Run, RunError};
use plywise_search::Signal;
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;

fn manifest(games: u64) -> Manifest {
    let work = json!({"command": "match", "games": games, "seed": 1});
    Manifest { work: work.as_object().unwrap().clone(), ..Manifest::default() }
}

/// Opens the run without looking at its games.
fn open(directory: &Path, manifest: &Manifest) -> Result<(Run, Vec<GameRecord>), RunError> {
    let mut records = Vec::new();
    let mut take = |record| {
        records.push(record);
        Ok(())
    };
    let run = Run::open(directory, manifest, false, &mut take)?;
    Ok((run, records))
}

/// Opens the run, plays until `limit` further games are kept, and gives the games of the journal.
fn play(directory: &Path, limit: usize) -> Vec<GameRecord> {
    let (mut run, finished) = open(directory, &manifest(20)).unwrap();
    let greedy = Local { name: "greedy", style: Style::Greedy };
    let random = Local { name: "random", style: Style::Random };
    let openings = openings();
    let stop = Signal::new();
    let mut records = finished.clone();
    let mut keep = |record: &GameRecord| {
        run.append(record)?;
        records.push(record.clone());
        if records.len() >= finished.len() + limit {
            stop.stop();
        }
        Ok(())
    };
    contest([&greedy, &random], &openings, 20, 3).run(&finished, &mut keep, &Silent, &stop).unwrap();
    records
}

#[test]
fn a_killed_match_goes_on_and_ends_the_same() {
    let whole = tempfile::tempdir().unwrap();
    let expected = lines(&play(whole.path(), usize::MAX));
    assert_eq!(expected.len(), 20);

    let directory = tempfile::tempdir().unwrap();
    let mut before = Vec::new();
    for _ in 0..30 {
        let records = play(directory.path(), 3);
        assert_eq!(&records[..before.len()], &before[..], "a finished game was lost or played again");
        before = records;
        // What a process leaves that is killed while it writes.
        let journal = directory.path().join("journal.jsonl");
        OpenOptions::new().append(true).open(journal).unwrap().write_all(b"{\"index\":1,\"pla").unwrap();
    }
    assert_eq!(lines(&before), expected);
    let text = fs::read_to_string(directory.path().join("journal.jsonl")).unwrap();
    assert_eq!(text.lines().count(), 21, "20 games and what was torn last");
}

#[test]
fn another_command_is_refused_in_one_sentence() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path(), &manifest(20)).unwrap());
    let refuse = |manifest: &Manifest| {
        let error = open(directory.path(), manifest).unwrap_err().to_string();
        error.replace(&directory.path().display().to_string(), "DIR")
    };
    let expected = "the run directory 'DIR' belongs to a different command: its games is 20, not 30";
    assert_eq!(refuse(&manifest(30)), expected);
    let mut more = manifest(20);
    more.work.insert("sprt".into(), json!([0, 5]));
    let expected = "the run directory 'DIR' belongs to a different command: its sprt is absent, not [0,5]";
    assert_eq!(refuse(&more), expected);
    let mut about = manifest(20);
    about.about.insert("machine".into(), "another".into());
    assert!(open(directory.path(), &about).is_ok());
}

#[test]
fn two_at_once_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let open = || open(directory.path(), &manifest(20));
    let first = open().unwrap();
    assert!(matches!(open(), Err(RunError::InUse(_))));
    drop(first);
    assert!(open().is_ok());
}

#[test]
fn foreign_and_damaged_directories_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let open = || open(directory.path(), &manifest(20)).map(drop);
    fs::write(directory.path().join("thesis.tex"), "years of work").unwrap();
    assert!(matches!(open(), Err(RunError::NotARun(_))));
    fs::remove_file(directory.path().join("thesis.tex")).unwrap();
    // Killed while it began.
    fs::write(directory.path().join(".plywise-1-0.new"), "{\"wor").unwrap();
    fs::write(directory.path().join("journal.jsonl"), "").unwrap();
    assert!(open().is_ok());
    fs::write(directory.path().join("journal.jsonl"), "rubbish\n{}\n").unwrap();
    assert!(matches!(open(), Err(RunError::DamagedJournal { line: 1, .. })));
    fs::write(directory.path().join("run.json"), "{").unwrap();
    assert!(matches!(open(), Err(RunError::DamagedManifest { .. })));
}

/// A journal of two finished games, and its lines.
fn two_games(directory: &Path) -> (std::path::PathBuf, Vec<String>) {
    play(directory, 2);
    let path = directory.join("journal.jsonl");
    let lines = fs::read_to_string(&path).unwrap().lines().map(|line| format!("{line}\n")).collect();
    (path, lines)
}

#[test]
fn an_edited_line_is_found_when_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let (path, lines) = two_games(directory.path());
    for edited in [0, 1] {
        let mut lines = lines.clone();
        lines[edited] = lines[edited].replacen("\"result\":\"", "\"result\": \"", 1);
        fs::write(&path, lines.concat()).unwrap();
        let error = open(directory.path(), &manifest(20)).map(drop).unwrap_err();
        assert!(matches!(error, RunError::DamagedJournal { line, .. } if line == edited + 1), "{error}");
        assert!(error.to_string().ends_with("its checksum is wrong, so it was changed"), "{error}");
    }
}

#[test]
fn a_game_that_cannot_be_played_is_found_when_it_is_read() {
    let directory = tempfile::tempdir().unwrap();
    let records = play(directory.path(), 2);
    let greedy = Local { name: "greedy", style: Style::Greedy };
    let random = Local { name: "random", style: Style::Random };
    let openings = openings();
    let contest = contest([&greedy, &random], &openings, 20, 1);
    let problem = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = records[0].clone();
        change(&mut record);
        contest.record_check()(&record).unwrap_err()
    };
    assert_eq!(contest.record_check()(&records[0]), Ok(()));
    let illegal = problem(&|record| record.moves[2] = record.moves[1].clone());
    assert!(illegal.contains("cannot be replayed"), "{illegal}");
    let opening =
        problem(&|record| record.moves[0].text = if record.moves[0].text == "b2" { "a1" } else { "b2" }.into());
    assert!(opening.contains("opening") || opening.contains("cannot be replayed"), "{opening}");
    let result = problem(&|record| record.result = if record.result == Draw { Win(Side::First) } else { Draw });
    assert!(result.contains("another result"), "{result}");
    let end = problem(&|record| drop(record.moves.pop()));
    assert!(end.contains("no end"), "{end}");
    assert!(problem(&|record| record.opening += 1).contains("not a game of this match"));
    let mut check = contest.record_check();
    assert!(check(&records[0]).is_ok() && check(&records[1]).is_ok());
    assert!(check(&records[1]).unwrap_err().contains("not a game of this match"), "the same game twice");
}

#[test]
fn another_build_goes_on_only_where_it_is_asked_to() {
    let directory = tempfile::tempdir().unwrap();
    let of_build = |build: &str| {
        let mut manifest = manifest(20);
        manifest.builds.insert("plywise".into(), build.into());
        manifest
    };
    let open = |build: &str, anyway| {
        Run::open::<GameRecord>(directory.path(), &of_build(build), anyway, &mut |_| Ok(())).map(drop)
    };
    open("one", false).unwrap();
    let error = open("two", false).unwrap_err().to_string();
    assert!(error.ends_with("was begun by another build of plywise"), "{error}");
    open("two", true).unwrap();
    open("two", false).unwrap();
    let text = fs::read_to_string(directory.path().join("run.json")).unwrap();
    let written: Manifest = serde_json::from_str(&text).unwrap();
    assert_eq!(written.builds["plywise"], "two");
    assert_eq!(written.about["earlier_builds"], json!([{"plywise": "one"}]));
}

#[test]
fn the_one_thing_that_differs_is_named() {
    let check = |theirs: serde_json::Value, ours: serde_json::Value, expected: &str| {
        let directory = tempfile::tempdir().unwrap();
        let of = |value: &serde_json::Value| Manifest { work: value.as_object().unwrap().clone(), ..manifest(1) };
        drop(open(directory.path(), &of(&theirs)).unwrap());
        let error = open(directory.path(), &of(&ours)).map(drop).unwrap_err().to_string();
        assert!(error.ends_with(&format!("different command: its {expected}")), "{error}");
    };
    let player = |text: &str| json!({"players": [{"search": "a = 1"}, {"search": text}]});
    check(player("b = 1\nc = 2"), player("b = 1\nc = 3"), "players.1.search is \"c = 2\", not \"c = 3\"");
    check(json!({"openings": ["x", "y"]}), json!({"openings": ["x", "z"]}), "openings.1 is \"y\", not \"z\"");
    check(json!({"openings": ["x", "y"]}), json!({"openings": ["x"]}), "openings is a list of 2, not of 1");
    check(json!({"a": 1, "b": 2}), json!({"a": 1}), "b is 2, not absent");
}

/// Several begin different work in one directory at the same moment: one of them gets it, and it is what is written.
#[test]
fn a_race_has_one_winner() {
    for _ in 0..40 {
        let directory = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(4);
        let winners: Vec<u64> = std::thread::scope(|scope| {
            let begin = |games: u64| {
                let (start, path) = (&start, directory.path());
                scope.spawn(move || {
                    start.wait();
                    let opened = open(path, &manifest(games));
                    // The owner of the directory keeps it until all have tried.
                    start.wait();
                    opened.ok().map(|_| games)
                })
            };
            let threads: Vec<_> = (1..=4).map(begin).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(winners.len(), 1, "{winners:?}");
        let text = fs::read_to_string(directory.path().join("run.json")).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest(winners[0]));
    }
}

#[test]
fn derived_files_are_replaced_whole() {
    let directory = tempfile::tempdir().unwrap();
    let (run, _) = open(directory.path(), &manifest(20)).unwrap();
    run.write_derived("report.md", b"a long first version").unwrap();
    run.write_derived("report.md", b"short").unwrap();
    assert_eq!(fs::read(directory.path().join("report.md")).unwrap(), b"short");
    let names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 3, "nothing else is left: {names:?}");
}
