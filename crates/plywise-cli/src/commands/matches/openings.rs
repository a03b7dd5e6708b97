use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::openings;
use plywise_game::pgn;
use plywise_host::{AnyGame, AnyPosition};
use std::collections::HashSet;
use std::path::Path;

/// What stands for the start of the game.
pub(crate) const START: &str = "start";

/// Where games begin.
#[derive(Debug, Args)]
#[command(next_help_heading = "Openings")]
pub struct OpeningArgs {
    /// A file of openings, EPD or PGN; 'start' for the start of the game [default: our own 100 balanced ones]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// How many plies to take from each game of a PGN file
    #[arg(long, value_name = "N", requires = "openings")]
    pub plies: Option<usize>,
    /// Use the openings in random order
    #[arg(long)]
    pub shuffle: bool,
}

impl OpeningArgs {
    /// The openings, at least one.
    pub fn read(&self, game: &dyn AnyGame) -> Result<Vec<AnyPosition>> {
        match self.openings.as_deref() {
            None if game.openings().is_empty() => Ok(random_openings(game)),
            None => of_epd(game, "our own", game.openings()),
            Some(START) => Ok(vec![game.start()]),
            Some(file) if file.to_ascii_lowercase().ends_with(".pgn") => self.of_pgn(game, file),
            Some(file) => of_epd(game, file, &files::read_text(file)?),
        }
    }

    fn of_pgn(&self, game: &dyn AnyGame, file: &str) -> Result<Vec<AnyPosition>> {
        let (openings, warnings) = openings::from_pgn(game, files::open(Path::new(file))?, self.plies);
        match (warnings.first(), openings.is_empty()) {
            (Some(error @ pgn::Error::Unreadable { .. }), _) => Err(files::unreadable(Path::new(file), error)),
            (Some(warning), _) => Err(Failure::input(format!("openings '{file}', {warning}"))),
            (None, true) if self.plies.is_none() => {
                let way_out = "--plies N takes the first moves of each game";
                Err(Failure::input(format!(
                    "openings '{file}' hold no game that goes on after its last move; {way_out}"
                )))
            }
            (None, true) => Err(no_opening(file)),
            (None, false) => Ok(openings),
        }
    }
}

/// The positions of a file of openings, EPD or PGN, from which games of self-play begin in turn; none without a file.
pub fn positions(game: &dyn AnyGame, file: Option<&str>) -> Result<Vec<AnyPosition>> {
    let Some(file) = file else { return Ok(Vec::new()) };
    Ok(unfinished(game, file)?.iter().map(AnyPosition::alone).collect())
}

/// The openings of a file with the moves that lead to them, as jobs have them.
pub fn lines(game: &dyn AnyGame, file: &Path) -> Result<Vec<String>> {
    Ok(unfinished(game, &file.display().to_string())?.iter().map(openings::write).collect())
}

/// The openings of a file. In none of them the game is over.
fn unfinished(game: &dyn AnyGame, file: &str) -> Result<Vec<AnyPosition>> {
    let args = OpeningArgs { openings: Some(file.to_string()), plies: None, shuffle: false };
    let positions = args.read(game)?;
    match positions.iter().position(|position| position.ended().is_some()) {
        Some(over) => Err(Failure::input(format!("openings '{file}': in number {} the game is over", over + 1))),
        None => Ok(positions),
    }
}

fn of_epd(game: &dyn AnyGame, file: &str, text: &str) -> Result<Vec<AnyPosition>> {
    let openings = openings::from_epd(game, text.as_bytes());
    let openings = openings.map_err(|error| Failure::input(format!("openings '{file}', {error}")))?;
    if openings.is_empty() { Err(no_opening(file)) } else { Ok(openings) }
}

/// What a game without openings of its own begins with: a few random moves, symmetric ones once.
fn random_openings(game: &dyn AnyGame) -> Vec<AnyPosition> {
    const WANTED: usize = 100;
    const PLIES: usize = 4;
    const SEED: u64 = 1;
    let mut met = HashSet::new();
    let openings = (0..2 * WANTED as u64).filter_map(|number| openings::random(&game.start(), PLIES, SEED, number));
    let distinct = openings.filter(|opening| met.insert(opening.canonical().hash()));
    let openings: Vec<AnyPosition> = distinct.take(WANTED).collect();
    // Random moves may always end a short game.
    if openings.is_empty() { vec![game.start()] } else { openings }
}

fn no_opening(file: &str) -> Failure {
    Failure::input(format!("openings '{file}' hold no position"))
}
