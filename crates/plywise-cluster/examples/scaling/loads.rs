//! What is simulated.

use plywise_cluster::Load;

/// Seconds that games of Lines of Action took at 2,000 nodes a move, on a busy machine (`match loa --a best --b classic
/// --games 60 --nodes 2000 --jobs 1`).
const GAMES: [f64; 60] = [
    0.260, 0.196, 0.288, 0.188, 0.264, 0.214, 0.181, 0.366, 0.285, 0.205, 0.225, 0.348, 0.169, 0.182, 0.278, 0.230,
    0.210, 0.285, 0.260, 0.221, 0.149, 0.244, 0.293, 0.213, 0.380, 0.285, 0.326, 0.211, 0.245, 0.210, 0.248, 0.248,
    0.260, 0.378, 0.198, 0.429, 0.235, 0.246, 0.199, 0.290, 0.347, 0.222, 0.387, 0.201, 0.320, 0.315, 0.349, 0.280,
    0.191, 0.353, 0.233, 0.124, 0.299, 0.194, 0.153, 0.382, 0.277, 0.371, 0.375, 0.366,
];

/// Seconds from a worker's wish to its unit on a network that is not fast.
const LATENCY: f64 = 0.005;

/// Seconds that the coordinator needs for a result: the reciprocal of what `load` measures, rounded up.
const KEEPING: f64 = 0.000_25;

/// Names, how many games, how many times as long each takes, and whether a sequential test ends it.
pub type Kind = (&'static str, u64, f64, bool);

pub const LOADS: [Kind; 3] = [
    ("9,000 games at 2,000 nodes", 9000, 1.0, false),
    ("SPRT, decided after 9,000 games at 20,000 nodes", 9000, 10.0, true),
    ("a generation: 435 pairs of organisms, 4 games each", 435, 4.0, false),
];

pub fn load((_, units, factor, has_test): Kind) -> Load {
    let durations = GAMES.iter().map(|seconds| factor * seconds).collect();
    Load { durations, units, has_test, latency: LATENCY, keeping: KEEPING, seed: 1 }
}
