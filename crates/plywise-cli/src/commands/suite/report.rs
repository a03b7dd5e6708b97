//! What a suite run says: a table, which problems were lost and gained, JSON.

use super::Arguments;
use crate::Result;
use crate::arguments::describe_limits;
use crate::document::{self, joined, object};
use crate::run_summary::{self, RunSummary};
use crate::table::{Sheet, show_change, write_csv};
use crate::text::{milliseconds, show_count, show_time};
use plywise_arena::suites::{Acts, Attempt, Found, Problem, RunSuite};
use plywise_host::{AnyGame, WrittenSetup};
use plywise_run::{Job, Numbered};
use plywise_search::Limits;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

/// What one player made of the suite under one limit.
pub(super) struct Row<'a> {
    name: &'a str,
    limit: String,
    attempts: Vec<Attempt>,
}

/// The rows of a limit share their order of problems: a problem is its place.
type Places = Vec<usize>;

impl<'a> Row<'a> {
    pub(super) fn new(player: &'a WrittenSetup, limits: &Limits, attempts: Vec<Attempt>) -> Row<'a> {
        Row { name: &player.name, limit: describe_limits(limits), attempts }
    }

    pub(super) fn name(&self) -> &str {
        self.name
    }

    pub(super) fn limit(&self) -> &str {
        &self.limit
    }

    /// After how many nodes each solved position was solved for good, the fewest first.
    pub(super) fn found_nodes(&self) -> Vec<u64> {
        let solved = self.attempts.iter().filter(|attempt| attempt.solved);
        let mut nodes: Vec<u64> =
            solved.map(|attempt| attempt.found.map_or(attempt.nodes, |found| found.nodes)).collect();
        nodes.sort_unstable();
        nodes
    }

    /// The nodes of its longest search.
    pub(super) fn most_nodes(&self) -> u64 {
        self.attempts.iter().map(|attempt| attempt.nodes).max().unwrap_or(0)
    }

    fn nodes(&self) -> u64 {
        self.attempts.iter().map(|attempt| attempt.nodes).sum()
    }

    fn time(&self) -> Duration {
        self.attempts.iter().map(|attempt| attempt.time).sum()
    }

    /// What each technique did in all its searches.
    fn acts(&self) -> BTreeMap<&str, Acts> {
        let mut sums: BTreeMap<&str, Acts> = BTreeMap::new();
        for (name, acts) in self.attempts.iter().flat_map(|attempt| &attempt.acts) {
            let sum = sums.entry(name).or_default();
            (sum.tries, sum.effects) = (sum.tries + acts.tries, sum.effects + acts.effects);
        }
        sums
    }

    fn spent_on(&self, places: &[usize]) -> (u64, Duration) {
        let attempts = || places.iter().map(|&i| &self.attempts[i]);
        (attempts().map(|attempt| attempt.nodes).sum(), attempts().map(|attempt| attempt.time).sum())
    }

    fn solved(&self) -> Places {
        (0..self.attempts.len()).filter(|&i| self.attempts[i].solved).collect()
    }

    /// What `other` solves and this one does not.
    fn missing(&self, other: &Row) -> Places {
        other.solved().into_iter().filter(|&i| !self.attempts[i].solved).collect()
    }

    /// On how many positions both give the same move and the same score.
    fn same(&self, other: &Row) -> [usize; 2] {
        let pairs = || self.attempts.iter().zip(&other.attempts);
        [pairs().filter(|(a, b)| a.best == b.best).count(), pairs().filter(|(a, b)| a.score == b.score).count()]
    }
}

/// What a run directory of this command shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (job, _, units) = run_summary::read::<RunSuite, Numbered<Attempt>>(path)?;
    let heats: Vec<_> = job.heats().collect();
    let mut sheet = Sheet::new(&["profile", "limit", "positions", "solved", "±", "nodes", "time"], &[0, 1]);
    let mut best: Option<(usize, usize, &str)> = None;
    for (place, (limits, player)) in heats.iter().enumerate() {
        let in_heat = units.iter().filter(|unit| unit.number as usize % heats.len() == place);
        let attempts: Vec<&Attempt> = in_heat.map(|unit| &unit.result).collect();
        let solved = attempts.iter().filter(|attempt| attempt.solved).count();
        if best.is_none_or(|(most, ..)| solved > most) {
            best = Some((solved, attempts.len(), &player.name));
        }
        sheet.add(vec![
            player.name.clone(),
            describe_limits(limits),
            attempts.len().to_string(),
            solved.to_string(),
            format!("{:.1}", standard_error(solved, attempts.len())),
            show_count(attempts.iter().map(|attempt| attempt.nodes).sum()),
            show_time(attempts.iter().map(|attempt| attempt.time).sum()),
        ]);
    }
    let told = |(solved, of, name)| ("Best so far".to_string(), format!("{solved} of {of} solved by {name}"));
    let facts = best.map(told).into_iter().collect();
    Ok(RunSummary { facts, sheets: vec![("Results so far", sheet)], ..RunSummary::default() })
}

