//! Commits of a repository, by the program `git`.

use super::bench::bench_of_message;
use super::source::SourceTree;
use plywise_run::JobError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A working copy of a git repository.
#[derive(Clone, Debug)]
pub struct Repository {
    root: PathBuf,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its name.
    pub hash: String,
    /// The first line of its message.
    pub subject: String,
    /// The signature that its message names.
    pub bench: Option<u64>,
}

impl Commit {
    /// As much of its name as people read.
    pub fn short(&self) -> &str {
        self.hash.get(..8).unwrap_or(&self.hash)
    }
}

/// A link in a tree to a commit of another repository.
const MODULE: &str = "160000";

impl Repository {
    /// The working copy that a folder lies in, if it does.
    pub fn around(folder: &Path) -> Result<Option<Repository>, JobError> {
        let root = git(folder, ["rev-parse", "--show-toplevel"], &[])?;
        Ok(root.ok().map(|root| Repository { root: root.trim_end().into() }))
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The branch that is checked out.
    pub fn branch(&self) -> Result<Option<String>, JobError> {
        let branch = git(&self.root, ["symbolic-ref", "--quiet", "--short", "HEAD"], &[])?;
        Ok(branch.ok().map(|branch| branch.trim().to_owned()))
    }

    /// The commit of this name: a branch, a tag, a hash, or whatever git understands.
    pub fn commit(&self, name: &str) -> Result<Option<Commit>, JobError> {
        let name = format!("{name}^{{commit}}");
        let Ok(hash) = git(&self.root, ["rev-parse", "--verify", "--quiet", "--end-of-options", &name], &[])? else {
            return Ok(None);
        };
        let hash = hash.trim().to_owned();
        let message = self.ask(["log", "-1", "--format=%B", &hash])?;
        let subject = message.lines().next().unwrap_or_default().trim().to_owned();
        Ok(Some(Commit { hash, subject, bench: bench_of_message(&message) }))
    }

    /// The source of a commit, with its modules as far as they are checked out. The working copy is not touched.
    pub fn source(&self, commit: &str) -> Result<SourceTree, JobError> {
        let mut tree = SourceTree::default();
        self.add(commit, "", &mut tree)?;
        tree.sorted()
    }

    fn add(&self, commit: &str, prefix: &str, tree: &mut SourceTree) -> Result<(), JobError> {
        let failed = |error| JobError::Failed(format!("cannot write the files of a commit: {error}"));
        let folder = tempfile::Builder::new().prefix("plywise-source-").tempdir().map_err(failed)?;
        let (index, files) = (folder.path().join("index"), folder.path().join("files"));
        std::fs::create_dir(&files).map_err(failed)?;
        let index = [("GIT_INDEX_FILE", index.as_os_str())];
        self.must(["read-tree", commit], &index)?;
        // The slash says that it is a folder.
        let place = format!("--prefix={}/", files.display());
        self.must(["checkout-index", "--all", "--force", &place], &index)?;
        tree.add_exported(&files, prefix)?;
        let listed = self.ask(["ls-tree", "-r", "-z", "--full-tree", commit])?;
        for entry in listed.split('\0').filter(|entry| entry.starts_with(MODULE)) {
            let Some((about, path)) = entry.split_once('\t') else { continue };
            let hash = about.rsplit(' ').next().unwrap_or_default();
            let module = Repository { root: self.root.join(path) };
            let is_there = module.root.join(".git").exists() && module.commit(hash)?.is_some();
            if !is_there {
                return Err(JobError::Input(format!(
                    "the module '{path}' of commit {commit} is not checked out; 'git submodule update --init' fetches it"
                )));
            }
            let prefix = if prefix.is_empty() { path.to_owned() } else { format!("{prefix}/{path}") };
            module.add(hash, &prefix, tree)?;
        }
        Ok(())
    }

    fn ask<const N: usize>(&self, words: [&str; N]) -> Result<String, JobError> {
        self.must(words, &[])
    }

    fn must<const N: usize>(&self, words: [&str; N], variables: &[(&str, &OsStr)]) -> Result<String, JobError> {
        git(&self.root, words, variables)?.map_err(|problem| JobError::Failed(format!("git {}: {problem}", words[0])))
    }
}

/// The files of a folder that git knows, and those that it would add except what `leave_out` names, from that folder;
/// nothing if the folder is in no working copy.
pub(super) fn files_of_folder(
    folder: &Path,
    leave_out: &dyn Fn(&Path) -> bool,
) -> Result<Option<Vec<PathBuf>>, JobError> {
    let Ok(Ok(known)) = git(folder, ["ls-files", "-z", "--cached"], &[]) else { return Ok(None) };
    let Ok(Ok(others)) = git(folder, ["ls-files", "-z", "--others", "--exclude-standard"], &[]) else {
        return Ok(None);
    };
    let paths = |listed: &str| -> Vec<PathBuf> {
        listed.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from).collect()
    };
    let mut found = paths(&known);
    found.dedup();
    found.extend(paths(&others).into_iter().filter(|path| !leave_out(path)));
    Ok(Some(found))
}

/// What git answers, or what it says is wrong.
fn git<const N: usize>(
    folder: &Path,
    words: [&str; N],
    variables: &[(&str, &OsStr)],
) -> Result<Result<String, String>, JobError> {
    let mut command = Command::new("git");
    command.args(words).current_dir(folder).stdin(Stdio::null());
    // A hook of git runs us with these, and they name another place.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    let output = command.output().map_err(|error| JobError::Input(format!("git cannot be started: {error}")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr).trim().to_owned()),
    })
}
