//! `narikin report` and the `report.html` of a run or a tournament: tables and charts of its figures
//! and a board on which its games can be stepped through, in one file that needs nothing else.
//!
//! Rust gathers, for a tournament in [`tournament`], for a run: [`figures`] from the CSV files,
//! [`games`] from the record files, [`look`] from the variant, [`replay`] the games to show. [`page`]
//! puts it as JSON into the page with its style and scripts; what is drawn from it is decided there.
//! Only reads from the run, which may go on meanwhile.

mod figures;
mod games;
mod look;
mod openings;
mod page;
mod replay;
pub(crate) mod tournament;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use rules::Variant;
use serde::Serialize;

use crate::run_dir::write_whole;
use crate::text::thousands;
use crate::tournament::Kept;
use crate::{Verdict, cmd, output};
pub(crate) use page::Page;

/// Arguments of `report`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  narikin report runs/micro
  narikin report runs/micro --lang en --games 20 -o micro.html
  narikin report runs/tournaments/cup

The run or tournament may be in progress; nothing in it is changed but report.html.")]
pub(crate) struct Args {
    /// The directory of a run or a tournament.
    dir: PathBuf,
    /// The file to write; `report.html` in the directory if left out.
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Language of page and pieces; English with Japanese pieces if left out. The page can switch.
    #[arg(long, value_enum)]
    lang: Option<Lang>,
    /// Most games of a generation, or of each two players, to put into the page.
    #[arg(long, default_value_t = GAMES)]
    games: usize,
    /// Print one JSON object, with the positions of every game in the page.
    #[arg(long)]
    json: bool,
}

/// Games of a generation, or of each two players, in a page unless told otherwise.
pub(crate) const GAMES: usize = 5;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lang {
    /// Japanese, with kanji on the pieces.
    Ja,
    /// English, with letters on the pieces.
    En,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Summary {
    file: String,
    bytes: usize,
    variant: String,
    games: Vec<GameSummary>,
    faults: Vec<String>,
}

/// A game of the page and its positions by the rules.
#[derive(Serialize)]
pub(crate) struct GameSummary {
    game_id: u64,
    /// Under which heading the page lists it: a generation, or the places of two players.
    group: String,
    /// Before each move and at the end.
    fens: Vec<String>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let file = args.output.clone().unwrap_or_else(|| args.dir.join(FILE));
    let (variant, page) = if Kept::is_in(&args.dir) {
        let kept = Kept::read(&args.dir)?;
        let page = kept.page(args.lang, args.games)?;
        (kept.variant, page)
    } else {
        let mut reporter = Reporter::open(&args.dir, args.lang, args.games)?;
        let page = reporter.page()?;
        (reporter.variant, page)
    };
    write_page(&file, &page)?;
    for fault in &page.faults {
        output::note(fault);
    }
    let (file, bytes) = (file.display().to_string(), page.html.len());
    if args.json {
        output::json(&Summary {
            file,
            bytes,
            variant: variant.id().to_owned(),
            games: page.games,
            faults: page.faults,
        });
    } else {
        let (games, size) = (page.games.len(), thousands(bytes as u64 / 1000));
        output::result(&format!("{file}: {games} games to step through, {size} kB"));
    }
    Ok(Verdict::Good)
}

/// Writes the page, whole or not at all, even if another process is writing it now.
pub(crate) fn write_page(file: &Path, page: &Page) -> Result<()> {
    let mut own = file.as_os_str().to_owned();
    own.push(format!(".{}", std::process::id()));
    write_whole(Path::new(&own), page.html.as_bytes())?;
    fs::rename(&own, file).with_context(|| format!("cannot write {}", file.display()))
}

/// The report's name in a directory.
pub(crate) const FILE: &str = "report.html";

/// Writes the reports of one run; games read for one report are not read again for the next.
pub(crate) struct Reporter {
    run: PathBuf,
    variant: Arc<Variant>,
    lang: Option<Lang>,
    games: games::Games,
}

impl Reporter {
    /// For the run in a directory, with at most `games` games of a generation in the page.
    fn open(run: &Path, lang: Option<Lang>, games: usize) -> Result<Self> {
        ensure!(
            run.join("config.toml").exists(),
            "{} is no run and no tournament: no config.toml, no tournament.toml",
            run.display()
        );
        let variant = cmd::variant_of_run(run)?;
        Ok(Self { run: run.to_owned(), variant, lang, games: games::Games::new(games) })
    }

    /// For the run that this process carries out.
    #[cfg(feature = "torch")]
    pub(crate) fn of_run(run: &Path) -> Result<Self> {
        Self::open(run, None, GAMES)
    }

    /// Writes `report.html` of the run as it stands.
    #[cfg(feature = "torch")]
    pub(crate) fn write(&mut self) -> Result<()> {
        let page = self.page()?;
        write_whole(&self.run.join(FILE), page.html.as_bytes())
    }

    fn page(&mut self) -> Result<page::Page> {
        self.games.catch_up(&self.run.join("games"))?;
        let figures = figures::Figures::read(&self.run)?;
        Ok(page::build(&self.variant, self.lang, &figures, &self.games))
    }
}
