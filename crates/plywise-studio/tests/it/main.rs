//! The studio as a browser and as an attacker meet it.

mod contrast;

use plywise_arena::run::{Manifest, Run, TOTAL};
use plywise_chess::Chess;
use plywise_game::{BoardGame, Game, Notation};
use plywise_search::{Limits, Profile, Request, Searcher, Signal};
use plywise_studio::{Host, Opened, Studio, Task};
use plywise_tree::{Filter, Head, Known, Recording, Summary, Tree};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A host whose searches go on until they are stopped, and tell as many bytes at a time as they are given nodes.
struct Pretender {
    searching: AtomicUsize,
}

impl Host for Pretender {
    fn games(&self) -> Value {
        json!({"games": [], "profiles": [], "searching": self.searching.load(Ordering::SeqCst)})
    }

    fn params(&self, game: &str, profile: &str) -> Result<Value, String> {
        Err(format!("{game} has no {profile}"))
    }

    fn board(&self, task: &Task) -> Result<Value, String> {
        Ok(json!({"position": task.position, "moves": task.moves}))
    }

    fn analyse(&self, task: &Task, stop: &Signal, each: &mut dyn FnMut(Value)) -> Result<Value, String> {
        if task.game != "chess" {
            return Err(format!("unknown game '{}'", task.game));
        }
        self.searching.fetch_add(1, Ordering::SeqCst);
        let (mut depth, line) = (0, "x".repeat(task.nodes.unwrap_or(0) as usize));
        while !stop.is_stopped() && task.depth.is_none_or(|last| depth < last) {
            depth += 1;
            each(json!({"depth": depth, "line": line}));
            std::thread::sleep(Duration::from_millis(2));
        }
        self.searching.fetch_sub(1, Ordering::SeqCst);
        Ok(json!({"best": "e4"}))
    }

    fn record(&self, _: &Task, path: &Path, _: &Signal) -> Result<Opened, String> {
        record(path, "brute");
        let scribe = Box::new(Known::<Chess>::new(Chess::start()));
        Ok(Opened::known("mine".into(), "Chess".into(), Tree::open(path).unwrap(), scribe))
    }

    fn run_units(&self, _: &Map<String, Value>) -> &'static str {
        "numbers"
    }

    fn run(&self, path: &Path) -> Result<Value, String> {
        let mut units = Vec::new();
        let manifest = Run::look(path, &mut |unit: u64| {
            units.push(unit);
            Ok(())
        });
        manifest.map_err(|error| error.to_string())?;
        let sum = units.iter().sum::<u64>();
        Ok(json!({"facts": [{"name": "Sum", "value": sum}], "games": 2, "is_decided": sum >= 100}))
    }

    fn run_games(&self, _: &Path, from: usize, count: usize) -> Result<Value, String> {
        Ok(json!({"from": from, "count": count}))
    }

    fn run_game(&self, _: &Path, number: u64) -> Result<Value, String> {
        (number == 1).then(|| json!({"number": 1})).ok_or_else(|| "there is no such game".into())
    }
}

/// A studio that serves until it is dropped.
struct Served {
    port: u16,
    token: String,
    runtime: tokio::runtime::Runtime,
    folder: tempfile::TempDir,
}

fn record(path: &Path, profile: &str) {
    let params = Profile::named(profile).unwrap().params("chess").unwrap();
    let mut searcher = Searcher::<Chess, _>::new(params, Chess::evaluation(Default::default()), 4).unwrap();
    let position = Chess::write_position(&Chess::start());
    let head = Head { game: "chess".into(), position, profile: profile.into(), ..Head::default() };
    let recording = Recording::create(path, &head, Filter::default()).unwrap();
    let mut recorder = recording.recorder::<Chess>();
    let report = searcher.search(&Request::new(Chess::start()), &Limits::depth(5), &Signal::new(), &mut recorder);
    drop(recorder);
    recording.finish(&Summary { nodes: report.nodes, ..Summary::default() }).unwrap();
}

impl Served {
    fn new() -> Served {
        let folder = tempfile::tempdir().unwrap();
        let open = |profile: &str| {
            let path = folder.path().join(profile);
            record(&path, profile);
            let tree = Tree::open(&path).unwrap();
            let scribe = Box::new(Known::<Chess>::new(Chess::start()));
            Opened::known(format!("{profile}.tree"), "Chess".into(), tree, scribe)
        };
        let host = Box::new(Pretender { searching: AtomicUsize::new(0) });
        let runs = vec![folder.path().join("runs")];
        let studio = Studio::new(vec![open("best"), open("classic")], runs, host, folder.path().into()).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
        let port = listener.local_addr().unwrap().port();
        let token = studio.address(port).split_once("token=").unwrap().1.to_string();
        runtime.spawn(studio.serve(listener));
        Served { port, token, runtime, folder }
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

    fn request(&self, path: &str, more: &str) -> (String, String) {
        let port = self.port;
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}Connection: close\r\n\r\n"))
    }