/// The standard error of `solved` of `problems` (Lim & Lee 2006).
fn standard_error(solved: usize, problems: usize) -> f64 {
    let (solved, problems) = (solved as f64, problems as f64);
    if problems == 0.0 { 0.0 } else { (solved * (1.0 - solved / problems)).sqrt() }
}

/// Writes the results; each group holds the rows of one limit.
pub(super) fn write(
    game: &dyn AnyGame,
    args: &Arguments,
    problems: &[Problem],
    groups: &[&[Row]],
    out: &mut dyn Write,
) -> Result {
    if args.format.data.csv {
        return write_csv(out, csv_rows(args, problems, groups));
    }
    if args.format.data.json {
        return document::write(
            out,
            RunSuite::NAME,
            args.part.sample.and(Some(args.seed)),
            to_json(game, args, problems, groups),
        );
    }
    let answers = answers(args, problems);
    let (file, positions) = (args.file(game)?, problems.len());
    if args.until_proven {
        writeln!(out, "{file}: {positions} positions of {}\n", game.title())?;
        write!(out, "{}", proofs(groups, positions).show(&args.format))?;
    } else {
        writeln!(out, "{file}: {positions} positions of {}, {answers} of them with an answer\n", game.title())?;
        write_comparison(args, problems, groups, out)?;
    }
    if args.details {
        write_details(game, args, problems, groups, out)?;
    }
    Ok(())
}

/// A row for each player and limit, compared with the first, and which positions they solve that it does not.
fn write_comparison(args: &Arguments, problems: &[Problem], groups: &[&[Row]], out: &mut dyn Write) -> Result {
    let answers = answers(args, problems);
    let columns = [
        "profile",
        "limit",
        "nodes",
        "Δ nodes",
        "nodes %",
        "time",
        "time %",
        "solved",
        "±",
        "Δ solved",
        "lost",
        "gained",
        "same move",
        "same score",
    ];
    let mut sheet = Sheet::new(&columns, &[0, 1]);
    for group in groups {
        group.iter().for_each(|row| sheet.add(cells(row, &group[0], answers)));
    }
    writeln!(out, "{}", sheet.show(&args.format))?;
    for group in groups {
        for row in &group[1..] {
            write_exchanges(row, &group[0], problems, out)?;
        }
    }
    Ok(())
}

/// How many positions can be solved.
fn answers(args: &Arguments, problems: &[Problem]) -> usize {
    problems.iter().filter(|problem| args.until_proven || problem.has_answer()).count()
}

