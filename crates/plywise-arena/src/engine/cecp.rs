//! The Chess Engine Communication Protocol, as xboard and WinBoard speak it.

mod features;

use super::connection::{Connection, Wait, while_starting};
use super::{Engine, estimate, mate};
use crate::player::{Action, Fault, FaultKind, Player, Reply, Thought, Turn};
pub(super) use features::Features;
use plywise_game::Side;
use plywise_host::AnyPosition;
use plywise_search::Limits;
use std::time::{Duration, Instant};

/// How long an engine may take to send its first feature; the protocol says two seconds. One that stays silent speaks
/// version 1.
pub(super) const FIRST_FEATURE: Duration = Duration::from_secs(2);

/// Scores beyond this announce mate: the excess is the number of moves.
const MATE_BASE: i64 = 100_000;

pub(super) struct Cecp {
    engine: Engine,
    connection: Connection,
    features: Features,
    games: u64,
    pings: u32,
    /// How many moves of the game the engine knows.
    known: usize,
    /// Whether it answers a move with a move.
    playing: bool,
    side: Side,
}

impl Cecp {
    pub(super) fn start(engine: &Engine) -> Result<Cecp, Fault> {
        let Ready { connection, features, .. } = connect(engine)?;
        let engine = engine.clone();
        Ok(Cecp { engine, connection, features, games: 0, pings: 0, known: 0, playing: false, side: Side::First })
    }

    /// Waits until the engine has dealt with all that it was sent, if it can say so.
    fn synchronise(&mut self) -> Result<(), Fault> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let (ping, pong) = (format!("ping {}", self.pings), format!("pong {}", self.pings));
        self.connection.send(&ping)?;
        self.connection.wait_for(self.engine.start_timeout, "pong", |_, line| Ok((line.text == pong).then_some(())))
    }
}

/// An engine that is ready.
pub(super) struct Ready {
    pub connection: Connection,
    /// The name that it gives itself.
    pub name: Option<String>,
    pub features: Features,
}

pub(super) fn connect(engine: &Engine) -> Result<Ready, Fault> {
    let mut connection = Connection::open(engine)?;
    let (name, features) = shake_hands(&mut connection, engine).map_err(while_starting)?;
    Ok(Ready { connection, name, features })
}

/// Whether an engine that does not know CECP knows UCI.
fn check_kind(connection: &mut Connection, patience: Duration) -> Result<(), Fault> {
    connection.send("uci")?;
    let is_uci = |line: &str| line == "uciok" || line.starts_with("id name ");
    match connection.wait_for(patience, "uciok", |_, line| Ok(is_uci(&line.text).then_some(()))) {
        Ok(()) => Err(Fault::new(FaultKind::StartFailure, "it speaks UCI, not CECP: write uci:COMMAND")),
        Err(fault) if fault.kind == FaultKind::Hang => Ok(()),
        Err(fault) => Err(fault),
    }
}

/// How long an engine that shows no features is given to say that it speaks UCI.
const OTHER_KIND: Duration = Duration::from_millis(500);

fn shake_hands(connection: &mut Connection, engine: &Engine) -> Result<(Option<String>, Features), Fault> {
    connection.send("xboard")?;
    connection.send("protover 2")?;
    let (mut features, mut name) = (Features::default(), None);
    let started = Instant::now();
    loop {
        // Without a word about features the engine gets two seconds; once it has said that more will come, all the time
        // that starting may take.
        let allowed = if features.pending { engine.start_timeout } else { FIRST_FEATURE.min(engine.start_timeout) };
        let left = allowed.saturating_sub(started.elapsed());
        let heard = connection.wait_for(left, "features", |connection, line| {
            if let Some(list) = line.text.strip_prefix("feature ") {
                name = features::own_name(list).or(name.take());
                for answer in features.read(list) {
                    connection.send(&answer)?;
                }
                return Ok(Some(()));
            }
            // Engines that speak UCI alone say so, or nothing.
            if !features.pending && line.text.to_ascii_lowercase().contains("unknown command") {
                check_kind(connection, OTHER_KIND)?;
            }
            Ok(None)
        });
        match heard {
            Ok(()) if features.done => break,
            Ok(()) => {}
            Err(fault) if fault.kind == FaultKind::Hang && !features.pending => {
                if features == Features::default() {
                    check_kind(connection, OTHER_KIND)?;
                }
                break;
            }
            Err(fault) => return Err(fault),
        }
    }
    for (name, value) in &engine.options {
        connection.send(&match (name.as_str(), value.as_str()) {
            ("memory" | "cores" | "egtpath", value) => format!("{name} {value}"),
            (name, "") => format!("option {name}"),
            (name, value) => format!("option {name}={value}"),
        })?;
    }
    for command in &engine.commands {
        connection.send(command)?;
    }
    Ok((name, features))
}

