//! The kit that checks an implementation of [`Game`] and [`Notation`].
//!
//! [`check`] plays random games and puts every position through a list of checks, each of which looks for one kind of
//! mistake. What it cannot know, whether the rules are the right ones, [`check_perft`] compares with published counts
//! and [`check_play_through`] with a game that somebody has looked at. Run all three, and [`check_evaluation`], in the
//! tests of every game:
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

use crate::score::EVAL_LIMIT;
use crate::{Evaluate, Game, Notation, Side, perft};
use std::collections::HashMap;
use std::fmt;

/// Checks rules, hooks and notation on `games` random games from the start. The same seed gives the same games.
pub fn check<G: Notation>(games: u32, seed: u64) -> Result<(), Violation> {
    first(examine(&[G::start()], &all_checks::<G>(), G::write_position, games, seed, 1))
}

/// [`check`] on `games` random games from each of these positions.
pub fn check_from<G: Notation>(positions: &[&str], games: u32, seed: u64) -> Result<(), Violation> {
    let starts = positions.iter().map(|text| parse::<G>(text)).collect::<Result<Vec<_>, _>>()?;
    first(examine(&starts, &all_checks::<G>(), G::write_position, games, seed, 1))
}

/// The part of [`check`] that needs no [`Notation`]: rules and hooks. Violations show positions in their `Debug` form.
pub fn check_rules<G: Game>(games: u32, seed: u64) -> Result<(), Violation> {
    first(examine::<G>(&[G::start()], &rule_checks::<G>(), |position| format!("{position:?}"), games, seed, 1))
}

