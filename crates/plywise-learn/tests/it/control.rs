//! Learning search control: the worked examples of the thesis, and what must hold on random trees and in real searches.

use plywise_chess::{Chess, Evaluator};
use plywise_game::random::{self, Random};
use plywise_game::{Game, GameSoFar, Notation, Phase};
use plywise_host::{AnyPosition, Hosted};
use plywise_learn::control::{Counts, Descent, GrowthCounter, PathDepth, Pupil, Slots, Tunable, solve};
use plywise_search::{Extension, ExtensionClass, Limits, Params, Profile, ProfiledGame, Request, Searcher, Signal};

/// The prices of the four classes, in hundredths of a ply.
type Prices = [i32; 4];

/// A tree without end: the moves of a node follow from its number. A move of no class costs a ply.
#[derive(Clone, Copy)]
enum Tree {
    Random(u64),
    /// The tree of appendix B, and how deep its line of cheap moves goes from here.
    Cheap(u32),
    Dear(u32),
}

impl Tree {
    fn children(self) -> Vec<(Option<ExtensionClass>, Tree)> {
        use ExtensionClass::{Advance, Check};
        match self {
            Tree::Random(number) => {
                let mut random = Random::new(number);
                let classes = [None, Some(0), Some(1), Some(2), Some(3)];
                let child = |i| {
                    let class = random.pick(&classes).copied().flatten().map(|class: usize| ExtensionClass::ALL[class]);
                    (class, Tree::Random(random::number(number, i)))
                };
                (0..1 + number % 3).map(child).collect()
            }
            // One line of five moves that cost 0.4, the last with five siblings, beside two plies of moves that cost 1.
            Tree::Cheap(0) => vec![(Some(Check), Tree::Cheap(1)), (Some(Advance), Tree::Dear(1))],
            Tree::Cheap(4) => vec![(Some(Check), Tree::Cheap(5)); 6],
            Tree::Cheap(n) => vec![(Some(Check), Tree::Cheap(n + 1))],
            Tree::Dear(n) => vec![(Some(Advance), Tree::Dear(n + 1)); 5],
        }
    }

    /// Expands the tree until the depth is used up, and tells the counter.
    fn expand(
        self,
        ply: usize,
        left: i32,
        class: Option<ExtensionClass>,
        prices: &Prices,
        counter: &mut GrowthCounter,
    ) {
        if left <= 0 {
            return counter.horizon(ply);
        }
        counter.enter(ply, left, class.map(|class| Extension { class, phase: Phase::Middlegame }));
        for (class, child) in self.children() {
            child.expand(ply + 1, left - price(class, prices), class, prices, counter);
        }
        counter.leave();
    }

    /// The number of nodes with these prices.
    fn nodes(self, left: i32, prices: &Prices) -> u64 {
        let below = |(class, child): (_, Tree)| child.nodes(left - price(class, prices), prices);
        1 + if left > 0 { self.children().into_iter().map(below).sum() } else { 0 }
    }

    fn counts(self, depth: i32, prices: &Prices, delta: i32) -> Counts {
        let mut counter = GrowthCounter::new(Slots::BY_CLASS, delta);
        self.expand(0, 100 * depth, None, prices, &mut counter);
        counter.finish(depth);
        counter.finished().unwrap().clone()
    }
}

fn price(class: Option<ExtensionClass>, prices: &Prices) -> i32 {
    class.map_or(100, |class| prices[class as usize])
}

#[test]
fn appendix_b_to_its_digits() {
    let counts = Tree::Cheap(0).counts(2, &[40, 100, 100, 100], 10);
    assert_eq!((counts.nodes, counts.altered.as_slice()), (17, &[11, 17, 17, 17][..]));
    let rates: Vec<String> = counts.altered_growth().map(|growth| format!("{growth:.3}")).collect();
    assert_eq!(format!("{:.3}", counts.growth()), "4.123");
    assert_eq!((rates[0].as_str(), rates[3].as_str()), ("3.317", "4.123"));
}

#[test]
fn counts_taken_along_are_those_of_altered_prices_on_random_trees() {
    let mut random = Random::new(12);
    for case in 0..300 {
        let prices = [0; 4].map(|_| *random.pick(&[30, 50, 70, 100, 130, 200]).unwrap());
        let tree = Tree::Random(random::number(99, case));
        let (depth, delta) = (2 + (case % 3) as i32, 10);
        let counts = tree.counts(depth, &prices, delta);
        assert_eq!(counts.nodes, tree.nodes(100 * depth, &prices), "case {case}");
        for i in 0..4 {
            let mut altered = prices;
            altered[i] += delta;
            assert_eq!(counts.altered[i], tree.nodes(100 * depth, &altered), "case {case}, price {i}");
        }
    }
}

