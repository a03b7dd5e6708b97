//! The file: a mark, then blocks, each with a header that says what and how long it is and a checksum for both. The first
//! block is the head; an index of all blocks comes last, and its place behind it. Without an index, because the file is
//! still written or was cut off, the headers lead from block to block.
//!
//! ```text
//! "plywise tree 03\n"
//! block: "PWTB", what u8, 0 u8, stream u16, first u64, count u32, packed u32, raw u32, checksum u32, checksum u32
//!        (of the packed bytes; of the header before it), then the packed bytes (zstd); all numbers little-endian
//! last 16 bytes: the place of the index u64, "PWTE", checksum u32 (of the 12 bytes before it)
//! ```

use crate::block;
use plywise_search::{Counters, Technique};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a file begins with; the digits are the version.
pub(crate) const MARK: &[u8; 16] = b"plywise tree 03\n";
/// What files of the versions before began with. They are read.
pub(crate) const MARK_02: &[u8; 16] = b"plywise tree 02\n";
/// The oldest.
pub(crate) const MARK_01: &[u8; 16] = b"plywise tree 01\n";
const BLOCK: &[u8; 4] = b"PWTB";
const FOOT: &[u8; 4] = b"PWTE";
pub(crate) const HEADER: usize = 36;
pub(crate) const FOOTER: usize = 16;

/// The level of compression: on these numbers higher ones take longer and gain little.
const LEVEL: i32 = 1;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The head, JSON.
    Head,
    /// Nodes.
    Nodes,
    /// Names of moves and boards of a game that only another program knows, JSON.
    Texts,
    /// What the search said when it was done, JSON.
    Summary,
    /// The places of all blocks.
    Index,
}

const WHATS: [What; 5] = [What::Head, What::Nodes, What::Texts, What::Summary, What::Index];

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) what: What,
    pub(crate) stream: u16,
    /// The number of its first node in its stream.
    pub(crate) first: u64,
    /// How many nodes it holds.
    pub(crate) count: u32,
    /// The length of the packed bytes.
    pub(crate) packed: u32,
    /// The length of the bytes that they unpack to.
    pub(crate) raw: u32,
    checksum: u32,
}

impl Header {
    fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        let fields: [&[u8]; 9] = [
            BLOCK,
            &[WHATS.iter().position(|&what| what == self.what).unwrap_or(0) as u8, 0],
            &self.stream.to_le_bytes(),
            &self.first.to_le_bytes(),
            &self.count.to_le_bytes(),
            &self.packed.to_le_bytes(),
            &self.raw.to_le_bytes(),
            &self.checksum.to_le_bytes(),
            &[],
        ];
        let mut at = 0;
        for field in fields {
            bytes[at..at + field.len()].copy_from_slice(field);
            at += field.len();
        }
        let sum = crc32fast::hash(&bytes[..at]);
        bytes[at..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The header at the beginning of `bytes`, if it is whole and right.
    pub(crate) fn read(bytes: &[u8]) -> Option<Header> {
        let bytes = bytes.get(..HEADER)?;
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if &bytes[..4] != BLOCK || crc32fast::hash(&bytes[..HEADER - 4]) != u32_at(HEADER - 4) {
            return None;
        }
        Some(Header {
            what: *WHATS.get(usize::from(bytes[4]))?,
            stream: u16::from_le_bytes([bytes[6], bytes[7]]),
            first: u64::from_le_bytes(bytes[8..16].try_into().expect("eight bytes")),
            count: u32_at(16),
            packed: u32_at(20),
            raw: u32_at(24),
            checksum: u32_at(28),
        })
    }

    /// The bytes of the block whose header this is, unpacked; `None` where they are damaged.
    pub(crate) fn unpack(&self, packed: &[u8], most: usize) -> Option<Vec<u8>> {
        let raw = self.raw as usize;
        if raw > most || crc32fast::hash(packed) != self.checksum {
            return None;
        }
        zstd::bulk::decompress(packed, raw).ok().filter(|bytes| bytes.len() == raw)
    }
}

/// Makes the checksums of all blocks right, whatever they hold: for tests of what reads damaged blocks.
#[doc(hidden)]
pub fn mend_checksums(bytes: &mut [u8]) {
    let mut at = MARK.len();
    while let Some(header) = bytes.get(at..at.saturating_add(HEADER)) {
        let length = u32::from_le_bytes([header[20], header[21], header[22], header[23]]) as usize;
        let end = at.saturating_add(HEADER).saturating_add(length).min(bytes.len());
        let sum = crc32fast::hash(&bytes[at + HEADER..end]).to_le_bytes();
        bytes[at + HEADER - 8..at + HEADER - 4].copy_from_slice(&sum);
        let sum = crc32fast::hash(&bytes[at..at + HEADER - 4]).to_le_bytes();
        bytes[at + HEADER - 4..at + HEADER].copy_from_slice(&sum);
        at = end;
    }
}

/// A block as the file holds it, header and all.
pub(crate) fn pack(what: What, stream: u16, first: u64, count: u32, raw: &[u8]) -> std::io::Result<Vec<u8>> {
    let packed = zstd::bulk::compress(raw, LEVEL)?;
    let header = Header {
        what,
        stream,
        first,
        count,
        packed: packed.len() as u32,
        raw: raw.len() as u32,
        checksum: crc32fast::hash(&packed),
    };
    Ok([&header.bytes()[..], &packed].concat())
}

/// The end of a file whose index stands at `place`.
pub(crate) fn footer(place: u64) -> [u8; FOOTER] {
    let mut bytes = [0; FOOTER];
    bytes[..8].copy_from_slice(&place.to_le_bytes());
    bytes[8..12].copy_from_slice(FOOT);
    let sum = crc32fast::hash(&bytes[..12]);
    bytes[12..].copy_from_slice(&sum.to_le_bytes());
    bytes
}

/// Where the index of a file stands, by its last bytes.
pub(crate) fn index_place(bytes: &[u8]) -> Option<usize> {
    let place = bytes.last_chunk::<FOOTER>()?.first_chunk::<8>()?;
    let place = u64::from_le_bytes(*place);
    (bytes.ends_with(&footer(place))).then(|| usize::try_from(place).ok()).flatten()
}

/// A block's place, as the index says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) what: What,
    pub(crate) stream: u16,
    pub(crate) first: u64,
    pub(crate) count: u32,
    pub(crate) at: u64,
}

