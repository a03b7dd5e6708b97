//! The arguments of a command that name files: what a worker has to be sent, and nothing else.

use crate::engine::read_profile;
use crate::games::GameCommands;
use crate::network;
use crate::{Failure, Result};
use plywise_search::Profile;
use std::path::{Path, PathBuf};

/// An argument that names a file, or may name one.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    kind: Kind,
    name: Name<'a>,
}

/// What stands in an argument beside files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A file and nothing else.
    File,
    /// A built-in profile.
    Profile,
    /// A built-in network, or one of the words for none.
    Network,
    /// The word for the start of the game.
    Openings,
    /// A suite that comes with the game.
    Suite,
}

#[derive(Debug)]
enum Name<'a> {
    Text(&'a mut String),
    Path(&'a mut PathBuf),
}

impl<'a> Input<'a> {
    /// An argument that is a text.
    pub(crate) fn text(kind: Kind, name: &'a mut String) -> Input<'a> {
        Input { kind, name: Name::Text(name) }
    }

    /// An argument that is always a file.
    pub(crate) fn path(name: &'a mut PathBuf) -> Input<'a> {
        Input { kind: Kind::File, name: Name::Path(name) }
    }

    /// The file that it names. What is built in comes first, whatever files there are: so every machine decides alike.
    fn file(&self, game: &GameCommands) -> Option<PathBuf> {
        let text = match &self.name {
            Name::Path(path) => return Some(path.to_path_buf()),
            Name::Text(text) => text.as_str(),
        };
        let is_file = match self.kind {
            Kind::File => true,
            Kind::Profile => Profile::named(text).is_err(),
            Kind::Network => !(game.has_network)(text),
            Kind::Openings => text != crate::commands::matches::openings::START,
            Kind::Suite => (game.own_suite)(text).is_none(),
        };
        is_file.then(|| text.into())
    }

    fn set(&mut self, place: &Path) {
        match &mut self.name {
            Name::Path(path) => **path = place.to_owned(),
            Name::Text(text) => **text = place.to_string_lossy().into_owned(),
        }
    }
}

/// Goes through the files that arguments name, and those that profiles among them name, always in the same order: `move_to`
/// says where each is from now on.
pub(crate) fn move_files(
    inputs: Vec<Input>,
    game: &GameCommands,
    move_to: &mut dyn FnMut(PathBuf) -> Result<PathBuf>,
) -> Result {
    for mut input in inputs {
        let Some(file) = input.file(game) else { continue };
        let place = move_to(file)?;
        if input.kind == Kind::Profile {
            move_network(&place, game, move_to)?;
        }
        input.set(&place);
    }
    Ok(())
}

/// Goes on with the network that a profile names.
fn move_network(profile: &Path, game: &GameCommands, move_to: &mut dyn FnMut(PathBuf) -> Result<PathBuf>) -> Result {
    let text = read_profile(&profile.to_string_lossy())?;
    let Some(name) = Profile::parse(&profile.to_string_lossy(), &text)?.own_network(game.name) else { return Ok(()) };
    if (game.has_network)(&name) {
        return Ok(());
    }
    let place = move_to(PathBuf::from(&name))?;
    if place == Path::new(&name) {
        return Ok(());
    }
    let unwritable = |error| Failure::Failed(format!("cannot write '{}': {error}", profile.display()));
    std::fs::write(profile, network::renamed(&text, &name, &place)).map_err(unwritable)
}
