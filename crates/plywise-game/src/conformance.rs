//! The kit that checks an implementation of [`Game`] and [`Notation`].
//!
//! [`check`] plays random games and puts every position through a list of checks, each of which looks for one kind of
//! mistake. What it cannot know, whether the rules are the right ones, [`check_perft`] compares with published counts
//! and [`check_play_through`] with a game that a person has checked. Run all three, and [`check_evaluation`], in the
//! tests of every game; [`check_features`] where networks can look at it:
//!
//! ```
//! # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
//! # use tic_tac_toe::{OpenLines, TicTacToe};
//! # fn main() -> Result<(), plywise_game::conformance::Violation> {
//! use plywise_game::conformance;
//!
//! conformance::check::<TicTacToe>(100, 1)?;
//! conformance::check_perft::<TicTacToe>(&[(".../.../... x", &[9, 72, 504, 3024, 15120, 54720])])?;
//! conformance::check_evaluation::<TicTacToe, _>(&OpenLines, 100, 1)?;
//! # Ok(())
//! # }
//! ```
//!
//! Random games seldom castle, pass or promote: [`check_from`] starts them where such moves are near.

mod evaluation;
mod features;
mod play_through;
mod rules;
mod texts;

pub use evaluation::{check_evaluation, check_evaluation_from};
pub use features::check_features;
pub use play_through::{check_play_through, play_through};
pub use texts::{check_misprints, check_text};

use crate::random::Random;
use crate::{Game, GameInfo, Notation, NotationError, Side, perft};
use std::collections::HashMap;
use std::fmt;
use texts::Look;

/// Checks rules, hooks and notation on `games` random games from the start. The same seed gives the same games.
pub fn check<G: Notation>(games: u32, seed: u64) -> Result<(), Violation> {
    check_with(&GameInfo::<G>::of_type(), games, seed)
}

/// [`check`] for a game whose start and whose reader of positions its type does not know.
pub fn check_with<G: Notation>(info: &GameInfo<G>, games: u32, seed: u64) -> Result<(), Violation> {
    let start = info.start();
    first(examine(&start, std::slice::from_ref(&start), &all_checks::<G>(), &Words::written(info), games, seed, 1))
}

/// [`check`] on `games` random games from each of these positions.
pub fn check_from<G: Notation>(positions: &[&str], games: u32, seed: u64) -> Result<(), Violation> {
    let starts = positions.iter().map(|text| parse::<G>(text)).collect::<Result<Vec<_>, _>>()?;
    let words = Words::written(&GameInfo::of_type());
    first(examine(&G::start(), &starts, &all_checks::<G>(), &words, games, seed, 1))
}

/// The part of [`check`] that needs no [`Notation`]: rules and hooks. Violations show positions in their `Debug` form.
pub fn check_rules<G: Game>(games: u32, seed: u64) -> Result<(), Violation> {
    let start = G::start();
    first(examine::<G>(&start, std::slice::from_ref(&start), &rule_checks::<G>(), &Words::debug(), games, seed, 1))
}

/// What [`check`] finds if it does not stop at the first violation: at most one for each kind of check.
pub fn violations<G: Notation>(games: u32, seed: u64) -> Vec<Violation> {
    let (start, words) = (G::start(), Words::written(&GameInfo::of_type()));
    examine(&start, std::slice::from_ref(&start), &all_checks::<G>(), &words, games, seed, usize::MAX)
}

/// Compares perft counts with a table of positions, each with its counts at depth 1, 2 and so on.
pub fn check_perft<G: Notation>(table: &[(&str, &[u64])]) -> Result<(), Violation> {
    for (text, counts) in table {
        let position = parse::<G>(text)?;
        for (depth, &expected) in (1..).zip(*counts) {
            let counted = perft::<G>(&position, depth);
            if counted != expected {
                let problem = format!("{counted} move paths of {depth} plies instead of {expected}");
                return Err(Violation { check: Check::Perft, position: text.to_string(), problem });
            }
        }
    }
    Ok(())
}

