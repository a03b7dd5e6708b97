use super::{DIRECTIONS, Naive, at, name, square};
use crate::random::word;
use plywise_game::Outcome;
use plywise_game::random::Random;

const PASS: &str = "0000";

/// Othello.
pub(crate) struct Rules {
    /// `X`, `O` or `-`, from a1 on.
    board: Vec<char>,
    mover: char,
}

fn other(colour: char) -> char {
    if colour == 'X' { 'O' } else { 'X' }
}

impl Rules {
    /// The discs that a disc of `colour` turns over: those between it and the next of its colour, in every direction.
    fn turned(&self, place: usize, colour: char) -> Vec<usize> {
        let mut turned = Vec::new();
        for (files, rows) in DIRECTIONS {
            let along = |steps: i32| at(place as i32 % 8 + files * steps, place as i32 / 8 + rows * steps);
            let line: Vec<usize> =
                (1..).map_while(along).take_while(|&place| self.board[place] == other(colour)).collect();
            let is_enclosed = along(line.len() as i32 + 1).is_some_and(|end| self.board[end] == colour);
            turned.extend(line.into_iter().filter(|_| is_enclosed));
        }
        turned
    }

    fn places(&self, colour: char) -> Vec<usize> {
        (0..64).filter(|&place| self.board[place] == '-' && !self.turned(place, colour).is_empty()).collect()
    }
}

impl Naive for Rules {
    fn read(text: &str) -> Option<Rules> {
        let (board, mover) = text.split_once(' ')?;
        Some(Rules { board: board.chars().collect(), mover: mover.chars().next()? })
    }

    fn write(&self) -> String {
        format!("{} {}", self.board.iter().collect::<String>(), self.mover)
    }

    fn moves(&self) -> Vec<String> {
        let moves: Vec<String> = self.places(self.mover).into_iter().map(name).collect();
        match moves.is_empty() && !self.places(other(self.mover)).is_empty() {
            true => vec![PASS.to_string()],
            false => moves,
        }
    }

    fn play(&self, mv: &str) -> Rules {
        let mut board = self.board.clone();
        if mv != PASS {
            let place = square(mv);
            self.turned(place, self.mover).into_iter().chain([place]).for_each(|place| board[place] = self.mover);
        }
        Rules { board, mover: other(self.mover) }
    }

    fn outcome(&self) -> Outcome {
        let count = |colour: char| self.board.iter().filter(|&&disc| disc == colour).count() as i32;
        let (own, enemy, empty) = (count(self.mover), count(other(self.mover)), count('-'));
        Outcome::Points(own - enemy + (own - enemy).signum() * empty)
    }

    fn is_tactical(&self, _: &str) -> bool {
        false
    }

    fn scatter(random: &mut Random) -> String {
        let empty = 1 + random.below(6);
        let disc = |random: &mut Random| {
            if random.one_in(empty) { '-' } else { word(random, &["X", "O"]).chars().next().unwrap_or('X') }
        };
        let board = (0..64).map(|_| disc(random)).collect();
        Rules { board, mover: if random.one_in(2) { 'X' } else { 'O' } }.write()
    }
}
