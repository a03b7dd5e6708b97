//! Players as the command line writes them: a profile, or an engine in another process, with settings in front.

use crate::arguments::{
    LimitArgs, ResourceArgs, Setting, no_limit, parse_depth, parse_hash, parse_movetime, parse_nodes, parse_threads,
};
use crate::document::describe;
use crate::engine::{Setup, setup_for};
use crate::memory::check_tables;
use crate::runs::describe_setup;
use crate::{Failure, Result};
use plywise_arena::engine::{Engine, Protocol};
use plywise_arena::{Entrant, Limits, TimeControlError, Who as Player};
use plywise_game::parameters::{nearest_name, suggestion};
use plywise_host::{AnyGame, WrittenSetup};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::str::FromStr;

/// A player as it is written: `KEY=VALUE,…,PLAYER`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    text: String,
    /// Keys and values in front of the player.
    settings: Vec<(String, String)>,
    who: Who,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Who {
    Profile(String),
    Engine(Engine),
}

/// What `--help` says about players.
pub const PLAYER_HELP: &str = "\
Players:
  A PLAYER is the name or the file of a search profile, uci:COMMAND, cecp:COMMAND (the protocol of xboard),
  gtp:COMMAND, or nboard:COMMAND (Othello). An engine without a name is called what it calls itself.
  Settings stand in front of it, each followed by a comma; a comma within a value is written \\,
    name=TEXT                           its name in tables and game records
    depth=N nodes=N movetime=MS tc=TIME limits of its own instead of the common ones
    set.GROUP.NAME=VALUE table=FILE network=FILE|off threads=N hash=MB
                                        of a profile: parameters, what was learned, resources [default: 1 thread, 16 MB]
    option.NAME=VALUE dir=FOLDER restart=on|off
                                        of an engine: its options, its folder, a new process for every game
";

/// Whether a word in front of an equals sign is a setting, and of whom.
const KEYS: &[&str] = &[
    "name", "depth", "nodes", "movetime", "tc", "set.", "table", "network", "threads", "hash", "option.", "dir",
    "restart",
];

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<PlayerSpec, String> {
        let mut rest = text.trim();
        let mut settings = Vec::new();
        while let Some((setting, after)) = split_setting(rest) {
            let (key, value) = setting.split_once('=').ok_or("a setting is written key=value")?;
            if !is_setting(key) {
                let nearest = nearest_name(key, KEYS.iter().map(|key| key.to_string()));
                return Err(format!("unknown setting '{key}' of a player{}", suggestion(nearest.as_deref())));
            }
            settings.push((key.to_string(), value.replace("\\,", ",")));
            rest = after.trim_start();
        }
        let is_engine = Protocol::split(rest).is_some();
        if let Some(setting) = misplaced_setting(rest) {
            return Err(format!("'{setting}' stands behind the player; settings come first: {setting},PLAYER"));
        }
        let who = match rest {
            "" => {
                return Err("a player is missing: a profile, uci:COMMAND, cecp:COMMAND, gtp:COMMAND or nboard:COMMAND"
                    .to_string());
            }
            _ if is_engine => Who::Engine(rest.parse().map_err(|error| format!("{error}"))?),
            _ => Who::Profile(rest.to_string()),
        };
        Ok(PlayerSpec { text: text.to_string(), settings, who })
    }
}

fn is_setting(key: &str) -> bool {
    KEYS.iter().any(|known| if known.ends_with('.') { key.starts_with(known) } else { *known == key })
}

/// A setting after a comma of a player's own text. A command that has such a word for itself writes the comma as \\,
fn misplaced_setting(player: &str) -> Option<&str> {
    let (before, after) = player.split_once(',')?;
    let word = after.split([',', ' ']).next().unwrap_or_default();
    let is_meant = word.split_once('=').is_some_and(|(key, _)| is_setting(key)) && !before.ends_with('\\');
    if is_meant { Some(word) } else { misplaced_setting(after) }
}

/// The setting that a text begins with, and what follows its comma. What is no setting is the player itself, whose
/// command may hold commas and equals signs.
fn split_setting(text: &str) -> Option<(&str, &str)> {
    if Protocol::split(text).is_some() {
        return None;
    }
    let mut escaped = false;
    let end = text.find(|letter| {
        let is_end = letter == ',' && !escaped;
        escaped = letter == '\\';
        is_end
    })?;
    text[..end].contains('=').then(|| (&text[..end], &text[end + 1..]))
}

