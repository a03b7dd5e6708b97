//! `plywise fastchess`: a match by the arguments of fastchess, with the output that scripts read.

mod output;
mod words;

use super::matches::openings::OpeningArgs;
use crate::games::Games;
use crate::jobs::Place;
use crate::players::{check_memory, introduce, programs};
use crate::runs::RunArgs;
use crate::{Failure, Result, files};
use clap::Args;
use output::Shown;
use plywise_arena::matches::PlayMatch;
use plywise_search::Signal;
use std::io::Write;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use words::Order;

/// Play a chess match by the arguments of fastchess, and print what scripts read from it
///
/// It takes -engine, -each, -openings, -rounds, -games, -repeat, -concurrency, -sprt, -pgnout, -resign, -draw, -maxmoves,
/// -tournament, -event, -site, -srand, -ratinginterval and -use-affinity; docs/arena.md has the table. An argument that it
/// does not take is refused by name. -recover and -force-concurrency change nothing: a match always goes on after a fault.
/// With --run DIR in front, every finished game is on the disk before it counts, and the same command resumes the match.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  plywise fastchess -engine cmd=stockfish name=new -engine cmd=stockfish name=old option.Hash=16 -each tc=8+0.08 -rounds 500 -repeat -concurrency 2 -sprt elo0=0 elo1=5 -pgnout file=new.pgn")]
pub struct Arguments {
    #[command(flatten)]
    pub run: RunArgs,
    /// The arguments of fastchess
    #[arg(value_name = "ARGUMENT", required = true, num_args = 1.., trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

/// Plays the match that the words ask for.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let game = games.game(GAME)?;
    let game = &game;
    let order = Order::read(&args.words)?;
    if let Some(pgn) = &order.pgn {
        files::check_writable(pgn)?;
    }
    let openings = match &order.openings {
        Some(openings) => openings.read(&**game)?,
        None => OpeningArgs { openings: None, plies: None, shuffle: false }.read(&**game)?,
    };
    let mut players = order.players.clone();
    // Engines that play elsewhere need not be here.
    if args.run.workers.is_none() {
        introduce(&mut players)?;
    }
    let job = PlayMatch {
        game: game.name().to_owned(),
        players: players.into_iter().map(|player| player.entrant).collect(),
        format: order.format,
        openings: openings.iter().map(plywise_arena::openings::write).collect(),
        shuffle: order.shuffle,
        games: order.rounds.saturating_mul(order.games),
        rules: order.rules,
        sprt: order.sprt,
        seed: order.seed,
    };
    if job.sprt.is_some() && job.players.len() > 2 {
        return Err(Failure::input("-sprt needs exactly two engines"));
    }
    check_memory(&job.players, order.concurrency)?;
    if let Some(cores) = &order.cores {
        cores.of_threads(order.concurrency).map_err(Failure::input)?;
    }
    let (lines, said) = mpsc::channel();
    let (shown, programs) = (Shown::new(&**game, &order, &job, lines), programs(&job.players));
    let place =
        Place { programs: &programs, cores: order.cores.clone(), ..Place::new(&args.run, order.concurrency, stop) };
    let outcome = thread::scope(|scope| {
        let playing = scope.spawn(|| {
            let outcome = place.run(&job, game, &|event| shown.take(event))?;
            shown.end(&outcome);
            Ok::<_, Failure>(outcome)
        });
        // Games are played on other threads; the output belongs to this one.
        let mut written = Ok(());
        loop {
            let line = match said.recv_timeout(GLANCE) {
                Ok(line) => line,
                Err(_) if playing.is_finished() => match said.try_recv() {
                    Ok(line) => line,
                    Err(_) => break,
                },
                Err(_) => continue,
            };
            if written.is_ok() {
                written = writeln!(out, "{line}").and_then(|()| out.flush());
            }
        }
        written?;
        playing.join().unwrap_or_else(|_| Err(Failure::Failed("the match panicked".to_owned())))
    })?;
    shown.finish(out)?;
    outcome.failure.map_or(Ok(()), |failure| Err(failure.into()))
}

/// The game that fastchess is for.
const GAME: &str = "chess";

/// How often it is looked whether the match is over.
const GLANCE: Duration = Duration::from_millis(50);
