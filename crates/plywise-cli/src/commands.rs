//! The commands, one file each: its arguments, and a function that does it.

pub mod analyse;
pub mod annotate;
pub mod bench;
pub mod check_engine;
pub mod classes;
pub mod compare;
pub mod completions;
pub mod draw;
pub mod evolve;
pub mod forge;
pub mod gather;
pub mod learn;
pub mod man;
pub mod matches;
pub mod openings;
pub mod params;
pub mod perft;
pub mod play;
pub mod profiles;
pub mod reproduce;
pub mod stats;
pub mod studio;
pub mod suite;
pub mod tree;
pub mod worker;
pub mod workers;