impl Place {
    /// The index: the places of all blocks, each by its difference from the one before.
    pub(crate) fn write_all(places: &[Place]) -> Vec<u8> {
        let (mut bytes, mut before) = (Vec::new(), 0);
        for Place { what, stream, first, count, at } in places {
            let what = WHATS.iter().position(|each| each == what).unwrap_or(0) as u64;
            for number in [what, (*stream).into(), *first, (*count).into(), at - before] {
                block::write(&mut bytes, number);
            }
            before = *at;
        }
        bytes
    }

    /// The places in an index.
    pub(crate) fn read_all(mut bytes: &[u8]) -> Option<Vec<Place>> {
        let (mut places, mut at) = (Vec::new(), 0u64);
        while !bytes.is_empty() {
            let mut number = || block::read(&mut bytes);
            let what = *WHATS.get(usize::try_from(number()?).ok()?)?;
            let (stream, first) = (u16::try_from(number()?).ok()?, number()?);
            let count = u32::try_from(number()?).ok()?;
            at = at.checked_add(number()?)?;
            places.push(Place { what, stream, first, count, at });
        }
        Some(places)
    }
}

/// The order of the nodes in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The order in which the search left them.
    #[default]
    Search,
    /// Breadth first: the children of a node stand together.
    Breadth,
}

/// What a file says about itself before its first node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The name of the game.
    pub game: String,
    /// The position that was searched, as the game writes it.
    pub position: String,
    /// The hashes of the positions before it, which may come back.
    #[serde(default)]
    pub history: Vec<u64>,
    /// The name of the profile.
    #[serde(default)]
    pub profile: String,
    /// The profile in full.
    #[serde(default)]
    pub parameters: String,
    /// The program that recorded, and its version.
    #[serde(default)]
    pub build: String,
    /// The limits, threads and size of the table.
    #[serde(default)]
    pub settings: Value,
    /// Which nodes were recorded, where not all were.
    #[serde(default)]
    pub filter: Option<String>,
    /// The search began with what earlier ones had left in its table.
    #[serde(default)]
    pub remembers: bool,
    /// Another program sent the tree: its search has rules of its own.
    #[serde(default)]
    pub sent: bool,
    /// The order of the nodes.
    #[serde(default)]
    pub order: Order,
    /// The techniques, in the order of their codes.
    #[serde(default)]
    pub techniques: Vec<String>,
}

/// What a search said when it was done.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Its count of nodes, in all threads.
    pub nodes: u64,
    /// The time it took, in milliseconds.
    pub time_ms: u64,
    /// The best line, as players write it.
    pub pv: Vec<String>,
    /// Its value.
    pub score: i32,
    /// How often each technique was tried and had an effect.
    pub techniques: BTreeMap<String, Effects>,
}

/// How often a technique was tried and had an effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effects {
    /// How often it was tried.
    pub tries: u64,
    /// How often it cut, left out or repriced.
    pub effects: u64,
}

impl Summary {
    /// What the counters of a search say of the techniques that were tried.
    pub fn effects(counters: &Counters) -> BTreeMap<String, Effects> {
        let effects = |&technique: &Technique| {
            let effects = Effects { tries: counters.tries(technique), effects: counters.cuts(technique) };
            (technique.name().to_string(), effects)
        };
        Technique::ALL.iter().map(effects).filter(|(_, effects)| effects.tries > 0).collect()
    }
}
