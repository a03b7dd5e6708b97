//! The checks of an engine that speaks UCI.

mod options;

use super::super::info::Info;
use super::super::uci::{self, position_command};
use super::positions::{self, CASTLING, CASTLING_960};
use super::probe::{Answer, Probe};
use super::{EngineCheck, Seen, Sheet, best_of_three, ms};
use crate::player::{Fault, FaultKind};
use options::{Declared, Kind};
use plywise_game::Side;
use plywise_game::notation::excerpt;
use plywise_host::{AnyPosition, Style};
use std::time::Duration;

/// What an engine is asked in one check.
type Question = fn(&mut Examined) -> Result<Seen, Fault>;

/// The checks in their order, by the names that results have. One engine serves them until it fails.
const CHECKS: &[(&str, Question)] = &[
    ("option values", option_values),
    ("unknown words", unknown_words),
    ("first move", first_move),
    ("go depth", go_depth),
    ("go nodes", go_nodes),
    ("go movetime", go_movetime),
    ("clock", clock),
    ("increment", increment),
    ("own clock", own_clock),
    ("movestogo", moves_to_go),
    ("go infinite", go_infinite),
    ("isready in search", ready_in_search),
    ("stop", stop),
    ("ponder", ponder),
    ("searchmoves", search_moves),
    ("go mate", go_mate),
    ("lines", lines),
    ("mate scores", mate_scores),
    ("odd positions", odd_positions),
    ("game over", game_over),
    ("long game", long_game),
    ("castling", castling),
    ("Chess960", chess960),
    ("MultiPV", multi_pv),
    ("determinism", determinism),
    ("memory", memory),
    ("output", output),
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
    let greeting = greet(&mut probe, check);
    let said = match greeting {
        Ok(said) => said,
        Err(fault) => {
            sheet.add("handshake", Err(fault));
            return Ok(None);
        }
    };
    sheet.add("handshake", Ok(Seen::sound(format!("uciok after {}", ms(said.took)))));
    let value = |key: &str| said.before.iter().find_map(|line| line.strip_prefix(key)).map(str::trim);
    let name = value("id name ").map(str::to_owned);
    sheet.add(
        "identity",
        Ok(match (&name, value("id author ")) {
            (Some(name), Some(author)) => Seen::sound(format!("{name}, by {author}")),
            (None, _) => Seen::odd("it gives no name (id name)"),
            (_, None) => Seen::odd("it names no author (id author)"),
        }),
    );
    let declarations: Vec<String> =
        said.before.iter().filter(|line| line.split(' ').next() == Some("option")).cloned().collect();
    sheet.add("options", Ok(options::judge(&declarations)));
    drop(probe);
    let mut examined = Examined {
        check,
        declared: declarations.iter().filter_map(|line| Declared::read(line).ok()).collect(),
        probe: None,
        strange: None,
        middle: positions::middle(check.game),
    };
    if let Err(fault) = examined.probe() {
        sheet.add("isready", Err(fault));
        return Ok(name);
    }
    sheet.add("isready", Ok(Seen::sound("readyok")));
    for (what, question) in CHECKS {
        if sheet.stop.is_stopped() {
            break;
        }
        if !check.wants(what) {
            continue;
        }
        if !sheet.add(what, question(&mut examined)) {
            examined.probe = None;
        }
    }
    Ok(name)
}

fn greet(probe: &mut Probe, check: &EngineCheck) -> Result<Answer, Fault> {
    probe.send("uci")?;
    probe.wait(check.engine.start_timeout, "uciok", |line| line == "uciok")
}

/// An engine that is examined.
struct Examined<'a> {
    check: &'a EngineCheck<'a>,
    declared: Vec<Declared>,
    probe: Option<Probe>,
    /// A line that UCI does not know, with what is wrong with it.
    strange: Option<String>,
    /// A position of the middle of a game.
    middle: AnyPosition,
}

/// The answer to a request to search.
struct Search {
    /// The move as the engine wrote it. It is legal.
    best: String,
    answer: Answer,
    /// Whether it had to be stopped.
    was_stopped: bool,
}