impl Player for Cecp {
    fn begin(&mut self, opening: &AnyPosition, side: Side, limits: &Limits, _seed: u64) -> Result<(), Fault> {
        let refuse = |detail: &str| Err(Fault::new(FaultKind::StartFailure, detail));
        if limits.nodes.is_some() {
            return refuse("the CECP protocol has no limit on nodes");
        }
        let start = opening.at(0);
        let is_standard = start.is_start();
        if !is_standard && !self.features.setboard {
            return refuse(
                "the engine cannot set up positions (it lacks the feature setboard); give it openings as moves, in PGN",
            );
        }
        if self.games > 0 && (self.engine.restart || !self.features.reuse) {
            let Ready { connection, features, .. } = connect(&self.engine)?;
            (self.connection, self.features) = (connection, features);
        }
        self.games += 1;
        (self.known, self.playing, self.side) = (0, false, side);
        self.connection.discard_waiting();
        for command in ["new", "force", "easy", "post"] {
            self.connection.send(command)?;
        }
        for command in time_commands(limits) {
            self.connection.send(&command)?;
        }
        if !is_standard {
            self.connection.send(&format!("setboard {}", start.text()))?;
        }
        self.synchronise()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        self.connection.discard_waiting();
        let plies = turn.position.plies();
        let words = turn.position.at(0).write_line_as(&turn.position.moves(), self.features.style());
        let unknown: Vec<String> =
            words[self.known.min(plies)..].iter().map(|mv| self.features.move_command(mv)).collect();
        let clocks: Vec<String> = turn
            .clocks
            .iter()
            .zip(["time", "otim"])
            .filter_map(|(clock, command)| Some(format!("{command} {}", clock.as_ref()?.remaining.as_millis() / 10)))
            .filter(|_| self.features.time)
            .collect();
        // Once it plays, the opponent's move alone makes it think. Before that, it is fed the opening and told to go.
        let mut commands = Vec::new();
        if self.playing && unknown.len() == 1 {
            commands.extend(clocks.into_iter().chain(unknown));
        } else {
            commands.extend(self.playing.then(|| "force".to_owned()));
            commands.extend(unknown.into_iter().chain(clocks));
            commands.push("go".to_owned());
        }
        let asked = Instant::now();
        for command in &commands {
            self.connection.send(command)?;
        }
        if turn.draw_offered && self.features.draw {
            self.connection.send("draw")?;
        }
        self.playing = true;

        let wait = Wait { deadline: turn.deadline, patience: turn.patience, hurry: "?", stop: turn.stop };
        let (mut thought, mut offers_draw) = (Thought::default(), false);
        let side = self.side;
        let (action, elapsed) = self.connection.wait_for_move(asked, &wait, |_, line| match read(&line.text) {
            Said::Move(mv) => Ok(Some(Action::Play(mv))),
            Said::Resign => Ok(Some(Action::Resign)),
            Said::DrawOffer => {
                offers_draw = true;
                Ok(None)
            }
            // What it said about a result before it was asked belongs to the move before.
            Said::Result(_) if line.at < asked => Ok(None),
            Said::Result(result) if concedes(&result, side) => Ok(Some(Action::Resign)),
            Said::Result(result) => Err(Fault::new(FaultKind::FalseClaim, format!("it claimed {result}"))),
            Said::Illegal => Err(Fault::new(FaultKind::FalseClaim, format!("it answered a legal move: {}", line.text))),
            Said::Thinking(found) => {
                thought = found;
                Ok(None)
            }
            Said::Nothing => Ok(None),
        })?;
        self.known = plies + 1;
        Ok(Reply { action, elapsed, thought, offers_draw })
    }

    fn end(&mut self, result: &str, reason: &str) {
        // Braces delimit the comment. A fault here shows itself in the next game.
        let reason = reason.replace(['{', '}'], " ");
        let _ = self.connection.send(&format!("result {result} {{{reason}}}"));
        let _ = self.connection.send("force");
    }
}

/// The commands that set the limits: they hold for every move of the game.
pub(super) fn time_commands(limits: &Limits) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(control) = limits.clock.map(|clock| clock.control()) {
        let seconds = control.base.as_secs();
        let base = match seconds % 60 {
            0 => (seconds / 60).to_string(),
            rest => format!("{}:{rest:02}", seconds / 60),
        };
        commands.push(format!("level {} {base} {}", control.moves.unwrap_or(0), control.increment.as_secs_f64()));
    }
    if let Some(movetime) = limits.movetime {
        commands.push(format!("st {}", movetime.as_secs_f64()));
    }
    if let Some(depth) = limits.depth {
        commands.push(format!("sd {depth}"));
    }
    commands
}

