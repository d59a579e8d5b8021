//! The nets of the zoo, by their cards.

use anyhow::{Context, Result};
use serde_json::Value;

use super::size;
use crate::text::{table, thousands};
use crate::zoo::NETS;
use crate::{Verdict, output};

/// Lists the nets with their size, what they were trained on, and how strong they are.
pub(super) fn inspect(json: bool) -> Result<Verdict> {
    let cards = NETS.iter().map(|net| {
        serde_json::from_str(net.card).with_context(|| format!("the card of zoo:{}", net.name))
    });
    let cards: Vec<Value> = cards.collect::<Result<_>>()?;
    if json {
        output::json(&cards);
        return Ok(Verdict::Good);
    }
    let mut shown =
        table(&["net", "variant", "size", "trained for", "positions", "against", "score"]);
    for (net, card) in NETS.iter().zip(&cards) {
        let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        let run = &card["run"];
        let opponents = run["opponents"].as_array().map_or(&[][..], Vec::as_slice);
        let column =
            |line: fn(&Value) -> String| opponents.iter().map(line).collect::<Vec<_>>().join("\n");
        shown.add_row([
            format!("zoo:{}", net.name),
            text(&card["variant"]),
            size(net.weights.len() as u64),
            text(&run["budget"]),
            thousands(run["positions"].as_u64().unwrap_or(0)),
            column(|of| of["name"].as_str().unwrap_or("?").to_owned()),
            column(score),
        ]);
    }
    output::result(&shown.to_string());
    Ok(Verdict::Good)
}

/// `98.0 % [96.1, 99.9]`.
fn score(opponent: &Value) -> String {
    let percent = |key: &str| opponent[key].as_f64().unwrap_or(f64::NAN) * 100.0;
    format!("{:.1} % [{:.1}, {:.1}]", percent("score"), percent("low"), percent("high"))
}
