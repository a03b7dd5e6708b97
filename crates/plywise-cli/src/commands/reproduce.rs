//! `plywise reproduce`: the papers' tables, each by one command.

mod answers;
mod tables;

use crate::arguments::{DEFAULT_PROFILE, parse_movetime, parse_nodes};
use crate::games::Games;
use crate::runs::RunArgs;
use crate::table::{DataArgs, Format, Sheet};
use crate::{Failure, Result, document, files};
use clap::Args;
use plywise_game::parameters::nearest_name;
use plywise_game::pgn::write_date;
use plywise_search::{Signal, TimeControl};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tables::tables;

/// Regenerate a table of the papers: their figures beside ours, with errors, settings and the commands
///
/// Without a name, all tables are listed. A table is made of other commands of this program, which are shown: run one of
/// them to look closer. With --run what is finished is kept, and the same command goes on with it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise reproduce
  plywise reproduce rps-1
  plywise reproduce rps-3 --scale 0.5 --run runs/rps-3 -o rps-3.md
  plywise reproduce erps-6 --scale 0.01 --nodes 500")]
pub struct Arguments {
    /// The table
    pub table: Option<String>,
    /// How much of it: the share of the positions and games, from minutes to the whole
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_scale)]
    pub scale: f64,
    /// A folder with the papers' suites, which we may not ship; without it our own take their place
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Play matches with so many nodes a move instead of by the clock: the same games on every machine, however busy
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,
    /// Play matches with so many milliseconds a move instead of the table's clock
    #[arg(long, value_name = "MS", conflicts_with = "nodes", value_parser = parse_movetime)]
    pub movetime: Option<Duration>,
    /// Play matches by this clock, in seconds, instead of the table's: 60+0.6, or 40/60 for so many moves
    #[arg(long, value_name = "[MOVES/]BASE[+INC]", conflicts_with_all = ["nodes", "movetime"])]
    pub tc: Option<TimeControl>,
    /// Who stands for the papers' opponents, Fruit and Crafty: a profile, or uci:COMMAND
    #[arg(long, value_name = "PLAYER", default_value = DEFAULT_PROFILE)]
    pub opponent: String,
    /// How many positions or games at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Write the table to this file, as Markdown
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
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

/// A table of a paper.
struct Table {
    name: &'static str,
    paper: &'static str,
    what: &'static str,
    /// The commands that it is made of.
    steps: fn(&Wanted) -> Vec<Step>,
    /// What they came to, beside what the paper has.
    rows: fn(&[Value]) -> Vec<Compared>,
    /// What must be known to compare the two.
    conditions: &'static str,
}

/// A command of this program: its words, with FILE for the suite and MADE/NAME for a file that one step makes for others.
struct Step {
    words: String,
    suite: Option<Suite>,
    /// It only makes a file, and has nothing to say.
    makes: bool,
}

impl Step {
    fn alone(words: String) -> Step {
        Step { words, suite: None, makes: false }
    }

    fn on(suite: Suite, words: String) -> Step {
        Step { words, suite: Some(suite), makes: false }
    }

    fn making(words: String) -> Step {
        Step { words, suite: None, makes: true }
    }

    /// Its words with these files, and MADE/ replaced.
    fn words(&self, suite: &str, made: &str) -> Vec<String> {
        let with_files = |word: String| if word == "FILE" { suite.to_string() } else { word.replace("MADE/", made) };
        shlex::split(&self.words).unwrap_or_default().into_iter().map(with_files).collect()
    }

    /// Whether the command can do several things at once.
    fn takes_jobs(&self) -> bool {
        ["suite", "match", "learn", "evolve", "forge"].iter().any(|name| self.words.starts_with(name))
    }

    /// Whether the command can go on where it stopped.
    fn resumes(&self) -> bool {
        self.takes_jobs() || self.words.starts_with("gather")
    }
}

