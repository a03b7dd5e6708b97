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
                rows.iter().map(|(usage, help)| format!("  {usage:29} {help}\n")).collect()
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
    Flip = "flip", "flip", "turn the board";
    Side = "side", "side [COLOUR|both|none]", "which side you play, or another one";
    Level = "level" | "limits", "level [N|depth|nodes|time N]", "how strong the engine plays, 1 to 10, or its limit; time in milliseconds";
    Position = "position" | "fen", "position [POSITION]", "show the position in one line, or set another one up";
    Record = "record" | "history", "record", "the moves so far";
    Save = "save", "save FILE.pgn", "add the game to a file";
    Load = "load", "load FILE.pgn", "go on with the last game of a file";
    New = "new", "new", "begin another game";
    Resign = "resign", "resign", "give up";
    Quit = "quit" | "exit" | "q", "quit", "leave";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_move() {
        // A word that could be read as a move would make that move unplayable.
        use plywise_game::{Game, Notation};
        for name in
            ["help", "undo", "back", "hint", "moves", "board", "d", "flip", "side", "level", "save", "load", "new", "q"]
        {
            assert!(
                plywise_host::games::Chess::parse_move(&plywise_host::games::Chess::start(), name).is_err(),
                "{name}"
            );
            assert!(Word::find(name).is_some(), "{name}");
        }
    }
}
