use super::Canonical;
use crate::player::Opening;
use plywise_game::Notation;
use std::collections::HashSet;

/// There are more openings than anybody wants in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are more than {MOST} openings of {0} plies")]
pub struct TooMany(pub usize);

/// More than this are not kept in memory.
const MOST: usize = 1_000_000;

/// All openings of `plies` plies from the start of the game, in the order in which moves are generated. Lines on which
/// the game ends earlier are left out.
///
/// With `canonical`, which gives one of all positions that are the same to the rules, each such position comes once, as
/// in Björnsson, "Selective Depth-First Game-Tree Search", 2002, who played from the 311 two-ply positions of Lines of
/// Action. Without it every sequence of moves is an opening of its own.
pub fn systematic<G: Notation>(
    start: &G::Position,
    plies: usize,
    canonical: Option<Canonical<G>>,
) -> Result<Vec<Opening<G>>, TooMany> {
    let mut lines = vec![(start.clone(), Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut longer: Vec<(G::Position, Vec<G::Move>)> = Vec::new();
        for (position, moves) in &lines {
            for mv in G::legal_moves(position) {
                let after = G::play(position, mv);
                // What is the same to the rules has the same continuations: follow it once.
                let is_new = canonical.is_none_or(|canonical| seen.insert(G::write_position(&canonical(&after))));
                if !is_new || G::outcome(&after).is_some() {
                    continue;
                }
                longer.push((after, [&moves[..], &[mv]].concat()));
                if longer.len() > MOST {
                    return Err(TooMany(plies));
                }
            }
        }
        lines = longer;
    }
    Ok(lines.into_iter().map(|(_, moves)| Opening { start: start.clone(), moves }).collect())
}