impl Search {
    fn infos(&self) -> impl DoubleEndedIterator<Item = Info<'_>> {
        self.answer.before.iter().filter_map(|line| Info::read(line))
    }

    /// The greatest depth and number of nodes that it told.
    fn depth(&self) -> Option<u32> {
        self.infos().filter(|info| info.pv.is_some()).filter_map(|info| info.depth).max()
    }

    fn nodes(&self) -> Option<u64> {
        self.infos().filter_map(|info| info.nodes).max()
    }

    /// The last line about the best moves.
    fn last(&self) -> Option<Info<'_>> {
        self.infos().rfind(|info| info.pv.is_some() && info.is_best() && !info.is_bound)
    }
}

fn is_best_move(line: &str) -> bool {
    line.split_whitespace().next() == Some("bestmove")
}

impl Examined<'_> {
    /// A search that should end by itself, at a small depth, and has not after this long is stopped.
    fn small_search(&self) -> Duration {
        3 * self.check.patience
    }

    /// The running engine, started anew if it is not running.
    fn probe(&mut self) -> Result<&mut Probe, Fault> {
        let probe = match self.probe.take() {
            Some(probe) => probe,
            None => Probe { connection: uci::connect(self.check.engine)?.connection, patience: self.check.patience },
        };
        Ok(self.probe.insert(probe))
    }

    /// The declared option of this name.
    fn option(&self, name: &str) -> Option<&Declared> {
        self.declared.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option if there is one of this name, and waits until the engine is ready.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        if let Some(name) = self.option(name).map(|option| option.name.clone()) {
            self.probe()?.send(&format!("setoption name {name} value {value}"))?;
        }
        self.ready().map(drop)
    }

    fn ready(&mut self) -> Result<Duration, Fault> {
        let patience = self.check.engine.start_timeout;
        let probe = self.probe()?;
        probe.connection.discard_waiting();
        probe.send("isready")?;
        Ok(probe.wait(patience, "readyok", |line| line == "readyok")?.took)
    }

    /// Searches a position. After `allowed` the engine is stopped. A move that is not legal, or not written as engines
    /// write it, is a fault.
    fn search(&mut self, position: &AnyPosition, go: &str, allowed: Duration) -> Result<Search, Fault> {
        self.search_as(position, go, allowed, Style::Engine)
    }

    fn search_as(&mut self, at: &AnyPosition, go: &str, allowed: Duration, style: Style) -> Result<Search, Fault> {
        let lines = [position_command(at, style), go.to_owned()];
        let (answer, was_stopped) = self.probe()?.ask(&lines, allowed, "stop", is_best_move)?;
        self.note_strange(&answer);
        let best = answer.line.split_whitespace().nth(1).unwrap_or_default().to_owned();
        judge_move(at, &best, style)
            .map_err(|fault| Fault { detail: format!("after '{go}': {}", fault.detail), ..fault })?;
        Ok(Search { best, answer, was_stopped })
    }

    /// Remembers the first line that the protocol does not know.
    fn note_strange(&mut self, answer: &Answer) {
        const WORDS: [&str; 8] =
            ["info", "bestmove", "id", "option", "uciok", "readyok", "copyprotection", "registration"];
        let strange = |line: &String| match Info::read(line) {
            Some(info) => info.strange.map(|word| format!("'{word}' in '{}'", excerpt(line))),
            None => {
                let word = line.split_whitespace().next()?;
                (!WORDS.contains(&word)).then(|| format!("'{}'", excerpt(line)))
            }
        };
        if self.strange.is_none() {
            self.strange = answer.before.iter().find_map(strange);
        }
    }

    /// The names of the clock of the side to move and of the other one, and of their increments.
    fn clock_names(position: &AnyPosition) -> [&'static str; 4] {
        match position.side_to_move() {
            Side::First => ["wtime", "btime", "winc", "binc"],
            Side::Second => ["btime", "wtime", "binc", "winc"],
        }
    }
}

