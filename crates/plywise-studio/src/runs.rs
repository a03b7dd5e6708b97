//! Run directories: long work that is watched while it goes on.

use crate::Studio;
use crate::api::{Answer, Refusal, look};
use crate::games::Live;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use plywise_run::{Glance, Run, TOTAL};
use plywise_search::{Limits, Signal};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::mpsc::channel;

/// What run directories show. The commands that made them know; the studio does not.
pub trait RunReader: Send + Sync {
    /// What the units of a run are called, by what it says about its work.
    fn unit_name(&self, work: &Map<String, Value>) -> &'static str;

    /// What a run directory shows: facts, charts, tables, and how many games it has.
    ///
    /// # Errors
    ///
    /// One sentence if it cannot be read.
    fn summary(&self, path: &FilePath) -> Result<Value, String>;

    /// Some games of a run directory, a line for each.
    ///
    /// # Errors
    ///
    /// One sentence if it cannot be read.
    fn games(&self, path: &FilePath, from: usize, count: usize) -> Result<Value, String>;

    /// A game of a run directory, by its number from 1.
    ///
    /// # Errors
    ///
    /// One sentence if there is no such game.
    fn game(&self, path: &FilePath, number: u64) -> Result<Value, String>;

    /// All games of a run directory as PGN.
    ///
    /// # Errors
    ///
    /// One sentence if it cannot be read.
    fn pgn(&self, path: &FilePath) -> Result<String, String>;
}

/// How deep a folder is searched for run directories.
const DEEPEST: usize = 4;
/// The most run directories that are shown.
const MOST_RUNS: usize = 1000;
/// How often a run that is watched is looked at.
const EVERY: Duration = Duration::from_secs(1);
/// The speed of a run that is watched is that of its last minute.
const RECENT: Duration = Duration::from_secs(60);
/// A speed from less time than this says little.
const SOON: Duration = Duration::from_secs(3);

/// The run directories that were named, and those in the folders that were named. Each has a name of its own, by which
/// addresses call it, also after the studio was started again.
#[derive(Default)]
pub(crate) struct Runs {
    places: Vec<PathBuf>,
    known: RwLock<Vec<Arc<Known>>>,
}

/// A run directory that was found.
struct Known {
    path: PathBuf,
    name: String,
    /// Of how many bytes of the journal the units are known, and how many they are.
    counted: RwLock<(u64, u64)>,
    /// At how many bytes of the journal it was asked what the run shows, and the result and whether it is decided.
    told: RwLock<Option<(u64, Told)>>,
}

/// What the list tells of a run.
#[derive(Clone, Default)]
struct Told {
    /// Its one figure.
    hero: Value,
    /// Whether nothing is left to do although not all units are done, as after a test that came to its end.
    is_decided: bool,
}

impl Runs {
    pub(crate) fn new(places: Vec<PathBuf>) -> Runs {
        Runs { places, known: RwLock::default() }
    }

    /// Looks for run directories there as well.
    pub(crate) fn add_place(&mut self, place: PathBuf) {
        self.places.push(place);
    }

    /// All run directories that there are by now.
    fn all(&self) -> Vec<Arc<Known>> {
        let mut found = Vec::new();
        for place in &self.places {
            let parent = place.parent().unwrap_or(place);
            find(place, DEEPEST, &mut |path| {
                let name = path.strip_prefix(parent).unwrap_or(path).to_string_lossy().into_owned();
                found.push((path.to_owned(), name));
                found.len() < MOST_RUNS
            });
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        for (path, name) in found {
            if !known.iter().any(|run| run.path == path) {
                let name = crate::distinct(&name, |name| known.iter().any(|run| run.name == name));
                known.push(Arc::new(Known { path, name, counted: RwLock::default(), told: RwLock::default() }));
            }
        }
        known.clone()
    }

    /// The run of this name; a new one may have to be found first.
    fn get(&self, name: &str) -> Result<Arc<Known>, Refusal> {
        let among = |known: &[Arc<Known>]| known.iter().find(|run| run.name == name).cloned();
        let known = among(&self.known.read().unwrap_or_else(PoisonError::into_inner));
        known.or_else(|| among(&self.all())).ok_or_else(|| Refusal::missing(format!("there is no run called '{name}'")))
    }

    /// The directory of the run of this name.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Refusal> {
        Ok(self.get(name)?.path.clone())
    }

