//! The tables of RankCut.

use super::{Entry, PrintedScore, Suites, Table, data, number, percent};
use crate::conditions::{clock, options};
use crate::figure::{Figure, Row};
use crate::player::setting;
use crate::steps::{
    BySuite, MatchStep, Participant, Positions, SEED, Searched, SuiteStep, exchange, joined, nodes, percent_over,
    printed_exchange, score_row, skipped, sweep, time,
};
use crate::suite::SuiteSource;
use crate::{Lab, Suite};
use plywise_arena::statistics::{mean_interval, rates};
use plywise_arena::suites::{Attempt, Enough};
use plywise_host::{Setup, WrittenSetup};
use plywise_learn::{Gather, Gathered, Question, RankQuestion, SelfPlay};
use plywise_run::JobError;
use plywise_search::{Limits, RankBound, RankTable};
use serde::Deserialize;
use std::time::Duration;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Data {
    #[serde(rename = "rankcut-1")]
    rankcut_1: Entry<FixedDepths>,
    rankcut_lct: Entry<LctII>,
    rankcut_match: Entry<Match>,
    rankcut_fruit: Entry<Fruit>,
    rankcut_probcut: Entry<Pairs>,
    rankcut_abalone: Entry<Abalone>,
    rankcut_deep: Entry<Deep>,
    rankcut_phases: Entry<Phases>,
}

pub(super) fn tables() -> Result<Vec<Table>, JobError> {
    let read: Data = data(include_str!("../../data/rankcut.toml"))?;
    let suites = Suites::read()?;
    let (lct_ii, abalone) = (suites.lct_ii.clone(), suites.abalone.clone());
    Ok(vec![
        read.rankcut_1.table("rankcut-1", move |printed, lab| printed.run(&suites, lab)),
        read.rankcut_lct.table("rankcut-lct", move |printed, lab| printed.run(&lct_ii, lab)),
        read.rankcut_match.table("rankcut-match", Match::run),
        read.rankcut_fruit.table("rankcut-fruit", Fruit::run),
        read.rankcut_probcut.table("rankcut-probcut", Pairs::run),
        read.rankcut_abalone.table("rankcut-abalone", move |printed, lab| printed.run(&abalone, lab)),
        read.rankcut_deep.table("rankcut-deep", Deep::run),
        read.rankcut_phases.table("rankcut-phases", Phases::run),
    ])
}

/// Table 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FixedDepths {
    depths: Vec<i32>,
    n_best: Vec<i32>,
    rows: Vec<Changes>,
}

/// What RankCut changes on a suite at a depth.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    suite: String,
    depth: i32,
    nodes: f64,
    time: f64,
    solved: f64,
}

/// The sum of all suites.
const SUM: &str = "sum";

impl FixedDepths {
    fn run(&self, suites: &Suites, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let all = [&suites.ecm, &suites.wac, &suites.wcs];
        let mut wanted: Vec<&Suite> = all.into_iter().filter(|suite| suite.found(lab.conditions).is_some()).collect();
        if wanted.is_empty() {
            // Ours takes its place, or a sentence says what the folder lacks.
            suites.ecm.place(lab.conditions)?;
            wanted.push(&suites.ecm);
        }
        let mut found: BySuite<(i32, String)> = BySuite::new();
        let [classic, rank_cut] = lab.players("chess", ["classic", "rankcut-paper"])?;
        let step = |suite, players, sample, sweeps, set, depth| SuiteStep {
            game: "chess",
            suite: Positions::Suite(suite),
            half: None,
            sample,
            players,
            set,
            sweeps,
            limits: Limits::depth(depth),
            enough: Enough::Limit,
        };
        for &suite in &wanted {
            for depth in lab.conditions.depths(&self.depths) {
                let sample = lab.conditions.positions(suite.size);
                let players = vec![classic.clone(), rank_cut.clone()];
                let searched = lab.search(&step(suite, players, sample, Vec::new(), Vec::new(), depth))?;
                found.insert((depth, name_of(suite, &searched)), searched);
            }
        }
        let (suite, depth) = (wanted[0], self.depths[0]);
        let sweeps = vec![sweep("n_best.moves", &self.n_best)];
        let set = vec![setting("n_best.enabled", "on")];
        let sample = lab.conditions.positions(suite.size);
        let n_best = lab.search(&step(suite, vec![classic], sample, sweeps, set, depth))?;
        let mut rows: Vec<Row> = self.rows.iter().flat_map(|printed| printed.rows(&found, &all)).collect();
        rows.extend(ours_alone(&found));
        let name = name_of(suite, &n_best);
        if let Some(without) = found.get(&(depth, name.clone())) {
            for (row, moves) in self.n_best.iter().enumerate().map(|(place, moves)| (place + 1, moves)) {
                let change = percent_over(&n_best.rows[row], &without.rows[0], nodes).map(Figure::change);
                let note = format!("solves {}, classic {}", n_best.solved(row), without.solved(0));
                let what = format!("{name}, depth {depth}: nodes of the {moves} best moves");
                rows.push(Row::new(what, None, change).note(note).of(n_best.positions()));
            }
        }
        Ok(rows)
    }
}

