//! What record files a run has: all of them are checked, byte for byte, when it is opened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;

use anyhow::Result;
use records::{ChunkInfo, ChunkStore, RecordsError};

use super::open::or_cores;
use crate::progress::Meter;

/// The record files of a run.
#[derive(Default)]
pub(super) struct Survey {
    /// Sizes of the good ones, by chunk.
    pub(super) chunks: BTreeMap<u64, ChunkInfo>,
    /// Those that were damaged and have been set aside.
    pub(super) damaged: Vec<Damaged>,
}

/// A record file that could not be read.
pub(super) struct Damaged {
    /// File and fault.
    pub(super) error: RecordsError,
    /// Where it lies now.
    pub(super) moved: PathBuf,
}

/// Reads the record files of these chunks on all cores, counting them in `read`, and sets aside the damaged ones; `None` if `stop` was raised
/// meanwhile.
///
/// # Errors
/// A file cannot be read at all, or was written by another version: it is left where it is.
pub(super) fn survey(
    store: &ChunkStore,
    sealed: &[u64],
    read: &Meter,
    stop: &AtomicBool,
) -> Result<Option<Survey>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(sealed.len()));
    thread::scope(|scope| {
        for _ in 0..or_cores(0).min(sealed.len()) {
            scope.spawn(|| {
                while let Some(&chunk) = sealed.get(next.fetch_add(1, Relaxed))
                    && !stop.load(Relaxed)
                {
                    let info = store.info(chunk);
                    read.add(1);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, info));
                }
            });
        }
    });
    if stop.load(Relaxed) {
        return Ok(None);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(chunk, _)| *chunk);
    let mut survey = Survey::default();
    for (chunk, info) in results {
        match info {
            Ok(info) => drop(survey.chunks.insert(chunk, info)),
            Err(error) if error.is_damage() => {
                survey.damaged.push(Damaged { error, moved: store.set_aside(chunk)? });
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(survey))
}
