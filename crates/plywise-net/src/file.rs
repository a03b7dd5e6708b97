//! The file of a network.
//!
//! ```text
//! "plywise network\n", version u32, game, features u32, width u32, [shape], role u8, scale u32 (in 1/256 of a point),
//! unit of the sums u16, unit of the output u16, record of the training, rows of the features i16 (bucket by bucket), what
//! the sums begin with i16, weights of each output i16, what each output begins with i32, checksum u32 (of all before it)
//! shape: kinds of views u16, the bucket of each u8, stages u16, outputs u16
//! ```
//!
//! All numbers are little-endian; a text follows its length, seven bits a byte. Files of version 1 have no shape: one bucket
//! and one output. So networks of that shape are still written.

use crate::Shape;
use crate::bytes::{Reader, seal, unseal, write_text};
use crate::network::{
    LARGEST_SCALE, Lane, MAX_WIDTH, Network, OUTPUT_LIMIT, OUTPUT_UNIT, Output, Role, SCALE_UNIT, SUM_UNIT, WIDTH_STEP,
    is_width, lanes,
};
use plywise_game::features::{MAX_FEATURES, Sight};
use plywise_game::notation::excerpt;
use plywise_game::random;

/// What a file begins with.
const MARK: &[u8; 16] = b"plywise network\n";

/// The version of files without a shape.
const PLAIN: u32 = 1;

/// The version of files with a shape, the newest.
const SHAPED: u32 = 2;

/// Roles in the order of their codes.
const ROLES: [Role; 2] = [Role::Replace, Role::Add];

/// Why a network cannot be used: one sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// The file is something else.
    #[error("it is not a network of plywise")]
    NotANetwork,
    /// Another version of plywise wrote it.
    #[error("its version is {0}, but at most {SHAPED} is expected")]
    Version(u32),
    /// It belongs to another game.
    #[error("it was trained for '{found}', not for '{expected}'")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that it was asked for.
        expected: String,
    },
    /// The game shows its positions in another way than it did.
    #[error("it knows {found} {what}, but the game has {expected}")]
    Sight {
        /// What differs.
        what: &'static str,
        /// The number in the file.
        found: usize,
        /// The number that the game has.
        expected: usize,
    },
    /// The game shows nothing to networks.
    #[error("the game '{0}' names no features for a network to look at")]
    NoFeatures(String),
    /// No network has this width.
    #[error("its width is {0}, but must be a multiple of {WIDTH_STEP} up to {MAX_WIDTH}")]
    Width(usize),
    /// A number makes no sense.
    #[error("its {0} makes no sense")]
    Nonsense(&'static str),
    /// It ends too early.
    #[error("it is cut off")]
    CutOff,
    /// Something comes after its end.
    #[error("something follows its end")]
    TooLong,
    /// Its checksum is wrong.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
}

