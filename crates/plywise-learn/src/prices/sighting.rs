//! Moves at explored nodes, and what became of them: what prices are learned from.

use crate::gather::watch::Watcher;
use crate::self_play::TypedSelfPlay;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use plywise_game::random::Random;
use plywise_game::{Depth, Evaluate, Game, Score, score};
use plywise_search::{Bound, MovePhase, NodeKind, Prospect, Signal, Standing};
use serde::{Deserialize, Serialize};

/// A move that was searched at its full price at a node where nothing was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// What the search knew before. Scores are relative to alpha.
    pub prospect: Prospect,
    /// Whether the move raised alpha.
    pub raised: bool,
}

/// The sightings of a game, in short: a game has thousands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedSightings(String);

/// The bytes of a sighting.
const BYTES: usize = 20;

/// What stands for a score that is not there.
const MISSING: i16 = i16::MIN;

const PHASES: [MovePhase; 6] =
    [MovePhase::Table, MovePhase::Tactical, MovePhase::Killer, MovePhase::History, MovePhase::Rest, MovePhase::Losing];
const KINDS: [NodeKind; 3] = [NodeKind::Pv, NodeKind::Cut, NodeKind::All];
const BOUNDS: [Bound; 3] = [Bound::Upper, Bound::Lower, Bound::Exact];

impl Sighting {
    fn to_bytes(self) -> [u8; BYTES] {
        let Prospect { standing, kind, class, merit, gives_check, evaluation, rising, on_pv, .. } = self.prospect;
        let Standing { depth, in_check, move_number, best_changes, best, last, alpha, phase } = standing;
        let short = |number: i32| number.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16;
        let difference = |to: Score, from: Score| short(to.saturating_sub(from));
        let is_first = move_number <= 1;
        let pair = |number: i16| number.to_le_bytes();
        let flags = [in_check, gives_check, rising, on_pv, self.raised];
        let flags = flags.iter().enumerate().map(|(place, &flag)| u8::from(flag) << place).sum();
        let known = self.prospect.known.map_or(0, |(bound, above)| 1 + 2 * bound as u8 + u8::from(above));
        let [depth0, depth1] = pair(short(depth.in_hundredths()));
        let [number0, number1] = pair(move_number.min(i16::MAX as usize) as i16);
        let [class0, class1] = pair(class.min(i16::MAX as usize) as i16);
        let [merit0, merit1] = pair(merit.map_or(MISSING, short));
        let [evaluation0, evaluation1] = pair(evaluation.map_or(MISSING, |score| difference(score, alpha)));
        let [gap0, gap1] = pair(if is_first { MISSING } else { difference(best, alpha) });
        let [drop0, drop1] = pair(if is_first { MISSING } else { difference(last, best) });
        let [before0, before1] = pair(short(self.prospect.price_before.in_hundredths()));
        let kind = KINDS.iter().position(|&each| each == kind).unwrap_or(KINDS.len() - 1) as u8;
        let cutoffs = self.prospect.cutoffs.min(7) as u8;
        let sorts = phase as u8 | kind << 3 | cutoffs << 5;
        let changes = best_changes.min(15) as u8 | known << 4;
        [
            depth0,
            depth1,
            number0,
            number1,
            class0,
            class1,
            merit0,
            merit1,
            evaluation0,
            evaluation1,
            gap0,
            gap1,
            drop0,
            drop1,
            before0,
            before1,
            sorts,
            changes,
            flags,
            0,
        ]
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> Option<Sighting> {
        let number = |place: usize| i16::from_le_bytes([bytes[2 * place], bytes[2 * place + 1]]);
        let given = |place: usize| Some(number(place)).filter(|&number| number != MISSING).map(Score::from);
        let [sorts, changes, flags, 0] = [bytes[16], bytes[17], bytes[18], bytes[19]] else { return None };
        let flag = |place: u8| flags >> place & 1 == 1;
        let known = match changes >> 4 {
            0 => None,
            code => Some((*BOUNDS.get(usize::from((code - 1) / 2))?, (code - 1) % 2 == 1)),
        };
        let best = given(5).unwrap_or(-score::INFINITY);
        let standing = Standing {
            depth: Depth::hundredths(number(0).into()),
            in_check: flag(0),
            move_number: usize::try_from(number(1)).ok()?,
            best_changes: usize::from(changes & 15),
            best,
            last: given(6).map_or(-score::INFINITY, |drop| best.saturating_add(drop)),
            alpha: 0,
            phase: *PHASES.get(usize::from(sorts & 7))?,
        };
        let prospect = Prospect {
            standing,
            kind: *KINDS.get(usize::from(sorts >> 3 & 3))?,
            class: usize::try_from(number(2)).ok()?,
            merit: given(3),
            gives_check: flag(1),
            evaluation: given(4),
            rising: flag(2),
            on_pv: flag(3),
            price_before: Depth::hundredths(number(7).into()),
            known,
            cutoffs: u32::from(sorts >> 5),
        };
        Some(Sighting { prospect, raised: flag(4) })
    }
}

impl PackedSightings {
    fn pack(sightings: impl Iterator<Item = Sighting>) -> PackedSightings {
        let bytes: Vec<u8> = sightings.flat_map(Sighting::to_bytes).collect();
        PackedSightings(BASE64_STANDARD.encode(bytes))
    }

