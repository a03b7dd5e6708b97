//! Tables of results: as text, as Markdown, or as comma-separated values.

use crate::Result;
use clap::Args;
use comfy_table::{CellAlignment, Row, Table, presets};
use serde_json::{Value, json};
use std::io::Write;

/// How results are written for other programs.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct DataArgs {
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
    /// The table as comma-separated values instead of text, in the words and units of --json
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

impl DataArgs {
    /// Whether people read the output.
    pub fn is_text(&self) -> bool {
        !self.json && !self.csv
    }
}

/// How results are shown.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Format {
    #[command(flatten)]
    pub data: DataArgs,
    /// Tables as Markdown
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    pub markdown: bool,
}

/// A table of results.
pub struct Sheet(Table);

impl Sheet {
    /// An empty table. Columns hold numbers, flush right, except those in `texts`.
    pub fn new(columns: &[&str], texts: &[usize]) -> Sheet {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(columns);
        for (i, column) in table.column_iter_mut().enumerate() {
            let is_text = texts.contains(&i);
            column.set_cell_alignment(if is_text { CellAlignment::Left } else { CellAlignment::Right });
        }
        Sheet(table)
    }

    /// Adds a row with a cell for each column.
    pub fn add(&mut self, cells: Vec<String>) {
        self.0.add_row(cells);
    }

    /// The table as data: its columns, and the texts of its cells.
    pub fn to_json(&self) -> Value {
        let texts = |row: &Row| row.cell_iter().map(|cell| cell.content()).collect::<Vec<_>>();
        let columns = self.0.header().map_or(Vec::new(), texts);
        json!({"columns": columns, "rows": self.0.row_iter().map(texts).collect::<Vec<_>>()})
    }

    /// The table as text with a newline at its end.
    pub fn show(&self, format: &Format) -> String {
        let mut table = self.0.clone();
        if format.markdown {
            table.load_style(presets::ASCII_MARKDOWN);
        }
        let lines: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        lines
    }
}

/// Writes rows that JSON documents hold as comma-separated values, with their keys as the header. Keys of inner objects
/// are joined by dots, and lists by spaces.
pub fn write_csv(out: &mut dyn Write, rows: impl IntoIterator<Item = Value>) -> Result {
    let rows: Vec<Vec<(String, String)>> = rows.into_iter().map(|row| fields("", &row)).collect();
    let mut columns: Vec<&str> = Vec::new();
    for (name, _) in rows.iter().flatten() {
        if !columns.contains(&name.as_str()) {
            columns.push(name);
        }
    }
    if columns.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}", columns.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(","))?;
    for row in &rows {
        let value = |column: &&str| row.iter().find(|(name, _)| name == column).map_or("", |(_, value)| value);
        writeln!(out, "{}", columns.iter().map(|column| quoted(value(column))).collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}

/// The names and values of a row.
fn fields(name: &str, value: &Value) -> Vec<(String, String)> {
    let Value::Object(keys) = value else { return vec![(name.to_string(), plain(value))] };
    let inner = |key: &str| if name.is_empty() { key.to_string() } else { format!("{name}.{key}") };
    keys.iter().flat_map(|(key, value)| fields(&inner(key), value)).collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" "),
        value => value.to_string(),
    }
}

/// A field with quotes around it where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

/// The change from `first` to `value` in percent: `−12.3 %`.
pub fn show_change(value: f64, first: f64) -> String {
    if first == 0.0 {
        return "–".to_string();
    }
    let percent = 100.0 * (value - first) / first;
    // Typographic minus signs line up with the plus signs.
    format!("{percent:+.1} %").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_stand_flush_right_and_markdown_has_bars() {
        let mut sheet = Sheet::new(&["name", "nodes"], &[0]);
        sheet.add(vec!["a".to_string(), "1".to_string()]);
        sheet.add(vec!["bb".to_string(), "100".to_string()]);
        assert_eq!(sheet.show(&Format::default()), " name  nodes\n a         1\n bb      100\n");
        let markdown = sheet.show(&Format { markdown: true, ..Format::default() });
        assert!(markdown.starts_with("| name | nodes |\n|---"), "{markdown}");
    }

    #[test]
    fn rows_become_comma_separated_values() {
        let mut out = Vec::new();
        let rows = [
            json!({"name": "a, \"b\"", "nodes": 1000, "pv": ["e4", "e5"], "sprt": {"llr": -0.5}}),
            json!({"name": "c", "nodes": null, "solved": true}),
        ];
        write_csv(&mut out, rows).unwrap();
        let expected = "name,nodes,pv,sprt.llr,solved\n\"a, \"\"b\"\"\",1000,e4 e5,-0.5,\nc,,,,true\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn changes_are_in_percent() {
        assert_eq!(show_change(80.0, 100.0), "−20.0 %");
        assert_eq!(show_change(100.0, 100.0), "+0.0 %");
        assert_eq!(show_change(1.0, 0.0), "–");
    }
}