/// Appendix C: the gradient of the cost is that of B(w)^D(w), where B is taken to change as fast as the counts say.
#[test]
fn the_gradient_is_that_of_the_cost_model() {
    let mut random = Random::new(5);
    for case in 0..200 {
        let prices = [0; 4].map(|_| *random.pick(&[40, 60, 80, 100]).unwrap());
        let counts = Tree::Random(random::number(7, case)).counts(4, &prices, 10);
        let moves: Vec<u32> = (0..4).map(|_| *random.pick(&[0, 1, 2, 3]).unwrap()).collect();
        let path = PathDepth { depth: 3.0 + 2.0 * random.fraction(), moves };
        let (delta, growth) = (0.1, counts.growth());
        let slopes: Vec<f64> = counts.altered_growth().map(|altered| (altered - growth) / delta).collect();
        let cost = counts.cost(&path, delta);
        for (i, (slope, &moves)) in slopes.iter().zip(&path.moves).enumerate() {
            let at = |change: f64| (growth + slope * change).powf(path.depth + f64::from(moves) * change);
            let numeric = (at(1e-6) - at(-1e-6)) / 2e-6;
            let error = (cost.gradient[i] - numeric).abs() / numeric.abs().max(1.0);
            assert!(error < 1e-5, "case {case}, price {i}: {} against {numeric}", cost.gradient[i]);
        }
        assert!((cost.nodes - growth.powf(path.depth)).abs() < 1e-6 * cost.nodes);
    }
}

fn tunable(start: f64) -> Tunable {
    let (name, paths) = ("x".to_owned(), vec!["x".to_owned()]);
    Tunable { name, paths, unit: 100.0, start, min: 0.1, max: 2.0, step: 0.1, reach: 1.0, is_switch: false }
}

#[test]
fn a_step_goes_downhill_whichever_way_a_weight_was_altered() {
    let mut descent = Descent::new(vec![tunable(1.0)], 1.0, 0.0);
    let is = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
    assert!(is(descent.altered(0)[0], 0.9), "a price of one ply that rises says nothing");
    descent.step_by_counts(1000, &[1200]);
    assert!(is(descent.weights[0], 1.2), "a fifth more nodes downwards leads a fifth of a ply upwards");
    assert!(is(descent.altered(0)[0], 1.3), "then it is altered the way it went");
    descent.step_by_counts(1000, &[1300]);
    assert!(is(descent.weights[0], 0.9), "more nodes upwards leads downwards");
    descent.step_by_counts(1000, &[100]);
    assert_eq!(descent.weights, [0.1], "no further than its bound");
    assert!(is(descent.altered(0)[0], 0.2), "and never altered beyond it");
    descent.step_by_gradient(1000.0, &[-5000.0]);
    assert!(is(descent.weights[0], 0.6), "a slope counts for as much as δ would change");
}

#[test]
fn descent_finds_the_lowest_point() {
    let nodes = |weights: &[f64]| (1e6 * (1.0 + (weights[0] - 0.6).powi(2) + 0.5 * (weights[1] - 1.5).powi(2))) as u64;
    let mut descent = Descent::new(vec![tunable(1.0), tunable(1.0)], 1.0, 0.0);
    for _ in 0..60 {
        let altered: Vec<u64> = (0..2).map(|i| nodes(&descent.altered(i))).collect();
        descent.step_by_counts(nodes(&descent.weights), &altered);
    }
    assert!(
        (descent.weights[0] - 0.6).abs() < 0.11 && (descent.weights[1] - 1.5).abs() < 0.11,
        "{:?}",
        descent.weights
    );
}

#[test]
fn a_switch_is_turned_where_that_saves_nodes() {
    let switch = Tunable { start: 0.0, min: 0.0, max: 1.0, is_switch: true, unit: 1.0, ..tunable(0.0) };
    let mut descent = Descent::new(vec![switch], 1.0, 0.0);
    descent.step_by_counts(1000, &[1100]);
    assert_eq!(descent.weights, [0.0]);
    descent.step_by_counts(1000, &[900]);
    assert_eq!((descent.weights[0], descent.tunables[0].text(1.0).as_str()), (1.0, "true"));
    descent.step_by_counts(1000, &[900]);
    assert_eq!(descent.weights, [0.0], "and back");
}

fn searcher(weights: &[f64]) -> Searcher<Chess, Evaluator> {
    let mut params = Profile::named("classic").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
    Slots::BY_CLASS.write(weights, &mut params).unwrap();
    Searcher::new(params, Evaluator::default(), 4).unwrap()
}

const TACTICAL: &str = "r1b1k2r/ppppnppp/2n2q2/2b5/3NP3/2P1B3/PP3PPP/RN1QKB1R w KQkq - 0 1";

