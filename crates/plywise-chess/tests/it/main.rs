//! Tests of the chess crate, by subject.

mod classes;
mod conformance;
mod evaluation;
mod exchange;
mod fen;
mod notation;
mod perft;
mod random;
mod rules;

use cozy_chess::{Board, Move};
use plywise_chess::Chess;
use plywise_game::random::Random;
use plywise_game::{Game, Notation};

/// The board of a FEN that the test knows to be legal.
#[track_caller]
fn board(fen: &str) -> Board {
    plywise_game::conformance::position::<Chess>(fen)
}

/// The move that a test knows to be legal.
fn mv(board: &Board, text: &str) -> Move {
    Chess::parse_move(board, text).unwrap_or_else(|error| panic!("{}: {error}", Chess::write_position(board)))
}

/// Where random games begin: classical chess, a position full of tactics, promotions, and Chess960.
const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/P1P1P1P1/8/2k5/5K2/8/1p1p1p1p/8 w - - 0 1",
    "bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w HChc - 0 1",
    "4k3/8/8/2pP4/8/8/8/1RR1KR1R w FC c6 0 1",
];

/// Plays `games` random games from every start, and shows each position and the move played there.
fn random_games(games: u64, mut each: impl FnMut(&Board, Move)) {
    const PLIES: usize = 120;
    for (fen, game) in STARTS.iter().flat_map(|fen| (0..games).map(move |game| (fen, game))) {
        let mut random = Random::stream(1, game);
        let mut position = board(fen);
        for _ in 0..PLIES {
            let Some(mv) = random.legal_move::<Chess>(&position) else { break };
            each(&position, mv);
            position = Chess::play(&position, mv);
        }
    }
}
