//! Record files: games, their lengths and endings, by generation; columns and their sizes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ::records::{ColumnSize, GameRecord, RecordsError, column_sizes, read_file};
use anyhow::{Result, bail, ensure};
use comfy_table::Table;
use serde::Serialize;

use super::{entries, plain, size};
use crate::text::{table, thousands};
use crate::{Verdict, output};

/// Rows of a table that people are shown; JSON has all.
const ROWS: usize = 12;

/// What record files hold.
#[derive(Default, Serialize)]
pub(super) struct Records {
    variant: String,
    files: usize,
    bytes: u64,
    games: u64,
    positions: u64,
    /// Games whose number occurred before.
    pub(super) duplicates: u64,
    /// Numbers below the highest that no game has.
    missing: u64,
    /// Files that cannot be read, and why.
    pub(super) damaged: Vec<Damaged>,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    terminations: BTreeMap<String, u64>,
    /// Plies of a game, those of its start included.
    plies: Plies,
    /// Generations that searched a ply.
    generations: BTreeSet<u32>,
    by_generation: Vec<Generation>,
    columns: Vec<Column>,
    #[serde(skip)]
    numbers: BTreeSet<u64>,
    #[serde(skip)]
    by_number: BTreeMap<u32, Generation>,
}

#[derive(Serialize)]
pub(super) struct Damaged {
    file: String,
    fault: String,
}

#[derive(Default, Serialize)]
struct Plies {
    shortest: u64,
    mean: f64,
    longest: u64,
}

/// The games that ended while a generation played.
#[derive(Clone, Default, Serialize)]
struct Generation {
    generation: u32,
    games: u64,
    /// Plies that it searched, in whatever game.
    positions: u64,
    mean_plies: f64,
    /// 0 to 1.
    first_player_score: f64,
    draws: u64,
    #[serde(skip)]
    first_wins: u64,
    #[serde(skip)]
    plies: u64,
}

/// A column, in all files together.
#[derive(Serialize)]
struct Column {
    name: String,
    bytes: u64,
    unpacked_bytes: u64,
    values: u64,
}

/// Says what is in a folder of record files or in one file.
pub(super) fn inspect(path: &Path, json: bool) -> Result<Verdict> {
    let files = record_files(path)?;
    ensure!(!files.is_empty(), "there are no record files in {}", path.display());
    let records = Records::of(&files);
    if let ([file], [Damaged { fault, .. }]) = (files.as_slice(), records.damaged.as_slice())
        && file == path
    {
        bail!("{}", plain(fault)); // There is nothing else to say.
    }
    if json {
        output::json(&records);
    } else {
        output::result(&records.text(true));
    }
    Ok(records.verdict())
}

/// The record files that a path means, in order.
pub(super) fn record_files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let games = path.join("games");
    let mut files = entries(if games.is_dir() { &games } else { path })?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "parquet"));
    Ok(files)
}

impl Records {
    /// Reads the files one after the other; what is damaged is listed.
    pub(super) fn of(files: &[PathBuf]) -> Self {
        let mut records = Self { files: files.len(), ..Self::default() };
        for file in files {
            records.bytes += file.metadata().map_or(0, |metadata| metadata.len());
            // Reading the games checks the file.
            let read = || Ok::<_, RecordsError>((read_file(file)?, column_sizes(file)?));
            match read() {
                Ok((games, columns)) => {
                    columns.into_iter().for_each(|column| records.add_column(column));
                    games.iter().for_each(|game| records.count(game));
                }
                Err(error) => records
                    .damaged
                    .push(Damaged { file: file.display().to_string(), fault: error.to_string() }),
            }
        }
        records.conclude();
        records
    }

    /// Whether everything is as it should be.
    pub(super) fn verdict(&self) -> Verdict {
        let good = self.duplicates == 0 && self.damaged.is_empty();
        if good { Verdict::Good } else { Verdict::Failed }
    }

    fn add_column(&mut self, of: ColumnSize) {
        let known = self.columns.iter_mut().find(|known| known.name == of.name);
        match known {
            Some(known) => {
                known.bytes += of.packed;
                known.unpacked_bytes += of.unpacked;
                known.values += of.values;
            }
            None => self.columns.push(Column {
                name: of.name,
                bytes: of.packed,
                unpacked_bytes: of.unpacked,
                values: of.values,
            }),
        }
    }