/// What [`check`] finds if it does not stop at the first violation: at most one for each kind of check.
pub fn violations<G: Notation>(games: u32, seed: u64) -> Vec<Violation> {
    examine(&[G::start()], &all_checks::<G>(), G::write_position, games, seed, usize::MAX)
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

/// Reads a text that may be anything, as a position and as a move in each of these positions. Nothing panics; what is
/// read is written back the same way, and is legal. Made for texts drawn at random.
pub fn check_text<G: Notation>(text: &str, positions: &[G::Position]) -> Result<(), Violation> {
    if let Ok(position) = G::parse_position(text) {
        let violation = |check, problem| Violation { check, position: text.to_string(), problem };
        let back = G::parse_position(&G::write_position(&position));
        if back.as_ref() != Ok(&position) {
            return Err(violation(Check::PositionText, format!("written and read back, it is {back:?}")));
        }
        let moves = G::legal_moves(&position);
        if moves.len() != G::move_count(&position) {
            return Err(violation(Check::MoveCount, format!("{} moves are {}", moves.len(), G::move_count(&position))));
        }
        for mv in moves {
            for (check, text) in [
                (Check::MoveText, G::write_move(&position, mv)),
                (Check::EngineMoveText, G::write_engine_move(&position, mv)),
            ] {
                let back = G::parse_move(&position, &text);
                if back != Ok(mv) {
                    return Err(violation(check, format!("{mv:?} is written '{text}', which is read as {back:?}")));
                }
            }
            G::play(&position, mv);
        }
        G::draw(&position);
        G::draw_svg(&position);
    }
    for position in positions {
        if let Ok(mv) = G::parse_move(position, text)
            && !G::legal_moves(position).contains(&mv)
        {
            let problem = format!("'{text}' is read as {mv:?}, which is illegal");
            return Err(Violation { check: Check::MoveText, position: G::write_position(position), problem });
        }
    }
    Ok(())
}

/// Checks on `games` random games that an evaluation stays within its limit and depends on the position alone: neither
/// on the call nor on what was evaluated before.
pub fn check_evaluation<G: Game, E: Evaluate<G>>(evaluation: &E, games: u32, seed: u64) -> Result<(), Violation> {
    let mut used = evaluation.clone();
    let mut random = Random(seed);
    for _ in 0..games {
        let mut line = vec![G::start()];
        while let Some(next) =
            line.last().filter(|_| line.len() < MAX_PLIES).and_then(|last| step::<G>(last, &mut random))
        {
            line.push(next);
        }
        // Backwards, so that a cache meets a different order of positions.
        for position in line.iter().rev() {
            check_value::<G, E>(&mut used, &mut evaluation.clone(), position).map_err(|problem| Violation {
                check: Check::Evaluation,
                position: format!("{position:?}"),
                problem,
            })?;
        }
    }
    Ok(())
}

fn check_value<G: Game, E: Evaluate<G>>(used: &mut E, fresh: &mut E, position: &G::Position) -> Result<(), String> {
    let value = used.evaluate(position);
    let again = used.evaluate(position);
    let afresh = fresh.evaluate(position);
    ensure(value.unsigned_abs() <= EVAL_LIMIT.unsigned_abs(), || format!("{value} lies beyond ±{EVAL_LIMIT}"))?;
    ensure(value == again, || format!("the first call gives {value}, the second {again}"))?;
    ensure(value == afresh, || format!("an evaluation that has been used gives {value}, a fresh one {afresh}"))
}

/// A game of at most `plies` random moves as text: for every ply the position, its moves, the tactical ones, and what
/// is played, then the outcome. The same seed gives the same text, on every machine.
///
/// Keep one in a file beside the tests, look at it once with care, and compare it with [`check_play_through`]: a change
/// of rules, order or notation that nobody meant then shows as a difference in lines that people can read.
///
/// ```
/// # mod tic_tac_toe { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/tic_tac_toe.rs")); }
/// # use tic_tac_toe::TicTacToe;
/// use plywise_game::conformance::play_through;
/// let text = play_through::<TicTacToe>(1, 100);
/// assert!(text.starts_with("game: Tic-tac-toe\n\nply 0: .../.../... x\nmoves: a1 b1 c1 a2 b2 c2 a3 b3 c3\n"));
/// ```
pub fn play_through<G: Notation>(seed: u64, plies: usize) -> String {
    let mut text = format!("game: {}\n", G::TITLE);
    let mut random = Random(seed);
    let mut position = G::start();
    for ply in 0.. {
        let moves = G::legal_moves(&position);
        text += &format!("\nply {ply}: {}\n", G::write_position(&position));
        text += &format!("moves:{}\n", list_moves::<G>(&position, &moves));
        text += &format!("tactical:{}\n", list_moves::<G>(&position, &tactical_moves::<G>(&position)));
        if let Some(outcome) = G::outcome(&position) {
            text += &format!("outcome: {outcome:?}\n");
        }
        let Some(&mv) = random.pick(&moves).filter(|_| ply < plies) else { break };
        text += &format!("plays: {}\n", G::write_move(&position, mv));
        position = G::play(&position, mv);
    }
    text
}

fn list_moves<G: Notation>(position: &G::Position, moves: &[G::Move]) -> String {
    moves.iter().map(|&mv| format!(" {}", G::write_move(position, mv))).collect()
}

/// Compares a [`play_through`] with the text of the file where it is kept, and names the first line that differs.
pub fn check_play_through<G: Notation>(golden: &str, seed: u64, plies: usize) -> Result<(), Violation> {
    let text = play_through::<G>(seed, plies);
    let (mut ours, mut theirs) = (text.lines(), golden.lines());
    for number in 1.. {
        let (our, their) = (ours.next(), theirs.next());
        if our != their {
            let show = |line: Option<&str>| line.map_or("at its end".to_string(), |line| format!("'{line}'"));
            let problem = format!("line {number} is {} where the golden one is {}", show(our), show(their));
            return Err(Violation { check: Check::PlayThrough, position: G::write_position(&G::start()), problem });
        }
        if our.is_none() {
            break;
        }
    }
    Ok(())
}

/// What a game does that it must not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{check}: {problem}, in {position}")]
pub struct Violation {
    /// The check that found it.
    pub check: Check,
    /// The position in which it was found.
    pub position: String,
    /// What is wrong there.
    pub problem: String,
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
    /// `move_count` is the number of moves listed.
    MoveCount = "move count";
    /// Codes are not 0 and differ within a position.
    MoveCode = "move code";
    /// A code gives its move back where that is legal, and nothing elsewhere.
    MoveFromCode = "move from code";
    /// `move_index` is below `MOVE_INDICES`.
    MoveIndex = "move index";
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
    /// The hash after a move is the hash computed afresh, and another than before it.
    Hash = "hash";
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
        (Check::MoveOrder, move_order),
        (Check::DuplicateMoves, duplicate_moves),
        (Check::Outcome, outcome),
        (Check::MoveCount, move_count),
        (Check::MoveCode, move_code),
        (Check::MoveFromCode, move_from_code),
        (Check::MoveIndex, move_index),
        (Check::MoveClass, move_class),
        (Check::TacticalMoves, tactical),
        (Check::Play, play),
        (Check::SideToMove, side_to_move),
        (Check::Hash, hash),
        (Check::NullMove, null_move),
        (Check::GivesCheck, gives_check),
        (Check::Irreversible, irreversible),
    ]
}

