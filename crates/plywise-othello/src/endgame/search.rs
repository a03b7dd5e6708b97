//! The search above the last few empty squares: principal variation search with a table, on values in discs.

use super::last::{self, FEW, NODES_OF_FEW};
use super::order::{self, CERTAIN, Candidate};
use super::stability::{RimTable, stable_discs};
use super::table::{Found, Known, Memory, NO_SQUARE, key};
use super::{Guide, MOST};
use crate::board::final_score;
use crate::flips::mobility;
use crate::{Move, Position};
use plywise_game::Side;
use plywise_game::bitboard::Square;
use std::ops::Range;

/// The caller allows no more nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// The most nodes between two questions whether to go on.
const NODES_BETWEEN_REPORTS: u64 = 16384;

/// Empty squares from which on all moves are looked up in the table before one is searched.
const LOOK_AHEAD: u32 = 11;

/// Empty squares from which on the guide is asked about moves, and how many more make it look a ply further.
const FORESIGHT: u32 = 14;
const FORESIGHT_STEP: u32 = 3;

/// What the guide says, in hundredths of a disc, is divided by this to be added to a move's rank.
const GUIDE_DIVISOR: i32 = 4;

/// How far from the guide's guess the value is sought first, and how many empty squares beyond [`FORESIGHT`] make the
/// guess a ply deeper.
const GUESS_MARGIN: i32 = 4;
const GUESS_STEP: u32 = 2;

/// Beyond everything that a guide says.
const BOUNDLESS: i32 = 1 << 20;

/// One solve at work.
pub(super) struct Search<'a, G> {
    memory: &'a mut Memory,
    rims: &'a RimTable,
    guide: &'a mut G,
    spend: &'a mut dyn FnMut(u64) -> u64,
    /// The moves of all nodes on the way to the current one, a stack.
    moves: Vec<Candidate>,
    nodes: u64,
    /// How many of the nodes were reported.
    reported: u64,
    /// How many nodes there may be before the next report.
    granted: u64,
}

