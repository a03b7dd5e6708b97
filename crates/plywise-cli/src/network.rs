//! Networks as the command line names them: built in, in a file, or none.

use crate::Result;
use crate::engine::Disk;
use crate::games::Playable;
use plywise_host::{AnyGame, Hosted};
pub use plywise_host::{NETWORK_OFF as OFF, NamedNetwork, ZERO_NETWORK as NOTHING};
use std::path::Path;

/// Whether a name stands for something that needs no file.
pub fn is_built_in<G: Playable>(name: &str) -> bool {
    name == OFF || name == NOTHING || built_in::<G>(name).is_some()
}

/// The network of this name for a game; none for `off`.
pub fn load<G: Playable>(name: &str) -> Result<Option<NamedNetwork>> {
    Ok(NamedNetwork::load(&Hosted::<G>::new(), name, &Disk)?)
}

/// The bytes of a network that comes with the game.
fn built_in<G: Playable>(name: &str) -> Option<&'static [u8]> {
    G::NETWORKS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// The text of a profile with another place of its network's file.
pub fn renamed(profile: &str, name: &str, place: &Path) -> String {
    let place = toml::Value::from(place.to_string_lossy().as_ref()).to_string();
    let names = [toml::Value::from(name).to_string(), format!("\"{name}\""), format!("'{name}'")];
    let line = |line: &str| match line.contains("network") {
        true => names.iter().fold(line.to_owned(), |line, name| line.replace(name, &place)),
        false => line.to_owned(),
    };
    profile.lines().map(line).map(|line| line + "\n").collect()
}

/// The line of a profile that names a network, with the head of its section.
pub fn profile_lines(game: &dyn AnyGame, network: Option<&NamedNetwork>) -> String {
    let name = network.map_or(OFF, |network| &network.name);
    format!("\n[game.{}.evaluation]\nnetwork = {}\n", game.name(), toml::Value::from(name))
}
