//! The checks of rules and hooks: each looks at one position.

use super::{Memory, Scene, ensure, step};
use crate::{Game, Side};
use std::collections::HashMap;

pub(super) fn start<G: Game>(start: &G::Position) -> Result<(), String> {
    ensure(G::side_to_move(start) == Side::First, || "the second side moves first".to_string())?;
    ensure(G::outcome(start).is_none(), || "the game is over before it begins".to_string())
}

pub(super) fn move_order<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let again = G::legal_moves(scene.position);
    ensure(scene.moves == again, || format!("one call lists {:?}, the next {again:?}", scene.moves))
}

pub(super) fn duplicate_moves<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (i, &mv) in scene.moves.iter().enumerate() {
        ensure(!scene.moves[..i].contains(&mv), || format!("{} is listed twice", scene.show(mv)))?;
    }
    Ok(())
}

pub(super) fn outcome<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let position = scene.position;
    let decided = G::decided(position);
    if let (Some(decided), Some(mv)) = (decided, scene.moves.first()) {
        return Err(format!("the game is decided, {decided:?}, but {} can be played", scene.show(*mv)));
    }
    let expected = decided.or_else(|| scene.moves.is_empty().then(|| G::stuck(position)));
    let outcome = G::outcome(position);
    ensure(outcome == expected, || {
        format!("the outcome is {outcome:?} instead of {expected:?} with {} moves listed", scene.moves.len())
    })
}

pub(super) fn move_count<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let (count, listed) = (G::move_count(scene.position), scene.moves.len());
    ensure(count == listed, || format!("{count} moves are counted, {listed} listed"))?;
    let is_stuck = G::decided(scene.position).is_none() && G::is_stuck(scene.position);
    let expected = G::decided(scene.position).is_none() && listed == 0;
    ensure(is_stuck == expected, || format!("is_stuck says {is_stuck} with {listed} moves listed"))
}

pub(super) fn move_code<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let mut owners = HashMap::new();
    for &mv in &scene.moves {
        let code = G::move_code(mv);
        ensure(code != 0, || format!("{} has the code 0", scene.show(mv)))?;
        if let Some(other) = owners.insert(code, mv) {
            return Err(format!("{} and {} share the code {code}", scene.show(other), scene.show(mv)));
        }
    }
    Ok(())
}

pub(super) fn move_from_code<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let position = scene.position;
    let codes: Vec<u16> = scene.moves.iter().map(|&mv| G::move_code(mv)).collect();
    for (&mv, &code) in scene.moves.iter().zip(&codes) {
        let found = G::move_from_code(position, code);
        ensure(found == Some(mv), || format!("the code {code} of {} gives {found:?}", scene.show(mv)))?;
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

pub(super) fn move_index<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    below_limit(scene, G::move_index, G::MOVE_INDICES)
}

pub(super) fn capture_index<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    if G::CAPTURE_INDICES == 0 {
        return Ok(());
    }
    for &mv in scene.moves.iter().filter(|&&mv| G::tactical_value(scene.position, mv).is_some()) {
        let (index, limit) = (G::capture_index(scene.position, mv), G::CAPTURE_INDICES);
        ensure(index < limit, || format!("{} has {index}, but must be below {limit}", scene.show(mv)))?;
    }
    Ok(())
}

pub(super) fn exchange_bounds<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for &mv in &scene.moves {
        let ((least, most), value) = (G::exchange_bounds(scene.position, mv), G::exchange_value(scene.position, mv));
        ensure((least..=most).contains(&value), || {
            format!("{} wins {value}, which does not lie between {least} and {most}", scene.show(mv))
        })?;
    }
    Ok(())
}

pub(super) fn structure_hash<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for key in 0..G::STRUCTURE_KEYS {
        let again = G::structure_hash(&scene.position.clone(), key);
        ensure(G::structure_hash(scene.position, key) == again, || format!("structure {key} has two hashes"))?;
    }
    Ok(())
}

pub(super) fn move_class<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    below_limit(scene, G::move_class, G::MOVE_CLASSES)
}

fn below_limit<G: Game>(
    scene: &Scene<G>,
    number: fn(&G::Position, G::Move) -> usize,
    limit: usize,
) -> Result<(), String> {
    for &mv in &scene.moves {
        let value = number(scene.position, mv);
        ensure(value < limit, || format!("{} has {value}, but must be below {limit}", scene.show(mv)))?;
        ensure(value == number(scene.position, mv), || {
            format!("{} has {value} on the first call only", scene.show(mv))
        })?;
    }
    Ok(())
}

