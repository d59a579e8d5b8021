//! `narikin moves`: what may be played, and why something may not.

use std::io::{BufRead, Read};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use encode::{Encoder, Encoding};
use rules::{Game, Move, Position, Termination, Variant};
use serde::Serialize;

use super::{Ending, NotationArgs, PositionArgs, side};
use crate::{Verdict, output};

/// Arguments of `moves`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin moves --variant micro --play d2d3 a4a3\n  \
                        narikin moves --variant xiangqi --notation wxf --play C2=5 H8+7\n  \
                        echo 'startpos moves d2d3' | narikin moves --variant micro --stdin")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Play these moves first, in USI, UCI or the notation asked for.
    #[arg(long, num_args = 1..)]
    play: Vec<String>,
    #[command(flatten)]
    notation: NotationArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// Answer every line `POSITION [moves M…]` of stdin, POSITION being a FEN, an SFEN or `startpos`,
    /// with one JSON object on a line, which for an unreadable line has only the field `error`.
    #[arg(long, conflicts_with_all = ["fen", "play"])]
    stdin: bool,
    /// Add to the JSON what a net of this encoding sees and how it names the moves: `planes`, the
    /// numbers that are not 0 as [place in [planes, ranks, files], value], and `indices`, the places
    /// of the moves in the policy.
    #[arg(long, value_parser = encoding, value_name = "variant|dlshogi")]
    encoding: Option<Encoding>,
}

fn encoding(name: &str) -> Result<Encoding, String> {
    Encoding::from_name(name).ok_or_else(|| "known are variant and dlshogi".to_owned())
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
    /// What a declaration by the side to move would give now.
    declaration: Option<Ending>,
    /// What the game would give now if the players agreed that it is an impasse.
    impasse: Option<Ending>,
    illegal: Option<Illegal>,
    #[serde(flatten)]
    encoded: Option<Encoded>,
}

/// The position for a net: the numbers that are not 0 as (place in `[planes, ranks, files]`, value), and
/// the place of each legal move in the policy.
#[derive(Serialize)]
pub(super) struct Encoded {
    planes: Vec<(usize, f32)>,
    indices: Vec<usize>,
}

impl Encoded {
    pub(super) fn new(encoder: &Encoder, game: &Game, moves: &[Move]) -> Self {
        let mut planes = vec![0.0; encoder.input_len()];
        encoder.encode(game, &mut planes);
        let index = |&mv| encoder.vocabulary().index(mv, game.side_to_move());
        Self {
            planes: planes.into_iter().enumerate().filter(|&(_, value)| value != 0.0).collect(),
            indices: moves.iter().map(index).collect(),
        }
    }
}

#[derive(Serialize)]
struct Illegal {
    #[serde(rename = "move")]
    mv: String,
    reason: String,
}

/// An answer to a line that could not be read.
#[derive(Serialize)]
struct Unreadable {
    error: String,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    let mut game = args.position.game()?;
    let encoder = args.encoding.map(|encoding| encoding.encoder(Arc::clone(game.variant())));
    let show = Show { notation: args.notation, encoder: encoder.transpose()? };
    if args.stdin {
        return answer_lines(game.variant(), &show);
    }
    let report = report(&mut game, args.play.iter().map(String::as_str), &show);
    if args.json {
        output::json(&report);
    } else {
        print(&report);
    }
    Ok(Verdict::Good)
}

/// How a position is told.
struct Show {
    notation: NotationArgs,
    encoder: Option<Encoder>,
}

/// Plays the moves as far as they are legal and looks at the position they lead to.
fn report<'a>(
    game: &mut Game,
    play: impl Iterator<Item = &'a str>,
    Show { notation, encoder }: &Show,
) -> Report {
    let mut illegal = None;
    for text in play {
        let played = notation
            .read(game, text)
            .map_err(|error| error.to_string())
            .and_then(|mv| game.try_play(mv).map_err(|error| error.to_string()));
        if let Err(reason) = played {
            illegal = Some(Illegal { mv: text.to_owned(), reason });
            break;
        }
    }
    let mut moves = Vec::new();
    let outcome = game.status(&mut moves);
    let unfinished = outcome.is_none().then_some(&*game);
    let variant = game.variant();
    Report {
        variant: variant.id().to_owned(),
        fen: game.position().to_fen(variant),
        turn: side(game.side_to_move()),
        in_check: game.in_check(),
        count: moves.len(),
        moves: moves.iter().map(|&mv| notation.write(game, mv)).collect(),
        outcome: outcome.map(Ending::from),
        declaration: unfinished.and_then(Game::declare).map(Ending::from),
        impasse: unfinished.and_then(Game::impasse).map(Ending::from),
        illegal,
        encoded: encoder.as_ref().map(|encoder| Encoded::new(encoder, game, &moves)),
    }
}

/// No line of a game that can be played is longer.
const LONGEST_LINE: u64 = 1 << 20;

fn answer_lines(variant: &Arc<Variant>, show: &Show) -> Result<Verdict> {
    let mut input = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
        if read.context("cannot read stdin")? == 0 {
            return Ok(Verdict::Good);
        }
        ensure!((line.len() as u64) < LONGEST_LINE, "a line of stdin has more than 1 MiB");
        match answer(variant, show, &String::from_utf8_lossy(&line)) {
            Ok(report) => output::json(&report),
            Err(error) => output::json(&Unreadable { error: format!("{error:#}") }),
        }
    }
}

fn answer(variant: &Arc<Variant>, show: &Show, line: &str) -> Result<Report> {
    let mut words = line.split_whitespace();
    let fen: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let position = match fen.as_slice() {
        ["startpos"] => variant.start().clone(),
        fen => Position::parse(variant, &fen.join(" "))?,
    };
    Ok(report(&mut Game::from_position(variant.clone(), position), words, show))
}

fn print(report: &Report) {
    let check = if report.in_check { ", in check" } else { "" };
    output::result(&format!("{}\n{} to move{check}", report.fen, report.turn));
    if let Some(illegal) = &report.illegal {
        output::result(&format!("{} is illegal: {}", illegal.mv, illegal.reason));
    }
    match &report.outcome {
        Some(ending) => output::result(&format!("over: {ending}")),
        None => output::result(&format!("{} moves: {}", report.count, report.moves.join(" "))),
    }
    // A declaration that loses is always there to be had.
    let sound = |ending: &&Ending| !ending.is(Termination::FalseDeclaration);
    if let Some(ending) = report.declaration.as_ref().filter(sound) {
        output::result(&format!("declared now: {ending}"));
    }
    if let Some(ending) = &report.impasse {
        output::result(&format!("agreed to be an impasse now: {ending}"));
    }
}
