//! The weights of the evaluation, declared once.
//!
//! Each term is one feature or a list of them, and each feature has a weight for the middlegame and one for the endgame,
//! in centipawns. The declaration gives the [`Weights`] (a set of parameters), the [`Term`]s, and the place of each
//! feature in the table that the evaluation sums from.

use super::squares;

/// The middlegame and the endgame.
const STAGES: usize = 2;

/// Declares terms as `name: Type [count] range = middlegame, endgame;`, without `[count]` for a single feature.
macro_rules! terms {
    (
        $(#[doc = $doc:literal])*
        pub struct $Set:ident;
        $(
            $(#[doc = $term_doc:literal])*
            $term:ident : $Term:ident $([$count:literal])? $min:literal ..= $max:literal = $middlegame:expr, $endgame:expr;
        )*
    ) => {
        plywise_game::parameters! {
            $(#[doc = $doc])*
            pub struct $Set;
            $(
                $(#[doc = $term_doc])*
                $term: $Term {
                    /// In the middlegame.
                    middlegame: $([$count])? $min..=$max = $middlegame;
                    /// In the endgame.
                    endgame: $([$count])? $min..=$max = $endgame;
                }
            )*
        }

        /// A term of the evaluation: a feature or a list of features with their weights.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Term {
            $( $(#[doc = $term_doc])* $Term, )*
        }

        impl Term {
            /// Every term, in the order of declaration.
            pub const ALL: [Term; TERMS] = [$(Term::$Term),*];

            const LENGTHS: [usize; TERMS] = [$(terms!(@length $($count)?)),*];

            /// The name of the group that holds its weights.
            pub const fn name(self) -> &'static str {
                match self { $(Term::$Term => stringify!($term)),* }
            }
        }

        const TERMS: usize = [$(Term::$Term),*].len();
    };
    (@length) => { 1 };
    (@length $count:literal) => { $count };
}

impl Term {
    const STARTS: [usize; TERMS] = {
        let mut starts = [0; TERMS];
        let mut term = 1;
        while term < TERMS {
            starts[term] = starts[term - 1] + Term::LENGTHS[term - 1];
            term += 1;
        }
        starts
    };

    /// How many features it has.
    #[allow(clippy::len_without_is_empty, reason = "no term is empty")]
    #[inline(always)]
    pub const fn len(self) -> usize {
        Term::LENGTHS[self as usize]
    }

    /// The place of its first feature among all features.
    #[inline(always)]
    pub const fn start(self) -> usize {
        Term::STARTS[self as usize]
    }

    /// The places of a feature's two weights, middlegame and endgame, in the order of declaration.
    pub const fn parameters(self, index: usize) -> [usize; STAGES] {
        let first = self.start() * STAGES;
        [first + index, first + self.len() + index]
    }
}

/// How many features there are in all; each has two weights.
pub const FEATURES: usize = Term::STARTS[TERMS - 1] + Term::LENGTHS[TERMS - 1];

terms! {
    /// The weights of the chess evaluation, in centipawns for the side that has the feature.
    pub struct Weights;

    /// Each pawn, knight, bishop, rook and queen.
    material: Material [5] 0..=2000 = [88, 330, 345, 480, 1000], [118, 310, 325, 545, 980];

    /// A pawn on a square: ranks 1 to 8 from its own side, files a to d in each, the other files mirrored.
    pawn_squares: PawnSquares [32] -300..=300 = squares::PAWN_MIDDLEGAME, squares::PAWN_ENDGAME;
    /// A knight on a square, laid out as for pawns.
    knight_squares: KnightSquares [32] -300..=300 = squares::KNIGHT_MIDDLEGAME, squares::KNIGHT_ENDGAME;
    /// A bishop on a square, laid out as for pawns.
    bishop_squares: BishopSquares [32] -300..=300 = squares::BISHOP_MIDDLEGAME, squares::BISHOP_ENDGAME;
    /// A rook on a square, laid out as for pawns.
    rook_squares: RookSquares [32] -300..=300 = squares::ROOK_MIDDLEGAME, squares::ROOK_ENDGAME;
    /// The queen on a square, laid out as for pawns.
    queen_squares: QueenSquares [32] -300..=300 = squares::QUEEN_MIDDLEGAME, squares::QUEEN_ENDGAME;
    /// The king on a square, laid out as for pawns.
    king_squares: KingSquares [32] -300..=300 = squares::KING_MIDDLEGAME, squares::KING_ENDGAME;

    /// A knight that can go to 0 to 8 squares that no enemy pawn attacks.
    knight_mobility: KnightMobility [9] -300..=300 =
        [-36, -22, -10, -3, 3, 9, 14, 18, 21], [-48, -30, -14, -4, 4, 10, 14, 16, 16];
    /// A bishop that can go to 0 to 13 such squares.
    bishop_mobility: BishopMobility [14] -300..=300 =
        [-34, -20, -9, -2, 4, 10, 15, 19, 22, 24, 26, 28, 30, 31],
        [-46, -30, -16, -6, 2, 9, 15, 20, 23, 26, 28, 29, 30, 30];
    /// A rook that can go to 0 to 14 such squares.
    rook_mobility: RookMobility [15] -300..=300 =
        [-28, -20, -14, -9, -5, -1, 3, 6, 9, 12, 14, 16, 18, 19, 20],
        [-50, -34, -22, -12, -4, 4, 11, 17, 22, 27, 31, 34, 36, 38, 39];
    /// A queen that can go to 0 to 27 such squares.
    queen_mobility: QueenMobility [28] -300..=300 =
        [-20, -16, -12, -9, -7, -5, -3, -1, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 12, 13, 13, 14, 14, 15, 15, 15, 15],
        [-40, -34, -28, -23, -18, -13, -8, -4, 0, 4, 8, 11, 14, 17, 20, 22, 24, 26, 28, 29, 30, 31, 32, 33, 34, 34, 35, 35];

    /// A passed pawn on its first to eighth rank.
    passed_pawn: PassedPawn [8] -300..=300 = [0, 0, 2, 8, 22, 46, 80, 0], [0, 10, 14, 28, 52, 90, 140, 0];
    /// A passed pawn on its first to eighth rank with a piece of either side right in front of it.
    blocked_passed_pawn: BlockedPassedPawn [8] -300..=300 = [0, 0, -2, -4, -8, -16, -28, 0], [0, -4, -6, -12, -22, -38, -62, 0];
    /// A passed pawn, for each step that its own king is away from the square in front of it.
    passed_pawn_own_king: PassedPawnOwnKing -50..=50 = 0, -5;
    /// A passed pawn, for each step that the enemy king is away from the square in front of it.
    passed_pawn_enemy_king: PassedPawnEnemyKing -50..=50 = 1, 8;
    /// A pawn without a friend on the files beside it.
    isolated_pawn: IsolatedPawn -100..=100 = -12, -14;
    /// A pawn with a friend ahead of it on its file.
    doubled_pawn: DoubledPawn -100..=100 = -8, -20;
    /// A pawn that no friend can come to support and that cannot safely advance.
    backward_pawn: BackwardPawn -100..=100 = -8, -9;
    /// A pawn that is protected by a pawn or stands beside one, on its first to eighth rank.
    connected_pawn: ConnectedPawn [8] -200..=200 = [0, 3, 8, 9, 15, 32, 60, 0], [0, 0, 4, 6, 13, 30, 60, 0];

    /// Two bishops or more.
    bishop_pair: BishopPair -200..=200 = 28, 48;
    /// A rook on a file without pawns of its own side; without any pawns.
    rook_file: RookFile [2] -100..=100 = [12, 26], [9, 12];
    /// A rook on its seventh rank while the enemy king is on the eighth or enemy pawns are on the seventh.
    rook_on_seventh: RookOnSeventh -100..=100 = 12, 24;
    /// A knight or bishop that a pawn protects on its fourth to sixth rank and that no enemy pawn can come to attack.
    outpost: Outpost [2] -100..=100 = [24, 14], [16, 8];

    /// A pawn in front of its king, on the three nearest files: one rank ahead, two ranks ahead.
    king_shelter: KingShelter [2] -100..=100 = [22, 11], [0, 0];
    /// A file near the king without a pawn of its own side; without any pawns.
    king_file: KingFile [2] -100..=100 = [-12, -24], [0, 2];
    /// Enemy pieces that attack squares round the king: none, one, and so on to seven or more.
    king_attackers: KingAttackers [8] -600..=600 =
        [0, 0, -14, -38, -68, -100, -130, -150], [0, 0, -2, -6, -10, -14, -18, -20];
    /// Each attack by an enemy knight, bishop, rook and queen on a square round the king.
    king_zone: KingZone [4] -100..=100 = [-5, -4, -6, -7], [0, 0, -1, -3];

    /// The right to move.
    tempo: Tempo -100..=100 = 16, 10;
}
