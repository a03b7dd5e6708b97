//! Evaluations that are linear in declared weights: one code path that serves the search, explanations and tuners.
//!
//! The code that looks at a position names each weight and its amount to [`Terms`]. A [`Sum`] adds up the value, a
//! [`Record`] writes the amounts down; so people, tuners and the search always see the same amounts.
//!
//! ```
//! use plywise_game::linear::{Balance, Owner, Record, Sum, Terms};
//! use plywise_game::parameters::Parameters;
//!
//! plywise_game::parameters! {
//!     /// Weights.
//!     pub struct Weights;
//!     /// Discs on the board.
//!     discs: Discs {
//!         /// Each disc.
//!         each: 0..=100 = 7;
//!         /// Each disc in the middle.
//!         central: 0..=100 = 3;
//!     }
//! }
//! fn look(terms: &mut impl Terms<Weights>) {
//!     terms.add_both(|weights| &mut weights.discs.each, 1, [9, 4]);
//!     terms.add(Owner::Opponent, |weights| &mut weights.discs.central, 1);
//! }
//! let mut weights = Weights::DEFAULT;
//! let mut sum = Sum::new(&mut weights);
//! look(&mut sum);
//! assert_eq!(sum.total(), 5 * 7 - 3);
//! let mut record = Record::new();
//! look(&mut record);
//! assert_eq!(record.amounts(), [5, -1]);
//! assert_eq!(record.amounts_of(Owner::Opponent), [4, 1]);
//! let mut balance = Balance::new();
//! look(&mut balance);
//! let mut amounts = Vec::new();
//! balance.take(|place, amount| amounts.push((place, amount)));
//! assert_eq!(amounts, [(0, 5), (1, -1)]);
//! ```

use crate::parameters::{Parameter, Parameters};
use crate::{Explanation, Game, Notation, Score};

/// The weights of an evaluation that is linear in them.
pub trait Linear<G: Game>: Parameters + Default {
    /// What the sum of weights times amounts is divided by to give points: amounts, and sometimes weights, are in fixed
    /// point.
    const UNIT: i32;

    /// The points that a sum of weights times amounts stands for. An evaluation that rounds otherwise says so here.
    #[inline(always)]
    fn points(sum: i32) -> Score {
        sum / Self::UNIT
    }

    /// Names every term of a position to `terms`.
    fn add_terms(position: &G::Position, terms: &mut impl Terms<Self>);

    // Provided: do not override.

    /// The terms of a position, written down.
    fn record(position: &G::Position) -> Record<Self> {
        let mut record = Record::new();
        Self::add_terms(position, &mut record);
        record
    }

    /// What the value of `position` is made of: the nonzero amounts, each with the place of its weight in the order of
    /// declaration. The value for the side to move is the sum of weights times amounts, before it is rounded.
    fn amounts(position: &G::Position) -> Vec<(usize, f64)> {
        let amounts = Self::record(position).amounts().into_iter().enumerate().filter(|&(_, amount)| amount != 0);
        amounts.map(|(place, amount)| (place, f64::from(amount) / f64::from(Self::UNIT))).collect()
    }

    /// The value of a position term by term, for both sides.
    fn explain(&self, position: &G::Position) -> Explanation
    where
        G: Notation,
    {
        Explanation::new::<G, Self>(self, position)
    }
}

/// Who has a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The side to move: what it has counts for the value.
    Mover,
    /// The other side: what it has counts against it.
    Opponent,
}

/// Receives the terms of an evaluation.
pub trait Terms<W> {
    /// Takes note of one term: `pick` points out the weight. Amounts may be in fixed point.
    fn add(&mut self, owner: Owner, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32);

    /// Takes note of how much each side has of one feature, the side to move first: the amounts are `unit` times these.
    #[inline(always)]
    fn add_both(&mut self, pick: impl Fn(&mut W) -> &mut i32, unit: i32, [mover, opponent]: [i32; 2]) {
        self.add(Owner::Mover, &pick, unit * mover);
        self.add(Owner::Opponent, &pick, unit * opponent);
    }
}

/// Adds the terms up.
#[derive(Debug)]
pub struct Sum<'a, W> {
    // Borrowed as mutable because the same `pick` serves `Record`, which writes. Nothing here does.
    weights: &'a mut W,
    total: i32,
}

impl<'a, W> Sum<'a, W> {
    /// Nothing so far.
    pub fn new(weights: &'a mut W) -> Sum<'a, W> {
        Sum { weights, total: 0 }
    }

    /// The sum of weights times amounts, for the side to move.
    pub fn total(&self) -> i32 {
        self.total
    }
}

impl<W> Terms<W> for Sum<'_, W> {
    #[inline(always)]
    fn add(&mut self, owner: Owner, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32) {
        // One chain of additions, which compilers can turn into vectors.
        let signed = if owner == Owner::Mover { amount } else { -amount };
        self.total += *pick(self.weights) * signed;
    }

