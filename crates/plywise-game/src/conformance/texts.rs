//! The checks of notation, and those that need it to tell positions apart.

use super::{Check, MAX_PLIES, Memory, Scene, Violation, ensure};
use crate::random::Random;
use crate::{Game, Notation, Side, View};

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
        G::draw_svg(&position, &View::default());
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

/// Checks that what random games lead to is read back, and that each of its texts is read or refused, without a panic,
/// when a letter in it is replaced or missing.
pub fn check_misprints<G: Notation>(games: u32, seed: u64) -> Result<(), Violation> {
    const LETTERS: &str = "abcdwhxoKQ0123456789/- .;é\u{1f600}";
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut random = Random::new(seed);
    for _ in 0..games {
        for position in random.game::<G>(G::start(), MAX_PLIES) {
            let text = G::write_position(&position);
            check_text::<G>(&text, &[])?;
            let mut text: Vec<char> = text.chars().collect();
            let at = random.below(text.len());
            text[at] = *random.pick(&letters).unwrap_or(&'-');
            check_text::<G>(&String::from_iter(&text), &[])?;
            text.remove(at);
            check_text::<G>(&String::from_iter(&text), &[])?;
        }
    }
    Ok(())
}

/// A word that no position ends with, though a line of a suite may go on with it.
const FOREIGN_WORD: &str = "bm";

pub(super) fn position_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    position_reads_back(scene, scene.position)?;
    // A position that the game itself would refuse comes from a move that is not legal.
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        position_reads_back(scene, after).map_err(|problem| format!("after {}, {problem}", scene.show(mv)))?;
    }
    let longer = format!("{} {FOREIGN_WORD}", G::write_position(scene.position));
    ensure(scene.parse_position(&longer).is_err(), || format!("'{longer}' is read as a position"))
}

fn position_reads_back<G: Notation>(scene: &Scene<G>, position: &G::Position) -> Result<(), String> {
    let text = G::write_position(position);
    ensure(!text.contains(|c: char| c.is_control() || c == ';' || c == '"'), || {
        format!("'{}' holds a character that records and suites cannot", text.escape_debug())
    })?;
    ensure(text.trim() == text && !text.is_empty(), || format!("'{text}' begins or ends with a space"))?;
    match scene.parse_position(&text) {
        Err(error) => Err(format!("'{text}' cannot be read back: {error}")),
        Ok(read) => ensure(read == *position, || format!("'{text}' is read back as {read:?} instead of {position:?}")),
    }
}

pub(super) fn move_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    let texts = move_texts(scene, G::write_move)?;
    for text in &texts {
        ensure(is_record_word(text), || format!("'{text}' cannot stand in a game record"))?;
    }
    let Memory { random, move_texts: sample, .. } = &mut *scene.memory;
    let foreign = sample.exchange(texts, random);
    refuses_illegal_moves(scene, &foreign)
}

pub(super) fn engine_move_text<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
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
pub(super) fn equal_positions<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    const DETOURS: usize = 4;
    let mut met: Vec<G::Position> = scene.after.clone();
    met.push(scene.position.clone());
    met.extend(scene.parse_position(&G::write_position(scene.position)));
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
pub(super) struct Look {
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
pub(super) fn different_positions<G: Notation>(scene: &mut Scene<G>) -> Result<(), String> {
    const MISPRINTS: usize = 24;
    let mut met: Vec<G::Position> = scene.after.clone();
    met.push(scene.position.clone());
    met.extend(G::null_move(scene.position));
    let text = G::write_position(scene.position);
    let letters = first_word(&G::write_position(scene.usual)).to_string() + first_word(&text);
    for _ in 0..MISPRINTS {
        let misprint = misprint(&text, &letters, &mut scene.memory.random);
        met.extend(scene.parse_position(&misprint));
    }
    if scene.memory.looks.len() > Memory::CAPACITY {
        scene.memory.looks.clear();
    }
    for position in met {
        let look = Look::of::<G>(&position);
        let hash = G::hash(&position);
        let text = G::write_position(&position);
        let (known, other) = scene.memory.looks.entry(hash).or_insert_with(|| (Look::of::<G>(&position), text.clone()));
        ensure(*known == look, || format!("'{text}' shares its hash {hash:016x} with another position, '{other}'"))?;
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
