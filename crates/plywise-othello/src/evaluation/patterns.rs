//! Patterns: what the discs on a line, along an edge or round a corner are worth, learned from games that plywise played
//! against itself.
//!
//! A shape is a set of squares; with a symmetry of the board it gives up to eight patterns. What stands on the squares
//! of a pattern, each empty, own or the enemy's, is a number in base three, its configuration, for which there is a
//! weight in each stage of the game. The patterns are those of Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello" (1997), or close to them.
//!
//! The file of weights begins with a line of text that names the format, its version and the command that made it. The
//! weights follow, a signed byte each, in [`FILE_UNITS`] parts of a disc, stage by stage and shape by shape; of two
//! configurations that are each other's mirror image, only the one with the lower number is there.

use super::{FINE, Moves};
use crate::board::Position;
use plywise_game::NotationError;
use plywise_game::bitboard::SYMMETRIES;
use std::sync::{Arc, LazyLock};

/// The number of stages of the game, each with weights of its own.
pub const STAGES: usize = 5;

/// The stage of a position with this many discs on the board.
#[inline]
pub fn stage(discs: u32) -> usize {
    (discs.saturating_sub(11) / 10).min(STAGES as u32 - 1) as usize
}

/// A set of squares whose contents are looked at together.
struct Shape {
    /// The number of configurations.
    size: usize,
    /// Where each digit goes when the pattern is mirrored; empty where a mirror image is another pattern.
    mirror: &'static [usize],
}

impl Shape {
    /// A line of `length` squares, which can be read from both ends.
    const fn line(length: usize) -> Shape {
        const REVERSED: [[usize; 8]; 9] = reversals();
        Shape { size: 3_usize.pow(length as u32), mirror: REVERSED[length].split_at(length).0 }
    }

    /// The mirror image of a configuration.
    fn mirrored(&self, configuration: usize) -> usize {
        if self.mirror.is_empty() {
            return configuration;
        }
        let digits = self.mirror.iter().enumerate();
        digits.map(|(from, &to)| configuration / 3_usize.pow(from as u32) % 3 * 3_usize.pow(to as u32)).sum()
    }
}

/// For each length, the digits of a line in reverse.
const fn reversals() -> [[usize; 8]; 9] {
    let mut all = [[0; 8]; 9];
    let mut i = 0;
    while i < 72 {
        let (length, digit) = (i / 8, i % 8);
        if digit < length {
            all[length][digit] = length - 1 - digit;
        }
        i += 1;
    }
    all
}

// The places of the shapes in the list.
const CORNER: usize = 0;
const EDGE: usize = 1;
const BLOCK: usize = 2;
const ROW: usize = 3;
const DIAGONAL: usize = 6;
const MOVES: usize = 11;

/// The most moves of a side that are distinguished.
const MOST_MOVES: usize = 31;

const SHAPES: [Shape; 12] = [
    // Three by three squares in a corner.
    Shape { size: 19_683, mirror: &[0, 3, 6, 1, 4, 7, 2, 5, 8] },
    // An edge, and the two squares on the diagonals beside its corners.
    Shape { size: 59_049, mirror: &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8] },
    // Five by two squares in a corner.
    Shape { size: 59_049, mirror: &[] },
    // The second, third and fourth row from an edge.
    Shape::line(8),
    Shape::line(8),
    Shape::line(8),
    // The diagonals, the longest first.
    Shape::line(8),
    Shape::line(7),
    Shape::line(6),
    Shape::line(5),
    Shape::line(4),
    // No squares: the number of moves that each side has.
    Shape { size: (MOST_MOVES + 1) * (MOST_MOVES + 1), mirror: &[] },
];

/// Where the configurations of each shape begin, and after the last one, where they end.
const BEGIN: [usize; SHAPES.len() + 1] = {
    let mut begin = [0; SHAPES.len() + 1];
    let mut i = 0;
    while i < SHAPES.len() {
        begin[i + 1] = begin[i] + SHAPES[i].size;
        i += 1;
    }
    begin
};

/// The number of configurations of all shapes.
pub const CONFIGURATIONS: usize = BEGIN[SHAPES.len()];

