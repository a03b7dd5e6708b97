//! The one search of plywise: selective alpha-beta for every two-player board game.
