//! Selective game-tree search for two-player board games: bring rules and an evaluation, get a strong player.
//!
//! A game is an empty type that implements [`Game`]: seven functions of rules, and hooks with defaults for what a search
//! may ask beyond them. An evaluation implements [`Evaluate`]. A [`Searcher`] takes both and searches positions.
//!
//! ```
#![doc = include_str!("guide/nim.rs")]
//!
//! use plywise::{Limits, Params, Request, Searcher, Signal};
//!
//! let mut searcher = Searcher::<Nim, _>::new(Params::DEFAULT, Even, 1)?; // A table of 1 MB.
//! let report = searcher.search(&Request::new(Nim::start()), &Limits::depth(12), &Signal::new(), &mut ());
//! assert_eq!(report.best_move(), Some(2)); // Leave a multiple of four,
//! assert_eq!(plywise::score::plies_to_end(report.score()), Some(5)); // and win in five plies.
//! # Ok::<(), plywise::TableTooLarge>(())
//! ```
//!
//! The [`guide`] leads from here to a program that plays well: a first game, how to check it, evaluations, hooks,
//! techniques, and how to embed a search.
//!
//! # What is where
//!
//! | for | see |
//! | --- | --- |
//! | a game of your own | [`Game`], [`Side`], [`Outcome`], [`MoveTraits`], [`Phase`], [`BoardGame`]; [`bitboard`] and [`zobrist`] help to write it |
//! | an evaluation | [`Evaluate`], [`Score`] and [`score`], [`parameters!`](parameters!) and [`linear`] for its weights, [`Explanation`] |
//! | searching | [`Searcher`], [`Request`], [`Limits`], [`Clock`], [`Signal`], [`Report`], [`Line`] |
//! | how to search | [`Profile`], [`Params`] and [`params`], [`profile`], [`Policy`]; tables that techniques need: [`Knowledge`], [`knowledge`] |
//! | watching a search | [`Observer`], [`Progress`], [`observe`], [`Technique`], [`Counters`] |
//! | checking a game | [`conformance`], [`perft`], [`divide`]; [`random`] numbers, moves and games |
//! | reading and writing | [`Notation`], [`pgn`], [`epd`], [`svg`], [`view`] |
//!
//! # Games
//!
//! The features `program` and with it `cli` are on by default: they make the program `plywise`. A library needs neither, and
//! writes `default-features = false`. Games that are ready to play are features too, all off by default:
//!
//! | feature | module | game |
//! | --- | --- | --- |
//! | `abalone` | `abalone` | Abalone |
//! | `chess` | `chess` | chess, and its variant Chess960 |
//! | `connect4` | `connect4` | Connect Four |
//! | `loa` | `loa` | Lines of Action |
//! | `othello` | `othello` | Othello |
//!
//! Some profiles need tables, such as `best` in Lines of Action: [`Knowledge::built_in`] has those that come with a game.
//! A technique that lacks its table does nothing.
//!
//! # What it promises
//!
//! - One thread with a fixed depth or node count gives one result and one node count on every machine.
//! - It starts no thread unless [`Searcher::set_threads`] says so, prints nothing, keeps no process-wide state and reads
//!   no file. `unsafe` code is confined to hints about memory, mapping the files of trees, and the choice of instructions.
//! - Whatever claims the minimax value has it: the profiles `minimax`, `alphabeta`, `brute` and `uncertainty` are tested
//!   against the textbook's definition.

pub mod guide;

#[doc(inline)]
pub use plywise_game::{
    BoardGame, Depth, Ended, Evaluate, Explanation, Game, GameInfo, GameSoFar, Linear, MoveTraits, Notation,
    NotationError, Outcome, Phase, Score, Side, View, Window, bitboard, conformance, divide, epd, explanation, linear,
    parameters, perft, pgn, random, score, svg, view, zobrist,
};
#[doc(inline)]
pub use plywise_search::{
    Bound, Clock, Counters, Knowledge, Limits, Line, Observer, Params, Policy, Profile, ProfileError, ProfiledGame,
    Progress, Report, Request, Searcher, Signal, TableTooLarge, Technique, TimeControl, params,
};

/// Every command of plywise for a game of your own: analyse, play, uci, match, suite and all the others. With the feature
/// `cli`.
///
/// The game implements [`BoardGame`], and [`Playable`](cli::Playable) in one line, `impl Playable for MyGame {}`: that is
/// where its search is compiled. Then the whole program is
///
/// ```no_run
/// # use plywise::chess::Chess as MyGame;
/// fn main() -> std::process::ExitCode {
///     plywise::cli::main::<MyGame>()
/// }
/// ```
#[cfg(feature = "cli")]
pub mod cli {
    use std::process::ExitCode;
    use std::sync::Arc;

    #[doc(inline)]
    pub use plywise_cli::{LearnableGame, Playable, main_of, run};