    /// The sightings; an error where the text makes no sense.
    pub fn unpack(&self) -> Result<Vec<Sighting>, String> {
        let bytes =
            BASE64_STANDARD.decode(&self.0).map_err(|error| format!("its sightings cannot be read: {error}"))?;
        let (whole, rest) = bytes.as_chunks::<BYTES>();
        let sightings: Option<Vec<Sighting>> = whole.iter().map(Sighting::from_bytes).collect();
        sightings.filter(|_| rest.is_empty()).ok_or_else(|| "its sightings make no sense".to_owned())
    }
}

/// The sampled sightings of the searches of a game.
pub(crate) fn sightings<G: Game, E: Evaluate<G>>(
    play: &TypedSelfPlay<G, E>,
    per_depth: usize,
    number: u64,
    stop: &Signal,
) -> Option<PackedSightings> {
    let mut watcher = Watcher::Prices(PriceWatcher::new(per_depth, Random::stream(play.seed, number)));
    play.play(number, &mut watcher, stop)?;
    let Watcher::Prices(watcher) = watcher else { return None };
    Some(PackedSightings::pack(watcher.by_depth.into_iter().flat_map(|(_, kept)| kept)))
}

/// Takes the moves of explored nodes: of each depth a sample, in which all have the same chance.
pub(crate) struct PriceWatcher {
    per_depth: usize,
    random: Random,
    /// The search has found a forced win or loss. What it still does, deeper and deeper, is like no other search.
    pub(crate) is_decided: bool,
    /// By whole plies: how many were met, and those that are kept.
    by_depth: Vec<(usize, Vec<Sighting>)>,
}

/// Greater depths count as this one.
const DEEPEST: i32 = 16;

impl PriceWatcher {
    fn new(per_depth: usize, random: Random) -> PriceWatcher {
        PriceWatcher { per_depth, random, is_decided: false, by_depth: vec![(0, Vec::new()); DEEPEST as usize + 1] }
    }

    pub(crate) fn enter(&mut self, ply: usize, depth: Depth) {
        if ply == 0 {
            self.is_decided &= depth > Depth::PLY;
        }
    }

    pub(crate) fn tried(&mut self, explored: Option<&Prospect>, score: Score) {
        let Some(prospect) = explored.filter(|_| !self.is_decided) else { return };
        let Standing { depth, best, alpha, .. } = prospect.standing;
        if score::is_decided(alpha) {
            return;
        }
        let sighting = Sighting { prospect: *prospect, raised: score > alpha.max(best) };
        let (met, kept) = &mut self.by_depth[depth.whole_plies().clamp(0, DEEPEST) as usize];
        *met += 1;
        if kept.len() < self.per_depth {
            kept.push(sighting);
        } else if let Some(place) = kept.get_mut(self.random.below(*met)) {
            *place = sighting;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A late quiet move at three plies.
    pub(in crate::prices) fn sighting(move_number: usize, raised: bool) -> Sighting {
        let standing = Standing {
            depth: Depth::plies(3),
            in_check: false,
            move_number,
            best_changes: 1,
            best: -40,
            last: -90,
            alpha: 0,
            phase: MovePhase::Rest,
        };
        let prospect = Prospect {
            standing,
            kind: NodeKind::All,
            class: 3,
            merit: Some(-100),
            gives_check: false,
            evaluation: Some(-30),
            rising: true,
            on_pv: false,
            price_before: Depth::hundredths(250),
            known: Some((Bound::Lower, true)),
            cutoffs: 2,
        };
        Sighting { prospect, raised }
    }

    #[test]
    fn sightings_survive_packing() {
        let late = sighting(17, true);
        let mut first = sighting(1, false);
        first.prospect.standing =
            Standing { best: -score::INFINITY, last: -score::INFINITY, ..first.prospect.standing };
        first.prospect = Prospect { merit: None, evaluation: None, known: None, ..first.prospect };
        let packed = PackedSightings::pack([late, first].into_iter());
        assert_eq!(packed.unpack(), Ok(vec![late, first]));
        assert!(PackedSightings("AAAA".into()).unpack().is_err());
        assert!(PackedSightings("?".into()).unpack().is_err());
    }

    #[test]
    fn scores_are_kept_relative_to_alpha() {
        let mut far = sighting(5, true);
        far.prospect.standing = Standing { alpha: 500, best: 460, last: 410, ..far.prospect.standing };
        far.prospect.evaluation = Some(470);
        let read = PackedSightings::pack([far].into_iter()).unpack().unwrap();
        assert_eq!(read, [sighting(5, true)]);
    }

    #[test]
    fn a_sample_of_each_depth_is_kept() {
        let mut watcher = PriceWatcher::new(10, Random::new(1));
        for number in 0..1000 {
            watcher.tried(Some(&sighting(number, false).prospect), -1);
        }
        watcher.tried(None, -1);
        let (met, kept) = &watcher.by_depth[3];
        assert_eq!((*met, kept.len()), (1000, 10));
        let mean = kept.iter().map(|one| one.prospect.standing.move_number).sum::<usize>() / 10;
        assert!((250..750).contains(&mean), "{mean}");
        watcher.is_decided = true;
        watcher.tried(Some(&sighting(1, false).prospect), 5);
        assert_eq!(watcher.by_depth[3].0, 1000, "what follows a proven win does not count");
    }
}
