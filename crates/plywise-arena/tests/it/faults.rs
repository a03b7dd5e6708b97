//! Every fault ends as its own verdict, loses the game and nothing more, and leaves no process behind.

use crate::fake_engine::{fake, survivors};
use crate::players::{Local, Style};
use crate::{contest, increment, openings};
use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::matches::{Ending, GameRecord, Observer, Silent};
use plywise_arena::{Contender, Fault, FaultKind, Limits};
use plywise_search::Signal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

#[derive(Default)]
struct Reporter(Mutex<Vec<(String, FaultKind)>>);

impl Observer for Reporter {
    fn failed(&self, _: &plywise_arena::matches::Fixture, name: &str, fault: &Fault) {
        self.0.lock().unwrap().push((name.to_owned(), fault.kind));
    }
}

/// Two games of an engine against a player in this process.
fn play(engine: &Engine, limits: Limits, reporter: &dyn Observer) -> Vec<GameRecord> {
    let local = Local { name: "local", style: Style::First };
    let openings = openings();
    let mut contest = contest([engine, &local], &openings, 2, 1);
    contest.entries[0].limits = limits;
    let mut records = Vec::new();
    let mut keep = |record: &GameRecord| {
        records.push(record.clone());
        Ok(())
    };
    contest.run(&[], &mut keep, reporter, &Signal::new()).unwrap();
    records
}

/// Plays two games, in both of which the engine must fail so, saying something with `detail` in it.
fn check(protocol: Protocol, behaviour: &str, kind: FaultKind, detail: &str) {
    let processes = tempfile::tempdir().unwrap();
    let reporter = Reporter::default();
    let engine = fake(protocol, behaviour, processes.path());
    let timeout = if behaviour == "silent-at-start" { 1500 } else { 10_000 };
    let engine = Engine { start_timeout: Duration::from_millis(timeout), ..engine };
    // Short where time must run out, and long where a busy machine must not make it run out.
    let runs_out = matches!(kind, FaultKind::Hang | FaultKind::TimeForfeit);
    let records = play(&engine, increment(if runs_out { 200 } else { 5000 }), &reporter);
    assert_eq!(records.len(), 2, "{behaviour}");
    for record in &records {
        let engine_moved_first = record.players[0] == 0;
        let Ending::Fault { first, fault } = &record.ending else { panic!("{behaviour}: {:?}", record.ending) };
        assert_eq!((*first, fault.kind), (engine_moved_first, kind), "{behaviour}: {fault}");
        assert!(fault.detail.contains(detail), "{behaviour}: {fault}");
        assert_eq!(record.half_points(), if engine_moved_first { 0 } else { 2 }, "{behaviour}");
    }
    assert_eq!(*reporter.0.lock().unwrap(), vec![(behaviour.to_owned(), kind); 2]);
    assert_eq!(survivors(processes.path()), [""; 0], "{behaviour}");
}

#[test]
fn dying_at_the_start_is_a_start_failure() {
    check(Protocol::Uci, "dies-at-start", FaultKind::StartFailure, "no licence found");
    check(Protocol::Cecp, "dies-at-start", FaultKind::StartFailure, "exit status 0");
}

#[test]
fn silence_at_the_start_is_a_start_failure() {
    check(Protocol::Uci, "silent-at-start", FaultKind::StartFailure, "no uciok within 1.5 s");
}

#[test]
fn dying_in_a_game_is_a_crash() {
    check(Protocol::Uci, "dies-mid-game", FaultKind::Crash, "exit status 0");
    check(Protocol::Cecp, "dies-mid-game", FaultKind::Crash, "exit status 0");
    check(Protocol::Uci, "closes-output", FaultKind::Crash, "exit status 101");
}

#[test]
fn silence_in_a_game_is_a_hang() {
    check(Protocol::Uci, "hangs", FaultKind::Hang, "no move within");
    check(Protocol::Cecp, "hangs", FaultKind::Hang, "no move within");
}

#[test]
fn a_flood_without_a_move_is_a_hang() {
    check(Protocol::Uci, "floods", FaultKind::Hang, "no move within");
    check(Protocol::Uci, "floods-one-line", FaultKind::Hang, "no move within");
}

#[test]
fn an_answer_that_comes_late_is_a_time_forfeit() {
    check(Protocol::Uci, "late", FaultKind::TimeForfeit, "s where 0.200 s were left");
    check(Protocol::Cecp, "late", FaultKind::TimeForfeit, "s where 0.200 s were left");
}

