//! What this process takes from the machine, read from `/proc`.

use std::fs;
use std::path::Path;
use std::time::Instant;

/// Clock ticks a second in `/proc/<pid>/stat`; the same on every Linux that we build for.
const TICKS: f64 = 100.0;

/// What the process takes now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Usage {
    /// Resident memory now and at its highest, in MB (10⁶ bytes).
    pub(crate) rss_mb: f64,
    pub(crate) peak_rss_mb: f64,
    /// Time on processors since the look before; 100 is one core all the time.
    pub(crate) cpu_percent: f64,
    pub(crate) threads: u64,
    /// Room on the disk of the run, in GB (10⁹ bytes).
    pub(crate) disk_free_gb: f64,
}

/// Looks at the process again and again.
pub(crate) struct Meter {
    before: (Instant, f64),
}

impl Meter {
    /// Processor time is counted from now on.
    pub(crate) fn start() -> Self {
        Self { before: (Instant::now(), processor_seconds()) }
    }

    /// What the process takes now; figures that the system does not tell are 0.
    pub(crate) fn look(&mut self, folder: &Path) -> Usage {
        let (at, seconds) = std::mem::replace(&mut self.before, Self::start().before);
        let passed = (self.before.0 - at).as_secs_f64();
        let status = read("/proc/self/status");
        let megabytes = |key| number(&status, key) as f64 * 1024.0 / 1e6;
        Usage {
            rss_mb: megabytes("VmRSS:"),
            peak_rss_mb: megabytes("VmHWM:"),
            cpu_percent: 100.0 * (self.before.1 - seconds) / passed.max(1e-3),
            threads: number(&status, "Threads:"),
            disk_free_gb: disk_free(folder).unwrap_or(0) as f64 / 1e9,
        }
    }
}

/// Bytes that a user may still write where a folder lies; `None` if the system does not tell.
pub(crate) fn disk_free(folder: &Path) -> Option<u64> {
    let system = rustix::fs::statvfs(folder).ok()?;
    system.f_bavail.checked_mul(system.f_frsize)
}

/// Processor time of all threads so far, in seconds.
fn processor_seconds() -> f64 {
    let stat = read("/proc/self/stat");
    // The name, in parentheses, may hold anything; user and system time are fields 14 and 15.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / TICKS
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The number behind a key of `/proc/self/status`; 0 if there is none.
fn number(status: &str, key: &str) -> u64 {
    let rest = status.lines().find_map(|line| line.strip_prefix(key));
    let word = rest.and_then(|rest| rest.split_whitespace().next());
    word.and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_seen() {
        let mut meter = Meter::start();
        let ballast = std::hint::black_box(vec![1u8; 64 << 20]);
        let end = Instant::now() + std::time::Duration::from_millis(300);
        let mut turns = 0u64;
        while Instant::now() < end {
            turns = std::hint::black_box(turns + 1);
        }
        let usage = meter.look(Path::new("/"));
        assert!(usage.rss_mb > 64.0 && usage.peak_rss_mb >= usage.rss_mb, "{usage:?}");
        assert!(usage.cpu_percent > 1.0 && usage.threads >= 1, "{usage:?}");
        assert!(usage.disk_free_gb > 0.0, "{usage:?}");
        drop(ballast);
        assert!(meter.look(Path::new("/nowhere")).disk_free_gb == 0.0);
    }
}
