//! The Universal Chess Interface.

use super::Engine;
use super::connection::{Connection, Wait, while_starting};
use super::info::Info;
use crate::player::{Action, Fault, FaultKind, Player, Reply, Thought, Turn};
use plywise_game::Side;
use plywise_game::parameters::{nearest_name, suggestion};
use plywise_host::{AnyPosition, Style};
use plywise_search::Limits;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Engines look at their limits once in a while, and search as many nodes between.
pub(super) const NODES_BETWEEN_LOOKS: u64 = 10_000;

pub(super) struct Uci {
    engine: Engine,
    connection: Connection,
    games: u64,
    /// The limit of nodes that it did not keep.
    ignored: Option<u64>,
}

impl Uci {
    pub(super) fn start(engine: &Engine) -> Result<Uci, Fault> {
        Ok(Uci { engine: engine.clone(), connection: connect(engine)?.connection, games: 0, ignored: None })
    }
}

/// An engine that is ready.
pub(super) struct Ready {
    pub connection: Connection,
    /// The name that it gives itself.
    pub name: Option<String>,
    /// The options that it knows.
    pub options: KnownOptions,
}

/// Starts an engine.
pub(super) fn connect(engine: &Engine) -> Result<Ready, Fault> {
    let mut connection = Connection::open(engine)?;
    let (name, options) = shake_hands(&mut connection, engine).map_err(while_starting)?;
    Ok(Ready { connection, name, options })
}

/// An engine that has not said a word of UCI after this long is asked whether it speaks CECP.
const SILENCE: Duration = Duration::from_secs(5);

/// Waits for the answer to `uci`, and finds out whether a silent engine speaks CECP or is slow.
fn greet(connection: &mut Connection, engine: &Engine, each: &mut dyn FnMut(&str)) -> Result<(), Fault> {
    connection.send("uci")?;
    let begun = Instant::now();
    // An engine that has named itself speaks UCI, however long it takes to be ready.
    let (mut is_asked, mut speaks_uci) = (false, false);
    loop {
        let left = engine.start_timeout.saturating_sub(begun.elapsed());
        let patience = if is_asked || speaks_uci { left } else { left.min(SILENCE) };
        let heard = connection.wait_for(patience, "uciok", |_, line| {
            each(&line.text);
            speaks_uci |= line.text.starts_with("id ") || line.text.starts_with("option ");
            Ok(match line.text.as_str() {
                "uciok" => Some(true),
                // Who does not know the word may know the other protocol.
                text if text.starts_with("feature ") => {
                    return Err(Fault::new(FaultKind::StartFailure, "it speaks CECP, not UCI: write cecp:COMMAND"));
                }
                text if !is_asked && text.to_ascii_lowercase().contains("unknown command") => Some(false),
                _ => None,
            })
        });
        match heard {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(fault) if fault.kind == FaultKind::Hang && !is_asked && begun.elapsed() < engine.start_timeout => {}
            Err(fault) if fault.kind == FaultKind::Hang => {
                let detail = format!("no uciok within {} s", engine.start_timeout.as_secs_f64());
                return Err(Fault { detail, ..fault });
            }
            Err(fault) => return Err(fault),
        }
        if speaks_uci {
            continue;
        }
        is_asked = true;
        connection.send("xboard")?;
        connection.send("protover 2")?;
    }
}

fn shake_hands(connection: &mut Connection, engine: &Engine) -> Result<(Option<String>, KnownOptions), Fault> {
    let (mut known, mut own_name) = (Vec::new(), None);
    greet(connection, engine, &mut |line| {
        if let Some(name) = line.strip_prefix("id name ") {
            own_name = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        }
        if let Some(name) = option_name(line) {
            // Do not remember a flood of options.
            if known.len() < 10_000 {
                known.push(name.to_owned());
            }
        }
    })?;
    let known = KnownOptions(known);
    for (name, value) in &engine.options {
        let name = known.find(name)?;
        connection.send(&match value.as_str() {
            "" => format!("setoption name {name}"),
            value => format!("setoption name {name} value {value}"),
        })?;
    }
    for command in &engine.commands {
        connection.send(command)?;
    }
    get_ready(connection, engine)?;
    Ok((own_name, known))
}

/// The names of the options that an engine declared.
pub(super) struct KnownOptions(Vec<String>);

impl KnownOptions {
    /// The engine's own spelling of an option: the protocol says that names are not case-sensitive.
    pub(super) fn find(&self, name: &str) -> Result<&str, Fault> {
        let found = self.0.iter().find(|known| known.eq_ignore_ascii_case(name));
        found.map(String::as_str).ok_or_else(|| unknown_option(name, &self.0))
    }
}

pub(super) fn get_ready(connection: &mut Connection, engine: &Engine) -> Result<(), Fault> {
    connection.send("isready")?;
    connection.wait_for(engine.start_timeout, "readyok", |_, line| Ok((line.text == "readyok").then_some(())))
}

/// The name in `option name NAME type ...`.
fn option_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("option name ")?;
    Some(rest.split(" type ").next().unwrap_or(rest).trim())
}

fn unknown_option(name: &str, known: &[String]) -> Fault {
    let detail = match known {
        [] => format!("the engine has no option '{name}', nor any other"),
        _ => {
            let nearest = nearest_name(name, known.iter().cloned());
            format!("the engine has no option '{name}'{}", suggestion(nearest.as_deref()))
        }
    };
    Fault::new(FaultKind::StartFailure, detail)
}

