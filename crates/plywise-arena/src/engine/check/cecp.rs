//! The checks of an engine that speaks CECP.

use super::super::cecp::{self, Features, Said, time_commands};
use super::positions;
use super::probe::{Answer, Probe};
use super::{EngineCheck, Seen, Sheet, best_of_three, ms};
use crate::player::{Fault, FaultKind};
use plywise_game::notation::excerpt;
use plywise_game::score;
use plywise_host::{AnyPosition, Style};
use plywise_search::{Clock, Limits, TimeControl};
use std::time::Duration;

/// What an engine is asked in one check.
type Question = fn(&mut Examined) -> Result<Seen, Fault>;

/// The checks in their order, by the names that results have. One engine serves them until it fails.
const CHECKS: &[(&str, Question)] = &[
    ("features", features),
    ("ping", ping),
    ("unknown words", unknown_words),
    ("first move", first_move),
    ("sd", depth),
    ("st", move_time),
    ("level", level),
    ("?", move_now),
    ("illegal moves", illegal_moves),
    ("thinking output", thinking),
    ("mate scores", mate_scores),
    ("odd positions", odd_positions),
    ("long game", long_game),
    ("determinism", determinism),
    ("memory", memory),
    ("quit", quit),
    ("end of input", end_of_input),
];

/// The names of the checks that can be chosen.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|(name, _)| *name)
}

/// A running search is let run for this long before something is done to it.
const A_WHILE: Duration = Duration::from_millis(150);

/// Checks an engine: the name that it gives itself.
pub(super) fn check(check: &EngineCheck, sheet: &mut Sheet) -> Result<Option<String>, Fault> {
    // A program that is not there cannot be checked; whatever else goes wrong is a finding.
    let mut probe = Probe::open(check.engine, check.patience)?;
    let said = match greet(&mut probe, check) {
        Ok(said) => said,
        Err(fault) => {
            sheet.add("handshake", Err(fault));
            return Ok(None);
        }
    };
    let name = said.as_ref().and_then(|said| {
        let (_, rest) = said.before.iter().chain([&said.line]).find_map(|line| line.split_once("myname=\""))?;
        Some(rest.split('"').next().unwrap_or_default().to_owned())
    });
    sheet.add(
        "handshake",
        Ok(match &said {
            Some(said) => Seen::sound(format!("done=1 after {}", ms(said.took))),
            None => Seen::odd("no 'feature … done=1' within 2 s: it speaks version 1 of the protocol"),
        }),
    );
    drop(probe);
    let mut examined = Examined { check, running: None, middle: positions::middle(check.game) };
    for (what, question) in CHECKS {
        if sheet.stop.is_stopped() {
            break;
        }
        if !check.wants(what) {
            continue;
        }
        if !sheet.add(what, question(&mut examined)) {
            examined.running = None;
        }
    }
    Ok(name)
}

/// The last of the engine's features; `None` if it sends none.
fn greet(probe: &mut Probe, check: &EngineCheck) -> Result<Option<Answer>, Fault> {
    probe.send("xboard")?;
    probe.send("protover 2")?;
    let is_done = |line: &str| line.starts_with("feature") && line.contains("done=1");
    match probe.listen(cecp::FIRST_FEATURE, |line| line.starts_with("feature"))? {
        None => Ok(None),
        Some(first) if is_done(&first.line) => Ok(Some(first)),
        Some(first) => {
            let mut last = probe.wait(check.engine.start_timeout, "feature done=1", is_done)?;
            last.before.extend(first.before.into_iter().chain([first.line]));
            Ok(Some(last))
        }
    }
}

/// An engine that is examined.
struct Examined<'a> {
    check: &'a EngineCheck<'a>,
    running: Option<(Probe, Features)>,
    /// A position of the middle of a game.
    middle: AnyPosition,
}

/// What an engine answered to `go`.
struct Search {
    /// The move as the engine wrote it. It is legal.
    best: String,
    answer: Answer,
    /// Whether it had to be told to move.
    was_hurried: bool,
}

