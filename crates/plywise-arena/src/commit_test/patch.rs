//! What tuning changes in an author's repository, as a patch that `git apply` takes.

use super::engine_file::{EngineFile, FILE_NAME};
use super::source::SourceTree;
use std::fmt::Write;

/// An option whose default changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the option.
    pub option: String,
    /// Its default so far.
    pub old: String,
    /// What was learned.
    pub new: String,
}

/// Lines around a change.
const CONTEXT: usize = 3;

/// The text of a `plywise-engine.toml` with other starts for its options; nothing where it is not written in the usual way,
/// a line for each key.
pub fn with_starts(text: &str, changes: &[Change]) -> Option<String> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].trim_start().starts_with('[')).collect();
    for (i, &from) in starts.iter().enumerate() {
        let to = starts.get(i + 1).copied().unwrap_or(lines.len());
        if !lines[from].trim_start().starts_with("[[option]]") {
            continue;
        }
        let key = |line: &str, wanted: &str| {
            let (key, value) = line.split_once('=')?;
            (key.trim() == wanted).then(|| value.split('#').next().unwrap_or_default().trim().to_owned())
        };
        let name = lines[from..to].iter().find_map(|line| key(line, "name"));
        let name = name.map(|name| name.trim_matches(['"', '\'']).to_owned());
        let Some(change) = changes.iter().find(|change| Some(&change.option) == name.as_ref()) else { continue };
        let line = lines[from..to].iter_mut().find(|line| key(line, "start").is_some())?;
        let value = key(line, "start")?;
        let at = line.find('=')? + 1;
        *line = format!("{}{}", &line[..at], line[at..].replacen(&value, &change.new, 1));
    }
    let text = lines.join("\n");
    let read = EngineFile::read(&text).ok()?;
    let is_there = |change: &Change| {
        let option = read.option.iter().find(|option| option.name == change.option);
        option.is_some_and(|option| option.start.is_some() && option.start == change.new.parse().ok())
    };
    changes.iter().all(is_there).then_some(text)
}

/// The patch for these changes: the starts in `plywise-engine.toml`, and each line of the source that has an option's name
/// and, once, its default. Also the options that no line of the source names in this way: the author must look for these.
pub fn patch(source: &SourceTree, changes: &[Change]) -> (String, Vec<String>) {
    let changes: Vec<Change> = changes.iter().filter(|change| change.old != change.new).cloned().collect();
    let (mut patch, mut found) = (String::new(), vec![false; changes.len()]);
    for (path, text) in source.texts() {
        let is_file = path == FILE_NAME || path.ends_with(&format!("/{FILE_NAME}"));
        let new = match is_file {
            true => with_starts(text, &changes).unwrap_or_else(|| text.to_owned()),
            false => with_defaults(text, &changes, &mut found),
        };
        patch += &difference(path, text, &new);
    }
    let missing = changes.into_iter().zip(found).filter(|(_, found)| !found).map(|(change, _)| change.option);
    (patch, missing.collect())
}

/// A source with other defaults.
fn with_defaults(text: &str, changes: &[Change], found: &mut [bool]) -> String {
    let mut whole = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        for (change, found) in changes.iter().zip(found.iter_mut()) {
            let words = words(&line);
            let is_named = words.iter().any(|&(_, word)| word == change.option);
            let places: Vec<usize> = words.iter().filter(|(_, word)| *word == change.old).map(|&(at, _)| at).collect();
            if let (true, &[at]) = (is_named, &places[..]) {
                line.replace_range(at..at + change.old.len(), &change.new);
                *found = true;
            }
        }
        whole += &line;
    }
    whole
}

/// The words and numbers of a line, with where they begin.
fn words(line: &str) -> Vec<(usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-');
    let mut words = Vec::new();
    let mut from = None;
    for (at, letter) in line.char_indices().chain([(line.len(), ' ')]) {
        match (is_part(letter), from) {
            (true, None) => from = Some(at),
            (false, Some(begun)) => {
                words.push((begun, &line[begun..at]));
                from = None;
            }
            _ => {}
        }
    }
    words
}

