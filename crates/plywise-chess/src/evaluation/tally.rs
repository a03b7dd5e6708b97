//! What becomes of counted features: summed with weights, or recorded.

use super::weights::{FEATURES, Term, Weights};
use super::{Mixture, pawns, scan};
use cozy_chess::{Board, Color, Piece, Square};
use plywise_game::Score;
use plywise_game::parameters::Parameters;
use std::ops::{Add, AddAssign, Mul, Sub};

/// Receives the features of a position as they are counted.
pub(super) trait Tally {
    /// `color` has the `index`th feature of `term`, `count` times.
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32);

    /// `color` has `piece` on `square`: its material and its place on the piece-square table.
    fn place(&mut self, color: Color, piece: Piece, square: Square);
}

/// The terms that a piece on a square counts under.
#[inline(always)]
fn place_terms(piece: Piece) -> (Option<Term>, Term) {
    let squares = match piece {
        Piece::Pawn => Term::PawnSquares,
        Piece::Knight => Term::KnightSquares,
        Piece::Bishop => Term::BishopSquares,
        Piece::Rook => Term::RookSquares,
        Piece::Queen => Term::QueenSquares,
        Piece::King => Term::KingSquares,
    };
    ((piece != Piece::King).then_some(Term::Material), squares)
}

/// The place of a square, seen from its own side, in a table of which only the files a to d are kept.
fn half_board_index(relative: Square) -> usize {
    let file = relative.file() as usize;
    relative.rank() as usize * 4 + file.min(7 - file)
}

/// Two sums in one word: adding it adds both. The endgame's is in the low half, the middlegame's in the high one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(i64);

/// The values for the two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub middlegame: i32,
    pub endgame: i32,
}

impl Packed {
    fn new(middlegame: i32, endgame: i32) -> Packed {
        Packed((i64::from(middlegame) << 32) + i64::from(endgame))
    }

    /// Undoes the borrow that a negative endgame value took from the middlegame's.
    #[inline(always)]
    pub fn unpack(self) -> Pair {
        let endgame = self.0 as i32;
        Pair { middlegame: ((self.0 - i64::from(endgame)) >> 32) as i32, endgame }
    }
}

impl Add for Packed {
    type Output = Packed;
    #[inline(always)]
    fn add(self, other: Packed) -> Packed {
        Packed(self.0 + other.0)
    }
}

impl AddAssign for Packed {
    #[inline(always)]
    fn add_assign(&mut self, other: Packed) {
        self.0 += other.0;
    }
}

impl Sub for Packed {
    type Output = Packed;
    #[inline(always)]
    fn sub(self, other: Packed) -> Packed {
        Packed(self.0 - other.0)
    }
}

impl Mul<i32> for Packed {
    type Output = Packed;
    #[inline(always)]
    fn mul(self, count: i32) -> Packed {
        Packed(self.0 * i64::from(count))
    }
}

/// The weights laid out for summing: by feature, and material and square together by piece and square.
#[derive(Clone)]
pub(super) struct WeightTable {
    features: [Packed; FEATURES],
    places: [[[Packed; Square::NUM]; Piece::NUM]; Color::NUM],
}

impl WeightTable {
    pub fn new(weights: &Weights) -> WeightTable {
        let values = weights.values();
        let mut features = [Packed::default(); FEATURES];
        for term in Term::ALL {
            for index in 0..term.len() {
                let [middlegame, endgame] = term.parameters(index).map(|parameter| values[parameter]);
                features[term.start() + index] = Packed::new(middlegame, endgame);
            }
        }
        let mut places = [[[Packed::default(); Square::NUM]; Piece::NUM]; Color::NUM];
        for color in Color::ALL {
            for piece in Piece::ALL {
                let (material, squares) = place_terms(piece);
                for square in Square::ALL {
                    let of_square = squares.start() + half_board_index(square.relative_to(color));
                    let mut weight = features[of_square];
                    if let Some(material) = material {
                        weight += features[material.start() + piece as usize];
                    }
                    places[color as usize][piece as usize][square as usize] = weight;
                }
            }
        }
        WeightTable { features, places }
    }
}

/// The tally of the search: weight times count, summed for each side.
pub(super) struct Sum<'a> {
    table: &'a WeightTable,
    sides: [Packed; Color::NUM],
}

