//! One game, and what can be made of its positions.

use super::proof::{self, Answer};
use super::{Find, Forge, Gain, Recipe};
use crate::openings;
use plywise_game::{Score, score};
use plywise_host::{AnyPosition, Ask, Engine, HostError};
use plywise_search::{Limits, Signal};

/// Finds of one game lie at least this many plies apart: those of one combination are variations of each other.
const APART: usize = 10;

/// This many positions in a row without a win end the search for wins further back in a game: they come at its end.
const MISSES: usize = 2;

/// A position of a game, and what the player thought of it.
struct Turn {
    position: AnyPosition,
    score: Score,
}

/// One thread's share of a forge.
pub(super) struct Worker {
    recipe: Recipe,
    start: AnyPosition,
    player: Box<dyn Engine>,
    prover: Box<dyn Engine>,
    /// Interrupts the searches.
    stop: Signal,
}

impl Worker {
    pub(super) fn new(forge: &Forge) -> Result<Worker, HostError> {
        let (player, prover) = (forge.game.engine(forge.player)?, forge.game.engine(forge.prover)?);
        Ok(Worker { recipe: forge.recipe, start: forge.game.start(), player, prover, stop: Signal::new() })
    }

    /// Plays the game with this number and works on its positions; nothing where it was interrupted.
    pub(super) fn work_on(&mut self, game: u64, stop: &Signal) -> Option<Vec<Find>> {
        self.stop = stop.clone();
        let turns = self.play(game);
        let mut finds = Vec::new();
        let mut last_ply = None;
        // The further from the end, the harder to see: the hardest of a game's positions go first.
        for (ply, answer) in self.answers(&turns).into_iter().rev() {
            if last_ply.is_some_and(|last| ply < last + APART) {
                continue;
            }
            if let Some(find) = self.prove(&turns[ply].position, &answer) {
                finds.push(find);
                last_ply = Some(ply);
            }
        }
        // An interrupted search finds less than it would have: the whole game must be worked on again.
        (!stop.is_stopped()).then_some(finds)
    }

    /// Plays a game and gives its turns, without those of the random opening.
    fn play(&mut self, game: u64) -> Vec<Turn> {
        let Recipe { seed, random_plies, play_nodes, longest, gain, .. } = self.recipe;
        let Some(opening) = openings::random(&self.start, random_plies, seed, game) else { return Vec::new() };
        self.player.forget();
        let mut position = opening.alone();
        let mut turns = Vec::new();
        while turns.len() < longest && position.ended().is_none() {
            let limits = Limits::nodes(play_nodes);
            let report = self.player.search(&Ask::new(&position), &limits, &self.stop, &mut |_| {});
            let (Some(mv), score) = (report.best_move(), report.score()) else { break };
            if self.stop.is_stopped() {
                break;
            }
            turns.push(Turn { position: position.alone(), score });
            if gain.is_some_and(|gain| score.abs() >= gain.everything()) || position.play(mv).is_err() {
                // Nothing is left to gain.
                break;
            }
        }
        turns
    }

    /// The turns in which a deep search sees an answer, from the end of the game to its beginning.
    fn answers(&mut self, turns: &[Turn]) -> Vec<(usize, Answer)> {
        match self.recipe.gain {
            Some(gain) => self.gaining_answers(turns, gain),
            None => self.winning_answers(turns),
        }
    }

    /// A gain may offer itself at every turn, but for those of the loser at the end.
    fn gaining_answers(&mut self, turns: &[Turn], gain: Gain) -> Vec<(usize, Answer)> {
        let is_open = |turn: &Turn| turn.score.abs() < gain.everything();
        let open = turns.iter().enumerate().rev().filter(|(_, turn)| is_open(turn));
        open.filter_map(|(ply, turn)| Some((ply, self.look_deeply(&turn.position)?))).collect()
    }

    /// Forced wins come at the end of a game, at every turn of the winner.
    fn winning_answers(&mut self, turns: &[Turn]) -> Vec<(usize, Answer)> {
        let mut answers: Vec<(usize, Answer)> = Vec::new();
        let mut misses = 0;
        for (ply, turn) in turns.iter().enumerate().rev() {
            if answers.last().is_some_and(|(last, _)| !(last - ply).is_multiple_of(2)) {
                continue;
            }
            match self.look_deeply(&turn.position) {
                Some(answer) => {
                    misses = 0;
                    answers.push((ply, answer));
                }
                None => misses += 1,
            }
            if misses > MISSES {
                break;
            }
        }
        answers
    }

    fn look_deeply(&mut self, position: &AnyPosition) -> Option<Answer> {
        proof::look(&mut *self.player, position, self.recipe.deep_nodes, self.recipe.gain, &self.stop)
    }

    /// Confirms what a deep search saw, if a shallow one does not see it too.
    fn prove(&mut self, position: &AnyPosition, answer: &Answer) -> Option<Find> {
        let Recipe { shallow_nodes, deep_nodes, least_nodes, proof_nodes, gain, .. } = self.recipe;
        if proof::look(&mut *self.player, position, shallow_nodes, gain, &self.stop)
            .is_some_and(|seen| seen.agrees(answer))
        {
            return None;
        }
        // Most gains can be had in several ways, which the player sees for a fraction of what the prover costs.
        if gain.is_some() && !proof::is_alone(&mut *self.player, position, answer, deep_nodes, gain, &self.stop) {
            return None;
        }
        let proof = proof::prove(&mut *self.prover, position, answer, proof_nodes, gain, &self.stop)?;
        if proof.nodes < least_nodes {
            return None;
        }
        let second = proof::second(&mut *self.prover, position, &proof, proof_nodes, gain, &self.stop)?;
        Some(Find {
            position: position.text(),
            best: position.write_move(answer.best),
            score: proof.score,
            second,
            depth: proof.depth,
            nodes: proof.nodes,
        })
        .filter(|find| score::is_decided(find.score) || gain.is_some())
    }
}
