//! What a evaluation says depends on the position alone.

use crate::{network, random_line, shaped_network};
use cozy_chess::{Board, BoardBuilder, Color, Square};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::features::Sight;
use plywise_game::processor::{self, Level};
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate, Game, Notation, conformance};
use plywise_loa::Loa;
use plywise_net::{FloatWeights, Network, NetworkEvaluation, Role, Shape};
use plywise_othello::Othello;
use std::sync::Arc;

fn linear<G: BoardGame>() -> G::Evaluation {
    G::evaluation(G::Weights::default())
}

fn evaluation<G: BoardGame>(width: usize, role: Role) -> NetworkEvaluation<G> {
    NetworkEvaluation::new(linear::<G>(), Some(Arc::new(network::<G>(width, role, 3))))
}

/// Positions as a search meets them: lines, their siblings, and jumps to elsewhere.
fn as_searched<G: BoardGame>() -> Vec<G::Position> {
    let mut positions = Vec::new();
    for seed in 0..4 {
        for position in random_line::<G>(seed) {
            let moves = G::legal_moves(&position);
            positions.extend(moves.iter().take(4).map(|&mv| G::play(&position, mv)));
            positions.push(position);
        }
    }
    positions
}

fn agrees_with_a_full_refresh<G: BoardGame>() {
    let plain = |width| network::<G>(width, Role::Replace, 3);
    for (width, most) in [(16, Level::Built), (32, Level::V3), (144, Level::V4), (144, Level::Built)] {
        processor::use_at_most(most);
        network_agrees_with_a_full_refresh::<G>(plain(width));
    }
}

fn network_agrees_with_a_full_refresh<G: BoardGame>(network: Network) {
    let mut evaluation = NetworkEvaluation::<G>::new(linear::<G>(), Some(Arc::new(network.clone())));
    let mut check = |position: &G::Position| {
        let value = evaluation.evaluate(position);
        assert_eq!(value, network.evaluate::<G>(position), "{}", G::write_position(position));
        value
    };
    let mut positions = as_searched::<G>();
    let values: Vec<i32> = positions.iter().map(&mut check).collect();
    assert!(values.iter().any(|value| *value != values[0]));
    Random::new(1).shuffle(&mut positions);
    for position in &positions {
        check(position);
    }
}

#[test]
fn chess_agrees_with_a_full_refresh() {
    agrees_with_a_full_refresh::<Chess>();
    for shape in [[32, 4, 1], [32, 1, 8], [16, 16, 4]] {
        network_agrees_with_a_full_refresh::<Chess>(shaped_network::<Chess>(shape, Role::Replace, 3));
    }
}

/// A network whose buckets and outputs all have the same weights is the one with one bucket and one output.
#[test]
fn buckets_and_outputs_choose_the_weights() {
    let sight = Sight::of::<Chess>();
    let plain = Shape::new(&sight, 16, 1, 1).unwrap();
    let shape = Shape::new(&sight, 16, 4, 2).unwrap();
    let weights: Vec<f32> = (0..plain.weights()).map(|place| (place % 17) as f32 / 100.0 - 0.08).collect();
    let quantised = |shape: &Shape, weights: &[f32]| {
        FloatWeights { shape, role: Role::Replace, scale: 400.0, weights }.quantise("chess", "")
    };
    let value = |network: &Network, text| network.evaluate::<Chess>(&conformance::position::<Chess>(text));
    let (rows, rest) = weights.split_at(plain.bias_place());
    let (bias, output) = rest.split_at(16);
    let (output, last) = output.split_at(32);
    let parts = [rows, rows, rows, rows, bias, output, output, last, last];
    let alike = quantised(&shape, &parts.concat());
    let one = quantised(&plain, &weights);
    for board in random_line::<Chess>(6) {
        assert_eq!(alike.evaluate::<Chess>(&board), one.evaluate::<Chess>(&board), "{board}");
    }
    // Rows of zeros for kings at home in the middle, and an output of zeros for few pieces.
    let zeros = vec![0.0; rows.len()];
    let middle = quantised(&shape, &[rows, &zeros, rows, rows, bias, output, output, last, last].concat());
    let (castled, home) = ("5rk1/5ppp/8/8/8/8/5PPP/5RK1 w - - 0 1", "4k2r/5ppp/8/8/8/8/5PPP/4K2R w - - 0 1");
    assert_eq!(value(&middle, castled), value(&one, castled));
    assert_ne!(value(&middle, home), value(&one, home));
    let none = [0.0; 32];
    let few = quantised(&shape, &[rows, rows, rows, rows, bias, &none, output, &[0.0], last].concat());
    assert_eq!(value(&few, castled), 0);
    let start = Chess::write_position(&Chess::start());
    assert_eq!(value(&few, &start), value(&one, &start));
}

