//! Every switch of the search does something, and a technique that is off does nothing.

use plywise_chess::Chess;
use plywise_game::parameters::Parameters;
use plywise_game::{BoardGame, Depth, Evaluate, Game, Score, Window};
use plywise_loa::{Evaluator, Loa, Position};
use plywise_search::{Knowledge, Limits, Params, Profile, ProfiledGame, Request, Searcher, Signal, Technique};

const CHESS: [&str; 4] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2r3k1/5ppp/p2q4/1p1Pn3/8/1P3Q2/P4PPP/3R2K1 b - - 0 25",
    "r4rk1/1b3Npp/p7/1p1Q4/8/8/PP4PP/6K1 w - - 0 1",
    "8/5pk1/6p1/1P2p2p/4P2P/5PK1/8/8 w - - 0 50",
];
const LOA: [&str; 2] = ["1bbbbbb1/w6w/w6w/w6w/w6w/w6w/w6w/1bbbbbb1 b", "3b4/2b1bw2/1w3b2/2wbb3/3w1w2/4b1w1/2w5/4w3 w"];

/// An evaluation with a solver that knows one position in sixteen by heart.
#[derive(Clone, Default)]
struct Knowing(Evaluator);

impl Evaluate<Loa> for Knowing {
    fn evaluate(&mut self, position: &Position) -> Score {
        self.0.evaluate(position)
    }

    fn solve(&mut self, position: &Position, _: Depth, _: Window, _: &mut dyn FnMut(u64) -> u64) -> Option<Score> {
        Loa::hash(position).is_multiple_of(16).then(|| self.0.evaluate(position))
    }
}

/// The node counts and values of a few short searches: a fingerprint of what the parameters do.
fn fingerprint(params: impl Fn(&str) -> Params) -> Vec<(u64, i32)> {
    fn run<G: BoardGame, E: Evaluate<G>>(
        params: &Params,
        evaluate: E,
        positions: &[&str],
        depth: i32,
    ) -> Vec<(u64, i32)> {
        let search = |text: &&str| {
            let mut searcher = Searcher::<G, E>::new(params.clone(), evaluate.clone(), 1).unwrap();
            searcher.set_knowledge(Knowledge::built_in::<G>(params));
            let request = Request::new(G::parse_position(text).unwrap());
            let report = searcher.search(&request, &Limits::depth(depth), &Signal::new(), &mut ());
            (report.nodes, report.score())
        };
        positions.iter().map(search).collect()
    }
    let mut prints = run::<Chess, _>(&params("chess"), plywise_chess::Evaluator::default(), &CHESS, 7);
    prints.extend(run::<Loa, _>(&params("loa"), Knowing::default(), &LOA, 5));
    prints
}

fn profile(name: &str, game: &str) -> Params {
    let game = match game {
        "loa" => ProfiledGame::of::<Loa>(),
        _ => ProfiledGame::of::<Chess>(),
    };
    Profile::named(name).unwrap().params(game).unwrap()
}

#[test]
fn every_switch_changes_something() {
    // Some switches show only in company: an enhancement with what it enhances, RankCut at the depths of its profile.
    let profiles = ["classic", "rps", "rankcut"];
    let before = profiles.map(|name| fingerprint(|game| profile(name, game)));
    for switch in Params::declared().into_iter().filter(|parameter| parameter.is_switch) {
        let changes = profiles.iter().zip(&before).any(|(name, before)| {
            let after = fingerprint(|game| {
                let mut params = profile(name, game);
                let value = 1 - params.get(&switch.path()).unwrap();
                params.set(&switch.path(), &value.to_string()).unwrap();
                params
            });
            after != *before
        });
        assert!(changes, "{} is dead", switch.group);
    }
}

#[test]
fn a_technique_that_is_off_does_nothing_whatever_its_numbers() {
    let brute = fingerprint(|game| profile("brute", game));
    let odd = fingerprint(|game| {
        let mut params = profile("brute", game);
        params.visit_mut(&mut |parameter, value| {
            let selective = |technique: &&Technique| technique.name() == parameter.group && technique.is_selective();
            if Technique::ALL.iter().find(selective).is_some() && !parameter.is_switch {
                *value = parameter.min;
            }
        });
        params
    });
    assert_eq!(brute, odd);
}

#[test]
fn every_selective_technique_can_be_switched_off() {
    let declared = Params::declared();
    for technique in Technique::ALL {
        let switch = declared.iter().find(|parameter| parameter.group == technique.name() && parameter.is_switch);
        assert!(switch.is_some(), "{} has no switch", technique.name());
    }
}
