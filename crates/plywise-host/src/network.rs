use crate::{AnyGame, HostError};
use plywise_net::Network;
use std::fmt::Display;
use std::sync::Arc;

/// The name that stands for no network: the linear evaluation alone.
pub const NETWORK_OFF: &str = "off";

/// The name of a network that finds every position even: a player who knows nothing but the rules.
pub const ZERO_NETWORK: &str = "nothing";

/// A network and what the user calls it.
#[derive(Clone, Debug)]
pub struct NamedNetwork {
    /// A built-in name, or the name of a file.
    pub name: String,
    /// The network.
    pub network: Arc<Network>,
}

impl NamedNetwork {
    /// The network of this name for a game, none for `off`. A name that is not built in is read by `files`.
    pub fn load(game: &dyn AnyGame, name: &str, files: &dyn Files) -> Result<Option<NamedNetwork>, HostError> {
        if name == NETWORK_OFF {
            return Ok(None);
        }
        let sight = game.sight();
        if sight.features == 0 {
            return Err(HostError::new(format!("{} names no features that a network could look at", game.title())));
        }
        let unusable = |error: &dyn Display| HostError::new(format!("'{name}': {error}"));
        let read = |bytes: &[u8]| Network::read(bytes, game.name(), &sight).map_err(|error| unusable(&error));
        let network = match game.built_in_network(name) {
            _ if name == ZERO_NETWORK => Network::nothing(game.name(), &sight).map_err(|error| unusable(&error))?,
            Some(bytes) => read(bytes)?,
            None => read(&files.read(name)?)?,
        };
        Ok(Some(NamedNetwork { name: name.to_string(), network: Arc::new(network) }))
    }
}

/// The line of a profile that names a network, with the head of its section.
pub fn network_lines(game: &dyn AnyGame, network: Option<&NamedNetwork>) -> String {
    let name = network.map_or(NETWORK_OFF, |network| &network.name);
    format!("\n[game.{}.evaluation]\nnetwork = {}\n", game.name(), toml::Value::from(name))
}

/// Where the files come from that settings name: the disk, or what was sent along with a job.
pub trait Files {
    /// The bytes of a file.
    fn read(&self, name: &str) -> Result<Vec<u8>, HostError>;
}

/// No file at all: every name must be built in.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, HostError> {
        Err(HostError::new(format!("'{name}' is not built in, and files cannot be read here")))
    }
}
