//! `narikin bench mate`: nodes a second and time of the mate search on the problems of `data/mate`.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use mate::{Answer, LeafMate, Options, Solver};
use rules::{Game, Position};
use serde::Deserialize;

use super::{Figure, Report, median};
use crate::cmd::load_variant;

/// Arguments of `bench mate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Figures are named VARIANT/WHAT: nodes is the nodes a second over all problems of a game, each solved with \
its shortest mate proven; solved is how many got their right answer, of all; slowest-11 is the longest \
time of a problem of at most 11 plies; leaf-1 and leaf-3 are the quick looks of one and three plies that \
a search takes at its leaves, on the same positions. One core; medians over the rounds.")]
pub(super) struct Args {
    /// Rounds; in each, everything is measured once.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Memory of a search, in MB.
    #[arg(long, value_name = "MB", default_value_t = 64)]
    memory: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

const PROBLEMS: &str = include_str!("../../../../../data/mate/problems.csv");
/// More than any of the problems takes.
const NODES: u64 = 5_000_000;

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    variant: String,
    kind: String,
    fen: String,
    plies: Option<u32>,
}

struct Problem {
    game: Game,
    /// Of the shortest mate; `None` if there is none.
    plies: Option<u32>,
}

/// The figures of one game, one number a round.
#[derive(Default)]
struct Times {
    nodes: Vec<f64>,
    slowest: Vec<f64>,
    leaf: [Vec<f64>; 2],
    solved: usize,
}

/// Carries it out.
pub(super) fn measure(args: &Args) -> Result<Report> {
    ensure!((1..=1 << 20).contains(&args.memory), "--memory must be from 1 to 1048576 MB");
    let problems = problems()?;
    let mut ids: Vec<&str> = problems.iter().map(|problem| problem.game.variant().id()).collect();
    ids.dedup();
    let mut figures = Vec::new();
    for id in ids {
        let of_game: Vec<&Problem> =
            problems.iter().filter(|problem| problem.game.variant().id() == id).collect();
        let mut times = Times::default();
        for _ in 0..args.rounds.max(1) {
            round(&of_game, args.memory, &mut times);
        }
        add_figures(&mut figures, id, of_game.len(), times);
    }
    Ok(Report { bench: "mate", figures })
}

/// The problems and the positions without a mate; brinkmates are another matter.
fn problems() -> Result<Vec<Problem>> {
    let mut problems = Vec::new();
    for row in csv::Reader::from_reader(PROBLEMS.as_bytes()).deserialize() {
        let Row { variant, kind, fen, plies } = row?;
        if kind == "hisshi" {
            continue;
        }
        let variant = load_variant(&variant)?;
        let position = Position::parse(&variant, &fen).with_context(|| fen.clone())?;
        problems.push(Problem { game: Game::from_position(variant, position), plies });
    }
    Ok(problems)
}

fn round(problems: &[&Problem], memory: usize, times: &mut Times) {
    let (mut nodes, mut time, mut slowest) = (0, Duration::ZERO, Duration::ZERO);
    times.solved = 0;
    for problem in problems {
        let begun = Instant::now();
        let options = Options { memory, shortest: true, problem: true, ..Options::default() };
        let mut solver = Solver::new(&problem.game, options);
        let found = match solver.run(NODES) {
            Answer::Mate { plies, shortest: true } => Some(plies),
            _ => None,
        };
        let took = begun.elapsed();
        times.solved += usize::from(solver.is_done() && found == problem.plies);
        nodes += solver.nodes();
        time += took;
        if problem.plies.is_some_and(|plies| plies <= 11) {
            slowest = slowest.max(took);
        }
    }
    times.nodes.push(nodes as f64 / time.as_secs_f64());
    times.slowest.push(slowest.as_secs_f64() * 1e3);
    for (rates, plies) in times.leaf.iter_mut().zip([1, 3]) {
        rates.push(leaves(problems, plies));
    }
}

/// Quick looks a second.
fn leaves(problems: &[&Problem], plies: u32) -> f64 {
    let mut leaf = LeafMate::new(plies);
    let mut games: Vec<Game> = problems.iter().map(|problem| problem.game.clone()).collect();
    let (begun, mut done) = (Instant::now(), 0);
    while done == 0 || begun.elapsed() < Duration::from_millis(100) {
        for game in &mut games {
            std::hint::black_box(leaf.find(game));
            done += 1;
        }
    }
    f64::from(done) / begun.elapsed().as_secs_f64()
}

fn add_figures(figures: &mut Vec<Figure>, id: &str, problems: usize, times: Times) {
    let Times { nodes, slowest, leaf: [one, three], solved } = times;
    let all = problems as f64;
    let mut add = |name: &str, value: f64, unit, reference: Option<f64>| {
        let ratio = reference.map(|reference| value / reference);
        figures.push(Figure { name: format!("{id}/{name}"), value, unit, reference, ratio });
    };
    add("solved", solved as f64, "problems", Some(all));
    add("nodes", median(nodes), "nodes/s", None);
    add("slowest-11", median(slowest), "ms", None);
    add("leaf-1", median(one), "positions/s", None);
    add("leaf-3", median(three), "positions/s", None);
}
