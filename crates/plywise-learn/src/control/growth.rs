use super::{Counts, Slots};
use plywise_game::Game;
use plywise_search::{Bound, Entered, Extension, Observer, Progress};

/// Counts along in a search how many nodes it would have with each weight altered (section 6.4.2, appendix B).
///
/// Beside the depth of a line in the search there is one for each weight, a little greater for every move that has that
/// weight. As soon as such a depth reaches the limit of the iteration, the nodes below are not counted for that weight.
/// The node that reaches the limit counts, quiescence does not.
#[derive(Clone, Debug)]
pub struct GrowthCounter {
    slots: Slots,
    /// What each weight is altered by, in hundredths of a ply. It must be positive: a line can only become shorter.
    delta: i32,
    /// The nodes from the root to where the search is. A search inside a node, to find its first move or to verify a
    /// verdict, puts that node here twice.
    line: Vec<Entry>,
    /// The nominal depth of the running iteration.
    depth: i32,
    nodes: u64,
    /// For each weight, the nodes that it would not have reached.
    missed: [u64; MOST],
    finished: Counts,
}

/// The most weights.
const MOST: usize = 8;

#[derive(Clone, Copy, Debug)]
struct Entry {
    ply: usize,
    /// How much deeper the line is with each weight altered, in hundredths of a ply.
    deeper: [i32; MOST],
    /// Bits of the weights with which the search would go on from here.
    goes_on: u8,
}

impl GrowthCounter {
    /// A counter for weights that are altered by `delta` hundredths of a ply.
    pub fn new(slots: Slots, delta: i32) -> GrowthCounter {
        debug_assert!(delta > 0 && slots.len() <= MOST);
        GrowthCounter {
            slots,
            delta,
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            missed: [0; MOST],
            finished: Counts::default(),
        }
    }

    /// The nodes of the last finished iteration; none where there was no such.
    pub fn finished(&self) -> Option<&Counts> {
        (self.finished.depth > 0).then_some(&self.finished)
    }

    /// A node is entered with this many hundredths of a ply left.
    pub fn enter(&mut self, ply: usize, left: i32, extension: Option<Extension>) {
        let Some(parent) = self.parent(ply) else {
            return self.enter_root(ply, left);
        };
        self.count(parent.goes_on);
        let mut deeper = parent.deeper;
        if let Some(slot) = extension.and_then(|extension| self.slots.slot(extension)) {
            deeper[slot] += self.delta;
        }
        let mut goes_on = 0;
        for (i, &deeper) in deeper.iter().enumerate() {
            goes_on |= u8::from(left > deeper) << i;
        }
        self.line.push(Entry { ply, deeper, goes_on: goes_on & parent.goes_on });
    }

    fn enter_root(&mut self, ply: usize, left: i32) {
        if self.line.is_empty() && left / 100 != self.depth {
            (self.depth, self.nodes, self.missed) = (left / 100, 0, [0; MOST]);
        }
        self.count(u8::MAX);
        self.line.push(Entry { ply, deeper: [0; MOST], goes_on: u8::MAX });
    }

    /// A node where the depth is used up.
    pub fn horizon(&mut self, ply: usize) {
        if let Some(parent) = self.parent(ply) {
            self.count(parent.goes_on);
        }
    }

    /// The node that was entered last is left.
    pub fn leave(&mut self) {
        self.line.pop();
    }

    /// An iteration is finished.
    pub fn finish(&mut self, depth: i32) {
        // What a broken-off iteration leaves is reported with the depth of the one before.
        if depth == self.depth {
            let altered = self.missed[..self.slots.len()].iter().map(|missed| self.nodes - missed).collect();
            self.finished = Counts { depth, nodes: self.nodes, altered };
        }
    }

    #[inline]
    fn parent(&self, ply: usize) -> Option<Entry> {
        self.line.iter().rev().find(|entry| entry.ply < ply).copied()
    }

    #[inline]
    fn count(&mut self, reached: u8) {
        self.nodes += 1;
        for (i, missed) in self.missed.iter_mut().enumerate() {
            *missed += u64::from(!reached >> i & 1);
        }
    }
}

impl<G: Game> Observer<G> for GrowthCounter {
    fn progress(&mut self, progress: &Progress<G::Move>) {
        if progress.bound == Bound::Exact && progress.line == 1 {
            self.finish(progress.depth);
        }
    }

    fn enter(&mut self, node: &Entered<'_, G>) {
        GrowthCounter::enter(self, node.ply, node.depth.in_hundredths(), node.extension);
    }

    fn horizon(&mut self, ply: usize) {
        GrowthCounter::horizon(self, ply);
    }

    fn leave(&mut self, _node: &plywise_search::Leaving) {
        GrowthCounter::leave(self);
    }
}
