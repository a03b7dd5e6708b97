//! From arguments to a searcher, and the one observer that all commands share.

use crate::arguments::{ResourceArgs, SearchArgs, Setting};
use crate::games::{Playable, unknown_game};
use crate::memory::check_tables;
use crate::network::NamedNetwork;
use crate::{Failure, Result, files, network};
use plywise_game::parameters::{Parameter, ParameterError, Parameters, nearest_name};
use plywise_net::Judge;
use plywise_search::{
    Blueprint, ClassTable, Kept, Knowledge, Limits, Observer, Params, ProbCutTable, Profile, Progress, RankTable,
    Report, Request, RootMove, Searcher, Signal,
};
use std::path::Path;
use std::sync::Arc;

/// Everything that decides how a player of a game thinks.
pub struct Setup<G: Playable> {
    /// What people call it: the profile's name, or a variant of it.
    pub name: String,
    /// The parameters of the search.
    pub params: Params,
    /// The weights of the evaluation.
    pub weights: G::Weights,
    /// The network of the evaluation, if it has one.
    pub network: Option<NamedNetwork>,
    /// Tables from files, which take the place of the built-in ones.
    pub tables: Knowledge,
    /// The threads of one search.
    pub threads: usize,
    /// The size of the transposition table in MB.
    pub hash: usize,
}

// Derived, this would ask the game's own type to be `Clone`.
impl<G: Playable> Clone for Setup<G> {
    fn clone(&self) -> Setup<G> {
        let Setup { name, params, weights, network, tables, threads, hash } = self;
        Setup {
            name: name.clone(),
            params: params.clone(),
            weights: weights.clone(),
            network: network.clone(),
            tables: tables.clone(),
            threads: *threads,
            hash: *hash,
        }
    }
}

impl<G: Playable> Setup<G> {
    /// The setup that the arguments ask for.
    pub fn new(args: &SearchArgs) -> Result<Setup<G>> {
        Setup::of_profile(&args.profile, &args.resources)
    }

    /// A profile with the changes and resources of the arguments.
    pub fn of_profile(profile: &str, resources: &ResourceArgs) -> Result<Setup<G>> {
        let profile = load_profile::<G>(profile)?;
        let mut weights = G::Weights::default();
        profile.apply_to_evaluation(G::NAME, &mut weights)?;
        let params = profile.params(G::NAME)?;
        let ResourceArgs { threads, hash, ref set, ref table, ref network } = *resources;
        let tables = load_tables::<G>(table)?;
        let own = profile.network(G::NAME)?;
        let network = network.as_ref().or(own.as_ref()).map_or(Ok(None), |name| NamedNetwork::load::<G>(name))?;
        let mut setup = Setup { name: profile.name, params, weights, network, tables, threads, hash };
        set.iter().try_for_each(|setting| setup.apply(setting))?;
        Ok(setup)
    }

    /// Changes one parameter of the search or one weight of the evaluation.
    pub fn apply(&mut self, setting: &Setting) -> Result {
        let Setting { path, value } = setting;
        if path == NETWORK {
            self.network = NamedNetwork::load::<G>(value)?;
            return Ok(());
        }
        if path.starts_with(EVALUATION) {
            require_weights::<G>()?;
        }
        let result = match path.strip_prefix(EVALUATION) {
            Some(weight) => self.weights.set(weight, value).map_err(|error| error.within(EVALUATION)),
            None => self.params.set(path, value),
        };
        result.map_err(|error| match error {
            // The name may come from either set, whatever the one that was asked says.
            ParameterError::Unknown { path, .. } => {
                let nearest = nearest_name(&path, all_paths::<G>());
                ParameterError::Unknown { path, nearest }.into()
            }
            error => error.into(),
        })
    }

    /// A searcher of this kind, if memory suffices and no table is missing.
    pub fn searcher(&self) -> Result<Searcher<G, Judge<G>>> {
        let blueprint = self.blueprint()?;
        check_tables(self.hash, 1)?;
        Ok(blueprint.searcher()?)
    }

    /// Makes a searcher one of this kind, with nothing remembered; its threads and its table stay.
    pub fn teach(&self, searcher: &mut Searcher<G, Judge<G>>) -> Result {
        self.blueprint()?.teach(searcher);
        Ok(())
    }

    /// How it thinks, if no table is missing.
    pub fn blueprint(&self) -> Result<Blueprint<G, Judge<G>>> {
        Ok(Blueprint {
            search: G::SEARCH,
            params: self.params.clone(),
            evaluate: self.judge(),
            knowledge: self.knowledge()?,
            threads: self.threads,
            megabytes: self.hash,
        })
    }

    /// What people call its network; `off` where it has none.
    pub fn network_name(&self) -> &str {
        self.network.as_ref().map_or(network::OFF, |named| &named.name)
    }

    /// How it judges positions.
    pub fn judge(&self) -> Judge<G> {
        let network = self.network.as_ref().map(|named| named.network.clone());
        Judge::new(G::evaluation(self.weights.clone()), network)
    }

