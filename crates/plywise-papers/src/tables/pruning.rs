//! The tables of uncertainty cutoffs and multi-cut: chapters 4 and 5 of the thesis.

use super::{Entry, PrintedScore, Suites, Table, data, number, percent};
use crate::conditions::{clock, options};
use crate::figure::{Figure, PERCENT, Row};
use crate::player::{Player, setting};
use crate::steps::{
    MatchStep, Participant, SEED, Searched, SuiteStep, nodes, percent_over, score_of, score_row, sweep,
};
use crate::{Lab, Suite};
use plywise_arena::openings::MakeOpenings;
use plywise_arena::statistics::{Pentanomial, Wdl, mean_interval, mini_match};
use plywise_arena::suites::{Enough, Half};
use plywise_host::WrittenSetup;
use plywise_learn::{CutNodeQuestion, Gather, Question, SCHEMES, SelfPlay};
use plywise_run::JobError;
use plywise_search::Limits;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    #[serde(rename = "uncertainty-4.1")]
    uncertainty: Entry<Uncertainty>,
    #[serde(rename = "multicut-5.1")]
    cut_nodes: Entry<CutNodes>,
    #[serde(rename = "multicut-5.3")]
    settings: Entry<MultiCut>,
    #[serde(rename = "multicut-5.3-classic")]
    settings_classic: Entry<MultiCut>,
    #[serde(rename = "multicut-5.4")]
    chess: Entry<ChessMatch>,
    #[serde(rename = "multicut-5.5")]
    loa: Entry<LoaMatch>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/pruning.toml"))?;
    let Suites { ecm, bratko_kopec, .. } = Suites::read()?;
    let again = ecm.clone();
    Ok(vec![
        read.uncertainty.table("uncertainty-4.1", move |printed, lab| printed.run(&bratko_kopec, lab)),
        read.cut_nodes.table("multicut-5.1", CutNodes::run),
        read.settings.table("multicut-5.3", move |printed, lab| printed.run(&ecm, lab)),
        read.settings_classic.table("multicut-5.3-classic", move |printed, lab| printed.run(&again, lab)),
        read.chess.table("multicut-5.4", ChessMatch::run),
        read.loa.table("multicut-5.5", LoaMatch::run),
    ])
}

/// Table 4.1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Uncertainty {
    depths: Vec<i32>,
    ratios: Vec<i32>,
    total: Vec<f64>,
    mean: Vec<f64>,
}

impl Uncertainty {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let depth = lab.conditions.depths(&self.depths).last().copied().unwrap_or(self.depths[0]);
        let searched = lab.search(&SuiteStep {
            game: "chess",
            suite: suite.into(),
            half: None,
            sample: lab.conditions.positions(suite.size).max(8),
            players: lab.players("chess", ["turk", "turk-uncertainty"])?.into(),
            set: Vec::new(),
            sweeps: vec![sweep("uncertainty.ratio", &self.ratios)],
            limits: Limits::depth(depth),
            enough: Enough::Limit,
        })?;
        let without = &searched.rows[0];
        let researches = |row: usize| searched.rows[row].iter().map(|attempt| attempt.researches).sum::<u64>() as f64;
        let mut rows = Vec::new();
        for (place, ratio) in self.ratios.iter().enumerate() {
            let with = &searched.rows[place + 1];
            let shares =
                with.iter().zip(without).map(|(with, without)| with.nodes as f64 / without.nodes.max(1) as f64);
            let mean = mean_interval(&shares.collect::<Vec<f64>>()).map(Figure::percent);
            let is_same = with.iter().zip(without).all(|(with, without)| with.score == without.score);
            let scores = if is_same { "the same scores" } else { "other scores" };
            let again = 100.0 * researches(place + 1) / researches(0).max(1.0);
            let note = format!("{again:.1} % of the re-searches, {scores}");
            let row = |what: &str, printed: &[f64], ours| {
                let paper = printed.get(place).map(|&value| Figure::exact(value, PERCENT));
                Row::new(format!("ratio {ratio} %: {what}"), paper, ours).of(with.len())
            };
            rows.push(row("total", &self.total, percent_over(with, without, nodes)).note(note));
            rows.push(row("mean", &self.mean, mean));
        }
        Ok(rows)
    }
}

