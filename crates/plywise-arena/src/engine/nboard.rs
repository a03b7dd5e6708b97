//! The NBoard protocol, version 2 (Welty 2012), which programs of Othello speak.

use super::Engine;
use super::connection::{Connection, Wait, while_starting};
use super::estimate;
use crate::player::{Action, Fault, FaultKind, Player, Reply, Thought, Turn};
use plywise_game::Side;
use plywise_host::{AnyPosition, Style};
use plywise_search::Limits;
use std::time::{Duration, Instant};

/// The limit for engines that get none. Otherwise they would keep the depth of another game.
const DEEPEST: i32 = 60;

pub(super) struct NBoard {
    engine: Engine,
    connection: Connection,
    games: u64,
    pings: u32,
}

impl NBoard {
    pub(super) fn start(engine: &Engine) -> Result<NBoard, Fault> {
        Ok(NBoard { engine: engine.clone(), connection: connect(engine)?.0, games: 0, pings: 1 })
    }

    /// Waits until the engine has dealt with all that it was sent.
    fn synchronise(&mut self) -> Result<(), Fault> {
        self.pings += 1;
        ping(&mut self.connection, self.pings, self.engine.start_timeout).map(drop)
    }
}

/// Starts an engine, and gives the name that it has for itself.
pub(super) fn connect(engine: &Engine) -> Result<(Connection, Option<String>), Fault> {
    let mut connection = Connection::open(engine)?;
    let name = shake_hands(&mut connection, engine).map_err(while_starting)?;
    Ok((connection, name))
}

fn shake_hands(connection: &mut Connection, engine: &Engine) -> Result<Option<String>, Fault> {
    connection.send("nboard 2")?;
    if let Some((name, _)) = engine.options.first() {
        let detail = format!("NBoard has no options such as '{name}'; write them into the command");
        return Err(Fault::new(FaultKind::StartFailure, detail));
    }
    engine.commands.iter().try_for_each(|command| connection.send(command))?;
    ping(connection, 1, engine.start_timeout)
}

/// Waits for the answer to a ping, and gives the name that the engine says meanwhile.
fn ping(connection: &mut Connection, number: u32, patience: Duration) -> Result<Option<String>, Fault> {
    connection.send(&format!("ping {number}"))?;
    let (mut name, pong) = (None, format!("pong {number}"));
    connection.wait_for(patience, "pong", |_, line| {
        if let Some(said) = line.text.strip_prefix("set myname ") {
            name = Some(said.trim().to_owned());
        }
        Ok((line.text == pong).then_some(()))
    })?;
    Ok(name)
}

impl Player for NBoard {
    fn begin(&mut self, opening: &AnyPosition, _side: Side, limits: &Limits, _seed: u64) -> Result<(), Fault> {
        let refuse = |detail: &str| Err(Fault::new(FaultKind::StartFailure, detail));
        if limits.nodes.is_some() {
            return refuse("NBoard has no limit on nodes");
        }
        if board(opening).is_none() {
            return refuse("NBoard is a protocol for Othello alone");
        }
        if self.engine.restart && self.games > 0 {
            self.connection = connect(&self.engine)?.0;
        }
        self.games += 1;
        self.connection.discard_waiting();
        self.connection.send(&format!("set depth {}", limits.depth.unwrap_or(DEEPEST)))?;
        self.synchronise()
    }

    fn choose(&mut self, turn: &Turn) -> Result<Reply, Fault> {
        let Some(game) = game(turn) else {
            return Err(Fault::new(FaultKind::StartFailure, "NBoard is a protocol for Othello alone"));
        };
        self.connection.discard_waiting();
        self.connection.send(&game)?;
        self.synchronise()?;
        let asked = Instant::now();
        self.connection.send("go")?;
        // A ping asks the engine to stop thinking.
        self.pings += 1;
        let hurry = format!("ping {}", self.pings);
        let wait = Wait { deadline: turn.deadline, patience: turn.patience, hurry: &hurry, stop: turn.stop };
        let ((text, thought), elapsed) =
            self.connection.wait_for_move(asked, &wait, |_, line| Ok(read_move(&line.text)))?;
        Ok(Reply { action: Action::Play(text), elapsed, thought, offers_draw: false })
    }
}

