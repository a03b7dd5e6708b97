//! The studio in a real browser: a headless Chromium, driven through the pipe of its debugging protocol.

use crate::output;
use crate::tree::MATE_IN_TWO;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long a page may take for what it is asked, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where Chromium may be found; `./test` installs it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser; the page that it turned to last is the one that is asked.
struct Browser {
    child: Child,
    pipe: ChildStdin,
    messages: Receiver<Value>,
    session: Value,
    last: u64,
    /// Errors that the page or its scripts told the console.
    errors: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    fn open() -> Browser {
        let exists = |name: &&str| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success());
        let name = NAMES.into_iter().find(exists).expect("no Chromium was found: ./test installs it");
        let profile = tempfile::tempdir().unwrap();
        // The protocol is spoken on the handles 3 and 4, which the shell makes of its own input and output.
        let line = format!(
            "exec {name} --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
             --window-size=1280,860 --user-data-dir={} --remote-debugging-pipe about:blank \
             3<&0 4>&1 </dev/null >/dev/null 2>/dev/null",
            profile.path().display()
        );
        let mut shell = Command::new("sh");
        let mut child = shell.args(["-c", &line]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (pipe, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let messages = listen(output);
        let (session, errors) = (Value::Null, Vec::new());
        let mut browser = Browser { child, pipe, messages, session, last: 0, errors, _profile: profile };
        browser.open_page();
        browser
    }

    /// Opens another page and turns to it; tells the one before.
    fn open_page(&mut self) -> Value {
        let before = self.session.take();
        let target = self.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = self.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        self.session = attached["sessionId"].clone();
        for domain in ["Page", "Runtime", "Log"] {
            self.call(&format!("{domain}.enable"), json!({}));
        }
        before
    }

    /// Asks the browser for something.
    #[track_caller]
    fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// The answer of the browser, be it an error. Hears what happened meanwhile.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.pipe.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let answer = self.messages.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{method} was not answered"));
            if answer["id"] == self.last {
                return answer;
            }
            self.note(&answer);
        }
    }

    fn note(&mut self, event: &Value) {
        let entry = &event["params"]["entry"];
        let is_error = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            // A question that is refused shows as a request that failed: that is how it should be.
            Some("Log.entryAdded") => entry["level"] == "error" && entry["source"] != "network",
            _ => false,
        };
        if is_error {
            self.errors.push(event["params"].to_string());
        }
    }

    fn go(&mut self, address: &str) {
        self.call("Page.navigate", json!({"url": address}));
    }

    /// The value of an expression on the page.
    fn eval(&mut self, script: &str) -> Value {
        let params = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Waits until an expression is true, and tells what it was.
    #[track_caller]
    fn wait(&mut self, script: &str) -> Value {
        let begun = Instant::now();
        // A page that is being loaded has not even a body.
        let patient = format!("(() => {{ try {{ return {script}; }} catch {{ return null; }} }})()");
        loop {
            // One that goes on to another page while it is asked has no answer.
            let params = json!({"expression": patient, "returnByValue": true});
            let value = self.ask("Runtime.evaluate", params)["result"]["result"]["value"].take();
            if !matches!(value, Value::Null | Value::Bool(false)) && value != 0 && value != "" {
                return value;
            }
            if begun.elapsed() > PATIENCE {
                let text = self.eval("document.body.innerText.slice(0, 2000)");
                panic!("never true: {script}\n{text}\n{:?}", self.errors);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Where elements are, once the first of them is in the middle.
    #[track_caller]
    fn places<const N: usize>(&mut self, selectors: [&str; N]) -> [Value; N] {
        let script = format!(
            "(() => {{ const found = {}.map((selector) => document.querySelector(selector)); \
             if (found.includes(null)) return null; found[0].scrollIntoView({{block: 'center'}}); \
             return found.map((e) => {{ const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }}); }})()",
            json!(&selectors[..])
        );
        let places = self.wait(&script);
        std::array::from_fn(|i| places[i].clone())
    }

    fn mouse(&mut self, kind: &str, place: &Value) {
        let params =
            json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "buttons": 1, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Clicks where an element is, as a mouse does.
    #[track_caller]
    fn click(&mut self, selector: &str) {
        let [place] = self.places([selector]);
        self.mouse("mousePressed", &place);
        self.mouse("mouseReleased", &place);
    }

    /// Drags one element onto another.
    #[track_caller]
    fn drag(&mut self, from: &str, to: &str) {
        let [from, to] = self.places([from, to]);
        let between = json!([
            (from[0].as_f64().unwrap() + to[0].as_f64().unwrap()) / 2.0,
            (from[1].as_f64().unwrap() + to[1].as_f64().unwrap()) / 2.0,
        ]);
        self.mouse("mousePressed", &from);
        self.mouse("mouseMoved", &between);
        self.mouse("mouseMoved", &to);
        self.mouse("mouseReleased", &to);
    }

    /// Clicks the button with these words within an element.
    #[track_caller]
    fn click_words(&mut self, within: &str, words: &str) {
        let script = format!(
            "(() => {{ const found = [...document.querySelectorAll('{within} button')]\
             .find(b => b.innerText === '{words}' && !b.disabled); found?.click(); return found !== undefined; }})()"
        );
        self.wait(&script);
    }

    /// Clicks the link with these words within an element.
    #[track_caller]
    fn click_link(&mut self, within: &str, words: &str) {
        let script = format!(
            "(() => {{ const found = [...document.querySelectorAll('{within} a')].find(a => a.innerText === '{words}'); \
             found?.click(); return found !== undefined; }})()"
        );
        self.wait(&script);
    }

    fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" && key == "Enter" { "\r" } else { "" };
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key, "code": key, "text": text}));
        }
    }

    fn write(&mut self, selector: &str, text: &str) {
        self.click(selector);
        self.call("Input.insertText", json!({"text": text}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads messages, which end with a zero, in a thread of its own.
fn listen(output: ChildStdout) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for message in BufReader::new(output).split(0) {
            let Ok(message) = message else { return };
            if let Ok(value) = serde_json::from_slice(&message)
                && sender.send(value).is_err()
            {
                return;
            }
        }
    });
    receiver
}

/// A studio that serves until it is dropped.
struct Studio {
    child: Child,
    address: String,
}

impl Studio {
    /// A studio of two trees, which lie in the folder.
    fn open(folder: &tempfile::TempDir) -> Studio {
        let path = |name: &str| folder.path().join(name).display().to_string();
        output(&format!("tree record chess --depth 7 -o {}", path("best.tree")));
        output(&format!("tree record chess --depth 5 --profile classic -o {}", path("classic.tree")));
        Studio::of(&[&path("best.tree"), &path("classic.tree")])
    }