/// What people call a suite: the paper's, or ours in its place.
fn name_of(suite: &Suite, searched: &Searched) -> String {
    match &searched.place {
        SuiteSource::File(_) => suite.name.clone(),
        source => format!("our '{}'", source.word()),
    }
}

impl Changes {
    /// What was printed beside what was found; what was not searched is there too, and why.
    fn rows(&self, found: &BySuite<(i32, String)>, all: &[&Suite]) -> Vec<Row> {
        let of_suite = |name: &str| found.get(&(self.depth, name.to_owned()));
        let is_sum = self.suite == SUM;
        let of_suites: Vec<&Searched> = match is_sum {
            true => all.iter().filter_map(|suite| of_suite(&suite.name)).collect(),
            false => of_suite(&self.suite).into_iter().collect(),
        };
        let size: u64 = all.iter().filter(|suite| is_sum || suite.name == self.suite).map(|suite| suite.size).sum();
        let what = |what: &str| format!("{}, depth {}: {what}", self.suite, self.depth);
        let papers = [percent(self.nodes), percent(self.time), printed_exchange(self.solved, size)];
        let names = ["nodes", "time", "solved"];
        if of_suites.is_empty() || is_sum && of_suites.len() < all.len() {
            let is_searched = found.keys().any(|(_, name)| *name == self.suite);
            let file = all.iter().find(|suite| suite.name == self.suite).map_or("", |suite| suite.file());
            let why = match (is_searched, is_sum) {
                (_, true) => "not all three suites were searched".to_owned(),
                (true, _) => "not at this --scale".to_owned(),
                (false, _) => format!("needs --data with {file}"),
            };
            return names.into_iter().zip(papers).map(|(name, paper)| skipped(what(name), paper, &why)).collect();
        }
        names
            .into_iter()
            .zip(papers)
            .zip(compared(&of_suites))
            .map(|((name, paper), ours)| Row { what: what(name), paper, ..ours })
            .collect()
    }
}

/// Rows of suites that no paper has.
fn ours_alone(found: &BySuite<(i32, String)>) -> Vec<Row> {
    let ours = found.iter().filter(|(_, searched)| matches!(searched.place, SuiteSource::Own(_)));
    let rows = ours.flat_map(|((depth, name), searched)| {
        let what = |what: &str| format!("{name}, depth {depth}: {what}");
        ["nodes", "time", "solved"]
            .into_iter()
            .zip(compared(&[searched]))
            .map(move |(name, row)| Row { what: what(name), ..row })
            .collect::<Vec<_>>()
    });
    rows.collect()
}

/// The changes of nodes, time and solved positions over these suites.
fn compared(of_suites: &[&Searched]) -> [Row; 3] {
    let (without, with) = (joined(of_suites, 0), joined(of_suites, 1));
    let answers = of_suites.iter().map(|searched| searched.answers).sum();
    let (solved, [lost, gained]) = exchange(&with, &without, answers);
    let classic = without.iter().filter(|attempt| attempt.solved).count();
    let change = |of: fn(&Attempt) -> f64| percent_over(&with, &without, of).map(Figure::change);
    let note = format!("classic solves {classic} of {answers}; {lost} lost, {gained} gained");
    [
        Row::new("", None, change(nodes)).of(with.len()),
        Row::new("", None, change(time)).of(with.len()),
        Row::new("", None, solved).note(note).of(answers),
    ]
}