impl<'a> Sum<'a> {
    #[inline(always)]
    pub fn new(table: &'a WeightTable) -> Sum<'a> {
        Sum { table, sides: [Packed::default(); Color::NUM] }
    }

    /// White's sum less Black's.
    #[inline(always)]
    pub fn total(&self) -> Packed {
        self.sides[Color::White as usize] - self.sides[Color::Black as usize]
    }
}

impl Tally for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32) {
        debug_assert!(index < term.len());
        self.sides[color as usize] += self.table.features[term.start() + index] * count;
    }

    #[inline(always)]
    fn place(&mut self, color: Color, piece: Piece, square: Square) {
        self.sides[color as usize] += self.table.places[color as usize][piece as usize][square as usize];
    }
}

/// How often each feature occurs in a position, for each side: the coefficients of the weights in its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    counts: [Vec<i32>; Color::NUM],
    mixture: Mixture,
    side_to_move: Color,
}

impl Trace {
    /// How often `color` has the `index`th feature of `term`.
    pub fn count(&self, color: Color, term: Term, index: usize) -> i32 {
        if index < term.len() { self.counts[color as usize][term.start() + index] } else { 0 }
    }

    /// The weight of the middlegame in the mixture, from 0 to 1; the endgame has the rest.
    pub fn middlegame_share(&self) -> f64 {
        self.mixture.shares()[0]
    }

    /// The side to move in the traced position.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The nonzero partial derivatives of the value for White: the place of a parameter in the order of declaration
    /// (that of [`Parameters::values`]), and what one unit of it adds, before rounding.
    pub fn coefficients(&self) -> Vec<(usize, f64)> {
        let shares = self.mixture.shares();
        let mut coefficients = Vec::new();
        for (term, index) in Term::ALL.into_iter().flat_map(|term| (0..term.len()).map(move |index| (term, index))) {
            let count = self.count(Color::White, term, index) - self.count(Color::Black, term, index);
            for (parameter, share) in term.parameters(index).into_iter().zip(shares) {
                if count != 0 && share != 0.0 {
                    coefficients.push((parameter, f64::from(count) * share));
                }
            }
        }
        coefficients
    }

    /// The value for the side to move under these weights, exactly as the evaluation gives it.
    pub fn value(&self, weights: &Weights) -> Score {
        let values = weights.values();
        let [white, black] = Color::ALL.map(|color| self.side_value(color, &values));
        let value = self.mixture.mix(white.middlegame - black.middlegame, white.endgame - black.endgame);
        if self.side_to_move == Color::White { value } else { -value }
    }

    fn side_value(&self, color: Color, values: &[i32]) -> Pair {
        let mut total = Pair { middlegame: 0, endgame: 0 };
        for term in Term::ALL {
            let part = self.term_value(color, term, values);
            total.middlegame += part.middlegame;
            total.endgame += part.endgame;
        }
        total
    }

    /// What one term is worth for one side, under weights in the order of declaration.
    pub(super) fn term_value(&self, color: Color, term: Term, values: &[i32]) -> Pair {
        let mut total = Pair { middlegame: 0, endgame: 0 };
        for index in 0..term.len() {
            let count = self.count(color, term, index);
            let [middlegame, endgame] = term.parameters(index);
            total.middlegame += count * values[middlegame];
            total.endgame += count * values[endgame];
        }
        total
    }

    pub(super) fn mixture(&self) -> Mixture {
        self.mixture
    }
}

impl Tally for Trace {
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32) {
        self.counts[color as usize][term.start() + index] += count;
    }

    fn place(&mut self, color: Color, piece: Piece, square: Square) {
        let (material, squares) = place_terms(piece);
        if let Some(material) = material {
            self.add(color, material, piece as usize, 1);
        }
        self.add(color, squares, half_board_index(square.relative_to(color)), 1);
    }
}

/// Counts the features of a position.
pub fn trace(board: &Board) -> Trace {
    let mut trace = Trace {
        counts: [vec![0; FEATURES], vec![0; FEATURES]],
        mixture: Mixture::of(board),
        side_to_move: board.side_to_move(),
    };
    let passed = pawns::scan(board, &mut trace);
    scan::scan(board, passed, &mut trace);
    trace
}
