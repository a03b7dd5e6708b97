//! The tables of realization probability search.

use super::{LOA_WINS, compared, list, number, score_error, scores};
use crate::commands::reproduce::{Compared, Figure, Step, Table, Wanted};
use serde_json::Value;

const ERPS: &str = "Winands & Björnsson, Enhanced Realization Probability Search, 2008";

pub(super) const TABLES: &[Table] = &[
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
        steps: |wanted| matches(wanted, &[["rps-paper", "mia"]]),
        rows: |documents| scores(documents, &[("RPS against classic", 62.5, 600.0)]),
        conditions: FAST_WORDS,
    },
    Table {
        name: "rps-3",
        paper: ERPS,
        what: "Table 3: forced wins proved by classic and RPS",
        steps: |wanted| vec![proofs("mia,rps-paper", wanted)],
        rows: |documents| proved(documents, &[("classic", 186.0), ("RPS", 130.0)]),
        conditions: PROOF_WORDS,
    },
    Table {
        name: "erps-4",
        paper: ERPS,
        what: "Table 4: forced wins proved by classic and ERPS",
        steps: |wanted| vec![proofs("mia,erps-paper", wanted)],
        rows: |documents| proved(documents, &[("classic", 186.0), ("ERPS", 215.0)]),
        conditions: PROOF_WORDS,
    },
    Table {
        name: "erps-5",
        paper: ERPS,
        what: "Table 5: forced wins proved with each enhancement",
        steps: |wanted| vec![proofs("mia,rps-paper,rps-e1,rps-e2,erps-paper", wanted)],
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
        steps: |wanted| matches(wanted, &[["erps-paper", "rps-paper"], ["erps-paper", "mia"], ["rps-paper", "mia"]]),
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

const FAST_WORDS: &str = "The paper plays 600 games at ten seconds a move from 100 openings of three plies; here from 400 \
                          openings of six random plies that are nearly balanced, at 50 ms a move unless the command says otherwise.";
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

/// Matches of 600 games, each two from an opening of its own: without a clock the same opening gives the same game.
fn matches(wanted: &Wanted, pairs: &[[&str; 2]]) -> Vec<Step> {
    let (games, limits) = (wanted.games(600), wanted.limits("--movetime 50"));
    let openings = format!(
        "openings loa --plies 6 --random {} --window 150 --nodes 1000 -o MADE/loa-openings.epd",
        wanted.positions(400)
    );
    let play = |[a, b]: &[&str; 2]| {
        let openings = "--openings MADE/loa-openings.epd --shuffle";
        Step::alone(format!("match loa --a {a} --b {b} --games {games} {openings} {limits}"))
    };
    std::iter::once(Step::making(openings)).chain(pairs.iter().map(play)).collect()
}

fn proofs(profiles: &str, wanted: &Wanted) -> Step {
    let positions = wanted.positions(300).max(20);
    let words = format!("suite loa FILE --profiles {profiles} --nodes 100000 --until-proven --sample {positions}");
    Step::on(LOA_WINS, words)
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