/// A suite of a paper, and ours in its place.
#[derive(Clone, Copy)]
struct Suite {
    /// What the file is called in the folder of `--data`.
    file: &'static str,
    /// Where it comes from.
    source: &'static str,
    /// How many positions or games it has.
    size: u64,
    /// The name of ours, which comes with the game.
    ours: Option<&'static str>,
}

/// How much of a table is wanted, and under which conditions.
struct Wanted {
    share: f64,
    /// The folder with the papers' suites.
    data: Option<PathBuf>,
    /// Nodes a move instead of a clock.
    nodes: Option<u64>,
    /// Another clock than the table's, as an argument.
    clock: Option<String>,
    opponent: String,
}

impl Wanted {
    /// A share of the games, in pairs.
    fn games(&self, whole: u64) -> u64 {
        (((whole as f64 * self.share) / 2.0).round() as u64).max(1) * 2
    }

    /// A share of the positions.
    fn positions(&self, whole: u64) -> u64 {
        ((whole as f64 * self.share).round() as u64).max(2)
    }

    /// Of depths that take ever longer, those that fit.
    fn depths(&self, depths: &[i32]) -> Vec<i32> {
        let fit = match self.share {
            share if share < 0.2 => 1,
            share if share < 0.5 => 2,
            _ => depths.len(),
        };
        depths.iter().copied().take(fit).collect()
    }

    /// The limits of a match: this clock, unless others are wanted.
    fn limits(&self, clock: &str) -> String {
        let nodes = self.nodes.map(|nodes| format!("--nodes {nodes}"));
        nodes.or_else(|| self.clock.clone()).unwrap_or_else(|| clock.to_string())
    }

    /// Whether a suite that the table can do without is there.
    fn has(&self, suite: &Suite) -> bool {
        self.data.as_ref().is_some_and(|folder| folder.join(suite.file).is_file())
    }
}

/// One figure: what the paper has, what we have, and how far each may be off.
struct Compared {
    what: String,
    paper: Option<Figure>,
    ours: Option<Figure>,
    /// What else there is to say.
    note: String,
    /// Whether the sample is large enough to say that the two differ.
    is_judged: bool,
}

/// With fewer positions or games than this, the normal approximation of an error means nothing, and nothing is judged.
const LEAST_SAMPLE: u64 = 30;

/// The fewest positions or games that any command of a table had.
fn smallest_sample(documents: &[Value]) -> Option<u64> {
    let size = |document: &Value| document["positions"].as_u64().or_else(|| document["games"].as_u64());
    documents.iter().filter_map(size).min()
}

/// A number, half its 95 % interval where it is known, and its unit.
#[derive(Clone, Copy)]
struct Figure {
    value: f64,
    error: f64,
    unit: &'static str,
}

impl Figure {
    fn exact(value: f64, unit: &'static str) -> Figure {
        Figure { value, error: 0.0, unit }
    }

    fn show(&self) -> String {
        let Figure { value, error, unit } = self;
        if *error > 0.0 { format!("{value:.1} ± {error:.1}{unit}") } else { format!("{value:.2}{unit}") }
    }
}

impl Compared {
    /// Whether the two differ by more than both errors, as far as that can be judged.
    fn differs(&self) -> bool {
        let (Some(paper), Some(ours), true) = (self.paper, self.ours, self.is_judged) else { return false };
        (paper.value - ours.value).abs() > paper.error + ours.error && (paper.error > 0.0 || ours.error > 0.0)
    }

    /// The sentence that says how the two differ, where they do by more than both errors.
    fn difference(&self) -> Option<String> {
        let (paper, ours) = (self.paper?, self.ours?);
        let more = if ours.value > paper.value { "more" } else { "less" };
        let by = (ours.value - paper.value).abs();
        let unit = if ours.unit == " %" { " points of percent" } else { ours.unit };
        let sentence = || format!("- {}: {by:.1}{unit} {more} here than in the paper.", self.what);
        self.differs().then(sentence)
    }

