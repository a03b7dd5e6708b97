//! Positions and searches of the games that the program has.

use crate::api::{Answer, Refusal, look};
use crate::{Opened, RECORDED, Studio};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use axum::routing::{get, post};
use plywise_search::Signal;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use tokio::sync::mpsc::{Receiver, channel};
use tokio_stream::Stream;

/// What the page asks of games. The binary knows them; the studio does not.
pub trait Host: Send + Sync {
    /// The games and profiles.
    fn games(&self) -> Value;

    /// The parameters of a profile in a game.
    ///
    /// # Errors
    ///
    /// One sentence where there is no such game or profile.
    fn params(&self, game: &str, profile: &str) -> Result<Value, String>;

    /// A position after some moves: its picture, and what can be played.
    ///
    /// # Errors
    ///
    /// One sentence where a position or a move makes no sense.
    fn board(&self, task: &Task) -> Result<Value, String>;

    /// Searches until a limit or the signal says stop. `each` hears of the progress; the result comes back.
    ///
    /// # Errors
    ///
    /// One sentence where the task makes no sense.
    fn analyse(&self, task: &Task, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value, String>;

    /// Searches and records the tree to a file.
    ///
    /// # Errors
    ///
    /// One sentence where the task makes no sense, or the file cannot be written.
    fn record(&self, task: &Task, path: &Path, stop: &Signal) -> Result<Opened, String>;

    /// What the units of a run are called, by what it says about its work.
    fn run_units(&self, work: &Map<String, Value>) -> &'static str;

    /// What a run directory shows: facts, charts, tables, and how many games it has.
    ///
    /// # Errors
    ///
    /// One sentence where it cannot be read.
    fn run(&self, path: &Path) -> Result<Value, String>;

    /// Some games of a run directory, a line for each.
    ///
    /// # Errors
    ///
    /// One sentence where it cannot be read.
    fn run_games(&self, path: &Path, from: usize, count: usize) -> Result<Value, String>;

    /// A game of a run directory, by its number from 1.
    ///
    /// # Errors
    ///
    /// One sentence where there is no such game.
    fn run_game(&self, path: &Path, number: u64) -> Result<Value, String>;
}

/// What is to be searched, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// The name of the game.
    pub game: String,
    /// The position, as the game writes it; empty for the start.
    pub position: String,
    /// Moves to play from there.
    pub moves: Vec<String>,
    /// The profile.
    pub profile: String,
    /// Parameters to change, and to what.
    pub set: Vec<(String, String)>,
    /// Plies to search.
    pub depth: Option<i32>,
    /// Nodes to search.
    pub nodes: Option<u64>,
    /// Milliseconds to search.
    pub movetime: Option<u64>,
    /// How many lines to tell.
    pub lines: usize,
    /// Whether the board is seen from the second player's side.
    pub turned: bool,
}

/// No search goes on for longer, whatever is asked.
const LONGEST_MS: u64 = 600_000;
/// The largest tree that is recorded on the page.
const MOST_RECORDED: u64 = 20_000_000;
/// The longest text of a request.
const LONGEST_TEXT: usize = 10_000;
/// More moves than a game has.
const MOST_MOVES: usize = 2000;

impl Task {
    fn read(pairs: &[(String, String)]) -> Result<Task, Refusal> {
        let mut task = Task { profile: "best".into(), lines: 1, movetime: Some(LONGEST_MS), ..Task::default() };
        for (name, value) in pairs {
            if value.len() > LONGEST_TEXT {
                return Err(Refusal::bad(format!("'{name}' is too long")));
            }
            let number = |most: u64| {
                let number = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
                number.ok_or_else(|| Refusal::bad(format!("'{name}' is a whole number from 1 to {most}")))
            };
            match name.as_str() {
                "game" => task.game.clone_from(value),
                "position" => task.position.clone_from(value),
                "moves" => task.moves = value.split(',').filter(|mv| !mv.is_empty()).map(String::from).collect(),
                "profile" => task.profile.clone_from(value),
                "set" => {
                    let pair = value.split_once('=').ok_or_else(|| Refusal::bad("a parameter is set as NAME=VALUE"))?;
                    task.set.push((pair.0.into(), pair.1.into()));
                }
                "depth" => task.depth = Some(number(100)? as i32),
                "nodes" => task.nodes = Some(number(1_000_000_000)?),
                "movetime" => task.movetime = Some(number(LONGEST_MS)?),
                "turned" => task.turned = value != "0",
                "lines" => task.lines = number(20)? as usize,
                _ => return Err(Refusal::bad(format!("'{name}' means nothing here"))),
            }
        }
        if task.moves.len() > MOST_MOVES {
            return Err(Refusal::bad("these are too many moves"));
        }
        Ok(task)
    }
}