fn all_checks<G: Notation>() -> Vec<Checked<G>> {
    let mut checks = rule_checks::<G>();
    checks.extend([
        (Check::PositionText, position_text as fn(&mut Scene<G>) -> Result<(), String>),
        (Check::MoveText, move_text),
        (Check::EngineMoveText, engine_move_text),
        (Check::EqualPositions, equal_positions),
        (Check::DifferentPositions, different_positions),
    ]);
    checks
}

/// Random games through which every position is put to the checks.
struct Examination<'a, G: Game> {
    checks: &'a [Checked<G>],
    describe: fn(&G::Position) -> String,
    memory: Memory,
    found: Vec<Violation>,
    /// The number of violations that is enough.
    limit: usize,
}

fn examine<G: Game>(
    starts: &[G::Position],
    checks: &[Checked<G>],
    describe: fn(&G::Position) -> String,
    games: u32,
    seed: u64,
    limit: usize,
) -> Vec<Violation> {
    let mut examination = Examination { checks, describe, memory: Memory::new(seed), found: Vec::new(), limit };
    if let Err(problem) = start::<G>() {
        examination.found.push(Violation { check: Check::Start, position: describe(&G::start()), problem });
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
        let mut scene = Scene { position, moves, after, memory: &mut self.memory };
        for &(check, finds) in self.checks {
            let is_due = self.found.len() < self.limit && self.found.iter().all(|violation| violation.check != check);
            if is_due && let Err(problem) = finds(&mut scene) {
                self.found.push(Violation { check, position: (self.describe)(position), problem });
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
    /// The position after each of the moves.
    after: Vec<G::Position>,
    memory: &'a mut Memory,
}

/// What the examination remembers from one position to the next.
struct Memory {
    random: Random,
    /// Codes and texts of moves from earlier positions, most of which are illegal in the current one.
    codes: Sample<u16>,
    move_texts: Sample<String>,
    engine_move_texts: Sample<String>,
    /// The hash of every position met, by its text, and what it looked like, by its hash.
    hashes: HashMap<String, u64>,
    looks: HashMap<u64, Look>,
}

impl Memory {
    /// Beyond this many positions the maps are emptied.
    const CAPACITY: usize = 1 << 19;

    fn new(seed: u64) -> Memory {
        Memory {
            random: Random(seed),
            codes: Sample::default(),
            move_texts: Sample::default(),
            engine_move_texts: Sample::default(),
            hashes: HashMap::new(),
            looks: HashMap::new(),
        }
    }
}

// The checks of rules and hooks.

fn start<G: Game>() -> Result<(), String> {
    let start = G::start();
    ensure(G::side_to_move(&start) == Side::First, || "the second side moves first".to_string())?;
    ensure(G::outcome(&start).is_none(), || "the game is over before it begins".to_string())
}

fn move_order<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let again = G::legal_moves(scene.position);
    ensure(scene.moves == again, || format!("one call lists {:?}, the next {again:?}", scene.moves))
}

fn duplicate_moves<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (i, mv) in scene.moves.iter().enumerate() {
        ensure(!scene.moves[..i].contains(mv), || format!("{mv:?} is listed twice"))?;
    }
    Ok(())
}

fn outcome<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let position = scene.position;
    let decided = G::decided(position);
    if let (Some(decided), Some(mv)) = (decided, scene.moves.first()) {
        return Err(format!("the game is decided, {decided:?}, but {mv:?} can be played"));
    }
    let expected = decided.or_else(|| scene.moves.is_empty().then(|| G::stuck(position)));
    let outcome = G::outcome(position);
    ensure(outcome == expected, || {
        format!("the outcome is {outcome:?} instead of {expected:?} with {} moves listed", scene.moves.len())
    })
}

fn move_count<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let (count, listed) = (G::move_count(scene.position), scene.moves.len());
    ensure(count == listed, || format!("{count} moves are counted, {listed} listed"))
}

fn move_code<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let mut owners = HashMap::new();
    for &mv in &scene.moves {
        let code = G::move_code(mv);
        ensure(code != 0, || format!("{mv:?} has the code 0"))?;
        if let Some(other) = owners.insert(code, mv) {
            return Err(format!("{other:?} and {mv:?} share the code {code}"));
        }
    }
    Ok(())
}

