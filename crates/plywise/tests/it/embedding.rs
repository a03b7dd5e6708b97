//! A search inside another program can be watched and stopped.

use crate::examples::embed::{Thinking, connect_four::ConnectFour, think_in_slices};
use plywise::Game;

#[test]
fn slices_reach_their_depth() {
    let mut nodes = Vec::new();
    let mv = think_in_slices(ConnectFour::start(), 9, |report| nodes.push(report.nodes));
    assert!(ConnectFour::legal_moves(&ConnectFour::start()).contains(&mv.expect("there is a move")));
    assert!(nodes.len() > 1, "one slice does not reach it: {nodes:?}");
}

#[test]
fn a_thread_reports_until_it_is_stopped() {
    let thinking = Thinking::begin(ConnectFour::start());
    let depths: Vec<i32> = thinking.progress.iter().map(|progress| progress.depth).take(4).collect();
    assert!(depths.is_sorted() && depths[0] == 1, "{depths:?}");
    let report = thinking.stop().expect("the search ends");
    assert!(report.best_move().is_some());
}
