//! The arena of plywise: players, openings, suites, matches, and honest statistics.
