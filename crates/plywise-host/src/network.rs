use crate::{AnyGame, HostError};
use plywise_net::Network;
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
        let features = game.features();
        if features == 0 {
            return Err(HostError::new(format!("{} names no features that a network could look at", game.title())));
        }
        let network = match game.built_in_network(name) {
            _ if name == ZERO_NETWORK => Ok(Network::nothing(game.name(), features)),
            Some(bytes) => Network::read(bytes, game.name(), features),
            None => Network::read(&files.read(name)?, game.name(), features),
        };
        let network = network.map_err(|error| HostError::new(format!("'{name}': {error}")))?;
        Ok(Some(NamedNetwork { name: name.to_string(), network: Arc::new(network) }))
    }
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
