//! Networks as the command line names them: built in, in a file, or none.

use crate::games::Playable;
use crate::{Failure, Result, files};
use plywise_net::Network;
use std::path::Path;
use std::sync::Arc;

/// What stands for no network: the linear evaluation alone.
pub const OFF: &str = "off";

/// What stands for a network that finds every position even: a player who knows nothing but the rules.
pub const NOTHING: &str = "nothing";

/// A network and what the user calls it.
#[derive(Clone)]
pub struct NamedNetwork {
    /// A built-in name, or the path of a file.
    pub name: String,
    /// The network.
    pub network: Arc<Network>,
}

/// Whether a name stands for something that needs no file.
pub fn is_built_in<G: Playable>(name: &str) -> bool {
    name == OFF || name == NOTHING || built_in::<G>(name).is_some()
}

impl NamedNetwork {
    /// The network of this name for a game; none for `off`.
    pub fn load<G: Playable>(name: &str) -> Result<Option<NamedNetwork>> {
        if name == OFF {
            return Ok(None);
        }
        if G::FEATURES == 0 {
            return Err(Failure::input(format!("{} names no features that a network could look at", G::TITLE)));
        }
        let read = |bytes: &[u8]| {
            let network = Network::read(bytes, G::NAME, G::FEATURES);
            network.map_err(|error| Failure::input(format!("'{name}': {error}")))
        };
        let network = match (name, built_in::<G>(name)) {
            (NOTHING, _) => Network::nothing(G::NAME, G::FEATURES),
            (_, Some(bytes)) => read(bytes)?,
            (_, None) => {
                let path = Path::new(name);
                read(&files::read(path)?)?
            }
        };
        Ok(Some(NamedNetwork { name: name.to_string(), network: Arc::new(network) }))
    }
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
pub fn profile_lines<G: Playable>(network: Option<&NamedNetwork>) -> String {
    let name = network.map_or(OFF, |network| &network.name);
    format!("\n[game.{}.evaluation]\nnetwork = {}\n", G::NAME, toml::Value::from(name))
}
