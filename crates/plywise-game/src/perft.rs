use crate::Game;

/// The number of move paths of exactly `depth` plies. A pass is a ply; a game that is over earlier counts nothing.
pub fn perft<G: Game>(position: &G::Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => G::move_count(position) as u64,
        _ => {
            let mut paths = 0;
            G::moves(position, |mv| paths += perft::<G>(&G::play(position, mv), depth - 1));
            paths
        }
    }
}

/// [`perft`] split by the first move, in the order of generation. `depth` is at least 1.
pub fn divide<G: Game>(position: &G::Position, depth: u32) -> Vec<(G::Move, u64)> {
    let mut rows = Vec::new();
    G::moves(position, |mv| rows.push((mv, perft::<G>(&G::play(position, mv), depth.saturating_sub(1)))));
    rows
}
