//! Positions of chess as the trainer bullet reads them: 32 bytes each, from the view of the side to move, with a score and a
//! result. What cannot be said there is lost: castling, en passant, the game.

use super::{DataError, PackedGame, Ply, encode_block, parse, read_source};
use crate::samples::Filter;
use crate::{LearnableGame, Source};
use bulletformat::{BulletFormat, ChessBoard};
use plywise_game::pgn::GameResult;
use plywise_game::{BoardGame, GameInfo, Score, Side};
use plywise_run::JobError;
use plywise_search::{Bound, Signal};
use std::io::Read;

/// The bytes of a position.
const LENGTH: usize = 32;

/// The games of a block.
const GAMES: usize = 512;

/// A position as text, with its score and the points that were made, both for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// The position.
    pub text: String,
    /// What the search thought of it.
    pub score: Score,
    /// The points, from 0 to 1.
    pub points: f64,
}

/// Hands over the positions of a game that networks learn from by default, if both a score and a result are known.
pub(crate) fn judged_positions<G: BoardGame>(
    info: &GameInfo<G>,
    game: &PackedGame,
    each: &mut dyn FnMut(Judged),
) -> Result<(), DataError> {
    Filter::default().select(info, game, |position, known| {
        if let (Some(score), Some(points), Bound::Exact) = (known.score, known.result, known.bound) {
            each(Judged { text: G::write_position(position), score, points });
        }
    })
}

/// A game of one move that holds a position with its score and result, both for the first player, who is to move. The move
/// is any quiet one. Nothing where there is none, or in check: such positions teach nothing.
pub(crate) fn lone_position<G: BoardGame>(
    info: &GameInfo<G>,
    text: &str,
    score: Score,
    result: GameResult,
) -> Result<Option<PackedGame>, DataError> {
    let position = parse(info, text)?;
    let moves = if G::in_check(&position) { Vec::new() } else { G::legal_moves(&position) };
    let quiet = moves.into_iter().find(|&mv| G::tactical_value(&position, mv).is_none());
    Ok(quiet.map(|mv| PackedGame {
        start: G::write_position(&position),
        plies: vec![Ply::new(G::move_code(mv), Some(score))],
        result,
        interior: Vec::new(),
    }))
}

/// The positions of games that networks learn from by default, as bullet reads them.
pub fn to_bullet(game: &dyn LearnableGame, sources: &[Source], stop: &Signal) -> Result<Vec<u8>, JobError> {
    check_game(game)?;
    let mut boards: Vec<ChessBoard> = Vec::new();
    for source in sources {
        read_source(game, source, stop, &mut |packed| {
            game.judged_positions(&packed, &mut |judged| boards.extend(write(&judged)))
        })?;
    }
    match boards.is_empty() {
        true => Err(JobError::input("there is no position to write: the files hold none with a score and a result")),
        false => Ok(ChessBoard::as_bytes_slice(&boards).to_vec()),
    }
}

/// Positions of bullet as blocks of games of one move.
pub fn from_bullet(game: &dyn LearnableGame, sources: &[Source], stop: &Signal) -> Result<Vec<Vec<u8>>, JobError> {
    check_game(game)?;
    let (mut blocks, mut games) = (Vec::new(), Vec::new());
    for source in sources {
        let refused = |error: DataError| source.unreadable(error, stop);
        let mut file = source.open()?;
        for number in 1.. {
            let Some(bytes) = next(&mut file, number).map_err(refused)? else { break };
            let (text, score, result) = read(&bytes).ok_or(DataError::Foreign(number)).map_err(refused)?;
            games.extend(game.lone_position(&text, score, result).map_err(refused)?);
            if games.len() == GAMES {
                blocks.push(encode_block(&std::mem::take(&mut games)));
            }
        }
    }
    blocks.extend((!games.is_empty()).then(|| encode_block(&games)));
    match blocks.is_empty() {
        true => Err(JobError::input("there is no quiet position in the files")),
        false => Ok(blocks),
    }
}

