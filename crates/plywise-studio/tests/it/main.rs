//! The studio as a browser and as an attacker meet it.

mod contrast;
mod wordy;

use plywise_chess::Chess;
use plywise_game::Notation;
use plywise_host::{AnyGame, AnyPosition, Ask, Hosted, RecordedSearch, Setup};
use plywise_run::{Manifest, Run, TOTAL};
use plywise_search::{Limits, Signal};
use plywise_studio::{JobStarter, Opened, Pairs, ReadyJob, RunReader, Studio};
use plywise_tree::{Filter, Tree, TreeNotation};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wordy::Wordy;

/// Reads runs of numbers.
struct Numbers;

impl RunReader for Numbers {
    fn unit_name(&self, _: &Map<String, Value>) -> &'static str {
        "numbers"
    }

    fn summary(&self, path: &Path) -> Result<Value, String> {
        let mut units = Vec::new();
        let manifest = Run::look(path, &mut |unit: u64| {
            units.push(unit);
            Ok(())
        });
        manifest.map_err(|error| error.to_string())?;
        let sum = units.iter().sum::<u64>();
        Ok(json!({"facts": [{"name": "Sum", "value": sum}], "games": 2, "is_decided": sum >= 100}))
    }

    fn games(&self, _: &Path, from: usize, count: usize) -> Result<Value, String> {
        Ok(json!({"from": from, "count": count}))
    }

    fn game(&self, _: &Path, number: u64) -> Result<Value, String> {
        (number == 1).then(|| json!({"number": 1})).ok_or_else(|| "there is no such game".into())
    }

    fn pgn(&self, _: &Path) -> Result<String, String> {
        Ok("1. e4 *".into())
    }
}

/// Counts from a number, until it is stopped or the test has hung for long. Its form is read slowly from 5, its run
/// directory comes late from 6, and it panics from 8.
struct Counting;

impl JobStarter for Counting {
    fn forms(&self) -> Value {
        json!({"forms": [{"job": "count", "fields": []}]})
    }

    fn read(&self, job: &str, filled: &Pairs) -> Result<ReadyJob, String> {
        let from = filled.iter().find(|(field, _)| field == "from").map_or(Ok(0), |(_, from)| from.parse::<u64>());
        let from = from.map_err(|error| error.to_string())?;
        let job = job.to_string();
        if from == 5 {
            std::thread::sleep(Duration::from_millis(200));
        }
        Ok(Box::new(move |folder, stop| {
            if from == 13 {
                return Err("13 is no number to begin with".into());
            }
            if from == 6 {
                std::thread::sleep(Duration::from_millis(200));
            }
            let mut manifest = Manifest::default();
            manifest.work.insert("command".into(), job.into());
            manifest.about.insert(TOTAL.into(), 1_000_000.into());
            let mut run =
                Run::open::<u64>(folder, &manifest, false, &mut |_| Ok(())).map_err(|error| error.to_string())?;
            run.append(&from).map_err(|error| error.to_string())?;
            assert_ne!(from, 8, "a job that panics");
            let begun = Instant::now();
            while !stop.is_stopped() && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        }))
    }
}

/// Chess, and games that are hard on a server: one whose positions are read slowly, one with very long names for its moves.
/// `looking` counts the positions that are being read.
fn games(looking: &Arc<AtomicUsize>) -> Vec<Arc<dyn AnyGame>> {
    let looking = looking.clone();
    let read = move |text: &str| {
        looking.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(200));
        looking.fetch_sub(1, Ordering::SeqCst);
        Chess::parse_position(text)
    };
    let slow = Hosted::<Chess>::with("slow", "Slow chess", <Chess as plywise_game::Game>::start, read);
    vec![Arc::new(Hosted::<Chess>::new()), Arc::new(slow), Arc::new(Hosted::<Wordy>::new())]
}

/// A studio that serves until it is dropped.
struct Served {
    port: u16,
    token: String,
    /// The path of the studio, and the cookie of the browser that was let in; none before.
    path: String,
    cookie: String,
    runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
    /// How many positions of the slow game are being read.
    looking: Arc<AtomicUsize>,
    /// How many lines of moves were written since somebody began to count.
    lines: Arc<Mutex<Option<usize>>>,
}

/// Counts the lines of moves that it writes, and takes its time while it does.
struct Slow {
    inner: AnyPosition,
    lines: Arc<Mutex<Option<usize>>>,
}

impl TreeNotation for Slow {
    fn line(&self, moves: &[u32]) -> Vec<String> {
        let counted = self.lines.lock().unwrap().as_mut().map(|lines| *lines += 1);
        if counted.is_some() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.inner.line(moves)
    }
    fn read(&self, line: &[u32], text: &str) -> Result<u32, String> {
        self.inner.read(line, text)
    }
    fn board(&self, moves: &[u32]) -> String {
        self.inner.board(moves)
    }
    fn position(&self, moves: &[u32]) -> String {
        self.inner.position(moves)
    }
    fn score(&self, score: i32) -> String {
        self.inner.score(score)
    }
    fn svg(&self, moves: &[u32], turned: bool) -> Option<String> {
        self.inner.svg(moves, turned)
    }
}

fn record(path: &Path, profile: &str) {
    let game = Hosted::<Chess>::new();
    let setup = Setup { hash: 4, network: None, ..Setup::of_profile(&game, profile).unwrap() };
    let mut engine = game.engine(&setup).unwrap();
    let search = RecordedSearch { game: &game, setup: &setup, path, filter: Filter::default() };
    let (limits, signal) = (Limits::depth(5), Signal::new());
    let (_, recorded) = search.run(&mut *engine, &Ask::new(&game.start()), &limits, &signal, &mut |_| {}).unwrap();
    recorded.unwrap();
}

