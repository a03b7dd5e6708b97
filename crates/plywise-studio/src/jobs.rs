//! Work that the page begins: a match, a suite, a learner, each in a run directory of its own.

use crate::api::{Answer, Refusal};
use crate::{JOBS, Studio};
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use plywise_run::Run;
use plywise_run::files::write_whole;
use plywise_search::Signal;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Work that the page may begin. The commands know what there is and what it takes; the studio does not.
pub trait JobStarter: Send + Sync {
    /// The form of each job: its name, what it does, and its fields.
    fn forms(&self) -> Value;

    /// Reads a form that was filled in. Nothing has begun when it returns.
    ///
    /// # Errors
    ///
    /// One sentence if it is filled in wrongly, or asks for what the page must not begin.
    fn read(&self, job: &str, filled: &Pairs) -> Result<ReadyJob, String>;
}

/// The fields of a form and what they were filled in with.
pub type Pairs = [(String, String)];

/// A job that was read and checked. It is kept in a folder, and blocks until it is finished or stopped.
pub type ReadyJob = Box<dyn FnOnce(&FilePath, &Signal) -> Result<(), String> + Send>;

/// How long a job may take to make its run directory.
const LONGEST_BEGIN: Duration = Duration::from_secs(30);
/// How often its run directory is looked for.
const EVERY: Duration = Duration::from_millis(20);
/// The file of a run directory that holds the form, so that the run can go on after the studio was restarted.
const FORM: &str = "form.json";
/// The largest form.
const LARGEST_FORM: u64 = 64 << 10;
/// The field that names the run.
const NAME: &str = "name";
/// The longest name of a run.
const LONGEST_NAME: usize = 60;

/// The jobs that the page began.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<Vec<Begun>>);

struct Begun {
    /// Its run directory.
    path: PathBuf,
    stop: Signal,
    is_over: bool,
    /// Why it could not go on.
    failure: Option<String>,
}

/// What a page may do with a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handle {
    /// Whether it can be stopped from here.
    pub(crate) can_stop: bool,
    /// Whether it can go on from here.
    pub(crate) can_go_on: bool,
    /// Why it could not go on.
    pub(crate) failure: Option<String>,
}

impl Jobs {
    fn with<T>(&self, path: &FilePath, look: impl FnOnce(&mut Begun) -> T) -> Option<T> {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.iter_mut().find(|begun| begun.path == path).map(look)
    }

    /// What can be done with a run, which may have been begun elsewhere.
    pub(crate) fn handle(&self, path: &FilePath) -> Handle {
        let told = |begun: &mut Begun| Handle {
            can_stop: !begun.is_over && !begun.stop.is_stopped(),
            can_go_on: begun.is_over,
            failure: begun.failure.clone(),
        };
        let of_before = || Handle { can_go_on: form_of(path).is_some(), ..Handle::default() };
        self.with(path, told).unwrap_or_else(of_before)
    }

    fn begin(&self, path: &FilePath) -> Signal {
        let stop = Signal::new();
        let begun = Begun { path: path.into(), stop: stop.clone(), is_over: false, failure: None };
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.retain(|known| known.path != path);
        jobs.push(begun);
        stop
    }

    fn end(&self, path: &FilePath, failure: Option<String>) {
        self.with(path, |begun| {
            begun.is_over = true;
            begun.failure = failure;
        });
    }
}

/// A job and what its form was filled in with.
type Form = (String, Vec<(String, String)>);

/// The form that a run was begun with on the page, if it was.
fn form_of(path: &FilePath) -> Option<Form> {
    let path = path.join(FORM);
    let about = fs::symlink_metadata(&path).ok().filter(|about| about.is_file() && about.len() <= LARGEST_FORM)?;
    let text = fs::read(path).ok().filter(|text| text.len() as u64 <= about.len())?;
    serde_json::from_slice(&text).ok()
}

pub(crate) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/jobs", get(forms))
        .route("/api/jobs/{job}", post(start))
        .route("/api/runs/{run}/stop", post(stop))
        .route("/api/runs/{run}/go-on", post(go_on))
}

async fn forms(State(studio): State<Arc<Studio>>) -> axum::Json<Value> {
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let kept = studio.kept.as_ref().and_then(name);
    let forms = studio.starter.as_ref().map_or_else(|| json!([]), |starter| starter.forms());
    axum::Json(json!({"jobs": forms, "kept": kept}))
}

async fn start(
    State(studio): State<Arc<Studio>>,
    Path(job): Path<String>,
    Query(filled): Query<Vec<(String, String)>>,
) -> Answer {
    let (names, filled): (Vec<_>, Vec<_>) = filled.into_iter().partition(|(field, _)| field == NAME);
    let wanted = names.into_iter().next().map(|(_, name)| name).unwrap_or_default();
    let path = studio.run_folder().join(run_name(&wanted, &job, &studio.run_folder())?);
    begin(studio, path, job, filled).await
}

