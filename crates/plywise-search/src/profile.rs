//! Profiles: named sets of parameters, built in or from a file.
//!
//! A profile is a TOML file that says what it changes against another one:
//!
//! ```toml
//! description = "brute with deeper quiescence"
//! base = "brute"
//!
//! [search]
//! quiescence.plies = 64
//! transposition_cutoffs.enabled = false
//!
//! [game.loa.search]          # only in this game
//! aspiration.window = 40
//!
//! [game.chess.evaluation]    # weights of the game's evaluation
//! material.values = [100, 320, 330, 500, 900]
//! network = "mine.net"       # a network's file, a built-in name, or "off"
//! ```
//!
//! What a game changes in the built-in profiles stands with the game, in
//! [`BoardGame::PROFILES`](plywise_game::BoardGame::PROFILES).
//!
//! A profile that plywise wrote says so in its first line, and then must have its last one too.

use crate::{Params, end_mark};
use plywise_game::BoardGame;
use plywise_game::notation::excerpt;
use plywise_game::parameters::{ParameterError, Parameters, nearest_name, suggestion};
use std::fmt::Write;

/// A named set of parameters, as what it changes against its base.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub description: String,
    base: Option<String>,
    /// What it changes, in the order of the file.
    settings: Vec<Setting>,
    /// Whether it is built in, so that games may change it.
    is_built_in: bool,
}

/// A game as profiles see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProfiledGame<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it changes in the built-in profiles; see [`BoardGame::PROFILES`].
    pub changes: &'a str,
}

impl ProfiledGame<'_> {
    /// A game that is known by its type.
    pub const fn of<G: BoardGame>() -> ProfiledGame<'static> {
        ProfiledGame { name: G::NAME, changes: G::PROFILES }
    }

    /// A game of this name that takes the built-in profiles as they are.
    pub const fn plain(name: &str) -> ProfiledGame<'_> {
        ProfiledGame { name, changes: "" }
    }

    /// What it changes in a built-in profile.
    fn changes_to(&self, profile: &str) -> Result<Vec<Setting>, ProfileError> {
        let malformed = |reason: String| ProfileError::Malformed { name: profile.to_string(), reason };
        let all: toml::Table = self
            .changes
            .parse()
            .map_err(|error: toml::de::Error| malformed(format!("{} changes it: {}", self.name, error.message())))?;
        let unknown = all.keys().find(|key| BUILT_IN.iter().all(|(name, _)| name != key));
        if let Some(unknown) = unknown {
            return Err(malformed(format!("{} changes '{unknown}', which is not built in", self.name)));
        }
        let mut settings = Vec::new();
        if let Some(sections) = all.get(profile) {
            read_game(&mut settings, self.name, sections.clone()).map_err(malformed)?;
        }
        Ok(settings)
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Setting {
    /// The game it is for; all games if `None`.
    game: Option<String>,
    section: Section,
    path: String,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Search,
    Evaluation,
}

/// Why a profile cannot be used: one sentence for the user.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No built-in profile has this name.
    #[error("unknown profile '{}'{}", excerpt(name), suggestion(nearest.as_deref()))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The name that it resembles, if there is one.
        nearest: Option<String>,
    },
    /// The file is not what a profile looks like.
    #[error("profile '{name}' cannot be read: {reason}")]
    Malformed {
        /// The profile.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// A parameter does not exist or has a wrong value.
    #[error("profile '{name}': {error}")]
    Parameter {
        /// The profile.
        name: String,
        /// What is wrong with the parameter.
        error: ParameterError,
    },
}

/// What the section of the evaluation calls its network, which is no weight.
const NETWORK: &str = "network";

/// The built-in profiles, each with its file; every base stands before those that build on it.
const BUILT_IN: &[(&str, &str)] = &[
    ("minimax", include_str!("../profiles/minimax.toml")),
    ("alphabeta", include_str!("../profiles/alphabeta.toml")),
    ("brute", include_str!("../profiles/brute.toml")),
    ("uncertainty", include_str!("../profiles/uncertainty.toml")),
    ("classic", include_str!("../profiles/classic.toml")),
    ("multicut", include_str!("../profiles/multicut.toml")),
    ("rankcut", include_str!("../profiles/rankcut.toml")),
    ("probcut", include_str!("../profiles/probcut.toml")),
    ("rps", include_str!("../profiles/rps.toml")),
    ("erps", include_str!("../profiles/erps.toml")),
    ("best", include_str!("../profiles/best.toml")),
    ("prices", include_str!("../profiles/prices.toml")),
    ("rankcut-paper", include_str!("../profiles/rankcut-paper.toml")),
    ("mia", include_str!("../profiles/mia.toml")),
    ("rps-paper", include_str!("../profiles/rps-paper.toml")),
    ("rps-e1", include_str!("../profiles/rps-e1.toml")),
    ("rps-e2", include_str!("../profiles/rps-e2.toml")),
    ("erps-paper", include_str!("../profiles/erps-paper.toml")),
    ("turk", include_str!("../profiles/turk.toml")),
    ("turk-uncertainty", include_str!("../profiles/turk-uncertainty.toml")),
    ("turk-multicut", include_str!("../profiles/turk-multicut.toml")),
];

