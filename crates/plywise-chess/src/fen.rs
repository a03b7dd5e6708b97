//! Forsyth-Edwards Notation: four or six fields, castling rights in classical, Shredder and X-FEN letters.
//!
//! Refused is what no game can reach and the rules cannot play: see [`parse`]. Everything else is welcome, for the sake
//! of composed positions: more promoted pieces than pawns are missing, pawns that no captures brought to their files,
//! bishops shut in behind pawns that never moved, a side without a last move.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, BoardBuilderError, CastleRights, Color, File, Piece, Rank, Square, get_king_moves,
    get_line_rays,
};
use plywise_game::NotationError;
use std::fmt::Write;

/// The greatest halfmove clock that the board stores; the fifty-move rule needs no more.
const CLOCK_LIMIT: u8 = 100;

/// The fields of a FEN, for messages.
#[derive(Clone, Copy)]
enum Field {
    Pieces = 1,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    MoveNumber,
}

impl Field {
    fn error(self, what: impl AsRef<str>) -> NotationError {
        let name = match self {
            Field::Pieces => "pieces",
            Field::SideToMove => "side to move",
            Field::Castling => "castling rights",
            Field::EnPassant => "en passant square",
            Field::HalfmoveClock => "halfmove clock",
            Field::MoveNumber => "move number",
        };
        NotationError::new(format!("FEN field {} ({name}): {}", self as usize, what.as_ref()))
    }
}

/// Reads a FEN. The clocks may be left out, and are brought into range where writers exceed it.
///
/// A position needs one king on each side, not next to each other; at most 8 pawns and 16 men a side, no pawn on a back
/// rank; castling rights that king and rooks bear out; an en passant square that a pawn can just have passed; a side to
/// move that cannot take the king, and that is in check in a way that one move can bring about.
pub(crate) fn parse(text: &str) -> Result<Board, NotationError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (required, clocks) = match fields.len() {
        4 | 6 => fields.split_at(4),
        count => {
            return Err(NotationError::new(format!("a FEN has 4 or 6 fields, but '{}' has {count}", excerpt(text))));
        }
    };
    let mut builder = BoardBuilder::empty();
    builder.board = parse_pieces(required[0])?;
    builder.side_to_move = match required[1] {
        "w" => Color::White,
        "b" => Color::Black,
        other => return Err(Field::SideToMove.error(format!("'{}' is neither 'w' nor 'b'", excerpt(other)))),
    };
    builder.castle_rights = parse_castling(&builder.board, required[2])?;
    builder.en_passant = parse_en_passant(builder.side_to_move, required[3])?;
    if let [halfmove_clock, move_number] = clocks {
        let clock = parse_number(Field::HalfmoveClock, halfmove_clock)?;
        builder.halfmove_clock = u8::try_from(clock).unwrap_or(u8::MAX).min(CLOCK_LIMIT);
        let number = parse_number(Field::MoveNumber, move_number)?;
        builder.fullmove_number = u16::try_from(number).unwrap_or(u16::MAX).max(1);
    }

    let board = builder.build().map_err(|error| match error {
        BoardBuilderError::InvalidBoard => {
            Field::SideToMove.error(format!("{} is in check, but not to move", name(!builder.side_to_move)))
        }
        BoardBuilderError::InvalidCastlingRights => {
            Field::Castling.error(format!("king and rooks do not allow '{}'", excerpt(required[2])))
        }
        BoardBuilderError::InvalidEnPassant => {
            Field::EnPassant.error(format!("no pawn can just have passed '{}'", excerpt(required[3])))
        }
        BoardBuilderError::InvalidHalfMoveClock => Field::HalfmoveClock.error("it is out of range"),
        BoardBuilderError::InvalidFullmoveNumber => Field::MoveNumber.error("it is out of range"),
    })?;
    check_checks(&board)?;
    Ok(board)
}