fn move_from_code<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let position = scene.position;
    let codes: Vec<u16> = scene.moves.iter().map(|&mv| G::move_code(mv)).collect();
    for (&mv, &code) in scene.moves.iter().zip(&codes) {
        let found = G::move_from_code(position, code);
        ensure(found == Some(mv), || format!("the code {code} of {mv:?} gives {found:?}"))?;
    }
    for code in foreign_codes(&codes, scene.memory) {
        let found = G::move_from_code(position, code);
        ensure(found.is_none() || codes.contains(&code), || {
            format!("the code {code} belongs to no legal move, but gives {found:?}")
        })?;
    }
    Ok(())
}

/// Codes that a damaged or mixed-up table could hold: from other positions, one bit off, and now and then all.
fn foreign_codes(codes: &[u16], memory: &mut Memory) -> Vec<u16> {
    const ALL_CODES_ONE_IN: usize = 64;
    let Memory { random, codes: sample, .. } = memory;
    if random.below(ALL_CODES_ONE_IN) == 0 {
        return (0..=u16::MAX).collect();
    }
    let one_bit_off: Vec<u16> = codes.iter().map(|code| code ^ 1 << random.below(16)).collect();
    let from_elsewhere = sample.exchange(codes.to_vec(), random);
    [0, u16::MAX].into_iter().chain(one_bit_off).chain(from_elsewhere).collect()
}

fn move_index<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    below_limit(scene, G::move_index, G::MOVE_INDICES)
}

fn move_class<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    below_limit(scene, G::move_class, G::MOVE_CLASSES)
}

fn below_limit<G: Game>(
    scene: &Scene<G>,
    number: fn(&G::Position, G::Move) -> usize,
    limit: usize,
) -> Result<(), String> {
    for &mv in &scene.moves {
        let value = number(scene.position, mv);
        ensure(value < limit, || format!("{mv:?} has {value}, but must be below {limit}"))?;
        ensure(value == number(scene.position, mv), || format!("{mv:?} has {value} on the first call only"))?;
    }
    Ok(())
}

fn tactical<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let tactical = tactical_moves::<G>(scene.position);
    let mut rest = scene.moves.iter();
    for mv in &tactical {
        ensure(scene.moves.contains(mv), || format!("{mv:?} is tactical, but not legal"))?;
        ensure(G::tactical_value(scene.position, *mv).is_some(), || format!("{mv:?} is listed, but has no value"))?;
        ensure(rest.any(|other| other == mv), || {
            format!("{mv:?} is listed twice, or in another order than moves are")
        })?;
    }
    let again = tactical_moves::<G>(scene.position);
    ensure(tactical == again, || format!("one call lists {tactical:?}, the next {again:?}"))
}

fn play<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        let again = G::play(scene.position, mv);
        ensure(*after == again, || format!("{mv:?} leads to {after:?}, and the second time to {again:?}"))?;
    }
    Ok(())
}

fn side_to_move<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let side = G::side_to_move(scene.position);
    for (mv, after) in scene.moves.iter().zip(&scene.after) {
        ensure(G::side_to_move(after) == !side, || format!("after {mv:?} it is still the turn of {side:?}"))?;
    }
    Ok(())
}

fn hash<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let before = G::hash(scene.position);
    ensure(before == G::hash_afresh(scene.position), || "the hash is not the one computed afresh".to_string())?;
    for (mv, after) in scene.moves.iter().zip(&scene.after) {
        ensure(G::hash(after) == G::hash_afresh(after), || {
            format!("the hash after {mv:?} is not the one computed afresh")
        })?;
        ensure(G::hash(after) != before, || format!("{mv:?} does not change the hash"))?;
    }
    Ok(())
}

fn null_move<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let Some(after) = G::null_move(scene.position) else { return Ok(()) };
    let side = G::side_to_move(scene.position);
    ensure(!G::in_check(scene.position), || "a null move is made in check".to_string())?;
    ensure(G::side_to_move(&after) == !side, || format!("after it, it is still the turn of {side:?}"))?;
    ensure(G::hash(&after) == G::hash_afresh(&after), || "its hash is not the one computed afresh".to_string())?;
    ensure(G::hash(&after) != G::hash(scene.position), || "it does not change the hash".to_string())
}

fn gives_check<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        let claims_check = G::move_traits(scene.position, mv, after, None).gives_check;
        ensure(!claims_check || G::in_check(after), || format!("{mv:?} claims to give check, but does not"))?;
        ensure(G::gives_check(scene.position, mv) == G::in_check(after), || {
            format!("whether {mv:?} gives check is seen otherwise before it is played than after")
        })?;
    }
    Ok(())
}

