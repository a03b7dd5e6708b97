//! What the shape of one side's pieces is worth, remembered.

/// A table from sets of pieces to values. A newer set takes the place of an older one in the same slot.
///
/// The whole set is the key, so a value is never mistaken for another's and the evaluation stays a function of the
/// position.
#[derive(Clone)]
pub(super) struct ShapeCache {
    /// A power of two of slots, or none. The empty set marks a free slot: it is never looked up.
    slots: Vec<(u64, i32)>,
}

/// Half a mebibyte: it still fits into a core's own cache, and holds what a search looks at again.
const SLOTS: usize = 1 << 15;

impl ShapeCache {
    pub(super) fn new() -> ShapeCache {
        ShapeCache { slots: vec![(0, 0); SLOTS] }
    }

    pub(super) fn disabled() -> ShapeCache {
        ShapeCache { slots: Vec::new() }
    }

    #[inline]
    pub(super) fn get_or_insert_with(&mut self, pieces: u64, compute: impl FnOnce() -> i32) -> i32 {
        // Fibonacci hashing: the upper bits of the product depend on all pieces.
        let hash = pieces.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let index = ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize;
        match self.slots.get_mut(index) {
            Some((known, value)) if *known == pieces && pieces != 0 => *value,
            Some(slot) => {
                *slot = (pieces, compute());
                slot.1
            }
            None => compute(),
        }
    }
}

impl std::fmt::Debug for ShapeCache {
    /// The size: the contents say nothing to a reader.
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "ShapeCache({} slots)", self.slots.len())
    }
}
