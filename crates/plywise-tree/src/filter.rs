use crate::recorder::Entry;
use plywise_game::Depth;
use plywise_search::Purpose;
use std::fmt;

/// Which nodes of a long search are recorded. What hangs below a node that is not recorded is not recorded either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only these iterations, first and last.
    pub iterations: Option<(i32, i32)>,
    /// Only nodes with more than this many plies left.
    pub above: Option<i32>,
    /// Only nodes fewer than this many plies from the root.
    pub below: Option<usize>,
    /// Of subtrees with fewer than this many nodes, only one in this many.
    pub sample: Option<u64>,
}

impl Filter {
    /// Whether a node is recorded whose parent is.
    pub(crate) fn lets_through(&self, entry: &Entry) -> bool {
        let iteration = entry.depth.whole_plies();
        let of_iteration = match self.iterations {
            Some((first, last)) if entry.purpose == Some(Purpose::Root) => (first..=last).contains(&iteration),
            _ => true,
        };
        of_iteration
            && self.above.is_none_or(|plies| entry.depth > Depth::plies(plies))
            && self.below.is_none_or(|ply| entry.ply < ply)
    }
}

/// Whether a filter, as files name it, records all moves of a node or none: what follows from the moves before one can be
/// checked then.
pub(crate) fn keeps_siblings(filter: &str) -> bool {
    !filter.contains(ABOVE) && !filter.contains(SAMPLE)
}

// The options that leave out some moves of a node.
const ABOVE: &str = "--above";
const SAMPLE: &str = "--sample";

impl fmt::Display for Filter {
    /// As the options that ask for it.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let options = [
            self.iterations.map(|(first, last)| format!("--iterations {first}-{last}")),
            self.above.map(|depth| format!("{ABOVE} {depth}")),
            self.below.map(|ply| format!("--below {ply}")),
            self.sample.map(|one_in| format!("{SAMPLE} 1/{one_in}")),
        ];
        write!(f, "{}", options.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}
