//! Runs on several workers, with a real server on loopback: whatever is killed, the result is that of one machine.
//! Without `nats-server` these tests say so and test nothing; `./test` fails where it cannot be had.
#![cfg(unix)]
#![allow(clippy::print_stderr)]

use crate::plywise;
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Long enough for the slowest machine; nothing waits so long where all is well.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that does not outlive its test.
pub(crate) struct Killed(pub(crate) Child);

impl Killed {
    fn start(arguments: &[&str]) -> Killed {
        let program = assert_cmd::cargo::cargo_bin("plywise");
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        Killed(command.spawn().unwrap())
    }

    pub(crate) fn start_in(arguments: &[&str], folder: &Path) -> Killed {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        Killed(command.spawn().unwrap())
    }

    pub(crate) fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A NATS server of the test's own.
pub(crate) struct Nats {
    port: u16,
    store: tempfile::TempDir,
    extra: Vec<String>,
    process: Killed,
}

impl Nats {
    pub(crate) fn start(extra: &[&str]) -> Option<Nats> {
        let extra: Vec<String> = extra.iter().map(|&word| word.to_owned()).collect();
        let store = tempfile::tempdir().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let Some(process) = Nats::spawn(port, store.path(), &extra) else {
            eprintln!("SKIPPED: nats-server is not installed, so runs on several machines are not tested");
            return None;
        };
        Some(Nats { port, store, extra, process })
    }

    fn spawn(port: u16, store: &Path, extra: &[String]) -> Option<Killed> {
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&folders).chain(["/usr/sbin".into()]);
        let program = folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file())?;
        let mut command = Command::new(program);
        command.args(["--addr", "127.0.0.1", "--port", &port.to_string()]).arg("--store_dir").arg(store).args(extra);
        let process = Killed(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < PATIENCE, "the server does not start");
            sleep(Duration::from_millis(10));
        }
        Some(process)
    }

    pub(crate) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    fn kill_and_restart(&mut self) {
        self.process.kill();
        self.process = Nats::spawn(self.port, self.store.path(), &self.extra).unwrap();
    }
}

/// The units of a journal in the order of their numbers, without the times in them.
pub(crate) fn journal(run: &Path) -> Vec<String> {
    let text = fs::read_to_string(run.join("journal.jsonl")).unwrap();
    let unit = |line: &str| serde_json::from_str::<Value>(line).unwrap()["unit"].take();
    let mut units: Vec<Value> = text.lines().map(unit).collect();
    units.iter_mut().for_each(forget_times);
    units.sort_by_key(|unit| unit["number"].as_u64().or(unit["index"].as_u64()));
    units.iter().map(Value::to_string).collect()
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(keys) => {
            for time in ["time", "us", "clock_us", "date"] {
                keys.shift_remove(time);
            }
            keys.values_mut().for_each(forget_times);
        }
        Value::Array(values) => values.iter_mut().for_each(forget_times),
        _ => {}
    }
}

pub(crate) fn lines(run: &Path) -> usize {
    fs::read_to_string(run.join("journal.jsonl")).map_or(0, |text| text.lines().count())
}

/// A command with its units, and what can go wrong meanwhile.
struct Run<'a> {
    arguments: &'a str,
    /// The file that it writes, as an option.
    output: Option<&'a str>,
    units: usize,
}

