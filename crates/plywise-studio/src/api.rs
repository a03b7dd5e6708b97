//! The data of the page, as JSON.

use crate::games::StopOnDrop;
use crate::guard::{self, Guard};
use crate::{Opened, Studio, games, jobs, page, runs, words};
use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Query as Asked, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use plywise_search::{Signal, Technique};
use plywise_tree::{
    Act, MoveCost, Node, NodeId, Query, Stats, TechniqueStats, Tree, TreeError, fields_to_json, node_fields, parting,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// The largest body of a request: none has any.
const LARGEST_BODY: usize = 16 << 10;
/// The most children or hits in one answer.
const MOST_NODES: usize = 1000;
/// The most hits that are marked in the outline.
const MOST_MARKED: usize = 20_000;
/// The most moves whose cost is listed.
const MOST_COSTS: usize = 500;
/// How far a jump looks.
const FARTHEST: u64 = 5_000_000;

/// All pages and data, guarded.
pub(crate) fn router(studio: Arc<Studio>, port: u16) -> Router {
    let guard = Guard { studio: studio.clone(), port };
    let inner = Router::new()
        .route("/api/files", get(files))
        .route("/api/fields", get(fields))
        .route("/api/tree/{file}", get(tree))
        .route("/api/tree/{file}/save", get(save))
        .route("/api/tree/{file}/node/{id}", get(node))
        .route("/api/tree/{file}/children/{id}", get(children))
        .route("/api/tree/{file}/query", get(query))
        .route("/api/tree/{file}/jump", get(jump))
        .route("/api/diff", get(diff))
        .route("/api/asked/{number}", get(asked))
        .route("/api/tree/{file}/moves", get(moves))
        .merge(games::routes())
        .merge(jobs::routes())
        .merge(runs::routes())
        .fallback(get(|uri: Uri| async move { page::file(uri.path().trim_start_matches('/')) }))
        .with_state(studio.clone());
    Router::new()
        .nest(&format!("/{}/", studio.keys.path), inner)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::check))
}

/// Why there is no answer.
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

impl Refusal {
    pub(crate) fn missing(what: impl ToString) -> Refusal {
        Refusal { status: StatusCode::NOT_FOUND, body: json!({"error": what.to_string()}) }
    }

    pub(crate) fn bad(what: impl ToString) -> Refusal {
        Refusal { status: StatusCode::BAD_REQUEST, body: json!({"error": what.to_string()}) }
    }
}

impl From<TreeError> for Refusal {
    fn from(error: TreeError) -> Refusal {
        match error {
            TreeError::NoNode(_) => Refusal::missing(error),
            error => Refusal { status: StatusCode::UNPROCESSABLE_ENTITY, body: json!({"error": error.to_string()}) },
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, axum::Json(self.body)).into_response()
    }
}

pub(crate) type Answer = Result<axum::Json<Value>, Refusal>;

/// Looks at a tree in a thread that may wait for the disk, while at most a few others do.
pub(crate) async fn look(
    studio: Arc<Studio>,
    work: impl FnOnce(&Studio) -> Result<Value, Refusal> + Send + 'static,
) -> Answer {
    look_long(studio, |studio, _| work(studio)).await
}

/// The same for long work, which is stopped when the request is given up.
async fn look_long(
    studio: Arc<Studio>,
    work: impl FnOnce(&Studio, &Signal) -> Result<Value, Refusal> + Send + 'static,
) -> Answer {
    let busy = || Refusal { status: StatusCode::SERVICE_UNAVAILABLE, body: json!({"error": "the studio is closing"}) };
    let permit = studio.readers.clone().acquire_owned().await.map_err(|_| busy())?;
    let stop = StopOnDrop(Signal::new());
    let signal = stop.0.clone();
    // A request that is given up leaves its work behind, so the permit goes with the work.
    let result = tokio::task::spawn_blocking(move || {
        let answer = work(&studio, &signal);
        drop(permit);
        answer
    });
    let result = result.await;
    drop(stop);
    result.map_err(|_| Refusal::bad("this could not be answered"))?.map(axum::Json)
}