impl Player for Uci {
    fn begin(&mut self, _opening: &AnyPosition, _side: Side, _limits: &Limits, _seed: u64) -> Result<(), Fault> {
        if self.engine.restart && self.games > 0 {
            self.connection = connect(&self.engine)?.connection;
        }
        self.games += 1;
        self.connection.discard_waiting();
        self.connection.send("ucinewgame")?;
        get_ready(&mut self.connection, &self.engine)
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let position = position_command(turn.position, Style::Engine);
        let go = go_command(turn);
        self.connection.discard_waiting();
        self.connection.send(&position)?;
        let asked = Instant::now();
        self.connection.send(&go)?;
        let wait = Wait { deadline: turn.deadline, patience: turn.patience, hurry: "stop", stop: turn.stop };
        let mut thought = Thought::default();
        let mut is_stopped = false;
        let (mv, elapsed) = self.connection.wait_for_move(asked, &wait, |connection, line| {
            read_info(&line.text, &mut thought);
            // Some engines do not care how many nodes they may search. Those that do are about to answer anyway.
            if let Some(limit) = turn.limits.nodes.filter(|&limit| !is_stopped && thought.nodes >= Some(limit)) {
                connection.send("stop")?;
                is_stopped = true;
                if thought.nodes > Some(limit.saturating_mul(2).saturating_add(NODES_BETWEEN_LOOKS)) {
                    self.ignored = Some(limit);
                }
            }
            let mut words = line.text.split_whitespace();
            Ok((words.next() == Some("bestmove")).then(|| words.next().unwrap_or_default().to_owned()))
        })?;
        Ok(Reply { action: Action::Play(mv), elapsed, thought, offers_draw: false })
    }

    fn remark(&self) -> Option<String> {
        let limit = self.ignored?;
        Some(format!("does not keep to {limit} nodes a move: it is stopped when it says that it has searched as many"))
    }
}

/// The command that sets up a position with the moves that led to it.
pub(super) fn position_command(position: &AnyPosition, style: Style) -> String {
    let start = position.at(0);
    let mut command = match start.is_start() {
        true => "position startpos".to_owned(),
        false => format!("position fen {}", start.text()),
    };
    let moves = start.write_line_as(&position.moves(), style);
    if !moves.is_empty() {
        let _ = write!(command, " moves {}", moves.join(" "));
    }
    command
}

fn go_command(turn: &Turn) -> String {
    let mut command = "go".to_owned();
    let [own, other] = turn.clocks;
    // The protocol calls the player who moves first from the start White, whatever colour the game gives that player.
    let [white, black] = match turn.position.side_to_move() {
        Side::First => [own, other],
        Side::Second => [other, own],
    };
    for (clock, time, increment) in [(white, "wtime", "winc"), (black, "btime", "binc")] {
        if let Some(clock) = clock {
            let _ = write!(command, " {time} {}", clock.remaining.as_millis().max(1));
            let _ = write!(command, " {increment} {}", clock.increment().as_millis());
        }
    }
    if let Some(moves) = own.and_then(|clock| clock.moves_to_go) {
        let _ = write!(command, " movestogo {moves}");
    }
    if let Some(movetime) = turn.limits.movetime {
        let _ = write!(command, " movetime {}", movetime.as_millis().max(1));
    }
    if let Some(nodes) = turn.limits.nodes {
        let _ = write!(command, " nodes {nodes}");
    }
    if let Some(depth) = turn.limits.depth {
        let _ = write!(command, " depth {depth}");
    }
    command
}

/// Takes depth, score and nodes from an `info` line about the main variation.
fn read_info(line: &str, thought: &mut Thought) {
    let Some(info) = Info::read(line).filter(Info::is_best) else { return };
    thought.depth = info.depth.or(thought.depth);
    thought.score = info.score.or(thought.score);
    thought.nodes = info.nodes.or(thought.nodes);
    thought.time = info.time.or(thought.time);
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_game::score;

    fn check(line: &str, score: Option<i32>, depth: Option<u32>, nodes: Option<u64>) {
        let mut thought = Thought::default();
        read_info(line, &mut thought);
        assert_eq!(thought, Thought { score, depth, nodes, time: None }, "{line}");
    }

    #[test]
    fn info_lines_are_read() {
        check("info depth 12 seldepth 20 score cp -35 nodes 1234 nps 9 pv e2e4", Some(-35), Some(12), Some(1234));
        check("info depth 9 multipv 1 score mate 3 pv a1a2", Some(score::win_in(5)), Some(9), None);
        check("info depth 9 multipv 2 score cp 3", None, None, None);
        check("info score cp 20 lowerbound", Some(20), None, None);
        check("info string depth 7", None, None, None);
        check("info depth x score cp", None, None, None);
        check("information depth 7", None, None, None);
    }

    #[test]
    fn option_names_may_have_spaces() {
        assert_eq!(option_name("option name Clear Hash type button"), Some("Clear Hash"));
        assert_eq!(option_name("option name Hash type spin default 1"), Some("Hash"));
        assert_eq!(option_name("id name Hash"), None);
    }
}
