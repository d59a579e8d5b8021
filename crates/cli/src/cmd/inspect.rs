//! `narikin inspect`: what is in record files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use records::GameRecord;
use serde::Serialize;

use crate::text::thousands;
use crate::{Verdict, output};

/// Arguments of `inspect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin inspect runs/micro\n  \
                        narikin inspect runs/micro/games/000017.parquet --json")]
pub(crate) struct Args {
    /// A run's directory, a folder of record files, or one file.
    path: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct Report {
    variant: String,
    files: usize,
    games: u64,
    positions: u64,
    /// Games whose number occurred before.
    duplicates: u64,
    /// Numbers below the highest that no game has.
    missing: u64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    generations: BTreeSet<u32>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let files = record_files(&args.path)?;
    let mut report = Report { files: files.len(), ..Report::default() };
    let mut numbers = BTreeSet::new();
    for file in &files {
        for game in records::read_file(file)? {
            report.count(&game);
            if !numbers.insert(game.game_id) {
                report.duplicates += 1;
            }
        }
    }
    if let Some(&last) = numbers.last() {
        report.missing = last.saturating_sub(numbers.len() as u64 - 1);
    }
    if args.json {
        output::json(&report);
    } else {
        report.print();
    }
    Ok(if report.duplicates == 0 { Verdict::Good } else { Verdict::Failed })
}

/// The record files that a path means, in order.
fn record_files(path: &Path) -> Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let games = path.join("games");
    let folder = if games.is_dir() { &games } else { path };
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry?.path();
        if file.extension().is_some_and(|extension| extension == "parquet") {
            files.push(file);
        }
    }
    files.sort();
    ensure!(!files.is_empty(), "there are no record files in {}", folder.display());
    Ok(files)
}

impl Report {
    fn count(&mut self, game: &GameRecord) {
        if self.variant.is_empty() {
            self.variant.clone_from(&game.variant);
        }
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.generations.extend(game.plies.iter().map(|ply| ply.generation));
        match game.outcome.as_str() {
            "first" => self.first_wins += 1,
            "second" => self.second_wins += 1,
            _ => self.draws += 1,
        }
    }

    fn print(&self) {
        let first = self.generations.first().copied().unwrap_or(0);
        let last = self.generations.last().copied().unwrap_or(0);
        output::result(&format!(
            "{}: {} games, {} positions in {} files, generations {first} to {last}\n\
             first player wins {}, second {}, draws {}\n\
             {} doubled, {} missing",
            self.variant,
            thousands(self.games),
            thousands(self.positions),
            self.files,
            thousands(self.first_wins),
            thousands(self.second_wins),
            thousands(self.draws),
            self.duplicates,
            self.missing
        ));
    }
}
