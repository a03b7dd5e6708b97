use crate::{Game, Notation, NotationError};
use std::fmt;
use std::sync::Arc;

/// What a game says apart from any position: its names, where it begins, and how its positions are read.
///
/// For most games the type says all this, [`of_type`](GameInfo::of_type). A game whose rules come from elsewhere has it
/// [as values](GameInfo::new): then nothing asks the type.
pub struct GameInfo<G: Game> {
    name: Arc<str>,
    title: Arc<str>,
    start: Arc<Start<G>>,
    parse: Arc<Parse<G>>,
}

type Start<G> = dyn Fn() -> <G as Game>::Position + Send + Sync;
type Parse<G> = dyn Fn(&str) -> Result<<G as Game>::Position, NotationError> + Send + Sync;

impl<G: Notation> GameInfo<G> {
    /// What the type of a game says.
    pub fn of_type() -> GameInfo<G> {
        GameInfo::new(G::NAME, G::TITLE, G::start, G::parse_position)
    }
}

impl<G: Game> GameInfo<G> {
    /// A name and a title, the position in which games begin, and what reads the one-line form of a position.
    pub fn new(
        name: &str,
        title: &str,
        start: impl Fn() -> G::Position + Send + Sync + 'static,
        parse: impl Fn(&str) -> Result<G::Position, NotationError> + Send + Sync + 'static,
    ) -> GameInfo<G> {
        GameInfo { name: name.into(), title: title.into(), start: Arc::new(start), parse: Arc::new(parse) }
    }

    /// The name in the command line and in files, such as `loa`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for people, such as `Lines of Action`.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The position in which games begin.
    pub fn start(&self) -> G::Position {
        (self.start)()
    }

    /// Reads the one-line form of a position.
    pub fn parse_position(&self, text: &str) -> Result<G::Position, NotationError> {
        (self.parse)(text)
    }
}

// Derived implementations would ask `G` itself to be `Clone` and `Debug`.

impl<G: Game> Clone for GameInfo<G> {
    fn clone(&self) -> GameInfo<G> {
        let GameInfo { name, title, start, parse } = self;
        GameInfo { name: name.clone(), title: title.clone(), start: start.clone(), parse: parse.clone() }
    }
}

impl<G: Game> fmt::Debug for GameInfo<G> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("GameInfo").field("name", &self.name).field("title", &self.title).finish_non_exhaustive()
    }
}