/// Whether a move is legal, and written as engines write it.
fn judge_move(position: &AnyPosition, text: &str, style: Style) -> Result<(), Fault> {
    let illegal = |problem: String| Fault::new(FaultKind::IllegalMove, problem);
    let place = position.text();
    match position.parse_move(text) {
        Err(problem) => Err(illegal(format!("'{}' in {place}: {problem}", excerpt(text)))),
        Ok(mv) => match position.write_move_as(mv, style) {
            written if written == text => Ok(()),
            written => Err(illegal(format!("'{}' in {place} is written '{written}'", excerpt(text)))),
        },
    }
}

fn option_values(examined: &mut Examined) -> Result<Seen, Fault> {
    let (mut count, middle) = (0, examined.middle.clone());
    for option in examined.declared.clone() {
        let after =
            |fault: Fault, command: &str| Fault { detail: format!("after '{command}': {}", fault.detail), ..fault };
        for command in option.commands() {
            let set = examined.probe()?.send(&command).and_then(|()| examined.ready());
            set.map_err(|fault| after(fault, &command))?;
            let style = match (option.name.as_str(), command.ends_with(" true")) {
                ("UCI_Chess960", true) => Style::Chess960,
                _ => Style::Engine,
            };
            let searched = examined.search_as(&middle, "go depth 1", examined.small_search(), style);
            searched.map_err(|fault| after(fault, &command))?;
            count += 1;
        }
    }
    // What an option has changed is not to spoil what follows.
    examined.probe = None;
    Ok(match count {
        0 => Seen::skipped("it declares no options"),
        _ => Seen::sound(format!("{count} values set, each with a search after it")),
    })
}

fn unknown_words(examined: &mut Examined) -> Result<Seen, Fault> {
    for line in
        ["", "xyzzy", "joho debug on", "setoption name No Such Option value 1", "position", "go nowhere-fast depth 1"]
    {
        examined.probe()?.send(line)?;
    }
    // The last one may be taken for a search.
    examined.probe()?.send("stop")?;
    examined.ready()?;
    Ok(Seen::sound("ignored"))
}

fn first_move(examined: &mut Examined) -> Result<Seen, Fault> {
    let start = examined.check.game.start();
    examined.probe()?.send("ucinewgame")?;
    examined.ready()?;
    let found = examined.search(&start, "go depth 1", examined.small_search())?;
    let again = examined.probe()?.listen(A_WHILE, is_best_move)?;
    Ok(match again {
        Some(_) => Seen::faulty("it answers twice to one 'go'"),
        None => Seen::sound(found.best),
    })
}

fn go_depth(examined: &mut Examined) -> Result<Seen, Fault> {
    let mut seen = Seen::sound("1, 2 and 4 plies");
    for position in [examined.check.game.start(), examined.middle.clone()] {
        for depth in [1, 2, 4] {
            let found = examined.search(&position, &format!("go depth {depth}"), examined.small_search())?;
            seen = seen.or(match found.depth() {
                _ if found.was_stopped => Seen::faulty(format!("'go depth {depth}' does not end")),
                None => Seen::odd("it does not tell its depth"),
                Some(told) if told > depth => Seen::faulty(format!("{told} plies instead of {depth}")),
                Some(_) => Seen::sound(""),
            });
        }
    }
    Ok(seen)
}

fn go_nodes(examined: &mut Examined) -> Result<Seen, Fault> {
    let (mut seen, mut told) = (Seen::sound(""), Vec::new());
    let middle = examined.middle.clone();
    for limit in [1_u64, 5_000, 50_000] {
        let found = examined.search(&middle, &format!("go nodes {limit}"), examined.check.patience)?;
        let nodes = found.nodes();
        seen = seen.or(match nodes {
            _ if found.was_stopped => Seen::faulty(format!("'go nodes {limit}' does not end")),
            None => Seen::odd("it does not tell how many nodes it has searched"),
            Some(nodes) if nodes > 2 * limit + uci::NODES_BETWEEN_LOOKS => {
                Seen::faulty(format!("{nodes} nodes instead of {limit}"))
            }
            Some(nodes) if nodes > limit + limit / 10 + 100 => Seen::odd(format!("{nodes} nodes instead of {limit}")),
            Some(nodes) if 10 * nodes < limit => Seen::odd(format!("{nodes} nodes instead of {limit}")),
            Some(_) => Seen::sound(""),
        });
        told.push(format!("{} of {limit}", nodes.map_or("?".into(), |nodes| nodes.to_string())));
    }
    Ok(if seen.detail.is_empty() { Seen::sound(told.join(", ")) } else { seen })
}

