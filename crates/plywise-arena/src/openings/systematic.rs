use plywise_host::AnyPosition;
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
/// With `distinct` each position that is the same to the rules comes once, as in Björnsson, "Selective Depth-First
/// Game-Tree Search", 2002, who played from the 311 two-ply positions of Lines of Action. Without it every sequence of
/// moves is an opening of its own.
pub fn systematic(start: &AnyPosition, plies: usize, distinct: bool) -> Result<Vec<AnyPosition>, TooMany> {
    let mut lines = vec![start.clone()];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut longer = Vec::new();
        for line in &lines {
            for mv in line.legal_moves() {
                let mut after = line.clone();
                // What is the same to the rules has the same continuations: follow it once.
                let is_new = after.play(mv).is_ok() && (!distinct || seen.insert(after.canonical().text()));
                if !is_new || after.outcome().is_some() {
                    continue;
                }
                longer.push(after);
                if longer.len() > MOST {
                    return Err(TooMany(plies));
                }
            }
        }
        lines = longer;
    }
    Ok(lines)
}