/// A unified difference between two texts of as many lines.
fn difference(path: &str, old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let changed: Vec<usize> = (0..old.len().min(new.len())).filter(|&i| old[i] != new[i]).collect();
    let mut text = String::new();
    let mut rest = &changed[..];
    while let Some(&first) = rest.first() {
        if text.is_empty() {
            let _ = write!(text, "--- a/{path}\n+++ b/{path}\n");
        }
        // Changes whose contexts touch share a hunk.
        let count = 1 + rest.windows(2).take_while(|pair| pair[1] - pair[0] <= 2 * CONTEXT).count();
        let from = first.saturating_sub(CONTEXT);
        let to = (rest[count - 1] + CONTEXT + 1).min(old.len());
        let _ = writeln!(text, "@@ -{0},{1} +{0},{1} @@", from + 1, to - from);
        let mut i = from;
        while i < to {
            let run = (i..to).take_while(|i| old[*i] != new[*i]).count();
            match run {
                0 => {
                    text += &line(' ', old[i]);
                    i += 1;
                }
                run => {
                    (i..i + run).for_each(|i| text += &line('-', old[i]));
                    (i..i + run).for_each(|i| text += &line('+', new[i]));
                    i += run;
                }
            }
        }
        rest = &rest[count..];
    }
    text
}

fn line(mark: char, text: &str) -> String {
    match text.strip_suffix('\n') {
        Some(text) => format!("{mark}{text}\n"),
        None => format!("{mark}{text}\n\\ No newline at end of file\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn change(option: &str, old: &str, new: &str) -> Change {
        Change { option: option.into(), old: old.into(), new: new.into() }
    }

    const FILE: &str = "# mine\n[engine]\nrun = \"./toy\"\n\n[[option]]\nname = \"Margin\" # in cp\nmin = 0\nmax = 100\n\
                        start = 40 # usual\n\n[[option]]\nname = 'Depth'\nmin = 1\nmax = 9\nstart=3\n";

    #[test]
    fn starts_change_and_nothing_else() {
        let text = with_starts(FILE, &[change("Depth", "3", "5"), change("Margin", "40", "44")]).unwrap();
        assert_eq!(text, FILE.replace("start = 40", "start = 44").replace("start=3", "start=5"));
        let inline = "option = [{ name = \"Margin\", min = 0, max = 9, start = 4 }]\n";
        assert_eq!(with_starts(inline, &[change("Margin", "4", "5")]), None);
    }

    #[test]
    fn git_applies_the_patch() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let source = "int a;\nint b;\nint c;\nint d;\nint Margin = 40;\nint e;\nint f;\nint g;\nint h;\n\
                      option(\"Margin\", 40, 0, 100);\nint both = Margin + 40 + 40;\nint Marginal = 40;\nend";
        std::fs::write(path("search.c"), source).unwrap();
        std::fs::write(path(FILE_NAME), FILE).unwrap();
        let tree = SourceTree::of_folder(folder.path(), None).unwrap();
        let (patch, missing) = patch(&tree, &[change("Margin", "40", "44"), change("Depth", "3", "5")]);
        assert_eq!(missing, ["Depth"]);
        std::fs::write(path("tuned.patch"), patch).unwrap();
        let applied = Command::new("git").args(["apply", "tuned.patch"]).current_dir(folder.path()).status().unwrap();
        assert!(applied.success());
        let expected = source.replace("int Margin = 40", "int Margin = 44").replace("\"Margin\", 40", "\"Margin\", 44");
        assert_eq!(std::fs::read_to_string(path("search.c")).unwrap(), expected);
        let file = FILE.replace("start = 40", "start = 44").replace("start=3", "start=5");
        assert_eq!(std::fs::read_to_string(path(FILE_NAME)).unwrap(), file);
    }

    #[test]
    fn what_stays_is_no_change() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), FILE).unwrap();
        let tree = SourceTree::of_folder(folder.path(), None).unwrap();
        assert_eq!(patch(&tree, &[change("Margin", "40", "40")]), (String::new(), Vec::new()));
    }
}
