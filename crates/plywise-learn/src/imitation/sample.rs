use plywise_game::Game;
use plywise_game::pgn::{GameResult, Record};
use plywise_game::random::Random;

/// A position and the move that somebody played in it.
pub struct Sample<G: Game> {
    /// The position.
    pub position: G::Position,
    /// The move.
    pub played: G::Move,
}

/// Draws positions from games, one from each, of the side that won in the end.
pub struct Sampler<G: Game> {
    /// How many are wanted.
    wanted: usize,
    seed: u64,
    samples: Vec<Sample<G>>,
    /// Games that could be used.
    games: u64,
}

impl<G: Game> Sampler<G> {
    /// A sampler for so many positions.
    pub fn new(wanted: usize, seed: u64) -> Sampler<G> {
        Sampler { wanted, seed, samples: Vec::new(), games: 0 }
    }

    /// Shows it a game. Of all games shown that somebody won, each is as likely to be kept as any other (algorithm R:
    /// Vitter, "Random sampling with a reservoir", 1985).
    pub fn show(&mut self, record: &Record<G>) {
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
    pub fn finish(self) -> Vec<Sample<G>> {
        Random::stream(self.seed, 0).shuffled(self.samples)
    }
}

fn sample<G: Game>(record: &Record<G>, random: &mut Random) -> Option<Sample<G>> {
    let GameResult::Win(winner) = record.result else { return None };
    let turns = record.positions().zip(&record.moves).filter(|(position, _)| G::side_to_move(position) == winner);
    let turns: Vec<(G::Position, &G::Move)> = turns.collect();
    let &(ref position, &played) = random.pick(&turns)?;
    Some(Sample { position: position.clone(), played })
}