/// Tries again and again until something is there.
#[track_caller]
fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

impl Served {
    /// A studio that has let a browser in.
    fn new() -> Served {
        let mut served = Served::closed();
        let (head, body) = served.door(&format!("/?token={}", served.token), "");
        let value = |text: &str, from: &str, to: char| {
            let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{text}"));
            rest.split(to).next().unwrap().to_string()
        };
        served.path = value(&body, "data-path=\"", '"');
        served.cookie = value(&head, "set-cookie: plywise=", ';');
        served
    }

    /// A studio that has let no browser in yet.
    fn closed() -> Served {
        let folder = tempfile::tempdir().unwrap();
        let lines = Arc::new(Mutex::new(None));
        let open = |profile: &str| {
            let path = folder.path().join(profile);
            record(&path, profile);
            let tree = Tree::open(&path).unwrap();
            let notation = Slow { inner: Hosted::<Chess>::new().start(), lines: lines.clone() };
            Opened::written(format!("{profile}.tree"), "Chess".into(), tree, Box::new(notation))
        };
        let looking = Arc::default();
        let runs = vec![folder.path().join("runs")];
        let studio = Studio::new(
            games(&looking),
            vec![open("best"), open("classic")],
            runs,
            Box::new(Numbers),
            folder.path().into(),
        )
        .unwrap()
        .with_jobs(Box::new(Counting), Some(folder.path().join("runs")));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let token = studio.address(port).split_once("token=").unwrap().1.to_string();
        runtime.spawn(studio.serve(listener));
        Served { port, token, path: String::new(), cookie: String::new(), runtime, folder, looking, lines }
    }

    /// Sends a request as it stands; the answer, head and body.
    fn send(&self, request: &str) -> (String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (head.to_string(), body.to_string())
    }

    /// The lines that ask for something in the studio, but for the last empty one.
    fn asking(&self, method: &str, path: &str, more: &str) -> String {
        format!("{method} /{}{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{more}", self.path, self.port)
    }

    fn request(&self, path: &str, more: &str) -> (String, String) {
        self.send(&format!("{}Connection: close\r\n\r\n", self.asking("GET", path, more)))
    }

    /// Asks for something outside the studio's own path.
    fn door(&self, path: &str, more: &str) -> (String, String) {
        let port = self.port;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}Connection: close\r\n\r\n"))
    }

    fn cookie(&self) -> String {
        format!("Cookie: plywise={}\r\n", self.cookie)
    }

    /// What comes of a request that changes something.
    fn post(&self, path: &str, more: &str) -> (u16, Value) {
        let asked = self.asking("POST", path, &format!("{}{more}", self.cookie()));
        status_of(self.send(&format!("{asked}Content-Length: 0\r\nConnection: close\r\n\r\n")))
    }

    /// A document that a browser with the cookie gets, with its status.
    fn get(&self, path: &str) -> (u16, Value) {
        status_of(self.request(path, &self.cookie()))
    }

    /// Begins an analysis that ends when it is dropped; `None` if it is refused.
    fn analyse(&self) -> Option<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = format!("{}\r\n", self.asking("GET", "/api/analyse?game=chess", &self.cookie()));
        stream.write_all(request.as_bytes()).unwrap();
        let mut status = [0; 12];
        stream.read_exact(&mut status).unwrap();
        assert!([b"HTTP/1.1 200", b"HTTP/1.1 503"].contains(&&status), "{}", String::from_utf8_lossy(&status));
        (&status == b"HTTP/1.1 200").then_some(stream)
    }

    #[track_caller]
    fn json(&self, path: &str) -> Value {
        let (status, value) = self.get(path);
        assert_eq!(status, 200, "{path}: {value}");
        value
    }
}

fn is_refused((head, _): &(String, String)) -> bool {
    head.starts_with("HTTP/1.1 403")
}

/// The status of an answer, and its document.
fn status_of((head, body): (String, String)) -> (u16, Value) {
    let status = head.split(' ').nth(1).unwrap_or_else(|| panic!("{head}")).parse().unwrap();
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}

/// A name as a part of an address.
fn encoded(name: &Value) -> String {
    name.as_str().unwrap().replace('/', "%2F").replace(' ', "%20")
}

/// What a request that changes something carries.
const INTENT: &str = "X-Plywise: 1\r\n";

#[test]
fn the_token_becomes_a_strict_cookie_once() {
    let served = Served::closed();
    let address = format!("/?token={}", served.token);
    let (head, body) = served.door(&address, "Sec-Fetch-Site: cross-site\r\n");
    assert!(head.starts_with("HTTP/1.1 200") && body.contains("/door.js"), "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let path = body.split("data-path=\"").nth(1).unwrap().split('"').next().unwrap();
    let (value, rest) = cookie.split_once("; ").unwrap();
    assert_eq!(rest, format!("HttpOnly; SameSite=Strict; Path=/{path}/"), "other ports never see it");
    assert!(!cookie.contains(&served.token) && !body.contains(&served.token), "the token proves nothing any more");
    assert!(served.door("/door.js", "").1.contains("location.replace"));

    // The same address again, by somebody who saw it in a list of processes.
    let (head, body) = served.door(&address, "");
    assert!(head.starts_with("HTTP/1.1 403") && !head.contains("set-cookie"), "{head}");
    assert!(body.contains("data-path=\"\"") && !body.contains(path), "{body}");

    let served = Served { path: path.into(), cookie: value.split_once('=').unwrap().1.into(), ..served };
    let (head, body) = served.request("/", &served.cookie());
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    assert!(head.contains("cross-origin-resource-policy: same-origin"), "{head}");
    assert!(body.contains("<script type=\"module\" src="), "{body}");
    assert!(!body.contains("<style") && !body.contains("onclick="), "nothing runs inline");
}

