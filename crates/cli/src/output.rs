//! The only place that prints: results on stdout, notes on stderr.
//!
//! A reader that goes away (a closed pipe, a closed terminal) is no reason to stop working, so
//! failed writes are let go.

use std::io::Write;

use serde::Serialize;

/// Prints a result.
pub(crate) fn result(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a result as one line of JSON.
pub(crate) fn json<T: Serialize>(value: &T) {
    let text = serde_json::to_string(value).expect("results are plain data");
    result(&text);
}

/// Tells the person at the terminal something beside the result.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
