//! The tests of the learners, and of the techniques with the tables that come with plywise.

mod amounts;
mod control;
mod data;
mod imitation;
mod jobs;
mod learners;
mod samples;
mod spsa;
mod switches;
mod train;

use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Score, Side};
use plywise_learn::data::{PackedGame, Ply};

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
    game.result =
        *random.pick(&[GameResult::Win(Side::First), GameResult::Draw, GameResult::Win(Side::Second)]).unwrap();
    game
}