#[test]
fn strangers_are_refused() {
    let served = Served::new();
    let (port, cookie) = (served.port, served.cookie());
    assert!(is_refused(&served.request("/api/files", "")), "no cookie");
    assert!(is_refused(&served.door("/?token=0123", "")), "a wrong token");
    assert!(is_refused(&served.door("/api/files", &cookie)), "the cookie without the path");
    assert!(is_refused(&served.request("/api/files", "Cookie: plywise=0123\r\n")));
    assert!(is_refused(&served.request("/api/files", &format!("Cookie: plywise={}\r\n", served.token))));
    assert!(is_refused(&served.request("/api/files", &format!("{cookie}Origin: http://evil.example\r\n"))));
    let own = format!("{cookie}Origin: http://127.0.0.1:{port}\r\n");
    assert!(served.request("/api/files", &own).0.starts_with("HTTP/1.1 200"));
    let path = &served.path;
    let rebound =
        format!("GET /{path}/api/files HTTP/1.1\r\nHost: evil.example:{port}\r\n{cookie}Connection: close\r\n\r\n");
    assert!(is_refused(&served.send(&rebound)), "a name that was pointed at this machine");
    for path in
        ["/../Cargo.toml", "/..%2f..%2fCargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/page/index.html"]
    {
        let (head, body) = served.request(path, &cookie);
        assert!(head.starts_with("HTTP/1.1 404") || head.starts_with("HTTP/1.1 400"), "{path}: {head}");
        assert!(!body.contains("[package]") && !body.contains("root:"), "{path}");
    }
    let body = "x".repeat(100_000);
    let huge = format!(
        "{}{INTENT}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        served.asking("POST", "/api/files", &cookie),
        body.len()
    );
    assert!(!served.send(&huge).0.starts_with("HTTP/1.1 2"));
    assert!(served.send("nonsense\r\n\r\n").0.starts_with("HTTP/1.1 400"));
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 2);
}

#[test]
fn other_sites_and_other_ports_are_refused_and_cannot_record() {
    let served = Served::new();
    let site = |site: &str| format!("{}Sec-Fetch-Site: {site}\r\n", served.cookie());
    for other in ["same-site", "cross-site", "nonsense"] {
        assert!(is_refused(&served.request("/api/files", &site(other))), "{other}");
        let (status, _) = served.post("/api/record?game=chess", &format!("Sec-Fetch-Site: {other}\r\n{INTENT}"));
        assert_eq!(status, 403, "{other}");
    }
    for own in ["same-origin", "none"] {
        assert!(served.request("/api/files", &site(own)).0.starts_with("HTTP/1.1 200"), "{own}");
    }
    // An image or a form of another page cannot say that it means it.
    assert_eq!(served.get("/api/record?game=chess").0, 405);
    assert_eq!(served.post("/api/record?game=chess", "").0, 403);
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 2);
    assert_eq!(served.post("/api/record?game=chess&depth=1", INTENT).0, 200);
}

#[test]
fn strangers_who_send_and_never_read_hold_nobody_up() {
    let served = Served::new();
    let port = served.port;
    let many = format!("GET /style.css HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").repeat(2000);
    let deaf: Vec<TcpStream> = (0..300)
        .map(|_| {
            let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.set_nonblocking(true).unwrap();
            // As much as goes: the studio hangs up after the first answer.
            let _ = (&stream).write(many.as_bytes());
            stream
        })
        .collect();
    let begun = std::time::Instant::now();
    for _ in 0..20 {
        assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 2);
    }
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?} with {} strangers", begun.elapsed(), deaf.len());
}

#[test]
fn slow_clients_hold_nobody_up() {
    let served = Served::new();
    let connect = |request: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    // More of them than there are connections: they never end their requests, and are dropped.
    let mut slow: Vec<TcpStream> = (0..300).map(|_| connect("GET / HTTP/1.1\r\nHost: ")).collect();
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 2);
    let mut answer = Vec::new();
    let _ = slow[0].read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 2"), "{}", String::from_utf8_lossy(&answer));

    // One who asks for an analysis and never reads does not hold the search.
    let request = format!("{}\r\n", served.asking("GET", "/api/analyse?game=wordy&depth=100", &served.cookie()));
    let deaf: Vec<TcpStream> = (0..2).map(|_| connect(&request)).collect();
    let free = || (served.get("/api/analyse?game=chess&depth=1").0 == 200).then_some(());
    eventually("the searches of clients that do not read never end", free);
    drop(deaf);
}

