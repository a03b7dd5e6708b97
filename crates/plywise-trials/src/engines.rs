//! A match against each engine of a zoo of faults: it always ends, reports the fault, and leaves no process behind.

mod zoo;

use crate::process::Programs;
use crate::trial::{Failure, Trial};
use plywise_arena::engine::check::{EngineCheck, Verdict as CheckVerdict};
use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::matches::{Ending, Entry, Fixture, Format, GameRecord, Match, Observer, Rules};
use plywise_arena::{Action, Contender, Fault, FaultKind, Limits, Player, Reply, Thought, TimeControl, Turn};
use plywise_game::Side;
use plywise_game::random::Random;
use plywise_host::{AnyGame, AnyPosition, Hosted, Style};
use plywise_loa::Loa;
use plywise_search::Signal;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
pub use zoo::serve;

/// The word that makes the harness a faulty engine.
pub const AS_ENGINE: &str = "as-engine";

/// What a fault must come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    /// It never gets to the board.
    Start,
    /// It falls silent: sooner or later it cannot start, hangs, or oversteps its time.
    Silence,
    /// It ends in the middle of the game.
    Crash,
    /// It plays what cannot be played.
    Illegal,
    /// It claims what is not so.
    Claim,
    /// It resigns.
    Resignation,
    /// It oversteps its time, or is taken for hung.
    Late,
    /// Nothing: it is odd, but it plays.
    Nothing,
    /// Anything, as long as the match ends.
    Anything,
}

use Expected::{Anything, Claim, Crash, Illegal, Late, Nothing, Resignation, Silence, Start};
use Protocol::{Cecp, Uci};

/// The zoo: the protocol, when and what; and what must come of it.
const ZOO: &[(Protocol, &str, &str, Expected)] = &[
    // It ends, says nothing any more, or says too much, at each stage of its life.
    (Uci, "start", "exit", Start),
    (Uci, "start", "fail", Start),
    (Uci, "start", "abort", Start),
    (Uci, "start", "hang", Start),
    (Uci, "start", "flood", Start),
    (Uci, "start", "endless-line", Start),
    (Uci, "start", "half-line", Start),
    (Uci, "ready", "exit", Start),
    (Uci, "ready", "abort", Start),
    (Uci, "ready", "hang", Start),
    (Uci, "ready", "flood", Start),
    (Uci, "game", "exit", Crash),
    (Uci, "game", "hang", Silence),
    (Uci, "game", "flood", Silence),
    (Uci, "go", "exit", Crash),
    (Uci, "go", "fail", Crash),
    (Uci, "go", "abort", Crash),
    (Uci, "go", "half-line", Crash),
    (Uci, "go", "hang", Silence),
    (Uci, "go", "spin", Silence),
    (Uci, "go", "flood", Silence),
    (Uci, "go", "endless-line", Silence),
    (Uci, "later", "exit", Crash),
    (Uci, "later", "abort", Crash),
    (Uci, "later", "hang", Silence),
    (Uci, "later", "flood", Silence),
    (Cecp, "start", "exit", Start),
    (Cecp, "start", "fail", Start),
    (Cecp, "start", "abort", Start),
    (Cecp, "start", "hang", Silence),
    (Cecp, "start", "flood", Silence),
    (Cecp, "game", "exit", Crash),
    (Cecp, "game", "hang", Silence),
    (Cecp, "go", "exit", Crash),
    (Cecp, "go", "abort", Crash),
    (Cecp, "go", "half-line", Crash),
    (Cecp, "go", "hang", Silence),
    (Cecp, "go", "flood", Silence),
    (Cecp, "go", "endless-line", Silence),
    (Cecp, "later", "exit", Crash),
    (Cecp, "later", "hang", Silence),
    // It plays what cannot be played.
    (Uci, "go", "illegal", Illegal),
    (Uci, "go", "nonsense", Illegal),
    (Uci, "go", "no-move", Illegal),
    (Uci, "go", "empty-move", Illegal),
    (Uci, "go", "unicode-move", Illegal),
    (Uci, "go", "nul-move", Illegal),
    (Uci, "go", "long-move", Anything),
    (Uci, "go", "invalid-utf8-move", Illegal),
    (Uci, "later", "old-move", Illegal),
    (Uci, "later", "illegal", Illegal),
    (Cecp, "go", "illegal", Illegal),
    (Cecp, "go", "nonsense", Illegal),
    (Cecp, "later", "old-move", Illegal),
    // It claims, resigns, is late, speaks another language.
    (Cecp, "go", "claim-draw", Claim),
    (Cecp, "go", "claim-win", Claim),
    (Cecp, "later", "deny-move", Claim),
    (Cecp, "go", "resign", Resignation),
    (Uci, "go", "late", Late),
    (Cecp, "go", "late", Late),
    (Uci, "start", "echo", Start),
    (Uci, "start", "other-protocol", Start),
    (Cecp, "start", "other-protocol", Silence),
    (Cecp, "game", "wrong-pong", Silence),
    // It is odd, but it plays.
    (Uci, "go", "noise", Nothing),
    (Uci, "go", "nul-bytes", Nothing),
    (Uci, "go", "invalid-utf8", Nothing),
    (Uci, "go", "flood-then-play", Nothing),
    (Uci, "go", "huge-numbers", Nothing),
    (Uci, "go", "long-line", Nothing),
    (Uci, "go", "carriage-returns", Nothing),
    (Uci, "go", "byte-by-byte", Nothing),
    (Uci, "go", "error-flood", Nothing),
    (Uci, "go", "twice", Anything),
    (Uci, "ready", "early-move", Nothing),
    (Uci, "start", "many-options", Nothing),
    (Uci, "start", "child", Nothing),
    (Uci, "end", "hang", Nothing),
    (Uci, "end", "flood", Nothing),
    (Cecp, "end", "hang", Nothing),
    (Cecp, "start", "child", Nothing),
    (Cecp, "start", "no-features", Nothing),
    (Cecp, "start", "strange-features", Nothing),
    (Cecp, "start", "one-game", Nothing),
    (Cecp, "go", "noise", Nothing),
    (Cecp, "go", "huge-numbers", Nothing),
    (Cecp, "go", "offer-draw", Nothing),
    (Cecp, "go", "byte-by-byte", Nothing),
];

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let (programs, examiner) = (programs.clone(), programs.clone());
    // The cases go through the zoo in order, so that a run of its size meets everyone.
    let case = move |case: u64, _: &mut Random| {
        let number = case as usize % ZOO.len();
        let (protocol, stage, deed, expected) = ZOO[number];
        let name = format!("{protocol:?} {stage} {deed}");
        meet(&programs, protocol, stage, deed, expected).map_err(|problem| Failure::new(problem, name))
    };
    let size = ZOO.len() as u64;
    let zoo = Trial { group: "engines", name: "zoo".into(), short: size, long: 10 * size, case: Box::new(case) };
    let examined = move |case: u64, _: &mut Random| {
        let number = case as usize % ZOO.len();
        let (protocol, stage, deed, expected) = ZOO[number];
        let name = format!("{protocol:?} {stage} {deed}");
        examine(&examiner, protocol, stage, deed, expected).map_err(|problem| Failure::new(problem, name))
    };
    let check = Trial { group: "engines", name: "check".into(), short: size, long: size, case: Box::new(examined) };
    vec![zoo, check]
}

