//! Trees that many evaluations share say what the plain search says.

use plywise_abalone::Abalone;
use plywise_chess::{Chess, Weights};
use plywise_game::parameters::Parameters;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Evaluate, Game, GameSoFar, Linear, Notation, score};
use plywise_host::{AnyPosition, Hosted, Move, Playable};
use plywise_learn::evolution::{Drive, Gene, Genome, Others};
use plywise_learn::imitation::{Columns, Imitation, Mentored, Sample};
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::{Blueprint, Limits, Params, Request, Signal};

/// A search of one ply with a short quiescence.
fn params(plies: i32) -> Params {
    let mut params = Params::OFF;
    params.quiescence = Params::DEFAULT.quiescence;
    params.quiescence.plies = plies;
    params.quiescence.breadth = 100;
    params
}

/// A gene for every weight, or every third, in one of which it drives two.
fn genome<W: Parameters + Default>(every: usize) -> Genome {
    let declared = W::declared();
    let gene = |parameter: &plywise_game::parameters::Parameter| {
        let path = parameter.path();
        Gene { name: path.clone(), bits: 8, offset: -100, step: 1, most: None, drives: vec![Drive::plain(path)] }
    };
    let mut genes: Vec<Gene> = declared.iter().step_by(every).map(gene).collect();
    if every > 1 {
        genes[0].drives.push(Drive::plain(declared[1].path()));
    }
    Genome::new(genes, Others::Keep, &W::default()).unwrap()
}

fn sample<G: Playable>(position: G::Position, played: G::Move) -> Sample {
    Sample { position: AnyPosition::new(GameSoFar::<G>::new(position)), played: Move(G::move_code(played)) }
}

fn samples<G: Playable>(random: &mut Random, count: usize) -> Vec<Sample> {
    let mut samples = Vec::new();
    while samples.len() < count {
        let plies = random.below(80);
        let Some(position) = random.game::<G>(G::start(), plies).pop() else { continue };
        if G::outcome(&position).is_none() && !G::drawn_by_rule(&position) {
            let played = random.legal_move::<G>(&position).unwrap();
            samples.push(sample::<G>(position, played));
        }
    }
    samples
}

/// Random weights, then what the trees and the search say of every move of random positions.
#[track_caller]
fn check<G: Playable>(seed: u64, every: usize, plies: i32) {
    let mut random = Random::new(seed);
    let genome = genome::<G::Weights>(every);
    let samples = samples::<G>(&mut random, 10);
    let params = params(plies);
    let imitation = Imitation::new::<G>(&samples, Columns::new(&genome), &params, 1, 2);
    let values: Vec<i32> = genome.genes().iter().map(|_| random.below(256) as i32 - 100).collect();
    let settings = genome.settings(&values);
    let mut weights = G::Weights::default();
    weights.set_values(&settings);
    let blueprint = Blueprint { megabytes: 1, ..Blueprint::new(params, G::evaluation(weights)) };
    let mut searcher = blueprint.searcher().unwrap();
    for (i, sample) in samples.iter().enumerate() {
        for (code, value) in imitation.values(i, &settings) {
            let position = sample.position.typed::<G>().unwrap().position();
            let mv = G::move_from_code(position, code.0).unwrap();
            let request = Request { only: vec![mv], ..Request::new(position.clone()) };
            let report = searcher.search(&request, &Limits::depth(1), &Signal::new(), &mut ());
            assert_eq!(value, report.score(), "{} in {position:?}", G::write_move(position, mv));
        }
    }
}

#[test]
fn values_are_those_of_the_search() {
    for seed in 0..4 {
        check::<Chess>(seed, 1, 4);
        check::<Chess>(seed, 3, 64);
        check::<Loa>(seed, 1, 4);
        check::<Othello>(seed, 1, 4);
        check::<Abalone>(seed, 1, 2);
    }
    check::<Chess>(9, 1, 1);
}

