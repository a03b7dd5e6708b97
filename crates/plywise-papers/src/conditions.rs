use plywise_search::{Clock, Limits, TimeControl};
use std::path::PathBuf;

/// How much of a table is wanted, and under which conditions.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The share of the positions and games.
    pub share: f64,
    /// The folder with the papers' suites.
    pub data: Option<PathBuf>,
    /// What a move of a match may use up instead of the table's clock.
    pub limits: Option<Limits>,
    /// Who stands for the papers' opponents, as it is written on the command line.
    pub opponent: Option<String>,
    /// Only the parts of the table with these names; all of them if empty. See [`Table::parts`](crate::Table::parts).
    pub only: Vec<String>,
}

impl Conditions {
    /// A share of the games, in pairs.
    pub(crate) fn games(&self, whole: u64) -> u64 {
        (((whole as f64 * self.share) / 2.0).round() as u64).max(1) * 2
    }

    /// A share of the positions.
    pub(crate) fn positions(&self, whole: u64) -> u64 {
        ((whole as f64 * self.share).round() as u64).max(2)
    }

    /// Of depths that take ever longer, those that fit.
    pub(crate) fn depths(&self, depths: &[i32]) -> Vec<i32> {
        let fit = match self.share {
            share if share < 0.2 => 1,
            share if share < 0.5 => 2,
            _ => depths.len(),
        };
        depths.iter().copied().take(fit).collect()
    }

    /// The limits of a match: the table's, unless others are wanted.
    pub(crate) fn limits(&self, usual: Limits) -> Limits {
        self.limits.unwrap_or(usual)
    }
}

/// A clock of this many seconds with this increment.
pub(crate) fn clock(base: f64, increment: f64) -> Limits {
    let seconds = std::time::Duration::from_secs_f64;
    let control = TimeControl { moves: None, base: seconds(base), increment: seconds(increment) };
    Limits { clock: Some(Clock::new(control)), ..Limits::default() }
}

/// Limits as options of a command.
pub(crate) fn options(limits: &Limits) -> String {
    let mut words = Vec::new();
    words.extend(limits.depth.map(|depth| format!("--depth {depth}")));
    words.extend(limits.nodes.map(|nodes| format!("--nodes {nodes}")));
    words.extend(limits.movetime.map(|time| format!("--movetime {}", time.as_millis())));
    words.extend(limits.clock.map(|clock| format!("--tc {}", clock.control())));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(share: f64) -> Conditions {
        Conditions { share, data: None, limits: None, opponent: None, only: Vec::new() }
    }

    #[test]
    fn a_share_keeps_pairs_and_never_nothing() {
        let games = |share, whole| conditions(share).games(whole);
        assert_eq!((games(0.05, 600), games(0.001, 600), games(1.0, 80)), (30, 2, 80));
        assert_eq!(conditions(0.001).positions(100), 2);
        assert_eq!(conditions(1.0).depths(&[8, 10, 12]), [8, 10, 12]);
        assert_eq!(conditions(0.1).depths(&[8, 10, 12]), [8]);
    }

    #[test]
    fn nodes_and_other_clocks_stand_for_a_clock() {
        let usual = clock(5.0, 0.05);
        assert_eq!(options(&conditions(1.0).limits(usual)), "--tc 5+0.05");
        let nodes = Conditions { limits: Some(Limits::nodes(500)), ..conditions(1.0) };
        assert_eq!(options(&nodes.limits(usual)), "--nodes 500");
    }
}
