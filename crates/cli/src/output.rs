//! The only place that prints: results on stdout, notes on stderr.
//!
//! A reader that goes away (a closed pipe, a closed terminal) is no reason to stop working, so
//! failed writes are let go. Nor is one that does not read (a full pipe, a terminal on hold):
//! notes are written by a thread of their own, above the bars if there are any.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use indicatif::MultiProgress;
use serde::Serialize;
use serde_json::json;

/// Notes that wait for a reader; more are dropped.
const WAITING: usize = 1000;
/// How long the end of the program waits for a reader of its notes.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the writing thread is asked to do.
enum Request {
    Line(String),
    /// Tell when all notes before this are written.
    Flush(SyncSender<()>),
}

static NOTES: OnceLock<SyncSender<Request>> = OnceLock::new();
/// The bars that are drawn now.
static BARS: Mutex<Option<MultiProgress>> = Mutex::new(None);
/// Whether notes and errors are JSON objects too.
static AS_JSON: AtomicBool = AtomicBool::new(false);

/// Whether stderr is a terminal that can move its cursor.
pub(crate) fn on_terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// Prints a result.
pub(crate) fn result(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}

/// Prints a result as one line of JSON.
pub(crate) fn json<T: Serialize>(value: &T) {
    let text = serde_json::to_string(value).expect("results are plain data");
    result(&text);
}

/// From now on every line on stderr is a JSON object.
#[cfg(feature = "torch")]
pub(crate) fn notes_as_json() {
    AS_JSON.store(true, Relaxed);
}

/// Tells the person at the terminal something beside the result.
pub(crate) fn note(text: &str) {
    if AS_JSON.load(Relaxed) {
        line(json!({"event": "note", "text": text}).to_string());
    } else {
        line(text.to_owned());
    }
}

/// Tells why the program ends.
pub(crate) fn error(text: &str) {
    if AS_JSON.load(Relaxed) {
        line(json!({"event": "error", "text": text}).to_string());
    } else {
        line(format!("error: {text}"));
    }
}

/// Bars that are drawn from now on: what is written on stderr goes above them.
#[cfg(feature = "torch")]
pub(crate) fn above(bars: Option<MultiProgress>) {
    *BARS.lock().unwrap_or_else(PoisonError::into_inner) = bars;
}

/// Writes a line on stderr.
pub(crate) fn line(text: String) {
    let notes = NOTES.get_or_init(|| {
        let (sender, requests) = sync_channel(WAITING);
        thread::spawn(move || write_notes(&requests));
        sender
    });
    let _ = notes.try_send(Request::Line(text));
}

/// Waits until all notes are written, if somebody reads them.
pub(crate) fn flush() {
    let (sender, written) = sync_channel(1);
    if NOTES.get().is_some_and(|notes| notes.try_send(Request::Flush(sender)).is_ok()) {
        let _ = written.recv_timeout(PATIENCE);
    }
}

fn write_notes(requests: &Receiver<Request>) {
    for request in requests {
        match request {
            Request::Line(text) => {
                let bars = BARS.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let _ = match bars {
                    Some(bars) => bars.println(text),
                    None => writeln!(std::io::stderr(), "{text}"),
                };
            }
            Request::Flush(written) => {
                let _ = written.send(());
            }
        }
    }
}
