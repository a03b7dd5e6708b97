//! The tables of learning search control: chapters 6 and 7 of the thesis.

use super::{ECM, THESIS, compared, details, list, number, percent_of, percent_over, score_error};
use crate::commands::reproduce::{Compared, Figure, Step, Table, Wanted};
use serde_json::Value;

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "control-6.4",
        paper: THESIS,
        what: "Figure 6.4: prices of extensions learned on-line from a suite, and what they save",
        steps: |wanted| learned_from_suite(wanted, "--online --iterations 7"),
        rows: |documents| {
            let weights = [("check", 0.10), ("only reply", 0.68), ("recapture", 0.84), ("advance", 0.91)];
            let prices = weights.iter().enumerate().map(|(place, (name, printed))| {
                let ours = documents.first().map(|document| Figure::exact(number(&document["learned"][place]), ""));
                compared(format!("price of {name}"), Some(Figure::exact(*printed, "")), ours, String::new())
            });
            saved(documents, 230.0 / 306.0).into_iter().chain(prices).collect()
        },
        conditions: LEARNED_FROM_SUITE,
    },
    Table {
        name: "control-6.1",
        paper: THESIS,
        what: "Table 6.1: prices of extensions learned in play, middlegame and endgame",
        steps: |wanted| vec![Step::alone(learn_in_play(wanted))],
        rows: |documents| {
            // In the order of our document: each in the middlegame and in the endgame.
            const PRINTED: [(&str, f64, f64); 4] =
                [("check", 0.30, 0.10), ("only reply", 0.10, 0.15), ("recapture", 0.10, 0.10), ("advance", 0.47, 0.25)];
            let learned = documents.first().map_or(&Value::Null, |document| &document["learned"]);
            let row = |(place, (name, middlegame, endgame)): (usize, (&str, f64, f64))| {
                let line = |phase: &str, printed, at: usize| {
                    let ours = learned[at].as_f64().map(|price| Figure::exact(price, ""));
                    compared(format!("{name}, {phase}"), Some(Figure::exact(printed, "")), ours, String::new())
                };
                [line("middlegame", middlegame, 2 * place), line("endgame", endgame, 2 * place + 1)]
            };
            PRINTED.into_iter().enumerate().flat_map(row).collect()
        },
        conditions: "The thesis' Crafty learns from 100 games of five minutes against itself; here `classic` with prices of one \
                     ply learns against `classic` with 10,000 nodes a move, or what --nodes says.",
    },
    Table {
        name: "control-6.2",
        paper: THESIS,
        what: "Table 6.2: a round robin of learned prices and others",
        steps: |wanted| {
            let positions = wanted.positions(ECM.size / 2);
            let from_suite = format!(
                "learn extensions chess --online --suite FILE --half tune --sample {positions} --iterations 7 \
                 -o MADE/suite.toml"
            );
            let players = [
                "name=play,MADE/play.toml".to_string(),
                player("half", [50; 4]),
                player("hand", [0, 25, 25, 25]),
                player("tenth", [10; 4]),
                "name=suite,MADE/suite.toml".to_string(),
                player("one", [100; 4]),
            ];
            let players: Vec<String> = players.iter().map(|player| format!("--player {player}")).collect();
            let (games, limits) = (wanted.games(100), wanted.limits("--tc 10+0.1"));
            vec![
                Step { makes: true, ..Step::alone(learn_in_play(wanted)) },
                Step { makes: true, ..Step::on(ECM, from_suite) },
                Step::alone(format!("match chess {} --games {games} {limits}", players.join(" "))),
            ]
        },
        rows: |documents| {
            const PRINTED: [(&str, &str, f64); 6] = [
                ("play", "learned in play", 282.5),
                ("half", "all 0.5", 267.5),
                ("hand", "set by hand", 260.5),
                ("tenth", "all 0.1", 259.5),
                ("suite", "learned from the suite", 246.5),
                ("one", "all 1.0", 183.5),
            ];
            let ratings = documents.first().map_or(&[][..], |document| list(&document["ratings"]));
            let row = |(name, words, points): &(&str, &str, f64)| {
                let games = ratings.iter().find(|rating| rating["name"] == *name).map(|rating| &rating["games"]);
                let ours = games.map(|games| {
                    let [wins, draws, losses] = ["wins", "draws", "losses"].map(|key| number(&games[key]));
                    score(100.0 * (wins + draws / 2.0) / (wins + draws + losses).max(1.0), wins + draws + losses)
                });
                compared((*words).into(), Some(score(points / 5.0, 500.0)), ours, String::new())
            };
            PRINTED.iter().map(row).collect()
        },
        conditions: "The thesis plays 100 games for each two at five minutes for a game; here, unless the command says \
                     otherwise, ten seconds and a tenth for each move. The suite is the tune half of ECM.",
    },
    Table {
        name: "control-7.2",
        paper: THESIS,
        what: "Figure 7.2: prices of extensions learned off-line from a suite, and what they save",
        steps: |wanted| learned_from_suite(wanted, "--offline --iterations 12"),
        rows: |documents| saved(documents, 229.0 / 306.0),
        conditions: LEARNED_FROM_SUITE,
    },
];