/// The position that a text describes, in a test that knows it to be one.
///
/// # Panics
///
/// With the sentence that says why the text cannot be read.
#[track_caller]
pub fn position<G: Notation>(text: &str) -> G::Position {
    G::parse_position(text).unwrap_or_else(|error| panic!("'{text}': {error}"))
}

/// The position after these moves, in a test that knows them to be legal.
///
/// # Panics
///
/// With the sentence that says why a move cannot be played.
#[track_caller]
pub fn after<G: Notation>(position: &G::Position, moves: &str) -> G::Position {
    let mut position = position.clone();
    for word in moves.split_whitespace() {
        match G::parse_move(&position, word) {
            Ok(mv) => position = G::play(&position, mv),
            Err(error) => panic!("'{word}' in '{}': {error}", G::write_position(&position)),
        }
    }
    position
}

/// What a game does that it must not.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{check}: {problem}, in {position}")]
pub struct Violation {
    /// The check that found it.
    pub check: Check,
    /// The position in which it was found.
    pub position: String,
    /// What is wrong there.
    pub problem: String,
}

/// The same sentence: it is what a failed test shows.
impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Declares the checks, so that each has its name and its meaning in one place.
macro_rules! checks {
    ($( $(#[doc = $doc:literal])* $Check:ident = $name:literal; )*) => {
        /// What the kit looks for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Check {
            $( $(#[doc = $doc])* $Check, )*
        }

        impl fmt::Display for Check {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(match self { $( Check::$Check => $name, )* })
            }
        }
    };
}

checks! {
    /// The first side moves from the start, and the game is not over there.
    Start = "start";
    /// The moves come in the same order on every call.
    MoveOrder = "move order";
    /// No move is listed twice.
    DuplicateMoves = "duplicate moves";
    /// `move_count` is the number of moves listed, and `is_stuck` says where there is none.
    MoveCount = "move count";
    /// Codes are not 0 and differ within a position.
    MoveCode = "move code";
    /// A code gives its move back where that is legal, and nothing elsewhere.
    MoveFromCode = "move from code";
    /// `move_index` is below `MOVE_INDICES`.
    MoveIndex = "move index";
    /// `capture_index` of tactical moves is below `CAPTURE_INDICES`, where that is not 0.
    CaptureIndex = "capture index";
    /// `exchange_value` lies within `exchange_bounds`.
    ExchangeBounds = "exchange bounds";
    /// `structure_hash` depends on the position alone.
    StructureHash = "structure hash";
    /// `move_class` is below `MOVE_CLASSES`.
    MoveClass = "move class";
    /// Tactical moves are moves, in their order, and have a tactical value.
    TacticalMoves = "tactical moves";
    /// The outcome is known exactly where no move is left.
    Outcome = "outcome";
    /// A move gives the same position on every call.
    Play = "play";
    /// Every ply hands the turn to the other side.
    SideToMove = "side to move";
    /// The hash after a move is the hash computed from scratch, and differs from the one before.
    Hash = "hash";
    /// The hash tells whose turn it is.
    TurnInHash = "turn in the hash";
    /// A null move hands over the turn, keeps the hash true, and is never made in check.
    NullMove = "null move";
    /// What was before an irreversible move does not come back.
    Irreversible = "irreversible move";
    /// A move that gives check leaves the opponent in check.
    GivesCheck = "gives check";
    /// A position's text gives the same position back, and nothing may follow it.
    PositionText = "position text";
    /// A move's text is one word, gives the same move back, and is refused where the move is illegal.
    MoveText = "move text";
    /// The same for the text that engine protocols use.
    EngineMoveText = "engine move text";
    /// Equal positions have equal hashes.
    EqualPositions = "equal positions";
    /// Different positions have different hashes.
    DifferentPositions = "different positions";
    /// Perft counts are those of the table.
    Perft = "perft";
    /// Evaluations stay within their limit and depend on the position alone.
    Evaluation = "evaluation";
    /// Evaluations are made from the view of the side to move.
    Viewpoint = "viewpoint of the evaluation";
    /// Features are below `FEATURES`, none comes twice, and both ways to ask for them agree.
    Features = "features";
    /// Every symmetry maps the features onto each other, and the first is the identity.
    Twins = "twins of features";
    /// Views and stages are below their limits, and every way to sort views into buckets fits.
    Buckets = "buckets of views";
    /// The play-through is the golden one.
    PlayThrough = "play-through";
}

/// Random games are cut off here; some games would go on for ever.
const MAX_PLIES: usize = 200;

/// One check: what it looks for, and the function that finds it in a position.
type Checked<G> = (Check, fn(&mut Scene<G>) -> Result<(), String>);

/// The checks of rules and hooks. Those that others take for granted come first.
fn rule_checks<G: Game>() -> Vec<Checked<G>> {
    vec![
        (Check::MoveOrder, rules::move_order),
        (Check::DuplicateMoves, rules::duplicate_moves),
        (Check::Outcome, rules::outcome),
        (Check::MoveCount, rules::move_count),
        (Check::MoveCode, rules::move_code),
        (Check::MoveFromCode, rules::move_from_code),
        (Check::MoveIndex, rules::move_index),
        (Check::CaptureIndex, rules::capture_index),
        (Check::ExchangeBounds, rules::exchange_bounds),
        (Check::StructureHash, rules::structure_hash),
        (Check::MoveClass, rules::move_class),
        (Check::TacticalMoves, rules::tactical),
        (Check::Play, rules::play),
        (Check::SideToMove, rules::side_to_move),
        (Check::Hash, rules::hash),
        (Check::TurnInHash, rules::turn_in_hash),
        (Check::NullMove, rules::null_move),
        (Check::GivesCheck, rules::gives_check),
        (Check::Irreversible, rules::irreversible),
    ]
}

fn all_checks<G: Notation>() -> Vec<Checked<G>> {
    let mut checks = rule_checks::<G>();
    checks.extend([
        (Check::PositionText, texts::position_text as fn(&mut Scene<G>) -> Result<(), String>),
        (Check::MoveText, texts::move_text),
        (Check::EngineMoveText, texts::engine_move_text),
        (Check::EqualPositions, texts::equal_positions),
        (Check::DifferentPositions, texts::different_positions),
    ]);
    checks
}

/// How violations show positions and legal moves, and how texts are read.
struct Words<G: Game> {
    position: fn(&G::Position) -> String,
    mv: fn(&G::Position, G::Move) -> String,
    /// What reads positions; checks of rules read none.
    info: Option<GameInfo<G>>,
}

impl<G: Game> Words<G> {
    /// In their `Debug` form.
    fn debug() -> Words<G> {
        Words { position: |position| format!("{position:?}"), mv: |_, mv| format!("{mv:?}"), info: None }
    }
}

impl<G: Notation> Words<G> {
    /// As people write them.
    fn written(info: &GameInfo<G>) -> Words<G> {
        Words { position: G::write_position, mv: G::write_move, info: Some(info.clone()) }
    }
}

/// Random games through which every position is put to the checks.
struct Examination<'a, G: Game> {
    checks: &'a [Checked<G>],
    words: &'a Words<G>,
    /// Where games usually begin.
    usual: &'a G::Position,
    memory: Memory,
    found: Vec<Violation>,
    /// The number of violations that is enough.
    limit: usize,
}

fn examine<G: Game>(
    usual: &G::Position,
    starts: &[G::Position],
    checks: &[Checked<G>],
    words: &Words<G>,
    games: u32,
    seed: u64,
    limit: usize,
) -> Vec<Violation> {
    let mut examination = Examination { checks, words, usual, memory: Memory::new(seed), found: Vec::new(), limit };
    if let Err(problem) = rules::start::<G>(usual) {
        let position = (words.position)(usual);
        examination.found.push(Violation { check: Check::Start, position, problem });
    }
    for _ in 0..games {
        for start in starts {
            examination.play_game(start.clone());
        }
    }
    examination.found
}

impl<G: Game> Examination<'_, G> {
    fn play_game(&mut self, start: G::Position) {
        let mut next = Some(start);
        for _ in 0..MAX_PLIES {
            let Some(position) = next else { return };
            self.look_at(&position);
            if self.is_done() {
                return;
            }
            next = step::<G>(&position, &mut self.memory.random);
        }
    }

    /// Makes the checks that have found nothing so far: a second violation of one kind says little.
    fn look_at(&mut self, position: &G::Position) {
        let moves = G::legal_moves(position);
        let after = moves.iter().map(|&mv| G::play(position, mv)).collect();
        let mut scene =
            Scene { position, moves, usual: self.usual, words: self.words, after, memory: &mut self.memory };
        for &(check, finds) in self.checks {
            let is_due = self.found.len() < self.limit && self.found.iter().all(|violation| violation.check != check);
            if is_due && let Err(problem) = finds(&mut scene) {
                self.found.push(Violation { check, position: (self.words.position)(position), problem });
            }
        }
    }

    fn is_done(&self) -> bool {
        self.found.len() >= self.limit
    }
}

