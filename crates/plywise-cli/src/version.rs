//! What `--version` says: the version, this build of it, the processor, and the networks that the games play with.

use crate::arguments::DEFAULT_PROFILE;
use crate::games::Games;
use plywise_game::processor;
use plywise_host::AnyGame;
use plywise_run::digest_file;
use plywise_search::Profile;

/// Several lines; the first is what programs read.
pub(crate) fn text(games: Games) -> String {
    let (profile, network) = (if cfg!(debug_assertions) { "debug" } else { "release" }, networks(games));
    let program = build();
    let (system, machine) = (std::env::consts::OS, std::env::consts::ARCH);
    format!(
        "plywise {}\nbuild: {profile} for {machine} {system}, {program}\nprocessor: {}\nnetworks: {network}\n",
        env!("CARGO_PKG_VERSION"),
        instructions(),
    )
}

/// The digest of this program: the same sources, compiler and options give the same.
pub(crate) fn build() -> String {
    std::env::current_exe().and_then(|program| digest_file(&program)).unwrap_or_default()
}

/// The network of the default profile for each game.
fn networks(games: Games) -> String {
    let of_game = |game: &dyn AnyGame| {
        Profile::named(DEFAULT_PROFILE).and_then(|profile| profile.network(game.profiled())).ok().flatten()
    };
    let named = games.all().into_iter().map(|game| match of_game(&*game) {
        Some(network) => format!("{} with '{network}'", game.name()),
        None => format!("{} without", game.name()),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// The instructions beyond the oldest processors' that this one has, those that the build takes for granted, and
/// which of them are chosen where speed depends on it.
fn instructions() -> String {
    let list = |names: Vec<&str>| if names.is_empty() { "none".to_string() } else { names.join(" ") };
    let features = features();
    let found = features.iter().filter(|feature| feature.is_there).map(|feature| feature.name).collect();
    let required = features.iter().filter(|feature| feature.is_required).map(|feature| feature.name).collect();
    let used = processor::level().name();
    format!("{}; the build requires {}, hot loops use {used}", list(found), list(required))
}

struct Feature {
    name: &'static str,
    is_there: bool,
    is_required: bool,
}

/// A row for each feature that speeds up bitboards or networks.
macro_rules! features {
    ($is_detected:ident, $($name:tt)+) => {
        vec![$( Feature { name: $name, is_there: std::arch::$is_detected!($name), is_required: cfg!(target_feature = $name) } ),+]
    };
}

fn features() -> Vec<Feature> {
    #[cfg(target_arch = "x86_64")]
    return features!(is_x86_feature_detected, "sse4.1" "popcnt" "bmi1" "bmi2" "avx2" "avx512bw" "avx512vnni");
    #[cfg(target_arch = "aarch64")]
    return features!(is_aarch64_feature_detected, "neon" "dotprod" "sve");
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    Vec::new()
}