impl PlayerSpec {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The profile, unless it is an engine in another process.
    pub fn profile(&self) -> Option<&str> {
        match &self.who {
            Who::Profile(profile) => Some(profile),
            Who::Engine(_) => None,
        }
    }

    /// The player for a game as plain data, under the common limits unless it has its own.
    pub fn read(&self, game: &dyn AnyGame, common: Option<Limits>) -> Result<Entrant> {
        let limits = self.own_limits()?.or(common).ok_or_else(no_limit)?;
        let who = match &self.who {
            Who::Profile(profile) => Player::Setup(WrittenSetup::of(game, &self.setup(game, profile)?)),
            Who::Engine(engine) => Player::Engine(self.with_settings(engine)?),
        };
        Ok(Entrant { who, limits })
    }

    /// The same, with whether it was given a name.
    pub fn read_named(&self, game: &dyn AnyGame, common: Option<Limits>) -> Result<NamedEntrant> {
        let is_named = self.settings.iter().any(|(key, _)| key == "name");
        Ok(NamedEntrant { entrant: self.read(game, common)?, is_named })
    }

    fn own_limits(&self) -> Result<Option<Limits>> {
        let mut args = LimitArgs::default();
        for (key, value) in &self.settings {
            let bad = |error: String| self.error(&format!("its {key} cannot be '{value}': {error}"));
            match key.as_str() {
                "depth" => args.depth = vec![parse_depth(value).map_err(bad)?],
                "nodes" => args.nodes = Some(parse_nodes(value).map_err(bad)?),
                "movetime" => args.movetime = Some(parse_movetime(value).map_err(bad)?),
                "tc" => args.tc = Some(value.parse().map_err(|error: TimeControlError| bad(error.to_string()))?),
                _ => {}
            }
        }
        args.single()
    }

    /// The setup of a profile with the settings of this player.
    fn setup(&self, game: &dyn AnyGame, profile: &str) -> Result<Setup> {
        let mut resources = ResourceArgs { hash: DEFAULT_HASH, ..ResourceArgs::default() };
        let mut name = None;
        for (key, value) in &self.settings {
            match key.as_str() {
                "name" => name = Some(value.clone()),
                "threads" => resources.threads = parse_threads(value).map_err(|error| self.error(&error))?,
                "hash" => resources.hash = parse_hash(value).map_err(|error| self.error(&error))?,
                "table" => resources.table.push(value.clone()),
                "network" => resources.network = Some(value.clone()),
                "depth" | "nodes" | "movetime" | "tc" => {}
                _ => match key.strip_prefix("set.") {
                    Some(path) => resources.set.push(Setting { path: path.to_string(), value: value.clone() }),
                    None => return Err(self.error(&format!("'{key}' is a setting of engines, not of profiles"))),
                },
            }
        }
        let setup = setup_for(game, profile, &resources)?;
        Ok(Setup { name: name.unwrap_or(setup.name), ..setup })
    }

    /// The engine in another process with its settings, unless it is a profile.
    pub fn engine(&self) -> Result<Option<Engine>> {
        match &self.who {
            Who::Profile(_) => Ok(None),
            Who::Engine(engine) => self.with_settings(engine).map(Some),
        }
    }

    /// An engine with the settings of this player.
    fn with_settings(&self, engine: &Engine) -> Result<Engine> {
        let mut engine = engine.clone();
        for (key, value) in &self.settings {
            match key.as_str() {
                "name" => engine.name.clone_from(value),
                "dir" => engine.directory = Some(value.into()),
                "restart" => match value.as_str() {
                    "on" | "true" => engine.restart = true,
                    "off" | "false" => engine.restart = false,
                    _ => return Err(self.error(&format!("its restart is on or off, not '{value}'"))),
                },
                "depth" | "nodes" | "movetime" | "tc" => {}
                _ => match key.strip_prefix("option.") {
                    Some(option) => engine.options.push((option.to_string(), value.clone())),
                    None => return Err(self.error(&format!("'{key}' is a setting of profiles, not of engines"))),
                },
            }
        }
        Ok(engine)
    }

    fn error(&self, problem: &str) -> Failure {
        Failure::input(format!("player '{}': {problem}", self.text))
    }
}

