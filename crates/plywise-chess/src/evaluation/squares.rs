//! The first values of the piece-square tables, chosen by hand: rank 1 on top, files a to d.

type Squares = [i32; 32];

#[rustfmt::skip]
pub(super) const PAWN_MIDDLEGAME: Squares = [
      0,   0,   0,   0,
     -6,   2,  -2,  -8,
     -6,   0,   2,   4,
     -8,  -4,   8,  18,
     -4,   2,  10,  20,
      6,  14,  22,  28,
     30,  40,  44,  48,
      0,   0,   0,   0,
];

#[rustfmt::skip]
pub(super) const PAWN_ENDGAME: Squares = [
      0,   0,   0,   0,
      4,   4,   4,   4,
      0,   2,   0,   0,
      4,   4,  -2,  -4,
     12,  10,   4,   0,
     26,  24,  18,  14,
     48,  44,  40,  36,
      0,   0,   0,   0,
];

#[rustfmt::skip]
pub(super) const KNIGHT_MIDDLEGAME: Squares = [
    -70, -28, -22, -18,
    -26, -20,  -6,   0,
    -20,  -4,   8,  12,
    -10,   4,  14,  18,
     -4,  10,  22,  28,
    -10,  14,  28,  32,
    -30, -10,  16,  20,
    -90, -40, -24, -12,
];

#[rustfmt::skip]
pub(super) const KNIGHT_ENDGAME: Squares = [
    -46, -34, -22, -16,
    -30, -16, -10,  -4,
    -22,  -8,   0,   8,
    -14,   2,  12,  18,
    -12,   4,  14,  20,
    -20,  -6,   8,  12,
    -30, -16,  -8,   0,
    -54, -36, -22, -16,
];

#[rustfmt::skip]
pub(super) const BISHOP_MIDDLEGAME: Squares = [
    -14,  -6, -14, -12,
     -2,  10,   4,   0,
      0,   8,   8,   6,
     -4,   4,   6,  16,
     -8,   4,  12,  18,
     -2,   8,  14,  12,
    -20,  -6,  -4,  -4,
    -24, -16, -18, -18,
];

#[rustfmt::skip]
pub(super) const BISHOP_ENDGAME: Squares = [
    -20, -12, -12,  -8,
    -14,  -8,  -4,   0,
     -8,   0,   4,   6,
     -6,   2,   8,  10,
     -4,   4,   8,  12,
     -4,   2,   4,   6,
    -10,  -4,   0,   0,
    -16, -10,  -8,  -6,
];

#[rustfmt::skip]
pub(super) const ROOK_MIDDLEGAME: Squares = [
    -12,  -6,   4,   8,
    -22, -10,  -6,  -2,
    -18,  -8,  -6,  -4,
    -14,  -8,  -4,  -2,
     -8,  -2,   2,   6,
     -2,   4,   8,  10,
      4,   6,  12,  16,
      6,   8,   8,  12,
];

#[rustfmt::skip]
pub(super) const ROOK_ENDGAME: Squares = [
     -8,  -4,  -4,  -6,
     -8,  -6,  -4,  -4,
     -4,  -2,  -2,  -4,
      0,   2,   2,   0,
      6,   6,   6,   4,
      8,   8,   8,   6,
     12,  12,  12,  10,
     10,  10,  10,   8,
];

#[rustfmt::skip]
pub(super) const QUEEN_MIDDLEGAME: Squares = [
     -6,  -8,  -4,   4,
     -6,  -2,   4,   4,
     -4,   2,   0,   0,
     -4,  -4,  -2,  -4,
     -8,  -8,  -6,  -6,
     -4,  -4,   2,   4,
    -10, -24,  -4,  -2,
      0,   4,   8,  10,
];

#[rustfmt::skip]
pub(super) const QUEEN_ENDGAME: Squares = [
    -32, -26, -22, -16,
    -26, -18, -12,  -6,
    -16,  -8,   2,   4,
     -8,   4,  12,  20,
     -2,  10,  18,  28,
     -4,   8,  18,  24,
     -8,   6,  14,  20,
     -8,   2,   6,  10,
];

#[rustfmt::skip]
pub(super) const KING_MIDDLEGAME: Squares = [
     14,  28,   2, -10,
      8,   6, -16, -28,
    -20, -18, -30, -38,
    -38, -32, -44, -54,
    -46, -40, -52, -62,
    -46, -38, -50, -58,
    -44, -36, -46, -54,
    -50, -42, -50, -58,
];

#[rustfmt::skip]
pub(super) const KING_ENDGAME: Squares = [
    -58, -36, -26, -24,
    -32, -14,  -6,  -2,
    -22,  -4,   8,  14,
    -16,   6,  20,  26,
     -8,  16,  28,  34,
     -4,  20,  30,  34,
    -20,   8,  16,  20,
    -56, -28, -18, -14,
];
