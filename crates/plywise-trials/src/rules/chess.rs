use super::{DIRECTIONS, Naive, at, name, read_rows, square, write_rows};
use crate::random::word;
use plywise_game::Outcome;
use plywise_game::random::Random;

const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// Chess, without the castling of Chess960.
#[derive(Clone)]
pub(crate) struct Rules {
    /// Letters as in FEN, `.` where nothing stands, from a1 on.
    board: Vec<char>,
    white: bool,
    castling: String,
    en_passant: Option<usize>,
}

impl Rules {
    fn is_own(&self, piece: char) -> bool {
        piece != '.' && piece.is_ascii_uppercase() == self.white
    }

    fn is_enemy(&self, piece: char) -> bool {
        piece != '.' && !self.is_own(piece)
    }

    /// Whether a side attacks a square.
    fn attacks(&self, white: bool, target: usize) -> bool {
        (0..64).filter(|&from| self.board[from] != '.' && self.board[from].is_ascii_uppercase() == white).any(|from| {
            let (files, ranks) = (target as i32 % 8 - from as i32 % 8, target as i32 / 8 - from as i32 / 8);
            let straight = (files == 0) != (ranks == 0);
            let diagonal = files != 0 && files.abs() == ranks.abs();
            let steps = files.abs().max(ranks.abs());
            let is_open = || {
                let step = (files.signum(), ranks.signum());
                (1..steps).all(|n| {
                    at(from as i32 % 8 + step.0 * n, from as i32 / 8 + step.1 * n)
                        .is_some_and(|on| self.board[on] == '.')
                })
            };
            match self.board[from].to_ascii_lowercase() {
                'p' => files.abs() == 1 && ranks == if white { 1 } else { -1 },
                'n' => KNIGHT.contains(&(files, ranks)),
                'k' => steps == 1,
                'b' => diagonal && is_open(),
                'r' => straight && is_open(),
                _ => (diagonal || straight) && is_open(),
            }
        })
    }

    fn is_attacked_king(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        self.board.iter().position(|&piece| piece == king).is_some_and(|king| self.attacks(!white, king))
    }

    /// Moves that may leave the king in check.
    fn pseudo_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in (0..64).filter(|&from| self.is_own(self.board[from])) {
            let piece = self.board[from].to_ascii_lowercase();
            let mut go = |to: usize| moves.push(format!("{}{}", name(from), name(to)));
            match piece {
                'p' => self.pawn_moves(from, &mut moves),
                'n' => self.steps(from, &KNIGHT).into_iter().for_each(&mut go),
                'k' => self.steps(from, &DIRECTIONS).into_iter().for_each(&mut go),
                _ => {
                    let fits = |(files, ranks): &(i32, i32)| match piece {
                        'b' => files * ranks != 0,
                        'r' => files * ranks == 0,
                        _ => true,
                    };
                    DIRECTIONS
                        .iter()
                        .filter(|direction| fits(direction))
                        .flat_map(|&way| self.slide(from, way))
                        .for_each(&mut go);
                }
            }
        }
        self.castling_moves(&mut moves);
        moves
    }

    fn steps(&self, from: usize, steps: &[(i32, i32)]) -> Vec<usize> {
        let targets = steps.iter().filter_map(|(files, ranks)| at(from as i32 % 8 + files, from as i32 / 8 + ranks));
        targets.filter(|&to| !self.is_own(self.board[to])).collect()
    }

    fn slide(&self, from: usize, (files, ranks): (i32, i32)) -> Vec<usize> {
        let mut targets = Vec::new();
        for to in (1..).map_while(|n| at(from as i32 % 8 + files * n, from as i32 / 8 + ranks * n)) {
            if self.is_own(self.board[to]) {
                break;
            }
            targets.push(to);
            if self.board[to] != '.' {
                break;
            }
        }
        targets
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<String>) {
        let (file, rank) = (from as i32 % 8, from as i32 / 8);
        let up = if self.white { 1 } else { -1 };
        let is_empty = |to: &usize| self.board[*to] == '.';
        let mut targets: Vec<usize> = Vec::new();
        if let Some(one) = at(file, rank + up).filter(is_empty) {
            targets.push(one);
            let is_home = rank == if self.white { 1 } else { 6 };
            targets.extend(at(file, rank + 2 * up).filter(is_empty).filter(|_| is_home));
        }
        let captures = [-1, 1].into_iter().filter_map(|files| at(file + files, rank + up));
        targets.extend(captures.filter(|&to| self.is_enemy(self.board[to]) || self.en_passant == Some(to)));
        for to in targets {
            let text = format!("{}{}", name(from), name(to));
            match to / 8 {
                0 | 7 => moves.extend(["q", "r", "b", "n"].map(|piece| format!("{text}{piece}"))),
                _ => moves.push(text),
            }
        }
    }

    fn castling_moves(&self, moves: &mut Vec<String>) {
        let (letters, home) = if self.white { (['K', 'Q'], 0) } else { (['k', 'q'], 56) };
        for (letter, between, path, to) in [(letters[0], 5..7, 4..7, 6), (letters[1], 1..4, 2..5, 2)] {
            let is_open = between.into_iter().all(|file: usize| self.board[home + file] == '.');
            let is_safe = path.into_iter().all(|file: usize| !self.attacks(!self.white, home + file));
            if self.castling.contains(letter) && is_open && is_safe {
                moves.push(format!("{}{}", name(home + 4), name(home + to)));
            }
        }
    }

    fn is_capture(&self, mv: &str) -> bool {
        let (from, to) = (square(mv), square(&mv[2..]));
        self.board[to] != '.' || self.board[from].eq_ignore_ascii_case(&'p') && self.en_passant == Some(to)
    }
}

