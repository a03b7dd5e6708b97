//! What a selective technique gains, by the nodes of a move: the figure that no paper has.

use super::{Entry, Table, data};
use crate::Lab;
use crate::figure::{Figure, Row};
use crate::player::{Player, setting};
use crate::steps::{Even, MadeOpenings, MatchStep, Participant, Positions, SuiteStep, score_row, sweep};
use plywise_arena::statistics::{mean_interval, ratio_interval};
use plywise_arena::suites::{Acts, Attempt, Enough};
use plywise_host::Setting;
use plywise_run::JobError;
use plywise_search::Limits;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    gain: Entry<Gain>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/gain.toml"))?;
    let parts = read.gain.printed.parts();
    Ok(vec![Table { parts, ..read.gain.table("gain", Gain::run) }])
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gain {
    levels: Vec<Level>,
    most_nodes: u64,
    techniques: Vec<Technique>,
    openings: BTreeMap<String, Even>,
}

/// The nodes for a move.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    nodes: u64,
    positions: u64,
    games: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Technique {
    name: String,
    switch: String,
    profile: String,
    #[serde(default)]
    set: Vec<String>,
    games: Vec<String>,
    #[serde(default)]
    most_nodes: BTreeMap<String, u64>,
}

/// A technique in a game.
struct Pair<'a> {
    technique: &'a Technique,
    game: &'a str,
    /// With it, and without.
    players: [Player; 2],
    levels: Vec<Level>,
    /// The number of its first step: each level has two.
    first_step: usize,
}

impl Technique {
    /// The search with it, and the same without.
    fn players(&self, lab: &Lab, game: &str) -> Result<[Player; 2], JobError> {
        let any = lab.game(game)?;
        let player = |value, name| {
            let [player] = lab.players(game, [self.profile.as_str()])?;
            Ok::<_, JobError>(player.with(&*any, &self.settings(value)?)?.named(name))
        };
        Ok([player("on", "with")?, player("off", "without")?])
    }

    /// What both sides change, and the switch.
    fn settings(&self, value: &str) -> Result<Vec<Setting>, JobError> {
        let both = self.set.iter().map(|text| text.parse::<Setting>().map_err(JobError::failed));
        both.chain([Ok(setting(self.path(), value))]).collect()
    }

    /// The switch as a parameter.
    fn path(&self) -> String {
        format!("{}.enabled", self.switch)
    }
}

impl Gain {
    /// The names of games and techniques.
    fn parts(&self) -> Vec<String> {
        self.openings.keys().cloned().chain(self.techniques.iter().map(|technique| technique.switch.clone())).collect()
    }

    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let pairs = self.pairs(lab)?;
        let mut rows = Vec::new();
        match self.measure(&pairs, lab, &mut rows) {
            // What is finished is worth showing.
            Err(JobError::Interrupted) if !rows.is_empty() => Ok(rows),
            Err(error) => Err(error),
            Ok(()) => Ok(rows),
        }
    }

    /// What is wanted of all techniques in all games.
    fn pairs(&self, lab: &Lab) -> Result<Vec<Pair<'_>>, JobError> {
        let levels = self.levels_of(lab)?;
        let only = &lab.conditions.only;
        let is_wanted = |word: &str, is_kind: &dyn Fn(&String) -> bool| {
            let mut of_kind = only.iter().filter(|word| is_kind(word)).peekable();
            of_kind.peek().is_none() || of_kind.any(|wanted| wanted == word)
        };
        let (mut pairs, mut first_step) = (Vec::new(), self.openings.len());
        for technique in &self.techniques {
            for game in &technique.games {
                let is_game = |word: &String| self.openings.contains_key(word);
                if is_wanted(game, &is_game) && is_wanted(&technique.switch, &|word| !is_game(word)) {
                    let most = *technique.most_nodes.get(game).unwrap_or(&self.most_nodes);
                    let levels = match lab.conditions.limits {
                        None => levels.iter().copied().filter(|level| level.nodes <= most).collect(),
                        Some(_) => levels.clone(),
                    };
                    let players = technique.players(lab, game)?;
                    pairs.push(Pair { technique, game, players, levels, first_step });
                }
                first_step += 2 * self.levels.len();
            }
        }
        Ok(pairs)
    }

    /// The levels; where a command says how many nodes a move may take, that one.
    fn levels_of(&self, lab: &Lab) -> Result<Vec<Level>, JobError> {
        let Some(limits) = lab.conditions.limits else { return Ok(self.levels.clone()) };
        let known: Vec<String> = self.levels.iter().map(|level| level.nodes.to_string()).collect();
        let level = self.levels.iter().find(|level| Some(level.nodes) == limits.nodes);
        let none = || {
            JobError::input(format!(
                "gain is measured at {} nodes a move: name one of them with --nodes, or none",
                known.join(", ")
            ))
        };
        Ok(vec![*level.ok_or_else(none)?])
    }

    /// The searches of all, then the matches, from few nodes to many.
    fn measure(&self, pairs: &[Pair], lab: &mut Lab, rows: &mut Vec<Row>) -> Result<(), JobError> {
        let mut openings: BTreeMap<&str, MadeOpenings> = BTreeMap::new();
        for pair in pairs {
            if !openings.contains_key(pair.game) {
                openings.insert(pair.game, self.open(pair.game, lab)?);
            }
        }
        for pair in pairs {
            for &level in &pair.levels {
                let made = &openings[pair.game];
                lab.number_next(pair.first_step + self.place(level));
                rows.extend(pair.search(level, made, lab)?);
            }
        }
        for place in 0..self.levels.len() {
            for pair in pairs {
                let level = pair.levels.iter().find(|level| self.place(**level) == 2 * place);
                if let Some(&level) = level {
                    lab.number_next(pair.first_step + self.place(level) + 1);
                    rows.push(pair.play(level, &openings[pair.game], lab)?);
                }
            }
        }
        Ok(())
    }

    /// The place of a level's first step among those of its pair.
    fn place(&self, level: Level) -> usize {
        2 * self.levels.iter().position(|known| known.nodes == level.nodes).unwrap_or(0)
    }

    /// The openings of a game: one for each two games, and the positions that are searched.
    fn open(&self, game: &str, lab: &mut Lab) -> Result<MadeOpenings, JobError> {
        let most = |of: fn(&Level) -> u64| self.levels.iter().map(of).max().unwrap_or(0);
        let wanted = lab.conditions.positions(most(|level| level.positions.max(level.games / 2)));
        let place = self.openings.keys().position(|known| known == game).unwrap_or(0);
        lab.number_next(place);
        lab.even_openings(game, &self.openings[game], wanted, &format!("openings-{game}.epd"))
    }
}