impl Profile {
    /// All built-in profiles.
    pub fn built_in() -> Vec<Profile> {
        BUILT_IN
            .iter()
            .map(|(name, _)| Profile::named(name).expect("built-in profiles are tested to be readable"))
            .collect()
    }

    /// The built-in profile of this name.
    pub fn named(name: &str) -> Result<Profile, ProfileError> {
        match BUILT_IN.iter().find(|(known, _)| *known == name) {
            Some((name, text)) => Ok(Profile { is_built_in: true, ..Profile::parse(name, text)? }),
            None => {
                let nearest = nearest_name(name, BUILT_IN.iter().map(|(known, _)| known.to_string()));
                Err(ProfileError::Unknown { name: name.to_string(), nearest })
            }
        }
    }

    /// Reads a profile from the text of a file. What it means is checked by [`params`](Profile::params).
    pub fn parse(name: &str, text: &str) -> Result<Profile, ProfileError> {
        let malformed = |reason: String| ProfileError::Malformed { name: name.to_string(), reason };
        let mut file: toml::Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            malformed(format!("line {line}: {}", error.message()))
        })?;
        if text.lines().next() == Some(WRITTEN) {
            end_mark::check(text).map_err(malformed)?;
        } else if file.is_empty() {
            return Err(malformed("it says nothing".to_string()));
        }
        let mut take_text = |key: &str| match file.remove(key) {
            None => Ok(None),
            Some(toml::Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(malformed(format!("'{key}' must be a text"))),
        };
        let description = take_text("description")?.unwrap_or_default();
        let base = take_text("base")?;
        let mut settings = Vec::new();
        for (key, value) in file {
            match (key.as_str(), value) {
                ("search", value) => flatten(&mut settings, None, Section::Search, "", value),
                ("game", toml::Value::Table(games)) => {
                    for (game, sections) in games {
                        read_game(&mut settings, &game, sections).map_err(malformed)?;
                    }
                }
                _ => return Err(malformed(format!("'{key}' is not a part of a profile"))),
            }
        }
        Ok(Profile { name: name.to_string(), description, base, settings, is_built_in: false })
    }

    /// The parameters of the search for a game.
    pub fn params(&self, game: ProfiledGame) -> Result<Params, ProfileError> {
        let mut params = match &self.base {
            Some(base) => self.base_profile(base)?.params(game)?,
            None => Params::OFF,
        };
        for setting in self.settings_for(game, Section::Search)? {
            params
                .set(&setting.path, &setting.value)
                .map_err(|error| ProfileError::Parameter { name: self.name.clone(), error })?;
        }
        Ok(params)
    }

    /// Sets the weights of a game's evaluation that this profile, or one it builds on, changes.
    pub fn apply_to_evaluation<W: Parameters>(&self, game: ProfiledGame, weights: &mut W) -> Result<(), ProfileError> {
        if let Some(base) = &self.base {
            self.base_profile(base)?.apply_to_evaluation(game, weights)?;
        }
        for setting in self.settings_for(game, Section::Evaluation)?.iter().filter(|setting| setting.path != NETWORK) {
            weights
                .set(&setting.path, &setting.value)
                .map_err(|error| ProfileError::Parameter { name: self.name.clone(), error })?;
        }
        Ok(())
    }

    /// The network that this profile, or one it builds on, has for a game's evaluation: a built-in name, a file, or `off`.
    pub fn network(&self, game: ProfiledGame) -> Result<Option<String>, ProfileError> {
        match (self.own_network(game)?, &self.base) {
            (Some(network), _) => Ok(Some(network)),
            (None, Some(base)) => self.base_profile(base)?.network(game),
            (None, None) => Ok(None),
        }
    }

    /// The network that this profile itself names for a game's evaluation, not one that it builds on.
    pub fn own_network(&self, game: ProfiledGame) -> Result<Option<String>, ProfileError> {
        let mut settings = self.settings_for(game, Section::Evaluation)?.into_iter();
        Ok(settings.rfind(|setting| setting.path == NETWORK).map(|setting| setting.value))
    }

    /// The games for which it has settings of their own.
    pub fn games(&self) -> impl Iterator<Item = &str> {
        self.settings.iter().filter_map(|setting| setting.game.as_deref())
    }

    /// Its base must be built in, and so a chain of bases always ends.
    fn base_profile(&self, base: &str) -> Result<Profile, ProfileError> {
        let known = BUILT_IN.iter().position(|(name, _)| *name == self.name).unwrap_or(BUILT_IN.len());
        let profile = Profile::named(base)?;
        let is_before = BUILT_IN[..known].iter().any(|(name, _)| *name == base);
        is_before.then_some(profile).ok_or_else(|| ProfileError::Malformed {
            name: self.name.clone(),
            reason: format!("it builds on '{base}', which does not stand before it"),
        })
    }

    /// Settings for all games first, so that a game's own settings win.
    fn settings_for(&self, game: ProfiledGame, section: Section) -> Result<Vec<Setting>, ProfileError> {
        let general = self.settings.iter().filter(|setting| setting.game.is_none()).cloned();
        let changes = if self.is_built_in { game.changes_to(&self.name)? } else { Vec::new() };
        let special = self.settings.iter().filter(|setting| setting.game.as_deref() == Some(game.name)).cloned();
        Ok(general.chain(changes).chain(special).filter(|setting| setting.section == section).collect())
    }
}