/// Two moves by each side are the shortest way back, so all that end one random beginning are tried.
fn irreversible<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let random = &mut scene.memory.random;
    let hash = G::hash(scene.position);
    let Some(&first) = random.pick(&scene.moves) else { return Ok(()) };
    let Some(replied) = step::<G>(&G::play(scene.position, first), random) else { return Ok(()) };
    if !G::is_irreversible(scene.position, first) {
        return Ok(());
    }
    for third in G::legal_moves(&replied) {
        let position = G::play(&replied, third);
        for fourth in G::legal_moves(&position) {
            ensure(G::hash(&G::play(&position, fourth)) != hash, || {
                format!("{first:?} is called irreversible, but the position comes back by {third:?} and {fourth:?}")
            })?;
        }
    }
    Ok(())
}

fn tactical_moves<G: Game>(position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    G::tactical_moves(position, |mv| moves.push(mv));
    moves
}

// The checks of notation, and those that need it to tell positions apart.

/// A word that no position ends with, though a line of a suite may go on with it.
const FOREIGN_WORD: &str = "bm";

fn position_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    position_reads_back::<G>(scene.position)?;
    // A position that the game itself would refuse comes from a move that is not legal.
    for (mv, after) in scene.moves.iter().zip(&scene.after) {
        position_reads_back::<G>(after).map_err(|problem| format!("after {mv:?}, {problem}"))?;
    }
    let longer = format!("{} {FOREIGN_WORD}", G::write_position(scene.position));
    ensure(G::parse_position(&longer).is_err(), || format!("'{longer}' is read as a position"))
}

fn position_reads_back<G: Notation>(position: &G::Position) -> Result<(), String> {
    let text = G::write_position(position);
    ensure(!text.contains(|c: char| c.is_control() || c == ';' || c == '"'), || {
        format!("'{}' holds a character that records and suites cannot", text.escape_debug())
    })?;
    ensure(text.trim() == text && !text.is_empty(), || format!("'{text}' begins or ends with a space"))?;
    match G::parse_position(&text) {
        Err(error) => Err(format!("'{text}' cannot be read back: {error}")),
        Ok(read) => ensure(read == *position, || format!("'{text}' is read back as {read:?} instead of {position:?}")),
    }
}

fn move_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    let texts = move_texts(scene, G::write_move)?;
    for text in &texts {
        ensure(is_record_word(text), || format!("'{text}' cannot stand in a game record"))?;
    }
    let Memory { random, move_texts: sample, .. } = &mut *scene.memory;
    let foreign = sample.exchange(texts, random);
    refuses_illegal_moves(scene, &foreign)
}

fn engine_move_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    let texts = move_texts(scene, G::write_engine_move)?;
    let Memory { random, engine_move_texts: sample, .. } = &mut *scene.memory;
    let foreign = sample.exchange(texts, random);
    refuses_illegal_moves(scene, &foreign)
}

/// The texts of all moves, each of which must give its move back.
fn move_texts<G: Notation>(
    scene: &Scene<G>,
    write: fn(&G::Position, G::Move) -> String,
) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for &mv in &scene.moves {
        let text = write(scene.position, mv);
        ensure(!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control()), || {
            format!("'{}' is not one word", text.escape_debug())
        })?;
        match G::parse_move(scene.position, &text) {
            Err(error) => return Err(format!("'{text}' cannot be read back: {error}")),
            Ok(read) => ensure(read == mv, || format!("'{text}' is read back as {read:?} instead of {mv:?}"))?,
        }
        texts.push(text);
    }
    Ok(texts)
}

fn refuses_illegal_moves<G: Notation>(scene: &Scene<G>, texts: &[String]) -> Result<(), String> {
    for text in texts {
        if let Ok(mv) = G::parse_move(scene.position, text) {
            ensure(scene.moves.contains(&mv), || format!("'{text}' is read as {mv:?}, which is not among the moves"))?;
        }
    }
    Ok(())
}

/// Whether a game record may hold this word as a move: it must not look like a move number, a result or a comment.
fn is_record_word(word: &str) -> bool {
    let after_number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    !word.contains(|c: char| "{}()[];$\"%".contains(c))
        && !word.ends_with(['!', '?'])
        && !after_number.starts_with('.')
        && !["1-0", "0-1", "1/2-1/2", "1/2", "*"].contains(&word)
}

