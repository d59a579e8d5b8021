//! Tests of the public API of `rules`.

mod perft;
