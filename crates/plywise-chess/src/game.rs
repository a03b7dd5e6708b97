//! The rules of chess on cozy-chess, and what a search may ask about it.

use crate::bits::{forward, pawn_attacks, rank_of};
use crate::exchange::{self, PIECE_VALUES, promotion_gain};
use crate::lists::{PieceList, has_moves};
use crate::moves::{self, captured_piece};
use crate::{classes, evaluation};
use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_king_moves, get_pawn_attacks,
};
use plywise_game::{Game, MoveTraits, Outcome, Phase, Side, zobrist};

/// Chess, Chess960 included.
#[derive(Clone, Copy, Debug)]
pub enum Chess {}

/// The halfmove clock at which either player may claim a draw: fifty moves by each without capture or pawn move.
const FIFTY_MOVES: u8 = 100;

impl Game for Chess {
    type Position = Board;
    type Move = Move;

    fn start() -> Board {
        Board::startpos()
    }

    #[inline]
    fn side_to_move(board: &Board) -> Side {
        match board.side_to_move() {
            Color::White => Side::First,
            Color::Black => Side::Second,
        }
    }

    #[inline]
    fn moves(board: &Board, each: impl FnMut(Move)) {
        PieceList::of_all(board).iter().flatten().for_each(each);
    }

    #[inline]
    fn play(board: &Board, mv: Move) -> Board {
        let mut after = board.clone();
        after.play_unchecked(mv);
        after
    }

    /// cozy-chess notes an en-passant file after every double step. It counts here only where the capture is legal, so
    /// that positions that are the same by the laws of chess hash alike.
    #[inline]
    fn hash(board: &Board) -> u64 {
        match board.en_passant() {
            Some(file) if !en_passant_is_legal(board, file) => board.hash_without_ep(),
            _ => board.hash(),
        }
    }

    fn stuck(board: &Board) -> Outcome {
        if board.checkers().is_empty() { Outcome::Draw } else { Outcome::Loss }
    }

    /// Fifty moves without progress, unless the last of them gave mate, and material that cannot mate.
    #[inline]
    fn drawn_by_rule(board: &Board) -> bool {
        if board.halfmove_clock() >= FIFTY_MOVES {
            return board.checkers().is_empty() || has_moves(board);
        }
        material_is_insufficient(board)
    }

    fn hash_afresh(board: &Board) -> u64 {
        // A board that exists can be built again; the fallback keeps this total.
        BoardBuilder::from_board(board).build().as_ref().map_or(0, Self::hash)
    }

    #[inline]
    fn move_count(board: &Board) -> usize {
        PieceList::of_all(board).iter().map(|moves| moves.len()).sum()
    }

    #[inline]
    fn is_stuck(board: &Board) -> bool {
        !has_moves(board)
    }

    /// Six bits each for the squares, then the promotion. No move stands still, so no code is 0.
    #[inline]
    fn move_code(mv: Move) -> u16 {
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    }

    #[inline]
    fn move_from_code(board: &Board, code: u16) -> Option<Move> {
        let square = |shift: u32| Square::try_index(usize::from(code >> shift & 63));
        let promotion = match code >> 12 {
            0 => None,
            n => Some(Piece::try_index(n.into()).filter(|piece| *piece != Piece::King)?),
        };
        let mv = Move { from: square(0)?, to: square(6)?, promotion };
        board.is_legal(mv).then_some(mv)
    }

    const MOVE_INDICES: usize = Color::NUM * Piece::NUM * Square::NUM;

    #[inline]
    fn move_index(board: &Board, mv: Move) -> usize {
        let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
        (board.side_to_move() as usize * Piece::NUM + piece as usize) * Square::NUM + mv.to as usize
    }

    const CAPTURE_INDICES: usize = Color::NUM * Piece::NUM * Square::NUM * Piece::NUM;

    /// The side, the piece, its target and what it takes; a promotion that takes nothing counts as taking a king.
    #[inline]
    fn capture_index(board: &Board, mv: Move) -> usize {
        let victim = captured_piece(board, mv).unwrap_or(Piece::King);
        Chess::move_index(board, mv) * Piece::NUM + victim as usize
    }

    /// The pawns of both sides, and the pieces of each.
    const STRUCTURE_KEYS: usize = 3;

    #[inline]
    fn structure_hash(board: &Board, key: usize) -> u64 {
        const PIECES: [Piece; 5] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
        let of = |color, piece| board.colored_pieces(color, piece).0;
        match key {
            0 => zobrist::of_boards([Color::White, Color::Black].map(|color| of(color, Piece::Pawn))),
            1 => zobrist::of_boards(PIECES.map(|piece| of(Color::White, piece))),
            _ => zobrist::of_boards(PIECES.map(|piece| of(Color::Black, piece))),
        }
    }

    const MOVE_CLASSES: usize = classes::COUNT;

    #[inline]
    fn move_class(board: &Board, mv: Move) -> usize {
        classes::class_of(board, mv)
    }

