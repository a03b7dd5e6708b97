//! Trees of real searches: recorded, read, questioned, checked.

mod check;
mod support;
