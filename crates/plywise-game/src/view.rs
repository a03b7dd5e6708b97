//! Boards in text, as a person at a terminal wants to see them.

/// How a board is shown: plain and from the first player's side unless something else is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View<M> {
    /// From the second player's side.
    pub turned: bool,
    /// The move that led to the position; the places that it changed are marked.
    pub last_move: Option<M>,
    /// With Unicode figures and colours, which a terminal understands and a file does not.
    pub on_terminal: bool,
}

impl<M> Default for View<M> {
    fn default() -> View<M> {
        View { turned: false, last_move: None, on_terminal: false }
    }
}

/// A place of a board and what stands on it. Colours are numbers of the usual palette of 256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// What stands there in plain text.
    pub letter: char,
    /// What stands there on a terminal.
    pub figure: char,
    /// The colour of the figure.
    pub ink: u8,
    /// The colour of the place.
    pub ground: u8,
    /// Whether the last move changed it.
    pub marked: bool,
}

/// Ink for the pieces of the dark side.
pub const DARK: u8 = 16;
/// Ink for the pieces of the light side.
pub const LIGHT: u8 = 231;
/// The ground of the places that the last move changed.
const MARKED: u8 = 178;

impl<M> View<M> {
    /// A board of square fields in its frame: letters for the files, numbers for the ranks, the first rank at the
    /// bottom, or at the top as Othello has it. `place` says what is in this file and rank, both counted from 0.
    ///
    /// ```
    /// use plywise_game::view::{DARK, LIGHT, Place, View};
    ///
    /// let stone = |marked| Place { letter: 'x', figure: '●', ink: DARK, ground: LIGHT, marked };
    /// let board = View::<()>::default().board(3, 2, false, |file, rank| stone((file, rank) == (1, 0)));
    /// assert_eq!(board, "    a b c\n  +-------+\n2 | x x x | 2\n1 | x[x]x | 1\n  +-------+\n    a b c\n");
    /// ```
    pub fn board(&self, files: u8, ranks: u8, first_rank_on_top: bool, place: impl Fn(u8, u8) -> Place) -> String {
        let files = ordered(files, self.turned);
        let ranks = ordered(ranks, self.turned == first_rank_on_top);
        let room = if self.on_terminal { " " } else { "" };
        let letters: String = files.iter().map(|file| format!(" {room}{}", char::from(b'a' + file))).collect();
        let letters = format!("   {letters}\n");
        let rows = ranks.into_iter().map(|rank| {
            let row = self.row(files.iter().map(|&file| place(file, rank)), room);
            let number = rank + 1;
            if self.on_terminal { format!("  {number} {row}\n") } else { format!("{number} |{row}| {number}\n") }
        });
        let rows: String = rows.collect();
        // Colours show where the board ends; plain text needs a frame.
        if self.on_terminal {
            return rows + &letters;
        }
        let edge = format!("  +{}+\n", "-".repeat(2 * files.len() + 1));
        format!("{letters}{edge}{rows}{edge}{letters}")
    }

    /// Places side by side. In plain text, brackets mark those that the last move changed; on a terminal, their ground
    /// does, and each has `room` after its figure.
    pub fn row(&self, places: impl IntoIterator<Item = Place>, room: &str) -> String {
        let mut text = String::new();
        let (mut after_mark, mut end) = (false, String::new());
        for Place { letter, figure, ink, ground, marked } in places {
            if self.on_terminal {
                // Where figures stand close together, the last one needs some ground on its other side too.
                end = if room.is_empty() { format!("\x1b[48;5;{ground}m \x1b[0m") } else { String::new() };
                let ground = if marked { MARKED } else { ground };
                text += &format!("\x1b[38;5;{ink};48;5;{ground}m {figure}{room}\x1b[0m");
            } else {
                text.push(between(after_mark, marked));
                text.push(letter);
                after_mark = marked;
            }
        }
        if !self.on_terminal {
            end.push(between(after_mark, false));
        }
        text + &end
    }

    /// A player, with the letter of its pieces where the board shows letters.
    pub fn player(&self, name: &str, letter: char) -> String {
        if self.on_terminal { name.to_string() } else { format!("{name} ({letter})") }
    }
}

fn ordered(count: u8, reversed: bool) -> Vec<u8> {
    if reversed { (0..count).rev().collect() } else { (0..count).collect() }
}

/// What stands between two letters in plain text.
fn between(after_mark: bool, before_mark: bool) -> char {
    match (after_mark, before_mark) {
        (false, false) => ' ',
        (false, true) => '[',
        (true, false) => ']',
        (true, true) => '|',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(file: u8, rank: u8) -> Place {
        let letter = char::from(b'0' + 3 * rank + file);
        Place { letter, figure: letter, ink: DARK, ground: LIGHT, marked: file > 0 && rank == 1 }
    }

    #[test]
    fn a_turned_board_is_upside_down() {
        let view = View::<()> { turned: true, ..View::default() };
        let rows = "    c b a\n  +-------+\n1 | 2 1 0 | 1\n2 |[5|4]3 | 2\n  +-------+\n    c b a\n";
        assert_eq!(view.board(3, 2, false, digits), rows);
        let on_top = "    c b a\n  +-------+\n2 |[5|4]3 | 2\n1 | 2 1 0 | 1\n  +-------+\n    c b a\n";
        assert_eq!(view.board(3, 2, true, digits), on_top);
    }

    #[test]
    fn a_terminal_gets_colours_and_no_brackets() {
        let view = View::<()> { on_terminal: true, ..View::default() };
        let board = view.board(2, 2, false, digits);
        assert_eq!(board.matches(&format!("48;5;{MARKED}m")).count(), 1, "{board:?}");
        assert_eq!(board.matches("\x1b[0m").count(), 4, "{board:?}");
        assert!(board.ends_with("\n     a  b\n") && !board.contains(" ["), "{board:?}");
    }
}
