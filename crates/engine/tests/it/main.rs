//! Tests of the public interface, with evaluators that move a clock of their own.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod common;

mod answers;
mod commands;
mod limits;
mod memory;
