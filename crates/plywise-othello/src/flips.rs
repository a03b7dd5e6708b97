//! Which discs a move turns over, and where moves are possible: the two questions that everything else asks.
//!
//! Both look at four directions at once in arrays of four words, which compilers turn into vector instructions.

use plywise_game::for_each_level;

/// The number of lines through a square, each of which a move looks along both ways.
const LINES: usize = 4;

/// The squares beyond each square, along each line: those with higher numbers.
const BEYOND: [[u64; LINES]; 64] = rays([(1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The squares before each square, along each line: those with lower numbers.
const BEFORE: [[u64; LINES]; 64] = rays([(-1, 0), (1, -1), (0, -1), (-1, -1)]);

/// The squares that lie in each of these directions, as steps in files and rows, from each square to the rim.
const fn rays(directions: [(i32, i32); LINES]) -> [[u64; LINES]; 64] {
    let mut rays = [[0; LINES]; 64];
    let mut i = 0;
    while i < 64 * LINES {
        let (square, line) = (i / LINES, i % LINES);
        let (files, rows) = directions[line];
        let (mut file, mut row) = (square as i32 % 8 + files, square as i32 / 8 + rows);
        while 0 <= file && file < 8 && 0 <= row && row < 8 {
            rays[square][line] |= 1 << (row * 8 + file);
            file += files;
            row += rows;
        }
        i += 1;
    }
    rays
}

/// The discs that turn over when a disc of `own` is put on a square with this number (taken modulo 64): none where the
/// move is illegal. The square itself must be empty.
///
/// Towards higher numbers, adding one to a word that is full but for the ray's squares without an enemy carries to the
/// first of them. Towards lower numbers that square is the highest one.
#[inline(always)]
pub fn flips(square: usize, own: u64, enemy: u64) -> u64 {
    let (beyond, before) = (&BEYOND[square % 64], &BEFORE[square % 64]);
    let mut flips = [0; LINES];
    for line in 0..LINES {
        let ray = beyond[line];
        let end = (enemy | !ray).wrapping_add(1) & ray & own;
        flips[line] = end.saturating_sub(1) & ray;
    }
    for line in 0..LINES {
        let ray = before[line];
        // The lowest bit stands in for "none", so that there always is a highest one.
        let end = (1 << 63) >> (ray & !enemy | 1).leading_zeros() & ray & own;
        flips[line] |= (end << 1).wrapping_neg() & ray;
    }
    flips[0] | flips[1] | flips[2] | flips[3]
}

for_each_level! {
    /// The squares where `own` can move.
    pub fn mobility(own: u64, enemy: u64) -> u64 {
        mobility_inline(own, enemy)
    }
}

/// The same, for functions that are compiled for newer instructions themselves.
///
/// All own discs walk over enemy discs together: one step, one more, and twice two more at once (Kogge & Stone,
/// "A parallel algorithm for the efficient solution of a general class of recurrence equations", 1973).
#[inline(always)]
pub(crate) fn mobility_inline(own: u64, enemy: u64) -> u64 {
    /// A walk over a file's rim would enter the next row.
    const INNER_FILES: u64 = 0x7e7e_7e7e_7e7e_7e7e;
    /// How far a step along each line is, and which squares it may pass.
    const STEPS: [u32; LINES] = [1, 7, 8, 9];
    const PASSABLE: [u64; LINES] = [INNER_FILES, INNER_FILES, !0, INNER_FILES];

    let mut landings = [0; LINES];
    for line in 0..LINES {
        let step = STEPS[line];
        let passable = enemy & PASSABLE[line];
        let mut up = own << step & passable;
        let mut down = own >> step & passable;
        up |= up << step & passable;
        down |= down >> step & passable;
        let (two_up, two_down) = (passable & passable << step, passable & passable >> step);
        up |= up << (2 * step) & two_up;
        down |= down >> (2 * step) & two_down;
        up |= up << (2 * step) & two_up;
        down |= down >> (2 * step) & two_down;
        landings[line] = up << step | down >> step;
    }
    (landings[0] | landings[1] | landings[2] | landings[3]) & !(own | enemy)
}

/// The number of discs that turn over when a disc of `own` is put on the last empty square, which has this number
/// (taken modulo 64): all others that are not own are the enemy's.
///
/// Each of the four lines through the square is gathered into a byte, for which a table knows the number.
#[inline(always)]
pub fn last_flip_count(square: usize, own: u64) -> u32 {
    const FILE: u64 = 0x0101_0101_0101_0101;
    /// Times the first file, it gathers that file in the highest byte, a1 lowest.
    const GATHER_FILE: u64 = 0x0102_0408_1020_4080;
    let (file, row) = (square % 8, square / 8 % 8);
    let diagonal = |line: usize| ((own & DIAGONALS[square % 64][line]).wrapping_mul(FILE) >> 56) as usize;
    let along_row = IN_LINE[file][(own >> (8 * row)) as usize % 256];
    let along_file = IN_LINE[row][((own >> file & FILE).wrapping_mul(GATHER_FILE) >> 56) as usize];
    let along_diagonals = IN_LINE[file][diagonal(0)] + IN_LINE[file][diagonal(1)];
    u32::from(along_row + along_file + along_diagonals)
}

/// The two diagonals through each square.
const DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        diagonals[square] = [BEYOND[square][1] | BEFORE[square][1], BEYOND[square][3] | BEFORE[square][3]];
        square += 1;
    }
    diagonals
};

/// The number of discs in a line of eight that a disc on each place turns over, for all patterns of own discs in it.
/// All other squares count as the enemy's: on a diagonal, those beyond its end enclose nothing and so do no harm.
const IN_LINE: [[u8; 256]; 8] = {
    let mut counts = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 * 256 {
        let (place, own) = (i / 256, (i % 256) as u32);
        let (higher, lower) = (own >> place >> 1, own & ((1 << place) - 1));
        let mut count = 0;
        if higher != 0 {
            count += higher.trailing_zeros();
        }
        if lower != 0 {
            count += place as u32 - 1 - lower.ilog2();
        }
        counts[place][own as usize] = count as u8;
        i += 1;
    }
    counts
};
