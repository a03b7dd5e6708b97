//! Players as plain data.

use crate::toy::shared_toy;
use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::{Contender, Entrant, Limits, Who};
use plywise_game::parameters::Parameters;
use plywise_host::{AnyGame, Hosted, Setup};
use plywise_loa::Loa;
use std::sync::Arc;

fn loa() -> Arc<dyn AnyGame> {
    Arc::new(Hosted::<Loa>::new())
}

#[test]
fn players_survive_json() {
    let game = loa();
    let setup = Setup { hash: 2, ..Setup::of_profile(&*game, "best").unwrap() };
    let engine = Engine { restart: true, ..Engine::new(Protocol::Uci, "/opt/some-engine") };
    let players = [
        Entrant::of_setup(&*game, &setup, Limits::nodes(100)),
        Entrant { who: Who::Engine(engine), limits: Limits::depth(3) },
    ];
    for (player, (name, hash)) in players.into_iter().zip([("best", 2), ("some-engine", 0)]) {
        let text = serde_json::to_string(&player).unwrap();
        let mut read: Entrant = serde_json::from_str(&text).unwrap();
        if let Some(engine) = read.engine_mut() {
            assert!(!engine.admitted && engine.enter().is_err(), "what comes from elsewhere is not started");
            engine.admitted = true;
        }
        assert_eq!(read, player, "{text}");
        assert_eq!((read.name(), read.hash(), read.engine().is_some()), (name, hash, hash == 0));
        assert_eq!(read.contender(&game).unwrap().name(), name);
    }
}

#[test]
fn a_technique_without_its_table_is_refused_before_the_first_game() {
    let game = shared_toy();
    let mut setup = Setup::of_profile(&*game, "brute").unwrap();
    setup.params.set("rank_cut.enabled", "on").unwrap();
    let player = Entrant::of_setup(&*game, &setup, Limits::nodes(100));
    let refusal = player.contender(&game).err().unwrap().to_string();
    assert!(refusal.contains("'rank_cut' needs a table"), "{refusal}");
}
