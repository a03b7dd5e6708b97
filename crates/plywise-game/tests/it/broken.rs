//! Tic-tac-toe with one deliberate mistake each, to show that the conformance kit finds it.

use crate::tic_tac_toe::{OpenLines, Position, Square, TicTacToe};
use plywise_game::{Evaluate, Game, MoveTraits, Notation, NotationError, Outcome, Score, Side};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A mistake: for each part of the game, what is done instead. Every method's default does the right thing.
pub trait Mistake: Send + Sync + 'static {
    fn start(start: Position) -> Position {
        start
    }
    fn side_to_move(position: &Position) -> Side {
        TicTacToe::side_to_move(position)
    }
    fn moves(position: &Position) -> Vec<Square> {
        TicTacToe::legal_moves(position)
    }
    fn play(position: &Position, mv: Square) -> Position {
        TicTacToe::play(position, mv)
    }
    fn hash(position: &Position) -> u64 {
        TicTacToe::hash(position)
    }
    fn hash_afresh(position: &Position) -> u64 {
        TicTacToe::hash_afresh(position)
    }
    fn decided(position: &Position) -> Option<Outcome> {
        TicTacToe::decided(position)
    }
    fn stuck(position: &Position) -> Outcome {
        TicTacToe::stuck(position)
    }
    fn outcome(position: &Position) -> Option<Outcome> {
        TicTacToe::outcome(position)
    }
    fn move_count(position: &Position) -> usize {
        Self::moves(position).len()
    }
    fn is_stuck(position: &Position) -> bool {
        Self::moves(position).is_empty()
    }
    fn move_code(mv: Square) -> u16 {
        TicTacToe::move_code(mv)
    }
    fn move_from_code(position: &Position, code: u16) -> Option<Square> {
        Self::moves(position).into_iter().find(|&mv| Self::move_code(mv) == code)
    }
    fn move_index(position: &Position, mv: Square) -> usize {
        TicTacToe::move_index(position, mv)
    }
    fn move_class(position: &Position, mv: Square) -> usize {
        TicTacToe::move_class(position, mv)
    }
    fn capture_index(_position: &Position, mv: Square) -> usize {
        mv.into()
    }
    fn exchange_bounds(_position: &Position, _mv: Square) -> (i32, i32) {
        (0, 0)
    }
    fn structure_hash(position: &Position) -> u64 {
        position.own().into()
    }
    fn tactical_moves(position: &Position) -> Vec<Square> {
        let mut moves = Self::moves(position);
        moves.retain(|&mv| TicTacToe::tactical_value(position, mv).is_some());
        moves
    }
    fn null_move(position: &Position) -> Option<Position> {
        TicTacToe::null_move(position)
    }
    fn gives_check(after: &Position) -> bool {
        TicTacToe::in_check(after)
    }
    fn would_give_check(position: &Position, mv: Square) -> bool {
        TicTacToe::gives_check(position, mv)
    }
    fn parse_position(text: &str) -> Result<Position, NotationError> {
        TicTacToe::parse_position(text)
    }
    fn write_position(position: &Position) -> String {
        TicTacToe::write_position(position)
    }
    fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
        TicTacToe::parse_move(position, text)
    }
    fn write_move(position: &Position, mv: Square) -> String {
        TicTacToe::write_move(position, mv)
    }
    fn write_engine_move(position: &Position, mv: Square) -> String {
        TicTacToe::write_engine_move(position, mv)
    }
}

/// The game with that mistake.
pub struct With<M>(M);

impl<M: Mistake> Game for With<M> {
    type Position = Position;
    type Move = Square;

