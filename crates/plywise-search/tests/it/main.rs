//! The tests of the search as its users see it.

mod exact;
mod limits;
mod lines;
mod null_move;
mod observer;
mod panics;
mod quiescence;
mod random_tree;
mod recipe;
mod solver;
mod techniques;
