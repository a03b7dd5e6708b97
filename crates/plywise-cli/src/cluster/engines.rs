//! Engines on a worker: none, unless its own command line allows it by name.

use crate::workable::Start;
use plywise_arena::engine::Engine;
use std::str::FromStr;

/// An engine that a worker may start: `NAME=COMMAND`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    /// What coordinators call it.
    name: Engine,
    /// What is started here.
    command: Engine,
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Allowed, String> {
        let read = |command: &str| format!("uci:{command}").parse::<Engine>().ok();
        let found = text.split_once('=').and_then(|(name, command)| Some((read(name)?, read(command)?)));
        let (name, command) = found.ok_or("an engine is allowed as NAME=COMMAND")?;
        Ok(Allowed { name, command })
    }
}

/// Puts the worker's own command in the place of the name that a coordinator has for an engine; a sentence where none is
/// allowed by that name.
pub(crate) fn admit(start: Start, allowed: &[Allowed]) -> Result<(), String> {
    if start.has_directory {
        return Err("a worker does not take the folder of an engine from others".to_owned());
    }
    let Start { engine, .. } = start;
    let is_meant = |name: &Engine| name.program == engine.program && name.arguments == engine.arguments;
    let Some(found) = allowed.iter().find(|allowed| is_meant(&allowed.name)) else {
        let name = [&[engine.program.clone()][..], &engine.arguments].concat().join(" ");
        return Err(format!("it needs the engine '{name}', which --allow-engine '{name}=COMMAND' would allow here"));
    };
    engine.program.clone_from(&found.command.program);
    engine.arguments.clone_from(&found.command.arguments);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::learn::extensions::ExaminedEngine;
    use crate::players::PlayerSpec;

    fn allowed() -> Vec<Allowed> {
        vec!["sf=/opt/stockfish --quiet".parse().unwrap()]
    }

    /// What a player starts on this worker.
    fn started(player: &str) -> Result<Engine, String> {
        let mut player: PlayerSpec = player.parse()?;
        player.needs().1.map_or(Ok(()), |start| admit(start, &allowed()))?;
        Ok(player.engine().unwrap().unwrap())
    }

    #[test]
    fn only_engines_that_are_named_are_started() {
        let engine = started("option.Hash=16,uci:sf").unwrap();
        assert_eq!((engine.program.as_str(), &engine.arguments[..]), ("/opt/stockfish", &["--quiet".to_owned()][..]));
        // Its name in the records is the coordinator's.
        assert_eq!((engine.name.as_str(), engine.options.len()), ("sf", 1));
        for player in ["uci:sh -c evil", "uci:sf; evil", "uci:sf evil", "cecp:other", "dir=/tmp,uci:sf"] {
            assert!(started(player).is_err(), "{player}");
        }
        assert!("sf".parse::<Allowed>().is_err() && "=x".parse::<Allowed>().is_err());
    }

    #[test]
    fn every_way_to_examine_an_engine_is_subject_to_the_list() {
        for (text, is_allowed) in [("thesis:./evil.sh", false), ("uci:./evil.sh", false), ("thesis:sf", true)] {
            let mut examined: ExaminedEngine = text.parse().unwrap();
            let start = Start { engine: &mut examined.engine, has_directory: false };
            assert_eq!(admit(start, &allowed()).is_ok(), is_allowed, "{text}");
        }
    }
}
