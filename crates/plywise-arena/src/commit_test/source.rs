//! The source of an engine as a value: it can be built here, or sent to a worker.

use super::git;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use plywise_run::{JobError, Run, digest};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The files of an engine's source, sorted by their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceTree {
    files: Vec<SourceFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SourceFile {
    /// Below the root, with slashes.
    path: String,
    #[serde(default, skip_serializing_if = "is_false")]
    executable: bool,
    #[serde(flatten)]
    contents: Contents,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Contents {
    Text(String),
    Base64(String),
    /// A link, to a path from its own folder.
    Link(String),
}

/// No source is larger: it travels to workers in one piece.
const MOST_BYTES: usize = 256 << 20;

/// Folders that hold no source.
const LEFT_OUT: [&str; 3] = [".git", "target", super::workshop::KEPT];

impl SourceTree {
    /// The files of a folder. In a working copy of git these are the files that git knows or would add; elsewhere all but
    /// `target` and what plywise keeps. Unless git knows them, run directories are left out, and the file `output` that
    /// the command itself writes: the same command finds the same source.
    pub fn of_folder(folder: &Path, output: Option<&Path>) -> Result<SourceTree, JobError> {
        let mut tree = SourceTree::default();
        let output = output.and_then(|output| output.canonicalize().ok());
        tree.add_folder(folder, "", output.as_deref())?;
        tree.sorted()
    }

    /// All files below a folder that git wrote.
    pub(super) fn add_exported(&mut self, folder: &Path, prefix: &str) -> Result<(), JobError> {
        let mut paths = Vec::new();
        walk(folder, Path::new(""), &[], &mut paths).map_err(|error| unreadable(folder, &error))?;
        paths.into_iter().try_for_each(|path| self.add_file(folder, &path, prefix))
    }

    fn add_folder(&mut self, folder: &Path, prefix: &str, output: Option<&Path>) -> Result<(), JobError> {
        let is_written = |path: &Path| is_written(folder, path, output);
        let paths = match git::files_of_folder(folder, &is_written)? {
            Some(paths) => paths,
            None => {
                let mut paths = Vec::new();
                walk(folder, Path::new(""), &LEFT_OUT, &mut paths).map_err(|error| unreadable(folder, &error))?;
                paths.retain(|path| !is_written(path));
                paths
            }
        };
        for path in paths {
            if folder.join(&path).is_dir() && !folder.join(&path).is_symlink() {
                // A module of git within.
                self.add_folder(&folder.join(&path), &joined(prefix, &path), output)?;
            } else {
                self.add_file(folder, &path, prefix)?;
            }
        }
        Ok(())
    }

    fn add_file(&mut self, folder: &Path, path: &Path, prefix: &str) -> Result<(), JobError> {
        let place = folder.join(path);
        let failed = |error| unreadable(&place, &error);
        let about = match fs::symlink_metadata(&place) {
            // Git knows files that were deleted since.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            about => about.map_err(failed)?,
        };
        let contents = if about.is_symlink() {
            Contents::Link(fs::read_link(&place).map_err(failed)?.to_string_lossy().into_owned())
        } else if about.is_file() {
            if about.len() > MOST_BYTES as u64 {
                return Err(too_large());
            }
            match String::from_utf8(fs::read(&place).map_err(failed)?) {
                Ok(text) => Contents::Text(text),
                Err(binary) => Contents::Base64(STANDARD.encode(binary.as_bytes())),
            }
        } else {
            return Ok(());
        };
        self.files.push(SourceFile { path: joined(prefix, path), executable: is_executable(&about), contents });
        Ok(())
    }

    pub(super) fn sorted(mut self) -> Result<SourceTree, JobError> {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let length = |file: &SourceFile| match &file.contents {
            Contents::Text(text) | Contents::Base64(text) | Contents::Link(text) => text.len(),
        };
        match self.files.iter().map(length).sum::<usize>() {
            bytes if bytes > MOST_BYTES => Err(too_large()),
            _ => Ok(self),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts().find_map(|(found, text)| (found == path).then_some(text))
    }

    /// The paths and the texts of the files that hold text.
    pub(super) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|file| match &file.contents {
            Contents::Text(text) => Some((file.path.as_str(), text.as_str())),
            Contents::Base64(_) | Contents::Link(_) => None,
        })
    }

    /// The digest of all that is in it.
    pub fn digest(&self) -> String {
        digest(&serde_json::to_vec(self).unwrap_or_default())
    }

    /// Writes the files into a folder. What would lie outside it is refused.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let outside = |path: &str| io::Error::other(format!("'{path}' would lie outside the folder of the build"));
        let mut links = Vec::new();
        for SourceFile { path, executable, contents } in &self.files {
            let place = folder.join(inside(Path::new(path)).ok_or_else(|| outside(path))?);
            fs::create_dir_all(place.parent().unwrap_or(folder))?;
            let bytes = match contents {
                Contents::Link(target) => {
                    links.push((path, place, target));
                    continue;
                }
                Contents::Text(text) => text.clone().into_bytes(),
                Contents::Base64(text) => STANDARD.decode(text).map_err(io::Error::other)?,
            };
            fs::write(&place, bytes)?;
            if *executable {
                make_executable(&place)?;
            }
        }
        // Nothing is written through a link.
        for (path, place, target) in links {
            let leads_to = Path::new(path).parent().unwrap_or(Path::new("")).join(target);
            inside(&leads_to).ok_or_else(|| outside(target))?;
            link(target, &place)?;
        }
        Ok(())
    }
}

