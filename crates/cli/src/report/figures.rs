//! What a run's small files say: configuration, state, CSV files, closing matches.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::results::{Ladder, Matches};
use crate::run_dir::{State, read_toml};

/// Most points of a curve; more are averaged in groups.
const POINTS: usize = 400;
/// The columns of `train.csv` that are losses.
const LOSSES: [&str; 7] =
    ["policy", "wdl", "total", "reply", "soft_policy", "short_term", "plies_left"];

/// Figures of the run as a whole and by generation; the page's keys.
#[derive(Debug, Serialize)]
pub(super) struct Figures {
    name: String,
    seed: i64,
    phase: &'static str,
    generation: u32,
    active_seconds: f64,
    /// Leaves evaluated in self-play.
    evaluations: u64,
    /// When the page was made, in UTC.
    written: String,
    /// Steps and the means of the losses up to them.
    losses: Vec<BTreeMap<String, f64>>,
    throughput: Vec<Throughput>,
    elo: Vec<Elo>,
    verdict: Vec<Opponent>,
}

/// Speed of self-play in a generation.
#[derive(Debug, Default, Serialize)]
struct Throughput {
    generation: u32,
    /// A second of self-play.
    positions: f64,
    evaluations: f64,
}

/// Rating of a generation by all matches of the run, generation 0 being 0.
#[derive(Debug, Serialize)]
struct Elo {
    generation: u32,
    elo: f64,
    /// Half the 95 % interval.
    error: f64,
}

/// A closing match, seen from the run's last generation.
#[derive(Debug, Serialize)]
struct Opponent {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    score: f64,
    low: f64,
    high: f64,
}

impl Figures {
    /// Reads a run.
    ///
    /// # Errors
    /// A file that is there but cannot be understood, with its path.
    pub(super) fn read(run: &Path) -> Result<Self> {
        let config: toml::Table = read_toml(&run.join("config.toml"))?.unwrap_or_default();
        let state: State = read_toml(&run.join("state.toml"))?.unwrap_or_else(State::new);
        let verdict: Matches =
            read_toml(&Matches::path(run, state.generation))?.unwrap_or_default();
        let name = run.canonicalize().unwrap_or_else(|_| run.to_owned());
        Ok(Self {
            name: name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            seed: config.get("seed").and_then(toml::Value::as_integer).unwrap_or(0),
            phase: state.phase.name(),
            generation: state.generation,
            active_seconds: state.active_seconds,
            evaluations: state.evaluations,
            written: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            losses: losses(&run.join("metrics/train.csv"))?,
            throughput: throughput(&run.join("metrics/selfplay.csv"))?,
            elo: elo(&run.join("metrics/arena.csv"))?,
            verdict: verdict.opponents.into_iter().map(Opponent::from).collect(),
        })
    }
}

impl From<crate::results::Opponent> for Opponent {
    fn from(of: crate::results::Opponent) -> Self {
        let crate::results::Opponent { name, wins, draws, losses, score, low, high, .. } = of;
        Self { name, wins, draws, losses, score, low, high }
    }
}

/// The rows of a CSV file by column, numbers only; a row that is being written is left out, and a
/// file that does not exist has none.
fn rows(path: &Path) -> Result<Vec<BTreeMap<String, f64>>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let rows = csv::Reader::from_reader(whole.as_bytes()).into_deserialize();
    let row = |row: Result<BTreeMap<String, String>, csv::Error>| {
        let numbers = row?.into_iter().filter_map(|(key, text)| Some((key, text.parse().ok()?)));
        Ok(numbers.filter(|(_, number): &(_, f64)| number.is_finite()).collect())
    };
    let rows: Result<_, csv::Error> = rows.map(row).collect();
    rows.with_context(|| path.display().to_string())
}

/// The losses over the steps, averaged in groups.
fn losses(path: &Path) -> Result<Vec<BTreeMap<String, f64>>> {
    let rows = rows(path)?;
    let group = rows.len().div_ceil(POINTS).max(1);
    let mean = |rows: &[BTreeMap<String, f64>]| {
        let mut mean = BTreeMap::new();
        for key in LOSSES {
            let values: Vec<f64> = rows.iter().filter_map(|row| row.get(key).copied()).collect();
            if !values.is_empty() {
                mean.insert(key.to_owned(), values.iter().sum::<f64>() / values.len() as f64);
            }
        }
        let last = rows.last().and_then(|row| row.get("step"));
        mean.insert("step".to_owned(), last.copied().unwrap_or(0.0));
        mean
    };
    Ok(rows.chunks(group).map(mean).collect())
}

/// Self-play speed: what all phases of a generation did, by the time they took.
fn throughput(path: &Path) -> Result<Vec<Throughput>> {
    let mut sums: BTreeMap<u32, [f64; 3]> = BTreeMap::new();
    for row in rows(path)? {
        let value = |key: &str| row.get(key).copied().unwrap_or(0.0);
        let sum = sums.entry(value("generation") as u32).or_default();
        for (sum, key) in sum.iter_mut().zip(["seconds", "positions", "evaluations"]) {
            *sum += value(key);
        }
    }
    let of = |(generation, [seconds, positions, evaluations]): (u32, [f64; 3])| Throughput {
        generation,
        positions: positions / seconds,
        evaluations: evaluations / seconds,
    };
    Ok(sums.into_iter().filter(|(_, sum)| sum[0] > 0.0).map(of).collect())
}

/// One fit over all matches, so that early generations gain from later matches.
fn elo(path: &Path) -> Result<Vec<Elo>> {
    let ladder = if path.exists() { Ladder::read(path)? } else { Ladder::default() };
    let ratings = ladder.by_generation().with_context(|| path.display().to_string())?;
    let of = |(generation, (elo, error))| Elo { generation, elo, error };
    Ok(ratings.into_iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_curves_are_averaged_and_cut_rows_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("train.csv");
        let mut text = "generation,step,total,policy\n".to_owned();
        for step in 1..=1000 {
            text.push_str(&format!("1,{step},{},0.5\n", step % 2));
        }
        fs::write(&path, text.clone() + "1,1001,7").unwrap();
        let curve = losses(&path).unwrap();
        assert_eq!(curve.len(), 334);
        assert_eq!(curve[333]["step"], 1000.0);
        assert_eq!(curve[0]["total"], 2.0 / 3.0);
        fs::write(&path, text + "1,2\n").unwrap();
        assert!(losses(&path).unwrap_err().to_string().contains("train.csv"));
    }

    #[test]
    fn phases_of_a_generation_are_one_speed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("selfplay.csv");
        let text = "generation,seconds,positions,evaluations\n3,1,100,200\n3,3,100,1000\n";
        fs::write(&path, text).unwrap();
        let speeds = throughput(&path).unwrap();
        assert_eq!(speeds.len(), 1);
        assert_eq!((speeds[0].positions, speeds[0].evaluations), (50.0, 300.0));
    }
}
