//! The subcommands, one file each: arguments, work, output.

pub(crate) mod bench;
pub(crate) mod doctor;
#[cfg(feature = "torch")]
pub(crate) mod export;
pub(crate) mod inspect;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod variant;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args;
use rules::{Game, Position, Variant};

/// A variant and a position of it, as most commands take them.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// A built-in variant's id, or the path of a variant file.
    #[arg(long, default_value = "micro")]
    variant: String,
    /// The position as FEN or SFEN; the start position if left out.
    #[arg(long)]
    fen: Option<String>,
}

impl PositionArgs {
    /// The game that starts from the position.
    pub(crate) fn game(&self) -> Result<Game> {
        let variant = load_variant(&self.variant)?;
        let position = match &self.fen {
            None => variant.start().clone(),
            Some(text) => Position::parse(&variant, text)
                .with_context(|| format!("`{text}` is no position of {}", variant.id()))?,
        };
        Ok(Game::from_position(variant, position))
    }
}

/// A built-in variant by its id, or one from a file.
pub(crate) fn load_variant(name: &str) -> Result<Arc<Variant>> {
    if let Some(variant) = Variant::builtin(name) {
        return Ok(variant);
    }
    let path = Path::new(name);
    if !path.exists() {
        let known = Variant::builtin_ids();
        let nearest = known
            .iter()
            .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
        bail!(
            "there is no variant `{name}`; did you mean `{}`? Known: {}; or name a file",
            nearest.expect("some variants are built in"),
            known.join(", ")
        );
    }
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    Ok(Arc::new(parse_variant(&text).with_context(|| name.to_owned())?))
}

/// Compiles a variant's text; it may extend the built-in ones.
pub(crate) fn parse_variant(text: &str) -> Result<Variant> {
    let builtin = |id: &str| Variant::builtin_text(id).map(str::to_owned);
    Ok(Variant::parse(text, &builtin)?)
}
