use super::distinct::Distinct;
use super::{PackedGame, read_source};
use crate::{LearnableGame, Source};
use plywise_game::pgn::GameResult;
use plywise_game::{Score, Side, score};
use plywise_run::JobError;
use plywise_search::Signal;
use serde::{Deserialize, Serialize};

/// What files of games hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// Games.
    pub games: u64,
    /// Positions in these games.
    pub positions: u64,
    /// Positions from within their searches.
    pub interior: u64,
    /// Games that the player won who began.
    pub first_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that the other player won.
    pub second_wins: u64,
    /// Positions of both kinds that are learned from.
    pub quiet: u64,
    /// How many of these differ: exactly up to four million, beyond that nearly.
    pub distinct: u64,
    /// Whether that number is exact.
    pub distinct_is_exact: bool,
    /// Whether a block was cut off.
    pub cut_off: bool,
    /// How many scores lie within each of [`BANDS`](Contents::BANDS), and beyond; then those that are decided.
    pub scores: [u64; 6],
}

impl Contents {
    /// Upper ends of bands of scores.
    pub const BANDS: [Score; 4] = [50, 200, 500, 1000];

    /// Reads files of games.
    pub fn of(game: &dyn LearnableGame, sources: &[Source], stop: &Signal) -> Result<Contents, JobError> {
        let (mut contents, mut distinct, mut hashes) = (Contents::default(), Distinct::new(), Vec::new());
        for source in sources {
            let summary = read_source(game, source, stop, &mut |packed| {
                contents.add(&packed);
                game.hash_quiet_positions(&packed, &mut hashes)?;
                contents.quiet += hashes.len() as u64;
                hashes.drain(..).for_each(|hash| distinct.add(hash));
                Ok(())
            })?;
            contents.games += summary.games;
            contents.positions += summary.plies;
            contents.interior += summary.interior;
            contents.cut_off |= summary.cut_off;
        }
        contents.distinct = distinct.count().min(contents.quiet);
        contents.distinct_is_exact = distinct.is_exact();
        Ok(contents)
    }

    /// The share of the positions learned from that repeat an earlier one.
    pub fn repeated(&self) -> f64 {
        (self.quiet - self.distinct) as f64 / self.quiet.max(1) as f64
    }

    fn add(&mut self, game: &PackedGame) {
        match game.result {
            GameResult::Win(Side::First) => self.first_wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Win(Side::Second) => self.second_wins += 1,
            GameResult::Unknown => {}
        }
        for score in game.plies.iter().filter_map(|ply| ply.score.get()) {
            let bands = Contents::BANDS;
            let band = match score::is_decided(score) {
                true => bands.len() + 1,
                false => bands.iter().position(|end| score.abs() <= *end).unwrap_or(bands.len()),
            };
            self.scores[band] += 1;
        }
    }
}