/// The LCT II test.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LctII {
    seconds: f64,
    base: f64,
    points: Vec<[f64; 2]>,
    positions: u64,
    players: Vec<LctPlayer>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LctPlayer {
    name: String,
    profile: String,
    rating: f64,
    solved: u64,
    depth: f64,
}

impl LctII {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let share = lab.conditions.share;
        let movetime = Duration::from_millis((1000.0 * self.seconds * share) as u64);
        let mut players = Vec::new();
        for player in &self.players {
            let [player] = lab.players("chess", [player.profile.as_str()])?;
            players.push(player);
        }
        let searched = lab.search(&SuiteStep {
            game: "chess",
            suite: suite.into(),
            half: None,
            sample: suite.size,
            players,
            set: Vec::new(),
            sweeps: Vec::new(),
            limits: Limits::time(movetime),
            enough: Enough::Limit,
        })?;
        let mut rows = Vec::new();
        for (place, player) in self.players.iter().enumerate() {
            let attempts = &searched.rows[place];
            let points: f64 = attempts.iter().map(|attempt| self.points_of(attempt, movetime)).sum();
            let note = format!("solves {}, paper {} of {}", searched.solved(place), player.solved, self.positions);
            let rating = Row::new(format!("rating {}", player.name), number(player.rating), number(self.base + points));
            rows.push(rating.note(note).of(attempts.len()));
            let depth = mean_depth(attempts);
            rows.push(Row::new(format!("mean depth {}", player.name), number(player.depth), depth).of(attempts.len()));
        }
        Ok(rows)
    }

    /// The points for a position, where `whole` stands for the test's ten minutes.
    fn points_of(&self, attempt: &Attempt, whole: Duration) -> f64 {
        let Some(found) = attempt.found.filter(|_| attempt.solved) else { return 0.0 };
        let seconds = self.seconds * found.time.as_secs_f64() / whole.as_secs_f64();
        self.points.iter().find(|[within, _]| seconds <= *within).map_or(0.0, |[_, points]| *points)
    }
}

/// The mean depth that searches reached.
fn mean_depth(attempts: &[Attempt]) -> Option<Figure> {
    let depths: Vec<f64> = attempts.iter().map(|attempt| f64::from(attempt.depth)).collect();
    mean_interval(&depths).map(|(value, interval)| Figure { value, interval, unit: "" })
}

/// The match against the program without RankCut.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    games: u64,
    score: PrintedScore,
    l95: f64,
}

impl Match {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let outcome = lab.play(&MatchStep {
            game: "chess",
            players: lab.players("chess", ["rankcut-paper", "classic"])?.map(Participant::from).into(),
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(10.0, 0.1)),
            openings: None,
        })?;
        let row = score_row("with against without", self.score.figure(), &outcome);
        let l95 = outcome.standings.summary().and_then(|summary| {
            let (score, games) = (summary.score?, summary.games);
            rates::lower_bound(score, games, 1.0 - score, games, rates::Z_90)
        });
        let note = "above 0: stronger with 95 % confidence";
        let bound = Row::new("l95", number(self.l95), l95.and_then(number)).note(note);
        let sample = row.sample.unwrap_or(0) as usize;
        Ok(vec![row, bound.of(sample)])
    }
}

/// The matches against Fruit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fruit {
    games: u64,
    with: PrintedScore,
    without: PrintedScore,
}

impl Fruit {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let Some(opponent) = &lab.conditions.opponent else {
            let sentence =
                "this table needs --opponent: the paper's is Fruit 2.1; name an engine, uci:COMMAND, or a profile";
            return Err(JobError::input(sentence));
        };
        let opponent = Participant::Opponent(opponent.clone());
        let [with, without] = lab.players("chess", ["rankcut-paper", "classic"])?;
        let mut rows = Vec::new();
        for (what, player, printed) in [("with RankCut", with, self.with), ("without RankCut", without, self.without)] {
            let outcome = lab.play(&MatchStep {
                game: "chess",
                players: vec![player.into(), opponent.clone()],
                games: lab.conditions.games(self.games),
                limits: lab.conditions.limits(clock(10.0, 0.1)),
                openings: None,
            })?;
            rows.push(score_row(what, printed.figure(), &outcome));
        }
        Ok(rows)
    }
}