/// A position under examination, with what several checks need.
struct Scene<'a, G: Game> {
    position: &'a G::Position,
    moves: Vec<G::Move>,
    /// Where games usually begin.
    usual: &'a G::Position,
    words: &'a Words<G>,
    /// The position after each of the moves.
    after: Vec<G::Position>,
    memory: &'a mut Memory,
}

impl<G: Game> Scene<'_, G> {
    /// A legal move, as people know it.
    fn show(&self, mv: G::Move) -> String {
        (self.words.mv)(self.position, mv)
    }

    /// Reads the text of a position.
    fn parse_position(&self, text: &str) -> Result<G::Position, NotationError> {
        match &self.words.info {
            Some(info) => info.parse_position(text),
            None => Err(NotationError::new("positions of this game have no texts")),
        }
    }
}

/// What the examination remembers from one position to the next.
struct Memory {
    random: Random,
    /// Codes and texts of moves from earlier positions, most of which are illegal in the current one.
    codes: Sample<u16>,
    move_texts: Sample<String>,
    engine_move_texts: Sample<String>,
    /// The hash of every position met, by its text, and what it looked like and its text, by its hash.
    hashes: HashMap<String, u64>,
    looks: HashMap<u64, (Look, String)>,
    /// Whose turn it was in every position met, by its hash.
    turns: HashMap<u64, Side>,
}

