//! A genetic algorithm over declared parameters (Holland, "Adaptation in Natural and Artificial Systems", 1975).
//!
//! An organism is a string of bits, its [`Chromosome`]. A [`Gene`] is a stretch of it in Gray code, so that neighbouring
//! numbers differ in one bit, and drives one parameter or several; a [`Genome`] is all genes, put in their places. The
//! [`Breeder`] makes a generation from the one before and its fitness. What is random there follows from the seed and the
//! number of the generation: a generation can be continued bit for bit, on any number of threads.
//!
//! ```
//! use plywise_learn::evolution::{Breeder, Gene, Genome, Others, Selection, ranked};
//! use plywise_game::parameters::Parameters;
//!
//! plywise_game::parameters! {
//!     /// What evolves.
//!     pub struct Throw;
//!     /// A ball.
//!     ball: Ball {
//!         /// How high.
//!         angle: 0..=90 = 0;
//!     }
//! }
//! let genome = Genome::new(vec![Gene::covering("ball.angle", 0, 90, 1)], Others::Keep, &Throw::DEFAULT).unwrap();
//! let breeder = Breeder {
//!     population: 20, selection: Selection::Proportional, crossover: 0.75, mutation: 0.01, elite: 1, seed: 1,
//! };
//! let mut organisms = breeder.first(genome.bits());
//! for generation in 1..=20 {
//!     // How far it flies.
//!     let range = |angle: i32| f64::from(2 * angle).to_radians().sin();
//!     let fitness: Vec<f64> = organisms.iter().map(|o| range(genome.settings(&o.decode(genome.genes()))[0])).collect();
//!     organisms = breeder.breed(generation, &organisms, &fitness);
//! }
//! let best = genome.settings(&organisms[0].decode(genome.genes()))[0];
//! assert!((43..=47).contains(&best), "{best}");
//! ```

mod breeder;
mod chromosome;
mod coeval;
mod eval;
mod gene;
mod lineage;
mod mentor;
mod plan;
mod presets;
mod search;
mod tournament;

pub use breeder::{Breeder, Selection, diversity, ranked};
pub use chromosome::Chromosome;
pub use coeval::{EvolveCoeval, EvolvedCoeval};
pub use eval::{EvolveEval, EvolvedEval, Rates};
pub use gene::{Drive, Gene, GeneError, GeneFile, Genome, Others};
pub use lineage::{Event, GeneState, Generation, Lineage, Standing, mean_and_spread};
pub use plan::{JournalEntry, Measure, Plan, Trial, Verdict};
pub use presets::{Breeding, FULL, PAPER, genome_of_search, genome_of_weights, usual_preset};
pub use search::{EvolveSearch, EvolvedSearch, Fitness, option_genome};
pub use tournament::Games;
