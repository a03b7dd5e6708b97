//! The tests that were made.

use crate::run_summary;
use crate::table::{DataArgs, Format, Sheet, write_csv};
use crate::{Result, document};
use plywise_arena::commit_test::{Speed, TestCommits, Verdict};
use plywise_arena::matches::GameRecord;
use plywise_arena::statistics::{Decision, Sprt};
use plywise_arena::with_error;
use plywise_game::pgn::write_date;
use plywise_run::{Job, Run};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What a run directory says about its test.
#[derive(Deserialize)]
struct Work {
    new: Side,
    old: Side,
    sprt: Option<Sprt>,
}

#[derive(Deserialize)]
struct Side {
    name: String,
    subject: String,
}

/// A test that was made.
#[derive(Serialize)]
struct Made {
    date: String,
    new: String,
    old: String,
    subject: String,
    games: u64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    speed: Option<f64>,
    verdict: Verdict,
    running: bool,
    run: PathBuf,
    #[serde(skip)]
    begun: SystemTime,
}

/// Lists the tests in a folder, the last one first.
pub(super) fn list(folder: &Path, data: &DataArgs, out: &mut dyn Write) -> Result {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    // What lies there and is no test that can be read was not asked for by name.
    let mut made: Vec<Made> = entries.filter_map(|entry| read(&entry.path()).ok().flatten()).collect();
    made.sort_by_key(|test| std::cmp::Reverse(test.begun));
    if data.csv {
        return write_csv(out, made.iter().map(document::describe));
    }
    if data.json {
        return document::write(out, TestCommits::NAME, None, json!({"tests": made}));
    }
    if made.is_empty() {
        return Ok(writeln!(out, "no tests in {}", folder.display())?);
    }
    let mut sheet = Sheet::new(&["date", "new", "old", "games", "Elo", "speed", "verdict", "run"], &[0, 1, 2, 6, 7]);
    for test in &made {
        let verdict = match test.verdict {
            _ if test.running => "running",
            Verdict::Better => "better",
            Verdict::NotBetter => "not better",
            Verdict::Undecided => "undecided",
        };
        sheet.add(vec![
            test.date.clone(),
            test.new.clone(),
            test.old.clone(),
            test.games.to_string(),
            with_error(test.elo, test.elo_error),
            test.speed.map_or_else(String::new, |speed| format!("{:+.1} %", 100.0 * speed)),
            verdict.to_owned(),
            test.run.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        ]);
    }
    Ok(write!(out, "{}", sheet.show(&Format::default()))?)
}

fn read(run: &Path) -> Result<Option<Made>> {
    if !Run::is_at(run) {
        return Ok(None);
    }
    let glance = Run::glance(run).map_err(crate::Failure::input)?;
    if glance.manifest.work.get("command").is_none_or(|command| command != TestCommits::NAME) {
        return Ok(None);
    }
    let (work, ..) = run_summary::read::<Work, GameRecord>(run)?;
    let standings = crate::commands::matches::standings_of(run)?;
    let summary = standings.summary();
    let decision: Option<Decision> =
        summary.as_ref().and_then(|summary| summary.sprt).filter(|_| work.sprt.is_some()).map(|sprt| sprt.decision);
    let speed = Speed::of(&TestCommits::rounds_of(run)).map(|speed| speed.difference);
    Ok(Some(Made {
        date: write_date(glance.begun),
        new: work.new.name,
        old: work.old.name,
        subject: work.new.subject,
        games: standings.counted(),
        elo: summary.as_ref().and_then(|summary| summary.elo),
        elo_error: summary.as_ref().and_then(|summary| summary.elo_error),
        speed,
        verdict: Verdict::of(decision),
        running: glance.is_running,
        run: run.to_owned(),
        begun: glance.begun,
    }))
}