    fn of(files: &[&str]) -> Studio {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args(["studio", "--no-open"]).args(files);
        Studio::start(&mut command)
    }

    fn start(command: &mut Command) -> Studio {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = [0; 200];
        let read = child.stdout.as_mut().unwrap().read(&mut line).unwrap();
        let line = String::from_utf8_lossy(&line[..read]).into_owned();
        let address = line.split_whitespace().find(|word| word.starts_with("http")).expect("an address").to_string();
        Studio { child, address }
    }

    /// A page of the studio, for a browser that was let in.
    fn page(&self, page: &str) -> String {
        format!("{}{page}", self.address.split('?').next().unwrap())
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_tree_is_looked_at_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::open(&folder);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 10");
    assert_eq!(browser.eval("location.search"), "", "the token is gone from the address");
    assert_eq!(browser.eval("document.cookie"), "", "and no script can read it");

    // Open a node by the keyboard, and see its board.
    let rows = browser.eval("document.querySelectorAll('.row[data-id]').length");
    let before = browser.wait("document.querySelector('img[src^=\"data:image/svg\"]')?.src ?? ''");
    browser.click(".row[data-id]:nth-of-type(2)");
    let board = format!("document.querySelector('img[src^=\"data:image/svg\"]')?.src !== {before}");
    browser.wait(&board);
    browser.press("ArrowRight");
    browser.wait("document.querySelectorAll('[role=treeitem][aria-level=\"3\"]').length > 0");
    assert!(rows.as_u64().unwrap() > 10);
    browser.wait("location.hash.includes('/node/')");

    // Ask a question, make a mistake, follow a hit.
    browser.write("#query-text", "kind = cat");
    browser.press("Enter");
    browser.wait("document.body.innerText.includes(\"the nearest is 'cut'\")");
    browser.eval("document.querySelector('#query-text').value = ''");
    let hits = "(() => { const c = document.querySelector('#icicle'); \
        const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; \
        for (let i = 0; i < p.length; i += 4) n += p[i] === 242 && p[i + 1] === 194 && p[i + 2] === 48; return n; })()";
    assert_eq!(browser.eval(hits), 0);
    browser.write("#query-text", "subtree > 20");
    browser.press("Enter");
    browser.wait("document.querySelectorAll('.hit-link').length > 5");
    browser.wait(&format!("{hits} > 100"));
    browser.eval(
        "(() => { const e = document.querySelector('.hits-head select'); e.value = 'nodes'; \
         e.dispatchEvent(new Event('change')); })()",
    );
    let sorted = "(() => { const n = [...document.querySelectorAll('.hit-nodes')].map(e => Number(e.innerText.replace(',', ''))); \
        return n[0] > n.at(-1) && n.every((each, at) => !at || n[at - 1] >= each); })()";
    browser.wait(sorted);
    browser.click_words("#hits", "Close");
    browser.eval("document.querySelector('#query-text').value = ''");
    browser.write("#query-text", "cut_by = null_move");
    browser.press("Enter");
    let hit = browser.wait("document.querySelector('.hit-link[data-id]')?.dataset.id ?? ''");
    browser.click(".hit-link[data-id]");
    let selected = format!("document.querySelector('[role=treeitem][aria-selected=true]')?.dataset.id === {hit}");
    browser.wait(&selected);
    browser.wait("document.body.innerText.includes('Cut by null move')");
    // Whose score it is stands beside it, and all scores are in the same unit.
    browser
        .wait("/^[≥≤]? ?[+−]\\d+\\.\\d\\d for (White|Black)$/.test(document.querySelector('.node-value').innerText)");
    browser.wait(
        "/[+−]\\d+\\.\\d\\d/.test(document.querySelector('.path-table tbody tr:last-child td:nth-child(3)').innerText)",
    );

    // A link names a node; a jump goes on from it.
    browser.go("about:blank");
    browser.go(&studio.page("#/tree/best.tree/node/3000"));
    browser.wait("document.querySelector('[role=treeitem][aria-selected=true]')?.dataset.id === '3000'");
    browser.click("[data-jump=cut_by]");
    browser.wait("/node\\/[0-9]+$/.test(location.hash) && !location.hash.endsWith('/3000')");

    // Two trees side by side.
    browser.go("about:blank");
    browser.go(&studio.page("#/compare/best.tree/classic.tree"));
    browser.wait("document.body.innerText.includes('part at')");
    browser.wait("document.querySelectorAll('.side[data-side] img').length === 2");
    // Iterations and root moves stand beside each other, and what did nothing is left out.
    browser.wait("document.querySelectorAll('.slim-columns tbody tr').length === 7");
    browser.wait("document.querySelector('.root-moves h2').innerText === 'Root moves at depth 5'");
    browser.wait("document.querySelectorAll('.root-moves tbody tr').length >= 20");
    browser.wait(
        "[...document.querySelectorAll('.compare-table:last-child tbody tr')].every(r => /[1-9]/.test(r.innerText))",
    );
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn a_tree_is_walked_by_the_keyboard_and_by_its_effort() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    output(&format!("tree record chess --depth 7 -o {}", path("start.tree")));
    let mut record = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
    record.args(["tree", "record", "chess", MATE_IN_TWO, "--depth", "8", "-o", &path("mate.tree")]);
    assert!(record.output().unwrap().status.success());
    let studio = Studio::of(&[&path("start.tree"), &path("mate.tree")]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 10");

    // To the principal variation, the largest subtree, the first fail-high.
    let selected = "document.querySelector('[role=treeitem][aria-selected=true]')?.dataset.id";
    browser.click(".row[data-id]:nth-of-type(1)");
    for key in ["p", "l", "f"] {
        let before = browser.wait(selected);
        browser.press(key);
        browser.wait(&format!("{selected} !== {before}"));
    }
    browser.press("?");
    browser.wait("document.querySelector('#keys').open");
    browser.click("#keys form .button");
    browser.wait("!document.querySelector('#keys').open");

    // Through the search event by event, and back.
    browser.click(".row[data-id]:nth-of-type(1)");
    let event = "document.querySelector('.walk-words').innerText";
    browser.wait(&format!("/^The iteration of depth [0-9]+ begins: the window is /.test({event})"));
    browser.press(".");
    browser.wait(&format!("/^White tries .*, move 1: the window is .* for Black/.test({event})"));
    for _ in 0..40 {
        let before = browser.eval(event);
        browser.press(".");
        browser.wait(&format!("{event} !== {before}"));
        if browser.eval(&format!("{event}.includes('is left.')")) == true {
            break;
        }
    }
    let left = browser.wait(&format!("{event}.includes('is left.') && {event}"));
    assert!(left.as_str().unwrap().contains("Its value is "), "{left}");
    browser.press(",");
    browser.wait(&format!("{event} !== {left}"));

    // The panes have edges to move.
    let high = "document.querySelector('#icicle').clientHeight";
    let before = browser.eval(high);
    browser.eval("document.querySelector('.edge.flat').focus()");
    browser.press("ArrowUp");
    browser.wait(&format!("{high} > {before}"));
    let wide = "document.querySelector('#outline').clientWidth";
    let before = browser.eval(wide);
    let [place] = browser.places([".edge.upright"]);
    browser.mouse("mousePressed", &place);
    browser.mouse("mouseMoved", &json!([place[0].as_f64().unwrap() - 80.0, place[1]]));
    browser.mouse("mouseReleased", &place);
    browser.wait(&format!("{wide} < {before}"));

    // Into the effort by the keyboard, deeper by the wheel, and back.
    let crumbs = "document.querySelectorAll('#effort-crumbs .crumb').length";
    browser.press("e");
    browser.wait("document.activeElement.id === 'icicle'");
    browser.press("ArrowDown");
    browser.press("Enter");
    browser.wait(&format!("{crumbs} > 1"));
    let before = browser.eval(crumbs);
    let [place] = browser.places(["#icicle"]);
    let wheel = json!({"type": "mouseWheel", "x": place[0], "y": place[1], "deltaX": 0, "deltaY": -200});
    // What is not drawn yet cannot be gone into.
    let begun = Instant::now();
    while browser.eval(crumbs).as_u64() <= before.as_u64() {
        assert!(begun.elapsed() < PATIENCE, "the wheel goes nowhere");
        browser.call("Input.dispatchMouseEvent", wheel.clone());
        std::thread::sleep(Duration::from_millis(200));
    }
    browser.press("Home");
    browser.wait(&format!("{crumbs} === 1"));

    // The path tells the window on entry, and what it was narrowed to. What a question finds is marked.
    browser.go("about:blank");
    browser.go(&studio.page("#/tree/mate.tree"));
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    browser.write("#query-text", "narrowed and ply = 1");
    browser.press("Enter");
    browser.click(".hit-link[data-id]");
    browser.wait("document.querySelector('.path-table .narrowed')?.innerText.startsWith('→ (')");
    browser.wait("document.querySelector('.row.hit[aria-selected=true]') !== null");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn two_pages_play_two_games() {
    let studio = Studio::of(&[]);
    let mut browser = Browser::open();
    let rows = "document.querySelectorAll('#play-page .game-moves tbody tr').length";
    let said = "document.querySelector('#play-page .game-moves').innerText";
    let begin = |browser: &mut Browser, [from, to]: [&str; 2]| {
        browser.go(&studio.page("#/play"));
        browser.wait("document.querySelectorAll('#play-page [data-square]').length === 64");
        assert_eq!(browser.eval(rows), 0, "a page of its own begins a game of its own");
        browser.click(&format!("#play-page [data-square={from}]"));
        browser.click(&format!("#play-page [data-square={to}]"));
        browser.wait("document.querySelector('#play-page .turn').innerText.includes('Your move')");
    };
    browser.go(&studio.address);
    browser.wait("document.querySelector('#play-page') !== null");
    begin(&mut browser, ["d2", "d4"]);
    let first = browser.open_page();
    begin(&mut browser, ["a2", "a3"]);
    browser.call("Page.reload", json!({}));
    browser.wait(&format!("{rows} >= 2 && {said}.includes('a3')"));
    browser.session = first;
    browser.call("Page.reload", json!({}));
    browser.wait(&format!("{rows} >= 2 && {said}.includes('d4')"));

    // A hint, the game as PGN, and everything taken back.
    browser.click_words("#play-page", "Hint");
    browser.wait("document.querySelector('#play-page .thinking').innerText.startsWith('Hint: ')");
    browser.wait("document.querySelector('#play-page textarea').value.includes('1. d4 ')");
    browser.click_words("#play-page", "Take back");
    browser.wait(&format!("{rows} === 0"));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn the_first_page_shows_what_can_be_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    output(&format!("tree record chess --depth 3 -o {}", path("one.tree")));
    std::fs::write(folder.path().join("broken.tree"), "no tree").unwrap();
    let mut browser = Browser::open();

    // Nothing was named: three pictures, and examples that open with one click.
    let studio = Studio::of(&[]);
    browser.go(&studio.address);
    browser.wait("[...document.querySelectorAll('.home-card img')].filter(e => e.naturalWidth > 0).length === 3");
    browser.click_words("#home-page", "Connect Four by alpha-beta");
    browser.wait("location.hash.startsWith('#/tree/Connect+Four+by+alpha-beta')");
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    browser.press(".");
    browser.wait("document.querySelector('.walk-words').innerText.startsWith('Red tries ')");

    // A whole small game by minimax and by alpha-beta, side by side with one click.
    browser.click(".brand");
    browser.click_words("#home-page", "Compare minimax with alpha-beta");
    browser.wait("document.querySelector('#compare-page').innerText.includes('Root moves at depth 8')");
    drop(studio);

    // A folder shows the trees in it, and leaves out what is none.
    let studio = Studio::of(&[&folder.path().display().to_string()]);
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    browser.click(".brand");
    browser.wait("document.querySelector('.home-list a').innerText === 'one.tree'");
    assert_eq!(browser.eval("document.querySelectorAll('.home-list a').length"), 1);
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn the_effort_is_seen_by_technique_and_by_move() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::open(&folder);
    let mut browser = Browser::open();
    let choose = |browser: &mut Browser, what: &str, value: &str| {
        browser.eval(&format!(
            "(() => {{ const e = document.querySelector('#effort-{what}'); e.value = '{value}'; e.dispatchEvent(new Event('change')); }})()"
        ));
    };
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 10");
    let legend = "document.querySelector('#legend').innerText";
    browser.wait(&format!("{legend}.includes('quiescence')"));
    let picture = "document.querySelector('#icicle').toDataURL()";
    let by_kind = browser.eval(picture);
    choose(&mut browser, "colour", "technique");
    browser.wait(&format!("{picture} !== {by_kind} && !{legend}.includes('quiescence') && {legend} !== ''"));

    // What does not fit the text loses its colour; Enter goes to the largest node that does.
    let before = browser.eval(picture);
    browser.write("#effort-find", "e4");
    browser.wait(&format!("{picture} !== {before}"));
    browser.press("Enter");
    browser.wait("document.querySelector('#node .node-title').innerText.includes('e4')");

    // Moves by their cost, wherever they stand; a click marks all searches of one.
    choose(&mut browser, "view", "move");
    browser.wait("document.querySelectorAll('.costs-table tbody tr').length > 0");
    let rows = "[...document.querySelectorAll('.costs-table tbody tr')]";
    assert_eq!(browser.eval(&format!("{rows}.every(r => r.cells[0].innerText.includes('e4'))")), true);
    browser.eval("(() => { const e = document.querySelector('#effort-find'); e.value = ''; e.dispatchEvent(new Event('input')); })()");
    let nodes = format!("{rows}.map(r => Number(r.cells[2].innerText.replaceAll(',', '')))");
    browser.wait(&format!("{rows}.length > 20 && {nodes}.every((n, at, all) => !at || all[at - 1] >= n)"));
    let name = browser.eval(&format!("{rows}[0].cells[0].innerText"));
    browser.click(".costs-table tbody button");
    browser.wait(&format!("document.querySelectorAll('.hit-path').length > 0 && document.querySelector('#query-text').value === `move = '${{{name}}}'`"));
    browser.wait(&format!("[...document.querySelectorAll('.hit-path b')].every(e => e.innerText === {name})"));
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn runs_are_started_and_stopped_on_the_page_and_seen_together() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).unwrap();
    for (name, other) in [("one", "classic"), ("two", "brute")] {
        let run = runs.join(name).display().to_string();
        output(&format!("match connect4 --a best --b {other} --games 20 --nodes 50 --jobs 1 --run {run}"));
    }
    let studio = Studio::of(&[&runs.display().to_string()]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.run-card').length === 2");
    browser.wait("document.querySelector('.run-title').innerText.includes('50 nodes')");

    // Two runs in one picture.
    browser.eval("document.querySelectorAll('.run-card input').forEach(e => e.click())");
    browser.click(".run-tools a");
    browser.wait("document.querySelectorAll('.chart-legend button').length === 2");
    browser.wait("document.querySelector('#runs-page table').innerText.includes('runs/two')");
    let picture = "document.querySelector('.chart-picture').toDataURL()";
    let whole = browser.wait(picture);
    // A part of the chart is dragged over, and the whole is there again.
    let [frame] = browser.places([".chart-frame"]);
    let (x, y) = (frame[0].as_f64().unwrap(), frame[1].as_f64().unwrap());
    browser.mouse("mousePressed", &json!([x - 100.0, y]));
    browser.mouse("mouseMoved", &json!([x, y]));
    browser.mouse("mouseReleased", &json!([x + 100.0, y]));
    browser.wait(&format!("{picture} !== {whole} && !document.querySelector('.chart-head button').hidden"));
    browser.click(".chart-head button");
    browser.wait(&format!("{picture} === {whole}"));
    browser.eval(
        "(() => { const e = document.querySelector('.chart-smooth input'); e.value = 0.9; e.dispatchEvent(new Event('input')); })()",
    );
    browser.wait(&format!("{picture} !== {whole}"));

    // A match is begun with the form of its command, stopped, and goes on.
    browser.go(&studio.page("#/runs"));
    browser.click_link("#runs-page", "Start a run");
    let fill = |browser: &mut Browser, label: &str, value: &str| {
        browser.wait(&format!(
            "(() => {{ const e = [...document.querySelectorAll('.start-field')].find(e => e.firstChild.innerText === '{label}')?.children[1]; \
             if (!e) return false; e.value = '{value}'; e.dispatchEvent(new Event('change')); return e.value === '{value}'; }})()"
        ));
    };
    fill(&mut browser, "Game", "connect4");
    browser.wait("document.querySelector('.start-form').innerText.includes('The player whose results are shown')");
    fill(&mut browser, "Games", "0");
    browser.eval("document.querySelector('.start-field input').removeAttribute('min')");
    browser.click(".start-form [type=submit]");
    browser.wait("document.querySelector('.start-form .error-text').innerText.includes('games')");
    fill(&mut browser, "Games", "100000");
    fill(&mut browser, "Name of the run", "begun here");
    browser.click(".start-form [type=submit]");
    browser.wait("document.querySelector('.run-state')?.innerText === 'running'");
    assert_eq!(browser.eval("decodeURIComponent(location.hash)"), "#/runs/runs/begun+here");
    browser.click_words(".run-hand", "Stop");
    browser.wait("document.querySelector('.run-state').innerText === 'stopped'");
    assert!(runs.join("begun here/journal.jsonl").is_file());
    browser.click_words(".run-hand", "Go on");
    browser.wait("document.querySelector('.run-state').innerText === 'running'");
    browser.click_words(".run-hand", "Stop");
    browser.wait("document.querySelector('.run-state').innerText === 'stopped'");

    // Its settings are tables, the players side by side, and what differs is marked.
    browser.eval("document.querySelector('#runs-page details.card').open = true");
    browser.wait("document.querySelector('.settings-table .differs').innerText.includes('classic')");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn links_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let tree = folder.path().join("kept.tree").display().to_string();
    output(&format!("tree record chess --depth 3 -o {tree}"));
    let studio = Studio::of(&[&tree]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    let link = browser.wait("location.href");
    let port = studio.address.split(':').nth(2).and_then(|rest| rest.split('/').next()).unwrap().to_string();
    drop(studio);
    let studio = Studio::of(&[&tree, "--port", &port]);
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    browser.go("about:blank");
    browser.go(link.as_str().unwrap());
    browser.wait("document.querySelectorAll('.row[data-id]').length > 3");
    let node = link.as_str().unwrap().split('#').nth(1).unwrap();
    assert_eq!(browser.eval("location.hash"), format!("#{node}"));
}

#[test]
fn pages_fit_a_narrow_screen() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::open(&folder);
    let mut browser = Browser::open();
    let screen = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    browser.call("Emulation.setDeviceMetricsOverride", screen);
    browser.go(&studio.address);
    browser.wait("document.querySelector('#files a') !== null");
    for (page, seen) in [
        ("#/home", "#home-page .home-card img"),
        ("#/tree/best.tree", ".row[data-id]"),
        ("#/compare/best.tree/classic.tree", ".side[data-side] img"),
        ("#/analyse", "#analyse-page [data-square]"),
        ("#/play", "#play-page [data-square]"),
        ("#/runs", "#runs-page .run-empty"),
        ("#/start", "#runs-page .start-form"),
    ] {
        browser.go("about:blank");
        browser.go(&studio.page(page));
        browser.wait(&format!("document.querySelector('{seen}')?.offsetParent"));
        // A page that does not fit is shown smaller, and wider than the screen.
        assert_eq!(browser.eval("[innerWidth, document.documentElement.scrollWidth]"), json!([390, 390]), "{page}");
        let files =
            browser.eval("[...document.querySelectorAll('#files a')].map(a => a.getBoundingClientRect().right)");
        assert!(files.as_array().unwrap().iter().all(|right| right.as_f64().unwrap() < 390.0), "{page}: {files}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn positions_are_analysed_and_games_played_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let studio = Studio::open(&folder);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelectorAll('.row[data-id]').length > 0");

    // Play a move on the board, search the position, and record its tree.
    browser.go(&studio.page("#/analyse"));
    browser.click("#analyse-page [data-square=e2]");
    browser.click("#analyse-page [data-square=e4]");
    browser.wait("document.querySelector('#analyse-page').innerText.includes('Black to move')");
    browser.wait("location.hash.includes('e2e4')");
    browser.click("#analyse-run");
    browser.wait("[...document.querySelectorAll('#analyse-page tbody tr')].length >= 12");
    browser.click("#analyse-run");
    browser.wait("document.querySelector('#analyse-run').innerText === 'Start'");
    browser.eval("document.querySelector('#analyse-page .record').open = true");
    browser.click_words("#analyse-page", "Record a tree");
    browser.wait("location.hash.startsWith('#/tree/1:+chess+best')");
    browser.wait("document.querySelectorAll('.row[data-id]').length > 10");

    // The engine answers a move.
    browser.go("about:blank");
    browser.go(&studio.page("#/play"));
    browser.click("#play-page [data-square=d2]");
    browser.click("#play-page [data-square=d4]");
    browser.wait("document.querySelectorAll('#play-page .game-moves tbody tr').length >= 2");
    browser.wait("document.querySelector('#play-page .turn').innerText.includes('Your move')");

    // A search that is stopped ends.
    browser.go("about:blank");
    browser.go(&studio.page("#/analyse"));
    browser.wait("document.querySelector('#analyse-page [data-square=e2]') !== null");
    browser.eval(
        "(() => { const kind = document.querySelector('#analyse-page select[aria-label=\"Limit by\"]'); \
                  kind.value = 'depth'; kind.dispatchEvent(new Event('change', {bubbles: true})); \
                  const e = document.querySelector('#analyse-page input[type=number]'); e.value = 60; \
                  e.dispatchEvent(new Event('input', {bubbles: true})); \
                  e.dispatchEvent(new Event('change', {bubbles: true})); })()",
    );
    browser.click("#analyse-run");
    browser.wait("document.querySelector('#analyse-run').innerText === 'Stop'");
    browser.wait("document.querySelectorAll('#analyse-page tbody tr').length > 3");
    browser.click("#analyse-run");
    browser.wait("document.querySelector('#analyse-run').innerText === 'Start'");

    // A position is set up by dragging a piece, in the squares of one game and the hexagons of another.
    for (game, from, to, changed) in [("chess", "e2", "e5", "4P3"), ("abalone", "c3", "e5", "4b4")] {
        browser.go("about:blank");
        browser.go(&studio.page(&format!("#/analyse?game={game}")));
        browser.wait(&format!("document.querySelector('#analyse-page [data-square={from}]') !== null"));
        browser.click_words("#analyse-page", "Arrange");
        let [from, to] = [from, to].map(|place| format!("#analyse-page [data-square={place}]"));
        browser.drag(&from, &to);
        browser.wait(&format!("decodeURIComponent(location.hash).includes('{changed}')"));
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn analysis_follows_the_board() {
    let studio = Studio::of(&[]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelector('#analyse-page') !== null");
    browser.go(&studio.page("#/analyse"));
    browser.wait("document.querySelectorAll('#analyse-page [data-square]').length === 64");
    let lines = "document.querySelectorAll('#analyse-page .best-lines li').length === 3";
    let moves = "document.querySelector('#analyse-page .variations').innerText.replace(/\\s+/g, '')";

    browser.wait("document.querySelector('#analyse-page .told').innerText.includes('Score for White')");

    // The search goes on with each position: a move played, one of a line, one taken back.
    browser.click("#analyse-run");
    browser.wait(lines);
    browser.wait("document.querySelectorAll('#analyse-page .arrows polygon').length === 3");
    browser.wait("document.querySelector('#analyse-page .evaluation').ariaValueText.startsWith('White may expect')");
    browser.wait("document.querySelector('#analyse-page .told').innerText.includes('Score for White')");
    browser.click("#analyse-page [data-square=e2]");
    browser.click("#analyse-page [data-square=e4]");
    browser.wait("location.hash.endsWith('moves=e2e4')");
    browser.wait(lines);
    browser.wait("document.querySelectorAll('#analyse-page .best-lines li:first-child button').length > 2");
    let [place] = browser.places(["#analyse-page .best-lines li:first-child button:nth-child(2)"]);
    browser.call("Input.dispatchMouseEvent", json!({"type": "mouseMoved", "x": place[0], "y": place[1]}));
    browser.click("#analyse-page .best-lines li:first-child button:nth-child(2)");
    browser.wait("document.querySelectorAll('#analyse-page .variations .move-text').length === 3");
    browser.wait("document.querySelector('#analyse-run').innerText === 'Stop'");
    browser.eval("document.activeElement.blur()");
    browser.press("ArrowLeft");
    browser.wait("location.hash.split(',').length === 2");
    browser.wait(lines);

    // Another move there is a variation, which can be made the main line or deleted.
    browser.press("Home");
    browser.wait("!location.hash.includes('moves')");
    browser.click("#analyse-page [data-square=d2]");
    browser.click("#analyse-page [data-square=d4]");
    browser.wait(&format!("{moves}.startsWith('1.e4(1.d4)1…')"));
    browser.click_words("#analyse-page", "Make main line");
    browser.wait(&format!("{moves}.startsWith('1.d4')"));
    browser.click_words("#analyse-page", "Delete from here");
    browser.wait(&format!("{moves}.startsWith('1.e4') && !{moves}.includes('(')"));
    browser.click("#analyse-run");
    browser.wait("document.querySelector('#analyse-run').innerText === 'Start'");

    // A game with a variation, pasted anywhere on the page.
    browser.eval(
        "(() => { const data = new DataTransfer(); \
         data.setData('text', '1. f3 e5 {a comment} (1... d5 $2 2. e4) 2. g4 Qh4# 0-1'); \
         document.body.dispatchEvent(\
         new ClipboardEvent('paste', {clipboardData: data, bubbles: true})); })()",
    );
    browser.wait(&format!("{moves}.includes('acomment') && {moves}.includes('d5?')"));
    // Annotated: the mate is announced, and what was better stands beside it.
    browser.eval(
        "(() => { const kind = document.querySelector('#analyse-page select[aria-label=\"Limit by\"]'); \
         kind.value = 'depth'; kind.dispatchEvent(new Event('change', {bubbles: true})); \
         const e = document.querySelector('#analyse-page input[type=number]'); e.value = 4; \
         e.dispatchEvent(new Event('input', {bubbles: true})); })()",
    );
    browser.click_words("#analyse-page", "Annotate");
    browser.wait("document.querySelector('#toast').innerText.includes('1 blunder')");
    browser.wait("document.querySelector('#analyse-page [data-marks=\"??\"]').innerText.startsWith('g4??')");
    browser.wait("document.querySelectorAll('#analyse-page .variation').length === 3");
    browser.eval("navigator.clipboard.writeText = async (text) => { window.copied = text.replace(/\\s+/g, ' '); }");
    browser.click_words("#analyse-page", "Copy game");
    browser.wait("window.copied?.includes('2. g4 $4 {[%eval #-1]} (2. e4')");
    browser.press("End");
    browser.wait("document.querySelector('#analyse-page .turn').innerText.includes('Black mates')");
    browser.eval("document.querySelector('#analyse-page .text-in').open = true");
    browser.eval("document.querySelector('#analyse-page textarea').value = 'nonsense'");
    browser.click_words("#analyse-page", "Set up");
    browser.wait("!document.querySelector('#analyse-page .error-text').hidden");

    // A tree with a name; one that takes too long is given up; the first can be saved.
    browser.press("Home");
    let record = |browser: &mut Browser, depth: u32| {
        browser.eval(&format!(
            "(() => {{ const card = document.querySelector('#analyse-page .record'); card.open = true; \
             const e = card.querySelector('input[type=number]'); e.value = {depth}; \
             e.dispatchEvent(new Event('input', {{bubbles: true}})); \
             card.querySelector('input[type=text]').value = 'my tree'; }})()"
        ));
        browser.click_words("#analyse-page", "Record a tree");
    };
    browser.eval("document.activeElement.blur()");
    browser.press("Home");
    browser.wait("!location.hash.includes('moves')");
    record(&mut browser, 40);
    browser.wait("document.querySelector('#analyse-page .record').innerText.includes('nodes.')");
    browser.click_words("#analyse-page", "Cancel");
    browser.wait("document.querySelector('#analyse-page .record').innerText.includes('Cancelled.')");
    record(&mut browser, 3);
    browser.wait("location.hash.startsWith('#/tree/my+tree')");
    browser.wait("document.querySelector('#files').innerText.includes('my tree')");
    let saved = "fetch(document.querySelector('#analyse-page .record a').href).then(r => r.status)";
    assert_eq!(browser.eval(saved), 200);
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn pieces_are_moved_by_hand_and_by_touch() {
    let studio = Studio::of(&[]);
    let mut browser = Browser::open();
    let square = |name: &str| format!("#analyse-page [data-square={name}]");
    let show = |browser: &mut Browser, page: &str| {
        browser.go("about:blank");
        browser.go(&studio.page(&format!("#/analyse?game={page}")));
        browser.wait("document.querySelector('#analyse-page [data-square]') !== null");
        // Which pieces move is written down.
        browser.eval(
            "(() => { window.moved = []; const { animate } = Element.prototype; \
             Element.prototype.animate = function (...how) { \
             if (this.dataset.piece) moved.push(this.dataset.piece); return animate.apply(this, how); }; })()",
        );
    };
    browser.go(&studio.address);
    browser.wait("document.querySelector('#analyse-page') !== null");

    // A piece is lifted from its square, and stays where it was put.
    show(&mut browser, "chess");
    let [from, to] = browser.places([&square("g1"), &square("f3")]);
    browser.mouse("mousePressed", &from);
    browser.mouse("mouseMoved", &json!([from[0].as_f64().unwrap() + 20.0, from[1]]));
    browser.mouse("mouseMoved", &to);
    browser.wait("document.querySelector('.board-picture .away').dataset.piece === 'white knight'");
    browser.wait("document.querySelectorAll('.lifted:not([hidden]) svg').length === 1");
    browser.wait("document.querySelectorAll('.square.target').length === 2");
    browser.mouse("mouseReleased", &to);
    browser.wait("location.hash.includes('g1f3') && document.querySelector('.lifted').hidden");
    assert_eq!(browser.eval("moved"), json!([]));

    // By touch: a tap each, then a drag. A piece that is not carried moves by itself.
    browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": true}));
    let touch = |browser: &mut Browser, kind: &str, points: &[&Value]| {
        let points: Vec<Value> = points.iter().map(|place| json!({"x": place[0], "y": place[1]})).collect();
        browser.call("Input.dispatchTouchEvent", json!({"type": kind, "touchPoints": points}));
    };
    for name in ["e7", "e5"] {
        let [place] = browser.places([&square(name)]);
        touch(&mut browser, "touchStart", &[&place]);
        touch(&mut browser, "touchEnd", &[]);
    }
    browser.wait("location.hash.includes('g1f3,e7e5')");
    assert_eq!(browser.eval("moved"), json!(["black pawn"]));
    let [from, to] = browser.places([&square("e2"), &square("e4")]);
    touch(&mut browser, "touchStart", &[&from]);
    touch(&mut browser, "touchMove", &[&json!([from[0], from[1].as_f64().unwrap() - 20.0])]);
    touch(&mut browser, "touchMove", &[&to]);
    touch(&mut browser, "touchEnd", &[]);
    browser.wait("location.hash.includes('g1f3,e7e5,e2e4')");
    browser.call("Emulation.setTouchEmulationEnabled", json!({"enabled": false}));

    // A pawn becomes a knight, chosen where it arrives.
    show(&mut browser, "chess&position=8/P6k/8/8/8/8/8/K7 w - - 0 1");
    browser.click(&square("a7"));
    browser.click(&square("a8"));
    browser.wait("document.querySelectorAll('.promotion[open] svg').length === 4");
    let place = "['.promotion', '#analyse-page [data-square=a8]'].map(e => \
                 Math.round(document.querySelector(e).getBoundingClientRect().x))";
    let places = browser.eval(place);
    assert_eq!(places[0], places[1]);
    browser.click(".promotion [aria-label=knight]");
    browser.wait("location.hash.includes('a7a8n')");
    show(&mut browser, "chess&position=7k/8/8/8/8/8/8/K6r w - - 0 1");
    browser.wait("document.querySelectorAll('.board-picture circle').length === 2");

    // A line of marbles is pushed, discs turn over, and a disc drops behind its board.
    for (game, clicks, moved) in [
        ("abalone", &["a1", "b1", "b1"][..], json!(["black marble", "black marble"])),
        ("othello", &["f5"], json!(["black disc", "black disc"])),
        ("connect4", &["d1"], json!(["red disc"])),
    ] {
        show(&mut browser, game);
        for name in clicks {
            browser.click(&square(name));
        }
        browser.wait("location.hash.includes('moves=')");
        browser.wait("moved.length > 0");
        assert_eq!(browser.eval("moved"), moved, "{game}");
    }
    assert_eq!(browser.eval("document.querySelector('[data-front]').getAttribute('d').split('M').length - 1"), 43);

    // With reduced motion nothing moves, and a large window gets a large board.
    let features = json!([{"name": "prefers-reduced-motion", "value": "reduce"}]);
    browser.call("Emulation.setEmulatedMedia", json!({"features": features}));
    show(&mut browser, "chess");
    browser.click(&square("b1"));
    browser.click(&square("c3"));
    browser.wait("location.hash.includes('b1c3')");
    assert_eq!(browser.eval("moved"), json!([]));
    let height = "document.querySelector('#analyse-page .board').clientHeight";
    for (wide, high) in [(1280, 860), (1920, 1080)] {
        let screen = json!({"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": false});
        browser.call("Emulation.setDeviceMetricsOverride", screen);
        browser.wait(&format!("innerHeight === {high}"));
        let height = browser.eval(height).as_f64().unwrap();
        assert!(height > 0.7 * f64::from(high) && height < 0.85 * f64::from(high), "{height} of {high}");
    }
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn a_game_is_played_to_its_end_in_a_browser() {
    let studio = Studio::of(&[]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelector('#play-page') !== null");
    browser.go(&studio.page("#/play?game=othello"));
    browser.wait("document.querySelectorAll('#play-page [data-square]').length === 64");
    // The lowest level thinks no longer than one ply.
    let strengths = "document.querySelector('#play-page optgroup').parentElement";
    browser.wait(&format!("{strengths}.innerText.includes('Newcomer') && !{strengths}.innerText.includes('Elo')"));
    browser.eval(&format!(
        "(() => {{ {strengths}.value = 'level 1'; {strengths}.dispatchEvent(new Event('change')); }})()"
    ));
    // How many moves there were when it was seen that one is to be made.
    let state = "(() => { const page = document.querySelector('#play-page'); \
        window.before = page.querySelectorAll('.game-moves tbody tr').length; \
        const turn = page.querySelector('.turn').innerText; \
        const pass = [...page.querySelectorAll('button')].find(b => b.innerText === 'Pass' && !b.hidden && b.offsetParent); \
        if (/^You (won|lost): |^A draw: /.test(turn)) return 'over'; \
        if (!/Your move|Make a move/.test(turn)) return null; \
        if (pass) { pass.click(); return 'passed'; } \
        return page.querySelector('.square.target')?.dataset.square ?? null; })()";
    let mut moves = 0;
    loop {
        let found = browser.wait(state);
        match found.as_str().unwrap() {
            "over" => break,
            "passed" => {}
            square => browser.click(&format!("#play-page [data-square={square}]")),
        }
        moves += 1;
        assert!(moves <= 64, "a game of Othello is over by then");
        browser.wait(
            "document.querySelectorAll('#play-page .game-moves tbody tr').length > window.before \
             || /^You (won|lost): |^A draw: /.test(document.querySelector('#play-page .turn').innerText)",
        );
    }
    assert!(moves > 10, "{moves}");
    // Who won is said in words; one steps back through the game, sees what the engine thought, and plays again.
    let turn = "document.querySelector('#play-page .turn').innerText";
    let status = browser.eval(turn);
    browser.eval("document.activeElement.blur()");
    browser.press("ArrowLeft");
    browser.wait(&format!("/, [0-9]+ of [0-9]+ plies/.test({turn})"));
    browser.wait("document.querySelectorAll('#play-page .square.target').length === 0");
    let told = "document.querySelector('#play-page .thinking').innerText.startsWith('The engine thought: ')";
    for _ in 0..10 {
        if browser.eval(told) == true {
            break;
        }
        let before = browser.eval(turn);
        browser.press("ArrowLeft");
        browser.wait(&format!("{turn} !== {before}"));
    }
    assert_eq!(browser.eval(told), true);
    browser.wait("document.querySelector('#play-page .game-moves').innerText.includes('Score for Black')");
    browser.press("End");
    browser.wait(&format!("{turn} === {status}"));
    // The game stays when the page is loaded again.
    let rows = browser.eval("document.querySelectorAll('#play-page .game-moves tbody tr').length");
    browser.call("Page.reload", json!({}));
    browser.wait(&format!("document.querySelectorAll('#play-page .game-moves tbody tr').length === {rows}"));
    browser.click_words("#play-page", "Rematch");
    browser.wait("document.querySelector('#play-page .clock:first-child').innerText.includes('plywise, level 1')");
    browser.wait("document.querySelectorAll('#play-page .game-moves tbody tr').length === 1");

    // Chess has players whose ratings were measured.
    browser.go("about:blank");
    browser.go(&studio.page("#/play?game=chess"));
    browser.wait(&format!("{strengths}.innerText.includes('1320 Elo')"));
    browser.eval(&format!(
        "(() => {{ {strengths}.value = 'elo 1320'; {strengths}.dispatchEvent(new Event('change')); }})()"
    ));
    browser.click("#play-page [data-square=e2]");
    browser.click("#play-page [data-square=e4]");
    browser.wait("document.querySelectorAll('#play-page .game-moves tbody tr').length === 2");
    browser.wait("document.querySelector('#play-page textarea').value.includes('\"plywise, 1320 Elo\"')");
    browser.click_words("#play-page", "Resign");
    browser.wait(&format!("{turn}.startsWith('You lost: you resigned')"));

    // Players are called what the game calls them.
    browser.go("about:blank");
    browser.go(&studio.page("#/play?game=connect4"));
    browser.wait("document.querySelector('#play-page .clock:last-child').innerText.startsWith('Yellow · ')");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn a_run_is_watched_in_a_browser_across_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    std::fs::create_dir(&runs).unwrap();
    let studio = Studio::of(&[&runs.display().to_string()]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelector('#runs-page') !== null");
    browser.go(&studio.page("#/runs"));
    browser.wait("document.querySelector('#runs-page').innerText.includes('--run')");

    // A match begins while the page is open: it appears, and grows.
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
    command.args(["match", "loa", "--a", "best", "--b", "classic", "--games", "4000", "--nodes", "400", "--jobs", "1"]);
    command.arg("--run").arg(runs.join("live")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut playing = command.spawn().unwrap();
    browser.wait("document.querySelector('#runs-page').innerText.includes('best against classic')");
    browser.go(&studio.page("#/runs/runs%2Flive"));
    let count =
        "Number(/([0-9,]+) of 4,000 games/.exec(document.querySelector('#runs-page').innerText)?.[1].replace(',', ''))";
    let first = browser.wait(count);
    browser.wait(&format!("{count} > {first}"));
    browser.wait("document.querySelectorAll('#runs-page canvas').length > 0");

    // Its result stands on top, and in the list, which can be searched.
    browser.wait("document.querySelector('#runs-page .hero-card .hero-value').innerText.includes('±')");
    browser.wait("document.querySelectorAll('#runs-page .hero-card .pair-bar').length === 5");
    browser.wait("document.querySelector('#runs-page .hero-card .result-bar').ariaLabel.startsWith('Won ')");
    let pgn = "fetch(document.querySelector('#runs-page .run-games a.button').href).then(r => r.text())";
    let pgn = browser.eval(pgn);
    assert!(pgn.as_str().unwrap().contains("[White \"best\"]"), "{pgn}");
    browser.go(&studio.page("#/runs"));
    browser.wait("document.querySelector('#runs-page .run-card .hero-value').innerText.includes('±')");
    browser.write("#runs-page .run-tools input", "nothing");
    browser.wait("document.querySelectorAll('#runs-page .run-card').length === 0");
    browser.wait("document.querySelector('#runs-page').innerText.includes('No run fits.')");

    // A game is replayed while others are played.
    browser.go(&studio.page("#/runs/runs%2Flive/game/1"));
    let picture = "document.querySelector('#runs-page .board-picture')?.innerHTML ?? ''";
    let before = browser.wait(picture);
    browser.press("End");
    browser.wait(&format!("{picture} !== {before}"));
    browser.wait("document.querySelector('#runs-page .replay-told').innerText.includes(' for Black')");

    // The server ends, the match goes on; another server shows it.
    drop(studio);
    let studio = Studio::of(&[&runs.display().to_string()]);
    browser.go(&studio.address);
    browser.wait("document.querySelector('#runs-page') !== null");
    browser.go(&studio.page("#/runs/runs%2Flive"));
    let later = browser.wait(count);
    assert!(later.as_f64() > first.as_f64(), "{later} after {first}");
    browser.wait(&format!("{count} > {later}"));
    playing.kill().unwrap();
    playing.wait().unwrap();
    browser.wait("document.querySelector('#runs-page').innerText.includes('stopped')");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[test]
fn two_studios_share_a_browser_and_other_ports_get_no_cookie() {
    let (one, two) = (Studio::of(&[]), Studio::of(&[]));
    let mut browser = Browser::open();
    for studio in [&one, &two] {
        browser.go(&studio.address);
        browser.wait("document.querySelectorAll('#home-page .home-card').length === 3");
    }
    // Both are still open, also where the printed address is opened once more.
    for address in [one.page("#/play"), two.page("#/play"), one.address.clone()] {
        browser.go("about:blank");
        browser.go(&address);
        browser.wait("document.querySelectorAll('[data-square], .home-card').length >= 3");
    }

    // A page of another port of this machine.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, heard) = channel();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = [0; 8192];
        let read = stream.read(&mut bytes).unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        let _ = sender.send(String::from_utf8_lossy(&bytes[..read]).to_lowercase());
    });
    browser.go(&format!("http://127.0.0.1:{port}/"));
    let request = heard.recv_timeout(PATIENCE).unwrap();
    assert!(request.starts_with("get / ") && !request.contains("cookie"), "{request}");

    // A browser that was not let in gets a page that says so.
    let mut stranger = Browser::open();
    stranger.go(&one.address);
    stranger.wait("document.body.innerText.includes('was not let in')");
}

#[test]
fn what_is_damaged_wrong_or_changed_is_told_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    output(&format!("tree record chess --depth 5 --set null_move.reduction=6 -o {}", path("changed.tree")));
    std::fs::create_dir_all(folder.path().join("runs/bad")).unwrap();
    std::fs::write(folder.path().join("runs/bad/run.json"), "{").unwrap();
    let studio = Studio::of(&[&path("changed.tree"), &path("runs")]);
    let mut browser = Browser::open();
    browser.go(&studio.address);
    browser.wait("document.querySelector('#facts').innerText.includes('null_move.reduction=6')");
    browser.click("#about-button");
    let about = browser.wait("document.querySelector('#about').innerText");
    assert!(!about.as_str().unwrap().contains("null\n"), "{about}");
    browser.click("#about form .button");
    browser.wait("!document.querySelector('#about').open");
    browser.press("?");
    browser.wait("document.querySelector('#keys').open && document.querySelector('#keys').scrollTop === 0");
    browser.click("#keys form .button");
    browser.wait("!document.querySelector('#keys').open");

    // A mistake does not leave the hits of the question before.
    browser.write("#query-text", "ply = 1");
    browser.press("Enter");
    browser.wait("document.querySelectorAll('.hit-link').length > 1");
    browser.write("#query-text", " and");
    browser.press("Enter");
    browser.wait("!document.querySelector('#query-error').hidden && document.querySelector('#hits').hidden");

    // A link to a node that is not there shows the tree.
    browser.go("about:blank");
    browser.go(&studio.page("#/tree/changed.tree/node/99999999"));
    browser.wait("document.querySelectorAll('.row[data-id]').length > 5");
    browser.wait("document.querySelector('#toast').innerText.includes('there is no node 99999999')");
    let words = "document.querySelector('#node').innerText";
    browser.wait(&format!("{words}.includes('in its subtree') && !{words}.includes(' 1 plies')"));

    // From there, which is the root, the buttons lead on.
    for jump in ["fail_high", "cut_by"] {
        browser.eval("document.querySelector('#technique').value = 'table'");
        let before = browser.eval("location.hash");
        browser.click(&format!("[data-jump={jump}]"));
        browser.wait(&format!("location.hash !== {before}"));
    }

    // A damaged run says what is wrong with it.
    browser.go("about:blank");
    browser.go(&studio.page("#/runs/runs%2Fbad"));
    browser.wait("document.querySelector('#runs-page .run-notice')?.innerText.includes('run.json')");
    assert_eq!(browser.errors, Vec::<String>::new());
}

#[cfg(unix)]
#[test]
fn a_studio_that_is_ended_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt;
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = tempfile::tempdir().unwrap();
        let inside = || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap()).collect::<Vec<_>>();
        let mut studio = Studio::start(
            Command::new(assert_cmd::cargo::cargo_bin("plywise"))
                .args(["studio", "--no-open"])
                .env("TMPDIR", folder.path()),
        );
        let [private] = inside().try_into().unwrap();
        assert_eq!(private.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        std::fs::write(private.path().join("recorded-1.tree"), "").unwrap();
        let pid = studio.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let begun = Instant::now();
        while studio.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{signal} does not end it");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(inside().is_empty(), "{signal} leaves {:?}", inside());
    }
}
