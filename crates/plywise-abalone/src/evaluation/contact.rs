//! Features that depend on the marbles of both sides, what is lost, and whose turn it is.

use super::UNIT;
use super::Weights;
use crate::board::Position;
use crate::cells::{Direction, for_each_direction};
use crate::moves::{Pushers, pushers};
use plywise_game::linear::{Owner, Terms};

#[inline(always)]
pub(super) fn add(position: &Position, terms: &mut impl Terms<Weights>) {
    let (own, enemy, empty) = (position.own(), position.enemy(), position.empty());
    add_material(position, terms);
    let (attack, defence) = (Attack::of(own, enemy, empty), Attack::of(enemy, own, empty));
    terms.add_both(|w| &mut w.contact.breaks, UNIT, [attack.breaks, defence.breaks]);
    terms.add_both(|w| &mut w.contact.pushes, UNIT, [attack.pushes, defence.pushes]);
    terms.add_both(|w| &mut w.contact.pressed, UNIT, [attack.pressed, defence.pressed]);
    terms.add(Owner::Mover, |w| &mut w.threats.to_move, UNIT * attack.ejections);
    terms.add(Owner::Opponent, |w| &mut w.threats.waiting, UNIT * defence.ejections);
    terms.add(Owner::Mover, |w| &mut w.turn.bonus, UNIT);
}

#[inline(always)]
fn add_material(position: &Position, terms: &mut impl Terms<Weights>) {
    let side = position.side_to_move();
    let (own_lost, enemy_lost) = (usize::from(position.lost(side)), usize::from(position.lost(!side)));
    for i in 0..5 {
        let ejected = [i32::from(enemy_lost > i), i32::from(own_lost > i)];
        terms.add_both(|w| &mut w.material.ejected[i], UNIT, ejected);
    }
}

/// What the marbles of one side do to those of the other.
#[derive(Default)]
struct Attack {
    breaks: i32,
    pushes: i32,
    pressed: i32,
    ejections: i32,
}

impl Attack {
    #[inline(always)]
    fn of(own: u64, enemy: u64, empty: u64) -> Attack {
        let count = |cells: u64| cells.count_ones() as i32;
        let mut attack = Attack::default();
        for axis in Direction::AXES {
            attack.breaks += count(own & axis.shift(enemy) & axis.before(enemy));
        }
        for_each_direction!(|D| {
            let on_rim = enemy & D.rim();
            attack.pressed += count(own & D.before(on_rim));
            // Three that push one do no more than two, so each enemy line counts once. The last of two who push has
            // an enemy two steps ahead, the last of three a friend: the two sets share no cell.
            let Pushers { one_by_two, two_by_three, .. } = pushers(D, own, enemy, on_rim);
            attack.ejections += count(one_by_two | two_by_three);
            let Pushers { one_by_two, two_by_three, .. } = pushers(D, own, enemy, enemy & D.before(empty));
            attack.pushes += count(one_by_two | two_by_three);
        });
        attack
    }
}
