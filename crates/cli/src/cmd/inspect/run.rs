//! A run: where it stands, how strong it is, what is in its games, what is damaged.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::records::{Records, record_files};
use super::{checkpoint, entries, plain};
use crate::results::{Facts, Ladder, Opponent};
use crate::run_dir::{State, read_toml};
use crate::text::{clock, thousands};
use crate::{Verdict, output};

/// What a run's directory holds; beside these fields, those of its record files.
#[derive(Serialize)]
struct Report {
    kind: &'static str,
    dir: String,
    phase: &'static str,
    generation: u32,
    active_seconds: f64,
    /// As in the configuration, such as `10m`.
    budget: Option<String>,
    seed: Option<i64>,
    evaluations: u64,
    elo: Option<f64>,
    /// Half the 95 % interval.
    elo_error: Option<f64>,
    checkpoints: Vec<Checkpoint>,
    /// Files and folders that were set aside as damaged before.
    set_aside: Vec<String>,
    /// The closing matches, if the run has ended.
    opponents: Vec<Opponent>,
    #[serde(flatten)]
    records: Records,
}

#[derive(Serialize)]
struct Checkpoint {
    number: u64,
    step: u64,
    good: bool,
    /// Why it cannot be read at all.
    fault: Option<String>,
}

/// Says what is in a run's directory.
pub(super) fn inspect(path: &Path, json: bool) -> Result<Verdict> {
    let report = Report::read(path)?;
    if json {
        output::json(&report);
    } else {
        output::result(&report.lines().join("\n"));
    }
    let whole = report.checkpoints.iter().all(|checkpoint| checkpoint.good);
    Ok(if whole { report.records.verdict() } else { Verdict::Failed })
}

impl Report {
    fn read(run: &Path) -> Result<Self> {
        let state: State = read_toml(&run.join("state.toml"))?.unwrap_or_else(State::new);
        let arena = run.join("metrics/arena.csv");
        let elo = if arena.is_file() { Ladder::read(&arena)?.elo() } else { None };
        let Facts { seed, budget, matches, .. } = Facts::read(run, state.generation)?;
        Ok(Self {
            kind: "run",
            dir: run.display().to_string(),
            phase: state.phase.name(),
            generation: state.generation,
            active_seconds: state.active_seconds,
            budget,
            seed,
            evaluations: state.evaluations,
            elo: elo.map(|(elo, _)| elo),
            elo_error: elo.map(|(_, error)| error),
            checkpoints: checkpoints(run)?,
            set_aside: set_aside(run)?,
            opponents: matches.unwrap_or_default().opponents,
            records: Records::of(&record_files(run)?),
        })
    }

    fn lines(&self) -> Vec<String> {
        let active = Duration::try_from_secs_f64(self.active_seconds).unwrap_or_default();
        let elo = match (self.elo, self.elo_error) {
            (Some(elo), Some(error)) => format!("Elo {elo:+.0} ±{error:.0} above generation 0"),
            _ => "not yet rated".to_owned(),
        };
        let mut lines = vec![
            format!("{}: generation {}, {elo}; next: {}", self.dir, self.generation, self.phase),
            format!(
                "{} active of {}, {} evaluations in self-play",
                clock(active),
                plain(self.budget.as_deref().unwrap_or("an unknown budget")),
                thousands(self.evaluations)
            ),
        ];
        for Opponent { name, games, score, low, high, .. } in &self.opponents {
            lines.push(format!(
                "  against {}: {:.1} % [{:.1}, {:.1}] in {games} games",
                plain(name),
                score * 100.0,
                low * 100.0,
                high * 100.0
            ));
        }
        if let Some(newest) = self.checkpoints.last() {
            let (count, step) = (self.checkpoints.len(), thousands(newest.step));
            lines.push(format!(
                "{count} checkpoints, the newest {} after {step} steps",
                newest.number
            ));
        }
        for of in self.checkpoints.iter().filter(|of| !of.good) {
            let fault = of.fault.as_deref().unwrap_or("a file is damaged or missing");
            lines.push(format!("DAMAGED checkpoint {}: {}", of.number, plain(fault)));
        }
        lines.extend(self.set_aside.iter().map(|path| format!("set aside: {}", plain(path))));
        lines.push(self.records.text(false));
        lines
    }
}

/// The checkpoints, all files of all of them checked.
fn checkpoints(run: &Path) -> Result<Vec<Checkpoint>> {
    let folders = entries(&run.join("checkpoints"))?;
    let numbered = folders.iter().filter_map(|folder| {
        let number = folder.file_name()?.to_str()?.parse().ok()?;
        Some((number, folder))
    });
    Ok(numbered
        .map(|(number, folder)| match checkpoint::Report::read(folder) {
            Ok(report) => Checkpoint { number, step: report.step, good: report.good, fault: None },
            Err(error) => {
                Checkpoint { number, step: 0, good: false, fault: Some(format!("{error:#}")) }
            }
        })
        .collect())
}

/// What earlier openings of the run found damaged and moved away.
fn set_aside(run: &Path) -> Result<Vec<String>> {
    let mut paths = entries(&run.join("games/damaged"))?;
    paths.extend(entries(&run.join("checkpoints/damaged"))?);
    Ok(paths.iter().map(|path| path.display().to_string()).collect())
}
