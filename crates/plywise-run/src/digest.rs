//! Digests that tell whether two texts or files are the same.
//!
//! They are FNV-1a of 64 bits (Fowler, Noll & Vo 1991): made to find accidents and edits, not forgers.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The digest of these bytes, as 16 hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    format!("{:016x}", extend(OFFSET, bytes))
}

/// The digest of what a file holds.
pub fn digest_file(path: &Path) -> io::Result<String> {
    digest_reader(File::open(path)?)
}

/// The digest of all that can be read.
pub fn digest_reader(mut file: impl Read) -> io::Result<String> {
    let mut buffer = vec![0; 1 << 16];
    let mut hash = OFFSET;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(format!("{hash:016x}")),
            Ok(read) => hash = extend(hash, &buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn extend(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_their_authors() {
        assert_eq!(digest(b""), "cbf29ce484222325");
        assert_eq!(digest(b"a"), "af63dc4c8601ec8c");
        assert_eq!(digest(b"foobar"), "85944171f73967e8");
    }
}
