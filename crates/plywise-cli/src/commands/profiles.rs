//! `plywise profiles`: what the built-in profiles are, and what is in them.

use crate::engine::{EVALUATION, load_profile};
use crate::games::{self, Games};
use crate::network::OFF;
use crate::table::{DataArgs, write_csv};
use crate::{Failure, Result, document};
use clap::Args;
use plywise_game::parameters::Parameters;
use plywise_host::AnyGame;
use plywise_search::{Profile, write_groups, write_profile};
use serde_json::{Map, Value, json};
use std::io::Write;

/// List the search profiles, or show everything that one of them sets
///
/// The list names the networks that profiles have for the game. What is shown is a profile file itself: save it, change it, and use it with --profile FILE.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise profiles
  plywise profiles loa brute")]
pub struct Arguments {
    /// The name of the game
    #[arg(default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    /// The profile to show: a name or a file
    pub name: Option<String>,
    /// Show the weights of the game's evaluation as well
    #[arg(long)]
    pub evaluation: bool,
    #[command(flatten)]
    pub data: DataArgs,
}

/// What documents call it.
const COMMAND: &str = "profiles";

/// Lists or shows.
pub(crate) fn run(games: Games, args: &Arguments, out: &mut dyn Write) -> Result {
    match &args.name {
        None if args.evaluation => Err(Failure::input("--evaluation needs the name of a profile")),
        None => list(&*games.game(&args.game)?, args, out),
        Some(name) => show(&*games.game(&args.game)?, name, args, out),
    }
}

fn list(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write) -> Result {
    let profiles = Profile::built_in();
    let network = |profile: &Profile| profile.network(game.profiled()).ok().flatten().filter(|name| name != OFF);
    let row = |profile: &Profile| json!({"name": profile.name, "description": profile.description, "network": network(profile)});
    if args.data.csv {
        return write_csv(out, profiles.iter().map(row));
    }
    if args.data.json {
        let rows: Vec<Value> = profiles.iter().map(row).collect();
        return document::write(out, COMMAND, None, json!({"profiles": rows}));
    }
    let width = profiles.iter().map(|profile| profile.name.len()).max().unwrap_or(0);
    for profile in &profiles {
        let Profile { name, description, .. } = profile;
        let network = network(profile).map_or(String::new(), |network| format!(" (with the network '{network}')"));
        writeln!(out, "{name:width$}  {description}{network}")?;
    }
    Ok(())
}

fn show(game: &dyn AnyGame, name: &str, args: &Arguments, out: &mut dyn Write) -> Result {
    let profile = load_profile(game, name)?;
    let params = profile.params(game.profiled())?;
    let mut weights = game.weights();
    profile.apply_to_evaluation(game.profiled(), &mut weights)?;
    let network = profile.network(game.profiled())?;
    if args.data.csv {
        let weights = if args.evaluation { values(&weights) } else { Map::new() };
        let weights = weights.into_iter().map(|(name, value)| (format!("{EVALUATION}{name}"), value));
        let row = |(name, value)| json!({"name": name, "value": value});
        return write_csv(out, values(&params).into_iter().chain(weights).map(row));
    }
    if args.data.json {
        let mut results = json!({
            "name": profile.name,
            "description": profile.description,
            "game": game.name(),
            "search": values(&params),
            "network": network,
        });
        if args.evaluation {
            results["evaluation"] = values(&weights).into();
        }
        return document::write(out, COMMAND, None, results);
    }
    let mut groups =
        format!("# The profile '{}' for {}.\n{}", profile.name, game.title(), write_groups("search", &params));
    if let Some(network) = &network {
        groups += &format!("\n[game.{}.evaluation]\nnetwork = {}\n", game.name(), toml::Value::from(network.as_str()));
    }
    if args.evaluation {
        groups += &write_groups(&format!("game.{}.evaluation", game.name()), &weights);
    }
    Ok(write!(out, "{}", write_profile(&profile.description, None, &groups))?)
}

fn values<P: Parameters>(parameters: &P) -> Map<String, Value> {
    let mut values = Map::new();
    parameters.visit(&mut |parameter, value| {
        values.insert(parameter.path(), if parameter.is_bool { json!(value != 0) } else { json!(value) });
    });
    values
}
