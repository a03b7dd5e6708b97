//! The tables: what each is made of, and what the papers have.

use super::{Compared, Figure, Scale, Step, Suite, Table};
use serde_json::Value;

const RANKCUT: &str = "Lim & Lee, RankCut, 2006";
const THESIS: &str = "Björnsson, Selective Depth-First Game-Tree Search, 2002";
const ERPS: &str = "Winands & Björnsson, Enhanced Realization Probability Search, 2008";

const ECM: Suite = Suite {
    file: "ecm.epd",
    source: "the Encyclopedia of Chess Middlegames as a test suite of 879 positions",
    ours: Some(include_str!("../../../../../data/suites/chess.epd")),
};
const BRATKO_KOPEC: Suite = Suite {
    file: "bratko-kopec.epd",
    source: "the 24 positions of Kopec & Bratko, 1982",
    ours: Some(include_str!("../../../../../data/suites/chess.epd")),
};
const LCT_II: Suite = Suite { file: "lct2.epd", source: "the LCT II test of Louguet, 35 positions", ours: None };
const LOA_WINS: Suite = Suite {
    file: "loa-wins.epd",
    source: "forced wins in Lines of Action, as 'plywise forge suite loa' makes them",
    ours: Some(include_str!("../../../../../data/suites/loa-brute.epd")),
};

const ABALONE: Suite = Suite {
    file: "abalone.epd",
    source: "positions of Abalone, as 'plywise openings abalone' makes them",
    ours: Some(include_str!("../../../../plywise-abalone/data/openings.epd")),
};

