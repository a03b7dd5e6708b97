//! Positions and searches of the games that the program has.

use crate::api::{Answer, Refusal, look};
use crate::{Opened, RECORDED, Studio};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use axum::routing::{get, post};
use plywise_game::parameters::Parameters;
use plywise_game::pgn::{Mark, Remark, Remarks};
use plywise_game::{Score, Side};
use plywise_host::{
    AnyGame, AnyPosition, Ask, Event as SearchEvent, Found, HostError, Level, Move, NoFiles, Rated, Record,
    RecordedSearch, Setting, Setup, Style, Verdict, find_game, iteration_to_json, milliseconds,
};
use plywise_search::{Bound, Limits, Profile, Signal};
use plywise_tree::{Filter, Tree};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fs;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};
use tokio_stream::Stream;

/// What the page asks of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct GameRequest {
    /// The name of the game.
    game: String,
    /// The position, as the game writes it; empty for the start.
    position: String,
    /// Moves to play from there.
    moves: Vec<String>,
    /// The profile.
    profile: String,
    /// Parameters to change, and to what.
    set: Vec<(String, String)>,
    /// Plies to search.
    depth: Option<i32>,
    /// Nodes to search.
    nodes: Option<u64>,
    /// Milliseconds to search.
    movetime: Option<u64>,
    /// How many lines to show.
    lines: usize,
    /// Whether the board is seen from the second player's side.
    turned: bool,
    /// The level of an opponent, instead of its limits.
    level: Option<Level>,
    /// The rating of an opponent, instead of its limits.
    elo: Option<u32>,
    /// What a recorded tree is to be called.
    name: String,
}

/// No search goes on for longer, whatever is asked.
const LONGEST_MS: u64 = 600_000;
/// The largest tree that is recorded on the page.
const MOST_RECORDED: u64 = 20_000_000;
/// The longest text of a request.
const LONGEST_TEXT: usize = 10_000;
/// The longest name of a tree.
const LONGEST_NAME: usize = 60;
/// The longest text of a game.
pub(crate) const LONGEST_GAME: usize = 1 << 20;
/// The moves of a better line that are shown.
const SHOWN_BETTER: usize = 8;
/// More moves than a game has.
const MOST_MOVES: usize = 2000;

impl GameRequest {
    fn read(pairs: &[(String, String)]) -> Result<GameRequest, Refusal> {
        let mut request =
            GameRequest { profile: "best".into(), lines: 1, movetime: Some(LONGEST_MS), ..GameRequest::default() };
        for (name, value) in pairs {
            if value.len() > LONGEST_TEXT {
                return Err(Refusal::bad(format!("'{name}' is too long")));
            }
            let number = |most: u64| {
                let number = value.parse::<u64>().ok().filter(|number| (1..=most).contains(number));
                number.ok_or_else(|| Refusal::bad(format!("'{name}' is a whole number from 1 to {most}")))
            };
            match name.as_str() {
                "game" => request.game.clone_from(value),
                "position" => request.position.clone_from(value),
                "moves" => request.moves = value.split(',').filter(|mv| !mv.is_empty()).map(String::from).collect(),
                "profile" => request.profile.clone_from(value),
                "set" => {
                    let pair = value.split_once('=').ok_or_else(|| Refusal::bad("a parameter is set as NAME=VALUE"))?;
                    request.set.push((pair.0.into(), pair.1.into()));
                }
                "depth" => request.depth = Some(number(100)? as i32),
                "nodes" => request.nodes = Some(number(1_000_000_000)?),
                "movetime" => request.movetime = Some(number(LONGEST_MS)?),
                "name" => {
                    request.name = value.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect()
                }
                "level" => request.level = Level::new(number(u64::from(*Level::ALL.end()))? as u32),
                "elo" => request.elo = Some(number(5000)? as u32),
                "turned" => request.turned = value != "0",
                "lines" => request.lines = number(20)? as usize,
                _ => return Err(Refusal::bad(format!("'{name}' means nothing here"))),
            }
        }
        if request.moves.len() > MOST_MOVES {
            return Err(Refusal::bad("these are too many moves"));
        }
        Ok(request)
    }
}

/// The size of the table of a search on the page, in MB.
const TABLE: usize = 32;

