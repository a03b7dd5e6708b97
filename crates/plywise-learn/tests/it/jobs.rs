//! Jobs of learners mean the same after they were written and read.

use plywise_arena::statistics::{EloModel, Sprt};
use plywise_chess::Chess;
use plywise_host::{AnyGame, Ask, Hosted, NamedNetwork, NoFiles, Setup, WrittenSetup, ZERO_NETWORK};
use plywise_learn::{
    DataRules, Dead, Filter, ForgeData, Gather, LearnLoop, LearnPrices, LearnableGame, Question, RankQuestion,
    RealizationQuestion, SelfPlay, Settings, Table,
};
use plywise_loa::Loa;
use plywise_run::{Job, Workplace};
use plywise_search::{Limits, RankBound, Signal, params};
use std::sync::Arc;
use std::time::Duration;

fn self_play(game: &dyn AnyGame, profile: &str, openings: Vec<String>) -> SelfPlay {
    let setup = Setup { hash: 1, ..Setup::of_profile(game, profile).unwrap() };
    SelfPlay {
        player: WrittenSetup::of(game, &setup),
        limits: Limits::depth(2),
        openings,
        random_plies: 4,
        balance: None,
        to_the_end: true,
        longest: 12,
        seed: 7,
    }
}

fn gather(question: Question, until_stable: Option<f64>) -> (Arc<dyn LearnableGame>, Gather) {
    let game: Arc<dyn LearnableGame> = Arc::new(Hosted::<Loa>::new());
    let start = game.start().text();
    let play = self_play(&*game, "rankcut", vec![start]);
    let job = Gather { game: game.name().to_owned(), games: 4, play, question, until_stable };
    (game, job)
}

fn read_back<J: Job>(job: &J) -> J {
    serde_json::from_str(&serde_json::to_string(job).unwrap()).unwrap()
}

#[test]
fn what_is_gathered_follows_from_the_job_alone() {
    let (game, job) = gather(Question::Realization(RealizationQuestion), None);
    let (folder, stop) = (tempfile::tempdir().unwrap(), Signal::new());
    let run = |job: &Gather, workplace: &Workplace| job.run(&game, workplace, &|_| {}).unwrap();
    let whole = run(&job, &Workplace::local(2, &stop));
    assert!(matches!(&whole.table, Table::Realization(table) if table.classes.len() == game.move_classes()));
    assert!(whole.table.samples() > 0 && whole.games == 4);
    assert_eq!(read_back(&job), job);
    assert_eq!(run(&read_back(&job), &Workplace::local(1, &stop)), whole);
    let kept = Workplace { directory: Some(folder.path().join("run")), ..Workplace::local(1, &stop) };
    assert_ne!(run(&Gather { games: 2, ..job.clone() }, &kept), whole);
    assert_eq!(run(&job, &kept), whole, "the number of games may grow");
    let other = Gather { play: SelfPlay { seed: 8, ..job.play.clone() }, ..job };
    let refused = other.run(&game, &kept, &|_| {}).unwrap_err().to_string();
    assert!(refused.contains("its seed is 7, not 8"), "{refused}");
}

#[test]
fn rounds_end_when_nothing_moves() {
    let question =
        RankQuestion { unit: 25, bound: RankBound::Alpha, least_depth: 0, least_count: 1, single: false, early: false };
    let (game, job) = gather(Question::RankCut(question), Some(1.0));
    let gathered = job.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).unwrap();
    assert_eq!((gathered.moves.len(), gathered.is_unstable), (1, false), "no probability moves by more than 1");
    let never = Gather { until_stable: Some(0.0), ..job };
    let gathered = never.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).unwrap();
    assert_eq!((gathered.moves.len(), gathered.is_unstable), (9, true));
}

#[test]
fn a_job_of_training_data_survives_being_written() {
    let game = Hosted::<Chess>::new();
    let job = ForgeData {
        game: game.name().to_owned(),
        games: None,
        time: Some(Duration::from_secs(90)),
        play: SelfPlay { balance: Some(300), ..self_play(&game, "best", Vec::new()) },
        rules: DataRules { draw: Some(Dead { most: 8, plies: 16, from: 100 }), ..DataRules::default() },
    };
    assert_eq!(read_back(&job), job);
    let work = job.work().unwrap();
    assert_eq!((&work["command"], &work["game"], &work["seed"]), (&"forge data".into(), &"chess".into(), &7.into()));
    assert!(!work.contains_key("time"), "how long it takes decides nothing");
}

/// Two short generations of Lines of Action from a player that finds every position even.
fn generations(game: &dyn AnyGame) -> LearnLoop {
    let network = NamedNetwork::load(game, ZERO_NETWORK, &NoFiles).unwrap();
    let player = Setup { network, hash: 1, ..Setup::of_profile(game, "brute").unwrap() };
    LearnLoop {
        game: game.name().to_owned(),
        generations: 2,
        player: WrittenSetup::of(game, &player),
        limits: Limits::nodes(40),
        games: 24,
        openings: Vec::new(),
        random_plies: 6,
        balance: None,
        longest: 80,
        rules: DataRules::default(),
        window: 2,
        settings: Settings { width: 16, epochs: 1, batch: 256, ..Settings::default() },
        scale: Some(150.0),
        filter: Filter::default(),
        validation: 0.2,
        patience: 3,
        match_games: 4,
        sprt: Sprt::new(-900.0, -800.0, 0.05, 0.05, EloModel::Normalised).unwrap(),
        seed: 5,
    }
}

