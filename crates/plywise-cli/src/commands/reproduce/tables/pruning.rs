//! The tables of uncertainty cutoffs and multi-cut: chapters 4 and 5 of the thesis.

use super::{
    BRATKO_KOPEC, ECM, THESIS, compared, details, duel, list, mean_and_error, number, percent_of, percent_over, scores,
};
use crate::commands::reproduce::{Compared, Figure, Step, Table, Wanted};
use serde_json::Value;

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "uncertainty-4.1",
        paper: THESIS,
        what: "Table 4.1: nodes with uncertainty cutoffs, in percent of those without",
        steps: |wanted| {
            let (depth, positions) =
                (wanted.depths(&[7, 8, 8])[..].last().copied().unwrap_or(7), wanted.positions(24).max(8));
            let ratios = "10,20,30,40,50,60,70,80,90";
            let words = format!(
                "suite chess FILE --profiles turk,turk-uncertainty --sweep uncertainty.ratio={ratios} --depth {depth} \
                 --sample {positions} --details"
            );
            vec![Step::on(BRATKO_KOPEC, words)]
        },
        rows: |documents| {
            const TOTAL: [f64; 9] = [119.68, 109.10, 106.33, 99.46, 98.82, 92.87, 94.87, 96.36, 98.78];
            const MEAN: [f64; 9] = [121.94, 111.06, 107.26, 100.87, 99.98, 94.24, 95.92, 97.14, 99.17];
            let Some(document) = documents.first() else { return Vec::new() };
            let rows = list(&document["rows"]);
            let Some(without) = rows.first() else { return Vec::new() };
            let ratio = |(i, row): (usize, &Value)| {
                let shares: Vec<f64> = details(row)
                    .iter()
                    .zip(details(without))
                    .map(|(with, without)| 100.0 * number(&with["nodes"]) / number(&without["nodes"]).max(1.0))
                    .collect();
                let (mean, error) = mean_and_error(&shares);
                let same = number(&row["same_score"]) == number(&document["positions"]);
                let scores = if same { "the same scores" } else { "other scores" };
                let again = 100.0 * number(&row["researches"]) / number(&without["researches"]).max(1.0);
                let note = format!("{again:.1} % of the re-searches, {scores}");
                let name = format!("ratio {}0 %", i + 1);
                [
                    compared(
                        format!("{name}: total"),
                        percent_of(TOTAL[i]),
                        percent_over(details(row), details(without), "nodes"),
                        note,
                    ),
                    compared(
                        format!("{name}: mean"),
                        percent_of(MEAN[i]),
                        Some(Figure { value: mean, error, unit: " %" }),
                        String::new(),
                    ),
                ]
            };
            rows[1..].iter().take(9).enumerate().flat_map(ratio).collect()
        },
        conditions: "The thesis searches the 20 positions of Plaat's thesis to 8 plies.",
    },
    Table {
        name: "multicut-5.1",
        paper: THESIS,
        what: "Tables 5.1 and 5.2: promising moves at expected cut-nodes that are cut and that are not",
        steps: |wanted| {
            let games = wanted.games(54);
            let words =
                format!("gather cutnodes chess --games {games} --depth 6 --profile turk --every 6 -o /dev/null");
            vec![Step::alone(words)]
        },
        rows: |documents| {
            // Means at true and at false cut-nodes, and at those false ones that promised something.
            const PRINTED: [(&str, f64, f64, f64); 7] = [
                ("legal moves", 35.60, 24.83, f64::NAN),
                ("history", 22.27, 16.35, f64::NAN),
                ("high history", 9.15, 7.13, f64::NAN),
                ("quiescence", 20.48, 0.32, 2.31),
                ("quiescence with margin", 23.70, 1.66, f64::NAN),
                ("shallow search", 20.62, 0.17, 1.45),
                ("shallow search with margin", 23.75, 1.46, f64::NAN),
            ];
            let Some(document) = documents.first() else { return Vec::new() };
            let share = 100.0 * number(&document["false"]) / number(&document["samples"]).max(1.0);
            let nodes = format!("of {} nodes", document["samples"]);
            let mut rows = vec![compared("not cut".into(), percent_of(2.5), percent_of(share), nodes)];
            for (row, (name, is_true, is_false, filtered)) in list(&document["schemes"]).iter().zip(PRINTED) {
                for (key, words, printed) in [
                    ("true", "cut", is_true),
                    ("false", "not cut", is_false),
                    ("false_not_none", "not cut, not none", filtered),
                ] {
                    let paper = Some(Figure::exact(printed, "")).filter(|figure| !figure.value.is_nan());
                    let ours = row[key][0].as_f64().map(|mean| Figure::exact(mean, ""));
                    if paper.is_some() {
                        rows.push(compared(format!("{name}: {words}"), paper, ours, String::new()));
                    }
                }
            }
            rows
        },
        conditions: "The thesis looks at 100,000 nodes of The Turk, whose history has a unit of its own.",
    },
    Table {
        name: "multicut-5.3",
        paper: THESIS,
        what: "Table 5.3: nodes and solved positions for settings of multi-cut, in percent of those without",
        steps: |wanted| multi_cut_steps("turk-multicut", wanted),
        rows: multi_cut_rows,
        conditions: TACTICS,
    },
    Table {
        name: "multicut-5.3-classic",
        paper: THESIS,
        what: "Table 5.3 with the order of moves, the null move and the futility of `classic`",
        steps: |wanted| multi_cut_steps("multicut", wanted),
        rows: multi_cut_rows,
        conditions: TACTICS,
    },
    Table {
        name: "multicut-5.4",
        paper: THESIS,
        what: "Table 5.4: multi-cut against the program without it, in chess",
        steps: |wanted| {
            let games = wanted.games(320);
            vec![duel(wanted, "chess", ["turk-multicut", PLAIN], games, "--tc 10+0.1")]
        },
        rows: |documents| scores(documents, &[("with against without, in total", 54.5, 320.0)]),
        conditions: "The thesis plays four matches of 80 games from 5 to 60 minutes for 40 moves.",
    },
    Table {
        name: "multicut-5.5",
        paper: THESIS,
        what: "Tables 5.5 and 5.6: multi-cut against the program without it in Lines of Action, by games and by mini-matches",
        steps: |wanted| {
            let (games, limits) = (wanted.games(622), wanted.limits("--tc 5+0.05"));
            let with = "name=multi-cut,set.multi_cut.moves=3,turk-multicut";
            vec![
                Step::making("openings loa --plies 2 --distinct -o MADE/openings.epd".into()),
                Step::alone(format!(
                    "match loa --a {with} --b {PLAIN} --games {games} --openings MADE/openings.epd --shuffle {limits}"
                )),
            ]
        },
        rows: |documents| {
            let mut rows = scores(documents, &[("with against without", 54.02, 622.0)]);
            let pairs = |document: &Value| list(&document["pentanomial"]).iter().map(number).collect::<Vec<_>>();
            if let Some([lost, mostly_lost, drawn, mostly_won, won]) = documents.first().map(pairs).as_deref() {
                let (t, won, lost) =
                    (student(won + mostly_won, *drawn, lost + mostly_lost), won + mostly_won, lost + mostly_lost);
                let percent = |value: f64| percent_of(100.0 * value / (won + drawn + lost).max(1.0));
                rows.push(compared(
                    "mini-matches won".into(),
                    percent_of(22.2),
                    percent(won),
                    format!("{won}, paper 69"),
                ));
                rows.push(compared(
                    "mini-matches lost".into(),
                    percent_of(13.5),
                    percent(lost),
                    format!("{lost}, paper 42"),
                ));
                let note = "above 1.97: better with 95 % confidence".into();
                rows.push(compared(
                    "Student's t".into(),
                    Some(Figure::exact(2.5861, "")),
                    Some(Figure::exact(t, "")),
                    note,
                ));
            }
            rows
        },
        conditions: "The thesis' program is YL, with 30 minutes for a game, from all 311 openings of one move for each side; \
                     here, unless the command says otherwise, five seconds and a twentieth for each move. As in the \
                     thesis the first three moves are tried, and all of them must reach beta.",
    },
];

