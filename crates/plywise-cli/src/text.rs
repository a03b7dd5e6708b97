//! How numbers and times are shown to people.

pub use plywise_host::{milliseconds, nodes_per_second, show_count, show_counted, show_time};
