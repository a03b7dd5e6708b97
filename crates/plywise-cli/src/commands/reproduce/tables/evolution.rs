//! The tables of evolution: evaluations from the moves of winners, and a search from a suite.

use super::{ECM, compared, details, duel, list, number, percent_over, score_error, scores};
use crate::commands::reproduce::{Figure, Step, Suite, Table, Wanted};

const GRANDMASTERS: &str = "David-Tabibi, van den Herik, Koppel & Netanyahu, Simulating Human Grandmasters, 2009";
const SELECTIVE: &str = "David-Tabibi, Koppel & Netanyahu, Optimizing Selective Search in Chess, 2010";

const GAMES: Suite = Suite {
    file: "gm-2600.pgn",
    source: "games between players rated 2600 or more, such as lists of tournaments have them",
    size: 10_000,
    ours: None,
};

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "evolution-eval",
        paper: GRANDMASTERS,
        what: "Section 4.1: moves of winners that an evolved evaluation finds",
        steps: |wanted| evolved(wanted, 1),
        rows: |documents| {
            let Some(document) = documents.first() else { return Vec::new() };
            let half = number(&document["positions"]) / 2.0;
            let share = |value: f64, of| Some(Figure { value, error: score_error(value, of), unit: " %" });
            let mean = list(&document["curve"]).last().map_or(0.0, |row| number(&row["mean"]));
            let line =
                |what: &str, paper, ours| compared(what.into(), share(paper, 5000.0), share(ours, half), String::new());
            vec![
                line("best organism, positions learned from", 32.4, 100.0 * number(&document["train_rate"])),
                line("best organism, positions set aside", 30.7, 100.0 * number(&document["test_rate"])),
                line("mean of the last generation", 30.0, mean),
            ]
        },
        conditions: GAMES_WORDS,
    },
    Table {
        name: "evolution-match",
        paper: GRANDMASTERS,
        what: "Tables 1 and 2: evolved and coevolved evaluations in games",
        steps: |wanted| {
            let runs = wanted.positions(10);
            let (games, generations) = (wanted.games(500), wanted.positions(50));
            let from: Vec<String> = (1..=runs).map(|seed| format!("MADE/evolved-{seed}.toml")).collect();
            let coevolve = format!(
                "evolve coeval chess --from {} --generations {generations} {} -o MADE/coevolved.toml",
                from.join(","),
                wanted.limits("--tc 5+0.05"),
            );
            let (evolved_one, coevolved) = ("name=evolved,MADE/evolved-1.toml", "name=coevolved,MADE/coevolved.toml");
            let play = |a, b| duel(wanted, "chess", [a, b], games, "--tc 5+0.05");
            let runs = evolved(wanted, runs).into_iter().map(|step| Step { makes: true, ..step });
            let matches =
                [play(evolved_one, &wanted.opponent), play(coevolved, &wanted.opponent), play(coevolved, evolved_one)];
            runs.chain([Step::making(coevolve)]).chain(matches).collect()
        },
        rows: |documents| {
            let printed = [
                ("evolved against Crafty", 50.9, 500.0),
                ("coevolved against Crafty", 60.9, 500.0),
                ("coevolved against evolved", 58.6, 500.0),
            ];
            scores(documents, &printed)
        },
        conditions: "Who --opponent names stands for Crafty. The paper coevolves ten organisms for 50 generations with five \
                     seconds for a player and game.",
    },
    Table {
        name: "evolution-search",
        paper: SELECTIVE,
        what: "Search parameters that evolved from random bits, on a suite and in games",
        steps: |wanted| {
            let (positions, generations) = (wanted.positions(ECM.size / 2), wanted.positions(50));
            let evolve = format!(
                "evolve search chess --suite FILE --half tune --sample {positions} --nodes 100000 \
                 --generations {generations} -o MADE/evolved-search.toml"
            );
            let report = format!(
                "suite chess FILE --half report --sample {positions} --profiles classic,MADE/evolved-search.toml \
                 --nodes 500000 --stop-when-solved --details"
            );
            let players = ["name=evolved,MADE/evolved-search.toml", "classic"];
            vec![
                Step { makes: true, ..Step::on(ECM, evolve) },
                Step::on(ECM, report),
                duel(wanted, "chess", players, wanted.games(400), "--tc 5+0.05"),
            ]
        },
        rows: |documents| {
            let [suite, matches @ ..] = documents else { return Vec::new() };
            let (classic, evolved) = (&suite["rows"][0], &suite["rows"][1]);
            let nodes = percent_over(details(evolved), details(classic), "nodes");
            let error = 1.96 * number(&evolved["standard_error"]);
            let solved = Figure { value: number(&evolved["solved"]) - number(&classic["solved"]), error, unit: "" };
            let note = format!("classic solves {} of {}", classic["solved"], suite["with_answer"]);
            let mut rows = vec![
                compared("nodes, in percent of classic's".into(), None, nodes, String::new()),
                compared("solved more than classic".into(), None, Some(solved), note),
            ];
            rows.extend(scores(matches, &[("evolved against classic", f64::NAN, 0.0)]));
            rows
        },
        conditions: "The paper's Falcon with what evolved is on par with Falcon as it was set by hand for eight years; the text \
                     that we have prints no figures. Here `classic` is what was set by hand.",
    },
];

const GAMES_WORDS: &str = "The paper takes 10,000 positions from as many games of grandmasters, half of them to learn from. \
                           Without --data the games are our own, of 1000 nodes a move: moves of another strength.";

/// Runs of evolution that differ by their seeds.
fn evolved(wanted: &Wanted, runs: u64) -> Vec<Step> {
    let (positions, generations) = (wanted.positions(10_000), wanted.positions(200));
    let evolve = |games: &str, seed: u64| {
        format!(
            "evolve eval chess --pgn {games} --positions {positions} --generations {generations} --seed {seed} \
             -o MADE/evolved-{seed}.toml"
        )
    };
    if wanted.data.is_some() {
        return (1..=runs).map(|seed| Step::on(GAMES, evolve("FILE", seed))).collect();
    }
    // Half of the games are drawn or have too few moves.
    let forge = format!("forge games chess --games {} --nodes 1000 --random-plies 6 -o MADE/games.pgn", 2 * positions);
    let steps = (1..=runs).map(|seed| Step::alone(evolve("MADE/games.pgn", seed)));
    std::iter::once(Step::making(forge)).chain(steps).collect()
}
