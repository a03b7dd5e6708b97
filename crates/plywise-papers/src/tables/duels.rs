//! Matches at a fixed number of nodes a move, where the papers' clocks leave a question open.

use super::{Entry, PrintedScore, Table, data};
use crate::Lab;
use crate::figure::Row;
use crate::player::Player;
use crate::steps::{Even, MatchStep, Participant, score_row};
use plywise_host::Setting;
use plywise_run::JobError;
use plywise_search::Limits;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Data {
    erps_nodes: Entry<Duels>,
    multicut_loa: Entry<Duels>,
    multicut_layered: Entry<Duels>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/duels.toml"))?;
    Ok(vec![
        read.erps_nodes.table("erps-nodes", Duels::run),
        read.multicut_loa.table("multicut-loa", Duels::run),
        read.multicut_layered.table("multicut-layered", Duels::run),
    ])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Duels {
    /// Games of each duel.
    games: u64,
    openings: BTreeMap<String, Even>,
    duels: Vec<Duel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Duel {
    what: String,
    game: String,
    nodes: u64,
    players: [Side; 2],
    printed: Option<PrintedScore>,
}

/// A profile with changes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Side {
    profile: String,
    #[serde(default)]
    set: Vec<String>,
}

impl Side {
    fn player(&self, lab: &Lab, game: &str, name: &str) -> Result<Player, JobError> {
        let changes = self.set.iter().map(|text| text.parse::<Setting>().map_err(JobError::failed));
        let changes = changes.collect::<Result<Vec<_>, _>>()?;
        let [player] = lab.players(game, [self.profile.as_str()])?;
        Ok(player.with(&*lab.game(game)?, &changes)?.named(name))
    }
}

impl Duels {
    /// Each two games begin from an opening of their own: without a clock the same opening gives the same game.
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let games = lab.conditions.games(self.games);
        let mut openings = BTreeMap::new();
        for (game, &even) in &self.openings {
            let file = format!("openings-{game}.epd");
            openings.insert(game.as_str(), lab.even_openings(game, even, games / 2, &file)?);
        }
        let mut rows = Vec::new();
        for duel in &self.duels {
            let Duel { what, game, nodes, players: [a, b], printed } = duel;
            let outcome = lab.play(&MatchStep {
                game,
                players: vec![
                    Participant::from(a.player(lab, game, "first")?),
                    Participant::from(b.player(lab, game, "second")?),
                ],
                games,
                limits: lab.conditions.limits(Limits::nodes(*nodes)),
                openings: openings.get(game.as_str()),
            })?;
            let what = format!("{what}, {nodes} nodes");
            rows.push(score_row(&what, printed.and_then(|printed| printed.figure()), &outcome));
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Conditions;
    use crate::lab::Idle;

    #[test]
    fn every_duel_has_players_and_openings() {
        let lab = Idle::new();
        let conditions = Conditions { share: 1.0, data: None, limits: None, opponent: None, only: Vec::new() };
        let lab = Lab::new(&conditions, &lab);
        let read: Data = data(include_str!("../../data/duels.toml")).unwrap();
        for table in [read.erps_nodes.printed, read.multicut_loa.printed, read.multicut_layered.printed] {
            for Duel { what, game, players: [a, b], .. } in &table.duels {
                let [a, b] = [a, b].map(|side| side.player(&lab, game, "player").unwrap());
                assert!(a.setup.params != b.setup.params, "{what}");
                assert!(table.openings.contains_key(game), "{what}");
            }
        }
    }
}
