//! The value of a position taken apart, for people and programs.

use crate::linear::{Linear, Owner};
use crate::{Notation, Side};
use serde::Serialize;
use std::fmt;

/// The value of a position term by term, with both players' parts. It displays as a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// What people call the players, the one who begins first.
    pub players: [&'static str; 2],
    /// The side to move.
    pub to_move: &'static str,
    /// The value for the side to move in points, before it is rounded.
    pub value: f64,
    /// The terms that occur, in the order of declaration.
    pub terms: Vec<Term>,
}

/// What weights of one group add to a value. What belongs to neither side, such as a pattern of both sides' pieces, counts as
/// the mover's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Term {
    /// The name of the group.
    pub name: &'static str,
    /// What each player has, in points.
    pub values: [f64; 2],
    /// The first player's points less the second's.
    pub difference: f64,
    /// The weights that add to it.
    pub weights: Vec<Share>,
}

/// What one weight adds to a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The name by which the weight is set.
    pub name: String,
    /// The weight.
    pub weight: i32,
    /// How much of its feature each player has: weight times amount is what it adds, in points.
    pub amounts: [f64; 2],
}

impl Explanation {
    pub(crate) fn new<G: Notation, W: Linear<G>>(weights: &W, position: &G::Position) -> Explanation {
        let side = G::side_to_move(position);
        let owners = match side {
            Side::First => [Owner::Mover, Owner::Opponent],
            Side::Second => [Owner::Opponent, Owner::Mover],
        };
        let record = W::record(position);
        let amounts = owners.map(|owner| record.amounts_of(owner));
        let mut terms: Vec<Term> = Vec::new();
        let mut place = 0;
        weights.visit(&mut |parameter, weight| {
            let amounts = amounts.each_ref().map(|amounts| f64::from(amounts[place]) / f64::from(W::UNIT));
            place += 1;
            if amounts == [0.0; 2] {
                return;
            }
            if terms.last().is_none_or(|term| term.name != parameter.group) {
                terms.push(Term { name: parameter.group, values: [0.0; 2], difference: 0.0, weights: Vec::new() });
            }
            if let Some(term) = terms.last_mut() {
                term.add(Share { name: parameter.path(), weight, amounts });
            }
        });
        let for_first: f64 = terms.iter().map(|term| term.difference).sum();
        let value = if side == Side::First { for_first } else { -for_first };
        Explanation { players: G::PLAYERS, to_move: G::player(side), value, terms }
    }
}

impl Term {
    fn add(&mut self, share: Share) {
        for (value, amount) in self.values.iter_mut().zip(share.amounts) {
            *value += f64::from(share.weight) * amount;
        }
        self.difference = self.values[0] - self.values[1];
        self.weights.push(share);
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [first, second] = self.players;
        writeln!(f, "{:24} {first:>10} {second:>10} {:>11}", "term", "difference")?;
        for Term { name, values: [first, second], difference, .. } in &self.terms {
            if (*first, *second) != (0.0, 0.0) {
                let name = name.replace('_', " ");
                let (first, second, difference) = (Points(*first), Points(*second), Points(*difference));
                writeln!(f, "{name:24} {first:>10.1} {second:>10.1} {difference:>+11.1}")?;
            }
        }
        writeln!(f, "value for {}, who is to move: {:+.1}", self.to_move, Points(self.value))
    }
}

/// A number that never shows as minus zero.
struct Points(f64);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() / 10.0;
        fmt::Display::fmt(&(tenths + 0.0), f)
    }
}
