//! Units and whole files as their users see them.

mod files;
mod units;
