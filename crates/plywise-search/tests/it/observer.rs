//! Observers see every node, whole.

use crate::random_tree::Hashed;
use plywise_chess::Chess;
use plywise_game::{BoardGame, Game, Window};
use plywise_loa::Loa;
use plywise_search::{
    Bound, End, Entered, Leaving, Limits, NodeKind, Observer, Profile, ProfiledGame, Purpose, Request, Searcher,
    Signal, Technique,
};
use std::collections::HashSet;

/// An open node: what it is, its window, and the best that its moves came to.
struct Open {
    ply: usize,
    kind: NodeKind,
    window: Window,
    purpose: Purpose,
}

/// Checks that nodes are entered and left in order, and counts them.
#[derive(Default)]
struct Checker {
    open: Vec<Open>,
    nodes: u64,
    left_out: usize,
    purposes: HashSet<Purpose>,
    ends: HashSet<End>,
}

impl Checker {
    fn open<G: Game>(&mut self, node: &Entered<'_, G>) {
        self.nodes += 1;
        self.purposes.insert(node.arrival.purpose);
        match self.open.last() {
            None => assert_eq!((node.ply, node.arrival.purpose), (0, Purpose::Root)),
            Some(above) => {
                let is_same_node = node.arrival.purpose.stays();
                assert_eq!(node.ply, above.ply + usize::from(!is_same_node), "{:?}", node.arrival);
                assert_eq!(node.arrival.purpose == Purpose::NullMove, node.mv.is_none() && !is_same_node);
                if above.kind == NodeKind::Quiescence {
                    assert_eq!(node.kind, NodeKind::Quiescence);
                }
            }
        }
        if node.arrival.purpose == Purpose::Move {
            assert!(node.arrival.number > 0 && node.arrival.phase.is_some(), "{:?}", node.arrival);
        }
        let Entered { ply, kind, window, arrival, .. } = *node;
        self.open.push(Open { ply, kind, window, purpose: arrival.purpose });
    }

    fn close(&mut self, node: &Leaving, quiescence: bool) {
        let open = self.open.pop().expect("an open node");
        assert_eq!(node.ply, open.ply);
        assert_eq!(open.kind == NodeKind::Quiescence, quiescence);
        self.ends.insert(node.end);
        if node.end == End::StandPat {
            assert_eq!(node.evaluation, Some(node.score));
            assert_eq!(Bound::of(node.score, open.window), Bound::Lower, "{:?}", open.purpose);
        }
    }
}

impl<G: Game> Observer<G> for Checker {
    fn enter(&mut self, node: &Entered<'_, G>) {
        assert_ne!(node.kind, NodeKind::Quiescence);
        self.open(node);
    }

    fn leave(&mut self, node: &Leaving) {
        self.close(node, false);
    }

    fn enter_quiescence(&mut self, node: &Entered<'_, G>) {
        assert_eq!(node.kind, NodeKind::Quiescence);
        self.open(node);
    }

    fn leave_quiescence(&mut self, node: &Leaving) {
        self.close(node, true);
    }

    fn left_out(&mut self, _technique: Technique, moves: usize) {
        assert!(!self.open.is_empty());
        self.left_out += moves;
    }
}

fn watch<G: BoardGame>(profile: &str, limits: &Limits) -> Checker {
    let game = G::NAME;
    let params = Profile::named(profile).unwrap().params(ProfiledGame::of::<G>()).unwrap();
    let evaluate = Hashed { salt: 5, range: 300 };
    let mut searcher = Searcher::<G, _>::new(params.clone(), evaluate, 4).unwrap();
    let mut checker = Checker::default();
    let report = searcher.search(&Request::new(G::start()), limits, &Signal::new(), &mut checker);
    assert_eq!(checker.nodes, report.nodes, "{profile} in {game}: the search's own count");
    let unwatched = Searcher::<G, _>::new(params, evaluate, 4).unwrap().search(
        &Request::new(G::start()),
        limits,
        &Signal::new(),
        &mut (),
    );
    assert_eq!(unwatched.nodes, report.nodes, "{profile} in {game}: watching changes nothing");
    checker
}

#[test]
fn every_node_is_entered_and_left() {
    let mut purposes = HashSet::new();
    let mut ends = HashSet::new();
    let mut left_out = 0;
    for profile in ["alphabeta", "brute", "uncertainty", "classic", "multicut", "best"] {
        for (game, checker) in
            [("chess", watch::<Chess>(profile, &Limits::depth(6))), ("loa", watch::<Loa>(profile, &Limits::depth(4)))]
        {
            assert!(checker.open.is_empty(), "{profile} in {game}");
            purposes.extend(checker.purposes);
            ends.extend(checker.ends);
            left_out += checker.left_out;
        }
    }
    for purpose in [
        Purpose::Root,
        Purpose::Move,
        Purpose::FullPrice,
        Purpose::OpenWindow,
        Purpose::NullMove,
        Purpose::MultiCut,
        Purpose::InternalDeepening,
    ] {
        assert!(purposes.contains(&purpose), "no search for {purpose:?}: {purposes:?}");
    }
    assert!(ends.contains(&End::Cut(Technique::NullMove)) && ends.contains(&End::StandPat), "{ends:?}");
    assert!(left_out > 0);
}

#[test]
fn a_search_that_is_stopped_leaves_its_line_open() {
    let checker = watch::<Chess>("best", &Limits::nodes(1000));
    assert!(!checker.open.is_empty());
}
