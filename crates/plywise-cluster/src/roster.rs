use crate::connection::{ClusterError, Server, failed};
use crate::identity::{Key, Sealed};
use crate::wire::{WORKERS_STREAM, decode, encode, safe_name, worker_subject};
use async_nats::jetstream::consumer::{self, AckPolicy, DeliverPolicy};
use async_nats::jetstream::stream::{self, StorageType};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

/// What a worker says of itself, every other second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// The key with which it signs.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The machine.
    pub machine: String,
    /// The version of the program.
    pub version: String,
    /// The digest of the program's file.
    pub build: String,
    /// Cores of the machine.
    pub cores: usize,
    /// Units at the same time.
    pub jobs: usize,
    /// Nodes a second of the last bench, if there was one.
    pub speed: Option<f64>,
    /// Units done since it was started.
    pub units: u64,
    /// The session it works for.
    pub session: Option<String>,
    /// What it works on, as people call it.
    pub title: Option<String>,
}

impl Presence {
    /// What the worker itself has said.
    pub(crate) fn read(sealed: &[u8]) -> Option<Presence> {
        let sealed = Sealed::read(sealed)?;
        let presence: Presence = decode(sealed.message)?;
        let safe = Presence { name: safe_name(&presence.name), ..presence };
        sealed.is_by(&safe.key).then_some(safe)
    }
}

/// A worker, and when it was last heard of.
#[derive(Clone, Debug)]
pub struct Seen {
    /// What it said.
    pub presence: Presence,
    /// How long ago.
    pub ago: Duration,
}

impl Seen {
    /// Whether it was heard of a moment ago.
    pub(crate) fn is_there(&self) -> bool {
        self.ago < 3 * PULSE
    }
}

/// How often workers say that they are there.
pub(crate) const PULSE: Duration = Duration::from_secs(2);

/// For how long workers that have gone are listed.
const LISTED: Duration = Duration::from_secs(24 * 3600);

/// All workers that were heard of within a day.
pub fn roster(server: &Server) -> Result<Vec<Seen>, ClusterError> {
    let action = "list the workers";
    server.runtime.block_on(async {
        open(server).await?;
        let stream = server.context.get_stream(WORKERS_STREAM).await.map_err(failed(action))?;
        let count = stream.cached_info().state.messages as usize;
        let config = consumer::pull::Config {
            deliver_policy: DeliverPolicy::LastPerSubject,
            ack_policy: AckPolicy::None,
            filter_subject: worker_subject("*"),
            inactive_threshold: Duration::from_secs(5),
            ..Default::default()
        };
        let consumer = stream.create_consumer(config).await.map_err(failed(action))?;
        let mut messages = consumer.fetch().max_messages(count.max(1)).messages().await.map_err(failed(action))?;
        let mut seen = Vec::new();
        while let Some(Ok(message)) = messages.next().await {
            let Some(presence) = Presence::read(&message.payload) else { continue };
            let when = message.info().ok().map(|info| SystemTime::from(info.published));
            let ago = when.and_then(|when| SystemTime::now().duration_since(when).ok()).unwrap_or_default();
            seen.push(Seen { presence, ago });
        }
        seen.sort_by(|a, b| a.presence.name.cmp(&b.presence.name));
        Ok(seen)
    })
}

/// Makes the stream that remembers who is there, unless it exists.
pub(crate) async fn open(server: &Server) -> Result<(), ClusterError> {
    let config = stream::Config {
        name: WORKERS_STREAM.to_owned(),
        subjects: vec![worker_subject("*")],
        max_messages_per_subject: 1,
        max_age: LISTED,
        storage: StorageType::Memory,
        ..Default::default()
    };
    server.context.get_or_create_stream(config).await.map(drop).map_err(failed("list the workers"))
}

/// Says that a worker is there.
pub(crate) async fn tell(server: &Server, key: &Key, presence: &Presence) {
    if server.is_connected() {
        // Another pulse follows.
        let _ = server.client.publish(worker_subject(&presence.key), key.seal(&encode(presence)).into()).await;
    }
}
