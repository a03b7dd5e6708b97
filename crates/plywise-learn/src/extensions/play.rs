//! Learning during play (section 6.5.2 of the thesis): games against an opponent, in which critical positions teach.

use super::{Event, Iteration, LearnExtensions, LearnedExtensions, Way, refused};
use crate::LearnableGame;
use crate::control::{CountingSearch, GrowthCounter, Lesson, Pupil, Slots};
use plywise_arena::openings;
use plywise_game::Side;
use plywise_game::pgn::GameResult;
use plywise_host::{AnyPosition, Ask, Engine, Move};
use plywise_run::{JobError, WorkError, Workplace};
use plywise_search::{Limits, Params, Signal};
use serde::{Deserialize, Serialize};

/// Weights for the middlegame, which the opening shares, and for the endgame.
const SLOTS: Slots = Slots::BY_CLASS_AND_PHASE;

/// A longer game is a draw.
const LONGEST: usize = 600;

/// One finished game: a line of the journal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Played {
    /// The result for the pupil: `win`, `draw` or `loss`.
    result: String,
    /// The nodes of all its searches.
    nodes: u64,
    /// What it learned from which move.
    lessons: Vec<String>,
    /// The length of the last gradient.
    gradient: f64,
    /// The weights after the game.
    weights: Vec<f64>,
}

pub(super) fn learn(
    job: &LearnExtensions,
    game: &dyn LearnableGame,
    workplace: &Workplace,
    watch: &(dyn Fn(Event) + Sync),
) -> Result<LearnedExtensions, JobError> {
    let Way::Play { delta, ref opponent, drop, lost, random_plies } = job.way else {
        return Err(JobError::input("there is no opponent"));
    };
    let (setup, opponent) = (job.setup(game)?, opponent.read(game).map_err(refused)?);
    let descent = job.descent();
    let (first, count) = (descent.weights.clone(), descent.weights.len());
    let mut played: Vec<Played> = Vec::new();
    let mut run = workplace.open(job, Some(job.iterations), &mut |game: Played| {
        if game.weights.len() != count {
            return Err(format!("there are {count} weights"));
        }
        played.push(game);
        Ok(())
    })?;
    let mut classroom = Classroom {
        job,
        game,
        delta,
        random_plies,
        pupil: Pupil::new(SLOTS, descent, drop, lost, delta),
        search: game.counting_search(&setup).map_err(refused)?,
        params: setup.params,
        opponent: game.engine(&opponent).map_err(refused)?,
    };
    watch(Event::Begun { left: job.iterations.saturating_sub(played.len() as u64) });
    while (played.len() as u64) < job.iterations && !workplace.stop.is_stopped() {
        let weights = played.last().map_or(&first, |last| &last.weights).clone();
        let Some(game) = classroom.play(played.len() as u64, weights, &workplace.stop)? else { break };
        run.as_mut().map_or(Ok(()), |run| run.append(&game)).map_err(WorkError::Journal)?;
        played.push(game);
        watch(Event::Done);
    }
    let Some(learned) = played.last().map(|last| last.weights.clone()) else { return Err(JobError::Interrupted) };
    let before = std::iter::once(&first).chain(played.iter().map(|game| &game.weights));
    let iteration = |(game, weights): (&Played, &Vec<f64>)| Iteration {
        nodes: game.nodes,
        solved: game.lessons.len(),
        weights: weights.clone(),
        gradient: game.gradient,
    };
    let iterations = played.iter().zip(before).map(iteration).collect();
    Ok(LearnedExtensions { positions: 0, iterations, best: None, learned, log: log(&played), fault: None })
}

fn log(played: &[Played]) -> String {
    let games = played.iter().enumerate().map(|(i, game)| {
        let lessons: String = game.lessons.iter().map(|lesson| format!("  {lesson}\n")).collect();
        format!("game {}: {}\n{lessons}", i + 1, game.result)
    });
    games.collect()
}