    /// The tables that the parameters ask for. A technique without its table would silently do nothing.
    pub fn knowledge(&self) -> Result<Knowledge> {
        let built_in = Knowledge::built_in::<G>(&self.params);
        let tables = self.tables.clone();
        let knowledge = Knowledge {
            rank_cut: tables.rank_cut.or(built_in.rank_cut),
            realization: tables.realization.or(built_in.realization),
            probcut: tables.probcut.or(built_in.probcut),
        };
        match knowledge.missing(&self.params) {
            None => Ok(knowledge),
            Some(technique) => {
                let sentence = format!("'{technique}' needs a table gathered for {}; give one with --table", G::NAME);
                Err(Failure::input(sentence))
            }
        }
    }
}

/// Fails where the evaluation of a game has no weights, for what cannot be done without.
pub fn require_weights<G: Playable>() -> Result {
    match G::Weights::declared().is_empty() {
        true => Err(Failure::input(format!("the evaluation of {} has no weights", G::TITLE))),
        false => Ok(()),
    }
}

/// The setting that names the network of the evaluation.
pub const NETWORK: &str = "evaluation.network";

/// Marks the weights of the evaluation among all parameters.
pub const EVALUATION: &str = "evaluation.";

fn all_paths<G: Playable>() -> Vec<String> {
    let search = Params::declared().iter().map(Parameter::path).collect::<Vec<_>>();
    let weights = G::Weights::declared();
    search.into_iter().chain(weights.iter().map(|weight| format!("{EVALUATION}{}", weight.path()))).collect()
}

/// A built-in profile, or one from a file where the name looks like one.
pub fn load_profile<G: Playable>(name: &str) -> Result<Profile> {
    if let Ok(profile) = Profile::named(name) {
        return Ok(profile);
    }
    let text = read_profile(name)?;
    let stem = Path::new(name).file_stem().map_or(name.into(), |stem| stem.to_string_lossy());
    let profile = Profile::parse(&stem, &text)?;
    check_games::<G>(&profile)?;
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

/// Refuses a profile with settings for a game that neither this program nor a built-in profile knows: most likely it is
/// misspelt.
fn check_games<G: Playable>(profile: &Profile) -> Result {
    let built_in = Profile::built_in();
    let mut known: Vec<&str> = built_in.iter().flat_map(Profile::games).chain([G::NAME]).collect();
    known.sort_unstable();
    known.dedup();
    match profile.games().find(|game| !known.contains(game)) {
        Some(game) => Err(Failure::input(format!("profile '{}': {}", profile.name, unknown_game(game, &known)))),
        None => Ok(()),
    }
}

/// The tables in files, each put where its kind belongs.
fn load_tables<G: Playable>(files: &[String]) -> Result<Knowledge> {
    let mut tables = Knowledge::default();
    for file in files {
        let text = files::read_text(file)?;
        let kind = text.parse::<toml::Table>().ok().and_then(|table| Some(table.get("kind")?.as_str()?.to_string()));
        match kind.as_deref() {
            Some(RankTable::KIND) => tables.rank_cut = Some(read_table::<G, _>(file, &text)?),
            Some(ClassTable::KIND) => tables.realization = Some(read_table::<G, _>(file, &text)?),
            Some(ProbCutTable::KIND) => tables.probcut = Some(read_table::<G, _>(file, &text)?),
            _ => return Err(Failure::input(format!("'{file}' is not a table that a learner wrote"))),
        }
    }
    Ok(tables)
}

fn read_table<G: Playable, T: Kept>(file: &str, text: &str) -> Result<Arc<T>> {
    let (table, _) = T::read(file, text, G::NAME, G::MOVE_CLASSES)?;
    Ok(Arc::new(table))
}

/// What a search reports while it runs.
pub enum Event<'a, M> {
    /// It has come further.
    Progress(&'a Progress<M>),
    /// It turns to a move at the root.
    RootMove(&'a RootMove<M>),
}

/// Hands the events of a search to a closure behind a pointer. They are rare, and one observer type for all commands
/// means that the search is compiled once for each game.
pub(crate) struct Watch<'a, M>(pub(crate) &'a mut dyn FnMut(Event<'_, M>));

impl<G: Playable> Observer<G> for Watch<'_, G::Move> {
    fn sees_nodes(&self) -> bool {
        false
    }

    fn progress(&mut self, progress: &Progress<G::Move>) {
        (self.0)(Event::Progress(progress));
    }

    fn root_move(&mut self, root_move: &RootMove<G::Move>) {
        (self.0)(Event::RootMove(root_move));
    }
}

/// Searches, and tells `each` what happens.
pub fn search<G: Playable>(
    searcher: &mut Searcher<G, Judge<G>>,
    request: &Request<G>,
    limits: &Limits,
    signal: &Signal,
    mut each: impl FnMut(Event<'_, G::Move>),
) -> Report<G::Move> {
    searcher.search(request, limits, signal, &mut Watch(&mut each))
}

/// The best move of a report; where the search was stopped before it had any, the first legal move.
pub fn best_move<G: Playable>(report: &Report<G::Move>, request: &Request<G>) -> Option<G::Move> {
    let first = || request.only.first().copied().or_else(|| G::legal_moves(&request.position).first().copied());
    report.best_move().or_else(first)
}