const LEARNED_FROM_SUITE: &str = "The thesis learns from all 879 positions of ECM with half a million nodes each and reports \
                                  the same ones: 306 million nodes and 346 solved before. Here prices are learned on the tune \
                                  half and reported on the other.";

/// The prices of checks, only replies, recaptures and advances in all phases, as the learner begins with them.
fn prices(prices: [u32; 4]) -> Vec<String> {
    let names = ["check", "one_reply", "recapture", "advance"].into_iter().zip(prices).chain([("threat", 100)]);
    let in_phases = |(name, price)| (0..3).map(move |phase| format!("extensions.{name}.{phase}={price}"));
    names.flat_map(in_phases).chain(["extensions.limit=8".to_string()]).collect()
}

/// A player with these prices.
fn player(name: &str, with: [u32; 4]) -> String {
    let sets: Vec<String> = prices(with).iter().map(|setting| format!("set.{setting}")).collect();
    format!("name={name},{},classic", sets.join(","))
}

/// Learns on one half, and searches the other with prices of one ply and with those that were learned.
fn learned_from_suite(wanted: &Wanted, how: &str) -> Vec<Step> {
    let positions = wanted.positions(ECM.size / 2);
    let learn = format!(
        "learn extensions chess {how} --suite FILE --half tune --sample {positions} --nodes 500000 -o MADE/learned.toml"
    );
    let sets: Vec<String> = prices([100; 4]).iter().map(|setting| format!("--set {setting}")).collect();
    let report = |profile: &str, sets: &str| {
        let words = format!("--half report --sample {positions} --nodes 500000 --stop-when-solved --details {sets}");
        Step::on(ECM, format!("suite chess FILE --profiles {profile} {words}"))
    };
    vec![Step::on(ECM, learn), report("classic", &sets.join(" ")), report("MADE/learned.toml", "")]
}

fn learn_in_play(wanted: &Wanted) -> String {
    let (games, nodes) = (wanted.games(100), wanted.nodes.unwrap_or(10_000));
    format!("learn extensions chess --online --play {games} --against classic --nodes {nodes} -o MADE/play.toml")
}

/// What learned prices save on the half that was not learned from.
fn saved(documents: &[Value], nodes: f64) -> Vec<Compared> {
    let [_, before, after] = documents else { return Vec::new() };
    let (before_row, after_row) = (&before["rows"][0], &after["rows"][0]);
    let of = number(&before["with_answer"]).max(1.0);
    let solved = |row: &Value| score(100.0 * number(&row["solved"]) / of, of);
    let note = format!("{} nodes before", before_row["nodes"]);
    vec![
        compared(
            "nodes, in percent of those before".into(),
            percent_of(100.0 * nodes),
            percent_over(details(after_row), details(before_row), "nodes"),
            note,
        ),
        compared("solved before".into(), Some(score(39.4, 879.0)), Some(solved(before_row)), String::new()),
        compared("solved after".into(), Some(score(57.8, 879.0)), Some(solved(after_row)), String::new()),
    ]
}

/// A share of so many, in percent.
fn score(percent: f64, of: f64) -> Figure {
    Figure { value: percent, error: score_error(percent, of), unit: " %" }
}
