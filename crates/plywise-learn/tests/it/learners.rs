//! Learners as jobs: what is written and read again comes to the same, and a run directory resumes.

use plywise_arena::{Entrant, Limits};
use plywise_game::parameters::Parameters;
use plywise_game::random::Random;
use plywise_host::{AnyGame, Setup, WrittenSetup};
use plywise_learn::LearnableGame;
use plywise_learn::control::{Slots, Tunable};
use plywise_learn::evolution::{
    Breeder, EvolveEval, EvolveSearch, Fitness, Gene, Genome, Measure, Others, Plan, Selection,
};
use plywise_learn::extensions::{Examined, LearnExtensions, Way};
use plywise_learn::imitation::Sample;
use plywise_learn::{extensions, games};
use plywise_run::{Job, JobError, Workplace};
use plywise_search::{Params, Signal};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A mate in one and a hanging queen.
const SUITE: [&str; 2] =
    ["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 bm Rd8;", "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1 bm Nxd5;"];

fn built_in(name: &str) -> Arc<dyn LearnableGame> {
    games::built_in().into_iter().find(|game| game.name() == name).unwrap()
}

fn breeder() -> Breeder {
    Breeder { population: 4, selection: Selection::Rank, crossover: 0.75, mutation: 0.05, elite: 1, seed: 7 }
}

fn player(game: &dyn AnyGame) -> (Setup, WrittenSetup) {
    let setup = Setup { hash: 1, ..Setup::of_profile(game, "classic").unwrap() };
    let written = WrittenSetup::of(game, &setup);
    (setup, written)
}

/// Runs a job, then what is read from its text, with a run directory in two sittings: `shorter` is the first.
#[track_caller]
fn check<J: Job<Game = Arc<dyn LearnableGame>>>(game: &Arc<dyn LearnableGame>, job: &J, shorter: &J) -> Value
where
    J::Outcome: serde::Serialize,
{
    let run = |job: &J, workplace: &Workplace| {
        let events = AtomicU64::new(0);
        let outcome = job.run(game, workplace, &|_| _ = events.fetch_add(1, Relaxed));
        assert!(events.into_inner() > 0, "nothing is reported");
        serde_json::to_value(outcome.unwrap()).unwrap()
    };
    let whole = run(job, &Workplace::local(2, &Signal::new()));
    let folder = tempfile::tempdir().unwrap();
    let kept = Workplace { directory: Some(folder.path().join("run")), ..Workplace::local(1, &Signal::new()) };
    run(shorter, &kept);
    let read: J = serde_json::from_str(&serde_json::to_string(job).unwrap()).unwrap();
    assert_eq!(run(&read, &kept), whole);
    whole
}

#[test]
fn an_evaluation_evolves() {
    let game = built_in("loa");
    let mut random = Random::new(2);
    let mut samples = Vec::new();
    while samples.len() < 20 {
        let Some(position) = game.start().random_opening(&mut random, 12) else { continue };
        let moves = position.legal_moves();
        samples.push(Sample { played: moves[random.below(moves.len())], position: position.alone() });
    }
    let (setup, written) = player(&*game);
    let gene = |path: String| Gene::covering(&path, -100, 100, 1);
    let genes: Vec<Gene> = setup.weights.list().iter().take(3).map(|weight| gene(weight.path())).collect();
    let genome = Genome::new(genes, Others::Keep, &setup.weights).unwrap();
    let job = EvolveEval {
        game: game.name().to_owned(),
        plan: Plan::new(&genome, breeder(), Measure::Moves { positions: 10 }),
        generations: 3,
        profile: "classic".to_owned(),
        player: written,
        mentor: None,
        samples: Sample::write_all(&samples),
        seed: 1,
        quiescence_plies: 4,
    };
    let outcome = check(&game, &job, &EvolveEval { generations: 1, ..job.clone() });
    assert_eq!(outcome["lineage"]["generations"].as_array().unwrap().len(), 4);
    let timed = Limits { movetime: Some(std::time::Duration::from_millis(5)), ..Limits::default() };
    let mentored = EvolveEval { mentor: Some(Entrant::of_setup(&*game, &setup, timed)), ..job };
    let refused = mentored.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).map(drop);
    assert!(matches!(refused, Err(JobError::Input(sentence)) if sentence.contains("by depth or nodes")));
}