pub(super) fn tactical<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let tactical = tactical_moves::<G>(scene.position);
    let mut rest = scene.moves.iter();
    for mv in &tactical {
        ensure(scene.moves.contains(mv), || format!("{mv:?} is tactical, but not legal"))?;
        ensure(G::tactical_value(scene.position, *mv).is_some(), || {
            format!("{} is listed, but has no value", scene.show(*mv))
        })?;
        ensure(rest.any(|other| other == mv), || {
            format!("{} is listed twice, or in another order than moves are", scene.show(*mv))
        })?;
    }
    let again = tactical_moves::<G>(scene.position);
    ensure(tactical == again, || format!("one call lists {tactical:?}, the next {again:?}"))
}

pub(super) fn play<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        let again = G::play(scene.position, mv);
        ensure(*after == again, || format!("{} leads to {after:?}, and the second time to {again:?}", scene.show(mv)))?;
    }
    Ok(())
}

pub(super) fn side_to_move<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let side = G::side_to_move(scene.position);
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        ensure(G::side_to_move(after) == !side, || {
            format!("after {} it is still the turn of {side:?}", scene.show(mv))
        })?;
    }
    Ok(())
}

pub(super) fn hash<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let before = G::hash(scene.position);
    ensure(before == G::hash_afresh(scene.position), || "the hash is not the one computed afresh".to_string())?;
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        ensure(G::hash(after) == G::hash_afresh(after), || {
            format!("the hash after {} is not the one computed afresh", scene.show(mv))
        })?;
        ensure(G::hash(after) != before, || format!("{} does not change the hash", scene.show(mv)))?;
    }
    Ok(())
}

pub(super) fn null_move<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    let Some(after) = G::null_move(scene.position) else { return Ok(()) };
    let side = G::side_to_move(scene.position);
    ensure(!G::in_check(scene.position), || "a null move is made in check".to_string())?;
    ensure(G::side_to_move(&after) == !side, || format!("after it, it is still the turn of {side:?}"))?;
    ensure(G::hash(&after) == G::hash_afresh(&after), || "its hash is not the one computed afresh".to_string())?;
    ensure(G::hash(&after) != G::hash(scene.position), || "it does not change the hash".to_string())
}

pub(super) fn gives_check<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    for (&mv, after) in scene.moves.iter().zip(&scene.after) {
        let claims_check = G::move_traits(scene.position, mv, after, None).gives_check;
        ensure(!claims_check || G::in_check(after), || {
            format!("{} claims to give check, but does not", scene.show(mv))
        })?;
        ensure(G::gives_check(scene.position, mv) == G::in_check(after), || {
            format!("whether {} gives check is seen otherwise before it is played than after", scene.show(mv))
        })?;
    }
    Ok(())
}

/// Two moves by each side are the shortest way back, so all that end one random beginning are tried.
pub(super) fn irreversible<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
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

/// The shortest way to the same board with the other side to move is to lose a move: two in place of one, while the
/// opponent moves to and fro. So all positions that end one random beginning of that kind are compared with what
/// follows from each move, and with all that was met before.
pub(super) fn turn_in_hash<G: Game>(scene: &mut Scene<G>) -> Result<(), String> {
    const THIRD_MOVES: usize = 12;
    let Memory { random, turns, .. } = &mut *scene.memory;
    if turns.len() > Memory::CAPACITY {
        turns.clear();
    }
    let mut note = |position: &G::Position| {
        let (hash, side) = (G::hash(position), G::side_to_move(position));
        let known = *turns.entry(hash).or_insert(side);
        ensure(known == side, || {
            format!(
                "it is {side:?}'s turn in {position:?}, but a position with the same hash had the other side to move"
            )
        })
    };
    note(scene.position)?;
    scene.after.iter().try_for_each(&mut note)?;
    let Some(replied) = step::<G>(scene.position, random).and_then(|first| step::<G>(&first, random)) else {
        return Ok(());
    };
    for _ in 0..THIRD_MOVES {
        let Some(third) = step::<G>(&replied, random) else { break };
        G::legal_moves(&third).into_iter().try_for_each(|fourth| note(&G::play(&third, fourth)))?;
    }
    Ok(())
}

pub(super) fn tactical_moves<G: Game>(position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    G::tactical_moves(position, |mv| moves.push(mv));
    moves
}
