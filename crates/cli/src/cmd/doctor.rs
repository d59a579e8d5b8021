//! `narikin doctor`: what is there, what is missing, and what mends it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde::Serialize;

use crate::machine::disk_free;
use crate::{Verdict, output, runtime};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin doctor\n  narikin doctor --dir /data/runs --json\n\n\
                        Exit code 1: something that is needed is missing.")]
pub(crate) struct Args {
    /// Where runs are to lie.
    #[arg(long, default_value = "runs")]
    dir: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How one thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    /// Everything works, but not as well as it could.
    Warning,
    /// Something does not work.
    Missing,
}

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    state: State,
    /// Whether nothing is missing.
    good: bool,
    found: String,
    /// The command, or what else there is to do, that mends it.
    fix: Option<String>,
}

#[derive(Serialize)]
struct Report {
    good: bool,
    findings: Vec<Finding>,
}

impl Finding {
    fn ok(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, state: State::Ok, good: true, found: found.into(), fix: None }
    }

    fn warning(what: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Warning, fix: Some(fix.into()), ..Self::ok(what, found) }
    }

    fn missing(what: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { state: State::Missing, good: false, ..Self::warning(what, found, fix) }
    }
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let mut findings =
        vec![processor(), memory(), disk(&args.dir), files(), onnxruntime(), libtorch(), cuda()];
    findings.extend(toolchain());
    let good = findings.iter().all(|finding| finding.good);
    let report = Report { good, findings };
    if args.json {
        output::json(&report);
    } else {
        report.print();
    }
    Ok(if good { Verdict::Good } else { Verdict::Failed })
}

impl Report {
    fn print(&self) {
        for Finding { what, state, found, fix, .. } in &self.findings {
            let mark = match state {
                State::Ok => "ok",
                State::Warning => "warning",
                State::Missing => "MISSING",
            };
            output::result(&format!("{what:13} {mark:8} {found}"));
            if let Some(fix) = fix {
                output::result(&format!("{:13} {:8} -> {fix}", "", ""));
            }
        }
        let missing = self.findings.iter().filter(|finding| !finding.good).count();
        output::result(&match missing {
            0 => "everything that is needed is there".to_owned(),
            _ => format!("{missing} missing"),
        });
    }
}

fn processor() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_arch = "x86_64")]
    let features =
        [("AVX2", is_x86_feature_detected!("avx2")), ("FMA", is_x86_feature_detected!("fma"))];
    #[cfg(not(target_arch = "x86_64"))]
    let features: [(&str, bool); 0] = [];
    let lacks: Vec<_> = features.iter().filter(|(_, has)| !has).map(|(name, _)| *name).collect();
    let has: String = features.iter().map(|(name, _)| format!(", {name}")).collect();
    match lacks.as_slice() {
        [] => Finding::ok("processor", format!("{cores} cores{has}")),
        lacks => Finding::missing(
            "processor",
            format!("{cores} cores without {}, which the program is built for", lacks.join(", ")),
            "take a machine of the level x86-64-v3 (most since 2015)",
        ),
    }
}

fn memory() -> Finding {
    const NEEDED: u64 = 1_000_000_000;
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kilobytes = |key: &str| {
        let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
        rest.trim().trim_end_matches(" kB").parse::<u64>().ok()
    };
    let (Some(available), Some(total)) = (kilobytes("MemAvailable:"), kilobytes("MemTotal:"))
    else {
        return Finding::ok("memory", "the system does not tell");
    };
    let [available, total] = [available, total].map(|kilobytes| kilobytes * 1024);
    let found =
        format!("{:.1} GB available of {:.1} GB", available as f64 / 1e9, total as f64 / 1e9);
    match available < NEEDED {
        false => Finding::ok("memory", found),
        true => Finding::missing(
            "memory",
            format!("{found}; 1 GB is needed"),
            "end other programs (ps aux --sort=-rss | head)",
        ),
    }
}

/// Room where runs are to lie, or would if the folder were made.
fn disk(folder: &Path) -> Finding {
    const NEEDED: u64 = 1_000_000_000;
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let there = whole.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("/"));
    let Some(free) = disk_free(there) else {
        return Finding::ok("disk", format!("the system does not tell for {}", there.display()));
    };
    let found = format!("{:.1} GB free in {}", free as f64 / 1e9, there.display());
    if there.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) {
        let fix = format!("chmod u+w '{}', or name another folder with --dir", there.display());
        return Finding::missing("disk", format!("{} cannot be written", there.display()), fix);
    }
    match free < NEEDED {
        false => Finding::ok("disk", found),
        true => Finding::missing(
            "disk",
            format!("{found}; 1 GB is needed for a run"),
            "name a folder with more room with --dir, here and for `narikin run`",
        ),
    }
}

