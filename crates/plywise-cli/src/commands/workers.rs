//! `plywise workers`: who is there to help.

use crate::Result;
use crate::cluster::refusal;
use crate::document;
use crate::table::{DataArgs, Sheet, write_csv};
use crate::text::show_count;
use clap::Args;
use plywise_cluster::{Seen, Server, roster};
use serde_json::json;
use std::io::Write;

/// List the workers at a NATS server: machine, version, cores, speed, units done, last seen
#[derive(Debug, Args)]
#[command(after_help = "Example: plywise workers nats://127.0.0.1:4222")]
pub struct Arguments {
    /// The NATS server: nats://HOST:PORT, or tls://HOST:PORT
    #[arg(value_name = "URL")]
    pub server: String,
    #[command(flatten)]
    pub data: DataArgs,
}

/// Lists the workers.
pub(crate) fn run(args: &Arguments, out: &mut dyn Write) -> Result {
    let server = Server::connect(&args.server).map_err(refusal)?;
    let workers = roster(&server).map_err(refusal)?;
    let row = |Seen { presence, ago }: &Seen| {
        json!({
            "name": presence.name,
            "machine": presence.machine,
            "version": presence.version,
            "build": presence.build,
            "cores": presence.cores,
            "jobs": presence.jobs,
            "nps": presence.speed.map(|speed| speed as u64),
            "units": presence.units,
            "works_on": presence.title,
            "last_seen_ms": ago.as_millis() as u64,
        })
    };
    if args.data.json {
        return document::write(out, "workers", None, json!({"workers": workers.iter().map(row).collect::<Vec<_>>()}));
    }
    if args.data.csv {
        return write_csv(out, workers.iter().map(row));
    }
    let columns = ["name", "machine", "version", "cores", "jobs", "nodes/s", "units", "last seen", "works on"];
    let mut sheet = Sheet::new(&columns, &[0, 1, 2, 8]);
    for Seen { presence, ago } in &workers {
        sheet.add(vec![
            presence.name.clone(),
            presence.machine.clone(),
            presence.version.clone(),
            presence.cores.to_string(),
            presence.jobs.to_string(),
            presence.speed.map_or("–".to_owned(), |speed| show_count(speed as u64)),
            presence.units.to_string(),
            format!("{} s ago", ago.as_secs()),
            presence.title.clone().unwrap_or_else(|| "–".to_owned()),
        ]);
    }
    Ok(write!(out, "{}", sheet.show(&Default::default()))?)
}
