//! Which game a command line is about.
//!
//! The game is the first word after the command. `--game NAME` says the same anywhere. Where the game has a default it may
//! be left out, even if other words follow: `suite wac.epd` means `suite chess wac.epd`.

use crate::games::Games;
use clap::{Arg, ArgMatches, Command};
use std::ffi::{OsStr, OsString};

/// The name of the argument that is a game.
pub(crate) const ARGUMENT: &str = "game";

/// Reads a command line, the name of the program first.
pub(crate) fn read(command: Command, games: Games, words: Vec<OsString>) -> Result<ArgMatches, clap::Error> {
    let (rest, named) = take_option(&words);
    let Some(seat) = Seat::find(&command, &rest) else { return command.try_get_matches_from(words) };
    if let Some(game) = named {
        return command.try_get_matches_from(seat.fill(rest, &game));
    }
    let matches = command.clone().try_get_matches_from(&words)?;
    match &seat.default {
        // What is no game may be the word after it.
        Some(game) if !names_a_game(&matches, games) => {
            Ok(command.try_get_matches_from(seat.fill(words, game)).unwrap_or(matches))
        }
        _ => Ok(matches),
    }
}

/// Whether the command was given a game that exists, or none.
fn names_a_game(matches: &ArgMatches, games: Games) -> bool {
    match matches.subcommand() {
        Some((_, inner)) => names_a_game(inner, games),
        None => match matches.try_get_one::<String>(ARGUMENT) {
            Ok(Some(name)) => games.game(name).is_ok(),
            _ => true,
        },
    }
}

/// Where a command expects the name of its game.
struct Seat {
    /// The place among the words.
    place: usize,
    /// The game if none is named.
    default: Option<OsString>,
}

impl Seat {
    /// The seat in the command that the words begin with, if it has one.
    fn find(command: &Command, words: &[OsString]) -> Option<Seat> {
        let (mut command, mut place) = (command, 1);
        while let Some(inner) = words.get(place).and_then(|word| command.find_subcommand(word)) {
            (command, place) = (inner, place + 1);
        }
        let is_game = |argument: &&Arg| argument.get_id() == ARGUMENT;
        let before = command.get_positionals().take_while(|argument| !is_game(argument)).count();
        let argument = command.get_positionals().find(is_game)?;
        let default = argument.get_default_values().first().map(|name| name.clone().into());
        Some(Seat { place: place + before, default })
    }

    /// The words with a game in its seat.
    fn fill(&self, mut words: Vec<OsString>, game: &OsStr) -> Vec<OsString> {
        words.insert(self.place.min(words.len()), game.into());
        words
    }
}

/// The words without `--game NAME` or `--game=NAME`, and the name; it is empty where it was forgotten.
fn take_option(words: &[OsString]) -> (Vec<OsString>, Option<OsString>) {
    // What follows `--` is no option.
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    for (i, word) in words[..end].iter().enumerate() {
        let joined = word.to_str().and_then(|word| word.strip_prefix("--game="));
        let next = words[..end].get(i + 1).filter(|word| !word.as_encoded_bytes().starts_with(b"-"));
        let (name, behind) = match (joined, next) {
            (Some(name), _) => (name.into(), i + 1),
            (None, _) if word != "--game" => continue,
            (None, Some(name)) => (name.clone(), i + 2),
            (None, None) => (OsString::new(), i + 1),
        };
        return ([&words[..i], &words[behind..]].concat(), Some(name));
    }
    (words.to_vec(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    #[track_caller]
    fn check(line: &str, rest: &str, game: Option<&str>) {
        assert_eq!(take_option(&words(line)), (words(rest), game.map(OsString::from)));
    }

    #[test]
    fn the_option_is_found_anywhere() {
        check("plywise match --game loa --a best", "plywise match --a best", Some("loa"));
        check("plywise suite x.epd --game=loa", "plywise suite x.epd", Some("loa"));
        check("plywise gather --game loa rankcut", "plywise gather rankcut", Some("loa"));
        check("plywise match --games 4", "plywise match --games 4", None);
    }

    #[test]
    fn a_forgotten_name_is_empty() {
        check("plywise match --game", "plywise match", Some(""));
        check("plywise match --game --a best", "plywise match --a best", Some(""));
    }

    #[test]
    fn what_stands_behind_two_hyphens_is_no_option() {
        let line = "plywise play loa -- --game chess";
        check(line, line, None);
    }

    #[test]
    fn the_game_has_its_seat_after_the_command() {
        let kind = || Arg::new("kind");
        let game = || Arg::new(ARGUMENT);
        let command = Command::new("plywise").subcommands([
            Command::new("match").arg(game().default_value("chess")),
            Command::new("gather").args([kind(), game()]),
            Command::new("forge").subcommand(Command::new("games").arg(game())),
            Command::new("stats").arg(kind()),
        ]);
        let seat = |line: &str| Seat::find(&command, &words(line)).map(|seat| (seat.place, seat.default.is_some()));
        assert_eq!(seat("plywise match --a best"), Some((2, true)));
        assert_eq!(seat("plywise gather rankcut loa"), Some((3, false)));
        assert_eq!(seat("plywise forge games"), Some((3, false)));
        assert_eq!(seat("plywise stats 1 2 3"), None);
        assert_eq!(seat("plywise"), None);
    }
}
