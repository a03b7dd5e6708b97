//! What a match leaves behind: files, a report, JSON.

use super::Arguments;
use super::live::Sitting;
use crate::commands::stats::write_facts;
use crate::document::{self, describe, joined};
use crate::plots::{Curve, Panel, Plot};
use crate::run_summary::{self, MatchResult, RunSummary};
use crate::table::{Sheet, write_csv};
use crate::text::{milliseconds, show_time};
use crate::{Result, files};
use plywise_arena::matches::{GameRecord, PlayMatch, Schedule, Standings};
use plywise_arena::statistics::Sample;
use plywise_arena::{facts, forfeits, report, with_error};
use plywise_run::{Job, Manifest, TOTAL};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

/// How many points the curves of a match have.
const POINTS: u64 = 400;

/// The curve of Elo begins after this many games, unless there are no more.
const FIRST_GAMES: u64 = 10;

/// What a run directory of a match shows.
pub fn summary(path: &Path) -> Result<RunSummary> {
    let (work, manifest, mut records) = run_summary::read::<PlayMatch, GameRecord>(path)?;
    records.sort_by_key(|record| record.index);
    let (course, standings) = course(standings(&work, &manifest, &records), &records);
    let mut shown = RunSummary { games: records.len(), is_decided: standings.is_over(), ..RunSummary::default() };
    match (standings.summary(), standings.pairings().next()) {
        (Some(summary), Some((_, pairing))) => {
            let facts = facts(&pairing.games, &pairing.pairs, &summary).into_iter();
            shown.result = Some(MatchResult {
                elo: with_error(summary.elo, summary.elo_error),
                games: [summary.wins, summary.draws, summary.losses],
                pairs: pairing.pairs.0,
                test: summary.sprt.as_ref().map(|sprt| [sprt.llr, sprt.lower, sprt.upper]),
            });
            shown.facts = facts.map(|(name, value)| (name.to_string(), value)).collect();
            shown.facts.extend(forfeits(&standings).map(|sentence| ("Failures".into(), sentence)));
            shown.plots = course;
        }
        _ => shown.sheets.push(("Ratings", ratings(&standings))),
    }
    match repeated(&records) {
        0 => {}
        count => shown.facts.push(("Games that repeat earlier ones".into(), count.to_string())),
    }
    Ok(shown)
}

/// Where the match of a run directory stands.
pub fn standings_of(path: &Path) -> Result<Standings> {
    let (work, manifest, mut records) = run_summary::read::<PlayMatch, GameRecord>(path)?;
    records.sort_by_key(|record| record.index);
    let mut standings = standings(&work, &manifest, &records);
    records.iter().for_each(|record| standings.add(record));
    Ok(standings)
}

/// How a match of two went: Elo with its error as games went by, and the ratio of its sequential test between the bounds;
/// and where it stands after all games.
fn course(mut standings: Standings, records: &[GameRecord]) -> (Vec<Plot>, Standings) {
    let (mut elo, mut ratio) = (Curve::new(standings.title(), []), Curve::new("log-likelihood ratio", []));
    let every = (records.len() as u64).div_ceil(POINTS).max(1);
    for (place, record) in records.iter().enumerate() {
        standings.add(record);
        let (counted, is_last) = (standings.counted(), place + 1 == records.len());
        let Some(summary) = standings.summary().filter(|_| counted % every == 0 || is_last) else { continue };
        // The wide errors of the first games would flatten all that follows.
        if let (Some(difference), Some(error), true) =
            (summary.elo, summary.elo_error, counted >= FIRST_GAMES || is_last)
        {
            elo.points.push((counted as f64, difference));
            elo.band.push(error);
        }
        ratio.points.extend(summary.sprt.map(|sprt| (counted as f64, sprt.llr)));
    }
    let mut plots = Vec::new();
    if let Some(summary) = standings.summary() {
        let mut plot = Plot::new("games", "Elo", vec![elo]);
        plot.levels.push(("equal", 0.0));
        plots.push(plot);
        if let Some(sprt) = summary.sprt {
            let mut plot = Plot::new("games", "SPRT", vec![ratio]);
            plot.levels.extend([("H0 accepted", sprt.lower), ("H1 accepted", sprt.upper)]);
            plots.push(plot);
        }
    }
    (plots, standings)
}

