use crate::games::Playable;
use crate::inputs::{Input, Kind};
use crate::{Failure, Result, files};
use clap::Args;
use plywise_arena::{Opening, openings};
use plywise_game::{GameSoFar, pgn};
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
    /// The file, if it is one.
    pub(crate) fn inputs(&mut self) -> Vec<Input<'_>> {
        self.openings.iter_mut().map(|name| Input::text(Kind::Openings, name)).collect()
    }

    /// The openings, at least one.
    pub fn read<G: Playable>(&self) -> Result<Vec<Opening<G>>> {
        match self.openings.as_deref() {
            None if G::OPENINGS.is_empty() => random_openings(),
            None => of_epd("our own", G::OPENINGS),
            Some(START) => Ok(vec![Opening::standard()]),
            Some(file) if file.to_ascii_lowercase().ends_with(".pgn") => self.of_pgn(file),
            Some(file) => of_epd(file, &files::read_text(file)?),
        }
    }

    fn of_pgn<G: Playable>(&self, file: &str) -> Result<Vec<Opening<G>>> {
        let (openings, warnings) = openings::from_pgn(files::open(Path::new(file))?, self.plies);
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
pub fn positions<G: Playable>(file: Option<&str>) -> Result<Vec<G::Position>> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let args = OpeningArgs { openings: Some(file.to_string()), plies: None, shuffle: false };
    let positions: Vec<G::Position> = args.read::<G>()?.iter().map(Opening::position).collect();
    match positions.iter().position(|position| GameSoFar::<G>::new(position.clone()).ended().is_some()) {
        Some(over) => Err(Failure::input(format!("openings '{file}': in number {} the game is over", over + 1))),
        None => Ok(positions),
    }
}

fn of_epd<G: Playable>(file: &str, text: &str) -> Result<Vec<Opening<G>>> {
    let openings: Vec<Opening<G>> =
        openings::from_epd(text.as_bytes()).map_err(|error| Failure::input(format!("openings '{file}', {error}")))?;
    if openings.is_empty() { Err(no_opening(file)) } else { Ok(openings) }
}

/// What a game without openings of its own begins with: a few random moves, symmetric ones once.
fn random_openings<G: Playable>() -> Result<Vec<Opening<G>>> {
    const WANTED: usize = 100;
    const PLIES: usize = 4;
    const SEED: u64 = 1;
    let mut met = HashSet::new();
    let openings = (0..2 * WANTED as u64).filter_map(|number| openings::random::<G>(&G::start(), PLIES, SEED, number));
    let distinct = openings.filter(|opening| met.insert(G::hash(&G::canonical(&opening.position()))));
    let openings: Vec<Opening<G>> = distinct.take(WANTED).collect();
    // Random moves may always end a short game.
    Ok(if openings.is_empty() { vec![Opening::standard()] } else { openings })
}

fn no_opening(file: &str) -> Failure {
    Failure::input(format!("openings '{file}' hold no position"))
}
