//! Fractional-ply extensions: a move costs what its class costs, and the depth of a line is the sum of its moves' costs,
//! D(P, w) in the thesis.
//!
//! Levy, Broughton & Taylor, "The SEX algorithm in computer chess", 1989; Björnsson, "Selective depth-first game-tree
//! search", 2002, chapter 6, which learns the weights. A move belongs to the first class that fits, in the order of the
//! declaration.

use crate::params::Extensions;
use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Phase};

/// A class of moves that has a price of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtensionClass {
    /// A check.
    Check,
    /// The only legal answer to a check, or the only legal move.
    OneReply,
    /// Taking back.
    Recapture,
    /// A passed pawn close to promotion, or what its like is in another game.
    Advance,
    /// A move where passing would lose the game.
    Threat,
}

impl ExtensionClass {
    /// All classes, in the order in which a move is put to them.
    pub const ALL: [ExtensionClass; 5] = [
        ExtensionClass::Check,
        ExtensionClass::OneReply,
        ExtensionClass::Recapture,
        ExtensionClass::Advance,
        ExtensionClass::Threat,
    ];

    /// The name of its price among the parameters of `extensions`.
    pub fn name(self) -> &'static str {
        match self {
            ExtensionClass::Check => "check",
            ExtensionClass::OneReply => "one_reply",
            ExtensionClass::Recapture => "recapture",
            ExtensionClass::Advance => "advance",
            ExtensionClass::Threat => "threat",
        }
    }
}

/// What a move is priced by: its class, and the part of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The class.
    pub class: ExtensionClass,
    /// The part of the game before the move.
    pub phase: Phase,
}

impl Extension {
    /// What the move that leads from `position` to `after` is priced by; `None` for one that costs a whole ply.
    ///
    /// Whether it is the only answer to a check and whether passing would lose are for the caller to know.
    pub fn of<G: Game>(
        position: &G::Position,
        mv: G::Move,
        after: &G::Position,
        previous: Option<G::Move>,
        is_only_reply: bool,
        threatened: bool,
    ) -> Option<Extension> {
        let traits = G::move_traits(position, mv, after, previous);
        let class = if traits.gives_check {
            ExtensionClass::Check
        } else if is_only_reply {
            ExtensionClass::OneReply
        } else if traits.recaptures {
            ExtensionClass::Recapture
        } else if traits.advances {
            ExtensionClass::Advance
        } else if threatened {
            ExtensionClass::Threat
        } else {
            return None;
        };
        Some(Extension { class, phase: G::phase(position) })
    }
}

/// The place of a part of the game in lists of three.
pub(crate) fn place(phase: Phase) -> usize {
    match phase {
        Phase::Opening => 0,
        Phase::Middlegame => 1,
        Phase::Endgame => 2,
    }
}

impl Extensions {
    /// What a move costs, in hundredths of a ply.
    pub fn weight(&self, Extension { class, phase }: Extension) -> i32 {
        let by_phase = match class {
            ExtensionClass::Check => &self.check,
            ExtensionClass::OneReply => &self.one_reply,
            ExtensionClass::Recapture => &self.recapture,
            ExtensionClass::Advance => &self.advance,
            ExtensionClass::Threat => &self.threat,
        };
        by_phase[place(phase)]
    }
}

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// What a move costs.
    pub(crate) fn extensions(&mut self, node: &Node<G>, mv: G::Move, after: &G::Position) -> Depth {
        let params = &self.params().extensions;
        if !params.on() || node.ply >= (self.iteration * params.limit) as usize {
            return Depth::PLY;
        }
        let previous = node.ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
        let is_only_reply = (node.in_check || params.one_reply_anywhere) && node.cursor.is_only_move();
        let extension = Extension::of::<G>(node.position, mv, after, previous, is_only_reply, node.threatened);
        let Some(extension) = extension else { return Depth::PLY };
        let weight = params.weight(extension);
        self.frames[node.ply + 1].extension = Some(extension);
        self.counters.tried(Technique::Extensions);
        if weight != Depth::PLY.in_hundredths() {
            self.counters.cut(Technique::Extensions);
        }
        Depth::hundredths(weight)
    }
}

#[cfg(test)]
mod tests {
    use crate::techniques::fixture::*;

    fn ask(position: Position) -> Ask {
        Ask::all(position, 4, 50).with("extensions")
    }

    #[test]
    fn a_move_costs_what_its_class_costs() {
        let recapture = Move { recaptures: true, ..quiet(0) };
        let advance = Move { advances: true, ..quiet(0) };
        let here = position(0, [check(0), recapture, advance, quiet(0)]);
        let prices = |ask: Ask| {
            let ask = ask.with("extensions.check.2=30").with("extensions.check.1=40").with("extensions.advance.1=60");
            ask.search().prices()
        };
        assert_eq!(prices(ask(here.clone())), [40, 75, 60, 100]);
        assert_eq!(prices(ask(Position { phase: Phase::Endgame, ..here }))[0], 30, "each part of the game has its own");
    }

    #[test]
    fn the_first_class_that_fits_counts() {
        let here = position(
            0,
            [
                Move { recaptures: true, advances: true, ..check(0) },
                Move { recaptures: true, advances: true, ..quiet(0) },
            ],
        );
        let seen = ask(here).with("extensions.check.1=10").with("extensions.recapture.1=20").search();
        assert_eq!(seen.prices(), [10, 20]);
    }

    #[test]
    fn an_only_move_is_one_that_answers_a_check() {
        let only = position(0, [quiet(0)]);
        let in_check = Position { in_check: true, ..only.clone() };
        let two = Position { in_check: true, ..position(0, [quiet(0), quiet(1)]) };
        assert_eq!(ask(in_check).search().prices(), [50]);
        assert_eq!(ask(two).search().prices(), [100, 100]);
        assert_eq!(ask(only.clone()).search().prices(), [100]);
        assert_eq!(ask(only).with("extensions.one_reply_anywhere=on").search().prices(), [50], "if asked to");
    }

    #[test]
    fn lines_are_not_extended_without_end() {
        let prices =
            |iteration| ask(position(0, [check(0)])).search_after(|worker| worker.iteration = iteration).prices();
        assert_eq!(prices(PLY as i32), [50]);
        assert_eq!(prices(1), [100], "twice the nominal depth is reached");
    }
}