fn check_game(game: &dyn LearnableGame) -> Result<(), JobError> {
    match game.name() {
        "chess" => Ok(()),
        _ => Err(JobError::input(format!("bullet knows positions of chess, but not of {}", game.title()))),
    }
}

/// The bytes of the next position, if there is one.
fn next(file: &mut impl Read, number: u64) -> Result<Option<[u8; LENGTH]>, DataError> {
    let mut bytes = Vec::with_capacity(LENGTH);
    file.take(LENGTH as u64).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    bytes.try_into().map(Some).map_err(|_| DataError::Foreign(number))
}

/// A position as bullet has it; nothing where it cannot.
fn write(Judged { text, score, points }: &Judged) -> Option<ChessBoard> {
    let is_white = text.split(' ').nth(1) == Some("w");
    let (score, points) = if is_white { (*score, *points) } else { (-score, 1.0 - points) };
    let score = score.clamp(-i32::from(i16::MAX), i16::MAX.into());
    format!("{text} | {score} | {points:.1}").parse().ok()
}

/// A position as text with White to move, its score and its result.
fn read(bytes: &[u8; LENGTH]) -> Option<(String, Score, GameResult)> {
    const PIECES: &[u8; 6] = b"pnbrqk";
    let (occupied, rest) = bytes.split_first_chunk::<8>()?;
    let (pieces, rest) = rest.split_first_chunk::<16>()?;
    let occupied = u64::from_le_bytes(*occupied);
    if occupied.count_ones() > 32 {
        return None;
    }
    let board = ChessBoard { occ: occupied, pcs: *pieces, ..ChessBoard::default() };
    let mut squares = [None; 64];
    for (piece, square) in board {
        let name = *PIECES.get(usize::from(piece & 7))?;
        squares[usize::from(square)] = Some(if piece & 8 == 0 { name.to_ascii_uppercase() } else { name });
    }
    let rows = squares.chunks(8).rev().map(|row| {
        let mut text = String::new();
        for run in row.chunk_by(|one, other| one.is_none() && other.is_none()) {
            match run[0] {
                Some(name) => text.push(name.into()),
                None => text += &run.len().to_string(),
            }
        }
        text
    });
    let score = i16::from_le_bytes([rest[0], rest[1]]);
    let result = match rest[2] {
        0 => GameResult::Win(Side::Second),
        1 => GameResult::Draw,
        2 => GameResult::Win(Side::First),
        _ => return None,
    };
    Some((format!("{} w - - 0 1", rows.collect::<Vec<_>>().join("/")), score.into(), result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str, score: Score, points: f64) -> [u8; LENGTH] {
        let board = write(&Judged { text: text.into(), score, points }).unwrap();
        ChessBoard::as_bytes_slice(&[board]).try_into().unwrap()
    }

    #[track_caller]
    fn check(text: &str, seen: &str) {
        let results =
            [(0.0, GameResult::Win(Side::Second)), (0.5, GameResult::Draw), (1.0, GameResult::Win(Side::First))];
        for (points, result) in results {
            let expected = (seen.to_string(), -120, result);
            assert_eq!(read(&bytes(text, -120, points)), Some(expected));
        }
    }

    #[test]
    fn positions_are_seen_by_the_side_to_move() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        check(start, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
        check("4k3/8/8/8/2pP4/8/1R6/4K2q b - - 0 1", "4k2Q/1r6/8/2Pp4/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn any_bytes_are_survived() {
        let sound = bytes("4k3/8/8/8/2pP4/8/1R6/4K2q b - - 0 1", 5, 0.5);
        for place in 0..LENGTH {
            for bit in 0..8 {
                let mut broken = sound;
                broken[place] ^= 1 << bit;
                let _ = read(&broken);
            }
        }
        assert_eq!(read(&[0xff; LENGTH]), None);
        let mut result = sound;
        result[26] = 3;
        assert_eq!(read(&result), None);
    }
}