    /// The name of the run in this directory.
    pub(crate) fn name_of(&self, path: &FilePath) -> Option<String> {
        self.all().iter().find(|run| run.path == path).map(|run| run.name.clone())
    }
}

/// Hands `each` the run directories at or below a folder, in the order of their names, until it returns `false`. A run may
/// contain others: those of the commands that it is made of.
fn find(folder: &FilePath, depth: usize, each: &mut dyn FnMut(&FilePath) -> bool) -> bool {
    if Run::is_at(folder) && !each(folder) {
        return false;
    }
    let Ok(entries) = fs::read_dir(folder) else { return true };
    let mut inner: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inner.sort();
    // Links are not followed: they may lead out of what was named.
    let is_folder = |path: &FilePath| fs::symlink_metadata(path).is_ok_and(|about| about.is_dir());
    depth == 0 || inner.iter().filter(|path| is_folder(path)).all(|path| find(path, depth - 1, each))
}

impl Known {
    /// How many units are finished.
    fn units(&self, glance: &Glance) -> u64 {
        let counted = *self.counted.read().unwrap_or_else(PoisonError::into_inner);
        if counted.0 == glance.bytes {
            return counted.1;
        }
        let units = Run::count_units(&self.path).unwrap_or(counted.1);
        *self.counted.write().unwrap_or_else(PoisonError::into_inner) = (glance.bytes, units);
        units
    }

    /// The result so far. A journal that did not grow is not read again.
    fn told(&self, glance: &Glance, studio: &Studio) -> Told {
        let known = self.told.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, told)) = known.filter(|(bytes, _)| *bytes == glance.bytes) {
            return told;
        }
        self.remember(glance, &studio.reader.summary(&self.path))
    }

    /// Keeps what the list tells of a run that shows this.
    fn remember(&self, glance: &Glance, shown: &Result<Value, String>) -> Told {
        let told = shown.as_ref().map_or_else(
            |_| Told::default(),
            |shown| Told { hero: shown["hero"].clone(), is_decided: shown["is_decided"] == true },
        );
        *self.told.write().unwrap_or_else(PoisonError::into_inner) = Some((glance.bytes, told.clone()));
        told
    }

    /// What stands in the list.
    fn line(&self, studio: &Studio) -> Value {
        let glance = match Run::glance(&self.path) {
            Ok(glance) => glance,
            Err(error) => {
                let none = Value::Null;
                return json!({"id": self.name, "name": self.name, "command": none, "game": none, "title": self.name,
                    "units": 0, "unit_name": "units", "total": none, "hero": none, "limits": none, "begun": none, "state": "damaged", "changed": none, "notice": error.to_string()});
            }
        };
        let (units, work) = (self.units(&glance), &glance.manifest.work);
        let total = glance.manifest.about.get(TOTAL).and_then(Value::as_u64);
        let told = self.told(&glance, studio);
        let handle = studio.jobs.handle(&self.path);
        let state = match glance.is_running {
            true => "running",
            false if total.is_some_and(|total| units >= total) || told.is_decided => "finished",
            false => "stopped",
        };
        json!({
            "id": self.name,
            "name": self.name,
            "command": work.get("command"),
            "game": work.get("game"),
            "title": title(work).unwrap_or_else(|| self.name.clone()),
            "units": units,
            "unit_name": studio.reader.unit_name(work),
            "total": total,
            "state": state,
            "hero": told.hero,
            "limits": limits(work),
            "begun": seconds(glance.begun),
            "changed": seconds(glance.changed),
            "can_stop": handle.can_stop,
            "can_go_on": handle.can_go_on && state == "stopped",
            "notice": handle.failure,
        })
    }

    /// All that there is to see. `rate` is how many units a second were finished lately.
    fn whole(&self, studio: &Studio, rate: Option<f64>) -> Value {
        // The journal is read once, for the list and for this.
        let shown = Run::glance(&self.path).map_or_else(
            |_| Ok(json!({})),
            |glance| {
                let shown = studio.reader.summary(&self.path);
                self.remember(&glance, &shown);
                shown
            },
        );
        let mut line = self.line(studio);
        let shown = match shown {
            Ok(shown) => shown,
            Err(error) => {
                line["notice"] = json!(error);
                json!({})
            }
        };
        for key in ["facts", "charts", "tables"] {
            line[key] = shown.get(key).cloned().unwrap_or_else(|| json!([]));
        }
        line["games"] = shown.get("games").cloned().unwrap_or_else(|| json!(0));
        let glance = Run::glance(&self.path).ok();
        let is_running = line["state"] == "running";
        let rate = rate.or_else(|| average(glance.as_ref()?, line["units"].as_u64()?)).filter(|_| is_running);
        let left = line["total"].as_u64().zip(line["units"].as_u64()).map(|(total, units)| total.saturating_sub(units));
        line["rate"] = json!(rate);
        line["eta_s"] = json!(rate.zip(left).filter(|(rate, _)| *rate > 0.0).map(|(rate, left)| left as f64 / rate));
        line["settings"] = glance.map_or(Value::Null, |glance| settings(glance.manifest.work));
        line
    }
}

