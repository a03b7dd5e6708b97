//! The signature of the search: a commit that changes these counts says so.

use crate::{json, output};

/// What `plywise bench` counts in each game. This is the one place to update.
const SIGNATURES: [(&str, u64); 5] =
    [("chess", 2_197_059), ("loa", 3_439_892), ("othello", 3_586_590), ("abalone", 610_084), ("connect4", 7_046_371)];

#[test]
fn the_node_counts_are_the_signature() {
    let document = json("bench");
    let counted: Vec<(&str, u64)> =
        SIGNATURES.iter().map(|&(game, _)| (game, document["games"][game]["nodes"].as_u64().unwrap_or(0))).collect();
    assert_eq!(counted, SIGNATURES);
    for (game, _) in SIGNATURES {
        assert!(document["games"][game]["time_ms"].is_u64() && document["games"][game]["nps"].is_u64());
    }
}

#[test]
fn the_last_line_is_what_match_servers_read() {
    let text = output("bench loa");
    let last: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    assert!(matches!(last[..], [_, "nodes", _, "nps"]), "{text}");
    assert_eq!(last[0].parse::<u64>().unwrap(), SIGNATURES[1].1);
    last[2].parse::<u64>().unwrap();
}
