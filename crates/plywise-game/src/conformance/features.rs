//! The checks of what a network looks at.

use super::{Check, MAX_PLIES, Violation, ensure};
use crate::BoardGame;
use crate::features::{FeatureSet, MAX_FEATURES, MAX_KINDS};
use crate::random::Random;

/// Checks on `games` random games that features are what a network needs: numbers below their limit, none twice, the same
/// on every call, with a name each; that the symmetries map them onto each other; and that views and stages are below
/// their limits.
pub fn check_features<G: BoardGame>(games: u32, seed: u64) -> Result<(), Violation> {
    let violation =
        |check, position: &G::Position, problem| Violation { check, position: G::write_position(position), problem };
    check_twins::<G>().map_err(|problem| violation(Check::Twins, &G::start(), problem))?;
    check_buckets::<G>().map_err(|problem| violation(Check::Buckets, &G::start(), problem))?;
    let mut random = Random::new(seed);
    for _ in 0..games {
        for position in random.game::<G>(G::start(), MAX_PLIES) {
            check_position::<G>(&position).map_err(|problem| violation(Check::Features, &position, problem))?;
            check_kinds::<G>(&position).map_err(|problem| violation(Check::Buckets, &position, problem))?;
        }
    }
    Ok(())
}

fn check_position<G: BoardGame>(position: &G::Position) -> Result<(), String> {
    let features = features::<G>(position);
    let mut sets = [FeatureSet::EMPTY; 2];
    for pair in &features {
        for (set, &feature) in sets.iter_mut().zip(pair) {
            ensure(feature < G::FEATURES, || format!("feature {feature} is not below {}", G::FEATURES))?;
            ensure(!set.contains(feature), || format!("feature {feature} comes twice"))?;
            set.insert(feature);
        }
    }
    ensure(features == self::features::<G>(position), || "the features change from call to call".to_string())?;
    ensure(sets == G::feature_sets(position), || "the sets of features are not those named one by one".to_string())?;
    let names = G::feature_names(position).len();
    ensure(names == features.len(), || format!("{} features have {names} names", features.len()))
}

fn check_kinds<G: BoardGame>(position: &G::Position) -> Result<(), String> {
    for view in G::views(position) {
        ensure(view.kind < G::VIEWS, || format!("view {} is not below {}", view.kind, G::VIEWS))?;
    }
    ensure(G::views(position) == G::views(position), || "the views change from call to call".to_string())?;
    let stage = G::stage(position);
    ensure(stage < G::STAGES, || format!("stage {stage} is not below {}", G::STAGES))
}

fn check_buckets<G: BoardGame>() -> Result<(), String> {
    for (what, count) in [("kinds of views", G::VIEWS), ("stages", G::STAGES)] {
        ensure((1..=MAX_KINDS).contains(&count), || format!("there are {count} {what}, not 1 to {MAX_KINDS}"))?;
    }
    ensure(G::VIEWS == 1 || G::SYMMETRIES == 1, || "several kinds of views leave no symmetry".to_string())?;
    for buckets in G::BUCKETS {
        let given = buckets.len();
        ensure(given == G::VIEWS, || format!("{given} of {} kinds of views have a bucket", G::VIEWS))?;
        let count = buckets.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let empty = (0..count).find(|&bucket| !buckets.contains(&(bucket as u8)));
        ensure(empty.is_none(), || format!("bucket {} of {count} is empty", empty.unwrap_or_default()))?;
    }
    Ok(())
}

fn features<G: BoardGame>(position: &G::Position) -> Vec<[usize; 2]> {
    let mut features = Vec::new();
    G::features(position, |pair| features.push(pair));
    features
}

fn check_twins<G: BoardGame>() -> Result<(), String> {
    let count = G::FEATURES;
    ensure(count <= MAX_FEATURES, || format!("{count} features are more than {MAX_FEATURES}"))?;
    ensure(G::SYMMETRIES > 0, || "the identity is missing among the symmetries".to_string())?;
    for symmetry in 0..G::SYMMETRIES {
        let mut images = FeatureSet::EMPTY;
        for feature in 0..count {
            let image = G::twin_feature(feature, symmetry);
            ensure(image < count, || format!("symmetry {symmetry} maps feature {feature} to {image}"))?;
            ensure(!images.contains(image), || format!("symmetry {symmetry} maps two features to {image}"))?;
            ensure(symmetry > 0 || image == feature, || format!("the identity maps feature {feature} to {image}"))?;
            images.insert(image);
        }
    }
    Ok(())
}
