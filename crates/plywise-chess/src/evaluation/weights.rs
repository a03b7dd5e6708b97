//! The weights of the evaluation, declared once.
//!
//! Each term is one feature or a list of them, and each feature has a weight for the middlegame and one for the endgame,
//! in centipawns. They were chosen by hand and then fitted to self-play (docs/results/ours.md, "Learning an evaluation").
//! The declaration gives the [`Weights`] (a set of parameters), the terms, and the place of each feature in the
//! table that the search sums from.

use super::squares;

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
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Term {
            $( $(#[doc = $term_doc])* $Term, )*
        }

        impl Term {
            /// Every term, in the order of declaration.
            pub const ALL: [Term; TERMS] = [$(Term::$Term),*];

            const LENGTHS: [usize; TERMS] = [$(terms!(@length $($count)?)),*];
        }

        impl $Set {
            /// The weight of the `index`th feature of a term in the middlegame.
            #[inline(always)]
            pub(super) fn middlegame_mut(&mut self, term: Term, index: usize) -> &mut i32 {
                match term { $(Term::$Term => terms!(@place self.$term.middlegame, index $(, $count)?)),* }
            }

            /// The weight of the `index`th feature of a term in the endgame.
            #[inline(always)]
            pub(super) fn endgame_mut(&mut self, term: Term, index: usize) -> &mut i32 {
                match term { $(Term::$Term => terms!(@place self.$term.endgame, index $(, $count)?)),* }
            }
        }

        const TERMS: usize = [$(Term::$Term),*].len();
    };
    (@length) => { 1 };
    (@length $count:literal) => { $count };
    (@place $place:expr, $index:ident) => { &mut $place };
    (@place $place:expr, $index:ident, $count:literal) => { &mut $place[$index] };
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
    #[inline(always)]
    pub const fn len(self) -> usize {
        Term::LENGTHS[self as usize]
    }

    /// The place of its first feature among all features.
    #[inline(always)]
    pub const fn start(self) -> usize {
        Term::STARTS[self as usize]
    }
}

/// How many features there are in all; each has two weights.
pub(super) const FEATURES: usize = Term::STARTS[TERMS - 1] + Term::LENGTHS[TERMS - 1];

