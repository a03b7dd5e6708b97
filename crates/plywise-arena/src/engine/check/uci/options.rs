//! What an engine declares about its options.

use super::super::Seen;

/// An option as it was declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    pub name: String,
    pub kind: Kind,
}

/// What values an option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Check,
    Spin { default: i64, least: i64, most: i64 },
    Combo { default: String, choices: Vec<String> },
    Button,
    Text { default: String },
}

/// Tables and threads beyond this say more about the machine than about the engine.
const LARGEST_HASH: i64 = 64;
const MOST_THREADS: i64 = 2;

impl Declared {
    /// Reads a line that begins with `option`, or says what is wrong with it.
    pub(super) fn read(line: &str) -> Result<Declared, String> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in line.split_whitespace().skip(1) {
            // A name may hold such a word, but not as its first one.
            let is_field = match word {
                "name" => fields.is_empty(),
                "type" => fields.len() == 1,
                "default" | "min" | "max" | "var" => fields.len() > 1,
                _ => false,
            };
            match fields.last_mut() {
                _ if is_field => fields.push((word, Vec::new())),
                Some((_, words)) => words.push(word),
                None => return Err(format!("'{word}' where 'name' is expected")),
            }
        }
        let field = |name: &str| fields.iter().find(|(field, _)| *field == name).map(|(_, words)| words.join(" "));
        let name = field("name").filter(|name| !name.is_empty()).ok_or("it has no name")?;
        let wrong = |what: String| format!("'{name}' {what}");
        let number = |field_name: &str| {
            let text = field(field_name).ok_or_else(|| wrong(format!("has no {field_name}")))?;
            text.parse::<i64>().map_err(|_| wrong(format!("has '{text}' as its {field_name}")))
        };
        let kind = match field("type").as_deref() {
            Some("check") => match field("default").as_deref() {
                Some("true" | "false") => Kind::Check,
                other => return Err(wrong(format!("is a check with the default '{}'", other.unwrap_or("")))),
            },
            Some("spin") => {
                let (default, least, most) = (number("default")?, number("min")?, number("max")?);
                if !(least..=most).contains(&default) {
                    return Err(wrong(format!("has the default {default}, which is not between {least} and {most}")));
                }
                Kind::Spin { default, least, most }
            }
            Some("combo") => {
                let choices: Vec<String> =
                    fields.iter().filter(|(field, _)| *field == "var").map(|(_, words)| words.join(" ")).collect();
                let default = field("default").unwrap_or_default();
                if !choices.contains(&default) {
                    return Err(wrong(format!("has the default '{default}', which is none of its choices")));
                }
                Kind::Combo { default, choices }
            }
            Some("button") => Kind::Button,
            Some("string") => Kind::Text { default: field("default").ok_or_else(|| wrong("has no default".into()))? },
            other => return Err(wrong(format!("has the unknown type '{}'", other.unwrap_or("")))),
        };
        Ok(Declared { name, kind })
    }

    /// The commands that set the option to its bounds, to every choice, and back to its default at the end.
    pub(super) fn commands(&self) -> Vec<String> {
        let name = &self.name;
        let set = |value: &str| format!("setoption name {name} value {value}");
        match &self.kind {
            Kind::Check => vec![set("true"), set("false")],
            Kind::Spin { default, least, most } => {
                let most = match name.to_ascii_lowercase().as_str() {
                    "hash" => (*most).min(LARGEST_HASH).max(*least),
                    "threads" => (*most).min(MOST_THREADS).max(*least),
                    _ => *most,
                };
                [*least, most, *default].map(|value| set(&value.to_string())).into()
            }
            Kind::Combo { default, choices } => choices.iter().chain([default]).map(|choice| set(choice)).collect(),
            Kind::Button => vec![format!("setoption name {name}")],
            // What else a text may be is the engine's own.
            Kind::Text { default } => vec![set(if default.is_empty() { "<empty>" } else { default })],
        }
    }
}

/// What is wrong with the declarations.
pub(super) fn judge(lines: &[String]) -> Seen {
    let read: Vec<Result<Declared, String>> = lines.iter().map(|line| Declared::read(line)).collect();
    let mut names: Vec<String> = read.iter().flatten().map(|option| option.name.to_ascii_lowercase()).collect();
    names.sort();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone());
    let wrong: Vec<&String> = read.iter().filter_map(|option| option.as_ref().err()).collect();
    match (&wrong[..], twice) {
        ([], None) => Seen::sound(format!("{} options", read.len())),
        ([], Some(name)) => Seen::faulty(format!("'{name}' is declared twice")),
        ([first, rest @ ..], _) => Seen::faulty(match rest.len() {
            0 => (*first).clone(),
            more => format!("{first}; and {more} more"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Verdict;
    use super::*;

    #[test]
    fn declarations_are_read() {
        let read = |line| Declared::read(line).unwrap();
        let hash = read("option name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(hash.kind, Kind::Spin { default: 16, least: 1, most: 33_554_432 });
        assert_eq!(hash.commands()[1], "setoption name Hash value 64");
        let style = read("option name Playing Style type combo default Very Solid var Risky var Very Solid");
        assert_eq!(style.name, "Playing Style");
        assert_eq!(style.commands().len(), 3);
        let choices = vec!["Risky".to_owned(), "Very Solid".to_owned()];
        assert_eq!(style.kind, Kind::Combo { default: "Very Solid".into(), choices });
        assert_eq!(read("option name Book File type string default").kind, Kind::Text { default: String::new() });
        assert_eq!(read("option name min split depth type spin default 4 min 4 max 7").name, "min split depth");
        assert_eq!(read("option name Clear Hash type button").commands(), ["setoption name Clear Hash"]);
    }

    #[test]
    fn what_is_wrong_with_a_declaration_is_named() {
        let wrong = |line: &str| judge(&[line.to_owned()]);
        for (line, detail) in [
            ("option Hash", "'Hash' where 'name' is expected"),
            (
                "option name Hash type spin default 0 min 1 max 9",
                "'Hash' has the default 0, which is not between 1 and 9",
            ),
            ("option name Hash type spin default 1 min 1", "'Hash' has no max"),
            ("option name Hash type spin default x min 1 max 9", "'Hash' has 'x' as its default"),
            ("option name Ponder type check", "'Ponder' is a check with the default ''"),
            ("option name S type combo default c var a var b", "'S' has the default 'c', which is none of its choices"),
            ("option name S type slider", "'S' has the unknown type 'slider'"),
            ("option name S type string", "'S' has no default"),
        ] {
            let seen = wrong(line);
            assert_eq!((seen.verdict, seen.detail.as_str()), (Verdict::Faulty, detail), "{line}");
        }
        let twice = ["option name A type button".to_owned(), "option name a type button".to_owned()];
        assert_eq!(judge(&twice).detail, "'a' is declared twice");
        assert_eq!(judge(&twice[..1]).verdict, Verdict::Sound);
    }
}
