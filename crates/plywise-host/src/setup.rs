use crate::network::{Files, NETWORK_OFF, NamedNetwork, NoFiles, network_lines};
use crate::{AnyGame, Playable, Weights};
use plywise_game::NotationError;
use plywise_game::parameters::{Parameter, ParameterError, Parameters, nearest_name};
use plywise_net::NetworkEvaluation;
use plywise_search::{
    Blueprint, ClassTable, Knowledge, LearnedTable, Params, PriceTable, ProbCutTable, Profile, ProfileError, RankTable,
    TableError, TableTooLarge, write_groups, write_profile,
};
use std::str::FromStr;
use std::sync::Arc;

/// Why the host cannot do what it was asked for: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// What was asked for cannot be done.
    #[error("{0}")]
    Input(String),
    /// The user interrupted the reading of a file.
    #[error("interrupted while a file was read")]
    Interrupted,
}

impl HostError {
    /// A mistake in what was asked for.
    pub fn new(sentence: impl ToString) -> HostError {
        HostError::Input(sentence.to_string())
    }
}

macro_rules! host_errors {
    ($($Error:ty),*) => {
        $(impl From<$Error> for HostError {
            fn from(error: $Error) -> HostError {
                HostError::new(error)
            }
        })*
    };
}

host_errors!(NotationError, ParameterError, ProfileError, TableError, TableTooLarge);

/// Everything that decides how a player of a game thinks.
#[derive(Clone, Debug)]
pub struct Setup {
    /// What people call it: the profile's name, or a variant of it.
    pub name: String,
    /// The parameters of the search.
    pub params: Params,
    /// The weights of the evaluation.
    pub weights: Weights,
    /// The network of the evaluation, if it has one.
    pub network: Option<NamedNetwork>,
    /// Tables from files, which take the place of the built-in ones.
    pub tables: Knowledge,
    /// The threads of one search.
    pub threads: usize,
    /// The size of the transposition table in MB.
    pub hash: usize,
}

/// One change to the parameters of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name of the parameter.
    pub path: String,
    /// Its value as text.
    pub value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (path, value) = text.split_once('=').ok_or("a setting is written group.name=value")?;
        Ok(Setting { path: path.trim().to_string(), value: value.trim().to_string() })
    }
}

/// The setting that names the network of the evaluation.
pub const NETWORK: &str = "evaluation.network";

/// Marks the weights of the evaluation among all parameters.
pub const EVALUATION: &str = "evaluation.";

/// The table of a setup unless somebody says, in MB.
const DEFAULT_HASH: usize = 64;

impl Setup {
    /// A built-in profile with one thread and 64 MB.
    pub fn of_profile(game: &dyn AnyGame, profile: &str) -> Result<Setup, HostError> {
        Setup::new(game, Profile::named(profile)?, None, &NoFiles)
    }

    /// A profile with one thread and 64 MB, with this network instead of its own, if one is named. `files` reads a network
    /// that is not built in.
    pub fn new(
        game: &dyn AnyGame,
        profile: Profile,
        network: Option<&str>,
        files: &dyn Files,
    ) -> Result<Setup, HostError> {
        let mut weights = game.weights();
        profile.apply_to_evaluation(game.profiled(), &mut weights)?;
        let params = profile.params(game.profiled())?;
        let own = profile.network(game.profiled())?;
        let network = network.or(own.as_deref()).map_or(Ok(None), |name| NamedNetwork::load(game, name, files))?;
        let (tables, name) = (Knowledge::default(), profile.name);
        Ok(Setup { name, params, weights, network, tables, threads: 1, hash: DEFAULT_HASH })
    }

    /// The parameters and weights as they are declared, without a network, one thread and 64 MB.
    pub(crate) fn linear(game: &dyn AnyGame) -> Setup {
        Setup {
            name: String::new(),
            params: Params::default(),
            weights: game.weights(),
            network: None,
            tables: Knowledge::default(),
            threads: 1,
            hash: DEFAULT_HASH,
        }
    }

    /// Changes one parameter of the search, one weight of the evaluation, or its network.
    pub fn apply(&mut self, game: &dyn AnyGame, setting: &Setting, files: &dyn Files) -> Result<(), HostError> {
        let Setting { path, value } = setting;
        if path == NETWORK {
            self.network = NamedNetwork::load(game, value, files)?;
            return Ok(());
        }
        let result = match path.strip_prefix(EVALUATION) {
            Some(_) if self.weights.is_empty() => {
                return Err(HostError::new(format!("the evaluation of {} has no weights", game.title())));
            }
            Some(weight) => self.weights.set(weight, value).map_err(|error| error.within(EVALUATION)),
            None => self.params.set(path, value),
        };
        result.map_err(|error| match error {
            // The name may come from either set, whatever the one that was asked says.
            ParameterError::Unknown { path, .. } => {
                let nearest = nearest_name(&path, self.paths());
                ParameterError::Unknown { path, nearest }.into()
            }
            error => error.into(),
        })
    }