/// Tables 5.1 and 5.2.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CutNodes {
    games: u64,
    depth: i32,
    every: u64,
    margin: i32,
    not_cut: f64,
    nodes: u64,
    schemes: Vec<PrintedScheme>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrintedScheme {
    name: String,
    cut: f64,
    not_cut: f64,
    not_none: Option<f64>,
    /// The most that it counts at a node that is not cut, where the thesis says so.
    most: Option<f64>,
}

impl CutNodes {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let game = lab.game("chess")?;
        let (games, limits) = (lab.conditions.games(self.games), Limits::depth(self.depth));
        let [player] = lab.players("chess", ["turk"])?;
        let mut setup = player.setup.clone();
        setup.hash = Gather::TABLE_MB;
        let question = Question::CutNodes(CutNodeQuestion::of_thesis(self.every, self.margin));
        let job = Gather {
            game: game.name().to_owned(),
            games,
            play: SelfPlay {
                player: WrittenSetup::of(&*game, &setup),
                limits,
                openings: Vec::new(),
                random_plies: 8,
                balance: None,
                to_the_end: Gather::plays_to_the_end(&question),
                longest: 300,
                seed: SEED,
            },
            question,
            until_stable: None,
        };
        let (every, limits) = (self.every, options(&limits));
        let step = lab.begin(&format!(
            "gather cutnodes chess --games {games} {limits} --profile turk --every {every} -o cutnodes.csv"
        ));
        let gathered = lab.laboratory.gather(step, &job)?;
        let plywise_learn::Table::CutNodes(found) = &gathered.table else {
            return Err(JobError::failed("the cut-nodes are missing"));
        };
        let not_cut = found.iter().filter(|node| !node.is_true).count();
        let paper = Figure::share(self.not_cut / 100.0 * self.nodes as f64, self.nodes as f64);
        let row = Row::new("not cut", paper, Figure::share(not_cut as f64, found.len() as f64));
        let mut rows = vec![row.note(format!("of {} nodes", found.len())).of(found.len())];
        for printed in &self.schemes {
            let scheme = SCHEMES.iter().find(|scheme| scheme.name == printed.name);
            let scheme = scheme.ok_or_else(|| JobError::failed(format!("nothing counts by {}", printed.name)))?;
            let ours = scheme.compare(found);
            let kinds = [
                ("cut", Some(printed.cut), ours.cut, found.len() - not_cut),
                ("not cut", Some(printed.not_cut), ours.not_cut, not_cut),
                ("not cut, not none", printed.not_none, ours.not_cut_not_none, not_cut),
            ];
            for (what, paper, ours, sample) in kinds {
                if let Some(paper) = paper {
                    let ours = ours.and_then(|[mean, _]| number(mean));
                    rows.push(Row::new(format!("{}: {what}", printed.name), number(paper), ours).of(sample));
                }
            }
            if let Some(most) = printed.most {
                let ours = ours.not_cut_most.and_then(|most| number(most.into()));
                rows.push(Row::new(format!("{}: not cut, the most", printed.name), number(most), ours).of(not_cut));
            }
        }
        Ok(rows)
    }
}

/// Table 5.3.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MultiCut {
    profile: String,
    depth: i32,
    settings: Vec<Setting>,
    rows: Vec<PrintedSettings>,
}

/// Settings of multi-cut: cutoffs required, and how many moves are tried.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Setting {
    cutoffs: i32,
    moves: Vec<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PrintedSettings {
    cutoffs: i32,
    reduction: i32,
    nodes: Vec<f64>,
    solved: Vec<f64>,
}

/// The reductions of table 5.3.
const REDUCTIONS: [i32; 3] = [1, 2, 3];