impl Network {
    /// Reads a network from the bytes of a file, for a game with this name and sight.
    pub fn read(bytes: &[u8], game: &str, sight: &Sight) -> Result<Network, NetworkError> {
        use NetworkError::*;
        let mut reader = Reader(bytes);
        if reader.take(MARK.len()) != Some(MARK) {
            return Err(NotANetwork);
        }
        let version = reader.u32().ok_or(CutOff)?;
        if !(PLAIN..=SHAPED).contains(&version) {
            return Err(Version(version));
        }
        let found = reader.text().ok_or(CutOff)?;
        if found != game {
            return Err(Game { found: excerpt(found), expected: game.to_string() });
        }
        let features = reader.u32().ok_or(CutOff)? as usize;
        if sight.features == 0 {
            return Err(NoFeatures(game.to_string()));
        }
        let expect = |what, found, expected| {
            if found == expected { Ok(()) } else { Err(Sight { what, found, expected }) }
        };
        expect("features", features, sight.features.min(MAX_FEATURES))?;
        let width = reader.u32().ok_or(CutOff)? as usize;
        if !is_width(width) {
            return Err(Width(width));
        }
        let mut shape = Shape { features, width, buckets: vec![0; sight.views], stages: sight.stages, outputs: 1 };
        if version == SHAPED {
            let views = reader.u16().ok_or(CutOff)?.into();
            shape.buckets = reader.take(views).ok_or(CutOff)?.to_vec();
            let [stages, outputs] = [reader.u16().ok_or(CutOff)?, reader.u16().ok_or(CutOff)?].map(usize::from);
            expect("kinds of views", views, sight.views)?;
            expect("stages", stages, sight.stages)?;
            if !(1..=stages).contains(&outputs) {
                return Err(Nonsense("number of outputs"));
            }
            shape.outputs = outputs;
        }
        let role = *ROLES.get(usize::from(reader.u8().ok_or(CutOff)?)).ok_or(Nonsense("role"))?;
        let scale = reader.u32().ok_or(CutOff)?;
        if scale == 0 || scale > LARGEST_SCALE * SCALE_UNIT {
            return Err(Nonsense("scale"));
        }
        let units = [reader.i16().ok_or(CutOff)?, reader.i16().ok_or(CutOff)?];
        if units != [SUM_UNIT, OUTPUT_UNIT] {
            return Err(Nonsense("unit"));
        }
        let record = reader.text().ok_or(CutOff)?;
        let mut numbers = |count: usize| numbers(&mut reader, count).ok_or(CutOff);
        let (rows, bias) = (numbers(shape.rows() * width)?, numbers(width)?);
        let weights = (0..shape.outputs).map(|_| Ok([numbers(width)?, numbers(width)?]));
        let weights = weights.collect::<Result<Vec<_>, NetworkError>>()?;
        let output = |weights| Ok(Output { weights, bias: reader.i32().ok_or(CutOff)? });
        let outputs = weights.into_iter().map(output).collect::<Result<Vec<_>, NetworkError>>()?;
        reader.u32().ok_or(CutOff)?;
        if !reader.is_empty() {
            return Err(TooLong);
        }
        unseal(bytes).ok_or(Damaged)?;
        if !outputs.iter().all(fits) {
            return Err(Nonsense("output"));
        }
        Ok(Network::new(shape, (game, record, role, scale), rows, bias, outputs))
    }

    /// The bytes of a file that holds the network.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Shape { features, width, buckets, stages, outputs } = &self.shape;
        let version = if self.shape.is_plain() { PLAIN } else { SHAPED };
        let mut bytes = MARK.to_vec();
        bytes.extend(version.to_le_bytes());
        write_text(&mut bytes, &self.game);
        bytes.extend((*features as u32).to_le_bytes());
        bytes.extend((*width as u32).to_le_bytes());
        if version == SHAPED {
            bytes.extend((buckets.len() as u16).to_le_bytes());
            bytes.extend(buckets);
            bytes.extend((*stages as u16).to_le_bytes());
            bytes.extend((*outputs as u16).to_le_bytes());
        }
        bytes.push(u8::from(self.role == Role::Add));
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(SUM_UNIT.to_le_bytes());
        bytes.extend(OUTPUT_UNIT.to_le_bytes());
        write_text(&mut bytes, &self.record);
        let rows = &self.rows[..self.shape.rows() * self.bias.len()];
        let weights = self.outputs.iter().flat_map(|output| &output.weights);
        for lane in [rows, &self.bias].into_iter().chain(weights.map(|lanes| &lanes[..])).flatten() {
            lane.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        self.outputs.iter().for_each(|output| bytes.extend(output.bias.to_le_bytes()));
        seal(bytes)
    }

    /// A name for what is in the file: networks that differ have different ones.
    pub fn digest(&self) -> String {
        let bytes = self.to_bytes();
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let words = words.iter().chain([&last]).map(|&word| u64::from_le_bytes(word));
        format!("{:016x}", words.fold(bytes.len() as u64, |digest, word| random::number(digest ^ word, 0)))
    }
}

/// Whether the weights of an output keep their limit.
pub(crate) fn fits(output: &Output) -> bool {
    let mut weights = output.weights.iter().flatten().flatten();
    weights.all(|weight| weight.unsigned_abs() <= OUTPUT_LIMIT as u16)
}

/// The next `count` numbers, in lanes.
pub(crate) fn numbers(reader: &mut Reader, count: usize) -> Option<Vec<Lane>> {
    let (numbers, _) = reader.take(count * 2)?.as_chunks();
    Some(lanes(&numbers.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect::<Vec<i16>>()))
}
