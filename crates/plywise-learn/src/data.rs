//! Games with the scores of the searches that played them, packed into a file.
//!
//! ```text
//! "plywise games\n", version u32, game
//! block: length u32, games u32, checksum u32 (of the content), checksum u32 (of the header before it), then the content
//! game: start, result u8, plies, for each its move u16 and its score i16, interior positions, for each its text,
//!       score i16, bound u8 and depth u8
//! ```
//!
//! Numbers are little-endian; a count takes seven bits a byte, a text follows its length. A file grows block by block: one
//! that was cut off loses its last block and no more.

mod bullet;
mod contents;
mod distinct;
mod run;

pub use bullet::{Judged, from_bullet, to_bullet};
pub(crate) use bullet::{judged_positions, lone_position};
pub use contents::Contents;
pub use run::ForgedRun;

use crate::{LearnableGame, Source};
use plywise_game::notation::excerpt;
use plywise_game::pgn::GameResult;
use plywise_game::{GameInfo, Notation, Score, Side, score};
use plywise_net::bytes::{Reader, write_number, write_text};
use plywise_run::JobError;
use plywise_search::{Bound, Signal};
use std::io::{self, Read};

/// What a file begins with.
const MARK: &[u8; 14] = b"plywise games\n";

/// The version of the format.
const VERSION: u32 = 1;

/// The length of a block's header.
const HEADER: usize = 16;

/// The longest name of a game that is read.
const LONGEST_NAME: usize = 127;

/// What a forced win is written as; a loss is its negative.
const DECIDED: i16 = 32_000;

/// What is written where there is no score.
const NO_SCORE: i16 = i16::MIN;

/// Results in the order of their codes.
const RESULTS: [GameResult; 4] =
    [GameResult::Win(Side::First), GameResult::Draw, GameResult::Win(Side::Second), GameResult::Unknown];

const BOUNDS: [Bound; 3] = [Bound::Upper, Bound::Lower, Bound::Exact];

/// A score in two bytes: forced wins and losses without their distance, others within ±31,999.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedScore(i16);

impl PackedScore {
    /// A score, if there is one.
    pub fn new(score: Option<Score>) -> PackedScore {
        let largest = Score::from(DECIDED) - 1;
        PackedScore(match score {
            None => NO_SCORE,
            Some(score) if score::is_decided(score) => DECIDED * score.signum() as i16,
            Some(score) => score.clamp(-largest, largest) as i16,
        })
    }

    /// The two bytes.
    pub(crate) fn bits(self) -> i16 {
        self.0
    }

    /// The score in two bytes.
    pub(crate) fn from_bits(bits: i16) -> PackedScore {
        PackedScore(bits)
    }

    /// The score, if there is one; a forced win is as good as won.
    pub fn get(self) -> Option<Score> {
        let decided = self.0.unsigned_abs() >= DECIDED.unsigned_abs();
        let score = Score::from(self.0);
        (self.0 != NO_SCORE).then_some(if decided { score::WIN * score.signum() } else { score })
    }
}

/// A move that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The code of the move.
    pub code: u16,
    /// What the search thought of the position before it, seen by the side to move.
    pub score: PackedScore,
}

impl Ply {
    /// A move by its code, with the score of its search if there was one.
    pub fn new(code: u16, score: Option<Score>) -> Ply {
        Ply { code, score: PackedScore::new(score) }
    }
}

/// A position that a search met away from the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interior {
    /// The position.
    pub position: String,
    /// What the search thought of it, seen by the side to move.
    pub score: PackedScore,
    /// On which side of the score the value lies.
    pub bound: Bound,
    /// The depth of that search in plies.
    pub depth: u8,
}

/// A game with the scores of its searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedGame {
    /// The position in which it began.
    pub start: String,
    /// The moves.
    pub plies: Vec<Ply>,
    /// How it ended.
    pub result: GameResult,
    /// Positions that its searches met.
    pub interior: Vec<Interior>,
}

/// The positions of a game, the first and the last included, and the moves between them.
#[derive(Clone, Debug)]
pub struct Replay<G: Notation> {
    /// One more than the moves.
    pub positions: Vec<G::Position>,
    /// The moves.
    pub moves: Vec<G::Move>,
}