/// Writes all six fields, castling rights in X-FEN: `K` or `Q` for the outermost rook, else the rook's file.
pub(crate) fn write(board: &Board) -> String {
    let mut text = String::with_capacity(90);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            match piece_letter(board, square) {
                None => empty += 1,
                Some(letter) => {
                    push_count(&mut text, &mut empty);
                    text.push(letter);
                }
            }
        }
        push_count(&mut text, &mut empty);
        if rank != Rank::First {
            text.push('/');
        }
    }
    text.push_str(if board.side_to_move() == Color::White { " w " } else { " b " });
    let before = text.len();
    for color in Color::ALL {
        push_castling(&mut text, board, color);
    }
    if text.len() == before {
        text.push('-');
    }
    // Writing to a string cannot fail.
    let _ = match crate::moves::en_passant_square(board) {
        Some(square) => write!(text, " {square}"),
        None => write!(text, " -"),
    };
    let _ = write!(text, " {} {}", board.halfmove_clock(), board.fullmove_number());
    text
}

/// The letter of the piece on a square, upper case for White.
pub(crate) fn piece_letter(board: &Board, square: Square) -> Option<char> {
    let letter = char::from(board.piece_on(square)?);
    Some(if board.colors(Color::White).has(square) { letter.to_ascii_uppercase() } else { letter })
}

type Squares = [Option<(Piece, Color)>; Square::NUM];

fn parse_pieces(field: &str) -> Result<Squares, NotationError> {
    let rows: Vec<&str> = field.split('/').collect();
    if rows.len() != Rank::NUM {
        return Err(Field::Pieces.error(format!("it has {} ranks instead of 8", rows.len())));
    }
    let mut squares = [None; Square::NUM];
    for (row, rank) in rows.iter().zip(Rank::ALL.into_iter().rev()) {
        parse_row(row, rank, &mut squares)?;
    }
    check_pieces(&squares)?;
    Ok(squares)
}

fn parse_row(row: &str, rank: Rank, squares: &mut Squares) -> Result<(), NotationError> {
    let mut file = 0;
    for letter in row.chars() {
        if let Some(empty @ 1..=8) = letter.to_digit(10) {
            file += empty as usize;
            continue;
        }
        let piece = Piece::try_from(letter.to_ascii_lowercase())
            .map_err(|_| Field::Pieces.error(format!("'{letter}' in rank {rank} is not a piece")))?;
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        if let Some(file) = File::try_index(file) {
            squares[Square::new(file, rank) as usize] = Some((piece, color));
        }
        file += 1;
    }
    if file != File::NUM {
        return Err(Field::Pieces.error(format!("rank {rank} has {file} squares instead of 8")));
    }
    Ok(())
}

/// What the board requires of the pieces, checked here so that each fault has its own message; and that the kings keep
/// apart, which the board relies on and does not check.
fn check_pieces(squares: &Squares) -> Result<(), NotationError> {
    for color in Color::ALL {
        let count = |wanted: Option<Piece>| {
            squares.iter().flatten().filter(|(piece, of)| *of == color && wanted.is_none_or(|w| w == *piece)).count()
        };
        let name = name(color);
        match count(Some(Piece::King)) {
            1 => {}
            kings => return Err(Field::Pieces.error(format!("{name} has {kings} kings instead of 1"))),
        }
        if count(Some(Piece::Pawn)) > 8 {
            return Err(Field::Pieces.error(format!("{name} has more than 8 pawns")));
        }
        if count(None) > 16 {
            return Err(Field::Pieces.error(format!("{name} has more than 16 pieces")));
        }
    }
    for square in Rank::First.bitboard() | Rank::Eighth.bitboard() {
        if let Some((Piece::Pawn, _)) = squares[square as usize] {
            return Err(Field::Pieces.error(format!("a pawn stands on {square}")));
        }
    }
    let kings: BitBoard =
        Square::ALL.into_iter().filter(|square| matches!(squares[*square as usize], Some((Piece::King, _)))).collect();
    if kings.into_iter().any(|king| !(get_king_moves(king) & kings).is_empty()) {
        return Err(Field::Pieces.error("the kings stand next to each other"));
    }
    Ok(())
}

/// One move gives at most two checks, and never along one line through the king.
fn check_checks(board: &Board) -> Result<(), NotationError> {
    let victim = name(board.side_to_move());
    match board.checkers().into_iter().collect::<Vec<_>>()[..] {
        [] | [_] => Ok(()),
        [one, other] if !get_line_rays(one, other).has(board.king(board.side_to_move())) => Ok(()),
        [one, other] => {
            Err(Field::Pieces.error(format!("no move gives {victim} check from {one} and {other} at once")))
        }
        _ => Err(Field::Pieces.error(format!("{victim} is in check from more than two pieces"))),
    }
}