const TACTICS: &str = "The thesis searches over a thousand tactical problems to 7 plies with extensions and null moves. \
                       Settings are chosen here, so the positions are of the tune half.";

/// The program without multi-cut.
const PLAIN: &str = "name=plain,set.multi_cut.enabled=off,turk-multicut";

/// The settings of multi-cut in table 5.3: cutoffs required, and how many moves are tried.
const CUTOFFS: [(i32, &[i32]); 5] = [
    (2, &[2, 4, 6, 8, 10, 12]),
    (3, &[4, 6, 8, 10, 12]),
    (4, &[4, 6, 8, 10, 12]),
    (5, &[6, 8, 10, 12]),
    (6, &[6, 8, 10, 12]),
];

/// Table 5.3 as it is printed: by reduction, the nodes and the solved positions for the settings in order.
const MULTI_CUT: [[(f64, f64); 24]; 3] = [
    [
        (92.05, 98.1),
        (93.33, 97.6),
        (93.02, 97.2),
        (91.71, 97.2),
        (92.1, 96.8),
        (93.39, 96.8),
        (134.17, 99.2),
        (144.14, 99.2),
        (150.31, 98.9),
        (153.0, 98.7),
        (157.34, 98.5),
        (175.38, 99.4),
        (194.19, 99.4),
        (210.41, 99.3),
        (222.67, 99.1),
        (234.33, 99.0),
        (227.73, 99.5),
        (252.26, 99.6),
        (276.16, 99.5),
        (286.82, 99.4),
        (239.81, 99.7),
        (269.33, 99.7),
        (312.24, 99.7),
        (335.51, 99.7),
    ],
    [
        (77.28, 98.1),
        (70.48, 97.4),
        (67.61, 97.2),
        (61.56, 97.2),
        (60.04, 97.0),
        (59.38, 96.8),
        (87.46, 99.5),
        (84.41, 99.3),
        (82.6, 99.2),
        (81.66, 99.1),
        (79.95, 99.2),
        (100.14, 99.7),
        (98.86, 99.6),
        (98.5, 99.4),
        (98.51, 99.2),
        (98.04, 99.2),
        (109.63, 99.8),
        (109.93, 99.8),
        (110.67, 99.7),
        (110.88, 99.6),
        (113.77, 99.9),
        (116.4, 99.9),
        (118.61, 99.9),
        (120.23, 99.9),
    ],
    [
        (79.21, 96.8),
        (71.6, 95.8),
        (67.71, 95.8),
        (63.17, 95.5),
        (60.57, 95.2),
        (57.13, 95.1),
        (86.07, 97.7),
        (82.92, 97.5),
        (79.3, 97.5),
        (75.86, 97.1),
        (72.21, 97.0),
        (98.33, 98.6),
        (94.2, 97.9),
        (89.96, 97.9),
        (87.39, 97.7),
        (84.89, 97.6),
        (97.23, 98.5),
        (94.95, 98.1),
        (92.02, 97.9),
        (90.24, 97.8),
        (100.97, 99.2),
        (99.42, 98.3),
        (100.24, 98.3),
        (95.66, 98.0),
    ],
];