/// The check of an engine of the zoo, which must find a fault where the match would. It always ends, and leaves no process
/// behind.
fn examine(programs: &Programs, protocol: Protocol, stage: &str, deed: &str, expected: Expected) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (engine, runs_out) = faulty(programs, folder.path(), protocol, stage, deed, expected);
    let check = EngineCheck {
        game: &Hosted::<Loa>::new(),
        engine: &engine,
        patience: Duration::from_millis(if runs_out { 400 } else { 10_000 }),
        margin: Duration::from_millis(50),
        only: &["first move", "go depth", "go movetime", "ping", "level"].map(str::to_owned),
    };
    let diagnosis = check.run(&mut |_| {}, &Signal::new()).map_err(|fault| fault.to_string())?;
    // Over CECP every question is a new game, in which a later fault is never due.
    let is_due = !matches!(expected, Nothing | Anything) && (protocol == Uci || stage != "later");
    match zoo::survivors(folder.path()) {
        left if !left.is_empty() => Err(format!("processes are left behind: {left:?}")),
        _ if is_due && diagnosis.count(CheckVerdict::Faulty) == 0 => Err(format!("no fault is found: {diagnosis:?}")),
        _ => Ok(()),
    }
}

/// An engine of the zoo, and whether its fault is that time runs out.
fn faulty(
    programs: &Programs,
    folder: &Path,
    protocol: Protocol,
    stage: &str,
    deed: &str,
    expected: Expected,
) -> (Engine, bool) {
    // Short where time must run out, long where a busy machine must not make it run out.
    let runs_out = matches!(expected, Silence | Late)
        || matches!((expected, deed), (Start, "hang" | "flood" | "echo" | "endless-line" | "other-protocol"));
    let engine = Engine {
        name: format!("{stage} {deed}"),
        arguments: vec![AS_ENGINE.into(), folder.display().to_string(), stage.into(), deed.into()],
        start_timeout: Duration::from_millis(if runs_out && stage != "go" && stage != "later" { 1500 } else { 20_000 }),
        ..Engine::new(protocol, programs.trials().display().to_string())
    };
    (engine, runs_out)
}

