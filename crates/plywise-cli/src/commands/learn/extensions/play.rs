//! Learning during play (section 6.5.2 of the thesis): games against an opponent, in which critical positions teach.

use super::course::{Course, Iteration};
use super::{Arguments, delta, descent, prices, work};
use crate::arguments::ResourceArgs;
use crate::engine::{Setup, TypedSetup, hosted, setup_of_profile};
use crate::games::Playable;
use crate::memory::check_tables;
use crate::progress::Meter;
use crate::runs::{Work, describe_setup, fail};
use crate::text::write_moves;
use crate::{Failure, Result};
use plywise_arena::openings;
use plywise_arena::run::WorkError;
use plywise_game::{GameSoFar, Side};
use plywise_learn::control::{GrowthCounter, Lesson, Pupil, Slots};
use plywise_net::NetworkEvaluation;
use plywise_search::{Limits, Request, Searcher, Signal};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Weights for the middlegame, which the opening shares, and for the endgame.
const SLOTS: Slots = Slots::BY_CLASS_AND_PHASE;

/// A game that goes on for so long is a draw.
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

pub(super) fn learn<G: Playable>(args: &Arguments, games: u64, setup: &Setup, stop: &Signal) -> Result<Course> {
    let resources = ResourceArgs { hash: args.resources.hash, ..ResourceArgs::default() };
    let opponent = setup_of_profile::<G>(&args.against, &resources)?;
    check_tables(args.resources.hash, 2)?;
    let descent = descent(args, prices(args, &SLOTS));
    let (first, count) = (descent.weights.clone(), descent.weights.len());
    let what = json!({
        "way": "play",
        "player": describe_setup(&*hosted::<G>(), setup)?,
        "opponent": describe_setup(&*hosted::<G>(), &opponent)?,
        "drop": args.drop,
        "lost": args.lost,
        "random_plies": args.random_plies,
    });
    let is_whole = |played: &Played| match played.weights.len() == count {
        true => Ok(()),
        false => Err(format!("there are {count} weights")),
    };
    let (mut run, mut played) =
        args.run.open(Work::new(work(args, &descent, what), args.play), &mut |each| is_whole(each))?;
    let mut lesson = Classroom {
        args,
        setup: setup.clone(),
        pupil: Pupil::new(SLOTS, descent, args.drop, args.lost, delta(args)),
        searchers: [setup.searcher::<G>()?, opponent.searcher::<G>()?],
    };
    let mut meter = Meter::new(games.saturating_sub(played.len() as u64), "games");
    while (played.len() as u64) < games && !stop.is_stopped() {
        let weights = played.last().map_or(&first, |last: &Played| &last.weights).clone();
        let Some(game) = lesson.play(played.len() as u64, weights, stop)? else { break };
        run.as_mut().map_or(Ok(()), |run| run.append(&game)).map_err(|error| fail(WorkError::Journal(error)))?;
        played.push(game);
        meter.advance();
    }
    meter.finish();
    let before = std::iter::once(&first).chain(played.iter().map(|game| &game.weights));
    let iteration = |(game, weights): (&Played, &Vec<f64>)| Iteration {
        nodes: game.nodes,
        solved: game.lessons.len(),
        weights: weights.clone(),
        gradient: game.gradient,
    };
    Ok(Course {
        tunables: lesson.pupil.descent.tunables.clone(),
        positions: 0,
        iterations: played.iter().zip(before).map(iteration).collect(),
        learned: played.last().map(|last| last.weights.clone()),
        slots: Some(SLOTS),
        log: log(&played),
        run,
        fault: None,
    })
}

fn log(played: &[Played]) -> String {
    let games = played.iter().enumerate().map(|(i, game)| {
        let lessons: String = game.lessons.iter().map(|lesson| format!("  {lesson}\n")).collect();
        format!("game {}: {}\n{lessons}", i + 1, game.result)
    });
    games.collect()
}