fn is_answer(line: &str) -> bool {
    matches!(cecp::read(line), Said::Move(_) | Said::Resign | Said::Result(_))
}

/// Why a position cannot be asked about.
enum Unasked {
    NoSetboard,
    Failed(Fault),
}

impl From<Fault> for Unasked {
    fn from(fault: Fault) -> Unasked {
        Unasked::Failed(fault)
    }
}

impl Examined<'_> {
    /// A search that should end by itself, at a small depth, and has not after this long is stopped.
    fn small_search(&self) -> Duration {
        3 * self.check.patience
    }

    fn running(&mut self) -> Result<&mut (Probe, Features), Fault> {
        let running = match self.running.take() {
            Some(running) => running,
            None => {
                let ready = cecp::connect(self.check.engine)?;
                (Probe { connection: ready.connection, patience: self.check.patience }, ready.features)
            }
        };
        Ok(self.running.insert(running))
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.running()?.0.send(line)
    }

    /// Waits until the engine has dealt with all that it was sent, if it can say so.
    fn synchronise(&mut self) -> Result<Option<Duration>, Fault> {
        let patience = self.check.engine.start_timeout;
        let (probe, features) = self.running()?;
        if !features.ping {
            return Ok(None);
        }
        probe.connection.discard_waiting();
        probe.send("ping 77")?;
        Ok(Some(probe.wait(patience, "pong 77", |line| line == "pong 77")?.took))
    }

    /// The commands that set up a position for a move.
    fn set_up(&mut self, at: &AnyPosition, limits: &Limits) -> Result<Vec<String>, Unasked> {
        let (_, features) = self.running()?;
        let start = at.at(0);
        let mut lines: Vec<String> = ["new", "force", "easy", "post"].map(str::to_owned).into();
        lines.extend(time_commands(limits));
        if !start.is_start() {
            if !features.setboard {
                return Err(Unasked::NoSetboard);
            }
            lines.push(format!("setboard {}", start.text()));
        }
        lines.extend(start.write_line_as(&at.moves(), features.style()).iter().map(|mv| features.move_command(mv)));
        if let Some(clock) = limits.clock.filter(|_| features.time) {
            let left = clock.remaining.as_millis() / 10;
            lines.extend([format!("time {left}"), format!("otim {left}")]);
        }
        Ok(lines)
    }

    /// Searches a position. After `allowed` it is sent `?`, which means move now. A move that is not legal is a fault.
    fn search(&mut self, at: &AnyPosition, limits: &Limits, allowed: Duration) -> Result<Search, Unasked> {
        let mut lines = self.set_up(at, limits)?;
        lines.push("go".to_owned());
        let (probe, features) = self.running()?;
        let style = features.style();
        let (answer, was_hurried) = probe.ask(&lines, allowed, "?", is_answer)?;
        let Said::Move(best) = cecp::read(&answer.line) else {
            let detail = format!("it says '{}' instead of a move in {}", excerpt(&answer.line), at.text());
            return Err(Fault::new(FaultKind::FalseClaim, detail).into());
        };
        judge_move(at, &best, style)?;
        self.send("force")?;
        Ok(Search { best, answer, was_hurried })
    }
}

/// Whether a move is legal, and written as the engine said it would write it.
fn judge_move(position: &AnyPosition, text: &str, style: Style) -> Result<(), Fault> {
    let illegal = |problem: String| Fault::new(FaultKind::IllegalMove, problem);
    let place = position.text();
    match position.parse_move(text) {
        Err(problem) => Err(illegal(format!("'{}' in {place}: {problem}", excerpt(text)))),
        Ok(_) if style == Style::People => Ok(()),
        Ok(mv) => match position.write_move_as(mv, style) {
            written if written == text => Ok(()),
            written => Err(illegal(format!("'{}' in {place} is written '{written}'", excerpt(text)))),
        },
    }
}