/// Two games against an engine, which must come to what is expected.
fn meet(programs: &Programs, protocol: Protocol, stage: &str, deed: &str, expected: Expected) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (engine, runs_out) = faulty(programs, folder.path(), protocol, stage, deed, expected);
    let increment = Duration::from_millis(if runs_out { 300 } else { 10_000 });
    let begun = Instant::now();
    let (records, told) = play(&engine, increment)?;
    let took = begun.elapsed();
    if took > Duration::from_secs(100) {
        return Err(format!("the match took {} s", took.as_secs()));
    }
    if records.len() != 2 {
        return Err(format!("{} games of 2 were played", records.len()));
    }
    for record in &records {
        check_ending(record, expected)?;
    }
    let faults = records.iter().filter(|record| matches!(record.ending, Ending::Fault { .. })).count();
    if told != faults {
        return Err(format!("{faults} faults were told {told} times"));
    }
    match zoo::survivors(folder.path()) {
        left if left.is_empty() => Ok(()),
        left => Err(format!("processes are left behind: {left:?}")),
    }
}

fn check_ending(record: &GameRecord, expected: Expected) -> Result<(), String> {
    let engine_is_first = record.players[0] == 0;
    let kind = match &record.ending {
        Ending::Fault { first, .. } if *first != engine_is_first => {
            return Err(format!("the other player failed: {}", record.ending));
        }
        Ending::Fault { fault, .. } => Some(fault.kind),
        _ => None,
    };
    let fits = match expected {
        Start => kind == Some(FaultKind::StartFailure),
        Silence => matches!(kind, Some(FaultKind::StartFailure | FaultKind::Hang | FaultKind::TimeForfeit)),
        Late => matches!(kind, Some(FaultKind::Hang | FaultKind::TimeForfeit)),
        Crash => kind == Some(FaultKind::Crash),
        Illegal => kind == Some(FaultKind::IllegalMove),
        Claim => kind == Some(FaultKind::FalseClaim),
        Resignation => record.ending == Ending::Resignation,
        Nothing => kind.is_none(),
        Anything => true,
    };
    if fits { Ok(()) } else { Err(format!("{expected:?} was expected, but the game ended so: {}", record.ending)) }
}

/// The records of two games, and how many faults were reported as they happened.
fn play(engine: &Engine, increment: Duration) -> Result<(Vec<GameRecord>, usize), String> {
    let limits = Limits::clock(TimeControl { moves: None, base: Duration::ZERO, increment });
    let reporter = Reporter::default();
    let records = play_sound(Entry { contender: engine, limits }, &reporter)?;
    Ok((records, reporter.0.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// The records of two games of sound players, for trials that need records.
pub(crate) fn sound_records() -> Vec<GameRecord> {
    play_sound(Entry { contender: &Sound, limits: Limits::depth(1) }, &Reporter::default()).unwrap_or_default()
}

/// Two games against a sound player.
fn play_sound(entry: Entry, reporter: &Reporter) -> Result<Vec<GameRecord>, String> {
    let game = Hosted::<Loa>::new();
    let contest = Match {
        game: &game,
        entries: vec![entry, Entry { contender: &Sound, limits: Limits::depth(1) }],
        format: Format::RoundRobin,
        openings: &[game.start()],
        shuffle: false,
        games: 2,
        rules: Rules { longest: Some(8), grace: Duration::from_millis(700), ..Rules::default() },
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
    contest.run(&[], &mut keep, reporter, &Signal::new()).map_err(|error| error.to_string())?;
    Ok(records)
}

#[derive(Default)]
struct Reporter(Mutex<usize>);

impl Observer for Reporter {
    fn failed(&self, _: &Fixture, _: &str, _: &Fault) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += 1;
    }
}

/// A player that plays the last legal move at once.
struct Sound;

impl Contender for Sound {
    fn name(&self) -> &str {
        "sound"
    }

    fn enter(&self) -> Result<Box<dyn Player>, Fault> {
        Ok(Box::new(Sound))
    }
}

impl Player for Sound {
    fn begin(&mut self, _: &AnyPosition, _: Side, _: &Limits, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let position = turn.position;
        let last = position.legal_moves().last().copied();
        let mv = last.map(|mv| position.write_move_as(mv, Style::Engine)).unwrap_or_default();
        Ok(Reply { action: Action::Play(mv), elapsed: Duration::ZERO, thought: Thought::default(), offers_draw: false })
    }
}

/// The folder's files are named after processes.
pub(crate) fn leave_mark(folder: &Path, process: u32) {
    let _ = std::fs::write(folder.join(process.to_string()), "");
}
