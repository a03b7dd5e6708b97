//! The piece-square tables: rank 1 on top, files a to d.

type Squares = [i32; 32];

#[rustfmt::skip]
pub(super) const PAWN_MIDDLEGAME: Squares = [
       0,    0,    0,    0,
      -7,    5,   -2,  -10,
      -5,    1,    0,    1,
      -7,   -6,    9,   19,
      -3,    0,    9,   18,
       7,   16,   21,   27,
      32,   41,   45,   49,
       0,    0,    0,    0,
];

#[rustfmt::skip]
pub(super) const PAWN_ENDGAME: Squares = [
       0,    0,    0,    0,
       5,    3,    6,    6,
      -3,   -2,   -2,   -2,
       5,    4,   -4,   -8,
      12,   11,    4,   -1,
      29,   28,   20,   14,
      47,   51,   43,   39,
       0,    0,    0,    0,
];

#[rustfmt::skip]
pub(super) const KNIGHT_MIDDLEGAME: Squares = [
     -69,  -23,  -21,  -17,
     -25,  -20,   -6,    3,
     -18,    0,    4,   11,
     -11,    5,   15,   17,
      -4,    8,   22,   26,
      -8,   13,   27,   32,
     -30,  -10,   15,   20,
     -90,  -40,  -24,  -12,
];

#[rustfmt::skip]
pub(super) const KNIGHT_ENDGAME: Squares = [
     -46,  -33,  -21,  -15,
     -29,  -15,  -11,   -4,
     -21,   -7,   -2,   10,
     -12,    2,   11,   21,
     -11,    4,   15,   19,
     -19,   -5,    8,   10,
     -30,  -15,   -7,    2,
     -54,  -34,  -21,  -16,
];

#[rustfmt::skip]
pub(super) const BISHOP_MIDDLEGAME: Squares = [
     -13,   -7,  -12,  -12,
      -1,   12,    5,    1,
      -2,    9,   10,    4,
      -4,    3,    5,   17,
      -6,    5,   13,   18,
      -1,    8,   13,   11,
     -21,   -6,   -4,   -4,
     -24,  -16,  -18,  -18,
];

#[rustfmt::skip]
pub(super) const BISHOP_ENDGAME: Squares = [
     -18,  -12,   -8,   -8,
     -15,   -9,   -6,    1,
      -9,    1,    5,    9,
      -5,    1,   11,    7,
      -4,    5,    7,   12,
      -3,    3,    4,    6,
      -9,   -3,    0,    2,
     -15,   -9,   -8,   -5,
];

#[rustfmt::skip]
pub(super) const ROOK_MIDDLEGAME: Squares = [
     -12,   -9,    4,   10,
     -27,   -8,   -7,   -3,
     -19,   -7,   -8,   -6,
     -14,   -6,   -6,   -1,
      -8,   -3,    4,    6,
      -2,    5,    9,   11,
       3,    6,   13,   16,
       7,   10,    9,   12,
];

#[rustfmt::skip]
pub(super) const ROOK_ENDGAME: Squares = [
      -8,   -8,   -5,   -9,
     -12,  -12,   -7,   -5,
      -3,   -2,   -3,   -6,
       3,    6,    2,    1,
       9,    8,    9,    6,
      11,   11,   11,    9,
      14,   12,   13,    9,
      14,   15,   13,   10,
];

#[rustfmt::skip]
pub(super) const QUEEN_MIDDLEGAME: Squares = [
      -5,   -7,   -5,    2,
      -5,   -1,    5,    2,
      -4,    2,   -1,   -1,
      -3,   -5,   -4,   -4,
      -6,   -7,   -3,   -7,
      -2,   -3,    2,    3,
      -9,  -21,   -2,   -1,
       0,    4,    9,   11,
];

#[rustfmt::skip]
pub(super) const QUEEN_ENDGAME: Squares = [
     -31,  -25,  -23,  -18,
     -25,  -18,  -12,   -7,
     -16,   -8,    2,    4,
      -8,    4,   12,   21,
      -1,   11,   19,   27,
      -3,    8,   17,   24,
      -7,    8,   14,   22,
      -7,    2,    7,   11,
];

#[rustfmt::skip]
pub(super) const KING_MIDDLEGAME: Squares = [
      12,   26,   -3,  -11,
       8,    6,  -12,  -26,
     -22,  -17,  -29,  -37,
     -39,  -32,  -44,  -53,
     -47,  -40,  -51,  -59,
     -47,  -38,  -49,  -59,
     -45,  -36,  -45,  -54,
     -50,  -42,  -50,  -57,
];

#[rustfmt::skip]
pub(super) const KING_ENDGAME: Squares = [
     -57,  -38,  -27,  -26,
     -34,  -14,   -7,   -2,
     -24,   -4,    7,   14,
     -18,    4,   18,   26,
     -12,   13,   29,   30,
      -5,   23,   31,   29,
     -20,    9,   18,   23,
     -56,  -27,  -15,    2,
];