impl Naive for Rules {
    fn read(text: &str) -> Option<Rules> {
        let [pieces, mover, castling, en_passant, ..] = text.split(' ').collect::<Vec<_>>()[..] else { return None };
        let board = read_rows(pieces).concat();
        // A letter for castling means the rook in the corner; other rooks are those of Chess960.
        let homes = [('K', 4, 7, 'R'), ('Q', 4, 0, 'R'), ('k', 60, 63, 'r'), ('q', 60, 56, 'r')];
        let is_usual = castling == "-"
            || castling.chars().all(|right| {
                let fits = |&(letter, king, corner, rook): &(char, usize, usize, char)| {
                    letter == right && board[king].eq_ignore_ascii_case(&'k') && board[corner] == rook
                };
                homes.iter().any(fits)
            });
        let en_passant = Some(en_passant).filter(|field| *field != "-").map(square);
        is_usual.then_some(Rules { board, white: mover == "w", castling: castling.into(), en_passant })
    }

    fn write(&self) -> String {
        let rows: Vec<Vec<char>> = self.board.chunks(8).map(<[char]>::to_vec).collect();
        let rights: String = "KQkq".chars().filter(|&right| self.castling.contains(right)).collect();
        format!("{} {} {rights}", write_rows(&rows), if self.white { 'w' } else { 'b' })
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = self.pseudo_moves();
        moves.retain(|mv| !self.play(mv).is_attacked_king(self.white));
        moves
    }

    fn play(&self, mv: &str) -> Rules {
        let (from, to) = (square(mv), square(&mv[2..]));
        let mut after = Rules { white: !self.white, en_passant: None, ..self.clone() };
        let piece = self.board[from];
        after.board[from] = '.';
        after.board[to] = match mv.chars().nth(4) {
            Some(promotion) if self.white => promotion.to_ascii_uppercase(),
            Some(promotion) => promotion,
            None => piece,
        };
        match piece.to_ascii_lowercase() {
            'p' if self.en_passant == Some(to) => after.board[from / 8 * 8 + to % 8] = '.',
            'p' if from.abs_diff(to) == 16 => after.en_passant = Some((from + to) / 2),
            'k' if from % 8 == 4 && from.abs_diff(to) == 2 => {
                let (corner, beside) = if to > from { (from + 3, from + 1) } else { (from - 4, from - 1) };
                after.board[beside] = std::mem::replace(&mut after.board[corner], '.');
            }
            _ => {}
        }
        for (letter, squares) in [('K', [4, 7]), ('Q', [4, 0]), ('k', [60, 63]), ('q', [60, 56])] {
            if squares.contains(&from) || squares.contains(&to) {
                after.castling = after.castling.replace(letter, "");
            }
        }
        after
    }

    fn outcome(&self) -> Outcome {
        if self.in_check() { Outcome::Loss } else { Outcome::Draw }
    }

    /// Captures and promotions to a queen; of promotions with capture only that to a queen.
    fn is_tactical(&self, mv: &str) -> bool {
        match mv.chars().nth(4) {
            Some(promotion) => promotion == 'q',
            None => self.is_capture(mv),
        }
    }

    fn in_check(&self) -> bool {
        self.is_attacked_king(self.white)
    }

    fn scatter(random: &mut Random) -> String {
        let mut board = vec!['.'; 64];
        let letters: Vec<char> =
            word(random, &["pPpPnNbBrRqQ", "pPpPpPnN", "qQrR", "bBnN", "p", "RrPpQ"]).chars().collect();
        for _ in 0..random.below(22) {
            let piece = random.pick(&letters).copied().unwrap_or('.');
            let place = random.below(64);
            if !piece.eq_ignore_ascii_case(&'p') || (8..56).contains(&place) {
                board[place] = piece;
            }
        }
        let castles = random.one_in(4);
        let (mut king, mut other) = (random.below(64), random.below(64));
        if castles {
            (king, other) = (4, 60);
            [(0, 'R'), (7, 'R'), (56, 'r'), (63, 'r')].into_iter().for_each(|(corner, rook)| board[corner] = rook);
        }
        board[king] = 'K';
        board[other] = 'k';
        let rows: Vec<Vec<char>> = board.chunks(8).map(<[char]>::to_vec).collect();
        let rights = if castles { word(random, &["KQkq", "Kq", "Qk", "KQ", "kq"]) } else { "-" };
        let mover = word(random, &["w", "b"]);
        format!("{} {mover} {rights} - {} 1", write_rows(&rows), random.below(101))
    }
}
