use super::record::GameRecord;
use super::schedule::Schedule;
use crate::player::FaultKind;
use crate::statistics::{Crosstable, Decision, Pentanomial, Ratings, RatingsError, Sprt, Summary, Wdl};
use std::collections::BTreeMap;

/// What the games so far add up to, counted in the order of their numbers.
///
/// Only the games before the first unfinished one count, and of these only those up to the decision of a sequential
/// test. So the standings after a number of games are the same whatever the order in which they were finished.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    schedule: Schedule,
    sprt: Option<Sprt>,
    pairings: Vec<Pairing>,
    /// Games that are finished but not counted yet: their numbers, pairings and results.
    ahead: BTreeMap<u64, usize>,
    counted: u64,
    faults: BTreeMap<u64, (usize, FaultKind, String)>,
    decision: Decision,
}

/// The results of two who meet, seen by the one who was entered first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    /// Single games.
    pub games: Wdl,
    /// Pairs of games.
    pub pairs: Pentanomial,
    /// The half points of the first game of a pair whose second is still to come.
    open: Option<usize>,
}

impl Standings {
    /// Standings without games. A sequential test needs a match of two.
    pub fn new(names: Vec<String>, schedule: Schedule, sprt: Option<Sprt>) -> Standings {
        let pairings = vec![Pairing::default(); schedule.pairings().len()];
        Standings {
            names,
            schedule,
            sprt,
            pairings,
            ahead: BTreeMap::new(),
            counted: 0,
            faults: BTreeMap::new(),
            decision: Decision::Continue,
        }
    }

    /// Takes note of a finished game.
    pub fn add(&mut self, record: &GameRecord) {
        self.ahead.insert(record.index, record.half_points());
        if let super::Ending::Fault { first, fault } = &record.ending {
            let offender = record.players[usize::from(!first)];
            self.faults.insert(record.index, (offender, fault.kind, fault.to_string()));
        }
        while self.decision == Decision::Continue
            && let Some(half_points) = self.ahead.remove(&self.counted)
            && let Some(fixture) = self.schedule.game(self.counted)
        {
            self.counted += 1;
            let pairing = &mut self.pairings[fixture.pairing];
            let is_swapped = fixture.players != self.schedule.pairings()[fixture.pairing];
            pairing.count(if is_swapped { 2 - half_points } else { half_points }, is_swapped);
            // Between the two games of a pair nothing is decided: a lopsided opening has only been seen from one side.
            if let (Some(sprt), None, [pairing]) = (&self.sprt, pairing.open, &self.pairings[..]) {
                self.decision = sprt.state(&pairing.games, &pairing.pairs).decision;
            }
        }
    }

    /// The standings before the first game.
    pub fn before(&self) -> Standings {
        Standings::new(self.names.clone(), self.schedule.clone(), self.sprt)
    }

    /// What a match between these is called.
    pub fn title(&self) -> String {
        match &self.names[..] {
            [a, b] => format!("{a} against {b}"),
            names => format!("{} players", names.len()),
        }
    }

    /// The names of the entries.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Who meets whom, as numbers of entries, and their results.
    pub fn pairings(&self) -> impl Iterator<Item = ([usize; 2], &Pairing)> {
        self.schedule.pairings().iter().copied().zip(&self.pairings)
    }

    /// The number of games that count.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// The number of games that there will be, unless a test decides earlier.
    pub fn scheduled(&self) -> u64 {
        self.schedule.games()
    }

    /// What the sequential test has decided.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.decision != Decision::Continue || self.counted >= self.scheduled()
    }

    /// The failures among the games that count: the game, the number of the entry that failed, and what happened.
    pub fn faults(&self) -> impl Iterator<Item = (u64, usize, &str)> {
        self.faults.range(..self.counted).map(|(&game, (player, _, fault))| (game, *player, fault.as_str()))
    }

    /// How many of the games that count each entry lost by failing.
    pub fn forfeits(&self) -> Vec<u64> {
        let mut forfeits = vec![0; self.names.len()];
        for (_, player, _) in self.faults() {
            if let Some(count) = forfeits.get_mut(player) {
                *count += 1;
            }
        }
        forfeits
    }

    /// How many of the games that count each entry lost on time.
    pub fn time_forfeits(&self) -> Vec<u64> {
        let mut forfeits = vec![0; self.names.len()];
        for (player, kind, _) in self.faults.range(..self.counted).map(|(_, fault)| fault) {
            if let Some(count) = forfeits.get_mut(*player).filter(|_| *kind == FaultKind::TimeForfeit) {
                *count += 1;
            }
        }
        forfeits
    }

    /// Whether more than two play, and a round of theirs has just ended.
    pub fn has_ended_round(&self) -> bool {
        let round = self.schedule.games_in_round();
        self.pairings.len() > 1 && self.counted > 0 && self.counted.is_multiple_of(round.max(1))
    }

    /// Who has how many points from how many games, the best first; of two alike, the one entered first.
    pub fn table(&self) -> Vec<(String, f64, u64)> {
        let mut table: Vec<(String, f64, u64)> = self.names.iter().map(|name| (name.clone(), 0.0, 0)).collect();
        for ([a, b], Pairing { games, .. }) in self.pairings() {
            let half = games.draws as f64 / 2.0;
            for (player, wins) in [(a, games.wins), (b, games.losses)] {
                if let Some(row) = table.get_mut(player) {
                    row.1 += wins as f64 + half;
                    row.2 += games.games();
                }
            }
        }
        table.sort_by(|a, b| b.1.total_cmp(&a.1));
        table
    }

    /// Whether a match of two was decided by failures: whether they gave at least half of the lead.
    pub fn is_decided_by_forfeits(&self) -> bool {
        let ([pairing], [a, b]) = (&self.pairings[..], &self.forfeits()[..]) else { return false };
        let lead = i128::from(pairing.games.wins) - i128::from(pairing.games.losses);
        let given = i128::from(*b) - i128::from(*a);
        given != 0 && (lead == 0 || given.signum() == lead.signum() && 2 * given.abs() >= lead.abs())
    }

    /// The statistics of a match of two: the first entry's results. `None` where there are more.
    pub fn summary(&self) -> Option<Summary> {
        let [pairing] = &self.pairings[..] else { return None };
        Some(Summary::of(&pairing.games, &pairing.pairs, self.sprt.as_ref()))
    }

    /// Who scored what against whom.
    pub fn crosstable(&self) -> Crosstable {
        let mut table = Crosstable::new(self.names.iter().cloned());
        for ([a, b], pairing) in self.pairings() {
            table.add(a, b, pairing.games);
        }
        table
    }

    /// The ratings of all entries.
    pub fn ratings(&self) -> Result<Ratings, RatingsError> {
        Ratings::fit(&self.crosstable())
    }
}

