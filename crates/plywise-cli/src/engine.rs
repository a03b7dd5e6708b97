//! From arguments to a searcher, and the one observer that all commands share.

use crate::arguments::{ResourceArgs, SearchArgs};
use crate::games::{Playable, unknown_game};
use crate::memory::check_tables;
use crate::{Failure, Result, files};
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, Files, HostError, Hosted};
pub use plywise_host::{EVALUATION, NETWORK, Setup};
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Observer, Profile, Progress, Report, Request, RootMove, Searcher, Signal};
use std::path::Path;
use std::sync::Arc;

/// A game as a value.
pub fn hosted<G: Playable>() -> Arc<dyn AnyGame> {
    Arc::new(Hosted::<G>::new())
}

/// The setup that the arguments ask for.
pub fn setup<G: Playable>(args: &SearchArgs) -> Result<Setup> {
    setup_of_profile::<G>(&args.profile, &args.resources)
}

/// A profile with the changes and resources of the arguments.
pub fn setup_of_profile<G: Playable>(profile: &str, resources: &ResourceArgs) -> Result<Setup> {
    setup_for(&Hosted::<G>::new(), profile, resources)
}

/// The same for a game as a value.
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

/// A setup for a game that is known by its type.
pub trait TypedSetup {
    /// A searcher of this kind, if memory suffices and no table is missing.
    fn searcher<G: Playable>(&self) -> Result<Searcher<G, NetworkEvaluation<G>>>;

    /// Makes a searcher one of this kind, with nothing remembered; its threads and its table stay.
    fn reconfigure<G: Playable>(&self, searcher: &mut Searcher<G, NetworkEvaluation<G>>) -> Result;
}

impl TypedSetup for Setup {
    fn searcher<G: Playable>(&self) -> Result<Searcher<G, NetworkEvaluation<G>>> {
        let blueprint = self.blueprint::<G>()?;
        check_tables(self.hash, 1)?;
        Ok(blueprint.searcher()?)
    }

    fn reconfigure<G: Playable>(&self, searcher: &mut Searcher<G, NetworkEvaluation<G>>) -> Result {
        self.blueprint::<G>()?.reconfigure(searcher);
        Ok(())
    }
}

/// Fails where the evaluation of a game has no weights, for what cannot be done without.
pub fn require_weights<G: Playable>() -> Result {
    match G::Weights::declared().is_empty() {
        true => Err(Failure::input(format!("the evaluation of {} has no weights", G::TITLE))),
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

/// Refuses a profile with settings for a game that neither this program nor a built-in profile knows: most likely it is
/// misspelt.
fn check_games(game: &dyn AnyGame, profile: &Profile) -> Result {
    let built_in = Profile::built_in();
    let mut known: Vec<&str> = built_in.iter().flat_map(Profile::games).chain([game.name()]).collect();
    known.sort_unstable();
    known.dedup();
    match profile.games().find(|game| !known.contains(game)) {
        Some(game) => Err(Failure::input(format!("profile '{}': {}", profile.name, unknown_game(game, &known)))),
        None => Ok(()),
    }
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
    searcher: &mut Searcher<G, NetworkEvaluation<G>>,
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
