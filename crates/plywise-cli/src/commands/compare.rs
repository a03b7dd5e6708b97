//! `plywise compare`: one position under several profiles, side by side.

use crate::arguments::{LimitArgs, PositionArgs, describe_limits, show_limits};
use crate::engine::{Setup, new_engine};
use crate::plots::{Curve, Panel, Plot, PlotArgs};
use crate::recording::{RecordArgs, Search};
use crate::runs::{RunArgs, RunContents, describe_setup, fail};
use crate::table::{Format, Sheet, show_change, write_csv};
use crate::text::{milliseconds, nodes_per_second, show_count, show_time};
use crate::variants::VariantArgs;
use crate::{Failure, Result, document};
use clap::Args;
use plywise_game::{Score, score};
use plywise_host::{AnyGame, AnyPosition, Ask, Event, Move};
use plywise_run::digest;
use plywise_search::{Limits, Report, Signal};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Search one position under several profiles and show the results side by side
///
/// Scores are for the side to move. --plot shows the nodes by depth, or with --sweep a map of what each value needs.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise compare chess --profiles alphabeta,brute,best --depth 4,6
  plywise compare chess --profiles brute,classic,best --depth 7 --plot nodes.svg
  plywise compare loa --sweep null_move.reduction=2,3 --sweep aspiration.window=10,25 --depth 6 --plot map.svg")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    #[command(flatten)]
    pub variants: VariantArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub run: RunArgs,
    #[command(flatten)]
    pub record: RecordArgs,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub format: Format,
}

/// What one variant found under one limit: a unit of the work.
#[derive(Serialize, Deserialize)]
struct Found {
    score: Score,
    depth: i32,
    nodes: u64,
    time: Duration,
    /// The line, as players write it.
    pv: Vec<String>,
    /// The depths that were finished, and the nodes until then.
    #[serde(default)]
    iterations: Vec<(i32, u64)>,
}

impl Found {
    fn new(report: &Report<Move>, position: &AnyPosition, iterations: Vec<(i32, u64)>) -> Found {
        let (score, depth, nodes, time) = (report.score(), report.depth(), report.nodes, report.time);
        Found { score, depth, nodes, time, pv: position.write_best_line(report), iterations }
    }
}

/// A line of the table.
struct Row<'a> {
    setup: &'a Setup,
    limits: &'a Limits,
    found: Found,
}

/// What documents and run directories call it.
const COMMAND: &str = "compare";

/// Compares on the position of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let position = args.place.position(game)?;
    if position.outcome().is_some() {
        return Err(Failure::input("the game is over in this position: there is nothing to compare"));
    }
    let all_limits = args.limits.required()?;
    args.plot.check()?;
    let setups = args.variants.setups(game)?;
    let heats: Vec<(&Limits, &Setup)> =
        all_limits.iter().flat_map(|limits| setups.iter().map(move |setup| (limits, setup))).collect();
    let found = search_all(game, args, &position, &heats, stop)?;
    let rows = heats.iter().zip(found).map(|(&(limits, setup), found)| Row { setup, limits, found });
    let rows: Vec<Row> = rows.collect();
    args.plot.draw(&|| panels(args, &rows, setups.len()), out)?;
    if args.format.data.csv {
        return write_csv(out, rows.iter().map(Row::to_json));
    }
    if args.format.data.json {
        let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
        let results = json!({"game": game.name(), "position": position.text(), "rows": rows});
        return document::write(out, COMMAND, None, results);
    }
    if !args.format.markdown {
        writeln!(out, "{}: {}\n\n{}", game.title(), position.text(), position.draw())?;
        writeln!(out, "scores are for {}, who is to move\n", game.player(position.side_to_move()))?;
    }
    let columns = [
        "profile", "network", "limit", "best", "score", "depth", "nodes", "nodes %", "time", "time %", "nodes/s",
        "line",
    ];
    let mut sheet = Sheet::new(&columns, &[0, 1, 2, 3, 11]);
    for of_limit in rows.chunks(setups.len()) {
        of_limit.iter().for_each(|row| sheet.add(row.cells(game, &of_limit[0])));
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}

