use plywise_game::random::Random;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody else. With two players this is a match between them.
    RoundRobin,
    /// The first entry meets all others.
    Gauntlet,
    /// The first entry meets the second, the third the fourth, and so on: a round of a knockout. An odd one rests.
    Pairs,
    /// The first entry meets itself, from every opening once: colours need no swapping.
    SelfPlay,
}

/// The games of a match by their numbers.
///
/// Games come in pairs: the same two players and the same opening, colours swapped; only self-play has single games. All
/// pairings play their first pair before any plays its second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games_each: u64,
    /// How often an opening is played before the next one's turn.
    games_per_round: u64,
    /// The openings in the order in which they are used. Never empty.
    order: Vec<usize>,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub index: u64,
    /// The number of its pairing.
    pub pairing: usize,
    /// Which pair of games of that pairing it belongs to.
    pub round: u64,
    /// Who moves first and who second, as numbers of entries.
    pub players: [usize; 2],
    /// The number of its opening.
    pub opening: usize,
}

impl Schedule {
    /// The schedule of `games_each` games for each two of `entries` who meet. The openings are used in turn, in an
    /// order drawn by `seed` where there is one; with no opening at all the schedule is empty.
    pub fn new(format: Format, entries: usize, games_each: u64, openings: usize, seed: Option<u64>) -> Schedule {
        let pairings = match format {
            Format::RoundRobin => (0..entries).flat_map(|a| (a + 1..entries).map(move |b| [a, b])).collect(),
            Format::Pairs => (0..entries / 2).map(|pair| [2 * pair, 2 * pair + 1]).collect(),
            Format::Gauntlet => (1..entries).map(|b| [0, b]).collect(),
            Format::SelfPlay => vec![[0, 0]],
        };
        let games_per_round = if format == Format::SelfPlay { 1 } else { 2 };
        let mut order: Vec<usize> = (0..openings).collect();
        if let Some(seed) = seed {
            Random::new(seed).shuffle(&mut order);
        }
        Schedule { pairings, games_each, games_per_round, order }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        if self.order.is_empty() { 0 } else { self.games_each.saturating_mul(self.pairings.len() as u64) }
    }

    /// The games after which everybody who meets has played as many: a pair of games for each pairing.
    pub fn games_in_round(&self) -> u64 {
        self.games_per_round * self.pairings.len() as u64
    }

    /// Who meets whom, as numbers of entries.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The game with this number, if there is one.
    pub fn game(&self, index: u64) -> Option<Fixture> {
        if index >= self.games() {
            return None;
        }
        // Where the number of games is odd, the last round of each pairing has one game instead of two.
        let games_in_round = self.games_in_round();
        let full_rounds = self.games_each / self.games_per_round;
        let round = (index / games_in_round).min(full_rounds);
        let in_round = index - round * games_in_round;
        let games_in_pair = if round < full_rounds { self.games_per_round } else { 1 };
        let pairing = (in_round / games_in_pair) as usize;
        let [a, b] = self.pairings[pairing];
        let swapped = in_round % games_in_pair == 1;
        let opening = self.order[(round % self.order.len() as u64) as usize];
        Some(Fixture { index, pairing, round, players: if swapped { [b, a] } else { [a, b] }, opening })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(schedule: &Schedule) -> Vec<(usize, usize, usize)> {
        let fixtures = (0..).map_while(|index| schedule.game(index));
        fixtures.map(|fixture| (fixture.players[0], fixture.players[1], fixture.opening)).collect()
    }

    #[test]
    fn two_players_swap_colours_on_every_opening() {
        let schedule = Schedule::new(Format::RoundRobin, 2, 5, 2, None);
        assert_eq!(games(&schedule), [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (0, 1, 0)]);
    }

    #[test]
    fn self_play_uses_every_opening_once() {
        let schedule = Schedule::new(Format::SelfPlay, 1, 3, 3, None);
        assert_eq!(games(&schedule), [(0, 0, 0), (0, 0, 1), (0, 0, 2)]);
    }

    #[test]
    fn a_round_robin_goes_round_by_round() {
        let schedule = Schedule::new(Format::RoundRobin, 3, 3, 9, None);
        let expected =
            [(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0), (1, 2, 0), (2, 1, 0), (0, 1, 1), (0, 2, 1), (1, 2, 1)];
        assert_eq!(games(&schedule), expected);
    }

    #[test]
    fn a_gauntlet_is_run_by_the_first() {
        let schedule = Schedule::new(Format::Gauntlet, 3, 2, 1, None);
        assert_eq!(games(&schedule), [(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 0, 0)]);
    }

    #[test]
    fn a_seed_draws_an_order_and_keeps_it() {
        let order = |seed| games(&Schedule::new(Format::RoundRobin, 2, 40, 20, Some(seed)));
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut used: Vec<usize> = order(1).iter().map(|game| game.2).collect();
        used.sort();
        used.dedup();
        assert_eq!(used.len(), 20);
    }

    #[test]
    fn nothing_to_play_is_no_game() {
        for (entries, games, openings) in [(0, 2, 1), (1, 2, 1), (2, 0, 1), (2, 2, 0)] {
            let schedule = Schedule::new(Format::RoundRobin, entries, games, openings, Some(0));
            assert_eq!((schedule.games(), schedule.game(0)), (0, None));
        }
    }
}
