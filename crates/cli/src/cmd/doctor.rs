//! `narikin doctor`: what is there, what is missing, what mends it.

use anyhow::Result;
use serde::Serialize;

use crate::{Verdict, output, runtime};

/// Arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  narikin doctor --json")]
pub(crate) struct Args {
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Finding {
    what: &'static str,
    good: bool,
    found: String,
}

#[derive(Serialize)]
struct Report {
    findings: Vec<Finding>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let findings = vec![cpu(), memory(), onnxruntime(), libtorch()];
    let good = findings.iter().all(|finding| finding.good);
    let report = Report { findings };
    if args.json {
        output::json(&report);
    } else {
        for Finding { what, good, found } in &report.findings {
            let mark = if *good { "ok" } else { "PROBLEM" };
            output::result(&format!("{what:14} {mark:8} {found}"));
        }
    }
    Ok(if good { Verdict::Good } else { Verdict::Failed })
}

fn cpu() -> Finding {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    #[cfg(target_arch = "x86_64")]
    let fast = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let fast = true;
    let found = if fast {
        format!("{cores} cores")
    } else {
        format!("{cores} cores without AVX2 and FMA, which the build targets")
    };
    Finding { what: "processor", good: fast, found }
}

fn memory() -> Finding {
    let text = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))
        .and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let found = match available {
        Some(kilobytes) => format!("{:.1} GB available", kilobytes as f64 / 1e6),
        None => "unknown".to_owned(),
    };
    let good = available.is_none_or(|kilobytes| kilobytes >= 1_000_000);
    Finding { what: "memory", good, found }
}

fn onnxruntime() -> Finding {
    let loaded = runtime::load();
    Finding {
        what: "ONNX Runtime",
        good: loaded.is_ok(),
        found: match loaded {
            Ok(runtime) => format!("{} at {}", runtime.version(), runtime.path().display()),
            Err(error) => format!("{error:#}"),
        },
    }
}

#[cfg(feature = "torch")]
fn libtorch() -> Finding {
    let found = format!("built in, devices: {}", net::devices().join(", "));
    Finding { what: "libtorch", good: true, found }
}

#[cfg(not(feature = "torch"))]
fn libtorch() -> Finding {
    let found = "left out of this build, which has no run, selfplay, learn, export".to_owned();
    Finding { what: "libtorch", good: true, found }
}