/// The pupil and its opponent.
struct Classroom<'a> {
    job: &'a LearnExtensions,
    game: &'a dyn LearnableGame,
    delta: f64,
    random_plies: u16,
    pupil: Pupil,
    /// The pupil's search, and its parameters without what was learned.
    search: Box<dyn CountingSearch>,
    params: Params,
    opponent: Box<dyn Engine>,
}

impl Classroom<'_> {
    /// Plays a game with these weights; two games in a row have the same opening with colours changed. `None` if `stop`
    /// interrupts it.
    fn play(&mut self, number: u64, weights: Vec<f64>, stop: &Signal) -> Result<Option<Played>, JobError> {
        // A game follows from the weights before it alone, so that a resumed run is the undisturbed one.
        self.pupil.descent.restart(weights);
        self.pupil.new_game();
        self.opponent.forget();
        let plies = self.random_plies.into();
        let opening = openings::random(&self.game.start(), plies, self.job.seed, number / 2);
        let mut game = opening.ok_or_else(|| JobError::input("random moves end the game too early"))?;
        let own = if number.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut played =
            Played { result: String::new(), nodes: 0, lessons: Vec::new(), gradient: 0.0, weights: Vec::new() };
        self.adopt_weights()?;
        while game.ended().is_none() && game.plies() < LONGEST {
            let is_own = game.side_to_move() == own;
            let mv = if is_own { self.think(&game, &mut played, stop)? } else { self.answer(&game, stop) };
            let Some(mv) = mv.filter(|_| !stop.is_stopped()) else { return Ok(None) };
            game.play(mv).map_err(JobError::failed)?;
        }
        let result = match game.result() {
            GameResult::Win(winner) if winner == own => "win",
            GameResult::Win(_) => "loss",
            GameResult::Draw | GameResult::Unknown => "draw",
        };
        played.result = result.to_owned();
        played.weights = self.pupil.descent.weights.clone();
        played.gradient = self.pupil.descent.gradient_norm();
        Ok(Some(played))
    }

    fn limits(&self) -> Limits {
        Limits::nodes(self.job.nodes)
    }

    fn answer(&mut self, game: &AnyPosition, stop: &Signal) -> Option<Move> {
        let limits = self.limits();
        self.opponent.search(&Ask::new(game), &limits, stop, &mut |_| {}).best_move()
    }

    /// The pupil's move, and what it learns before it.
    fn think(&mut self, game: &AnyPosition, played: &mut Played, stop: &Signal) -> Result<Option<Move>, JobError> {
        let limits = self.limits();
        let mut counter = GrowthCounter::new(SLOTS, (100.0 * self.delta).round() as i32);
        let Some(thought) = self.search.search(game, &limits, stop, &mut counter) else { return Ok(None) };
        played.nodes += thought.nodes;
        let prices = self.search.params().extensions.clone();
        let line = (thought.score, &thought.pv[..]);
        if let Some(lesson) = self.pupil.note(self.game, game, line, counter.finished(), &prices) {
            played.lessons.push(self.describe(game.plies(), &lesson));
            self.adopt_weights()?;
        }
        Ok(thought.pv.first().copied())
    }

    fn describe(&self, ply: usize, lesson: &Lesson) -> String {
        let path = lesson.position.write_line(&lesson.path);
        let weights: Vec<String> = self.pupil.descent.weights.iter().map(|weight| format!("{weight:.2}")).collect();
        let Lesson { expected, found, .. } = lesson;
        format!("ply {}: {expected} became {found} by {}; weights {}", ply - 1, path.join(" "), weights.join(" "))
    }

    /// Searches with what has been learned from now on.
    fn adopt_weights(&mut self) -> Result<(), JobError> {
        let mut params = self.params.clone();
        self.job.apply(&self.pupil.descent.weights, &mut params).map_err(JobError::input)?;
        self.search.set_params(&params);
        Ok(())
    }
}
