//! Run directories that are killed, damaged and confused.

use crate::players::{Local, Style};
use crate::{contest, lines, openings};
use plywise_arena::matches::{GameRecord, Silent};
use plywise_arena::run::{Manifest, Run, RunError};
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn manifest(games: u64) -> Manifest {
    let work = json!({"command": "match", "games": games, "seed": 1});
    Manifest { work: work.as_object().unwrap().clone(), about: serde_json::Map::new() }
}

/// Opens the run, plays until `limit` further games are kept, and gives the games of the journal.
fn play(directory: &Path, limit: usize) -> Vec<GameRecord> {
    let (mut run, finished) = Run::open::<GameRecord>(directory, &manifest(20)).unwrap();
    let greedy = Local { name: "greedy", style: Style::Greedy };
    let lot = Local { name: "lot", style: Style::Lot };
    let openings = openings();
    let stop = AtomicBool::new(limit == 0);
    let mut records = finished.clone();
    let mut keep = |record: &GameRecord| {
        run.append(record)?;
        records.push(record.clone());
        stop.store(records.len() >= finished.len() + limit, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    };
    contest([&greedy, &lot], &openings, 20, 3).run(&finished, &mut keep, &Silent, &stop).unwrap();
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
    drop(Run::open::<GameRecord>(directory.path(), &manifest(20)).unwrap());
    let refuse = |manifest: &Manifest| {
        let error = Run::open::<GameRecord>(directory.path(), manifest).unwrap_err().to_string();
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
    assert!(Run::open::<GameRecord>(directory.path(), &about).is_ok());
}

#[test]
fn two_at_once_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Run::open::<GameRecord>(directory.path(), &manifest(20));
    let first = open().unwrap();
    assert!(matches!(open(), Err(RunError::InUse(_))));
    drop(first);
    assert!(open().is_ok());
}

#[test]
fn foreign_and_damaged_directories_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let open = || Run::open::<GameRecord>(directory.path(), &manifest(20)).map(drop);
    fs::write(directory.path().join("thesis.tex"), "years of work").unwrap();
    assert!(matches!(open(), Err(RunError::NotARun(_))));
    fs::remove_file(directory.path().join("thesis.tex")).unwrap();
    // Killed while it began.
    fs::write(directory.path().join("run.json.new"), "{\"wor").unwrap();
    assert!(open().is_ok());
    fs::write(directory.path().join("journal.jsonl"), "rubbish\n{}\n").unwrap();
    assert!(matches!(open(), Err(RunError::DamagedJournal { line: 1, .. })));
    fs::write(directory.path().join("run.json"), "{").unwrap();
    assert!(matches!(open(), Err(RunError::DamagedManifest { .. })));
}

#[test]
fn derived_files_are_replaced_whole() {
    let directory = tempfile::tempdir().unwrap();
    let (run, _) = Run::open::<GameRecord>(directory.path(), &manifest(20)).unwrap();
    run.write_derived("report.md", b"a long first version").unwrap();
    run.write_derived("report.md", b"short").unwrap();
    assert_eq!(fs::read(directory.path().join("report.md")).unwrap(), b"short");
    assert!(!directory.path().join("report.md.new").exists());
}