#[test]
fn a_tree_is_walked_from_the_root() {
    let served = Served::new();
    let tree = served.json("/api/tree/best.tree");
    assert_eq!((&tree["title"], &tree["profile"], &tree["known"]), (&"Chess".into(), &"best".into(), &true.into()));
    let root = tree["roots"].as_array().unwrap().last().unwrap();
    assert_eq!((&root["purpose"], &root["depth"], &root["move"]), (&"root".into(), &5.into(), &"".into()));
    let id = root["id"].as_str().unwrap();
    let page = served.json(&format!("/api/tree/best.tree/children/{id}?from=2&count=3"));
    assert!(page["total"].as_u64().unwrap() >= 20, "{page}");
    assert_eq!(page["children"].as_array().unwrap().len(), 3);
    let all = served.json(&format!("/api/tree/best.tree/children/{id}"));
    assert_eq!(all["children"][2], page["children"][0]);
    let first = &all["children"][0];
    let node = served.json(&format!("/api/tree/best.tree/node/{}", first["id"].as_str().unwrap()));
    assert_eq!(node["path"][0], first["move"]);
    assert_eq!(node["line"].as_array().unwrap().len(), 2);
    assert!(node["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(node["words"].as_str().unwrap().ends_with('.'), "{node}");
    let line = served.json(&format!("/api/tree/best.tree/node/{id}"));
    assert!(!line["pv"].as_array().unwrap().is_empty());
    let jump = served.json(&format!("/api/tree/best.tree/jump?what=pv&from={id}"));
    assert_eq!(jump["id"], line["pv"][0]);
    served.json(&format!("/api/tree/best.tree/jump?what=largest&from={id}"));
}

#[test]
fn jumps_go_on_in_the_order_of_the_search() {
    let served = Served::new();
    let roots = served.json("/api/tree/best.tree")["roots"].clone();
    let root = roots.as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_string();
    let jump = |what: &str, from: &str| {
        let (status, found) = served.get(&format!("/api/tree/best.tree/jump?what={what}&from={from}"));
        (status == 200).then(|| found["id"].as_str().unwrap().to_string())
    };
    let node = |id: &str| served.json(&format!("/api/tree/best.tree/node/{id}"));
    let ids = |line: &Value| -> Vec<String> {
        line.as_array().unwrap().iter().map(|node| node["id"].as_str().unwrap().to_string()).collect()
    };
    // From the root, with all of the iteration below it.
    let high = jump("fail_high", &root).expect("some node fails high");
    let found = node(&high);
    assert!(found["node"]["value"].as_i64() >= found["node"]["beta"].as_i64(), "{found}");
    assert_eq!(ids(&found["line"])[0], root);
    // The first fail-high stays below the node that it is asked of.
    let below = ids(&found["line"])[1].clone();
    if let Some(inner) = jump("fail_high", &below) {
        assert!(ids(&node(&inner)["line"]).contains(&below));
    }
    // The next cut goes through all of them in order, and never into another iteration.
    let all = served.json("/api/tree/best.tree/query?q=cut_by%20%3D%20table&first=1000");
    let all = ids(&Value::Array(all["nodes"].as_array().unwrap().iter().map(|hit| hit["node"].clone()).collect()));
    let wanted: Vec<String> = all.into_iter().filter(|id| ids(&node(id)["line"])[0] == root).collect();
    let (mut at, mut seen) = (root.clone(), Vec::new());
    while let Some(next) = jump("cut_by&technique=table", &at) {
        assert_eq!(ids(&node(&next)["line"])[0], root);
        seen.push(next.clone());
        assert!(seen.len() <= wanted.len(), "{seen:?}");
        at = next;
    }
    seen.sort();
    let mut wanted = wanted;
    wanted.sort();
    assert!(!wanted.is_empty());
    assert_eq!(seen, wanted);
}

#[test]
fn questions_are_answered_and_mistakes_pointed_at() {
    let served = Served::new();
    let answer = served.json("/api/tree/best.tree/query?q=kind%20%3D%20pv%20and%20ply%20%3D%201&first=2");
    assert!(answer["count"].as_u64().unwrap() > 2);
    assert_eq!(answer["nodes"].as_array().unwrap().len(), 2);
    assert_eq!(answer["nodes"][0]["path"].as_array().unwrap().len(), 1);
    let (status, mistake) = served.get("/api/tree/best.tree/query?q=kind%20%3D%20cat");
    assert_eq!((status, &mistake["at"]), (400, &7.into()), "{mistake}");
    let fields = served.json("/api/fields");
    assert!(
        fields["fields"].as_array().unwrap().iter().any(|field| field["name"] == "kind" && field["words"].is_array())
    );
    for path in
        ["/api/tree/9", "/api/tree/best.tree/node/99999999", "/api/tree/x", "/api/tree/best.tree/jump?what=moon&from=0"]
    {
        let (status, _) = served.get(path);
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    let diff = served.json("/api/diff?a=best.tree&b=classic.tree");
    assert_eq!(diff["same"], false);
    assert!(!diff["parting"]["differences"].as_array().unwrap().is_empty());
}

#[test]
fn a_thousand_questions_at_once_are_all_answered() {
    let served = Served::new();
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                for _ in 0..50 {
                    served.json("/api/tree/best.tree/query?q=depth%20%3E%204&first=1");
                }
            });
        }
    });
    let _ = &served.runtime;
    served.json("/api/files");
}