impl GameRequest {
    fn game<'a>(&self, studio: &'a Studio) -> Result<&'a Arc<dyn AnyGame>, HostError> {
        find_game(&studio.games, &self.game)
    }

    /// The parameters of the profile in the game, by their groups.
    fn params(&self, studio: &Studio) -> Result<Value, HostError> {
        let game = self.game(studio)?;
        let params = Profile::named(&self.profile)?.params(game.profiled())?;
        let mut groups: Vec<Value> = Vec::new();
        let mut before = "";
        params.visit(&mut |parameter, value| {
            if parameter.group != before {
                before = parameter.group;
                groups.push(json!({"name": before, "doc": parameter.group_doc, "parameters": []}));
            }
            let described = json!({
                "path": parameter.path(),
                "name": parameter.name,
                "min": parameter.min,
                "max": parameter.max,
                "value": value,
                "is_bool": parameter.is_bool,
                "doc": parameter.doc,
            });
            if let Some(list) = groups.last_mut().and_then(|group| group["parameters"].as_array_mut()) {
                list.push(described);
            }
        });
        Ok(json!({"groups": groups}))
    }

    /// The position with the moves played.
    fn position(&self, game: &dyn AnyGame) -> Result<AnyPosition, HostError> {
        let mut position = game.position(&self.position)?;
        for (i, text) in self.moves.iter().enumerate() {
            position.play_text(text).map_err(|error| HostError::new(format!("move {}: {error}", i + 1)))?;
        }
        Ok(position)
    }

    /// The position: its picture, and what can be played.
    fn board(&self, studio: &Studio) -> Result<Value, HostError> {
        let game = self.game(studio)?;
        let position = self.position(&**game)?;
        let over = position.ended().is_some();
        let side = position.side_to_move();
        let mv =
            |&mv: &Move| json!({"text": position.write_move(mv), "engine": position.write_move_as(mv, Style::Engine)});
        Ok(json!({
            "position": position.text(),
            "svg": position.draw_svg(self.turned),
            "turn": game.players()[side as usize],
            "players": game.players(),
            "first_to_move": side == Side::First,
            "moves": if over { Vec::new() } else { position.legal_moves().iter().map(mv).collect() },
            "played": position.at(0).write_line(&position.moves()),
            "over": over.then(|| position.describe_end()),
            "result": over.then(|| position.result().to_string()),
        }))
    }

    /// How the engine thinks. The page names no files: what is not built in is refused.
    fn setup(&self, game: &dyn AnyGame) -> Result<Setup, HostError> {
        let mut setup = Setup { hash: TABLE, ..Setup::of_profile(game, &self.profile)? };
        for (path, value) in &self.set {
            setup.apply(game, &Setting { path: path.clone(), value: value.clone() }, &NoFiles)?;
        }
        Ok(self.level.map_or_else(|| setup.clone(), |level| level.apply_to(game, &setup)))
    }

    /// How the opponent is weakened, if it has a rating.
    fn rated(&self, game: &dyn AnyGame) -> Result<Option<Rated>, HostError> {
        let Some(elo) = self.elo else { return Ok(None) };
        let range = Rated::range(game).ok_or_else(|| HostError::new("there are no measured ratings for this game"))?;
        if !range.contains(&elo) {
            return Err(HostError::new(format!("ratings are from {} to {}", range.start(), range.end())));
        }
        let seed = getrandom::u64().map_err(HostError::new)?;
        Ok(Rated::at(game.grades(), elo, seed))
    }

    fn limits(&self) -> Limits {
        let movetime = self.movetime.map(Duration::from_millis);
        if let Some(level) = self.level {
            return Limits { movetime, ..level.limits() };
        }
        Limits { depth: self.depth, nodes: self.nodes, movetime, ..Limits::default() }
    }

    /// The position to be searched.
    fn searched(&self, game: &dyn AnyGame) -> Result<AnyPosition, HostError> {
        let position = self.position(game)?;
        match position.ended() {
            Some(_) => Err(HostError::new("the game is over in this position")),
            None => Ok(position),
        }
    }

    fn ask<'a>(&self, position: &'a AnyPosition) -> Ask<'a> {
        Ask { lines: self.lines, ..Ask::new(position) }
    }

    /// Searches until a limit or the signal says stop, and hands `each` the progress.
    fn analyse(&self, studio: &Studio, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value, HostError> {
        let game = self.game(studio)?;
        let position = self.searched(&**game)?;
        let rated = self.rated(&**game)?;
        let ask = Ask { lines: rated.map_or(self.lines, |rated| rated.lines()), ..Ask::new(&position) };
        let limits = rated.map_or_else(|| self.limits(), |rated| rated.within(self.limits()));
        let mut engine = game.engine(&self.setup(&**game)?)?;
        if self.level.is_some() {
            engine.set_seed(getrandom::u64().map_err(HostError::new)?);
        }
        let report = engine.search(&ask, &limits, stop, &mut |event| {
            if let SearchEvent::Progress(progress) = event {
                let mut row = iteration_to_json(&position, progress);
                tell_score(&mut row, &**game, &position, progress.score, progress.bound);
                row["engine_pv"] = json!(position.write_line_as(&progress.pv, Style::Engine));
                each(row);
            }
        });
        let chosen = rated.map_or(0, |rated| rated.choose(&report.lines));
        let line = report.lines.get(chosen);
        let best = line.and_then(|line| line.pv.first().copied()).or_else(|| ask.best_move(&report));
        let mut told = json!({
            "best": best.map(|mv| position.write_move(mv)),
            "best_engine": best.map(|mv| position.write_move_as(mv, Style::Engine)),
            "depth": report.depth(),
            "nodes": report.nodes,
            "time_ms": milliseconds(report.time),
            "pv": line.map_or(Vec::new(), |line| position.write_line(&line.pv)),
        });
        let score = line.map_or(report.score(), |line| line.score);
        tell_score(&mut told, &**game, &position, score, Bound::Exact);
        Ok(told)
    }

    /// Searches every position of the game that the moves are, and tells what is to be said about each move.
    fn annotate(&self, studio: &Studio, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value, HostError> {
        let game = self.game(studio)?;
        let record = Record::new(self.position(&**game)?);
        let mut engine = game.engine(&self.setup(&**game)?)?;
        let limits = self.limits();
        let mut found = Vec::new();
        let total = record.position.plies() + 1;
        for position in record.positions() {
            each(json!({"done": found.len(), "total": total}));
            found.push(Found::of(&mut *engine, &position, &limits, stop).ok_or_else(|| HostError::new("stopped"))?);
        }
        let verdict = Verdict::new(&**game, record, found);
        let judged = verdict.moves();
        let moves = judged.iter().enumerate().map(|(ply, judged)| {
            let (score, depth) = verdict.score(ply + 1);
            let before = verdict.position(ply);
            let is_weak = judged.mark.is_some_and(|mark| mark > Mark::Interesting);
            let better = is_weak.then(|| &judged.best[..judged.best.len().min(SHOWN_BETTER)]);
            json!({
                // A game that is over has a result, and needs no score.
                "shown": if verdict.position(ply + 1).outcome().is_none() { game.show_score(score) } else { String::new() },
                "chance": verdict.points(ply + 1),
                "depth": depth,
                "marks": judged.mark.map_or_else(String::new, |mark| mark.sign().to_string()),
                "loss": judged.loss,
                "better": better.map(|line| tell_line(before.clone(), line, &Remarks::default())),
            })
        });
        Ok(json!({"moves": moves.collect::<Vec<_>>()}))
    }

    /// A game or a position that somebody has as text: PGN, or the one-line form of a position.
    fn read_text(&self, studio: &Studio, text: &str) -> Result<Value, HostError> {
        let game = self.game(studio)?;
        let text = text.trim();
        if text.is_empty() {
            return Err(HostError::new("there is no text"));
        }
        let position = game.position(text);
        let is_position = !text.contains('\n') || position.is_ok();
        match position {
            Ok(position) => return Ok(json!({"position": position.text(), "line": [], "tags": {}})),
            Err(error) if is_position && !text.contains("1.") && !text.starts_with('[') => {
                return Err(HostError::new(error));
            }
            Err(_) => {}
        }
        let input = Box::new(std::io::Cursor::new(text.as_bytes().to_vec()));
        let record = game.read_pgn(input).next().ok_or_else(|| HostError::new("there is no game in this text"))?;
        let record = record.map_err(HostError::new)?;
        let start = record.position.at(0);
        let tags: serde_json::Map<String, Value> =
            record.tags.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        let line = tell_line(start.clone(), &record.position.moves(), &record.remarks);
        let position = if start.is_start() { String::new() } else { start.text() };
        Ok(json!({"position": position, "line": line, "tags": tags}))
    }

    /// Searches, and records the tree to a file; `each` gets how far it is.
    fn record(
        &self,
        studio: &Studio,
        path: &Path,
        stop: &Signal,
        each: &mut dyn FnMut(Value),
    ) -> Result<Opened, HostError> {
        let game = self.game(studio)?;
        let position = self.searched(&**game)?;
        let setup = self.setup(&**game)?;
        let mut engine = game.engine(&setup)?;
        let search = RecordedSearch { game: &**game, setup: &setup, path, filter: Filter::default() };
        let (_, recorded) = search.run(&mut *engine, &self.ask(&position), &self.limits(), stop, &mut |event| {
            if let SearchEvent::Progress(progress) = event {
                each(json!({"depth": progress.depth, "nodes": progress.nodes}));
            }
        })?;
        recorded?;
        let tree = Tree::open(path).map_err(HostError::new)?;
        let name = self.recorded_name(&setup.changes(&**game), path);
        Ok(Opened::known(name, &**game, tree, position).saved_at(path))
    }

    /// The name of a recording: its number, and in what it differs from the others.
    fn recorded_name(&self, changes: &[String], path: &Path) -> String {
        if !self.name.trim().is_empty() {
            return self.name.trim().into();
        }
        let number = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().replace("recorded-", ""));
        let changed = match changes {
            [] => String::new(),
            [one] => format!(" with {one}"),
            many => format!(" with {} changes", many.len()),
        };
        let limit = self.depth.map(|depth| format!(", depth {depth}")).unwrap_or_default();
        format!("{number}: {} {}{changed}{limit}", self.game, self.profile)
    }
}