impl Studio {
    fn file(&self, name: &str) -> Result<Arc<Opened>, Refusal> {
        let found = self.files().into_iter().find(|file| file.name == name);
        found.ok_or_else(|| Refusal::missing(format!("no file called '{name}' is open")))
    }
}

fn id(text: &str) -> Result<NodeId, Refusal> {
    text.parse().map_err(Refusal::bad)
}

async fn files(State(studio): State<Arc<Studio>>) -> axum::Json<Value> {
    let file = |file: &Arc<Opened>| {
        let changed = file.changed.map(runs::seconds);
        json!({"id": file.name, "name": file.name, "title": file.title, "changed": changed, "saves": file.path.is_some()})
    };
    let files: Vec<Value> = studio.files().iter().map(file).collect();
    axum::Json(json!({"files": files, "recording": studio.recordings()}))
}

/// A tree that was recorded on the page, as a file to keep.
async fn save(State(studio): State<Arc<Studio>>, Path(file): Path<String>) -> Result<Response, Refusal> {
    let path = studio.file(&file)?.path.clone().ok_or_else(|| Refusal::missing("this tree is a file already"))?;
    let read = tokio::task::spawn_blocking(move || std::fs::read(path)).await.map_err(Refusal::missing)?;
    let bytes = read.map_err(Refusal::missing)?;
    let named = format!("attachment; filename=\"{}.tree\"", runs::file_name(&file));
    let kind = "application/octet-stream".to_string();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, named)], bytes).into_response())
}

async fn fields() -> axum::Json<Value> {
    let techniques: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
    let functions = ["any", "all", "count", "sum", "min", "max", "abs"];
    axum::Json(json!({"fields": fields_to_json(), "functions": functions, "techniques": techniques}))
}

async fn tree(State(studio): State<Arc<Studio>>, Path(file): Path<String>) -> Answer {
    look(studio, move |studio| {
        let file = studio.file(&file)?;
        let tree = &file.tree;
        let mut roots = Vec::new();
        for stream in 0..tree.streams() {
            for id in tree.roots(stream)? {
                roots.push(file.describe(id, &tree.node(id)?, &[]));
            }
        }
        let head = tree.head();
        Ok(json!({
            "game": head.game,
            "title": file.title,
            "position": head.position,
            "profile": head.profile,
            "build": head.build,
            "settings": head.settings,
            "filter": head.filter,
            "nodes": tree.len(),
            "bytes": tree.bytes(),
            "threads": tree.streams(),
            "notice": tree.loss(),
            "known": file.known,
            "board": file.notation.board(&[]),
            "roots": roots,
        }))
    })
    .await
}

impl Opened {
    /// A node for the page; `above` are the moves that lead to its parent.
    fn describe(&self, id: NodeId, node: &Node, above: &[u32]) -> Value {
        let mut fields: serde_json::Map<String, Value> =
            node_fields(node).into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        let mv = match node.purpose {
            Some(plywise_search::Purpose::Root) => String::new(),
            _ if node.stays() => "(same)".into(),
            _ => {
                let line: Vec<u32> = above.iter().copied().chain([node.mv]).collect();
                self.notation.line(&line).pop().unwrap_or_else(|| "?".into())
            }
        };
        fields.insert("id".into(), id.to_string().into());
        fields.insert("move".into(), mv.into());
        fields.insert("shown".into(), node.value.map(|value| self.notation.score(value)).into());
        let scores = ["alpha", "beta", "narrow_alpha", "narrow_beta", "evaluation"];
        let written = scores.map(|name| {
            let score = fields.get(name).and_then(Value::as_i64).and_then(|score| i32::try_from(score).ok());
            (name.to_string(), score.map(|score| self.notation.score(score)).into())
        });
        fields.insert("written".into(), serde_json::Map::from_iter(written).into());
        let mover = self.players.as_ref().map(|players| players[node.ply as usize % 2].as_str());
        fields.insert("mover".into(), mover.into());
        fields.insert("has_children".into(), (node.records > 1).into());
        fields.into()
    }

    /// A node by its number alone.
    fn describe_id(&self, id: NodeId) -> Result<Value, Refusal> {
        let mut moves = self.tree.moves_to(id)?;
        let node = self.tree.node(id)?;
        if !node.stays() {
            moves.pop();
        }
        Ok(self.describe(id, &node, &moves))
    }
}

