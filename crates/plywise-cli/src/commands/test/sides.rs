//! Which two versions are tested, and what their author's file says.

use super::{Arguments, BUILDS};
use crate::progress::say;
use crate::{Failure, Result, files};
use plywise_arena::commit_test::{Candidate, EngineFile, FILE_NAME, KEPT, Recipe, Repository, SourceTree, Workshop};
use plywise_arena::engine::Engine;
use plywise_search::Signal;
use std::path::{Path, PathBuf};

/// An author's repository, with its file.
pub(super) struct Author {
    pub(super) file: EngineFile,
    path: PathBuf,
    repository: Option<Repository>,
}

/// The folder that a file lies in.
pub(super) fn folder_of(file: &Path) -> PathBuf {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.map_or_else(|| PathBuf::from("."), Path::to_owned)
}

/// The folder that keeps builds and tests, beside an author's file.
fn kept_beside(file: &Path) -> PathBuf {
    file.with_file_name(KEPT)
}

/// The engine of an author's file as its working copy is now, built beside the file, and its source. What the command
/// writes into `output` is no part of the source, unless that is the file itself.
pub(crate) fn working_copy(
    path: &Path,
    file: &EngineFile,
    output: &Path,
    stop: &Signal,
) -> Result<Option<(Engine, SourceTree)>> {
    let Some(recipe) = &file.engine else { return Ok(None) };
    let (folder, kept) = (folder_of(path), kept_beside(path));
    super::keep_from_git(&kept)?;
    let is_same = matches!((path.canonicalize(), output.canonicalize()), (Ok(file), Ok(output)) if file == output);
    let source = SourceTree::of_folder(&folder, (!is_same).then_some(output))?;
    let name = folder.canonicalize().ok().and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    let name = name.unwrap_or_else(|| recipe.run.clone());
    let begin = || say(&format!("building {name}"));
    let built = Workshop::new(kept.join(BUILDS)).build(&source, recipe, &name, stop, &begin)?;
    Ok(Some((built.engine(&file.fixed_options())?, source)))
}

impl Author {
    /// The file that the arguments name, otherwise that of this folder, otherwise that of the repository.
    pub(super) fn find(args: &Arguments) -> Result<Author> {
        let path = match &args.file {
            Some(path) => path.clone(),
            None => {
                let here = PathBuf::from(FILE_NAME);
                let root = Repository::around(Path::new("."))?.map(|repository| repository.root().join(FILE_NAME));
                let found = [Some(here), root].into_iter().flatten().find(|path| path.is_file());
                found.ok_or_else(|| {
                    Failure::input(format!("there is no {FILE_NAME} here; 'plywise test --init' writes one"))
                })?
            }
        };
        let file = EngineFile::read(&files::read_text(&path)?);
        let file = file.map_err(|error| Failure::input(format!("'{}': {error}", path.display())))?;
        let repository = Repository::around(&folder_of(&path))?;
        Ok(Author { file, path, repository })
    }

    /// Says what is wrong in the file.
    pub(super) fn wrong(&self, problem: impl std::fmt::Display) -> Failure {
        Failure::input(format!("'{}': {problem}", self.path.display()))
    }

    /// The folder that keeps builds and tests.
    pub(super) fn kept(&self, args: &Arguments) -> PathBuf {
        args.keep.clone().unwrap_or_else(|| kept_beside(&self.path))
    }

    /// A file of openings, which the author's file names from its own folder.
    pub(super) fn openings(&self, file: &str) -> String {
        match file {
            crate::commands::matches::openings::START => file.to_owned(),
            file => folder_of(&self.path).join(file).display().to_string(),
        }
    }

    /// The two versions.
    pub(super) fn sides(&self, new: &str, old: Option<&str>) -> Result<(Candidate, Candidate)> {
        let base = old.or(self.file.test.base.as_deref()).ok_or_else(|| {
            Failure::input(format!("name the version to test against, or write 'base' into {}", self.path.display()))
        })?;
        let (new, against) = (self.side(new)?, self.side(base)?);
        if old.is_none() && new.source == against.source {
            return Err(Failure::input(format!(
                "{} is the same as {}, against which it would be tested; name another version behind it",
                new.name, against.name
            )));
        }
        if new.recipe.game != against.recipe.game {
            let [one, other] = [&new.recipe.game, &against.recipe.game];
            return Err(Failure::input(format!("the two versions play different games: {one} and {other}")));
        }
        Ok((new, against))
    }

    fn side(&self, text: &str) -> Result<Candidate> {
        let is_path = [".", "..", "./", "../", "/"].iter().any(|start| match start.ends_with('/') {
            true => text.starts_with(start),
            false => text == *start,
        });
        let commit = match (&self.repository, is_path) {
            (Some(repository), false) => repository.commit(text)?.map(|commit| (repository, commit)),
            _ => None,
        };
        let Some((repository, commit)) = commit else {
            let folder = Path::new(text);
            if folder.is_dir() {
                return self.of_folder(text, folder);
            }
            return Err(match &self.repository {
                Some(repository) => {
                    let root = repository.root().display();
                    Failure::input(format!("'{text}' is no commit of the repository '{root}' and no folder"))
                }
                None => Failure::input(format!("'{text}' is no folder, and this is no git repository with commits")),
            });
        };
        let source = repository.source(&commit.hash)?;
        let place = self.place_in(repository)?;
        let name = match commit.hash.starts_with(text) {
            true => commit.short().to_owned(),
            false => format!("{text} {}", commit.short()),
        };
        let recipe = self.recipe(&source, &place, &name)?;
        let (subject, bench) = (commit.subject, commit.bench);
        Ok(Candidate { name, commit: Some(commit.hash), subject, bench, recipe, source })
    }

    fn of_folder(&self, text: &str, folder: &Path) -> Result<Candidate> {
        let source = SourceTree::of_folder(folder, None)?;
        if source.is_empty() {
            return Err(Failure::input(format!("the folder '{text}' has no files")));
        }
        let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let name = full.file_name().map_or_else(|| text.to_owned(), |name| name.to_string_lossy().into_owned());
        let name = format!("{name} {}", &source.digest()[..8]);
        let recipe = self.recipe(&source, "", &name)?;
        Ok(Candidate { name, commit: None, subject: String::new(), bench: None, recipe, source })
    }

    /// The folder of the file within its repository.
    fn place_in(&self, repository: &Repository) -> Result<String> {
        let unreadable = |error| files::unreadable(&self.path, error);
        let folder = folder_of(&self.path).canonicalize().map_err(unreadable)?;
        let root = repository.root().canonicalize().map_err(unreadable)?;
        let below = folder.strip_prefix(&root).unwrap_or(Path::new(""));
        Ok(below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
    }

    /// How a version is built: as its own file says, or the author's file where it has none.
    fn recipe(&self, source: &SourceTree, place: &str, name: &str) -> Result<Recipe> {
        let below = |file: &str| if place.is_empty() { file.to_owned() } else { format!("{place}/{file}") };
        let own = source.text(&below(FILE_NAME)).map(EngineFile::read).transpose();
        let own = own.map_err(|error| Failure::input(format!("{FILE_NAME} of {name}: {error}")))?;
        let recipe = own.and_then(|file| file.engine).or_else(|| self.file.engine.clone());
        let recipe = recipe.ok_or_else(|| self.wrong("[engine] is missing, which says how to build and to run"))?;
        let folder = if recipe.folder.is_empty() { place.to_owned() } else { below(&recipe.folder) };
        Ok(Recipe { folder, ..recipe })
    }
}
