//! Games as values say what their types say.

mod positions;
mod records;
mod setups;
mod trees;
mod values;

use plywise_abalone::Abalone;
use plywise_chess::Chess;
use plywise_host::{AnyGame, Hosted};
use plywise_loa::Loa;
use plywise_othello::Othello;

fn games() -> Vec<Box<dyn AnyGame>> {
    vec![
        Box::new(Hosted::<Chess>::new()),
        Box::new(Hosted::<Loa>::new()),
        Box::new(Hosted::<Othello>::new()),
        Box::new(Hosted::<Abalone>::new()),
    ]
}