/// The same as pictures.
pub(super) fn panels(standings: Standings, records: &[GameRecord]) -> Vec<Box<dyn Panel>> {
    course(standings, records).0.into_iter().map(|plot| Box::new(plot) as Box<dyn Panel>).collect()
}

/// The standings of a match before its games. A run of an older version does not say how many there will be.
fn standings(work: &PlayMatch, manifest: &Manifest, records: &[GameRecord]) -> Standings {
    let entries = work.players.len();
    let mut names = vec!["?".to_string(); entries];
    for record in records {
        for (&player, name) in record.players.iter().zip(&record.names) {
            names.get_mut(player).map(|place| place.clone_from(name)).unwrap_or_default();
        }
    }
    let seed = work.shuffle.then_some(work.seed);
    let schedule = |games| Schedule::new(work.format, entries, games, work.openings.len(), seed);
    let pairings = schedule(1).pairings().len().max(1) as u64;
    let last = records.last().map_or(0, |record| record.index.saturating_add(1));
    let total = manifest.about.get(TOTAL).and_then(Value::as_u64).unwrap_or(last);
    let sprt = work.sprt.filter(|_| pairings == 1);
    Standings::new(names, schedule(total.div_ceil(pairings)), sprt)
}

fn ratings(standings: &Standings) -> Sheet {
    let mut sheet = Sheet::new(&["player", "Elo", "±", "games", "score"], &[0]);
    for rating in standings.ratings().map_or(Vec::new(), |fitted| fitted.ratings) {
        let score = rating.games.score().map_or(String::new(), |score| format!("{:.1} %", 100.0 * score));
        let numbers = [format!("{:.0}", rating.elo), format!("{:.0}", rating.error), rating.games.games().to_string()];
        sheet.add([rating.name].into_iter().chain(numbers).chain([score]).collect());
    }
    sheet
}

/// Adds the games to a PGN file that it lacks because the program was killed before it could. A game that was cut off
/// at its end is taken out first. Games of others stay.
pub(crate) fn complete(path: &Path, games: &[String]) -> Result<files::Growing> {
    let written = fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|_| fs::read(path).ok());
    let written = String::from_utf8_lossy(&written.unwrap_or_default()).into_owned();
    let starts =
        written.match_indices("[Event ").map(|(at, _)| at).filter(|&at| at == 0 || written[..at].ends_with('\n'));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([written.len()]);
    let found: HashSet<&str> = starts.iter().zip(ends).map(|(&from, to)| written[from..to].trim_end()).collect();
    let missing: Vec<&String> = games.iter().filter(|game| !found.contains(game.trim_end())).collect();
    let last = starts.last().map_or("", |&at| &written[at..]);
    if !last.is_empty() && missing.iter().any(|game| game.starts_with(last.trim_end())) {
        files::cut_off(path, last.len())?;
    }
    let mut growing = files::Growing::append(path)?;
    missing.into_iter().for_each(|game| growing.add(game));
    Ok(growing)
}

