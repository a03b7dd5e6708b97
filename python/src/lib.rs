//! The compiled part of the Python package `plywise`: positions, searchers, commands and trees behind a few plain types.
//!
//! What Python sees of plywise is written in Python, in `package/plywise`; it asks for everything in the words of the
//! command line, and gets back what `--json` prints.

mod command;
mod ending;
mod games;
mod objects;
mod position;
mod python_game;
mod rules;
mod searcher;
mod tree;
mod waiting;

use plywise_cli::embed::{self, Program};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The module `plywise._plywise`.
#[pymodule]
fn _plywise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    embed::show_progress(false);
    module.add("PlywiseError", module.py().get_type::<objects::PlywiseError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<command::PyCommand>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<searcher::PySearcher>()?;
    module.add_class::<tree::Tree>()?;
    module.add_function(wrap_pyfunction!(python_game::check, module)?)?;
    module.add_function(wrap_pyfunction!(searcher::show_limits, module)?)?;
    module.add_function(wrap_pyfunction!(ending::abandon, module)?)?;
    module.add_function(wrap_pyfunction!(introduce, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    Ok(())
}

/// Tells plywise how Python starts it: work that needs another process of it begins one.
#[pyfunction]
fn introduce(command: PathBuf, arguments: Vec<String>, file: PathBuf) {
    embed::introduce(Program { command, arguments, file });
}

/// The command line of plywise in this process, which ends after it.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<String>) -> u8 {
    embed::show_progress(true);
    let words = ["plywise".to_string()].into_iter().chain(words).map(Into::into);
    py.detach(|| embed::main_inside(&plywise_cli::built_in(), words))
}
