//! Engines on a worker: none, unless its own command line allows it by name.

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

/// Puts the worker's own command in the place of the name that a coordinator has for an engine, and admits it; a sentence if
/// none is allowed by that name.
pub(crate) fn admit(engine: &mut Engine, allowed: &[Allowed]) -> Result<(), String> {
    if engine.directory.is_some() {
        return Err("a worker does not take the folder of an engine from others".to_owned());
    }
    if !engine.commands.is_empty() {
        return Err("a worker does not send an engine the commands of others".to_owned());
    }
    let is_meant = |name: &Engine| name.program == engine.program && name.arguments == engine.arguments;
    let Some(found) = allowed.iter().find(|allowed| is_meant(&allowed.name)) else {
        let name = [&[engine.program.clone()][..], &engine.arguments].concat().join(" ");
        return Err(format!("it needs the engine '{name}', which --allow-engine '{name}=COMMAND' would allow here"));
    };
    engine.program.clone_from(&found.command.program);
    engine.arguments.clone_from(&found.command.arguments);
    engine.admitted = true;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::learn::extensions::ExaminedEngine;
    use crate::jobs::AnyJob;
    use plywise_arena::matches::{Format, PlayMatch, Rules};
    use plywise_arena::{Entrant, Limits, Who};

    fn allowed() -> Vec<Allowed> {
        vec!["sf=/opt/stockfish --quiet".parse().unwrap()]
    }

    fn engine(text: &str) -> Engine {
        text.parse().unwrap()
    }

    /// The engine of a match that came from a coordinator.
    fn started(engine: Engine) -> Result<Engine, String> {
        let job = PlayMatch {
            game: "loa".into(),
            players: vec![Entrant { who: Who::Engine(engine), limits: Limits::nodes(1) }],
            format: Format::RoundRobin,
            openings: Vec::new(),
            shuffle: false,
            games: 2,
            rules: Rules::default(),
            sprt: None,
            seed: 1,
        };
        let message = serde_json::to_string(&AnyJob::from(job)).unwrap();
        let mut job: AnyJob = serde_json::from_str(&message).unwrap();
        let mut engines = job.engines();
        assert!(engines.len() == 1 && !engines[0].admitted, "it may not be started");
        admit(engines[0], &allowed())?;
        Ok(engines[0].clone())
    }

    #[test]
    fn only_engines_that_are_named_are_started() {
        let options = vec![("Hash".to_owned(), "16".to_owned())];
        let found = started(Engine { options, ..engine("uci:sf") }).unwrap();
        assert_eq!((found.program.as_str(), &found.arguments[..]), ("/opt/stockfish", &["--quiet".to_owned()][..]));
        // Its name in the records is the coordinator's.
        assert_eq!((found.name.as_str(), found.options.len(), found.admitted), ("sf", 1, true));
        for player in ["uci:sh -c evil", "uci:sf; evil", "uci:sf evil", "cecp:other"] {
            assert!(started(engine(player)).is_err(), "{player}");
        }
        assert!(started(Engine { directory: Some("/tmp".into()), ..engine("uci:sf") }).is_err());
        assert!("sf".parse::<Allowed>().is_err() && "=x".parse::<Allowed>().is_err());
    }

    #[test]
    fn every_way_to_examine_an_engine_is_subject_to_the_list() {
        for (text, is_allowed) in [("thesis:./evil.sh", false), ("uci:./evil.sh", false), ("thesis:sf", true)] {
            let mut examined: ExaminedEngine = text.parse().unwrap();
            assert_eq!(admit(&mut examined.engine, &allowed()).is_ok(), is_allowed, "{text}");
        }
    }
}
