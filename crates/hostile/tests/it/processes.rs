//! The processes a test started, found by a word of their command lines.

use std::fs;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A word that no other test uses.
pub(crate) fn tag() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("tag-{}-{}.", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The processes with this word.
pub(crate) fn with(tag: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("there is /proc").flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let tagged = |number: &u32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|word| word == tag.as_bytes())
    };
    numbers.filter(tagged).collect()
}

/// Waits for something that has to come about, however slow the machine is.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}: not within a minute");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Our children that have ended and that nobody has waited for.
pub(crate) fn zombies() -> Vec<u32> {
    let tasks = fs::read_dir("/proc/self/task").expect("there is /proc").flatten();
    let read = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).ok();
    let children: Vec<String> = tasks.filter_map(read).collect();
    let numbers = children.iter().flat_map(|text| text.split_whitespace());
    let ended = |number: &u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z'))
    };
    numbers.filter_map(|text| text.parse().ok()).filter(ended).collect()
}
