//! The processes that a program has started.

use rustix::process::{Pid, Signal, kill_process};

/// A process by its number and when it was started, for numbers are used again.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Descendant {
    number: i32,
    started: String,
}

impl Descendant {
    /// The process that has this number now.
    fn of(number: i32) -> Option<Descendant> {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // `number (name) state …`, where the name may have blanks and brackets; the 22nd is the start.
        let started = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.to_owned();
        Some(Descendant { number, started })
    }
}

/// The children of a process and theirs, as far as /proc shows them.
pub(super) fn descendants(process: u32) -> Vec<Descendant> {
    let (mut open, mut found) = (vec![process.cast_signed()], Vec::new());
    while let Some(parent) = open.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten();
        for task in tasks.flatten() {
            let children = std::fs::read_to_string(task.path().join("children"));
            let children = children.unwrap_or_default();
            for number in children.split_whitespace().filter_map(|text| text.parse().ok()) {
                found.extend(Descendant::of(number));
                open.push(number);
            }
        }
    }
    found
}

/// Kills those that still live.
pub(super) fn kill_all(processes: &[Descendant]) {
    for process in processes {
        let same = Descendant::of(process.number).as_ref() == Some(process);
        if let Some(number) = Pid::from_raw(process.number).filter(|_| same) {
            let _ = kill_process(number, Signal::KILL);
        }
    }
}