/// The pupil, and both players' minds.
struct Classroom<'a, G: Playable> {
    args: &'a Arguments,
    setup: Setup,
    pupil: Pupil<G>,
    searchers: [Searcher<G, NetworkEvaluation<G>>; 2],
}

impl<G: Playable> Classroom<'_, G> {
    /// Plays a game with these weights; two games in a row have the same opening with colours changed. Nothing comes of
    /// one that is interrupted.
    fn play(&mut self, number: u64, weights: Vec<f64>, stop: &Signal) -> Result<Option<Played>> {
        // A game follows from the weights before it alone, so that a resumed run is the undisturbed one.
        self.pupil.descent.restart(weights);
        self.pupil.new_game();
        self.searchers[1].forget();
        let plies = self.args.random_plies.into();
        let opening = openings::random(&hosted::<G>().start(), plies, self.args.seed, number / 2);
        let opening = opening.ok_or_else(|| Failure::input("random moves end the game too early"))?;
        let mut game = opening.typed::<G>().cloned().unwrap_or_else(|| GameSoFar::new(G::start()));
        let own = if number.is_multiple_of(2) { Side::First } else { Side::Second };
        let mut played =
            Played { result: String::new(), nodes: 0, lessons: Vec::new(), gradient: 0.0, weights: Vec::new() };
        self.adopt_weights()?;
        while game.ended().is_none() && game.moves().len() < LONGEST {
            let is_own = game.side_to_move() == own;
            let mv = if is_own { self.think(&game, &mut played, stop)? } else { self.answer(&game, stop) };
            let Some(mv) = mv.filter(|_| !stop.is_stopped()) else { return Ok(None) };
            game.play(mv);
        }
        let result = match game.winner() {
            Some(winner) if winner == own => "win",
            Some(_) => "loss",
            None => "draw",
        };
        played.result = result.to_owned();
        played.weights = self.pupil.descent.weights.clone();
        played.gradient = self.pupil.descent.gradient_norm();
        Ok(Some(played))
    }

    fn limits(&self) -> Limits {
        Limits { nodes: Some(self.args.nodes), ..Limits::default() }
    }

    fn answer(&mut self, game: &GameSoFar<G>, stop: &Signal) -> Option<G::Move> {
        let limits = self.limits();
        self.searchers[1].search(&Request::of(game), &limits, stop, &mut ()).best_move()
    }

    /// The pupil's move, and what it learns before it.
    fn think(&mut self, game: &GameSoFar<G>, played: &mut Played, stop: &Signal) -> Result<Option<G::Move>> {
        let limits = self.limits();
        let mut counter = GrowthCounter::new(SLOTS, (100.0 * delta(self.args)).round() as i32);
        let report = self.searchers[0].search(&Request::of(game), &limits, stop, &mut counter);
        played.nodes += report.nodes;
        let Some(line) = report.lines.first() else { return Ok(None) };
        let (position, previous) = (game.position(), game.moves().last().copied());
        let prices = &self.searchers[0].params().extensions.clone();
        let lesson = self.pupil.note(position, previous, (line.score, &line.pv), counter.finished(), prices);
        if let Some(lesson) = lesson {
            played.lessons.push(self.describe(game.moves().len(), &lesson));
            self.adopt_weights()?;
        }
        Ok(line.pv.first().copied())
    }

    fn describe(&self, ply: usize, lesson: &Lesson<G>) -> String {
        let path = write_moves::<G>(&lesson.position, &lesson.path, |position, mv| G::write_move(position, mv));
        let weights: Vec<String> = self.pupil.descent.weights.iter().map(|weight| format!("{weight:.2}")).collect();
        let Lesson { expected, found, .. } = lesson;
        format!("ply {}: {expected} became {found} by {}; weights {}", ply - 1, path.join(" "), weights.join(" "))
    }

    /// Searches with what has been learned from now on.
    fn adopt_weights(&mut self) -> Result {
        let mut params = self.setup.params.clone();
        SLOTS.write(&self.pupil.descent.weights, &mut params)?;
        self.searchers[0].set_policy(params);
        Ok(())
    }
}