fn read_game(settings: &mut Vec<Setting>, game: &str, sections: toml::Value) -> Result<(), String> {
    let toml::Value::Table(sections) = sections else {
        return Err(format!("'game.{game}' must be a table"));
    };
    for (section, value) in sections {
        let section = match section.as_str() {
            "search" => Section::Search,
            "evaluation" => Section::Evaluation,
            _ => return Err(format!("'game.{game}.{section}' is neither 'search' nor 'evaluation'")),
        };
        flatten(settings, Some(game), section, "", value);
    }
    Ok(())
}

/// Turns nested tables and lists into dotted paths.
fn flatten(settings: &mut Vec<Setting>, game: Option<&str>, section: Section, prefix: &str, value: toml::Value) {
    let join = |key: &str| if prefix.is_empty() { key.to_string() } else { format!("{prefix}.{key}") };
    let value = match value {
        toml::Value::Table(table) => {
            return table.into_iter().for_each(|(key, value)| flatten(settings, game, section, &join(&key), value));
        }
        toml::Value::Array(list) => {
            let numbered = list.into_iter().enumerate();
            return numbered.for_each(|(i, value)| flatten(settings, game, section, &join(&i.to_string()), value));
        }
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    settings.push(Setting { game: game.map(str::to_string), section, path: prefix.to_string(), value });
}

/// The first line of a profile that plywise wrote.
const WRITTEN: &str = "# A profile that plywise wrote. Where its last line, '# end', is missing, it is cut off.";

/// The text of a profile file: its description, its base, and groups that [`write_groups`] wrote.
pub fn write_profile(description: &str, base: Option<&str>, groups: &str) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut text = format!("{WRITTEN}\ndescription = {}\n", quoted(description));
    if let Some(base) = base {
        text += &format!("base = {}\n", quoted(base));
    }
    end_mark::add(text + groups)
}

