//! Networks of real games: evaluated, kept in files, trained.

mod data;
mod evaluation;
mod file;
mod samples;
mod train;

use plywise_game::random::Random;
use plywise_game::{BoardGame, Score};
use plywise_net::data::{GameResult, PackedGame, Ply};
use plywise_net::{FloatNetwork, Network, Role};

/// A network with random weights.
fn network<G: BoardGame>(width: usize, role: Role, seed: u64) -> Network {
    FloatNetwork::new(G::FEATURES, width, role, 400.0, seed).quantise(G::NAME, "random weights")
}

/// The positions of a random game.
fn random_line<G: BoardGame>(seed: u64) -> Vec<G::Position> {
    Random::new(seed).game::<G>(G::start(), 120)
}

/// A random game, in which a search would have seen these scores.
fn random_game<G: BoardGame>(seed: u64, score: impl Fn(&G::Position) -> Option<Score>) -> PackedGame {
    let mut random = Random::new(seed);
    let mut position = G::start();
    let mut game = PackedGame { start: G::write_position(&position), ..PackedGame::default() };
    for _ in 0..120 {
        let Some(mv) = random.legal_move::<G>(&position) else { break };
        game.plies.push(Ply::new(G::move_code(mv), score(&position)));
        position = G::play(&position, mv);
    }
    game.result = *random.pick(&[GameResult::First, GameResult::Draw, GameResult::Second]).unwrap();
    game
}