/// The score of a position as the first player sees it, in words for people and as points to expect.
fn tell_score(row: &mut Value, game: &dyn AnyGame, position: &AnyPosition, score: Score, bound: Bound) {
    let is_first = position.side_to_move() == Side::First;
    let points = game.chances().outlook(position.phase(), score).points();
    row["score"] = json!(if is_first { score } else { -score });
    row["shown"] = json!(game.show_score(if is_first { score } else { -score }));
    row["chance"] = json!(if is_first { points } else { 1.0 - points });
    row["bound"] = json!(match (bound, is_first) {
        (Bound::Exact, _) => "exact",
        (Bound::Lower, true) | (Bound::Upper, false) => "lower",
        (Bound::Upper, true) | (Bound::Lower, false) => "upper",
    });
}

/// Moves with what stands between them: for each its text, its marks, its comment and what might have been played instead.
fn tell_line(start: AnyPosition, moves: &[Move], remarks: &Remarks<Move>) -> Vec<Value> {
    let (mut position, mut line) = (start.clone(), Vec::new());
    for (ply, &mv) in moves.iter().enumerate() {
        let before = position.clone();
        let (text, engine) = (before.write_move(mv), before.write_move_as(mv, Style::Engine));
        if position.play(mv).is_err() {
            break;
        }
        let after = remarks.after(ply + 1);
        // What stands ahead of the first move might be played instead of it.
        let ahead = if ply == 0 { remarks.after(0) } else { &[] };
        let variations = ahead.iter().chain(after).filter_map(|remark| match remark {
            Remark::Variation(variation) => Some(tell_line(before.clone(), &variation.moves, &variation.remarks)),
            _ => None,
        });
        let marks: String = after.iter().filter_map(|remark| Mark::of_remark(remark).map(Mark::sign)).collect();
        line.push(json!({
            "text": text,
            "engine": engine,
            "marks": marks,
            "comment": remarks.comment(ply + 1),
            "variations": variations.collect::<Vec<_>>(),
        }));
    }
    line
}

