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
    ours: Some(include_str!("../../../../../data/suites/loa.epd")),
};

/// All tables, in the order of the papers.
pub(super) const TABLES: &[Table] = &[
    Table {
        name: "rankcut-1",
        paper: RANKCUT,
        what: "Table 1: nodes and solved positions at fixed depths",
        steps: |scale| {
            let depth = |depth| {
                let positions = scale.positions(879);
                let words =
                    format!("suite chess FILE --profiles classic,rankcut-paper --depth {depth} --sample {positions}");
                Step { words, suite: Some(ECM) }
            };
            scale.depths(&[8, 10, 12]).into_iter().map(depth).collect()
        },
        rows: |documents| {
            let printed = [("depth 8", -8.9, -2.0), ("depth 10", -31.2, -7.0), ("depth 12", -41.3, -13.0)];
            let row = |(document, (depth, nodes, solved)): (&Value, (&str, f64, f64))| {
                let (classic, rankcut) = (&document["rows"][0], &document["rows"][1]);
                let percent = number(&rankcut["nodes_percent"]) - 100.0;
                let change = number(&rankcut["solved"]) - number(&classic["solved"]);
                let error = 1.96 * number(&classic["standard_error"]);
                let of = format!("{} of {}", classic["solved"], document["with_answer"]);
                [
                    compared(format!("{depth}: nodes"), percent_of(nodes), percent_of(percent), String::new()),
                    Compared {
                        what: format!("{depth}: solved"),
                        paper: Some(Figure { value: solved, error: 0.0, unit: "" }),
                        ours: Some(Figure { value: change, error, unit: "" }),
                        note: format!("classic solves {of}"),
                    },
                ]
            };
            documents.iter().zip(printed).flat_map(row).collect()
        },
        conditions: "RankCut reduces like the paper's Crafty (0.75 %, one ply, 1000 sightings, from 7 plies), with our own \
                     table; `classic` stands for Crafty 19.19. The paper sums three suites, this is the first of them.",
    },
    Table {
        name: "rankcut-lct",
        paper: RANKCUT,
        what: "The LCT II test: how many of its 35 positions are solved",
        steps: |scale| {
            let movetime = (600_000.0 * scale.0) as u64;
            let words = format!("suite chess FILE --profiles classic,rankcut-paper --movetime {movetime}");
            vec![Step { words, suite: Some(LCT_II) }]
        },
        rows: |documents| {
            let solved = |row: usize| documents.first().map(|document| number(&document["rows"][row]["solved"]));
            let ours = |row| solved(row).map(|solved| Figure::exact(solved, ""));
            let row = |what: &str, row| compared(what.into(), Some(Figure::exact(28.0, "")), ours(row), String::new());
            vec![row("solved without RankCut", 0), row("solved with RankCut", 1)]
        },
        conditions: "The paper estimates a rating from the solution times; here the positions solved are counted.",
    },
    Table {
        name: "rankcut-match",
        paper: RANKCUT,
        what: "The match of RankCut against the program without it",
        steps: |scale| vec![duel("chess", "rankcut-paper", "classic", scale.games(124), "--tc 10+0.1")],
        rows: |documents| scores(documents, &[("with against without", 62.0, 124.0)]),
        conditions: "The paper plays 124 games from 62 openings at 40 moves in 40 minutes; here from our own openings at ten \
                     seconds and a tenth for each move.",
    },
    Table {
        name: "rankcut-abalone",
        paper: RANKCUT,
        what: "Abalone: RankCut against the search without forward pruning",
        steps: |scale| {
            let movetime = (60_000.0 * scale.0) as u64;
            let depth = |profile| Step {
                words: format!("analyse abalone --profile {profile} --movetime {movetime}"),
                suite: None,
            };
            vec![depth("brute"), depth("rankcut"), duel("abalone", "rankcut", "brute", scale.games(60), "--tc 3+0.03")]
        },
        rows: |documents| {
            let depth = |at: usize| documents.get(at).map(|document| Figure::exact(number(&document["depth"]), ""));
            let mut rows = vec![
                compared("depth without".into(), Some(Figure::exact(4.0, "")), depth(0), "from the start".into()),
                compared("depth with".into(), Some(Figure::exact(8.0, "")), depth(1), "from the start".into()),
            ];
            rows.extend(scores(documents.get(2..).unwrap_or_default(), &[("with against without", f64::NAN, 0.0)]));
            rows
        },
        conditions: "The paper has the mean depth in a minute, and matches against another program; ours is against itself.",
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
            vec![Step { words, suite: Some(BRATKO_KOPEC) }]
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
                let note = if same { "the same scores" } else { "other scores" };
                let name = format!("ratio {}0 %", i + 1);
                [
                    compared(
                        format!("{name}: total"),
                        percent_of(TOTAL[i]),
                        percent_of(number(&row["nodes_percent"])),
                        note.into(),
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
            vec![Step { words, suite: None }]
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
        steps: |scale| {
            let positions = scale.positions(879);
            let words =
                |more: &str| format!("suite chess FILE --profiles turk-multicut --depth 7 --sample {positions} {more}");
            let swept = "--sweep multi_cut.reduction=1,2,3 --sweep multi_cut.cutoffs_required=2,3,4 --sweep multi_cut.moves=4,8,12";
            vec![
                Step { words: words("--set multi_cut.enabled=off"), suite: Some(ECM) },
                Step { words: words(swept), suite: Some(ECM) },
            ]
        },
        rows: |documents| {
            // By r, c and e, as the sweep goes; nodes and solved.
            const PRINTED: [[[(f64, f64); 3]; 3]; 3] = [
                [
                    [(93.33, 97.60), (91.71, 97.20), (93.39, 96.80)],
                    [(134.17, 99.20), (150.31, 98.90), (157.34, 98.50)],
                    [(175.38, 99.40), (210.41, 99.30), (234.33, 99.00)],
                ],
                [
                    [(70.48, 97.40), (61.56, 97.20), (59.38, 96.80)],
                    [(87.46, 99.50), (82.60, 99.20), (79.95, 99.20)],
                    [(100.14, 99.70), (98.50, 99.40), (98.04, 99.20)],
                ],
                [
                    [(71.60, 95.80), (63.17, 95.50), (57.13, 95.10)],
                    [(86.07, 97.70), (79.30, 97.50), (72.21, 97.00)],
                    [(98.33, 98.60), (89.96, 97.90), (84.89, 97.60)],
                ],
            ];
            let [without, swept] = documents else { return Vec::new() };
            let without = &without["rows"][0];
            let of = |row: &Value, key: &str| 100.0 * number(&row[key]) / number(&without[key]).max(1.0);
            let error = 196.0 * number(&without["standard_error"]) / number(&without["solved"]).max(1.0);
            let cell = |(i, row): (usize, &Value)| {
                let (r, c, e) = (i / 9, i / 3 % 3, i % 3);
                let (nodes, solved) = PRINTED[r][c][e];
                let name = format!("c = {}, e = {}, r = {}", c + 2, 4 * (e + 1), r + 1);
                [
                    compared(format!("{name}: nodes"), percent_of(nodes), percent_of(of(row, "nodes")), String::new()),
                    compared(
                        format!("{name}: solved"),
                        percent_of(solved),
                        Some(Figure { value: of(row, "solved"), error, unit: " %" }),
                        String::new(),
                    ),
                ]
            };
            // The first row is the profile as it is.
            list(&swept["rows"]).iter().skip(1).take(27).enumerate().flat_map(cell).collect()
        },
        conditions: "The thesis searches over a thousand tactical problems to 7 plies with extensions and null moves; these are \
                     27 of its 72 cells.",
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
        name: "multicut-5.6",
        paper: THESIS,
        what: "Lines of Action: multi-cut against the program without it",
        steps: |scale| {
            let games = scale.games(600);
            vec![duel(
                "loa",
                "turk-multicut",
                "name=plain,set.multi_cut.enabled=off,turk-multicut",
                games,
                "--tc 5+0.05",
            )]
        },
        rows: |documents| scores(documents, &[("with against without", f64::NAN, 0.0)]),
        conditions: "The thesis' program is YL.",
    },
    Table {
        name: "rps-1",
        paper: ERPS,
        what: "Table 1: the prices of Black's moves in Figure 3b",
        steps: |_| {
            let words = "classes loa '8/2w4b/2w5/3w4/4b1b1/w1bb4/4w2b/1w6 b' --profile rps-paper";
            vec![Step { words: words.into(), suite: None }]
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
const PROOF_WORDS: &str = "The paper has 286 positions and 50 million nodes for each; here a win in our own suite counts when \
                           its score is proved within 100,000 nodes. Who selected a suite decides much: ours was proved by \
                           `brute` and chosen by what `best` finds late.";

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

fn duel(game: &str, a: &str, b: &str, games: u64, limits: &str) -> Step {
    Step { words: format!("match {game} --a {a} --b {b} --games {games} {limits}"), suite: None }
}

fn proofs(profiles: &str, scale: &Scale) -> Step {
    let positions = scale.positions(300).max(20);
    let words = format!("suite loa FILE --profiles {profiles} --nodes 100000 --until-proven --sample {positions}");
    Step { words, suite: Some(LOA_WINS) }
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
