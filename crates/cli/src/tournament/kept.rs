//! A tournament and its games, as they are shown: standings and page.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use arena::GameResult;
use rules::Variant;

use super::config::TournamentConfig;
use super::dir::{CONFIG, GAMES};
use super::{anchor, journal, ruled, schedule, sprt, variant};
use crate::report::{Lang, Page, tournament};
use crate::standings::Standings;

/// The games so far and what they were played by.
pub(crate) struct Kept {
    /// That of the directory.
    pub(crate) name: String,
    pub(crate) config: TournamentConfig,
    pub(crate) variant: Arc<Variant>,
    /// Of the players, by number.
    pub(crate) names: Vec<String>,
    pub(crate) games: Vec<GameResult>,
}

impl Kept {
    /// Whether a directory is a tournament's.
    pub(crate) fn is_in(dir: &Path) -> bool {
        dir.join(CONFIG).exists()
    }

    /// Reads a tournament's directory and changes nothing in it; the tournament may go on meanwhile.
    ///
    /// # Errors
    /// A file that cannot be read or understood.
    pub(crate) fn read(dir: &Path) -> Result<Self> {
        let config = TournamentConfig::load(&dir.join(CONFIG), &[])?;
        let variant = ruled(variant(&config)?, &config.rules)?;
        let names = config.names();
        let (games, _) = journal::read(&dir.join(GAMES), &variant, &names)?;
        let full = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        let name = full.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, config, variant, names, games })
    }

    /// What the games say.
    ///
    /// # Errors
    /// The ratings cannot be fitted.
    pub(crate) fn standings(&self) -> Result<Standings> {
        let anchor = anchor(&self.config, &self.names)?;
        Standings::of(&self.names, &self.games, sprt(&self.config), anchor)
    }

    /// The page, with at most `limit` games of each two players.
    ///
    /// # Errors
    /// The ratings cannot be fitted.
    pub(crate) fn page(&self, lang: Option<Lang>, limit: usize) -> Result<Page> {
        let test = sprt(&self.config);
        let of = tournament::Tournament {
            name: &self.name,
            variant: &self.variant,
            players: &self.names,
            games: &self.games,
            test,
            anchor: anchor(&self.config, &self.names)?,
            format: self.config.format.as_str(),
            seed: self.config.seed,
            // How many games a test takes is not known before.
            planned: schedule(&self.config).games().filter(|_| test.is_none()),
        };
        tournament::build(&of, lang, limit)
    }
}