    /// The `main` of a program for one game.
    pub fn main<G: Playable>() -> ExitCode {
        main_of(&[Arc::new(plywise_cli::Hosted::<G>::new())])
    }
}

/// What learners found out and techniques use: tables of counts and regressions, and their files.
///
/// [`Knowledge`] holds those that a search uses, and [`Knowledge::built_in`] those that come with a game. Four techniques need one: `realization` a
/// [`ClassTable`](knowledge::ClassTable), `rank_cut` a [`RankTable`](knowledge::RankTable), `probcut` a
/// [`ProbCutTable`](knowledge::ProbCutTable), `learned_price` a [`PriceTable`](knowledge::PriceTable). A table is kept as text and says what it is and where it comes from:
///
/// ```
/// use plywise::knowledge::{ClassCounts, ClassTable, LearnedTable, Knowledge, Origin};
/// use plywise::{Params, parameters::Parameters};
/// use std::sync::Arc;
///
/// let classes = vec![ClassCounts { played: 40, available: 100 }, ClassCounts { played: 3, available: 90 }];
/// let origin = Origin { game: "nim".into(), settings: "by hand".into(), samples: 100 };
/// let text = ClassTable { classes }.write(&origin);
///
/// let mut params = Params::DEFAULT;
/// params.set("realization", "on").unwrap();
/// let mut knowledge = Knowledge::default();
/// assert_eq!(knowledge.missing(&params), Some("realization"));
/// let (table, _) = ClassTable::read("nim.toml", &text, "nim", 2)?;
/// knowledge.realization = Some(Arc::new(table));
/// assert_eq!(knowledge.missing(&params), None);
///
/// let error = ClassTable::read("nim.toml", &text, "chess", 2).unwrap_err();
/// assert_eq!(error.to_string(), "the table 'nim.toml' cannot be used: it was gathered for 'nim', not for 'chess'");
/// # Ok::<(), plywise::knowledge::TableError>(())
/// ```
pub mod knowledge {
    #[doc(inline)]
    pub use plywise_search::{
        ClassCounts, ClassTable, Knowledge, LearnedTable, Origin, Prediction, PriceInput, PriceTable, PriceWeights,
        ProbCutTable, RankBound, RankCounts, RankState, RankTable, TableError,
    };
}

/// What an [`Observer`] is shown: progress at the root, and every node and move of the main search.
///
/// ```
/// # mod nim { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/nim.rs")); }
/// use nim::{Even, Nim};
/// use plywise::observe::{Entered, Observer};
/// use plywise::{Game, Limits, Params, Request, Searcher, Signal};
///
/// /// Counts the nodes at each distance from the root.
/// #[derive(Default)]
/// struct Widths(Vec<u64>);
///
/// impl<G: Game> Observer<G> for Widths {
///     fn enter(&mut self, node: &Entered<'_, G>) {
///         self.0.resize(self.0.len().max(node.ply + 1), 0);
///         self.0[node.ply] += 1;
///     }
/// }
///
/// let mut widths = Widths::default();
/// let mut searcher = Searcher::<Nim, _>::new(Params::OFF, Even, 1)?; // Plain principal variation search.
/// searcher.search(&Request::new(Nim::start()), &Limits::depth(3), &Signal::new(), &mut widths);
/// assert_eq!(widths.0[0], 3); // The root, once in every iteration.
/// # Ok::<(), plywise::TableTooLarge>(())
/// ```
pub mod observe {
    #[doc(inline)]
    pub use plywise_search::{
        Arrival, Counters, End, Entered, Leaving, Likelihood, MovePhase, NodeKind, Observer, Progress, Prospect,
        Purpose, RootMove, Standing, Technique, Tried,
    };
}

/// Named sets of parameters, built in or from TOML files, and how to write one.
///
/// ```
/// use plywise::profile::{Profile, ProfiledGame, write_groups};
///
/// let text = "base = 'brute'\n[search]\nnull_move.enabled = true\n[game.nim.search]\nnull_move.reduction = 3\n";
/// let profile = Profile::parse("mine", text)?;
/// let params = profile.params(ProfiledGame::plain("nim"))?;
/// assert!(params.null_move.on() && params.null_move.reduction == 3);
///
/// // All parameters as the text of a profile.
/// let written = write_groups("search", &params);
/// assert_eq!(Profile::parse("copy", &written)?.params(ProfiledGame::plain("nim"))?, params);
/// # Ok::<(), plywise::ProfileError>(())
/// ```
pub mod profile {
    #[doc(inline)]
    pub use plywise_search::{Algorithm, Profile, ProfileError, ProfiledGame, write_groups};
}