    fn start() -> Position {
        M::start(TicTacToe::start())
    }
    fn side_to_move(position: &Position) -> Side {
        M::side_to_move(position)
    }
    fn moves(position: &Position, each: impl FnMut(Square)) {
        M::moves(position).into_iter().for_each(each);
    }
    fn play(position: &Position, mv: Square) -> Position {
        M::play(position, mv)
    }
    fn hash(position: &Position) -> u64 {
        M::hash(position)
    }
    fn decided(position: &Position) -> Option<Outcome> {
        M::decided(position)
    }
    fn stuck(position: &Position) -> Outcome {
        M::stuck(position)
    }
    fn outcome(position: &Position) -> Option<Outcome> {
        M::outcome(position)
    }
    fn hash_afresh(position: &Position) -> u64 {
        M::hash_afresh(position)
    }
    fn move_count(position: &Position) -> usize {
        M::move_count(position)
    }
    fn is_stuck(position: &Position) -> bool {
        M::is_stuck(position)
    }
    fn move_code(mv: Square) -> u16 {
        M::move_code(mv)
    }
    fn move_from_code(position: &Position, code: u16) -> Option<Square> {
        M::move_from_code(position, code)
    }
    const MOVE_INDICES: usize = TicTacToe::MOVE_INDICES;
    fn move_index(position: &Position, mv: Square) -> usize {
        M::move_index(position, mv)
    }
    const MOVE_CLASSES: usize = TicTacToe::MOVE_CLASSES;
    fn move_class(position: &Position, mv: Square) -> usize {
        M::move_class(position, mv)
    }
    const CAPTURE_INDICES: usize = 9;
    fn capture_index(position: &Position, mv: Square) -> usize {
        M::capture_index(position, mv)
    }
    fn exchange_bounds(position: &Position, mv: Square) -> (i32, i32) {
        M::exchange_bounds(position, mv)
    }
    const STRUCTURE_KEYS: usize = 1;
    fn structure_hash(position: &Position, _key: usize) -> u64 {
        M::structure_hash(position)
    }
    fn tactical_value(position: &Position, mv: Square) -> Option<i32> {
        TicTacToe::tactical_value(position, mv)
    }
    fn tactical_moves(position: &Position, each: impl FnMut(Square)) {
        M::tactical_moves(position).into_iter().for_each(each);
    }
    fn in_check(position: &Position) -> bool {
        TicTacToe::in_check(position)
    }
    fn gives_check(position: &Position, mv: Square) -> bool {
        M::would_give_check(position, mv)
    }
    fn null_move(position: &Position) -> Option<Position> {
        M::null_move(position)
    }
    fn is_irreversible(position: &Position, mv: Square) -> bool {
        TicTacToe::is_irreversible(position, mv)
    }
    fn move_traits(_position: &Position, _mv: Square, after: &Position, _previous: Option<Square>) -> MoveTraits {
        MoveTraits { gives_check: M::gives_check(after), ..MoveTraits::default() }
    }
}

impl<M: Mistake> Notation for With<M> {
    const NAME: &'static str = TicTacToe::NAME;
    const TITLE: &'static str = TicTacToe::TITLE;

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        M::parse_position(text)
    }
    fn write_position(position: &Position) -> String {
        M::write_position(position)
    }
    fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
        M::parse_move(position, text)
    }
    fn write_move(position: &Position, mv: Square) -> String {
        M::write_move(position, mv)
    }
    fn write_engine_move(position: &Position, mv: Square) -> String {
        M::write_engine_move(position, mv)
    }
    fn draw(position: &Position) -> String {
        TicTacToe::draw(position)
    }
}

