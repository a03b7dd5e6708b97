//! One game, from its opening to its end.

use super::adjudication::{Adjudication, Adjudicator};
use super::observer::Observer;
use super::record::{Ending, GameRecord, MoveRecord, time_control};
use super::rules::Rules;
use super::schedule::Fixture;
use crate::player::{Action, Fault, FaultKind, Player, Reply, Thought, Turn};
use plywise_game::notation::excerpt;
use plywise_game::pgn::{self, GameResult};
use plywise_game::{Ended, Side};
use plywise_host::{AnyPosition, Move, Style};
use plywise_search::{Clock, Limits, Signal};
use std::time::{Duration, SystemTime};

/// What a game needs.
pub(super) struct GameSetup<'a> {
    pub fixture: Fixture,
    pub opening: &'a AnyPosition,
    /// The limits of the player who moves first and of the one who moves second.
    pub limits: [&'a Limits; 2],
    pub names: [&'a str; 2],
    /// Where the random numbers of each come from.
    pub seeds: [u64; 2],
    pub rules: &'a Rules,
    pub observer: &'a dyn Observer,
    /// Set when the game need not be finished: by the caller, or because the match is over.
    pub stop: &'a Signal,
}

/// Plays a game; `None` where it was stopped. The players are the one who moves first and the one who moves second.
pub(super) fn play(setup: &GameSetup, players: [&mut dyn Player; 2]) -> Option<GameRecord> {
    Game::new(setup).play(players)
}

/// The record of a game that could not begin because a player could not be brought to the board.
pub(super) fn without_player(setup: &GameSetup, offender: Side, fault: Fault) -> GameRecord {
    let game = Game::new(setup);
    let (result, ending) = game.lost_by(offender, fault);
    game.record(result, ending)
}

struct Game<'a> {
    setup: &'a GameSetup<'a>,
    position: AnyPosition,
    played: Vec<MoveRecord>,
    clocks: [Option<Clock>; 2],
    adjudicator: Adjudicator,
    /// Whether the last move came with the offer of a draw.
    draw_offered: bool,
}

