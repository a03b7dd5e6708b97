//! `plywise compare`: one position under several profiles, side by side.

use crate::arguments::{LimitArgs, PositionArgs, describe_limits};
use crate::engine::{self, Setup};
use crate::games::BoardGame;
use crate::table::{Format, Sheet, show_change};
use crate::text::{milliseconds, nodes_per_second, show_count, show_moves, show_score, show_time};
use crate::variants::VariantArgs;
use crate::{Failure, Outcome};
use clap::Args;
use plywise_game::score;
use plywise_search::{Limits, Report, Request, Signal};
use serde_json::{Value, json};
use std::io::Write;

/// Search one position under several profiles and show the results side by side
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise compare chess --profiles alphabeta,brute,best --depth 4,6")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    #[command(flatten)]
    pub variants: VariantArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub format: Format,
}

/// What one variant found under one limit.
struct Row<'a, G: BoardGame> {
    setup: &'a Setup<G>,
    limits: &'a Limits,
    report: Report<G::Move>,
}

/// Compares on the position of the arguments.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write) -> Outcome {
    let line = args.place.line::<G>()?;
    if G::outcome(line.position()).is_some() {
        return Err(Failure::input("the game is over in this position, so that there is nothing to compare"));
    }
    let all_limits = args.limits.required()?;
    let setups = args.variants.setups::<G>()?;
    let request = Request::of(&line);
    let mut rows = Vec::new();
    for limits in &all_limits {
        for setup in &setups {
            let mut searcher = setup.searcher()?;
            let report = engine::search(&mut searcher, &request, limits, &Signal::new(), |_| {});
            rows.push(Row { setup, limits, report });
        }
    }
    if args.format.json {
        let rows: Vec<Value> = rows.iter().map(|row| row.to_json(line.position())).collect();
        let position = G::write_position(line.position());
        return Ok(writeln!(out, "{}", json!({"game": G::NAME, "position": position, "rows": rows}))?);
    }
    if !args.format.markdown {
        writeln!(out, "{}: {}\n\n{}", G::TITLE, G::write_position(line.position()), G::draw(line.position()))?;
    }
    let columns =
        ["profile", "limit", "best", "score", "depth", "nodes", "nodes %", "time", "time %", "nodes/s", "line"];
    let mut sheet = Sheet::new(&columns, &[0, 1, 2, 10]);
    for of_limit in rows.chunks(setups.len()) {
        of_limit.iter().for_each(|row| sheet.add(row.cells(&of_limit[0], line.position())));
    }
    Ok(write!(out, "{}", sheet.show(&args.format))?)
}

impl<G: BoardGame> Row<'_, G> {
    fn cells(&self, first: &Row<G>, position: &G::Position) -> Vec<String> {
        let Report { nodes, time, .. } = self.report;
        const SHOWN_MOVES: usize = 6;
        let pv = self.report.lines.first().map_or(&[][..], |line| &line.pv[..line.pv.len().min(SHOWN_MOVES)]);
        vec![
            self.setup.name.clone(),
            describe_limits(self.limits),
            self.best(position).unwrap_or_default(),
            show_score::<G>(self.report.score()),
            self.report.depth().to_string(),
            show_count(nodes),
            show_change(nodes as f64, first.report.nodes as f64),
            show_time(time),
            show_change(time.as_secs_f64(), first.report.time.as_secs_f64()),
            show_count(nodes_per_second(nodes, time)),
            show_moves::<G>(position, pv).join(" "),
        ]
    }

    fn best(&self, position: &G::Position) -> Option<String> {
        self.report.best_move().map(|mv| G::write_move(position, mv))
    }

    fn to_json(&self, position: &G::Position) -> Value {
        json!({
            "profile": self.setup.name,
            "limit": describe_limits(self.limits),
            "best": self.best(position),
            "score": self.report.score(),
            "plies_to_end": score::plies_to_end(self.report.score()),
            "depth": self.report.depth(),
            "nodes": self.report.nodes,
            "time_ms": milliseconds(self.report.time),
            "pv": self.report.lines.first().map_or(Vec::new(), |line| show_moves::<G>(position, &line.pv)),
        })
    }
}
