use crate::{AnyGame, AnyPosition, HostError, Move, Setup};
use serde::Serialize;

/// What realization probability makes of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MovePrice {
    /// The move, as players write it.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its class.
    pub class: usize,
    /// How often moves of this class were played.
    pub played: u64,
    /// How often they could have been.
    pub available: u64,
    /// The share of the two.
    pub probability: f64,
    /// What it costs, in plies.
    pub price: f64,
}

impl MovePrice {
    /// The prices of all moves of a position.
    pub fn of_moves(game: &dyn AnyGame, setup: &Setup, position: &AnyPosition) -> Result<Vec<MovePrice>, HostError> {
        let Some(table) = game.knowledge(setup)?.realization else {
            let (name, game) = (&setup.name, game.title());
            let sentence =
                format!("profile '{name}' does not use realization probability in {game}; --profile rps does");
            return Err(HostError::new(sentence));
        };
        let prices = table.prices(&setup.params.realization);
        let price = |mv: Move| {
            let class = position.move_class(mv).unwrap_or_default();
            let counts = table.classes.get(class).copied().unwrap_or_default();
            MovePrice {
                mv: position.write_move(mv),
                class,
                played: counts.played,
                available: counts.available,
                probability: counts.played as f64 / counts.available.max(1) as f64,
                price: prices.get(class).map_or(1.0, |price| f64::from(price.in_hundredths()) / 100.0),
            }
        };
        Ok(position.legal_moves().into_iter().map(price).collect())
    }
}