/// What comes of a search, where a position that cannot be set up is no fault.
fn seen(result: Result<Seen, Unasked>) -> Result<Seen, Fault> {
    match result {
        Ok(seen) => Ok(seen),
        Err(Unasked::NoSetboard) => Ok(Seen::skipped("it cannot set up positions (it lacks the feature setboard)")),
        Err(Unasked::Failed(fault)) => Err(fault),
    }
}

fn features(examined: &mut Examined) -> Result<Seen, Fault> {
    let (_, features) = examined.running()?;
    let wanted = [("setboard", features.setboard), ("ping", features.ping), ("usermove", features.usermove)];
    let missing: Vec<&str> = wanted.iter().filter(|(_, has)| !has).map(|(name, _)| *name).collect();
    Ok(match &missing[..] {
        [] => Seen::sound("setboard, ping and usermove"),
        missing => Seen::odd(format!("it lacks {}", missing.join(", "))),
    })
}

fn ping(examined: &mut Examined) -> Result<Seen, Fault> {
    Ok(match examined.synchronise()? {
        Some(took) => Seen::sound(format!("pong after {}", ms(took))),
        None => Seen::skipped("it does not have the feature ping"),
    })
}

fn unknown_words(examined: &mut Examined) -> Result<Seen, Fault> {
    for line in ["", "xyzzy 1 2", "accepted nothing"] {
        examined.send(line)?;
    }
    examined.synchronise()?;
    Ok(Seen::sound("ignored"))
}

fn first_move(examined: &mut Examined) -> Result<Seen, Fault> {
    let start = examined.check.game.start();
    seen(examined.search(&start, &Limits::depth(1), examined.small_search()).map(|found| Seen::sound(found.best)))
}

fn depth(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    for depth in [1, 2, 4] {
        match examined.search(&middle, &Limits::depth(depth), examined.small_search()) {
            Ok(found) if found.was_hurried => return Ok(Seen::faulty(format!("'sd {depth}' does not end"))),
            Ok(_) => {}
            Err(unasked) => return seen(Err(unasked)),
        }
    }
    Ok(Seen::sound("1, 2 and 4 plies"))
}

/// A search under limits that leave it `allowed`, and the margin.
fn timed(examined: &mut Examined, limits: Limits, allowed: Duration) -> Result<Seen, Fault> {
    let (middle, margin) = (examined.middle.clone(), examined.check.margin);
    best_of_three(|| {
        let patience = allowed + examined.check.patience;
        seen(examined.search(&middle, &limits, patience).map(|found| {
            let detail = format!("{} of {}", ms(found.answer.took), ms(allowed));
            match found.answer.took <= allowed + margin {
                true => Seen::sound(detail),
                false => Seen::faulty(detail),
            }
        }))
    })
}

fn move_time(examined: &mut Examined) -> Result<Seen, Fault> {
    let time = Duration::from_secs(1);
    timed(examined, Limits { movetime: Some(time), ..Limits::default() }, time)
}

fn level(examined: &mut Examined) -> Result<Seen, Fault> {
    let control = |base, increment| {
        let increment = Duration::from_millis(increment);
        Limits::clock(TimeControl { moves: None, base: Duration::from_millis(base), increment })
    };
    let plain = timed(examined, control(2000, 0), Duration::from_secs(2))?;
    // A clock that has run down: what counts is what 'time' says.
    let clock = Clock::showing(Duration::from_millis(300), Duration::from_millis(100), None);
    let low = Limits { clock: Some(clock), ..control(60_000, 100) };
    let low = timed(examined, low, Duration::from_millis(300))?;
    Ok(match low.is_faulty() {
        true => plain.or(Seen::faulty(format!("with 0.3 s left, told by 'time': {}", low.detail))),
        false => plain,
    })
}

