//! `narikin perft`: counts move sequences; checks files of counts.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rules::{Counting, Game, Move, Position, perft_counting};
use serde::{Deserialize, Serialize};

use super::{NotationArgs, PositionArgs, load_variant};
use crate::{Verdict, output};

/// Arguments of `perft`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  narikin perft --variant micro --depth 6\n  \
                        narikin perft --suite data/perft/perft.csv --max-nodes 1000000")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Plies to count.
    #[arg(long, default_value_t = 5)]
    depth: u32,
    /// Show the count below each move.
    #[arg(long)]
    divide: bool,
    /// How to count the last ply.
    #[arg(long, value_enum, default_value = "list")]
    counting: Way,
    #[command(flatten)]
    notation: NotationArgs,
    /// Threads to count with.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Check a CSV file with the columns variant, fen, depth, nodes instead.
    #[arg(long)]
    suite: Option<PathBuf>,
    /// Leave out the rows of a suite with more nodes than this.
    #[arg(long, default_value_t = u64::MAX)]
    max_nodes: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// How the moves of the last ply are counted; the number is the same, the work is not.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Way {
    /// By the length of their list.
    List,
    /// By the sizes of their sets of destinations.
    Popcount,
    /// One by one, each played.
    Play,
}

impl From<Way> for Counting {
    fn from(way: Way) -> Self {
        match way {
            Way::List => Self::List,
            Way::Popcount => Self::Popcount,
            Way::Play => Self::Play,
        }
    }
}

#[derive(Serialize)]
struct Report {
    variant: String,
    fen: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    nps: f64,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Branch>>,
}

#[derive(Serialize)]
struct Branch {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    ensure!(args.threads >= 1, "--threads must be 1 or more");
    match &args.suite {
        Some(path) => suite(path, &args),
        None => one(&args),
    }
}

fn one(args: &Args) -> Result<Verdict> {
    ensure!(args.depth >= 1, "--depth must be 1 or more");
    let game = args.position.game()?;
    let start = Instant::now();
    let branches = count_branches(&game, args.depth, args);
    let seconds = start.elapsed().as_secs_f64();
    let variant = game.variant();
    let nodes = branches.iter().map(|(_, nodes)| nodes).sum();
    let report = Report {
        variant: variant.id().to_owned(),
        fen: game.position().to_fen(variant),
        depth: args.depth,
        nodes,
        seconds,
        nps: nodes as f64 / seconds,
        threads: args.threads,
        moves: args.divide.then(|| {
            let name = |mv| args.notation.write(&game, mv);
            let branches = branches.iter();
            branches.map(|&(mv, nodes)| Branch { mv: name(mv), nodes }).collect()
        }),
    };
    if args.json {
        output::json(&report);
        return Ok(Verdict::Good);
    }
    for branch in report.moves.iter().flatten() {
        output::result(&format!("{:8} {}", branch.mv, branch.nodes));
    }
    output::result(&format!(
        "{} nodes in {seconds:.3} s, {:.1} million/s",
        report.nodes,
        report.nps / 1e6
    ));
    Ok(Verdict::Good)
}

/// The count below each move; threads take the moves one after the other.
fn count_branches(game: &Game, depth: u32, args: &Args) -> Vec<(Move, u64)> {
    let mut moves = Vec::new();
    game.status(&mut moves);
    let next = AtomicUsize::new(0);
    let counts: Vec<_> = moves.iter().map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for _ in 0..args.threads.min(moves.len()) {
            scope.spawn(|| {
                let mut game = game.clone();
                loop {
                    let place = next.fetch_add(1, Relaxed);
                    let Some(&mv) = moves.get(place) else { break };
                    game.play(mv);
                    let below = perft_counting(&game, depth - 1, args.counting.into());
                    counts[place].store(below, Relaxed);
                    game.undo();
                }
            });
        }
    });
    let counts = counts.into_iter().map(AtomicU64::into_inner);
    moves.into_iter().zip(counts).collect()
}

#[derive(Deserialize)]
struct Row {
    variant: String,
    fen: String,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
struct SuiteReport {
    rows: u64,
    wrong: Vec<Wrong>,
}

#[derive(Serialize)]
struct Wrong {
    variant: String,
    fen: String,
    depth: u32,
    expected: u64,
    nodes: u64,
}

fn suite(path: &Path, args: &Args) -> Result<Verdict> {
    let mut report = SuiteReport { rows: 0, wrong: Vec::new() };
    let mut reader =
        csv::Reader::from_path(path).with_context(|| format!("cannot read {}", path.display()))?;
    for row in reader.deserialize() {
        let row: Row = row.with_context(|| path.display().to_string())?;
        ensure!(row.depth >= 1, "{}: `{}`: depth must be 1 or more", path.display(), row.fen);
        if row.nodes > args.max_nodes {
            continue;
        }
        let variant = load_variant(&row.variant)?;
        let position = Position::parse(&variant, &row.fen)
            .with_context(|| format!("{}: `{}`", path.display(), row.fen))?;
        let game = Game::from_position(variant, position);
        let branches = count_branches(&game, row.depth, args);
        let nodes = branches.iter().map(|(_, nodes)| nodes).sum();
        report.rows += 1;
        if nodes != row.nodes {
            let Row { variant, fen, depth, nodes: expected } = row;
            report.wrong.push(Wrong { variant, fen, depth, expected, nodes });
        }
    }
    let good = report.wrong.is_empty();
    if args.json {
        output::json(&report);
    } else {
        for wrong in &report.wrong {
            let Wrong { variant, fen, depth, expected, nodes } = wrong;
            output::result(&format!("{variant} {fen} depth {depth}: {nodes}, not {expected}"));
        }
        output::result(&format!("{} rows, {} wrong", report.rows, report.wrong.len()));
    }
    Ok(if good { Verdict::Good } else { Verdict::Failed })
}
