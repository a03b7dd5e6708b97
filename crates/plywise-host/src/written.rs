use crate::network::{NamedNetwork, NoFiles};
use crate::{AnyGame, HostError, NETWORK_OFF, Setup};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use plywise_net::Network;
use plywise_search::{LearnedTable, Origin, Profile, write_groups, write_profile};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A setup as plain data: it can be stored, compared and sent to another machine, and names no file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenSetup {
    /// What people call it.
    pub name: String,
    /// Every parameter of the search and every weight of the evaluation, as a profile file has them.
    profile: String,
    /// The network of the evaluation, if it has one.
    network: Option<WrittenNetwork>,
    /// The tables that do not come with the game, as files have them.
    tables: Vec<String>,
    /// The threads of one search.
    pub threads: usize,
    /// The size of the transposition table in MB.
    pub hash: usize,
}

/// A network as plain data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WrittenNetwork {
    name: String,
    /// Its file in base 64.
    file: String,
}

impl WrittenSetup {
    /// Writes a setup for a game down.
    pub fn of(game: &dyn AnyGame, setup: &Setup) -> WrittenSetup {
        let weights = write_groups(&format!("game.{}.evaluation", game.name()), &setup.weights);
        let profile = write_profile("", None, &(write_groups("search", &setup.params) + &weights));
        let network = setup.network.as_ref().map(|named| WrittenNetwork {
            name: named.name.clone(),
            file: BASE64_STANDARD.encode(named.network.to_bytes()),
        });
        let tables = &setup.tables;
        let tables = [
            tables.rank_cut.as_deref().map(|table| write_table(game, table)),
            tables.realization.as_deref().map(|table| write_table(game, table)),
            tables.probcut.as_deref().map(|table| write_table(game, table)),
            tables.prices.as_deref().map(|table| write_table(game, table)),
        ];
        WrittenSetup {
            name: setup.name.clone(),
            profile,
            network,
            tables: tables.into_iter().flatten().collect(),
            threads: setup.threads,
            hash: setup.hash,
        }
    }

    /// The setup for this game.
    pub fn read(&self, game: &dyn AnyGame) -> Result<Setup, HostError> {
        let profile = Profile::parse(&self.name, &self.profile)?;
        let mut setup = Setup::new(game, profile, Some(NETWORK_OFF), &NoFiles)?;
        if let Some(WrittenNetwork { name, file }) = &self.network {
            let bytes = BASE64_STANDARD.decode(file).map_err(|error| HostError::new(format!("'{name}': {error}")))?;
            let network = Network::read(&bytes, game.name(), &game.sight())
                .map_err(|error| HostError::new(format!("'{name}': {error}")))?;
            setup.network = Some(NamedNetwork { name: name.clone(), network: Arc::new(network) });
        }
        self.tables.iter().try_for_each(|text| setup.add_table(game, "a table of the setup", text))?;
        Ok(Setup { threads: self.threads, hash: self.hash, ..setup })
    }
}

fn write_table(game: &dyn AnyGame, table: &impl LearnedTable) -> String {
    table.write(&Origin { game: game.name().to_owned(), settings: String::new(), samples: 0 })
}
