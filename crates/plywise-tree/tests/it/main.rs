//! Trees of real searches: recorded, read, questioned, checked.

mod check;
mod damage;
mod file;
mod pipe;
mod query;
mod support;
