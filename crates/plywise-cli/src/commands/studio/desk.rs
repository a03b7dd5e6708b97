//! What the page asks of one game.

use super::replay::replay;
use crate::arguments::{PositionArgs, ResourceArgs, Setting};
use crate::commands::analyse::iteration_to_json;
use crate::document::joined;
use crate::engine::{self, Event, Setup, TypedSetup, setup_of_profile};
use crate::games::Playable;
use crate::recording::{Tape, changes};
use crate::text::{milliseconds, show_ending, show_moves, show_score, write_moves};
use crate::{Failure, Result};
use plywise_arena::matches::GameRecord;
use plywise_game::parameters::Parameters;
use plywise_game::{GameSoFar, Side, View};
use plywise_search::{Limits, Profile, Progress, Request, Signal};
use plywise_studio::{Opened, Task};
use plywise_tree::{Filter, Known, Tree};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// The size of the table of a search on the page, in MB.
const TABLE: usize = 32;

/// A search that tells how far it has come.
type Analyse = fn(&Task, &Signal, &mut dyn FnMut(Value)) -> Result<Value>;

/// The functions of one game, behind pointers.
#[derive(Clone, Copy)]
pub(crate) struct GameDesk {
    pub(super) about: fn() -> Value,
    pub(super) params: fn(&str) -> Result<Value>,
    pub(super) board: fn(&Task) -> Result<Value>,
    pub(super) analyse: Analyse,
    pub(super) record: fn(&Task, &Path, &Signal) -> Result<Opened>,
    pub(super) replay: fn(&GameRecord) -> Result<Value>,
}

impl GameDesk {
    pub(crate) const fn of<G: Playable>() -> GameDesk {
        GameDesk {
            about: about::<G>,
            params: params::<G>,
            board: board::<G>,
            analyse: analyse::<G>,
            record: record::<G>,
            replay: replay::<G>,
        }
    }
}

fn about<G: Playable>() -> Value {
    json!({"name": G::NAME, "title": G::TITLE, "position": G::write_position(&G::start())})
}

fn params<G: Playable>(profile: &str) -> Result<Value> {
    let params = built_in(profile)?.params(G::NAME)?;
    let mut groups: Vec<Value> = Vec::new();
    let mut before = "";
    params.visit(&mut |parameter, value| {
        if parameter.group != before {
            before = parameter.group;
            groups.push(json!({"name": before, "doc": parameter.group_doc, "parameters": []}));
        }
        let told = json!({
            "path": parameter.path(),
            "name": parameter.name,
            "min": parameter.min,
            "max": parameter.max,
            "value": value,
            "is_bool": parameter.is_bool,
            "doc": parameter.doc,
        });
        if let Some(list) = groups.last_mut().and_then(|group| group["parameters"].as_array_mut()) {
            list.push(told);
        }
    });
    Ok(json!({"groups": groups}))
}

/// A built-in profile: the page names no files.
fn built_in(name: &str) -> Result<Profile> {
    Ok(Profile::named(name)?)
}

fn line<G: Playable>(task: &Task) -> Result<GameSoFar<G>> {
    let (position, moves) = (vec![task.position.clone()], task.moves.clone());
    PositionArgs { game: G::NAME.into(), position, moves }.line::<G>()
}

fn board<G: Playable>(task: &Task) -> Result<Value> {
    let line = line::<G>(task)?;
    let position = line.position();
    let over = line.ended().is_some();
    let view = View { turned: task.turned, last_move: line.moves().last().copied(), ..View::default() };
    let mv =
        |mv: &G::Move| json!({"text": G::write_move(position, *mv), "engine": G::write_engine_move(position, *mv)});
    let played: Vec<String> = line.steps().map(|(position, mv)| G::write_move(position, mv)).collect();
    Ok(json!({
        "position": G::write_position(position),
        "svg": G::draw_svg(position, &view),
        "turn": G::player(G::side_to_move(position)),
        "first_to_move": G::side_to_move(position) == Side::First,
        "moves": if over { Vec::new() } else { G::legal_moves(position).iter().map(mv).collect() },
        "played": played,
        "over": over.then(|| show_ending(&line)),
        "result": over.then(|| line.result().to_string()),
    }))
}

fn setup<G: Playable>(task: &Task) -> Result<Setup> {
    built_in(&task.profile)?;
    let set = task.set.iter().map(|(path, value)| Setting { path: path.clone(), value: value.clone() }).collect();
    setup_of_profile::<G>(&task.profile, &ResourceArgs { set, hash: TABLE, ..ResourceArgs::default() })
}

fn limits(task: &Task) -> Limits {
    Limits {
        depth: task.depth,
        nodes: task.nodes,
        movetime: task.movetime.map(Duration::from_millis),
        ..Limits::default()
    }
}

fn request<G: Playable>(task: &Task) -> Result<Request<G>> {
    let line = line::<G>(task)?;
    if line.ended().is_some() {
        return Err(Failure::input("the game is over in this position"));
    }
    Ok(Request { lines: task.lines.max(1), ..Request::of(&line) })
}

fn analyse<G: Playable>(task: &Task, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value> {
    let request = request::<G>(task)?;
    let mut searcher = setup::<G>(task)?.searcher::<G>()?;
    let position = &request.position;
    let report = engine::search(&mut searcher, &request, &limits(task), stop, |event| {
        if let Event::Progress(progress) = event {
            each(progress_to_json::<G>(position, progress));
        }
    });
    let best = engine::best_move(&report, &request);
    Ok(json!({
        "best": best.map(|mv| G::write_move(position, mv)),
        "best_engine": best.map(|mv| G::write_engine_move(position, mv)),
        "score": report.score(),
        "shown": show_score::<G>(report.score()),
        "depth": report.depth(),
        "nodes": report.nodes,
        "time_ms": milliseconds(report.time),
        "pv": report.lines.first().map_or(Vec::new(), |line| show_moves::<G>(position, &line.pv)),
    }))
}

fn progress_to_json<G: Playable>(position: &G::Position, progress: &Progress<G::Move>) -> Value {
    let shown = json!({
        "shown": show_score::<G>(progress.score),
        "engine_pv": write_moves::<G>(position, &progress.pv, G::write_engine_move),
    });
    joined(iteration_to_json::<G>(position, progress), shown)
}

/// What a recording is called: its number, and what tells it from the others.
fn recorded_name<G: Playable>(task: &Task, setup: &Setup, path: &Path) -> String {
    let number = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().replace("recorded-", ""));
    let changed = match changes::<G>(setup).as_slice() {
        [] => String::new(),
        [one] => format!(" with {one}"),
        many => format!(" with {} changes", many.len()),
    };
    let limit = task.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
    format!("{number}: {} {}{changed}{limit}", G::NAME, setup.name)
}

fn record<G: Playable>(task: &Task, path: &Path, stop: &Signal) -> Result<Opened> {
    let request = request::<G>(task)?;
    let setup = setup::<G>(task)?;
    let mut searcher = setup.searcher::<G>()?;
    let tape = Tape { path, filter: Filter::default(), setup: &setup };
    let (_, recorded) = tape.search(&mut searcher, &request, &limits(task), stop, |_| {})?;
    recorded?;
    let tree = Tree::open(path).map_err(Failure::input)?;
    let name = recorded_name::<G>(task, &setup, path);
    Ok(Opened::known(name, G::TITLE.into(), tree, Box::new(Known::<G>::new(request.position))))
}