impl Memory {
    /// Beyond this many positions the maps are emptied.
    const CAPACITY: usize = 1 << 19;

    fn new(seed: u64) -> Memory {
        Memory {
            random: Random::new(seed),
            codes: Sample::default(),
            move_texts: Sample::default(),
            engine_move_texts: Sample::default(),
            hashes: HashMap::new(),
            looks: HashMap::new(),
            turns: HashMap::new(),
        }
    }
}

// What the checks share.

fn ensure(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

fn first(found: Vec<Violation>) -> Result<(), Violation> {
    found.into_iter().next().map_or(Ok(()), Err)
}

fn parse<G: Notation>(text: &str) -> Result<G::Position, Violation> {
    G::parse_position(text).map_err(|error| Violation {
        check: Check::PositionText,
        position: text.to_string(),
        problem: format!("it cannot be read: {error}"),
    })
}

/// The position after a random move, if there is one.
fn step<G: Game>(position: &G::Position, random: &mut Random) -> Option<G::Position> {
    random.legal_move::<G>(position).map(|mv| G::play(position, mv))
}

/// Things from earlier positions, a few of many.
struct Sample<T>(Vec<T>);

impl<T> Default for Sample<T> {
    fn default() -> Sample<T> {
        Sample(Vec::new())
    }
}

impl<T: Clone> Sample<T> {
    const CAPACITY: usize = 256;
    const DRAWN: usize = 16;

    /// Takes new things in, and gives a few of the old ones, some perhaps twice; none where there are none.
    fn exchange(&mut self, new: Vec<T>, random: &mut Random) -> Vec<T> {
        let old = (0..Self::DRAWN).filter_map(|_| random.pick(&self.0).cloned()).collect();
        for item in new {
            if self.0.len() < Self::CAPACITY {
                self.0.push(item);
            } else {
                self.0[random.below(Self::CAPACITY)] = item;
            }
        }
        old
    }
}
