//! Move paths counted against references. The counts below were found with two independent generators.

use crate::board;
use plywise_chess::Chess;
use plywise_game::{Game, divide, perft};

/// A position, what it is about, and its perft from one ply on.
type Case = (&'static str, &'static str, &'static [u64]);

const CLASSICAL: &[Case] = &[
    ("the start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8902, 197281]),
    (
        "everything at once",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862, 4085603],
    ),
    ("a rook behind en passant", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238, 674624]),
    (
        "promotions and checks",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467, 422333],
    ),
    (
        "a pawn that takes into promotion",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62379, 2103487],
    ),
    (
        "a quiet middlegame",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89890],
    ),
    ("castling both ways", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", &[26, 568, 13744, 314346]),
    ("half of the castling rights", "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1", &[25, 525, 12619, 287806]),
    ("b1 attacked: long castling is legal", "4k3/1r6/8/8/8/8/8/R3K2R w KQ - 0 1", &[26, 452, 11229, 178115]),
    ("f1 attacked: short castling is not", "4k3/8/8/5r2/8/8/8/R3K2R w KQ - 0 1", &[23, 396, 9308, 150983]),
    ("en passant would open the rank", "8/8/8/KPp4r/8/8/8/7k w - c6 0 1", &[4, 56, 259, 4225, 23591]),
    ("en passant against a check", "8/8/8/1kPp4/8/8/8/4K2B w - d6 0 1", &[11, 86, 1088, 6863, 92924]),
    ("a double step into a pin", "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", &[18, 92, 1670, 10138, 185429]),
    ("en passant on a bishop's diagonal", "8/8/4k3/8/2pP4/8/8/B3K3 b - d3 0 1", &[9, 73, 548, 5489, 40685]),
    ("eight pawns about to promote", "8/P1P1P1P1/8/2k5/5K2/8/1p1p1p1p/8 w - - 0 1", &[24, 518, 12912, 309725]),
    ("promotion by capture", "n1r5/1P1k4/8/8/8/8/4K1p1/5B1R b - - 0 1", &[34, 742, 18906, 418646]),
    ("a pinned knight", "7k/8/8/8/1b6/2N5/3K4/8 w - - 0 1", &[7, 70, 865, 10651, 122022]),
    ("a rook pinned along its file", "4q2k/8/8/8/4R3/8/4K3/8 w - - 0 1", &[13, 235, 3652, 76918]),
    ("a pin, and castling beside it", "4k3/8/8/8/1b5r/8/3N4/R3K3 w Q - 0 1", &[15, 350, 5495, 131802]),
    ("a cross-check with queens", "8/1Q6/8/2q1K3/8/8/4k3/6r1 w - - 0 1", &[5, 215, 3688, 119791]),
    ("pawns and minor pieces", "1k6/ppp5/8/3n4/4B3/8/5PPP/6K1 w - - 0 1", &[16, 232, 3891, 55709]),
    ("stalemate", "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", &[0, 0]),
    ("stalemate by a queen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[0, 0]),
];

const CHESS960: &[Case] = &[
    ("a start", "bnrkqbnr/pppppppp/8/8/8/8/PPPPPPPP/BNRKQBNR w HChc - 0 1", &[21, 441, 10143, 232326]),
    ("the king castles across one square", "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1", &[23, 442, 9940, 214105]),
    ("the king castles towards the centre", "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1", &[24, 479, 11099, 242723]),
    ("the king castles without moving", "5rkr/8/8/8/8/8/8/5RKR b HFhf - 0 1", &[20, 329, 6961, 142655]),
    ("the castling rook is pinned", "4k3/8/8/8/8/8/8/rR2K1R1 w BG - 0 1", &[18, 210, 4912, 70525]),
    ("a queen behind the castling rook", "r3k3/8/8/8/8/8/8/qRK4R w HB - 0 1", &[16, 379, 6926, 185800]),
    ("inner rooks have the right", "4k3/8/8/8/8/8/8/1RR1KR1R w FC - 0 1", &[38, 104, 4443, 16926]),
    ("a middlegame", "nrk1brqb/pp1pp1pp/2n2p2/2p5/4P3/3N1P2/PPPP2PP/NRK1BRQB w FBfb - 0 5", &[28, 942, 27521, 934831]),
];

fn check(cases: &[Case]) {
    for (name, fen, counts) in cases {
        let board = board(fen);
        for (depth, expected) in (1..).zip(*counts) {
            assert_eq!(perft::<Chess>(&board, depth), *expected, "{name}: {fen} to {depth} plies");
        }
    }
}

#[test]
fn classical_positions() {
    check(CLASSICAL);
}

#[test]
fn chess960_positions() {
    check(CHESS960);
}

#[test]
fn divide_splits_perft() {
    let board = board(CLASSICAL[1].1);
    let rows = divide::<Chess>(&board, 3);
    assert_eq!(rows.len(), 48);
    assert_eq!(rows.iter().map(|(_, count)| count).sum::<u64>(), perft::<Chess>(&board, 3));
}

#[test]
fn bulk_counts_are_counts() {
    crate::random_games(4, |board, _| {
        assert_eq!(Chess::move_count(board), Chess::legal_moves(board).len());
    });
}
