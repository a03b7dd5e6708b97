//! What the search knows of a move that it is about to search, and how that is sorted into bins.

use crate::table::Bound;
use crate::{MovePhase, NodeKind, Standing};
use plywise_game::{Depth, Score};

/// What the search knows of a move that it is about to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// How the node stands.
    pub standing: Standing,
    /// What the node is expected to be.
    pub kind: NodeKind,
    /// The class of the move in its game.
    pub class: usize,
    /// What history says of a quiet move, if that ranks it.
    pub merit: Option<i32>,
    /// Whether the opponent is in check after the move.
    pub gives_check: bool,
    /// The evaluation of the node; `None` in check, and where nodes are not evaluated.
    pub evaluation: Option<Score>,
    /// Whether the evaluation is better than when the side was last to move.
    pub rising: bool,
    /// Whether the node stands on the principal variation, or did when the table saw it last.
    pub on_pv: bool,
    /// What the move that led to the node was searched at.
    pub price_before: Depth,
    /// What the table says of the node, and whether that lies above alpha.
    pub known: Option<(Bound, bool)>,
    /// How many replies to the moves before this one reached beta.
    pub cutoffs: u32,
}

/// Declares the inputs of the model: each with its name, its number of bins, and what must be unknown to leave it out.
macro_rules! inputs {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal, $words:literal, $bins:expr, [$($topic:literal),*];)*) => {
        /// An input of the model of learned prices: something that is known of a move, sorted into bins.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum PriceInput {
            $($(#[doc = $doc])* $variant,)*
        }

        impl PriceInput {
            /// All of them.
            pub const ALL: &'static [PriceInput] = &[$(PriceInput::$variant),*];

            /// What tables, trees and reports call it.
            pub const fn name(self) -> &'static str {
                match self { $(PriceInput::$variant => $name,)* }
            }

            /// What it is called in a sentence.
            pub const fn in_words(self) -> &'static str {
                match self { $(PriceInput::$variant => $words,)* }
            }

            /// What it tells of. Crosses tell of two things.
            pub const fn topics(self) -> &'static [&'static str] {
                match self { $(PriceInput::$variant => &[$($topic),*],)* }
            }

            /// The number of its bins in a game with this many classes of moves.
            pub const fn bins(self, move_classes: usize) -> usize {
                let bins = match self { $(PriceInput::$variant => $bins,)* };
                if matches!(self, PriceInput::Class) { move_classes } else { bins }
            }
        }
    };
}

inputs! {
    /// The depth left, in whole plies.
    Depth = "depth", "depth", DEPTHS, ["depth"];
    /// The number of the move.
    Number = "number", "number", NUMBERS, ["number"];
    /// Both together: what late-move reductions look at.
    Late = "depth_and_number", "number at this depth", DEPTHS * NUMBERS, ["depth", "number"];
    /// The phase of the order, and what the node is expected to be.
    Phase = "phase", "place in the order", PHASES * KINDS, ["phase"];
    /// The number of the move, and what the node is expected to be.
    Kind = "kind_and_number", "number at a node of this kind", KINDS * NUMBERS, ["kind"];
    /// How often the best move has changed.
    Changes = "changes", "node's changes of the best move", CHANGES, ["changes"];
    /// How far the best score so far lies below alpha.
    Gap = "gap", "node's best score against alpha", INTERVALS, ["scores"];
    /// How far the last score lies below the best.
    Drop = "drop", "node's last score against the best", INTERVALS, ["scores"];
    /// What history says of a quiet move.
    History = "history", "history", MERITS, ["history"];
    /// The evaluation against alpha, for table moves, tactical and quiet ones.
    Evaluation = "evaluation", "node's evaluation against alpha", EVALUATIONS * PARTS, ["evaluation"];
    /// In check, or whether the evaluation rises.
    Rising = "rising", "node's trend of evaluation", 3, ["rising"];
    /// What the last move was searched at.
    Before = "price_before", "node's own price", 5, ["price_before"];
    /// What the table says of the node, and what that is expected to be.
    Table = "table", "node's entry in the table", TABLES * KINDS, ["table"];
    /// Whether the move gives check.
    Check = "check", "check", 2, ["check"];
    /// How many replies to the moves before reached beta.
    Cutoffs = "cutoffs", "node's refuted siblings", 5, ["cutoffs"];
    /// Whether the node stands on the principal variation, or did.
    OnPv = "on_pv", "node's nearness to the principal variation", 2, ["on_pv"];
    /// The class of the move in its game.
    Class = "class", "class", 0, ["class"];
}

