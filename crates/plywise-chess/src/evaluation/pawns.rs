//! Pawn structure, and the table that remembers it: it changes with few moves, so most positions find it there.

use super::sink::{Packed, Sum, TermSink, WeightTable};
use super::weights::Term;
use crate::bits::{ahead, beside, fill_files, fill_forward, forward, pawn_attacks, rank_index};
use cozy_chess::{BitBoard, Board, Color, Piece};

/// Counts what depends on the pawns alone, and returns the passed pawns of each side.
pub(super) fn scan(board: &Board, sink: &mut impl TermSink) -> [BitBoard; Color::NUM] {
    Color::ALL.map(|color| scan_side(board, color, sink))
}

fn scan_side(board: &Board, color: Color, sink: &mut impl TermSink) -> BitBoard {
    let ours = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn);
    for square in ours {
        sink.place(color, Piece::Pawn, square);
    }

    let isolated = isolated(ours);
    let doubled = ours & ahead(!color, ours);
    sink.add(color, Term::IsolatedPawn, 0, isolated.len() as i32);
    sink.add(color, Term::DoubledPawn, 0, doubled.len() as i32);

    let backward = backward(color, ours, theirs) & !isolated;
    sink.add(color, Term::BackwardPawn, 0, backward.len() as i32);

    let connected = ours & (beside(ours) | pawn_attacks(color, ours));
    for square in connected {
        sink.add(color, Term::ConnectedPawn, rank_index(color, square), 1);
    }

    // Their pawns stop ours on their own file and beside. Of doubled pawns only the first is passed.
    let their_front = ahead(!color, theirs);
    let passed = ours & !(their_front | beside(their_front)) & !doubled;
    for square in passed {
        sink.add(color, Term::PassedPawn, rank_index(color, square), 1);
    }
    for square in ours & !(their_front | passed | doubled) {
        let helpers = ours & fill_forward(!color, beside(square.bitboard()));
        let guards = theirs & beside(ahead(color, square.bitboard()));
        if helpers.len() >= guards.len() {
            sink.add(color, Term::CandidatePawn, rank_index(color, square), 1);
        }
    }
    passed
}

/// Pawns without a friend on the files beside them.
#[inline(always)]
pub(super) fn isolated(ours: BitBoard) -> BitBoard {
    ours & !beside(fill_files(ours))
}

/// Pawns with no friend beside or behind on the files beside, while an enemy pawn guards the next square.
#[inline(always)]
pub(super) fn backward(color: Color, ours: BitBoard, theirs: BitBoard) -> BitBoard {
    let supportable = fill_forward(color, beside(ours));
    let stopped = forward(!color, pawn_attacks(!color, theirs));
    ours & !supportable & stopped
}

/// What the table remembers of a pawn structure.
#[derive(Clone, Copy)]
pub(super) struct PawnEntry {
    /// The pawns themselves are the key, so no two structures are ever mixed up.
    key: [BitBoard; Color::NUM],
    /// The value, White's less Black's.
    pub sum: Packed,
    /// The passed pawns of each side.
    pub passed: [BitBoard; Color::NUM],
}

/// A table of pawn structures.
#[derive(Clone)]
pub(super) struct PawnTable {
    entries: Box<[PawnEntry]>,
}

impl PawnTable {
    const BITS: u32 = 12;

    pub fn new() -> PawnTable {
        // An empty entry is a true one: no pawns are worth nothing.
        let empty = PawnEntry { key: Default::default(), sum: Packed::default(), passed: Default::default() };
        PawnTable { entries: vec![empty; 1 << PawnTable::BITS].into() }
    }

    /// What is known about the pawns of this position, found out where need be.
    #[inline]
    pub fn look_up(&mut self, board: &Board, table: &WeightTable) -> PawnEntry {
        let key = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
        let entry = &mut self.entries[PawnTable::slot(key)];
        if entry.key != key {
            let mut sum = Sum::new(table);
            let passed = scan(board, &mut sum);
            *entry = PawnEntry { key, sum: sum.total(), passed };
        }
        *entry
    }

    /// Multiplicative hashing (Knuth, "The Art of Computer Programming", volume 3, 1973), once for each side.
    #[inline]
    fn slot(key: [BitBoard; Color::NUM]) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let white = key[0].0.wrapping_mul(GOLDEN);
        let mixed = (white.rotate_left(31) ^ key[1].0).wrapping_mul(GOLDEN);
        (mixed >> (u64::BITS - PawnTable::BITS)) as usize
    }
}