type Pairs = Query<Vec<(String, String)>>;

pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/params", get(params))
        .route("/api/board", get(board))
        .route("/api/analyse", get(analyse))
        .route("/api/record", post(record))
}

async fn games(State(studio): State<Arc<Studio>>) -> axum::Json<Value> {
    axum::Json(studio.host.games())
}

async fn params(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let task = Task::read(&pairs)?;
    look(studio, move |studio| studio.host.params(&task.game, &task.profile).map_err(Refusal::bad)).await
}

async fn board(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let task = Task::read(&pairs)?;
    look(studio, move |studio| studio.host.board(&task).map_err(Refusal::bad)).await
}

fn busy() -> Refusal {
    let body = json!({"error": "two searches are running already: stop one first"});
    Refusal { status: StatusCode::SERVICE_UNAVAILABLE, body }
}

fn full() -> Refusal {
    let error = format!("{RECORDED} trees are recorded already, and no more are kept: start the studio again");
    Refusal { status: StatusCode::INSUFFICIENT_STORAGE, body: json!({"error": error}) }
}

/// What a search or a run tells, until it is done or nobody listens any more: then it is stopped.
pub(crate) struct Live {
    pub(crate) events: Receiver<Event>,
    pub(crate) stop: Signal,
}

impl Stream for Live {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context) -> Poll<Option<Self::Item>> {
        self.events.poll_recv(context).map(|event| event.map(Ok))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

async fn analyse(
    State(studio): State<Arc<Studio>>,
    Query(pairs): Pairs,
) -> Result<Sse<KeepAliveStream<Live>>, Refusal> {
    let task = Task::read(&pairs)?;
    let permit = studio.searches.clone().try_acquire_owned().map_err(|_| busy())?;
    let (sender, events) = channel(64);
    let stop = Signal::new();
    let signal = stop.clone();
    tokio::task::spawn_blocking(move || {
        // Never waits for whoever listens. Where nobody does, the signal says so too.
        let send = |name: &str, data: &Value| {
            let _ = sender.try_send(Event::default().event(name).data(data.to_string()));
        };
        // Who reads too slowly misses some of the progress; the end finds its place.
        let mut each = |progress| {
            if sender.capacity() > 1 {
                send("progress", &progress);
            }
        };
        match studio.host.analyse(&task, &signal, &mut each) {
            Ok(result) => send("done", &result),
            Err(error) => send("failed", &json!({"error": error})),
        }
        drop(permit);
    });
    Ok(Sse::new(Live { events, stop }).keep_alive(KeepAlive::default()))
}

async fn record(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let mut task = Task::read(&pairs)?;
    task.nodes = Some(task.nodes.map_or(MOST_RECORDED, |nodes| nodes.min(MOST_RECORDED)));
    let permit = studio.searches.clone().try_acquire_owned().map_err(|_| busy())?;
    let place = studio.shelf.clone().try_acquire_owned().map_err(|_| full())?;
    // A request that is given up ends its search.
    let stop = StopOnDrop(Signal::new());
    let signal = stop.0.clone();
    let work = tokio::task::spawn_blocking(move || {
        let number = studio.recorded.fetch_add(1, Ordering::Relaxed) + 1;
        let path = studio.folder.join(format!("recorded-{number}.tree"));
        let recorded = studio.host.record(&task, &path, &signal).map_err(Refusal::bad);
        let recorded = recorded.and_then(|opened| match signal.is_stopped() {
            true => Err(Refusal::bad("the recording was stopped")),
            false => Ok(opened),
        });
        drop(permit);
        let Ok(opened) = recorded else {
            // Half a tree takes no place, here or on the disk. There may be no file yet.
            let _ = fs::remove_file(&path);
            return recorded.map(|_| Value::Null);
        };
        place.forget();
        let name = opened.name.clone();
        Ok(json!({"id": studio.add(opened), "name": name}))
    });
    let answer = work.await.map_err(|_| Refusal::bad("this could not be recorded"))?;
    drop(stop);
    answer.map(axum::Json)
}

/// Stops what was begun for a request when the request is given up.
pub(crate) struct StopOnDrop(pub(crate) Signal);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}
