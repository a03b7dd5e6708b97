use super::job::{MatchOutcome, PlayMatch};
use super::schedule::Format;
use serde::Serialize;

/// Two who met in a round of a knockout, and who of them goes on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// The round, from 1.
    pub round: usize,
    /// Their names.
    pub players: [String; 2],
    /// The points of each.
    pub points: [f64; 2],
    /// The name of the one who goes on.
    pub winner: String,
    /// Whether both had as many points. Then the one who was entered first goes on.
    pub tied: bool,
}

/// A knockout that was played.
#[derive(Debug)]
pub struct Bracket {
    /// Who met, round by round.
    pub meetings: Vec<Meeting>,
    /// The one who is left; `None` if a round was not finished.
    pub winner: Option<String>,
    /// What the rounds came to.
    pub rounds: Vec<MatchOutcome>,
}

/// Plays a knockout with the players, openings and rules of a match. In each round the first who is left meets the last,
/// the second the last but one; of an odd number the first rests. `play` plays a round, by its number from 1.
pub fn play_knockout<E>(
    job: &PlayMatch,
    mut play: impl FnMut(usize, &PlayMatch) -> Result<MatchOutcome, E>,
) -> Result<Bracket, E> {
    let mut left: Vec<usize> = (0..job.players.len()).collect();
    let mut bracket = Bracket { meetings: Vec::new(), winner: None, rounds: Vec::new() };
    for round in 1.. {
        if left.len() < 2 {
            break;
        }
        let resting = (left.len() % 2 == 1).then(|| left.remove(0));
        let half = left.len() / 2;
        let pairs: Vec<[usize; 2]> = (0..half).map(|place| [left[place], left[left.len() - 1 - place]]).collect();
        let players = pairs.iter().flatten().map(|&player| job.players[player].clone()).collect();
        let outcome = play(round, &PlayMatch { players, format: Format::Pairs, sprt: None, ..job.clone() })?;
        let standings = &outcome.standings;
        if !standings.is_over() {
            bracket.rounds.push(outcome);
            return Ok(bracket);
        }
        let mut winners: Vec<usize> = resting.into_iter().collect();
        for ([a, b], pairing) in standings.pairings() {
            let games = &pairing.games;
            let half = games.draws as f64 / 2.0;
            let points = [games.wins as f64 + half, games.losses as f64 + half];
            let second_wins = points[1] > points[0];
            let name = |place: usize| standings.names()[place].clone();
            winners.push(pairs[a / 2][usize::from(second_wins)]);
            bracket.meetings.push(Meeting {
                round,
                players: [name(a), name(b)],
                points,
                winner: name(if second_wins { b } else { a }),
                tied: points[0] == points[1],
            });
        }
        // Who was entered first stays first.
        winners.sort_unstable();
        left = winners;
        bracket.rounds.push(outcome);
    }
    bracket.winner = left.first().map(|&player| job.players[player].name().to_owned());
    Ok(bracket)
}