/// Fifty organisms at once, more than fit side by side, find what each finds alone.
#[test]
fn many_organisms_are_each_themselves() {
    let mut random = Random::new(3);
    let genome = genome::<Weights>(5);
    let samples = samples::<Chess>(&mut random, 70);
    let imitation = Imitation::new::<Chess>(&samples, Columns::new(&genome), &params(3), 1, 1);
    let organism = |random: &mut Random| {
        let values: Vec<i32> = genome.genes().iter().map(|_| random.below(256) as i32 - 100).collect();
        genome.settings(&values)
    };
    let organisms: Vec<Vec<i32>> = (0..50).map(|_| organism(&mut random)).collect();
    let together = imitation.found(&organisms, 3);
    let alone: Vec<u32> =
        organisms.iter().map(|weights| imitation.found(std::slice::from_ref(weights), 1)[0]).collect();
    assert_eq!(together, alone);
    assert!(together.iter().any(|&found| found > 0), "somebody finds something");
    // What is found is the best move.
    for (i, sample) in samples.iter().enumerate() {
        let values = imitation.values(i, &organisms[0]);
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        let played = values.iter().find(|(mv, _)| *mv == sample.played).unwrap().1;
        let one = Imitation::new::<Chess>(std::slice::from_ref(sample), Columns::new(&genome), &params(3), 1, 1);
        let is_found = one.found(&organisms[..1], 1)[0] == 1;
        let is_alone = values.iter().filter(|(_, value)| *value == best).count() == 1;
        assert!(!is_found || played == best);
        assert!(is_found || played < best || !is_alone);
    }
}

#[test]
fn mates_and_stalemates_count_by_rule() {
    let position = |fen: &str| Chess::parse_position(fen).unwrap();
    let mate = position("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1");
    let stalemate = position("7k/5K2/8/8/8/8/6Q1/8 w - - 0 1");
    let played = |position: &<Chess as Game>::Position, text: &str| Chess::parse_move(position, text).unwrap();
    let samples = [
        sample::<Chess>(mate.clone(), played(&mate, "Re8")),
        sample::<Chess>(stalemate.clone(), played(&stalemate, "Qg6")),
    ];
    let genome = genome::<Weights>(1);
    let imitation = Imitation::new::<Chess>(&samples, Columns::new(&genome), &params(4), 1, 1);
    let weights = Weights::default().values();
    let value =
        |i: usize| imitation.values(i, &weights).into_iter().find(|(mv, _)| *mv == samples[i].played).unwrap().1;
    assert_eq!(value(0), score::win_in(1));
    assert_eq!(value(1), score::DRAW);
    assert_eq!(imitation.found(&[weights], 1), [1]);
}

/// An evaluation with the mentor's weights is not far from its scores.
#[test]
fn a_mentor_agrees_with_itself() {
    let mut random = Random::new(8);
    let genome = genome::<Weights>(1);
    let mut evaluate = Chess::evaluation(Weights::default());
    let mut params = params(1);
    params.quiescence = Params::OFF.quiescence;
    let mut scored = Vec::new();
    for sample in samples::<Chess>(&mut random, 20) {
        let position = sample.position.typed::<Chess>().unwrap().position().clone();
        if !Chess::in_check(&position) {
            scored.push((sample.position, Evaluate::evaluate(&mut evaluate, &position)));
        }
    }
    let mentored = Mentored::new::<Chess>(&scored, Columns::new(&genome), &params, 1);
    let (same, mut other) = (Weights::default().values(), Weights::default().values());
    other[1] += 50;
    let differences = mentored.mean_difference(&[same, other], 10_000, 2);
    assert_eq!(differences[0], 0.0);
    assert!(differences[1] > 0.0);
    let amounts = <Weights as Linear<Chess>>::amounts(scored[0].0.typed::<Chess>().unwrap().position());
    assert!(!amounts.is_empty());
}

#[test]
fn samples_are_read_as_they_were_written() {
    fn check<G: Playable>() {
        let samples = samples::<G>(&mut Random::new(5), 20);
        let text = Sample::write_all(&samples);
        assert_eq!(Sample::read_all(&Hosted::<G>::new(), &text).unwrap(), samples, "{text}");
    }
    check::<Chess>();
    check::<Loa>();
    check::<Othello>();
    check::<Abalone>();
    assert!(Sample::read_all(&Hosted::<Loa>::new(), "1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b d1-d9").is_err());
}
