//! The Go Text Protocol, version 2 (Farnebäck 2002), which engines of Othello and other games speak too.

use super::Engine;
use super::connection::{Connection, Wait, while_starting};
use crate::player::{Action, Fault, FaultKind, Player, Reply, Thought, Turn};
use plywise_game::Side;
use plywise_game::notation::excerpt;
use plywise_host::{AnyPosition, Style};
use plywise_search::Limits;
use std::time::{Duration, Instant};

pub(super) struct Gtp {
    engine: Engine,
    connection: Connection,
    games: u64,
    /// How many moves of the game the engine knows.
    known: usize,
    /// The limit of depth that it cannot be told.
    untold: Option<i32>,
}

/// An answer of the engine: what stands behind `=`, or behind `?`.
type Response = Result<String, String>;

impl Gtp {
    pub(super) fn start(engine: &Engine) -> Result<Gtp, Fault> {
        Ok(Gtp { engine: engine.clone(), connection: connect(engine)?.0, games: 0, known: 0, untold: None })
    }

    /// Sends a command that must work.
    fn command(&mut self, command: &str) -> Result<String, Fault> {
        ask(&mut self.connection, command, self.engine.start_timeout)?.map_err(|error| refusal(command, &error))
    }
}

/// Starts an engine, and gives the name that it has for itself.
pub(super) fn connect(engine: &Engine) -> Result<(Connection, Option<String>), Fault> {
    let mut connection = Connection::open(engine)?;
    let name = shake_hands(&mut connection, engine).map_err(while_starting)?;
    Ok((connection, name))
}

fn shake_hands(connection: &mut Connection, engine: &Engine) -> Result<Option<String>, Fault> {
    let version = ask(connection, "protocol_version", engine.start_timeout)?;
    if version.as_deref() == Ok("1") {
        return Err(Fault::new(FaultKind::StartFailure, "it speaks version 1 of GTP; version 2 is needed"));
    }
    let mut say = |command: &str| ask(connection, command, engine.start_timeout);
    let name = say("name")?.ok().filter(|name| !name.is_empty());
    let version = say("version")?.ok().filter(|version| !version.is_empty());
    if let Some((name, _)) = engine.options.first() {
        let detail = format!("GTP has no options such as '{name}'; write them into the command");
        return Err(Fault::new(FaultKind::StartFailure, detail));
    }
    for command in &engine.commands {
        say(command)?.map_err(|error| refusal(command, &error))?;
    }
    Ok(name.map(|name| version.map_or(name.clone(), |version| format!("{name} {version}"))))
}

fn refusal(command: &str, error: &str) -> Fault {
    Fault::new(FaultKind::StartFailure, format!("it refuses '{command}': {}", excerpt(error)))
}

/// Sends a command and waits for the first line of its answer.
fn ask(connection: &mut Connection, command: &str, patience: Duration) -> Result<Response, Fault> {
    connection.discard_waiting();
    connection.send(command)?;
    connection.wait_for(patience, &format!("answer to '{command}'"), |_, line| Ok(read(&line.text)))
}

/// Reads `= text` or `? text`, with or without a number; other lines are none of our business.
fn read(line: &str) -> Option<Response> {
    let number = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned();
    if let Some(text) = line.strip_prefix('=') {
        return Some(Ok(number(text)));
    }
    line.strip_prefix('?').map(|text| Err(number(text)))
}

/// The colour of who moves first from the start is black, whatever the game calls it.
fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

