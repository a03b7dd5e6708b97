//! Engines that speak GTP and NBoard.

use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::matches::{Ending, Entry, Format, GameRecord, Match, Rules, Silent};
use plywise_arena::{Contender, Limits, Local};
use plywise_host::games::Othello;
use plywise_host::{AnyGame, Hosted, Setup};
use plywise_search::Signal;
use std::sync::Arc;

/// An engine in a shell: it plays the four moves that it knows for each game, or what `script` makes of it.
fn engine(protocol: Protocol, script: &str) -> Engine {
    Engine { arguments: vec!["-c".into(), script.into()], ..Engine::new(protocol, "sh") }
}

/// One game of two moves each from the start against a search in this process.
fn play(engine: &Engine) -> GameRecord {
    let game: Arc<dyn AnyGame> = Arc::new(Hosted::<Othello>::new());
    let setup = Setup { hash: 1, ..Setup::of_profile(&*game, "brute").unwrap() };
    let local = Local::new(game.clone(), setup);
    let limits = Limits::clock("60+1".parse().unwrap());
    let contest = Match {
        game: &*game,
        entries: vec![
            Entry { contender: engine as &dyn Contender, limits },
            Entry { contender: &local, limits: Limits::depth(1) },
        ],
        format: Format::RoundRobin,
        openings: &[game.start()],
        shuffle: false,
        games: 1,
        rules: Rules { longest: Some(2), ..Rules::default() },
        sprt: None,
        cores: None,
        concurrency: 1,
        seed: 1,
    };
    let mut records = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap();
    records.swap_remove(0)
}

#[test]
fn an_engine_that_speaks_gtp_plays() {
    let script = r#"while read -r word rest; do
        case "$word $rest" in
            "name ") echo "= Shell";;
            "version ") echo "= 1.0";;
            "genmove black") echo "= D3";;
            "genmove "*) echo "= PASS";;
            "play "*|"clear_board "*|"protocol_version "*) echo "=";;
            "time_settings 60 1 1"|"time_left black "*) echo "=";;
            "quit "*) exit;;
            *) echo "? unknown command";;
        esac; echo; done"#;
    let engine = engine(Protocol::Gtp, script);
    assert_eq!(engine.introduce(), Ok(Some("Shell 1.0".into())));
    let record = play(&engine);
    assert_eq!((record.moves[0].text.as_str(), &record.ending), ("d3", &Ending::TooLong), "{record:?}");
}

#[test]
fn what_gtp_cannot_do_is_refused() {
    let script = r#"while read -r word rest; do echo "="; echo; done"#;
    let mut engine = engine(Protocol::Gtp, script);
    engine.options = vec![("Hash".into(), "1".into())];
    let fault = engine.introduce().unwrap_err().to_string();
    assert_eq!(fault, "start failure: GTP has no options such as 'Hash'; write them into the command");
    engine.options.clear();
    let othello = Hosted::<Othello>::new();
    let mut player = engine.enter().unwrap();
    let (start, side) = (othello.start(), othello.start().side_to_move());
    let fault = player.begin(&start, side, &Limits::nodes(5), 1).unwrap_err().to_string();
    assert_eq!(fault, "start failure: GTP has no limit on nodes");
    let mut elsewhere = start.clone();
    elsewhere.play_text("d3").unwrap();
    let fault = player.begin(&elsewhere.alone(), side, &Limits::depth(5), 1).unwrap_err().to_string();
    assert!(fault.contains("GTP cannot set up positions"), "{fault}");
    assert!(player.remark().is_none());
    player.begin(&start, side, &Limits::depth(5), 1).unwrap();
    assert!(player.remark().unwrap().contains("is not told to search 5 plies"));
}

#[test]
fn an_engine_that_speaks_nboard_plays() {
    let script = r#"while read -r word rest; do
        case "$word $rest" in
            "nboard 2") echo "set myname Shell Board";;
            "ping "*) echo "pong $rest";;
            "go ") echo "status thinking"; echo "=== D3/1.50/0.2"; echo "status ";;
            "quit "*) exit;;
        esac; done"#;
    let engine = engine(Protocol::NBoard, script);
    assert_eq!(engine.introduce(), Ok(Some("Shell Board".into())));
    let record = play(&engine);
    assert_eq!((record.moves[0].text.as_str(), record.moves[0].thought.score), ("d3", Some(2)), "{record:?}");
}
