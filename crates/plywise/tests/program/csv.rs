//! `--csv`: tables for spreadsheets and scripts, in the words of `--json`.

use crate::{json, output, plywise};

/// The header and the rows of a table, none of which needs quotes.
#[track_caller]
fn table(arguments: &str) -> (String, Vec<Vec<String>>) {
    let text = output(&format!("{arguments} --csv"));
    let (header, rows) = text.split_once('\n').unwrap();
    let rows: Vec<Vec<String>> = rows.lines().map(|row| row.split(',').map(String::from).collect()).collect();
    assert!(rows.iter().all(|row| row.len() == header.split(',').count()), "{text}");
    (header.to_string(), rows)
}

#[track_caller]
fn check(arguments: &str, header: &str, rows: usize) -> Vec<Vec<String>> {
    let (found, table) = table(arguments);
    assert_eq!((found.as_str(), table.len()), (header, rows), "{arguments}");
    table
}

#[test]
fn every_table_can_be_read_by_programs() {
    let iterations = "depth,selective_depth,line,score,bound,nodes,time_ms,nps,pv";
    check("analyse chess --moves f3 e5 g4 --depth 1", iterations, 1);
    let techniques = table("analyse loa --depth 1 --stats");
    assert_eq!(techniques.0, "technique,tries,effects");
    let compared = "profile,network,limit,best,score,plies_to_end,depth,nodes,time_ms,pv";
    let rows = check("compare loa --profiles brute,best --depth 2,3", compared, 4);
    let document = json("compare loa --profiles brute,best --depth 2,3");
    assert_eq!(rows[2][7], document["rows"][2]["nodes"].to_string(), "numbers are plain");
    let moves = check("perft loa --depth 2 --divide", "move,nodes", 36);
    assert_eq!(moves.iter().map(|row| row[1].parse::<u64>().unwrap()).sum::<u64>(), 1244);
    check("perft othello --depth 2", "game,position,depth,nodes,time_ms,nps", 1);
    check("bench abalone", "game,nodes,time_ms,nps", 1);
}

#[test]
fn profiles_and_parameters_are_tables() {
    assert!(output("profiles --csv").starts_with("name,description,network\n"));
    let shown = output("profiles loa brute --evaluation --csv");
    assert!(shown.contains("\ntable.enabled,true\n") && shown.contains("\nevaluation.turn.bonus,"), "{shown}");
    let parameters = output("params loa --csv");
    assert!(parameters.starts_with("section,name,min,max,default,switch,meaning\nSearch,"), "{parameters}");
    assert!(parameters.contains("\nEvaluation of Lines of Action,evaluation."), "{parameters}");
}

#[test]
fn suites_are_tables_of_players_or_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd");
    std::fs::write(&suite, "6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; id \"back, \"\"rank\"\"\";\n").unwrap();
    let arguments = format!("suite chess {} --profiles brute,best --depth 1", suite.display());
    let players =
        "profile,limit,nodes,time_ms,solved,standard_error,lost,gained,nodes_percent,researches,same_move,same_score";
    check(&arguments, players, 2);
    let details = output(&format!("{arguments} --details --csv"));
    let header = "profile,limit,id,best,score,depth,nodes,time_ms,solved,found_depth,found_nodes,found_time_ms\n";
    assert!(details.starts_with(header) && details.contains(",depth 1,\"back, "), "{details}");
}

#[test]
fn results_of_matches_are_tables() {
    let counts = "games,wins,draws,losses,score,elo,elo_error,normalised_elo,normalised_elo_error,los,pentanomial";
    check("stats 40 74 10", counts, 1);
    let test = table("stats 34 54 63 64 75 --sprt 0,5").0;
    assert!(test.starts_with("games,score,") && test.contains(",sprt.llr,"), "{test}");
    assert_eq!(table("stats 34 54 63 64 75 --sprt -5,0").0, test);
    let quick = "--games 2 --depth 1 --max-moves 3 --openings start";
    let rows = check(&format!("match loa --a best --b brute {quick}"), &format!("a,b,{counts}"), 1);
    assert_eq!(rows[0][..3], ["best", "brute", "2"]);
    let players = "--player best --player brute --player classic";
    let standings = "name,elo,error,games.wins,games.draws,games.losses,against.best,against.brute,against.classic";
    check(&format!("match loa {players} {quick}"), standings, 3);
}

#[test]
fn one_format_at_a_time() {
    for arguments in
        ["perft loa --depth 1 --csv --json", "compare loa --depth 1 --csv --markdown", "params --json --csv"]
    {
        let assert = plywise(arguments).assert().code(2);
        let complaint = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(complaint.contains("cannot be used with"), "{arguments}: {complaint}");
    }
}