#[test]
fn counting_along_changes_nothing_in_the_search() {
    let position = Chess::parse_position(TACTICAL).unwrap();
    let limits = Limits::depth(7);
    let plain = searcher(&[0.9; 4]).think(&position, &limits);
    let mut counter = GrowthCounter::new(Slots::BY_CLASS, 10);
    let watched = searcher(&[0.9; 4]).search(&Request::new(position.clone()), &limits, &Signal::new(), &mut counter);
    assert_eq!((plain.nodes, plain.score()), (watched.nodes, watched.score()));
    let counts = counter.finished().unwrap();
    assert_eq!(counts.depth, 7);
    assert!(counts.nodes <= watched.nodes, "quiescence is not counted: {counts:?}");
    assert!(counts.altered.iter().all(|&altered| altered <= counts.nodes), "{counts:?}");
    assert!(counts.altered[0] < counts.nodes, "dearer checks make a smaller tree: {counts:?}");
}

#[test]
fn a_search_ends_when_it_agrees_with_the_answer() {
    let position = Chess::parse_position("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    let mate = Chess::parse_move(&position, "Rd8").unwrap();
    let found = solve(&mut searcher(&[1.0; 4]), &position, &[mate], 100_000, &Signal::new(), None).unwrap();
    assert!(found.solved && found.nodes < 5000 && found.pv == [mate], "{found:?}");
    let wrong = Chess::parse_move(&position, "h3").unwrap();
    let missed = solve(&mut searcher(&[1.0; 4]), &position, &[wrong], 3000, &Signal::new(), None).unwrap();
    assert_eq!((missed.solved, missed.nodes), (false, 3000));
    let stopped = Signal::new();
    stopped.stop();
    assert_eq!(solve(&mut searcher(&[1.0; 4]), &position, &[mate], 100_000, &stopped, None), None);
}

#[test]
fn the_depth_of_a_path_is_the_sum_of_its_prices() {
    let mut params = Params::DEFAULT;
    Slots::BY_CLASS.write(&[0.4, 0.3, 0.7, 0.9], &mut params).unwrap();
    let position = Chess::parse_position("6k1/5ppp/8/8/8/8/5PPP/3RR1K1 w - - 0 1").unwrap();
    let mut line = Vec::new();
    let mut here = position.clone();
    // A check, its only answer is none: mate. Before it two quiet moves.
    for text in ["h3", "h6", "Rd8"] {
        let mv = Chess::parse_move(&here, text).unwrap();
        line.push(mv);
        here = Chess::play(&here, mv);
    }
    let path = PathDepth::of::<Chess>(&position, None, &line, &params.extensions, &Slots::BY_CLASS);
    assert!((path.depth - 2.4).abs() < 1e-9, "{path:?}");
    assert_eq!(path.moves, [1, 0, 0, 0]);
    assert_eq!(Slots::BY_CLASS.read(&params), [0.4, 0.3, 0.7, 0.9]);
}

#[test]
fn a_pupil_learns_from_drops_and_from_nothing_else() {
    let position = Chess::parse_position(TACTICAL).unwrap();
    let slots = Slots::BY_CLASS_AND_PHASE;
    let tunables = slots.names().into_iter().map(|name| Tunable { name, ..tunable(1.0) }).collect();
    let mut pupil = Pupil::new(slots.clone(), Descent::new(tunables, 0.05, 0.0), 33, -300, 0.1);
    let counts = Counts { depth: 5, nodes: 10_000, altered: vec![9_000; 8] };
    let prices = Params::DEFAULT.extensions;
    let chess = Hosted::<Chess>::new();
    let start = AnyPosition::new(GameSoFar::<Chess>::new(position));
    let ours = start.parse_move("Nb5").unwrap();
    let mut later = start.clone();
    later.play(ours).unwrap();
    let reply = later.parse_move("Qf6h4").unwrap_or_else(|_| later.legal_moves()[0]);
    later.play(reply).unwrap();
    let next = later.legal_moves()[0];
    let mut game = |first: i32, second: i32| {
        pupil.new_game();
        pupil.descent.weights = vec![1.0; 8];
        let silent = pupil.note(&chess, &start, (first, &[ours]), Some(&counts), &prices).is_none();
        assert!(silent, "one search alone teaches nothing");
        let lesson = pupil.note(&chess, &later, (second, &[next]), Some(&counts), &prices);
        (lesson.map(|lesson| lesson.path), pupil.descent.weights != vec![1.0; 8])
    };
    assert_eq!(game(50, 17), (None, false), "a drop by no more than a third of a pawn");
    assert_eq!(game(50, 90), (None, false), "a rise");
    assert_eq!(game(-310, -500), (None, false), "a lost game");
    assert_eq!(game(50, 16), (Some(vec![ours, reply, next]), true));
}