#[test]
fn pieces_of_a_network_with_buckets_are_explained() {
    let network = Arc::new(shaped_network::<Chess>([16, 4, 8], Role::Replace, 4));
    let evaluation = NetworkEvaluation::<Chess>::new(linear::<Chess>(), Some(network.clone()));
    let with = conformance::position::<Chess>("4k3/5ppp/8/8/8/2N5/5PPP/6K1 w - - 0 1");
    let explained = evaluation.explain(&with);
    assert_eq!(explained.len(), 9);
    let without = conformance::position::<Chess>("4k3/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
    assert_eq!(Chess::stage(&with) / 4, Chess::stage(&without) / 4, "both have the same output");
    let difference = network.evaluate::<Chess>(&with) - network.evaluate::<Chess>(&without);
    assert!(explained.contains(&("white knight c3".to_string(), difference)), "{explained:?}");
}

#[test]
fn loa_agrees_with_a_full_refresh() {
    agrees_with_a_full_refresh::<Loa>();
}

#[test]
fn othello_agrees_with_a_full_refresh() {
    agrees_with_a_full_refresh::<Othello>();
}

#[test]
fn abalone_agrees_with_a_full_refresh() {
    agrees_with_a_full_refresh::<Abalone>();
}

#[test]
fn a_network_is_added_or_takes_the_place() {
    let position = &random_line::<Loa>(5)[20];
    let alone = linear::<Loa>().evaluate(position);
    let network = evaluation::<Loa>(32, Role::Replace).evaluate(position);
    assert_ne!(network, 0);
    assert_eq!(evaluation::<Loa>(32, Role::Add).evaluate(position), alone + network);
    assert_eq!(NetworkEvaluation::<Loa>::new(linear::<Loa>(), None).evaluate(position), alone);
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
    builder.build().unwrap()
}

#[test]
fn both_colours_see_the_same() {
    let chess = network::<Chess>(32, Role::Replace, 4);
    for board in random_line::<Chess>(3) {
        assert_eq!(chess.evaluate::<Chess>(&board), chess.evaluate::<Chess>(&flipped(&board)), "{board}");
    }
    let loa = network::<Loa>(32, Role::Replace, 4);
    for position in random_line::<Loa>(3) {
        assert_eq!(loa.evaluate::<Loa>(&position), loa.evaluate::<Loa>(&position.colours_swapped()));
    }
    let abalone = network::<Abalone>(32, Role::Replace, 4);
    for position in random_line::<Abalone>(3) {
        assert_eq!(abalone.evaluate::<Abalone>(&position), abalone.evaluate::<Abalone>(&position.colours_swapped()));
    }
}

#[test]
fn a_king_on_either_wing_is_seen_alike() {
    let position = |text| conformance::position::<Chess>(text);
    let network = network::<Chess>(32, Role::Replace, 4);
    let (left, right) =
        (position("6k1/5p2/8/8/8/2N5/1P6/1K6 w - - 0 1"), position("1k6/2p5/8/8/8/5N2/6P1/6K1 w - - 0 1"));
    assert_eq!(network.evaluate::<Chess>(&left), network.evaluate::<Chess>(&right));
}

#[test]
fn every_piece_is_named() {
    let names = |explained: Vec<(String, i32)>| explained.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let chess = names(evaluation::<Chess>(32, Role::Replace).explain(&Chess::start()));
    assert_eq!(chess.len(), 32);
    assert!(chess.contains(&"white knight g1".to_string()) && chess.contains(&"black king e8".to_string()));
    let loa = names(evaluation::<Loa>(32, Role::Replace).explain(&Loa::start()));
    assert_eq!((loa.len(), &loa[0][..]), (24, "black piece b1"));
    let abalone = names(evaluation::<Abalone>(32, Role::Replace).explain(&Abalone::start()));
    assert!(abalone.contains(&"white marble i5".to_string()), "{abalone:?}");
    let othello = names(evaluation::<Othello>(32, Role::Replace).explain(&Othello::start()));
    assert!(othello.contains(&"white disc d4".to_string()), "{othello:?}");
    assert!(NetworkEvaluation::<Loa>::new(linear::<Loa>(), None).explain(&Loa::start()).is_empty());
}

#[test]
fn an_explanation_is_the_difference_that_a_piece_makes() {
    let evaluation = evaluation::<Loa>(32, Role::Replace);
    let network = evaluation.network().unwrap();
    let position = conformance::position::<Loa>("8/8/3w4/8/2wbb3/8/8/w6b w");
    let without = conformance::position::<Loa>("8/8/3w4/8/2wbb3/8/8/w7 w");
    let difference = network.evaluate::<Loa>(&position) - network.evaluate::<Loa>(&without);
    assert!(evaluation.explain(&position).contains(&("black piece h1".to_string(), difference)));
}
