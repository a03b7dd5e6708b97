//! `plywise completions`: what a shell needs to complete our commands.

use crate::games::Games;
use crate::{Result, which_game};
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;

/// Print the script that lets a shell complete commands, options and the names of games
///
/// bash: plywise completions bash > ~/.local/share/bash-completion/completions/plywise
/// zsh: plywise completions zsh > a folder of $fpath, as _plywise
/// fish: plywise completions fish > ~/.config/fish/completions/plywise.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, after_help = "Example: plywise completions bash > plywise.bash")]
pub struct Arguments {
    /// The shell
    pub shell: Shell,
}

/// Prints the script.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    let mut command = naming(crate::command(games.0), games);
    // The generator panics where its writer fails, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "plywise", &mut script);
    Ok(out.write_all(&script)?)
}

/// The command with the names of games as values to choose from. The parser does without: its own complaint knows which
/// name is the nearest.
fn naming(command: Command, games: Games) -> Command {
    let name = |argument: clap::Arg| match argument.get_id() == which_game::ARGUMENT {
        true => argument.value_parser(PossibleValuesParser::new(games.names().into_iter().map(str::to_owned))),
        false => argument,
    };
    command.mut_args(name).mut_subcommands(|inner| naming(inner, games))
}