#[derive(Deserialize)]
struct Look {
    /// Whether the board is seen from the second player's side.
    #[serde(default)]
    turned: u8,
}

async fn node(
    State(studio): State<Arc<Studio>>,
    Path((file, text)): Path<(String, String)>,
    Asked(asked): Asked<Look>,
) -> Answer {
    let id = id(&text)?;
    look(studio, move |studio| {
        let file = studio.file(&file)?;
        let tree = &file.tree;
        let mut moves = Vec::new();
        let mut line = Vec::new();
        for each in tree.line(id)? {
            let node = tree.node(each)?;
            line.push(file.describe(each, &node, &moves));
            if !node.stays() {
                moves.push(node.mv);
            }
        }
        let node = tree.node(id)?;
        let pv: Vec<String> = principal(tree, id)?.iter().map(NodeId::to_string).collect();
        Ok(json!({
            "node": line.last(),
            "line": line,
            "path": file.notation.line(&moves),
            "position": file.notation.position(&moves),
            "svg": file.notation.svg(&moves, asked.turned != 0),
            "words": words::tell(tree, id, &node)?,
            "pv": pv,
        }))
    })
    .await
}

/// The best line below a node: the last search of the move that its value comes from, and so on.
fn principal(tree: &Tree, id: NodeId) -> Result<Vec<NodeId>, TreeError> {
    let (mut at, mut line) = (id, Vec::new());
    loop {
        let value = tree.node(at)?.value;
        let mut next = None;
        for child in tree.children(at)? {
            let node = tree.node(child)?;
            let is_it = node.value.and_then(i32::checked_neg).is_some_and(|negated| Some(negated) == value);
            // Of equal moves the first is best, at its last search.
            let again = next.is_some_and(|(_, number)| number == node.number);
            if node.is_move() && is_it && (next.is_none() || again) {
                next = Some((child, node.number));
            }
        }
        match next {
            Some((child, _)) => {
                line.push(child);
                at = child;
            }
            None => return Ok(line),
        }
    }
}

#[derive(Deserialize)]
struct Page {
    #[serde(default)]
    from: usize,
    #[serde(default = "usual_count")]
    count: usize,
}

fn usual_count() -> usize {
    200
}

async fn children(
    State(studio): State<Arc<Studio>>,
    Path((file, text)): Path<(String, String)>,
    Asked(page): Asked<Page>,
) -> Answer {
    let id = id(&text)?;
    look(studio, move |studio| {
        let file = studio.file(&file)?;
        let (moves, ids) = (file.tree.moves_to(id)?, file.tree.children(id)?);
        let mut children = Vec::new();
        for &child in ids.iter().skip(page.from).take(page.count.min(MOST_NODES)) {
            children.push(file.describe(child, &file.tree.node(child)?, &moves));
        }
        Ok(json!({"total": ids.len(), "children": children}))
    })
    .await
}

#[derive(Deserialize)]
struct Question {
    q: String,
    #[serde(default = "usual_count")]
    first: usize,
    /// The order of the listed hits: that of the search, or one of [`SORTS`].
    #[serde(default)]
    sort: String,
    /// The number by which the page asks how far the question is.
    key: Option<u64>,
}

/// What hits are sorted by.
type Rank = fn(&Node) -> i64;

/// The orders of hits, greatest first, by their names.
const SORTS: [(&str, Rank); 3] = [
    ("nodes", |node| i64::try_from(node.nodes).unwrap_or(i64::MAX)),
    ("depth", |node| node.depth.in_hundredths().into()),
    ("value", |node| node.value.map_or(i64::MIN, i64::from)),
];

