//! What is published: who can build it, and where readers are sent.

use serde_json::Value;
use std::process::Command;

fn metadata() -> Value {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline"];
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What counts of a version, as numbers that can be compared.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').take(2).map(|number| number.parse().unwrap()).collect()
}

/// What we call std by is seen by a lint of Clippy; this sees what others need.
#[test]
fn the_oldest_compiler_that_we_promise_builds_all_that_we_depend_on() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let own = packages.iter().find(|package| package["name"] == "plywise").unwrap();
    let promised = numbers(own["rust_version"].as_str().unwrap());
    for package in packages {
        if let Some(needed) = package["rust_version"].as_str() {
            assert!(numbers(needed) <= promised, "{} {} needs {needed}", package["name"], package["version"]);
        }
    }
}

#[test]
fn every_package_says_what_it_is_and_where_to_read_on() {
    let metadata = metadata();
    let members = metadata["workspace_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter().filter(|package| members.contains(&package["id"]));
    let published: Vec<&Value> = packages.filter(|package| package["publish"].is_null()).collect();
    assert!(published.len() > 10);
    for package in published {
        for key in ["description", "license", "repository", "documentation"] {
            assert!(package[key].is_string(), "{} has no {key}", package["name"]);
        }
        for key in ["categories", "keywords"] {
            assert!(package[key].as_array().is_some_and(|list| !list.is_empty()), "{} has no {key}", package["name"]);
        }
    }
}
