//! Networks as the command line names them: built in, in a file, or none.

pub use plywise_host::{NETWORK_OFF as OFF, ZERO_NETWORK as NOTHING, network_lines as profile_lines};