/// A search under a limit of time: it may take `allowed`, and the margin.
fn timed(examined: &mut Examined, at: &AnyPosition, go: &str, allowed: Duration) -> Result<Seen, Fault> {
    let margin = examined.check.margin;
    best_of_three(|| {
        let found = examined.search(at, go, allowed + examined.check.patience)?;
        let took = found.answer.took;
        let detail = format!("{} of {}", ms(took), ms(allowed));
        Ok(match took <= allowed + margin {
            true => Seen::sound(detail),
            false => Seen::faulty(format!("'{go}': {detail}")),
        })
    })
}

fn go_movetime(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    timed(examined, &middle, "go movetime 200", Duration::from_millis(200))
}

/// A search by a clock, of which it should not use more than half for one move.
fn by_clock(examined: &mut Examined, at: &AnyPosition, go: &str, left: u64) -> Result<Seen, Fault> {
    let left = Duration::from_millis(left);
    let seen = timed(examined, at, go, left)?;
    if seen.is_faulty() {
        return Ok(seen);
    }
    let thrifty = timed(examined, at, go, left / 2)?;
    Ok(match thrifty.is_faulty() {
        true => Seen::odd(format!("it uses more than half of its clock for one move: {}", seen.detail)),
        false => seen,
    })
}

fn clock(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let [own, other, ..] = Examined::clock_names(&middle);
    let seen = by_clock(examined, &middle, &format!("go {own} 1000 {other} 1000"), 1000)?;
    let hurried = timed(examined, &middle, &format!("go {own} 20 {other} 1000"), Duration::from_millis(20))?;
    Ok(seen.or(hurried))
}

fn increment(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let [own, other, added, others] = Examined::clock_names(&middle);
    let go = format!("go {own} 200 {other} 200 {added} 100 {others} 100");
    timed(examined, &middle, &go, Duration::from_millis(200))
}

fn own_clock(examined: &mut Examined) -> Result<Seen, Fault> {
    let (middle, mut seen) = (examined.middle.clone(), Seen::sound("each side reads its own"));
    let before = middle.at(middle.plies().saturating_sub(1));
    for position in [middle, before] {
        let [own, other, ..] = Examined::clock_names(&position);
        let go = format!("go {own} 300 {other} 900000");
        let took = timed(examined, &position, &go, Duration::from_millis(300))?;
        seen = seen.or(match took.is_faulty() {
            true => Seen::faulty(format!("with 0.3 s against 900 s it takes too long: {}", took.detail)),
            false => Seen::sound(""),
        });
    }
    Ok(seen)
}

fn moves_to_go(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let [own, other, ..] = Examined::clock_names(&middle);
    let last = format!("go {own} 400 {other} 400 movestogo 1");
    let last = timed(examined, &middle, &last, Duration::from_millis(400))?;
    let many = format!("go {own} 2000 {other} 2000 movestogo 20");
    Ok(by_clock(examined, &middle, &many, 2000)?.or(last))
}

/// Sets the engine to a search without an end.
fn begin_infinite(examined: &mut Examined, position: &AnyPosition, go: &str) -> Result<(), Fault> {
    let setup = position_command(position, Style::Engine);
    let probe = examined.probe()?;
    probe.connection.discard_waiting();
    probe.send(&setup)?;
    probe.send(go)
}

/// Stops a search and reads its move.
fn stop_search(examined: &mut Examined, position: &AnyPosition) -> Result<Duration, Fault> {
    let probe = examined.probe()?;
    probe.send("stop")?;
    let answer = probe.wait(probe.patience, "bestmove after 'stop'", is_best_move)?;
    examined.note_strange(&answer);
    judge_move(position, answer.line.split_whitespace().nth(1).unwrap_or_default(), Style::Engine)?;
    Ok(answer.took)
}