#[test]
fn impossible_moves_are_illegal() {
    check(Protocol::Uci, "illegal", FaultKind::IllegalMove, "'d4' in");
    check(Protocol::Cecp, "illegal", FaultKind::IllegalMove, "'d4' in");
    check(Protocol::Uci, "no-move", FaultKind::IllegalMove, "'(none)' in");
    check(Protocol::Uci, "invalid-utf-8-move", FaultKind::IllegalMove, "'ÿþ' in");
}

#[test]
fn wrong_claims_are_told_apart() {
    check(Protocol::Cecp, "claims-draw", FaultKind::FalseClaim, "it claimed 1/2-1/2");
}

/// The engine goes on living but listens no more.
#[test]
fn a_closed_input_is_a_crash() {
    let processes = tempfile::tempdir().unwrap();
    // Ready for a game, it takes the first position and the first request to move, and then closes its input.
    let script = format!(
        "echo > {}/$$; read uci; echo uciok; read isready; echo readyok; read ucinewgame; read isready; echo readyok; \
         read position; read go; exec 0<&-; exec sleep 3600",
        processes.path().display()
    );
    let engine = Engine { arguments: vec!["-c".into(), script], ..Engine::new(Protocol::Uci, "sh") };
    let records = play(&engine, increment(5000), &Silent);
    for record in &records {
        let Ending::Fault { fault, .. } = &record.ending else { panic!("{:?}", record.ending) };
        assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::Crash, "the engine closed its pipe"));
    }
    assert_eq!(records.len(), 2);
    assert_eq!(survivors(processes.path()), [""; 0]);
}

#[test]
fn a_program_that_does_not_exist_is_a_start_failure() {
    let engine = Engine::new(Protocol::Uci, "/nonexistent/engine");
    let Err(fault) = Contender::enter(&engine) else { panic!("it started") };
    assert_eq!(fault.kind, FaultKind::StartFailure);
    assert!(fault.detail.starts_with("cannot run '/nonexistent/engine'"), "{fault}");
}

#[test]
fn a_misspelt_option_is_a_start_failure() {
    let processes = tempfile::tempdir().unwrap();
    let enter = |name: &str| {
        let options = vec![(name.to_owned(), "16".to_owned())];
        let engine = Engine { options, ..fake(Protocol::Uci, "good", processes.path()) };
        Contender::enter(&engine).map(drop)
    };
    assert_eq!(enter("hash"), Ok(()));
    let fault = enter("Hahs").unwrap_err();
    assert_eq!(fault.to_string(), "start failure: the engine has no option 'Hahs'; the nearest is 'Hash'");
    assert_eq!(survivors(processes.path()), [""; 0]);
}

/// An engine that was started as the wrong kind says so long before its time to start is over.
#[test]
fn an_engine_of_the_other_protocol_is_told_at_once() {
    let processes = tempfile::tempdir().unwrap();
    let enter = |protocol, behaviour| {
        let begun = Instant::now();
        let engine = Engine { start_timeout: Duration::from_secs(30), ..fake(protocol, behaviour, processes.path()) };
        let fault = Contender::enter(&engine).map(drop).unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(15), "{behaviour} took {:?}", begun.elapsed());
        fault.to_string()
    };
    assert_eq!(enter(Protocol::Cecp, "uci-only"), "start failure: it speaks UCI, not CECP: write uci:COMMAND");
    assert_eq!(enter(Protocol::Uci, "version-2"), "start failure: it speaks CECP, not UCI: write cecp:COMMAND");
    assert_eq!(survivors(processes.path()), [""; 0]);
}

/// The name that an engine gives itself.
#[test]
fn engines_introduce_themselves() {
    let processes = tempfile::tempdir().unwrap();
    let name = |protocol, behaviour| fake(protocol, behaviour, processes.path()).introduce();
    assert_eq!(name(Protocol::Uci, "good"), Ok(None));
    assert_eq!(name(Protocol::Uci, "sound but nothing"), Ok(Some("sound".into())));
    assert_eq!(name(Protocol::Cecp, "good"), Ok(Some("A fake".into())));
    assert_eq!(name(Protocol::Cecp, "version-1"), Ok(None));
    assert_eq!(survivors(processes.path()), [""; 0]);
}

/// Noise is not a fault: bytes that are not text, and twenty thousand lines before a move.
#[test]
fn noise_is_forgiven() {
    for behaviour in ["good", "invalid-utf-8", "floods-then-plays"] {
        let processes = tempfile::tempdir().unwrap();
        let engine = fake(Protocol::Uci, behaviour, processes.path());
        for record in play(&engine, increment(5000), &Silent) {
            assert!(matches!(record.ending, Ending::Decided { .. }), "{behaviour}");
        }
        assert_eq!(survivors(processes.path()), [""; 0], "{behaviour}");
    }
}