    fn to_json(&self) -> Value {
        let figure = |figure: Option<Figure>| figure.map(|Figure { value, error, unit }| json!([value, error, unit]));
        json!({"what": self.what, "paper": figure(self.paper), "ours": figure(self.ours), "note": self.note,
               "differs": self.is_judged.then(|| self.differs())})
    }
}

/// Lists the tables, or makes one.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let Some(name) = &args.table else { return list(args, out) };
    let table = tables().find(|table| table.name == name).ok_or_else(|| {
        let nearest = nearest_name(name, tables().map(|table| table.name.to_string()));
        let hint = nearest.map(|nearest| format!("; did you mean '{nearest}'?")).unwrap_or_default();
        Failure::input(format!("there is no table '{name}'{hint}; 'plywise reproduce' lists them"))
    })?;
    args.output.as_deref().map_or(Ok(()), files::check_writable)?;
    let (commands, documents) = make(games, args, table, stop)?;
    let mut rows = (table.rows)(&documents);
    let sample = smallest_sample(&documents);
    let is_enough = sample.is_none_or(|sample| sample >= LEAST_SAMPLE);
    rows.iter_mut().for_each(|row| row.is_judged &= is_enough);
    if args.json {
        let results = json!({
            "table": table.name,
            "paper": table.paper,
            "scale": args.scale,
            "sample": sample,
            "least_sample": LEAST_SAMPLE,
            "rows": rows.iter().map(Compared::to_json).collect::<Vec<_>>(),
            "commands": commands,
        });
        return document::write(out, COMMAND, None, results);
    }
    let text = markdown(args, table, &rows, sample, &commands);
    match &args.output {
        Some(path) => files::write(path, &text, out),
        None => Ok(out.write_all(text.as_bytes())?),
    }
}

fn list(args: &Arguments, out: &mut dyn Write) -> Result {
    if args.json {
        let row = |table: &Table| json!({"name": table.name, "paper": table.paper, "what": table.what});
        let results = json!({"tables": tables().map(row).collect::<Vec<_>>()});
        return document::write(out, COMMAND, None, results);
    }
    let mut sheet = Sheet::new(&["table", "paper", "what"], &[0, 1, 2]);
    tables().for_each(|table| sheet.add(vec![table.name.into(), table.paper.into(), table.what.into()]));
    Ok(write!(out, "{}", sheet.show(&Format::default()))?)
}

/// Runs the commands of a table; as they can be typed, and their documents.
fn make(games: Games, args: &Arguments, table: &Table, stop: &Signal) -> Result<(Vec<String>, Vec<Value>)> {
    let no_place = |error| Failure::Failed(format!("no place for files: {error}"));
    let scratch = tempfile::tempdir().map_err(no_place)?;
    // What one step makes for others stays with the run: there its name is the same when the run goes on.
    let made = args.run.run.as_ref().map_or(scratch.path().to_path_buf(), |run| run.join("made"));
    std::fs::create_dir_all(&made).map_err(no_place)?;
    let made = format!("{}/", made.display());
    let movetime = args.movetime.map(|time| format!("--movetime {}", time.as_millis()));
    let wanted = Wanted {
        share: args.scale,
        data: args.data.clone(),
        nodes: args.nodes,
        clock: movetime.or_else(|| args.tc.map(|clock| format!("--tc {clock}"))),
        opponent: args.opponent.clone(),
    };
    let (mut commands, mut documents) = (Vec::new(), Vec::new());
    for (number, step) in (table.steps)(&wanted).into_iter().enumerate() {
        let file = step.suite.map(|suite| suite.file(args.data.as_deref())).transpose()?;
        let shown = step.suite.map_or("", |suite| match suite.ours {
            Some(name) if args.data.is_none() => name,
            _ => suite.file,
        });
        let more = jobs(args, &step);
        commands.push(typed(&[step.words(shown, ""), more.clone()].concat()));
        let mut words = step.words(&file.unwrap_or_default(), &made);
        words.extend(more);
        if let Some(run) = args.run.run.as_ref().filter(|_| step.resumes()) {
            words.extend(["--run".into(), run.join(format!("step-{number}")).display().to_string()]);
            words.extend(args.run.resume_anyway.then(|| "--resume-anyway".to_string()));
        }
        if matches!(words.first().map(String::as_str), Some("suite" | "match")) {
            words.extend(args.run.words_for_workers());
        }
        if step.makes {
            run_words(games, &words, &mut Vec::new(), stop)?;
        } else {
            words.push("--json".into());
            documents.push(ask(games, &words, stop)?);
        }
        if stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
    }
    Ok((commands, documents))
}

