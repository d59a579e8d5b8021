//! Tests of the public API of `protocol`.

mod cases;
mod junk;
mod trips;