    /// Uses a table that a learner wrote to `file` instead of the built-in one of its kind.
    pub fn add_table(&mut self, game: &dyn AnyGame, file: &str, text: &str) -> Result<(), HostError> {
        fn read<T: LearnedTable>(game: &dyn AnyGame, file: &str, text: &str) -> Result<Option<Arc<T>>, HostError> {
            let (table, _) = T::read(file, text, game.name(), game.move_classes())?;
            Ok(Some(Arc::new(table)))
        }
        let kind = text.parse::<toml::Table>().ok().and_then(|table| Some(table.get("kind")?.as_str()?.to_string()));
        match kind.as_deref() {
            Some(RankTable::KIND) => self.tables.rank_cut = read(game, file, text)?,
            Some(ClassTable::KIND) => self.tables.realization = read(game, file, text)?,
            Some(ProbCutTable::KIND) => self.tables.probcut = read(game, file, text)?,
            Some(PriceTable::KIND) => self.tables.prices = read(game, file, text)?,
            _ => return Err(HostError::new(format!("'{file}' is not a table that a learner wrote"))),
        }
        Ok(())
    }

    /// What people call its network; `off` where it has none.
    pub fn network_name(&self) -> &str {
        self.network.as_ref().map_or(NETWORK_OFF, |named| &named.name)
    }

    /// Its parameters, weights and network as a profile file.
    pub fn to_profile(&self, game: &dyn AnyGame, description: &str) -> String {
        let weights = write_groups(&format!("game.{}.evaluation", game.name()), &self.weights);
        let network = network_lines(game, self.network.as_ref());
        write_profile(description, None, &(write_groups("search", &self.params) + &network + &weights))
    }

    /// In what it differs from the built-in profile of its name, as [settings](Setting); nothing if there is no such profile.
    pub fn changes(&self, game: &dyn AnyGame) -> Vec<String> {
        let mut weights = game.weights();
        let plain = Profile::named(&self.name).and_then(|profile| {
            profile.apply_to_evaluation(game.profiled(), &mut weights)?;
            Ok((profile.params(game.profiled())?, profile.network(game.profiled())?))
        });
        let Ok((params, network)) = plain else { return Vec::new() };
        let mut changed = differences("", &params, &self.params);
        changed.extend(differences(EVALUATION, &weights, &self.weights));
        let own = self.network.as_ref().map(|network| network.name.as_str());
        if own != network.as_deref().filter(|name| *name != NETWORK_OFF) {
            changed.push(format!("{NETWORK}={}", own.unwrap_or(NETWORK_OFF)));
        }
        changed
    }

    fn paths(&self) -> Vec<String> {
        let search = self.params.list().into_iter().map(|parameter| parameter.path());
        let weights = self.weights.list();
        search.chain(weights.iter().map(|weight| format!("{EVALUATION}{}", Parameter::path(weight)))).collect()
    }

    /// How it thinks, for a game that is known by its type, if no table is missing. For learners' kernels; everything else
    /// asks for an [`Engine`](crate::Engine).
    pub fn blueprint<G: Playable>(&self) -> Result<Blueprint<G, NetworkEvaluation<G>>, HostError> {
        Ok(Blueprint {
            search: G::SEARCH,
            params: self.params.clone(),
            evaluate: self.evaluation::<G>(),
            knowledge: self.knowledge::<G>()?,
            threads: self.threads,
            megabytes: self.hash,
        })
    }

    /// How it evaluates positions of a game that is known by its type.
    pub fn evaluation<G: Playable>(&self) -> NetworkEvaluation<G> {
        let network = self.network.as_ref().map(|named| named.network.clone());
        NetworkEvaluation::new(G::evaluation(self.weights.to_typed()), network)
    }

    /// The tables that the parameters ask for. A technique without its table would silently do nothing.
    pub fn knowledge<G: Playable>(&self) -> Result<Knowledge, HostError> {
        let built_in = Knowledge::built_in::<G>(&self.params);
        let tables = self.tables.clone();
        let knowledge = Knowledge {
            rank_cut: tables.rank_cut.or(built_in.rank_cut),
            realization: tables.realization.or(built_in.realization),
            probcut: tables.probcut.or(built_in.probcut),
            prices: tables.prices.or(built_in.prices),
        };
        match knowledge.missing(&self.params) {
            None => Ok(knowledge),
            Some(technique) => Err(HostError::new(format!(
                "'{technique}' needs a table gathered for {}; give one with --table",
                G::NAME
            ))),
        }
    }
}

/// The parameters that have other values than in `plain`, as settings.
fn differences<P: Parameters>(prefix: &str, plain: &P, changed: &P) -> Vec<String> {
    let mut before = Vec::new();
    plain.visit(&mut |_, value| before.push(value));
    let (mut before, mut found) = (before.into_iter(), Vec::new());
    changed.visit(&mut |parameter, value| {
        if before.next() != Some(value) {
            let value = if parameter.is_bool { (value != 0).to_string() } else { value.to_string() };
            found.push(format!("{prefix}{}={value}", parameter.path()));
        }
    });
    found
}
