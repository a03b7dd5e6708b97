//! What travels: announcements, units, results, questions. Everything is bounded, and what cannot be read is dropped.

use crate::identity::{Key, Sealed};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::Read;

/// What must be equal on both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passport {
    /// The version of the program.
    pub version: String,
    /// The digest of the program's file.
    pub build: String,
    /// The game that is played.
    pub game: String,
    /// The nodes of a bench of that game: its search, its network and its tables do the same on both machines.
    pub bench: u64,
}

impl Passport {
    /// What differs between a run's passport and a worker's, as one sentence.
    pub fn difference(&self, worker: &Passport) -> Option<String> {
        if self.version != worker.version {
            return Some(format!("the run needs version {}, and this is {}", self.version, worker.version));
        }
        if self.build != worker.build {
            let (theirs, ours) = (&self.build, &worker.build);
            return Some(format!(
                "the run was started by another build of version {} ({theirs}, and this is {ours}): copy its program here",
                self.version
            ));
        }
        if self.bench != worker.bench {
            let Passport { game, bench, .. } = self;
            return Some(format!("the bench of {game} counts {bench} nodes there and {} here", worker.bench));
        }
        None
    }
}

/// What a coordinator says every second.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// The run: the same when its coordinator is started again.
    pub run: String,
    /// This life of its coordinator, by the key with which it signs.
    pub session: String,
    /// What people call it.
    pub title: String,
    pub passport: Passport,
    /// Nodes a second of its bench.
    pub speed: f64,
    /// Whether later units follow from earlier results.
    pub in_steps: bool,
    /// The step that is worked on, or was last.
    pub step: Option<u64>,
    /// Whether it is still worked on.
    pub is_open: bool,
    /// Whether the session is over.
    pub ended: bool,
    /// How often the session has said something: what is older than what was heard before is a copy.
    pub beat: u64,
    /// The keys of workers whose answers are not wanted.
    pub shut_out: Vec<String>,
    /// The digest of the job, by which the server keeps it.
    pub job: String,
}

/// A unit in the queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unit {
    pub step: u64,
    pub number: u64,
    /// It is done again to check the answer of the worker with this key: others should.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_by: Option<String>,
}

/// What stands before a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub session: String,
    pub step: u64,
    pub number: u64,
    /// The worker's key, with which it signs.
    pub worker: String,
    /// What people call it.
    pub name: String,
    /// Where the queue waits for its acknowledgement.
    pub ticket: String,
    /// It could not be done, and no result follows.
    #[serde(default)]
    pub failed: bool,
    /// Of a result that is larger than a message: which part this is, of how many.
    #[serde(default)]
    pub part: u32,
    #[serde(default)]
    pub parts: u32,
}

/// What a worker asks a coordinator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Question {
    /// What the journal that was opened as the nth held, from a line on.
    Journal { nth: usize, from: usize },
    /// What was accepted in a step, from a result on.
    Results { step: u64, from: usize },
}

/// Some of what was asked for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Answer {
    /// What was asked.
    pub question: Option<Question>,
    /// Whether it is there yet.
    pub is_ready: bool,
    /// Whether this is the last of it.
    pub is_all: bool,
    /// Numbers and texts; those of a journal have no number.
    pub lines: Vec<(u64, String)>,
}

/// What an answer holds at most, before it is compressed.
pub(crate) const ANSWER_BYTES: usize = 2 << 20;

/// The largest result.
pub(crate) const RESULT_BYTES: usize = 64 << 20;

/// Subjects and names on the server.
pub(crate) const ANNOUNCEMENTS: &str = "plywise.runs";
pub(crate) const WORKERS_STREAM: &str = "plywise-workers";
pub(crate) const JOBS_BUCKET: &str = "plywise-jobs";
pub(crate) const CONSUMER: &str = "workers";

pub(crate) fn stream_name(run: &str) -> String {
    format!("plywise-run-{run}")
}

pub(crate) fn subject(session: &str, what: &str) -> String {
    format!("plywise.session.{session}.{what}")
}

pub(crate) fn worker_subject(key: &str) -> String {
    format!("plywise.worker.{key}")
}

/// A name that can be part of a subject.
pub(crate) fn safe_name(name: &str) -> String {
    let safe = |letter: char| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' };
    name.chars().take(60).map(safe).collect()
}

/// A unique name.
pub(crate) fn random_name() -> String {
    let mut bytes = [0; 8];
    // Without randomness the time must do.
    if getrandom::fill(&mut bytes).is_err() {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        bytes = (now.as_nanos() as u64).to_le_bytes();
    }
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A message as bytes.
pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    // Plain structs of texts and numbers always become JSON.
    serde_json::to_vec(message).unwrap_or_default()
}

