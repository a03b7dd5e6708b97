//! Fractional-ply extensions: a move costs what its class costs, and the depth of a line is the sum of its moves' costs,
//! D(P, w) in the thesis.
//!
//! Levy, Broughton & Taylor, "The SEX algorithm in computer chess", 1989; Björnsson, "Selective depth-first game-tree
//! search", 2002, chapter 6, which learns the weights. A move belongs to the first class that fits, in the order of the
//! declaration.

use crate::search::Node;
use crate::worker::Worker;
use crate::{Policy, Technique};
use plywise_game::{Depth, Evaluate, Game, Phase};

impl<G: Game, E: Evaluate<G>, P: Policy, const WATCHED: bool> Worker<'_, G, E, P, WATCHED> {
    /// What a move costs.
    pub(crate) fn extensions(&mut self, node: &Node<G>, mv: G::Move, after: &G::Position) -> Depth {
        let params = &self.params().extensions;
        if !params.on() || node.ply >= (self.iteration * params.limit) as usize {
            return Depth::PLY;
        }
        let previous = node.ply.checked_sub(1).and_then(|ply| self.frames[ply].mv);
        let traits = G::move_traits(node.position, mv, after, previous);
        let class = if traits.gives_check {
            &params.check
        } else if node.in_check && node.cursor.is_only_move() {
            &params.one_reply
        } else if traits.recaptures {
            &params.recapture
        } else if traits.advances {
            &params.advance
        } else if node.threatened {
            &params.threat
        } else {
            return Depth::PLY;
        };
        let weight = class[match G::phase(node.position) {
            Phase::Opening => 0,
            Phase::Middlegame => 1,
            Phase::Endgame => 2,
        }];
        self.counters.tried(Technique::Extensions);
        if weight != Depth::PLY.in_hundredths() {
            self.counters.cut(Technique::Extensions);
        }
        Depth::hundredths(weight)
    }
}