#[test]
fn a_search_evolves_by_nodes_to_known_answers() {
    let game = built_in("chess");
    let (setup, _) = player(&*game);
    let genes = vec![Gene::covering("null_move.reduction", 0, 4, 1), Gene::covering("aspiration.window", 5, 50, 5)];
    let genome = Genome::new(genes, Others::Keep, &setup.params).unwrap();
    let job = EvolveSearch {
        game: game.name().to_owned(),
        plan: Plan::new(&genome, breeder(), Measure::Nodes { positions: 2 }),
        generations: 2,
        profile: "classic".to_owned(),
        player: Entrant::of_setup(&*game, &setup, Limits::nodes(1000)),
        options: Vec::new(),
        fitness: Fitness::Suite { positions: SUITE.map(str::to_owned).to_vec(), iterations: 1 },
        patience: 1,
    };
    let outcome = check(&game, &job, &EvolveSearch { generations: 0, patience: 2, ..job.clone() });
    let trial = &outcome["lineage"]["generations"][2]["trials"][0]["solved"];
    assert_eq!(trial["solved"], 2, "{outcome}");
    assert!(trial["nodes"].as_u64().unwrap() < 2000, "{outcome}");
    let endless = EvolveSearch { player: Entrant::of_setup(&*game, &setup, Limits::depth(3)), ..job };
    assert!(endless.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).is_err(), "an unsolved position counts");
}

fn extensions(way: Way, slots: &Slots) -> LearnExtensions {
    let game = built_in("chess");
    let named = slots.names().into_iter().zip(slots.paths());
    let tunable = |(name, paths)| Tunable {
        name,
        paths,
        unit: 100.0,
        start: 1.0,
        min: 0.1,
        max: 2.0,
        step: 0.5,
        reach: 1.0,
        is_switch: false,
    };
    let suite = if matches!(way, Way::Play { .. }) { Vec::new() } else { SUITE.map(str::to_owned).to_vec() };
    LearnExtensions {
        game: "chess".to_owned(),
        way,
        player: player(&*game).1,
        tunables: named.map(tunable).collect(),
        rate: 1.0,
        momentum: 0.0,
        nodes: 500,
        iterations: 2,
        seed: 3,
        suite,
        patience: 1,
    }
}

#[test]
fn prices_are_learned_in_every_way() {
    let game = built_in("chess");
    let opponent = player(&*game).1;
    for (way, slots) in [
        (Way::Offline { engine: None, prices: true }, Slots::BY_CLASS),
        (Way::Online { delta: 0.1 }, Slots::BY_CLASS),
        (Way::Play { delta: 0.1, opponent, drop: 5, lost: -300, random_plies: 4 }, Slots::BY_CLASS_AND_PHASE),
    ] {
        let job = extensions(way, &slots);
        let outcome = check(&game, &job, &LearnExtensions { iterations: 1, ..job.clone() });
        assert_eq!(outcome["iterations"].as_array().unwrap().len(), 2, "{outcome}");
        let learned: Vec<f64> = serde_json::from_value(outcome["learned"].clone()).unwrap();
        let mut params = Params::DEFAULT;
        job.apply(&learned, &mut params).unwrap();
        assert!(slots.read(&params).iter().zip(&learned).all(|(read, value)| (read - value).abs() <= 0.005));
    }
}

#[test]
fn an_engine_that_cannot_be_started_is_named() {
    let engine = "uci:./no-such-engine".parse().unwrap();
    let examined = Examined { engine, examination: plywise_arena::engine::Examination::Uci };
    let job = extensions(Way::Offline { engine: Some(examined), prices: true }, &Slots::BY_CLASS);
    let silent = |_: extensions::Event| {};
    let refused = job.run(&built_in("chess"), &Workplace::local(1, &Signal::new()), &silent).unwrap_err();
    assert!(refused.to_string().starts_with("no-such-engine cannot be examined"), "{refused}");
}
