//! `plywise play`: a game against the engine in the terminal.

mod records;
mod strength;
mod words;

use crate::arguments::{LimitArgs, PositionArgs, SearchArgs};
use crate::engine::{Setup, new_engine};
use crate::{Failure, Result};
use clap::Args;
use plywise_game::Side;
use plywise_game::lines::{Found, decode, read_line};
use plywise_game::random::fresh_seed;
use plywise_host::{AnyGame, AnyPosition, Ask, Engine, Level, Move};
use plywise_search::{Clock, Limits, Report, Signal};
use std::env;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;
use strength::Strength;
use words::Word;

/// Play against the engine in the terminal
///
/// Type a move in the game's usual notation, or a word: help lists them. Scores are for the side to move.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise play chess --level 3
  plywise play loa --side white --movetime 500
  plywise play othello --load game.pgn

Level N searches 2N-1 plies and 200, 600, 1800, ... nodes (three times more for each level) at most, and the lower it is,
the more it errs at random in the opening: level 1 takes no time at all, level 10 some seconds. On a terminal the board
has figures and colours, unless NO_COLOR is set.")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    /// The side you play: a colour, both or none [default: the side to move]
    #[arg(long, value_name = "SIDE")]
    pub side: Option<String>,
    /// How strong the engine plays, 1 to 10, instead of limits
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(i64::from(*Level::ALL.start())..=i64::from(*Level::ALL.end())))]
    #[arg(conflicts_with_all = ["depth", "nodes", "movetime", "tc"])]
    pub level: Option<u32>,
    /// Continue the last game of a PGN file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["position", "moves"])]
    pub load: Option<PathBuf>,
    /// The seed of the engine's variety [default: another for every game]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// More than a person types; what is beyond is dropped.
const LONGEST_LINE: usize = 10_000;

/// How long the engine thinks unless the user says.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Plays with the person at standard input.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut table = Table::new(game, args, out)?;
    table.sit(&mut io::stdin().lock())
}

/// Which sides people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seats {
    One(Side),
    Both,
    None,
}

/// A board with the engine on the other side of it.
struct Table<'a> {
    game: &'a dyn AnyGame,
    out: &'a mut dyn Write,
    position: AnyPosition,
    engine: Box<dyn Engine>,
    seed: Option<u64>,
    /// How the engine thinks at full strength.
    setup: Setup,
    strength: Strength,
    seats: Seats,
    /// The user turned the board.
    flipped: bool,
    /// Whether the board is drawn with figures and colours.
    on_terminal: bool,
    /// Somebody gave up.
    resigned: Option<Side>,
    /// The end of the game has been told.
    announced: bool,
}

