use crate::games;
use plywise_chess::Chess;
use plywise_game::features::Sight;
use plywise_game::parameters::Parameters;
use plywise_game::{BoardGame, Game};
use plywise_host::{AnyGame, Ask, Event, Hosted, NoFiles, Setting, Setup, WrittenSetup};
use plywise_loa::Loa;
use plywise_net::{Network, NetworkEvaluation};
use plywise_search::{LearnedTable, Limits, Origin, Profile, ProfiledGame, Request, Searcher, Signal};
use std::sync::Arc;

fn setting(text: &str) -> Setting {
    text.parse().unwrap()
}

#[test]
fn an_engine_searches_as_a_searcher_does() {
    let game = Hosted::<Chess>::new();
    let setup = Setup::of_profile(&game, "best").unwrap();
    let mut depths = Vec::new();
    let start = game.start();
    let report =
        game.engine(&setup).unwrap().search(&Ask::new(&start), &Limits::depth(6), &Signal::new(), &mut |event| {
            if let Event::Progress(progress) = event {
                depths.push(progress.depth);
            }
        });

    let network = Network::read(Chess::NETWORKS[0].1, "chess", &Sight::of::<Chess>()).unwrap();
    let judge = NetworkEvaluation::<Chess>::new(Chess::evaluation(Default::default()), Some(Arc::new(network)));
    let params = Profile::named("best").unwrap().params(ProfiledGame::of::<Chess>()).unwrap();
    let mut searcher = Searcher::<Chess, _>::new(params, judge, 64).unwrap();
    let typed = searcher.search(&Request::new(Chess::start()), &Limits::depth(6), &Signal::new(), &mut ());
    assert_eq!((report.nodes, report.score()), (typed.nodes, typed.score()));
    let codes: Vec<u16> = typed.lines[0].pv.iter().map(|&mv| Chess::move_code(mv)).collect();
    assert_eq!(report.lines[0].pv.iter().map(|mv| mv.0).collect::<Vec<_>>(), codes);
    assert_eq!(depths.last(), Some(&6));
}

#[test]
fn an_engine_finds_nothing_in_another_game() {
    let [chess, loa]: [Box<dyn AnyGame>; 2] = [Box::new(Hosted::<Chess>::new()), Box::new(Hosted::<Loa>::new())];
    let setup = Setup::of_profile(&*chess, "classic").unwrap();
    let mut engine = chess.engine(&setup).unwrap();
    let report = engine.search(&Ask::new(&loa.start()), &Limits::depth(2), &Signal::new(), &mut |_| {});
    assert_eq!((report.nodes, report.best_move()), (0, None));
    assert_eq!(chess.evaluate(&setup, &loa.start()), None);
}

#[test]
fn every_profile_makes_an_engine_in_every_game() {
    for game in games() {
        for profile in Profile::built_in() {
            let mut setup = Setup::of_profile(&*game, &profile.name).unwrap();
            setup.hash = 1;
            assert!(game.engine(&setup).is_ok(), "{} {}", game.name(), profile.name);
        }
    }
}

#[test]
fn settings_reach_the_search_the_evaluation_and_the_network() {
    let game = Hosted::<Chess>::new();
    let mut setup = Setup::of_profile(&game, "best").unwrap();
    let mut apply = |text| setup.apply(&game, &setting(text), &NoFiles).map_err(|error| error.to_string());
    assert_eq!(apply("null_move=off"), Ok(()));
    assert_eq!(apply("evaluation.material.middlegame.0=90"), Ok(()));
    assert_eq!(apply("evaluation.network=off"), Ok(()));
    assert!(apply("evaluation.network=missing.net").unwrap_err().contains("missing.net"));
    let unknown = apply("null_move.reductoin=3").unwrap_err();
    assert_eq!(unknown, "unknown parameter 'null_move.reductoin'; the nearest is 'null_move.reduction'");
    assert!(apply("evaluation.material.middlegame.0=x").unwrap_err().starts_with("evaluation.material.middlegame.0 "));
    assert!(!setup.params.null_move.on() && setup.network.is_none());
    assert_eq!(setup.weights.get("material.middlegame.0"), Ok(90));
    assert_eq!(game.explain_network(&setup, &game.start()), None);
    let value = game.explain(&setup, &game.start()).unwrap().value;
    assert_eq!(game.evaluate(&setup, &game.start()), Some(value.round() as i32));
}

#[test]
fn what_one_search_found_does_not_reach_the_next_after_forgetting() {
    let game = Hosted::<Loa>::new();
    let setup = Setup::of_profile(&game, "best").unwrap();
    let mut engine = game.engine(&setup).unwrap();
    let (start, limits) = (game.start(), Limits::depth(4));
    let nodes: Vec<u64> = (0..3)
        .map(|_| {
            engine.forget();
            assert!(engine.is_fresh());
            engine.search(&Ask::new(&start), &limits, &Signal::new(), &mut |_| {}).nodes
        })
        .collect();
    assert!(nodes[0] > 0 && nodes.iter().all(|&count| count == nodes[0]), "{nodes:?}");
}

#[test]
fn a_setup_survives_being_written_down() {
    for game in games() {
        for profile in ["best", "classic", "erps", "minimax"] {
            let mut setup = Setup::of_profile(&*game, profile).unwrap();
            setup.params.set("null_move.reduction", "3").unwrap();
            setup.threads = 2;
            setup.hash = 5;
            let written = WrittenSetup::of(&*game, &setup);
            let sent = serde_json::to_string(&written).unwrap();
            let received: WrittenSetup = serde_json::from_str(&sent).unwrap();
            let read = received.read(&*game).unwrap();
            assert_eq!((&read.name, &read.params, &read.weights), (&setup.name, &setup.params, &setup.weights));
            assert_eq!((read.network_name(), read.threads, read.hash), (setup.network_name(), 2, 5));
            let digest = |setup: &Setup| setup.network.as_ref().map(|named| named.network.digest());
            assert_eq!(digest(&read), digest(&setup));
            assert_eq!(WrittenSetup::of(&*game, &read), written);
        }
    }
}

#[test]
fn a_table_from_a_file_travels_with_its_setup() {
    let game = Hosted::<Loa>::new();
    let mut setup = Setup::of_profile(&game, "rankcut").unwrap();
    let built_in = game.knowledge(&setup).unwrap().rank_cut.unwrap();
    let origin = Origin { game: "loa".into(), settings: "a test".into(), samples: 1 };
    setup.add_table(&game, "a.toml", &built_in.write(&origin)).unwrap();
    let read = WrittenSetup::of(&game, &setup).read(&game).unwrap();
    assert_eq!(read.tables.rank_cut.as_deref(), Some(&*built_in));
    // A setup of another game is refused: its table is not of this one.
    assert!(WrittenSetup::of(&game, &setup).read(&Hosted::<Chess>::new()).is_err());
}