const DEPTHS: usize = 13;
const NUMBERS: usize = 14;
const PHASES: usize = 6;
const KINDS: usize = 3;
const CHANGES: usize = 5;
const INTERVALS: usize = 8;
const MERITS: usize = 18;
const EVALUATIONS: usize = 13;
const PARTS: usize = 3;
const TABLES: usize = 7;

/// How many inputs there are.
pub const INPUTS: usize = PriceInput::ALL.len();

impl Prospect {
    /// The bin of each input, with scores sorted into intervals of `unit`.
    #[inline]
    pub fn bins(&self, unit: Score) -> [usize; INPUTS] {
        let Standing { depth, in_check, move_number, best_changes, best, last, alpha, phase } = self.standing;
        let depth = depth.whole_plies().clamp(0, DEPTHS as i32 - 1) as usize;
        let number = number_bin(move_number);
        let kind = match self.kind {
            NodeKind::Pv => 0,
            NodeKind::Cut => 1,
            NodeKind::All | NodeKind::Quiescence => 2,
        };
        let part = match phase {
            MovePhase::Table => 0,
            MovePhase::Tactical | MovePhase::Losing => 1,
            MovePhase::Killer | MovePhase::History | MovePhase::Rest => 2,
        };
        let is_first = move_number <= 1;
        let interval = |from: Score, to: Score| if is_first { INTERVALS - 1 } else { interval(from, to, unit) };
        let evaluation = match self.evaluation {
            Some(evaluation) => evaluation_bin(evaluation.saturating_sub(alpha), unit),
            None => EVALUATIONS - 1,
        };
        let table = match self.known {
            None => 0,
            Some((bound, is_above)) => 1 + 2 * bound_bin(bound) + usize::from(is_above),
        };
        let before = match self.price_before.in_hundredths() {
            ..100 => 0,
            100 => 1,
            101..=200 => 2,
            201..=300 => 3,
            _ => 4,
        };
        [
            depth,
            number,
            depth * NUMBERS + number,
            phase as usize * KINDS + kind,
            kind * NUMBERS + number,
            best_changes.min(CHANGES - 1),
            interval(best, alpha),
            interval(last, best),
            self.merit.map_or(MERITS - 1, merit_bin),
            evaluation * PARTS + part,
            if in_check { 0 } else { 1 + usize::from(self.rising) },
            before,
            table * KINDS + kind,
            self.gives_check.into(),
            self.cutoffs.min(4) as usize,
            self.on_pv.into(),
            self.class,
        ]
    }
}

fn number_bin(number: usize) -> usize {
    match number {
        0..=6 => number.saturating_sub(1),
        7..=8 => 6,
        9..=10 => 7,
        11..=13 => 8,
        14..=17 => 9,
        18..=23 => 10,
        24..=31 => 11,
        32..=43 => 12,
        _ => 13,
    }
}

fn bound_bin(bound: Bound) -> usize {
    match bound {
        Bound::Upper => 0,
        Bound::Lower => 1,
        Bound::Exact => 2,
    }
}

/// Which of seven intervals the difference of two scores falls into: RankCut's.
fn interval(score: Score, other: Score, unit: Score) -> usize {
    let difference = score.saturating_sub(other);
    let edges = [unit.saturating_mul(-12), unit.saturating_mul(-4), -unit, -1, 0, unit];
    edges.iter().map(|&edge| usize::from(difference > edge)).sum()
}

