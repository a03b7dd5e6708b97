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
use tokio::sync::OwnedSemaphorePermit;

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

/// Why a job that panicked could not go on.
const FAILED: &str = "the job failed";

/// The jobs that the page began, at most one for each run directory.
#[derive(Clone, Default)]
pub(crate) struct Jobs(Arc<Mutex<Vec<Begun>>>);

struct Begun {
    /// Its run directory.
    path: PathBuf,
    stop: Signal,
    is_over: bool,
    /// Why it could not go on.
    failure: Option<String>,
}

/// A job that is running. It is over when this is dropped, by a panic too.
struct Running {
    jobs: Jobs,
    path: PathBuf,
    stop: Signal,
    /// Why it could not go on.
    failure: Option<String>,
}

impl Drop for Running {
    fn drop(&mut self) {
        let failure = self.failure.take();
        self.jobs.with(&self.path, |begun| {
            begun.is_over = true;
            begun.failure = failure;
        });
    }
}

/// Whether a job begins a run or goes on with one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    New,
    GoesOn,
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

    /// Enters a job, unless one is running there or there is something where a new run would be.
    fn begin(&self, path: &FilePath, beginning: Beginning) -> Option<Running> {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_running = jobs.iter().any(|known| known.path == path && !known.is_over);
        if is_running || (beginning == Beginning::New && path.exists()) {
            return None;
        }
        let stop = Signal::new();
        jobs.retain(|known| known.path != path);
        jobs.push(Begun { path: path.into(), stop: stop.clone(), is_over: false, failure: None });
        Some(Running { jobs: self.clone(), path: path.into(), stop, failure: Some(FAILED.into()) })
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
    let (mut names, folder) = (run_names(&wanted, &job)?, studio.run_folder());
    let enter = move |jobs: &Jobs| {
        let begun = names.find_map(|name| jobs.begin(&folder.join(name), Beginning::New));
        begun.ok_or_else(|| {
            Refusal::bad(format!("there is a run called '{}' already: choose another name", wanted.trim()))
        })
    };
    begin(studio, job, filled, enter).await
}

async fn go_on(State(studio): State<Arc<Studio>>, Path(run): Path<String>) -> Answer {
    let path = studio.runs.path(&run)?;
    let refusal = || {
        Refusal::bad(
            "only what was begun on this page and is not running goes on from here; the command that began a run resumes it",
        )
    };
    let (job, filled) = form_of(&path).ok_or_else(refusal)?;
    begin(studio, job, filled, move |jobs| jobs.begin(&path, Beginning::GoesOn).ok_or_else(refusal)).await
}

async fn stop(State(studio): State<Arc<Studio>>, Path(run): Path<String>) -> Answer {
    let path = studio.runs.path(&run)?;
    let stopped = studio.jobs.with(&path, |begun| begun.stop.stop());
    stopped.ok_or_else(|| Refusal::bad("this run was not begun here: interrupt the command that began it"))?;
    Ok(axum::Json(json!({})))
}

/// Begins a job that `enter` enters, and answers with its run when that is there.
async fn begin(
    studio: Arc<Studio>,
    job: String,
    filled: Vec<(String, String)>,
    enter: impl FnOnce(&Jobs) -> Result<Running, Refusal> + Send + 'static,
) -> Answer {
    let busy = || Refusal {
        status: StatusCode::SERVICE_UNAVAILABLE,
        body: json!({"error": format!("{JOBS} jobs are running already: stop one first")}),
    };
    let permit = studio.running.clone().try_acquire_owned().map_err(|_| busy())?;
    // A request that is given up leaves the whole beginning behind.
    let begun = tokio::spawn(begin_whole(studio, permit, job, filled, enter));
    match tokio::time::timeout(LONGEST_BEGIN, begun).await {
        Ok(answer) => answer.map_err(|_| Refusal::bad(FAILED))?,
        Err(_) => Err(Refusal::bad("the job takes long to begin: look at the list of runs")),
    }
}