impl Player for Gtp {
    fn begin(&mut self, opening: &AnyPosition, _side: Side, limits: &Limits, _seed: u64) -> Result<(), Fault> {
        if limits.nodes.is_some() {
            return Err(Fault::new(FaultKind::StartFailure, "GTP has no limit on nodes"));
        }
        if !opening.at(0).is_start() {
            let detail = "GTP cannot set up positions; give openings as moves from the start of the game";
            return Err(Fault::new(FaultKind::StartFailure, detail));
        }
        if self.engine.restart && self.games > 0 {
            self.connection = connect(&self.engine)?.0;
        }
        self.games += 1;
        (self.known, self.untold) = (0, limits.depth);
        self.command("clear_board")?;
        if let Some(command) = time_settings(limits) {
            self.command(&command)?;
        }
        Ok(())
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let position = turn.position;
        let mut side = position.at(self.known).side_to_move();
        let words = position.at(0).write_line_as(&position.moves(), Style::People);
        for (ply, word) in words.iter().enumerate().skip(self.known) {
            self.command(&format!("play {} {word}", colour(side)))
                .map_err(|fault| Fault { kind: FaultKind::FalseClaim, ..fault })?;
            side = position.at(ply + 1).side_to_move();
        }
        self.known = position.plies();
        if let Some(clock) = turn.clocks[0] {
            let (left, stones) = (clock.remaining.as_secs(), clock.moves_to_go.unwrap_or(0));
            // Engines without a clock of their own may not know the command, and need not.
            let _ = ask(
                &mut self.connection,
                &format!("time_left {} {left} {stones}", colour(side)),
                self.engine.start_timeout,
            )?;
        }
        self.connection.discard_waiting();
        let command = format!("genmove {}", colour(side));
        let asked = Instant::now();
        self.connection.send(&command)?;
        // The protocol cannot hurry an engine; an empty line means nothing to it.
        let wait = Wait { deadline: turn.deadline, patience: turn.patience, hurry: "", stop: turn.stop };
        let (answer, elapsed) = self.connection.wait_for_move(asked, &wait, |_, line| Ok(read(&line.text)))?;
        let text = answer.map_err(|error| {
            Fault::new(FaultKind::FalseClaim, format!("it answers '{command}' with: {}", excerpt(&error)))
        })?;
        let action = match text.eq_ignore_ascii_case("resign") {
            true => Action::Resign,
            false => {
                self.known += 1;
                Action::Play(text)
            }
        };
        Ok(Reply { action, elapsed, thought: Thought::default(), offers_draw: false })
    }

    fn remark(&self) -> Option<String> {
        let depth = self.untold?;
        Some(format!(
            "is not told to search {depth} plies: GTP has no word for it; its command decides how deep it looks"
        ))
    }
}

/// The command that sets the clock, which knows whole seconds only. An increment is a period for one move.
fn time_settings(limits: &Limits) -> Option<String> {
    let whole = |time: Duration| time.as_secs();
    let period = |time: Duration| time.as_secs_f64().ceil() as u64;
    if let Some(control) = limits.clock.map(|clock| clock.control()) {
        return Some(match control.moves {
            Some(moves) => format!("time_settings 0 {} {moves}", whole(control.base)),
            None if control.increment.is_zero() => format!("time_settings {} 0 0", whole(control.base)),
            None => format!("time_settings {} {} 1", whole(control.base), period(control.increment)),
        });
    }
    limits.movetime.map(|time| format!("time_settings 0 {} 1", period(time)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_read() {
        assert_eq!(read("= d3"), Some(Ok("d3".into())));
        assert_eq!(read("=7 PASS"), Some(Ok("PASS".into())));
        assert_eq!(read("="), Some(Ok(String::new())));
        assert_eq!(read("? unknown command"), Some(Err("unknown command".into())));
        assert_eq!((read(""), read("info depth 3")), (None, None));
    }

    #[test]
    fn clocks_become_commands() {
        let settings = |text: &str| time_settings(&Limits::clock(text.parse().unwrap()));
        assert_eq!(settings("300").as_deref(), Some("time_settings 300 0 0"));
        assert_eq!(settings("60+0.5").as_deref(), Some("time_settings 60 1 1"));
        assert_eq!(settings("40/300").as_deref(), Some("time_settings 0 300 40"));
        let time = Limits { movetime: Some(Duration::from_millis(1500)), ..Limits::default() };
        assert_eq!(time_settings(&time).as_deref(), Some("time_settings 0 2 1"));
        assert_eq!(time_settings(&Limits::depth(3)), None);
    }
}
