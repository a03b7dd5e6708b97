//! The tables that techniques use: those that come with the program, and those of files.

use crate::{output, plywise, repository_file};

#[test]
fn every_built_in_table_is_taken() {
    for game in ["chess", "loa", "othello", "abalone"] {
        for profile in ["rankcut", "probcut", "erps"] {
            output(&format!("analyse {game} --depth 2 --profile {profile}"));
        }
    }
    for game in ["chess", "loa", "othello", "abalone", "connect4"] {
        output(&format!("analyse {game} --depth 2 --profile prices"));
    }
}

#[test]
fn a_table_with_too_few_rows_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("short.toml").display().to_string();
    let whole = repository_file("crates/plywise-loa/data/tables/realization.toml");
    let (head, rows) = whole.split_once("rows = [\n").unwrap();
    let first = rows.lines().next().unwrap();
    std::fs::write(&file, format!("{head}rows = [\n{first}\n]\n# end\n")).unwrap();
    let arguments = format!("analyse loa --depth 3 --profile rps --table {file}");
    let complaint = plywise(&arguments).assert().code(2).get_output().stderr.clone();
    let classes = <plywise_loa::Loa as plywise_game::Game>::MOVE_CLASSES;
    let reason = format!("it has 1 rows, but the game has {classes} classes of moves");
    let sentence = format!("plywise: the table '{file}' cannot be used: {reason}\n");
    assert_eq!(String::from_utf8_lossy(&complaint), sentence);
}
