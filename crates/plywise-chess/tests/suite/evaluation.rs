//! The evaluation: symmetric, linear, and of sound judgement.

use crate::{board, random_games};
use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Square};
use plywise_chess::{Chess, ChessEval, FEATURES, Term, Weights, trace};
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, Game, Score};

fn evaluate(board: &Board) -> Score {
    ChessEval::default().evaluate(board)
}

/// The same position with the colours exchanged.
fn flipped(board: &Board) -> Board {
    let source = BoardBuilder::from_board(board);
    let mut builder = BoardBuilder::empty();
    for square in Square::ALL {
        *builder.square_mut(square.flip_rank()) = source.square(square).map(|(piece, color)| (piece, !color));
    }
    builder.side_to_move = !source.side_to_move;
    for color in Color::ALL {
        *builder.castle_rights_mut(!color) = *source.castle_rights(color);
    }
    builder.en_passant = source.en_passant.map(Square::flip_rank);
    builder.build().expect("a flipped position is legal")
}

/// The same position with the files mirrored. Castling rights, on which no term depends, are dropped.
fn mirrored(board: &Board) -> Board {
    let source = BoardBuilder::from_board(board);
    let mut builder = BoardBuilder::empty();
    for square in Square::ALL {
        *builder.square_mut(square.flip_file()) = source.square(square);
    }
    builder.side_to_move = source.side_to_move;
    builder.castle_rights = [CastleRights::EMPTY; Color::NUM];
    builder.build().expect("a mirrored position is legal")
}

/// Weights that are all different and of both signs.
fn odd_weights() -> Weights {
    let mut weights = Weights::DEFAULT;
    let mut next = 0;
    weights.visit_mut(&mut |parameter, value| {
        next = (next * 37 + 11) % 101;
        *value = (next - 50).clamp(parameter.min, parameter.max);
    });
    weights
}

#[test]
fn both_colours_are_treated_alike() {
    let mut eval = ChessEval::default();
    random_games(6, |board, _| {
        assert_eq!(eval.evaluate(board), eval.evaluate(&flipped(board)), "{board}");
        assert_eq!(eval.evaluate(board), eval.evaluate(&mirrored(board)), "{board}");
    });
}

#[test]
fn the_trace_times_the_weights_is_the_value() {
    for weights in [Weights::DEFAULT, odd_weights()] {
        let mut eval = ChessEval::new(weights.clone());
        random_games(4, |board, _| {
            assert_eq!(trace(board).value(&weights), eval.evaluate(board), "{board}");
        });
    }
}

#[test]
fn coefficients_are_the_derivatives_of_the_value() {
    let weights = odd_weights();
    let values = weights.values();
    random_games(2, |board, _| {
        let trace = trace(board);
        let sum: f64 = trace.coefficients().iter().map(|(index, factor)| factor * f64::from(values[*index])).sum();
        let value = trace.value(&weights);
        let for_white = if board.side_to_move() == Color::White { value } else { -value };
        assert!((sum - f64::from(for_white)).abs() < 1.0, "{board}: {sum} and {for_white}");
    });
}

#[test]
fn a_used_evaluation_gives_what_a_fresh_one_gives() {
    let mut used = ChessEval::default();
    random_games(2, |board, _| {
        assert_eq!(used.evaluate(board), evaluate(board));
        assert_eq!(used.clone().evaluate(board), evaluate(board));
    });
}

#[test]
fn features_are_laid_out_as_declared() {
    let declared = Weights::declared();
    assert_eq!(declared.len(), FEATURES * 2);
    for term in Term::ALL {
        for index in 0..term.len() {
            for (parameter, stage) in term.parameters(index).into_iter().zip(["middlegame", "endgame"]) {
                let parameter = declared[parameter];
                assert_eq!((parameter.group, parameter.name), (term.name(), stage));
                assert_eq!(parameter.index.unwrap_or(0), index);
            }
        }
    }
}

#[test]
fn every_feature_that_can_occur_does() {
    let mut seen = vec![false; FEATURES];
    random_games(60, |board, _| {
        let trace = trace(board);
        for term in Term::ALL {
            for index in 0..term.len() {
                seen[term.start() + index] |= trace.count(Color::White, term, index) != 0;
            }
        }
    });
    // Pawns never stand on the first and last rank, and some counts of mobility are rare.
    let occurring = seen.iter().filter(|seen| **seen).count();
    assert!(occurring * 10 >= FEATURES * 9, "{occurring} of {FEATURES}");
    for term in Term::ALL {
        assert!(seen[term.start()..term.start() + term.len()].contains(&true), "{} never occurs", term.name());
    }
}

#[test]
fn explanations_add_up() {
    let eval = ChessEval::default();
    random_games(1, |board, _| {
        let explanation = eval.explain(board);
        let value = evaluate(board);
        let for_white = if board.side_to_move() == Color::White { value } else { -value };
        assert_eq!(explanation.value, for_white);
        // Each row is rounded by itself.
        let rows: Score = explanation.rows.iter().map(|row| row.total).sum();
        assert!((rows - for_white).abs() <= explanation.rows.len() as Score);
    });
    let text = eval.explain(&Chess::start()).to_string();
    assert!(text.contains("bishop pair") && text.ends_with("endgame 0 %)\n"), "{text}");
}

#[test]
fn the_start_is_worth_the_right_to_move() {
    assert_eq!(evaluate(&Chess::start()), Weights::DEFAULT.tempo.middlegame);
}

/// `better` is worth more than `worse` for White, who is to move in both.
fn check_better(better: &str, worse: &str) {
    let (high, low) = (evaluate(&board(better)), evaluate(&board(worse)));
    assert!(high > low, "{better} is worth {high}, {worse} {low}");
}

#[test]
fn judgement() {
    // A queen, a bishop pair, a passed pawn further ahead, a whole pawn structure, a castled king, an open file.
    check_better("4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
    check_better("2b1k3/5ppp/8/8/8/8/5PPP/2B1KB2 w - - 0 1", "2b1k3/5ppp/8/8/8/8/5PPP/2B1KN2 w - - 0 1");
    check_better("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/P7/8/8/4K3 w - - 0 1");
    check_better("4k3/ppp5/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/ppp5/8/8/8/P7/P1P5/4K3 w - - 0 1");
    check_better("6k1/5ppp/8/8/8/8/5PPP/R3R1K1 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/5KRR w - - 0 1");
    check_better(
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 w kq - 0 1",
        "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPPKPPP/R1BQ3R w kq - 0 1",
    );
}