terms! {
    /// The weights of the chess evaluation, in centipawns for the side that has the feature.
    pub struct Weights;

    /// Each pawn, knight, bishop, rook and queen.
    material: Material [5] 0..=2000 = [87, 336, 351, 482, 1008], [124, 324, 337, 567, 990];

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
    knight_mobility: KnightMobility [9] -300..=300 = [-33, -20, -8, -2, 4, 8, 12, 15, 23], [-47, -30, -13, -1, 8, 14, 16, 14, 16];
    /// A bishop that can go to 0 to 13 such squares.
    bishop_mobility: BishopMobility [14] -300..=300 =
        [-31, -17, -8, 0, 6, 10, 12, 17, 21, 22, 25, 30, 30, 33],
        [-46, -28, -17, -6, 4, 12, 19, 22, 25, 29, 25, 29, 26, 30];
    /// A rook that can go to 0 to 14 such squares.
    rook_mobility: RookMobility [15] -300..=300 =
        [-30, -18, -12, -6, -5, -1, -1, 7, 9, 9, 12, 15, 18, 20, 25],
        [-51, -33, -19, -9, 0, 6, 13, 18, 25, 28, 33, 35, 39, 38, 35];
    /// A queen that can go to 0 to 27 such squares.
    queen_mobility: QueenMobility [28] -300..=300 =
        [-18, -14, -10, -9, -9, -5, -2, -2, 1, 2, 5, 5, 5, 8, 9, 11, 9, 12, 13, 12, 12, 13, 14, 13, 15, 15, 15, 15],
        [-40, -34, -28, -24, -19, -13, -8, -4, 0, 5, 10, 13, 16, 19, 20, 24, 25, 27, 29, 29, 30, 31, 31, 33, 33, 33, 35, 35];

    /// A passed pawn on its first to eighth rank.
    passed_pawn: PassedPawn [8] -300..=300 = [0, 3, -2, 8, 18, 47, 85, 0], [0, -1, 6, 27, 59, 98, 152, 0];
    /// A passed pawn on its first to eighth rank with a piece of either side right in front of it.
    blocked_passed_pawn: BlockedPassedPawn [8] -300..=300 = [0, -1, -1, -4, -8, -16, -27, 0], [0, -7, -5, -12, -18, -39, -62, 0];
    /// A passed pawn on its first to eighth rank whose way is free: no piece stands on it, no enemy attacks it.
    free_passed_pawn: FreePassedPawn [8] -300..=300 = [0, 0, -2, -1, 4, 12, 25, 0], [0, 2, 2, 8, 22, 51, 79, 0];
    /// A passed pawn, for each step that its own king is away from the square in front of it.
    passed_pawn_own_king: PassedPawnOwnKing -50..=50 = 4, -8;
    /// A passed pawn, for each step that the enemy king is away from the square in front of it.
    passed_pawn_enemy_king: PassedPawnEnemyKing -50..=50 = -3, 14;
    /// A pawn on its first to eighth rank that will be passed: no enemy pawn ahead on its file, and as many friends to help
    /// as enemy pawns to stop it.
    candidate_pawn: CandidatePawn [8] -200..=200 = [0, -4, 4, 2, 7, 24, 0, 0], [0, 2, 3, 9, 18, 41, 0, 0];
    /// A pawn without a friend on the files beside it.
    isolated_pawn: IsolatedPawn -100..=100 = -12, -12;
    /// A pawn with a friend ahead of it on its file.
    doubled_pawn: DoubledPawn -100..=100 = -7, -19;
    /// A pawn that no friend can come to support and that cannot safely advance.
    backward_pawn: BackwardPawn -100..=100 = -8, -9;
    /// A pawn that is protected by a pawn or stands beside one, on its first to eighth rank.
    connected_pawn: ConnectedPawn [8] -200..=200 = [0, 4, 10, 10, 16, 33, 62, 0], [0, -1, 5, 7, 11, 33, 64, 0];

    /// Two bishops or more.
    bishop_pair: BishopPair -200..=200 = 29, 48;
    /// A rook on a file without pawns of its own side; without any pawns.
    rook_file: RookFile [2] -100..=100 = [9, 30], [21, 7];
    /// A rook on its seventh rank while the enemy king is on the eighth or enemy pawns are on the seventh.
    rook_on_seventh: RookOnSeventh -100..=100 = 11, 24;
    /// A knight or bishop that a pawn protects on its fourth to sixth rank and that no enemy pawn can come to attack.
    outpost: Outpost [2] -100..=100 = [24, 15], [14, 9];

    /// An own pawn on a square of the colour that a bishop moves on, for each bishop.
    bishop_pawns: BishopPawns -50..=50 = -2, 1;
    /// A square behind or among the own pawns, on the files c to f and the ranks two to four, that no enemy pawn attacks.
    space: Space -50..=50 = -1, 0;

    /// A pawn that attacks an enemy knight or bishop; a rook or queen.
    pawn_threat: PawnThreat [2] -200..=200 = [46, 48], [29, 29];
    /// A knight or bishop that attacks an enemy knight or bishop no pawn protects; a rook; a queen.
    minor_threat: MinorThreat [3] -200..=200 = [12, 29, 33], [15, 22, 27];
    /// A rook that attacks an enemy knight or bishop no pawn protects; a queen.
    rook_threat: RookThreat [2] -200..=200 = [12, 34], [16, 26];
    /// An enemy pawn that is attacked and not protected; an enemy piece.
    hanging: Hanging [2] -200..=200 = [12, 20], [32, 19];

    /// A pawn in front of its king, on the three nearest files: one rank ahead, two ranks ahead.
    king_shelter: KingShelter [2] -100..=100 = [19, 9], [-6, -3];
    /// A file near the king without a pawn of its own side; without any pawns.
    king_file: KingFile [2] -100..=100 = [-12, -22], [3, -3];
    /// Enemy pieces that attack squares round the king: none, one, and so on to seven or more.
    king_attackers: KingAttackers [8] -600..=600 = [-5, -2, -11, -34, -67, -100, -130, -150], [-1, 3, -2, -7, -9, -14, -18, -20];
    /// Each attack by an enemy knight, bishop, rook and queen on a square round the king.
    king_zone: KingZone [4] -100..=100 = [-2, -2, -5, -4], [-1, -1, 0, -14];
    /// An enemy pawn before the king, on the three nearest files: on its rank, one rank ahead, and so on.
    king_storm: KingStorm [8] -200..=200 = [0, -3, -15, -2, 0, 3, 0, 0], [8, 3, -2, -1, -1, -4, 0, 0];
    /// A square from which an enemy knight, bishop, rook and queen can give check without being taken.
    safe_check: SafeCheck [4] -200..=200 = [-31, -9, -39, -18], [-3, -10, -10, -11];

    /// Against a bare king: each step that it is away from the middle, each step that the own king is nearer to it than
    /// seven; with bishop and knight, each step that it is nearer to a corner of the bishop's colour than seven.
    mating: Mating [3] -100..=100 = [0, 0, 0], [12, 8, 20];

    /// A square on the third or fourth rank that no own pawn attacks or can come to attack.
    weak_square: WeakSquare -100..=100 = 0, 0;
    /// A rook on the file of the enemy king; on a file beside it; on such a file that is the a-, b-, g- or h-file.
    rook_near_king: RookNearKing [3] -100..=100 = [0, 0, 0], [0, 0, 0];
    /// Two rooks with nothing between them.
    connected_rooks: ConnectedRooks -100..=100 = 0, 0;
    /// A rook behind a passed pawn of its own side, on the same file.
    rook_behind_passed_pawn: RookBehindPassedPawn -100..=100 = 0, 0;
    /// A rook on a file without pawns of its own side but with an isolated or backward one of the enemy.
    rook_at_weak_pawn: RookAtWeakPawn -100..=100 = 0, 0;
    /// The king's file without a pawn of its own side; a file beside it; the king's file without an enemy pawn; a file
    /// beside it.
    king_bare_file: KingBareFile [4] -100..=100 = [0, 0, 0, 0], [0, 0, 0, 0];

    /// The right to move.
    tempo: Tempo -100..=100 = 20, 10;
}