type Pairs = Query<Vec<(String, String)>>;

pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/params", get(params))
        .route("/api/board", get(board))
        .route("/api/analyse", get(analyse))
        .route("/api/annotate", get(annotate))
        .route("/api/record", post(record))
        .route("/api/game", post(read_game).layer(DefaultBodyLimit::max(LONGEST_GAME)))
}

async fn games(State(studio): State<Arc<Studio>>) -> axum::Json<Value> {
    let about = |game: &Arc<dyn AnyGame>| {
        let ratings: Vec<u32> = game.grades().iter().map(|grade| grade.elo).collect();
        let (players, position) = (game.players(), game.start().text());
        json!({"name": game.name(), "title": game.title(), "players": players, "ratings": ratings, "position": position})
    };
    let profiles = Profile::built_in();
    let profiles = profiles.iter().map(|profile| json!({"name": profile.name, "description": profile.description}));
    let games: Vec<Value> = studio.games.iter().map(about).collect();
    axum::Json(json!({"games": games, "profiles": profiles.collect::<Vec<_>>()}))
}

async fn params(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let request = GameRequest::read(&pairs)?;
    look(studio, move |studio| request.params(studio).map_err(Refusal::bad)).await
}

async fn board(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let request = GameRequest::read(&pairs)?;
    look(studio, move |studio| request.board(studio).map_err(Refusal::bad)).await
}

