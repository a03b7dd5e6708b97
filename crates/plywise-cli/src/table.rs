//! Tables of results, as text or as Markdown.

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};

/// How results are shown.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Format {
    /// One JSON document instead of text
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,
    /// Tables as Markdown
    #[arg(long)]
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

    #[test]
    fn numbers_stand_flush_right_and_markdown_has_bars() {
        let mut sheet = Sheet::new(&["name", "nodes"], &[0]);
        sheet.add(vec!["a".to_string(), "1".to_string()]);
        sheet.add(vec!["bb".to_string(), "100".to_string()]);
        assert_eq!(sheet.show(&Format::default()), " name  nodes\n a         1\n bb      100\n");
        let markdown = sheet.show(&Format { json: false, markdown: true });
        assert!(markdown.starts_with("| name | nodes |\n|---"), "{markdown}");
    }

    #[test]
    fn changes_are_in_percent() {
        assert_eq!(show_change(80.0, 100.0), "−20.0 %");
        assert_eq!(show_change(100.0, 100.0), "+0.0 %");
        assert_eq!(show_change(1.0, 0.0), "–");
    }
}
