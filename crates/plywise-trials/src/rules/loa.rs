use super::{DIRECTIONS, Naive, at, name, read_rows, square, write_rows};
use plywise_game::Outcome;
use plywise_game::random::Random;

const PASS: &str = "0000";

/// Lines of Action.
pub(crate) struct Rules {
    /// `b`, `w` or `.`, from a1 on.
    board: Vec<char>,
    mover: char,
}

impl Rules {
    fn enemy(&self) -> char {
        if self.mover == 'b' { 'w' } else { 'b' }
    }

    /// Whether all pieces of a colour form one group.
    fn is_connected(&self, colour: char) -> bool {
        let pieces: Vec<usize> = (0..64).filter(|&square| self.board[square] == colour).collect();
        let mut group: Vec<usize> = pieces.iter().copied().take(1).collect();
        let mut next = 0;
        while let Some(&place) = group.get(next) {
            next += 1;
            for (files, ranks) in DIRECTIONS {
                if let Some(other) = at(place as i32 % 8 + files, place as i32 / 8 + ranks)
                    && self.board[other] == colour
                    && !group.contains(&other)
                {
                    group.push(other);
                }
            }
        }
        group.len() == pieces.len()
    }

    fn is_over(&self) -> bool {
        self.is_connected('b') || self.is_connected('w')
    }

    /// Where a piece gets in a direction: as far as its line has pieces, over its own but not over the enemy's.
    fn target(&self, from: usize, (files, ranks): (i32, i32)) -> Option<usize> {
        let along = |steps: i32| at(from as i32 % 8 + files * steps, from as i32 / 8 + ranks * steps);
        let distance = (-7..8).filter_map(along).filter(|&place| self.board[place] != '.').count() as i32;
        let to = along(distance)?;
        let is_free = (1..distance).filter_map(along).all(|place| self.board[place] != self.enemy());
        (is_free && self.board[to] != self.mover).then_some(to)
    }
}

impl Naive for Rules {
    fn read(text: &str) -> Option<Rules> {
        let (board, mover) = text.split_once(' ')?;
        Some(Rules { board: read_rows(board).concat(), mover: mover.chars().next()? })
    }

    fn write(&self) -> String {
        let rows: Vec<Vec<char>> = self.board.chunks(8).map(<[char]>::to_vec).collect();
        format!("{} {}", write_rows(&rows), self.mover)
    }

    fn moves(&self) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for from in (0..64).filter(|&from| self.board[from] == self.mover) {
            let targets = DIRECTIONS.into_iter().filter_map(|direction| self.target(from, direction));
            moves.extend(targets.map(|to| format!("{}{}", name(from), name(to))));
        }
        if moves.is_empty() {
            moves.push(PASS.to_string());
        }
        moves
    }

    fn play(&self, mv: &str) -> Rules {
        let mut board = self.board.clone();
        if mv != PASS {
            board[square(&mv[2..])] = std::mem::replace(&mut board[square(mv)], '.');
        }
        Rules { board, mover: self.enemy() }
    }

    fn outcome(&self) -> Outcome {
        match (self.is_connected(self.mover), self.is_connected(self.enemy())) {
            (true, false) => Outcome::Win,
            (false, true) => Outcome::Loss,
            _ => Outcome::Draw,
        }
    }

    fn is_tactical(&self, mv: &str) -> bool {
        mv != PASS && self.board[square(&mv[2..])] == self.enemy()
    }

    fn scatter(random: &mut Random) -> String {
        let mut board = vec!['.'; 64];
        for i in 0..2 + random.below(23) {
            board[random.below(64)] = if i % 2 == 0 { 'b' } else { 'w' };
        }
        Rules { board, mover: if random.one_in(2) { 'b' } else { 'w' } }.write()
    }
}
