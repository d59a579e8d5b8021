//! Statistics over the games of a run by generation, and the games worth showing.
//!
//! Memory and time stay bounded: record files are sampled evenly when there are many, and only some
//! generations keep games and openings when there are many of those.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use arena::{Estimate, Trinomial};
use records::{GameRecord, PlyRecord};
use serde::Serialize;

use super::openings::Tree;
use super::replay::{generation, trimmed};

/// Bytes of record files read at once; of more files, every second, third, … is read.
const BYTES: u64 = 32 << 20;
/// Most generations whose games and openings are shown.
const SHOWN_GENERATIONS: u32 = 48;
/// Most faults that are told one by one.
const FAULTS: usize = 20;

/// What was read of a run's record files.
#[derive(Debug)]
pub(super) struct Games {
    /// Most games shown of a generation.
    limit: usize,
    known: BTreeSet<OsString>,
    files_read: usize,
    faults: Vec<String>,
    generations: BTreeMap<u32, Generation>,
}

/// What is known of a generation.
#[derive(Debug, Default)]
struct Generation {
    /// Results of the first player.
    first: Trinomial,
    /// Games by length in plies, opening included.
    lengths: BTreeMap<usize, u64>,
    /// Games by termination and winner.
    endings: BTreeMap<String, u64>,
    positions: u64,
    policy_entropy: Mean,
    visit_entropy: Mean,
    openings: Tree,
    shown: Shown,
}

#[derive(Debug, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

/// The games of a generation that are worth a look.
#[derive(Debug, Default)]
struct Shown {
    /// The first ones.
    firsts: Vec<Arc<GameRecord>>,
    last: Option<Arc<GameRecord>>,
    longest: Option<Arc<GameRecord>>,
    /// The shortest that somebody won.
    shortest: Option<Arc<GameRecord>>,
    /// The one whose winner had been closest to losing, with the lowest expected score.
    comeback: Option<(f32, Arc<GameRecord>)>,
}

/// Figures of a generation for the page.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    generation: u32,
    games: u64,
    positions: u64,
    /// Mean length in plies; then the lengths that 10, 50 and 90 % of the games do not exceed.
    mean: f64,
    low: usize,
    median: usize,
    high: usize,
    endings: BTreeMap<String, u64>,
    /// Mean score of the first player with its 95 % interval; null without games.
    score: Option<[f64; 3]>,
    /// Mean entropy of the policy target and of the root's visits, in nats.
    policy_entropy: Option<f64>,
    visit_entropy: Option<f64>,
}

