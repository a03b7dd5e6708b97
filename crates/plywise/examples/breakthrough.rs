//! Breakthrough with every hook that a search may ask, and what each hook then switches on, counted in nodes.
//!
//! The game is Dan Troyka's (2000): pieces step forward, straight or diagonally, and capture diagonally; the player who
//! first reaches the far row or takes everything wins.
#![allow(clippy::print_stdout)]

use plywise::bitboard::{Square, squares};
use plywise::knowledge::{ClassCounts, ClassTable};
use plywise::parameters::Parameters;
use plywise::{
    Evaluate, Game, Knowledge, Limits, MoveTraits, Outcome, Params, Phase, Report, Request, Score, Searcher, Side,
    Signal, zobrist,
};
use std::sync::Arc;

/// The game.
pub enum Breakthrough {}

/// The pieces of both sides, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pieces: [u64; 2],
    side: Side,
}

/// A step from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    from: Square,
    to: Square,
}

const ROW: u64 = 0xff;
const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

impl Position {
    fn own(&self) -> u64 {
        self.pieces[self.side as usize]
    }

    fn other(&self) -> u64 {
        self.pieces[!self.side as usize]
    }

    fn captures(&self, mv: Move) -> bool {
        self.other() & mv.to.bit() != 0
    }
}

/// The row that a side's pieces start from, its opponent's goal.
const fn home(side: Side) -> u64 {
    match side {
        Side::First => ROW,
        Side::Second => ROW << 56,
    }
}

/// How many rows a piece on this square has left to go.
fn rows_to_go(side: Side, square: Square) -> u8 {
    if side == Side::First { 7 - square.rank() } else { square.rank() }
}

/// The squares that a piece steps to: towards file a, straight, towards file h.
fn steps(side: Side, piece: u64) -> [u64; 3] {
    match side {
        Side::First => [(piece & NOT_FILE_A) << 7, piece << 8, (piece & NOT_FILE_H) << 9],
        Side::Second => [(piece & NOT_FILE_A) >> 9, piece >> 8, (piece & NOT_FILE_H) >> 7],
    }
}

impl Game for Breakthrough {
    type Position = Position;
    type Move = Move;

    // The rules.

    fn start() -> Position {
        Position { pieces: [0xffff, 0xffff << 48], side: Side::First }
    }
    fn side_to_move(position: &Position) -> Side {
        position.side
    }
    fn moves(position: &Position, mut each: impl FnMut(Move)) {
        if Self::decided(position).is_some() {
            return;
        }
        let (own, other) = (position.own(), position.other());
        for from in squares(own) {
            let [left, straight, right] = steps(position.side, from.bit());
            squares((left | right) & !own | straight & !own & !other).for_each(|to| each(Move { from, to }));
        }
    }
    fn play(position: &Position, mv: Move) -> Position {
        let mut pieces = position.pieces.map(|pieces| pieces & !mv.to.bit() & !mv.from.bit());
        pieces[position.side as usize] |= mv.to.bit();
        Position { pieces, side: !position.side }
    }
    fn hash(position: &Position) -> u64 {
        let [first, second] = position.pieces;
        zobrist::key(first).wrapping_add(zobrist::key(second).rotate_left(21)) ^ position.side as u64
    }
    fn decided(position: &Position) -> Option<Outcome> {
        let lost = position.other() & home(position.side) != 0 || position.own() == 0;
        lost.then_some(Outcome::Loss)
    }
    /// Every move of the last piece is blocked: a player who cannot move has lost.
    fn stuck(_: &Position) -> Outcome {
        Outcome::Loss
    }
    fn move_code(mv: Move) -> u16 {
        (mv.from.index() * 64 + mv.to.index() + 1) as u16
    }

    // The order of moves: `ordering.history` learns by index.

    const MOVE_INDICES: usize = 64 * 64;
    fn move_index(_: &Position, mv: Move) -> usize {
        mv.from.index() * 64 + mv.to.index()
    }

    // Captures: `ordering.tactical` tries them early, `quiescence` plays them out, and futility, late-move pruning and
    // late-move reductions leave them alone.

    fn tactical_value(position: &Position, mv: Move) -> Option<i32> {
        position.captures(mv).then(|| 7 - i32::from(rows_to_go(!position.side, mv.to)))
    }
    /// A piece that can be taken back is exchanged, another is won. `quiescence.leave_out_losing` asks this; no
    /// capture loses anything here.
    fn exchange_value(position: &Position, mv: Move) -> i32 {
        let defenders = squares(position.other()).map(|from| steps(!position.side, from.bit()));
        let is_defended = defenders.fold(0, |all, [left, _, right]| all | left | right) & mv.to.bit() != 0;
        if is_defended { 0 } else { PIECE }
    }
    /// Long files of pieces can take each other in thousands of orders, which says little for its nodes: quiescence plays
    /// out free captures only.
    fn tactical_moves(position: &Position, mut each: impl FnMut(Move)) {
        Self::moves(position, |mv| {
            if position.captures(mv) && Self::exchange_value(position, mv) > 0 {
                each(mv);
            }
        });
    }

    // Threats: in check there is no standing pat, no null move and no pruning, and `extensions.one_reply` prices an only answer.

    /// The opponent reaches our home row with its next move.
    fn in_check(position: &Position) -> bool {
        let goal = home(position.side);
        Self::decided(position).is_none()
            && squares(position.other()).any(|from| {
                let [left, straight, right] = steps(!position.side, from.bit());
                (left | right | straight & !position.own()) & goal != 0
            })
    }