fn parse_castling(squares: &Squares, field: &str) -> Result<[CastleRights; Color::NUM], NotationError> {
    let mut rights = [CastleRights::EMPTY; Color::NUM];
    if field == "-" {
        return Ok(rights);
    }
    for letter in field.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let no_rook =
            || Field::Castling.error(format!("{} has no king and rook on the back rank for '{letter}'", name(color)));
        let (king, rooks) = back_rank(squares, color);
        let king = king.ok_or_else(no_rook)?;
        let file = match letter.to_ascii_lowercase() {
            'k' => outermost(rooks, king, true).ok_or_else(no_rook)?,
            'q' => outermost(rooks, king, false).ok_or_else(no_rook)?,
            other => {
                let file = File::try_from(other)
                    .map_err(|_| Field::Castling.error(format!("'{letter}' is not a castling right")))?;
                rooks.has(Square::new(file, Rank::First)).then_some(file).ok_or_else(no_rook)?
            }
        };
        let rights = &mut rights[color as usize];
        let right = if file > king { &mut rights.short } else { &mut rights.long };
        if right.replace(file).is_some() {
            return Err(Field::Castling.error(format!("'{}' gives one right twice", excerpt(field))));
        }
    }
    Ok(rights)
}

/// The king's file where the king stands on its back rank, and the rooks there as a set on the first rank.
fn back_rank(squares: &Squares, color: Color) -> (Option<File>, BitBoard) {
    let on = |file: File| squares[Square::new(file, Rank::First.relative_to(color)) as usize];
    let holds = |piece: Piece| move |file: &File| on(*file) == Some((piece, color));
    let king = File::ALL.into_iter().find(holds(Piece::King));
    let rooks = File::ALL.into_iter().filter(holds(Piece::Rook)).map(|file| Square::new(file, Rank::First)).collect();
    (king, rooks)
}

/// The rook furthest from the king on one side: the one that X-FEN's `K` and `Q` mean.
fn outermost(rooks: BitBoard, king: File, short: bool) -> Option<File> {
    let mut files = rooks.into_iter().map(Square::file);
    if short { files.filter(|file| *file > king).last() } else { files.find(|file| *file < king) }
}

fn push_castling(text: &mut String, board: &Board, color: Color) {
    let rank = Rank::First.relative_to(color);
    let rooks = (board.colored_pieces(color, Piece::Rook) & rank.bitboard())
        .into_iter()
        .map(|square| Square::new(square.file(), Rank::First))
        .collect();
    let king = board.king(color).file();
    let rights = board.castle_rights(color);
    for (right, short, letter) in [(rights.short, true, 'k'), (rights.long, false, 'q')] {
        let Some(file) = right else { continue };
        let letter = if outermost(rooks, king, short) == Some(file) { letter } else { file.into() };
        text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
    }
}

fn parse_en_passant(side_to_move: Color, field: &str) -> Result<Option<Square>, NotationError> {
    if field == "-" {
        return Ok(None);
    }
    let square: Square =
        field.parse().map_err(|_| Field::EnPassant.error(format!("'{}' is not a square", excerpt(field))))?;
    let rank = Rank::Sixth.relative_to(side_to_move);
    if square.rank() != rank {
        return Err(Field::EnPassant.error(format!("'{square}' is not on rank {rank}")));
    }
    Ok(Some(square))
}

fn parse_number(field: Field, text: &str) -> Result<u32, NotationError> {
    text.parse().map_err(|_| field.error(format!("'{}' is not a whole number", excerpt(text))))
}

fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

fn push_count(text: &mut String, empty: &mut u32) {
    if let Some(digit) = char::from_digit(*empty, 10).filter(|_| *empty > 0) {
        text.push(digit);
    }
    *empty = 0;
}

/// The beginning of a text, for messages that must stay on one line.
pub(crate) fn excerpt(text: &str) -> String {
    const LIMIT: usize = 80;
    let clean = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    if text.chars().nth(LIMIT).is_some() { clean.take(LIMIT).chain("…".chars()).collect() } else { clean.collect() }
}