impl Games {
    /// Nothing read yet; shows at most `limit` games of a generation.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            known: BTreeSet::new(),
            files_read: 0,
            faults: Vec::new(),
            generations: BTreeMap::new(),
        }
    }

    /// Reads the record files of a folder that were not there the last time. A file that cannot be
    /// read is a fault to tell, not an error.
    pub(super) fn catch_up(&mut self, folder: &Path) -> Result<()> {
        let (files, bytes) = self.new_files(folder)?;
        let stride = bytes.div_ceil(BYTES).max(1) as usize;
        let last = files.len().saturating_sub(1);
        for (at, file) in files.iter().enumerate() {
            if at.is_multiple_of(stride) || at == last {
                match records::read_file(file) {
                    Ok(games) => games.iter().for_each(|game| self.add(game)),
                    Err(error) => self.fault(error.to_string()),
                }
                self.files_read += 1;
                self.thin();
            }
        }
        Ok(())
    }

    /// The record files not seen before, in order, and their size together.
    fn new_files(&mut self, folder: &Path) -> Result<(Vec<PathBuf>, u64)> {
        let (mut files, mut bytes) = (Vec::new(), 0);
        let cannot = || format!("cannot read {}", folder.display());
        for entry in fs::read_dir(folder).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            let file = entry.path();
            if file.extension().is_some_and(|end| end == "parquet")
                && self.known.insert(entry.file_name())
            {
                bytes += entry.metadata().with_context(cannot)?.len();
                files.push(file);
            }
        }
        files.sort();
        Ok((files, bytes))
    }

    fn fault(&mut self, text: String) {
        match self.faults.len() {
            FAULTS.. => {}
            _ => self.faults.push(text),
        }
    }

    fn add(&mut self, game: &GameRecord) {
        for ply in &game.plies {
            self.generations.entry(ply.generation).or_default().add_ply(ply);
        }
        let number = generation(game);
        let kept = self.keeps(number);
        self.generations.entry(number).or_default().add(game, kept.then_some(self.limit));
    }

    /// Whether games and openings of the generation are shown: of the newest, and of some of the
    /// others.
    fn keeps(&self, generation: u32) -> bool {
        let newest = self.generations.keys().next_back().copied().unwrap_or(0);
        let stride = (newest / SHOWN_GENERATIONS + 1).next_power_of_two();
        generation.is_multiple_of(stride) || generation + 1 >= newest
    }

    /// Forgets what is no longer shown, and the rare openings of generations that are over.
    fn thin(&mut self) {
        let newest = self.generations.keys().next_back().copied().unwrap_or(0);
        let kept: Vec<bool> = self.generations.keys().map(|&number| self.keeps(number)).collect();
        for ((&number, generation), kept) in self.generations.iter_mut().zip(kept) {
            if !kept {
                generation.openings = Tree::default();
                generation.shown = Shown::default();
            } else if number + 2 < newest {
                generation.openings.prune();
            }
        }
    }

    /// Record files: read and known.
    pub(super) fn files(&self) -> [usize; 2] {
        [self.files_read, self.known.len()]
    }

    pub(super) fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The figures of each generation.
    pub(super) fn rows(&self) -> Vec<Row> {
        self.generations.iter().map(|(&number, generation)| generation.row(number)).collect()
    }

    /// The openings of each generation that has some.
    pub(super) fn openings(&self) -> impl Iterator<Item = (u32, &Tree)> {
        let of = self.generations.iter().map(|(&number, of)| (number, &of.openings));
        of.filter(|(_, tree)| *tree != &Tree::default())
    }

    /// The games to show: all the most telling ones first, the newest generation's before others.
    /// Each with the reason, a key of the page's texts.
    pub(super) fn shown(&self) -> Vec<(&GameRecord, &'static str)> {
        let newest_first = self.generations.values().rev();
        let lists: Vec<_> =
            newest_first.map(|generation| generation.shown.by_priority(self.limit)).collect();
        let of_rank = |rank: usize| lists.iter().filter_map(move |list| list.get(rank).copied());
        (0..self.limit).flat_map(of_rank).map(|(game, reason)| (game.as_ref(), reason)).collect()
    }
}

impl Generation {
    fn add_ply(&mut self, ply: &PlyRecord) {
        self.positions += 1;
        if !ply.full_search {
            return;
        }
        if !ply.policy_target.is_empty() {
            self.policy_entropy.add(entropy(ply.policy_target.iter().map(|&p| f64::from(p))));
        }
        let visits: u64 = ply.visits.iter().map(|&visits| u64::from(visits)).sum();
        if visits > 0 {
            let shares = ply.visits.iter().map(|&own| f64::from(own) / visits as f64);
            self.visit_entropy.add(entropy(shares));
        }
    }

    /// Counts a game, and keeps it if it is one of those worth showing.
    fn add(&mut self, game: &GameRecord, limit: Option<usize>) {
        let half_points = match game.outcome.as_str() {
            "first" => 2,
            "second" => 0,
            _ => 1,
        };
        self.first.add(half_points);
        *self.lengths.entry(length(game)).or_default() += 1;
        *self.endings.entry(game.termination.clone()).or_default() += 1;
        let Some(limit) = limit else { return };
        // Random opening moves say nothing about what the generation likes.
        if game.start_moves.is_empty() {
            let moves: Vec<u32> = game.plies.iter().map(|ply| ply.mv).collect();
            self.openings.add(&moves, half_points as u64);
        }
        self.shown.add(game, limit);
    }