/// A command as it is typed into a shell.
fn typed(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("plywise {}", words.join(" "))
}

/// A word that a shell, or [`Step::words`], reads as one.
fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| word.to_string(), |word| word.into_owned())
}

/// How many at the same time, where the command can do that.
fn jobs(args: &Arguments, step: &Step) -> Vec<String> {
    let jobs = args.jobs.filter(|_| step.takes_jobs() && !step.words.contains("--jobs"));
    jobs.map_or(Vec::new(), |jobs| vec!["--jobs".into(), jobs.to_string()])
}

/// What another command of this program answers.
fn ask(games: Games, words: &[String], stop: &Signal) -> Result<Value> {
    let mut answer = Vec::new();
    run_words(games, words, &mut answer, stop)?;
    let answer =
        serde_json::from_slice(&answer).map_err(|error| Failure::Failed(format!("'{}': {error}", words.join(" "))))?;
    answers::check(words, &answer)?;
    Ok(answer)
}

/// Runs another command of this program.
fn run_words(games: Games, words: &[String], out: &mut dyn Write, stop: &Signal) -> Result {
    let arguments = std::iter::once("plywise").chain(words.iter().map(String::as_str)).map(OsString::from);
    crate::cli::run_within(games, arguments, out, stop)
}

impl Suite {
    /// The file of the paper's suite, or the name of ours.
    fn file(&self, data: Option<&Path>) -> Result<String> {
        if let Some(folder) = data {
            let path = folder.join(self.file);
            if path.is_file() {
                return Ok(path.display().to_string());
            }
            let (file, source) = (self.file, self.source);
            return Err(Failure::input(format!("'{}' has no {file}: {source}", folder.display())));
        }
        let Suite { file, source, .. } = self;
        let needed = || Failure::input(format!("this table needs --data with {file}: {source}"));
        self.ours.map(str::to_owned).ok_or_else(needed)
    }
}

