//! The guide as a page: `guide.md` says what `src/guide.rs` says, for browsers that show files.

use std::path::Path;

const SOURCE: &str = include_str!("../../src/guide.rs");
const PAGE: &str = include_str!("../../guide.md");

#[test]
fn the_page_is_the_guide() {
    assert!(page() == PAGE.replace("\r\n", "\n"), "renew guide.md: cargo test -p plywise renew_the_page -- --ignored");
}

#[test]
#[ignore = "it writes guide.md"]
fn renew_the_page() -> std::io::Result<()> {
    std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("guide.md"), page())
}

/// The comments of the guide, chapter by chapter, without what only the documentation's tests and links need.
fn page() -> String {
    let chapters: Vec<&str> = SOURCE.lines().filter_map(chapter_name).collect();
    let mut page =
        "# Guide to plywise\n\n<!-- Made from src/guide.rs by a test, tests/it/guide.rs. -->\n\n".to_string();
    let mut chapter: Vec<String> = Vec::new();
    let mut block = Block::Text;
    for line in SOURCE.lines() {
        if let Some(name) = chapter_name(line) {
            page += &format!("\n## {}\n\n{}\n", title(name), chapter.join("\n"));
            chapter.clear();
        } else if let Some(text) = line.strip_prefix("//!") {
            page += &(block.rendered(strip(text), &chapters).unwrap_or_default() + "\n");
        } else if let Some(text) = line.strip_prefix("///") {
            chapter.extend(block.rendered(strip(text), &chapters));
        } else if let Some(path) =
            line.strip_prefix("#[doc = include_str!(\"").and_then(|rest| rest.strip_suffix("\")]"))
        {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
            chapter.push(std::fs::read_to_string(file).expect("an example").trim_end().to_string());
        }
    }
    page
}

fn strip(text: &str) -> &str {
    text.strip_prefix(' ').unwrap_or(text)
}

fn chapter_name(line: &str) -> Option<&str> {
    line.strip_prefix("pub mod ")?.strip_suffix(" {}")
}

fn title(chapter: &str) -> String {
    let words = chapter.replace('_', " ");
    words[..1].to_uppercase() + &words[1..]
}

/// What a line stands in.
enum Block {
    Text,
    Rust,
    Other,
}

impl Block {
    /// The line as a browser should show it, if at all.
    fn rendered(&mut self, line: &str, chapters: &[&str]) -> Option<String> {
        match (&self, line.strip_prefix("```")) {
            (Block::Text, Some("" | "no_run")) => {
                *self = Block::Rust;
                Some("```rust".to_string())
            }
            (Block::Text, Some(_)) => {
                *self = Block::Other;
                Some(line.to_string())
            }
            (Block::Text, None) => Some(with_plain_links(line, chapters)),
            (_, Some(_)) => {
                *self = Block::Text;
                Some(line.to_string())
            }
            // Lines that the documentation hides.
            (Block::Rust, None) if line == "#" || line.starts_with("# ") => None,
            (_, None) => Some(line.to_string()),
        }
    }
}

/// Links to chapters become links within the page; links to items, which only the documentation has, become words.
fn with_plain_links(line: &str, chapters: &[&str]) -> String {
    let mut line = line.to_string();
    for chapter in chapters {
        let anchor = title(chapter).to_lowercase().replace(' ', "-");
        line = line.replace(&format!("[`{chapter}`]"), &format!("[{}](#{anchor})", title(chapter)));
    }
    while let Some(end) = line.find("](crate::") {
        let begin = line[..end].rfind('[').expect("a link begins");
        let rest = line[end..].find(')').expect("a link ends");
        line = format!("{}{}{}", &line[..begin], &line[begin + 1..end], &line[end + rest + 1..]);
    }
    line
}
