//! The page: its template with style, scripts and data put in.

use std::collections::BTreeMap;
use std::sync::Arc;

use rules::{Game, Variant};
use serde::Serialize;

use super::figures::Figures;
use super::games::{Games, Row};
use super::look::Look;
use super::openings::Opening;
use super::replay::{Replay, replay};
use super::{GameSummary, Lang};

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// Scripts of every page, before its own and after.
const BEFORE: [&str; 6] = [
    include_str!("texts.js"),
    include_str!("charts.js"),
    include_str!("position.js"),
    include_str!("board.js"),
    include_str!("viewer.js"),
    include_str!("page.js"),
];
const AFTER: &str = "start();\n";
/// The kinds of pages.
pub(super) const RUN: &str = "run";
pub(super) const TOURNAMENT: &str = "tournament";

/// Bytes of games in a page, about.
pub(super) const GAME_BYTES: usize = 3_500_000;

/// A finished page.
pub(crate) struct Page {
    pub(crate) html: String,
    /// What is in it to step through.
    pub(super) games: Vec<GameSummary>,
    /// What could not be read or replayed.
    pub(super) faults: Vec<String>,
}

/// What the scripts of the page work on.
#[derive(Serialize)]
struct Data<'a> {
    kind: &'static str,
    /// Null: English text, Japanese pieces.
    lang: Option<Lang>,
    variant: Look,
    #[serde(flatten)]
    figures: &'a Figures,
    generations: Vec<Row>,
    openings: BTreeMap<u32, Vec<Opening>>,
    games: Vec<Replay>,
    /// Record files: read and known.
    files: [usize; 2],
    faults: &'a [String],
}

/// Makes the page.
pub(super) fn build(
    variant: &Arc<Variant>,
    lang: Option<Lang>,
    figures: &Figures,
    games: &Games,
) -> Page {
    let mut faults = games.faults().to_vec();
    let (replays, summaries) = replays(variant, games, &mut faults);
    let mut start = Game::new(Arc::clone(variant));
    let data = Data {
        kind: RUN,
        lang,
        variant: Look::of(variant),
        figures,
        generations: games.rows(),
        openings: games.openings().map(|(of, tree)| (of, tree.shown(&mut start))).collect(),
        games: replays,
        files: games.files(),
        faults: &faults,
    };
    let json = serde_json::to_string(&data).expect("the data is plain");
    Page { html: assemble(RUN, &json), games: summaries, faults }
}

/// The games to show, as many as there is room for; in order of generation and number.
fn replays(
    variant: &Arc<Variant>,
    games: &Games,
    faults: &mut Vec<String>,
) -> (Vec<Replay>, Vec<GameSummary>) {
    let (mut chosen, mut bytes) = (BTreeMap::new(), 0);
    for (record, reason) in games.shown() {
        match replay(variant, record, reason) {
            Err(fault) => faults.push(fault),
            Ok((replay, fens)) => {
                bytes += serde_json::to_string(&replay).map_or(0, |text| text.len());
                if bytes > GAME_BYTES {
                    break;
                }
                let generation = super::replay::generation(record);
                let group = generation.to_string();
                let summary = GameSummary { game_id: record.game_id, group, fens };
                chosen.insert((generation, record.game_id), (replay, summary));
            }
        }
    }
    chosen.into_values().unzip()
}

/// The scripts of a kind of page.
fn scripts(kind: &str) -> String {
    let own = match kind {
        TOURNAMENT => include_str!("tournament.js"),
        _ => include_str!("run.js"),
    };
    BEFORE.concat() + own + AFTER
}

/// Fills the template. Nothing that comes from a file gets into the page but as JSON.
pub(super) fn assemble(kind: &str, json: &str) -> String {
    let (scripts, data) = (scripts(kind), in_script(json));
    let parts = [("/* style */", STYLE), ("/* data */", &data), ("/* scripts */", &scripts)];
    let (mut html, mut rest) = (String::new(), TEMPLATE);
    for (marker, text) in parts {
        let (before, after) = rest.split_once(marker).expect("the template has its markers");
        html.push_str(before);
        html.push_str(text);
        rest = after;
    }
    html + rest
}

/// JSON that can neither end the element it stands in nor begin another.
fn in_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_leave_its_element() {
        let hostile = r#"{"name":"</script><script>alert(1)</script><!-- & ' "}"#;
        let html = assemble(RUN, hostile);
        assert_eq!(html.matches("</script").count(), 2, "the data's and the scripts' own");
        assert!(!html.contains("alert(1)<"));
        let data = html.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
        let value: serde_json::Value = serde_json::from_str(data).unwrap();
        let original: serde_json::Value = serde_json::from_str(hostile).unwrap();
        assert_eq!(value, original);
    }

    #[test]
    fn the_page_needs_nothing_else() {
        for kind in [RUN, TOURNAMENT] {
            let html = assemble(kind, "{}");
            let html = html.replace("http://www.w3.org/2000/svg", "").replace("url(#", "");
            for foreign in ["src=", "http://", "https://", "@import", "url("] {
                assert!(!html.contains(foreign), "{foreign}");
            }
            assert!(!scripts(kind).contains("innerHTML"), "texts are never markup");
        }
    }
}
