//! `narikin bench movegen`: leaves a second of perft, with each way to count the last ply, beside
//! other generators; and what a position costs on its way to the net.

use std::process::Command;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use encode::Encoder;
use rules::{Counting, Game, Position, Seed, Variant, perft_counting};

use super::jobs::{self, Job};
use super::{Figure, Report, median};
use crate::cmd::load_variant;

/// Arguments of `bench movegen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Figures are named POSITION/COUNTING: popcount counts sets of destinations at the last ply, list makes \
the list of moves there, play plays every leaf. Ratios are to haitaka's popcount on the same position \
(shogi's start for other games) in the same round, as medians over the rounds. VARIANT/encoded is what a position costs beside the \
net: moves played and listed, planes and policy indices written; below it the shares of the last two.")]
pub(super) struct Args {
    /// Measure these variants alone.
    #[arg(long)]
    variant: Vec<String>,
    /// Rounds; in each, everything is measured once.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Least seconds of each measurement.
    #[arg(long, default_value_t = 0.1)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// Positions of shogi beside its start: many moves of both kinds, and the most there can be.
const SHOGI: [(&str, &str); 2] = [
    ("matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"),
    ("max-moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"),
];
/// The depth of a position is the greatest with no more leaves than this.
const MOST_LEAVES: u64 = 5_000_000;
/// Positions of random games that are encoded in one go.
const ENCODED: usize = 2_000;

/// Carries it out.
pub(super) fn measure(args: &Args) -> Result<Report> {
    ensure!((0.001..=60.0).contains(&args.seconds), "--seconds must be from 0.001 to 60");
    let ids = Variant::builtin_ids().iter().map(|id| (*id).to_owned());
    let ids = if args.variant.is_empty() { ids.collect() } else { args.variant.clone() };
    let mut jobs = Vec::new();
    let start = add_peers(&mut jobs, "start", &load_variant("shogi")?.start().clone())?;
    for id in &ids {
        let variant = load_variant(id)?;
        let at = |name: &str| format!("{}/{name}", variant.id());
        let game = Game::new(Arc::clone(&variant));
        add_counts(&mut jobs, &at("start"), &game, start);
        if variant.id() == "shogi" {
            for (name, sfen) in SHOGI {
                let position = Position::parse(&variant, sfen).context("a position of shogi")?;
                let peer = add_peers(&mut jobs, name, &position)?;
                let game = Game::from_position(Arc::clone(&variant), position);
                add_counts(&mut jobs, &at(name), &game, peer);
            }
        }
        add_encoding(&mut jobs, &variant);
    }
    let mut figures = jobs::measure(&mut jobs, args.rounds, args.seconds);
    figures.push(threads(args.rounds)?);
    Ok(Report { bench: "movegen", figures })
}

/// Adds the other generators on a position of shogi; returns the one to compare with.
#[cfg(feature = "peers")]
fn add_peers(jobs: &mut Vec<Job>, name: &str, position: &Position) -> Result<Option<usize>> {
    use super::peers::{Haitaka, Rsshogi};
    let shogi = load_variant("shogi")?;
    let sfen = position.to_sfen(&shogi);
    let depth = depth(&Game::from_position(shogi, position.clone()));
    let (haitaka, mut rsshogi) = (Haitaka::new(&sfen)?, Rsshogi::new(&sfen)?);
    let reference = Some(jobs.len());
    jobs.push(Job {
        name: format!("haitaka/{name}/popcount"),
        unit: "leaves/s",
        work: Box::new(move || haitaka.popcount(depth)),
        reference: None,
        left_out: false,
    });
    jobs.push(Job {
        name: format!("rsshogi/{name}/list"),
        unit: "leaves/s",
        work: Box::new(move || rsshogi.list(depth)),
        reference,
        left_out: false,
    });
    Ok(reference)
}

#[cfg(not(feature = "peers"))]
fn add_peers(_: &mut Vec<Job>, _: &str, _: &Position) -> Result<Option<usize>> {
    Ok(None)
}

fn add_counts(jobs: &mut Vec<Job>, name: &str, game: &Game, reference: Option<usize>) {
    let depth = depth(game);
    for (way, counting) in
        [("popcount", Counting::Popcount), ("list", Counting::List), ("play", Counting::Play)]
    {
        let game = game.clone();
        jobs.push(Job {
            name: format!("{name}/{way}"),
            unit: "leaves/s",
            work: Box::new(move || perft_counting(&game, depth, counting)),
            reference,
            left_out: false,
        });
    }
}

/// The greatest depth with at most [`MOST_LEAVES`] leaves, but at least 1.
fn depth(game: &Game) -> u32 {
    let mut depth = 1;
    let mut leaves = perft_counting(game, 1, Counting::Popcount);
    // Three of the variants have fewer than ten moves at the start.
    while leaves > 0 && leaves * leaves.clamp(2, 10) <= 10 * MOST_LEAVES && depth < 12 {
        let next = perft_counting(game, depth + 1, Counting::Popcount);
        if next > MOST_LEAVES {
            break;
        }
        (leaves, depth) = (next, depth + 1);
    }
    depth
}

/// What is done for each position of self-play beside the net, playing and listing moves apart.
#[derive(Clone, Copy)]
struct Parts {
    planes: bool,
    indices: bool,
}

/// Adds positions a second, played, legal moves listed, planes and policy indices written; and the
/// share of each in the time.
fn add_encoding(jobs: &mut Vec<Job>, variant: &Arc<Variant>) {
    let encoder = Arc::new(Encoder::new(Arc::clone(variant)));
    let games = Arc::new(random_games(variant));
    let whole = jobs.len();
    for (name, planes, indices) in [
        ("encoded", true, true),
        ("encoded/planes", false, true),
        ("encoded/indices", true, false),
        ("encoded/planes-and-indices", false, false),
    ] {
        let (encoder, games) = (Arc::clone(&encoder), Arc::clone(&games));
        let part = jobs.len() > whole;
        jobs.push(Job {
            name: format!("{}/{name}", variant.id()),
            unit: if part { "share" } else { "positions/s" },
            work: Box::new(move || encode_games(&encoder, &games, Parts { planes, indices })),
            reference: part.then_some(whole),
            left_out: part,
        });
    }
}

/// Random games with [`ENCODED`] positions or a little more.
fn random_games(variant: &Arc<Variant>) -> Vec<Game> {
    let (mut games, mut positions) = (Vec::new(), 0);
    let mut moves = Vec::new();
    while positions < ENCODED {
        let mut game = Game::new(Arc::clone(variant));
        let seed = Seed(1).derive("bench.games", games.len() as u64);
        while game.status(&mut moves).is_none() && game.ply() < 200 {
            let chosen = seed.derive("move", game.ply() as u64).0 % moves.len() as u64;
            game.play(moves[chosen as usize]);
        }
        positions += game.ply();
        games.push(game);
    }
    games
}

fn encode_games(encoder: &Encoder, games: &[Game], parts: Parts) -> u64 {
    let mut planes = vec![0.0; encoder.input_len()];
    let (mut moves, mut indices, mut positions) = (Vec::new(), Vec::new(), 0);
    for played in games {
        let mut game = Game::from_position(Arc::clone(played.variant()), played.start().clone());
        for &mv in played.moves() {
            game.status(&mut moves);
            if parts.planes {
                encoder.encode(&game, &mut planes);
            }
            if parts.indices {
                let side = game.side_to_move();
                indices.clear();
                indices.extend(moves.iter().map(|&mv| encoder.vocabulary().index(mv, side)));
            }
            std::hint::black_box((&planes, &indices, &moves));
            game.play(mv);
            positions += 1;
        }
    }
    positions
}

/// `perft --threads 2` in one process against two processes with a thread each, which share nothing
/// but the machine.
fn threads(rounds: usize) -> Result<Figure> {
    let (mut together, mut ratios) = (Vec::new(), Vec::new());
    let mut apart = Vec::new();
    for _ in 0..rounds.max(1) {
        let both = [perft(1)?, perft(1)?].map(finished);
        let [first, second] = both;
        apart.push(first? + second?);
        together.push(finished(perft(2)?)?);
        ratios.push(together[together.len() - 1] / apart[apart.len() - 1]);
    }
    Ok(Figure {
        name: "shogi/start/threads-2".to_owned(),
        value: median(together),
        unit: "leaves/s",
        reference: Some(median(apart)),
        ratio: Some(median(ratios)),
    })
}

/// Starts a count in a process of its own.
fn perft(threads: usize) -> Result<std::process::Child> {
    let program = std::env::current_exe().context("cannot find this program's file")?;
    let threads = threads.to_string();
    Command::new(program)
        .args(["perft", "--variant", "shogi", "--depth", "5", "--json", "--threads", &threads])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .context("cannot start a second process")
}

/// Its leaves a second.
fn finished(child: std::process::Child) -> Result<f64> {
    let output = child.wait_with_output().context("the second process is lost")?;
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    report["nps"].as_f64().context("the second process said nothing")
}