/// Whether a claimed result is a loss for the side that claims it.
fn concedes(result: &str, side: Side) -> bool {
    result == if side == Side::First { "0-1" } else { "1-0" }
}

/// What a line says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    Move(String),
    Resign,
    DrawOffer,
    Result(String),
    Illegal,
    Thinking(Thought),
    Nothing,
}

pub(super) fn read(line: &str) -> Said {
    let words: Vec<&str> = line.split_whitespace().take(6).collect();
    match words[..] {
        ["move", mv, ..] => Said::Move(mv.to_owned()),
        // Engines of version 1 number their moves, or speak like GNU Chess 4.
        [number, "...", mv, ..] if number.trim_end_matches('.').parse::<u32>().is_ok() => Said::Move(mv.to_owned()),
        ["My", "move", "is:", mv, ..] | ["My", "move", "is", ":", mv, ..] => Said::Move(mv.to_owned()),
        ["resign", ..] | ["tellics", "resign", ..] => Said::Resign,
        ["offer", "draw", ..] => Said::DrawOffer,
        [result @ ("1-0" | "0-1" | "1/2-1/2"), ..] => Said::Result(result.to_owned()),
        ["Illegal", "move", ..] | ["Illegal", "move:", ..] => Said::Illegal,
        [depth, score, time, nodes, ..] => thinking(depth, score, time, nodes).map_or(Said::Nothing, Said::Thinking),
        _ => Said::Nothing,
    }
}

/// A line of thinking: depth, which may carry a mark, score, centiseconds and nodes.
fn thinking(depth: &str, score: &str, time: &str, nodes: &str) -> Option<Thought> {
    let depth = depth.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let score: i64 = score.parse().ok()?;
    let centiseconds: i64 = time.parse().ok()?;
    let nodes = nodes.parse().ok()?;
    let score = match score {
        MATE_BASE.. => mate((score - MATE_BASE).max(1)),
        ..=-100_000 => mate(score.saturating_add(MATE_BASE)),
        _ => estimate(score),
    };
    let time = u64::try_from(centiseconds).ok().map(|time| time.saturating_mul(10));
    Some(Thought { score: Some(score), depth: Some(depth), nodes: Some(nodes), time })
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::score;

    fn check(line: &str, said: Said) {
        assert_eq!(read(line), said, "{line}");
    }

    #[test]
    fn lines_are_understood() {
        check("move e2e4", Said::Move("e2e4".into()));
        check("3. ... e7e5", Said::Move("e7e5".into()));
        check("My move is: Nf3", Said::Move("Nf3".into()));
        check("resign", Said::Resign);
        check("tellics resign", Said::Resign);
        check("offer draw", Said::DrawOffer);
        check("1/2-1/2 {Draw by repetition}", Said::Result("1/2-1/2".into()));
        check("Illegal move: e2e4", Said::Illegal);
        check("Illegal move (in check): e2e4", Said::Illegal);
        check("Error (unknown command): easy", Said::Nothing);
        check("# move e2e4", Said::Nothing);
        check("move", Said::Nothing);
        check("", Said::Nothing);
        let thought = |score, depth, nodes, time| {
            Said::Thinking(Thought { score: Some(score), depth: Some(depth), nodes: Some(nodes), time: Some(time) })
        };
        check("9 156 1084 48000 Nf3 Nc6", thought(156, 9, 48000, 10_840));
        check("9& -20 1 5 e4", thought(-20, 9, 5, 10));
        check("12. 100003 7 99 Qh7", thought(score::win_in(5), 12, 99, 70));
        check("12 -100002 7 99", thought(score::loss_in(4), 12, 99, 70));
        check("12 -9223372036854775808 7 99", thought(mate(i64::MIN), 12, 99, 70));
    }

    #[test]
    fn limits_become_commands() {
        let commands = |limits| time_commands(&limits);
        let clock = |text: &str| Limits::clock(text.parse().unwrap());
        assert_eq!(commands(clock("40/300")), ["level 40 5 0"]);
        assert_eq!(commands(clock("90+0.5")), ["level 0 1:30 0.5"]);
        let both = Limits { movetime: Some(Duration::from_millis(100)), depth: Some(7), ..Limits::default() };
        assert_eq!(commands(both), ["st 0.1", "sd 7"]);
    }

    #[test]
    fn only_a_loss_is_conceded() {
        assert!(concedes("0-1", Side::First) && concedes("1-0", Side::Second));
        assert!(!concedes("1/2-1/2", Side::First) && !concedes("1-0", Side::First));
    }
}