/// What was proved, and what that took on the positions that all rows of a limit proved.
fn proofs(groups: &[&[Row]], positions: usize) -> Sheet {
    let columns = ["profile", "limit", "proven", "±", "nodes", "time", "by all", "their nodes", "their time"];
    let mut sheet = Sheet::new(&columns, &[0, 1]);
    for group in groups {
        let common = common(group);
        for row in *group {
            let proven = row.solved().len();
            let (nodes, time) = row.spent_on(&common);
            sheet.add(vec![
                row.name.to_string(),
                row.limit.clone(),
                proven.to_string(),
                format!("{:.1}", standard_error(proven, positions)),
                show_count(row.nodes()),
                show_time(row.time()),
                common.len().to_string(),
                show_count(nodes),
                show_time(time),
            ]);
        }
    }
    sheet
}

/// The positions that all rows of a limit solve.
fn common(group: &[Row]) -> Places {
    let solved = |&i: &usize| group.iter().all(|row| row.attempts[i].solved);
    (0..group.first().map_or(0, |row| row.attempts.len())).filter(solved).collect()
}

fn cells(row: &Row, first: &Row, answers: usize) -> Vec<String> {
    let solved = row.solved().len();
    let [same_move, same_score] = row.same(first);
    vec![
        row.name.to_string(),
        row.limit.clone(),
        show_count(row.nodes()),
        signed(row.nodes() as i128 - first.nodes() as i128),
        show_change(row.nodes() as f64, first.nodes() as f64),
        show_time(row.time()),
        show_change(row.time().as_secs_f64(), first.time().as_secs_f64()),
        solved.to_string(),
        format!("{:.1}", standard_error(solved, answers)),
        signed(solved as i128 - first.solved().len() as i128),
        row.missing(first).len().to_string(),
        first.missing(row).len().to_string(),
        same_move.to_string(),
        same_score.to_string(),
    ]
}

fn signed(number: i128) -> String {
    let size = show_count(u64::try_from(number.unsigned_abs()).unwrap_or(u64::MAX));
    match number.signum() {
        -1 => format!("−{size}"),
        0 => size,
        _ => format!("+{size}"),
    }
}

fn write_exchanges(row: &Row, first: &Row, problems: &[Problem], out: &mut dyn Write) -> Result {
    for (what, places) in [("lost", row.missing(first)), ("gained", first.missing(row))] {
        if !places.is_empty() {
            // The dash keeps the lines apart in Markdown.
            writeln!(out, "- {} {what} at {}: {}", row.name, row.limit, names(problems, &places).join(", "))?;
        }
    }
    Ok(())
}

fn names(problems: &[Problem], places: &[usize]) -> Vec<String> {
    places.iter().map(|&i| problems[i].id.clone()).collect()
}

fn write_details(
    game: &dyn AnyGame,
    args: &Arguments,
    problems: &[Problem],
    groups: &[&[Row]],
    out: &mut dyn Write,
) -> Result {
    let columns = ["position", "profile", "limit", "move", "score", "depth", "nodes", "solved", "found at", "nodes"];
    let mut sheet = Sheet::new(&columns, &[0, 1, 2, 3, 7]);
    for (i, problem) in problems.iter().enumerate() {
        for row in groups.iter().copied().flatten() {
            let attempt = &row.attempts[i];
            let found = |show: fn(&Found) -> String| attempt.found.as_ref().map(show).unwrap_or_default();
            sheet.add(vec![
                problem.id.clone(),
                row.name.to_string(),
                row.limit.clone(),
                attempt.best.clone().unwrap_or_default(),
                game.show_score(attempt.score),
                attempt.depth.to_string(),
                show_count(attempt.nodes),
                if attempt.solved { "yes" } else { "" }.to_string(),
                found(|found| format!("depth {}", found.depth)),
                found(|found| show_count(found.nodes)),
            ]);
        }
    }
    Ok(write!(out, "\n{}", sheet.show(&args.format))?)
}

fn to_json(game: &dyn AnyGame, args: &Arguments, problems: &[Problem], groups: &[&[Row]]) -> Value {
    let rows = groups.iter().flat_map(|group| group.iter().map(|row| row_to_json(args, problems, row, group)));
    json!({
        "suite": args.file(game).ok(),
        "game": game.name(),
        "half": args.part.half,
        "positions": problems.len(),
        "with_answer": problems.iter().filter(|problem| problem.has_answer()).count(),
        "rows": rows.collect::<Vec<_>>(),
    })
}

