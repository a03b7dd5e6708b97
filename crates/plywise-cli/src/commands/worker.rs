//! `plywise worker`: this machine does units of work for runs on others.

use crate::cluster::{WorkerProgram, machine, own_build, refusal};
use crate::games::Games;
use crate::{Failure, Result};
use clap::Args;
use plywise_arena::commit_test::Workshop;
use plywise_cluster::{Server, WorkerOptions, serve};
use plywise_search::Signal;
use std::io::Write;
use std::path::PathBuf;

/// Do units of work for commands that other machines run with --workers
///
/// A worker waits for runs, for every game and every command that has units, and helps with them until it is interrupted.
/// It helps only a coordinator that is the same build of the same version. Credentials for the server come from the
/// environment: PLYWISE_NATS_USER and PLYWISE_NATS_PASSWORD, PLYWISE_NATS_TOKEN, PLYWISE_NATS_NKEY, or
/// PLYWISE_NATS_CREDENTIALS, which names a TOML file with user and password, token, or nkey.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  plywise worker nats://127.0.0.1:4222
  plywise worker nats://127.0.0.1:4222 --jobs 1 --name attic --allow-engine stockfish=/usr/games/stockfish
  plywise worker nats://127.0.0.1:4222 --allow-build")]
pub struct Arguments {
    /// The NATS server: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(value_name = "URL")]
    pub server: String,
    /// Units at the same time [default: as many as the machine has cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// The name of this worker [default: the machine and the number of the process]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Let runs start this engine of yours, which they call uci:NAME or cecp:NAME; repeatable
    #[arg(long, value_name = "NAME=COMMAND")]
    pub allow_engine: Vec<String>,
    /// Let runs of 'plywise test' send the source of an engine, build it with their own commands, and start it. They can do
    /// all that your user can: give the worker a user of its own
    #[arg(long)]
    pub allow_build: bool,
    /// The folder for these builds [default: one that goes when the worker ends]
    #[arg(long, value_name = "DIR", requires = "allow_build")]
    pub builds: Option<PathBuf>,
    /// The most minutes that one of these builds may take, whatever the run says
    #[arg(long, value_name = "N", default_value_t = 30, requires = "allow_build")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub build_minutes: u32,
}

/// Works until it is interrupted.
pub(crate) fn run(games: Games, args: &Arguments, stop: &Signal) -> Result {
    let cores = crate::arguments::jobs(None, 1);
    let jobs = args.jobs.map_or(cores, usize::from);
    if jobs > cores {
        return Err(Failure::input(format!("this machine has {cores} cores, and more units at a time are not faster")));
    }
    let allowed = args.allow_engine.iter().map(|text| text.parse()).collect::<Result<Vec<_>, String>>();
    let temporary = match args.allow_build && args.builds.is_none() {
        true => Some(tempfile::Builder::new().prefix("plywise-builds-").tempdir().map_err(no_folder)?),
        false => None,
    };
    let folder = temporary.as_ref().map(tempfile::TempDir::path).or(args.builds.as_deref());
    let workshop = folder.map(|folder| Workshop::new(folder).no_longer_than(args.build_minutes));
    let program = WorkerProgram { games, jobs: jobs as u16, allowed: allowed.map_err(Failure::input)?, workshop };
    let server = Server::connect(&args.server).map_err(refusal)?;
    let name = args.name.clone().unwrap_or_else(|| format!("{}-{}", machine(), std::process::id()));
    let say = |sentence: &str| {
        // A lost reader is no reason to stop.
        let _ = writeln!(std::io::stderr(), "worker {name} {sentence}");
    };
    say(&format!("waits for runs at {}", args.server));
    let options = WorkerOptions {
        name: name.clone(),
        machine: machine(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: own_build(),
        cores,
        jobs,
    };
    serve(&server, options, &program, stop, &say).map_err(refusal)
}

fn no_folder(error: std::io::Error) -> Failure {
    Failure::Failed(format!("no folder for builds can be made: {error}"))
}