/// Which of twelve intervals, closer together near zero, the evaluation less alpha falls into.
fn evaluation_bin(difference: Score, unit: Score) -> usize {
    const EDGES: [Score; 11] = [-32, -16, -8, -4, -2, 0, 2, 4, 8, 16, 32];
    EDGES.iter().map(|&edge| usize::from(difference > unit.saturating_mul(edge))).sum()
}

/// Which of seventeen bins a merit falls into: its sign, and half the number of its binary digits.
fn merit_bin(merit: i32) -> usize {
    let size = (33 - merit.unsigned_abs().leading_zeros() as usize) / 2;
    let size = size.min(8);
    if merit < 0 { 8 - size } else { 8 + size }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The second move of a node in the middle of nowhere.
    pub(in crate::techniques::learned_price) fn prospect() -> Prospect {
        Prospect {
            standing: Standing {
                depth: Depth::plies(3),
                in_check: false,
                move_number: 2,
                best_changes: 0,
                best: -5,
                last: -5,
                alpha: 0,
                phase: MovePhase::Rest,
            },
            kind: NodeKind::All,
            class: 0,
            merit: Some(0),
            gives_check: false,
            evaluation: Some(0),
            rising: false,
            on_pv: false,
            price_before: Depth::PLY,
            known: None,
            cutoffs: 0,
        }
    }

    #[test]
    fn every_bin_lies_within_its_input() {
        let extremes = [i32::MIN + 1, -1, 0, 1, i32::MAX];
        let phases = [MovePhase::Table, MovePhase::Tactical, MovePhase::Killer, MovePhase::Rest, MovePhase::Losing];
        let kinds = [NodeKind::Pv, NodeKind::Cut, NodeKind::All, NodeKind::Quiescence];
        for (i, &number) in extremes.iter().cycle().take(1000).enumerate() {
            let standing = Standing {
                depth: Depth::hundredths(number),
                in_check: i % 2 == 0,
                move_number: number.unsigned_abs() as usize,
                best_changes: i,
                best: extremes[i / 5 % 5],
                last: extremes[i / 25 % 5],
                alpha: extremes[i / 125 % 5],
                phase: phases[i % 7 % 5],
            };
            let seen = Prospect {
                standing,
                kind: kinds[i % 4],
                class: i % 3,
                merit: (i % 3 > 0).then_some(number),
                evaluation: (i % 5 > 0).then_some(number),
                price_before: Depth::hundredths(number),
                known: (i % 7 > 0).then_some((Bound::Exact, i % 2 == 0)),
                cutoffs: i as u32,
                ..prospect()
            };
            for (&input, bin) in PriceInput::ALL.iter().zip(seen.bins(7)) {
                assert!(bin < input.bins(3), "{} {bin}", input.name());
            }
        }
    }

    #[test]
    fn bins_are_as_declared() {
        let numbers: Vec<usize> = [1, 2, 6, 7, 8, 9, 13, 17, 23, 31, 43, 44, 200].map(number_bin).into();
        assert_eq!(numbers, [0, 1, 5, 6, 6, 7, 8, 9, 10, 11, 12, 13, 13]);
        let merits: Vec<usize> = [i32::MIN, -16384, -4, -3, -1, 0, 1, 3, 4, 16384].map(merit_bin).into();
        assert_eq!(merits, [0, 0, 6, 7, 7, 8, 9, 9, 10, 16]);
        let evaluations: Vec<usize> = [-321, -320, 0, 1, 20, 21, 321].map(|d| evaluation_bin(d, 10)).into();
        assert_eq!(evaluations, [0, 0, 5, 6, 6, 7, 11]);
        let gaps: Vec<usize> = [-121, -1, 0, 1, 11].map(|d| interval(d, 0, 10)).into();
        assert_eq!(gaps, [0, 3, 4, 5, 6]);
    }
}
