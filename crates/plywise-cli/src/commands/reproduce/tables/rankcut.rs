//! The tables of RankCut.

use super::{ABALONE, ECM, compared, details, duel, list, mean_and_error, number, percent_of, percent_over, scores};
use crate::commands::reproduce::{Compared, Figure, Step, Suite, Table};
use serde_json::Value;

const RANKCUT: &str = "Lim & Lee, RankCut, 2006";

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "rankcut-1",
        paper: RANKCUT,
        what: "Table 1: nodes and solved positions at fixed depths",
        steps: |wanted| {
            let step = |suite: Suite, profiles: &str, depth| {
                let positions = wanted.positions(suite.size / 2);
                let words =
                    format!("--half report --profiles {profiles} --depth {depth} --sample {positions} --details");
                Step::on(suite, format!("suite chess FILE {words}"))
            };
            let depths = wanted.depths(&[8, 10, 12]);
            let suites = [ECM].into_iter().chain([WAC, WCS].into_iter().filter(|suite| wanted.has(suite)));
            let with = |suite| depths.iter().map(move |&depth| step(suite, "classic,rankcut-paper", depth));
            let n_best = step(ECM, "classic --sweep n_best.moves=10,15,20 --set n_best.enabled=on", 8);
            suites.flat_map(with).chain([n_best]).collect()
        },
        rows: |documents| {
            let Some((n_best, with)) = documents.split_last() else { return Vec::new() };
            let mut rows: Vec<Compared> = PRINTED.iter().flat_map(|printed| at_depth(with, printed)).collect();
            let without = with.first().map_or(&Value::Null, |document| &document["rows"][0]);
            for (row, moves) in list(&n_best["rows"]).iter().skip(1).zip([10, 15, 20]) {
                let change = change(percent_over(details(row), details(without), "nodes"));
                let note = format!("solves {}, classic {}", row["solved"], without["solved"]);
                let what = format!("ECM, depth 8: nodes of the {moves} best moves");
                rows.push(compared(what, None, change, note));
            }
            rows
        },
        conditions: "RankCut reduces like the paper's Crafty (0.75 %, one ply, 1000 sightings, from 7 plies), with our own \
                     table; `classic` stands for Crafty 19.19. Positions are of the report half. Of the paper's three suites \
                     those are searched that the folder of --data has, and summed.",
    },
    Table {
        name: "rankcut-lct",
        paper: RANKCUT,
        what: "The LCT II test: the rating that it estimates",
        steps: |wanted| {
            let movetime = (600_000.0 * wanted.share) as u64;
            let words = format!("suite chess FILE --profiles classic,rankcut-paper --movetime {movetime} --details");
            vec![Step::on(LCT_II, words)]
        },
        rows: |documents| {
            let Some(document) = documents.first() else { return Vec::new() };
            let rows = list(&document["rows"]);
            let limit = rows.first().and_then(|row| row["limit"].as_str()).unwrap_or_default();
            // As many seconds stand for the test's ten minutes as there are.
            let whole = limit.split_whitespace().next().and_then(|ms| ms.parse().ok()).unwrap_or(600_000.0);
            let row = |(row, (name, rating)): (&Value, (&str, f64))| {
                let points: f64 = list(&row["details"]).iter().map(|detail| lct_points(detail, whole)).sum();
                let (paper, ours) = (Figure::exact(rating, ""), Figure::exact(1900.0 + points, ""));
                compared(
                    format!("rating {name}"),
                    Some(paper),
                    Some(ours),
                    format!("solves {}, paper 28", row["solved"]),
                )
            };
            rows.iter().zip([("without RankCut", 2575.0), ("with RankCut", 2635.0)]).map(row).collect()
        },
        conditions: "The rating is 1900 and for each position from 30 points, solved within nine seconds, to 5, solved within \
                     ten minutes; with less time all these times are shorter by as much.",
    },
    Table {
        name: "rankcut-match",
        paper: RANKCUT,
        what: "The match of RankCut against the program without it",
        steps: |wanted| vec![duel(wanted, "chess", ["rankcut-paper", "classic"], wanted.games(124), "--tc 10+0.1")],
        rows: |documents| {
            let mut rows = scores(documents, &[("with against without", 62.0, 124.0)]);
            let bound = |share: f64, games: f64| {
                // Both players' intervals must not meet (Heinz, 1999).
                2.0 * (share - 0.5 - 1.96 * (share * (1.0 - share) / games.max(1.0)).sqrt())
            };
            let ours = documents.first().map(|document| bound(number(&document["score"]), number(&document["games"])));
            let figure = |value| Figure::exact(value, "");
            let note = "above 0: stronger with 95 % confidence".to_string();
            rows.push(compared("l95".into(), Some(figure(0.099)), ours.map(figure), note));
            rows
        },
        conditions: "The paper plays 124 games from 62 openings at 40 moves in 40 minutes; here from our own openings, unless \
                     the command says otherwise at ten seconds and a tenth for each move.",
    },
    Table {
        name: "rankcut-fruit",
        paper: RANKCUT,
        what: "With and without RankCut against another program",
        steps: |wanted| {
            let opponent = wanted.opponent.as_str();
            let play = |a| duel(wanted, "chess", [a, opponent], wanted.games(64), "--tc 10+0.1");
            vec![play("rankcut-paper"), play("classic")]
        },
        rows: |documents| scores(documents, &[("with RankCut", 30.5, 64.0), ("without RankCut", 28.1, 64.0)]),
        conditions: "The paper's opponent is Fruit 2.1, at two minutes and ten seconds a move; here it is who --opponent names.",
    },
    Table {
        name: "rankcut-probcut",
        paper: RANKCUT,
        what: "RankCut against Multi-ProbCut, and both against the search without",
        steps: |wanted| {
            let play = |a, b| duel(wanted, "chess", [a, b], wanted.games(64), "--tc 10+0.1");
            vec![play("rankcut-paper", "probcut"), play("rankcut", "rankcut-paper"), play("rankcut", "classic")]
        },
        rows: |documents| {
            let names = ["rankcut-paper against probcut", "rankcut against rankcut-paper", "rankcut against classic"];
            scores(documents, &names.map(|name| (name, f64::NAN, 0.0)))
        },
        conditions: "The paper says of 64 games that RankCut won with 95 % confidence, and no score. Our own profile `rankcut` \
                     stands beside the paper's.",
    },
    Table {
        name: "rankcut-abalone",
        paper: RANKCUT,
        what: "Abalone: RankCut against the search without forward pruning",
        steps: |wanted| {
            let movetime = (60_000.0 * wanted.share) as u64;
            let words = format!("suite abalone FILE --profiles brute,rankcut --movetime {movetime} --details");
            let play = duel(wanted, "abalone", ["rankcut", "brute"], wanted.games(60), "--tc 3+0.03");
            vec![Step::on(ABALONE, words), play]
        },
        rows: |documents| {
            let Some((depths, matches)) = documents.split_first() else { return Vec::new() };
            let depth = |(row, (name, printed)): (&Value, (&str, f64))| {
                let reached: Vec<f64> = list(&row["details"]).iter().map(|detail| number(&detail["depth"])).collect();
                let (value, error) = mean_and_error(&reached);
                let note = format!("mean of {} positions", reached.len());
                let ours = Figure { value, error, unit: "" };
                compared(format!("depth {name}"), Some(Figure::exact(printed, "")), Some(ours), note)
            };
            let rows = list(&depths["rows"]).iter().zip([("without", 4.0), ("with", 8.0)]).map(depth);
            rows.chain(scores(matches, &[("with against without", f64::NAN, 0.0)])).collect()
        },
        conditions: "The paper has the mean depth in a minute, and matches against another program; ours plays against itself, \
                     with the profile as it ships.",
    },
];