    fn cookie(&self) -> String {
        format!("Cookie: plywise={}\r\n", self.token)
    }

    /// A document that a browser with the cookie gets, with its status.
    fn get(&self, path: &str) -> (u16, Value) {
        let (head, body) = self.request(path, &self.cookie());
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
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

#[test]
fn the_token_becomes_a_strict_cookie() {
    let served = Served::new();
    let (head, _) = served.request(&format!("/?token={}", served.token), "");
    assert!(head.starts_with("HTTP/1.1 303"), "{head}");
    let cookie = format!("set-cookie: plywise={}; HttpOnly; SameSite=Strict; Path=/", served.token);
    assert!(head.contains(&cookie) && head.contains("location: /"), "{head}");
    let (head, body) = served.request("/", &served.cookie());
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert!(head.contains("content-security-policy: default-src 'self'"), "{head}");
    assert!(body.contains("<script type=\"module\" src="), "{body}");
    assert!(!body.contains("<style") && !body.contains("onclick="), "nothing runs inline");
}

#[test]
fn strangers_are_refused() {
    let served = Served::new();
    let (port, cookie) = (served.port, served.cookie());
    assert!(is_refused(&served.request("/api/files", "")), "no token");
    assert!(is_refused(&served.request("/?token=0123", "")), "a wrong token");
    assert!(is_refused(&served.request("/api/files", "Cookie: plywise=0123\r\n")));
    assert!(is_refused(&served.request("/api/files", &format!("{cookie}Origin: http://evil.example\r\n"))));
    let own = format!("{cookie}Origin: http://127.0.0.1:{port}\r\n");
    assert!(served.request("/api/files", &own).0.starts_with("HTTP/1.1 200"));
    let rebound = format!("GET /api/files HTTP/1.1\r\nHost: evil.example:{port}\r\n{cookie}Connection: close\r\n\r\n");
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
        "POST /api/files HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    assert!(!served.send(&huge).0.starts_with("HTTP/1.1 2"));
    assert!(served.send("nonsense\r\n\r\n").0.starts_with("HTTP/1.1 400"));
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 2);
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
    let (port, cookie) = (served.port, served.cookie());
    let request = format!(
        "GET /api/analyse?game=chess&depth=100&nodes=500000 HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}\r\n"
    );
    let deaf: Vec<TcpStream> = (0..2).map(|_| connect(&request)).collect();
    let begun = std::time::Instant::now();
    while served.get("/api/analyse?game=chess&depth=1").0 != 200 {
        assert!(begun.elapsed() < Duration::from_secs(20), "the searches of {} clients never end", deaf.len());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_tree_is_walked_from_the_root() {
    let served = Served::new();
    let tree = served.json("/api/tree/0");
    assert_eq!((&tree["title"], &tree["profile"], &tree["known"]), (&"Chess".into(), &"best".into(), &true.into()));
    let root = tree["roots"].as_array().unwrap().last().unwrap();
    assert_eq!((&root["purpose"], &root["depth"], &root["move"]), (&"root".into(), &5.into(), &"".into()));
    let id = root["id"].as_str().unwrap();
    let page = served.json(&format!("/api/tree/0/children/{id}?from=2&count=3"));
    assert!(page["total"].as_u64().unwrap() >= 20, "{page}");
    assert_eq!(page["children"].as_array().unwrap().len(), 3);
    let all = served.json(&format!("/api/tree/0/children/{id}"));
    assert_eq!(all["children"][2], page["children"][0]);
    let first = &all["children"][0];
    let node = served.json(&format!("/api/tree/0/node/{}", first["id"].as_str().unwrap()));
    assert_eq!(node["path"][0], first["move"]);
    assert_eq!(node["line"].as_array().unwrap().len(), 2);
    assert!(node["svg"].as_str().unwrap().starts_with("<svg"));
    assert!(node["words"].as_str().unwrap().ends_with('.'), "{node}");
    let line = served.json(&format!("/api/tree/0/node/{id}"));
    assert!(!line["pv"].as_array().unwrap().is_empty());
    let jump = served.json(&format!("/api/tree/0/jump?what=pv&from={id}"));
    assert_eq!(jump["id"], line["pv"][0]);
    served.json(&format!("/api/tree/0/jump?what=largest&from={id}"));
    served.json("/api/tree/0/jump?what=fail_high&from=0");
    let cut = served.json("/api/tree/0/jump?what=cut_by&technique=table&from=0");
    let cut = served.json(&format!("/api/tree/0/node/{}", cut["id"].as_str().unwrap()));
    assert_eq!(cut["node"]["cut_by"], "table");
}

#[test]
fn questions_are_answered_and_mistakes_pointed_at() {
    let served = Served::new();
    let answer = served.json("/api/tree/0/query?q=kind%20%3D%20pv%20and%20ply%20%3D%201&first=2");
    assert!(answer["count"].as_u64().unwrap() > 2);
    assert_eq!(answer["nodes"].as_array().unwrap().len(), 2);
    assert_eq!(answer["nodes"][0]["path"].as_array().unwrap().len(), 1);
    let (status, mistake) = served.get("/api/tree/0/query?q=kind%20%3D%20cat");
    assert_eq!((status, &mistake["at"]), (400, &7.into()), "{mistake}");
    let fields = served.json("/api/fields");
    assert!(
        fields["fields"].as_array().unwrap().iter().any(|field| field["name"] == "kind" && field["words"].is_array())
    );
    for path in ["/api/tree/9", "/api/tree/0/node/99999999", "/api/tree/x", "/api/tree/0/jump?what=moon&from=0"] {
        let (status, _) = served.get(path);
        assert!((400..500).contains(&status), "{path}: {status}");
    }
    let diff = served.json("/api/diff?a=0&b=1");
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
                    served.json("/api/tree/0/query?q=depth%20%3E%204&first=1");
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
    assert_eq!(events, ["progress", "progress", "progress", "done"], "{body}");
    let (_, body) = served.request("/api/analyse?game=go", &served.cookie());
    assert!(body.contains("event: failed") && body.contains("unknown game 'go'"), "{body}");
    for bad in ["depth=0", "depth=x", "nodes=-1", "lines=99", "set=x", "colour=red"] {
        assert_eq!(served.get(&format!("/api/analyse?game=chess&{bad}")).0, 400, "{bad}");
    }
    assert_eq!(served.json("/api/board?position=a+b&moves=x,y")["moves"], json!(["x", "y"]));
    assert_eq!(served.get("/api/params?game=chess&profile=odd"), (400, json!({"error": "chess has no odd"})));
}

#[test]
fn a_search_ends_when_the_page_is_closed_and_few_run_at_once() {
    let served = Served::new();
    let searching = || served.json("/api/games")["searching"].as_u64().unwrap();
    let wait_for = |wanted: u64| {
        let begun = std::time::Instant::now();
        while searching() != wanted {
            assert!(begun.elapsed() < Duration::from_secs(20), "{} searches, not {wanted}", searching());
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    let open = || {
        let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
        let (port, cookie) = (served.port, served.cookie());
        let request = format!("GET /api/analyse?game=chess HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        stream
    };
    let (first, second) = (open(), open());
    wait_for(2);
    for _ in 0..1000 {
        assert_eq!(served.get("/api/analyse?game=chess").0, 503);
    }
    drop(first);
    wait_for(1);
    drop(second);
    wait_for(0);
}

#[test]
fn a_tree_that_is_recorded_on_the_page_can_be_looked_at() {
    let served = Served::new();
    let recorded = served.json("/api/record?game=../../evil&depth=3");
    assert_eq!(recorded, json!({"id": 2, "name": "mine"}));
    assert_eq!(served.json("/api/files")["files"].as_array().unwrap().len(), 3);
    assert_eq!(served.json("/api/tree/2")["title"], "Chess");
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
    let (port, cookie) = (served.port, served.cookie());
    let request = format!("GET /api/runs/0/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}\r\n");
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

    // The numbers of runs stay when others come before them.
    let mut other = begin(&runs.join("another"), 1);
    other.append(&7_u64).unwrap();
    drop(other);
    let list = served.json("/api/runs");
    assert_eq!((&list["runs"][0]["units"], &list["runs"][1]["state"]), (&json!(2), &json!("finished")));
    assert_eq!(served.json("/api/runs/1")["facts"][0]["value"], 7);
    assert_eq!(served.json("/api/runs/1/games?from=5&count=5000"), json!({"from": 5, "count": 1000}));
    assert_eq!(served.json("/api/runs/1/games/1")["number"], 1);
    for missing in ["/api/runs/2", "/api/runs/1/games/2", "/api/runs/2/live"] {
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
    let good = served.json("/api/runs/1");
    assert!(good["notice"].as_str().unwrap().contains("line 1"), "{good}");
    assert_eq!(good["facts"], json!([]));
}