    /// The most valuable victim first, then the least valuable attacker; a new queen counts as won. Underpromotions
    /// are tactical only where they capture.
    #[inline]
    fn tactical_value(board: &Board, mv: Move) -> Option<i32> {
        let promotion = if mv.promotion == Some(Piece::Queen) { promotion_gain(Piece::Queen) } else { 0 };
        match captured_piece(board, mv) {
            Some(victim) => {
                // The attackers' numbers are smaller than the difference of any two victims.
                let mover = board.piece_on(mv.from).map_or(0, |piece| piece as i32);
                Some(PIECE_VALUES[victim as usize] + promotion - mover)
            }
            None => (promotion != 0).then_some(promotion),
        }
    }

    /// Captures and promotions to a queen.
    #[inline]
    fn tactical_moves(board: &Board, mut each: impl FnMut(Move)) {
        let color = board.side_to_move();
        let theirs = board.colors(!color);
        let king = board.king(color);
        let last_rank = rank_of(color, Rank::Eighth);
        let en_passant = moves::en_passant_square(board).map_or(BitBoard::EMPTY, Square::bitboard);
        let pawn_targets = theirs | last_rank | en_passant;

        // Only pawns that capture or promote are worth generating, and the king is asked square by square.
        let pawns = board.colored_pieces(color, Piece::Pawn)
            & (pawn_attacks(!color, theirs | en_passant) | forward(!color, last_rank));
        let others = board.colors(color) & !board.pieces(Piece::Pawn) & !king.bitboard();
        for moves in PieceList::of(board, pawns | others).iter() {
            let is_pawn = moves.piece == Piece::Pawn;
            for to in moves.to & if is_pawn { pawn_targets } else { theirs } {
                let promotes = is_pawn && last_rank.has(to);
                each(Move { from: moves.from, to, promotion: promotes.then_some(Piece::Queen) });
            }
        }
        for to in get_king_moves(king) & theirs {
            let mv = Move { from: king, to, promotion: None };
            if board.is_legal(mv) {
                each(mv);
            }
        }
    }

    #[inline]
    fn exchange_value(board: &Board, mv: Move) -> i32 {
        exchange::exchange_value(board, mv)
    }

    #[inline]
    fn exchange_bounds(board: &Board, mv: Move) -> (i32, i32) {
        exchange::exchange_bounds(board, mv)
    }

    #[inline]
    fn in_check(board: &Board) -> bool {
        !board.checkers().is_empty()
    }

    #[inline]
    fn gives_check(board: &Board, mv: Move) -> bool {
        moves::gives_check(board, mv)
    }

    #[inline]
    fn null_move(board: &Board) -> Option<Board> {
        board.null_move()
    }

    /// The side to move has nothing but its king and pawns, and having to move may hurt it.
    #[inline]
    fn null_move_doubtful(board: &Board) -> bool {
        let ours = board.colors(board.side_to_move());
        ours.is_subset(board.pieces(Piece::King) | board.pieces(Piece::Pawn))
    }

    /// Captures, pawn moves, and moves that give up a right to castle.
    #[inline]
    fn is_irreversible(board: &Board, mv: Move) -> bool {
        let occupied_or_pawn = board.occupied().has(mv.to) || board.pieces(Piece::Pawn).has(mv.from);
        occupied_or_pawn || moves::loses_castling_right(board, mv)
    }

    #[inline]
    fn move_traits(board: &Board, mv: Move, after: &Board, previous: Option<Move>) -> MoveTraits {
        MoveTraits {
            gives_check: !after.checkers().is_empty(),
            recaptures: previous.is_some_and(|previous| {
                previous.to == mv.to && captured_piece(board, mv).is_some() && moves::was_capture(board, previous)
            }),
            advances: moves::advances_passed_pawn(board, mv),
        }
    }

    /// Opening while most pieces stand on their own back rank, endgame when about a third of them is left.
    #[inline]
    fn phase(board: &Board) -> Phase {
        const AT_HOME: u32 = 10;
        let at_home = (board.colors(Color::White) & Rank::First.bitboard()).len()
            + (board.colors(Color::Black) & Rank::Eighth.bitboard()).len();
        let material = evaluation::material_phase(board);
        if material * 3 <= evaluation::FULL_PHASE {
            Phase::Endgame
        } else if at_home >= AT_HOME && material * 6 >= evaluation::FULL_PHASE * 5 {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

fn en_passant_is_legal(board: &Board, file: File) -> bool {
    let color = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(color));
    let pawns = get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    pawns.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None }))
}

/// Bare kings, one minor piece, or bishops that all stand on squares of one colour.
#[inline]
pub(crate) fn material_is_insufficient(board: &Board) -> bool {
    const DARK: BitBoard = BitBoard(0xaa55_aa55_aa55_aa55);
    let heavy = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let knights = board.pieces(Piece::Knight);
    let bishops = board.pieces(Piece::Bishop);
    (knights | bishops).len() <= 1 || knights.is_empty() && (bishops.is_subset(DARK) || bishops.is_disjoint(DARK))
}
