//! The studio between hostile clients, and over run directories that are not what they seem: the browser that was let in gets
//! every answer soon, and the studio goes on.

use crate::mutation::mutated;
use crate::process::{Conversation, Programs};
use crate::random::word;
use crate::trial::{Failure, Trial};
use plywise_game::random::Random;
use plywise_run::{Manifest, Run};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long the studio may take to begin, and for one answer, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let trial = |name: &str, case: fn(&Programs, &mut Random) -> Result<(), Failure>| {
        let programs = programs.clone();
        let case = move |_, random: &mut Random| case(&programs, random);
        Trial { group: "studio", name: name.into(), short: 3, long: 500, case: Box::new(case) }
    };
    let mut all = vec![trial("clients", clients)];
    if cfg!(unix) {
        all.push(trial("run directories", directories));
    }
    all
}

/// A studio, and the browser that it let in.
struct Visit {
    _studio: Conversation,
    port: u16,
    path: String,
    cookie: String,
}

impl Visit {
    fn begin(programs: &Programs, folder: &Path) -> Result<Visit, String> {
        let mut command = programs.plywise();
        command.args(["studio", "--no-open"]).arg(folder);
        let mut studio = Conversation::begin(command)?;
        let heard = studio.hear_until(PATIENCE, |line| line.contains("http://"))?.pop().unwrap_or_default();
        let (_, address) = heard.split_once("http://127.0.0.1:").ok_or("it prints no address")?;
        let (port, door) = address.split_once('/').ok_or("it prints no token")?;
        let port = port.parse().map_err(|_| format!("no port in '{address}'"))?;
        let mut visit = Visit { _studio: studio, port, path: String::new(), cookie: String::new() };
        let answer = visit.ask(&format!("GET /{} HTTP/1.1\r\n", door.trim()))?;
        let after = |mark: &str, end: char| {
            let rest = answer.split_once(mark).map(|(_, rest)| rest).ok_or_else(|| format!("not let in: {answer}"))?;
            Ok::<String, String>(rest.split(end).next().unwrap_or_default().into())
        };
        (visit.path, visit.cookie) = (after("data-path=\"", '"')?, after("set-cookie: plywise=", ';')?);
        Ok(visit)
    }

    /// The lines of a request for something in the studio.
    fn request(&self, path: &str) -> String {
        format!("GET /{}{path} HTTP/1.1\r\nCookie: plywise={}\r\n", self.path, self.cookie)
    }

    /// The whole answer to a request.
    fn ask(&self, lines: &str) -> Result<String, String> {
        let (begun, port) = (Instant::now(), self.port);
        let ask = || {
            let mut stream = TcpStream::connect(("127.0.0.1", port))?;
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(format!("{lines}Host: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").as_bytes())?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer)?;
            io::Result::Ok(answer)
        };
        let answer = ask().map_err(|error| format!("no answer after {:?}: {error}", begun.elapsed()))?;
        if begun.elapsed() > PATIENCE {
            return Err(format!("the answer took {:?}", begun.elapsed()));
        }
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }

    /// What the browser gets; a refusal is an answer, but for where it is let in.
    fn get(&self, path: &str) -> Result<String, String> {
        let answer = self.ask(&self.request(path))?;
        match answer.starts_with("HTTP/1.1 ")
            && !answer.starts_with("HTTP/1.1 5")
            && !answer.starts_with("HTTP/1.1 403")
        {
            true => Ok(answer),
            false => Err(format!("{path}: {}", answer.lines().next().unwrap_or("nothing"))),
        }
    }
}

const WORDS: &[&str] =
    &["GET", "POST", "HTTP/1.1", "Host:", "Cookie:", "Content-Length: 9", "Range:", "\r\n", "../", "%00"];

