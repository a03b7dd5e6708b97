//! A match in words and tables, made from its games alone.

use crate::matches::Standings;
use crate::statistics::{Decision, Pentanomial, Sample, SprtState, Summary, Wdl, mini_match, rates};
use std::fmt::Write;

/// The report of a match, as Markdown.
pub fn report(title: &str, standings: &Standings) -> String {
    let mut text = format!("# {title}\n\n{} of {} games.\n", standings.counted(), standings.scheduled());
    match standings.summary() {
        Some(summary) => write_summary(&mut text, standings, &summary),
        None => {
            write_ratings(&mut text, standings);
            write_crosstable(&mut text, standings);
            write_pairings(&mut text, standings);
        }
    }
    write_faults(&mut text, standings);
    text
}

fn write_summary(text: &mut String, standings: &Standings, summary: &Summary) {
    let Some((_, pairing)) = standings.pairings().next() else { return };
    let [a, b] = [0, 1].map(|player| standings.names().get(player).map_or("?", String::as_str));
    let _ = writeln!(text, "\n{} against {}.\n\n| | |\n| --- | --- |", cell(a), cell(b));
    for (name, value) in facts(&pairing.games, &pairing.pairs, summary) {
        let _ = writeln!(text, "| {name} | {value} |");
    }
    if let Some(sentence) = forfeits(standings) {
        let _ = writeln!(text, "\n{}", cell(&sentence));
    }
}

/// What is known about a match of two, a name and a value each, in the order in which people want to know it. Facts
/// about single games are left out where only pairs are known, and the other way round.
pub fn facts(games: &Wdl, pairs: &Pentanomial, summary: &Summary) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    if games.games() > 0 {
        facts.push(("Result", format!("+{} ={} -{}", games.wins, games.draws, games.losses)));
    }
    facts.extend([
        ("Score", summary.score.map_or(UNKNOWN.into(), percent)),
        ("Elo", with_error(summary.elo, summary.elo_error)),
        ("Normalised Elo", with_error(summary.normalised_elo, summary.normalised_elo_error)),
        ("Likelihood of superiority", summary.los.map_or(UNKNOWN.into(), percent)),
    ]);
    if pairs.pairs() > 0 {
        facts.push(("Pairs by points 0, ½, 1, 1½, 2", format!("{:?}", pairs.0)));
    }
    if let Some(score) = summary.score {
        // Where one side has all points, nothing is known of how much they vary.
        let is_known = 0.0 < score && score < 1.0;
        let shown = |value: f64, decimals| if is_known { format!("{value:.decimals$}") } else { UNKNOWN.into() };
        facts.push(("Points for each of the opponent's", shown(rates::winning_ratio(score, 1.0 - score), 2)));
        let n = summary.games;
        if let Some(l) = rates::lower_bound(score, n, 1.0 - score, n, rates::Z_90) {
            facts.push(("Lead that is 95 % sure (above 0: stronger)", shown(l, 3)));
        }
    }
    if let Some(test) = mini_match::against_drawn(&pairs.mini_matches()) {
        facts.push(("Student's t over mini-matches", format!("t = {:.4}, p = {:.4}", test.t, test.p)));
    }
    facts.extend(summary.sprt.as_ref().map(|sprt| ("SPRT", describe_sprt(sprt))));
    facts
}

/// What failures did to a match of two, in a sentence; `None` if no player failed.
pub fn forfeits(standings: &Standings) -> Option<String> {
    let lost: Vec<String> = standings
        .names()
        .iter()
        .zip(standings.forfeits())
        .filter(|(_, count)| *count > 0)
        .zip(standings.time_forfeits())
        .map(|((name, count), late)| {
            let of = standings.counted();
            match late {
                0 => format!("{name} lost {count} of {of} games by failing"),
                _ if late == count => format!("{name} lost {count} of {of} games on time"),
                _ => format!("{name} lost {count} of {of} games by failing, {late} of them on time"),
            }
        })
        .collect();
    let decided = match standings.is_decided_by_forfeits() {
        true => ": that decides the result, which says little about who plays better",
        false => "",
    };
    (!lost.is_empty()).then(|| format!("{}{decided}.", lost.join(" and ")))
}