#[test]
fn an_analysis_is_told_as_it_goes() {
    let served = Served::new();
    let (head, body) =
        served.request("/api/analyse?game=chess&depth=3&lines=2&set=table.enabled=false", &served.cookie());
    assert!(head.contains("text/event-stream"), "{head}");
    let events: Vec<&str> = body.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    let (last, before) = events.split_last().unwrap();
    assert_eq!(*last, "done", "{body}");
    assert!(before.len() >= 6 && before.iter().all(|event| *event == "progress"), "{body}");
    assert!(body.contains(r#""line":2"#) && body.contains(r#""engine_pv":["#), "{body}");
    let (_, body) = served.request("/api/analyse?game=go", &served.cookie());
    assert!(body.contains("event: failed") && body.contains("unknown game 'go'"), "{body}");
    let network = "/api/analyse?game=chess&depth=1&set=evaluation.network=/etc/passwd";
    let (_, body) = served.request(network, &served.cookie());
    assert!(body.contains("event: failed") && body.contains("not built in"), "{body}");
    for bad in ["depth=0", "depth=x", "nodes=-1", "lines=99", "set=x", "colour=red"] {
        assert_eq!(served.get(&format!("/api/analyse?game=chess&{bad}")).0, 400, "{bad}");
    }
    assert_eq!(served.json("/api/board?game=chess&moves=e2e4,e5")["played"], json!(["e4", "e5"]));
    let (status, refusal) = served.get("/api/board?game=chess&moves=e2e4,e4");
    assert!(status == 400 && refusal["error"].as_str().unwrap().starts_with("move 2: "), "{refusal}");
    let (status, refusal) = served.get("/api/params?game=chess&profile=odd");
    assert!(status == 400 && refusal["error"].as_str().unwrap().contains("'odd'"), "{refusal}");
    let all = served.json("/api/games");
    let names: Vec<&Value> = all["games"].as_array().unwrap().iter().map(|game| &game["name"]).collect();
    assert_eq!(names, ["chess", "slow", "wordy"]);
}

#[test]
fn a_search_ends_when_the_page_is_closed_and_few_run_at_once() {
    let served = Served::new();
    let begun = |what: &str| eventually(what, || served.analyse());
    let (first, second) = (begun("the first"), begun("the second"));
    for _ in 0..1000 {
        assert_eq!(served.get("/api/analyse?game=chess").0, 503);
    }
    drop(first);
    let third = begun("one goes on although its page is closed");
    assert!(served.analyse().is_none());
    drop((second, third));
    let _both = (begun("both go on"), begun("one of two goes on"));
}

#[test]
fn a_tree_that_is_recorded_on_the_page_can_be_looked_at() {
    let served = Served::new();
    let (status, recorded) = served.post("/api/record?game=chess&depth=3&set=table.enabled=false", INTENT);
    assert_eq!((status, &recorded["id"]), (200, &recorded["name"]));
    assert_eq!(recorded["name"], "1: chess best with table.enabled=false, depth 3");
    assert_eq!(served.post("/api/record?game=../../evil&depth=3", INTENT).0, 400);
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 3);
    let tree = served.json("/api/tree/1:%20chess%20best%20with%20table.enabled=false,%20depth%203");
    assert_eq!((&tree["title"], &tree["profile"]), (&json!("Chess"), &json!("best")));
}

#[test]
fn few_trees_are_recorded_and_one_that_is_given_up_leaves_nothing() {
    let served = Served::new();
    let files = || served.json("/api/files")["files"].as_array().unwrap().len();
    let on_disk = || {
        let names = std::fs::read_dir(served.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with("recorded-")).count()
    };
    let wait_for = |wanted: usize| {
        let look = || (on_disk() == wanted).then_some(());
        eventually(&format!("there never are {wanted} files"), look);
    };
    // More of them are given up than there may be.
    for _ in 0..25 {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        let more = format!("{}{INTENT}Content-Length: 0\r\n", served.cookie());
        let request = format!("{}\r\n", served.asking("POST", "/api/record?game=chess", &more));
        stream.write_all(request.as_bytes()).unwrap();
        wait_for(1);
        drop(stream);
        wait_for(0);
    }
    assert_eq!(files(), 2);
    for _ in 0..20 {
        assert_eq!(served.post("/api/record?game=chess&depth=1", INTENT).0, 200);
    }
    let (status, refusal) = served.post("/api/record?game=chess&depth=1", INTENT);
    assert_eq!((status, files(), on_disk()), (507, 22, 20), "{refusal}");
}

/// A run directory of some numbers.
fn begin(path: &Path, total: u64) -> Run {
    let mut manifest = Manifest::default();
    manifest.work.insert("command".into(), "count".into());
    manifest.about.insert(TOTAL.into(), total.into());
    Run::open::<u64>(path, &manifest, false, &mut |_| Ok(())).unwrap()
}

#[test]
fn runs_are_found_and_watched() {
    let served = Served::new();
    let runs = served.folder.path().join("runs");
    assert_eq!(served.json("/api/runs"), json!({"runs": []}));
    let mut run = begin(&runs.join("inner/first"), 3);
    run.append(&20_u64).unwrap();
    let list = served.json("/api/runs");
    let first = &list["runs"][0];
    assert_eq!((&first["name"], &first["command"]), (&json!("runs/inner/first"), &json!("count")));
    assert_eq!((&first["units"], &first["unit_name"], &first["total"]), (&json!(1), &json!("numbers"), &json!(3)));
    assert_eq!(first["state"], "running");

    // Whoever watches hears of what is there, and of what comes.
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let request = format!("{}\r\n", served.asking("GET", "/api/runs/runs%2Finner%2Ffirst/live", &served.cookie()));
    stream.write_all(request.as_bytes()).unwrap();
    let mut heard = String::new();
    let mut hear = |what: &str| {
        let mut bytes = [0; 4096];
        while !heard.contains(what) {
            let read = stream.read(&mut bytes).unwrap();
            assert!(read > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
    };
    hear(r#""value":20"#);
    run.append(&22_u64).unwrap();
    hear(r#""value":42"#);
    drop(run);
    hear(r#""state":"stopped""#);

    // A run keeps its name when others come before it.
    let mut other = begin(&runs.join("another"), 1);
    other.append(&7_u64).unwrap();
    drop(other);
    let list = served.json("/api/runs");
    assert_eq!((&list["runs"][0]["units"], &list["runs"][1]["state"]), (&json!(2), &json!("finished")));
    assert_eq!(served.json("/api/runs/runs%2Fanother")["facts"][0]["value"], 7);
    assert_eq!(served.json("/api/runs/runs%2Fanother/games?from=5&count=5000"), json!({"from": 5, "count": 1000}));
    assert_eq!(served.json("/api/runs/runs%2Fanother/games/1")["number"], 1);
    for missing in ["/api/runs/2", "/api/runs/runs%2Fanother/games/2", "/api/runs/none/live"] {
        assert_eq!(served.get(missing).0, 404, "{missing}");
    }
    // A run that came to its end early is no stopped one.
    let mut early = begin(&runs.join("early"), 9);
    early.append(&99_u64).unwrap();
    drop(early);
    assert_eq!(served.json("/api/runs")["runs"][2]["state"], "stopped");
    let mut early = begin(&runs.join("early"), 9);
    early.append(&1_u64).unwrap();
    drop(early);
    assert_eq!(served.json("/api/runs")["runs"][2]["state"], "finished");
    // A run may be made of others.
    drop(begin(&runs.join("another/step-1"), 1));
    assert_eq!(served.json("/api/runs")["runs"][3]["name"], "runs/another/step-1");
}

#[test]
fn damaged_runs_are_told_and_links_are_not_followed() {
    let served = Served::new();
    let runs = served.folder.path().join("runs");
    drop(begin(&runs.join("good"), 1));
    std::fs::create_dir_all(runs.join("bad")).unwrap();
    std::fs::write(runs.join("bad/run.json"), "{").unwrap();
    drop(begin(&served.folder.path().join("outside/secret"), 1));
    #[cfg(unix)]
    std::os::unix::fs::symlink(served.folder.path().join("outside"), runs.join("link")).unwrap();
    let list = served.json("/api/runs");
    assert_eq!(list["runs"].as_array().map(Vec::len), Some(2), "{list}");
    assert_eq!(list["runs"][0]["state"], "damaged");
    assert!(list["runs"][0]["notice"].as_str().unwrap().contains("damaged"), "{list}");
    std::fs::write(runs.join("good/journal.jsonl"), "nothing that anybody counted\nmore\n").unwrap();
    let good = served.json("/api/runs/runs%2Fgood");
    assert!(good["notice"].as_str().unwrap().contains("line 1"), "{good}");
    assert_eq!(good["facts"], json!([]));
}

/// Files that are no plain ones are refused at once: a device without an end, a pipe without a writer, what a link leads to.
#[cfg(unix)]
#[test]
fn devices_pipes_and_links_in_run_directories_are_refused() {
    use std::os::unix::fs::symlink;
    let served = Served::new();
    let runs = served.folder.path().join("runs");
    let place = |name: &str, file: &str| {
        drop(begin(&runs.join(name), 1));
        let path = runs.join(name).join(file);
        std::fs::remove_file(&path).unwrap();
        path
    };
    let secret = served.folder.path().join("secret");
    std::fs::write(&secret, "root:x:0:0\nuser:x:1:1\n").unwrap();
    symlink("/dev/zero", place("a-zero", "journal.jsonl")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place("b-pipe", "journal.jsonl")).status().unwrap().success());
    symlink(&secret, place("c-link", "journal.jsonl")).unwrap();
    symlink("/dev/zero", place("d-zero", "run.json")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place("e-pipe", "run.json")).status().unwrap().success());
    let endless = std::fs::File::create(place("f-endless", "journal.jsonl")).unwrap();
    endless.set_len(1 << 40).unwrap();
    let begun = std::time::Instant::now();
    let list = served.json("/api/runs");
    let runs = list["runs"].as_array().unwrap();
    // Without a run.json there is no run.
    assert_eq!(runs.len(), 4, "{list}");
    for run in &runs[..3] {
        assert_eq!((&run["state"], &run["units"]), (&json!("damaged"), &json!(0)), "{run}");
        assert!(run["notice"].as_str().unwrap().contains("not a plain file"), "{run}");
        assert_eq!(served.json(&format!("/api/runs/{}", encoded(&run["id"])))["facts"], json!([]));
    }
    let endless = served.json(&format!("/api/runs/{}", encoded(&runs[3]["id"])));
    assert_eq!(endless["units"], 0, "{endless}");
    assert!(endless["notice"].as_str().unwrap().contains("longer than 64 MB"), "{endless}");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_question_that_is_given_up_ends_and_keeps_its_place_until_then() {
    let served = Served::new();
    let looking = || served.looking.load(Ordering::SeqCst);
    let open = || {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        stream
            .write_all(
                format!("{}\r\n", served.asking("GET", "/api/board?game=slow&position=x", &served.cookie())).as_bytes(),
            )
            .unwrap();
        stream
    };
    // Each is given up as soon as it has begun: the next ones still wait for their places.
    for _ in 0..6 {
        let stream = open();
        std::thread::sleep(Duration::from_millis(20));
        drop(stream);
        assert!(looking() <= 2, "{} readers", looking());
    }

    // A question that would take many seconds.
    *served.lines.lock().unwrap() = Some(0);
    let lines = || served.lines.lock().unwrap().unwrap();
    let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
    let question = "/api/tree/best.tree/query?q=path%20begins%20'a3'";
    stream.write_all(format!("{}\r\n", served.asking("GET", question, &served.cookie())).as_bytes()).unwrap();
    while lines() < 20 {
        std::thread::sleep(Duration::from_millis(2));
    }
    drop(stream);
    std::thread::sleep(Duration::from_millis(100));
    let later = lines();
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(lines(), later, "it goes on");
}

#[test]
fn games_are_read_annotated_and_recorded() {
    let served = Served::new();
    let read = |text: &str| {
        let length = format!("{}Content-Length: {}\r\n", served.cookie(), text.len());
        let asked = served.asking("POST", "/api/game?game=chess", &format!("{length}{INTENT}"));
        status_of(served.send(&format!("{asked}Connection: close\r\n\r\n{text}")))
    };
    let (status, game) = read("[White \"A\"]\n\n1. f3 {first} e5 (1... d5? 2. e4) 2. g4 Qh4# 0-1\n");
    assert_eq!((status, &game["tags"]["White"], &game["position"]), (200, &json!("A"), &json!("")));
    let engines: Vec<&str> = game["line"].as_array().unwrap().iter().map(|mv| mv["engine"].as_str().unwrap()).collect();
    assert_eq!(engines, ["f2f3", "e7e5", "g2g4", "d8h4"]);
    assert_eq!(game["line"][0]["comment"], "first");
    assert_eq!(
        (&game["line"][1]["variations"][0][0]["text"], &game["line"][1]["variations"][0][0]["marks"]),
        (&json!("d5"), &json!("?"))
    );
    let (status, position) = read("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert_eq!((status, &position["line"]), (200, &json!([])));
    for bad in ["", "nonsense", "1. e5", "[White"] {
        assert_eq!(read(bad).0, 400, "{bad}");
    }

    // Scores are those of the first player, whichever side moves.
    let (_, body) = served.request(
        "/api/analyse?game=chess&depth=2&moves=e2e4&position=k7/8/8/8/8/8/4P3/K6R%20w%20-%20-%200%201",
        &served.cookie(),
    );
    let done = body.split("event: done\ndata: ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let done: Value = serde_json::from_str(done).unwrap();
    assert!(done["score"].as_i64().unwrap() > 0 && done["chance"].as_f64().unwrap() > 0.9, "{done}");

    let (_, body) = served.request("/api/annotate?game=chess&depth=4&moves=f2f3,e7e5,g2g4,d8h4", &served.cookie());
    assert!(body.contains("\"done\":4"), "{body}");
    let done = body.split("event: done\ndata: ").nth(1).and_then(|rest| rest.lines().next()).unwrap();
    let done: Value = serde_json::from_str(done).unwrap();
    assert_eq!((&done["moves"][2]["marks"], &done["moves"][3]["marks"]), (&json!("??"), &json!("")));
    assert!(done["moves"][2]["better"][0]["engine"].is_string());

    let (status, recorded) = served.post("/api/record?game=chess&depth=2&name=my%20tree", INTENT);
    assert_eq!((status, &recorded["name"]), (200, &json!("my tree")));
    let (head, _) = served.request("/api/tree/my%20tree/save", &served.cookie());
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("filename=\"my-tree.tree\""), "{head}");
    assert_eq!(served.get("/api/tree/best.tree/save").0, 404, "what lies on the disk already is not sent");
}

#[test]
fn jobs_are_begun_stopped_and_go_on() {
    let served = Served::new();
    let about = served.json("/api/jobs");
    assert_eq!((&about["kept"], &about["jobs"]["forms"][0]["job"]), (&json!("runs"), &json!("count")));
    let jobs = || served.json("/api/runs")["runs"].as_array().unwrap().clone();

    // What is filled in wrongly, or comes from another site, begins nothing.
    assert!(is_refused(&served.send(&format!(
        "{}Content-Length: 0\r\nConnection: close\r\n\r\n",
        served.asking("POST", "/api/jobs/count", &served.cookie())
    ))));
    for (path, why) in [
        ("/api/jobs/count?from=many", "invalid digit"),
        ("/api/jobs/count?from=13", "no number to begin with"),
        ("/api/jobs/count?name=..%2Fout", "the name of a run"),
    ] {
        let (status, told) = served.post(path, INTENT);
        assert!(status == 400 && told["error"].as_str().unwrap().contains(why), "{path}: {told}");
    }
    assert_eq!(jobs(), Vec::<Value>::new());

    let (status, begun) = served.post("/api/jobs/count?name=my%20run&from=7", INTENT);
    assert_eq!((status, &begun["run"]), (200, &json!("runs/my run")));
    let (status, told) = served.post("/api/jobs/count?name=my%20run", INTENT);
    assert!(status == 400 && told["error"].as_str().unwrap().contains("already"), "{told}");
    let is_in = |state: &str| {
        let run = jobs().into_iter().find(|run| run["name"] == "runs/my run").unwrap();
        (run["state"] == state).then_some(run)
    };
    let run = eventually("it runs", || is_in("running"));
    assert_eq!((&run["can_stop"], &run["can_go_on"]), (&json!(true), &json!(false)));

    // Not more than two run at once.
    assert_eq!(served.post("/api/jobs/count", INTENT).1["run"], "runs/count-1");
    assert_eq!(served.post("/api/jobs/count", INTENT).0, 503);

    assert_eq!(served.post("/api/runs/runs%2Fmy%20run/stop", INTENT).0, 200);
    let run = eventually("it is stopped", || is_in("stopped"));
    assert_eq!((&run["can_stop"], &run["can_go_on"]), (&json!(false), &json!(true)));
    eventually("it goes on", || (served.post("/api/runs/runs%2Fmy%20run/go-on", INTENT).0 == 200).then_some(()));
    let run = eventually("it runs again", || is_in("running").filter(|run| run["units"] == 2));
    assert_eq!(run["can_stop"], true);

    // The form lies beside the journal: the studio after this one goes on with the run.
    let form = std::fs::read_to_string(served.folder.path().join("runs/my run/form.json")).unwrap();
    assert_eq!(form, r#"["count",[["from","7"]]]"#);

    // What was begun elsewhere is not touched.
    drop(begin(&served.folder.path().join("runs/other"), 3));
    for act in ["stop", "go-on"] {
        assert_eq!(served.post(&format!("/api/runs/runs%2Fother/{act}"), INTENT).0, 400);
    }
    for run in ["my%20run", "count-1"] {
        assert_eq!(served.post(&format!("/api/runs/runs%2F{run}/stop"), INTENT).0, 200);
    }
}

#[test]
fn two_pages_may_begin_the_same_at_once() {
    let served = Served::new();
    let twice = |path: &str| {
        std::thread::scope(|scope| {
            let posts = [0; 2].map(|_| scope.spawn(|| served.post(path, INTENT)));
            posts.map(|post| post.join().unwrap())
        })
    };
    let state = |name: &str| {
        let runs = served.json("/api/runs")["runs"].as_array().unwrap().clone();
        runs.into_iter().find(|run| run["name"] == name).unwrap()
    };
    let stop = |name: &str| {
        assert_eq!(served.post(&format!("/api/runs/{}/stop", encoded(&json!(name))), INTENT).0, 200);
        eventually("it is stopped", || (state(name)["can_go_on"] == true).then_some(()));
    };

    let mut begun = twice("/api/jobs/count?from=5").map(|(_, told)| told["run"].clone());
    begun.sort_by_key(ToString::to_string);
    assert_eq!(begun, ["runs/count-1", "runs/count-2"]);
    stop("runs/count-1");
    stop("runs/count-2");

    let mut told = twice("/api/runs/runs%2Fcount-1/go-on").map(|(status, _)| status);
    told.sort_unstable();
    assert_eq!(told, [200, 400], "one goes on, the other is refused");
    let run = eventually("it runs", || Some(state("runs/count-1")).filter(|run| run["units"] == 2));
    assert_eq!((&run["can_stop"], &run["notice"]), (&json!(true), &Value::Null));
    stop("runs/count-1");
}

#[test]
fn a_job_outlives_the_request_that_began_it() {
    let served = Served::new();
    let runs = || served.json("/api/runs")["runs"].as_array().unwrap().clone();
    // One page is reloaded while the form is read, the other while the run directory is awaited.
    for from in [5, 6] {
        let path = format!("/api/jobs/count?name=left-{from}&from={from}");
        let asked = served.asking("POST", &path, &format!("{}{INTENT}", served.cookie()));
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        stream.write_all(format!("{asked}Content-Length: 0\r\n\r\n").as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        drop(stream);
    }
    for from in [5, 6] {
        let name = format!("runs/left-{from}");
        let form = served.folder.path().join(&name).join("form.json");
        let form = eventually("the form is kept", || std::fs::read_to_string(&form).ok());
        let wanted = format!(r#"["count",[["from","{from}"]]]"#);
        assert_eq!(form, wanted);
        let run = runs().into_iter().find(|run| run["name"] == name.as_str()).unwrap();
        assert_eq!((&run["state"], &run["can_stop"]), (&json!("running"), &json!(true)));
        assert_eq!(served.post(&format!("/api/runs/{}/stop", encoded(&json!(name))), INTENT).0, 200);
    }
}

#[test]
fn a_job_that_panics_is_over() {
    let served = Served::new();
    // Its run may be seen before it panics, or after.
    served.post("/api/jobs/count?name=fails&from=8", INTENT);
    let run = eventually("it is over", || {
        let runs = served.json("/api/runs")["runs"].as_array().unwrap().clone();
        runs.into_iter().find(|run| run["can_go_on"] == true)
    });
    assert_eq!((&run["state"], &run["can_stop"]), (&json!("stopped"), &json!(false)));
    assert_eq!(run["notice"], "the job failed");
}

#[test]
fn moves_are_counted_wherever_they_stand_and_hits_are_sorted() {
    let served = Served::new();
    let costs = served.json("/api/tree/classic.tree/moves?key=5");
    let moves = costs["moves"].as_array().unwrap();
    let count = |row: &Value, field: &str| row[field].as_u64().unwrap();
    assert!(moves.len() > 20 && moves.windows(2).all(|pair| count(&pair[0], "nodes") >= count(&pair[1], "nodes")));
    let first = &moves[0];
    let name = first["move"].as_str().unwrap();
    let question = format!("/api/tree/classic.tree/query?q=move%20%3D%20'{name}'&sort=nodes&first=1000");
    let hits = served.json(&question)["nodes"].as_array().unwrap().clone();
    let sizes: Vec<u64> = hits.iter().map(|hit| count(&hit["node"], "subtree")).collect();
    assert!(sizes.is_sorted_by(|one, other| one >= other) && hits[0]["node"]["id"] == first["id"], "{first}");
    assert_eq!(served.json("/api/asked/5"), json!({"share": null}), "what is answered is forgotten");
}

/// All that a browser loads, as it is sent: nothing is packed.
#[test]
fn the_page_weighs_less_than_500_kb() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/page")).unwrap();
    let bytes: u64 = files.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    assert!(bytes < 500_000, "{bytes} bytes");
}

#[test]
fn a_link_of_the_studio_before_leads_to_the_door() {
    let served = Served::new();
    let (head, body) = served.door("/0123456789abcdef0123456789abcdef/", "");
    assert!(head.starts_with("HTTP/1.1 403") && body.contains("data-path=\"\""), "{head}\n{body}");
    assert!(is_refused(&served.door("/0123456789abcdef0123456789abcdef/api/files", "")));
    let (_, script) = served.door("/door.js", "");
    assert!(script.contains("location.pathname !== there"), "it never leads round in a circle");
}
