//! A command and the files that it reads, packed for another machine.

use crate::connection::{ClusterError, Server, failed};
use crate::wire::FILES_BUCKET;
use async_nats::jetstream::object_store::{self, ObjectStore};
use plywise_arena::run::digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tokio::io::AsyncReadExt;

/// A part of a word of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// It stands for itself.
    Text(String),
    /// It names a file, which is the parcel of this number.
    File(usize),
}

/// A file that a command reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parcel {
    /// Its name, without folders.
    pub name: String,
    /// The digest of what it holds, by which it is kept.
    pub digest: String,
    /// Files that it names itself: the text, and the number of the parcel.
    pub names: Vec<(String, usize)>,
}

/// The largest file that travels.
const LARGEST: u64 = 512 << 20;

/// Files nobody has asked for so long are dropped.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// A command, packed.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    pub words: Vec<Vec<Piece>>,
    pub parcels: Vec<Parcel>,
    /// What each parcel holds.
    pub contents: Vec<Vec<u8>>,
    known: BTreeMap<PathBuf, usize>,
    /// What the command writes, and that need not travel.
    written: Vec<PathBuf>,
}

impl Packed {
    /// Packs the words of a command with the files that they name.
    pub(crate) fn new(words: &[String], written: &[PathBuf]) -> Result<Packed, ClusterError> {
        let mut packed = Packed { written: written.to_vec(), ..Packed::default() };
        for word in words {
            let pieces = packed.pieces(word)?;
            packed.words.push(pieces);
        }
        Ok(packed)
    }

    /// A word whose parts between commas, or behind an equals sign within these, may name files.
    fn pieces(&mut self, word: &str) -> Result<Vec<Piece>, ClusterError> {
        if let Some(number) = self.file(word)? {
            return Ok(vec![Piece::File(number)]);
        }
        let mut pieces = Vec::new();
        let mut text = String::new();
        for (i, part) in word.split(',').enumerate() {
            if i > 0 {
                text.push(',');
            }
            let value = part.find('=').map_or(0, |place| place + 1);
            let whole = self.file(part)?;
            let (before, number) = match whole {
                Some(number) => ("", Some(number)),
                None if value > 0 => (&part[..value], self.file(&part[value..])?),
                None => ("", None),
            };
            match number {
                Some(number) => {
                    text.push_str(before);
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                    pieces.push(Piece::File(number));
                }
                None => text.push_str(part),
            }
        }
        pieces.push(Piece::Text(text));
        pieces.retain(|piece| *piece != Piece::Text(String::new()));
        Ok(pieces)
    }

    /// The parcel of a file, if the text names one.
    fn file(&mut self, text: &str) -> Result<Option<usize>, ClusterError> {
        let path = Path::new(text);
        let Ok(about) = std::fs::metadata(path) else { return Ok(None) };
        if text.is_empty() || !about.is_file() || self.written.iter().any(|written| written == path) {
            return Ok(None);
        }
        if let Some(&number) = self.known.get(path) {
            return Ok(Some(number));
        }
        if about.len() > LARGEST {
            let reason = format!("'{text}' is larger than {} MB", LARGEST >> 20);
            return Err(ClusterError::Failed { action: "send a file", reason });
        }
        let contents = std::fs::read(path).map_err(|error| failed("send a file")(format!("'{text}': {error}")))?;
        let names = self.named_within(text, &contents)?;
        let name = path.file_name().map_or("file".into(), |name| name.to_string_lossy()).into_owned();
        self.parcels.push(Parcel { name, digest: digest(&contents), names });
        self.contents.push(contents);
        self.known.insert(path.to_owned(), self.parcels.len() - 1);
        Ok(Some(self.parcels.len() - 1))
    }

