//! The tests of the learners, and of the techniques with the tables that come with plywise.

mod amounts;
mod control;
mod imitation;
mod spsa;
mod switches;
