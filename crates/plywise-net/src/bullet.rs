//! Networks as the trainer bullet writes them.
//!
//! `quantised.bin` has no header: rows of the features, bucket by bucket, what the sums begin with, weights of the output and
//! what it begins with, numbers of 16 bits, filled up to a multiple of 64 bytes. These are our networks if it was trained with
//! squared clipped ReLU, units of 255 and 64, `ChessBucketsMirrored` and, for several outputs, `MaterialCount` with the
//! weights of the output transposed, so that those of one output lie together.

use crate::bytes::Reader;
use crate::file::{fits, numbers};
use crate::network::{LARGEST_SCALE, Network, Output, Role, SCALE_UNIT};
use crate::{NetworkError, Shape};

/// Files are filled up to a multiple of this, with [`FILLING`].
const ALIGNMENT: usize = 64;
const FILLING: &[u8] = b"bullet";

impl Network {
    /// The bytes of `quantised.bin`; nothing where what an output begins with is too large for it.
    pub fn to_bullet(&self) -> Option<Vec<u8>> {
        let rows = &self.rows[..self.shape.rows() * self.bias.len()];
        let weights = self.outputs.iter().flat_map(|output| &output.weights);
        let lanes = [rows, &self.bias].into_iter().chain(weights.map(|lanes| &lanes[..])).flatten();
        let mut bytes: Vec<u8> = lanes.flatten().flat_map(|number| number.to_le_bytes()).collect();
        for output in &self.outputs {
            bytes.extend(i16::try_from(output.bias).ok()?.to_le_bytes());
        }
        let filling = bytes.len().next_multiple_of(ALIGNMENT) - bytes.len();
        bytes.extend(FILLING.iter().cycle().take(filling));
        Some(bytes)
    }

    /// Reads `quantised.bin` as a network of this shape for a game. It does not say what an output of 1 stands for: `scale`
    /// does, in points. `record` says how it was made.
    pub fn from_bullet(
        bytes: &[u8],
        game: &str,
        shape: &Shape,
        (role, scale): (Role, f64),
        record: &str,
    ) -> Result<Network, NetworkError> {
        use NetworkError::{CutOff, Nonsense, TooLong};
        let scale = (scale * f64::from(SCALE_UNIT)).round();
        if !(1.0..=f64::from(LARGEST_SCALE * SCALE_UNIT)).contains(&scale) {
            return Err(Nonsense("scale"));
        }
        let (mut reader, width) = (Reader(bytes), shape.width());
        let mut take = |count| numbers(&mut reader, count).ok_or(CutOff);
        let (rows, bias) = (take(shape.bias_place())?, take(width)?);
        let weights = (0..shape.outputs()).map(|_| Ok([take(width)?, take(width)?]));
        let weights = weights.collect::<Result<Vec<_>, NetworkError>>()?;
        let output = |weights| Ok(Output { weights, bias: reader.i16().ok_or(CutOff)?.into() });
        let outputs = weights.into_iter().map(output).collect::<Result<Vec<_>, NetworkError>>()?;
        if reader.0.len() >= ALIGNMENT {
            return Err(TooLong);
        }
        if !outputs.iter().all(fits) {
            return Err(Nonsense("output"));
        }
        Ok(Network::new(shape.clone(), (game, record, role, scale as u32), rows, bias, outputs))
    }
}
