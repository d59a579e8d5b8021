//! `narikin variant`: what games there are.

mod check;
mod draw;

use std::collections::BTreeMap;

use anyhow::Result;
use clap::Subcommand;
use rules::Variant;
use serde::Serialize;

use super::{load_variant, variant_text};
use crate::{Verdict, output};

/// Arguments of `variant`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin variant show micro > mine.toml\n  \
                        narikin variant check mine.toml")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the built-in variants.
    List {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Print a variant's file; a built-in one is a start for your own.
    Show {
        /// A built-in variant's id, or the path of a variant file.
        variant: String,
    },
    /// Check a variant file and show what the program makes of it: board, moves, endings, counts.
    #[command(after_help = "Example:\n  narikin variant check data/examples/relay.toml")]
    Check {
        /// The path of a variant file, or a built-in variant's id.
        file: String,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Serialize)]
struct Entry {
    id: String,
    name: String,
    files: usize,
    ranks: usize,
    start: String,
    handicaps: BTreeMap<String, String>,
    board_fingerprint: String,
    rules_fingerprint: String,
}

#[derive(Serialize)]
struct List {
    variants: Vec<Entry>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    match args.action {
        Action::List { json } => list(json),
        Action::Show { variant } => {
            load_variant(&variant)?;
            output::result(variant_text(&variant)?.trim_end());
        }
        Action::Check { file, json } => check::main(&file, json)?,
    }
    Ok(Verdict::Good)
}

fn list(json: bool) {
    let variants: Vec<_> = Variant::builtin_ids()
        .iter()
        .map(|id| {
            let variant = Variant::builtin(id).expect("listed variants are built in");
            Entry {
                id: variant.id().to_owned(),
                name: variant.name().to_owned(),
                files: variant.files(),
                ranks: variant.ranks(),
                start: variant.start().to_fen(&variant),
                handicaps: variant
                    .handicaps()
                    .map(|(name, start)| (name.to_owned(), start.to_fen(&variant)))
                    .collect(),
                board_fingerprint: variant.board_fingerprint().to_string(),
                rules_fingerprint: variant.rules_fingerprint().to_string(),
            }
        })
        .collect();
    if json {
        return output::json(&List { variants });
    }
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::UTF8_FULL_CONDENSED);
    table.set_header(["id", "name", "board", "start"]);
    for entry in variants {
        let board = format!("{}x{}", entry.files, entry.ranks);
        table.add_row([entry.id, entry.name, board, entry.start]);
    }
    output::result(&table.to_string());
}
