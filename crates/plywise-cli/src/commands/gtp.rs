//! `plywise gtp`: the engine over the Go Text Protocol, version 2 (Farnebäck 2002).

use crate::arguments::{LimitArgs, SearchArgs};
use crate::{Result, games};
use clap::Args;
use plywise_game::Side;
use plywise_game::lines::{Found, decode, read_line};
use plywise_game::notation::excerpt;
use plywise_host::{AnyGame, AnyPosition, Ask, Engine, Style};
use plywise_search::{Clock, Limits, Signal, TimeControl};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// Run the engine for programs that speak GTP, as those for Othello do
///
/// The player who moves first from the start is black, and the other one white, whatever the game calls them. A pass is
/// written 'pass'. Without a limit and before a program sets the clock, a move takes a second.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise gtp othello
  plywise match othello --a best --depth 4 --openings start --games 2 --b 'gtp:plywise gtp othello --depth 4'")]
pub struct Arguments {
    /// The name of the game
    #[arg(help = games::HELP)]
    pub game: String,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// Serves standard input until it ends or says quit.
pub fn run(game: &dyn AnyGame, args: &Arguments) -> Result {
    let limits = args.limits.once(Limits { movetime: Some(Duration::from_secs(1)), ..Limits::default() })?;
    let engine = game.engine(&args.search.setup(game)?)?;
    let mut session = Session { game, engine, position: game.start(), limits, clocks: [None, None] };
    Ok(session.serve(&mut io::stdin().lock(), &mut io::stdout())?)
}

/// The longest line that is understood.
const LONGEST_LINE: usize = 1 << 16;

/// What an engine must know.
const COMMANDS: [&str; 14] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
];

/// One conversation.
struct Session<'a> {
    game: &'a dyn AnyGame,
    engine: Box<dyn Engine>,
    position: AnyPosition,
    /// The limits if the other side sets no clock.
    limits: Limits,
    /// What the clock of each side shows.
    clocks: [Option<Clock>; 2],
}

impl Session<'_> {
    fn serve(&mut self, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        while read_line(input, &mut bytes, LONGEST_LINE)? != Found::End {
            let line = decode(&bytes);
            let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
            // A number in front comes back in front of the answer.
            let (number, words) = match words.split_first() {
                Some((first, rest)) if first.parse::<u64>().is_ok() => (*first, rest),
                Some(_) => ("", &words[..]),
                None => continue,
            };
            let Some((&command, arguments)) = words.split_first() else { continue };
            match self.answer(command, arguments) {
                Ok(text) => writeln!(out, "={number} {text}\n")?,
                Err(problem) => writeln!(out, "?{number} {problem}\n")?,
            }
            out.flush()?;
            if command == "quit" {
                break;
            }
        }
        Ok(())
    }

    /// Answers a command, or says what is wrong with it.
    fn answer(&mut self, command: &str, arguments: &[&str]) -> Result<String, String> {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok(format!("plywise {}", self.game.title())),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("known_command", [name]) => Ok((COMMANDS.contains(name) || *name == "time_left").to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n") + "\ntime_left"),
            ("quit" | "komi", _) => Ok(String::new()),
            ("boardsize", _) => self.clear(),
            ("clear_board", _) => self.clear(),
            ("play", [colour, mv]) => self.play(colour, mv),
            ("genmove", [colour]) => self.choose(colour),
            ("undo", _) => self.position.undo().map(|_| String::new()).ok_or_else(|| "cannot undo".into()),
            ("showboard", _) => Ok(format!("\n{}", self.position.draw().trim_end())),
            ("time_settings", [main, period, stones]) => self.set_time(main, period, stones),
            ("time_left", [colour, seconds, stones]) => self.set_clock(colour, seconds, stones),
            (known, _) if COMMANDS.contains(&known) || known == "time_left" => Err("syntax error".into()),
            _ => Err("unknown command".into()),
        }
    }

    fn clear(&mut self) -> Result<String, String> {
        self.position = self.game.start();
        self.engine.forget();
        Ok(String::new())
    }

    fn play(&mut self, colour: &str, mv: &str) -> Result<String, String> {
        self.check_turn(side(colour)?)?;
        self.position.play_text(mv).map(|_| String::new()).map_err(|_| "illegal move".into())
    }

    /// Passes that the rules demand may be left out.
    fn check_turn(&mut self, side: Side) -> Result<(), String> {
        if self.position.side_to_move() != side {
            let moves = self.position.legal_moves();
            match moves[..] {
                [pass] if self.position.write_move(pass) == "pass" => drop(self.position.play(pass)),
                _ => return Err("it is the other side's turn".into()),
            }
        }
        Ok(())
    }

    fn choose(&mut self, colour: &str) -> Result<String, String> {
        let side = side(colour)?;
        self.check_turn(side)?;
        if self.position.outcome().is_some() {
            return Ok("pass".into());
        }
        let limits = match self.clocks[side as usize] {
            Some(clock) => Limits { movetime: None, clock: Some(clock), ..self.limits },
            None => self.limits,
        };
        let ask = Ask::new(&self.position);
        let report = self.engine.search(&ask, &limits, &Signal::new(), &mut |_| {});
        let mv = ask.best_move(&report).ok_or("there is no move")?;
        let text = self.position.write_move_as(mv, Style::People);
        self.position.play(mv).map_err(|error| error.to_string())?;
        Ok(text)
    }

    /// `main` seconds, and then as many stones in each period; no stones are no limit at all.
    fn set_time(&mut self, main: &str, period: &str, stones: &str) -> Result<String, String> {
        let (main, period, stones) = (seconds(main)?, seconds(period)?, number(stones)?);
        let control = match (main.is_zero(), stones) {
            (_, 0) if !period.is_zero() => None,
            (true, 0) => None,
            (false, 0) => Some(TimeControl { moves: None, base: main, increment: Duration::ZERO }),
            (false, 1) => Some(TimeControl { moves: None, base: main, increment: period }),
            (true, stones) => Some(TimeControl { moves: Some(stones), base: period, increment: Duration::ZERO }),
            (false, _) => Some(TimeControl { moves: None, base: main, increment: Duration::ZERO }),
        };
        self.clocks = [control.map(Clock::new); 2];
        Ok(String::new())
    }

    fn set_clock(&mut self, colour: &str, left: &str, stones: &str) -> Result<String, String> {
        let (side, left, stones) = (side(colour)?, seconds(left)?, number(stones)?);
        let increment = self.clocks[side as usize].map_or(Duration::ZERO, |clock| clock.increment());
        let moves = (stones > 0).then_some(stones);
        self.clocks[side as usize] = Some(Clock::showing(left.max(Duration::from_millis(1)), increment, moves));
        Ok(String::new())
    }
}

