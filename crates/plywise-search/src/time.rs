//! The time manager: how much of a clock a move may take, and how hard it looks.
//!
//! A move has a share of the clock. Beyond a soft limit, a part of that share, no new iteration begins; at a hard limit
//! the search breaks off. The soft limit grows where the choice looks hard and shrinks where it looks easy: by what
//! finished iterations say, and by the share of their nodes that the best move took (as in Ethereal by Andrew Grant,
//! since 2018). Every number is a parameter of the group `time`.
//!
//! Nothing here reads a clock, so that whole games can be played in a test.

use crate::params::Time;
use crate::{Clock, Limits};
use plywise_game::Score;
use std::time::Duration;

/// How long to think: beyond `soft` a move of usual difficulty begins no new iteration, at `hard` the search breaks off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    soft: Duration,
    pub(crate) hard: Duration,
}

/// The shortest time for a move: enough for a first iteration in most games.
const LEAST: Duration = Duration::from_micros(200);

impl Plan {
    /// The plan that the limits ask for, if time is one of them.
    pub(crate) fn of(limits: &Limits, params: &Time) -> Option<Plan> {
        match (limits.movetime, limits.clock) {
            (None, None) => None,
            (Some(time), clock) => {
                let left = |clock: Clock| clock.remaining.saturating_sub(limits.overhead).max(LEAST);
                let time = clock.map_or(time, |clock| time.min(left(clock)));
                Some(Plan { soft: time, hard: time })
            }
            (None, Some(clock)) => Some(Plan::by_clock(clock, limits.overhead, params)),
        }
    }

    fn by_clock(clock: Clock, overhead: Duration, params: &Time) -> Plan {
        // What moves lose on their way to the clock adds up, and a busy machine may lose more: a reserve stays unspent.
        let reserve = overhead * (1 + params.reserve as u32);
        let usable = clock.remaining.saturating_sub(reserve.min(percent(clock.remaining, params.most_reserved)));
        // On a clock that shows little more than the reserve, less than the increment is spent until it shows more.
        let plenty = clock.remaining.as_secs_f64() / (2 * reserve).max(LEAST).as_secs_f64();
        let increment = percent(clock.increment(), params.increment).mul_f64(plenty.min(1.0));
        let expected = if increment.is_zero() { params.moves_without_increment } else { params.moves };
        let to_control = clock.moves_to_go.map_or(u32::MAX, |moves| moves.max(1).saturating_add(params.spare as u32));
        let moves = to_control.min(expected as u32);
        let share = usable / moves + increment;
        let hard = percent(share, params.longest).min(percent(usable, params.most)).max(LEAST);
        Plan { soft: percent(share, params.usual).min(hard), hard }
    }

    /// The time after which no new iteration begins, for a move that is `difficulty` times as hard as a usual one.
    pub(crate) fn soft(&self, difficulty: f64) -> Duration {
        self.soft.mul_f64(difficulty.max(0.0)).min(self.hard)
    }
}

fn percent(time: Duration, percent: i32) -> Duration {
    time * percent.max(0) as u32 / 100
}

/// What a finished iteration says about the choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finished {
    /// Its depth in plies.
    pub(crate) depth: i32,
    pub(crate) score: Score,
    /// Its best move is not the one of the iteration before.
    pub(crate) changed: bool,
    /// Its value fell below the window that was searched first.
    pub(crate) failed_low: bool,
    /// The part of its nodes that its best move took, from 0 to 1.
    pub(crate) effort: f64,
}

/// How hard the choice of a move looks after some iterations.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Difficulty {
    /// What changes of the best move and falls below the window add, halved by each iteration.
    unrest: f64,
    /// The mean score, in which the last iterations count most.
    mean: Option<f64>,
    /// How far the last score lies below the mean of those before it.
    fall: f64,
    /// The part of the nodes that the best move took, where that says anything.
    effort: Option<f64>,
    /// How many iterations in a row have confirmed the best move with nearly all of their nodes.
    easy: i32,
}

impl Difficulty {
    /// Takes note of an iteration.
    pub(crate) fn note(&mut self, finished: &Finished, params: &Time) {
        let Finished { depth, score, changed, failed_low, effort } = *finished;
        let more = |holds: bool, percent: i32| if holds { f64::from(percent) / 100.0 } else { 0.0 };
        self.unrest = self.unrest / 2.0 + more(changed, params.change) + more(failed_low, params.fail_low);
        let score = f64::from(score);
        let mean = self.mean.unwrap_or(score);
        self.fall = mean - score;
        self.mean = Some((mean + score) / 2.0);
        self.effort = (depth >= params.effort_depth).then_some(effort.clamp(0.0, 1.0));
        let is_easy =
            !changed && !failed_low && self.effort.is_some_and(|effort| effort * 100.0 >= params.easy_effort.into());
        self.easy = if is_easy { self.easy + 1 } else { 0 };
    }

