//! `plywise play`: a game against the engine in the terminal.

mod words;

use crate::arguments::{LimitArgs, PositionArgs, SearchArgs, describe_limits};
use crate::engine::{self, Setup};
use crate::games::{BoardGame, parse_position};
use crate::text::{show_ending, show_score};
use crate::{Failure, Outcome};
use clap::Args;
use plywise_game::lines::{Found, read_line};
use plywise_game::random::fresh_seed;
use plywise_game::{GameSoFar, Side};
use plywise_search::{Clock, Limits, Report, Request, Searcher, Signal};
use std::io::{self, BufRead, Write};
use std::time::Duration;
use words::{Word, parse_level};

/// Play against the engine in the terminal
///
/// Type a move in the game's usual notation, or a word: help lists them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise play chess
  plywise play loa --side white --movetime 500")]
pub struct Arguments {
    #[command(flatten)]
    pub place: PositionArgs,
    /// The side you play: a colour, or both or none [default: whoever begins]
    #[arg(long, value_name = "SIDE")]
    pub side: Option<String>,
    /// What variety follows from [default: another for every game]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArgs,
    #[command(flatten)]
    pub search: SearchArgs,
}

/// Nobody types more; what is beyond is dropped.
const LONGEST_LINE: usize = 10_000;

/// How long the engine thinks unless the user says.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Plays with whoever sits at standard input.
pub fn run<G: BoardGame>(args: &Arguments, out: &mut dyn Write) -> Outcome {
    let mut table = Table::<G>::new(args, out)?;
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
struct Table<'a, G: BoardGame> {
    out: &'a mut dyn Write,
    line: GameSoFar<G>,
    searcher: Searcher<G, G::Evaluation>,
    seed: Option<u64>,
    limits: Limits,
    seats: Seats,
    /// Somebody gave up.
    resigned: Option<Side>,
    /// The end of the game has been told.
    announced: bool,
}

impl<'a, G: BoardGame> Table<'a, G> {
    fn new(args: &Arguments, out: &'a mut dyn Write) -> Outcome<Table<'a, G>> {
        let line = args.place.line::<G>()?;
        let seats = match args.side.as_deref() {
            None => Seats::One(line.side_to_move()),
            Some(name) => parse_seats::<G>(name)?,
        };
        let limits = args.limits.once(Limits::time(DEFAULT_TIME))?;
        let mut searcher = Setup::<G>::new(&args.search)?.searcher()?;
        searcher.set_seed(args.seed.unwrap_or_else(fresh_seed));
        Ok(Table { out, line, searcher, seed: args.seed, limits, seats, resigned: None, announced: false })
    }

    /// Goes on until the input ends or says quit.
    fn sit(&mut self, input: &mut dyn BufRead) -> Outcome {
        writeln!(self.out, "{}. Type a move, or help.\n", G::TITLE)?;
        self.draw()?;
        loop {
            while self.is_engines_turn() {
                self.answer()?;
            }
            self.announce()?;
            let player = G::player(self.line.side_to_move());
            write!(self.out, "{}> ", if self.is_over() { "game over" } else { player })?;
            self.out.flush()?;
            let mut bytes = Vec::new();
            if read_line(input, &mut bytes, LONGEST_LINE)? == Found::End {
                return Ok(writeln!(self.out)?);
            }
            let text = String::from_utf8_lossy(&bytes);
            match self.obey(text.trim()) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(Failure::Input(sentence)) => writeln!(self.out, "{sentence}")?,
                Err(failure) => return Err(failure),
            }
        }
    }

