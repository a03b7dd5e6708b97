//! The checker finds nothing in our own search, whatever the game and the profile, and finds what is planted.

use crate::support::Setup;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::BoardGame;
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::{Limits, Profile};
use plywise_tree::check;

fn check_profile<G: BoardGame>(profile: &str, limits: Limits) {
    let Ok(_) = Profile::named(profile).unwrap().params(G::NAME) else { return };
    let setup = Setup::<G>::new(profile, limits);
    let tree = setup.tree();
    let checked = check(&tree, &setup.params, Some(&mut setup.board())).unwrap();
    let first: Vec<String> = checked
        .findings
        .iter()
        .take(5)
        .map(|f| format!("{} {}: {} {:?}", f.id, f.rule, f.what, tree.node(f.id)))
        .collect();
    assert!(checked.is_sound(), "{profile} in {}: {:?}\n{}", G::NAME, checked.broken, first.join("\n"));
    assert_eq!(checked.nodes, tree.len());
}

#[test]
fn our_search_is_sound_under_every_profile() {
    for profile in Profile::built_in() {
        let name = profile.name.as_str();
        let slow = matches!(name, "minimax" | "alphabeta");
        check_profile::<Chess>(name, Limits::depth(if slow { 3 } else { 7 }));
        check_profile::<Loa>(name, Limits::depth(if slow { 2 } else { 4 }));
        check_profile::<Othello>(name, Limits::depth(if slow { 4 } else { 7 }));
        check_profile::<Abalone>(name, Limits::depth(if slow { 2 } else { 4 }));
    }
}