    // Passing: switches on `null_move`, and with it `extensions.threat`.

    fn null_move(position: &Position) -> Option<Position> {
        let may_pass = Self::decided(position).is_none() && !Self::in_check(position);
        may_pass.then_some(Position { side: !position.side, ..*position })
    }
    /// With few pieces left a player may have only moves that lose something.
    fn null_move_doubtful(position: &Position) -> bool {
        position.own().count_ones() <= 3
    }

    // Repetition is not looked for beyond such a move: here, never.

    fn is_irreversible(_: &Position, _: Move) -> bool {
        true
    }

    // What a move is: `extensions` prices checks, recaptures and advances, for each phase of the game.

    fn move_traits(position: &Position, mv: Move, after: &Position, previous: Option<Move>) -> MoveTraits {
        MoveTraits {
            gives_check: Self::in_check(after),
            recaptures: position.captures(mv) && previous.is_some_and(|previous| previous.to == mv.to),
            advances: rows_to_go(position.side, mv.to) <= 2,
        }
    }
    fn phase(position: &Position) -> Phase {
        match (position.own() | position.other()).count_ones() {
            29.. => Phase::Opening,
            13..29 => Phase::Middlegame,
            _ => Phase::Endgame,
        }
    }

    // Classes: `realization` prices a move by how often moves of its class were played; it needs a table of counts.

    const MOVE_CLASSES: usize = 2 * 3 * 8;
    /// Whether it captures, whether it goes straight, to or from the middle, and how far the piece has come.
    fn move_class(position: &Position, mv: Move) -> usize {
        let from_middle = |square: Square| square.file().min(7 - square.file());
        let direction = match from_middle(mv.to).cmp(&from_middle(mv.from)) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
        (usize::from(position.captures(mv)) * 3 + direction) * 8 + usize::from(rows_to_go(position.side, mv.to))
    }
}

/// What a piece is worth.
const PIECE: Score = 100;

/// Counts pieces, and how far they have come.
#[derive(Clone)]
pub struct Advance;

impl Evaluate<Breakthrough> for Advance {
    fn evaluate(&mut self, position: &Position) -> Score {
        let worth = |side: Side| -> Score {
            squares(position.pieces[side as usize])
                .map(|piece| PIECE + 3 * Score::from(7 - rows_to_go(side, piece)))
                .sum()
        };
        worth(position.side) - worth(!position.side)
    }
}

/// Searches a position with some settings changed against the default, such as `null_move=on`.
pub fn search(position: Position, depth: i32, settings: &[&str], tables: &Knowledge) -> Report<Move> {
    let mut params = Params::DEFAULT;
    for (path, value) in settings.iter().filter_map(|setting| setting.split_once('=')) {
        params.set(path, value).unwrap_or_else(|error| panic!("{error}"));
    }
    let mut searcher = Searcher::<Breakthrough, _>::new(params, Advance, 1).expect("1 MB fits into memory");
    searcher.set_knowledge(tables.clone());
    searcher.search(&Request::new(position), &Limits::depth(depth), &Signal::new(), &mut ())
}

/// A position from the middle of a game: what shallow searches make of some first moves.
pub fn middlegame(first: usize, plies: usize) -> Vec<Position> {
    let moves = Breakthrough::legal_moves(&Breakthrough::start());
    let mut line = vec![Breakthrough::play(&Breakthrough::start(), moves[first % moves.len()])];
    for _ in 1..plies {
        let last = line[line.len() - 1];
        let Some(mv) = search(last, 3, &[], &Knowledge::default()).best_move() else { break };
        line.push(Breakthrough::play(&last, mv));
    }
    line
}

/// How often moves of each class were played in games between shallow searches, and how often they could have been.
pub fn count_classes() -> ClassTable {
    let mut classes = vec![ClassCounts::default(); Breakthrough::MOVE_CLASSES];
    for first in 0..22 {
        for pair in middlegame(first, 60).windows(2) {
            let mut available: Vec<usize> = Vec::new();
            Breakthrough::moves(&pair[0], |mv| {
                let class = Breakthrough::move_class(&pair[0], mv);
                available.push(class);
                classes[class].played += u64::from(Breakthrough::play(&pair[0], mv) == pair[1]);
            });
            available.sort_unstable();
            available.dedup();
            available.into_iter().for_each(|class| classes[class].available += 1);
        }
    }
    ClassTable { classes }
}

fn main() {
    let tables = Knowledge { realization: Some(Arc::new(count_classes())), ..Knowledge::default() };
    let positions: Vec<Position> = [3, 9, 16].into_iter().filter_map(|first| middlegame(first, 12).pop()).collect();
    println!("{:<58} {:>10}", "changed against the default", "nodes");
    for settings in [
        &[][..],
        &["quiescence=off"],
        &["null_move=on"],
        &["futility=on"],
        &["late_move_reductions=on"],
        &["extensions=on"],
        &["realization=on", "realization.least=100"],
        &["null_move=on", "futility=on", "late_move_reductions=on"],
    ] {
        let nodes: u64 = positions.iter().map(|position| search(*position, 6, settings, &tables).nodes).sum();
        println!("{:<58} {nodes:>10}", if settings.is_empty() { "nothing".to_string() } else { settings.join(", ") });
    }
}
