use plywise_game::pgn::GameResult;
use plywise_game::random::Random;
use plywise_game::{NotationError, Side};
use plywise_host::{AnyGame, AnyPosition, Move, Record, Style};

/// A position and the move that was played in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The position.
    pub position: AnyPosition,
    /// The move.
    pub played: Move,
}

impl Sample {
    /// Writes samples, a line for each: the position and the move.
    pub fn write_all(samples: &[Sample]) -> String {
        let line = |Sample { position, played }: &Sample| {
            format!("{} {}\n", position.text(), position.write_move_as(*played, Style::Engine))
        };
        samples.iter().map(line).collect()
    }

    /// Reads what [`Sample::write_all`] writes.
    pub fn read_all(game: &dyn AnyGame, text: &str) -> Result<Vec<Sample>, NotationError> {
        let read = |line: &str| {
            let (position, played) =
                line.rsplit_once(' ').ok_or_else(|| NotationError::new(format!("'{line}' names no move")))?;
            let position = game.parse_position(position)?;
            Ok(Sample { played: position.parse_move(played)?, position })
        };
        text.lines().map(read).collect()
    }
}

/// The least rating of players whose games are taken, as in David-Tabibi et al., 2009.
pub const USUAL_RATING: u32 = 2600;

/// Which recorded games are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The least rating of both players. Without it [`USUAL_RATING`], and games that say no ratings are taken too.
    pub rating: Option<u32>,
    /// Only games that this player won: a part of the name, in any case.
    pub winner: Option<String>,
}

impl Selection {
    /// Whether a game is taken.
    pub fn admits(&self, record: &Record) -> bool {
        let rating = |tag: &str| record.tag(tag).and_then(|text| text.trim().parse::<u32>().ok());
        if !self.winner.as_ref().is_none_or(|name| is_won_by(record, name)) {
            return false;
        }
        match ["WhiteElo", "BlackElo"].map(rating) {
            [None, None] => self.rating.is_none(),
            ratings => ratings.iter().all(|rating| *rating >= Some(self.least())),
        }
    }

    /// The least rating.
    pub fn least(&self) -> u32 {
        self.rating.unwrap_or(USUAL_RATING)
    }
}

/// Whether the player of this name won the game.
fn is_won_by(record: &Record, name: &str) -> bool {
    let tag = match record.result {
        GameResult::Win(Side::First) => "White",
        GameResult::Win(Side::Second) => "Black",
        _ => return false,
    };
    record.tag(tag).is_some_and(|winner| winner.to_lowercase().contains(&name.to_lowercase()))
}

/// Draws positions from games, one from each, of the side that won in the end.
pub struct Sampler {
    /// How many are wanted.
    wanted: usize,
    seed: u64,
    samples: Vec<Sample>,
    /// Games that could be used.
    games: u64,
}

impl Sampler {
    /// A sampler for this many positions.
    pub fn new(wanted: usize, seed: u64) -> Sampler {
        Sampler { wanted, seed, samples: Vec::new(), games: 0 }
    }

    /// Shows it a game. Of all games shown that have a winner, each is as likely to be kept as any other (algorithm R:
    /// Vitter, "Random sampling with a reservoir", 1985).
    pub fn show(&mut self, record: &Record) {
        let mut random = Random::stream(self.seed, self.games + 1);
        let Some(sample) = sample(record, &mut random) else { return };
        self.games += 1;
        let place = random.below(self.games as usize);
        if self.samples.len() < self.wanted {
            self.samples.push(sample);
        } else if let Some(seat) = self.samples.get_mut(place) {
            *seat = sample;
        }
    }

    /// Games that could be used so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The positions, in random order.
    pub fn finish(self) -> Vec<Sample> {
        Random::stream(self.seed, 0).shuffled(self.samples)
    }
}

fn sample(record: &Record, random: &mut Random) -> Option<Sample> {
    let GameResult::Win(winner) = record.result else { return None };
    let moves = record.position.moves();
    let mut before = record.position.clone();
    // The winner's turns, backwards.
    let mut turns: Vec<usize> = Vec::new();
    while before.undo().is_some() {
        if before.side_to_move() == winner {
            turns.push(before.plies());
        }
    }
    turns.reverse();
    let &turn = random.pick(&turns)?;
    Some(Sample { position: record.position.at(turn).alone(), played: moves[turn] })
}
