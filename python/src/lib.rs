//! The compiled part of the Python package `plywise`: positions, searchers, commands and trees behind a few plain types.
//!
//! What Python sees of plywise is written in Python, in `package/plywise`; it asks for everything in the words of the
//! command line, and gets back what `--json` prints.

mod games;
mod line;
mod mind;
mod objects;
mod python_game;
mod rules;
mod task;
mod tree;
mod waiting;

use pyo3::prelude::*;

/// The module `plywise._plywise`.
#[pymodule]
fn _plywise(module: &Bound<'_, PyModule>) -> PyResult<()> {
    plywise_cli::embed::keep_quiet();
    module.add("PlywiseError", module.py().get_type::<objects::PlywiseError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<line::Line>()?;
    module.add_class::<mind::Mind>()?;
    module.add_class::<task::Task>()?;
    module.add_class::<tree::Tree>()?;
    module.add_function(wrap_pyfunction!(python_game::check, module)?)?;
    Ok(())
}
