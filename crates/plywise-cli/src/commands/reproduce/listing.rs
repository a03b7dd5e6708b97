//! What each table takes on this machine, and the state of our last run.

use super::{Arguments, COMMAND};
use crate::arguments::jobs;
use crate::games::Games;
use crate::table::{Format, Sheet};
use crate::{Failure, Result, document};
use plywise_host::{Ask, Setup};
use plywise_papers::{Table, Work};
use plywise_search::{Limits, Signal};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// How long a search runs that tells the speed of this machine.
const SAMPLE: Duration = Duration::from_millis(200);

/// The profile that tells it: most tables search with it or something like it.
const PROFILE: &str = "classic";

/// Lists the tables, with the hours that each takes.
pub(super) fn write(games: Games, args: &Arguments, tables: &[Table], out: &mut dyn Write) -> Result {
    let at_once = jobs(args.jobs, 1) as f64;
    let mut speeds: BTreeMap<&str, f64> = BTreeMap::new();
    for game in tables.iter().flat_map(|table| table.work.nodes.keys()) {
        if !speeds.contains_key(game.as_str()) {
            speeds.insert(game, speed(games, game)?);
        }
    }
    let hours = |table: &Table| hours(&table.work, &speeds) / at_once;
    if args.json {
        let row = |table: &Table| {
            let Table { name, paper, what, last, .. } = table;
            json!({"name": name, "paper": paper, "what": what, "hours": hours(table), "last_run": last})
        };
        let tables: Vec<_> = tables.iter().map(row).collect();
        return document::write(out, COMMAND, None, json!({"tables": tables, "jobs": at_once}));
    }
    let mut sheet = Sheet::new(&["table", "at scale 1", "our last run", "what"], &[0, 2, 3]);
    for table in tables {
        let Table { name, last, what, .. } = table;
        sheet.add(vec![name.clone(), show(hours(table)), last.clone(), what.clone()]);
    }
    write!(out, "{}", sheet.show(&Format::default()))?;
    Ok(writeln!(out, "\nTimes are for this machine, {at_once} at a time; a --scale of 0.1 takes about a tenth.")?)
}

/// The nodes a second of one thread in a game.
fn speed(games: Games, name: &str) -> Result<f64> {
    let game = games.game(name)?;
    let setup = Setup::of_profile(&*game, PROFILE).map_err(Failure::input)?;
    let mut engine = game.engine(&setup).map_err(Failure::input)?;
    let report = engine.search(&Ask::new(&game.start()), &Limits::time(SAMPLE), &Signal::new(), &mut |_| {});
    Ok(report.nodes.max(1) as f64 / report.time.max(Duration::from_millis(1)).as_secs_f64())
}

/// The hours that the work takes at this speed, in nodes a second, without anything in parallel.
fn hours(work: &Work, speeds: &BTreeMap<&str, f64>) -> f64 {
    let of_game = |(game, nodes): (&String, &f64)| nodes / speeds.get(game.as_str()).copied().unwrap_or(1.0) / 3600.0;
    work.hours + work.nodes.iter().map(of_game).sum::<f64>()
}

/// Hours as people read them: estimates, so two digits.
fn show(hours: f64) -> String {
    match hours {
        h if h >= 48.0 => format!("{:.0} days", h / 24.0),
        h if h >= 2.0 => format!("{h:.0} h"),
        h if h >= 1.0 / 30.0 => format!("{:.0} min", h * 60.0),
        h => format!("{:.0} s", (h * 3600.0).ceil()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_clocks_add_up() {
        let nodes = [("chess".to_owned(), 3.6e9), ("loa".to_owned(), 7.2e9)].into_iter().collect();
        let work = Work { nodes, hours: 0.5 };
        assert_eq!(hours(&work, &[("chess", 1e6), ("loa", 2e6)].into_iter().collect()), 2.5);
        assert_eq!(["72", "2.5", "0.5", "0.01"].map(|h| show(h.parse().unwrap())), ["3 days", "2 h", "30 min", "36 s"]);
    }
}
