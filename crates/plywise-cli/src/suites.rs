//! Test suites as commands name them: one that comes with the game, or a file.

use crate::commands::suite::PartArgs;
use crate::{Failure, Result, files};
use plywise_arena::suites::{Part, own_suites, read_part};
use plywise_host::{AnyGame, SuiteEntry};
use std::borrow::Cow;
use std::path::Path;

/// The text of a suite that comes with a game.
pub(crate) fn own(game: &dyn AnyGame, name: &str) -> Option<&'static str> {
    own_suites(game).into_iter().find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// The text of a suite of this name.
fn read_suite(game: &dyn AnyGame, name: &str) -> Result<Cow<'static, str>> {
    if let Some(text) = own(game, name) {
        return Ok(Cow::Borrowed(text));
    }
    let own = own_suites(game);
    files::read_text(name).map(Cow::Owned).map_err(|failure| match failure {
        Failure::Input(sentence) if !own.is_empty() && Path::new(name).extension().is_none() => {
            let names: Vec<String> = own.iter().map(|(name, _)| format!("'{name}'")).collect();
            Failure::Input(format!("{sentence}; the suites of {} are {}", game.title(), names.join(", ")))
        }
        failure => failure,
    })
}

/// The positions of a suite, or the part of them that is wanted.
pub(crate) fn read_entries(game: &dyn AnyGame, file: &str, part: &PartArgs, seed: u64) -> Result<Vec<SuiteEntry>> {
    let text = read_suite(game, file)?;
    let part = Part { half: part.half, sample: part.sample, seed };
    Ok(read_part(game, file, &text, &part)?)
}