/// Matches without printed scores.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    games: u64,
    pairs: Vec<[String; 2]>,
}

impl Pairs {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let mut rows = Vec::new();
        for [a, b] in &self.pairs {
            let outcome = lab.play(&MatchStep {
                game: "chess",
                players: lab.players("chess", [a, b])?.map(Participant::from).into(),
                games: lab.conditions.games(self.games),
                limits: lab.conditions.limits(clock(10.0, 0.1)),
                openings: None,
            })?;
            rows.push(score_row(&format!("{a} against {b}"), None, &outcome));
        }
        Ok(rows)
    }
}

/// Abalone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Abalone {
    seconds: f64,
    games: u64,
    without_depth: f64,
    with_depth: f64,
}

impl Abalone {
    fn run(&self, suite: &Suite, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let movetime = Duration::from_millis((1000.0 * self.seconds * lab.conditions.share) as u64);
        let [without, with] = lab.players("abalone", ["brute", "rankcut"])?;
        let searched = lab.search(&SuiteStep {
            game: "abalone",
            suite: suite.into(),
            half: None,
            sample: suite.size,
            players: vec![without.clone(), with.clone()],
            set: Vec::new(),
            sweeps: Vec::new(),
            limits: Limits::time(movetime),
            enough: Enough::Limit,
        })?;
        let outcome = lab.play(&MatchStep {
            game: "abalone",
            players: vec![with.into(), without.into()],
            games: lab.conditions.games(self.games),
            limits: lab.conditions.limits(clock(3.0, 0.03)),
            openings: None,
        })?;
        let depth = |place: usize, what: &str, printed| {
            let attempts = &searched.rows[place];
            Row::new(what, number(printed), mean_depth(attempts)).note("mean").of(attempts.len())
        };
        Ok(vec![
            depth(0, "depth without", self.without_depth),
            depth(1, "depth with", self.with_depth),
            score_row("with against without", None, &outcome),
        ])
    }
}

/// Gathers a table of RankCut by self-play of `classic`; the text of its file, and its counts.
fn gather(
    lab: &mut Lab,
    games: u64,
    limits: Limits,
    question: RankQuestion,
    file: &str,
) -> Result<(String, RankTable), JobError> {
    const RANDOM_PLIES: usize = 8;
    const LONGEST: usize = 300;
    let game = lab.game("chess")?;
    let [player] = lab.players("chess", ["classic"])?;
    let setup = Setup { hash: Gather::TABLE_MB, ..player.setup };
    let job = Gather {
        game: game.name().to_owned(),
        games,
        play: SelfPlay {
            player: WrittenSetup::of(&*game, &setup),
            limits,
            openings: Vec::new(),
            random_plies: RANDOM_PLIES,
            balance: None,
            to_the_end: Gather::plays_to_the_end(&Question::RankCut(question)),
            longest: LONGEST,
            seed: SEED,
        },
        question: Question::RankCut(question),
        until_stable: None,
    };
    let limits = options(&limits);
    let RankQuestion { least_count, single, early, .. } = question;
    let single = if single { "--single" } else { "" };
    let early = if early { "--early" } else { "" };
    let words =
        format!("--games {games} {limits} --profile classic --least-count {least_count} {single} {early} -o {file}");
    let step = lab.begin(&format!("gather rankcut chess {words}"));
    let gathered = lab.laboratory.gather(step, &job)?;
    let text = gathered.table.file(game.name(), &words).unwrap_or_default();
    let Gathered { table: plywise_learn::Table::RankCut { table, .. }, .. } = gathered else {
        return Err(JobError::failed("RankCut's table is missing"));
    };
    lab.laboratory.keep(file, &text)?;
    Ok((text, table))
}

/// What RankCut's table counts by default: alpha is the bound, and the unit a quarter of a pawn.
const QUESTION: RankQuestion =
    RankQuestion { unit: 25, bound: RankBound::Alpha, least_depth: 4, least_count: 200, single: false, early: false };