/// Searches under every limit with every setup; what is found comes in their order, and ends where it was interrupted.
fn search_all(
    game: &dyn AnyGame,
    args: &Arguments,
    position: &AnyPosition,
    heats: &[(&Limits, &Setup)],
    stop: &Signal,
) -> Result<Vec<Found>> {
    let describe = |(limits, setup): &(&Limits, &Setup)| {
        Ok(json!({"limits": describe_limits(limits), "player": describe_setup(game, setup)?}))
    };
    let work = json!({
        "command": COMMAND,
        "game": game.name(),
        "position": position.text(),
        "history": digest(format!("{:?}", position.history()).as_bytes()),
        "searches": heats.iter().map(describe).collect::<Result<Vec<_>>>()?,
    });
    let mut units = args.run.units(RunContents::new(work, heats.len() as u64), |_, _| Ok(()))?;
    // Every search begins with a new engine. One that cannot be made is found before the work.
    heats.iter().try_for_each(|(_, setup)| new_engine(game, setup).map(drop))?;
    let problem = Mutex::new(None);
    let work = |(): &mut (), number: u64, stop: &Signal| {
        let (limits, setup) = heats[number as usize];
        let mut engine = new_engine(game, setup).ok()?;
        let search = Search { game, setup, ask: Ask::new(position) };
        let place = number as usize + 1;
        let mut iterations: Vec<(i32, u64)> = Vec::new();
        let mut each = |event: Event| {
            if let Event::Progress(progress) = event {
                // An iteration may report several times; the last report holds.
                iterations.retain(|(depth, _)| *depth < progress.depth);
                iterations.push((progress.depth, progress.nodes));
            }
        };
        let report = args.record.search(place, &search, &mut *engine, limits, stop, &mut each);
        let report = report.map_err(|failure| *problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure));
        let report = report.ok()?;
        (!stop.is_stopped()).then(|| Found::new(&report, position, iterations))
    };
    let mut each = |_, _: &Found| ControlFlow::Continue(());
    units.work(heats.len() as u64, vec![()], stop, work, &mut each).map_err(fail)?;
    if let Some(failure) = problem.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    Ok(units.into_finished().into_values().collect())
}

/// The nodes by depth of each player's last search, or a map of the variants of sweeps for each limit.
fn panels(args: &Arguments, rows: &[Row], players: usize) -> Vec<Box<dyn Panel>> {
    let names: Vec<String> = rows.iter().take(players).map(|row| row.setup.name.clone()).collect();
    if let Some(grid) = args.variants.grid(&names) {
        // What was interrupted has no whole table.
        let whole = rows.chunks(players).filter(|of_limit| of_limit.len() == players);
        let map = |of_limit: &[Row]| {
            let title = format!("nodes at {}", show_limits(of_limit[0].limits));
            Box::new(grid.map(title, |place| of_limit[place].found.nodes as f64)) as Box<dyn Panel>
        };
        return whole.map(map).collect();
    }
    let curve = |row: &Row| {
        let points = row.found.iterations.iter().map(|&(depth, nodes)| (depth.into(), nodes as f64)).collect();
        Curve { points, ..Curve::new(&row.setup.name, []) }
    };
    let last = rows.len().saturating_sub(players);
    let mut plot = Plot::new("depth", "nodes", rows[last..].iter().map(curve).collect());
    plot.by_factors = [false, true];
    vec![Box::new(plot)]
}

impl Row<'_> {
    fn cells(&self, game: &dyn AnyGame, first: &Row) -> Vec<String> {
        const SHOWN_MOVES: usize = 6;
        let Found { score, depth, nodes, time, ref pv, .. } = self.found;
        vec![
            self.setup.name.clone(),
            self.setup.network_name().to_string(),
            show_limits(self.limits),
            pv.first().cloned().unwrap_or_default(),
            game.show_score(score),
            depth.to_string(),
            show_count(nodes),
            show_change(nodes as f64, first.found.nodes as f64),
            show_time(time),
            show_change(time.as_secs_f64(), first.found.time.as_secs_f64()),
            show_count(nodes_per_second(nodes, time)),
            pv[..pv.len().min(SHOWN_MOVES)].join(" "),
        ]
    }

    fn to_json(&self) -> Value {
        let Found { score, depth, nodes, time, ref pv, .. } = self.found;
        json!({
            "profile": self.setup.name,
            "network": self.setup.network_name(),
            "limit": describe_limits(self.limits),
            "best": pv.first(),
            "score": score,
            "plies_to_end": score::plies_to_end(score),
            "depth": depth,
            "nodes": nodes,
            "time_ms": milliseconds(time),
            "pv": pv,
        })
    }
}