fn move_now(examined: &mut Examined) -> Result<Seen, Fault> {
    let (middle, margin) = (examined.middle.clone(), examined.check.margin);
    best_of_three(|| {
        let limits = Limits { movetime: Some(Duration::from_secs(30)), ..Limits::default() };
        seen(examined.search(&middle, &limits, A_WHILE).map(|found| {
            let took = found.answer.took.saturating_sub(A_WHILE);
            match took {
                _ if !found.was_hurried => Seen::sound("it moves before it is told to"),
                took if took <= margin => Seen::sound(format!("a move after {}", ms(took))),
                took if took <= Duration::from_secs(1) => Seen::odd(format!("a move only after {}", ms(took))),
                took => Seen::faulty(format!("a move only after {}", ms(took))),
            }
        }))
    })
}

fn illegal_moves(examined: &mut Examined) -> Result<Seen, Fault> {
    let start = examined.check.game.start();
    let lines = match examined.set_up(&start, &Limits::depth(1)) {
        Ok(lines) => lines,
        Err(unasked) => return seen(Err(unasked)),
    };
    lines.iter().try_for_each(|line| examined.send(line))?;
    // The first move twice is illegal the second time in the games that there are.
    let Some(&mv) = start.legal_moves().first() else { return Ok(Seen::skipped("the game has no move")) };
    let mut after = start.clone();
    let text = start.write_move_as(mv, Style::Engine);
    if after.play(mv).is_err() || after.parse_move(&text).is_ok() {
        return Ok(Seen::skipped("no move is illegal here"));
    }
    let (probe, features) = examined.running()?;
    let command = features.move_command(&text);
    probe.send(&command)?;
    probe.send(&command)?;
    let complaint = probe.listen(2 * A_WHILE, |line| cecp::read(line) == Said::Illegal)?;
    examined.synchronise()?;
    Ok(match complaint {
        Some(_) => Seen::sound("refused as illegal"),
        None => Seen::odd(format!("'{command}' is not refused where it is illegal")),
    })
}

fn thinking(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    seen(examined.search(&middle, &Limits::depth(5), examined.small_search()).map(|found| {
        let lines = found.answer.before.iter().filter(|line| matches!(cecp::read(line), Said::Thinking(_))).count();
        match lines {
            0 => Seen::odd("it shows no thinking after 'post'"),
            lines => Seen::sound(format!("{lines} lines")),
        }
    }))
}

fn mate_scores(examined: &mut Examined) -> Result<Seen, Fault> {
    let mates = positions::mates(examined.check.game);
    let mut worst = match mates.len() {
        0 => Seen::skipped("for chess only"),
        count => Seen::sound(format!("{count} mates are won or lost by their scores")),
    };
    for (position, truth) in mates {
        let found = examined.search(&position, &Limits::depth(6), examined.small_search());
        let found = match found {
            Ok(found) => found,
            Err(unasked) => return seen(Err(unasked)),
        };
        let mut scores = found.answer.before.iter().filter_map(|line| match cecp::read(line) {
            Said::Thinking(thought) => thought.score,
            _ => None,
        });
        // Engines write mates in ways of their own; none of them is a score for the other side.
        let Some(last) = scores.rfind(|score| score::is_decided(*score)) else { continue };
        if (last > 0) != (truth > 0) {
            let place = position.text();
            worst = worst.or(Seen::faulty(format!("it announces the wrong side's mate, where it is {truth}: {place}")));
        }
    }
    Ok(worst)
}

fn odd_positions(examined: &mut Examined) -> Result<Seen, Fault> {
    let (odd, mut worst) = (positions::odd(examined.check.game), Seen::sound(""));
    for place in &odd {
        match examined.search(&place.position, &Limits::depth(4), examined.small_search()) {
            Ok(found) if found.was_hurried => {
                worst = worst.or(Seen::odd(format!("{}: 'sd 4' does not end", place.what)));
            }
            Ok(_) => {}
            Err(Unasked::Failed(fault)) => {
                return Err(Fault { detail: format!("{}: {}", place.what, fault.detail), ..fault });
            }
            Err(unasked) => return seen(Err(unasked)),
        }
    }
    Ok(if worst.detail.is_empty() { Seen::sound(format!("legal moves in {} of them", odd.len())) } else { worst })
}

