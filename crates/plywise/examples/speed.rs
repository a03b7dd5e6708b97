//! How many nodes a second the search itself manages: plain alpha-beta from the start, with the number of moves as the
//! evaluation, so that little else is measured. `benches/against_open_spiel.py` runs it for its comparison.
//!
//!     cargo run --release -p plywise --example speed --features loa,othello -- loa 6
#![allow(clippy::print_stdout)]

use plywise::loa::Loa;
use plywise::othello::Othello;
use plywise::{Evaluate, Game, Limits, Profile, ProfiledGame, Request, Score, Searcher, Signal};
use std::error::Error;

/// The moves of the side to move: plain enough for every library.
#[derive(Clone, Copy)]
struct Mobility;

impl<G: Game> Evaluate<G> for Mobility {
    fn evaluate(&mut self, position: &G::Position) -> Score {
        G::move_count(position) as Score
    }
}

/// Nodes and seconds of a search from the start.
fn measure<G: Game>(depth: i32) -> Result<(u64, f64), Box<dyn Error>> {
    let mut params = Profile::named("alphabeta")?.params(ProfiledGame::plain(""))?;
    params.quiescence.enabled = false;
    let mut searcher = Searcher::<G, _>::new(params, Mobility, 1)?;
    let report = searcher.search(&Request::new(G::start()), &Limits::depth(depth), &Signal::new(), &mut ());
    Ok((report.nodes, report.time.as_secs_f64()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, depth] = &arguments[..] else { return Err("which game, loa or othello, and how deep?".into()) };
    let (nodes, seconds) = match game.as_str() {
        "loa" => measure::<Loa>(depth.parse()?)?,
        "othello" => measure::<Othello>(depth.parse()?)?,
        unknown => return Err(format!("no game '{unknown}': loa or othello").into()),
    };
    println!("{nodes} {seconds:.6}");
    Ok(())
}