const WAC: Suite = Suite { file: "wac.epd", source: "Reinfeld's Win at Chess, 300 positions", size: 300, ours: None };
const WCS: Suite =
    Suite { file: "wcs.epd", source: "Reinfeld's Winning Chess Sacrifices, 1001 positions", size: 1001, ours: None };
const LCT_II: Suite =
    Suite { file: "lct2.epd", source: "the LCT II test of Louguet, 35 positions", size: 35, ours: None };

/// Table 1: a depth, and for each suite and their sum the changes of nodes and time in percent, and of what is solved.
type Printed = (i32, [(&'static str, [f64; 3]); 4]);

const PRINTED: [Printed; 3] = [
    (
        8,
        [
            ("ECM", [-8.9, -1.98, -2.0]),
            ("WAC", [-7.2, -2.87, -2.0]),
            ("WCS", [-10.6, -4.96, 1.0]),
            ("sum", [-9.5, -3.23, -3.0]),
        ],
    ),
    (
        10,
        [
            ("ECM", [-31.2, -25.80, -7.0]),
            ("WAC", [-34.0, -18.32, 0.0]),
            ("WCS", [-23.4, -21.60, 1.0]),
            ("sum", [-28.3, -23.50, -6.0]),
        ],
    ),
    (
        12,
        [
            ("ECM", [-41.3, -39.15, -13.0]),
            ("WAC", [-35.7, -53.72, -1.0]),
            ("WCS", [-36.1, -31.31, -2.0]),
            ("sum", [-38.7, -37.31, -16.0]),
        ],
    ),
];

/// A share in percent as what is more or less than the whole.
fn change(share: Option<Figure>) -> Option<Figure> {
    share.map(|share| Figure { value: share.value - 100.0, ..share })
}

/// The rows of a depth: a suite each, and their sum. What was not searched is there too, and why.
fn at_depth(documents: &[Value], (depth, printed): &Printed) -> Vec<Compared> {
    let is_of = |document: &Value, name: &str| {
        let file = document["suite"].as_str().unwrap_or_default().to_lowercase();
        let is_ours = name == "ECM" && ECM.ours.is_some_and(|ours| ours == file);
        name == "sum" || is_ours || file.ends_with(&format!("{}.epd", name.to_lowercase()))
    };
    let is_deep = |document: &Value| document["rows"][0]["limit"] == format!("depth {depth}");
    let mut rows = Vec::new();
    for (name, figures) in printed {
        let of_suite: Vec<&Value> = documents.iter().filter(|document| is_of(document, name)).collect();
        let is_searched = !of_suite.is_empty();
        let of_suite: Vec<&Value> = of_suite.into_iter().filter(|document| is_deep(document)).collect();
        let line = |what, paper, ours, note| compared(format!("{name}, depth {depth}: {what}"), paper, ours, note);
        let papers = [percent_of(figures[0]), percent_of(figures[1]), Some(Figure::exact(figures[2], ""))];
        if of_suite.is_empty() || *name == "sum" && of_suite.len() < printed.len() - 1 {
            let why = match (is_searched, *name) {
                (_, "sum") if !of_suite.is_empty() => "skipped: not all three suites were searched".into(),
                (true, _) => "skipped at this --scale".into(),
                (false, name) => format!("skipped: needs --data with {}.epd", name.to_lowercase()),
            };
            rows.extend(
                ["nodes", "time", "solved"]
                    .into_iter()
                    .zip(papers)
                    .map(|(what, paper)| line(what, paper, None, why.clone())),
            );
            continue;
        }
        let all = |row: usize| -> Vec<Value> {
            of_suite.iter().flat_map(|document| details(&document["rows"][row])).cloned().collect()
        };
        let (without, with) = (all(0), all(1));
        let over = |key| change(percent_over(&with, &without, key));
        let sum =
            |row: usize, key: &str| of_suite.iter().map(|document| number(&document["rows"][row][key])).sum::<f64>();
        let variance: f64 =
            of_suite.iter().map(|document| number(&document["rows"][0]["standard_error"]).powi(2)).sum();
        let positions: f64 = of_suite.iter().map(|document| number(&document["with_answer"])).sum();
        let solved = Figure { value: sum(1, "solved") - sum(0, "solved"), error: 1.96 * variance.sqrt(), unit: "" };
        let note = format!("classic solves {} of {positions}", sum(0, "solved"));
        rows.extend([
            line("nodes", papers[0], over("nodes"), String::new()),
            line("time", papers[1], over("time_ms"), String::new()),
            line("solved", papers[2], Some(solved), note),
        ]);
    }
    rows
}

/// The points of the LCT II test for a position, where `whole` milliseconds stand for its ten minutes.
fn lct_points(detail: &Value, whole: f64) -> f64 {
    const POINTS: [(f64, f64); 6] =
        [(10.0, 30.0), (30.0, 25.0), (90.0, 20.0), (210.0, 15.0), (390.0, 10.0), (600.0, 5.0)];
    let found = detail["found_time_ms"].as_f64().filter(|_| detail["solved"] == true);
    let seconds = |time: f64| 600.0 * time / whole;
    found.and_then(|time| POINTS.iter().find(|(within, _)| seconds(time) <= *within)).map_or(0.0, |(_, points)| *points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_lct_test_gives_more_points_for_less_time() {
        let solved = |time: f64| json!({"solved": true, "found_time_ms": time});
        assert_eq!(lct_points(&solved(9_000.0), 600_000.0), 30.0);
        assert_eq!(lct_points(&solved(400_000.0), 600_000.0), 5.0);
        assert_eq!(lct_points(&solved(9_000.0), 60_000.0), 20.0);
        assert_eq!(lct_points(&json!({"solved": false, "found_time_ms": 1.0}), 600_000.0), 0.0);
    }

    #[test]
    fn suites_stand_by_themselves_and_summed() {
        let row = |nodes: u64, solved: u64| {
            json!({"limit": "depth 8", "solved": solved, "standard_error": 1.0,
                   "details": [{"nodes": nodes, "time_ms": nodes}, {"nodes": nodes, "time_ms": nodes}]})
        };
        let suite = |file: &str, nodes: u64, solved: u64| json!({"suite": format!("some/{file}"), "with_answer": 10, "rows": [row(1000, 5), row(nodes, solved)]});
        let one = at_depth(&[suite("ecm.epd", 900, 5)], &PRINTED[0]);
        assert_eq!((one.len(), one.iter().filter(|row| row.ours.is_some()).count()), (12, 3));
        let note = |what: &str| one.iter().find(|row| row.what == what).map(|row| row.note.clone()).unwrap();
        assert_eq!(note("WAC, depth 8: nodes"), "skipped: needs --data with wac.epd");
        assert_eq!(note("sum, depth 8: nodes"), "skipped: not all three suites were searched");
        let suites = [suite("ecm.epd", 900, 5), suite("wac.epd", 700, 4), suite("wcs.epd", 800, 5)];
        let all = at_depth(&suites, &PRINTED[0]);
        let of = |what: &str| all.iter().find(|row| row.what == what).and_then(|row| row.ours).unwrap().value;
        assert_eq!(of("sum, depth 8: nodes").round(), -20.0);
        assert_eq!(of("sum, depth 8: solved"), -1.0);
        let deeper = at_depth(&[suite("ecm.epd", 900, 5)], &PRINTED[1]);
        assert!(deeper.iter().all(|row| row.ours.is_none() && row.note.starts_with("skipped")));
        assert_eq!(deeper[0].note, "skipped at this --scale");
    }
}
