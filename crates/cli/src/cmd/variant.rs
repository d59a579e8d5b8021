//! `narikin variant`: what games there are.

use anyhow::{Context, Result};
use clap::Subcommand;
use rules::Variant;
use serde::Serialize;

use crate::{Verdict, output};

/// Arguments of `variant`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  narikin variant show micro")]
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
    /// Print a built-in variant's file, a start for your own.
    Show {
        /// The variant's id.
        id: String,
    },
}

#[derive(Serialize)]
struct Entry {
    id: String,
    name: String,
    files: usize,
    ranks: usize,
    start: String,
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
        Action::Show { id } => {
            let text = Variant::builtin_text(&id).with_context(|| {
                format!("`{id}` is none of {}", Variant::builtin_ids().join(", "))
            })?;
            output::result(text.trim_end());
        }
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
