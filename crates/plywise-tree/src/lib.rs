//! Search trees: recorded node by node, kept in a file, questioned and checked.
//!
//! [`Recording`] writes the tree of any game while it is searched; [`Tree`] reads it, whether or not the recording came to
//! its end. The file keeps the nodes in the order in which the search left them, each with the size of its subtree: what
//! a node is made of stands before it, so its children are found by walking back, and a file that was cut off holds whole
//! subtrees and the line that was open.

mod block;
mod check;
mod costs;
mod diff;
mod file;
mod filter;
mod names;
mod node;
mod notation;
mod pack;
mod pipe;
mod query;
mod reader;
mod recorder;
mod stats;

pub use check::{Board, Checked, Finding, KnownBoard, Played, check};
pub use costs::MoveCost;
pub use diff::{Act, Parting, parting};
#[doc(hidden)]
pub use file::mend_checksums;
pub use file::{Effects, Head, Order, Summary};
pub use filter::Filter;
pub use names::{NodeNames, describe_node, names_of};
pub use node::{Ended, LEAVERS, LeftOut, Node, NodeId};
pub use notation::{NULL_MOVE, SentNotation, TreeNotation};
pub use pack::PackError;
pub use pipe::{FindNotation, PipeError, numbered, record_pipe};
pub use query::{Answer, FIELDS, Query, QueryError, assert_none, describe_fields, fields_to_json, node_fields};
pub use reader::{Replay, Step, Texts, Tree, TreeError, Visit};
pub use recorder::{Entry, Exit, Recorded, Recorder, Recording, Stream};
pub use stats::{AgainStats, CutStats, DepthStats, IterationStats, Stats, Subtree, TechniqueStats};