/// Reads `=== F5/1.25/0.8`: the move, and what it thinks of it in discs.
fn read_move(line: &str) -> Option<(String, Thought)> {
    let mut fields = line.strip_prefix("===")?.trim().split('/');
    let text = match fields.next()?.trim() {
        pass if pass.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("pa")) => "pass".to_owned(),
        text => text.to_lowercase(),
    };
    let score = fields.next().and_then(|text| text.trim().parse::<f64>().ok());
    Some((text, Thought { score: score.map(|discs| estimate(discs.round() as i64)), ..Thought::default() }))
}

/// A position as the file format of GGS has it; `None` if it is none of Othello.
fn board(position: &AnyPosition) -> Option<String> {
    let text = position.at(0).text();
    let (squares, side) = text.trim().rsplit_once(' ')?;
    let is_board = squares.len() == 64 && squares.chars().all(|square| "XO-".contains(square));
    let side = match side {
        "X" => '*',
        "O" => 'O',
        _ => return None,
    };
    is_board.then(|| format!("{} {side}", squares.replace('X', "*")))
}

/// The game so far, with the clocks of both.
fn game(turn: &Turn) -> Option<String> {
    let position = turn.position;
    let start = position.at(0);
    let mut text = "set game (;GM[Othello]PC[plywise]PB[black]PW[white]RE[?]".to_owned();
    for clock in turn.clocks[0].iter() {
        let control = clock.control();
        text += &format!("TI[{}", minutes(control.base));
        if !control.increment.is_zero() {
            text += &format!("/{}", minutes(control.increment));
        }
        text.push(']');
    }
    text += &format!("TY[8]BO[8 {}]", board(position)?);
    let words = start.write_line_as(&position.moves(), Style::People);
    for (ply, word) in words.iter().enumerate() {
        let colour = if position.at(ply).side_to_move() == Side::First { 'B' } else { 'W' };
        let word = if word == "pass" { "PA".to_owned() } else { word.to_uppercase() };
        text += &format!("{colour}[{word}]");
    }
    Some(text + ";)")
}

/// A time as hours, minutes and seconds, the hours left out.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_host::games::Othello;
    use plywise_host::{AnyGame, Hosted};
    use plywise_search::{Clock, Signal};

    #[test]
    fn moves_are_read() {
        let check = |line, text: &str, score| {
            let (found, thought) = read_move(line).unwrap();
            assert_eq!((found.as_str(), thought.score), (text, score), "{line}");
        };
        check("=== F5/1.75/0.8", "f5", Some(2));
        check("=== PA", "pass", None);
        check("=== pass//3", "pass", None);
        check("===d3", "d3", None);
        assert_eq!(read_move("status thinking"), None);
    }

    #[test]
    fn games_are_written() {
        let othello = Hosted::<Othello>::new();
        let mut position = othello.start();
        position.play_text("d3").unwrap();
        let limits = Limits::clock("300+2".parse().unwrap());
        let clock = Some(Clock::new("300+2".parse().unwrap()));
        let turn = Turn {
            position: &position,
            limits: &limits,
            clocks: [clock, clock],
            draw_offered: false,
            deadline: None,
            patience: Duration::ZERO,
            stop: &Signal::new(),
        };
        let expected = "set game (;GM[Othello]PC[plywise]PB[black]PW[white]RE[?]TI[5:00/0:02]TY[8]\
            BO[8 ---------------------------O*------*O--------------------------- *]B[D3];)";
        assert_eq!(game(&turn).unwrap(), expected);
    }
}