/// A player, and whether its name was chosen by the user.
#[derive(Clone, Debug)]
pub struct NamedEntrant {
    pub entrant: Entrant,
    pub is_named: bool,
}

/// Calls engines that were given no name what they call themselves. Where two would share a name, as two builds of one
/// engine do, both stay what their programs are called.
pub fn introduce(players: &mut [NamedEntrant]) -> Result {
    let own_name = |player: &NamedEntrant| match player.entrant.engine() {
        Some(engine) if !player.is_named => {
            let name = engine.introduce();
            name.map_err(|fault| Failure::input(format!("{} cannot play: {fault}", engine.name)))
        }
        _ => Ok(None),
    };
    let own_names = players.iter().map(own_name).collect::<Result<Vec<_>>>()?;
    let wanted: Vec<String> = players
        .iter()
        .zip(&own_names)
        .map(|(player, own)| own.clone().unwrap_or_else(|| player.entrant.name().to_owned()))
        .collect();
    for (player, own) in players.iter_mut().zip(own_names) {
        let is_alone = own.as_ref().is_some_and(|own| wanted.iter().filter(|name| *name == own).count() == 1);
        if let (true, Some(own), Some(engine)) = (is_alone, own, player.entrant.engine_mut()) {
            engine.name = own;
        }
    }
    Ok(())
}

/// Fast games fill no more, and every game begins with an empty table.
pub(crate) const DEFAULT_HASH: usize = 16;

/// Refuses a match whose tables do not fit into memory.
pub fn check_memory(players: &[Entrant], concurrency: usize) -> Result {
    let mut sizes: Vec<usize> = players.iter().map(Entrant::hash).collect();
    // Only the two who play hold their tables.
    sizes.sort_unstable();
    let largest: usize = sizes.iter().rev().take(2).fold(0, |sum, &size| sum.saturating_add(size));
    check_tables(largest.max(1), concurrency)
}

/// The programs of the engines among players.
pub fn programs(players: &[Entrant]) -> Vec<PathBuf> {
    players.iter().filter_map(|player| Some(PathBuf::from(&player.engine()?.program))).collect()
}

/// A player as a document describes it.
pub fn describe_entrant(game: &dyn AnyGame, player: &Entrant) -> Result<Value> {
    let mut description = match &player.who {
        Player::Setup(setup) => describe_setup(game, &setup.read(game)?)?,
        Player::Engine(engine) => json!({ "engine": describe(engine) }),
    };
    description["limits"] = describe(&player.limits);
    Ok(description)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, settings: &[(&str, &str)], who: &str) {
        let spec: PlayerSpec = text.parse().unwrap();
        let found: Vec<(&str, &str)> = spec.settings.iter().map(|(key, value)| (&key[..], &value[..])).collect();
        assert_eq!(found, settings);
        match spec.who {
            Who::Profile(profile) => assert_eq!(profile, who),
            Who::Engine(engine) => assert_eq!(engine, who.parse().unwrap()),
        }
    }

    #[test]
    fn settings_stand_in_front_of_the_player() {
        check("best", &[], "best");
        check("name=old,nodes=1000,my/profile.toml", &[("name", "old"), ("nodes", "1000")], "my/profile.toml");
        check("set.null_move.reduction=3,best", &[("set.null_move.reduction", "3")], "best");
        check("option.Hash=16,uci:sf --a=b,c", &[("option.Hash", "16")], "uci:sf --a=b,c");
        check("name=a\\,b,cecp:phalanx", &[("name", "a,b")], "cecp:phalanx");
    }

    #[test]
    fn settings_behind_the_player_are_told_to_come_first() {
        for text in ["uci:sf,option.Hash=16", "name=a,uci:sf -x=1,c=2,option.Hash=16", "best,option.Hash=16,nodes=5"] {
            let sentence = "'option.Hash=16' stands behind the player; settings come first: option.Hash=16,PLAYER";
            assert_eq!(text.parse::<PlayerSpec>().unwrap_err(), sentence);
        }
        check("uci:sf --level\\,depth=3", &[], "uci:sf --level\\,depth=3");
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for text in ["", "name=x,", "nmae=x,best", "uci:", "uci:'open"] {
            assert!(text.parse::<PlayerSpec>().is_err(), "{text}");
        }
    }
}
