//! Engines of others on a worker: none, unless its own command line allows it by name.

use std::str::FromStr;

/// An engine that a worker may start: `NAME=COMMAND`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    name: String,
    command: String,
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Allowed, String> {
        match text.split_once('=') {
            Some((name, command)) if !name.is_empty() && !command.is_empty() => {
                Ok(Allowed { name: name.to_owned(), command: command.to_owned() })
            }
            _ => Err("an engine is allowed as NAME=COMMAND".to_owned()),
        }
    }
}

/// A word of a coordinator's command with the worker's own command for the engine in it; a sentence where it is not
/// allowed. The text after `uci:` or `cecp:` is the name, whole.
pub(crate) fn admit(word: &str, allowed: &[Allowed]) -> Result<String, String> {
    let Some((place, protocol)) = ["uci:", "cecp:"].iter().filter_map(|p| Some((word.find(p)?, p))).min() else {
        return Ok(word.to_owned());
    };
    let (before, name) = (&word[..place], &word[place + protocol.len()..]);
    if before.split(',').any(|setting| setting.starts_with("dir=")) {
        return Err("a worker does not take the folder of an engine from others".to_owned());
    }
    match allowed.iter().find(|engine| engine.name == name) {
        Some(engine) => Ok(format!("{before}{protocol}{}", engine.command)),
        None => Err(format!("it needs the engine '{name}', which --allow-engine '{name}=COMMAND' would allow here")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_engines_that_are_named_are_started() {
        let allowed: Vec<Allowed> = vec!["sf=/opt/stockfish --quiet".parse().unwrap()];
        let check = |word: &str| admit(word, &allowed);
        assert_eq!(check("best").unwrap(), "best");
        assert_eq!(
            check("--player=option.Hash=16,uci:sf").unwrap(),
            "--player=option.Hash=16,uci:/opt/stockfish --quiet"
        );
        for word in ["uci:sh -c evil", "uci:sf; evil", "cecp:other", "name=uci:sf,uci:evil", "dir=/tmp,uci:sf", "uci:"]
        {
            assert!(check(word).is_err(), "{word}");
        }
        assert!("sf".parse::<Allowed>().is_err() && "=x".parse::<Allowed>().is_err());
    }
}