/// An engine that searches on is stopped by what it says about itself, and that is remarked.
#[test]
fn an_engine_that_ignores_a_limit_of_nodes_is_stopped() {
    #[derive(Default)]
    struct Listener(Mutex<Vec<String>>);
    impl Observer for Listener {
        fn remarked(&self, name: &str, remark: &str) {
            self.0.lock().unwrap().push(format!("{name} {remark}"));
        }
    }
    let processes = tempfile::tempdir().unwrap();
    let listener = Listener::default();
    let engine = fake(Protocol::Uci, "ignores-nodes", processes.path());
    let begun = Instant::now();
    let records = play(&engine, Limits::nodes(1000), &listener);
    assert!(records.iter().all(|record| !matches!(record.ending, Ending::Fault { .. })), "{records:?}");
    assert!(begun.elapsed() < Duration::from_secs(60));
    let remarks = listener.0.into_inner().unwrap();
    let expected =
        "ignores-nodes does not keep to 1000 nodes a move: it is stopped when it says that it has searched as many";
    assert!(!remarks.is_empty() && remarks.iter().all(|remark| remark == expected), "{remarks:?}");
}

/// What an engine started ends with it.
#[test]
fn the_children_of_an_engine_do_not_survive_it() {
    check_children("with-child");
}

/// A child in a session of its own ends with it too, where the system says what processes were started with.
#[cfg(target_os = "linux")]
#[test]
fn a_child_in_another_session_does_not_survive_it() {
    check_children("with-daemon");
}

fn check_children(behaviour: &str) {
    let processes = tempfile::tempdir().unwrap();
    let engine = fake(Protocol::Uci, behaviour, processes.path());
    let player = Contender::enter(&engine).unwrap();
    assert_eq!(survivors(processes.path()).len(), 2);
    drop(player);
    // A grandchild is not waited for, and being killed takes it a moment.
    let patience = Instant::now() + Duration::from_secs(2);
    while !survivors(processes.path()).is_empty() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(survivors(processes.path()), [""; 0]);
}

/// An engine of another game is found before the first game is lost by it.
#[test]
fn an_engine_that_does_not_know_the_game_is_refused() {
    let processes = tempfile::tempdir().unwrap();
    let local = Local { name: "local", style: Style::First };
    let openings = openings();
    let try_engine = |protocol, behaviour| {
        let engine = fake(protocol, behaviour, processes.path());
        let mut contest = contest([&local, &engine], &openings, 2, 1);
        contest.entries[1].limits = increment(5000);
        contest.try_players(&Signal::new()).map_err(|error| error.to_string())
    };
    for protocol in [Protocol::Uci, Protocol::Cecp] {
        assert_eq!(try_engine(protocol, "good"), Ok(()));
        let complaint = try_engine(protocol, "illegal").unwrap_err();
        assert!(complaint.starts_with("illegal cannot play: illegal move: its first move is 'd4' in "), "{complaint}");
    }
    assert_eq!(try_engine(Protocol::Uci, "dies-mid-game"), Ok(()), "a crash is for the match to score");
    assert_eq!(survivors(processes.path()), [""; 0]);
}

/// A player for whom this machine has room twice.
struct Third(std::sync::atomic::AtomicU32);

impl Contender for Third {
    fn name(&self) -> &str {
        "local"
    }

    fn enter(&self) -> Result<Box<dyn plywise_arena::Player>, Fault> {
        match self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
            0 | 1 => Contender::enter(&Local { name: "local", style: Style::First }),
            _ => Err(Fault::new(FaultKind::NoResources, "too many open files")),
        }
    }
}

#[test]
fn our_own_lack_of_resources_is_nobodys_loss() {
    let processes = tempfile::tempdir().unwrap();
    let (third, crashing) = (Third(0.into()), fake(Protocol::Uci, "dies-at-start", processes.path()));
    let openings = openings();
    // A player that meets an engine that cannot start leaves the board and must enter again.
    let contest = plywise_arena::matches::Match {
        entries: [&third as &dyn Contender, &crashing, &third]
            .map(|contender| plywise_arena::matches::Entry { contender, limits: Limits::default() })
            .into(),
        ..contest([&third, &crashing], &openings, 4, 1)
    };
    let mut kept = Vec::new();
    let mut keep = |record: &GameRecord| {
        kept.push(record.clone());
        Ok(())
    };
    let error = contest.run(&[], &mut keep, &Silent, &Signal::new()).unwrap_err().to_string();
    assert!(error.ends_with("for this many games at the same time: too many open files"), "{error}");
    assert!(!kept.is_empty() && kept.iter().all(|game| !game.ending.to_string().contains("open files")), "{kept:?}");
}
