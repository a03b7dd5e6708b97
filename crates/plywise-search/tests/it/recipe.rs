//! The recipe in docs/adding-a-technique.md shows code that is there, compiled and tested.

use std::fs;
use std::path::Path;

/// The code of the recipe, each piece with the file that the text before it links to.
fn pieces(recipe: &str) -> Vec<(String, Vec<String>)> {
    let (mut pieces, mut file, mut lines) = (Vec::new(), None, recipe.lines());
    while let Some(line) = lines.next() {
        for link in line.split("](../").skip(1).filter_map(|rest| rest.split(')').next()) {
            file = link.ends_with(".rs").then(|| link.to_string()).or(file);
        }
        if line == "```rust" {
            let piece = lines.by_ref().take_while(|line| *line != "```").map(str::to_string).collect();
            pieces.push((file.clone().expect("a link to the file before its code"), piece));
        }
    }
    pieces
}

/// Lines that matter, without their indentation: the recipe shows code further left than it stands.
fn bare<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    lines.map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_recipe_shows_code_that_is_there() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let recipe = fs::read_to_string(repository.join("docs/adding-a-technique.md")).unwrap();
    let pieces = pieces(&recipe);
    assert!(pieces.len() >= 5, "parameters, name, file, line and tests: {pieces:?}");
    for (file, piece) in pieces {
        let source = fs::read_to_string(repository.join(&file)).unwrap();
        let (source, piece) = (bare(source.lines()), bare(piece.iter().map(String::as_str)));
        let stands = source.windows(piece.len()).any(|lines| lines == piece);
        assert!(stands, "{file} has changed: the recipe shows\n{}", piece.join("\n"));
    }
}