/// Units a second since the run began, where that says something.
fn average(glance: &Glance, units: u64) -> Option<f64> {
    let taken = glance.changed.duration_since(glance.begun).ok().filter(|taken| *taken >= SOON)?;
    Some(units as f64 / taken.as_secs_f64())
}

/// Seconds since 1970.
pub(crate) fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// What a run is called: who meets whom, or what is done.
fn title(work: &Map<String, Value>) -> Option<String> {
    let text = |value: &Value| value.as_str().map(String::from);
    // A suite has players by their setups, a match has entrants.
    let places = ["/name", "/who/setup/name", "/who/engine/name"];
    let player = |player: &Value| places.iter().find_map(|place| text(player.pointer(place)?));
    if let Some(players) = work.get("players").and_then(Value::as_array) {
        let names: Option<Vec<String>> = players.iter().map(player).collect();
        let is_match = work.get("command").is_some_and(|command| command == "match");
        return match names?.as_slice() {
            [a, b] if is_match => Some(format!("{a} against {b}")),
            names => Some(names.join(", ")),
        };
    }
    text(work.get("command")?)
}

/// The limits of a run in words: as they stand there, or those of its players.
fn limits(work: &Map<String, Value>) -> Option<String> {
    let read = |limits: &Value| serde_json::from_value::<Limits>(limits.clone()).ok().map(|limits| limits.to_string());
    let of_all = |all: Vec<&Value>| {
        let mut told: Vec<String> = all.into_iter().map(read).collect::<Option<_>>()?;
        told.dedup();
        (!told.is_empty()).then(|| told.join(" and "))
    };
    match work.get("limits") {
        Some(Value::String(limits)) => Some(limits.clone()),
        Some(Value::Array(limits)) => of_all(limits.iter().collect()),
        Some(limits) => of_all(vec![limits]),
        None => {
            let players = work.get("players").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let players = players.iter().chain(work.get("player"));
            of_all(players.map(|player| player.get("limits")).collect::<Option<_>>()?)
        }
    }
}

/// The settings of a run, with long lists as their lengths.
fn settings(work: Map<String, Value>) -> Value {
    const LONGEST: usize = 20;
    let shorten = |(key, value): (String, Value)| match value {
        Value::Array(list) if list.len() > LONGEST => (key, json!(format!("{} entries", list.len()))),
        value => (key, value),
    };
    Value::Object(work.into_iter().map(shorten).collect())
}

pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/runs", get(runs))
        .route("/api/runs/{run}", get(run))
        .route("/api/runs/{run}/live", get(live))
        .route("/api/runs/{run}/games", get(games))
        .route("/api/runs/{run}/games/{number}", get(game))
        .route("/api/runs/{run}/pgn", get(pgn))
}

async fn runs(State(studio): State<Arc<Studio>>) -> Answer {
    look(studio, |studio| {
        let lines: Vec<Value> = studio.runs.all().iter().map(|run| run.line(studio)).collect();
        Ok(json!({"runs": lines}))
    })
    .await
}

