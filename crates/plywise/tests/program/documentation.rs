//! Generated documentation is true.

use crate::{output, repository_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

#[test]
fn the_list_of_parameters_is_true() {
    let generated = output("params --markdown");
    assert!(
        generated == repository_file("docs/parameters.md"),
        "docs/parameters.md is out of date: cargo run --release -- params --markdown > docs/parameters.md"
    );
}

/// Links between documents lead to files that are there, and to headings that they have.
#[test]
fn every_link_between_documents_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut documents: Vec<PathBuf> = ["README.md", "CHANGELOG.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .iter()
        .map(PathBuf::from)
        .chain([PathBuf::from("crates/plywise/guide.md")])
        .collect();
    for folder in ["docs", "docs/results"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let files = files.map(|name| Path::new(folder).join(name));
        documents.extend(files.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    let texts: BTreeMap<PathBuf, String> =
        documents.into_iter().map(|path| (path.clone(), std::fs::read_to_string(root.join(&path)).unwrap())).collect();
    let headings: BTreeMap<&PathBuf, BTreeSet<String>> =
        texts.iter().map(|(path, text)| (path, text.lines().filter_map(anchor).collect())).collect();
    let (mut dead, mut count) = (Vec::new(), 0);
    for (path, text) in &texts {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") || link.contains(char::is_whitespace) {
                continue;
            }
            count += 1;
            let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let target = match file {
                "" => path.clone(),
                file => plain(&path.parent().unwrap().join(file)),
            };
            let known = headings.get(&target);
            let is_there = known.is_some() || root.join(&target).exists();
            if !is_there || known.zip(heading).is_some_and(|(known, heading)| !known.contains(heading)) {
                dead.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(count > 50 && dead.is_empty(), "{count} links; dead: {dead:#?}");
}

/// What a link calls a heading.
fn anchor(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = heading.to_lowercase().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>();
    Some(kept.trim().replace(' ', "-"))
}

/// The path without steps up and down again.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}
