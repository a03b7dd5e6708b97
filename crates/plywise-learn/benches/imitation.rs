//! A hundred evaluations choose their moves in a few positions: all at once from stored trees, and each by its own search.

use plywise_chess::{Chess, Weights};
use plywise_game::parameters::Parameters;
use plywise_game::random::Random;
use plywise_game::{BoardGame, Game, GameSoFar};
use plywise_host::{AnyPosition, Move};
use plywise_learn::evolution::{Breeder, Gene, GeneFile, Genome, Selection};
use plywise_learn::imitation::{Columns, Imitation, Sample};
use plywise_search::{Blueprint, Limits, Params, Request, Signal};

fn main() {
    divan::main();
}

/// The positions, the organisms, and the search of one ply.
struct Scene {
    samples: Vec<Sample>,
    positions: Vec<(<Chess as Game>::Position, <Chess as Game>::Move)>,
    genome: Genome,
    organisms: Vec<Vec<i32>>,
    params: Params,
}

impl Scene {
    fn new() -> Scene {
        let mut random = Random::new(1);
        let sample = |_| {
            let position = random.game::<Chess>(Chess::start(), 40).pop()?;
            let played = random.legal_move::<Chess>(&position)?;
            Some((position, played))
        };
        let positions: Vec<_> = (0..20).filter_map(sample).collect();
        let erase = |(position, played): &(_, _)| Sample {
            position: AnyPosition::new(GameSoFar::<Chess>::new(Clone::clone(position))),
            played: Move(Chess::move_code(*played)),
        };
        let samples = positions.iter().map(erase).collect();
        let genes: Vec<Gene> = toml::from_str::<GeneFile>(Chess::GENES[0].1).unwrap().gene;
        let genome = Genome::new(genes, plywise_learn::evolution::Others::Zero, &Weights::DEFAULT).unwrap();
        let breeder = Breeder {
            population: 100,
            selection: Selection::Proportional,
            crossover: 0.75,
            mutation: 0.005,
            elite: 1,
            seed: 1,
        };
        let organisms = breeder.first(genome.bits());
        let organisms = organisms.iter().map(|organism| genome.settings(&organism.decode(genome.genes()))).collect();
        let mut params = Params::OFF;
        params.quiescence = Params::DEFAULT.quiescence;
        params.quiescence.plies = 6;
        params.quiescence.breadth = 1000;
        params.framework = Params::DEFAULT.framework;
        params.ordering = Params::DEFAULT.ordering;
        Scene { samples, positions, genome, organisms, params }
    }
}

#[divan::bench]
fn from_trees(bencher: divan::Bencher) {
    let scene = Scene::new();
    let columns = Columns::new(&scene.genome);
    let imitation = Imitation::new::<Chess>(&scene.samples, columns, &scene.params, 1, 1);
    bencher.bench_local(|| imitation.found(&scene.organisms, 1));
}

#[divan::bench(sample_count = 5)]
fn by_search(bencher: divan::Bencher) {
    let scene = Scene::new();
    bencher.bench_local(|| {
        let mut moves = 0;
        for organism in &scene.organisms {
            let mut weights = Weights::DEFAULT;
            weights.set_values(organism);
            let blueprint =
                Blueprint { megabytes: 1, ..Blueprint::new(scene.params.clone(), Chess::evaluation(weights)) };
            let mut searcher = blueprint.searcher().unwrap();
            for (position, played) in &scene.positions {
                let request = Request::new(position.clone());
                let report = searcher.search(&request, &Limits::depth(1), &Signal::new(), &mut ());
                moves += usize::from(report.best_move() == Some(*played));
            }
        }
        moves
    });
}
