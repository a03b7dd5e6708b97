use plywise_host::AnyPosition;
use std::collections::HashMap;

/// The openings of games, those that were played most often first, and of those the one that came first. One comes once,
/// however its moves were ordered, and only if at least `least_games` games have it.
pub fn most_played(openings: Vec<AnyPosition>, least_games: u64) -> Vec<AnyPosition> {
    let mut places: HashMap<u64, usize> = HashMap::new();
    let mut counted: Vec<(u64, AnyPosition)> = Vec::new();
    for opening in openings {
        match places.get(&opening.hash()) {
            Some(&place) => counted[place].0 += 1,
            None => {
                places.insert(opening.hash(), counted.len());
                counted.push((1, opening));
            }
        }
    }
    counted.retain(|(count, _)| *count >= least_games);
    // The sort keeps the order of those that are alike.
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counted.into_iter().map(|(_, opening)| opening).collect()
}
