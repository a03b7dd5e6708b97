//! How often moves of each class are played where they are available, for realization probability search (Tsuruoka,
//! Yokoyama & Chikayama 2002).

use super::watch::Watcher;
use super::{Statistic, Table};
use crate::self_play::{Players, TypedSelfPlay};
use plywise_game::{Evaluate, Game, GameSoFar};
use plywise_search::{ClassCounts, ClassTable, Signal};
use serde::{Deserialize, Serialize};

/// Classes of moves, available and played, have no settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RealizationQuestion;

/// How often moves of each class were played in a game, and how often available.
pub(crate) fn classes<G: Game, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    number: u64,
    stop: &Signal,
) -> Option<Vec<ClassCounts>> {
    Some(count_classes(&play.play(number, &mut Watcher::Nothing, stop)?))
}

/// The same of a game that someone else played.
pub(crate) fn count_classes<G: Game>(game: &GameSoFar<G>) -> Vec<ClassCounts> {
    let mut classes = vec![ClassCounts::default(); G::MOVE_CLASSES];
    for (position, played) in game.steps() {
        let mut available: Vec<usize> = Vec::new();
        G::moves(position, |mv| available.push(G::move_class(position, mv)));
        available.sort_unstable();
        available.dedup();
        available.into_iter().for_each(|class| classes[class].available += 1);
        classes[G::move_class(position, played)].played += 1;
    }
    classes
}

impl Statistic for RealizationQuestion {
    /// By class: how often moves of it were played, and how often available.
    type Share = Vec<(u64, u64)>;

    fn share(&self, players: &dyn Players, number: u64, stop: &Signal) -> Option<Vec<(u64, u64)>> {
        let classes = players.classes(number, stop)?;
        Some(classes.iter().map(|class| (class.played, class.available)).collect())
    }

    fn table(&self, shares: Vec<Vec<(u64, u64)>>) -> Table {
        let mut classes: Vec<ClassCounts> = Vec::new();
        for share in shares {
            classes.resize(classes.len().max(share.len()), ClassCounts::default());
            for (sum, (played, available)) in classes.iter_mut().zip(share) {
                sum.played += played;
                sum.available += available;
            }
        }
        Table::Realization(ClassTable { classes })
    }
}
