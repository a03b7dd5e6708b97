//! The programs themselves, each as a module.
#![allow(dead_code)]

#[path = "../../examples/breakthrough.rs"]
pub mod breakthrough;
#[path = "../../examples/embed.rs"]
pub mod embed;
#[path = "../../examples/tic_tac_toe.rs"]
pub mod tic_tac_toe;

pub use embed::connect_four;