async fn query(
    State(studio): State<Arc<Studio>>,
    Path(file): Path<String>,
    Asked(question): Asked<Question>,
) -> Answer {
    let query = Query::parse(&question.q).map_err(|error| Refusal {
        status: StatusCode::BAD_REQUEST,
        body: json!({"error": error.reason, "at": error.at}),
    })?;
    look_long(studio, move |studio, stop| {
        let file = studio.file(&file)?;
        let progress = Progress::of(studio, question.key, &file.tree);
        let mut answer =
            query.ask_watched(&file.tree, &*file.notation, MOST_MARKED, stop, &mut |seen| progress.tell(seen))?;
        let ids: Vec<String> = answer.first.iter().map(|(id, _)| id.to_string()).collect();
        if let Some((_, rank)) = SORTS.iter().find(|(name, _)| *name == question.sort) {
            answer.first.sort_by_key(|(_, node)| std::cmp::Reverse(rank(node)));
        }
        let mut nodes = Vec::new();
        for (id, _) in answer.first.iter().take(question.first.min(MOST_NODES)) {
            let path = file.notation.line(&file.tree.moves_to(*id)?);
            nodes.push(json!({"node": file.describe_id(*id)?, "path": path}));
        }
        Ok(json!({"count": answer.count, "ids": ids, "nodes": nodes}))
    })
    .await
}

/// How far a long question is, for the page that asked it.
struct Progress<'a> {
    studio: &'a Studio,
    key: Option<u64>,
    nodes: u64,
}

impl<'a> Progress<'a> {
    fn of(studio: &'a Studio, key: Option<u64>, tree: &Tree) -> Progress<'a> {
        Progress { studio, key, nodes: tree.len() }
    }

    /// The number of nodes looked at until now.
    fn tell(&self, seen: u64) {
        if let Some(key) = self.key {
            let mut asked = self.studio.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.insert(key, seen as f64 / self.nodes.max(1) as f64);
        }
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.studio.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
        }
    }
}

/// How far a question is: a share, or nothing where it waits or is answered.
async fn asked(State(studio): State<Arc<Studio>>, Path(number): Path<u64>) -> axum::Json<Value> {
    let share = studio.asked.lock().unwrap_or_else(PoisonError::into_inner).get(&number).copied();
    axum::Json(json!({"share": share}))
}

#[derive(Deserialize)]
struct Costs {
    key: Option<u64>,
}

/// The moves that cost most, wherever they stand.
async fn moves(State(studio): State<Arc<Studio>>, Path(file): Path<String>, Asked(costs): Asked<Costs>) -> Answer {
    look_long(studio, move |studio, stop| {
        let file = studio.file(&file)?;
        let progress = Progress::of(studio, costs.key, &file.tree);
        let costs = MoveCost::of(&file.tree, stop, &mut |seen| progress.tell(seen))?;
        let mut rows = Vec::new();
        for cost in costs.iter().take(MOST_COSTS) {
            let name = file.notation.line(&file.tree.moves_to(cost.largest)?).pop();
            let mover = file.players.as_ref().map(|players| &players[usize::from(cost.is_second)]);
            rows.push(json!({
                "move": name.unwrap_or_else(|| "?".into()),
                "mover": mover,
                "searches": cost.searches,
                "nodes": cost.nodes,
                "cuts": cost.cuts,
                "id": cost.largest.to_string(),
            }));
        }
        let nodes: u64 = file.tree.len();
        Ok(json!({"moves": rows, "different": costs.len(), "nodes": nodes}))
    })
    .await
}

#[derive(Deserialize)]
struct Jump {
    what: String,
    technique: Option<String>,
    from: String,
}

async fn jump(State(studio): State<Arc<Studio>>, Path(file): Path<String>, Asked(jump): Asked<Jump>) -> Answer {
    let from = id(&jump.from)?;
    look_long(studio, move |studio, stop| {
        let file = studio.file(&file)?;
        let tree = &file.tree;
        let found = match jump.what.as_str() {
            "pv" => principal(tree, from)?.first().copied(),
            "largest" => {
                let mut largest = None;
                for child in tree.children(from)? {
                    let nodes = tree.node(child)?.nodes;
                    if largest.is_none_or(|(most, _)| nodes > most) {
                        largest = Some((nodes, child));
                    }
                }
                largest.map(|(_, child)| child)
            }
            "fail_high" => {
                let below = tree.children(from)?;
                first(tree, below, stop, |node| node.value.is_some_and(|value| value >= node.window.beta))?
            }
            "cut_by" => {
                let name = jump.technique.as_deref().unwrap_or_default();
                let later = later(tree, from)?;
                first(tree, later, stop, |node| node.cut_by().is_some_and(|technique| technique.name() == name))?
            }
            _ => return Err(Refusal::bad("a jump goes to pv, largest, fail_high or cut_by")),
        };
        let found = found.ok_or_else(|| {
            Refusal::missing(match jump.what.as_str() {
                "cut_by" => "no later node of this iteration was cut by that",
                "fail_high" => "no node below this one failed high",
                _ => "there is none below this node",
            })
        })?;
        Ok(json!({"id": found.to_string()}))
    })
    .await
}