impl Run<'_> {
    fn words(&self, folder: &Path) -> Vec<String> {
        let mut words: Vec<String> = self.arguments.split(' ').map(String::from).collect();
        words.extend(["--run".into(), folder.join("run").display().to_string()]);
        if let Some(option) = self.output {
            words.extend([option.into(), folder.join("output").display().to_string()]);
        }
        words
    }

    /// On one machine: the journal, and the file that it writes.
    fn alone(&self) -> (Vec<String>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let words = self.words(folder.path());
        plywise("").args(words).timeout(PATIENCE).assert().success();
        (journal(&folder.path().join("run")), fs::read(folder.path().join("output")).ok())
    }

    /// With three workers, one of which is killed every two seconds; the server is killed once, the coordinator twice.
    fn among_failures(&self, nats: &mut Nats) -> (Vec<String>, Option<Vec<u8>>) {
        let folder = tempfile::tempdir().unwrap();
        let (run, address) = (folder.path().join("run"), nats.address());
        let mut words = self.words(folder.path());
        words.extend(["--workers".into(), address.clone()]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let worker = || Killed::start(&["worker", &address, "--jobs", "1"]);
        let mut workers = [worker(), worker(), worker()];
        let mut coordinator = Killed::start(&words);
        let (begun, mut last_kill, mut victim, mut server_is_due) = (Instant::now(), Instant::now(), 0, true);
        let mut coordinator_dies_at = vec![2 * self.units / 3, self.units / 4];
        loop {
            assert!(begun.elapsed() < PATIENCE, "it takes too long: {} of {} units", lines(&run), self.units);
            if let Some(status) = coordinator.0.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break;
            }
            if last_kill.elapsed() > Duration::from_secs(2) {
                workers[victim % 3].kill();
                workers[victim % 3] = worker();
                (last_kill, victim) = (Instant::now(), victim + 1);
            }
            if server_is_due && lines(&run) >= self.units / 2 {
                nats.kill_and_restart();
                server_is_due = false;
            }
            if coordinator_dies_at.last().is_some_and(|&units| lines(&run) >= units) {
                coordinator.kill();
                coordinator = Killed::start(&words);
                coordinator_dies_at.pop();
            }
            sleep(Duration::from_millis(20));
        }
        assert!(!server_is_due && coordinator_dies_at.is_empty(), "too fast for its failures");
        (journal(&run), fs::read(folder.path().join("output")).ok())
    }

    #[track_caller]
    fn check(&self) {
        let Some(mut nats) = Nats::start(&["--jetstream"]) else { return };
        let (expected, found) = (self.alone(), self.among_failures(&mut nats));
        assert_eq!(expected.0.len(), self.units);
        assert!(expected == found, "{}: another result than on one machine", self.arguments);
    }
}

#[test]
fn a_match_survives_what_is_killed() {
    let arguments = "match othello --a best --b classic --games 120 --nodes 1500";
    Run { arguments, output: None, units: 120 }.check();
}

#[test]
fn an_evolution_survives_what_is_killed() {
    let arguments = "evolve coeval othello --population 6 --generations 2 --games 4 --depth 3";
    Run { arguments, output: Some("-o"), units: 45 }.check();
}

#[test]
fn statistics_survive_what_is_killed() {
    let arguments = "gather realization othello --games 80 --nodes 1500";
    Run { arguments, output: Some("-o"), units: 80 }.check();
}

/// A sequential test is decided by the same games, and what the workers had begun is thrown away.
#[test]
fn a_sequential_test_is_decided_as_on_one_machine() {
    let Some(nats) = Nats::start(&["--jetstream"]) else { return };
    let arguments = "match othello --a depth=4,best --b depth=1,best --games 400 --sprt 0,200 --json";
    let address = nats.address();
    let _worker = Killed::start(&["worker", &address, "--jobs", "2"]);
    let result = |more: &str| {
        let words = format!("{arguments}{more}");
        let output = plywise(&words).timeout(PATIENCE).assert().success().get_output().stdout.clone();
        let document: Value = serde_json::from_slice(&output).unwrap();
        ["games", "wins", "draws", "losses", "pentanomial", "sprt"].map(|key| document[key].clone())
    };
    assert_eq!(result(&format!(" --workers {address} --verify 20%")), result(""));
}

#[test]
fn servers_that_cannot_be_used_are_told_in_a_sentence() {
    let refuse = |arguments: &str, words: &str| {
        let output = plywise(arguments).timeout(PATIENCE).assert().code(2).get_output().stderr.clone();
        let sentence = String::from_utf8(output).unwrap();
        assert!(sentence.contains(words) && sentence.lines().count() == 1, "{sentence}");
    };
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let suite: PathBuf = folder.path().join("suite.epd");
    fs::write(&suite, "8/8/8/8/8/4k3/4p3/4K3 w - - bm Kd1; id \"none\";\n").unwrap();
    let command =
        format!("gather realization othello --games 4 --nodes 50 -o {} --run {}", suite.display(), run.display());
    let check = |address: &str, words: &str| {
        refuse(&format!("{command} --workers {address}"), words);
        refuse(&format!("worker {address}"), words);
        refuse(&format!("workers {address}"), words);
        assert!(!run.exists(), "the run directory was touched");
    };
    check("localhost", "is not the address of a NATS server");
    check("nats://me:secret@localhost", "PLYWISE_NATS_PASSWORD");
    check("nats://127.0.0.1:1", "no NATS server answers at nats://127.0.0.1:1");
    refuse("compare othello --nodes 10 --profiles best,brute --workers nats://127.0.0.1:1", "no units of work");
    refuse(&format!("{command} --movetime 5 --workers nats://127.0.0.1:1 --verify 2%"), "on the clock");
    let Some(plain) = Nats::start(&[]) else { return };
    check(&plain.address(), "runs without JetStream");
    let Some(guarded) = Nats::start(&["--jetstream", "--user", "me", "--pass", "secret"]) else { return };
    check(&guarded.address(), "refuses us");
}