/// What a set of up to ten squares, read as binary digits, gives when it is read in base three.
static TERNARY: [u16; 1024] = {
    let mut ternary = [0; 1024];
    let mut set = 1;
    while set < 1024 {
        ternary[set] = ternary[set / 2] * 3 + (set % 2) as u16;
        set += 1;
    }
    ternary
};

/// Calls `each` with the number of every configuration on the board, below [`CONFIGURATIONS`].
#[inline(always)]
pub fn for_each_configuration(position: &Position, moves: Moves, mut each: impl FnMut(usize)) {
    let (own, enemy) = (images(position.own()), images(position.enemy()));
    let mut look = |shape: usize, own: u64, enemy: u64| {
        let digits = |squares: u64| usize::from(TERNARY[squares as usize % 1024]);
        each(BEGIN[shape] + digits(own) + 2 * digits(enemy));
    };
    for (&own, &enemy) in own.iter().zip(&enemy) {
        look(BLOCK, block(own), block(enemy));
    }
    for i in UPRIGHT {
        look(CORNER, corner(own[i]), corner(enemy[i]));
    }
    for i in FROM_EACH_EDGE {
        look(EDGE, edge(own[i]), edge(enemy[i]));
        for row in 1..=3 {
            look(ROW + row - 1, own[i] >> (8 * row) & 0xff, enemy[i] >> (8 * row) & 0xff);
        }
    }
    for i in FROM_BOTH_SIDES {
        look(DIAGONAL, above_diagonal(own[i], 0), above_diagonal(enemy[i], 0));
        for off in 1..=4 {
            look(DIAGONAL + off, above_diagonal(own[i], off), above_diagonal(enemy[i], off));
            look(DIAGONAL + off, below_diagonal(own[i], off), below_diagonal(enemy[i], off));
        }
    }
    let count = |bits: u64| (bits.count_ones() as usize).min(MOST_MOVES);
    each(BEGIN[MOVES] + count(moves.own) * (MOST_MOVES + 1) + count(moves.enemy));
}

/// The images of a board under all symmetries, in the order of [`SYMMETRIES`]: a step of one mirrors in the diagonal, of
/// two the files, of four the rows.
#[inline(always)]
fn images(board: u64) -> [u64; 8] {
    let upright = [board, SYMMETRIES[1].bitboard(board)];
    let reversed = upright.map(u64::reverse_bits);
    let swapped = u64::swap_bytes;
    [
        upright[0],
        upright[1],
        swapped(reversed[0]),
        swapped(reversed[1]),
        swapped(upright[0]),
        swapped(upright[1]),
        reversed[0],
        reversed[1],
    ]
}

/// The images that are not mirrored in the diagonal: each corner once.
const UPRIGHT: [usize; 4] = [0, 2, 4, 6];
/// The images that have each edge on top once.
const FROM_EACH_EDGE: [usize; 4] = [0, 1, 4, 5];
/// The images that have each diagonal from a1 to h8 once.
const FROM_BOTH_SIDES: [usize; 2] = [0, 2];

/// The corner of three by three squares, row by row.
#[inline(always)]
fn corner(board: u64) -> u64 {
    board & 7 | board >> 5 & 7 << 3 | board >> 10 & 7 << 6
}

/// The first row, then b2 and g2.
#[inline(always)]
fn edge(board: u64) -> u64 {
    board & 0xff | board >> 1 & 1 << 8 | board >> 5 & 1 << 9
}

/// The first five squares of the first two rows.
#[inline(always)]
fn block(board: u64) -> u64 {
    board & 31 | board >> 3 & 31 << 5
}

/// The diagonal from a1 to h8, moved this many files towards the h file.
#[inline(always)]
fn above_diagonal(board: u64, off: usize) -> u64 {
    const MASKS: [u64; 5] = [
        0x8040_2010_0804_0201,
        0x0080_4020_1008_0402,
        0x0000_8040_2010_0804,
        0x0000_0080_4020_1008,
        0x0000_0000_8040_2010,
    ];
    collapsed(board & MASKS[off]) >> off
}

