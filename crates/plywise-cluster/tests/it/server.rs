//! A NATS server of the test's own.

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub struct Nats {
    port: u16,
    store: tempfile::TempDir,
    arguments: Vec<String>,
    process: Mutex<Option<Child>>,
}

/// The program, which distributions keep where only administrators look.
fn program() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&folders).chain(["/usr/sbin".into(), "/usr/local/sbin".into()]);
    folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file())
}

impl Nats {
    /// A server with JetStream.
    pub fn start() -> Option<Nats> {
        Nats::with(&["--jetstream"])
    }

    pub fn with(arguments: &[&str]) -> Option<Nats> {
        if program().is_none() {
            eprintln!("SKIPPED: nats-server is not installed, so the cluster is not tested");
            return None;
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let arguments = arguments.iter().map(ToString::to_string).collect();
        let nats = Nats { port, store: tempfile::tempdir().unwrap(), arguments, process: Mutex::new(None) };
        nats.restart();
        Some(nats)
    }

    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Starts it, on the same port and the same disk.
    pub fn restart(&self) {
        let child = Command::new(program().unwrap())
            .args(["--addr", "127.0.0.1", "--port", &self.port.to_string(), "--store_dir"])
            .arg(self.store.path())
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        *self.process.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not start");
            sleep(Duration::from_millis(10));
        }
    }

    /// Kills it as a power cut would.
    pub fn kill(&self) {
        if let Some(mut child) = self.process.lock().unwrap_or_else(PoisonError::into_inner).take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Takes its disk away.
    pub fn forget(&self) {
        std::fs::remove_dir_all(self.store.path().join("jetstream")).unwrap();
    }

    /// The names of what it keeps on its disk.
    pub fn stored(&self) -> Vec<String> {
        let streams = self.store.path().join("jetstream/$G/streams");
        let entries = std::fs::read_dir(streams).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
