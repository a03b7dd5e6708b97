//! Properties of the evaluation.

use crate::random_game;
use plywise_game::bitboard::{SYMMETRIES, Square, Symmetry};
use plywise_game::parameters::Parameters;
use plywise_game::{Depth, Evaluate, Game, Linear, Window, score};
use plywise_othello::evaluation::patterns::{self, CONFIGURATIONS, Patterns, STAGES};
use plywise_othello::evaluation::{Evaluator, Moves, UNIT, Weights, amounts};
use plywise_othello::{Othello, Position, twin};
use plywise_search::{Limits, Params, Request, Searcher, Signal};
use proptest::prelude::*;
use std::sync::LazyLock;

fn positions() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<prop::sample::Index>()).prop_map(|(seed, ply)| *ply.get(&random_game(seed)))
}

/// Positions with few empty squares in which the game is not over.
fn endings() -> impl Strategy<Value = Position> {
    (any::<u64>(), 1..=8_u32).prop_filter_map("the game ended early", |(seed, empty)| {
        let line = random_game(seed);
        line.into_iter().find(|position| position.empty().count_ones() == empty && Othello::outcome(position).is_none())
    })
}

static FOLDING: LazyLock<(Vec<u32>, usize)> = LazyLock::new(patterns::folding);

fn evaluate(position: &Position) -> i32 {
    Evaluator::default().evaluate(position)
}

proptest! {
    #[test]
    fn symmetric_positions_have_one_value(position in positions()) {
        for symmetry in SYMMETRIES {
            prop_assert_eq!(evaluate(&twin(symmetry, &position)), evaluate(&position), "{:?}", symmetry);
        }
    }

    #[test]
    fn the_colours_do_not_matter(position in positions()) {
        let swapped = Position::new(position.own(), position.enemy(), !position.side_to_move());
        prop_assert_eq!(evaluate(&swapped), evaluate(&position));
    }

    /// For either side to move, the features are the same but for their sign, the turn itself, and what patterns know of it.
    #[test]
    fn the_turn_changes_signs_only(position in positions()) {
        let turned = Position::new(position.enemy(), position.own(), !position.side_to_move());
        let patterns = Patterns::built_in();
        let both = amounts(&position, &patterns).into_iter().zip(amounts(&turned, &patterns));
        for ((own, enemy), parameter) in both.zip(Weights::declared()) {
            match parameter.group {
                "patterns" => {}
                "turn" => prop_assert_eq!(own, enemy),
                _ => prop_assert_eq!(own, -enemy, "{}", parameter.path()),
            }
        }
    }

    #[test]
    fn the_value_is_linear_in_the_weights(position in positions(), shares in prop::collection::vec(0..=100, Weights::declared().len())) {
        let mut weights = Weights::DEFAULT;
        let mut shares = shares.into_iter();
        weights.visit_mut(&mut |parameter, weight| {
            *weight = parameter.min + (parameter.max - parameter.min) * shares.next().unwrap_or(0) / 100;
        });
        let mut evaluator = Evaluator::new(weights.clone());
        let sum: i32 = weights.values().iter().zip(amounts(&position, &Patterns::built_in())).map(|(w, a)| w * a).sum();
        let exact = f64::from(sum) / f64::from(UNIT);
        prop_assert_eq!(evaluator.evaluate(&position), exact.round().clamp(-64.0, 64.0) as i32);
        let explained = weights.explain(&position);
        prop_assert!((explained.value - exact).abs() < 1e-6);
    }

    #[test]
    fn configurations_are_what_stands_on_the_squares(position in positions()) {
        let places = &FOLDING.0;
        let folded = |configurations: Vec<usize>| {
            let mut all: Vec<u32> = configurations.into_iter().map(|configuration| places[configuration]).collect();
            all.sort_unstable();
            all
        };
        let mut found = Vec::new();
        patterns::for_each_configuration(&position, Moves::of(&position), |configuration| found.push(configuration));
        prop_assert_eq!(folded(found), folded(slow_configurations(&position)));
    }

}

proptest! {
    // Minimax looks at every line of play.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn endings_are_solved(position in endings(), alpha in -66..=64, width in 1..=20) {
        let exact = minimax(&position);
        let window = Window::new(alpha, alpha + width);
        let mut evaluator = Evaluator::default();
        let solved = evaluator.solve(&position, Depth::ZERO, window, &mut |_| u64::MAX);
        let Some(solved) = solved else { return Err(TestCaseError::fail("few empty squares are left")) };
        if solved <= alpha {
            prop_assert!(exact <= solved);
        } else if solved >= window.beta {
            prop_assert!(exact >= solved);
        } else {
            prop_assert_eq!(exact, solved);
        }
        prop_assert_eq!(evaluator.solve(&position, Depth::ZERO, Window::FULL, &mut |_| u64::MAX), Some(exact));
    }

    #[test]
    fn a_search_to_the_end_finds_the_outcome(position in endings()) {
        let request = Request::new(position);
        let limits = Limits::depth(20);
        for solver in [false, true] {
            let mut params = Params::DEFAULT;
            params.solver.enabled = solver;
            let Ok(mut searcher) = Searcher::<Othello, _>::new(params, Evaluator::default(), 1) else { continue };
            let report = searcher.search(&request, &limits, &Signal::new(), &mut ());
            prop_assert_eq!(report.score(), minimax(&position), "solver {}", solver);
        }
    }
}

/// The value under perfect play, by definition.
fn minimax(position: &Position) -> i32 {
    let moves = Othello::legal_moves(position);
    match moves.iter().map(|&mv| -minimax(&Othello::play(position, mv))).max() {
        Some(best) => best,
        None => score::of_outcome(Othello::stuck(position), 0),
    }
}