    /// How much longer than usual the move is worth thinking about: 1 is usual.
    pub(crate) fn factor(&self, params: &Time) -> f64 {
        let part = |percent: i32| f64::from(percent) / 100.0;
        let fall = (self.fall / f64::from(params.drop_scale)).clamp(0.0, 1.0);
        let effort = self.effort.map_or(1.0, |effort| {
            let (most, least) = (part(params.effort_none), part(params.effort_all));
            most + (least - most) * effort
        });
        let easy = if self.easy >= params.easy_iterations { part(params.easy) } else { 1.0 };
        (1.0 + self.unrest) * (1.0 + part(params.drop) * fall) * effort * easy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Params, TimeControl};
    use plywise_game::random::Random;

    const PARAMS: &Time = &Params::DEFAULT.time;
    const OVERHEAD: Duration = Duration::from_millis(10);

    fn plan_for(clock: Clock) -> Plan {
        Plan::of(&Limits { clock: Some(clock), overhead: OVERHEAD, ..Limits::default() }, PARAMS).unwrap()
    }

    fn plan(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Plan {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        plan_for(Clock::showing(remaining, increment, moves_to_go))
    }

    #[test]
    fn a_plan_never_exceeds_the_clock() {
        for remaining in [0, 1, 5, 10, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 30_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let plan = plan(remaining, increment, moves_to_go);
                    assert!(plan.soft <= plan.hard && plan.soft(10.0) <= plan.hard);
                    let most = Duration::from_millis(remaining) * 9 / 10;
                    assert!(plan.hard <= most.max(LEAST), "{remaining} {increment} {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn more_time_gives_longer_plans() {
        assert!(plan(60_000, 0, None).soft > plan(30_000, 0, None).soft);
        assert!(plan(60_000, 0, Some(5)).soft > plan(60_000, 0, Some(20)).soft);
        assert!(plan(60_000, 500, None).soft > plan(60_000, 0, None).soft);
    }

    #[test]
    fn a_time_for_the_move_never_exceeds_the_clock() {
        let hard = |text: &str| {
            let limits = Limits { movetime: Some(Duration::from_secs(5)), ..Limits::clock(text.parse().unwrap()) };
            Plan::of(&limits, PARAMS).unwrap().hard
        };
        assert_eq!(hard("40/60"), Duration::from_secs(5));
        assert_eq!(hard("2"), Duration::from_secs(2));
    }

    /// An iteration that says nothing in particular.
    const USUAL: Finished = Finished { depth: 10, score: 20, changed: false, failed_low: false, effort: 0.55 };

    /// The difficulty after some iterations.
    fn factor(iterations: &[Finished]) -> f64 {
        let mut difficulty = Difficulty::default();
        iterations.iter().for_each(|finished| difficulty.note(finished, PARAMS));
        difficulty.factor(PARAMS)
    }

    #[test]
    fn a_usual_move_takes_its_usual_time() {
        assert_eq!(factor(&[]), 1.0);
        assert!((factor(&[USUAL; 8]) - 1.0).abs() < 0.02, "{}", factor(&[USUAL; 8]));
    }

    #[test]
    fn a_hard_choice_takes_longer_and_an_easy_one_less() {
        let usual = factor(&[USUAL; 8]);
        for harder in [
            Finished { changed: true, ..USUAL },
            Finished { failed_low: true, ..USUAL },
            Finished { score: -20, ..USUAL },
            Finished { effort: 0.2, ..USUAL },
        ] {
            assert!(factor(&[USUAL, USUAL, harder]) > 1.1 * usual, "{harder:?}");
            let settled = factor(&[USUAL, harder, USUAL, USUAL, USUAL, USUAL, USUAL]);
            assert!((settled - usual).abs() < 0.1, "it settles: {settled} after {harder:?}");
        }
        let (busy, rising) = (Finished { effort: 0.95, ..USUAL }, Finished { score: 90, ..USUAL });
        assert!(factor(&[USUAL, busy]) < 0.7 * usual, "most nodes for one move");
        assert!(factor(&[busy; 6]) < 0.7 * factor(&[busy]), "again and again");
        assert!(factor(&[USUAL, rising]) <= usual, "a better score is no reason to think");
        let shallow = Finished { depth: 2, effort: 0.0, ..USUAL };
        assert_eq!(factor(&[shallow]), 1.0, "the nodes of the first iterations say nothing");
    }

    /// One player's side of a game on a clock: how long each move takes, and what it does not use.
    struct Game {
        clock: Clock,
        random: Random,
        /// What the machine keeps from a move at most; now and then a hundred times as much.
        lost: Duration,
        spent: Vec<Duration>,
    }

    impl Game {
        fn new(control: &str, lost: Duration, seed: u64) -> Game {
            let control: TimeControl = control.parse().unwrap();
            Game { clock: Clock::new(control), random: Random::new(seed), lost, spent: Vec::new() }
        }

        fn chance(&mut self, probability: f64) -> bool {
            self.random.fraction() < probability
        }

        /// A search: iterations that take longer and longer, some of which surprise.
        fn think(&mut self) -> Duration {
            let plan = plan_for(self.clock);
            let mut difficulty = Difficulty::default();
            let (mut elapsed, mut iteration) = (Duration::ZERO, Duration::from_micros(20));
            let is_easy = self.chance(0.1);
            for depth in 1.. {
                elapsed += iteration;
                if elapsed >= plan.hard {
                    return plan.hard;
                }
                let effort = if is_easy { 0.97 } else { 0.2 + 0.7 * self.random.fraction() };
                let score = (40.0 * self.random.fraction()) as Score;
                let (changed, failed_low) = (self.chance(0.15), self.chance(0.1));
                difficulty.note(&Finished { depth, score, changed, failed_low, effort }, PARAMS);
                if elapsed >= plan.soft(difficulty.factor(PARAMS)) {
                    break;
                }
                iteration = iteration.mul_f64(1.3 + 1.2 * self.random.fraction());
            }
            elapsed
        }

        /// Plays a move, unless the clock runs out.
        fn play(&mut self) -> Result<(), String> {
            let thought = self.think();
            let stall = if self.chance(0.01) { 100.0 } else { 1.0 };
            let elapsed = thought + self.lost.mul_f64(stall * self.random.fraction());
            if elapsed > self.clock.remaining {
                let Clock { remaining, .. } = self.clock;
                return Err(format!("move {}: {elapsed:?} of {remaining:?}", self.spent.len() + 1));
            }
            self.clock.spend(elapsed);
            self.spent.push(elapsed);
            Ok(())
        }
    }

    /// Many games of a player who loses some microseconds with each move.
    fn games(control: &str, moves: usize, lost: u64, each: impl Fn(&Game)) {
        for seed in 0..200 {
            let mut game = Game::new(control, Duration::from_micros(lost), seed);
            for _ in 0..moves {
                game.play().unwrap_or_else(|why| panic!("{control}, game {seed}, {why}"));
            }
            each(&game);
        }
    }

    fn sum(times: &[Duration]) -> f64 {
        times.iter().sum::<Duration>().as_secs_f64()
    }

    #[test]
    fn no_game_is_lost_on_time() {
        for (control, lost) in [
            ("0.2+0.002", 200),
            ("1+0.01", 500),
            ("8+0.08", 2000),
            ("0+0.1", 300),
            ("40/4", 1000),
            ("40/60", 1000),
            ("1/0.1", 300),
            ("2/1+0.01", 300),
            ("10", 100),
            ("60", 200),
        ] {
            games(control, 300, lost, |_| {});
        }
    }

    #[test]
    fn sudden_death_is_spent_early_but_never_whole() {
        games("10", 300, 0, |game| {
            let (first, most) = (sum(&game.spent[..40]), game.spent.iter().max().unwrap());
            assert!((4.0..9.0).contains(&first), "{first} s of 10 for the first 40 moves");
            assert!(*most <= Duration::from_secs(2), "{most:?} for one move");
            assert!(game.clock.remaining >= Duration::from_millis(20), "{:?} are left", game.clock.remaining);
        });
    }

    #[test]
    fn increments_are_spent_as_they_come() {
        games("10+0.1", 300, 0, |game| {
            let late = sum(&game.spent[200..]) / 100.0;
            assert!((0.09..0.12).contains(&late), "{late} s for each late move");
            assert!(sum(&game.spent[..60]) > 10.0, "{} s of 16 for 60 moves", sum(&game.spent[..60]));
        });
    }

    #[test]
    fn what_is_for_the_moves_to_a_control_is_spent_by_then() {
        games("40/4", 200, 0, |game| {
            for (number, moves) in game.spent.chunks(40).enumerate() {
                let begun = if number == 0 { 4.0 } else { 4.0 + 4.0 * number as f64 - sum(&game.spent[..40 * number]) };
                assert!(sum(moves) > 0.85 * begun, "{} s of {begun}", sum(moves));
                let (early, late) = (sum(&moves[..20]), sum(&moves[20..]));
                assert!(early < 4.0 * late, "{early} s and {late} s for the halves");
            }
        });
    }
}
