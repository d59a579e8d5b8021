//! A run one can trust: what goes wrong is told in one clear error and costs nothing that was
//! sealed. Everything is seen as its users see it, by the binary.
#![cfg(feature = "torch")]
#![allow(clippy::unwrap_used, reason = "a test ends where something is missing")]
#![allow(clippy::print_stderr, reason = "a test tells what this machine does not allow")]

mod common;
mod damage;
mod disk;
mod faults;
mod signals;
mod surroundings;
