//! The most important test: a search that claims the minimax value returns it, whatever its algorithm and parameters.

use crate::random_tree::{Hashed, Node, RandomTree, mix};
use plywise_chess::Chess;
use plywise_game::parameters::Parameters;
use plywise_game::{Game, Score};
use plywise_loa::Loa;
use plywise_search::{Limits, Params, Profile, ProfiledGame, Request, Searcher, Signal, Technique};
use proptest::prelude::*;
use std::ops::RangeInclusive;

/// What is not drawn from the whole range that is declared, and why.
const NARROWED: [(&str, RangeInclusive<i32>); 6] = [
    // 0 is minimax, which the others are compared with.
    ("framework.algorithm", 1..=3),
    // A greater depth has another minimax value.
    ("table.equal_depth_only", 1..=1),
    // With a margin, what quiescence leaves out depends on the window: minimax has none.
    ("quiescence.margin", 0..=0),
    // What a later ply of quiescence is worth depends on how long its line may still become: the table mixes that up.
    ("quiescence.table_beyond", 0..=0),
    // Which evasions are left out depends on their order: minimax tries all of them.
    ("quiescence.few_evasions", 0..=0),
    // Minimax plays out every line of tactical moves.
    ("quiescence.plies", 1..=3),
];

/// Parameter sets that claim the minimax value: every parameter varies, but for those of selective techniques, which are
/// off. A parameter that is declared tomorrow varies as well.
fn exact_params() -> impl Strategy<Value = Params> {
    let mut ranges: Vec<RangeInclusive<i32>> = Vec::new();
    Params::OFF.visit(&mut |parameter, off| {
        let is_its_group = |technique: &&Technique| technique.name() == parameter.group;
        let is_selective = Technique::ALL.iter().find(is_its_group).is_some_and(|technique| technique.is_selective());
        ranges.push(if is_selective { off..=off } else { parameter.min..=parameter.max });
    });
    for (path, range) in NARROWED {
        ranges[Params::OFF.place(path).unwrap()] = range;
    }
    ranges.into_iter().map(number).collect::<Vec<_>>().prop_map(|values| {
        let mut params = Params::OFF;
        params.set_values(&values);
        params
    })
}

/// A number in a range. In small trees the least few and the least few dozen matter most.
fn number(range: RangeInclusive<i32>) -> impl Strategy<Value = i32> {
    let (min, max) = range.into_inner();
    prop_oneof![min..=max.min(min.saturating_add(3)), min..=max.min(min.saturating_add(40)), min..=max]
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
    let minimax = Profile::named("minimax").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
    for name in ["alphabeta", "brute", "uncertainty"] {
        let params = Profile::named(name).unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
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
