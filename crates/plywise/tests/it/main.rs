//! The examples do what they claim, and their games pass the kit.

mod breakthrough;
mod connect_four;
mod embedding;
mod examples;
mod guide;
mod nim;
mod tic_tac_toe;

use plywise::{Evaluate, Game, Limits, Params, Profile, ProfiledGame, Report, Request, Searcher, Signal};

/// The parameters of a profile, without the settings of any game.
fn profile(name: &str) -> Params {
    Profile::named(name)
        .and_then(|profile| profile.params(ProfiledGame::plain("")))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What a fresh search finds.
fn search<G: Game>(params: Params, evaluate: impl Evaluate<G>, position: G::Position, depth: i32) -> Report<G::Move> {
    let mut searcher = Searcher::<G, _>::new(params, evaluate, 4).unwrap_or_else(|error| panic!("{error}"));
    searcher.search(&Request::new(position), &Limits::depth(depth), &Signal::new(), &mut ())
}