fn go_infinite(examined: &mut Examined) -> Result<Seen, Fault> {
    // A search that has found all there is must wait all the same.
    let decided = positions::mates(examined.check.game).into_iter().map(|(position, _)| position).take(2);
    for position in decided.chain([examined.middle.clone()]).collect::<Vec<_>>() {
        begin_infinite(examined, &position, "go infinite")?;
        if examined.probe()?.listen(2 * A_WHILE, is_best_move)?.is_some() {
            return Ok(Seen::faulty(format!("it answers before 'stop' in {}", position.text())));
        }
        stop_search(examined, &position)?;
    }
    Ok(Seen::sound("it waits for 'stop'"))
}

fn ready_in_search(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    begin_infinite(examined, &middle, "go infinite")?;
    let patience = examined.check.patience;
    let probe = examined.probe()?;
    probe.listen(A_WHILE, |_| false)?;
    probe.send("isready")?;
    let answer = probe.wait(patience, "readyok while it searches", |line| line == "readyok")?;
    if answer.before.iter().any(|line| is_best_move(line)) {
        return Ok(Seen::faulty("'isready' ends the search"));
    }
    stop_search(examined, &middle)?;
    Ok(Seen::sound(format!("readyok after {}", ms(answer.took))))
}

fn stop(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    // At once, when the search may not have begun.
    begin_infinite(examined, &middle, "go infinite")?;
    stop_search(examined, &middle)?;
    let margin = examined.check.margin;
    best_of_three(|| {
        begin_infinite(examined, &middle, "go infinite")?;
        examined.probe()?.listen(A_WHILE, |_| false)?;
        let took = stop_search(examined, &middle)?;
        Ok(match took {
            took if took <= margin => Seen::sound(format!("bestmove after {}", ms(took))),
            took if took <= Duration::from_secs(1) => Seen::odd(format!("bestmove only after {}", ms(took))),
            took => Seen::faulty(format!("bestmove only after {}", ms(took))),
        })
    })
}

fn ponder(examined: &mut Examined) -> Result<Seen, Fault> {
    if examined.option("Ponder").is_none() {
        return Ok(Seen::skipped("it does not declare the option Ponder"));
    }
    let middle = examined.middle.clone();
    let [own, other, ..] = Examined::clock_names(&middle);
    let go = format!("go ponder {own} 1000 {other} 1000");
    for end in ["stop", "ponderhit"] {
        begin_infinite(examined, &middle, &go)?;
        let probe = examined.probe()?;
        if probe.listen(2 * A_WHILE, is_best_move)?.is_some() {
            return Ok(Seen::faulty("it answers before 'ponderhit'"));
        }
        probe.send(end)?;
        let answer = probe.wait(Duration::from_secs(1) + probe.patience, "bestmove after pondering", is_best_move)?;
        judge_move(&middle, answer.line.split_whitespace().nth(1).unwrap_or_default(), Style::Engine)?;
        if answer.took > Duration::from_secs(1) + examined.check.margin {
            return Ok(Seen::faulty(format!("{} after '{end}' with 1 s on its clock", ms(answer.took))));
        }
    }
    Ok(Seen::sound("it waits for 'ponderhit' and 'stop'"))
}

fn search_moves(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let best = examined.search(&middle, "go depth 3", examined.small_search())?.best;
    let moves = middle.legal_moves().into_iter().map(|mv| middle.write_move_as(mv, Style::Engine));
    let others: Vec<String> = moves.filter(|mv| *mv != best).collect();
    let [first, .., last] = &others[..] else { return Ok(Seen::skipped("there are too few moves")) };
    for wanted in [vec![first], vec![last], vec![first, last]] {
        let list = wanted.iter().map(|mv| mv.as_str()).collect::<Vec<_>>().join(" ");
        let found = examined.search(&middle, &format!("go depth 3 searchmoves {list}"), examined.small_search())?;
        if !wanted.contains(&&found.best) {
            return Ok(Seen::faulty(format!("{} instead of one of: {list}", found.best)));
        }
    }
    Ok(Seen::sound("only these are played"))
}