    /// The files that a profile names, such as its network.
    fn named_within(&mut self, file: &str, contents: &[u8]) -> Result<Vec<(String, usize)>, ClusterError> {
        let Some(profile) = std::str::from_utf8(contents).ok().filter(|_| file.ends_with(".toml")) else {
            return Ok(Vec::new());
        };
        let mut names = Vec::new();
        for line in profile.lines() {
            let value = line.split_once('=').and_then(|(_, value)| value.trim().parse::<toml::Value>().ok());
            if let Some(text) = value.as_ref().and_then(toml::Value::as_str)
                && text != file
                && let Some(number) = self.file(text)?
            {
                names.push((text.to_owned(), number));
            }
        }
        Ok(names)
    }
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

/// Fetches the files of a command into a folder, and gives the command with their places.
pub(crate) async fn fetch(
    server: &Server,
    words: &[Vec<Piece>],
    parcels: &[Parcel],
    folder: &Path,
) -> Result<Vec<String>, ClusterError> {
    let mut places = Vec::new();
    for (number, parcel) in parcels.iter().enumerate() {
        let place = place(folder, number, parcel)?;
        let mut contents = get(server, &parcel.digest).await?;
        if !parcel.names.is_empty() {
            contents = rename(contents, parcel, &places)?;
        }
        let written = place.parent().map_or(Ok(()), std::fs::create_dir_all);
        written.and_then(|()| std::fs::write(&place, contents)).map_err(failed("write a file of the run"))?;
        places.push(place.to_string_lossy().into_owned());
    }
    words.iter().map(|word| joined(word, &places)).collect()
}

/// Where a file goes: in a folder of its own, by its own name.
fn place(folder: &Path, number: usize, parcel: &Parcel) -> Result<PathBuf, ClusterError> {
    let name = Path::new(&parcel.name);
    match name.components().collect::<Vec<_>>()[..] {
        [Component::Normal(name)] => Ok(folder.join(number.to_string()).join(name)),
        _ => Err(unsound()),
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

/// A profile that names files where they are now.
fn rename(contents: Vec<u8>, parcel: &Parcel, places: &[String]) -> Result<Vec<u8>, ClusterError> {
    let mut text = String::from_utf8(contents).map_err(|_| unsound())?;
    for (name, number) in &parcel.names {
        // What a file names was packed before it.
        let place = places.get(*number).ok_or_else(unsound)?;
        let quoted = toml::Value::from(place.as_str()).to_string();
        text = text.replace(&format!("\"{name}\""), &quoted).replace(&format!("'{name}'"), &quoted);
    }
    Ok(text.into_bytes())
}

fn joined(word: &[Piece], places: &[String]) -> Result<String, ClusterError> {
    let text = |piece: &Piece| match piece {
        Piece::Text(text) => Ok(text.clone()),
        Piece::File(number) => places.get(*number).cloned().ok_or_else(unsound),
    };
    word.iter().map(text).collect()
}

fn unsound() -> ClusterError {
    ClusterError::Failed { action: "read what a coordinator says", reason: "its files make no sense".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_in_words_and_in_profiles() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name).to_str().unwrap().to_owned();
            std::fs::write(&path, text).unwrap();
            path
        };
        let network = write("a.net", "weights");
        let profile = write("mine.toml", &format!("[game.loa.evaluation]\nnetwork = \"{network}\"\n"));
        let words = ["match".to_owned(), format!("name=x,table={network},{profile}"), "best,brute".to_owned()];
        let packed = Packed::new(&words, &[]).unwrap();
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(packed.words[0], [text("match")]);
        assert_eq!(packed.words[1], [text("name=x,table="), Piece::File(0), text(","), Piece::File(1)]);
        assert_eq!(packed.words[2], [text("best,brute")]);
        assert_eq!(packed.parcels[1].names, [(network.clone(), 0)]);
        let places = ["/there/0/a.net".to_owned(), "/there/1/mine.toml".to_owned()];
        assert_eq!(joined(&packed.words[1], &places).unwrap(), "name=x,table=/there/0/a.net,/there/1/mine.toml");
        let renamed = rename(packed.contents[1].clone(), &packed.parcels[1], &places).unwrap();
        assert!(String::from_utf8(renamed).unwrap().contains("network = \"/there/0/a.net\""));
    }

    #[test]
    fn no_file_leaves_its_folder() {
        for name in ["../x", "/etc/passwd", "", "a/b", ".."] {
            let parcel = Parcel { name: name.to_owned(), digest: String::new(), names: Vec::new() };
            assert!(place(Path::new("/there"), 0, &parcel).is_err(), "{name}");
        }
        assert!(joined(&[Piece::File(3)], &[]).is_err());
    }
}
