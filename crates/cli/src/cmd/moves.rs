//! `narikin moves`: what may be played, and why something may not.

use anyhow::Result;
use rules::{Color, move_to_uci};
use serde::Serialize;

use super::PositionArgs;
use crate::{Verdict, output};

/// Arguments of `moves`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  narikin moves --variant micro --play d2d3 a4a3")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Play these moves first, in USI or UCI spelling.
    #[arg(long, num_args = 1..)]
    play: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    variant: String,
    fen: String,
    turn: &'static str,
    in_check: bool,
    count: usize,
    moves: Vec<String>,
    outcome: Option<Ending>,
    illegal: Option<Illegal>,
}

#[derive(Serialize)]
struct Ending {
    winner: Option<&'static str>,
    termination: &'static str,
}

#[derive(Serialize)]
struct Illegal {
    #[serde(rename = "move")]
    mv: String,
    reason: String,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let mut game = args.position.game()?;
    let mut illegal = None;
    for text in &args.play {
        let played = game
            .parse_move(text)
            .map_err(|error| error.to_string())
            .and_then(|mv| game.try_play(mv).map_err(|error| error.to_string()));
        if let Err(reason) = played {
            let mv = text.clone();
            illegal = Some(Illegal { mv, reason });
            break;
        }
    }
    let mut moves = Vec::new();
    let outcome = game.status(&mut moves);
    let variant = game.variant();
    let report = Report {
        variant: variant.id().to_owned(),
        fen: game.position().to_fen(variant),
        turn: side(game.side_to_move()),
        in_check: game.in_check(),
        count: moves.len(),
        moves: moves.iter().map(|&mv| move_to_uci(variant, mv)).collect(),
        outcome: outcome.map(|outcome| Ending {
            winner: outcome.winner.map(side),
            termination: outcome.termination.as_str(),
        }),
        illegal,
    };
    if args.json {
        output::json(&report);
    } else {
        print(&report);
    }
    Ok(Verdict::Good)
}

fn print(report: &Report) {
    let check = if report.in_check { ", in check" } else { "" };
    output::result(&format!("{}\n{} to move{check}", report.fen, report.turn));
    if let Some(illegal) = &report.illegal {
        output::result(&format!("{} is illegal: {}", illegal.mv, illegal.reason));
    }
    match &report.outcome {
        Some(ending) => output::result(&format!(
            "over: {}, {}",
            ending.termination,
            ending.winner.map_or("a draw".to_owned(), |side| format!("{side} wins"))
        )),
        None => output::result(&format!("{} moves: {}", report.count, report.moves.join(" "))),
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::Black => "first",
        Color::White => "second",
    }
}