/// The transposition table on its own, for searches that are not ours.
///
/// ```
/// use plywise::table::{Bound, Entry, TranspositionTable};
/// use plywise::{Depth, Window};
///
/// let table = TranspositionTable::new(1)?;
/// let (depth, move_code, evaluation) = (Depth::plies(4), 7, Some(25));
/// let entry = Entry { score: 30, bound: Bound::Lower, depth, move_code, uncertain: false, on_pv: false, evaluation };
/// table.store(0x1234_5678_9abc_def0, &entry);
/// let found = table.probe(0x1234_5678_9abc_def0).unwrap();
/// assert_eq!(found.settles(Window::new(0, 20), 0), Some(30)); // At least 30 is beyond the window:
/// assert_eq!(found.settles(Window::new(0, 40), 0), None); // here it might be anything from 30 to 39.
/// # Ok::<(), plywise::TableTooLarge>(())
/// ```
pub mod table {
    #[doc(inline)]
    pub use plywise_search::{Bound, Entry, TableTooLarge, TranspositionTable};
}

/// Abalone: rules on bitboards, notation, a linear evaluation. With the feature `abalone`.
///
/// ```
/// use plywise::abalone::{Abalone, Evaluator};
/// use plywise::{Game, Limits, Notation, Profile, ProfiledGame, Request, Searcher, Signal};
///
/// let params = Profile::named("classic")?.params(ProfiledGame::of::<Abalone>())?;
/// let mut searcher = Searcher::<Abalone, _>::new(params, Evaluator::default(), 16)?;
/// let report = searcher.search(&Request::new(Abalone::start()), &Limits::depth(3), &Signal::new(), &mut ());
/// assert!(report.best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "abalone")]
pub mod abalone {
    #[doc(inline)]
    pub use plywise_abalone::*;
}

/// Chess: rules on bitboards, FEN and SAN, exchange values, a linear evaluation. With the feature `chess`.
///
/// ```
/// use plywise::chess::{Chess, Evaluator};
/// use plywise::{Game, Limits, Notation, Profile, ProfiledGame, Request, Searcher, Signal};
///
/// let params = Profile::named("best")?.params(ProfiledGame::of::<Chess>())?;
/// let mut searcher = Searcher::<Chess, _>::new(params, Evaluator::default(), 16)?;
/// let position = Chess::parse_position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")?;
/// let report = searcher.search(&Request::new(position.clone()), &Limits::depth(4), &Signal::new(), &mut ());
/// assert_eq!(report.best_move().map(|mv| Chess::write_move(&position, mv)).as_deref(), Some("Qxf7#"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "chess")]
pub mod chess {
    #[doc(inline)]
    pub use plywise_chess::*;
}

/// Connect Four: rules on bitboards, notation, an evaluation by threats, a solver. With the feature `connect4`.
///
/// ```
/// use plywise::connect4::{Connect4, Evaluator};
/// use plywise::{Game, Limits, Profile, ProfiledGame, Request, Searcher, Signal};
///
/// let params = Profile::named("best")?.params(ProfiledGame::of::<Connect4>())?;
/// let mut searcher = Searcher::<Connect4, _>::new(params, Evaluator::default(), 16)?;
/// let report = searcher.search(&Request::new(Connect4::start()), &Limits::depth(8), &Signal::new(), &mut ());
/// assert!(report.best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "connect4")]
pub mod connect4 {
    #[doc(inline)]
    pub use plywise_connect4::*;
}

/// Lines of Action: rules on bitboards, notation, an evaluation like MIA's. With the feature `loa`.
///
/// ```
/// use plywise::loa::{Evaluator, Loa};
/// use plywise::{Game, Limits, Notation, Profile, ProfiledGame, Request, Searcher, Signal};
///
/// let params = Profile::named("classic")?.params(ProfiledGame::of::<Loa>())?;
/// let mut searcher = Searcher::<Loa, _>::new(params, Evaluator::default(), 16)?;
/// let report = searcher.search(&Request::new(Loa::start()), &Limits::depth(4), &Signal::new(), &mut ());
/// assert!(report.best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "loa")]
pub mod loa {
    #[doc(inline)]
    pub use plywise_loa::*;
}

/// Othello: rules on bitboards, notation, a learned evaluation, an endgame solver. With the feature `othello`.
///
/// ```
/// use plywise::othello::{Evaluator, Othello};
/// use plywise::{Game, Limits, Notation, Profile, ProfiledGame, Request, Searcher, Signal};
///
/// let params = Profile::named("classic")?.params(ProfiledGame::of::<Othello>())?;
/// let mut searcher = Searcher::<Othello, _>::new(params, Evaluator::default(), 16)?;
/// let report = searcher.search(&Request::new(Othello::start()), &Limits::depth(4), &Signal::new(), &mut ());
/// assert!(report.best_move().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "othello")]
pub mod othello {
    #[doc(inline)]
    pub use plywise_othello::*;
}