/// The diagonal from a1 to h8, moved this many rows away from the first.
#[inline(always)]
fn below_diagonal(board: u64, off: usize) -> u64 {
    const MAIN: u64 = 0x8040_2010_0804_0201;
    collapsed(board & MAIN << (8 * off))
}

/// All rows in one: multiplying adds them up in the last, without a carry where no file has two squares.
#[inline(always)]
fn collapsed(board: u64) -> u64 {
    board.wrapping_mul(0x0101_0101_0101_0101) >> 56
}

/// For every configuration, its place among those that are distinguished: a configuration and its mirror image share one.
/// The second number is how many places there are.
pub fn folding() -> (Vec<u32>, usize) {
    let mut places = vec![0; CONFIGURATIONS];
    let mut next = 0;
    for (shape, begin) in SHAPES.iter().zip(BEGIN) {
        for configuration in 0..shape.size {
            let mirrored = shape.mirrored(configuration);
            places[begin + configuration] = if mirrored < configuration {
                places[begin + mirrored]
            } else {
                next += 1;
                next as u32 - 1
            };
        }
    }
    (places, next)
}

/// The weights of the configurations.
pub struct Patterns {
    /// For each stage and configuration, in parts of [`FINE`].
    weights: Vec<i16>,
    /// The first line of the file.
    title: String,
}

/// How files begin: the format and its version.
const MAGIC: &str = "plywise othello patterns 1";

/// The unit of the weights in a file: this many make a disc.
pub const FILE_UNITS: i32 = 16;

static BUILT_IN: LazyLock<Arc<Patterns>> = LazyLock::new(|| {
    let file = include_bytes!("../../data/patterns.bin");
    Arc::new(Patterns::parse(file).expect("a test reads the built-in file"))
});

impl Patterns {
    /// The patterns that come with this crate.
    pub fn built_in() -> Arc<Patterns> {
        Arc::clone(&BUILT_IN)
    }

    /// Reads the contents of a file.
    pub fn parse(file: &[u8]) -> Result<Patterns, NotationError> {
        let end = file.iter().position(|&byte| byte == b'\n').unwrap_or(file.len());
        let (title, body) = file.split_at(end);
        let title = String::from_utf8_lossy(title).into_owned();
        if !title.starts_with(MAGIC) {
            return Err(NotationError::new(format!("a file of patterns begins with '{MAGIC}'")));
        }
        let (places, count) = folding();
        let body = body.strip_prefix(b"\n").unwrap_or(body);
        if body.len() != STAGES * count {
            let sentence =
                format!("a file of patterns has {} weights, but this one has {}", STAGES * count, body.len());
            return Err(NotationError::new(sentence));
        }
        let weight = |byte: u8| i16::from(byte.cast_signed()) * (FINE / FILE_UNITS) as i16;
        let stages = body.chunks_exact(count);
        let weights = stages.flat_map(|stage| places.iter().map(move |&place| weight(stage[place as usize]))).collect();
        Ok(Patterns { weights, title })
    }

    /// Writes a file: the command that learned the weights, and for each stage and place the weight in parts of a disc.
    /// Weights beyond what a file can hold become the nearest that it can.
    pub fn write(command: &str, weights: &[Vec<f32>]) -> Vec<u8> {
        let mut file = format!("{MAGIC}: {command}\n").into_bytes();
        let byte = |weight: &f32| (weight * FILE_UNITS as f32).round().clamp(-127.0, 127.0) as i8;
        file.extend(weights.iter().flatten().map(|weight| byte(weight).cast_unsigned()));
        file
    }

    /// The first line of the file: the format, and the command that made it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What the patterns say about a position in which the sides have these moves, in parts of [`FINE`].
    #[inline(always)]
    pub(super) fn value(&self, position: &Position, moves: Moves) -> i32 {
        let stage = stage(position.occupied().count_ones());
        let weights = &self.weights[stage * CONFIGURATIONS..][..CONFIGURATIONS];
        let mut sum = 0;
        for_each_configuration(position, moves, |configuration| sum += i32::from(weights[configuration]));
        sum
    }
}

impl std::fmt::Debug for Patterns {
    /// The title: the numbers say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Patterns({})", self.title)
    }
}
