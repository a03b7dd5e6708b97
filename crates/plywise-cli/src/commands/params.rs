//! `plywise params`: every parameter, from its one declaration.

use crate::engine::EVALUATION;
use crate::games::Games;
use crate::table::{Format, write_csv};
use crate::{Result, document};
use clap::Args;
use plywise_game::parameters::{Parameter, Parameters};
use plywise_host::AnyGame;
use plywise_search::Params;
use serde_json::{Value, json};
use std::io::{self, Write};

/// List every parameter of the search and of the games' evaluations: name, range, default, meaning
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise params loa
  plywise params --markdown > docs/parameters.md")]
pub struct Arguments {
    /// The game whose evaluation is listed after the search [default: all games]
    pub game: Option<String>,
    #[command(flatten)]
    pub format: Format,
}

/// Lists the parameters.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut sections = vec![Section::new("Search".to_string(), "", Params::declared())];
    sections.extend(games.selected(args.game.as_deref())?.iter().map(|game| Section::of_evaluation(&**game)));
    let rows = || sections.iter().flat_map(Section::to_json);
    if args.format.data.csv {
        return write_csv(out, rows());
    }
    if args.format.data.json {
        return document::write(out, "params", None, json!({"parameters": rows().collect::<Vec<_>>()}));
    }
    if args.format.markdown {
        return Ok(write_markdown(&sections, out)?);
    }
    Ok(sections.iter().try_for_each(|section| write_text(section, out))?)
}

/// The parameters of the search, or the weights of a game.
struct Section {
    title: String,
    /// What stands before the names in `--set`.
    prefix: &'static str,
    rows: Vec<Row>,
}

/// A parameter, or a list of them that share a name.
struct Row {
    first: Parameter,
    defaults: Vec<i32>,
}

impl Section {
    fn of_evaluation(game: &dyn AnyGame) -> Section {
        Section::new(format!("Evaluation of {}", game.title()), EVALUATION, game.weights().list())
    }

    fn new(title: String, prefix: &'static str, declared: Vec<Parameter>) -> Section {
        let mut rows: Vec<Row> = Vec::new();
        for parameter in declared {
            match rows.last_mut() {
                Some(row) if parameter.index > Some(0) => row.defaults.push(parameter.default),
                _ => rows.push(Row { first: parameter, defaults: vec![parameter.default] }),
            }
        }
        Section { title, prefix, rows }
    }

    fn to_json(&self) -> impl Iterator<Item = Value> {
        self.rows.iter().map(|row| {
            let Parameter { min, max, doc, is_bool, index, .. } = row.first;
            let default = if index.is_some() { json!(row.defaults) } else { json!(row.defaults[0]) };
            json!({
                "section": self.title,
                "name": row.name(self.prefix),
                "min": min,
                "max": max,
                "default": default,
                "switch": is_bool,
                "meaning": doc,
            })
        })
    }

    /// The rows of each group, in the order of declaration.
    fn groups(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.first.group == b.first.group)
    }
}

impl Row {
    /// The name by which it is set; `N` stands for the place in a list.
    fn name(&self, prefix: &str) -> String {
        let Parameter { group, name, index, .. } = self.first;
        format!("{prefix}{group}.{name}{}", if index.is_some() { ".N" } else { "" })
    }

    fn range(&self) -> String {
        if self.first.is_bool { "on, off".to_string() } else { format!("{} to {}", self.first.min, self.first.max) }
    }

    fn default(&self) -> String {
        let show = |value: &i32| match (self.first.is_bool, value) {
            (true, 0) => "off".to_string(),
            (true, _) => "on".to_string(),
            (false, value) => value.to_string(),
        };
        self.defaults.iter().map(show).collect::<Vec<_>>().join(", ")
    }
}

fn write_text(section: &Section, out: &mut dyn Write) -> io::Result<()> {
    let width = section.rows.iter().map(|row| row.name(section.prefix).len()).max().unwrap_or(0);
    writeln!(out, "{}\n{}", section.title, "=".repeat(section.title.len()))?;
    for group in section.groups() {
        writeln!(out, "\n{}", group[0].first.group_doc)?;
        for row in group {
            let (name, range) = (row.name(section.prefix), row.range());
            writeln!(out, "  {name:width$}  {range:>14}  {}  ({})", row.first.doc, row.default())?;
        }
    }
    writeln!(out)
}

const INTRODUCTION: &str = "\
# Parameters

Every number that the search and the evaluations use, from the one place where it is declared. Set one with
`--set NAME=VALUE`, over UCI with `setoption name NAME value VALUE`, or in a profile file (`plywise profiles NAME` shows
one). In a list, `N` is the place, from 0. The defaults are those of the declaration; profiles change them.

This file is generated: `plywise params --markdown > docs/parameters.md`. A test keeps it true.
";

fn write_markdown(sections: &[Section], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{INTRODUCTION}")?;
    for section in sections {
        writeln!(out, "\n## {}", section.title)?;
        for group in section.groups() {
            writeln!(out, "\n### {}\n\n{}\n", group[0].first.group, group[0].first.group_doc)?;
            writeln!(out, "| name | range | default | meaning |\n| --- | --- | --- | --- |")?;
            for row in group {
                let (name, range, default) = (row.name(section.prefix), row.range(), row.default());
                let meaning = row.first.doc.replace('|', "\\|");
                writeln!(out, "| `{name}` | {range} | {default} | {meaning} |")?;
            }
        }
    }
    Ok(())
}
