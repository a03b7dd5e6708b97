//! How far a long command has come: a bar on a terminal, a plain line now and then elsewhere, nothing where another
//! program shows it.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Counts finished units of work on standard error.
pub struct Meter {
    kind: Kind,
    total: u64,
    done: u64,
    what: &'static str,
}

enum Kind {
    Bar(ProgressBar),
    Lines { begun: Instant, last: Instant, news: Option<String> },
    Nothing,
}

/// Whether standard error has no reader.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Whether progress is shown on the standard error of this process; a program may show it in its own way.
pub fn show_progress(shown: bool) {
    QUIET.store(!shown, Relaxed);
}

/// Tells a line of progress on standard error.
pub fn say(line: &str) {
    if !QUIET.load(Relaxed) {
        // A lost reader of the progress is no reason to stop the work.
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// Plain lines come no closer together than this.
const PAUSE: Duration = Duration::from_secs(10);

impl Meter {
    /// A meter for `total` units, which people call `what`.
    pub fn new(total: u64, what: &'static str) -> Meter {
        let kind = if QUIET.load(Relaxed) {
            Kind::Nothing
        } else if io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{bar:32} {pos}/{len} {msg}, {elapsed} gone, {eta} to go");
            let bar = ProgressBar::new(total).with_message(what);
            Kind::Bar(style.map_or(bar.clone(), |style| bar.with_style(style)))
        } else {
            Kind::Lines { begun: Instant::now(), last: Instant::now(), news: None }
        };
        Meter { kind, total, done: 0, what }
    }

    /// One more unit is done.
    pub fn advance(&mut self) {
        self.done += 1;
        match &mut self.kind {
            Kind::Bar(bar) => bar.inc(1),
            Kind::Lines { begun, last, news } if last.elapsed() >= PAUSE => {
                *last = Instant::now();
                let left = begun.elapsed().mul_f64((self.total - self.done) as f64 / self.done as f64);
                let (gone, to_go) = (begun.elapsed().as_secs(), left.as_secs());
                say(&format!("{}/{} {}, {gone} s gone, {to_go} s to go", self.done, self.total, self.what));
                if let Some(news) = news.take() {
                    say(&news);
                }
            }
            Kind::Lines { .. } | Kind::Nothing => {}
        }
    }

    /// Shows a line of news: above the bar, or where there is none, as often as progress is shown.
    pub fn tell(&mut self, line: &str) {
        match &mut self.kind {
            Kind::Bar(bar) => bar.println(line),
            Kind::Lines { news, .. } => *news = Some(line.to_owned()),
            Kind::Nothing => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Kind::Bar(bar) = self.kind {
            bar.finish_and_clear();
        }
    }
}

/// A meter for a job, which reports from its threads.
#[derive(Default)]
pub struct JobMeter(Mutex<Option<Meter>>);

impl JobMeter {
    /// The next part of the work begins: `total` units, which people call `what`.
    pub fn begin(&self, total: u64, what: &'static str) {
        if let Some(before) = self.lock().replace(Meter::new(total, what)) {
            before.finish();
        }
    }

    /// One more unit is done.
    pub fn advance(&self) {
        if let Some(meter) = &mut *self.lock() {
            meter.advance();
        }
    }

    /// Shows a line of news.
    pub fn tell(&self, line: &str) {
        if let Some(meter) = &mut *self.lock() {
            meter.tell(line);
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(meter) = self.lock().take() {
            meter.finish();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Meter>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
