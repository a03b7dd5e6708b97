//! How much memory there is: a larger table is refused rather than swapped or killed.

use crate::{Failure, Result};

/// The largest table that can be asked for, in MB: 32 TB, as other engines allow. Most machines have less memory.
pub(crate) const LARGEST_TABLE_MB: usize = 1 << 25;

/// Refuses `tables` tables of `megabytes` MB each if they exceed the memory of this machine.
///
/// The operating system promises more memory than it has and breaks the promise later: an allocation that succeeds proves
/// nothing.
pub(crate) fn check_tables(megabytes: usize, tables: usize) -> Result {
    let wanted = (megabytes as u64).saturating_mul(tables as u64);
    let available = physical_megabytes().unwrap_or(LARGEST_TABLE_MB as u64);
    if wanted <= available {
        return Ok(());
    }
    let each = if tables > 1 { format!("{tables} tables of {megabytes} MB are") } else { format!("{megabytes} MB is") };
    Err(Failure::input(format!("the hash size is beyond memory: {each} more than the {available} MB of this machine")))
}

/// Refuses what takes up more bytes than this machine has memory.
pub(crate) fn check_bytes(bytes: u64, what: &str) -> Result {
    let available = physical_megabytes().unwrap_or(u64::MAX >> 20);
    match bytes >> 20 {
        wanted if wanted > available => Err(Failure::input(format!(
            "{what} is beyond memory: it takes {wanted} MB, more than the {available} MB of this machine"
        ))),
        _ => Ok(()),
    }
}

/// The memory of this machine or of the container we run in, whichever is less.
fn physical_megabytes() -> Option<u64> {
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| mem_total_kilobytes(&text))? / 1024;
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    Some(container.map_or(machine, |bytes: u64| machine.min(bytes >> 20)))
}

fn mem_total_kilobytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_the_kernels_report() {
        assert_eq!(mem_total_kilobytes("MemTotal:       24689764 kB\nMemFree: 1 kB\n"), Some(24_689_764));
        assert_eq!(mem_total_kilobytes("MemFree: 1 kB\n"), None);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        assert!(check_tables(1, 1).is_ok());
        assert!(check_tables(usize::MAX, 1).is_err());
        assert!(check_tables(usize::MAX, usize::MAX).is_err());
    }
}