/// The match where RankCut acts, with a table from searches as long as those of the match.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deep {
    games_to_gather: u64,
    nodes_to_gather: u64,
    games: u64,
    nodes: Vec<u64>,
    score: PrintedScore,
}

impl Deep {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        const FILE: &str = "rankcut-deep.toml";
        let games = lab.conditions.games(self.games_to_gather);
        let limits = lab.conditions.limits(Limits::nodes(self.nodes_to_gather));
        let (text, _) = gather(lab, games, limits, QUESTION, FILE)?;
        let game = lab.game("chess")?;
        let [with, without] = lab.players("chess", ["rankcut-paper", "classic"])?;
        let with = with.with_table(&*game, FILE, &text)?;
        let levels = match lab.conditions.limits {
            Some(limits) => vec![limits],
            None => self.nodes.iter().copied().map(Limits::nodes).collect(),
        };
        let mut rows = Vec::new();
        for limits in levels {
            let outcome = lab.play(&MatchStep {
                game: "chess",
                players: vec![with.clone().into(), without.clone().into()],
                games: lab.conditions.games(self.games),
                limits,
                openings: None,
            })?;
            let what = format!("with against without, {}", options(&limits).trim_start_matches("--"));
            rows.push(score_row(&what, self.score.figure(), &outcome));
        }
        Ok(rows)
    }
}

/// What the paper says of the phases of the order, and of judging each move alone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Phases {
    games: u64,
    nodes: u64,
    /// In hundredths of a percent, and how often a state must have been seen.
    threshold: u64,
    least_count: u64,
    /// The phases, by their number in the table.
    phases: Vec<PhaseOfOrder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PhaseOfOrder {
    name: String,
    number: u8,
    /// What the paper says, in percent.
    share: Option<f64>,
}

impl Phases {
    fn run(&self, lab: &mut Lab) -> Result<Vec<Row>, JobError> {
        let games = lab.conditions.games(self.games);
        let limits = lab.conditions.limits(Limits::nodes(self.nodes));
        let mut rows = Vec::new();
        for (single, of, file) in [(false, "this or a later move", "all.toml"), (true, "the move alone", "single.toml")]
        {
            let question = RankQuestion { least_count: 1, single, early: true, ..QUESTION };
            let (_, table) = gather(lab, games, limits, question, file)?;
            for phase in &self.phases {
                rows.push(self.row(&table, phase, of, single));
            }
        }
        Ok(rows)
    }

