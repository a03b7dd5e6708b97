//! The files of a command, packed for another machine.

use crate::connection::{ClusterError, Server, failed};
use crate::wire::FILES_BUCKET;
use async_nats::jetstream::object_store::{self, ObjectStore};
use plywise_arena::run::digest;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// A file that a command reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parcel {
    /// Its name, without folders.
    pub name: String,
    /// The digest of what it holds, by which it is kept.
    pub digest: String,
}

/// The largest file that travels.
const LARGEST: u64 = 512 << 20;

/// Files nobody has asked for so long are dropped.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// The files of a command, packed.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub parcels: Vec<Parcel>,
    /// What each parcel holds.
    contents: Vec<Vec<u8>>,
}

impl Packed {
    /// Packs these files, in this order.
    pub(crate) fn new(files: &[PathBuf]) -> Result<Packed, ClusterError> {
        let mut packed = Packed::default();
        for path in files {
            let contents = read(path)?;
            let name = path.file_name().map_or("file".into(), |name| name.to_string_lossy()).into_owned();
            packed.parcels.push(Parcel { name, digest: digest(&contents) });
            packed.contents.push(contents);
        }
        Ok(packed)
    }
}

/// What a file holds that is to be sent.
fn read(path: &Path) -> Result<Vec<u8>, ClusterError> {
    let refuse = |reason: String| failed("send a file")(format!("'{}': {reason}", path.display()));
    let about = std::fs::metadata(path).map_err(|error| refuse(error.to_string()))?;
    if !about.is_file() {
        return Err(refuse("it is not a regular file".to_owned()));
    }
    if about.len() > LARGEST {
        return Err(refuse(format!("it is larger than {} MB", LARGEST >> 20)));
    }
    std::fs::read(path).map_err(|error| refuse(error.to_string()))
}

/// Where files are kept on the server.
pub(crate) async fn open_store(server: &Server) -> Result<ObjectStore, ClusterError> {
    if let Ok(store) = server.context.get_object_store(FILES_BUCKET).await {
        return Ok(store);
    }
    let config = object_store::Config { bucket: FILES_BUCKET.to_owned(), max_age: KEPT, ..Default::default() };
    server.context.create_object_store(config).await.map_err(failed("keep files on the server"))
}

/// Puts the files on the server that are not there yet.
pub(crate) async fn send(server: &Server, packed: &Packed) -> Result<(), ClusterError> {
    if packed.parcels.is_empty() {
        return Ok(());
    }
    let store = open_store(server).await?;
    for (parcel, contents) in packed.parcels.iter().zip(&packed.contents) {
        if store.info(&parcel.digest).await.is_err() {
            let put = store.put(parcel.digest.as_str(), &mut contents.as_slice()).await;
            put.map_err(failed("keep files on the server"))?;
        }
    }
    Ok(())
}

/// Fetches the files of a command into a folder, and gives their places in the same order.
pub(crate) async fn fetch(server: &Server, parcels: &[Parcel], folder: &Path) -> Result<Vec<PathBuf>, ClusterError> {
    let mut places = Vec::new();
    for (number, parcel) in parcels.iter().enumerate() {
        let place = place(folder, number, parcel)?;
        let contents = get(server, &parcel.digest).await?;
        let written = place.parent().map_or(Ok(()), std::fs::create_dir_all);
        written.and_then(|()| std::fs::write(&place, contents)).map_err(failed("write a file of the run"))?;
        places.push(place);
    }
    Ok(places)
}

/// Where a file goes: in a folder of its own, by its own name.
fn place(folder: &Path, number: usize, parcel: &Parcel) -> Result<PathBuf, ClusterError> {
    let name = Path::new(&parcel.name);
    match name.components().collect::<Vec<_>>()[..] {
        [Component::Normal(name)] => Ok(folder.join(number.to_string()).join(name)),
        _ => Err(failed("read what a coordinator says")("its files make no sense")),
    }
}

async fn get(server: &Server, wanted: &str) -> Result<Vec<u8>, ClusterError> {
    let action = "fetch a file of the run";
    let store = open_store(server).await?;
    let object = store.get(wanted).await.map_err(failed(action))?;
    let mut contents = Vec::new();
    object.take(LARGEST + 1).read_to_end(&mut contents).await.map_err(failed(action))?;
    match digest(&contents) == wanted {
        true => Ok(contents),
        false => Err(ClusterError::Failed { action, reason: "it is not what was sent".to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_packed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.net");
        std::fs::write(&file, "weights").unwrap();
        let packed = Packed::new(&[file.clone(), file.clone()]).unwrap();
        assert_eq!(packed.parcels.len(), 2);
        assert_eq!((packed.parcels[0].name.as_str(), &packed.parcels[0]), ("a.net", &packed.parcels[1]));
        for path in [folder.path().to_owned(), folder.path().join("none")] {
            let error = Packed::new(std::slice::from_ref(&path)).unwrap_err().to_string();
            assert!(error.contains(path.to_str().unwrap()), "{error}");
        }
    }

    #[test]
    fn no_file_leaves_its_folder() {
        for name in ["../x", "/etc/passwd", "", "a/b", ".."] {
            let parcel = Parcel { name: name.to_owned(), digest: String::new() };
            assert!(place(Path::new("/there"), 0, &parcel).is_err(), "{name}");
        }
    }
}
