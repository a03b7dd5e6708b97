use super::{Naive, read_rows, write_rows};
use plywise_game::Outcome;
use plywise_game::random::Random;

/// A cell as its row and its diagonal, from 0: `a1` is (0, 0), `i9` is (8, 8).
type Cell = (i32, i32);

/// East, north-east, north-west; the others are their opposites.
const AXES: [Cell; 3] = [(0, 1), (1, 1), (1, 0)];
const LOST_TO_LOSE: u32 = 6;

/// Abalone.
pub(crate) struct Rules {
    /// Rows from a, each with the cells that it has.
    rows: Vec<Vec<char>>,
    mover: char,
    lost: [u32; 2],
}

fn ahead((row, diagonal): Cell, (rows, diagonals): Cell, steps: i32) -> Cell {
    (row + rows * steps, diagonal + diagonals * steps)
}

fn name((row, diagonal): Cell) -> String {
    format!("{}{}", (b'a' + row as u8) as char, diagonal + 1)
}

fn cell(name: &str) -> Cell {
    match name.as_bytes() {
        [row, diagonal, ..] => (i32::from(row - b'a'), i32::from(diagonal - b'1')),
        _ => (0, 0),
    }
}

fn directions() -> impl Iterator<Item = Cell> {
    AXES.into_iter().flat_map(|(rows, diagonals)| [(rows, diagonals), (-rows, -diagonals)])
}

impl Rules {
    /// What is on a cell: a marble, `.`, or nothing at all beyond the rim.
    fn on(&self, (row, diagonal): Cell) -> Option<char> {
        let place = diagonal - (row - 4).max(0);
        self.rows.get(usize::try_from(row).ok()?)?.get(usize::try_from(place).ok()?).copied()
    }

    fn put(&mut self, (row, diagonal): Cell, marble: char) {
        self.rows[row as usize][(diagonal - (row - 4).max(0)) as usize] = marble;
    }

    fn enemy(&self) -> char {
        if self.mover == 'b' { 'w' } else { 'b' }
    }

    fn own(&self) -> Vec<Cell> {
        let cells = (0..9).flat_map(|row| (0..9).map(move |diagonal| (row, diagonal)));
        cells.filter(|&cell| self.on(cell) == Some(self.mover)).collect()
    }

    /// The own marbles and then the enemy's in a row from a cell on, and what comes behind them.
    fn line(&self, from: Cell, direction: Cell) -> (i32, i32, Option<char>) {
        let run = |start: i32, colour: char| {
            (start..).take_while(|&steps| self.on(ahead(from, direction, steps)) == Some(colour)).count() as i32
        };
        let own = run(0, self.mover);
        let enemies = run(own, self.enemy());
        (own, enemies, self.on(ahead(from, direction, own + enemies)))
    }

    /// Whether the marble on a cell can lead its line in a direction: one to three, pushing fewer, into room or over
    /// the rim.
    fn can_push(&self, from: Cell, direction: Cell) -> bool {
        let (own, enemies, behind) = self.line(from, direction);
        let has_room = behind == Some('.') || behind.is_none() && enemies > 0;
        (1..=3).contains(&own) && enemies < own && has_room
    }
}

impl Naive for Rules {
    fn read(text: &str) -> Option<Rules> {
        let [rows, mover, black, white, ..] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
        let lost = [black.parse().ok()?, white.parse().ok()?];
        Some(Rules { rows: read_rows(rows), mover: mover.chars().next()?, lost })
    }

    fn write(&self) -> String {
        format!("{} {} {} {}", write_rows(&self.rows), self.mover, self.lost[0], self.lost[1])
    }

    fn moves(&self) -> Vec<String> {
        if self.lost.iter().any(|&lost| lost >= LOST_TO_LOSE) {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for from in self.own() {
            let pushes = directions().filter(|&direction| self.can_push(from, direction));
            moves.extend(pushes.map(|direction| format!("{}{}", name(from), name(ahead(from, direction, 1)))));
            for (axis, length) in AXES.into_iter().flat_map(|axis| [(axis, 2), (axis, 3)]) {
                let marbles: Vec<Cell> = (0..length).map(|steps| ahead(from, axis, steps)).collect();
                if marbles.iter().any(|&marble| self.on(marble) != Some(self.mover)) {
                    continue;
                }
                for direction in
                    directions().filter(|&(row, diagonal)| axis != (row, diagonal) && axis != (-row, -diagonal))
                {
                    if marbles.iter().all(|&marble| self.on(ahead(marble, direction, 1)) == Some('.')) {
                        let last = marbles[marbles.len() - 1];
                        moves.push(format!("{}{}{}", name(from), name(last), name(ahead(from, direction, 1))));
                    }
                }
            }
        }
        moves
    }

    fn play(&self, mv: &str) -> Rules {
        let (from, to) = (cell(mv), cell(&mv[mv.len() - 2..]));
        let direction = (to.0 - from.0, to.1 - from.1);
        let mut after = Rules { rows: self.rows.clone(), mover: self.enemy(), lost: self.lost };
        if mv.len() == 4 {
            let (own, enemies, behind) = self.line(from, direction);
            after.put(from, '.');
            for steps in (0..own + enemies).filter(|&steps| steps + 1 < own + enemies || behind.is_some()) {
                after.put(ahead(from, direction, steps + 1), if steps < own { self.mover } else { self.enemy() });
            }
            after.lost[usize::from(self.mover == 'b')] += u32::from(behind.is_none());
        } else {
            let end = cell(&mv[2..4]);
            let middle = ((from.0 + end.0) / 2, (from.1 + end.1) / 2);
            let is_long = (from.0 - end.0).abs().max((from.1 - end.1).abs()) == 2;
            for marble in [from, end].into_iter().chain(is_long.then_some(middle)) {
                after.put(marble, '.');
                after.put(ahead(marble, direction, 1), self.mover);
            }
        }
        after
    }

    fn outcome(&self) -> Outcome {
        let [own, enemy] = if self.mover == 'b' { [0, 1] } else { [1, 0] }.map(|side: usize| self.lost[side]);
        match (own >= LOST_TO_LOSE, enemy >= LOST_TO_LOSE) {
            (true, _) => Outcome::Loss,
            (false, true) => Outcome::Win,
            (false, false) => Outcome::Draw,
        }
    }

    /// Ejections.
    fn is_tactical(&self, mv: &str) -> bool {
        let (from, to) = (cell(mv), cell(&mv[mv.len() - 2..]));
        mv.len() == 4 && self.line(from, (to.0 - from.0, to.1 - from.1)).2.is_none()
    }

    fn scatter(random: &mut Random) -> String {
        let mut rows: Vec<Vec<char>> = (0..9).map(|row: i32| vec!['.'; 9 - row.abs_diff(4) as usize]).collect();
        for i in 0..2 + random.below(27) {
            let row = random.below(9);
            let place = random.below(rows[row].len());
            rows[row][place] = if i % 2 == 0 { 'b' } else { 'w' };
        }
        let mover = if random.one_in(2) { 'b' } else { 'w' };
        Rules { rows, mover, lost: [0; 2] }.write()
    }
}
