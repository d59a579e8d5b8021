//! `narikin bench search`: simulations a second of one tree on one thread, beside the bare generator.

use std::slice::from_mut;
use std::sync::Arc;

use anyhow::{Result, bail, ensure};
use mcts::fake::Uniform;
use mcts::{RootSelection, Search, SearchConfig, drive_to_end};
use rules::{Game, Move, Seed, Variant};

use super::Report;
use super::jobs::{self, Job};
use super::large;
use crate::cmd::load_variant;

/// Arguments of `bench search`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
VARIANT/uniform/800 are simulations a second in trees of 800 from the start and from middle-game \
positions, PUCT throughout, moves and priors written at each new node; below it the same with another \
root or with mates looked for at the leaves. Ratios are to VARIANT/list-and-play in the same round: \
moves played and the legal moves after them listed, at the same positions.

VARIANT/large/T are simulations a second of one large search from the start with T threads whose \
evaluator sleeps for 200 us a position; the ratio is to one thread.

Examples:
  narikin bench search
  narikin bench search --variant micro --rounds 15 --json")]
pub(super) struct Args {
    /// Measure these variants alone; micro, shogi and xiangqi if left out.
    #[arg(long)]
    variant: Vec<String>,
    /// Measure these figures alone, and what they are ratios to; named without their variant, such as
    /// `uniform/800`.
    #[arg(long)]
    figure: Vec<String>,
    /// Rounds; in each, everything is measured once.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Least seconds of each measurement.
    #[arg(long, default_value_t = 0.3)]
    seconds: f64,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

/// Positions that trees grow from: the start, and those of random games.
const POSITIONS: usize = 16;
/// Simulations of a tree.
const SIMULATIONS: u32 = 800;

/// Carries it out.
pub(super) fn measure(args: &Args) -> Result<Report> {
    ensure!((0.001..=60.0).contains(&args.seconds), "--seconds must be from 0.001 to 60");
    let ids = ["micro", "shogi", "xiangqi"].map(str::to_owned).to_vec();
    let ids = if args.variant.is_empty() { ids } else { args.variant.clone() };
    let mut jobs = Vec::new();
    for id in &ids {
        let variant = load_variant(id)?;
        add(&mut jobs, &variant);
        large::add(&mut jobs, &variant);
    }
    if !args.figure.is_empty() {
        jobs = only(jobs, &args.figure)?;
    }
    Ok(Report { bench: "search", figures: jobs::measure(&mut jobs, args.rounds, args.seconds) })
}

/// The jobs of these names and those they are compared with.
fn only(jobs: Vec<Job>, names: &[String]) -> Result<Vec<Job>> {
    let name = |job: &Job| job.name.split_once('/').map_or("", |(_, name)| name).to_owned();
    if let Some(unknown) = names.iter().find(|&wanted| !jobs.iter().any(|job| name(job) == *wanted))
    {
        bail!("there is no figure `{unknown}` in this bench");
    }
    let mut wanted: Vec<bool> = jobs.iter().map(|job| names.contains(&name(job))).collect();
    for at in 0..jobs.len() {
        if let (true, Some(reference)) = (wanted[at], jobs[at].reference) {
            wanted[reference] = true;
        }
    }
    let place = |at: usize| wanted[..at].iter().filter(|&&wanted| wanted).count();
    let kept = jobs.into_iter().zip(&wanted).filter(|(_, wanted)| **wanted);
    Ok(kept.map(|(job, _)| Job { reference: job.reference.map(place), ..job }).collect())
}

fn add(jobs: &mut Vec<Job>, variant: &Arc<Variant>) {
    let config = SearchConfig {
        simulations: SIMULATIONS,
        root: RootSelection::Puct,
        leaf_mate: 0,
        ..SearchConfig::default()
    };
    let games = Arc::new(positions(variant, &config));
    let reference = jobs.len();
    let mut add = |name: &str, unit, reference, work| {
        let name = format!("{}/{name}", variant.id());
        jobs.push(Job { name, unit, work, reference, left_out: false });
    };
    let list_and_play = {
        let mut games = games.to_vec();
        Box::new(move || games.iter_mut().map(list_and_play).sum())
    };
    add("list-and-play", "positions/s", None, list_and_play);
    let gumbel = SearchConfig { root: RootSelection::Gumbel, ..config };
    for (name, config) in [
        ("uniform/800", config),
        ("uniform/800/gumbel", gumbel),
        ("uniform/800/mate-1", SearchConfig { leaf_mate: 1, ..config }),
        ("uniform/800/mate-3", SearchConfig { leaf_mate: 3, ..config }),
    ] {
        let (games, mut search) = (Arc::clone(&games), Search::new(config));
        let work = Box::new(move || grow_all(&mut search, &games));
        add(name, "simulations/s", Some(reference), work);
    }
}

/// Plays every legal move, lists the moves after it and takes it back; returns how many there were.
fn list_and_play(game: &mut Game) -> u64 {
    let (mut moves, mut replies) = (Vec::new(), Vec::new());
    game.verdict(&mut moves);
    for &mv in &moves {
        game.play(mv);
        std::hint::black_box(game.verdict(&mut replies));
        game.undo();
    }
    moves.len() as u64
}

/// Grows a tree from each position; returns their simulations. `scripts/instructions` counts what
/// happens in here.
#[inline(never)]
fn grow_all(search: &mut Search<Game>, games: &[Game]) -> u64 {
    games.iter().map(|game| grow(search, game)).sum()
}

/// Grows one tree; returns its simulations.
fn grow(search: &mut Search<Game>, game: &Game) -> u64 {
    search.start(game.clone(), Seed(1));
    drive_to_end(from_mut(search), &mut Uniform).expect("the uniform evaluator never fails");
    u64::from(search.result().simulations)
}

/// The start, and positions 8 to 60 plies into random games that a search of this kind does not solve.
fn positions(variant: &Arc<Variant>, config: &SearchConfig) -> Vec<Game> {
    let mut found = vec![Game::new(Arc::clone(variant))];
    let mut search = Search::new(*config);
    for number in 0.. {
        if found.len() == POSITIONS || number == 100 * POSITIONS as u64 {
            break;
        }
        let seed = Seed(1).derive("bench.positions", number);
        let plies = 8 + seed.derive("plies", 0).0 % 53;
        let unsolved = |game: &Game| grow(&mut search, game) == u64::from(config.simulations);
        found.extend(random_position(variant, seed, plies).filter(unsolved));
    }
    found
}

/// A random game after so many plies, unless it ends before.
fn random_position(variant: &Arc<Variant>, seed: Seed, plies: u64) -> Option<Game> {
    let mut game = Game::new(Arc::clone(variant));
    let mut moves: Vec<Move> = Vec::new();
    for ply in 0..plies {
        if game.verdict(&mut moves).is_some() {
            return None;
        }
        game.play(moves[(seed.derive("move", ply).0 % moves.len() as u64) as usize]);
    }
    game.verdict(&mut moves).is_none().then_some(game)
}