fn go_mate(examined: &mut Examined) -> Result<Seen, Fault> {
    let mates = positions::mates(examined.check.game);
    let Some((position, moves)) = mates.iter().find(|(_, moves)| *moves == 2) else {
        return Ok(Seen::skipped("for chess only"));
    };
    let found = examined.search(position, &format!("go mate {moves}"), examined.check.patience)?;
    let mate = found.infos().filter(|info| info.is_best()).filter_map(|info| info.mate).next_back();
    Ok(match mate {
        _ if found.was_stopped => Seen::odd(format!("'go mate {moves}' does not end by itself")),
        Some(mate) if mate == *moves => Seen::sound("a mate in 2 is found"),
        _ => Seen::odd(format!("it ends without the mate in {moves}")),
    })
}

fn lines(examined: &mut Examined) -> Result<Seen, Fault> {
    let odd = positions::odd(examined.check.game).into_iter().map(|odd| odd.position).take(6);
    let (mut seen, mut count) = (Seen::sound(""), 0);
    for position in [examined.check.game.start(), examined.middle.clone()].into_iter().chain(odd) {
        let found = examined.search(&position, "go depth 5", examined.small_search())?;
        for info in found.infos() {
            let mut after = position.clone();
            for (ply, mv) in info.pv.unwrap_or_default().split_whitespace().enumerate() {
                if after.play_text(mv).is_err() {
                    let place = position.text();
                    return Ok(Seen::faulty(format!(
                        "move {} of a pv is illegal: '{}' in {place}",
                        ply + 1,
                        excerpt(mv)
                    )));
                }
            }
            count += usize::from(info.pv.is_some());
        }
        seen = seen.or(match found.last().map(|info| info.first_move().map(str::to_owned)) {
            None => Seen::odd("it shows no pv"),
            Some(first) if first.as_ref() == Some(&found.best) => Seen::sound(""),
            Some(first) => Seen::faulty(format!(
                "it plays {}, but its pv begins with {} in {}",
                found.best,
                first.unwrap_or_default(),
                position.text()
            )),
        });
    }
    Ok(if seen.detail.is_empty() {
        Seen::sound(format!("{count} lines are legal and begin with the move played"))
    } else {
        seen
    })
}

fn mate_scores(examined: &mut Examined) -> Result<Seen, Fault> {
    let mates = positions::mates(examined.check.game);
    if mates.is_empty() {
        return Ok(Seen::skipped("for chess only"));
    }
    let mut seen = Seen::sound(format!("{} mates are announced as they are", mates.len()));
    for (position, truth) in mates {
        let found =
            examined.search(&position, &format!("go depth {}", 2 * truth.abs() + 4), examined.small_search())?;
        let place = position.text();
        for info in found.infos().filter(|info| !info.is_bound) {
            let Some(told) = info.mate else { continue };
            // Of several lines the others may be worse.
            let is_false = told.signum() != truth.signum() && info.is_best()
                || told.signum() == truth.signum() && told.unsigned_abs() < truth.unsigned_abs();
            if is_false {
                return Ok(Seen::faulty(format!("it announces mate in {told} where it is {truth}: {place}")));
            }
        }
        seen = seen.or(match found.last().and_then(|info| info.mate) {
            Some(told) if told == truth => Seen::sound(""),
            Some(told) => Seen::odd(format!("mate in {told} where it is {truth}: {place}")),
            None => Seen::odd(format!("the mate in {truth} is not announced as 'score mate': {place}")),
        });
    }
    Ok(seen)
}

fn odd_positions(examined: &mut Examined) -> Result<Seen, Fault> {
    let (odd, mut seen) = (positions::odd(examined.check.game), Seen::sound(""));
    for place in &odd {
        let found = examined.search(&place.position, "go depth 4", examined.small_search());
        let found = found.map_err(|fault| Fault { detail: format!("{}: {}", place.what, fault.detail), ..fault })?;
        if found.was_stopped {
            seen = seen.or(Seen::odd(format!("{}: 'go depth 4' does not end", place.what)));
        }
    }
    Ok(if seen.detail.is_empty() { Seen::sound(format!("legal moves in {} of them", odd.len())) } else { seen })
}