fn long_game(examined: &mut Examined) -> Result<Seen, Fault> {
    // Its moves are lines of their own, and no more are sent at once than an engine must take.
    let game = positions::long_game(examined.check.game, 200);
    let found = examined.search(&game, &Limits::depth(2), examined.small_search());
    seen(found.map(|_| Seen::sound(format!("{} moves", game.plies()))))
}

fn determinism(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let mut search = || {
        examined.running = None;
        let found = examined.search(&middle, &Limits::depth(6), examined.small_search())?;
        let nodes = found.answer.before.iter().rev().find_map(|line| match cecp::read(line) {
            Said::Thinking(thought) => thought.nodes,
            _ => None,
        });
        Ok::<_, Unasked>((found.best, nodes))
    };
    let both = search().and_then(|first| Ok((first, search()?)));
    seen(both.map(|(first, second)| match first == second {
        true => Seen::sound(format!("depth 6: {} every time", first.0)),
        false => Seen::odd(format!("two processes differ: {first:?}, {second:?}")),
    }))
}

fn memory(examined: &mut Examined) -> Result<Seen, Fault> {
    const ROUNDS: u64 = 20;
    /// What may grow for other reasons than a leak.
    const HARMLESS: u64 = 1 << 20;
    examined.running = None;
    let (middle, mut held) = (examined.middle.clone(), Vec::new());
    for _ in 0..3 {
        for _ in 0..ROUNDS {
            if let Err(unasked) = examined.search(&middle, &Limits::depth(3), examined.small_search()) {
                return seen(Err(unasked));
            }
        }
        let Some(memory) = examined.running()?.0.connection.process().memory() else {
            return Ok(Seen::skipped("this system does not tell how much memory a process holds"));
        };
        held.push(memory);
    }
    let grown = [held[1].saturating_sub(held[0]), held[2].saturating_sub(held[1])];
    Ok(match grown.iter().all(|&bytes| bytes > HARMLESS) {
        true => Seen::faulty(format!("it grows by {} KB with every search", grown[1] / 1024 / ROUNDS)),
        false => Seen::sound(format!("{} MB, no growth in {} searches", held[2] >> 20, 2 * ROUNDS)),
    })
}

/// Whether the process ends when it is made to, idle and while it searches.
fn ends(examined: &mut Examined, what: &str, make: fn(&mut Probe) -> Result<(), Fault>) -> Result<Seen, Fault> {
    let (start, patience) = (examined.check.game.start(), examined.check.patience);
    let mut took = Vec::new();
    for is_searching in [false, true] {
        examined.running = None;
        if is_searching {
            let limits = Limits { movetime: Some(Duration::from_secs(60)), ..Limits::default() };
            let lines = examined.set_up(&start, &limits);
            let Ok(lines) = lines else { return seen(lines.map(|_| Seen::sound(""))) };
            lines.iter().try_for_each(|line| examined.send(line))?;
            examined.send("go")?;
        }
        let (probe, _) = examined.running()?;
        probe.listen(A_WHILE, |_| false)?;
        make(probe)?;
        let Some(time) = probe.ends_within(patience) else {
            let state = if is_searching { "while it searches" } else { "while it is idle" };
            return Ok(Seen::faulty(format!("{what} {state}, it runs on for {} s at least", patience.as_secs_f64())));
        };
        took.push(ms(time));
    }
    examined.running = None;
    Ok(Seen::sound(format!("it ends after {}, and after {} while it searches", took[0], took[1])))
}

fn quit(examined: &mut Examined) -> Result<Seen, Fault> {
    ends(examined, "after 'quit'", |probe| probe.send("quit"))
}

fn end_of_input(examined: &mut Examined) -> Result<Seen, Fault> {
    ends(examined, "with its input closed", |probe| {
        probe.connection.process().close_input();
        Ok(())
    })
}