fn describe_sprt(sprt: &SprtState) -> String {
    let decision = match sprt.decision {
        Decision::Continue => "undecided",
        Decision::H0 => "H0 accepted",
        Decision::H1 => "H1 accepted",
    };
    let SprtState { elo0, elo1, llr, lower, upper, .. } = sprt;
    format!("[{elo0}, {elo1}]: LLR {llr:.2} ({lower:.2}, {upper:.2}), {decision}")
}

fn write_ratings(text: &mut String, standings: &Standings) {
    let fitted = match standings.ratings() {
        Ok(fitted) => fitted,
        Err(error) => {
            let _ = writeln!(text, "\nNo ratings: {error}.");
            return;
        }
    };
    let mut ratings: Vec<_> = fitted.ratings.iter().collect();
    ratings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    text.push_str("\n| Player | Elo | ± | Games | + | = | - | Score |\n");
    text.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for rating in ratings {
        let games = &rating.games;
        let score = games.score().map_or(String::new(), |score| format!("{:.1} %", 100.0 * score));
        let Wdl { wins, draws, losses } = games;
        let (name, n) = (cell(&rating.name), games.games());
        let _ = writeln!(
            text,
            "| {name} | {:.0} | {:.0} | {n} | {wins} | {draws} | {losses} | {score} |",
            rating.elo, rating.error
        );
    }
    if fitted.regularised {
        text.push_str("\nSomebody won or lost everything: a drawn game was added between each two who met.\n");
    }
}

/// Everybody's points against everybody, the best first.
fn write_crosstable(text: &mut String, standings: &Standings) {
    let (cross, names) = (standings.crosstable(), standings.names());
    let place = |name: &String| names.iter().position(|other| other == name);
    let order: Vec<usize> = standings.table().iter().filter_map(|(name, ..)| place(name)).collect();
    text.push_str("\n| | |");
    text.extend((1..=order.len()).map(|number| format!(" {number} |")));
    text.push_str(" Points |\n| ---: | --- |");
    text.push_str(&" ---: |".repeat(order.len() + 1));
    for (number, &player) in order.iter().enumerate() {
        let _ = write!(text, "\n| {} | {} |", number + 1, cell(&names[player]));
        let (mut points, mut played) = (0.0, 0);
        for &other in &order {
            let games = cross.games(player, other);
            let own = games.wins as f64 + games.draws as f64 / 2.0;
            (points, played) = (points + own, played + games.games());
            let shown = if games.games() > 0 { format!("{own}/{}", games.games()) } else { "–".to_owned() };
            let _ = write!(text, " {shown} |");
        }
        let _ = write!(text, " {points}/{played} |");
    }
    text.push('\n');
}

fn write_pairings(text: &mut String, standings: &Standings) {
    text.push_str("\n| Pairing | + | = | - | Pairs by points 0, ½, 1, 1½, 2 |\n| --- | ---: | ---: | ---: | --- |\n");
    for ([a, b], pairing) in standings.pairings() {
        let Wdl { wins, draws, losses } = pairing.games;
        let [a, b] = [a, b].map(|player| cell(&standings.names()[player]));
        let _ = writeln!(text, "| {a} – {b} | {wins} | {draws} | {losses} | {:?} |", pairing.pairs.0);
    }
}

fn write_faults(text: &mut String, standings: &Standings) {
    let mut faults = standings.faults().peekable();
    if faults.peek().is_some() {
        text.push_str("\n## Failures\n\n");
    }
    for (game, player, fault) in faults {
        let name = standings.names().get(player).map_or("?", String::as_str);
        let _ = writeln!(text, "- game {}: {}: {}", game + 1, cell(name), cell(fault));
    }
}

/// A difference with its error, as people write it.
pub fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    match (value, error) {
        (Some(value), Some(error)) => format!("{value:.2} ± {error:.2}"),
        (Some(value), None) => format!("{value:.2} ± {UNKNOWN}"),
        (None, _) => UNKNOWN.to_owned(),
    }
}

/// What stands for a number that the games do not tell.
const UNKNOWN: &str = "–";

/// A text that does not break the table or the list it stands in.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
