//! Saving a game, and going on with one that was saved.

use crate::commands::play::{Seats, Table};
use crate::files::Growing;
use crate::recorded::read_records;
use crate::{Failure, Result};
use plywise_game::Side;
use plywise_game::pgn::{GameResult, write_date};
use plywise_host::{AnyGame, AnyPosition, Record};
use std::path::Path;
use std::time::SystemTime;

/// The last game of a PGN file, and a sentence about it.
pub(super) fn load(game: &dyn AnyGame, path: &Path) -> Result<(AnyPosition, String)> {
    let mut last = None;
    let read = read_records(game, &[path], u64::MAX, |_, record| {
        last = Some(record);
        Ok(())
    })?;
    // Files without a game have been refused.
    let record = last.ok_or_else(|| Failure::input(format!("there is no game in '{}'", path.display())))?;
    let [white, black] = ["White", "Black"].map(|name| record.tag(name).unwrap_or("?"));
    let mut sentence = format!(
        "Game {} of '{}': {white} against {black}, {} plies, {}.",
        read.games + read.broken,
        path.display(),
        record.position.plies(),
        record.result
    );
    if read.broken > 0 {
        sentence += &format!(" Games passed over because they are broken: {}.", read.broken);
    }
    Ok((record.position, sentence))
}

impl Table<'_> {
    /// Writes the game to the end of a file: other games in it stay.
    pub(super) fn save(&mut self, name: &str) -> Result {
        let mut file = Growing::append(file_named(name)?)?;
        file.add(&format!("{}\n", self.record().to_string().trim_end()));
        file.finish(self.out)?;
        Ok(writeln!(self.out, "The game is in '{name}'.")?)
    }

    /// Goes on with the last game of a file.
    pub(super) fn load(&mut self, name: &str) -> Result {
        let (position, sentence) = load(self.game, file_named(name)?)?;
        writeln!(self.out, "{sentence}\n")?;
        self.begin(position)
    }

    fn record(&self) -> Record {
        let mut record = Record::new(self.position.clone());
        let tags = [
            ("Event", "Casual game".to_string()),
            ("Date", write_date(SystemTime::now())),
            ("White", self.name(Side::First)),
            ("Black", self.name(Side::Second)),
            ("PlyCount", self.position.plies().to_string()),
        ];
        record.tags.extend(tags.map(|(name, value)| (name.to_string(), value)));
        record.result = self.resigned.map_or(record.result, |side| GameResult::Win(!side));
        record
    }

    /// Who plays a side.
    fn name(&self, side: Side) -> String {
        let is_a_person = self.seats == Seats::Both || self.seats == Seats::One(side);
        if is_a_person { "Human".to_string() } else { format!("plywise, {}", self.strength.name()) }
    }
}

fn file_named(name: &str) -> Result<&Path> {
    match name {
        "" => Err(Failure::input("The name of a file is missing: save FILE.pgn, load FILE.pgn.")),
        name => Ok(Path::new(name)),
    }
}