/// A path without `..`, if it stays below its beginning.
fn inside(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(part) => plain.push(part),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// Whether a command writes this file below a folder: it lies in a run directory, or it is the output.
fn is_written(folder: &Path, path: &Path, output: Option<&Path>) -> bool {
    let mut above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    let place = folder.join(path);
    above.any(|above| Run::is_at(&folder.join(above)))
        || output.is_some_and(|output| place.canonicalize().is_ok_and(|place| place == output))
}

fn walk(root: &Path, below: &Path, left_out: &[&str], paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if left_out.iter().any(|name| entry.file_name() == *name) {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => walk(root, &path, left_out, paths)?,
            false => paths.push(path),
        }
    }
    Ok(())
}

/// The path below the root of the source, with slashes.
fn joined(prefix: &str, path: &Path) -> String {
    let path: Vec<_> = path.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    match prefix {
        "" => path.join("/"),
        prefix => format!("{prefix}/{}", path.join("/")),
    }
}

fn too_large() -> JobError {
    JobError::Input(format!("the source of the engine is larger than {} MB", MOST_BYTES >> 20))
}

fn unreadable(path: &Path, error: &io::Error) -> JobError {
    JobError::Input(format!("cannot read '{}': {error}", path.display()))
}

#[cfg(unix)]
fn is_executable(about: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn link(target: &str, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

/// Without links the path is written down, as git does.
#[cfg(not(unix))]
fn link(target: &str, place: &Path) -> io::Result<()> {
    fs::write(place, target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(path: &str, contents: Contents) -> SourceFile {
        SourceFile { path: path.into(), executable: false, contents }
    }

    #[test]
    fn a_folder_survives_being_sent() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir_all(from.path().join("src/deep")).unwrap();
        fs::create_dir_all(from.path().join("target")).unwrap();
        fs::write(from.path().join("src/main.c"), "int main;").unwrap();
        fs::write(from.path().join("src/deep/net.bin"), [0xff, 0, 1]).unwrap();
        fs::write(from.path().join("target/old"), "old").unwrap();
        make_executable(&from.path().join("src/main.c")).unwrap();
        let tree = SourceTree::of_folder(from.path(), None).unwrap();
        let sent: SourceTree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
        assert_eq!(sent, tree);
        assert_eq!(sent.text("src/main.c"), Some("int main;"));
        sent.write(to.path()).unwrap();
        assert_eq!(fs::read(to.path().join("src/deep/net.bin")).unwrap(), [0xff, 0, 1]);
        assert!(!to.path().join("target").exists());
        assert_eq!(SourceTree::of_folder(to.path(), None).unwrap().digest(), tree.digest());
        fs::write(to.path().join("src/main.c"), "int main();").unwrap();
        assert_ne!(SourceTree::of_folder(to.path(), None).unwrap().digest(), tree.digest());
    }

    #[test]
    fn what_a_command_writes_is_no_source() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str| {
            let place = folder.path().join(path);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::write(place, path).unwrap();
        };
        let output = folder.path().join("tuned.toml");
        let paths = || -> Vec<String> {
            let tree = SourceTree::of_folder(folder.path(), Some(&output)).unwrap();
            tree.files.into_iter().map(|file| file.path).collect()
        };
        let source = ["data/run/known", "main.c", "run.json", "runs/notes"];
        let written = ["data/run/run.json", "runs/one/run.json", "runs/one/deep/journal.jsonl", "tuned.toml"];
        source.into_iter().for_each(write);
        assert_eq!(paths(), source);
        written.into_iter().for_each(write);
        assert_eq!(paths(), source[1..], "no git");
        let git = |words: &[&str]| {
            let output = std::process::Command::new("git").args(words).current_dir(&folder).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        };
        git(&["init", "-q"]);
        assert_eq!(paths(), source[1..], "what git would add");
        git(&["add", "data/run/known"]);
        assert_eq!(paths(), source, "what git knows is source wherever it lies");
        git(&["add", "tuned.toml"]);
        assert_eq!(paths().last().unwrap(), "tuned.toml");
    }

    #[test]
    fn nothing_is_written_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("in");
        fs::create_dir(&place).unwrap();
        for path in ["../out", "/tmp/plywise-out", "a/../../out"] {
            let tree = SourceTree { files: vec![text(path, Contents::Text("x".into()))] };
            assert!(tree.write(&place).unwrap_err().to_string().contains("outside"), "{path}");
        }
        for target in ["../out", "/etc/passwd", "../in/../../x"] {
            let tree = SourceTree { files: vec![text("link", Contents::Link(target.into()))] };
            assert!(tree.write(&place).is_err(), "{target}");
        }
        assert!(!folder.path().join("out").exists());
    }
}
