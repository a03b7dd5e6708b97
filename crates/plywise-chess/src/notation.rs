//! [`Notation`] for chess: FEN, SAN and the moves of the UCI protocol.

use crate::fen::{self, excerpt};
use crate::game::{self, Chess};
use crate::lists::has_moves;
use crate::moves::is_castling;
use crate::{picture, san};
use cozy_chess::{BitBoard, Board, Color, File, Move, Piece, Rank, Square};
use plywise_game::view::{DARK, LIGHT, Place};
use plywise_game::{Game, Notation, NotationError, Score, View};

impl Notation for Chess {
    const NAME: &'static str = "chess";
    const TITLE: &'static str = "Chess";
    const PLAYERS: [&'static str; 2] = ["White", "Black"];

    fn parse_position(text: &str) -> Result<Board, NotationError> {
        fen::parse(text)
    }

    fn write_position(board: &Board) -> String {
        fen::write(board)
    }

    fn parse_move(board: &Board, text: &str) -> Result<Move, NotationError> {
        let text = text.trim();
        // Engine moves first: "b1c3" means a knight there, where algebraic notation would mean a pawn.
        let engine_move = read_engine_move(board, text);
        if let Some(mv) = engine_move.filter(|mv| board.is_legal(*mv)) {
            return Ok(mv);
        }
        let Some(san) = san::read(text) else {
            return Err(NotationError::new(match engine_move {
                Some(_) => format!("the move '{}' is illegal in this position", excerpt(text)),
                None => format!("the move '{}' is unreadable", excerpt(text)),
            }));
        };
        match san::candidates(board, san)[..] {
            [] => Err(NotationError::new(format!("the move '{}' is illegal in this position", excerpt(text)))),
            [mv] => Ok(mv),
            [ref fitting @ .., last] => {
                let fitting: Vec<String> = fitting.iter().map(|mv| san::write(board, *mv)).collect();
                let last = san::write(board, last);
                let all = fitting.join(", ");
                Err(NotationError::new(format!("the move '{}' is ambiguous: {all} or {last}", excerpt(text))))
            }
        }
    }

    fn write_move(board: &Board, mv: Move) -> String {
        san::write(board, mv)
    }

    fn write_engine_move(board: &Board, mv: Move) -> String {
        engine_move(board, mv, false)
    }

    fn describe_end(board: &Board) -> String {
        if has_moves(board) {
            let reason =
                if game::material_is_insufficient(board) { "insufficient material" } else { "fifty-move rule" };
            return reason.to_string();
        }
        match (board.checkers().is_empty(), board.side_to_move()) {
            (true, _) => "stalemate".to_string(),
            (false, Color::White) => "Black mates".to_string(),
            (false, Color::Black) => "White mates".to_string(),
        }
    }

    fn draw(board: &Board) -> String {
        Chess::draw_view(board, &View::default())
    }

    fn draw_view(board: &Board, view: &View<Move>) -> String {
        const GROUND: [u8; 2] = [65, 108];
        let moved = moved(board, view);
        let drawing = view.board(8, 8, false, |file, rank| {
            let square = Square::new(File::index(file.into()), Rank::index(rank.into()));
            let figure = board.piece_on(square).map_or(' ', |piece| FIGURES[piece as usize]);
            Place {
                letter: fen::piece_letter(board, square).unwrap_or('.'),
                figure,
                ink: if board.color_on(square) == Some(Color::White) { LIGHT } else { DARK },
                ground: GROUND[usize::from((file + rank) % 2)],
                marked: moved.has(square),
            }
        });
        match has_moves(board) {
            true => format!("{drawing}{} to move\n", Chess::player(Chess::side_to_move(board))),
            false => drawing + "The game is over.\n",
        }
    }

    fn draw_svg(board: &Board, view: &View<Move>) -> String {
        picture::svg(board, moved(board, view), view.turned)
    }

    /// In pawns.
    fn show_score(score: Score) -> String {
        format!("{:+.2}", f64::from(score) / 100.0)
    }

    /// In moves of the winner, as chess players count: `#3`, or `#-3` for being mated.
    fn show_win(plies: i32) -> String {
        format!("#{}", (plies + plies.signum()) / 2)
    }
}

/// The figures of the pieces in the Unicode standard: the filled ones, which show in any colour.
const FIGURES: [char; Piece::NUM] = ['♟', '♞', '♝', '♜', '♛', '♚'];

/// The squares that the last move changed.
fn moved(board: &Board, view: &View<Move>) -> BitBoard {
    view.last_move.map_or(BitBoard::EMPTY, |mv| mv.from.bitboard() | landing_square(board, mv).bitboard())
}

/// Where the piece of the last move stands now. Castling is kept as the king's capture of its rook.
fn landing_square(board: &Board, last: Move) -> Square {
    let mover = !board.side_to_move();
    if board.colors(mover).has(last.to) { last.to } else { board.king(mover) }
}

/// A legal move as the UCI protocol writes it. Castling is the king's own move, `e1g1`, or with `chess960` the king
/// taking its rook, `e1h1`. From squares other than those of classical chess only the second form is
/// unambiguous, so it is always used.
pub fn engine_move(board: &Board, mv: Move, chess960: bool) -> String {
    let classical = mv.from.file() == File::E && matches!(mv.to.file(), File::A | File::H);
    if chess960 || !classical || !is_castling(board, mv) || !board.pieces(Piece::King).has(mv.from) {
        return mv.to_string();
    }
    let file = if mv.to.file() == File::H { File::G } else { File::C };
    Move { to: Square::new(file, mv.to.rank()), ..mv }.to_string()
}

/// Reads the form of an engine move, `e2e4` or `e7e8q`; whether it is legal is not looked at. Castling may be written
/// either way.
fn read_engine_move(board: &Board, text: &str) -> Option<Move> {
    let promotion = match text.get(4..) {
        None | Some("") => None,
        Some(letter) => Some(letter.to_ascii_lowercase().parse().ok()?),
    };
    let mv = Move { from: text.get(0..2)?.parse().ok()?, to: text.get(2..4)?.parse().ok()?, promotion };
    Some(castling_by_king_target(board, mv).unwrap_or(mv))
}

/// The castling move that a king's jump to the c- or g-file stands for, where the king cannot just step there.
fn castling_by_king_target(board: &Board, mv: Move) -> Option<Move> {
    let color = board.side_to_move();
    let back_rank = Rank::First.relative_to(color);
    let steps = (mv.from.file() as i32 - mv.to.file() as i32).abs();
    if mv.from != board.king(color) || steps < 2 || mv.to.rank() != back_rank || is_castling(board, mv) {
        return None;
    }
    let rights = board.castle_rights(color);
    let rook = match mv.to.file() {
        File::G => rights.short?,
        File::C => rights.long?,
        _ => return None,
    };
    Some(Move { to: Square::new(rook, back_rank), ..mv })
}