fn game_over(examined: &mut Examined) -> Result<Seen, Fault> {
    let over = positions::over(examined.check.game);
    let (mut seen, mut said) = (Seen::skipped("no such position is at hand"), Vec::new());
    for place in &over {
        begin_infinite(examined, &place.position, "go depth 2")?;
        let probe = examined.probe()?;
        let mut answer = probe.listen(2 * A_WHILE, is_best_move)?;
        if answer.is_none() {
            probe.send("stop")?;
            answer = probe.listen(2 * A_WHILE, is_best_move)?;
        }
        examined.ready().map_err(|fault| Fault { detail: format!("{}: {}", place.what, fault.detail), ..fault })?;
        let answered = answer.map(|answer| answer.line.split_whitespace().nth(1).unwrap_or_default().to_owned());
        seen = seen.or(match answered.as_deref() {
            Some("(none)" | "0000" | "none" | "NULL" | "") => Seen::sound(""),
            Some(other) => Seen::odd(format!("it plays '{}' after {}", excerpt(other), place.what)),
            None => Seen::odd(format!("it says nothing to 'go' after {}", place.what)),
        });
        said.push(format!("'{}' after {}", answered.unwrap_or_default(), place.what));
    }
    Ok(if seen.detail.is_empty() { Seen::sound(said.join(", ")) } else { seen })
}

fn long_game(examined: &mut Examined) -> Result<Seen, Fault> {
    let game = positions::long_game(examined.check.game, usize::MAX);
    examined.search(&game, "go depth 2", examined.small_search())?;
    Ok(Seen::sound(format!("{} moves in one line", game.plies())))
}

/// Whether the engine understands and writes castling as the style has it.
fn castles(examined: &mut Examined, text: &str, style: Style) -> Result<Seen, Fault> {
    let Ok(start) = examined.check.game.parse_position(text) else { return Ok(Seen::skipped("for chess only")) };
    for castling in ["O-O", "O-O-O"] {
        let Ok(mv) = start.parse_move(castling) else { continue };
        let written = start.write_move_as(mv, style);
        // What it plays is judged, be it castling or, where 'searchmoves' means nothing to it, another move.
        examined.search_as(&start, &format!("go depth 2 searchmoves {written}"), examined.small_search(), style)?;
        let mut after = start.clone();
        let both = after.play_text(castling).and_then(|_| after.play_text("O-O"));
        if both.is_ok() {
            examined.search_as(&after, "go depth 3", examined.small_search(), style)?;
        }
    }
    Ok(Seen::sound("read and written"))
}

fn castling(examined: &mut Examined) -> Result<Seen, Fault> {
    castles(examined, CASTLING, Style::Engine)
}

fn chess960(examined: &mut Examined) -> Result<Seen, Fault> {
    if !examined.check.game.has_chess960() || examined.option("UCI_Chess960").is_none() {
        return Ok(Seen::skipped("it does not declare UCI_Chess960"));
    }
    examined.set("UCI_Chess960", "true")?;
    let seen = castles(examined, CASTLING_960, Style::Chess960)?.or(castles(examined, CASTLING, Style::Chess960)?);
    examined.set("UCI_Chess960", "false")?;
    Ok(seen)
}

fn multi_pv(examined: &mut Examined) -> Result<Seen, Fault> {
    match examined.option("MultiPV").map(|option| &option.kind) {
        Some(Kind::Spin { most: 3.., .. }) => {}
        _ => return Ok(Seen::skipped("it does not declare MultiPV")),
    }
    let middle = examined.middle.clone();
    let wanted = middle.legal_moves().len().min(3);
    examined.set("MultiPV", "3")?;
    let found = examined.search(&middle, "go depth 4", examined.small_search())?;
    examined.set("MultiPV", "1")?;
    let depth = found.infos().filter(|info| info.line == Some(wanted as u32)).filter_map(|info| info.depth).max();
    let mut first_moves = Vec::new();
    for line in 1..=wanted as u32 {
        let last = found.infos().rfind(|info| info.line == Some(line) && info.depth == depth && !info.is_bound);
        match last.and_then(|info| info.first_move().map(str::to_owned)) {
            Some(mv) => first_moves.push(mv),
            None => return Ok(Seen::faulty(format!("line {line} of {wanted} is missing"))),
        }
    }
    let is_twice = (1..first_moves.len()).any(|i| first_moves[..i].contains(&first_moves[i]));
    Ok(match is_twice {
        true => Seen::faulty(format!("two lines begin with the same move: {}", first_moves.join(", "))),
        false => Seen::sound(format!("{wanted} lines: {}", first_moves.join(", "))),
    })
}

