//! Which cores the threads of a job run on.

use std::str::FromStr;

/// Cores of this machine, one for each thread of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cores(Vec<usize>);

/// Why threads cannot be kept on their cores.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoresError {
    /// The text is no list of cores.
    #[error("'{0}' is no list of cores such as 0-3,6")]
    Unreadable(String),
    /// There are more threads than cores.
    #[error("{threads} threads need as many cores, but there are {cores}; make them fewer")]
    TooFew {
        /// The threads.
        threads: usize,
        /// The cores.
        cores: usize,
    },
    /// A core is not there, or this process may not use it.
    #[error("this process may not use core {0}")]
    NotAllowed(usize),
    /// The system cannot do it.
    #[error("this system cannot keep threads on cores")]
    Unsupported,
}

/// No machine has more.
const MOST: usize = 4096;

impl FromStr for Cores {
    type Err = CoresError;

    /// Reads `0-3,6`; `all` is every core that this process may use.
    fn from_str(text: &str) -> Result<Cores, CoresError> {
        let unreadable = || CoresError::Unreadable(text.to_owned());
        if text == "all" {
            return Ok(Cores(Vec::new()));
        }
        let mut cores = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse::<usize>().ok().filter(|core| *core < MOST);
            let (Some(first), Some(last)) = (number(first), number(last)) else { return Err(unreadable()) };
            cores.extend(first..=last);
        }
        let is_twice = (1..cores.len()).any(|i| cores[..i].contains(&cores[i]));
        if cores.is_empty() || is_twice { Err(unreadable()) } else { Ok(Cores(cores)) }
    }
}

impl Cores {
    /// Every core that this process may use.
    pub fn all() -> Cores {
        Cores(Vec::new())
    }

    /// The core of each of this many threads.
    pub fn of_threads(&self, threads: usize) -> Result<Vec<usize>, CoresError> {
        let allowed = affinity::allowed().ok_or(CoresError::Unsupported)?;
        let cores = if self.0.is_empty() { &allowed } else { &self.0 };
        if let Some(&missing) = cores.iter().find(|core| !allowed.contains(core)) {
            return Err(CoresError::NotAllowed(missing));
        }
        match cores.get(..threads) {
            Some(cores) => Ok(cores.to_vec()),
            None => Err(CoresError::TooFew { threads, cores: cores.len() }),
        }
    }
}

/// Keeps the calling thread on a core, and with it every process that it starts from now on.
pub fn stay_on(core: usize) {
    affinity::stay_on(core);
}

#[cfg(target_os = "linux")]
mod affinity {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    pub(super) fn allowed() -> Option<Vec<usize>> {
        let set = sched_getaffinity(None).ok()?;
        Some((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect())
    }

    pub(super) fn stay_on(core: usize) {
        let mut set = CpuSet::new();
        if core < CpuSet::MAX_CPU {
            set.set(core);
            // It was allowed a moment ago; where it is not any more, the thread runs anywhere.
            let _ = sched_setaffinity(None, &set);
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod affinity {
    pub(super) fn allowed() -> Option<Vec<usize>> {
        None
    }

    pub(super) fn stay_on(_core: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let read = |text: &str| text.parse::<Cores>().map(|cores| cores.0);
        assert_eq!(read("0-2,5"), Ok(vec![0, 1, 2, 5]));
        assert_eq!(read("all"), Ok(vec![]));
        for text in ["", "x", "1-", "3-1", "1,1", "0-99999999999"] {
            assert_eq!(read(text), Err(CoresError::Unreadable(text.to_owned())), "{text}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_stays_on_its_core() {
        let core = Cores::all().of_threads(1).unwrap()[0];
        let seen = std::thread::spawn(move || {
            stay_on(core);
            affinity::allowed()
        });
        assert_eq!(seen.join().unwrap(), Some(vec![core]));
        assert!(matches!(Cores::all().of_threads(100_000), Err(CoresError::TooFew { .. })));
        assert_eq!(Cores(vec![MOST]).of_threads(1), Err(CoresError::NotAllowed(MOST)));
    }
}
