//! From the players of a configuration to those of the arena.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use arena::{EnginePlayer, EngineSpec, Entrant, Player, PlayerError};
use engine::BoxedEvaluator;
use rules::Variant;
use sha2::{Digest, Sha256};

use super::clocked::Clocked;
use super::config::{PlayerEntry, TournamentConfig};
use super::dir::Origin;
use crate::config::duration;
use crate::nets;
use crate::players::{NetSource, PlayerName, Which};

/// Gives every player its number: entries that stand for many generations become as many, and names
/// are checked to differ.
///
/// # Errors
/// No such run or generation; two players of one name; too few of them.
pub(crate) fn resolve(config: &mut TournamentConfig) -> Result<()> {
    let mut players = Vec::new();
    for entry in &config.player {
        let name: PlayerName = entry.player.parse().map_err(anyhow::Error::msg)?;
        let found = name.resolved()?;
        let many = found.len() > 1;
        for one in found {
            let name = match (&one, many && !entry.name.is_empty()) {
                (PlayerName::Run { which: Which::One(number), .. }, true) => {
                    format!("{}-{number}", entry.name)
                }
                _ => entry.name.clone(),
            };
            players.push(PlayerEntry { player: one.to_string(), name, ..entry.clone() });
        }
    }
    config.player = players;
    let mut seen = BTreeMap::new();
    for (entry, number) in config.player.iter().zip(1..) {
        if let Some(other) = seen.insert(entry.shown().to_owned(), number) {
            bail!(
                "players {other} and {number} are both called `{}`: give one of them a `name`",
                entry.shown()
            );
        }
    }
    let count = config.player.len();
    ensure!(count >= 2, "a tournament needs two players or more, each under [[player]]");
    ensure!(
        config.format != super::config::FormatName::Gauntlet || (config.seeds as usize) < count,
        "seeds = {} leaves nobody else of {count} players to meet",
        config.seeds
    );
    Ok(())
}

/// What a player is made of.
fn engine(entry: &PlayerEntry, name: &PlayerName) -> Result<Option<EngineSpec>> {
    let PlayerName::Engine { protocol, command } = name else { return Ok(None) };
    let time = |text: &String| duration(text).expect("checked when loaded");
    let filled = |text: &String| (!text.is_empty()).then(|| text.clone());
    let notation = filled(&entry.notation).map(|text| text.parse()).transpose()?;
    Ok(Some(EngineSpec {
        args: entry.args.clone(),
        directory: filled(&entry.directory).map(Into::into),
        notation,
        variant: filled(&entry.engine_variant),
        options: entry.options.clone(),
        start_limit: time(&entry.start_limit),
        stall_limit: time(&entry.stall_limit),
        log: filled(&entry.log).map(Into::into),
        ..EngineSpec::new(command, *protocol)
    }))
}

/// Makes sure that every player can be made, and says where it comes from. Engines are started and
/// ended for it.
///
/// # Errors
/// The first player that cannot be made.
pub(crate) fn origins(
    config: &TournamentConfig,
    source: &NetSource,
    variant: &Variant,
) -> Result<Vec<Origin>> {
    let of = |entry: &PlayerEntry| -> Result<Origin> {
        let name: PlayerName = entry.player.parse().map_err(anyhow::Error::msg)?;
        let mut origin = Origin {
            name: entry.shown().to_owned(),
            player: entry.player.clone(),
            model: None,
            engine: None,
        };
        if let Some(spec) = engine(entry, &name)? {
            origin.engine = Some(spec.probe(variant)?);
        } else {
            source.player(&name, entry.search())?;
            let model = name.model(source.run.as_deref())?;
            origin.model = model.map(|path| sha256(&path)).transpose()?;
        }
        Ok(origin)
    };
    config
        .player
        .iter()
        .map(|entry| of(entry).with_context(|| format!("player `{}`", entry.shown())))
        .collect()
}

fn sha256(path: &Path) -> Result<String> {
    let bytes = nets::bytes(path)?;
    Ok(Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// A player of the arena.
pub(crate) fn entrant<'a>(
    entry: &PlayerEntry,
    source: &'a NetSource,
    variant: &Arc<Variant>,
) -> Result<Entrant<'a>> {
    let name: PlayerName = entry.player.parse().map_err(anyhow::Error::msg)?;
    let (shown, search) = (entry.shown().to_owned(), entry.search());
    let mut limits = entry.limits();
    if name.is_yardstick() {
        limits.time = None; // Their strength would depend on the machine otherwise.
    }
    let outside = engine(entry, &name)?;
    let alone = outside.is_some() || limits.time.is_some();
    let make: Box<arena::PlayerFactory<'a>> = match outside {
        Some(spec) => {
            let (name, variant) = (shown.clone(), variant.clone());
            Box::new(move || {
                let player = EnginePlayer::new(name.clone(), spec.clone(), variant.clone());
                Ok(Box::new(player) as Box<dyn Player>)
            })
        }
        None if limits.time.is_some() => {
            let (threads, shown) = (entry.threads.max(1), shown.clone());
            Box::new(move || {
                let evaluator = |_| Ok(Box::new(source.evaluator(&name)?) as BoxedEvaluator);
                let evaluators: Result<_> = (0..threads).map(evaluator).collect();
                let evaluators = evaluators
                    .map_err(|error| PlayerError { player: shown.clone(), source: error.into() })?;
                Ok(Box::new(Clocked::new(shown.clone(), search, evaluators)) as Box<dyn Player>)
            })
        }
        None => Box::new(move || source.player_of_match(&name, search)),
    };
    Ok(Entrant { name: shown, limits, alone, make })
}
