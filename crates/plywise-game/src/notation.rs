use crate::{Game, svg};

/// Why a position or a move could not be read: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotationError(pub String);

impl NotationError {
    /// An error that says `sentence`.
    pub fn new(sentence: impl Into<String>) -> NotationError {
        NotationError(sentence.into())
    }
}

/// Reading and writing a game's positions and moves.
pub trait Notation: Game {
    /// The game's name in the command line and in files, such as `loa`.
    const NAME: &'static str;
    /// The game's name for people and for the `Variant` tag of a game record, such as `Lines of Action`.
    const TITLE: &'static str;

    /// Reads the one-line form of a position.
    fn parse_position(text: &str) -> Result<Self::Position, NotationError>;

    /// Writes the one-line form of a position, which [`parse_position`](Notation::parse_position) reads back.
    fn write_position(position: &Self::Position) -> String;

    /// Reads a legal move in any of the game's usual notations, also the one of engine protocols.
    fn parse_move(position: &Self::Position, text: &str) -> Result<Self::Move, NotationError>;

    /// Writes a legal move as players write it, such as `Nf3` or `d3xd5`.
    fn write_move(position: &Self::Position, mv: Self::Move) -> String;

    /// Writes a legal move as engine protocols do, such as `g1f3`.
    fn write_engine_move(position: &Self::Position, mv: Self::Move) -> String {
        Self::write_move(position, mv)
    }

    /// Draws the board in plain text, several lines, each ended by a newline.
    fn draw(position: &Self::Position) -> String;

    /// Draws the board as an SVG document.
    fn draw_svg(position: &Self::Position) -> String {
        svg::of_text(&Self::draw(position))
    }
}