impl PackedGame {
    /// Plays the moves of the game.
    pub fn replay<G: Notation>(&self, info: &GameInfo<G>) -> Result<Replay<G>, DataError> {
        let mut position = parse(info, &self.start)?;
        let mut replay = Replay { positions: Vec::with_capacity(self.plies.len() + 1), moves: Vec::new() };
        for (number, ply) in self.plies.iter().enumerate() {
            let mv = G::move_from_code(&position, ply.code)
                .ok_or_else(|| DataError::IllegalMove { ply: number + 1, position: G::write_position(&position) })?;
            let next = G::play(&position, mv);
            replay.moves.push(mv);
            replay.positions.push(std::mem::replace(&mut position, next));
        }
        replay.positions.push(position);
        Ok(replay)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        write_text(bytes, &self.start);
        bytes.push(code(&RESULTS, self.result));
        write_number(bytes, self.plies.len() as u64);
        for ply in &self.plies {
            bytes.extend(ply.code.to_le_bytes());
            bytes.extend(ply.score.0.to_le_bytes());
        }
        write_number(bytes, self.interior.len() as u64);
        for Interior { position, score, bound, depth } in &self.interior {
            write_text(bytes, position);
            bytes.extend(score.0.to_le_bytes());
            bytes.extend([code(&BOUNDS, *bound), *depth]);
        }
    }

    fn read(reader: &mut Reader) -> Option<PackedGame> {
        let start = reader.text()?.to_string();
        let result = *RESULTS.get(usize::from(reader.u8()?))?;
        let plies = (0..reader.number()?).map(|_| read_ply(reader)).collect::<Option<_>>()?;
        let interior = (0..reader.number()?).map(|_| read_interior(reader)).collect::<Option<_>>()?;
        Some(PackedGame { start, plies, result, interior })
    }
}

/// The position that a text of a file describes.
pub(crate) fn parse<G: Notation>(info: &GameInfo<G>, text: &str) -> Result<G::Position, DataError> {
    info.parse_position(text)
        .map_err(|error| DataError::Position { position: excerpt(text), reason: error.to_string() })
}

fn code<T: PartialEq>(all: &[T], item: T) -> u8 {
    all.iter().position(|each| *each == item).unwrap_or(0) as u8
}

fn read_ply(reader: &mut Reader) -> Option<Ply> {
    Some(Ply { code: reader.u16()?, score: PackedScore(reader.i16()?) })
}

fn read_interior(reader: &mut Reader) -> Option<Interior> {
    let (position, score) = (reader.text()?.to_string(), PackedScore(reader.i16()?));
    let bound = *BOUNDS.get(usize::from(reader.u8()?))?;
    Some(Interior { position, score, bound, depth: reader.u8()? })
}

/// Why games cannot be read: one sentence for the user.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file is something else.
    #[error("it is not a file of packed games")]
    NotGames,
    /// Another version of plywise wrote it.
    #[error("its version is {0}, but {VERSION} is expected")]
    Version(u32),
    /// It holds games of another kind.
    #[error("it holds games of '{found}', not of '{expected}'")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that it was asked for.
        expected: String,
    },
    /// A block does not fit its checksums or its length.
    #[error("block {0} is damaged")]
    Damaged(u64),
    /// A position makes no sense.
    #[error("the position '{position}' cannot be read: {reason}")]
    Position {
        /// The position.
        position: String,
        /// Why not.
        reason: String,
    },
    /// A move is not legal.
    #[error("move {ply} of a game is not legal in '{position}'")]
    IllegalMove {
        /// The number of the move, from 1.
        ply: usize,
        /// The position before it.
        position: String,
    },
    /// A position of another trainer makes no sense.
    #[error("its position {0} makes no sense")]
    Foreign(u64),
    /// It cannot be read at all.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// Positions cannot be written to the disk, or not be read from there again.
    #[error("positions cannot be kept on the disk: {0}")]
    Kept(io::Error),
}

/// What a file of this game begins with.
pub fn header(game: &str) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    write_text(&mut bytes, game);
    bytes
}

/// Games as a block, a few hundred at a time.
pub fn encode_block(games: &[PackedGame]) -> Vec<u8> {
    let mut content = Vec::new();
    games.iter().for_each(|game| game.write(&mut content));
    let mut bytes = Vec::with_capacity(HEADER + content.len());
    for number in [content.len() as u32, games.len() as u32, crc32fast::hash(&content)] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(content);
    bytes
}

/// The games of one whole block.
pub fn decode_block(bytes: &[u8]) -> Result<Vec<PackedGame>, DataError> {
    let (header, content) = bytes.split_first_chunk().ok_or(DataError::Damaged(1))?;
    let header = BlockHeader::read(header).ok_or(DataError::Damaged(1))?;
    header.games(content).ok_or(DataError::Damaged(1))
}

/// What a block says of itself.
struct BlockHeader {
    length: u32,
    games: u32,
    checksum: u32,
}

