//! How much memory this process may still take.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that the process can still be given: the least of what the machine has left, what its
/// control group allows and what the limit on its address space (`ulimit -v`) allows. `None` where
/// the system tells nothing of it.
pub(crate) fn available() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let machine = kilobytes(&read("/proc/meminfo"), "MemAvailable:");
    let limit = address_space(&read("/proc/self/limits"));
    let used = kilobytes(&read("/proc/self/status"), "VmSize:");
    let addresses = limit.zip(used).map(|(limit, used)| limit.saturating_sub(used));
    let group = groups(&read("/proc/self/cgroup")).iter().filter_map(|path| in_group(path)).min();
    [machine, addresses, group].into_iter().flatten().min()
}

/// The number behind a key that the kernel gives in kB, in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The soft limit on the address space; `None` if there is none.
fn address_space(limits: &str) -> Option<u64> {
    let rest = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    rest.split_whitespace().next()?.parse().ok()
}

/// The folders of the process's control group and those it lies in, from its `/proc/self/cgroup`.
fn groups(text: &str) -> Vec<PathBuf> {
    let root = Path::new("/sys/fs/cgroup");
    let own = text.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let folder = root.join(own);
    folder.ancestors().take_while(|path| path.starts_with(root)).map(Path::to_owned).collect()
}

/// What a control group (version 2) leaves; pages of files that it can drop count as free.
fn in_group(folder: &Path) -> Option<u64> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let statistics = read("memory.stat").unwrap_or_default();
    let files = statistics.lines().find_map(|line| line.strip_prefix("inactive_file "));
    let files = files.and_then(|bytes| bytes.trim().parse().ok()).unwrap_or(0);
    let used = number("memory.current")?.saturating_sub(files);
    Some(number("memory.max")?.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_texts() {
        let info = "MemTotal:       24000000 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(kilobytes(info, "MemAvailable:"), Some(1_024_000));
        assert_eq!(kilobytes(info, "VmSize:"), None);
        let limits = "Limit        Soft Limit  Hard Limit  Units\n\
                      Max address space         8000000     unlimited            bytes\n";
        assert_eq!(address_space(limits), Some(8_000_000));
        assert_eq!(address_space(&limits.replace("8000000", "unlimited")), None);
        let groups = groups("0::/user/one\n");
        let expected = ["/sys/fs/cgroup/user/one", "/sys/fs/cgroup/user", "/sys/fs/cgroup"];
        assert_eq!(groups, expected.map(PathBuf::from));
    }

    #[test]
    fn a_group_counts_what_it_cannot_drop() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in
            [("memory.max", "1000\n"), ("memory.current", "700\n"), ("memory.stat", "anon 1\n")]
        {
            fs::write(dir.path().join(name), text).unwrap();
        }
        assert_eq!(in_group(dir.path()), Some(300));
        fs::write(dir.path().join("memory.stat"), "anon 1\ninactive_file 200\n").unwrap();
        assert_eq!(in_group(dir.path()), Some(500));
        fs::write(dir.path().join("memory.max"), "max\n").unwrap();
        assert_eq!(in_group(dir.path()), None);
    }

    #[test]
    fn something_is_left_here() {
        assert!(available().is_none_or(|bytes| bytes > 1 << 20));
    }
}
