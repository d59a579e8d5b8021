//! The subcommands, one file each: arguments, work, output.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod doctor;
#[cfg(feature = "torch")]
pub(crate) mod export;
pub(crate) mod inspect;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod rate;
pub(crate) mod solve;
pub(crate) mod sprt;
pub(crate) mod variant;

use std::fmt;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use rules::{Color, Game, Move, MoveTextError, Notation, Outcome, Position, Termination, Variant};
use serde::Serialize;

/// A variant and a position of it, as most commands take them.
#[derive(Clone, Debug, Args)]
pub(crate) struct PositionArgs {
    /// A built-in variant's id, or the path of a variant file; if left out, that of the net where one
    /// is named, else micro.
    #[arg(long)]
    variant: Option<String>,
    /// The position as FEN or SFEN; the start position if left out.
    #[arg(long)]
    fen: Option<String>,
    /// The start of a handicap game, such as `six`; `variant list --json` names them.
    #[arg(long, conflicts_with = "fen")]
    handicap: Option<String>,
}

impl PositionArgs {
    /// Takes the position from elsewhere on the command line.
    pub(crate) fn set_fen(&mut self, fen: String) {
        self.fen = Some(fen);
    }

    /// The game that starts from the position.
    pub(crate) fn game(&self) -> Result<Game> {
        self.game_of(|| load_variant("micro"))
    }

    /// The same, of another variant where none is named.
    pub(crate) fn game_of(&self, unnamed: impl Fn() -> Result<Arc<Variant>>) -> Result<Game> {
        let variant = self.variant.as_deref().map_or_else(unnamed, load_variant)?;
        let position = match (&self.fen, &self.handicap) {
            (None, None) => variant.start().clone(),
            (None, Some(name)) => handicap(&variant, name)?,
            (Some(text), _) => Position::parse(&variant, text)
                .with_context(|| format!("`{text}` is no position of {}", variant.id()))?,
        };
        Ok(Game::from_position(variant, position))
    }
}

/// A variant as the settings of a run change it: move limit (0 = as it is), handicap (empty = none).
pub(crate) fn as_in_run(
    mut variant: Arc<Variant>,
    max_plies: u32,
    name: &str,
) -> Result<Arc<Variant>> {
    if max_plies > 0 {
        variant = Arc::new(variant.with_max_plies(max_plies));
    }
    if !name.is_empty() {
        variant = Arc::new(variant.with_start(handicap(&variant, name)?));
    }
    Ok(variant)
}

/// The variant that a run plays, with the run's settings.
pub(crate) fn variant_of_run(run: &Path) -> Result<Arc<Variant>> {
    let read = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
    };
    let (file, config) = (run.join("variant.toml"), run.join("config.toml"));
    let variant = parse_variant(&file.display().to_string(), &read(&file)?)?;
    let config: toml::Table =
        read(&config)?.parse().with_context(|| config.display().to_string())?;
    let limit = config.get("max_plies").and_then(toml::Value::as_integer).unwrap_or(0);
    let handicap = config.get("handicap").and_then(toml::Value::as_str).unwrap_or_default();
    as_in_run(Arc::new(variant), u32::try_from(limit)?, handicap)
}

/// The start of a handicap game by its name.
pub(crate) fn handicap(variant: &Variant, name: &str) -> Result<Position> {
    if let Some(start) = variant.handicap(name) {
        return Ok(start.clone());
    }
    let known: Vec<&str> = variant.handicaps().map(|(name, _)| name).collect();
    match nearest(name, &known) {
        None => bail!("{} has no handicap games", variant.id()),
        Some(near) => bail!(
            "{} has no handicap `{name}`; did you mean `{near}`? Known: {}",
            variant.id(),
            known.join(", ")
        ),
    }
}

/// The known name most like this one.
fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let alike = |known: &str| strsim::jaro_winkler(known, name);
    known.iter().copied().max_by(|a, b| alike(a).total_cmp(&alike(b)))
}

/// How moves are written and read.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct NotationArgs {
    /// How moves are written: usi, uci, ucci, wxf, western or kif; uci if left out. Moves are read in
    /// it too, and in USI or UCI, except that under ucci only ucci is read.
    #[arg(long, value_name = "NOTATION")]
    notation: Option<Notation>,
}

impl NotationArgs {
    pub(crate) fn write(self, game: &Game, mv: Move) -> String {
        self.notation.unwrap_or(Notation::Uci).write(game, mv)
    }

    pub(crate) fn read(self, game: &Game, text: &str) -> Result<Move, MoveTextError> {
        match self.notation {
            None | Some(Notation::Usi | Notation::Uci) => game.parse_move(text),
            Some(Notation::Ucci) => Notation::Ucci.read(game, text),
            Some(notation) => {
                notation.read(game, text).or_else(|error| game.parse_move(text).map_err(|_| error))
            }
        }
    }
}

/// A built-in variant by its id, or one from a file.
pub(crate) fn load_variant(name: &str) -> Result<Arc<Variant>> {
    if let Some(variant) = Variant::builtin(name) {
        return Ok(variant);
    }
    if !Path::new(name).exists() {
        let known = Variant::builtin_ids();
        let word = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        bail!(
            "there is no variant `{name}`; did you mean `{}`? Known: {}; or name a file",
            nearest(word, known).expect("some variants are built in"),
            known.join(", ")
        );
    }
    Ok(Arc::new(parse_variant(name, &variant_text(name)?)?))
}

/// The text of a built-in variant or a variant file.
pub(crate) fn variant_text(name: &str) -> Result<String> {
    if let Some(text) = Variant::builtin_text(name) {
        return Ok(text.to_owned());
    }
    // A little more than is accepted will do to be refused.
    let mut text = Vec::new();
    fs::File::open(name)
        .and_then(|file| file.take(MAX_VARIANT).read_to_end(&mut text))
        .with_context(|| format!("cannot read {name}"))?;
    String::from_utf8(text).with_context(|| format!("{name} is not UTF-8 text"))
}

/// So much of a variant file is read, in bytes.
const MAX_VARIANT: u64 = 1 << 20;

/// Compiles the text of the file `name`; it may extend the built-in variants. Faults come one a line,
/// `name:line:column: what is wrong`.
pub(crate) fn parse_variant(name: &str, text: &str) -> Result<Variant> {
    let builtin = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    Variant::parse(text, &builtin).map_err(|faults| faults.of_file(name).into())
}

/// How a game ended or would end.
#[derive(Serialize)]
pub(crate) struct Ending {
    winner: Option<&'static str>,
    termination: &'static str,
}

impl Ending {
    /// Whether it came about like this.
    pub(crate) fn is(&self, termination: Termination) -> bool {
        self.termination == termination.as_str()
    }
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Self { winner: outcome.winner.map(side), termination: outcome.termination.as_str() }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{}, {side} wins", self.termination),
            None => write!(f, "{}, a draw", self.termination),
        }
    }
}

/// A side's name in output.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "first",
        Color::White => "second",
    }
}
