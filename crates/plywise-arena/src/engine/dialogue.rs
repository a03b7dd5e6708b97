//! What is said between an engine and us, in a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A file that two threads write a dialogue to, or nothing.
#[derive(Clone, Default)]
pub(super) struct Dialogue(Option<Arc<Mutex<Open>>>);

struct Open {
    file: File,
    begun: Instant,
    bytes: usize,
}

/// An engine that floods its output fills no disk.
const MOST_BYTES: usize = 64 << 20;

/// Names of files are cut off here.
const LONGEST_NAME: usize = 80;

/// A folder with more files than this for one engine is refused.
const MOST_FILES: u32 = 100_000;

impl Dialogue {
    /// A new file in `folder` for a process of the engine `name`: `name-1.log`, or the next number that is free.
    pub(super) fn begin(folder: &Path, name: &str) -> io::Result<Dialogue> {
        fs::create_dir_all(folder)?;
        let name: String = name
            .chars()
            .take(LONGEST_NAME)
            .map(|c| if c.is_alphanumeric() || "._+-".contains(c) { c } else { '_' })
            .collect();
        for number in 1..=MOST_FILES {
            match File::create_new(folder.join(format!("{name}-{number}.log"))) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                file => {
                    let open = Open { file: file?, begun: Instant::now(), bytes: 0 };
                    return Ok(Dialogue(Some(Arc::new(Mutex::new(open)))));
                }
            }
        }
        Err(io::Error::other(format!("'{}' holds too many dialogues of {name}", folder.display())))
    }

    /// Adds a line. `>` is what the engine gets, `<` what it says, `!` what is said about it. A file that cannot be
    /// written ends nothing.
    pub(super) fn add(&self, mark: char, line: &str) {
        let Some(shared) = &self.0 else { return };
        let open = &mut *shared.lock().unwrap_or_else(PoisonError::into_inner);
        if open.bytes > MOST_BYTES {
            return;
        }
        let text = format!("{:.3} {mark} {line}\n", open.begun.elapsed().as_secs_f64());
        open.bytes += text.len();
        let _ = open.file.write_all(text.as_bytes());
        if open.bytes > MOST_BYTES {
            let _ = writeln!(open.file, "the rest is left out");
        }
    }
}
