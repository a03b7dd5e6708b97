//! What scripts read: a line when a game starts and ends, and the results between two rules.

use super::words::Order;
use crate::commands::matches::output::complete;
use crate::{Failure, Result, files};
use plywise_arena::matches::{Ending, GameRecord, MatchEvent, MatchOutcome, PlayMatch, Standings, games_to_pgn};
use plywise_arena::statistics::{Decision, Summary};
use plywise_arena::{FaultKind, report};
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_host::AnyGame;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

/// Prints what happens as fastchess does.
pub(super) struct Shown<'a> {
    game: &'a dyn AnyGame,
    order: &'a Order,
    /// What stands in brackets behind the names.
    conditions: String,
    state: Mutex<State>,
}

struct State {
    lines: Sender<String>,
    title: String,
    pgn: Option<Result<files::Growing>>,
    finished: u64,
    /// The results of games by their numbers, as half points of the first engine and whether it was a draw.
    results: HashMap<u64, usize>,
    names: Vec<String>,
}

const RULE: &str = "--------------------------------------------------";

impl<'a> Shown<'a> {
    pub(super) fn new(game: &'a dyn AnyGame, order: &'a Order, job: &PlayMatch, lines: Sender<String>) -> Shown<'a> {
        let state =
            State { lines, title: String::new(), pgn: None, finished: 0, results: HashMap::new(), names: Vec::new() };
        Shown { game, order, conditions: conditions(order, job), state: Mutex::new(state) }
    }

    pub(super) fn take(&self, event: MatchEvent) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            MatchEvent::Begun { title, records, names } => {
                state.title = self.order.event.clone().unwrap_or(title);
                state.names = names;
                state.finished = records.len() as u64;
                records.iter().for_each(|record| state.count(record));
                let texts = records.iter().map(|record| self.to_pgn(record, &state.title));
                let texts: Result<Vec<String>> = texts.collect();
                state.pgn = self.order.pgn.as_deref().map(|path| complete(path, &texts?));
            }
            MatchEvent::Started { index, scheduled, names } => {
                let [white, black] = names;
                state.say(&format!("Started game {} of {scheduled} ({white} vs {black})", index + 1));
            }
            MatchEvent::Moved(_) => {}
            MatchEvent::Remarked(sentence) => state.say(&format!("Warning; {sentence}")),
            MatchEvent::Ended { record, summary, .. } => {
                state.finished += 1;
                state.count(&record);
                let text = self.to_pgn(&record, &state.title).unwrap_or_default();
                if let Some(Ok(pgn)) = &mut state.pgn {
                    pgn.add(&text);
                }
                let [white, black] = &record.names;
                let number = record.index + 1;
                state.say(&format!(
                    "Finished game {number} ({white} vs {black}): {} {{{}}}",
                    record.result,
                    reason(&record)
                ));
                let interval = self.order.rating_interval;
                let is_due = interval > 0 && state.finished.is_multiple_of(interval);
                if let Some(summary) = summary.filter(|summary| is_due && summary.games > 0) {
                    let text = self.results(&state, &summary);
                    state.say(&text);
                }
            }
        }
    }

    /// The results at the end.
    pub(super) fn end(&self, outcome: &MatchOutcome) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome.standings.summary() {
            Some(summary) if summary.games > 0 => {
                let text = self.results(&state, &summary);
                state.say(&text);
                if let Some(sprt) = summary.sprt.filter(|sprt| sprt.decision != Decision::Continue) {
                    let accepted = if sprt.decision == Decision::H1 { "H1" } else { "H0" };
                    let bounds = format!("[{:.2}, {:.2}]", sprt.elo0, sprt.elo1);
                    state.say(&format!("SPRT ({bounds}) completed - {accepted} was accepted"));
                }
            }
            Some(_) => {}
            None => state.say(&many(&outcome.standings)),
        }
        if outcome.standings.is_over() {
            state.say("Tournament finished");
        }
    }

    /// Finishes the file of games.
    pub(super) fn finish(self, out: &mut dyn Write) -> Result {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.pgn.map_or(Ok(()), |pgn| pgn?.finish(out))
    }

    fn to_pgn(&self, record: &GameRecord, title: &str) -> Result<String> {
        let text = games_to_pgn(self.game, std::slice::from_ref(record), title);
        let text = text.map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(match &self.order.site {
            Some(site) => with_site(&text, site),
            None => text,
        })
    }

    /// The block of results.
    fn results(&self, state: &State, summary: &Summary) -> String {
        let [first, second] = [0, 1].map(|i| state.names.get(i).map_or("?", String::as_str));
        let number = |value: Option<f64>| value.map_or("nan".to_owned(), |value| format!("{value:.2}"));
        let pairs = summary.pentanomial.0;
        let count = summary.pentanomial.pairs();
        let ratio = |above: f64, below: f64| match (above, below) {
            (0.0, 0.0) => "nan".to_owned(),
            (_, 0.0) => "inf".to_owned(),
            (above, below) => format!("{:.2}", above / below),
        };
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        let mut text = format!("{RULE}\nResults of {first} vs {second} ({}):\n", self.conditions);
        let _ = writeln!(
            text,
            "Elo: {} +/- {}, nElo: {} +/- {}",
            number(summary.elo),
            number(summary.elo_error),
            number(summary.normalised_elo),
            number(summary.normalised_elo_error)
        );
        let _ = write!(text, "LOS: {}", summary.los.map_or("nan %".into(), percent));
        if self.order.shows_pairs {
            let drawn = if count > 0 { percent(pairs[2] as f64 / count as f64) } else { "nan %".into() };
            let won = ratio((pairs[3] + pairs[4]) as f64, (pairs[0] + pairs[1]) as f64);
            let _ = writeln!(text, ", DrawRatio: {drawn}, PairsRatio: {won}");
        } else {
            let _ = writeln!(text, ", DrawRatio: {}", percent(summary.draws as f64 / summary.games as f64));
        }
        let points = summary.wins as f64 + summary.draws as f64 / 2.0;
        let _ = writeln!(
            text,
            "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {points:.1} ({})",
            summary.games,
            summary.wins,
            summary.losses,
            summary.draws,
            percent(points / summary.games as f64)
        );
        if self.order.shows_pairs {
            let [decided, drawn] = state.even_pairs(summary.games);
            let _ = writeln!(text, "Ptnml(0-2): {pairs:?}, WL/DD Ratio: {}", ratio(decided as f64, drawn as f64));
        }
        if let Some(sprt) = &summary.sprt {
            // How far it is on its way to the bound on its side.
            let bound = if sprt.llr < 0.0 { sprt.lower } else { sprt.upper };
            let _ = writeln!(
                text,
                "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}]",
                sprt.llr,
                100.0 * sprt.llr / bound * sprt.llr.signum(),
                sprt.lower,
                sprt.upper,
                sprt.elo0,
                sprt.elo1
            );
        }
        text + RULE
    }
}