impl Pair<'_> {
    fn what(&self, level: Level) -> String {
        format!("{}, {}, {} nodes", self.technique.name, self.game, level.nodes)
    }

    /// How often the technique acts, and which nodes it saves.
    fn search(&self, level: Level, openings: &MadeOpenings, lab: &mut Lab) -> Result<[Row; 2], JobError> {
        let searched = lab.search(&SuiteStep {
            game: self.game,
            suite: Positions::Made(openings),
            half: None,
            sample: lab.conditions.positions(level.positions),
            players: lab.players(self.game, [self.technique.profile.as_str()])?.into(),
            set: self.technique.settings("on")?,
            sweeps: vec![sweep(self.technique.path(), &["off"])],
            limits: Limits::nodes(level.nodes),
            enough: Enough::Limit,
        })?;
        let (with, without) = (&searched.rows[0], &searched.rows[1]);
        let [acts, nodes] = [acts(&self.technique.switch, with), nodes_to_equal_depth(with, without)];
        let what = self.what(level);
        let across = level.nodes as f64;
        Ok([
            Row { what: format!("{what}: effects in a search"), ..acts },
            Row { what: format!("{what}: nodes to equal depth"), ..nodes }.at(
                format!("nodes to equal depth, %: {}", self.game),
                &self.technique.name,
                across,
            ),
        ])
    }

    /// The score.
    fn play(&self, level: Level, openings: &MadeOpenings, lab: &mut Lab) -> Result<Row, JobError> {
        let outcome = lab.play(&MatchStep {
            game: self.game,
            players: self.players.clone().map(Participant::from).into(),
            games: lab.conditions.games(level.games),
            limits: Limits::nodes(level.nodes),
            openings: Some(openings),
        })?;
        let row = score_row(&format!("{}: score", self.what(level)), None, &outcome);
        Ok(row.at(format!("score, %: {}", self.game), &self.technique.name, level.nodes as f64))
    }
}

/// The effects of a technique in a search, on average.
fn acts(switch: &str, attempts: &[Attempt]) -> Row {
    let acts: Vec<Acts> =
        attempts.iter().map(|attempt| attempt.acts.get(switch).copied().unwrap_or_default()).collect();
    let effects: Vec<f64> = acts.iter().map(|acts| acts.effects as f64).collect();
    let tries = acts.iter().map(|acts| acts.tries as f64).sum::<f64>() / acts.len().max(1) as f64;
    let idle = acts.iter().filter(|acts| acts.effects == 0).count();
    let mean = mean_interval(&effects).map(|(value, interval)| Figure { value, interval, unit: "" });
    let note = format!("of {tries:.0} tries; none in {idle} of {}", acts.len());
    Row::new("", None, mean).note(note).of(acts.len())
}