/// The limit on open files: libraries and nets of a match take some dozens.
fn files() -> Finding {
    const NEEDED: u64 = 256;
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    match line.and_then(|line| line.split_whitespace().next()).map(str::parse::<u64>) {
        Some(Ok(limit)) if limit < NEEDED => Finding::missing(
            "open files",
            format!("at most {limit}; {NEEDED} are needed"),
            "ulimit -n 1024",
        ),
        Some(Ok(limit)) => Finding::ok("open files", format!("at most {limit}")),
        _ => Finding::ok("open files", "without limit"),
    }
}

fn onnxruntime() -> Finding {
    match runtime::load() {
        Ok(runtime) => Finding::ok(
            "ONNX Runtime",
            format!("{} loads from {}", runtime.version(), runtime.path().display()),
        ),
        Err(error) => {
            Finding::missing("ONNX Runtime", format!("{:#}", error.root_cause()), runtime::advice())
        }
    }
}

#[cfg(feature = "torch")]
fn libtorch() -> Finding {
    // A binary that is linked to it does not start without it.
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let path = maps.lines().find_map(|line| {
        let path = Path::new(line.get(line.find('/')?..)?);
        (path.file_name()? == "libtorch_cpu.so").then(|| path.to_owned())
    });
    let Some(path) = path else { return Finding::ok("libtorch", "linked into the program") };
    let header = path.ancestors().nth(2).unwrap_or(Path::new("/"));
    let header = header.join("include/torch/headeronly/version.h");
    let text = fs::read_to_string(header).unwrap_or_default();
    let part = |name: &str| {
        let number = |line: &str| {
            line.strip_prefix("#define TORCH_VERSION_")?.strip_prefix(name)?.trim().parse().ok()
        };
        text.lines().find_map(number).map(|number: u32| number.to_string())
    };
    let parts: Option<Vec<String>> = ["MAJOR", "MINOR", "PATCH"].into_iter().map(part).collect();
    let version = parts.map(|parts| parts.join("."));
    let version = version.unwrap_or_else(|| "of an unknown version".to_owned());
    Finding::ok("libtorch", format!("{version}, linked from {}", path.display()))
}

#[cfg(not(feature = "torch"))]
fn libtorch() -> Finding {
    Finding::warning(
        "libtorch",
        "left out of this program: it has no run, selfplay, learn, export",
        "scripts/narikin doctor (in a checkout; it fetches libtorch and builds with it)",
    )
}

/// GPUs: what the driver shows and what libtorch can use.
fn cuda() -> Finding {
    let driver = fs::read_to_string("/proc/driver/nvidia/version").ok();
    let usable = cuda_devices();
    match (driver.as_deref().and_then(|text| text.lines().next()), usable) {
        (_, 1..) => Finding::ok("CUDA", format!("{usable} devices")),
        (None, _) => Finding::ok("CUDA", "no NVIDIA driver; everything runs on the processor"),
        (Some(driver), _) => Finding::warning(
            "CUDA",
            format!("a driver ({driver}), but this program's libtorch cannot use it"),
            "set LIBTORCH to a libtorch 2.11.0 with CUDA and build again: cargo build --release -p cli",
        ),
    }
}

#[cfg(feature = "torch")]
fn cuda_devices() -> usize {
    net::devices().len() - 1
}

#[cfg(not(feature = "torch"))]
fn cuda_devices() -> usize {
    0
}

/// The compiler, if this is a checkout.
fn toolchain() -> Option<Finding> {
    let manifest: toml::Table = fs::read_to_string("Cargo.toml").ok()?.parse().ok()?;
    let package = manifest.get("workspace")?.get("package")?;
    let wanted = package.get("rust-version")?.as_str()?.to_owned();
    let version = Command::new("rustc").arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    let number = version.as_deref().and_then(|text| text.split_whitespace().nth(1));
    Some(match number {
        Some(number) if numbers(number) >= numbers(&wanted) => {
            Finding::ok("Rust", format!("{number}, for building"))
        }
        Some(number) => Finding::warning(
            "Rust",
            format!("{number}; building needs {wanted} or newer"),
            "rustup update stable",
        ),
        None => Finding::warning(
            "Rust",
            format!("no rustc on the PATH; building needs {wanted} or newer"),
            "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh",
        ),
    })
}

/// The numbers of a version, for comparison.
fn numbers(version: &str) -> Vec<u64> {
    let parts = version.split(['.', '-']).map_while(|part| part.parse().ok());
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(numbers("1.100.0") >= numbers("1.95"));
        assert!(numbers("1.95.0-nightly") >= numbers("1.95"));
        assert!(numbers("1.94.2") < numbers("1.95"));
    }

    #[test]
    fn a_folder_that_is_not_there_yet_lies_on_some_disk() {
        let dir = tempfile::tempdir().unwrap();
        let finding = disk(&dir.path().join("a/b"));
        assert!(finding.found.contains(&dir.path().display().to_string()), "{}", finding.found);
    }
}