/// Declares a mistake by the methods that it gets wrong.
macro_rules! mistakes {
    ($( $(#[$doc:meta])* $Name:ident { $($method:item)* } )*) => {
        $( $(#[$doc])* pub struct $Name; impl Mistake for $Name { $($method)* } )*
    };
}

const CENTRE: Square = 4;

mistakes! {
    /// No mistake: the wrapper itself is sound.
    Nothing {}
    SecondMovesFirst {
        fn start(start: Position) -> Position {
            TicTacToe::null_move(&start).unwrap_or(start)
        }
    }
    OrderChanges {
        fn moves(position: &Position) -> Vec<Square> {
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            let mut moves = TicTacToe::legal_moves(position);
            let shift = CALLS.fetch_add(1, Ordering::Relaxed) % moves.len().max(1);
            moves.rotate_left(shift);
            moves
        }
    }
    ListsTwice {
        fn moves(position: &Position) -> Vec<Square> {
            let moves = TicTacToe::legal_moves(position);
            moves.iter().chain(moves.iter().filter(|mv| **mv == CENTRE)).copied().collect()
        }
    }
    /// Squares that are taken can be taken again.
    TakesTakenSquares {
        fn moves(position: &Position) -> Vec<Square> {
            if TicTacToe::outcome(position).is_some() { Vec::new() } else { (0..9).collect() }
        }
    }
    ForgetsCentre {
        fn moves(position: &Position) -> Vec<Square> {
            let mut moves = TicTacToe::legal_moves(position);
            moves.retain(|mv| moves_left(position) == 1 || *mv != CENTRE);
            moves
        }
    }
    PlaysOnAfterTheEnd {
        fn moves(position: &Position) -> Vec<Square> {
            let all = 0..9u8;
            all.filter(|square| TicTacToe::play(position, *square).free() != position.free()).collect()
        }
    }
    SeesNoOutcome {
        fn outcome(position: &Position) -> Option<Outcome> {
            TicTacToe::outcome(position).filter(|outcome| *outcome != Outcome::Draw)
        }
    }
    WinnerLoses {
        fn decided(position: &Position) -> Option<Outcome> {
            TicTacToe::decided(position).map(|_| Outcome::Win)
        }
        fn outcome(position: &Position) -> Option<Outcome> {
            Self::decided(position).or_else(|| TicTacToe::outcome(position))
        }
    }
    CountsTooMany {
        fn move_count(position: &Position) -> usize {
            position.free().count_ones() as usize
        }
    }
    NeverStuck {
        fn is_stuck(_position: &Position) -> bool {
            false
        }
    }
    CodesFromZero {
        fn move_code(mv: Square) -> u16 {
            mv.into()
        }
    }
    CodesCollide {
        fn move_code(mv: Square) -> u16 {
            u16::from(mv.max(1))
        }
    }
    CodesUnchecked {
        fn move_from_code(_position: &Position, code: u16) -> Option<Square> {
            (1..=9).contains(&code).then(|| (code - 1) as Square)
        }
    }
    IndexTooLarge {
        fn move_index(_position: &Position, mv: Square) -> usize {
            usize::from(mv) + 1
        }
    }
    ClassTooLarge {
        fn move_class(_position: &Position, mv: Square) -> usize {
            usize::from(mv == CENTRE) * 3
        }
    }
    CaptureIndexTooLarge {
        fn capture_index(_position: &Position, mv: Square) -> usize {
            usize::from(mv) + 1
        }
    }
    ExchangesWinMore {
        fn exchange_bounds(_position: &Position, mv: Square) -> (i32, i32) {
            (if mv == CENTRE { 1 } else { 0 }, 1)
        }
    }
    StructureChangesByItself {
        fn structure_hash(_position: &Position) -> u64 {
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            CALLS.fetch_add(1, Ordering::Relaxed) as u64
        }
    }
    QuietMovesAreTactical {
        fn tactical_moves(position: &Position) -> Vec<Square> {
            TicTacToe::legal_moves(position)
        }
    }
    TacticalMovesAreIllegal {
        fn tactical_moves(_position: &Position) -> Vec<Square> {
            vec![CENTRE]
        }
    }
    TacticalMovesAreReversed {
        fn tactical_moves(position: &Position) -> Vec<Square> {
            let mut moves = Nothing::tactical_moves(position);
            moves.reverse();
            moves
        }
    }
    KeepsTheTurn {
        fn play(position: &Position, mv: Square) -> Position {
            TicTacToe::null_move(&TicTacToe::play(position, mv)).unwrap_or_else(|| TicTacToe::play(position, mv))
        }
    }
    PlaysAtRandom {
        fn play(position: &Position, mv: Square) -> Position {
            static CALLS: AtomicUsize = AtomicUsize::new(0);
            let after = TicTacToe::play(position, mv);
            let is_lucky = CALLS.fetch_add(1, Ordering::Relaxed) % 7 == 6;
            if is_lucky { TicTacToe::null_move(&after).unwrap_or(after) } else { after }
        }
    }
    HashForgetsAMove {
        fn play(position: &Position, mv: Square) -> Position {
            let after = TicTacToe::play(position, mv);
            if mv == CENTRE { after.with_hash(TicTacToe::hash(position)) } else { after }
        }
    }
    /// A wrong incremental hash, hidden by computing nothing from scratch.
    HashDependsOnOrder {
        fn play(position: &Position, mv: Square) -> Position {
            let hash = TicTacToe::hash(position).wrapping_mul(3).wrapping_add(u64::from(mv) + 1);
            TicTacToe::play(position, mv).with_hash(hash)
        }
        fn hash_afresh(position: &Position) -> u64 {
            TicTacToe::hash(position)
        }
    }
    HashForgetsTheSide {
        fn hash(position: &Position) -> u64 {
            let other = position.with_other_side();
            TicTacToe::hash_afresh(position).min(TicTacToe::hash_afresh(&other))
        }
        fn hash_afresh(position: &Position) -> u64 {
            Self::hash(position)
        }
    }
    HashForgetsASquare {
        fn hash(position: &Position) -> u64 {
            TicTacToe::hash_afresh(&position.without(CENTRE))
        }
        fn hash_afresh(position: &Position) -> u64 {
            Self::hash(position)
        }
    }
    HashMixesUpColours {
        fn hash(position: &Position) -> u64 {
            u64::from(position.free()) << 1 | u64::from(TicTacToe::side_to_move(position) == Side::First)
        }
        fn hash_afresh(position: &Position) -> u64 {
            Self::hash(position)
        }
    }
    NullMoveInCheck {
        fn null_move(position: &Position) -> Option<Position> {
            Some(position.with_other_side())
        }
    }
    NullMoveKeepsTheTurn {
        fn null_move(position: &Position) -> Option<Position> {
            TicTacToe::null_move(position).map(|_| position.clone())
        }
    }
    NullMoveKeepsTheHash {
        fn null_move(position: &Position) -> Option<Position> {
            TicTacToe::null_move(position).map(|after| after.with_hash(TicTacToe::hash(position)))
        }
    }
    AlwaysGivesCheck {
        fn gives_check(_after: &Position) -> bool {
            true
        }
    }
    OverlooksChecks {
        fn would_give_check(_position: &Position, _mv: Square) -> bool {
            false
        }
    }
    PositionTextLosesTheSide {
        fn write_position(position: &Position) -> String {
            TicTacToe::write_position(position).replace(" o", " x")
        }
    }
    PositionTextMayGoOn {
        fn parse_position(text: &str) -> Result<Position, NotationError> {
            let words: Vec<&str> = text.split_whitespace().take(2).collect();
            TicTacToe::parse_position(&words.join(" "))
        }
    }
    MoveTextIsAmbiguous {
        fn write_move(position: &Position, mv: Square) -> String {
            TicTacToe::write_move(position, mv % 3)
        }
        fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
            let column = TicTacToe::parse_move(&TicTacToe::start(), text)? % 3;
            let found = TicTacToe::legal_moves(position).into_iter().find(|mv| mv % 3 == column);
            found.ok_or_else(|| NotationError::new("the column is full"))
        }
    }
    MoveTextHasSpaces {
        fn write_move(position: &Position, mv: Square) -> String {
            TicTacToe::write_move(position, mv) + " "
        }
        fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
            TicTacToe::parse_move(position, text.trim())
        }
    }
    MoveTextLooksLikeANumber {
        fn write_move(position: &Position, mv: Square) -> String {
            "1.".to_string() + &TicTacToe::write_move(position, mv)
        }
        fn parse_move(position: &Position, text: &str) -> Result<Square, NotationError> {
            TicTacToe::parse_move(position, text.trim_start_matches("1."))
        }
    }
    ReadsIllegalMoves {
        fn parse_move(_position: &Position, text: &str) -> Result<Square, NotationError> {
            TicTacToe::parse_move(&TicTacToe::start(), text)
        }
    }
    EngineMoveTextIsNotRead {
        fn write_engine_move(position: &Position, mv: Square) -> String {
            TicTacToe::write_move(position, mv).to_uppercase()
        }
    }
}

fn moves_left(position: &Position) -> u32 {
    position.free().count_ones()
}

/// An evaluation that leaves its range.
#[derive(Clone)]
pub struct TooLarge;

impl Evaluate<TicTacToe> for TooLarge {
    fn evaluate(&mut self, position: &Position) -> Score {
        if moves_left(position) < 3 { Score::MIN } else { 0 }
    }
}

/// An evaluation that changes from call to call.
#[derive(Clone)]
pub struct Counting(pub Score);

impl Evaluate<TicTacToe> for Counting {
    fn evaluate(&mut self, _position: &Position) -> Score {
        self.0 += 1;
        self.0
    }
}

/// An evaluation whose cache forgets to compare the position.
#[derive(Clone)]
pub struct Stale(pub Option<Score>);

impl Evaluate<TicTacToe> for Stale {
    fn evaluate(&mut self, position: &Position) -> Score {
        *self.0.get_or_insert(moves_left(position) as Score)
    }
}

/// An evaluation from the first player's view, no matter who is to move.
#[derive(Clone)]
pub struct FirstPlayersView;

impl Evaluate<TicTacToe> for FirstPlayersView {
    fn evaluate(&mut self, position: &Position) -> Score {
        let value = OpenLines.evaluate(position);
        if TicTacToe::side_to_move(position) == Side::First { value } else { -value }
    }
}
