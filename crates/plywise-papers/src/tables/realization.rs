//! The tables of realization probability search.

use super::{Entry, PrintedScore, Suites, Table, data, number};
use crate::figure::{Figure, Row};
use crate::lab::quoted;
use crate::steps::{Even, MatchStep, Participant, Searched, SuiteStep, score_row};
use crate::{Lab, Suite};
use plywise_arena::suites::Enough;
use plywise_host::MovePrice;
use plywise_run::JobError;
use plywise_search::Limits;
use serde::Deserialize;
use std::time::Duration;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Data {
    #[serde(rename = "rps-1")]
    prices: Entry<Prices>,
    #[serde(rename = "rps-2")]
    rps_match: Entry<Matches>,
    #[serde(rename = "rps-3")]
    rps_proofs: Entry<Proofs>,
    #[serde(rename = "erps-4")]
    erps_proofs: Entry<Proofs>,
    #[serde(rename = "erps-5")]
    all_proofs: Entry<Proofs>,
    #[serde(rename = "erps-6")]
    all_matches: Entry<Matches>,
    #[serde(rename = "erps-hard")]
    hard_proofs: Entry<Proofs>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/realization.toml"))?;
    let Suites { loa_wins: wins, loa_hard: hard, .. } = Suites::read()?;
    let (again, third) = (wins.clone(), wins.clone());
    Ok(vec![
        read.prices.table("rps-1", Prices::run),
        read.rps_match.table("rps-2", Matches::run),
        read.rps_proofs.table("rps-3", move |printed, lab| printed.run(&wins, lab)),
        read.erps_proofs.table("erps-4", move |printed, lab| printed.run(&again, lab)),
        read.all_proofs.table("erps-5", move |printed, lab| printed.run(&third, lab)),
        read.all_matches.table("erps-6", Matches::run),
        read.hard_proofs.table("erps-hard", move |printed, lab| printed.run(&hard, lab)),
    ])
}

/// Table 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prices {
    position: String,
    prices: Vec<(String, f64)>,
}

impl Prices {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let game = lab.game("loa")?;
        let [player] = lab.players("loa", ["rps-paper"])?;
        let position = game.position(&self.position).map_err(JobError::input)?;
        lab.begin(&format!("classes loa {} --profile rps-paper", quoted(&self.position)));
        let found = MovePrice::of_moves(&*game, &player.setup, &position).map_err(JobError::input)?;
        let row = |(mv, price): &(String, f64)| {
            let ours = found.iter().find(|found| found.mv == *mv);
            let note = ours.map_or_else(
                || "no such move".to_owned(),
                |MovePrice { played, available, .. }| format!("played {played} of {available}"),
            );
            Row::new(mv, number(*price), ours.and_then(|ours| number(ours.price))).note(note)
        };
        Ok(self.prices.iter().map(row).collect())
    }
}

/// Tables 2 and 6.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Matches {
    games: u64,
    openings: u64,
    pairs: Vec<Pair>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    what: String,
    players: [String; 2],
    percent: f64,
}

impl Matches {
    /// Each two games begin from an opening of their own: without a clock the same opening gives the same game.
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let wanted = lab.conditions.positions(self.openings);
        let even = Even { from: None, plies: 6, window: 150 };
        let openings = lab.even_openings("loa", &even, wanted, "loa-openings.epd")?;
        let limits = lab.conditions.limits(Limits::time(Duration::from_millis(50)));
        let mut rows = Vec::new();
        for Pair { what, players: [a, b], percent } in &self.pairs {
            let outcome = lab.play(&MatchStep {
                game: "loa",
                players: lab.players("loa", [a, b])?.map(Participant::from).into(),
                games: lab.conditions.games(self.games),
                limits,
                openings: Some(&openings),
            })?;
            let printed = PrintedScore::Percent { percent: *percent, games: self.games as f64 };
            rows.push(score_row(what, printed.figure(), &outcome));
        }
        Ok(rows)
    }
}

/// Tables 3, 4 and 5.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Proofs {
    positions: u64,
    nodes: u64,
    ours: u64,
    players: Vec<Prover>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Prover {
    name: String,
    profile: String,
    proved: u64,
}

impl Proofs {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let mut players = Vec::new();
        for prover in &self.players {
            let [player] = lab.players("loa", [prover.profile.as_str()])?;
            players.push(player);
        }
        let searched = lab.search(&SuiteStep {
            game: "loa",
            suite: suite.into(),
            half: None,
            sample: lab.conditions.positions(self.ours).max(20),
            players,
            set: Vec::new(),
            sweeps: Vec::new(),
            limits: Limits::nodes(self.nodes),
            enough: Enough::Proof,
        })?;
        Ok(self.rows(&searched))
    }

    /// Shares of positions that were proved, beside those of the paper's.
    fn rows(&self, searched: &Searched) -> Vec<Row> {
        let of = searched.positions();
        let common: Vec<usize> = (0..of).filter(|&i| searched.rows.iter().all(|row| row[i].solved)).collect();
        let row = |(place, prover): (usize, &Prover)| {
            let proved = searched.solved(place);
            let nodes: u64 = common.iter().map(|&i| searched.rows[place][i].nodes).sum();
            let note = format!("{proved} of {of}; {nodes} nodes on the {} that all prove", common.len());
            let paper = Figure::share(prover.proved as f64, self.positions as f64);
            let ours = Figure::share(proved as f64, of as f64);
            Row::new(format!("{}: proved", prover.name), paper, ours).note(note).of(of)
        };
        self.players.iter().enumerate().map(row).collect()
    }
}