impl<'a, G: Guide> Search<'a, G> {
    pub(super) fn new(
        memory: &'a mut Memory,
        rims: &'a RimTable,
        guide: &'a mut G,
        spend: &'a mut dyn FnMut(u64) -> u64,
    ) -> Search<'a, G> {
        memory.begin();
        Search { memory, rims, guide, spend, moves: Vec::new(), nodes: 0, reported: 0, granted: 0 }
    }

    /// The same as [`value`](Search::value), sought first near what the guide expects: a narrow window needs fewer
    /// nodes.
    pub(super) fn value_near_guess(&mut self, own: u64, enemy: u64, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let empty = (own | enemy).count_zeros();
        if !G::PRESENT || empty < FORESIGHT || beta - alpha <= 2 * GUESS_MARGIN {
            return self.value(own, enemy, alpha, beta);
        }
        let depth = (empty - FORESIGHT) / GUESS_STEP;
        let discs = self.estimate(own, enemy, depth, -BOUNDLESS, BOUNDLESS)? / 100;
        let guess = (discs & !1).clamp(alpha + 2, beta - 2);
        let mut margin = GUESS_MARGIN;
        let (mut low, mut high) = ((guess - margin).max(alpha), (guess + margin).min(beta));
        loop {
            let value = self.value(own, enemy, low, high)?;
            margin *= 2;
            if value <= low && low > alpha {
                (low, high) = ((value - margin).max(alpha), (value + 2).min(beta));
            } else if value >= high && high < beta {
                (low, high) = ((value - 2).max(alpha), (value + margin).min(beta));
            } else {
                return Ok(value);
            }
        }
    }

    /// Best moves of both sides from a position that has this value, up to the end of the game.
    pub(super) fn line(&mut self, own: u64, enemy: u64, value: i32) -> Result<Vec<Move>, Stopped> {
        let (mut own, mut enemy, mut value) = (own, enemy, value);
        let mut line = Vec::new();
        loop {
            if let Some(mv) = self.move_worth(own, enemy, value)? {
                line.push(Move::to(Square::from_index(u32::from(mv.square))));
                (own, enemy) = (mv.own, mv.enemy);
            } else if mobility(enemy, own) != 0 {
                line.push(Move::PASS);
                (own, enemy) = (enemy, own);
            } else {
                return Ok(line);
            }
            value = -value;
        }
    }

    /// The first move that keeps the value of a position; `None` where there is no move.
    fn move_worth(&mut self, own: u64, enemy: u64, value: i32) -> Result<Option<Candidate>, Stopped> {
        let known = *self.memory.get(key(own, enemy), (own | enemy).count_zeros()).unwrap_or(&Known::NOTHING);
        let mut moves = self.list(own, enemy, mobility(own, enemy));
        let bottom = moves.start;
        order::rank(&mut self.moves[moves.clone()], !(own | enemy), &known);
        let mut found = None;
        while let Some(mv) = self.take_best(&mut moves) {
            found = Some(mv);
            if self.value(mv.own, mv.enemy, -value, 2 - value)? <= -value {
                break;
            }
        }
        self.moves.truncate(bottom);
        Ok(found)
    }

    /// The value of a position between `alpha` and `beta`, both even: exact inside, a bound outside.
    pub(super) fn value(&mut self, own: u64, enemy: u64, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        let empty = (own | enemy).count_zeros();
        if empty <= FEW
            && let Some(value) = self.value_of_few(own, enemy, alpha, beta)?
        {
            return Ok(value);
        }
        self.enter()?;
        if let Some(bound) = self.stability_cut(own, enemy, alpha, empty) {
            return Ok(bound);
        }
        let key = key(own, enemy);
        let known = *self.memory.get(key, empty).unwrap_or(&Known::NOTHING);
        if let Some(value) = known.answer(alpha, beta) {
            return Ok(value);
        }
        let squares = mobility(own, enemy);
        if squares == 0 {
            return self.value_after_pass(own, enemy, alpha, beta);
        }
        let nodes_before = self.nodes;
        let moves = self.list(own, enemy, squares);
        let bottom = moves.start;
        if let Some(bound) = self.look_ahead(moves.clone(), beta, empty) {
            self.moves.truncate(bottom);
            return Ok(bound);
        }
        order::rank(&mut self.moves[moves.clone()], !(own | enemy), &known);
        self.foresee(moves.clone(), empty)?;
        let (value, square) = self.best(moves, alpha, beta)?;
        self.moves.truncate(bottom);
        let found = Found { value, alpha, beta, square };
        self.memory.put(key, empty, &found, self.nodes - nodes_before);
        Ok(value)
    }

    /// The best of the moves, and its value. All but the first only have to show that they are no better.
    fn best(&mut self, mut moves: Range<usize>, alpha: i32, beta: i32) -> Result<(i32, u8), Stopped> {
        let (mut best, mut square) = (-MOST - 2, NO_SQUARE);
        while let Some(mv) = self.take_best(&mut moves) {
            let floor = best.max(alpha);
            let mut value = floor + 2;
            if square != NO_SQUARE {
                value = -self.value(mv.own, mv.enemy, -floor - 2, -floor)?;
            }
            if square == NO_SQUARE || floor < value && value < beta {
                value = -self.value(mv.own, mv.enemy, -beta, -floor)?;
            }
            if value > best {
                (best, square) = (value, mv.square);
            }
            if best >= beta {
                break;
            }
        }
        Ok((best, square))
    }

    /// The value with few empty squares, by asking again and again whether it is higher: that costs little there. These
    /// searches do not ask for leave on their way, so there is none where too few nodes are left for one.
    #[inline]
    fn value_of_few(&mut self, own: u64, enemy: u64, alpha: i32, beta: i32) -> Result<Option<i32>, Stopped> {
        let mut lower = alpha;
        while self.has_leave_for(NODES_OF_FEW)? {
            let value = last::few(own, enemy, lower, &mut self.nodes);
            if value <= lower {
                return Ok(Some(if lower == alpha { value } else { lower }));
            }
            lower = value;
            if lower >= beta {
                return Ok(Some(lower));
            }
        }
        Ok(None)
    }

    #[inline]
    fn has_leave_for(&mut self, nodes: u64) -> Result<bool, Stopped> {
        if self.granted - self.nodes < nodes {
            self.report()?;
        }
        Ok(self.granted - self.nodes >= nodes)
    }

    /// The value for a player who has no move.
    fn value_after_pass(&mut self, own: u64, enemy: u64, alpha: i32, beta: i32) -> Result<i32, Stopped> {
        if mobility(enemy, own) == 0 {
            return Ok(final_score(own, enemy));
        }
        self.value(enemy, own, -beta, -alpha).map(|value| -value)
    }

    /// Counts a node, and asks now and then whether to go on.
    #[inline]
    fn enter(&mut self) -> Result<(), Stopped> {
        if self.nodes == self.granted {
            self.report()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Reports the nodes since the last report, and asks how many may follow.
    fn report(&mut self) -> Result<(), Stopped> {
        let granted = self.settle().min(NODES_BETWEEN_REPORTS);
        self.granted = self.nodes + granted;
        if granted > 0 { Ok(()) } else { Err(Stopped) }
    }

    /// Reports the nodes since the last report; how many may follow.
    pub(super) fn settle(&mut self) -> u64 {
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        (self.spend)(new)
    }

    /// The opponent keeps its stable discs: where there are many, the value cannot be above `alpha`.
    #[inline]
    fn stability_cut(&self, own: u64, enemy: u64, alpha: i32, empty: u32) -> Option<i32> {
        // A low value needs many stable discs, and with many empty squares there are few: not worth looking for.
        let least_alpha = 2 * empty as i32 - 16;
        if alpha < least_alpha {
            return None;
        }
        let bound = MOST - 2 * stable_discs(self.rims, enemy, own).count_ones() as i32;
        (bound <= alpha).then_some(bound)
    }

    /// Puts the moves to these squares on the stack.
    #[inline]
    fn list(&mut self, own: u64, enemy: u64, squares: u64) -> Range<usize> {
        let start = self.moves.len();
        order::list(&mut self.moves, own, enemy, squares);
        start..self.moves.len()
    }

    /// The most promising of the moves that are left.
    #[inline]
    fn take_best(&mut self, moves: &mut Range<usize>) -> Option<Candidate> {
        let rest = &mut self.moves[moves.clone()];
        let best = (1..rest.len()).fold(0, |best, i| if rest[i].rank > rest[best].rank { i } else { best });
        let picked = *rest.get(best)?;
        rest.swap(0, best);
        moves.start += 1;
        Some(picked)
    }

    /// Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls & de Bruin, "Exploiting graph properties of game trees",
    /// 1996): a move that the table knows to be good enough.
    fn look_ahead(&self, moves: Range<usize>, beta: i32, empty: u32) -> Option<i32> {
        if empty < LOOK_AHEAD {
            return None;
        }
        self.moves[moves].iter().find_map(|mv| {
            let bound = -self.memory.get(key(mv.own, mv.enemy), empty - 1)?.upper();
            (bound >= beta).then_some(bound)
        })
    }

    /// Lets the guide have a say in the order of moves.
    fn foresee(&mut self, moves: Range<usize>, empty: u32) -> Result<(), Stopped> {
        if !G::PRESENT || empty < FORESIGHT || moves.len() < 2 {
            return Ok(());
        }
        let depth = (empty - FORESIGHT) / FORESIGHT_STEP;
        for i in moves {
            let Candidate { own, enemy, rank, .. } = self.moves[i];
            if rank < CERTAIN {
                self.moves[i].rank = rank - self.estimate(own, enemy, depth, -BOUNDLESS, BOUNDLESS)? / GUIDE_DIVISOR;
            }
        }
        Ok(())
    }

    /// What the guide makes of a position after a search of this many plies, in hundredths of a disc.
    fn estimate(&mut self, own: u64, enemy: u64, depth: u32, mut alpha: i32, beta: i32) -> Result<i32, Stopped> {
        self.enter()?;
        if depth == 0 {
            return Ok(self.guide.value(&Position::new(own, enemy, Side::First)));
        }
        let mut squares = mobility(own, enemy);
        if squares == 0 {
            return if mobility(enemy, own) == 0 {
                Ok(100 * final_score(own, enemy))
            } else {
                self.estimate(enemy, own, depth, -beta, -alpha).map(|value| -value)
            };
        }
        while squares != 0 && alpha < beta {
            let mv = Candidate::new(own, enemy, squares.trailing_zeros());
            squares &= squares - 1;
            alpha = alpha.max(-self.estimate(mv.own, mv.enemy, depth - 1, -beta, -alpha)?);
        }
        Ok(alpha)
    }
}