/// The nodes up to the last iteration that both searches of a position finished, in percent of those without.
fn nodes_to_equal_depth(with: &[Attempt], without: &[Attempt]) -> Row {
    let last_of_both = |(with, without): (&Attempt, &Attempt)| {
        let depth = with.iterations.len().min(without.iterations.len());
        let place = depth.checked_sub(1)?;
        Some((with.iterations[place] as f64, without.iterations[place] as f64))
    };
    let pairs: Vec<(f64, f64)> = with.iter().zip(without).filter_map(last_of_both).collect();
    let depth = |attempts: &[Attempt]| {
        attempts.iter().map(|attempt| f64::from(attempt.depth)).sum::<f64>() / attempts.len().max(1) as f64
    };
    let note = format!("depth {:.2} with, {:.2} without", depth(with), depth(without));
    Row::new("", None, ratio_interval(&pairs).map(Figure::percent)).note(note).of(pairs.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Conditions;
    use crate::lab::Idle;
    use plywise_game::parameters::Parameters;
    use plywise_search::Params;
    use std::time::Duration;

    fn read() -> Gain {
        data::<Data>(include_str!("../../data/gain.toml")).unwrap().gain.printed
    }

    fn attempt(iterations: &[u64], acts: Option<Acts>) -> Attempt {
        Attempt {
            best: None,
            score: 0,
            depth: iterations.len() as i32,
            nodes: 1000,
            time: Duration::ZERO,
            researches: 0,
            solved: false,
            found: None,
            iterations: iterations.to_vec(),
            acts: acts.map(|acts| ("rank_cut".to_owned(), acts)).into_iter().collect(),
        }
    }

    #[test]
    fn nodes_are_compared_where_both_finished() {
        let with = [attempt(&[10, 50, 200], None), attempt(&[], None)];
        let without = [attempt(&[10, 100], None), attempt(&[5], None)];
        let row = nodes_to_equal_depth(&with, &without);
        assert_eq!((row.ours.unwrap().value, row.sample), (50.0, Some(1)), "{}", row.note);
        assert_eq!(row.note, "depth 1.50 with, 1.50 without");
    }

    #[test]
    fn searches_without_a_try_count_as_idle() {
        let attempts = [attempt(&[], Some(Acts { tries: 8, effects: 4 })), attempt(&[], None)];
        let row = acts("rank_cut", &attempts);
        assert_eq!((row.ours.unwrap().value, row.note.as_str()), (2.0, "of 4 tries; none in 1 of 2"));
    }

    fn conditions(only: &[&str], nodes: Option<u64>) -> Conditions {
        let only = only.iter().map(|word| (*word).to_owned()).collect();
        Conditions { share: 1.0, data: None, limits: nodes.map(Limits::nodes), opponent: None, only }
    }

    /// Every technique in every game, and both sides differ by its switch and by nothing else.
    #[test]
    fn the_technique_is_the_only_difference() {
        let games = Idle::new();
        let (conditions, gain) = (conditions(&[], None), read());
        let lab = Lab::new(&conditions, &games);
        let pairs = gain.pairs(&lab).unwrap();
        assert_eq!(pairs.len(), 23);
        for Pair { technique, game, players: [with, without], levels, .. } in &pairs {
            let paths: Vec<String> = Params::declared().iter().map(|parameter| parameter.path()).collect();
            let value = |player: &Player, path: &str| player.setup.params.get(path).unwrap();
            let differ: Vec<&String> = paths.iter().filter(|path| value(with, path) != value(without, path)).collect();
            assert_eq!(differ, [&format!("{}.enabled", technique.switch)], "{} {game}", technique.name);
            let is_deep = technique.switch == "rank_cut" && *game == "chess";
            assert_eq!(levels.len(), if is_deep { 5 } else { 4 }, "{} {game}", technique.name);
        }
    }

    #[test]
    fn a_part_keeps_the_numbers_of_its_steps() {
        let games = Idle::new();
        let gain = read();
        let steps = |only: &[&str], nodes| -> Vec<(String, usize)> {
            let conditions = conditions(only, nodes);
            let pairs = gain.pairs(&Lab::new(&conditions, &games)).unwrap();
            let name = |pair: &Pair| (format!("{} {}", pair.technique.name, pair.game), pair.first_step);
            pairs.iter().map(name).collect()
        };
        let all = steps(&[], None);
        let part = steps(&["loa", "multi_cut"], Some(10_000));
        assert_eq!(part.len(), 1);
        assert!(all.contains(&part[0]), "{part:?}");
        assert_eq!(steps(&["loa", "chess", "probcut"], None).len(), 2);
        let conditions = conditions(&[], Some(5));
        let refused = gain.pairs(&Lab::new(&conditions, &games)).err().unwrap().to_string();
        assert!(refused.contains("1000, 10000, 100000"), "{refused}");
    }
}
