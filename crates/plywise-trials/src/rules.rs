//! The rules of each game against naive ones, which know nothing but the text of a position.
//!
//! The naive rules are mailboxes and loops, written from the rules of the game and never from the bitboards they check.
//! The conformance kit then looks at every hook that naive rules cannot know.

mod abalone;
mod chess;
mod loa;
mod othello;

use crate::parsers::games::{random_game, sample_positions};
use crate::trial::{Failure, Trial};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_cli::Playable;
use plywise_game::random::Random;
use plywise_game::{Outcome, conformance};
use plywise_loa::Loa;
use plywise_othello::Othello;

/// Rules that read a position's text and write moves as engines do.
pub(crate) trait Naive: Sized {
    /// The position with this text; `None` where these rules do not know some of it.
    fn read(text: &str) -> Option<Self>;

    /// What [`Naive::read`] would be asked for: the text without what only counts.
    fn write(&self) -> String;

    /// The legal moves; none where the game is over.
    fn moves(&self) -> Vec<String>;

    /// The position after one of them.
    fn play(&self, mv: &str) -> Self;

    /// The outcome of a position without moves.
    fn outcome(&self) -> Outcome;

    /// Whether quiescence should try a move.
    fn is_tactical(&self, mv: &str) -> bool;

    /// Whether the side to move must answer a threat.
    fn in_check(&self) -> bool {
        false
    }

    /// A board at random, denser and stranger than games get, in the game's notation.
    fn scatter(random: &mut Random) -> String;
}

/// A game with naive rules.
pub(crate) trait Ruled: Playable {
    /// Them.
    type Naive: Naive;
}

impl Ruled for Chess {
    type Naive = chess::Rules;
}
impl Ruled for Loa {
    type Naive = loa::Rules;
}
impl Ruled for Othello {
    type Naive = othello::Rules;
}
impl Ruled for Abalone {
    type Naive = abalone::Rules;
}

pub(crate) fn trials() -> Vec<Trial> {
    vec![trial::<Chess>(), trial::<Loa>(), trial::<Othello>(), trial::<Abalone>()]
}

fn trial<G: Ruled>() -> Trial {
    let samples = sample_positions::<G>();
    let case = move |_, random: &mut Random| {
        let start = match random.below(4) {
            0 => G::start(),
            1 => random.pick(&samples).cloned().unwrap_or_else(G::start),
            _ => scattered::<G>(random),
        };
        let text = G::write_position(&start);
        for (position, _) in random_game::<G>(start, 40, random) {
            compare::<G>(&position).map_err(|problem| Failure::new(problem, G::write_position(&position)))?;
        }
        // The kit looks closely, which takes a while.
        match random.one_in(10) {
            true => conformance::check_from::<G>(&[&text], 1, random.bits()).map_err(|found| Failure::new(found, text)),
            false => Ok(()),
        }
    };
    Trial { group: "rules", name: G::NAME.into(), short: 20, long: 100_000, case: Box::new(case) }
}

/// A scattered board that the game accepts.
fn scattered<G: Ruled>(random: &mut Random) -> G::Position {
    const TRIES: usize = 200;
    (0..TRIES).find_map(|_| G::parse_position(&G::Naive::scatter(random)).ok()).unwrap_or_else(G::start)
}

/// Compares everything that the naive rules know about a position.
pub(crate) fn compare<G: Ruled>(position: &G::Position) -> Result<(), String> {
    let Some(naive) = G::Naive::read(&G::write_position(position)) else { return Ok(()) };
    let moves = G::legal_moves(position);
    let written = |mv: &G::Move| G::write_engine_move(position, *mv);
    same("moves", moves.iter().map(written).collect(), naive.moves())?;
    let mut tactical = Vec::new();
    G::tactical_moves(position, |mv| tactical.push(written(&mv)));
    same("tactical moves", tactical, naive.moves().into_iter().filter(|mv| naive.is_tactical(mv)).collect())?;
    if naive.in_check() != G::in_check(position) {
        return Err(format!("in check: {} should be {}", G::in_check(position), naive.in_check()));
    }
    if moves.is_empty() && G::outcome(position) != Some(naive.outcome()) {
        return Err(format!("the outcome is {:?} instead of {:?}", G::outcome(position), naive.outcome()));
    }
    for mv in moves {
        let after = naive.play(&written(&mv));
        let played = G::play(position, mv);
        let ours = G::Naive::read(&G::write_position(&played)).map(|naive| naive.write());
        if ours != Some(after.write()) {
            return Err(format!("{} leads to {ours:?} instead of {:?}", written(&mv), after.write()));
        }
        if G::gives_check(position, mv) != after.in_check() {
            return Err(format!("{} gives check: this should be {}", written(&mv), after.in_check()));
        }
    }
    Ok(())
}

fn same(what: &str, mut ours: Vec<String>, mut naive: Vec<String>) -> Result<(), String> {
    ours.sort();
    naive.sort();
    if ours == naive { Ok(()) } else { Err(format!("the {what} are {ours:?} instead of {naive:?}")) }
}

/// The eight directions on a square board.
const DIRECTIONS: [(i32, i32); 8] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The place of a square on a board of 64, if it is on the board.
fn at(file: i32, rank: i32) -> Option<usize> {
    let is_on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    is_on_board.then_some((rank * 8 + file) as usize)
}

fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn square(name: &str) -> usize {
    match name.as_bytes() {
        [file, rank, ..] => usize::from(rank - b'1') * 8 + usize::from(file - b'a'),
        _ => 0,
    }
}

/// Rows between slashes, from the top, as a board that begins at the bottom; digits are empty places.
fn read_rows(text: &str) -> Vec<Vec<char>> {
    let expand = |letter: char| match letter.to_digit(10) {
        Some(empty) => vec!['.'; empty as usize],
        None => vec![letter],
    };
    text.split('/').rev().map(|row| row.chars().flat_map(expand).collect()).collect()
}

/// Rows of a board that begins at the bottom, from the top, each empty place as a 1.
fn write_rows(rows: &[Vec<char>]) -> String {
    let row = |row: &Vec<char>| row.iter().map(|&piece| if piece == '.' { '1' } else { piece }).collect::<String>();
    rows.iter().rev().map(row).collect::<Vec<_>>().join("/")
}