async fn run(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Answer {
    look(studio, move |studio| Ok(studio.runs.get(&name)?.whole(studio, None))).await
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    from: usize,
    #[serde(default = "usual_count")]
    count: usize,
}

fn usual_count() -> usize {
    100
}

async fn games(State(studio): State<Arc<Studio>>, Path(name): Path<String>, Query(page): Query<Page>) -> Answer {
    look(studio, move |studio| {
        let run = studio.runs.get(&name)?;
        studio.reader.games(&run.path, page.from, page.count.min(1000)).map_err(Refusal::bad)
    })
    .await
}

async fn game(State(studio): State<Arc<Studio>>, Path((name, game)): Path<(String, u64)>) -> Answer {
    look(studio, move |studio| {
        let run = studio.runs.get(&name)?;
        studio.reader.game(&run.path, game).map_err(Refusal::missing)
    })
    .await
}

/// All games of a run as a file.
async fn pgn(State(studio): State<Arc<Studio>>, Path(name): Path<String>) -> Result<Response, Refusal> {
    let busy = || Refusal { status: StatusCode::SERVICE_UNAVAILABLE, body: json!({"error": "the studio is closing"}) };
    let permit = studio.readers.clone().acquire_owned().await.map_err(|_| busy())?;
    let read = tokio::task::spawn_blocking(move || {
        let run = studio.runs.get(&name)?;
        let pgn = studio.reader.pgn(&run.path).map_err(Refusal::bad);
        drop(permit);
        Ok::<_, Refusal>((pgn?, file_name(&run.name)))
    });
    let (text, named) = read.await.map_err(|_| Refusal::bad("this could not be answered"))??;
    let named = format!("attachment; filename=\"{named}.pgn\"");
    let kind = "application/x-chess-pgn".to_string();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, named)], text).into_response())
}

/// What a file is called that is made of a run: letters and digits that every system knows.
pub(crate) fn file_name(run: &str) -> String {
    run.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "-_.".contains(letter) { letter } else { '-' })
        .collect()
}

/// Sends a run whenever it has changed, until the page goes away.
async fn live(
    State(studio): State<Arc<Studio>>,
    Path(name): Path<String>,
) -> Result<Sse<KeepAliveStream<Live>>, Refusal> {
    let run = studio.runs.get(&name)?;
    let busy =
        || Refusal { status: StatusCode::SERVICE_UNAVAILABLE, body: json!({"error": "too many pages watch runs"}) };
    let permit = studio.watchers.clone().try_acquire_owned().map_err(|_| busy())?;
    let (sender, events) = channel(4);
    tokio::spawn(async move {
        let (mut seen, mut pace) = (None, Pace::default());
        while !sender.is_closed() {
            let (inner, watched) = (studio.clone(), run.clone());
            let looked = tokio::task::spawn_blocking(move || {
                let glance = Run::glance(&watched.path).ok();
                let now = glance.as_ref().map(|glance| (glance.bytes, glance.is_running));
                let told = (seen != Some(now)).then(|| {
                    let rate = glance.as_ref().and_then(|glance| pace.rate(watched.units(glance)));
                    watched.whole(&inner, rate)
                });
                (now, told, pace)
            });
            let Ok((now, told, kept)) = looked.await else { break };
            (seen, pace) = (Some(now), kept);
            if let Some(told) = told {
                let event = Event::default().event("run").data(told.to_string());
                if sender.send(event).await.is_err() {
                    break;
                }
            }
            tokio::time::sleep(EVERY).await;
        }
        drop(permit);
    });
    Ok(Sse::new(Live { events, stop: Signal::new() }).keep_alive(KeepAlive::default()))
}

/// How fast units were finished while a page watched.
#[derive(Default)]
struct Pace(VecDeque<(Instant, u64)>);

impl Pace {
    fn rate(&mut self, units: u64) -> Option<f64> {
        let now = Instant::now();
        self.0.push_back((now, units));
        while self.0.len() > 2 && self.0.front().is_some_and(|(when, _)| now - *when > RECENT) {
            self.0.pop_front();
        }
        let (first, before) = *self.0.front()?;
        let taken = now.duration_since(first);
        (taken >= SOON && units > before).then(|| (units - before) as f64 / taken.as_secs_f64())
    }
}
