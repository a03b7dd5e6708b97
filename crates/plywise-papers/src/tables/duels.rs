//! Matches at a fixed number of nodes a move, where the papers' clocks leave a question open.

use super::{Entry, PrintedScore, Table, data};
use crate::Lab;
use crate::conditions::options;
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
    /// The duels and their limits. Where a command says how many nodes a move may take, those of that number; under any
    /// other limit each once.
    fn wanted(&self, lab: &Lab) -> Vec<(&Duel, Limits)> {
        let Some(limits) = lab.conditions.limits else {
            return self.duels.iter().map(|duel| (duel, Limits::nodes(duel.nodes))).collect();
        };
        let first = self.duels.first().map(|duel| duel.nodes);
        let known = self.duels.iter().map(|duel| duel.nodes).find(|&nodes| Some(nodes) == limits.nodes);
        let level = known.or(first);
        self.duels.iter().filter(|duel| Some(duel.nodes) == level).map(|duel| (duel, limits)).collect()
    }

    /// Each two games begin from an opening of their own: without a clock the same opening gives the same game.
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let games = lab.conditions.games(self.games);
        let mut openings = BTreeMap::new();
        for (game, even) in &self.openings {
            let file = format!("openings-{game}.epd");
            openings.insert(game.as_str(), lab.even_openings(game, even, games / 2, &file)?);
        }
        let mut rows = Vec::new();
        for (Duel { what, game, players: [a, b], printed, .. }, limits) in self.wanted(lab) {
            let outcome = lab.play(&MatchStep {
                game,
                players: vec![
                    Participant::from(a.player(lab, game, "first")?),
                    Participant::from(b.player(lab, game, "second")?),
                ],
                games,
                limits,
                openings: openings.get(game.as_str()),
            })?;
            let what = format!("{what}, {}", options(&limits).trim_start_matches("--"));
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
    fn a_limit_chooses_the_duels() {
        let idle = Idle::new();
        let duels = data::<Data>(include_str!("../../data/duels.toml")).unwrap().erps_nodes.printed;
        let wanted = |limits| {
            let conditions = Conditions { share: 1.0, data: None, limits, opponent: None, only: Vec::new() };
            let wanted = duels.wanted(&Lab::new(&conditions, &idle)).into_iter();
            wanted.map(|(duel, limits)| (duel.nodes, limits.nodes)).collect::<Vec<_>>()
        };
        assert_eq!(wanted(None).len(), duels.duels.len());
        let half = duels.duels.len() / 2;
        assert_eq!(wanted(Some(Limits::nodes(400_000))), vec![(400_000, Some(400_000)); half]);
        assert_eq!(wanted(Some(Limits::depth(3))), vec![(100_000, None); half]);
    }

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
