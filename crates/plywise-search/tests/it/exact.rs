//! The most important test: every algorithm and every option set that claims the minimax value returns it.

use crate::random_tree::{Hashed, Node, RandomTree, mix};
use plywise_chess::Chess;
use plywise_game::{Game, Score};
use plywise_loa::Loa;
use plywise_search::{Limits, Params, Profile, Request, Searcher, Signal};
use proptest::prelude::*;

/// Every parameter set that keeps the minimax value: whatever only changes the order or the bookkeeping.
fn exact_params() -> impl Strategy<Value = Params> {
    let framework = (1..=3, any::<bool>(), 1..=60, 2..=4);
    let uncertainty = (any::<bool>(), 1..=100, 1..=3);
    let table = (any::<bool>(), any::<bool>(), 1..=3, any::<bool>(), 2..=3, 1..=2);
    let ordering = (any::<bool>(), any::<bool>(), 0..=2, 0..=2, 0..=200);
    let quiescence = (any::<bool>(), 1..=3, any::<bool>(), any::<bool>(), prop_oneof![1..=30, Just(10_000_000)]);
    let all = (framework, table, ordering, quiescence, uncertainty, any::<bool>());
    all.prop_map(|(framework, table, ordering, quiescence, uncertainty, distance)| {
        let mut params = Params::OFF;
        params.framework.algorithm = framework.0;
        params.aspiration.enabled = framework.1;
        params.aspiration.window = framework.2;
        params.aspiration.least_depth = framework.3;
        params.table.enabled = table.0;
        params.table.equal_depth_only = true;
        params.transposition_cutoffs.enabled = table.1;
        params.transposition_cutoffs.least_depth = table.2;
        params.internal_deepening.enabled = table.3;
        params.internal_deepening.least_depth = table.4;
        params.internal_deepening.reduction = table.5;
        params.ordering.table_move = ordering.0;
        params.ordering.tactical = ordering.1;
        params.ordering.killers = ordering.2;
        params.ordering.history = ordering.3;
        params.ordering.replies = ordering.4;
        params.quiescence.enabled = quiescence.0;
        params.quiescence.plies = quiescence.1;
        params.quiescence.leave_out_losing = quiescence.2;
        params.quiescence.table = quiescence.3;
        params.quiescence.breadth = quiescence.4;
        params.repetition.enabled = true;
        params.uncertainty.enabled = uncertainty.0;
        params.uncertainty.ratio = uncertainty.1;
        params.uncertainty.least_depth = uncertainty.2;
        params.mate_distance.enabled = distance;
        params
    })
}

/// The definition under the same rules of quiescence.
fn definition(params: &Params) -> Params {
    let mut definition = params.clone();
    definition.framework.algorithm = 0;
    definition
}

fn value<G: Game>(params: &Params, eval: Hashed, position: &G::Position, depth: i32, threads: usize) -> Option<Score> {
    let mut searcher = Searcher::<G, Hashed>::new(params.clone(), eval, 1).unwrap();
    searcher.set_threads(threads);
    let report = searcher.search(&Request::new(position.clone()), &Limits::depth(depth), &Signal::new(), &mut ());
    report.lines.first().map(|line| line.score)
}

/// Plays the moves that `choices` picks among the legal ones, as far as the game goes.
fn stroll<G: Game>(mut position: G::Position, choices: &[u16]) -> G::Position {
    for &choice in choices {
        let moves = G::legal_moves(&position);
        if moves.is_empty() || G::drawn_by_rule(&position) {
            break;
        }
        position = G::play(&position, moves[usize::from(choice) % moves.len()]);
    }
    position
}

fn assert_exact<G: Game>(
    params: &Params,
    eval: Hashed,
    position: &G::Position,
    depth: i32,
) -> Result<(), TestCaseError> {
    let expected = value::<G>(&definition(params), eval, position, depth, 1);
    for threads in [1, 2] {
        prop_assert_eq!(value::<G>(params, eval, position, depth, threads), expected, "{} threads", threads);
    }
    Ok(())
}

