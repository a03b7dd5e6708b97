//! The checker finds nothing in our own search, whatever the game and the profile, and finds what is planted.

use crate::support::{Setup, file};
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_game::{BoardGame, Window};
use plywise_loa::Loa;
use plywise_othello::Othello;
use plywise_search::{End, Limits, Profile, ProfiledGame, Purpose, Signal};
use plywise_tree::{Ended, Entry, Exit, Filter, Node, Recording, Step, Summary, Tree, check};

fn check_profile<G: BoardGame>(profile: &str, limits: Limits) {
    if Profile::named(profile).unwrap().params(ProfiledGame::of::<G>()).is_ok() {
        check_setup(profile, &Setup::<G>::new(profile, limits));
    }
}

fn check_setup<G: BoardGame>(profile: &str, setup: &Setup<G>) {
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

#[test]
fn endings_with_draws_and_mates_are_sound() {
    for profile in ["alphabeta", "uncertainty", "classic", "best"] {
        let depth = if profile == "alphabeta" { 6 } else { 12 };
        for ending in
            ["8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", "8/8/8/8/8/2k5/1q6/K7 w - - 0 1", "7k/8/5KQ1/8/8/8/8/8 w - - 96 80"]
        {
            check_setup(profile, &Setup::<Chess>::new(profile, Limits::depth(depth)).at(ending));
        }
    }
}

/// The same tree with one node altered when it is written.
fn altered(tree: &Tree, place: u64, alter: impl Fn(&mut Node)) -> Tree {
    let (_folder, path) = file();
    let recording = Recording::create(&path, tree.head(), Filter::default()).unwrap();
    let (mut stream, mut count) = (recording.stream(0), 0);
    for step in tree.replay(0).unwrap() {
        let (id, mut node, enters) = match step.unwrap() {
            Step::Enter(id, node) => (id, node, true),
            Step::Leave(id, node) => (id, node, false),
        };
        if id.index == place {
            alter(&mut node);
        }
        let Node { mv, depth, window, kind, purpose, price, full, phase, extension, .. } = node;
        let (ply, number) = (node.ply.into(), node.number as usize);
        if enters {
            count += 1;
            stream.enter(&Entry {
                mv,
                ply,
                depth,
                window,
                kind,
                purpose,
                price,
                full,
                number,
                phase,
                extension,
                likelihood: None,
                count,
            });
        } else {
            node.narrowed.into_iter().for_each(|window| stream.narrow(window));
            node.left_out.each().for_each(|(technique, moves)| stream.left_out(technique, moves.into()));
            let Node { value, uncertain, evaluation, end, .. } = node;
            stream.leave(&Exit { value, uncertain, evaluation, end, count });
        }
    }
    drop(stream);
    recording.finish(&Summary { nodes: count, ..Summary::default() }).unwrap();
    Tree::open(&path).unwrap()
}

#[test]
fn what_is_altered_is_found() {
    let setup = Setup::<Chess>::new("classic", Limits::depth(6));
    let tree = setup.tree();
    let broken = |tree: &Tree| check(tree, &setup.params, Some(&mut setup.board())).unwrap().broken;
    assert!(broken(&altered(&tree, u64::MAX, |_| {})).is_empty(), "a copy is as sound");
    let mut places: Vec<u64> = Vec::new();
    tree.scan(&Signal::new(), |visit| {
        let Node { end, purpose, left_out, .. } = *visit.node;
        let is_plain = end == Ended::By(End::Moves) && purpose == Some(Purpose::Move) && left_out.total() == 0;
        if is_plain && !visit.node.is_quiescence() && visit.node.nodes > 3 {
            places.push(visit.id.index);
        }
    })
    .unwrap();
    assert!(places.len() > 50);
    type Alteration = fn(&mut Node);
    let alterations: [(&str, Alteration); 6] = [
        ("value", |node| node.value = node.value.map(|value| value + 1)),
        ("window", |node| node.window.alpha -= 7),
        ("narrowed window", |node| node.narrowed = Some(Window { beta: node.window.beta + 1, ..node.window })),
        ("depth", |node| node.depth += plywise_game::Depth::hundredths(30)),
        ("evaluation", |node| node.evaluation = Some(node.evaluation.unwrap_or(0) + 1)),
        ("certainty", |node| node.uncertain = !node.uncertain),
    ];
    for &place in places.iter().step_by(places.len() / 10) {
        for (what, alter) in alterations {
            let found = broken(&altered(&tree, place, alter));
            assert!(!found.is_empty(), "another {what} of node {place} was not found");
        }
    }
}
