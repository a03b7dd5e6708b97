use crate::{Failure, Outcome};
use plywise_game::Depth;
use plywise_search::Limits;
use std::time::Duration;

/// Declares what the user can say besides moves, each with its names and its help in one place.
macro_rules! words {
    ($($Word:ident = $($name:literal)|+, $usage:literal, $help:literal;)*) => {
        /// What the user can say besides moves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Word {
            $($Word,)*
        }

        impl Word {
            /// The word of this name.
            pub(super) fn find(name: &str) -> Option<Word> {
                match name {
                    $($($name)|+ => Some(Word::$Word),)*
                    _ => None,
                }
            }

            /// All words with their meanings.
            pub(super) fn help() -> String {
                let rows = [$(($usage, $help)),*];
                rows.iter().map(|(usage, help)| format!("  {usage:26} {help}\n")).collect()
            }
        }
    };
}

words! {
    Help = "help" | "?", "help", "this list";
    Undo = "undo" | "back", "undo", "take your last move back, and the engine's";
    Hint = "hint", "hint", "what the engine would play";
    Moves = "moves", "moves", "all legal moves";
    Board = "board" | "d", "board", "draw the board again";
    Side = "side" | "flip" | "switch", "side [COLOUR|both|none]", "change sides";
    Level = "level" | "limits", "level [depth|nodes|time N]", "how long the engine thinks; time in milliseconds";
    Position = "position" | "fen", "position [POSITION]", "show the position in one line, or set another one up";
    Record = "record" | "history", "record", "the moves so far";
    New = "new", "new", "begin another game";
    Resign = "resign", "resign", "give up";
    Quit = "quit" | "exit" | "q", "quit", "leave";
}

/// Reads the limits of `level depth 6`, `level nodes 10000`, `level time 500`, or a bare depth.
pub(super) fn parse_level(text: &str) -> Outcome<Limits> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (kind, number) = match words[..] {
        [number] => ("depth", number),
        [kind, number] => (kind, number),
        _ => ("", ""),
    };
    let number = number.parse().ok().filter(|&number: &u32| number > 0);
    match (kind, number) {
        ("depth", Some(plies)) => {
            Ok(Limits::depth(i32::try_from(plies).unwrap_or(i32::MAX).min(Depth::MAX.whole_plies())))
        }
        ("nodes", Some(nodes)) => Ok(Limits::nodes(nodes.into())),
        ("time", Some(milliseconds)) => Ok(Limits::time(Duration::from_millis(milliseconds.into()))),
        _ => Err(Failure::input("A level is depth N, nodes N or time MILLISECONDS, with N of at least 1.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_limits() {
        assert_eq!(parse_level("6").unwrap(), Limits::depth(6));
        assert_eq!(parse_level("nodes 1000").unwrap(), Limits::nodes(1000));
        assert_eq!(parse_level("time 500").unwrap(), Limits::time(Duration::from_millis(500)));
        for text in ["", "depth", "depth 0", "depth -1", "speed 3", "depth 3 4", "time 99999999999"] {
            assert!(parse_level(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_word_is_a_move() {
        // A word that could be read as a move would make that move unplayable.
        use plywise_game::{Game, Notation};
        for name in ["help", "undo", "back", "hint", "moves", "board", "d", "side", "level", "new", "q"] {
            assert!(plywise_chess::Chess::parse_move(&plywise_chess::Chess::start(), name).is_err(), "{name}");
            assert!(Word::find(name).is_some(), "{name}");
        }
    }
}
