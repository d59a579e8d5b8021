//! Configurations: of runs and of tournaments, layered alike.
//!
//! [`layers`] resolves files, `extends` and `--set`, and reports every fault of every layer at once, with
//! file and line. [`differences`] tells which keys of something resumed have changed.

mod keys;
mod layers;
#[cfg(feature = "torch")]
mod run;

use std::time::Duration;

#[cfg(feature = "torch")]
pub(crate) use keys::KeyKind;
pub(crate) use keys::differences;
pub(crate) use layers::{ConfigErrors, Fault, Layered, load_with_list};
#[cfg(feature = "torch")]
pub(crate) use run::{Backend, RunConfig};

/// What a time looks like, for messages.
pub(crate) const DURATION: &str = "a time such as 90s, 10m, 2h 30m or 3d, at most ten years";

/// Reads `10m`, `2h 30m`, `3d`.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_secs(10 * 366 * 24 * 3600);
    humantime::parse_duration(text.trim()).ok().filter(|time| *time <= LONGEST)
}