/// The shapes once more, square by square, with the number of their images.
const SHAPES: [(&str, usize); 11] = [
    ("a1 b1 c1 a2 b2 c2 a3 b3 c3", 4),
    ("a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", 4),
    ("a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", 8),
    ("a2 b2 c2 d2 e2 f2 g2 h2", 4),
    ("a3 b3 c3 d3 e3 f3 g3 h3", 4),
    ("a4 b4 c4 d4 e4 f4 g4 h4", 4),
    ("a1 b2 c3 d4 e5 f6 g7 h8", 2),
    ("b1 c2 d3 e4 f5 g6 h7", 4),
    ("c1 d2 e3 f4 g5 h6", 4),
    ("d1 e2 f3 g4 h5", 4),
    ("e1 f2 g3 h4", 4),
];

/// The configurations, each read off the board square by square.
fn slow_configurations(position: &Position) -> Vec<usize> {
    let digit = |square: Square| {
        usize::from(position.own() & square.bit() != 0) + 2 * usize::from(position.enemy() & square.bit() != 0)
    };
    let mut begin = 0;
    let mut all = Vec::new();
    for (squares, count) in SHAPES {
        let squares: Vec<Square> = squares.split(' ').map(square).collect();
        for symmetry in distinct_images(&squares) {
            let digits = squares.iter().rev().map(|&square| digit(symmetry.square(square)));
            all.push(begin + digits.fold(0, |number, digit| 3 * number + digit));
        }
        assert_eq!(distinct_images(&squares).len(), count);
        begin += 3_usize.pow(squares.len() as u32);
    }
    let moves = Moves::of(position);
    let count = |bits: u64| bits.count_ones().min(31) as usize;
    all.push(begin + 32 * count(moves.own) + count(moves.enemy));
    all
}

fn square(name: &str) -> Square {
    let [file, rank] = name.as_bytes() else { panic!("{name} is no square") };
    Square::at(file - b'a', rank - b'1').expect("a square on the board")
}

/// One symmetry for each set of squares that these can be turned into.
fn distinct_images(squares: &[Square]) -> Vec<Symmetry> {
    let image = |symmetry: &Symmetry| squares.iter().map(|&square| symmetry.square(square).bit()).sum::<u64>();
    let mut chosen: Vec<Symmetry> = Vec::new();
    for symmetry in SYMMETRIES {
        if chosen.iter().all(|other| image(other) != image(&symmetry)) {
            chosen.push(symmetry);
        }
    }
    chosen
}

#[test]
fn a_configuration_shares_its_place_with_its_mirror_image_alone() {
    let (places, count) = &*FOLDING;
    assert_eq!(places.len(), CONFIGURATIONS);
    let mut users = vec![0; *count];
    places.iter().for_each(|&place| users[place as usize] += 1);
    assert!(users.iter().all(|&users| users == 1 || users == 2));
}

#[test]
fn the_built_in_file_says_how_it_was_made() {
    let patterns = Patterns::built_in();
    assert!(patterns.title().contains("learn_patterns --games"), "{patterns:?}");
}

#[test]
fn what_is_written_is_read_back() {
    let (places, count) = &*FOLDING;
    let mut weights = vec![vec![0.0; *count]; STAGES];
    // The configuration of an empty block, of which there are eight.
    let empty_block = places[19_683 + 59_049] as usize;
    weights[0][empty_block] = 0.5;
    let file = Patterns::write("a test", &weights);
    let patterns = Patterns::parse(&file).unwrap();
    assert!(patterns.title().ends_with(": a test"));
    let amounts = amounts(&Othello::start(), &patterns);
    assert_eq!(amounts[0] * Weights::DEFAULT.patterns.share, 8 * UNIT / 2);
}

#[test]
fn other_files_are_refused() {
    let complaint = |file: &[u8]| Patterns::parse(file).unwrap_err().to_string();
    assert_eq!(complaint(b"MZ"), "a file of patterns begins with 'plywise othello patterns 1'");
    let count = FOLDING.1;
    let short = format!("a file of patterns has {} weights, but this one has 3", STAGES * count);
    assert_eq!(complaint(b"plywise othello patterns 1: short\nabc"), short);
}

#[test]
fn the_features_alone_know_what_matters() {
    let mut weights = Weights::DEFAULT;
    weights.patterns.share = 0;
    let mut evaluators = [Evaluator::new(weights), Evaluator::default()];
    let black_has_a_corner = crate::position("XXX-----OOOX----OOXX----OXOX------XO---------------------------- X");
    for evaluator in &mut evaluators {
        assert!(evaluator.evaluate(&black_has_a_corner) > 3, "{evaluator:?}");
    }
}

#[test]
fn a_position_far_from_the_end_is_not_solved() {
    let solved = Evaluator::default().solve(&Othello::start(), Depth::plies(30), Window::FULL, &mut |_| u64::MAX);
    assert_eq!(solved, None);
}

#[test]
fn what_was_solved_is_forgotten() {
    let position = *random_game(3).iter().find(|position| position.empty().count_ones() == 14).unwrap();
    let mut evaluator = Evaluator::default();
    let mut nodes = || {
        let mut nodes = 0;
        evaluator.forget();
        evaluator.solve(&position, Depth::plies(14), Window::FULL, &mut |more| {
            nodes += more;
            u64::MAX
        });
        nodes
    };
    let first = nodes();
    assert!(first > 100);
    assert_eq!(nodes(), first);
}