    /// Does what a line of the user says; `false` means that they leave.
    fn obey(&mut self, text: &str) -> Outcome<bool> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match Word::find(word) {
            None if text.is_empty() => {}
            None => self.play(text)?,
            Some(Word::Help) => write!(self.out, "{}", Word::help())?,
            Some(Word::Undo) => self.undo()?,
            Some(Word::Hint) => self.hint()?,
            Some(Word::New) => {
                let start = parse_position::<G>(rest)?;
                self.begin(start)?;
            }
            Some(Word::Position) if rest.trim().is_empty() => {
                writeln!(self.out, "{}", G::write_position(self.line.position()))?;
            }
            Some(Word::Position) => {
                let position = parse_position::<G>(rest)?;
                self.begin(position)?;
            }
            Some(Word::Moves) => self.list_moves()?,
            Some(Word::Record) => self.show_record()?,
            Some(Word::Side) => self.change_side(rest.trim())?,
            Some(Word::Level) => self.set_level(rest.trim())?,
            Some(Word::Board) => self.draw()?,
            Some(Word::Resign) => self.resign()?,
            Some(Word::Quit) => return Ok(false),
        }
        Ok(true)
    }

    fn play(&mut self, text: &str) -> Outcome {
        if self.is_over() {
            return Err(Failure::input("The game is over: 'undo' takes a move back, 'new' begins another."));
        }
        self.line.play_text(text).map_err(|error| Failure::input(format!("{error}; 'moves' lists what is legal")))?;
        if !self.is_engines_turn() {
            self.draw()?;
        }
        Ok(())
    }

    /// The engine's move.
    fn answer(&mut self) -> Outcome {
        let report = self.think();
        let Some(mv) = engine::best_move(&report, &Request::of(&self.line)) else { return Ok(()) };
        let player = G::player(self.line.side_to_move());
        let text = G::write_move(self.line.position(), mv);
        self.line.play(mv);
        let (score, depth) = (show_score::<G>(report.score()), report.depth());
        writeln!(self.out, "{player} plays {text}   (score {score}, depth {depth})\n")?;
        self.draw()
    }

    fn think(&mut self) -> Report<G::Move> {
        let request = Request::of(&self.line);
        let report = engine::search(&mut self.searcher, &request, &self.limits, &Signal::new(), |_| {});
        if let Some(clock) = &mut self.limits.clock {
            spend(clock, report.time);
        }
        report
    }

    fn hint(&mut self) -> Outcome {
        if self.is_over() {
            return Err(Failure::input("The game is over."));
        }
        let limits = self.limits;
        let report = self.think();
        // Thinking for the user is not on the engine's clock.
        self.limits = limits;
        if let Some(mv) = engine::best_move(&report, &Request::of(&self.line)) {
            let (text, score) = (G::write_move(self.line.position(), mv), show_score::<G>(report.score()));
            writeln!(self.out, "{text}, with a score of {score}")?;
        }
        Ok(())
    }

    /// Takes back so much that it is the user's turn again.
    fn undo(&mut self) -> Outcome {
        if self.line.undo().is_none() {
            return Err(Failure::input("There is no move to take back."));
        }
        if let Seats::One(side) = self.seats
            && self.line.side_to_move() != side
            && self.line.undo().is_none()
        {
            // The engine moved first: the user gets the board as it was, on the other side of it.
            self.seats = Seats::One(!side);
        }
        self.reopen();
        self.draw()
    }

    fn begin(&mut self, position: G::Position) -> Outcome {
        self.line = GameSoFar::new(position);
        self.searcher.forget();
        self.searcher.set_seed(self.seed.unwrap_or_else(fresh_seed));
        self.reopen();
        self.draw()
    }

    fn reopen(&mut self) {
        self.resigned = None;
        self.announced = false;
    }

    fn list_moves(&mut self) -> Outcome {
        let position = self.line.position();
        let moves = G::legal_moves(position).into_iter().map(|mv| G::write_move(position, mv));
        Ok(writeln!(self.out, "{}", moves.collect::<Vec<_>>().join(" "))?)
    }

    fn show_record(&mut self) -> Outcome {
        let moves = self.line.steps().map(|(position, mv)| G::write_move(position, mv));
        Ok(writeln!(self.out, "{}", moves.collect::<Vec<_>>().join(" "))?)
    }

    fn change_side(&mut self, name: &str) -> Outcome {
        self.seats = match (name, self.seats) {
            ("", Seats::One(side)) => Seats::One(!side),
            ("", _) => Seats::One(self.line.side_to_move()),
            (name, _) => parse_seats::<G>(name)?,
        };
        let yours = match self.seats {
            Seats::One(side) => G::player(side),
            Seats::Both => "both sides",
            Seats::None => "neither side",
        };
        Ok(writeln!(self.out, "You play {yours}.")?)
    }

    fn set_level(&mut self, text: &str) -> Outcome {
        if !text.is_empty() {
            self.limits = parse_level(text)?;
        }
        Ok(writeln!(self.out, "The engine's limit is {}.", describe_limits(&self.limits))?)
    }

    fn resign(&mut self) -> Outcome {
        if self.is_over() {
            return Err(Failure::input("The game is over already."));
        }
        let side = match self.seats {
            Seats::One(side) => side,
            _ => self.line.side_to_move(),
        };
        self.resigned = Some(side);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.line.ended().is_some()
    }

    fn is_engines_turn(&self) -> bool {
        let is_engines = match self.seats {
            Seats::One(side) => side != self.line.side_to_move(),
            Seats::Both => false,
            Seats::None => true,
        };
        is_engines && !self.is_over()
    }

    /// Tells how the game ended, once.
    fn announce(&mut self) -> Outcome {
        if self.announced || !self.is_over() {
            return Ok(());
        }
        self.announced = true;
        let how = match self.resigned {
            Some(side) => format!("{} resigns", G::player(side)),
            None => show_ending(&self.line),
        };
        Ok(writeln!(self.out, "The game is over: {how}.")?)
    }

    fn draw(&mut self) -> Outcome {
        Ok(writeln!(self.out, "{}", G::draw(self.line.position()))?)
    }
}

fn parse_seats<G: BoardGame>(name: &str) -> Outcome<Seats> {
    let is = |player: &str| name.eq_ignore_ascii_case(player);
    match name {
        "both" => Ok(Seats::Both),
        "none" => Ok(Seats::None),
        _ if is(G::player(Side::First)) => Ok(Seats::One(Side::First)),
        _ if is(G::player(Side::Second)) => Ok(Seats::One(Side::Second)),
        _ => {
            let [first, second] = G::PLAYERS;
            Err(Failure::input(format!("the side '{name}' is none of {first}, {second}, both and none")))
        }
    }
}

/// Takes the time of a move off the engine's clock. One that has run out goes on with next to nothing: nobody is there to
/// stop it.
fn spend(clock: &mut Clock, time: Duration) {
    const LEAST: Duration = Duration::from_millis(50);
    clock.spend(time);
    clock.remaining = clock.remaining.max(LEAST);
}