/// The units of a command that a worker does, with the worker in a folder of its own.
struct Outpost {
    nats: Nats,
    folder: tempfile::TempDir,
    worker: Killed,
}

impl Outpost {
    fn start(arguments: &[&str]) -> Option<Outpost> {
        let nats = Nats::start(&["--jetstream"])?;
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("plywise"));
        command.args(["worker", &nats.address(), "--jobs", "1"]).args(arguments).current_dir(folder.path());
        let log = fs::File::create(folder.path().join("log")).unwrap();
        let worker = Killed(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
        Some(Outpost { nats, folder, worker })
    }

    /// Runs a command in a folder with this worker, and gives its standard output.
    fn run(&mut self, arguments: &str, folder: &Path) -> Vec<u8> {
        let words = format!("{arguments} --workers {}", self.nats.address());
        let output =
            plywise(&words).current_dir(folder).timeout(PATIENCE).assert().success().get_output().stdout.clone();
        assert!(self.worker.0.try_wait().unwrap().is_none(), "the worker has ended: {}", self.log());
        output
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn check_that_it_helped(&self) {
        assert!(self.log().contains("helps with") && !self.log().contains("leaves"), "{}", self.log());
    }

    /// What lies in the worker's folder.
    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

/// A worker reads no file, and the coordinator only those that arguments name, whatever lies in their folders.
#[test]
fn files_that_no_argument_names_change_nothing() {
    let Some(mut outpost) = Outpost::start(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let games = |output: Vec<u8>| {
        let document: Value = serde_json::from_slice(&output).unwrap();
        ["wins", "draws", "losses", "pentanomial"].map(|key| document[key].clone())
    };
    let arguments = "match loa --a best --b brute --games 4 --nodes 200 --json";
    let alone = plywise(arguments).timeout(PATIENCE).assert().success().get_output().stdout.clone();
    for place in [folder.path(), outpost.folder.path()] {
        for name in ["brute", "chess", "loa", "100", "200", "4", "match"] {
            fs::write(place.join(name), "").unwrap();
        }
        fs::write(place.join("best"), "base = \"brute\"\n").unwrap();
    }
    assert_eq!(games(outpost.run(arguments, folder.path())), games(alone));
    outpost.check_that_it_helped();
}

/// What stands in files that arguments name is part of the job, and so is what a profile among them names.
#[test]
fn what_stands_in_files_is_part_of_the_job() {
    let Some(mut outpost) = Outpost::start(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::copy(network("loa"), folder.path().join("a.net")).unwrap();
    let profile = "base = \"classic\"\n[game.loa.evaluation]\nnetwork = \"a.net\"\n";
    fs::write(folder.path().join("mine.toml"), profile).unwrap();
    fs::write(folder.path().join("some.epd"), fs::read(loa_openings()).unwrap()).unwrap();
    let arguments = "match loa --a mine.toml --b network=a.net,brute --openings some.epd --games 4 --nodes 100 --run ";
    plywise(&format!("{arguments} alone")).current_dir(folder.path()).timeout(PATIENCE).assert().success();
    outpost.run(&format!("{arguments} others"), folder.path());
    assert_eq!(journal(&folder.path().join("others")), journal(&folder.path().join("alone")));
    outpost.check_that_it_helped();
}

/// The built-in network of a game, as a file.
fn network(game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../plywise-{game}/data/{game}.net"))
}

fn loa_openings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../plywise-loa/data/openings.epd")
}

/// What a command writes is the coordinator's.
#[test]
fn a_worker_writes_no_file_of_a_run() {
    let Some(mut outpost) = Outpost::start(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let arguments = "match loa --a best --b brute --games 4 --nodes 100 --plot plot.svg --pgn games.pgn";
    outpost.run(arguments, folder.path());
    outpost.run("gather probcut loa --games 4 --depth 4 --pairs 2-4 -o t.toml --plot t.svg", folder.path());
    assert_eq!(outpost.files(), ["log"]);
    for name in ["plot.svg", "games.pgn", "t.toml", "t.svg"] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
}

/// Whatever the protocol, a worker starts what its own command line allows and nothing else.
#[test]
fn a_worker_starts_no_program_of_a_coordinator() {
    use std::os::unix::fs::PermissionsExt;
    let Some(mut outpost) = Outpost::start(&[]) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (program, suite) = (folder.path().join("evil.sh"), folder.path().join("suite.epd"));
    // It leaves a trace where it is started: the coordinator itself may.
    fs::write(&program, "#!/bin/sh\necho >> started\nexec sleep 20\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(&suite, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8; id \"mate\";\n").unwrap();
    let address = outpost.nats.address();
    for (refused, engine) in ["thesis", "uci"].iter().enumerate() {
        let command = format!(
            "learn extensions chess --offline --suite {} --nodes 10 --iterations 1 --engine {engine}:{} -o o.toml \
             --workers {address}",
            suite.display(),
            program.display()
        );
        let words: Vec<&str> = command.split_whitespace().collect();
        let _coordinator = Killed::start_in(&words, folder.path());
        let begun = Instant::now();
        while outpost.log().matches("--allow-engine").count() <= refused {
            assert!(begun.elapsed() < Duration::from_secs(20), "{engine}: is not refused: {}", outpost.log());
            sleep(Duration::from_millis(50));
        }
        assert_eq!(outpost.files(), ["log"], "the worker has started {engine}:");
    }
    assert!(outpost.worker.0.try_wait().unwrap().is_none(), "the worker has ended");
}

/// A server with JetStream and what `configuration` adds to it.
fn guarded(folder: &Path, configuration: &str) -> Option<Nats> {
    let file = folder.join("nats.conf");
    fs::write(&file, format!("jetstream {{}}\n{configuration}\n")).unwrap();
    Nats::start(&["--config", file.to_str().unwrap()])
}

/// The list of workers at a server, asked for with these variables: nothing where all is well, otherwise the sentence.
fn ask(address: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut command = plywise(&format!("workers {address}"));
    command.envs(variables.iter().copied());
    let output = command.timeout(PATIENCE).output().unwrap();
    (!output.status.success()).then(|| {
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    })
}

#[test]
fn a_token_or_an_nkey_opens_the_door() {
    let folder = tempfile::tempdir().unwrap();
    let Some(nats) = guarded(folder.path(), "authorization { token: \"open sesame\" }") else { return };
    assert_eq!(ask(&nats.address(), &[("PLYWISE_NATS_TOKEN", "open sesame")]), None);
    assert!(ask(&nats.address(), &[("PLYWISE_NATS_TOKEN", "open barley")]).unwrap().contains("refuses us"));
    drop(nats);
    let (key, other) = (nkeys::KeyPair::new_user(), nkeys::KeyPair::new_user());
    let user = format!("authorization {{ users: [ {{ nkey: {} }} ] }}", key.public_key());
    let nats = guarded(folder.path(), &user).unwrap();
    assert_eq!(ask(&nats.address(), &[("PLYWISE_NATS_NKEY", &key.seed().unwrap())]), None);
    assert!(ask(&nats.address(), &[("PLYWISE_NATS_NKEY", &other.seed().unwrap())]).unwrap().contains("refuses us"));
    assert!(ask(&nats.address(), &[]).unwrap().contains("refuses us"));
}

#[test]
fn a_server_behind_tls_must_show_a_certificate_that_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let server = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let (certificate, key) = (folder.path().join("server.pem"), folder.path().join("server.key"));
    fs::write(&certificate, server.cert.pem()).unwrap();
    fs::write(&key, server.signing_key.serialize_pem()).unwrap();
    let tls = format!("tls {{ cert_file: \"{}\", key_file: \"{}\" }}", certificate.display(), key.display());
    let Some(nats) = guarded(folder.path(), &tls) else { return };
    let address = nats.address().replace("nats://", "tls://");
    assert_eq!(ask(&address, &[("PLYWISE_NATS_AUTHORITY", certificate.to_str().unwrap())]), None);
    assert!(ask(&address, &[]).unwrap().contains("no NATS server answers"));
}