/// Writes parameters as the groups of a profile file: under `[search]` if `section` is `search`.
pub fn write_groups<W: Parameters>(section: &str, parameters: &W) -> String {
    let mut text = String::new();
    let mut group = "";
    let mut list: Option<(&'static str, Vec<i32>)> = None;
    fn flush(text: &mut String, list: &mut Option<(&'static str, Vec<i32>)>) {
        if let Some((name, values)) = list.take() {
            let _ = writeln!(text, "{name} = {values:?}");
        }
    }
    parameters.visit(&mut |parameter, value| {
        if list.as_ref().is_some_and(|(name, _)| *name != parameter.name || group != parameter.group) {
            flush(&mut text, &mut list);
        }
        if group != parameter.group {
            group = parameter.group;
            let _ = writeln!(text, "\n[{section}.{group}]");
        }
        match parameter.index {
            Some(_) => list.get_or_insert_with(|| (parameter.name, Vec::new())).1.push(value),
            None if parameter.is_bool => {
                let _ = writeln!(text, "{} = {}", parameter.name, value != 0);
            }
            None => {
                let _ = writeln!(text, "{} = {value}", parameter.name);
            }
        }
    });
    flush(&mut text, &mut list);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_resolves() {
        for profile in Profile::built_in() {
            for game in ["chess", "loa", "othello", "abalone", "another"] {
                profile.params(ProfiledGame::plain(game)).unwrap();
            }
            assert!(!profile.description.is_empty(), "{} describes itself", profile.name);
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let best = Profile::named("best").unwrap().params(ProfiledGame::plain("chess")).unwrap();
        let text = write_groups("search", &best);
        assert_eq!(Profile::parse("copy", &text).unwrap().params(ProfiledGame::plain("chess")).unwrap(), best);
    }

    #[test]
    fn a_written_profile_is_refused_where_it_is_cut_off() {
        let best = Profile::named("best").unwrap().params(ProfiledGame::plain("chess")).unwrap();
        let text = write_profile("a \"copy\"", Some("brute"), &write_groups("search", &best));
        let copy = Profile::parse("copy", &text).unwrap();
        assert_eq!(
            (copy.params(ProfiledGame::plain("chess")).unwrap(), copy.description.as_str()),
            (best, "a \"copy\"")
        );
        for cut in 0..text.len() - 1 {
            assert!(Profile::parse("copy", &text[..cut]).is_err(), "cut off after {cut} bytes");
        }
    }

    #[test]
    fn a_games_own_settings_win() {
        let text = "base = 'brute'\n[game.loa.search]\naspiration.window = 7\n[search]\naspiration.window = 9\n";
        let profile = Profile::parse("mine", text).unwrap();
        assert_eq!(profile.params(ProfiledGame::plain("loa")).unwrap().aspiration.window, 7);
        assert_eq!(profile.params(ProfiledGame::plain("chess")).unwrap().aspiration.window, 9);
    }

    #[test]
    fn a_network_is_no_weight() {
        let text = "base = 'brute'\n[game.loa.evaluation]\nnetwork = 'mine.net'\n";
        let profile = Profile::parse("mine", text).unwrap();
        assert_eq!(profile.network(ProfiledGame::plain("loa")).unwrap().as_deref(), Some("mine.net"));
        assert_eq!(profile.network(ProfiledGame::plain("chess")).unwrap(), None);
        profile.apply_to_evaluation(ProfiledGame::plain("loa"), &mut ()).unwrap();
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        let error =
            Profile::parse("mine", text).and_then(|profile| profile.params(ProfiledGame::plain("chess"))).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn errors_say_what_is_wrong() {
        check_error("base = 'brut'", "unknown profile 'brut'; the nearest is 'brute'");
        check_error("color = 'red'", "profile 'mine' cannot be read: 'color' is not a part of a profile");
        check_error("base = 3", "profile 'mine' cannot be read: 'base' must be a text");
        check_error(
            "[search]\naspiration.windw = 3",
            "profile 'mine': unknown parameter 'aspiration.windw'; the nearest is 'aspiration.window'",
        );
        check_error(
            "[search]\naspiration.window = 0",
            "profile 'mine': aspiration.window is 0, but must lie between 1 and 1000",
        );
        let error = Profile::parse("mine", "a = = 1").unwrap_err().to_string();
        assert!(error.starts_with("profile 'mine' cannot be read: line 1: "), "{error}");
    }

    #[test]
    fn a_game_changes_built_in_profiles_and_what_builds_on_them() {
        let changes = "[best.search]\naspiration.window = 7\n[best.evaluation]\nnetwork = \"own\"\n";
        let game = ProfiledGame { name: "nim", changes };
        let best = Profile::named("best").unwrap();
        assert_eq!(best.params(game).unwrap().aspiration.window, 7);
        assert_eq!(best.network(game).unwrap().as_deref(), Some("own"));
        let plain = best.params(ProfiledGame::plain("nim")).unwrap();
        assert_ne!(plain.aspiration.window, 7);
        assert_eq!(
            Profile::named("classic").unwrap().params(game),
            Profile::named("classic").unwrap().params(ProfiledGame::plain("nim"))
        );

        // A file builds on what the game made of its base; a file of the same name as a profile is not built in.
        let file = Profile::parse("mine", "base = \"best\"\n[search]\nnull_move.reduction = 4\n").unwrap();
        let params = file.params(game).unwrap();
        assert_eq!((params.aspiration.window, params.null_move.reduction), (7, 4));
        let namesake = Profile::parse("best", "base = \"classic\"\n").unwrap();
        assert_ne!(namesake.params(game).unwrap().aspiration.window, 7);
    }

    #[test]
    fn changes_to_unknown_profiles_and_parameters_are_refused() {
        let check = |changes: &str, expected: &str| {
            let error = Profile::named("best").unwrap().params(ProfiledGame { name: "nim", changes }).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        };
        check("[bets.search]\naspiration.window = 7", "nim changes 'bets', which is not built in");
        check("[best.search]\naspiration.widow = 7", "aspiration.widow");
        check("[best", "nim changes it");
        check("[best.serach]\naspiration.window = 7", "neither 'search' nor 'evaluation'");
    }
}