/// All tables, in the order of the papers.
pub(super) const TABLES: &[Table] = &[
    Table {
        name: "rankcut-1",
        paper: RANKCUT,
        what: "Table 1: nodes and solved positions at fixed depths",
        steps: |scale| {
            let step = |profiles: &str, depth| {
                let positions = scale.positions(879);
                let words = format!("suite chess FILE --profiles {profiles} --depth {depth} --sample {positions}");
                Step::on(ECM, words)
            };
            let depths = scale.depths(&[8, 10, 12]);
            let with = |&depth: &i32| step("classic,rankcut-paper", depth);
            let n_best = step("classic --sweep n_best.moves=10,15,20 --set n_best.enabled=on", 8);
            depths.iter().map(with).chain([n_best]).collect()
        },
        rows: |documents| {
            // Nodes, time and solved positions.
            const PRINTED: [(i32, f64, f64, f64); 3] =
                [(8, -8.9, -1.98, -2.0), (10, -31.2, -25.8, -7.0), (12, -41.3, -39.15, -13.0)];
            let Some((n_best, by_depth)) = documents.split_last() else { return Vec::new() };
            let row = |(document, (depth, nodes, time, solved)): (&Value, (i32, f64, f64, f64))| {
                let (classic, rankcut) = (&document["rows"][0], &document["rows"][1]);
                let change = |key| 100.0 * (number(&rankcut[key]) / number(&classic[key]).max(1.0) - 1.0);
                let of = format!("classic solves {} of {}", classic["solved"], document["with_answer"]);
                let error = 1.96 * number(&classic["standard_error"]);
                let value = number(&rankcut["solved"]) - number(&classic["solved"]);
                let line = |what, paper, ours, note| compared(format!("depth {depth}: {what}"), paper, ours, note);
                [
                    line("nodes", percent_of(nodes), percent_of(change("nodes")), String::new()),
                    line("time", percent_of(time), percent_of(change("time_ms")), String::new()),
                    line("solved", Some(Figure::exact(solved, "")), Some(Figure { value, error, unit: "" }), of),
                ]
            };
            let mut rows: Vec<Compared> = by_depth.iter().zip(PRINTED).flat_map(row).collect();
            let without = by_depth.first().map_or(&Value::Null, |document| &document["rows"][0]);
            for (row, moves) in list(&n_best["rows"]).iter().skip(1).zip([10, 15, 20]) {
                let change = 100.0 * (number(&row["nodes"]) / number(&without["nodes"]).max(1.0) - 1.0);
                let note = format!("solves {}, classic {}", row["solved"], without["solved"]);
                rows.push(compared(
                    format!("depth 8: nodes of the {moves} best moves"),
                    None,
                    percent_of(change),
                    note,
                ));
            }
            rows
        },
        conditions: "RankCut reduces like the paper's Crafty (0.75 %, one ply, 1000 sightings, from 7 plies), with our own \
                     table; `classic` stands for Crafty 19.19. The paper sums three suites, this is the first of them.",
    },
    Table {
        name: "rankcut-lct",
        paper: RANKCUT,
        what: "The LCT II test: the rating that it estimates",
        steps: |scale| {
            let movetime = (600_000.0 * scale.0) as u64;
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
        steps: |scale| vec![duel("chess", "rankcut-paper", "classic", scale.games(124), "--tc 10+0.1")],
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
        conditions: "The paper plays 124 games from 62 openings at 40 moves in 40 minutes; here from our own openings at ten \
                     seconds and a tenth for each move.",
    },
    Table {
        name: "rankcut-abalone",
        paper: RANKCUT,
        what: "Abalone: RankCut against the search without forward pruning",
        steps: |scale| {
            let movetime = (60_000.0 * scale.0) as u64;
            let words = format!("suite abalone FILE --profiles brute,rankcut --movetime {movetime} --details");
            vec![Step::on(ABALONE, words), duel("abalone", "rankcut", "brute", scale.games(60), "--tc 3+0.03")]
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
    Table {
        name: "uncertainty-4.1",
        paper: THESIS,
        what: "Table 4.1: nodes with uncertainty cutoffs, in percent of those without",
        steps: |scale| {
            let (depth, positions) =
                (scale.depths(&[7, 8, 8])[..].last().copied().unwrap_or(7), scale.positions(24).max(8));
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
                let shares: Vec<f64> = list(&row["details"])
                    .iter()
                    .zip(list(&without["details"]))
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
                        percent_of(number(&row["nodes_percent"])),
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
        steps: |scale| {
            let games = scale.games(100);
            let words =
                format!("gather cutnodes chess --games {games} --depth 6 --profile turk --every 1000 -o /dev/null");
            vec![Step::alone(words)]
        },
        rows: |documents| {
            // Means at true and at false cut-nodes, and at those false ones that promised something.
            const PRINTED: [(&str, f64, f64, f64); 5] = [
                ("legal moves", 35.60, 24.83, f64::NAN),
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
        conditions: "The thesis looks at 100,000 nodes of The Turk. What history says is not asked here.",
    },
    Table {
        name: "multicut-5.3",
        paper: THESIS,
        what: "Table 5.3: nodes and solved positions for settings of multi-cut, in percent of those without",
        steps: |scale| multi_cut_steps("turk-multicut", scale),
        rows: multi_cut_rows,
        conditions: "The thesis searches over a thousand tactical problems to 7 plies with extensions and null moves.",
    },
    Table {
        name: "multicut-5.3-classic",
        paper: THESIS,
        what: "Table 5.3 with the order of moves, the null move and the futility of `classic`",
        steps: |scale| multi_cut_steps("multicut", scale),
        rows: multi_cut_rows,
        conditions: "The thesis searches over a thousand tactical problems to 7 plies with extensions and null moves.",
    },
    Table {
        name: "multicut-5.4",
        paper: THESIS,
        what: "Table 5.4: multi-cut against the program without it, in chess",
        steps: |scale| {
            let games = scale.games(320);
            vec![duel(
                "chess",
                "turk-multicut",
                "name=plain,set.multi_cut.enabled=off,turk-multicut",
                games,
                "--tc 10+0.1",
            )]
        },
        rows: |documents| scores(documents, &[("with against without, in total", 54.5, 320.0)]),
        conditions: "The thesis plays four matches of 80 games from 5 to 60 minutes for 40 moves.",
    },
    Table {
        name: "multicut-5.5",
        paper: THESIS,
        what: "Tables 5.5 and 5.6: multi-cut against the program without it in Lines of Action, by games and by mini-matches",
        steps: |scale| {
            let plain = "name=plain,set.multi_cut.enabled=off,turk-multicut";
            let games = scale.games(622);
            let words = format!(
                "match loa --a turk-multicut --b {plain} --games {games} --openings OPENINGS --shuffle --tc 5+0.05"
            );
            vec![Step { words, suite: None, openings: Some("openings loa --plies 2 --distinct") }]
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
                     here five seconds and a twentieth for each move.",
    },
    Table {
        name: "rps-1",
        paper: ERPS,
        what: "Table 1: the prices of Black's moves in Figure 3b",
        steps: |_| {
            let words = "classes loa '8/2w4b/2w5/3w4/4b1b1/w1bb4/4w2b/1w6 b' --profile rps-paper";
            vec![Step::alone(words.into())]
        },
        rows: |documents| {
            let Some(document) = documents.first() else { return Vec::new() };
            let row = |(mv, price): &(&str, u16)| {
                let found = list(&document["moves"]).iter().find(|row| row["move"] == *mv);
                let ours = found.map(|row| Figure::exact(number(&row["price"]), ""));
                let note =
                    found.map_or(String::new(), |row| format!("played {} of {}", row["played"], row["available"]));
                compared((*mv).into(), Some(Figure::exact(f64::from(*price) / 100.0, "")), ours, note)
            };
            PRICES.iter().map(row).collect()
        },
        conditions: "The classes are the paper's; the probabilities are those of our own games instead of experts'.",
    },
    Table {
        name: "rps-2",
        paper: ERPS,
        what: "Table 2: RPS against the classic search",
        steps: |scale| vec![duel("loa", "rps-paper", "mia", scale.games(600), FAST)],
        rows: |documents| scores(documents, &[("RPS against classic", 62.5, 600.0)]),
        conditions: FAST_WORDS,
    },
    Table {
        name: "rps-3",
        paper: ERPS,
        what: "Table 3: forced wins proved by classic and RPS",
        steps: |scale| vec![proofs("mia,rps-paper", scale)],
        rows: |documents| proved(documents, &[("classic", 186.0), ("RPS", 130.0)]),
        conditions: PROOF_WORDS,
    },
    Table {
        name: "erps-4",
        paper: ERPS,
        what: "Table 4: forced wins proved by classic and ERPS",
        steps: |scale| vec![proofs("mia,erps-paper", scale)],
        rows: |documents| proved(documents, &[("classic", 186.0), ("ERPS", 215.0)]),
        conditions: PROOF_WORDS,
    },
    Table {
        name: "erps-5",
        paper: ERPS,
        what: "Table 5: forced wins proved with each enhancement",
        steps: |scale| vec![proofs("mia,rps-paper,rps-e1,rps-e2,erps-paper", scale)],
        rows: |documents| {
            let printed = [("classic", 186.0), ("RPS", 130.0), ("RPS-E1", 175.0), ("RPS-E2", 183.0), ("ERPS", 215.0)];
            proved(documents, &printed)
        },
        conditions: PROOF_WORDS,
    },
    Table {
        name: "erps-6",
        paper: ERPS,
        what: "Table 6: matches of classic, RPS and ERPS",
        steps: |scale| {
            let games = scale.games(600);
            vec![
                duel("loa", "erps-paper", "rps-paper", games, FAST),
                duel("loa", "erps-paper", "mia", games, FAST),
                duel("loa", "rps-paper", "mia", games, FAST),
            ]
        },
        rows: |documents| {
            let printed = [
                ("ERPS against RPS", 62.1, 600.0),
                ("ERPS against classic", 72.2, 600.0),
                ("RPS against classic", 62.5, 600.0),
            ];
            scores(documents, &printed)
        },
        conditions: FAST_WORDS,
    },
];

/// What stands for ten seconds a move.
const FAST: &str = "--movetime 50 --jobs 1";
const FAST_WORDS: &str = "The paper plays 600 games at ten seconds a move from 100 openings of three plies; here from our own \
                          openings at 50 ms a move.";
const PROOF_WORDS: &str = "The paper has 286 positions and 50 million nodes for each; here a win counts when its score is \
                           proved within 100,000 nodes. Who selects a suite decides much: in ours `brute` played the games, \
                           proved the wins and chose them, so no contestant did.";

/// Black's moves in Figure 3b, and their prices in hundredths.
const PRICES: [(&str, u16); 27] = [
    ("h2-g1", 190),
    ("h7-g8", 310),
    ("g4xe2", 122),
    ("g4-h3", 339),
    ("g4-f5", 197),
    ("h2-f4", 112),
    ("e4-h1", 400),
    ("h7-f7", 170),
    ("d3-b5", 400),
    ("c3xc6", 95),
    ("c3-d2", 157),
    ("c3-b4", 314),
    ("d3-d1", 373),
    ("d3xd5", 78),
    ("e4xe2", 150),
    ("e4-e6", 330),
    ("e4-c4", 400),
    ("c3-f3", 143),
    ("d3-g3", 233),
    ("d3xa3", 400),
    ("g4-g3", 180),
    ("g4-g5", 180),
    ("h2-f2", 170),
    ("c3-d4", 179),
    ("c3-b2", 314),
    ("h7-h5", 167),
    ("h2-h4", 190),
];

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

fn multi_cut_steps(profile: &str, scale: &Scale) -> Vec<Step> {
    let positions = scale.positions(879);
    let words = |more: &str| {
        let words = format!("suite chess FILE --profiles {profile} --depth 7 --sample {positions} {more}");
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
                percent_of(of(row, "nodes")),
                String::new(),
            ));
            rows.push(compared(format!("{name}: solved"), percent_of(solved), solved_here, String::new()));
        }
        before += moves.len();
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

/// Student's t of the mean of mini-matches, a won one being 1 and a lost one -1, against all drawn.
fn student(won: f64, drawn: f64, lost: f64) -> f64 {
    let all = won + drawn + lost;
    let mean = (won - lost) / all.max(1.0);
    let deviation = ((won + lost - all * mean * mean) / (all - 1.0).max(1.0)).sqrt();
    if deviation > 0.0 { mean / (deviation / all.sqrt()) } else { 0.0 }
}

fn duel(game: &str, a: &str, b: &str, games: u64, limits: &str) -> Step {
    Step::alone(format!("match {game} --a {a} --b {b} --games {games} {limits}"))
}

fn proofs(profiles: &str, scale: &Scale) -> Step {
    let positions = scale.positions(300).max(20);
    let words = format!("suite loa FILE --profiles {profiles} --nodes 100000 --until-proven --sample {positions}");
    Step::on(LOA_WINS, words)
}

fn compared(what: String, paper: Option<Figure>, ours: Option<Figure>, note: String) -> Compared {
    Compared { what, paper, ours, note }
}

fn percent_of(value: f64) -> Option<Figure> {
    Some(Figure::exact(value, " %"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The mean, and half its 95 % interval.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// Half the 95 % interval of a score of so many games, in percent, as if all were won or lost.
fn score_error(percent: f64, games: f64) -> f64 {
    let share = percent / 100.0;
    if games > 0.0 { 196.0 * (share * (1.0 - share) / games).sqrt() } else { 0.0 }
}

/// Scores of matches beside those that were printed, with their games; not a number where none was.
fn scores(documents: &[Value], printed: &[(&str, f64, f64)]) -> Vec<Compared> {
    let row = |(document, (what, percent, games)): (&Value, &(&str, f64, f64))| {
        let ours = 100.0 * number(&document["score"]);
        let note = format!("+{} ={} -{}", document["wins"], document["draws"], document["losses"]);
        let paper = Figure { value: *percent, error: score_error(*percent, *games), unit: " %" };
        let ours = Figure { value: ours, error: score_error(ours, number(&document["games"])), unit: " %" };
        compared((*what).into(), Some(paper).filter(|figure| !figure.value.is_nan()), Some(ours), note)
    };
    documents.iter().zip(printed).map(row).collect()
}

/// Shares of positions that were proved, beside those of the paper's 286.
fn proved(documents: &[Value], printed: &[(&str, f64)]) -> Vec<Compared> {
    const POSITIONS: f64 = 286.0;
    let Some(document) = documents.first() else { return Vec::new() };
    let of = number(&document["positions"]).max(1.0);
    let row = |(row, (what, solved)): (&Value, &(&str, f64))| {
        let share = |solved: f64, of: f64| {
            let value = 100.0 * solved / of;
            Some(Figure { value, error: score_error(value, of), unit: " %" })
        };
        let note =
            format!("{} of {of}; {} nodes on the {} that all prove", row["proven"], row["common_nodes"], row["common"]);
        compared(format!("{what}: proved"), share(*solved, POSITIONS), share(number(&row["proven"]), of), note)
    };
    list(&document["rows"]).iter().zip(printed).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn mini_matches_are_judged_as_in_the_thesis() {
        assert!((student(69.0, 200.0, 42.0) - 2.5861).abs() < 0.01);
        assert_eq!(student(0.0, 5.0, 0.0), 0.0);
    }

    #[test]
    fn the_lct_test_gives_more_points_for_less_time() {
        let solved = |time: f64| json!({"solved": true, "found_time_ms": time});
        assert_eq!(lct_points(&solved(9_000.0), 600_000.0), 30.0);
        assert_eq!(lct_points(&solved(400_000.0), 600_000.0), 5.0);
        assert_eq!(lct_points(&solved(9_000.0), 60_000.0), 20.0);
        assert_eq!(lct_points(&json!({"solved": false, "found_time_ms": 1.0}), 600_000.0), 0.0);
    }

    #[test]
    fn table_5_3_has_a_place_for_each_setting() {
        assert_eq!(CUTOFFS.iter().map(|(_, moves)| moves.len()).sum::<usize>(), MULTI_CUT[0].len());
    }
}
