//! The openings of a tournament.

use std::sync::Arc;

use anyhow::{Context, Result};
use arena::{Opening, OpeningConfig, OpeningError, openings, read_list, shuffle};
use rules::{Seed, Variant};

use super::config::{OpeningsConfig, Order};
use crate::output;

/// Generated openings of a tournament without end.
const ENDLESS: u64 = 1000;

/// The openings of a list, if there is its `text`, else generated ones: `needed`, so that none comes
/// twice, if there are so many. Without end none is.
pub(crate) fn of(
    config: &OpeningsConfig,
    variant: &Arc<Variant>,
    text: Option<&str>,
    needed: Option<u64>,
    seed: Seed,
) -> Result<Vec<Opening>> {
    let seed = seed.derive("openings", 0);
    let openings = match text {
        Some(text) => listed(config, variant, text, seed)?,
        None => generated(config, variant, needed.unwrap_or(ENDLESS), seed)?,
    };
    let have = openings.len() as u64;
    if needed.is_some_and(|needed| needed > have) {
        output::note(&format!("there are only {have} openings: they come again and again"));
    }
    Ok(openings)
}

fn listed(
    config: &OpeningsConfig,
    variant: &Arc<Variant>,
    text: &str,
    seed: Seed,
) -> Result<Vec<Opening>> {
    let list =
        read_list(variant, text, config.plies as usize).with_context(|| config.file.clone())?;
    if list.repeated > 0 {
        output::note(&format!(
            "{}: {} lines lead to positions of earlier ones and are left out",
            config.file, list.repeated
        ));
    }
    let mut openings = list.openings;
    if config.order == Order::Shuffled {
        shuffle(&mut openings, seed);
    }
    Ok(openings)
}

fn generated(
    config: &OpeningsConfig,
    variant: &Arc<Variant>,
    needed: u64,
    seed: Seed,
) -> Result<Vec<Opening>> {
    let count = if config.count > 0 { config.count as usize } else { needed as usize };
    let settings = OpeningConfig {
        min_plies: config.min_plies,
        max_plies: config.max_plies,
        simulations: config.simulations,
    };
    match openings(variant, count, &settings, seed) {
        Err(OpeningError::TooFew { found, .. }) if found > 0 => {
            Ok(openings(variant, found, &settings, seed)?)
        }
        openings => Ok(openings?),
    }
}
