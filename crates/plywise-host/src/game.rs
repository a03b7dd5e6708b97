use crate::{AnyPosition, Engine, HostError, Records, Setup, SuiteEntries, Weights};
use plywise_game::features::Sight;
use plywise_game::notation::excerpt;
use plywise_game::parameters::nearest_name;
use plywise_game::{Chances, Explanation, Grade, NotationError, Score, Side};
use plywise_search::{Knowledge, ProfiledGame};
use plywise_tree::Board;
use std::io::BufRead;
use std::sync::Arc;

/// A game as a value, whatever its type: what the program asks of it, for people and files.
///
/// [`Hosted`](crate::Hosted) is the one implementation.
pub trait AnyGame: Send + Sync {
    /// The name in the command line and in files, such as `loa`.
    fn name(&self) -> &str;

    /// The name for people, such as `Lines of Action`.
    fn title(&self) -> &str;

    /// The game as profiles see it.
    fn profiled(&self) -> ProfiledGame<'_>;

    /// What people call the two players, the one who begins first.
    fn players(&self) -> [&str; 2];

    /// What people call the player of a side.
    fn player(&self, side: Side) -> &str {
        self.players()[side as usize]
    }

    /// The position in which games begin.
    fn start(&self) -> AnyPosition;

    /// Reads the one-line form of a position.
    fn parse_position(&self, text: &str) -> Result<AnyPosition, NotationError>;

    /// Reads a position, where `startpos` and nothing at all mean the start.
    fn position(&self, text: &str) -> Result<AnyPosition, NotationError> {
        match text.trim() {
            "" | "startpos" => Ok(self.start()),
            text => self.parse_position(text),
        }
    }

    /// Whether a position is one of this game.
    fn owns(&self, position: &AnyPosition) -> bool;

    /// A score for people, from the view of the side to move.
    fn show_score(&self, score: Score) -> String;

    /// Reads the games of `input` in PGN one by one.
    fn read_pgn<'a>(&self, input: Box<dyn BufRead + 'a>) -> Records<'a>;

    /// Reads the entries of `input` in EPD one by one.
    fn read_epd<'a>(&self, input: Box<dyn BufRead + 'a>) -> SuiteEntries<'a>;

    /// The tables that a setup's techniques use, if none is missing.
    fn knowledge(&self, setup: &Setup) -> Result<Knowledge, HostError>;

    /// An engine that thinks like this, if no table is missing and its own table fits into memory.
    fn engine(&self, setup: &Setup) -> Result<Box<dyn Engine>, HostError>;

    /// The evaluation of a position for the side to move; `None` for a position of another game.
    fn evaluate(&self, setup: &Setup, position: &AnyPosition) -> Option<Score>;

    /// The linear evaluation of a position term by term; `None` where the evaluation has no weights.
    fn explain(&self, setup: &Setup, position: &AnyPosition) -> Option<Explanation>;

    /// What the network says of a position, and what each piece adds to that; `None` where there is no network.
    fn explain_network(&self, setup: &Setup, position: &AnyPosition) -> Option<NetworkShares>;

    /// The rules of the game along recorded searches of `root`, after positions with the hashes of `history`, for the checker
    /// of trees; `None` for a position of another game.
    fn board(&self, setup: &Setup, root: &AnyPosition, history: &[u64]) -> Option<Box<dyn Board>>;

    /// The weights of the evaluation as they are declared; none where it has none.
    fn weights(&self) -> Weights;

    /// What networks can tell apart in its positions.
    fn sight(&self) -> Sight;

    /// How many classes of moves there are for realization probabilities.
    fn move_classes(&self) -> usize;

    /// The bytes of a network that comes with the game.
    fn built_in_network(&self, name: &str) -> Option<&'static [u8]>;

    /// What its scores are worth.
    fn chances(&self) -> Chances;

    /// Weaker players with measured ratings, from weak to strong.
    fn grades(&self) -> &'static [Grade];

    /// Balanced openings for matches, as EPD; empty where there are none.
    fn openings(&self) -> &'static str;

    /// Test suites as EPD, by name.
    fn suites(&self) -> &'static [(&'static str, &'static str)];

    /// Sets of genes for its evaluation, by name.
    fn genes(&self) -> &'static [(&'static str, &'static str)];

    /// The positions of `bench`, and the depth in plies.
    fn bench(&self) -> (Vec<AnyPosition>, i32);

    /// What decides a game other than a forced win, for `forge suite`.
    fn decisive_gain(&self) -> &'static str;

    /// Whether `UCI_Chess960` means something.
    fn has_chess960(&self) -> bool;
}

/// The game of this name among some.
pub fn find_game<'a>(games: &'a [Arc<dyn AnyGame>], name: &str) -> Result<&'a Arc<dyn AnyGame>, HostError> {
    let found = games.iter().find(|game| game.name() == name);
    found.ok_or_else(|| unknown_game(name, &games.iter().map(|game| game.name()).collect::<Vec<&str>>()))
}

/// Says that there is no such game, and which one may have been meant.
pub fn unknown_game(name: &str, known: &[&str]) -> HostError {
    let name = excerpt(name);
    match nearest_name(&name, known.iter().map(|name| name.to_string())) {
        Some(nearest) => HostError::new(format!("unknown game '{name}'; the nearest is '{nearest}'")),
        None => HostError::new(format!("unknown game '{name}'; there are {}", known.join(", "))),
    }
}

/// What a network says of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkShares {
    /// Its value for the side to move.
    pub value: Score,
    /// What each feature adds: the value with it less the value without it.
    pub shares: Vec<(String, Score)>,
}
