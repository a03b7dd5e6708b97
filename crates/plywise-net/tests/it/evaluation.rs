//! What a evaluation says depends on the position alone.

use crate::{network, random_line};
use cozy_chess::{Board, BoardBuilder, Color, Square};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::processor::{self, Level};
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate, Game, conformance};
use plywise_loa::Loa;
use plywise_net::{FloatNetwork, NetworkEvaluation, Role};
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
    for (width, most) in [(16, Level::Built), (32, Level::V3), (144, Level::V4), (144, Level::Built)] {
        processor::use_at_most(most);
        let mut evaluation = evaluation::<G>(width, Role::Replace);
        let network = evaluation.network().unwrap().clone();
        let mut positions = as_searched::<G>();
        let mut values = Vec::new();
        for position in &positions {
            let value = evaluation.evaluate(position);
            assert_eq!(value, network.evaluate::<G>(position), "{}", G::write_position(position));
            values.push(value);
        }
        assert!(values.iter().any(|value| *value != values[0]));
        Random::new(1).shuffle(&mut positions);
        for position in &positions {
            assert_eq!(
                evaluation.evaluate(position),
                network.evaluate::<G>(position),
                "{}",
                G::write_position(position)
            );
        }
    }
}

#[test]
fn chess_agrees_with_a_full_refresh() {
    agrees_with_a_full_refresh::<Chess>();
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

/// How far the network of the search may be from that of the trainer: a twentieth of its scale.
#[test]
fn whole_numbers_are_close_to_fractions() {
    fn check<G: BoardGame>() {
        let float = FloatNetwork::new(G::FEATURES, 32, Role::Replace, 400.0, 9);
        let network = float.quantise(G::NAME, "");
        for position in random_line::<G>(2) {
            let (exact, rounded) = (float.evaluate::<G>(&position), network.evaluate::<G>(&position));
            assert!((exact - f64::from(rounded)).abs() < 20.0, "{exact} {rounded}");
        }
    }
    check::<Chess>();
    check::<Loa>();
    check::<Othello>();
    check::<Abalone>();
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