impl MultiCut {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let [player] = lab.players("chess", [self.profile.as_str()])?;
        let sample = lab.conditions.positions(suite.size / 2);
        let step = |set, sweeps| SuiteStep {
            game: "chess",
            suite: suite.into(),
            half: Some(Half::Tune),
            sample,
            players: vec![player.clone()],
            set,
            sweeps,
            limits: Limits::depth(self.depth),
            enough: Enough::Limit,
        };
        let without = lab.search(&step(vec![setting("multi_cut.enabled", "off")], Vec::new()))?;
        let mut rows = Vec::new();
        for Setting { cutoffs, moves } in &self.settings {
            let sweeps = vec![sweep("multi_cut.reduction", &REDUCTIONS), sweep("multi_cut.moves", moves)];
            let swept = lab.search(&step(vec![setting("multi_cut.cutoffs_required", cutoffs)], sweeps))?;
            for (reduction, at) in (0..REDUCTIONS.len()).flat_map(|r| (0..moves.len()).map(move |at| (r, at))) {
                // The first row is the profile as it is; the moves vary fastest.
                let place = 1 + reduction * moves.len() + at;
                let reduction = REDUCTIONS[reduction];
                let printed = self.rows.iter().find(|row| row.cutoffs == *cutoffs && row.reduction == reduction);
                let name = format!("c = {cutoffs}, e = {}, r = {reduction}", moves[at]);
                let paper = |of: fn(&PrintedSettings) -> &Vec<f64>| printed.and_then(|row| percent(*of(row).get(at)?));
                rows.extend(settings_rows(
                    &name,
                    [paper(|row| &row.nodes), paper(|row| &row.solved)],
                    (&without, &swept, place),
                ));
            }
        }
        Ok(rows)
    }
}

/// Nodes and solved positions of one setting in percent of those without.
fn settings_rows(
    name: &str,
    [nodes_printed, solved_printed]: [Option<Figure>; 2],
    (without, swept, place): (&Searched, &Searched, usize),
) -> [Row; 2] {
    let with = &swept.rows[place];
    let solved = plywise_arena::statistics::ratio_interval(
        &with.iter().zip(&without.rows[0]).map(|(a, b)| (f64::from(a.solved), f64::from(b.solved))).collect::<Vec<_>>(),
    );
    let note = format!("{} of {}", swept.solved(place), without.solved(0));
    [
        Row::new(format!("{name}: nodes"), nodes_printed, percent_over(with, &without.rows[0], nodes)).of(with.len()),
        Row::new(format!("{name}: solved"), solved_printed, solved.map(Figure::percent))
            .note(note)
            .of(without.solved(0)),
    ]
}

/// A profile with multi-cut, and the same without it.
fn with_and_without(lab: &Lab, game: &str) -> Result<[Player; 2], JobError> {
    let [with, without] = lab.players(game, ["turk-multicut", "turk-multicut"])?;
    let off = without.named("plain").with(&*lab.game(game)?, &[setting("multi_cut.enabled", "off")])?;
    Ok([with, off])
}

/// Table 5.4.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChessMatch {
    games: u64,
    seconds_per_minute: f64,
    score: PrintedScore,
    controls: Vec<Control>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    minutes: f64,
    percent: f64,
}

impl ChessMatch {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let total = "with against without, in total";
        let players: Vec<Participant> = with_and_without(lab, "chess")?.map(Participant::from).into();
        let step = |games, limits| MatchStep { game: "chess", players: players.clone(), games, limits, openings: None };
        if let Some(limits) = lab.conditions.limits {
            let games = lab.conditions.games(self.games * self.controls.len() as u64);
            let outcome = lab.play(&step(games, limits))?;
            return Ok(vec![score_row(total, self.score.figure(), &outcome)]);
        }
        let (mut rows, mut games, mut pairs) = (Vec::new(), Wdl::default(), Pentanomial::default());
        for control in &self.controls {
            let seconds = control.minutes * self.seconds_per_minute;
            let limits = clock(seconds, seconds / 100.0);
            let outcome = lab.play(&step(lab.conditions.games(self.games), limits))?;
            let printed = PrintedScore::Percent { percent: control.percent, games: self.games as f64 };
            rows.push(score_row(&format!("{} minutes", control.minutes), printed.figure(), &outcome));
            if let Some((_, pairing)) = outcome.standings.pairings().next() {
                games += pairing.games;
                pairs.0.iter_mut().zip(pairing.pairs.0).for_each(|(sum, count)| *sum += count);
            }
        }
        rows.push(score_of(total, self.score.figure(), &games, &pairs));
        Ok(rows)
    }
}

