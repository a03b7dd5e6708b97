//! Results that are larger than a message, while parts of them are missing.

use crate::wire::{Head, RESULT_BYTES};
use std::collections::{BTreeMap, HashMap};

/// What is kept for a part beside its bytes.
const OVERHEAD: usize = 256;

/// Results of which parts are missing: all together no more than the largest result.
#[derive(Default)]
pub(super) struct Partials {
    found: HashMap<(String, u64), Partial>,
    bytes: usize,
}

#[derive(Default)]
struct Partial {
    parts: BTreeMap<u32, Vec<u8>>,
    bytes: usize,
}

impl Partials {
    /// Adds a part; the whole, once it is there.
    pub(super) fn add(&mut self, head: &Head, body: &[u8]) -> Option<Vec<u8>> {
        if head.parts == 1 {
            return Some(body.to_vec());
        }
        let key = (head.worker.clone(), head.number);
        let found = self.found.entry(key.clone()).or_default();
        let before = found.bytes;
        if let Some(old) = found.parts.insert(head.part, body.to_vec()) {
            found.bytes -= old.len() + OVERHEAD;
        }
        found.bytes += body.len() + OVERHEAD;
        self.bytes = self.bytes - before + found.bytes;
        if found.parts.len() == head.parts as usize {
            return Some(self.remove(&key)?.parts.into_values().flatten().collect());
        }
        while self.bytes > RESULT_BYTES {
            self.remove_from_largest_sender();
        }
        None
    }

    fn remove(&mut self, key: &(String, u64)) -> Option<Partial> {
        let removed = self.found.remove(key)?;
        self.bytes -= removed.bytes;
        Some(removed)
    }

    /// Makes room where most of it is used. Units whose results are lost this way are done again.
    fn remove_from_largest_sender(&mut self) {
        let mut senders: HashMap<&str, (usize, u64)> = HashMap::new();
        for ((worker, number), partial) in &self.found {
            let (bytes, last) = senders.entry(worker).or_default();
            *bytes += partial.bytes;
            *last = (*last).max(*number);
        }
        let largest = senders.into_iter().max_by_key(|(_, (bytes, _))| *bytes);
        match largest.map(|(worker, (_, number))| (worker.to_owned(), number)) {
            Some(key) => drop(self.remove(&key)),
            None => self.bytes = 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(worker: &str, number: u64, part: u32, parts: u32) -> Head {
        Head { worker: worker.into(), number, part, parts, ..Head::default() }
    }

    #[test]
    fn what_never_becomes_whole_takes_no_more_than_a_result() {
        let mut partials = Partials::default();
        assert!(partials.add(&head("honest", 0, 1, 2), b"end").is_none());
        for number in 0..300 {
            assert!(partials.add(&head("hostile", number, 0, 2), &vec![0; 1 << 20]).is_none());
            assert!(partials.bytes <= RESULT_BYTES);
        }
        // Parts of nothing are counted as well.
        for part in 0..60_000 {
            partials.add(&head("hostile", 1000, part, 65_000), b"");
        }
        let kept: usize = partials.found.values().map(|partial| partial.bytes).sum();
        assert!(kept == partials.bytes && kept <= RESULT_BYTES);
        assert_eq!(partials.add(&head("honest", 0, 0, 2), b"begin ").unwrap(), b"begin end");
    }

    #[test]
    fn a_part_that_comes_twice_counts_once() {
        let mut partials = Partials::default();
        for _ in 0..3 {
            assert!(partials.add(&head("one", 7, 0, 2), b"a").is_none());
        }
        assert_eq!(partials.add(&head("one", 7, 1, 2), b"b").unwrap(), b"ab");
        assert_eq!(partials.bytes, 0);
    }
}