fn busy() -> Refusal {
    let body = json!({"error": "two searches are running already: stop one first"});
    Refusal { status: StatusCode::SERVICE_UNAVAILABLE, body }
}

fn full() -> Refusal {
    let error = format!("{RECORDED} trees are recorded already, and no more are kept: start the studio again");
    Refusal { status: StatusCode::INSUFFICIENT_STORAGE, body: json!({"error": error}) }
}

/// The events of a search or a run. It is stopped when the page that listens goes away.
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

async fn read_game(State(studio): State<Arc<Studio>>, Query(pairs): Pairs, text: String) -> Answer {
    let request = GameRequest::read(&pairs)?;
    look(studio, move |studio| request.read_text(studio, &text).map_err(Refusal::bad)).await
}

/// The events of work that the page waits for: some `progress`, and then `done` or `failed`.
type Events = Result<Sse<KeepAliveStream<Live>>, Refusal>;

async fn analyse(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Events {
    work(studio, &pairs, GameRequest::analyse)
}

async fn annotate(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Events {
    work(studio, &pairs, GameRequest::annotate)
}

type Work = fn(&GameRequest, &Studio, &Signal, &mut dyn FnMut(Value)) -> Result<Value, HostError>;

fn work(studio: Arc<Studio>, pairs: &[(String, String)], work: Work) -> Events {
    let request = GameRequest::read(pairs)?;
    let permit = studio.searches.clone().try_acquire_owned().map_err(|_| busy())?;
    let (sender, events) = channel(64);
    let stop = Signal::new();
    let signal = stop.clone();
    tokio::task::spawn_blocking(move || {
        // The search never waits for the page. If the page has gone away, the signal says so too.
        let send = |name: &str, data: &Value| {
            let _ = sender.try_send(Event::default().event(name).data(data.to_string()));
        };
        // A page that reads too slowly misses some of the progress; the last place is for the end.
        let mut each = |progress| {
            if sender.capacity() > 1 {
                send("progress", &progress);
            }
        };
        match work(&request, &studio, &signal, &mut each) {
            Ok(result) => send("done", &result),
            Err(error) => send("failed", &json!({"error": error.to_string()})),
        }
        drop(permit);
    });
    Ok(Sse::new(Live { events, stop }).keep_alive(KeepAlive::default()))
}

async fn record(State(studio): State<Arc<Studio>>, Query(pairs): Pairs) -> Answer {
    let mut request = GameRequest::read(&pairs)?;
    request.nodes = Some(request.nodes.map_or(MOST_RECORDED, |nodes| nodes.min(MOST_RECORDED)));
    let permit = studio.searches.clone().try_acquire_owned().map_err(|_| busy())?;
    let place = studio.shelf.clone().try_acquire_owned().map_err(|_| full())?;
    // A request that is given up ends its search.
    let stop = StopOnDrop(Signal::new());
    let signal = stop.0.clone();
    let work = tokio::task::spawn_blocking(move || {
        let number = studio.recorded.fetch_add(1, Ordering::Relaxed) + 1;
        let path = studio.folder.join(format!("recorded-{number}.tree"));
        let mut tell = |progress| studio.tell_recording(number, Some(progress));
        let recorded = request.record(&studio, &path, &signal, &mut tell).map_err(Refusal::bad);
        studio.tell_recording(number, None);
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
        let name = studio.add(opened);
        Ok(json!({"id": name, "name": name}))
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
