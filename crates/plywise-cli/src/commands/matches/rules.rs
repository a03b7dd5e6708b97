use crate::{Failure, Result};
use clap::Args;
use plywise_arena::matches::{DrawRule, ResignRule, Rules};
use std::str::FromStr;
use std::time::Duration;

/// When the referee ends a game.
#[derive(Debug, Args)]
#[command(next_help_heading = "Referee")]
pub struct RuleArgs {
    /// Draw a game from this move on, once both players have scored it within ± SCORE for MOVES moves
    #[arg(long, value_name = "FROM,MOVES,SCORE")]
    pub draw: Option<Numbers>,
    /// A player who has scored its game at −SCORE or worse for MOVES moves loses it
    #[arg(long, value_name = "MOVES,SCORE")]
    pub resign: Option<Numbers>,
    /// With --resign: the opponent's scores must agree
    #[arg(long, requires = "resign")]
    pub resign_two_sided: bool,
    /// A game is a draw after this many moves of each player
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_moves: u32,
    /// A game is a draw when a position occurs so often; 0: repetition does not matter
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repetitions: u32,
    /// How many milliseconds a move may take beyond its time
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=3_600_000))]
    pub margin: u64,
}

/// Whole numbers with commas between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers(Vec<u32>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Numbers, String> {
        // Scores are such numbers too, and fit.
        let number = |word: &str| word.trim().parse().ok().filter(|number| *number <= i32::MAX as u32);
        let numbers: Option<Vec<u32>> = text.split(',').map(number).collect();
        numbers.map(Numbers).ok_or_else(|| format!("'{text}' is not a list of whole numbers"))
    }
}

impl RuleArgs {
    /// The rules.
    pub fn rules(&self) -> Result<Rules> {
        let draw = match self.draw.as_ref().map(|numbers| &numbers.0[..]) {
            None => None,
            Some(&[from_move, moves, score]) => Some(DrawRule { from_move, moves, score: score as i32 }),
            Some(_) => return Err(Failure::input("--draw takes three numbers, such as --draw 34,8,10")),
        };
        let two_sided = self.resign_two_sided;
        let resign = match self.resign.as_ref().map(|numbers| &numbers.0[..]) {
            None => None,
            Some(&[moves, score]) => Some(ResignRule { moves, score: score as i32, two_sided }),
            Some(_) => return Err(Failure::input("--resign takes two numbers, such as --resign 4,600")),
        };
        Ok(Rules {
            repetitions: (self.repetitions > 0).then_some(self.repetitions),
            longest: Some(2 * self.max_moves),
            draw,
            resign,
            margin: Duration::from_millis(self.margin),
            ..Rules::default()
        })
    }
}
