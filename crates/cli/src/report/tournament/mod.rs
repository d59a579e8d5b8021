//! The page of a tournament: standings, crosstable, tests, endings, colours, openings, games.

mod figures;
mod games;

use std::sync::Arc;
use std::time::SystemTime;

use anyhow::Result;
use arena::GameResult;
use arena::stats::{Anchor, Sprt};
use rules::Variant;
use serde::Serialize;

use super::Lang;
use super::look::Look;
use super::page::{Page, TOURNAMENT, assemble};
use crate::standings::{Standing, Standings};
use figures::{Ending, Meeting, OfColours, OfOpening, Test};
use games::Played;

/// What the page is made of.
pub(crate) struct Tournament<'a> {
    pub(crate) name: &'a str,
    pub(crate) variant: &'a Arc<Variant>,
    /// The players' names by number.
    pub(crate) players: &'a [String],
    pub(crate) games: &'a [GameResult],
    pub(crate) test: Option<Sprt>,
    /// What ratings are relative to.
    pub(crate) anchor: Anchor,
    /// Such as `round-robin`.
    pub(crate) format: &'a str,
    pub(crate) seed: u64,
    /// Games that the plan has; unknown where a test decides.
    pub(crate) planned: Option<u64>,
}

/// What the scripts of the page work on. Players are named by their place in `standings`.
#[derive(Serialize)]
struct Data<'a> {
    kind: &'static str,
    lang: Option<Lang>,
    variant: Look,
    name: &'a str,
    format: &'a str,
    seed: u64,
    planned: Option<u64>,
    /// When the page was made, in UTC.
    written: String,
    standings: &'a [Standing],
    /// The player that ratings are relative to; null: their mean.
    anchor: Option<&'a str>,
    /// Games in complete pairs, and games of pairs that are not.
    counted: u64,
    halves: u64,
    replays: u64,
    prior: f64,
    groups: usize,
    /// Elo of moving first, and half its 95 % interval.
    advantage: [f64; 2],
    test: Option<Test>,
    meetings: Vec<Meeting>,
    endings: Vec<Ending>,
    colours: OfColours,
    openings: Vec<OfOpening>,
    games: Vec<Played>,
    faults: &'a [String],
}

/// Makes the page, with at most `limit` games of each two players.
///
/// # Errors
/// The ratings cannot be fitted.
pub(crate) fn build(of: &Tournament<'_>, lang: Option<Lang>, limit: usize) -> Result<Page> {
    let standings = Standings::of(of.players, of.games, of.test, of.anchor)?;
    let mut places = vec![0; of.players.len()];
    for (place, player) in standings.players.iter().enumerate() {
        places[player.number] = place;
    }
    let complete = figures::complete(of.games);
    let (games, summaries) = games::shown(of, &places, &standings, limit);
    let data = Data {
        kind: TOURNAMENT,
        lang,
        variant: Look::of(of.variant),
        name: of.name,
        format: of.format,
        seed: of.seed,
        planned: of.planned,
        written: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        counted: complete.len() as u64,
        halves: standings.halves,
        replays: standings.replays,
        prior: standings.prior,
        groups: standings.groups,
        advantage: [standings.advantage, arena::Z95 * standings.advantage_sd],
        test: of.test.as_ref().map(Test::of),
        meetings: figures::meetings(&standings, &places, &complete),
        endings: figures::endings(&places, &complete),
        colours: OfColours::of(&places, &complete),
        openings: figures::openings(of.variant, &complete),
        anchor: match of.anchor {
            Anchor::Mean => None,
            Anchor::Player { player, .. } => of.players.get(player).map(String::as_str),
        },
        standings: &standings.players,
        games,
        faults: &[],
    };
    let json = serde_json::to_string(&data)?;
    Ok(Page { html: assemble(TOURNAMENT, &json), games: summaries, faults: Vec::new() })
}

#[cfg(test)]
mod tests;