#[test]
fn a_loop_of_generations_is_resumed_and_its_parts_are_kept() {
    let game: Arc<dyn LearnableGame> = Arc::new(Hosted::<Loa>::new());
    let (folder, stop) = (tempfile::tempdir().unwrap(), Signal::new());
    let at = |name: &str| Workplace { directory: Some(folder.path().join(name)), ..Workplace::local(2, &stop) };
    let job = generations(&*game);
    let whole = job.run(&game, &at("whole"), &|_| {}).unwrap();
    assert_eq!(whole.generations.len(), 2);
    assert!(whole.generations[0].positions < whole.generations[1].positions, "both generations teach");

    let first = LearnLoop { generations: 1, ..job.clone() }.run(&game, &at("parts"), &|_| {}).unwrap();
    assert_eq!(first.generations, whole.generations[..1]);
    let resumed = read_back(&job).run(&game, &at("parts"), &|_| {}).unwrap();
    assert_eq!(resumed.generations, whole.generations);
    for part in ["generation-1.data", "generation-2.net", "generation-1-games/run.json", "generation-2-match/run.json"]
    {
        assert!(folder.path().join("parts").join(part).is_file(), "{part}");
    }
    if let Some(network) = whole.reigning {
        assert!(network.is_file() && network.starts_with(folder.path().join("whole")));
    }

    let homeless = job.run(&game, &Workplace::local(1, &stop), &|_| {}).unwrap_err().to_string();
    assert!(homeless.contains("a loop needs a run directory"), "{homeless}");
    let shrunk = LearnLoop { generations: 1, ..job }.run(&game, &at("whole"), &|_| {}).unwrap_err().to_string();
    assert!(shrunk.contains("2 generations already"), "{shrunk}");
}

/// Prices from four short games, of which the player explores every fourth node.
fn learn_prices(rounds: usize) -> (Arc<dyn LearnableGame>, LearnPrices) {
    let game: Arc<dyn LearnableGame> = Arc::new(Hosted::<Loa>::new());
    let mut setup = Setup { hash: 1, ..Setup::of_profile(&*game, "classic").unwrap() };
    setup.params.exploration = params::Exploration { enabled: true, share: 250 };
    let player = WrittenSetup::of(&*game, &setup);
    let play = SelfPlay { player, limits: Limits::depth(3), ..self_play(&*game, "classic", Vec::new()) };
    let (name, games) = (game.name().to_owned(), 5);
    let job =
        LearnPrices { game: name, games, play, per_depth: 200, unit: None, ablate: false, rounds, stable: 0.0001 };
    (game, job)
}

#[test]
fn learned_prices_follow_from_the_job_alone() {
    let (game, job) = learn_prices(1);
    let (folder, stop) = (tempfile::tempdir().unwrap(), Signal::new());
    let run = |job: &LearnPrices, workplace: &Workplace| job.run(&game, workplace, &|_| {}).unwrap();
    let whole = run(&job, &Workplace::local(2, &stop));
    assert_eq!(run(&read_back(&job), &Workplace::local(1, &stop)), whole);
    let kept = Workplace { directory: Some(folder.path().join("run")), ..Workplace::local(1, &stop) };
    assert_ne!(run(&LearnPrices { games: 6, ..job.clone() }, &kept).table, whole.table);
    let again = job.run(&game, &kept, &|_| {}).map(|learned| learned.table);
    assert_eq!(again.ok(), Some(whole.table.clone()), "the games that were kept are not played again");

    let bits = |source: &str| whole.losses.iter().find(|loss| loss.source == source).map(|loss| loss.bits).unwrap();
    assert!(bits("learned prices") < 0.9 * bits("base rate"), "{:?}", whole.losses);
    assert!(whole.learned > 500 && whole.held_out > 100, "{} {}", whole.learned, whole.held_out);
    // The table is one that a search takes.
    let mut setup = Setup::of_profile(&*game, "prices").unwrap();
    setup.add_table(&*game, "learned", &whole.file(game.name(), "")).unwrap();
    let search = |setup: &Setup| {
        let mut engine = game.engine(setup).unwrap();
        engine.search(&Ask::new(&game.start()), &Limits::depth(6), &stop, &mut |_| {}).nodes
    };
    let nodes = search(&setup);
    setup.params.learned_price.scale = 0;
    assert_ne!(nodes, search(&setup), "the prices change the search");
}

#[test]
fn later_rounds_search_with_the_prices_before() {
    let (game, job) = learn_prices(2);
    let learned = job.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).unwrap();
    let moved = (learned.moves.len(), learned.moves[0] > 0.0, learned.noise[0] > 0.0);
    assert_eq!(moved, (1, true, true), "{learned:?}");
    let easy = LearnPrices { stable: 1.0, rounds: 9, ..job.clone() };
    let stable = easy.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).unwrap();
    assert!(!stable.is_unstable);
    assert_eq!(stable.table, learned.table, "the second round was the last");
}

#[test]
fn prices_cannot_be_learned_from_nothing() {
    let (game, job) = learn_prices(1);
    let refused =
        |job: LearnPrices| job.run(&game, &Workplace::local(1, &Signal::new()), &|_| {}).unwrap_err().to_string();
    let setup = Setup { hash: 1, ..Setup::of_profile(&*game, "classic").unwrap() };
    let player = WrittenSetup::of(&*game, &setup);
    let blind = LearnPrices { play: SelfPlay { player, ..job.play.clone() }, ..job.clone() };
    assert_eq!(refused(blind), "prices are learned from a player that explores: switch on 'exploration'");
    let few = refused(LearnPrices { games: 2, ..job });
    assert!(few.ends_with("to test with are too few: play more games, at least 5"), "{few}");
}
