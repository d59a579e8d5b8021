//! The card beside an exported net: what its numbers mean and how it was made, as JSON.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use encode::Encoder;
use model::{Meta, Metadata, NetShape};
use rules::{Game, move_to_usi};
use serde::Serialize;

use super::source::Made;
use super::{Format, Source};
use crate::cmd::moves::Encoded;

/// What `FILE.json` says; keys are added, never renamed.
#[derive(Serialize)]
pub(super) struct Card<'a> {
    /// Version of this description.
    card: u32,
    file: String,
    sha256: String,
    format: &'static str,
    /// `f32` or `f16`: of the weights. Inputs and outputs are `f32`.
    precision: &'static str,
    variant: &'a str,
    variant_name: &'a str,
    /// `variant` or `dlshogi`.
    encoding: &'static str,
    /// Trained numbers, those that only training needs included.
    parameters: usize,
    shape: &'a NetShape,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    /// Names of the input planes, in order; seen from the side to move.
    planes: Vec<String>,
    /// Names of the policy's entries, in order; in the coordinates of the side to move.
    policy: Vec<String>,
    /// What goes in for the start position, and where its legal moves are in the policy.
    start: Start,
    /// Fingerprints and facts of the training.
    metadata: &'a Metadata,
    /// How it was made, of a run that has ended with this net.
    run: Option<&'a Made>,
}

/// The start position, as `narikin moves --encoding` tells of any.
#[derive(Serialize)]
struct Start {
    fen: String,
    /// In USI.
    moves: Vec<String>,
    #[serde(flatten)]
    encoded: Encoded,
}

impl Start {
    fn new(encoder: &Encoder) -> Start {
        let game = Game::new(Arc::clone(encoder.variant()));
        let mut moves = Vec::new();
        game.status(&mut moves);
        Start {
            fen: game.position().to_fen(game.variant()),
            moves: moves.iter().map(|&mv| move_to_usi(game.variant(), mv)).collect(),
            encoded: Encoded::new(encoder, &game, &moves),
        }
    }
}

/// An input or an output.
#[derive(Serialize)]
struct Port {
    name: &'static str,
    /// `N` is the batch.
    shape: String,
    meaning: &'static str,
}

impl<'a> Card<'a> {
    /// The card of a file that was just written.
    pub(super) fn new(source: &'a Source, format: Format, half: bool, path: &Path) -> Result<Self> {
        let Source { model, variant, encoder, made, .. } = source;
        let bytes =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (inputs, outputs) = ports(format, &model.graph.shape);
        Ok(Card {
            card: 1,
            file: name,
            sha256: Meta::checksum(&bytes),
            format: format.name(),
            precision: if half { "f16" } else { "f32" },
            variant: variant.id(),
            variant_name: variant.name(),
            encoding: encoder.encoding().as_str(),
            parameters: model.graph.parameter_count(),
            shape: &model.graph.shape,
            inputs,
            outputs,
            planes: encoder.plane_names(),
            policy: policy_names(encoder),
            start: Start::new(encoder),
            metadata: &model.metadata,
            run: made.as_ref(),
        })
    }

    /// The card as text.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a card is plain data") + "\n"
    }
}

/// The entries of the policy in words, by index.
pub(super) fn policy_names(encoder: &Encoder) -> Vec<String> {
    let vocabulary = encoder.vocabulary();
    (0..vocabulary.len()).map(|index| vocabulary.name(index).to_owned()).collect()
}

/// What goes in and what comes out.
fn ports(format: Format, shape: &NetShape) -> (Vec<Port>, Vec<Port>) {
    let NetShape { planes, ranks, files, policy_len, .. } = shape;
    let port = |name, shape, meaning| Port { name, shape, meaning };
    if format == Format::DlshogiOnnx {
        let inputs = vec![
            port("input1", "N,62,9,9".to_owned(), "the first 62 planes: the board"),
            port("input2", "N,57,9,9".to_owned(), "the other planes: hands and check"),
        ];
        let outputs = vec![
            port("output_policy", "N,2187".to_owned(), "logits by label"),
            port("output_value", "N,1".to_owned(), "expected score of the side to move, 0 to 1"),
        ];
        return (inputs, outputs);
    }
    let inputs = vec![port("planes", format!("N,{planes},{ranks},{files}"), "values in 0 to 1")];
    let outputs = vec![
        port(
            "policy",
            format!("N,{policy_len}"),
            "logits; only those of legal moves mean something",
        ),
        port("wdl", "N,3".to_owned(), "logits of win, draw and loss of the side to move"),
    ];
    (inputs, outputs)
}