/// What there is to tell of a match.
pub(super) struct Told<'a> {
    /// What decided its results.
    pub settings: Value,
    /// Those of its games that count, in their order.
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
        return document::write(out, PlayMatch::NAME, Some(args.seed), to_json(args, told));
    }
    let Told { records, standings, sitting, .. } = told;
    match (standings.summary(), standings.pairings().next()) {
        (Some(summary), Some((_, pairing))) => {
            writeln!(out, "{}: {} of {} games", standings.title(), standings.counted(), standings.scheduled())?;
            write_facts(&facts(&pairing.games, &pairing.pairs, &summary), out)?;
            if let Some(sentence) = forfeits(standings) {
                writeln!(out, "{sentence}")?;
            }
        }
        _ => write!(out, "{}", report(&standings.title(), standings))?,
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

/// What failures did to games, in a sentence.
pub(super) fn forfeits_of(standings: &Standings) -> Option<String> {
    forfeits(standings)
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

fn to_json(args: &Arguments, told: Told) -> Value {
    let Told { settings, records, standings, sitting } = told;
    let mut document = standings.summary().map_or_else(|| many_to_json(standings), |summary| describe(&summary));
    let faults = standings.faults().map(
        |(game, player, fault)| json!({"game": game + 1, "player": standings.names().get(player), "fault": fault}),
    );
    document["game"] = json!(args.game);
    document["players"] = json!(standings.names());
    document["faults"] = faults.collect();
    document["forfeits"] = json!(standings.forfeits());
    document["time_forfeits"] = json!(standings.time_forfeits());
    document["decided_by_forfeits"] = json!(standings.is_decided_by_forfeits());
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
        "ending": record.ending_words(),
        "plies": record.moves.len(),
    })
}

/// The result of a match of two, or a row for each player of another one.
fn csv_rows(standings: &Standings) -> Vec<Value> {
    match (standings.summary(), standings.names()) {
        (Some(summary), [a, b]) => vec![joined(json!({"a": a, "b": b}), describe(&summary))],
        _ => standings.ratings().map_or(Vec::new(), |fitted| {
            fitted.ratings.iter().map(|rating| joined(describe(rating), against(standings, &rating.name))).collect()
        }),
    }
}

/// The points of a player against each of the others, as `3.5/4`.
fn against(standings: &Standings, name: &str) -> Value {
    let (cross, names) = (standings.crosstable(), standings.names());
    let player = names.iter().position(|other| other == name);
    let met = names.iter().enumerate().filter_map(|(other, name)| {
        let games = cross.games(player?, other);
        let points = games.wins as f64 + games.draws as f64 / 2.0;
        Some((name.clone(), if games.games() > 0 { format!("{points}/{}", games.games()).into() } else { Value::Null }))
    });
    json!({ "against": met.collect::<serde_json::Map<_, _>>() })
}

/// Everybody's wins, draws and losses against everybody, in the order of the players; nothing where two did not meet.
fn crosstable(standings: &Standings) -> Value {
    let (cross, count) = (standings.crosstable(), standings.names().len());
    let cell = |a: usize, b: usize| match cross.games(a, b) {
        games if games.games() > 0 => describe(&games),
        _ => Value::Null,
    };
    let row = |a: usize| (0..count).map(|b| cell(a, b)).collect::<Vec<_>>();
    json!((0..count).map(row).collect::<Vec<_>>())
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
        "crosstable": crosstable(standings),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_arena::matches::{Ending, Format};
    use plywise_game::Side;
    use plywise_game::pgn::GameResult;

    /// White wins every game: pairs of 1 – 1, with and without an odd game.
    #[test]
    fn the_chart_ends_where_the_summary_stands() {
        for games in [1, 2, 9, 10, 39, 40, 900, 901] {
            let schedule = Schedule::new(Format::RoundRobin, 2, games, 1, None);
            let record = |index| GameRecord {
                index,
                players: schedule.game(index).unwrap().players,
                names: ["a".into(), "b".into()],
                opening: 0,
                date: String::new(),
                time_controls: Default::default(),
                start: String::new(),
                moves: Vec::new(),
                result: GameResult::Win(Side::First),
                ending: Ending::Resignation,
            };
            let records: Vec<GameRecord> = (0..games).map(record).collect();
            let (plots, standings) =
                course(Standings::new(vec!["a".into(), "b".into()], schedule.clone(), None), &records);
            let (summary, curve) = (standings.summary().unwrap(), &plots[0].curves[0]);
            let last = (curve.points.last().copied(), curve.band.last().copied());
            assert_eq!(last, (summary.elo.map(|elo| (games as f64, elo)), summary.elo_error), "{games} games");
        }
    }
}