fn markdown(args: &Arguments, table: &Table, rows: &[Compared], sample: Option<u64>, commands: &[String]) -> String {
    let mut text = format!("## {}: {}\n\n{}. {}\n\n", table.name, table.what, table.paper, table.conditions);
    let mut sheet = Sheet::new(&["", "paper", "ours", ""], &[0, 3]);
    let show = |figure: Option<Figure>| figure.map_or("–".into(), |figure| figure.show());
    for row in rows {
        sheet.add(vec![row.what.clone(), show(row.paper), show(row.ours), row.note.clone()]);
    }
    text += &sheet.show(&Format { data: DataArgs::default(), markdown: true });
    let has_errors = rows.iter().flat_map(|row| [row.paper, row.ours]).flatten().any(|figure| figure.error > 0.0);
    let different: Vec<String> = rows.iter().filter_map(Compared::difference).collect();
    text += match has_errors {
        true => "\nErrors are half of a 95 % interval; of figures without ± none is known.",
        false => "\nNo errors are known of these figures.\n",
    };
    if let Some(sample) = sample.filter(|sample| *sample < LEAST_SAMPLE) {
        let _ = writeln!(
            text,
            " Nothing is judged: a part of the table rests on {sample} positions or games, and a verdict needs \
             {LEAST_SAMPLE}; raise --scale."
        );
    } else if different.is_empty() && has_errors {
        text += " No figure differs by more than both errors.\n";
    } else if !different.is_empty() {
        let _ = writeln!(text, " These differ by more than both errors:\n\n{}", different.join("\n"));
    }
    let (version, date) = (env!("CARGO_PKG_VERSION"), write_date(SystemTime::now()).replace('.', "-"));
    let _ = writeln!(text, "\nVersion {version}, scale {}, {date}:\n", args.scale);
    for command in commands {
        let _ = writeln!(text, "    {command}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_by_more_than_both_errors_is_said() {
        let figure = |value| Some(Figure { value, error: 1.0, unit: " %" });
        let compared = |ours| Compared {
            what: "nodes".into(),
            paper: figure(10.0),
            ours: figure(ours),
            note: String::new(),
            is_judged: true,
        };
        assert_eq!(compared(11.5).difference(), None);
        assert_eq!(
            compared(7.5).difference().as_deref(),
            Some("- nodes: 2.5 points of percent less here than in the paper.")
        );
        let unjudged = Compared { is_judged: false, ..compared(7.5) };
        assert_eq!((unjudged.difference(), &unjudged.to_json()["differs"]), (None, &Value::Null));
        let documents = [json!({"positions": 44}), json!({"games": 4}), json!({"rows": []})];
        assert_eq!(smallest_sample(&documents), Some(4));
    }

    #[test]
    fn every_table_has_a_name_of_its_own_and_steps_that_parse() {
        let names: Vec<&str> = tables().map(|table| table.name).collect();
        for (i, table) in tables().enumerate() {
            assert!(!names[..i].contains(&table.name), "{}", table.name);
            for step in (table.steps)(&wanted(0.01)) {
                assert!(shlex::split(&step.words).is_some_and(|words| words.len() > 1), "{}", step.words);
                assert_eq!(step.suite.is_some(), step.words.contains("FILE"), "{}", step.words);
                assert!(!step.makes || step.words.contains("-o MADE/"), "{}", step.words);
            }
        }
    }

    #[test]
    fn what_one_step_makes_another_reads() {
        for table in tables() {
            let mut made: Vec<String> = Vec::new();
            for step in (table.steps)(&wanted(0.01)) {
                let words = step.words("", "MADE/");
                for (i, word) in words.iter().enumerate() {
                    let Some((_, name)) = word.rsplit_once("MADE/") else { continue };
                    if words[i - 1] == "-o" {
                        made.push(name.to_string());
                    } else {
                        assert!(made.contains(&name.to_string()), "{}: who makes {name}?", table.name);
                    }
                }
            }
        }
    }

    #[test]
    fn a_share_keeps_pairs_and_never_nothing() {
        let games = |share, whole| wanted(share).games(whole);
        assert_eq!((games(0.05, 600), games(0.001, 600), games(1.0, 80)), (30, 2, 80));
        assert_eq!(wanted(0.001).positions(100), 2);
        assert_eq!(wanted(1.0).depths(&[8, 10, 12]), [8, 10, 12]);
        assert_eq!(wanted(0.1).depths(&[8, 10, 12]), [8]);
    }

    #[test]
    fn commands_can_be_typed() {
        let step = Step::alone(format!("match chess --b {}", quoted("uci:fruit --quiet")));
        assert_eq!(step.words("", ""), ["match", "chess", "--b", "uci:fruit --quiet"]);
        assert_eq!(typed(&step.words("", "")), "plywise match chess --b 'uci:fruit --quiet'");
    }

    #[test]
    fn nodes_and_other_clocks_stand_for_a_clock() {
        assert_eq!(wanted(1.0).limits("--tc 5+0.05"), "--tc 5+0.05");
        assert_eq!(Wanted { nodes: Some(500), ..wanted(1.0) }.limits("--tc 5+0.05"), "--nodes 500");
        let fast = Wanted { clock: Some("--movetime 20".into()), ..wanted(1.0) };
        assert_eq!(fast.limits("--tc 5+0.05"), "--movetime 20");
    }

    fn wanted(share: f64) -> Wanted {
        Wanted { share, data: None, nodes: None, clock: None, opponent: "best".into() }
    }
}