/// Tables 5.5 and 5.6.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LoaMatch {
    games: u64,
    moves: i32,
    score: PrintedScore,
    mini_matches: MiniMatches,
    t: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MiniMatches {
    won: u64,
    drawn: u64,
    lost: u64,
}

impl LoaMatch {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let game = lab.game("loa")?;
        let job =
            MakeOpenings { distinct: true, random: false, wanted: None, ..MakeOpenings::random(&*game, 2, 0, SEED) };
        let openings = lab.openings("openings.epd", "--plies 2 --distinct", &job)?;
        let [with, without] = with_and_without(lab, "loa")?;
        let with = with.named("multi-cut").with(&*game, &[setting("multi_cut.moves", self.moves)])?;
        let outcome = lab.play(&MatchStep {
            game: "loa",
            players: vec![with.into(), without.into()],
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(5.0, 0.05)),
            openings: Some(&openings),
        })?;
        let mut rows = vec![score_row("with against without", self.score.figure(), &outcome)];
        let pairs = outcome.standings.summary().map_or(Pentanomial::default(), |summary| summary.pentanomial);
        let ours = pairs.mini_matches();
        let MiniMatches { won, drawn, lost } = self.mini_matches;
        let whole = (won + drawn + lost) as f64;
        for (what, printed, found) in [("won", won, ours.wins), ("lost", lost, ours.losses)] {
            let paper = Figure::share(printed as f64, whole);
            let share = Figure::share(found as f64, ours.games() as f64);
            let note = format!("{found} of {}, paper {printed} of {whole}", ours.games());
            rows.push(Row::new(format!("mini-matches {what}"), paper, share).note(note).of(ours.games() as usize));
        }
        let t = mini_match::against_drawn(&ours).and_then(|test| number(test.t));
        let note = "above 1.97: better with 95 % confidence";
        rows.push(Row::new("Student's t", number(self.t), t).note(note).of(ours.games() as usize));
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read() -> Data {
        data(include_str!("../../data/pruning.toml")).unwrap()
    }

    #[test]
    fn mini_matches_are_judged_as_in_the_thesis() {
        let LoaMatch { mini_matches: MiniMatches { won, drawn, lost }, t, .. } = read().loa.printed;
        let test = mini_match::against_drawn(&Wdl { wins: won, draws: drawn, losses: lost }).unwrap();
        assert!((test.t - t).abs() < 1e-4, "{}", test.t);
    }

    #[test]
    fn table_5_3_has_a_figure_for_each_setting() {
        for table in [read().settings.printed, read().settings_classic.printed] {
            assert_eq!(table.rows.len(), table.settings.len() * REDUCTIONS.len());
            for Setting { cutoffs, moves } in &table.settings {
                for reduction in REDUCTIONS {
                    let row = table.rows.iter().find(|row| row.cutoffs == *cutoffs && row.reduction == reduction);
                    let row = row.unwrap();
                    assert_eq!((row.nodes.len(), row.solved.len()), (moves.len(), moves.len()));
                }
            }
        }
    }

    #[test]
    fn the_matches_of_table_5_4_add_up() {
        let ChessMatch { games, controls, score, .. } = read().chess.printed;
        let points: f64 =
            controls.iter().map(|control| (2.0 * control.percent / 100.0 * games as f64).round() / 2.0).sum();
        assert_eq!(points, 174.5);
        assert!((score.figure().unwrap().value - 100.0 * points / 320.0).abs() < 0.05);
    }
}
