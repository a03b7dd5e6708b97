//! From arguments to setups and engines.

use crate::arguments::ResourceArgs;
use crate::games::unknown_game;
use crate::memory::check_tables;
use crate::{Failure, Result, files};
use plywise_host::{AnyGame, Engine, Files, HostError};
pub use plywise_host::{EVALUATION, Setup};
use plywise_search::Profile;
use std::path::Path;

/// A profile with the changes and resources of the arguments.
pub fn setup_for(game: &dyn AnyGame, profile: &str, resources: &ResourceArgs) -> Result<Setup> {
    let ResourceArgs { threads, hash, ref set, ref table, ref network } = *resources;
    let profile = load_profile(game, profile)?;
    let mut setup = Setup { threads, hash, ..Setup::new(game, profile, network.as_deref(), &Disk)? };
    for file in table {
        setup.add_table(game, file, &files::read_text(file)?)?;
    }
    set.iter().try_for_each(|setting| setup.apply(game, setting, &Disk))?;
    Ok(setup)
}

/// An engine that thinks like a setup, if memory suffices and no table is missing.
pub fn new_engine(game: &dyn AnyGame, setup: &Setup) -> Result<Box<dyn Engine>> {
    game.knowledge(setup)?;
    check_tables(setup.hash, 1)?;
    Ok(game.engine(setup)?)
}

/// Files by their names on this machine.
pub struct Disk;

impl Files for Disk {
    fn read(&self, name: &str) -> Result<Vec<u8>, HostError> {
        files::read(Path::new(name)).map_err(|failure| match failure {
            Failure::Interrupted => HostError::Interrupted,
            failure => HostError::new(failure),
        })
    }
}

/// Fails where the evaluation of a game has no weights, for what cannot be done without.
pub fn require_weights(game: &dyn AnyGame) -> Result {
    match game.weights().is_empty() {
        true => Err(Failure::input(format!("the evaluation of {} has no weights", game.title()))),
        false => Ok(()),
    }
}

/// A built-in profile, or one from a file where the name looks like one.
pub fn load_profile(game: &dyn AnyGame, name: &str) -> Result<Profile> {
    if let Ok(profile) = Profile::named(name) {
        return Ok(profile);
    }
    let text = read_profile(name)?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let profile = Profile::parse(&stem, &text)?;
    check_games(game, &profile)?;
    Ok(profile)
}

/// The text of a profile in a file. A name that looks like no file is taken for a misspelt one of a built-in profile.
pub fn read_profile(name: &str) -> Result<String> {
    let looks_like_a_file = name.contains(['/', '\\']) || name.ends_with(".toml") || Path::new(name).is_file();
    match Profile::named(name) {
        Err(error) if !looks_like_a_file => Err(error.into()),
        _ => files::read_text(name),
    }
}

/// Refuses a profile with settings for a game that this program does not know: most likely the name is misspelt.
fn check_games(game: &dyn AnyGame, profile: &Profile) -> Result {
    #[cfg(feature = "games")]
    let built_in = plywise_host::games::NAMES;
    #[cfg(not(feature = "games"))]
    let built_in: &[&str] = &[];
    let mut known = built_in.to_vec();
    known.retain(|name| *name != game.name());
    known.push(game.name());
    match profile.games().find(|game| !known.contains(game)) {
        Some(game) => Err(Failure::input(format!("profile '{}': {}", profile.name, unknown_game(game, &known)))),
        None => Ok(()),
    }
}