/// Reads and enters a job, begins it, and puts its form into its run directory when that is there.
async fn begin_whole(
    studio: Arc<Studio>,
    permit: OwnedSemaphorePermit,
    job: String,
    filled: Vec<(String, String)>,
    enter: impl FnOnce(&Jobs) -> Result<Running, Refusal> + Send + 'static,
) -> Answer {
    let inner = studio.clone();
    let read = tokio::task::spawn_blocking(move || {
        let starter = inner.starter.as_ref().ok_or_else(|| Refusal::bad("this studio begins no jobs"))?;
        let ready = starter.read(&job, &filled).map_err(Refusal::bad)?;
        let form = serde_json::to_vec(&(&job, &filled)).map_err(Refusal::bad)?;
        Ok::<_, Refusal>((ready, form, enter(&inner.jobs)?))
    });
    let (ready, form, mut running) = read.await.map_err(|_| Refusal::bad("this could not be begun"))??;
    let path = running.path.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        let failure = ready(&running.path, &running.stop).err();
        running.failure.clone_from(&failure);
        // What is over may go on at once, so its place is free before.
        drop(permit);
        drop(running);
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
            if let Some(sentence) = ended.map_err(|_| Refusal::bad(FAILED))? {
                return Err(Refusal::bad(sentence));
            }
        }
    }
    write_whole(&path.join(FORM), &form).map_err(Refusal::bad)?;
    let run = studio.runs.name_of(&path).ok_or_else(|| Refusal::bad("the job left no run directory"))?;
    Ok(axum::Json(json!({"run": run})))
}

/// What a run may be called: as it was named, or the job with a number.
fn run_names(wanted: &str, job: &str) -> Result<Box<dyn Iterator<Item = String> + Send>, Refusal> {
    let wanted = wanted.trim();
    let is_plain = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    if !wanted.chars().all(is_plain) || wanted.starts_with('.') || wanted.chars().count() > LONGEST_NAME {
        return Err(Refusal::bad(format!(
            "the name of a run has at most {LONGEST_NAME} letters, digits, spaces, dots, hyphens and underscores, and begins with no dot"
        )));
    }
    if wanted.is_empty() {
        let stem: String = job.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        return Ok(Box::new((1..=u32::MAX).map(move |number| format!("{stem}-{number}"))));
    }
    Ok(Box::new(std::iter::once(wanted.to_string())))
}

#[cfg(test)]
mod tests {
    use super::{Beginning, Handle, Jobs, run_names};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn runs_are_named_within_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("match-1")).unwrap();
        let jobs = Jobs::default();
        let begin = |wanted: &str| {
            let mut names = run_names(wanted, "match").map_err(|refusal| refusal.body.to_string())?;
            Ok::<_, String>(names.find_map(|name| jobs.begin(&folder.path().join(name), Beginning::New)))
        };
        let name = |running: &super::Running| running.path.file_name().unwrap().to_str().unwrap().to_string();
        let second = begin("").unwrap().unwrap();
        assert_eq!(name(&second), "match-2");
        // Its directory is not there yet, but the name is taken.
        assert_eq!(name(&begin("").unwrap().unwrap()), "match-3");
        assert!(begin("match-2").unwrap().is_none());
        assert_eq!(name(&begin(" Best 1.0 ").unwrap().unwrap()), "Best 1.0");
        assert!(begin("match-1").unwrap().is_none());
        for bad in ["..", ".hidden", "a/b", "a\\b", "/tmp", "a\nb", &"a".repeat(61)] {
            assert!(begin(bad).err().unwrap().contains("the name of a run"), "{bad}");
        }
    }

    #[test]
    fn one_job_runs_in_a_directory_until_it_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let (jobs, path) = (Jobs::default(), folder.path());
        assert!(jobs.begin(path, Beginning::New).is_none(), "there is something already");
        let mut running = jobs.begin(path, Beginning::GoesOn).unwrap();
        assert!(jobs.begin(path, Beginning::GoesOn).is_none());
        assert_eq!(jobs.handle(path), Handle { can_stop: true, ..Handle::default() }, "the first is untouched");
        jobs.with(path, |begun| begun.stop.stop());
        assert!(running.stop.is_stopped());
        running.failure = None;
        drop(running);
        assert_eq!(jobs.handle(path), Handle { can_go_on: true, ..Handle::default() });

        let mut again = jobs.begin(path, Beginning::GoesOn).unwrap();
        assert!(!again.stop.is_stopped());
        again.failure = Some("the disk is full".into());
        drop(again);
        assert_eq!(jobs.handle(path).failure.as_deref(), Some("the disk is full"));
    }

    #[test]
    fn a_job_that_panics_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let (jobs, path) = (Jobs::default(), folder.path());
        let running = jobs.begin(path, Beginning::GoesOn).unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(move || {
            let _running = running;
            panic!("by intent");
        }));
        assert!(panicked.is_err());
        let over = Handle { can_stop: false, can_go_on: true, failure: Some("the job failed".into()) };
        assert_eq!(jobs.handle(path), over);
        assert!(jobs.begin(path, Beginning::GoesOn).is_some());
    }
}
