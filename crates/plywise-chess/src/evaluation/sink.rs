//! What becomes of counted features: summed for the search, or named as terms of a linear evaluation.

use super::weights::{FEATURES, Term, Weights};
use super::{Mixture, optional};
use cozy_chess::{Board, Color, Piece, Square};
use plywise_game::linear::{Owner, Terms};
use std::ops::{Add, AddAssign, Mul, Sub};

/// Receives the features of a position as they are counted.
pub(super) trait TermSink {
    /// `color` has the `index`th feature of `term`, `count` times.
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32);

    /// `color` has `piece` on `square`: its material and its place on the piece-square table.
    fn place(&mut self, color: Color, piece: Piece, square: Square);

    /// Whether any of the terms of `optional.rs` counts.
    fn wants_optional(&self) -> bool;
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
    /// Whether any of the terms of `optional.rs` has a weight.
    has_optional: bool,
}

impl WeightTable {
    pub fn new(weights: &Weights) -> WeightTable {
        // The places are handed out as mutable, because a record writes to them.
        let mut weights = weights.clone();
        let mut features = [Packed::default(); FEATURES];
        for term in Term::ALL {
            for index in 0..term.len() {
                let (middlegame, endgame) = (*weights.middlegame_mut(term, index), *weights.endgame_mut(term, index));
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
        let nothing = Packed::default();
        let has_weight = |term: &Term| features[term.start()..][..term.len()].iter().any(|&weight| weight != nothing);
        WeightTable { features, places, has_optional: optional::TERMS.iter().any(has_weight) }
    }
}

/// The sink of the search: weight times count, summed for each side.
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

impl TermSink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32) {
        debug_assert!(index < term.len());
        self.sides[color as usize] += self.table.features[term.start() + index] * count;
    }

    #[inline(always)]
    fn place(&mut self, color: Color, piece: Piece, square: Square) {
        self.sides[color as usize] += self.table.places[color as usize][piece as usize][square as usize];
    }

    #[inline(always)]
    fn wants_optional(&self) -> bool {
        self.table.has_optional
    }
}

/// Names the features as terms of a linear evaluation: each has a weight in either stage, and the mixture of the
/// position says how much of it counts.
pub(super) struct Tapered<'a, T> {
    terms: &'a mut T,
    mover: Color,
    shares: [i32; 2],
}

impl<'a, T: Terms<Weights>> Tapered<'a, T> {
    #[inline(always)]
    pub fn new(board: &Board, terms: &'a mut T) -> Tapered<'a, T> {
        Tapered { terms, mover: board.side_to_move(), shares: Mixture::of(board).shares() }
    }
}

impl<T: Terms<Weights>> TermSink for Tapered<'_, T> {
    #[inline(always)]
    fn add(&mut self, color: Color, term: Term, index: usize, count: i32) {
        let owner = if color == self.mover { Owner::Mover } else { Owner::Opponent };
        let [middlegame, endgame] = self.shares;
        self.terms.add(owner, |weights| weights.middlegame_mut(term, index), count * middlegame);
        self.terms.add(owner, |weights| weights.endgame_mut(term, index), count * endgame);
    }

    #[inline(always)]
    fn place(&mut self, color: Color, piece: Piece, square: Square) {
        let (material, squares) = place_terms(piece);
        if let Some(material) = material {
            self.add(color, material, piece as usize, 1);
        }
        self.add(color, squares, half_board_index(square.relative_to(color)), 1);
    }

    #[inline(always)]
    fn wants_optional(&self) -> bool {
        true
    }
}
