//! `plywise check-engine`: is an engine sound?

use crate::players::PlayerSpec;
use crate::{Failure, Result, document, games};
use clap::Args;
use plywise_arena::engine::check::{Diagnosis, EngineCheck, Finding, Verdict};
use plywise_host::AnyGame;
use plywise_search::Signal;
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Check an engine: its protocol, its limits, odd positions, memory, and how it ends
///
/// Each line is one check: ok, odd (allowed, but not what other programs expect), FAULT (against the protocol or the rules,
/// or a danger to a match) or skipped (the engine does not have it). An engine that fails is restarted for the next check.
/// Limits of time are tried up to three times, and the best attempt counts. The exit code is 1 if there are faults.
#[derive(Debug, Args)]
#[command(after_help = "\
An ENGINE is uci:COMMAND or cecp:COMMAND, with the settings of match in front of it: option.NAME=VALUE, dir=FOLDER.

Examples:
  plywise check-engine uci:stockfish
  plywise check-engine option.Threads=1,uci:stockfish --log dialogues
  plywise check-engine uci:stockfish --only stop,ponder --json")]
pub struct Arguments {
    /// The engine
    #[arg(value_name = "ENGINE")]
    pub engine: PlayerSpec,
    /// The name of the game
    #[arg(long = "game", id = "game", default_value = games::DEFAULT, help = games::HELP)]
    pub game: String,
    /// How many milliseconds the engine may take to answer what it should answer at once, and to stop
    #[arg(long, value_name = "MS", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(10..=600_000))]
    pub patience: u64,
    /// How many milliseconds a move may take beyond its time
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=600_000))]
    pub margin: u64,
    /// Only these checks, by their names in the result: --only stop,ponder
    #[arg(long, value_name = "CHECK", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Write the dialogue with every process of the engine to a file of this folder
    #[arg(long, value_name = "DIR")]
    pub log: Option<PathBuf>,
    /// One JSON document instead of text
    #[arg(long)]
    pub json: bool,
}

/// Checks the engine of the arguments.
pub fn run(game: &dyn AnyGame, args: &Arguments, out: &mut dyn Write, stop: &Signal) -> Result {
    let engine = args.engine.engine()?;
    let mut engine = engine.ok_or_else(|| {
        Failure::input(format!("'{}' is no engine: write uci:COMMAND or cecp:COMMAND", args.engine.text()))
    })?;
    engine.log.clone_from(&args.log);
    let check = EngineCheck {
        game,
        engine: &engine,
        patience: Duration::from_millis(args.patience),
        margin: Duration::from_millis(args.margin),
        only: &args.only,
    };
    let names = EngineCheck::names(engine.protocol);
    if let Some(unknown) = args.only.iter().find(|only| !names.iter().any(|name| name.eq_ignore_ascii_case(only))) {
        let list = names.join(", ");
        return Err(Failure::input(format!("there is no check '{unknown}' for this protocol; there are {list}")));
    }
    let mut written = Ok(());
    let mut show = |finding: &Finding| {
        if !args.json && written.is_ok() {
            written = tell(finding, out);
        }
    };
    let diagnosis = check.run(&mut show, stop).map_err(|fault| Failure::input(fault.detail))?;
    written?;
    let name = diagnosis.name.as_deref().unwrap_or(&engine.name);
    let faults = diagnosis.count(Verdict::Faulty);
    match args.json {
        true => {
            let results = json!({
                "game": game.name(),
                "engine": document::describe(&engine),
                "name": diagnosis.name,
                "sound": faults == 0,
                "faults": faults,
                "odd": diagnosis.count(Verdict::Odd),
                "findings": diagnosis.findings,
            });
            document::write(out, "check-engine", None, results)?;
        }
        false => writeln!(out, "{name}: {}", sum_up(&diagnosis))?,
    }
    match faults {
        0 => Ok(()),
        1 => Err(Failure::Failed(format!("{name} has a fault"))),
        _ => Err(Failure::Failed(format!("{name} has {faults} faults"))),
    }
}

fn tell(finding: &Finding, out: &mut dyn Write) -> Result {
    writeln!(out, "{:<18} {:<8} {}", finding.check, finding.verdict, finding.detail)?;
    Ok(out.flush()?)
}

fn sum_up(diagnosis: &Diagnosis) -> String {
    let of = |verdict| diagnosis.count(verdict);
    let (sound, odd, faulty) = (of(Verdict::Sound), of(Verdict::Odd), of(Verdict::Faulty));
    format!("{sound} ok, {odd} odd, {faulty} faulty, {} skipped", of(Verdict::Skipped))
}