impl<'a> Table<'a> {
    fn new(game: &'a dyn AnyGame, args: &Arguments, out: &'a mut dyn Write) -> Result<Table<'a>> {
        let position = match &args.load {
            Some(path) => {
                let (position, sentence) = records::load(game, path)?;
                writeln!(out, "{sentence}")?;
                position
            }
            None => args.place.position(game)?,
        };
        let seats = match args.side.as_deref() {
            None => Seats::One(position.side_to_move()),
            Some(name) => parse_seats(game, name)?,
        };
        let strength = match args.level.and_then(Level::new) {
            Some(level) => Strength::level(level),
            None => Strength::of(args.limits.once(Limits::time(DEFAULT_TIME))?),
        };
        let setup = args.search.setup(game)?;
        let mut engine = new_engine(game, &strength.apply_to(game, &setup))?;
        engine.set_seed(args.seed.unwrap_or_else(fresh_seed));
        let on_terminal = shows_colours();
        let (resigned, announced, flipped) = (None, false, false);
        let seed = args.seed;
        Ok(Table {
            game,
            out,
            position,
            engine,
            seed,
            setup,
            strength,
            seats,
            flipped,
            on_terminal,
            resigned,
            announced,
        })
    }

    /// Goes on until the input ends or says quit.
    fn sit(&mut self, input: &mut dyn BufRead) -> Result {
        writeln!(self.out, "{}. Type a move, or help.\n", self.game.title())?;
        self.draw()?;
        loop {
            while self.is_engines_turn() {
                self.answer()?;
            }
            self.announce()?;
            let player = self.game.player(self.position.side_to_move());
            write!(self.out, "{}> ", if self.is_over() { "game over" } else { player })?;
            self.out.flush()?;
            let mut bytes = Vec::new();
            if read_line(input, &mut bytes, LONGEST_LINE)? == Found::End {
                return Ok(writeln!(self.out)?);
            }
            let text = decode(&bytes);
            match self.obey(text.trim()) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Failure::Input(sentence) | Failure::Failed(sentence)) => writeln!(self.out, "{sentence}")?,
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Does what a line of the user says; `false` means that they leave.
    fn obey(&mut self, text: &str) -> Result<bool> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match Word::find(word) {
            None if text.is_empty() => {}
            None => self.play(text)?,
            Some(Word::Help) => write!(self.out, "{}", Word::help())?,
            Some(Word::Undo) => self.undo()?,
            Some(Word::Hint) => self.hint()?,
            Some(Word::New) => {
                let start = self.game.position(rest)?;
                self.begin(start)?;
            }
            Some(Word::Position) if rest.trim().is_empty() => {
                writeln!(self.out, "{}", self.position.text())?;
            }
            Some(Word::Position) => {
                let position = self.game.position(rest)?;
                self.begin(position)?;
            }
            Some(Word::Moves) => self.list_moves()?,
            Some(Word::Record) => self.show_record()?,
            Some(Word::Side) => self.set_side(rest.trim())?,
            Some(Word::Level) => self.set_level(rest.trim())?,
            Some(Word::Save) => self.save(rest.trim())?,
            Some(Word::Load) => self.load(rest.trim())?,
            Some(Word::Board) => self.draw()?,
            Some(Word::Flip) => {
                self.flipped = !self.flipped;
                self.draw()?;
            }
            Some(Word::Resign) => self.resign()?,
            Some(Word::Quit) => return Ok(false),
        }
        Ok(true)
    }

    fn play(&mut self, text: &str) -> Result {
        if self.is_over() {
            return Err(Failure::input("The game is over: 'undo' takes a move back, 'new' begins another."));
        }
        let played = self.position.play_text(text);
        played.map_err(|error| Failure::input(format!("{error}; 'moves' lists what is legal")))?;
        if !self.is_engines_turn() {
            self.draw()?;
        }
        Ok(())
    }

    /// The engine's move.
    fn answer(&mut self) -> Result {
        let report = self.think();
        let Some(mv) = Ask::new(&self.position).best_move(&report) else { return Ok(()) };
        let player = self.game.player(self.position.side_to_move());
        let text = self.position.write_move(mv);
        self.position.play(mv)?;
        let (score, depth) = (self.game.show_score(report.score()), report.depth());
        writeln!(self.out, "{player} plays {text}   (score {score} for {player}, depth {depth})\n")?;
        self.draw()
    }

    fn think(&mut self) -> Report<Move> {
        let (ask, limits) = (Ask::new(&self.position), &self.strength.limits);
        let report = self.engine.search(&ask, limits, &Signal::new(), &mut |_| {});
        if let Some(clock) = &mut self.strength.limits.clock {
            spend(clock, report.time);
        }
        report
    }

    fn hint(&mut self) -> Result {
        if self.is_over() {
            return Err(Failure::input("The game is over."));
        }
        let strength = self.strength;
        // What a level errs by is not for the user, and thinking for the user is not on the engine's clock.
        self.engine.reconfigure(&self.setup)?;
        let report = self.think();
        self.strength = strength;
        self.engine.reconfigure(&self.strength.apply_to(self.game, &self.setup))?;
        if let Some(mv) = Ask::new(&self.position).best_move(&report) {
            let (text, score) = (self.position.write_move(mv), self.game.show_score(report.score()));
            let player = self.game.player(self.position.side_to_move());
            writeln!(self.out, "{text}, with a score of {score} for {player}")?;
        }
        Ok(())
    }

    /// Takes back so much that it is the user's turn again.
    fn undo(&mut self) -> Result {
        let is_users = |position: &AnyPosition| match self.seats {
            Seats::One(side) => position.side_to_move() == side,
            Seats::Both | Seats::None => true,
        };
        let earlier = (0..self.position.plies()).rev().map(|plies| self.position.at(plies));
        let Some(position) = earlier.into_iter().find(is_users) else {
            return Err(Failure::input("There is no move to take back: you have made none."));
        };
        self.position = position;
        self.reopen();
        self.draw()
    }

    fn begin(&mut self, position: AnyPosition) -> Result {
        self.position = position;
        self.engine.forget();
        self.engine.set_seed(self.seed.unwrap_or_else(fresh_seed));
        self.reopen();
        self.draw()
    }

    fn reopen(&mut self) {
        self.resigned = None;
        self.announced = false;
    }

    fn list_moves(&mut self) -> Result {
        let moves = self.position.legal_moves().into_iter().map(|mv| self.position.write_move(mv));
        Ok(writeln!(self.out, "{}", moves.collect::<Vec<_>>().join(" "))?)
    }

    fn show_record(&mut self) -> Result {
        let moves = self.position.at(0).write_line(&self.position.moves());
        Ok(writeln!(self.out, "{}", moves.join(" "))?)
    }

    fn set_side(&mut self, name: &str) -> Result {
        if !name.is_empty() {
            self.seats = parse_seats(self.game, name)?;
        }
        let yours = match self.seats {
            Seats::One(side) => self.game.player(side),
            Seats::Both => "both sides",
            Seats::None => "neither side",
        };
        writeln!(self.out, "You play {yours}.")?;
        // The engine's move shows the board anyway.
        if name.is_empty() || self.is_engines_turn() { Ok(()) } else { self.draw() }
    }

    fn set_level(&mut self, text: &str) -> Result {
        if !text.is_empty() {
            self.strength = Strength::parse(text)?;
            self.engine.reconfigure(&self.strength.apply_to(self.game, &self.setup))?;
        }
        Ok(writeln!(self.out, "{}", self.strength)?)
    }

    fn resign(&mut self) -> Result {
        if self.is_over() {
            return Err(Failure::input("The game is over already."));
        }
        let side = match self.seats {
            Seats::One(side) => side,
            _ => self.position.side_to_move(),
        };
        self.resigned = Some(side);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.position.ended().is_some()
    }

    fn is_engines_turn(&self) -> bool {
        let is_engines = match self.seats {
            Seats::One(side) => side != self.position.side_to_move(),
            Seats::Both => false,
            Seats::None => true,
        };
        is_engines && !self.is_over()
    }

    /// Tells how the game ended, once.
    fn announce(&mut self) -> Result {
        if self.announced || !self.is_over() {
            return Ok(());
        }
        self.announced = true;
        let how = match self.resigned {
            Some(side) => format!("{} resigns", self.game.player(side)),
            None => self.position.describe_end(),
        };
        Ok(writeln!(self.out, "The game is over: {how}.")?)
    }

    fn draw(&mut self) -> Result {
        let turned = (self.seats == Seats::One(Side::Second)) != self.flipped;
        Ok(writeln!(self.out, "{}", self.position.draw_view(turned, self.on_terminal))?)
    }
}

/// Whether the user sees a terminal that shows colours, and wants them (<https://no-color.org>).
fn shows_colours() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    io::stdout().is_terminal() && !refused && !is_dumb
}

fn parse_seats(game: &dyn AnyGame, name: &str) -> Result<Seats> {
    let [first, second] = game.players();
    let is = |player: &str| name.eq_ignore_ascii_case(player);
    match name {
        "both" => Ok(Seats::Both),
        "none" => Ok(Seats::None),
        _ if is(first) => Ok(Seats::One(Side::First)),
        _ if is(second) => Ok(Seats::One(Side::Second)),
        _ => Err(Failure::input(format!("the side '{name}' is none of {first}, {second}, both and none"))),
    }
}

/// Takes the time of a move off the engine's clock. One that has run out goes on with next to nothing: there is no arbiter to
/// stop it.
fn spend(clock: &mut Clock, time: Duration) {
    const LEAST: Duration = Duration::from_millis(50);
    clock.spend(time);
    clock.remaining = clock.remaining.max(LEAST);
}