fn multi_cut_steps(profile: &str, wanted: &Wanted) -> Vec<Step> {
    let positions = wanted.positions(ECM.size / 2);
    let words = |more: &str| {
        let words = format!(
            "suite chess FILE --half tune --profiles {profile} --depth 7 --sample {positions} --details {more}"
        );
        Step::on(ECM, words)
    };
    let with = |&(required, moves): &(i32, &[i32])| {
        let moves: Vec<String> = moves.iter().map(i32::to_string).collect();
        words(&format!(
            "--set multi_cut.cutoffs_required={required} --sweep multi_cut.reduction=1,2,3 --sweep multi_cut.moves={}",
            moves.join(",")
        ))
    };
    std::iter::once(words("--set multi_cut.enabled=off")).chain(CUTOFFS.iter().map(with)).collect()
}

fn multi_cut_rows(documents: &[Value]) -> Vec<Compared> {
    let Some((without, swept)) = documents.split_first() else { return Vec::new() };
    let without = &without["rows"][0];
    let of = |row: &Value, key: &str| 100.0 * number(&row[key]) / number(&without[key]).max(1.0);
    let error = 196.0 * number(&without["standard_error"]) / number(&without["solved"]).max(1.0);
    let mut rows = Vec::new();
    let mut before = 0;
    for (document, (required, moves)) in swept.iter().zip(CUTOFFS) {
        // The first row is the profile as it is; the moves vary fastest.
        for (place, row) in list(&document["rows"]).iter().skip(1).enumerate() {
            let (reduction, at) = (place / moves.len(), place % moves.len());
            let Some(&(nodes, solved)) = MULTI_CUT.get(reduction).map(|of| &of[before + at]) else { continue };
            let name = format!("c = {required}, e = {}, r = {}", moves[at], reduction + 1);
            let solved_here = Some(Figure { value: of(row, "solved"), error, unit: " %" });
            rows.push(compared(
                format!("{name}: nodes"),
                percent_of(nodes),
                percent_over(details(row), details(without), "nodes"),
                String::new(),
            ));
            rows.push(compared(format!("{name}: solved"), percent_of(solved), solved_here, String::new()));
        }
        before += moves.len();
    }
    rows
}

/// Student's t of the mean of mini-matches, a won one being 1 and a lost one -1, against all drawn.
fn student(won: f64, drawn: f64, lost: f64) -> f64 {
    let all = won + drawn + lost;
    let mean = (won - lost) / all.max(1.0);
    let deviation = ((won + lost - all * mean * mean) / (all - 1.0).max(1.0)).sqrt();
    if deviation > 0.0 { mean / (deviation / all.sqrt()) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mini_matches_are_judged_as_in_the_thesis() {
        assert!((student(69.0, 200.0, 42.0) - 2.5861).abs() < 0.01);
        assert_eq!(student(0.0, 5.0, 0.0), 0.0);
    }

    #[test]
    fn table_5_3_has_a_place_for_each_setting() {
        assert_eq!(CUTOFFS.iter().map(|(_, moves)| moves.len()).sum::<usize>(), MULTI_CUT[0].len());
    }
}
