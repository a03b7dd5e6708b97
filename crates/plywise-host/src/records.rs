//! Recorded games and suites of any game: what PGN and EPD hold, with moves as codes.

use crate::{AnyPosition, Move, Playable};
use plywise_game::pgn::{self, GameResult, Remark, Remarks, Variation};
use plywise_game::{Game, GameInfo, GameSoFar, epd};
use std::fmt;
use std::io::BufRead;

/// A recorded game.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Names and values of the tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The last position, with all moves of the game.
    pub position: AnyPosition,
    /// The number of the first move: 1, unless the game begins in the middle of another.
    pub first_number: u32,
    /// What stands between the moves.
    pub remarks: Remarks<Move>,
    /// How the game ended.
    pub result: GameResult,
}

impl Record {
    /// A game without tags and remarks, its result what the board says.
    pub fn new(position: AnyPosition) -> Record {
        let (tags, result) = (Vec::new(), position.result());
        Record { tags, position, first_number: 1, remarks: Remarks::default(), result }
    }

    /// The value of a tag; of the first, where several have its name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Every position of the game: the start, then the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = AnyPosition> {
        (0..=self.position.plies()).map(|plies| self.position.at(plies))
    }
}

/// As PGN.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.position.write_pgn(self))
    }
}

/// A position of a suite and what is known about it.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteEntry {
    /// The position.
    pub position: AnyPosition,
    /// The best moves (`bm`): finding one of them solves the position.
    pub best: Vec<Move>,
    /// Moves to avoid (`am`).
    pub avoid: Vec<Move>,
    /// The name of the position (`id`).
    pub id: Option<String>,
    /// All other operations in their order.
    pub operations: Vec<epd::Operation>,
}

impl SuiteEntry {
    /// Whether playing `mv` solves the position: it is among the best moves, if any are named, and not to be avoided.
    pub fn is_solved_by(&self, mv: Move) -> bool {
        (self.best.is_empty() || self.best.contains(&mv)) && !self.avoid.contains(&mv)
    }
}

/// As a line of EPD.
impl fmt::Display for SuiteEntry {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.position.write_epd(self))
    }
}

/// The games of a file, one by one.
pub type Records<'a> = Box<dyn Iterator<Item = Result<Record, pgn::Error>> + 'a>;

/// The entries of a suite, one by one.
pub type SuiteEntries<'a> = Box<dyn Iterator<Item = Result<SuiteEntry, epd::Error>> + 'a>;

pub(crate) fn read_pgn<'a, G: Playable>(info: &GameInfo<G>, input: Box<dyn BufRead + 'a>) -> Records<'a> {
    Box::new(pgn::read_with(info, input).map(|record| record.map(erase_record::<G>)))
}

pub(crate) fn read_epd<'a, G: Playable>(info: &GameInfo<G>, input: Box<dyn BufRead + 'a>) -> SuiteEntries<'a> {
    let entry = |entry: epd::Entry<G>| {
        let epd::Entry { position, best, avoid, id, operations } = entry;
        let position = AnyPosition::new(GameSoFar::<G>::new(position));
        SuiteEntry { position, best: codes::<G>(&best), avoid: codes::<G>(&avoid), id, operations }
    };
    Box::new(epd::read_with(info, input).map(move |read| read.map(entry)))
}

pub(crate) fn write_epd<G: Playable>(game: &GameSoFar<G>, entry: &SuiteEntry) -> String {
    let position = game.position().clone();
    let typed = |moves: &[Move]| moves.iter().filter_map(|mv| G::move_from_code(&position, mv.0)).collect();
    let (best, avoid, id, operations) =
        (typed(&entry.best), typed(&entry.avoid), entry.id.clone(), entry.operations.clone());
    epd::Entry::<G> { position, best, avoid, id, operations }.to_string()
}

pub(crate) fn write_pgn<G: Playable>(game: &GameSoFar<G>, record: &Record) -> String {
    let start = &game.positions()[0];
    let typed = pgn::Record::<G> {
        tags: record.tags.clone(),
        start: start.clone(),
        first_number: record.first_number,
        moves: game.moves().to_vec(),
        remarks: typed_remarks::<G>(start, game.moves(), &record.remarks),
        result: record.result,
    };
    typed.to_string()
}

fn erase_record<G: Playable>(record: pgn::Record<G>) -> Record {
    let pgn::Record { tags, start, first_number, moves, remarks, result } = record;
    let mut game = GameSoFar::<G>::new(start);
    moves.into_iter().for_each(|mv| game.play(mv));
    let remarks = erased_remarks::<G>(&remarks);
    Record { tags, position: AnyPosition::new(game), first_number, remarks, result }
}

fn codes<G: Game>(moves: &[G::Move]) -> Vec<Move> {
    moves.iter().map(|&mv| Move(G::move_code(mv))).collect()
}

fn erased_remarks<G: Game>(remarks: &Remarks<G::Move>) -> Remarks<Move> {
    let mut erased = Remarks::default();
    for (moves, remark) in remarks.iter() {
        erased.add(
            moves,
            match remark {
                Remark::Comment(text) => Remark::Comment(text.clone()),
                Remark::Nag(nag) => Remark::Nag(*nag),
                Remark::Word(word) => Remark::Word(word.clone()),
                Remark::Variation(line) => Remark::Variation(Variation {
                    moves: codes::<G>(&line.moves),
                    remarks: erased_remarks::<G>(&line.remarks),
                }),
            },
        );
    }
    erased
}

/// Remarks on moves that lead on from a position, with their variations played out.
fn typed_remarks<G: Game>(start: &G::Position, moves: &[G::Move], remarks: &Remarks<Move>) -> Remarks<G::Move> {
    let mut typed = Remarks::default();
    // A variation begins before the move that it replaces; ahead of the first move, at the start.
    let mut before = start.clone();
    let mut reached = 0;
    for (count, remark) in remarks.iter() {
        while reached + 1 < count && reached < moves.len() {
            before = G::play(&before, moves[reached]);
            reached += 1;
        }
        typed.add(
            count,
            match remark {
                Remark::Comment(text) => Remark::Comment(text.clone()),
                Remark::Nag(nag) => Remark::Nag(*nag),
                Remark::Word(word) => Remark::Word(word.clone()),
                Remark::Variation(line) => {
                    let moves = typed_moves::<G>(&before, &line.moves);
                    let remarks = typed_remarks::<G>(&before, &moves, &line.remarks);
                    Remark::Variation(Variation { moves, remarks })
                }
            },
        );
    }
    typed
}

/// Moves from their codes, as far as they are legal one after another.
fn typed_moves<G: Game>(start: &G::Position, moves: &[Move]) -> Vec<G::Move> {
    let mut position = start.clone();
    let mut typed = Vec::with_capacity(moves.len());
    for mv in moves {
        let Some(mv) = G::move_from_code(&position, mv.0) else { break };
        position = G::play(&position, mv);
        typed.push(mv);
    }
    typed
}
