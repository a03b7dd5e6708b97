//! The binary `plywise`: the commands of the library beside it for four games. Only here does a name become a type.

use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_cli::GameCommands;
use plywise_loa::Loa;
use plywise_othello::Othello;
use std::process::ExitCode;

static GAMES: [GameCommands; 4] = [
    GameCommands::of::<Chess>(),
    GameCommands::of::<Loa>(),
    GameCommands::of::<Othello>(),
    GameCommands::of::<Abalone>(),
];

fn main() -> ExitCode {
    plywise_cli::main_of(&GAMES)
}