fn side(colour: &str) -> Result<Side, String> {
    match colour.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::First),
        "w" | "white" => Ok(Side::Second),
        _ => Err(format!("'{}' is no colour", excerpt(colour))),
    }
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| "syntax error".into())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e7).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "syntax error".into())
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::*;
    use plywise_host::games::Othello;
    use plywise_host::{Hosted, Setup};

    /// What the engine says to these lines.
    fn talk(lines: &str) -> String {
        let game = Hosted::<Othello>::new();
        let setup = Setup { hash: 1, ..Setup::of_profile(&game, "brute").unwrap() };
        let engine = game.engine(&setup).unwrap();
        let limits = Limits::depth(2);
        let mut session = Session { game: &game, engine, position: game.start(), limits, clocks: [None, None] };
        let mut out = Vec::new();
        session.serve(&mut lines.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn commands_are_answered_with_their_numbers() {
        assert_eq!(
            talk("1 protocol_version\n\n# a comment\n2 name # of the engine\n"),
            "=1 2\n\n=2 plywise Othello\n\n"
        );
        assert_eq!(talk("known_command genmove\nknown_command xyzzy\n"), "= true\n\n= false\n\n");
        assert_eq!(talk("xyzzy\nplay black\n"), "? unknown command\n\n? syntax error\n\n");
        assert_eq!(talk("quit\nname\n"), "= \n\n", "nothing is said after the end");
    }

    #[test]
    fn moves_are_played_and_chosen() {
        assert_eq!(talk("play b D3\nplay black c3\nplay w c3\n"), "= \n\n? it is the other side's turn\n\n= \n\n");
        assert_eq!(talk("play b a1\nplay red d3\n"), "? illegal move\n\n? 'red' is no colour\n\n");
        let chosen = talk("genmove b\nundo\nundo\n");
        let lines: Vec<&str> = chosen.lines().collect();
        assert!(["= d3", "= c4", "= f5", "= e6"].contains(&lines[0]), "{chosen}");
        assert_eq!(lines[2..], ["= ", "", "? cannot undo", ""]);
        assert!(talk("play b d3\nshowboard\n").contains('X'));
    }

    #[test]
    fn clocks_are_set() {
        let timed = talk("time_settings 10 1 1\ntime_left b 1 0\ngenmove b\ntime_settings x 0 0\n");
        assert!(timed.starts_with("= \n\n= \n\n= ") && timed.ends_with("? syntax error\n\n"), "{timed}");
    }
}
