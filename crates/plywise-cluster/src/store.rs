//! Jobs on the server, each an object by its digest.

use crate::connection::{ClusterError, Server, failed};
use crate::wire::{JOBS_BUCKET, compress, decompress};
use async_nats::jetstream::object_store::{self, ObjectStore};
use plywise_run::digest;
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// The largest job.
const LARGEST: usize = 512 << 20;

/// A job that was not asked for during this time is dropped.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Where jobs are kept on the server.
pub(crate) async fn open(server: &Server) -> Result<ObjectStore, ClusterError> {
    if let Ok(store) = server.context.get_object_store(JOBS_BUCKET).await {
        return Ok(store);
    }
    let config = object_store::Config { bucket: JOBS_BUCKET.to_owned(), max_age: KEPT, ..Default::default() };
    server.context.create_object_store(config).await.map_err(failed("keep jobs on the server"))
}

/// Puts a job on the server, unless it is there, and gives its digest.
pub(crate) async fn put(server: &Server, job: &[u8]) -> Result<String, ClusterError> {
    let action = "keep a job on the server";
    if job.len() > LARGEST {
        return Err(failed(action)(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    let store = open(server).await?;
    let digest = digest(job);
    if store.info(&digest).await.is_err() {
        store.put(digest.as_str(), &mut compress(job).as_slice()).await.map_err(failed(action))?;
    }
    Ok(digest)
}

/// Fetches the job of this digest.
pub(crate) async fn get(server: &Server, wanted: &str) -> Result<Vec<u8>, ClusterError> {
    let action = "fetch the job of a run";
    let object = open(server).await?.get(wanted).await.map_err(failed(action))?;
    let mut packed = Vec::new();
    object.take(LARGEST as u64 + 1).read_to_end(&mut packed).await.map_err(failed(action))?;
    match decompress(&packed, LARGEST).filter(|job| digest(job) == wanted) {
        Some(job) => Ok(job),
        None => Err(failed(action)("it is not what was sent")),
    }
}
