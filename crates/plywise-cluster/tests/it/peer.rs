//! Somebody who may publish on the server and means no good: it hears everything, and answers with forgeries.

use super::server::Nats;
use nkeys::KeyPair;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What a hostile peer does when it hears something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mischief {
    /// Bytes that are nothing.
    Rubbish,
    /// What it heard, with something changed and the old signature.
    Changed,
    /// What it heard, with something changed, in the name of somebody else but with its own signature.
    Forged,
    /// What it heard, once more.
    Copied,
    /// Parts of results that never become whole.
    Parts,
    /// The units of the run are taken away from the workers.
    NoConsumer,
}

impl Mischief {
    pub const ALL: [Mischief; 6] = [
        Mischief::Rubbish,
        Mischief::Changed,
        Mischief::Forged,
        Mischief::Copied,
        Mischief::Parts,
        Mischief::NoConsumer,
    ];
}

/// A message that somebody has sent.
#[derive(Clone, Debug)]
pub struct Heard {
    pub subject: String,
    pub payload: Vec<u8>,
}

pub struct Peer {
    stream: TcpStream,
    buffer: Vec<u8>,
    key: KeyPair,
}

/// The bytes of a signature, which stands in front of each message.
const SIGNATURE: usize = 64;

impl Peer {
    pub fn at(nats: &Nats) -> Peer {
        let stream = TcpStream::connect(nats.address().trim_start_matches("nats://")).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        let mut peer = Peer { stream, buffer: Vec::new(), key: KeyPair::new_user() };
        peer.send(b"CONNECT {\"verbose\":false,\"echo\":false}\r\nSUB plywise.> 1\r\n");
        peer
    }

    fn send(&mut self, bytes: &[u8]) {
        // A server that is gone ends the mischief.
        let _ = self.stream.write_all(bytes);
    }

    fn publish(&mut self, subject: &str, payload: &[u8]) {
        let mut message = format!("PUB {subject} {}\r\n", payload.len()).into_bytes();
        message.extend(payload);
        message.extend(b"\r\n");
        self.send(&message);
    }

    /// The next message, if one comes soon.
    pub fn hear(&mut self) -> Option<Heard> {
        let mut bytes = [0; 1 << 16];
        for _ in 0..20 {
            if let Some(heard) = self.frame() {
                return Some(heard);
            }
            match self.stream.read(&mut bytes) {
                Ok(0) | Err(_) => return None,
                Ok(read) => self.buffer.extend(&bytes[..read]),
            }
        }
        None
    }

    /// A whole message of those bytes that have come.
    fn frame(&mut self) -> Option<Heard> {
        loop {
            let end = self.buffer.windows(2).position(|two| two == b"\r\n")?;
            let line = String::from_utf8_lossy(&self.buffer[..end]).into_owned();
            let words: Vec<&str> = line.split(' ').collect();
            let mut used = end + 2;
            let mut heard = None;
            match words[..] {
                ["MSG", subject, _, .., size] => {
                    let size: usize = size.parse().unwrap();
                    if self.buffer.len() < used + size + 2 {
                        return None;
                    }
                    let payload = self.buffer[used..used + size].to_vec();
                    heard = Some(Heard { subject: subject.to_owned(), payload });
                    used += size + 2;
                }
                ["PING", ..] => self.send(b"PONG\r\n"),
                _ => {}
            }
            self.buffer.drain(..used);
            if heard.is_some() {
                return heard;
            }
        }
    }

    /// Answers what it has heard. `number` is anything.
    pub fn do_mischief(&mut self, mischief: Mischief, heard: &Heard, number: u64) {
        let Heard { subject, payload } = heard;
        match mischief {
            Mischief::Rubbish => {
                let bytes: Vec<u8> = (0..number % 300).map(|i| (i.wrapping_mul(number) >> 3) as u8).collect();
                self.publish(subject, &bytes);
                self.publish(subject, b"{}\nx");
            }
            Mischief::Copied => self.publish(subject, payload),
            Mischief::Changed => {
                if let Some((signature, changed)) = payload.split_at_checked(SIGNATURE)
                    && let Some(changed) = self.changed(changed, number)
                {
                    self.publish(subject, &[signature, &changed].concat());
                }
            }
            Mischief::Forged => {
                if let Some(changed) = payload.get(SIGNATURE..).and_then(|message| self.changed(message, number)) {
                    let signature = self.key.sign(&changed).unwrap();
                    self.publish(subject, &[&signature[..], &changed].concat());
                }
            }
            Mischief::Parts => {
                if let Some(head) = payload.get(SIGNATURE..).and_then(head).filter(|head| head.get("ticket").is_some())
                {
                    for part in 0..3 {
                        let parts = json!({"worker": self.key.public_key(), "part": part, "parts": 60_000});
                        let mut message = with(&head, &parts).to_string().into_bytes();
                        message.push(b'\n');
                        message.resize(100_000, 0);
                        let signature = self.key.sign(&message).unwrap();
                        self.publish(subject, &[&signature[..], &message].concat());
                    }
                }
            }
            Mischief::NoConsumer => self.publish("$JS.API.CONSUMER.DELETE.plywise-run-squares.workers", b""),
        }
    }

    /// A message that harms a reader who believes it.
    fn changed(&self, message: &[u8], number: u64) -> Option<Vec<u8>> {
        let mut head = head(message)?;
        let own = self.key.public_key();
        let is = |key: &str| head.get(key).is_some();
        let lies = if is("ticket") {
            // A result, which is not one.
            [json!({"worker": own}), json!({"number": u64::MAX}), json!({})][number as usize % 3].clone()
        } else if is("jobs") {
            // The presence of a worker.
            [json!({"key": own, "jobs": u64::MAX}), json!({"jobs": u64::MAX}), json!({"units": -1})]
                [number as usize % 3]
                .clone()
        } else if is("shut_out") {
            // What a coordinator announces.
            let lies = [
                json!({"shut_out": [own, "one", "two"], "beat": u64::MAX}),
                json!({"ended": true, "beat": u64::MAX}),
                json!({"session": own, "job": "nonsense", "beat": u64::MAX}),
                json!({"step": u64::MAX, "beat": u64::MAX}),
            ];
            lies[number as usize % 4].clone()
        } else {
            json!({"step": u64::MAX})
        };
        head = with(&head, &lies);
        Some([head.to_string().as_bytes(), b"\nnothing"].concat()).map(|mut bytes| {
            // Only results have something behind their heads.
            if !message.contains(&b'\n') {
                bytes.truncate(bytes.len() - b"\nnothing".len());
            }
            bytes
        })
    }
}

/// The JSON that a message begins with.
fn head(message: &[u8]) -> Option<Value> {
    let end = message.iter().position(|byte| *byte == b'\n').unwrap_or(message.len());
    serde_json::from_slice(&message[..end]).ok().filter(Value::is_object)
}

fn with(head: &Value, more: &Value) -> Value {
    let mut head = head.clone();
    for (key, value) in more.as_object().into_iter().flatten() {
        head[key] = value.clone();
    }
    head
}