/// A message that is small enough and can be read.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    const LARGEST: usize = 1 << 20;
    (bytes.len() <= LARGEST).then(|| serde_json::from_slice(bytes).ok()).flatten()
}

/// Makes bytes smaller.
pub(crate) fn compress(bytes: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(bytes, 1).unwrap_or_default()
}

/// The bytes before they were made smaller, unless there are too many.
pub(crate) fn decompress(bytes: &[u8], most: usize) -> Option<Vec<u8>> {
    let decoder = zstd::Decoder::new(bytes).ok()?;
    let mut plain = Vec::new();
    decoder.take(most as u64 + 1).read_to_end(&mut plain).ok()?;
    (plain.len() <= most).then_some(plain)
}

/// A result as signed messages of at most `largest` bytes: a head on a line of its own, and compressed what follows.
pub(crate) fn write_result(key: &Key, head: &Head, result: &[u8], largest: usize) -> Vec<Vec<u8>> {
    let body = if head.failed { Vec::new() } else { compress(result) };
    let room = largest.saturating_sub(encode(head).len() + 128).max(1024);
    let parts = body.len().div_ceil(room).max(1) as u32;
    let message = |part: u32| {
        let mut message = encode(&Head { part, parts, ..head.clone() });
        message.push(b'\n');
        let from = part as usize * room;
        message.extend(&body[from..body.len().min(from + room)]);
        key.seal(&message)
    };
    (0..parts).map(message).collect()
}

/// The head of a result that its worker has signed, and its body, still compressed.
pub(crate) fn read_result(sealed: &[u8]) -> Option<(Head, &[u8])> {
    const LONGEST_HEAD: usize = 1024;
    let sealed = Sealed::read(sealed)?;
    let message = sealed.message;
    let end = message.iter().take(LONGEST_HEAD).position(|&byte| byte == b'\n')?;
    let head: Head = decode(&message[..end])?;
    let is_sound = head.parts >= 1 && head.part < head.parts && head.parts as usize <= RESULT_BYTES / 1024;
    (is_sound && sealed.is_by(&head.worker)).then_some((head, &message[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(key: &Key) -> Head {
        let (worker, name) = (key.public(), "w".to_owned());
        let ticket = "$JS.ACK.plywise-run-1.workers.1.1.1.1.1".to_owned();
        Head { step: 1, number: 7, worker, name, ticket, parts: 1, ..Head::default() }
    }

    #[test]
    fn results_are_cut_into_messages_and_put_together() {
        // What does not repeat itself does not become smaller.
        let result: Vec<u8> = (0..20_000_u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let key = Key::new();
        let messages = write_result(&key, &head(&key), &result, 4096);
        assert!(messages.len() > 1 && messages.iter().all(|message| message.len() <= 4096));
        let mut body = Vec::new();
        for (i, message) in messages.iter().enumerate() {
            let (found, part) = read_result(message).unwrap();
            assert_eq!((found.part, found.parts), (i as u32, messages.len() as u32));
            body.extend(part);
        }
        assert_eq!(decompress(&body, result.len()).unwrap(), result);
        assert!(decompress(&body, result.len() - 1).is_none(), "too large");
    }

    #[test]
    fn what_cannot_be_read_is_nothing() {
        for message in ["", "\n", "{}\nx", "no head", "{\"step\":1}\n", &"x".repeat(5000)] {
            assert!(read_result(message.as_bytes()).is_none(), "{message}");
            assert!(read_result(&Key::new().seal(message.as_bytes())).is_none(), "{message}");
        }
        let (key, other) = (Key::new(), Key::new());
        let sealed = |key: &Key, head: &Head| key.seal(&[encode(head), b"\nx".to_vec()].concat());
        assert!(read_result(&sealed(&key, &head(&key))).is_some());
        assert!(read_result(&sealed(&other, &head(&key))).is_none(), "in another's name");
        assert!(read_result(&sealed(&key, &Head { part: 3, parts: 2, ..head(&key) })).is_none());
        assert!(decode::<Unit>(b"{\"step\":-1,\"number\":2}").is_none());
        assert!(decompress(b"no zstd", 100).is_none());
    }

    #[test]
    fn unequal_workers_are_told_what_differs() {
        let run = Passport { version: "1.0.0".into(), build: "a".into(), game: "loa".into(), bench: 10 };
        let check = |worker: Passport, word: &str| assert!(run.difference(&worker).unwrap().contains(word));
        assert_eq!(run.difference(&run.clone()), None);
        check(Passport { version: "1.1.0".into(), ..run.clone() }, "version 1.0.0, and this is 1.1.0");
        check(Passport { build: "b".into(), ..run.clone() }, "another build");
        check(Passport { bench: 11, ..run.clone() }, "bench of loa counts 10 nodes there and 11 here");
    }
}