impl BlockHeader {
    fn read(bytes: &[u8; HEADER]) -> Option<BlockHeader> {
        let mut reader = Reader(bytes);
        let header = BlockHeader { length: reader.u32()?, games: reader.u32()?, checksum: reader.u32()? };
        (crc32fast::hash(&bytes[..HEADER - 4]) == reader.u32()?).then_some(header)
    }

    fn games(&self, content: &[u8]) -> Option<Vec<PackedGame>> {
        if content.len() != self.length as usize || crc32fast::hash(content) != self.checksum {
            return None;
        }
        let mut reader = Reader(content);
        let games = (0..self.games).map(|_| PackedGame::read(&mut reader)).collect::<Option<_>>()?;
        reader.is_empty().then_some(games)
    }
}

/// What a file held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Moves in these games.
    pub plies: u64,
    /// Positions away from the games.
    pub interior: u64,
    /// Whole blocks.
    pub blocks: u64,
    /// The length of the file up to the end of the last whole block.
    pub whole_bytes: u64,
    /// Whether a block was cut off after that.
    pub cut_off: bool,
}

/// Reads a file of games block by block and calls `each` for every one.
pub fn read_games(mut file: impl Read, game: &str, mut each: impl FnMut(PackedGame)) -> Result<Summary, DataError> {
    let mut summary = Summary { whole_bytes: read_header(&mut file, game)?, ..Summary::default() };
    loop {
        let header = read_up_to(&mut file, HEADER)?;
        let Ok(bytes) = <[u8; HEADER]>::try_from(&header[..]) else {
            summary.cut_off = !header.is_empty();
            return Ok(summary);
        };
        let damaged = || DataError::Damaged(summary.blocks + 1);
        let header = BlockHeader::read(&bytes).ok_or_else(damaged)?;
        let content = read_up_to(&mut file, header.length as usize)?;
        if content.len() < header.length as usize {
            summary.cut_off = true;
            return Ok(summary);
        }
        let games = header.games(&content).ok_or_else(damaged)?;
        summary.blocks += 1;
        summary.whole_bytes += (HEADER + content.len()) as u64;
        for game in games {
            summary.games += 1;
            summary.plies += game.plies.len() as u64;
            summary.interior += game.interior.len() as u64;
            each(game);
        }
    }
}

/// Reads the games of a source and calls `each` for every one, which says what is wrong with it.
pub(crate) fn read_source(
    game: &dyn LearnableGame,
    source: &Source,
    stop: &Signal,
    each: &mut dyn FnMut(PackedGame) -> Result<(), DataError>,
) -> Result<Summary, JobError> {
    let mut sound = Ok(());
    let summary = read_games(source.open()?, game.name(), |game| {
        if sound.is_ok() {
            sound = each(game);
        }
    });
    let summary = summary.map_err(|error| source.unreadable(error, stop))?;
    sound.map_err(|error| JobError::input(format!("'{}': {error}", source.name())))?;
    Ok(summary)
}

/// The games of several files as blocks of one.
pub fn merge(game: &dyn LearnableGame, sources: &[Source], stop: &Signal) -> Result<Vec<Vec<u8>>, JobError> {
    const GAMES: usize = 16;
    let (mut blocks, mut games) = (Vec::new(), Vec::new());
    for source in sources {
        read_source(game, source, stop, &mut |game| {
            games.push(game);
            if games.len() == GAMES {
                blocks.push(encode_block(&std::mem::take(&mut games)));
            }
            Ok(())
        })?;
    }
    blocks.extend((!games.is_empty()).then(|| encode_block(&games)));
    match blocks.is_empty() {
        true => Err(JobError::input("there is no game to merge: the files hold none")),
        false => Ok(blocks),
    }
}

/// Reads what a file of this game begins with, and says how long that is.
fn read_header(file: &mut impl Read, game: &str) -> Result<u64, DataError> {
    let fixed = read_up_to(file, MARK.len() + 5)?;
    let mut reader = Reader(&fixed);
    if reader.take(MARK.len()) != Some(MARK) {
        return Err(DataError::NotGames);
    }
    let version = reader.u32().ok_or(DataError::NotGames)?;
    if version != VERSION {
        return Err(DataError::Version(version));
    }
    let length = usize::from(reader.u8().ok_or(DataError::NotGames)?);
    let name = read_up_to(file, length.min(LONGEST_NAME))?;
    if name != game.as_bytes() {
        let found = excerpt(&String::from_utf8_lossy(&name));
        return Err(DataError::Game { found, expected: game.to_string() });
    }
    Ok((fixed.len() + name.len()) as u64)
}

/// `count` bytes, or fewer where the file ends.
fn read_up_to(file: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.by_ref().take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}
