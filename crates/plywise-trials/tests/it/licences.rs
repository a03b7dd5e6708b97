//! What plywise is built from is what `licences.toml` allows.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

#[derive(serde::Deserialize)]
struct Rules {
    allowed: Vec<String>,
    advisory: Vec<Advisory>,
}

#[derive(serde::Deserialize)]
struct Advisory {
    id: String,
    package: String,
    /// The first version without the fault.
    below: Option<String>,
    /// Why it is lived with.
    accepted: Option<String>,
}

fn rules() -> Rules {
    toml::from_str(&std::fs::read_to_string(Path::new(ROOT).join("licences.toml")).unwrap()).unwrap()
}

/// Every package that a build of the workspace in a folder may need, or at least a build on this machine where the others
/// were never fetched; and whether these are all.
fn packages(folder: &Path) -> Option<(Vec<Value>, bool)> {
    let metadata = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--offline", "--locked", "--format-version", "1"]).args(arguments);
        let output = command.current_dir(folder).output().unwrap();
        output.status.success().then_some(output.stdout)
    };
    let host = format!("{}-unknown-{}-gnu", std::env::consts::ARCH, std::env::consts::OS);
    let everywhere = metadata(&[]);
    let are_all = everywhere.is_some();
    let document = everywhere.or_else(|| metadata(&["--filter-platform", &host]))?;
    let document: Value = serde_json::from_slice(&document).unwrap();
    Some((document["packages"].as_array().unwrap().clone(), are_all))
}

/// What is wrong with a package.
fn complaints(rules: &Rules, name: &str, version: &str, licence: &str, source: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if source != CRATES_IO {
        complaints.push(format!("{name} {version} comes from {source}"));
    }
    if !is_allowed(licence, &rules.allowed) {
        complaints.push(format!("{name} {version} is under '{licence}'"));
    }
    for advisory in rules.advisory.iter().filter(|advisory| advisory.package == name) {
        let is_bad =
            advisory.below.as_ref().map_or(advisory.accepted.is_none(), |below| numbers(version) < numbers(below));
        if is_bad {
            complaints.push(format!("{name} {version} has the fault {}", advisory.id));
        }
    }
    complaints
}

/// Whether an SPDX expression can be met with licences that are allowed.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = &words[..];
    alternative(&mut rest, allowed) && rest.is_empty()
}

fn alternative(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = together(words, allowed);
    while let ["OR", rest @ ..] = words {
        *words = rest;
        holds |= together(words, allowed);
    }
    holds
}

fn together(words: &mut &[&str], allowed: &[String]) -> bool {
    let mut holds = single(words, allowed);
    while let ["AND", rest @ ..] = words {
        *words = rest;
        holds &= single(words, allowed);
    }
    holds
}

fn single(words: &mut &[&str], allowed: &[String]) -> bool {
    let (name, rest) = match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let holds = alternative(words, allowed);
            let [")", rest @ ..] = *words else { return false };
            *words = rest;
            return holds;
        }
        [name, "WITH", exception, rest @ ..] => (format!("{name} WITH {exception}"), rest),
        [name, rest @ ..] => (name.to_string(), rest),
        [] => return false,
    };
    *words = rest;
    allowed.contains(&name)
}

/// The three numbers of a version.
fn numbers(version: &str) -> Vec<u64> {
    let number = |part: &str| part.parse().unwrap_or_else(|_| panic!("'{version}' is not a plain version"));
    version.split(['-', '+']).next().unwrap_or_default().split('.').map(number).collect()
}

#[test]
fn every_package_is_allowed() {
    let rules = rules();
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_string();
    let (mut packages, are_all) = packages(Path::new(ROOT)).expect("cargo metadata works");
    assert!(packages.len() > 50, "cargo metadata lists the dependencies");
    // Without a build of the Python package, its dependencies are not there.
    packages.extend(self::packages(&Path::new(ROOT).join("python")).unwrap_or_default().0);
    let ours = |package: &&Value| package["source"].is_null();
    let complaints: Vec<String> = packages
        .iter()
        .filter(|package| !ours(package))
        .flat_map(|package| {
            let [name, version, licence, source] =
                ["name", "version", "license", "source"].map(|key| text(package, key));
            complaints(&rules, &name, &version, &licence, &source)
        })
        .collect();
    assert!(complaints.is_empty(), "see licences.toml:\n{}", complaints.join("\n"));
    for package in packages.iter().filter(ours) {
        assert_eq!(text(package, "license"), "MIT OR Apache-2.0", "{}", package["name"]);
    }
    for advisory in &rules.advisory {
        let is_used = packages.iter().any(|package| text(package, "name") == advisory.package);
        assert!(is_used || !are_all, "{} is no longer needed for {}", advisory.id, advisory.package);
    }
}

#[test]
fn what_is_not_allowed_is_found() {
    let rules = rules();
    let check =
        |version: &str, licence: &str, source: &str| complaints(&rules, "shlex", version, licence, source).len();
    assert_eq!(check("1.3.0", "MIT OR Apache-2.0", CRATES_IO), 0);
    assert_eq!(check("1.2.9", "MIT OR Apache-2.0", CRATES_IO), 1);
    assert_eq!(check("1.3.0", "GPL-3.0-or-later", CRATES_IO), 1);
    assert_eq!(check("1.3.0", "MIT", "git+https://example.org/shlex"), 1);
    for (licence, is_fine) in [
        ("MIT/Apache-2.0", true),
        ("MIT OR Apache-2.0 OR LGPL-2.1-or-later", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND GPL-2.0", false),
        ("", false),
        ("MIT OR", true),
    ] {
        assert_eq!(is_allowed(licence, &rules.allowed), is_fine, "{licence}");
    }
}