fn hashed() -> impl Strategy<Value = Hashed> {
    // A narrow range makes many ties, a wide one makes every comparison count.
    (any::<u64>(), prop_oneof![Just(2), Just(30), Just(1000)]).prop_map(|(salt, range)| Hashed { salt, range })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]
    #[test]
    fn on_random_trees(params in exact_params(), eval in hashed(), seed: u64, depth in 1..=6) {
        assert_exact::<RandomTree>(&params, eval, &Node::seeded(seed), depth)?;
    }
}

proptest! {
    // Deeper than four plies a repetition may depend on the path, and then a table cannot be exact.
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn in_chess(params in exact_params(), eval in hashed(), choices in prop::collection::vec(any::<u16>(), 0..120),
                depth in 1..=2) {
        assert_exact::<Chess>(&params, eval, &stroll::<Chess>(Chess::start(), &choices), depth)?;
    }

    #[test]
    fn in_lines_of_action(params in exact_params(), eval in hashed(),
                          choices in prop::collection::vec(any::<u16>(), 0..80), depth in 1..=2) {
        assert_exact::<Loa>(&params, eval, &stroll::<Loa>(Loa::start(), &choices), depth)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn in_chess_deeper(params in exact_params(), eval in hashed(),
                       choices in prop::collection::vec(any::<u16>(), 60..200), depth in 3..=4) {
        let position = stroll::<Chess>(Chess::start(), &choices);
        // Minimax visits every path: keep to positions with few moves.
        prop_assume!(plywise_game::perft::<Chess>(&position, 3) < 8_000);
        assert_exact::<Chess>(&params, eval, &position, depth)?;
    }

    #[test]
    fn in_lines_of_action_deeper(params in exact_params(), eval in hashed(),
                                 choices in prop::collection::vec(any::<u16>(), 30..80)) {
        let position = stroll::<Loa>(Loa::start(), &choices);
        prop_assume!(plywise_game::perft::<Loa>(&position, 3) < 40_000);
        assert_exact::<Loa>(&params, eval, &position, 3)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn several_lines_are_the_best_moves(params in exact_params(), eval in hashed(), seed: u64, depth in 1..=4) {
        let root = Node::seeded(seed);
        prop_assume!(RandomTree::outcome(&root).is_none());
        let mut searcher = Searcher::<RandomTree, Hashed>::new(params.clone(), eval, 1).unwrap();
        let request = Request { lines: 3, ..Request::new(root.clone()) };
        let report = searcher.search(&request, &Limits::depth(depth), &Signal::new(), &mut ());
        let mut expected: Vec<Score> = RandomTree::legal_moves(&root)
            .into_iter()
            .map(|mv| {
                let only = Request { only: vec![mv], ..Request::new(root.clone()) };
                let mut searcher = Searcher::<RandomTree, Hashed>::new(definition(&params), eval, 1).unwrap();
                searcher.search(&only, &Limits::depth(depth), &Signal::new(), &mut ()).score()
            })
            .collect();
        expected.sort_by_key(|score| std::cmp::Reverse(*score));
        expected.truncate(3);
        let found: Vec<Score> = report.lines.iter().map(|line| line.score).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn profiles_that_claim_the_minimax_value_have_it() {
    let minimax = Profile::named("minimax").unwrap().params("chess").unwrap();
    for name in ["alphabeta", "brute", "uncertainty"] {
        let params = Profile::named(name).unwrap().params("chess").unwrap();
        for seed in 0..200 {
            let eval = Hashed { salt: mix(seed), range: 100 };
            for depth in 1..=5 {
                let root = Node::seeded(seed);
                assert_eq!(
                    value::<RandomTree>(&params, eval, &root, depth, 1),
                    value::<RandomTree>(&minimax, eval, &root, depth, 1),
                    "{name}, seed {seed}, depth {depth}"
                );
            }
        }
    }
}
