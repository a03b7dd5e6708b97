//! Generated documentation is true.

use crate::{output, repository_file};

#[test]
fn the_list_of_parameters_is_true() {
    let generated = output("params --markdown");
    assert!(
        generated == repository_file("docs/parameters.md"),
        "docs/parameters.md is out of date: cargo run --release -- params --markdown > docs/parameters.md"
    );
}