/// Positions that are reached in two ways, or read from a text, must hash alike.
fn equal_positions<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    const DETOURS: usize = 4;
    let mut met: Vec<G::Position> = scene.after.clone();
    met.push(scene.position.clone());
    met.extend(G::parse_position(&G::write_position(scene.position)));
    for _ in 0..DETOURS {
        met.extend(detour::<G>(scene).into_iter().flatten());
    }
    if scene.memory.hashes.len() > Memory::CAPACITY {
        scene.memory.hashes.clear();
    }
    for position in met {
        let (text, hash) = (G::write_position(&position), G::hash(&position));
        let known = *scene.memory.hashes.entry(text.clone()).or_insert(hash);
        ensure(known == hash, || format!("'{text}' has had the hashes {known:016x} and {hash:016x}"))?;
    }
    Ok(())
}

/// Where three random moves lead, and where they lead with the first and the last exchanged, if they can be.
fn detour<G: Game>(scene: &mut Scene<G>) -> Option<[G::Position; 2]> {
    let random = &mut scene.memory.random;
    let first = *random.pick(&scene.moves)?;
    let position = G::play(scene.position, first);
    let reply = *random.pick(&G::legal_moves(&position))?;
    let position = G::play(&position, reply);
    let last = *random.pick(&G::legal_moves(&position))?;
    let mut other = scene.position.clone();
    for mv in [last, reply, first] {
        if !G::legal_moves(&other).contains(&mv) {
            return None;
        }
        other = G::play(&other, mv);
    }
    Some([G::play(&position, last), other])
}

/// What positions with one hash must have in common. Counters and other things that change no rule at once may differ,
/// so texts are not compared as a whole.
#[derive(PartialEq)]
struct Look {
    /// The first word of the text: in every usual notation the board.
    board: String,
    side: Side,
    /// The codes of the moves, sorted.
    codes: Vec<u16>,
}

impl Look {
    fn of<G: Notation>(position: &G::Position) -> Look {
        let text = G::write_position(position);
        let mut codes: Vec<u16> = G::legal_moves(position).into_iter().map(G::move_code).collect();
        codes.sort_unstable();
        Look { board: first_word(&text).to_string(), side: G::side_to_move(position), codes }
    }
}

/// Positions that follow from this one, and positions that differ from it by a letter, must hash differently.
fn different_positions<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    const MISPRINTS: usize = 24;
    let mut met: Vec<G::Position> = scene.after.clone();
    met.push(scene.position.clone());
    met.extend(G::null_move(scene.position));
    let text = G::write_position(scene.position);
    let letters = first_word(&G::write_position(&G::start())).to_string() + first_word(&text);
    for _ in 0..MISPRINTS {
        met.extend(G::parse_position(&misprint(&text, &letters, &mut scene.memory.random)));
    }
    if scene.memory.looks.len() > Memory::CAPACITY {
        scene.memory.looks.clear();
    }
    for position in met {
        let look = Look::of::<G>(&position);
        let hash = G::hash(&position);
        let known = scene.memory.looks.entry(hash).or_insert_with(|| Look::of::<G>(&position));
        ensure(*known == look, || {
            let other = &known.board;
            format!("'{}' shares its hash {hash:016x} with another position, '{other}'", G::write_position(&position))
        })?;
    }
    Ok(())
}

/// The text with one mistake: on the board a letter replaced or two exchanged, in other fields a letter or all missing.
fn misprint(text: &str, letters: &str, random: &mut Random) -> String {
    let letters: Vec<char> = letters.chars().collect();
    let mut words: Vec<Vec<char>> = text.split_whitespace().map(|word| word.chars().collect()).collect();
    let (Some((board, fields)), kind) = (words.split_first_mut(), random.below(4)) else { return String::new() };
    let [at, other] = [(); 2].map(|()| random.below(board.len()));
    match (kind, fields) {
        (0, _) | (_, []) => board[at] = *random.pick(&letters).unwrap_or(&'-'),
        (1, _) => board.swap(at, other),
        (2, fields) => fields[random.below(fields.len())] = vec!['-'],
        (_, fields) => {
            let field = &mut fields[random.below(fields.len())];
            field.remove(random.below(field.len()));
        }
    }
    words.into_iter().map(String::from_iter).collect::<Vec<_>>().join(" ")
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
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
    random.pick(&G::legal_moves(position)).map(|&mv| G::play(position, mv))
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

/// SplitMix64 (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", 2014): a golden play-through must
/// outlive any library's generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `limit`; 0 where that is 0.
    fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The reference implementation's first numbers: golden play-throughs depend on them.
    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        let mut random = Random(1234567);
        let numbers: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(numbers, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }
}