fn determinism(examined: &mut Examined) -> Result<Seen, Fault> {
    let middle = examined.middle.clone();
    let mut search = |is_fresh: bool| {
        if is_fresh {
            examined.probe = None;
            examined.set("Threads", "1")?;
        }
        examined.probe()?.send("ucinewgame")?;
        examined.ready()?;
        let found = examined.search(&middle, "go depth 6", examined.small_search())?;
        Ok::<_, Fault>((found.nodes(), found.best, found.was_stopped))
    };
    let (first, second, third) = (search(true)?, search(false)?, search(true)?);
    let show = |(nodes, best, _): &(Option<u64>, String, bool)| match nodes {
        Some(nodes) => format!("{best} in {nodes} nodes"),
        None => best.clone(),
    };
    Ok(match () {
        () if first.2 => Seen::skipped("it does not end by itself at a depth"),
        () if first != third => Seen::odd(format!("two processes differ: {}, {}", show(&first), show(&third))),
        () if first != second => Seen::odd(format!(
            "after 'ucinewgame' it searches something else: {}, then {}",
            show(&first),
            show(&second)
        )),
        () => Seen::sound(format!("depth 6: {} every time", show(&first))),
    })
}

fn memory(examined: &mut Examined) -> Result<Seen, Fault> {
    const ROUNDS: usize = 30;
    /// What may grow for other reasons than a leak.
    const HARMLESS: u64 = 1 << 20;
    examined.probe = None;
    let places = [examined.check.game.start(), examined.middle.clone()];
    let mut held = Vec::new();
    for _ in 0..3 {
        for round in 0..ROUNDS {
            examined.probe()?.send("ucinewgame")?;
            examined.ready()?;
            examined.search(&places[round % 2], "go depth 3", examined.small_search())?;
        }
        let Some(memory) = examined.probe()?.connection.process().memory() else {
            return Ok(Seen::skipped("this system does not tell how much memory a process holds"));
        };
        held.push(memory);
    }
    let grown = [held[1].saturating_sub(held[0]), held[2].saturating_sub(held[1])];
    Ok(match grown.iter().all(|&bytes| bytes > HARMLESS) {
        true => Seen::faulty(format!("it grows by {} KB with every search", grown[1] / 1024 / ROUNDS as u64)),
        false => Seen::sound(format!("{} MB, no growth in {} searches", held[2] >> 20, 2 * ROUNDS)),
    })
}

fn output(examined: &mut Examined) -> Result<Seen, Fault> {
    Ok(match &examined.strange {
        None => Seen::sound("only words of the protocol"),
        Some(strange) => Seen::odd(format!("the protocol does not know {strange}")),
    })
}

/// Whether the process ends when it is made to, idle and while it searches.
fn ends(examined: &mut Examined, what: &str, make: fn(&mut Probe) -> Result<(), Fault>) -> Result<Seen, Fault> {
    let (middle, patience) = (examined.middle.clone(), examined.check.patience);
    let mut took = Vec::new();
    for is_searching in [false, true] {
        examined.probe = None;
        if is_searching {
            begin_infinite(examined, &middle, "go infinite")?;
        }
        let probe = examined.probe()?;
        probe.listen(A_WHILE, |_| false)?;
        make(probe)?;
        let Some(time) = probe.ends_within(patience) else {
            let state = if is_searching { "while it searches" } else { "while it is idle" };
            return Ok(Seen::faulty(format!("{what} {state}, it runs on for {} s at least", patience.as_secs_f64())));
        };
        took.push(ms(time));
    }
    examined.probe = None;
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
