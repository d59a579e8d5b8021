//! The only place that prints: results on stdout, notes on stderr.
//!
//! A reader that goes away (a closed pipe, a closed terminal) is no reason to stop working, so
//! failed writes are let go. Nor is one that does not read (a full pipe, a terminal on hold):
//! notes are written by a thread of their own.

use std::io::Write;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;

/// Notes that wait for a reader; more are dropped.
const WAITING: usize = 1000;
/// How long the end of the program waits for a reader of its notes.
const PATIENCE: Duration = Duration::from_secs(2);

/// What the writing thread is asked to do.
enum Request {
    Note(String),
    /// Tell when all notes before this are written.
    Flush(SyncSender<()>),
}

static NOTES: OnceLock<SyncSender<Request>> = OnceLock::new();

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
    let notes = NOTES.get_or_init(|| {
        let (sender, requests) = sync_channel(WAITING);
        thread::spawn(move || write_notes(&requests));
        sender
    });
    let _ = notes.try_send(Request::Note(text.to_owned()));
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
            Request::Note(text) => {
                let _ = writeln!(std::io::stderr(), "{text}");
            }
            Request::Flush(written) => {
                let _ = written.send(());
            }
        }
    }
}