fn row_to_json(args: &Arguments, problems: &[Problem], row: &Row, group: &[Row]) -> Value {
    let (first, answers) = (&group[0], answers(args, problems));
    let solved = row.solved();
    let [same_move, same_score] = row.same(first);
    let (lost, gained) = (row.missing(first), first.missing(row));
    let mut document = json!({
        "profile": row.name,
        "limit": row.limit,
        "nodes": row.nodes(),
        "time_ms": milliseconds(row.time()),
        "solved": solved.len(),
        "standard_error": standard_error(solved.len(), answers),
        "lost": lost.len(),
        "gained": gained.len(),
        "nodes_percent": 100.0 * row.nodes() as f64 / first.nodes().max(1) as f64,
        "researches": row.attempts.iter().map(|attempt| attempt.researches).sum::<u64>(),
        "techniques": row.acts(),
        "same_move": same_move,
        "same_score": same_score,
        "solved_ids": names(problems, &solved),
        "lost_ids": names(problems, &lost),
        "gained_ids": names(problems, &gained),
    });
    if args.until_proven {
        let common = common(group);
        let (nodes, time) = row.spent_on(&common);
        document["proven"] = json!(solved.len());
        document["common"] = json!(common.len());
        document["common_nodes"] = json!(nodes);
        document["common_time_ms"] = json!(milliseconds(time));
    }
    if args.details {
        document["details"] = details_to_json(problems, row).collect();
    }
    document
}

fn details_to_json(problems: &[Problem], row: &Row) -> impl Iterator<Item = Value> {
    problems.iter().zip(&row.attempts).map(|(problem, attempt)| detail_to_json(problem, attempt))
}

/// A row for each player and limit, or with --details for each position of theirs.
fn csv_rows(args: &Arguments, problems: &[Problem], groups: &[&[Row]]) -> Vec<Value> {
    let mut rows = Vec::new();
    for (row, group) in groups.iter().flat_map(|group| group.iter().map(move |row| (row, *group))) {
        if args.details {
            let player = json!({"profile": row.name, "limit": row.limit});
            rows.extend(details_to_json(problems, row).map(|detail| joined(player.clone(), detail)));
        } else {
            // Lists do not fit into a field; the lengths of those of names are there.
            let is_list = |key: &str| key.ends_with("_ids") || key == "techniques";
            let row = object(row_to_json(args, problems, row, group));
            rows.push(row.into_iter().filter(|(key, _)| !is_list(key)).collect());
        }
    }
    rows
}

fn detail_to_json(problem: &Problem, attempt: &Attempt) -> Value {
    json!({
        "id": problem.id,
        "best": attempt.best,
        "score": attempt.score,
        "depth": attempt.depth,
        "nodes": attempt.nodes,
        "time_ms": milliseconds(attempt.time),
        "solved": attempt.solved,
        "found_depth": attempt.found.map(|found| found.depth),
        "found_nodes": attempt.found.map(|found| found.nodes),
        "found_time_ms": attempt.found.map(|found| milliseconds(found.time)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_that_of_the_paper() {
        // n sqrt(p (1 - p) / n) with n = 879 problems and p = 0.8.
        let error = standard_error(703, 879);
        let p = 703.0 / 879.0;
        assert!((error - 879.0 * (p * (1.0 - p) / 879.0_f64).sqrt()).abs() < 1e-9);
        assert_eq!(standard_error(0, 0), 0.0);
        assert_eq!(standard_error(10, 10), 0.0);
    }

    #[test]
    fn differences_carry_their_sign() {
        assert_eq!(signed(-1234), "−1,234");
        assert_eq!(signed(0), "0");
        assert_eq!(signed(5), "+5");
    }
}
