//! Files that were cut off, damaged, mixed up or never were trees.

use crate::support::{Setup, file};
use plywise_chess::Chess;
use plywise_game::GameSoFar;
use plywise_search::{Limits, Signal};
use plywise_tree::{Ended, NodeId, Query, Stats, Tree, TreeError};
use std::time::{Duration, Instant};

fn bytes() -> Vec<u8> {
    let (_folder, path) = file();
    Setup::<Chess>::new("best", Limits::nodes(10_000)).record(&path);
    std::fs::read(&path).unwrap()
}

/// Does with a tree whatever can be done, and cuts it where it is damaged.
fn use_up(mut tree: Tree) -> u64 {
    let query = Query::parse("parent.depth > 1 and any(child, value > 0) or root.ply = 3").unwrap();
    let notation = GameSoFar::<Chess>::new(<Chess as plywise_game::Game>::start());
    loop {
        let all = |tree: &Tree| -> Result<(), TreeError> {
            Stats::of(tree, &Signal::new())?;
            query.ask(tree, &notation, 3, &Signal::new())?;
            for stream in 0..tree.streams() {
                for step in tree.replay(stream)? {
                    step?;
                }
            }
            if !tree.is_empty() {
                let last = NodeId { stream: tree.streams() - 1, index: tree.stream_len(tree.streams() - 1) - 1 };
                tree.line(last)?;
                tree.moves_to(last)?;
            }
            Ok(())
        };
        match all(&tree) {
            Ok(()) => return tree.len(),
            Err(error) => {
                let before = tree.len();
                tree.cut_before(&error);
                assert!(!error.to_string().is_empty());
                if tree.len() >= before {
                    return 0;
                }
            }
        }
    }
}

fn refusal(bytes: &[u8]) -> String {
    Tree::from_bytes(bytes.to_vec()).map(drop).unwrap_err().to_string()
}

#[test]
fn what_is_no_tree_is_refused_in_one_sentence() {
    assert_eq!(refusal(b""), "'the bytes' is no recorded tree: it is empty");
    assert_eq!(refusal(b"plywise"), "'the bytes' is no recorded tree: it is too short");
    assert_eq!(refusal(&[7; 4000]), "'the bytes' is no recorded tree: it does not begin as one");
    let mut newer = bytes();
    newer[14] = b'4';
    assert_eq!(refusal(&newer), "'the bytes' is no recorded tree: its version is 04, but 01, 02 or 03 is expected");
    assert_eq!(refusal(&bytes()[..30]), "'the bytes' is no recorded tree: its head is damaged");
    let folder = tempfile::tempdir().unwrap();
    assert!(Tree::open(folder.path()).is_err());
    assert!(Tree::open(&folder.path().join("nothing")).is_err());
}

#[test]
fn a_recording_can_be_read_up_to_its_last_whole_block() {
    let bytes = bytes();
    let whole = Tree::from_bytes(bytes.clone()).unwrap();
    let mut lengths = Vec::new();
    for length in (0..bytes.len()).rev().step_by(97) {
        let Ok(tree) = Tree::from_bytes(bytes[..length].to_vec()) else { continue };
        assert!(tree.loss().is_some(), "cut off after {length} bytes");
        lengths.push(tree.len());
        // Whatever is there is a whole tree: the line that was open is closed as stopped.
        assert_eq!(use_up(Tree::from_bytes(bytes[..length].to_vec()).unwrap()), tree.len());
        for &id in tree.roots(0).unwrap_or_default().iter().take(3) {
            let (node, original) = (tree.node(id).unwrap(), whole.node(id).unwrap());
            assert!(node == original || node.end == Ended::Stopped);
        }
    }
    lengths.dedup();
    assert!(lengths.len() >= 3, "{lengths:?}");
    assert!(lengths.is_sorted_by(|a, b| a >= b));
}

#[test]
fn a_damaged_block_costs_what_follows_it() {
    let mut bytes = bytes();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    let tree = Tree::from_bytes(bytes).unwrap();
    let kept = use_up(tree);
    assert!((1000..10_000).contains(&kept), "{kept}");
}