    fn count(&mut self, game: &GameRecord) {
        if self.variant.is_empty() {
            self.variant.clone_from(&game.variant);
        }
        if !self.numbers.insert(game.game_id) {
            self.duplicates += 1;
        }
        let plies = (game.start_moves.len() + game.plies.len()) as u64;
        let Plies { shortest, longest, .. } = &mut self.plies;
        *shortest = if self.games == 0 { plies } else { plies.min(*shortest) };
        *longest = plies.max(*longest);
        self.games += 1;
        self.positions += game.plies.len() as u64;
        *self.terminations.entry(game.termination.clone()).or_insert(0) += 1;
        for ply in &game.plies {
            self.by_number.entry(ply.generation).or_default().positions += 1;
        }
        let last = game.plies.last().map_or(0, |ply| ply.generation);
        let generation = self.by_number.entry(last).or_default();
        generation.games += 1;
        generation.plies += plies;
        match game.outcome.as_str() {
            "first" => {
                self.first_wins += 1;
                generation.first_wins += 1;
            }
            "second" => self.second_wins += 1,
            _ => {
                self.draws += 1;
                generation.draws += 1;
            }
        }
    }

    /// Fills in what follows from the counts.
    fn conclude(&mut self) {
        if let Some(&last) = self.numbers.last() {
            self.missing = last.saturating_sub(self.numbers.len() as u64 - 1);
        }
        self.generations = self.by_number.keys().copied().collect();
        let share = |sum: f64, games: u64| sum / games.max(1) as f64;
        let plies: u64 = self.by_number.values().map(|of| of.plies).sum();
        self.plies.mean = share(plies as f64, self.games);
        let by_number = std::mem::take(&mut self.by_number).into_iter();
        self.by_generation = by_number
            .map(|(generation, of)| Generation {
                generation,
                mean_plies: share(of.plies as f64, of.games),
                first_player_score: share(of.first_wins as f64 + of.draws as f64 / 2.0, of.games),
                ..of
            })
            .collect();
    }

    /// All of it for people; columns only on request.
    pub(super) fn text(&self, columns: bool) -> String {
        let first = self.generations.first().copied().unwrap_or(0);
        let last = self.generations.last().copied().unwrap_or(0);
        let endings = self.terminations.iter();
        let endings: Vec<_> =
            endings.map(|(name, count)| format!("{} {}", plain(name), thousands(*count))).collect();
        let mut lines = vec![
            format!(
                "{}: {} games, {} positions in {} files ({}), generations {first} to {last}",
                plain(&self.variant),
                thousands(self.games),
                thousands(self.positions),
                self.files,
                size(self.bytes)
            ),
            format!(
                "first player wins {}, second {}, draws {}",
                thousands(self.first_wins),
                thousands(self.second_wins),
                thousands(self.draws)
            ),
            format!("endings: {}", endings.join(", ")),
            format!(
                "plies: {:.1} on average, {} to {}",
                self.plies.mean, self.plies.shortest, self.plies.longest
            ),
            format!("{} doubled, {} missing", self.duplicates, self.missing),
        ];
        for Damaged { fault, .. } in &self.damaged {
            lines.push(format!("DAMAGED {}", plain(fault)));
        }
        lines.push(self.generation_table().to_string());
        if columns {
            lines.push(self.column_table().to_string());
        }
        lines.join("\n")
    }

    fn generation_table(&self) -> Table {
        let mut table =
            table(&["generation", "games", "positions", "plies", "first scores", "draws"]);
        let hidden = self.by_generation.len().saturating_sub(ROWS);
        if hidden > 0 {
            table.add_row([format!("{hidden} before")]);
        }
        for of in &self.by_generation[hidden..] {
            table.add_row([
                of.generation.to_string(),
                thousands(of.games),
                thousands(of.positions),
                format!("{:.1}", of.mean_plies),
                format!("{:.1} %", of.first_player_score * 100.0),
                thousands(of.draws),
            ]);
        }
        table
    }

    fn column_table(&self) -> Table {
        let mut table = table(&["column", "size", "unpacked", "values"]);
        for of in &self.columns {
            let (bytes, unpacked) = (size(of.bytes), size(of.unpacked_bytes));
            table.add_row([plain(&of.name), bytes, unpacked, thousands(of.values)]);
        }
        table
    }
}
