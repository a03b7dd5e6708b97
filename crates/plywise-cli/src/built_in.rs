//! The games of the binary `plywise`: the only place where a name becomes a type.

use crate::GameCommands;
use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_loa::Loa;
use plywise_othello::Othello;

/// Every command for the games that come with plywise.
pub static GAMES: [GameCommands; 4] = [
    GameCommands::of::<Chess>(),
    GameCommands::of::<Loa>(),
    GameCommands::of::<Othello>(),
    GameCommands::of::<Abalone>(),
];