impl Pairing {
    fn count(&mut self, half_points: usize, closes_pair: bool) {
        match half_points {
            0 => self.games.losses += 1,
            1 => self.games.draws += 1,
            _ => self.games.wins += 1,
        }
        if closes_pair {
            if let Some(first) = self.open.take() {
                self.pairs.add(first + half_points);
            }
        } else {
            self.open = Some(half_points);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Ending;
    use super::super::schedule::Format;
    use super::*;
    use crate::statistics::EloModel;
    use plywise_game::Side;
    use plywise_game::pgn::GameResult;

    /// The game with this number, won by its first player, its second, or neither.
    fn game(schedule: &Schedule, index: u64, winner: Option<Side>) -> GameRecord {
        let players = schedule.game(index).unwrap().players;
        GameRecord {
            index,
            players,
            names: players.map(|player| player.to_string()),
            opening: 0,
            date: String::new(),
            time_controls: Default::default(),
            start: String::new(),
            moves: Vec::new(),
            result: winner.map_or(GameResult::Draw, GameResult::Win),
            ending: Ending::Decided { words: String::new() },
        }
    }

    fn standings(games_each: u64, sprt: Option<Sprt>) -> (Standings, Schedule) {
        let schedule = Schedule::new(Format::RoundRobin, 2, games_each, 1, None);
        (Standings::new(vec!["a".into(), "b".into()], schedule.clone(), sprt), schedule)
    }

    #[test]
    fn games_count_in_order_and_colours_are_swapped_back() {
        let (mut standings, schedule) = standings(4, None);
        standings.add(&game(&schedule, 1, Some(Side::Second)));
        assert_eq!(standings.counted(), 0);
        standings.add(&game(&schedule, 0, Some(Side::First)));
        let summary = standings.summary().unwrap();
        assert_eq!((summary.games, summary.wins), (2, 2));
        assert_eq!(summary.pentanomial, Pentanomial([0, 0, 0, 0, 1]));
        standings.add(&game(&schedule, 3, None));
        standings.add(&game(&schedule, 2, Some(Side::First)));
        assert_eq!(standings.summary().unwrap().pentanomial, Pentanomial([0, 0, 0, 1, 1]));
        assert!(standings.is_over());
    }

    /// The second entry wins three games of four, two of them because the first entry fails.
    #[test]
    fn forfeits_are_counted_and_can_decide() {
        let (mut standings, schedule) = standings(4, None);
        let fault = crate::player::Fault::new(crate::player::FaultKind::TimeForfeit, "late");
        for (index, winner) in [(0, Side::Second), (1, Side::First), (2, Side::Second), (3, Side::Second)] {
            let mut record = game(&schedule, index, Some(winner));
            if index < 2 {
                record.ending = Ending::Fault { first: index == 0, fault: fault.clone() };
            }
            standings.add(&record);
        }
        assert_eq!(standings.forfeits(), [2, 0]);
        assert_eq!(standings.time_forfeits(), [2, 0]);
        assert_eq!(standings.summary().unwrap().losses, 3);
        assert!(standings.is_decided_by_forfeits());
        let (mut sound, schedule) = self::standings(2, None);
        (0..2).for_each(|index| sound.add(&game(&schedule, index, Some(Side::First))));
        assert!(!sound.is_decided_by_forfeits());
    }

    /// A one-sided match is decided early. Whatever the order in which its games end, the same games count.
    #[test]
    fn a_test_is_decided_on_the_same_games_in_any_order() {
        let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05, EloModel::Logistic).unwrap();
        let play = |order: &[u64]| {
            let (mut standings, schedule) = standings(200, Some(sprt));
            for &index in order {
                // The first entry wins with both colours, but for a draw now and then.
                let winner = if index % 2 == 0 { Side::First } else { Side::Second };
                standings.add(&game(&schedule, index, (index % 7 != 0).then_some(winner)));
            }
            (standings.counted(), standings.decision(), standings.summary().unwrap())
        };
        let forward: Vec<u64> = (0..200).collect();
        let backward: Vec<u64> = (0..200).rev().collect();
        let interleaved: Vec<u64> = (0..200).map(|i| i * 37 % 200).collect();
        let expected = play(&forward);
        assert_eq!(expected.1, Decision::H1);
        assert!(expected.0 < 200 && expected.0 % 2 == 0, "{}", expected.0);
        assert_eq!(play(&backward), expected);
        assert_eq!(play(&interleaved), expected);
    }
}
