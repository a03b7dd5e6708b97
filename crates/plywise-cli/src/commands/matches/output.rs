//! What a match leaves behind: files, a report, JSON.

use super::live::Sitting;
use super::{Arguments, COMMAND};
use crate::commands::stats::write_facts;
use crate::document::{self, describe, joined};
use crate::games::BoardGame;
use crate::runs::derive;
use crate::table::write_csv;
use crate::text::{milliseconds, show_time};
use crate::{Failure, Result};
use plywise_arena::matches::{GameRecord, Standings};
use plywise_arena::run::Run;
use plywise_arena::{facts, report};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;

/// Writes what a run directory holds beside its journal: the games as PGN, and the report.
pub(super) fn write_derived<G: BoardGame>(run: &Run, records: &[GameRecord], standings: &Standings) -> Result {
    let event = title(standings.names());
    let (pgn, report) = (games_to_pgn::<G>(records, &event)?, report(&event, standings));
    derive(run, "games.pgn", &pgn)?;
    derive(run, "report.md", &report)
}

/// Games as one text in PGN.
pub fn games_to_pgn<G: BoardGame>(records: &[GameRecord], event: &str) -> Result<String> {
    let mut text = String::new();
    for record in records {
        let game = record.to_pgn::<G>(event).map_err(|error| Failure::Failed(error.to_string()))?;
        text.push_str(&format!("{game}\n"));
    }
    Ok(text)
}

/// What a match between these is called.
pub(super) fn title(names: &[String]) -> String {
    match names {
        [a, b] => format!("{a} against {b}"),
        names => format!("{} players", names.len()),
    }
}

/// What there is to tell of a match.
pub(super) struct Told<'a> {
    /// What decided its results.
    pub settings: Value,
    /// Its games in their order.
    pub records: &'a [GameRecord],
    pub standings: &'a Standings,
    pub sitting: Sitting,
}

/// Writes the results.
pub(super) fn write(args: &Arguments, told: Told, out: &mut dyn Write) -> Result {
    if args.data.csv {
        return write_csv(out, csv_rows(told.standings));
    }
    if args.data.json {
        return document::write(out, COMMAND, Some(args.seed), to_json(args, told));
    }
    let Told { records, standings, sitting, .. } = told;
    match (standings.summary(), standings.pairings().next()) {
        (Some(summary), Some((_, pairing))) => {
            writeln!(out, "{}: {} of {} games", title(standings.names()), standings.counted(), standings.scheduled())?;
            write_facts(&facts(&pairing.games, &pairing.pairs, &summary), out)?;
            write_faults(standings, out)?;
        }
        _ => write!(out, "{}", report(&title(standings.names()), standings))?,
    }
    match repeated(records) {
        0 => {}
        count => writeln!(out, "{count} games repeat earlier ones move by move and tell nothing: use more openings")?,
    }
    if let Some(share) = sitting.thinking_share {
        let (moves, time) = (sitting.moves, show_time(sitting.time));
        writeln!(out, "{moves} moves in {time}, of which {:.1} % was thought", 100.0 * share)?;
    }
    Ok(())
}

/// How many games are an earlier one again, by the same players with the same moves. Players without a clock or variety
/// do that when the openings are used up.
fn repeated(records: &[GameRecord]) -> usize {
    let game = |record: &GameRecord| {
        let moves = record.moves.iter().map(|mv| mv.text.clone()).collect::<Vec<_>>().join(" ");
        (record.players, record.start.clone(), moves)
    };
    let different: HashSet<_> = records.iter().map(game).collect();
    records.len() - different.len()
}

fn write_faults(standings: &Standings, out: &mut dyn Write) -> Result {
    for (game, player, fault) in standings.faults() {
        let name = standings.names().get(player).map_or("?", String::as_str);
        writeln!(out, "game {}: {name}: {fault}", game + 1)?;
    }
    Ok(())
}

fn to_json(args: &Arguments, told: Told) -> Value {
    let Told { settings, records, standings, sitting } = told;
    let mut document = standings.summary().map_or_else(|| many_to_json(standings), |summary| describe(&summary));
    let faults = standings.faults().map(
        |(game, player, fault)| json!({"game": game + 1, "player": standings.names().get(player), "fault": fault}),
    );
    document["game"] = json!(args.game);
    document["players"] = json!(standings.names());
    document["faults"] = faults.collect();
    document["repeated"] = json!(repeated(records));
    document["time_ms"] = json!(milliseconds(sitting.time));
    document["thinking_share"] = json!(sitting.thinking_share);
    document["settings"] = settings;
    document["records"] = records.iter().map(record_to_json).collect();
    document
}

/// A game of the match. Games and openings are numbered from 1, as reports do.
fn record_to_json(record: &GameRecord) -> Value {
    json!({
        "number": record.index + 1,
        "players": record.names,
        "opening": record.opening + 1,
        "result": record.result.to_string(),
        "ending": record.ending.to_string(),
        "plies": record.moves.len(),
    })
}

/// The result of a match of two, or a row for each player of another one.
fn csv_rows(standings: &Standings) -> Vec<Value> {
    match (standings.summary(), standings.names()) {
        (Some(summary), [a, b]) => vec![joined(json!({"a": a, "b": b}), describe(&summary))],
        _ => standings.ratings().map_or(Vec::new(), |fitted| fitted.ratings.iter().map(describe).collect()),
    }
}

fn many_to_json(standings: &Standings) -> Value {
    let pairings = standings.pairings().map(|([a, b], pairing)| {
        let mut row = describe(&pairing.games);
        row["players"] = json!([standings.names().get(a), standings.names().get(b)]);
        row["pentanomial"] = json!(pairing.pairs);
        row
    });
    let ratings = standings.ratings().map(|fitted| fitted.ratings);
    json!({
        "games": standings.counted(),
        "pairings": pairings.collect::<Vec<_>>(),
        "ratings": ratings.unwrap_or_default(),
    })
}