async fn go_on(State(studio): State<Arc<Studio>>, Path(run): Path<String>) -> Answer {
    let path = studio.runs.path(&run)?;
    let is_running = studio.jobs.with(&path, |begun| !begun.is_over).unwrap_or_default();
    let (job, filled) = form_of(&path).filter(|_| !is_running).ok_or_else(|| {
        Refusal::bad("only what was begun on this page and is not running goes on from here; the command that began a run resumes it")
    })?;
    begin(studio, path, job, filled).await
}

async fn stop(State(studio): State<Arc<Studio>>, Path(run): Path<String>) -> Answer {
    let path = studio.runs.path(&run)?;
    let stopped = studio.jobs.with(&path, |begun| begun.stop.stop());
    stopped.ok_or_else(|| Refusal::bad("this run was not begun here: interrupt the command that began it"))?;
    Ok(axum::Json(json!({})))
}

/// Begins a job, and answers with its run when that is there.
async fn begin(studio: Arc<Studio>, path: PathBuf, job: String, filled: Vec<(String, String)>) -> Answer {
    let busy = || Refusal {
        status: StatusCode::SERVICE_UNAVAILABLE,
        body: json!({"error": format!("{JOBS} jobs are running already: stop one first")}),
    };
    let permit = studio.running.clone().try_acquire_owned().map_err(|_| busy())?;
    let (inner, place) = (studio.clone(), path.clone());
    let read = tokio::task::spawn_blocking(move || {
        let starter = inner.starter.as_ref().ok_or("this studio begins no jobs")?;
        let ready = starter.read(&job, &filled)?;
        let form = serde_json::to_vec(&(&job, &filled)).map_err(|error| error.to_string())?;
        Ok::<_, String>((ready, form, inner.jobs.begin(&place)))
    });
    let (ready, form, signal) =
        read.await.map_err(|_| Refusal::bad("this could not be begun"))?.map_err(Refusal::bad)?;
    let (inner, place) = (studio.clone(), path.clone());
    let mut work = tokio::task::spawn_blocking(move || {
        let failure = ready(&place, &signal).err();
        inner.jobs.end(&place, failure.clone());
        drop(permit);
        failure
    });
    let appears = async {
        while !Run::is_at(&path) {
            tokio::time::sleep(EVERY).await;
        }
    };
    tokio::select! {
        () = appears => {}
        // It may be over before it was seen.
        ended = &mut work => {
            if let Some(sentence) = ended.map_err(|_| Refusal::bad("the job failed"))? {
                return Err(Refusal::bad(sentence));
            }
        }
        () = tokio::time::sleep(LONGEST_BEGIN) => return Err(Refusal::bad("the job takes long to begin: look at the list of runs")),
    }
    write_whole(&path.join(FORM), &form).map_err(Refusal::bad)?;
    let run = studio.runs.name_of(&path).ok_or_else(|| Refusal::bad("the job left no run directory"))?;
    Ok(axum::Json(json!({"run": run})))
}

/// The folder of a run: as it was named, or the job with the first free number.
fn run_name(wanted: &str, job: &str, folder: &FilePath) -> Result<String, Refusal> {
    let wanted = wanted.trim();
    let is_plain = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    if !wanted.chars().all(is_plain) || wanted.starts_with('.') || wanted.chars().count() > LONGEST_NAME {
        return Err(Refusal::bad(format!(
            "the name of a run has at most {LONGEST_NAME} letters, digits, spaces, dots, hyphens and underscores, and begins with no dot"
        )));
    }
    if wanted.is_empty() {
        let stem: String = job.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        let name = |number: u32| format!("{stem}-{number}");
        return Ok((1..).map(name).find(|name| !folder.join(name).exists()).unwrap_or_else(|| name(0)));
    }
    match folder.join(wanted).exists() {
        true => Err(Refusal::bad(format!("there is a run called '{wanted}' already: choose another name"))),
        false => Ok(wanted.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::run_name;

    #[test]
    fn runs_are_named_within_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("match-1")).unwrap();
        let name = |wanted: &str| run_name(wanted, "match", folder.path()).map_err(|refusal| refusal.body.to_string());
        assert_eq!(name("").unwrap(), "match-2");
        assert_eq!(name(" Best 1.0 ").unwrap(), "Best 1.0");
        assert!(name("match-1").unwrap_err().contains("already"));
        for bad in ["..", ".hidden", "a/b", "a\\b", "/tmp", "a\nb", &"a".repeat(61)] {
            assert!(name(bad).unwrap_err().contains("the name of a run"), "{bad}");
        }
    }
}
