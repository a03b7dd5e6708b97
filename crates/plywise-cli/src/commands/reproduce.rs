//! `plywise reproduce`: the papers' tables, each by one command.

mod laboratory;
mod listing;
mod picture;

use crate::arguments::{jobs, parse_movetime, parse_nodes};
use crate::games::Games;
use crate::players::PlayerSpec;
use crate::plots::PlotArgs;
use crate::runs::RunArgs;
use crate::table::{DataArgs, Format, Sheet};
use crate::{Failure, Result, document, files};
use clap::Args;
use laboratory::Bench;
use plywise_arena::statistics::{LEAST_SAMPLE, TOO_FEW};
use plywise_game::parameters::nearest_name;
use plywise_game::pgn::write_date;
use plywise_papers::{Comparison, Conditions, Figure, Lab, Row, Table, tables};
use plywise_search::{Limits, Signal, TimeControl};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Regenerate a table of the papers: their figures beside ours, with errors, settings and the commands
///
/// Without a name, all tables are listed; --list adds how long each takes at scale 1 on this machine, and the state of our
/// last run. 'gain' is a table of our own: what a technique gains by the nodes of a move. Each part of a table is also shown as a command of its own: run one of them to
/// look closer. With --run what is finished is kept, and the same command resumes it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise reproduce
  plywise reproduce rps-1
  plywise reproduce rps-3 --scale 0.5 --run runs/rps-3 -o rps-3.md
  plywise reproduce erps-6 --scale 0.01 --nodes 500
  plywise reproduce --list
  plywise reproduce gain --only chess --only rank_cut --run runs/gain --plot gain.svg")]
pub struct Arguments {
    /// The table
    pub table: Option<String>,
    /// List how long each table takes at scale 1 on this machine, and the state of our last run
    #[arg(long, conflicts_with_all = ["table", "output", "plot", "only"])]
    pub list: bool,
    /// How much of it: the share of the positions and games, from minutes to the whole
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_scale)]
    pub scale: f64,
    /// A folder with the papers' suites, which we may not ship; without it our own take their place
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Play matches with this many nodes a move instead of by the clock: the same games on every machine, however busy
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,
    /// Play matches with this many milliseconds a move instead of the table's clock
    #[arg(long, value_name = "MS", conflicts_with = "nodes", value_parser = parse_movetime)]
    pub movetime: Option<Duration>,
    /// Play matches by this clock, in seconds, instead of the table's: 60+0.6, or 40/60 for 40 moves
    #[arg(long, value_name = "[MOVES/]BASE[+INC]", conflicts_with_all = ["nodes", "movetime"])]
    pub tc: Option<TimeControl>,
    /// The player that stands for the papers' opponents, Fruit and Crafty: uci:COMMAND, or a profile. Without one their
    /// rows are skipped
    #[arg(long, value_name = "PLAYER")]
    pub opponent: Option<PlayerSpec>,
    /// Only this part of 'gain': the name of a game, or the switch of a technique
    #[arg(long, value_name = "PART", requires = "table")]
    pub only: Vec<String>,
    /// How many positions or games at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Write the table to this file, as Markdown
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub plot: PlotArgs,
    #[command(flatten)]
    pub run: RunArgs,
    /// One JSON document instead of Markdown
    #[arg(long)]
    pub json: bool,
}

fn parse_scale(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "the share is a number above 0, at most 1".to_string())
}

/// What documents call it.
const COMMAND: &str = "reproduce";

/// Lists the tables, or makes one.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let tables = tables()?;
    let Some(name) = &args.table else {
        return if args.list { listing::write(games, args, &tables, out) } else { list(args, &tables, out) };
    };
    let table = tables.iter().find(|table| table.name == *name).ok_or_else(|| {
        let nearest = nearest_name(name, tables.iter().map(|table| table.name.clone()));
        let hint = nearest.map(|nearest| format!("; did you mean '{nearest}'?")).unwrap_or_default();
        Failure::input(format!("there is no table '{name}'{hint}; 'plywise reproduce' lists them"))
    })?;
    args.output.as_deref().map_or(Ok(()), files::check_writable)?;
    args.plot.check()?;
    if args.plot.plot.is_some() && table.parts.is_empty() {
        return Err(Failure::input(format!("there is no picture of '{name}': leave out --plot")));
    }
    let conditions = args.conditions();
    let bench = Bench { games, run: &args.run, jobs: jobs(args.jobs, 1), stop };
    let mut lab = Lab::new(&conditions, &bench);
    let rows = table.run(&mut lab)?;
    let made = Made { table, rows, commands: lab.commands().to_vec(), is_whole: !stop.is_stopped() };
    args.plot.draw(&|| picture::panels(&made.rows), out)?;
    if args.json {
        return document::write(out, COMMAND, None, made.to_json(args));
    }
    let text = made.markdown(args);
    match &args.output {
        Some(path) => files::write(path, &text, out),
        None => Ok(out.write_all(text.as_bytes())?),
    }
}