    fn row(&self, generation: u32) -> Row {
        let games = self.first.games();
        let plies: u64 = self.lengths.iter().map(|(&length, games)| length as u64 * games).sum();
        let estimate = Estimate::of_games(&self.first);
        Row {
            generation,
            games,
            positions: self.positions,
            mean: plies as f64 / games.max(1) as f64,
            low: self.length_at(games.div_ceil(10)),
            median: self.length_at(games.div_ceil(2)),
            high: self.length_at((games * 9).div_ceil(10)),
            endings: self.endings.clone(),
            score: estimate.map(|estimate| [estimate.score, estimate.low, estimate.high]),
            policy_entropy: self.policy_entropy.value(),
            visit_entropy: self.visit_entropy.value(),
        }
    }

    /// The length of the game at a place, from 1, among all in order of length; 0 without games.
    fn length_at(&self, place: u64) -> usize {
        let mut before = 0;
        let mut reaches = |games: u64| {
            before += games;
            before >= place
        };
        self.lengths.iter().find(|&(_, &games)| reaches(games)).map_or(0, |(&length, _)| length)
    }
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl Shown {
    fn add(&mut self, game: &GameRecord, limit: usize) {
        let won = game.outcome != "draw";
        let longer = |best: &Arc<GameRecord>| length(game) > length(best);
        let shorter = |best: &Arc<GameRecord>| length(game) < length(best);
        let is_longest = self.longest.as_ref().is_none_or(longer);
        let is_shortest = won && self.shortest.as_ref().is_none_or(shorter);
        let lowest = lowest_of_winner(game);
        let is_comeback = won && self.comeback.as_ref().is_none_or(|(best, _)| lowest < *best);
        let game = Arc::new(trimmed(game));
        let kept = || Some(Arc::clone(&game));
        if is_longest {
            self.longest = kept();
        }
        if is_shortest {
            self.shortest = kept();
        }
        if is_comeback {
            self.comeback = kept().map(|game| (lowest, game));
        }
        if self.firsts.len() < limit {
            self.firsts.extend(kept());
        }
        self.last = Some(game);
    }

    /// At most `limit` games, each once.
    fn by_priority(&self, limit: usize) -> Vec<(&Arc<GameRecord>, &'static str)> {
        let comeback = self.comeback.as_ref().map(|(_, game)| game);
        let mut firsts = self.firsts.iter();
        let first = firsts.next();
        let chosen = [
            (self.last.as_ref(), "last"),
            (self.longest.as_ref(), "longest"),
            (self.shortest.as_ref(), "shortest"),
            (comeback, "comeback"),
            (first, "first"),
        ];
        let chosen = chosen.into_iter().filter_map(|(game, reason)| Some((game?, reason)));
        let mut ids = BTreeSet::new();
        let all = chosen.chain(firsts.map(|game| (game, "early")));
        all.filter(|(game, _)| ids.insert(game.game_id)).take(limit).collect()
    }
}

/// Plies of a game, its opening included.
fn length(game: &GameRecord) -> usize {
    game.start_moves.len() + game.plies.len()
}

/// The lowest expected score, 0 to 1, that the searches gave the winner at the winner's own plies.
fn lowest_of_winner(game: &GameRecord) -> f32 {
    // The last ply is the winner's, but for wins by the other side's fault, which are no comebacks.
    let own = game.plies.iter().rev().step_by(2);
    own.map(|ply| ply.root_wdl[0] + ply.root_wdl[1] / 2.0).fold(1.0, f32::min)
}

/// Entropy of a distribution in nats.
fn entropy(shares: impl Iterator<Item = f64>) -> f64 {
    -shares.filter(|&share| share > 0.0).map(|share| share * share.ln()).sum::<f64>()
}

#[cfg(test)]
mod tests;