/// Many clients at once, each with manners of its own, and the browser between them.
fn clients(programs: &Programs, random: &mut Random) -> Result<(), Failure> {
    let failed = |problem| Failure::new(problem, "");
    let folder = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
    let visit = Visit::begin(programs, folder.path()).map_err(failed)?;
    let host = format!("Host: 127.0.0.1:{}\r\n", visit.port);
    let known = format!("{}{host}\r\n", visit.request("/style.css"));
    let stranger = format!("GET /style.css HTTP/1.1\r\n{host}\r\n");
    let analysis = format!("{}{host}\r\n", visit.request("/api/analyse?game=chess&depth=60"));
    let samples = [stranger.clone().into_bytes(), known.clone().into_bytes()];
    let mut open = Vec::new();
    for _ in 0..50 + random.below(250) {
        let Ok(stream) = TcpStream::connect(("127.0.0.1", visit.port)) else { continue };
        // Who is not read from must not wait either.
        let _ = stream.set_nonblocking(true);
        let said = match random.below(8) {
            0 => Vec::new(),
            1 => stranger.as_bytes()[..random.below(stranger.len())].to_vec(),
            2 => stranger.repeat(2000).into_bytes(),
            3 => known.repeat(50).into_bytes(),
            4 => vec![b'x'; 300_000],
            5 if random.below(10) == 0 => analysis.clone().into_bytes(),
            _ => mutated(&samples, WORDS, random),
        };
        let _ = (&stream).write(&said);
        match random.below(4) {
            0 => drop(stream),
            1 => {
                let _ = stream.shutdown(Shutdown::Write);
                open.push(stream);
            }
            _ => open.push(stream),
        }
        if random.below(30) == 0 {
            visit.get("/api/files").map_err(failed)?;
        }
    }
    for path in ["/", "/api/files", "/api/runs", "/api/games"] {
        visit.get(path).map_err(failed)?;
    }
    Ok(())
}

/// A folder of run directories, in each of which some files are something else.
fn directories(programs: &Programs, random: &mut Random) -> Result<(), Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(error, ""))?;
    let mut made = Vec::new();
    for number in 0..1 + random.below(6) {
        let run = folder.path().join(format!("run-{number}"));
        let mut manifest = Manifest::default();
        let command = word(random, &["match", "suite", "learn eval", "forge games", "evolve eval", "unknown"]);
        manifest.work.insert("command".into(), command.into());
        manifest.work.insert("game".into(), "chess".into());
        let opened = Run::open::<Value>(&run, &manifest, false, &mut |_| Ok(()));
        let kept = opened
            .map_err(|error| error.to_string())
            .and_then(|mut run| run.append(&json!({"index": 0, "number": 0})).map_err(|error| error.to_string()));
        kept.map_err(|problem| Failure::new(problem, ""))?;
        for file in ["journal.jsonl", "run.json"] {
            if random.below(2) == 0 {
                made.push(format!("{command}: {file} {}", replace(&run.join(file), random)));
            }
        }
    }
    let failed = |problem: String| Failure::new(problem, made.join(", "));
    let visit = Visit::begin(programs, folder.path()).map_err(failed)?;
    let place = folder.path().file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    for path in ["/api/runs".to_string()].into_iter().chain(
        (0..6).flat_map(|run| ["", "/games", "/games/1"].map(|part| format!("/api/runs/{place}%2Frun-{run}{part}"))),
    ) {
        visit.get(&path).map_err(failed)?;
    }
    visit.get("/api/files").map(|_| ()).map_err(failed)
}

/// Puts something else in the place of a file, and says what. Where the system has no such thing the place stays empty.
fn replace(path: &Path, random: &mut Random) -> &'static str {
    let link = |to: &str| {
        #[cfg(unix)]
        let _ = std::os::unix::fs::symlink(to, path);
        #[cfg(not(unix))]
        let _ = to;
    };
    let text = fs::read(path).unwrap_or_default();
    let _ = fs::remove_file(path);
    match random.below(9) {
        0 => {
            link("/dev/zero");
            "is a link to a device without an end"
        }
        1 => {
            let _ = Command::new("mkfifo").arg(path).status();
            "is a pipe"
        }
        2 => {
            link("/etc/passwd");
            "is a link to a file of others"
        }
        3 => {
            link(&path.display().to_string());
            "is a link to itself"
        }
        4 => {
            let _ = fs::create_dir(path);
            "is a folder"
        }
        5 => {
            let _ = File::create(path).and_then(|file| file.set_len(1 << 40));
            "is a file of zeros"
        }
        6 => {
            let _ = fs::write(path, "x".repeat(70 << 20));
            "is one long line"
        }
        7 => {
            let _ = fs::write(path, mutated(&[text], &["{", "\n", "\"unit\":", "null", "1e999"], random));
            "is damaged"
        }
        _ => "is missing",
    }
}