    #[inline(always)]
    fn add_both(&mut self, pick: impl Fn(&mut W) -> &mut i32, unit: i32, [mover, opponent]: [i32; 2]) {
        self.total += *pick(self.weights) * (unit * (mover - opponent));
    }
}

/// Writes the amounts down, each in the place of its weight.
#[derive(Debug)]
pub struct Record<W> {
    mover: W,
    opponent: W,
}

impl<W: Parameters + Default> Record<W> {
    /// Nothing so far.
    pub fn new() -> Record<W> {
        let mut nothing = W::default();
        nothing.visit_mut(&mut |_, amount| *amount = 0);
        Record { mover: nothing.clone(), opponent: nothing }
    }

    /// The amounts of one side, in the order of declaration.
    pub fn amounts_of(&self, owner: Owner) -> Vec<i32> {
        match owner {
            Owner::Mover => self.mover.values(),
            Owner::Opponent => self.opponent.values(),
        }
    }

    /// What the side to move has more than the other, in the order of declaration.
    pub fn amounts(&self) -> Vec<i32> {
        let [mover, opponent] = [Owner::Mover, Owner::Opponent].map(|owner| self.amounts_of(owner));
        mover.into_iter().zip(opponent).map(|(mover, opponent)| mover - opponent).collect()
    }
}

impl<W: Parameters + Default> Default for Record<W> {
    fn default() -> Record<W> {
        Record::new()
    }
}

impl<W> Terms<W> for Record<W> {
    fn add(&mut self, owner: Owner, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32) {
        let amounts = match owner {
            Owner::Mover => &mut self.mover,
            Owner::Opponent => &mut self.opponent,
        };
        *pick(amounts) += amount;
    }
}

/// Writes down what the side to move has more than the other, position after position: faster than a [`Record`] of each,
/// which asks every weight for its place. It knows weights by where they lie within `W`, as
/// [`parameters!`](crate::parameters!) lays them out: all inside, none elsewhere.
#[derive(Debug)]
pub struct Balance<W> {
    weights: W,
    /// The place of the weight at this distance, in numbers, from the start of `weights`.
    places: Vec<usize>,
    amounts: Vec<i32>,
    touched: Vec<usize>,
}

impl<W: Parameters + Default> Balance<W> {
    /// Nothing so far.
    pub fn new() -> Balance<W> {
        let mut weights = W::default();
        let base = address(&weights);
        let mut places = vec![usize::MAX; size_of::<W>() / size_of::<i32>()];
        let mut count = 0;
        weights.visit_mut(&mut |_, weight| {
            places[(address(weight) - base) / size_of::<i32>()] = count;
            count += 1;
        });
        Balance { weights, places, amounts: vec![0; count], touched: Vec::new() }
    }

    /// Calls `each` for every weight with a nonzero amount since the last time: its place in the order of declaration,
    /// and how much the side to move has more than the other.
    pub fn take(&mut self, mut each: impl FnMut(usize, i32)) {
        for place in self.touched.drain(..) {
            let amount = std::mem::take(&mut self.amounts[place]);
            if amount != 0 {
                each(place, amount);
            }
        }
    }
}

impl<W: Parameters + Default> Default for Balance<W> {
    fn default() -> Balance<W> {
        Balance::new()
    }
}

impl<W> Terms<W> for Balance<W> {
    #[inline]
    fn add(&mut self, owner: Owner, pick: impl FnOnce(&mut W) -> &mut i32, amount: i32) {
        let base = address(&self.weights);
        let place = self.places[(address(pick(&mut self.weights)) - base) / size_of::<i32>()];
        self.touched.push(place);
        self.amounts[place] += if owner == Owner::Mover { amount } else { -amount };
    }
}

/// Where something lies: with this the weight that is picked from a set is known without a search.
fn address<T>(place: &T) -> usize {
    std::ptr::from_ref(place).addr()
}

/// No weights: for an evaluation that is not linear, or has nothing to set.
impl Parameters for () {
    fn visit(&self, _each: &mut dyn FnMut(&Parameter, i32)) {}

    fn visit_mut(&mut self, _each: &mut dyn FnMut(&Parameter, &mut i32)) {}
}

/// No terms, so nothing to explain or to tune.
impl<G: Game> Linear<G> for () {
    const UNIT: i32 = 1;

    fn add_terms(_position: &G::Position, _terms: &mut impl Terms<()>) {}
}
