//! One door between games as types and everything that people touch.
//!
//! A game is a type so that its search compiles to fast code. A program that plays several games, reads their names from
//! files and shows them on pages wants values. [`AnyGame`] is a game as a value, [`AnyPosition`] a position with the moves
//! that led to it, [`Engine`] a search that remembers, [`Setup`] everything that decides how an engine thinks. [`Hosted`]
//! makes them from any [`Playable`] game, and is the only generic code above the search and the learners' kernels.
//!
//! ```
//! # use plywise_host::{AnyGame, Ask, Hosted, Setup};
//! # use plywise_search::{Limits, Signal};
//! let game = Hosted::<plywise_chess::Chess>::new();
//! let mut position = game.position("startpos")?;
//! position.play_text("e4")?;
//! let setup = Setup::of_profile(&game, "classic")?;
//! let mut engine = game.engine(&setup)?;
//! let report = engine.search(&Ask::new(&position), &Limits::depth(3), &Signal::new(), &mut |_| {});
//! let best = report.best_move().expect("the game goes on");
//! println!("{}, {}", position.write_move(best), game.show_score(report.score()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod engine;
mod game;
#[cfg(feature = "games")]
pub mod games;
mod hosted;
mod json;
mod level;
mod network;
mod numbers;
mod playable;
mod position;
mod prices;
mod rated;
mod records;
mod setup;
mod sweep;
mod trees;
mod verdict;
mod weights;
mod written;

pub use engine::{Ask, Engine, Event};
pub use game::{AnyGame, NetworkShares, find_game, unknown_game};
pub use hosted::Hosted;
pub use json::{iteration_to_json, report_to_json, techniques_to_json};
pub use level::Level;
pub use network::{Files, NETWORK_OFF, NamedNetwork, NoFiles, ZERO_NETWORK, network_lines};
pub use numbers::{milliseconds, nodes_per_second, show_count, show_counted, show_time};
pub use playable::Playable;
pub use position::{AnyPosition, Move, Style};
pub use prices::MovePrice;
pub use rated::Rated;
pub use records::{Record, Records, SuiteEntries, SuiteEntry};
pub use setup::{EVALUATION, HostError, NETWORK, Setting, Setup};
pub use sweep::Sweep;
pub use trees::{RecordedSearch, TreeGame};
pub use verdict::{Found, Judged, Verdict};
pub use weights::Weights;
pub use written::WrittenSetup;
