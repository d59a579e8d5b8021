//! `narikin bench`: how fast it is, against a limit or a peer measured in the same run.

mod arena;
mod engine;
mod jobs;
mod large;
mod mate;
mod movegen;
#[cfg(feature = "peers")]
mod peers;
mod search;
mod selfplay;

use anyhow::Result;
use clap::Subcommand;
use serde::Serialize;

use crate::text::thousands;
use crate::{Verdict, output};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin bench movegen --variant micro\n  \
                        narikin bench search --variant shogi\n  \
                        narikin bench selfplay --seconds 10\n  narikin bench arena --games 2000")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// What a move of an outside engine costs beyond its thinking, against a bare question; games a
    /// second of a match of nets, against self-play.
    Arena(arena::Args),
    /// The engine that `bench arena` asks.
    #[command(hide = true)]
    Engine,
    /// Nodes a second and times of the forced-mate search on a set of problems.
    Mate(mate::Args),
    /// Positions and moves a second of the move generator, against other generators.
    Movegen(movegen::Args),
    /// Simulations a second of the tree search on one thread, without a net.
    Search(search::Args),
    /// Evaluations a second in self-play, search included, against the bare net on all threads.
    Selfplay(selfplay::Args),
}

#[derive(Serialize)]
struct Report {
    bench: &'static str,
    figures: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    reference: Option<f64>,
    ratio: Option<f64>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let (report, json) = match args.what {
        What::Arena(args) => (arena::measure(&args)?, args.json),
        What::Engine => {
            engine::serve()?;
            return Ok(Verdict::Good);
        }
        What::Mate(args) => (mate::measure(&args)?, args.json),
        What::Movegen(args) => (movegen::measure(&args)?, args.json),
        What::Search(args) => (search::measure(&args)?, args.json),
        What::Selfplay(args) => (selfplay::measure(&args)?, args.json),
    };
    if json {
        output::json(&report);
    } else {
        report.print();
    }
    Ok(Verdict::Good)
}

impl Report {
    fn print(&self) {
        for figure in &self.figures {
            let value = if figure.unit == "share" {
                format!("{:.3}", figure.value)
            } else {
                thousands(figure.value as u64)
            };
            let ratio = match (figure.reference, figure.ratio) {
                (Some(reference), Some(ratio)) => {
                    format!("  {:.3} of {}", ratio, thousands(reference as u64))
                }
                _ => String::new(),
            };
            output::result(&format!("{:34} {value:>12} {}{ratio}", figure.name, figure.unit));
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