impl State {
    fn say(&mut self, line: &str) {
        // If the receiver is gone, there is no reason to read on.
        let _ = self.lines.send(line.to_owned());
    }

    fn count(&mut self, record: &GameRecord) {
        let points = if record.players[0] == 0 { record.half_points() } else { 2 - record.half_points() };
        self.results.insert(record.index, points);
    }

    /// Of the pairs of one point among the first games: how many had a winner in both games, and how many two draws.
    fn even_pairs(&self, games: u64) -> [u64; 2] {
        let mut counts = [0; 2];
        for first in (0..games).step_by(2) {
            match (self.results.get(&first), self.results.get(&(first + 1))) {
                (Some(1), Some(1)) => counts[1] += 1,
                (Some(a), Some(b)) if a + b == 2 => counts[0] += 1,
                _ => {}
            }
        }
        counts
    }
}

/// The time control, threads, table and book: those of both engines, or of each where they differ.
fn conditions(order: &Order, job: &PlayMatch) -> String {
    let of = |i: usize| {
        let player = &job.players[i];
        let limits = &player.limits;
        let time = match (limits.clock, limits.movetime) {
            (Some(clock), _) => clock.control().to_string(),
            (None, Some(time)) => format!("{}/move", time.as_secs_f64()),
            (None, None) => limits.to_string(),
        };
        let option = |name: &str| {
            let options = player.engine().map(|engine| &engine.options[..]).unwrap_or_default();
            options.iter().rev().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone())
        };
        let threads = option("Threads").map_or("NULL".into(), |threads| format!("{threads}t"));
        [time, threads, option("Hash").map_or("NULL".into(), |hash| format!("{hash}MB"))]
    };
    let (a, b) = (of(0), of(1));
    let both = |i: usize| if a[i] == b[i] { a[i].clone() } else { format!("{} - {}", a[i], b[i]) };
    let mut parts = vec![both(0), both(1), both(2)];
    parts.extend(order.book.clone());
    parts.join(", ")
}

/// How a game ended, in the words that scripts count.
fn reason(record: &GameRecord) -> String {
    let name = |first: bool| if first { "White" } else { "Black" };
    match &record.ending {
        Ending::Fault { first, fault } => match fault.kind {
            FaultKind::TimeForfeit => format!("{} loses on time", name(*first)),
            FaultKind::IllegalMove | FaultKind::FalseClaim => format!("{} makes an illegal move", name(*first)),
            FaultKind::Hang => format!("{}'s connection stalls", name(*first)),
            FaultKind::StartFailure | FaultKind::Crash | FaultKind::NoResources => {
                format!("{} disconnects", name(*first))
            }
        },
        Ending::Repetition { times } => format!("Draw by {times}-fold repetition"),
        Ending::DrawnByRule { words } if words.contains("fifty") => "Draw by fifty moves rule".into(),
        Ending::DrawnByRule { words } => format!("Draw by {words}"),
        Ending::Decided { words } if record.result == GameResult::Draw => format!("Draw by {words}"),
        Ending::Decided { words } => words.clone(),
        Ending::Agreement => "Draw by agreement".into(),
        Ending::AdjudicatedDraw | Ending::TooLong => "Draw by adjudication".into(),
        Ending::Resignation => format!("{} resigns", name(record.result == GameResult::Win(Side::Second))),
        Ending::AdjudicatedWin => {
            format!("{} wins by adjudication", name(record.result == GameResult::Win(Side::First)))
        }
    }
}

/// The standings of more than two.
fn many(standings: &Standings) -> String {
    report(&standings.title(), standings)
}

/// A game with a site, which stands after its event.
fn with_site(game: &str, site: &str) -> String {
    let tag = format!("[Site \"{}\"]", site.replace('\\', "\\\\").replace('"', "\\\""));
    match game.lines().any(|line| line.starts_with("[Site ")) {
        true => {
            game.lines().map(|line| if line.starts_with("[Site ") { tag.clone() } else { line.into() } + "\n").collect()
        }
        false => game.replacen("]\n", &format!("]\n{tag}\n"), 1),
    }
}
