use super::{Elo, Pentanomial, Sample, Sprt, SprtState, Wdl};
use serde::Serialize;

/// Everything that a match between two says, as the command line prints it and programs read it.
///
/// Elo, error and likelihood of superiority are those of [`Elo`]: from all complete pairs and the odd game, and from single
/// games where there are no pairs. Before the first game they are `null` in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Games played.
    pub games: u64,
    /// Games that player A won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that player A lost.
    pub losses: u64,
    /// Player A's share of the points.
    pub score: Option<f64>,
    /// Player A's Elo minus player B's.
    pub elo: Option<f64>,
    /// Half the 95 % interval of `elo`.
    pub elo_error: Option<f64>,
    /// The normalised Elo difference.
    pub normalised_elo: Option<f64>,
    /// Half the 95 % interval of `normalised_elo`.
    pub normalised_elo_error: Option<f64>,
    /// The probability that player A is the stronger one.
    pub los: Option<f64>,
    /// Pairs of games by player A's half points.
    pub pentanomial: Pentanomial,
    /// The sequential test, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtState>,
}

impl Summary {
    /// Summarises single games and the pairs among them.
    pub fn of(games: &Wdl, pairs: &Pentanomial, sprt: Option<&Sprt>) -> Summary {
        Summary::new(games, games.games(), games.score(), pairs, sprt)
    }

    /// Summarises pairs whose single games are not known: wins, draws and losses stay 0.
    pub fn of_pairs(pairs: &Pentanomial, sprt: Option<&Sprt>) -> Summary {
        let games = pairs.pairs().saturating_mul(2);
        Summary::new(&Wdl::default(), games, pairs.score(), pairs, sprt)
    }

    fn new(games: &Wdl, count: u64, score: Option<f64>, pairs: &Pentanomial, sprt: Option<&Sprt>) -> Summary {
        let elo = Elo::of(games, pairs);
        Summary {
            games: count,
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
            score,
            elo: elo.map(|elo| elo.difference),
            elo_error: elo.map(|elo| elo.error),
            normalised_elo: elo.map(|elo| elo.normalised),
            normalised_elo_error: elo.map(|elo| elo.normalised_error),
            los: elo.map(|elo| elo.los),
            pentanomial: *pairs,
            sprt: sprt.map(|sprt| sprt.state(games, pairs)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::EloModel;

    #[test]
    fn json_has_the_promised_keys() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalised).unwrap();
        let games = Wdl { wins: 5, draws: 4, losses: 3 };
        let summary = Summary::of(&games, &Pentanomial([1, 0, 3, 1, 1]), Some(&sprt));
        let json = serde_json::to_value(summary).unwrap();
        assert_eq!(json["games"], 12);
        assert_eq!(json["pentanomial"], serde_json::json!([1, 0, 3, 1, 1]));
        assert_eq!(json["sprt"]["decision"], "continue");
        for key in ["wins", "draws", "losses", "score", "elo", "elo_error", "los"] {
            assert!(json[key].is_number(), "{key}");
        }
        let nothing = serde_json::to_value(Summary::of(&Wdl::default(), &Pentanomial::default(), None)).unwrap();
        assert!(nothing["elo"].is_null() && nothing.get("sprt").is_none());
    }
}