/// The topmost nodes that were entered after a node, in its own subtree and in the rest of its iteration, in the order of the
/// search.
fn later(tree: &Tree, from: NodeId) -> Result<Vec<NodeId>, TreeError> {
    let mut later = tree.children(from)?;
    for pair in tree.line(from)?.windows(2).rev() {
        let siblings = tree.children(pair[0])?;
        let place = siblings.iter().position(|&sibling| sibling == pair[1]).ok_or(TreeError::NoNode(pair[1]))?;
        later.extend(&siblings[place + 1..]);
    }
    Ok(later)
}

/// The first node that fits among some and all below them, each before its children, as the search entered them. The file
/// has children before their parents.
fn first(
    tree: &Tree,
    mut waiting: Vec<NodeId>,
    stop: &Signal,
    fits: impl Fn(&Node) -> bool,
) -> Result<Option<NodeId>, TreeError> {
    waiting.reverse();
    for _ in 0..FARTHEST {
        let Some(id) = waiting.pop() else { break };
        let node = tree.node(id)?;
        if fits(&node) {
            return Ok(Some(id));
        }
        if stop.is_stopped() {
            return Err(TreeError::Stopped);
        }
        if node.records > 1 {
            waiting.extend(tree.children(id)?.into_iter().rev());
        }
    }
    Ok(None)
}

#[derive(Deserialize)]
struct Pair {
    a: String,
    b: String,
    key: Option<u64>,
}

async fn diff(State(studio): State<Arc<Studio>>, Asked(pair): Asked<Pair>) -> Answer {
    look_long(studio, move |studio, stop| {
        let (a, b) = (studio.file(&pair.a)?, studio.file(&pair.b)?);
        let about = |file: &Opened| (file.tree.head().game.clone(), file.tree.head().position.clone());
        if about(&a) != about(&b) {
            return Err(Refusal::bad("these are trees of different positions"));
        }
        let progress = Progress { studio, key: pair.key, nodes: a.tree.len() + b.tree.len() };
        let stats = (
            Stats::of_watched(&a.tree, stop, &mut |seen| progress.tell(seen))?,
            Stats::of_watched(&b.tree, stop, &mut |seen| progress.tell(a.tree.len() + seen))?,
        );
        let parting = parting(&a.tree, &b.tree, stop)?;
        let names: BTreeSet<&str> = stats.0.by_technique.keys().chain(stats.1.by_technique.keys()).copied().collect();
        let of =
            |stats: &Stats, name: &str| -> TechniqueStats { stats.by_technique.get(name).copied().unwrap_or_default() };
        let row = |name: &str| json!({"technique": name, "a": of(&stats.0, name), "b": of(&stats.1, name)});
        let act = |file: &Opened, act: Option<Act>| -> Result<Value, Refusal> {
            let Some(Act { id, node, leaves }) = act else { return Ok(Value::Null) };
            Ok(json!({"id": id.to_string(), "leaves": leaves, "words": words::tell(&file.tree, id, &node)?}))
        };
        let difference = |(what, a, b): (&str, String, String)| json!({"what": what, "a": a, "b": b});
        let told = match &parting {
            None => Value::Null,
            Some(parting) => json!({
                "path": a.notation.line(&parting.moves),
                "shared": parting.shared,
                "a": act(&a, parting.a)?,
                "b": act(&b, parting.b)?,
                "differences": parting.told(&*a.notation).into_iter().map(difference).collect::<Vec<_>>(),
            }),
        };
        Ok(json!({
            "same": parting.is_none(),
            "parting": told,
            "techniques": names.into_iter().map(row).collect::<Vec<_>>(),
            "nodes": {"a": stats.0.counted, "b": stats.1.counted},
        }))
    })
    .await
}
