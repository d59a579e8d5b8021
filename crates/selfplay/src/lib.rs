//! selfplay.
