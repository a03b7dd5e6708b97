use plywise_host::Style;

/// What an engine said it can do. The defaults are the protocol's, which also hold for engines of version 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Features {
    pub(in crate::engine) ping: bool,
    pub(in crate::engine) setboard: bool,
    pub(in crate::engine) usermove: bool,
    pub(in crate::engine) time: bool,
    pub(in crate::engine) draw: bool,
    pub(in crate::engine) reuse: bool,
    pub(in crate::engine) san: bool,
    /// Everything has been said.
    pub(in crate::engine) done: bool,
    /// More will be said, after a while.
    pub(in crate::engine) pending: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            draw: true,
            reuse: true,
            san: false,
            done: false,
            pending: false,
        }
    }
}

impl Features {
    /// Reads what follows `feature` on a line, and says what to answer.
    pub(in crate::engine) fn read(&mut self, list: &str) -> Vec<String> {
        pairs(list).map(|(name, value)| self.set(name, value)).collect()
    }

    fn set(&mut self, name: &str, value: &str) -> String {
        let on = value == "1";
        match name {
            "ping" => self.ping = on,
            "setboard" => self.setboard = on,
            "usermove" => self.usermove = on,
            "time" => self.time = on,
            "draw" => self.draw = on,
            "reuse" => self.reuse = on,
            "san" => self.san = on,
            "done" => (self.done, self.pending) = (on, !on),
            // Said for our information, or about things that we do not ask for: no harm in agreeing.
            "myname" | "variants" | "colors" | "ics" | "name" | "pause" | "playother" | "analyze" | "sigint"
            | "sigterm" | "debug" | "memory" | "smp" | "egt" | "option" | "nps" | "highlight" | "exclude"
            | "setscore" => {}
            _ => return format!("rejected {name}"),
        }
        format!("accepted {name}")
    }

    /// How it wants its moves written.
    pub(in crate::engine) fn style(&self) -> Style {
        if self.san { Style::People } else { Style::Engine }
    }

    /// The command that plays a move.
    pub(in crate::engine) fn move_command(&self, mv: &str) -> String {
        if self.usermove { format!("usermove {mv}") } else { mv.to_owned() }
    }
}

/// The name that the engine gives itself in a list.
pub(in crate::engine) fn own_name(list: &str) -> Option<String> {
    let name = pairs(list).find(|(name, _)| *name == "myname").map(|(_, value)| value.trim().to_owned());
    name.filter(|name| !name.is_empty())
}

/// Names and values in a list like `ping=1 myname="A name" done=1`. Values in quotes may hold spaces.
fn pairs(mut list: &str) -> impl Iterator<Item = (&str, &str)> {
    std::iter::from_fn(move || {
        let (name, rest) = list.trim_start().split_once('=')?;
        let (value, rest) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        list = rest;
        Some((name.trim(), value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_answered() {
        let mut features = Features::default();
        let answers = features.read(r#"ping=1 setboard=1 myname="Some = name" telepathy=1 san=0 done=0"#);
        let expected = ["ping", "setboard", "myname"].map(|name| format!("accepted {name}"));
        assert_eq!(answers[..3], expected);
        assert_eq!(answers[3..], ["rejected telepathy", "accepted san", "accepted done"]);
        assert!(features.ping && features.setboard && features.pending && !features.done);
        features.read("done=1");
        assert!(features.done && !features.pending);
    }

    #[test]
    fn broken_lists_end_quietly() {
        for list in ["", "=", "ping", "ping=", r#"myname="unclosed"#, "  =  = ", r#"a="b"c"d"#] {
            let mut features = Features::default();
            features.read(list);
            assert!(!features.done, "{list}");
        }
    }
}
