//! The evaluation: symmetric, linear, and right about clear cases.

use crate::{board, random_games};
use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Square};
use plywise_chess::Chess;
use plywise_chess::evaluation::{Evaluator, UNIT, Weights};
use plywise_game::linear::{Owner, Sum};
use plywise_game::parameters::Parameters;
use plywise_game::{Evaluate, Game, Linear, Score};

fn evaluate(board: &Board) -> Score {
    Evaluator::default().evaluate(board)
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
    let mut eval = Evaluator::default();
    random_games(6, |board, _| {
        assert_eq!(eval.evaluate(board), eval.evaluate(&flipped(board)), "{board}");
        assert_eq!(eval.evaluate(board), eval.evaluate(&mirrored(board)), "{board}");
    });
}

/// What the search adds up by itself is what the terms say, rounded towards zero.
#[test]
fn the_value_is_linear_in_the_weights() {
    for mut weights in [Weights::DEFAULT, odd_weights()] {
        let mut eval = Evaluator::new(weights.clone());
        random_games(4, |board, _| {
            let mut sum = Sum::new(&mut weights);
            Weights::add_terms(board, &mut sum);
            let total = sum.total();
            assert_eq!(eval.evaluate(board), total / UNIT, "{board}");
            let explained = weights.explain(board).value;
            assert!((explained - f64::from(total) / f64::from(UNIT)).abs() < 1e-6, "{board}: {explained}");
        });
    }
}

#[test]
fn a_used_evaluation_gives_what_a_fresh_one_gives() {
    let mut used = Evaluator::default();
    random_games(2, |board, _| {
        assert_eq!(used.evaluate(board), evaluate(board));
        assert_eq!(used.clone().evaluate(board), evaluate(board));
    });
}

#[test]
fn every_feature_that_can_occur_does() {
    let declared = Weights::declared();
    let mut seen = vec![false; declared.len()];
    random_games(60, |board, _| {
        for owner in [Owner::Mover, Owner::Opponent] {
            let amounts = Weights::record(board).amounts_of(owner);
            seen.iter_mut().zip(amounts).for_each(|(seen, amount)| *seen |= amount != 0);
        }
    });
    // Pawns never stand on the first and last rank, and some counts of mobility are rare.
    let occurring = seen.iter().filter(|seen| **seen).count();
    assert!(occurring * 10 >= declared.len() * 9, "{occurring} of {}", declared.len());
    for (parameter, _) in declared.iter().zip(&seen).filter(|(parameter, _)| parameter.index.is_none_or(|i| i == 0)) {
        let mut of_term = declared.iter().zip(&seen).filter(|(other, _)| other.group == parameter.group);
        assert!(of_term.any(|(_, seen)| *seen), "{} never occurs", parameter.group);
    }
}

/// Each side has its own column, and the same on both sides cancels out.
#[test]
fn explanations_show_both_sides() {
    let explanation = Weights::DEFAULT.explain(&Chess::start());
    assert_eq!((explanation.players, explanation.to_move), (["White", "Black"], "White"));
    assert_eq!(explanation.value, f64::from(Weights::DEFAULT.tempo.middlegame));
    let material = explanation.terms.iter().find(|term| term.name == "material").unwrap();
    let [white, black] = material.values;
    assert!(white == black && white > 3000.0 && material.difference == 0.0, "{material:?}");
    let text = explanation.to_string();
    assert!(text.contains("bishop pair") && text.ends_with("value for White, who is to move: +20.0\n"), "{text}");
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
fn clear_cases() {
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