impl Arguments {
    fn conditions(&self) -> Conditions {
        let nodes = self.nodes.map(Limits::nodes);
        Conditions {
            share: self.scale,
            data: self.data.clone(),
            limits: nodes.or(self.movetime.map(Limits::time)).or(self.tc.map(Limits::clock)),
            opponent: self.opponent.as_ref().map(|player| player.text().to_owned()),
            only: self.only.clone(),
        }
    }
}

fn list(args: &Arguments, tables: &[Table], out: &mut dyn Write) -> Result {
    if args.json {
        let row = |table: &Table| json!({"name": table.name, "paper": table.paper, "what": table.what});
        let results = json!({"tables": tables.iter().map(row).collect::<Vec<_>>()});
        return document::write(out, COMMAND, None, results);
    }
    let mut sheet = Sheet::new(&["table", "paper", "what"], &[0, 1, 2]);
    tables.iter().for_each(|table| sheet.add(vec![table.name.clone(), table.paper.clone(), table.what.clone()]));
    Ok(write!(out, "{}", sheet.show(&Format::default()))?)
}

/// A table that was made.
struct Made<'a> {
    table: &'a Table,
    rows: Vec<Row>,
    /// The commands that it is made of.
    commands: Vec<String>,
    /// Nothing interrupted it.
    is_whole: bool,
}

impl Made<'_> {
    /// The smallest sample that a figure rests on.
    fn sample(&self) -> Option<u64> {
        self.rows.iter().filter_map(|row| row.sample).min()
    }

    fn to_json(&self, args: &Arguments) -> Value {
        json!({
            "table": self.table.name,
            "paper": self.table.paper,
            "scale": args.scale,
            "sample": self.sample(),
            "least_sample": LEAST_SAMPLE,
            "interrupted": !self.is_whole,
            "rows": self.rows.iter().map(row_to_json).collect::<Vec<_>>(),
            "commands": self.commands,
        })
    }

    fn markdown(&self, args: &Arguments) -> String {
        let Table { name, what, paper, conditions, .. } = self.table;
        let mut text = format!("## {name}: {what}\n\n{paper}. {conditions}\n\n");
        let mut sheet = Sheet::new(&["", "paper", "ours", ""], &[0, 3]);
        let show = |figure: Option<Figure>| figure.map_or("–".into(), |figure| figure.show());
        for row in &self.rows {
            let few = (row.comparison() == Comparison::TooFew).then(|| TOO_FEW.to_owned());
            let notes: Vec<String> =
                Some(row.note.clone()).filter(|note| !note.is_empty()).into_iter().chain(few).collect();
            sheet.add(vec![row.what.clone(), show(row.paper), show(row.ours), notes.join("; ")]);
        }
        text += &sheet.show(&Format { data: DataArgs::default(), markdown: true });
        text += &self.conclusion();
        let (version, date) = (env!("CARGO_PKG_VERSION"), write_date(SystemTime::now()).replace('.', "-"));
        let build = crate::version::build();
        let _ = writeln!(text, "\nVersion {version}, build {build}, scale {}, seed 1, {date}:\n", args.scale);
        for command in &self.commands {
            let _ = writeln!(text, "    {command}");
        }
        text
    }

    /// What may be concluded from the rows.
    fn conclusion(&self) -> String {
        let is = |comparison| self.rows.iter().filter(|row| row.comparison() == comparison).count();
        let (few, agreeing) = (is(Comparison::TooFew), is(Comparison::Agree));
        let has_errors = self.rows.iter().flat_map(|row| [row.paper, row.ours]).flatten().any(|f| f.interval.is_some());
        let mut text = match has_errors {
            true => "\n± is half of a 95 % interval; of figures without an interval no error is known.\n",
            false => "\nNo errors are known of these figures.\n",
        }
        .to_owned();
        if agreeing > 0 {
            let _ = writeln!(text, "The intervals of {agreeing} rows meet those of the paper.");
        }
        if few > 0 {
            let _ = writeln!(
                text,
                "{few} rows rest on fewer than {LEAST_SAMPLE} positions or games, {TOO_FEW}; raise --scale."
            );
        }
        if !self.is_whole {
            text += "It was interrupted: with --run, the same command resumes it.\n";
        }
        let different: Vec<String> = self.rows.iter().filter_map(Row::difference).collect();
        if !different.is_empty() {
            let _ = writeln!(text, "The intervals do not meet in:\n");
            different.iter().for_each(|sentence| text += &format!("- {sentence}\n"));
        }
        text
    }
}

fn row_to_json(row: &Row) -> Value {
    let figure = |figure: Option<Figure>| figure.map(|figure| json!([figure.value, figure.error(), figure.unit]));
    let interval = |figure: Option<Figure>| figure.and_then(|figure| figure.interval);
    let differs = match row.comparison() {
        Comparison::Differ => Some(true),
        Comparison::Agree => Some(false),
        Comparison::TooFew | Comparison::Unknown => None,
    };
    json!({
        "what": row.what,
        "paper": figure(row.paper),
        "ours": figure(row.ours),
        "paper_interval": interval(row.paper),
        "ours_interval": interval(row.ours),
        "note": row.note,
        "sample": row.sample,
        "comparison": row.comparison(),
        "differs": differs,
    })
}

#[cfg(test)]
mod tests;
