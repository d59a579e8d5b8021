//! A tournament's directory.
//!
//! `games.csv` grows by lines; every other file is written whole. `tournament.toml` makes the directory
//! a tournament's, with the configuration that it keeps.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena::GameResult;
use rules::Variant;
use serde::{Deserialize, Serialize};

use super::config::{ExecutionConfig, TournamentConfig};
use super::journal::{self, Journal, Row};
use super::kifu;
use crate::cmd::variant_text;
use crate::config::differences;
use crate::run_dir::{read_toml, remove_temporary, take_lock, write_whole};

/// The configuration, and what makes the directory a tournament's.
pub(super) const CONFIG: &str = "tournament.toml";
const MANIFEST: &str = "manifest.json";
pub(super) const GAMES: &str = "games.csv";
/// The own copies of files that the configuration names.
const VARIANT: &str = "variant.toml";
const OPENINGS: &str = "openings.txt";
/// What may be there before `tournament.toml` is.
const EARLY: [&str; 5] = ["lock", CONFIG, VARIANT, OPENINGS, MANIFEST];

/// What a tournament was played with; `manifest.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Program and version.
    pub(crate) producer: String,
    pub(crate) host: String,
    pub(crate) seed: u64,
    pub(crate) variant: String,
    /// Fingerprints of the rules with the changes of `[rules]`.
    pub(crate) board_fingerprint: String,
    pub(crate) rules_fingerprint: String,
    pub(crate) players: Vec<Origin>,
}

/// Where a player comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin {
    pub(crate) name: String,
    pub(crate) player: String,
    /// SHA-256 of the net's file, in hex; none without a net.
    pub(crate) model: Option<String>,
    /// What an outside engine calls itself.
    pub(crate) engine: Option<String>,
}

/// The directory, and the lock that makes this process its only writer.
pub(crate) struct TournamentDir {
    root: PathBuf,
    _lock: File,
}

impl TournamentDir {
    /// Opens a tournament's directory for writing, making it if need be.
    ///
    /// # Errors
    /// Another process holds it; it cannot be written; it is full of other things.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        if root.is_dir() && !root.join(CONFIG).exists() {
            refuse_foreign(root)?;
        }
        fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
        let lock = take_lock(&root.join("lock"), "the tournament")?;
        remove_temporary(root)?;
        Ok(Self { root: root.to_owned(), _lock: lock })
    }

    /// Compares configuration, openings and players with those of the directory, or keeps them where
    /// it is new.
    ///
    /// # Errors
    /// All differences that matter to games.
    pub(crate) fn agree(
        &self,
        config: &TournamentConfig,
        openings: Option<&str>,
        manifest: &Manifest,
    ) -> Result<()> {
        if let Some(before) = read_toml::<TournamentConfig>(&self.root.join(CONFIG))? {
            self.compare(&before, config, openings, manifest)?;
        } else {
            if !config.variant.is_empty() && Variant::builtin_text(&config.variant).is_none() {
                self.write(VARIANT, variant_text(&config.variant)?.as_bytes())?;
            }
            if let Some(openings) = openings {
                self.write(OPENINGS, openings.as_bytes())?;
            }
            let json = serde_json::to_string_pretty(manifest)?;
            self.write(MANIFEST, (json + "\n").as_bytes())?;
        }
        // Last: with it the directory is a tournament's.
        self.write(CONFIG, toml::to_string(&kept(config))?.as_bytes())
    }

    fn compare(
        &self,
        before: &TournamentConfig,
        config: &TournamentConfig,
        openings: Option<&str>,
        manifest: &Manifest,
    ) -> Result<()> {
        let free = |config: &TournamentConfig| TournamentConfig {
            execution: ExecutionConfig::default(),
            ..kept(config)
        };
        let changed = differences(&free(before), &free(config));
        let mut lines: Vec<String> = changed.iter().map(ToString::to_string).collect();
        let path = self.root.join(MANIFEST);
        let known =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let known: Manifest = serde_json::from_str(&known)
            .with_context(|| format!("{} is damaged", path.display()))?;
        if known.rules_fingerprint != manifest.rules_fingerprint {
            lines.push(format!("the rules of {}", manifest.variant));
        }
        for (before, now) in known.players.iter().zip(&manifest.players) {
            if before.name == now.name && before.model != now.model {
                lines.push(format!("the net of {}", now.name));
            }
        }
        let kept_openings = fs::read_to_string(self.root.join(OPENINGS)).ok();
        if openings.is_some() && kept_openings.as_deref() != openings {
            lines.push(format!("what {} holds", config.openings.file));
        }
        if lines.is_empty() {
            return Ok(());
        }
        bail!(
            "{} is another tournament; name another --dir, or go on with it as it is: `narikin \
             tournament {}`. What differs:\n  {}",
            self.root.display(),
            self.root.display(),
            lines.join("\n  ")
        )
    }

    /// The games so far, and the file for more.
    pub(crate) fn games(
        &self,
        variant: &Arc<Variant>,
        names: &[String],
    ) -> Result<(Journal, Vec<GameResult>)> {
        Journal::open(&self.root.join(GAMES), variant, names)
    }

    /// Writes the games that count, sorted, in every form there is.
    pub(crate) fn write_games(
        &self,
        variant: &Arc<Variant>,
        names: &[String],
        games: &[GameResult],
    ) -> Result<()> {
        let rows: Vec<Row> = games.iter().map(|game| Row::of(variant, names, game)).collect();
        self.write(GAMES, &journal::file_of(&rows))?;
        self.write("games.parquet", &super::parquet::encode(variant, names, games)?)?;
        for (name, text) in kifu::files(variant, &self.name(), names, games) {
            self.write(name, text.as_bytes())?;
        }
        Ok(())
    }

    /// What the tournament is called.
    pub(crate) fn name(&self) -> String {
        let name = self.root.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "tournament".to_owned())
    }

    /// Writes a file, whole or not at all.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        write_whole(&self.root.join(name), bytes)
    }
}

/// The configuration as the directory keeps it: its own copies in place of files that lie elsewhere.
fn kept(config: &TournamentConfig) -> TournamentConfig {
    let mut kept = config.clone();
    if !kept.variant.is_empty() && Variant::builtin_text(&kept.variant).is_none() {
        kept.variant = VARIANT.to_owned();
    }
    if !kept.openings.file.is_empty() {
        kept.openings.file = OPENINGS.to_owned();
    }
    kept
}

/// A directory without a tournament in it must be empty, but for what one may have begun with.
fn refuse_foreign(root: &Path) -> Result<()> {
    for entry in fs::read_dir(root).with_context(|| format!("cannot read {}", root.display()))? {
        let name = entry?.file_name();
        let ours = |early: &&str| name == **early || name == *format!("{early}.tmp");
        if !EARLY.iter().any(ours) {
            bail!(
                "{} has no {CONFIG}, so it is no tournament, and holds `{}`; name an empty or a new \
                 directory with --dir",
                root.display(),
                name.display()
            );
        }
    }
    Ok(())
}
