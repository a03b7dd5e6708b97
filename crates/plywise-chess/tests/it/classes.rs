//! Move classes.

use crate::{board, mv, random_games};
use plywise_chess::Chess;
use plywise_game::Game;

fn class(fen: &str, text: &str) -> usize {
    let board = board(fen);
    Chess::move_class(&board, mv(&board, text))
}

#[test]
fn classes_lie_below_their_count_and_most_occur() {
    let mut seen = vec![false; Chess::MOVE_CLASSES];
    random_games(40, |board, _| {
        Chess::moves(board, |mv| seen[Chess::move_class(board, mv)] = true);
    });
    // Some cannot occur, such as a king that loses an exchange; some are rare in random games.
    let occurring = seen.iter().filter(|seen| **seen).count();
    assert!(occurring * 3 >= Chess::MOVE_CLASSES * 2, "{occurring} of {}", Chess::MOVE_CLASSES);
}

#[test]
fn a_knight_for_a_bishop_is_an_even_exchange() {
    let knight_takes = "4k3/2p5/3b4/8/4N3/8/8/4K3 w - - 0 1";
    let losing = "4k3/2p5/3p4/8/4N3/8/8/4K3 w - - 0 1";
    let winning = "4k3/8/3b4/8/4N3/8/8/4K3 w - - 0 1";
    assert_ne!(class(knight_takes, "Nxd6+"), class(winning, "Nxd6+"));
    assert_ne!(class(losing, "Nxd6+"), class(winning, "Nxd6+"));
}

#[test]
fn classes_do_not_depend_on_the_colour() {
    let white = "r3k2r/pppq1ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPPQ1PPP/R3K2R w KQkq - 0 1";
    let black = "r3k2r/pppq1ppp/2n2n2/1B1pp3/3PP3/2N2N2/PPPQ1PPP/R3K2R b KQkq - 0 1";
    for (a, b) in [("O-O", "O-O"), ("O-O-O", "O-O-O"), ("exd5", "exd4"), ("a3", "a6"), ("Nxe5", "Nxe4"), ("Qe2", "Qe7")]
    {
        assert_eq!(class(white, a), class(black, b), "{a} and {b}");
    }
}

#[test]
fn features_tell_moves_apart() {
    let distinct = |fen, a, b| assert_ne!(class(fen, a), class(fen, b), "{a} and {b} in {fen}");
    let position = "r3k2r/1P4p1/8/3p1p2/4P3/2N5/6P1/R3K2R w KQkq - 0 1";
    distinct(position, "O-O", "O-O-O");
    distinct(position, "exd5", "Rxa8+");
    distinct(position, "bxa8=Q+", "b8=Q+");
    distinct(position, "b8=Q+", "b8=N");
    distinct(position, "Nb5", "Nb1");
    distinct(position, "g3", "g4");
}