    /// Where a better move is too unlikely, in percent of what was seen of a phase.
    fn row(&self, table: &RankTable, phase: &PhaseOfOrder, of: &str, single: bool) -> Row {
        let (mut seen, mut unlikely, mut better) = (0, 0, 0);
        for (_, counts) in table.counts.iter().filter(|(state, _)| state.phase == phase.number) {
            let is_unlikely = counts.seen >= self.least_count && counts.better * 10_000 < counts.seen * self.threshold;
            (seen, better) = (seen + counts.seen, better + counts.better);
            unlikely += if is_unlikely { counts.seen } else { 0 };
        }
        let share = |count: u64| 100.0 * count as f64 / seen.max(1) as f64;
        let note = format!("of {seen} moves seen; {:.2} % were better", share(better));
        let paper = phase.share.filter(|_| !single).and_then(percent);
        Row::new(format!("{of}, {}: unlikely", phase.name), paper, percent(share(unlikely))).note(note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plywise_arena::suites::Found;
    use plywise_search::{RankCounts, RankState};

    fn attempt(nodes: u64, solved: bool) -> Attempt {
        let time = Duration::from_millis(nodes);
        let found = solved.then_some(Found { depth: 3, nodes, time });
        let (iterations, acts) = Default::default();
        Attempt { best: None, score: 0, depth: 8, nodes, time, researches: 0, solved, found, iterations, acts }
    }

    fn searched(place: SuiteSource, with: &[(u64, bool)]) -> Searched {
        let without = vec![attempt(1000, true); with.len()];
        let with = with.iter().map(|&(nodes, solved)| attempt(nodes, solved)).collect();
        Searched { place, answers: without.len(), rows: vec![without, with] }
    }

    fn printed() -> FixedDepths {
        data::<Data>(include_str!("../../data/rankcut.toml")).unwrap().rankcut_1.printed
    }

    #[test]
    fn the_lct_test_gives_more_points_for_less_time() {
        let test = data::<Data>(include_str!("../../data/rankcut.toml")).unwrap().rankcut_lct.printed;
        let points = |ms: u64, whole: u64| test.points_of(&attempt(ms, true), Duration::from_millis(whole));
        assert_eq!((points(9_000, 600_000), points(400_000, 600_000), points(9_000, 60_000)), (30.0, 5.0, 20.0));
        assert_eq!(test.points_of(&attempt(1, false), Duration::from_secs(600)), 0.0);
    }

    #[test]
    fn suites_stand_by_themselves_and_summed() {
        let suites = Suites::read().unwrap();
        let all = [&suites.ecm, &suites.wac, &suites.wcs];
        let file = |name: &str| SuiteSource::File(name.into());
        let mut found = BySuite::new();
        found.insert((8, "ECM".to_owned()), searched(file("ecm.epd"), &[(900, true), (900, false)]));
        let rows = |found: &BySuite<(i32, String)>| -> Vec<Row> {
            printed().rows.iter().filter(|row| row.depth == 8).flat_map(|row| row.rows(found, &all)).collect()
        };
        let one = rows(&found);
        assert_eq!((one.len(), one.iter().filter(|row| row.ours.is_some()).count()), (12, 3));
        let row = |rows: &[Row], what: &str| rows.iter().find(|row| row.what == what).cloned().unwrap();
        assert_eq!(row(&one, "ECM, depth 8: nodes").ours.unwrap().value.round(), -10.0);
        assert_eq!(row(&one, "ECM, depth 8: solved").ours.unwrap().value, -50.0);
        assert_eq!(row(&one, "WAC, depth 8: nodes").note, "skipped: needs --data with wac.epd");
        assert_eq!(row(&one, "sum, depth 8: nodes").note, "skipped: not all three suites were searched");
        found.insert((8, "WAC".to_owned()), searched(file("wac.epd"), &[(700, true), (700, true)]));
        found.insert((8, "WCS".to_owned()), searched(file("wcs.epd"), &[(800, true), (800, true)]));
        assert_eq!(row(&rows(&found), "sum, depth 8: nodes").ours.unwrap().value.round(), -20.0);
        let deeper: Vec<Row> =
            printed().rows.iter().filter(|row| row.depth == 10).flat_map(|row| row.rows(&found, &all)).collect();
        assert!(deeper.iter().all(|row| row.ours.is_none() && row.note.starts_with("skipped")));
        assert_eq!(deeper[0].note, "skipped: not at this --scale");
    }

    /// Without the paper's suites ours is searched under its own name, and stands beside no figure of the paper.
    #[test]
    fn our_suite_is_not_called_ecm() {
        let mut found = BySuite::new();
        found.insert((8, "our 'tactics'".to_owned()), searched(SuiteSource::Own("tactics".into()), &[(900, true)]));
        let rows = ours_alone(&found);
        assert_eq!(rows.len(), 3);
        assert!(rows.iter().all(|row| row.what.starts_with("our 'tactics', depth 8") && row.paper.is_none()));
        assert!(rows[0].ours.unwrap().value < -9.0);
    }

    #[test]
    fn states_seen_too_seldom_are_not_unlikely() {
        let phases = data::<Data>(include_str!("../../data/rankcut.toml")).unwrap().rankcut_phases.printed;
        let state = |move_number, phase| RankState {
            depth: 7,
            in_check: false,
            move_number,
            best_changes: 0,
            gap: 3,
            drop: 3,
            phase,
        };
        let counts = [(state(2, 0), 1, 1000), (state(3, 0), 0, 999), (state(4, 0), 20, 2001), (state(2, 3), 0, 5000)];
        let counts = counts.map(|(state, better, seen)| (state, RankCounts { better, seen })).into();
        let table = RankTable { unit: 25, bound: RankBound::Alpha, counts };
        let history = phases.phases.iter().find(|phase| phase.number == 0).unwrap();
        let row = phases.row(&table, history, "this", false);
        assert_eq!((row.ours.unwrap().value, row.note.as_str()), (25.0, "of 4000 moves seen; 0.53 % were better"));
    }
}