/// A generator of our own: the tests need no more.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// How many mutated files are read; `PLYWISE_MUTATIONS` sets another number.
fn mutations() -> u64 {
    std::env::var("PLYWISE_MUTATIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(3000)
}

#[test]
fn mutated_files_are_survived() {
    let (_folder, path) = file();
    Setup::<Chess>::new("best", Limits::nodes(400)).record(&path);
    let original = std::fs::read(&path).unwrap();
    let mut state = 0x1234_5678_9abc_def1;
    let mut opened = 0;
    for _ in 0..mutations() {
        let mut bytes = original.clone();
        for _ in 0..=random(&mut state) % 4 {
            let at = (random(&mut state) as usize) % bytes.len();
            match random(&mut state) % 4 {
                0 => bytes[at] ^= 1 << (random(&mut state) % 8),
                1 => bytes[at] = random(&mut state) as u8,
                2 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, random(&mut state) as u8),
            }
        }
        if !random(&mut state).is_multiple_of(4) {
            // Damage that the checksums do not show: it reaches what reads blocks.
            plywise_tree::mend_checksums(&mut bytes);
        }
        if let Ok(tree) = Tree::from_bytes(bytes) {
            opened += 1;
            use_up(tree);
        }
    }
    assert!(opened > mutations() / 10, "{opened}");
}

/// A block as a file has it.
fn block(what: u8, stream: u16, first: u64, count: u32, raw: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(raw, 1).unwrap();
    let mut bytes = b"PWTB".to_vec();
    bytes.extend([what, 0]);
    bytes.extend(stream.to_le_bytes());
    bytes.extend(first.to_le_bytes());
    [count, packed.len() as u32, raw.len() as u32, 0, 0].into_iter().for_each(|each| bytes.extend(each.to_le_bytes()));
    bytes.extend(packed);
    bytes
}

const NODES: u8 = 1;
const TEXTS: u8 = 2;
const SUMMARY: u8 = 3;

/// The head of a recording with other blocks behind it, whose checksums are right.
fn with_blocks(blocks: impl Iterator<Item = Vec<u8>>) -> Vec<u8> {
    let (_folder, path) = file();
    Setup::<Chess>::new("best", Limits::nodes(1)).record(&path);
    let whole = std::fs::read(&path).unwrap();
    let packed = u32::from_le_bytes(whole[36..40].try_into().unwrap()) as usize;
    let mut bytes = whole[..16 + 36 + packed].to_vec();
    blocks.for_each(|block| bytes.extend(block));
    plywise_tree::mend_checksums(&mut bytes);
    bytes
}

/// The time in which even a hostile file must be read: it is proportional to the file.
const SOON: Duration = Duration::from_secs(30);

#[test]
fn any_number_of_damaged_blocks_is_survived() {
    let damaged = block(NODES, 0, 0, 1, b"damaged");
    let numbered = |first: u64| [&damaged[..8], &first.to_le_bytes(), &damaged[16..]].concat();
    let bytes = with_blocks((0..200_000).map(numbered));
    let begun = Instant::now();
    let tree = Tree::from_bytes(bytes).unwrap();
    assert!(tree.is_empty() && tree.loss().is_some());
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn any_number_of_damaged_threads_is_survived() {
    let bytes = with_blocks((0..20_000).map(|stream| block(NODES, stream, 0, 1, b"damaged")));
    let begun = Instant::now();
    let tree = Tree::from_bytes(bytes).unwrap();
    assert!(tree.is_empty() && tree.loss().is_some());
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
}

#[test]
fn what_a_file_unpacks_to_is_proportional_to_it() {
    let blanks = vec![b' '; 20 << 20];
    let summary = with_blocks([block(SUMMARY, 0, 0, 0, &[&blanks[..], b"{}"].concat())].into_iter());
    assert!(summary.len() < 100_000, "it is small: {}", summary.len());
    let tree = Tree::from_bytes(summary).unwrap();
    assert!(tree.summary().is_none());
    // Many small lists of names amount to a large one.
    let names = |first: u32| format!("{{\"first\":{first},\"moves\":[{}\"\"]}}", "\"\",".repeat(99_999));
    let lists = with_blocks((0..300).map(|list| block(TEXTS, 0, 0, 0, names(list * 100_000 + 1).as_bytes())));
    let most = 32 * lists.len() + (1 << 20);
    let tree = Tree::from_bytes(lists).unwrap();
    assert_eq!(tree.loss(), Some("some names of moves are damaged"));
    let read = (1..).take_while(|&mv| tree.text(mv).is_some()).count();
    assert!(read > 0 && 3 * read <= most, "{read} names");
}
