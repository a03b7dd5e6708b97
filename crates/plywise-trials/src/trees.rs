//! Tree files that were made to break their reader: blocks that unpack to far more than they are, thousands of damaged
//! blocks and threads, real nodes in the wrong place, and plain mutations. `plywise tree stats` reads each in bounded time
//! and memory, or refuses it.

use crate::mutation::mutated;
use crate::process::{Programs, wait};
use crate::trial::{Failure, Trial};
use plywise_game::random::Random;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A busy machine is not the reader's fault.
const PATIENCE: Duration = Duration::from_secs(60);

/// The memory that the reader may ask for, in kilobytes: most of it is the program with its tables.
const MEMORY: &str = "1500000";

/// What a recording begins with, and the length of the header of a block.
const MARK: usize = 16;
const HEADER: usize = 36;

/// The kinds of blocks, by their number in the file: head, nodes, names, summary, index.
const KINDS: u8 = 5;

pub(crate) fn trials(programs: &Programs) -> Vec<Trial> {
    let programs = programs.clone();
    let case = move |_, random: &mut Random| {
        let problem = |error: std::io::Error| Failure::new(error, "");
        let folder = tempfile::tempdir().map_err(problem)?;
        let path = folder.path().join("bomb.tree");
        let record = ["tree", "record", "chess", "--nodes", "300", "--hash", "1", "--output"];
        let recorded = programs.plywise().args(record).arg(&path).output().map_err(problem)?;
        if !recorded.status.success() {
            return Err(Failure::new("no tree is recorded", String::from_utf8_lossy(&recorded.stderr)));
        }
        let (bytes, recipe) = bomb(&std::fs::read(&path).map_err(problem)?, random);
        std::fs::write(&path, &bytes).map_err(problem)?;
        read(&programs, &path).map_err(|problem| Failure::new(problem, recipe))
    };
    vec![Trial { group: "trees", name: "bombs".into(), short: 8, long: 2000, case: Box::new(case) }]
}

/// A file that means harm, and how it was made.
fn bomb(whole: &[u8], random: &mut Random) -> (Vec<u8>, String) {
    let length =
        |at: usize| u32::from_le_bytes([whole[at + 20], whole[at + 21], whole[at + 22], whole[at + 23]]) as usize;
    let head_end = MARK + HEADER + length(MARK);
    let nodes = &whole[head_end..head_end + HEADER + length(head_end)];
    let mut bytes = whole[..head_end].to_vec();
    let recipe = match random.below(5) {
        0 => {
            bytes = mutated(&[whole.to_vec()], &[], random);
            "a mutated recording".to_string()
        }
        1 => {
            let (kind, size, pattern) = (random.below(KINDS.into()) as u8, 1 << random.below(28), random.below(4));
            let pattern = [" ", "\0", "[", "[],"][pattern].as_bytes();
            bytes.extend(block(kind, 0, 0, 1, &pattern.repeat(size / pattern.len() + 1)));
            format!("a block of kind {kind} that unpacks to {size} times {pattern:?}")
        }
        2 => {
            let count = 1 << random.below(17);
            let damaged = block(1, 0, 0, 1, b"damaged");
            for first in 0..count as u64 {
                bytes.extend([&damaged[..8], &first.to_le_bytes(), &damaged[16..]].concat());
            }
            format!("{count} damaged blocks")
        }
        3 => {
            let count = 1 << random.below(15);
            for stream in 0..count as u16 {
                bytes.extend([&nodes[..6], &stream.to_le_bytes(), &nodes[8..]].concat());
            }
            format!("{count} threads with the same nodes")
        }
        _ => {
            let count = 1 << random.below(9);
            let names = format!("\"moves\":[{}\"\"]}}", "\"\",".repeat(99_999));
            for list in 0..count as u32 {
                let first = list * 100_000 + 1;
                bytes.extend(block(2, 0, 0, 0, format!("{{\"first\":{first},{names}").as_bytes()));
            }
            format!("{count} lists of 100,000 names")
        }
    };
    plywise_tree::mend_checksums(&mut bytes);
    (bytes, recipe)
}

/// A block as a file has it, but for its checksums.
fn block(kind: u8, stream: u16, first: u64, count: u32, raw: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(raw, 1).unwrap_or_default();
    let mut bytes = [b"PWTB", &[kind, 0][..], &stream.to_le_bytes(), &first.to_le_bytes()].concat();
    [count, packed.len() as u32, raw.len() as u32, 0, 0].iter().for_each(|each| bytes.extend(each.to_le_bytes()));
    bytes.extend(packed);
    bytes
}

/// Reads a file as a user would, in little memory where the system can see to that.
fn read(programs: &Programs, path: &Path) -> Result<(), String> {
    let plywise = programs.plywise();
    let mut command = match cfg!(target_os = "linux") {
        false => programs.plywise(),
        true => {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$@\""), "sh"]);
            command.arg(plywise.get_program()).args(plywise.get_args());
            command
        }
    };
    command.args(["tree", "stats"]).arg(path).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let status = wait(&mut child, Instant::now() + PATIENCE);
    if status.is_none() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let mut complaint = String::new();
    if let Some(mut errors) = child.stderr.take() {
        let _ = errors.read_to_string(&mut complaint);
    }
    match status.map(|status| status.code()) {
        Some(Some(0 | 2)) if !complaint.contains("panicked") => Ok(()),
        None => Err("it is still read after a minute".into()),
        Some(code) => Err(format!("it ends with {code:?}: {complaint}")),
    }
}
