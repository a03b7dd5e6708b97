//! The evaluation term by term, for people.

use super::endings::FULL_SCALE;
use super::tally::{Pair, Trace};
use super::weights::{Term, Weights};
use cozy_chess::Color;
use plywise_game::Score;
use plywise_game::parameters::Parameters;
use std::fmt;

/// A value for each stage of the game, in centipawns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// In the middlegame.
    pub middlegame: i32,
    /// In the endgame.
    pub endgame: i32,
}

/// One term of an explained value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The term.
    pub term: Term,
    /// What it is worth to White.
    pub white: Stages,
    /// What it is worth to Black.
    pub black: Stages,
    /// White's less Black's, mixed by the material that is left.
    pub total: Score,
}

/// The value of a position, term by term. It displays as a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The terms, in the order of declaration.
    pub rows: Vec<Row>,
    /// How much the middlegame counts, in percent; the endgame has the rest.
    pub middlegame_percent: i32,
    /// How much of the endgame's value counts in an ending like this, in percent.
    pub endgame_scale: i32,
    /// The value for White.
    pub value: Score,
    /// The side to move.
    pub side_to_move: Color,
}

impl Explanation {
    pub(super) fn new(trace: &Trace, weights: &Weights) -> Explanation {
        let (values, mixture) = (weights.values(), trace.mixture());
        let rows = Term::ALL.map(|term| {
            let [white, black] = Color::ALL.map(|color| Stages::from(trace.term_value(color, term, &values)));
            let total = mixture.mix(white.middlegame - black.middlegame, white.endgame - black.endgame);
            Row { term, white, black, total }
        });
        let value = trace.value(weights);
        Explanation {
            rows: rows.into(),
            middlegame_percent: (100.0 * trace.middlegame_share()) as i32,
            endgame_scale: mixture.scale * 100 / FULL_SCALE,
            value: if trace.side_to_move() == Color::White { value } else { -value },
            side_to_move: trace.side_to_move(),
        }
    }
}

impl From<Pair> for Stages {
    fn from(pair: Pair) -> Stages {
        Stages { middlegame: pair.middlegame, endgame: pair.endgame }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{:24} {:>13} {:>13} {:>7}", "", "White", "Black", "")?;
        writeln!(f, "{:24} {:>6} {:>6} {:>6} {:>6} {:>7}", "term", "mg", "eg", "mg", "eg", "total")?;
        for Row { term, white, black, total } in &self.rows {
            writeln!(
                f,
                "{:24} {:>6} {:>6} {:>6} {:>6} {total:>7}",
                term.name().replace('_', " "),
                white.middlegame,
                white.endgame,
                black.middlegame,
                black.endgame
            )?;
        }
        writeln!(
            f,
            "value for White: {} centipawns (middlegame {} %, endgame {} %)",
            self.value,
            self.middlegame_percent,
            100 - self.middlegame_percent
        )?;
        match self.endgame_scale {
            100 => Ok(()),
            percent => writeln!(f, "the ending is drawish: {percent} % of the endgame's value counts"),
        }
    }
}