impl<'a> Game<'a> {
    fn new(setup: &'a GameSetup<'a>) -> Game<'a> {
        let mut game = Game {
            setup,
            position: setup.opening.at(0),
            played: Vec::new(),
            clocks: setup.limits.map(|limits| limits.clock),
            adjudicator: Adjudicator::new(setup.rules),
            draw_offered: false,
        };
        for mv in setup.opening.moves() {
            game.advance(mv, None, None, Thought::default());
        }
        game
    }

    fn play(mut self, mut players: [&mut dyn Player; 2]) -> Option<GameRecord> {
        let (result, ending) = match self.begin(&mut players) {
            Some(ended) => ended,
            None => loop {
                if self.setup.stop.is_stopped() {
                    return None;
                }
                if let Some(ended) = self.ended_on_board().or_else(|| self.take_turn(&mut players)) {
                    break ended;
                }
            },
        };
        // A player that has failed is not spoken to any more.
        let failed = match &ending {
            Ending::Fault { first, .. } => Some(usize::from(!first)),
            _ => None,
        };
        for (i, player) in players.iter_mut().enumerate() {
            if failed != Some(i) {
                player.end(&result.to_string(), &ending.to_string());
            }
        }
        Some(self.record(result, ending))
    }

    fn begin(&self, players: &mut [&mut dyn Player; 2]) -> Option<(GameResult, Ending)> {
        for (side, player) in [Side::First, Side::Second].into_iter().zip(players) {
            let i = side as usize;
            if let Err(fault) = player.begin(self.setup.opening, side, self.setup.limits[i], self.setup.seeds[i]) {
                return Some(self.lost_by(side, fault));
            }
        }
        None
    }

    /// What the rules of the game and of the match say about the position on the board.
    fn ended_on_board(&self) -> Option<(GameResult, Ending)> {
        let rules = self.setup.rules;
        let words = || self.position.describe_end();
        match self.position.ended_with(rules.repetitions.map(|limit| limit.max(2) as usize)) {
            Some(Ended::Decided(outcome)) => {
                let result = GameResult::of(outcome, self.position.side_to_move());
                Some((result, Ending::Decided { words: words() }))
            }
            Some(Ended::Repetition(times)) => {
                Some((GameResult::Draw, Ending::Repetition { times: times.try_into().unwrap_or(u32::MAX) }))
            }
            Some(Ended::DrawnByRule) => Some((GameResult::Draw, Ending::DrawnByRule { words: words() })),
            None => {
                let is_too_long = rules.longest.is_some_and(|longest| self.position.plies() >= longest as usize);
                is_too_long.then_some((GameResult::Draw, Ending::TooLong))
            }
        }
    }

    fn take_turn(&mut self, players: &mut [&mut dyn Player; 2]) -> Option<(GameResult, Ending)> {
        let side = self.position.side_to_move();
        let reply = self.ask(side, &mut *players[side as usize]);
        // A player that was interrupted is not to blame for what it answers.
        if self.setup.stop.is_stopped() {
            return None;
        }
        let reply = match reply {
            Ok(reply) => reply,
            Err(fault) => return Some(self.lost_by(side, fault)),
        };
        let Action::Play(text) = &reply.action else {
            return Some((GameResult::Win(!side), Ending::Resignation));
        };
        match self.position.parse_move(text) {
            Ok(mv) => self.accept(side, mv, &reply),
            Err(problem) => {
                let detail = format!("'{}' in {}: {problem}", excerpt(text), self.position.text());
                Some(self.lost_by(side, Fault::new(FaultKind::IllegalMove, detail)))
            }
        }
    }

    /// Asks for a reply, and checks it against the clock.
    fn ask(&self, side: Side, player: &mut dyn Player) -> Result<Reply, Fault> {
        let rules = self.setup.rules;
        let limits = self.setup.limits[side as usize];
        let clocks = [self.clocks[side as usize], self.clocks[!side as usize]];
        let allowed = [clocks[0].map(|clock| clock.remaining), limits.movetime].into_iter().flatten().min();
        let deadline = allowed.map(|allowed| allowed + rules.margin);
        let reply = player.choose(&Turn {
            position: &self.position,
            limits,
            clocks,
            draw_offered: self.draw_offered,
            deadline,
            patience: if deadline.is_some() { rules.grace } else { rules.untimed_patience },
            stop: self.setup.stop,
        })?;
        if let Some(remark) = player.remark() {
            self.setup.observer.remarked(self.setup.names[side as usize], &remark);
        }
        match (allowed, deadline) {
            (Some(allowed), Some(deadline)) if reply.elapsed > deadline => {
                let detail = format!("{} s where {} s were left", seconds(reply.elapsed), seconds(allowed));
                Err(Fault::new(FaultKind::TimeForfeit, detail))
            }
            _ => Ok(reply),
        }
    }

    /// Plays a legal move, and sees what the players' scores and offers make of it.
    fn accept(&mut self, side: Side, mv: Move, reply: &Reply) -> Option<(GameResult, Ending)> {
        let clock = &mut self.clocks[side as usize];
        if let Some(clock) = clock {
            clock.spend(reply.elapsed);
        }
        let remaining = clock.map(|clock| clock.remaining);
        let score = reply.thought.score;
        self.advance(mv, Some(reply.elapsed), remaining, reply.thought);
        if let Some(played) = self.played.last() {
            self.setup.observer.moved(&self.setup.fixture, played);
        }
        // The result on the board comes before what the players think.
        if let Some(ended) = self.ended_on_board() {
            return Some(ended);
        }
        if reply.offers_draw && self.draw_offered {
            return Some((GameResult::Draw, Ending::Agreement));
        }
        self.draw_offered = reply.offers_draw;
        Some(match self.adjudicator.observe(self.position.plies(), side, score)? {
            Adjudication::Draw => (GameResult::Draw, Ending::AdjudicatedDraw),
            Adjudication::Win(winner) => (GameResult::Win(winner), Ending::AdjudicatedWin),
        })
    }

    fn advance(&mut self, mv: Move, elapsed: Option<Duration>, clock: Option<Duration>, thought: Thought) {
        let text = self.position.write_move_as(mv, Style::Engine);
        // Only legal moves come here: those of an opening that was checked, and those that were just read.
        let _ = self.position.play(mv);
        self.played.push(MoveRecord { text, elapsed, clock, thought });
    }

    fn lost_by(&self, offender: Side, fault: Fault) -> (GameResult, Ending) {
        self.setup.observer.failed(&self.setup.fixture, self.setup.names[offender as usize], &fault);
        (GameResult::Win(!offender), Ending::Fault { first: offender == Side::First, fault })
    }

    fn record(self, result: GameResult, ending: Ending) -> GameRecord {
        GameRecord {
            index: self.setup.fixture.index,
            players: self.setup.fixture.players,
            names: self.setup.names.map(str::to_owned),
            opening: self.setup.fixture.opening,
            date: pgn::write_date(SystemTime::now()),
            time_controls: self.setup.limits.map(time_control),
            start: self.setup.opening.at(0).text(),
            moves: self.played,
            result,
            ending,
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}
