//! `narikin solve`: is there a forced mate, or a move that leaves no defence against one?

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use mate::{Answer, MOST_PLIES, Options, Solver, brinkmates};
use rules::{DropFaces, Game, Kind, Move, Position};
use serde::Serialize;

use super::{NotationArgs, PositionArgs};
use crate::text::thousands;
use crate::{Verdict, output};

/// Arguments of `solve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The side to move attacks: each of its moves gives check, and the defender answers with any legal move. \
Lengths are counted as in mate problems (tsume): a mate that could only be put off by dropping pieces \
that are taken at once is one already; --strict counts these moves. In a problem without a hand for the \
defender he holds every piece not shown; --as-given takes the hands as they are written. Where there is \
no check, as in dobutsu, any moves may be played to win by force.

Examples:
  narikin solve --variant shogi '8k/9/8P/7N1/9/9/9/9/9 b 2G 1'
  narikin solve --variant shogi --notation kif --max-plies 5 '7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b GS 1'
  narikin solve --variant shogi --hisshi '9/7k1/9/6+P2/9/9/9/9/9 b 2G 1'
  narikin solve --variant xiangqi --nodes 100000 --json '3k5/9/4R4/9/9/9/9/9/9/4K4 w'")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The position, as for --fen.
    #[arg(value_name = "FEN", conflicts_with_all = ["fen", "handicap"])]
    words: Vec<String>,
    /// The longest mate to look for, in plies, at most 1000.
    #[arg(long, default_value_t = MOST_PLIES)]
    max_plies: u32,
    /// Nodes to expand at most; with --hisshi for each question about a move.
    #[arg(long)]
    nodes: Option<u64>,
    /// Memory for what is known of positions, in MB.
    #[arg(long, value_name = "MB", default_value_t = 256)]
    memory: usize,
    /// Find the quiet moves after which every reply leaves a forced mate (brinkmate).
    #[arg(long)]
    hisshi: bool,
    /// Stop at the first mate instead of looking for a shorter one.
    #[arg(long, conflicts_with = "hisshi")]
    any: bool,
    /// Count useless interpositions.
    #[arg(long)]
    strict: bool,
    /// Take the hands as they are written.
    #[arg(long)]
    as_given: bool,
    #[command(flatten)]
    notation: NotationArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Nodes at most if nothing is said: half a minute or so.
const NODES: u64 = 20_000_000;
/// The same for each question about a move.
const NODES_A_QUESTION: u64 = 1_000_000;

#[derive(Serialize)]
struct Report {
    variant: String,
    fen: String,
    /// `mate`, `no_mate` or `unknown`; with --hisshi, whether there is a brinkmate.
    status: &'static str,
    /// To the mate, against the longest defence; with --hisshi that of the shortest brinkmate, the move
    /// included.
    plies: Option<u32>,
    /// The mating line; with --hisshi, the moves that leave no defence.
    moves: Vec<String>,
    nodes: u64,
    seconds: f64,
    /// Whether no mate is shorter.
    shortest: Option<bool>,
    /// There is no mate of at most so many plies; longer ones were not looked for.
    none_within: Option<u32>,
    /// With --hisshi: the moves that threaten mate.
    threats: Option<Vec<String>>,
    /// With --hisshi: the moves that so many nodes did not decide.
    undecided: Option<Vec<String>>,
}

/// Runs the command.
pub(crate) fn main(args: Args) -> Result<Verdict> {
    ensure!((1..=1 << 20).contains(&args.memory), "--memory must be from 1 to 1048576 MB");
    ensure!((1..=MOST_PLIES).contains(&args.max_plies), "--max-plies must be from 1 to 1000");
    let mut position = args.position.clone();
    if !args.words.is_empty() {
        position.set_fen(args.words.join(" "));
    }
    let mut game = position.game()?;
    if !args.as_given {
        game = with_full_hand(game);
    }
    let options = Options {
        memory: args.memory,
        max_plies: args.max_plies,
        shortest: !args.any,
        problem: !args.strict,
    };
    let report =
        if args.hisshi { hisshi(&args, &game, options) } else { tsume(&args, &game, options) };
    if args.json {
        output::json(&report);
    } else {
        print(&report);
    }
    Ok(Verdict::Good)
}

/// The game with every piece that is not shown in the hand of the defender, if that is empty.
fn with_full_hand(game: Game) -> Game {
    let (variant, position) = (game.variant(), game.position());
    let defender = !game.side_to_move();
    let mut kinds = (0..variant.kinds()).map(Kind::new);
    if kinds.any(|kind| position.hand(defender, kind) > 0)
        || variant.rules().drop_faces == DropFaces::None
    {
        return game;
    }
    let filled: Position = position.with_rest_in_hand(variant, defender);
    if filled == *position {
        return game;
    }
    output::note("the defender holds all pieces not shown (--as-given: as it is written)");
    Game::from_position(variant.clone(), filled)
}

fn tsume(args: &Args, game: &Game, options: Options) -> Report {
    let began = Instant::now();
    let mut solver = Solver::new(game, options);
    let nodes = args.nodes.unwrap_or(NODES);
    let mut told = began;
    while !solver.is_done() && solver.nodes() < nodes {
        solver.run((nodes - solver.nodes()).min(50_000));
        if told.elapsed() > Duration::from_secs(5) {
            told = Instant::now();
            output::note(&progress(&solver));
        }
    }
    let answer = solver.answer();
    let (plies, shortest) = match answer {
        Answer::Mate { plies, shortest } => (Some(plies), Some(shortest)),
        _ => (None, None),
    };
    let line = solver.line();
    Report {
        status: match answer {
            Answer::Mate { .. } => "mate",
            Answer::NoMate => "no_mate",
            Answer::Open | Answer::NoneWithin(_) => "unknown",
        },
        plies,
        moves: write_line(args, game, &line),
        nodes: solver.nodes(),
        seconds: began.elapsed().as_secs_f64(),
        shortest,
        none_within: if let Answer::NoneWithin(plies) = answer { Some(plies) } else { None },
        ..empty_report(game)
    }
}

fn progress(solver: &Solver) -> String {
    let nodes = thousands(solver.nodes());
    match solver.answer() {
        Answer::Mate { plies, .. } => format!("{nodes} nodes: mate in {plies} plies or fewer"),
        _ => format!("{nodes} nodes"),
    }
}

fn hisshi(args: &Args, game: &Game, options: Options) -> Report {
    let began = Instant::now();
    let found = brinkmates(game, options, args.nodes.unwrap_or(NODES_A_QUESTION));
    let write = |moves: &[Move]| moves.iter().map(|&mv| args.notation.write(game, mv)).collect();
    let moves: Vec<Move> = found.found.iter().map(|brinkmate| brinkmate.mv).collect();
    Report {
        status: match (moves.is_empty(), found.undecided.is_empty()) {
            (false, _) => "mate",
            (true, true) => "no_mate",
            (true, false) => "unknown",
        },
        plies: found.found.iter().map(|brinkmate| brinkmate.plies).min(),
        moves: write(&moves),
        nodes: found.nodes,
        seconds: began.elapsed().as_secs_f64(),
        threats: Some(write(&found.threats)),
        undecided: Some(write(&found.undecided)),
        ..empty_report(game)
    }
}

fn empty_report(game: &Game) -> Report {
    Report {
        variant: game.variant().id().to_owned(),
        fen: game.position().to_fen(game.variant()),
        status: "unknown",
        plies: None,
        moves: Vec::new(),
        nodes: 0,
        seconds: 0.0,
        shortest: None,
        none_within: None,
        threats: None,
        undecided: None,
    }
}

/// The moves of a line, each written in the position it is played in.
fn write_line(args: &Args, game: &Game, line: &[Move]) -> Vec<String> {
    let mut game = game.clone();
    let write = |&mv: &Move| {
        let text = args.notation.write(&game, mv);
        game.play(mv);
        text
    };
    line.iter().map(write).collect()
}

fn print(report: &Report) {
    output::result(&report.fen);
    let plies = report.plies.unwrap_or(0);
    let text = match (report.status, &report.threats) {
        ("mate", None) if report.shortest == Some(true) => format!("mate in {plies} plies"),
        ("mate", None) => format!("mate in {plies} plies or fewer"),
        ("no_mate", None) => "no mate".to_owned(),
        (_, None) => match report.none_within {
            Some(plies) => format!("unknown: no mate in {plies} plies or fewer"),
            None => "unknown: more nodes or memory may tell".to_owned(),
        },
        ("mate", Some(_)) => format!("brinkmate, mate in {plies} plies or fewer"),
        ("no_mate", Some(_)) => "no brinkmate".to_owned(),
        (_, Some(_)) => "unknown: more nodes or memory may tell".to_owned(),
    };
    output::result(&text);
    for (name, moves) in [
        ("", Some(&report.moves)),
        ("threats: ", report.threats.as_ref()),
        ("undecided: ", report.undecided.as_ref()),
    ] {
        if let Some(moves) = moves.filter(|moves| !moves.is_empty()) {
            output::result(&format!("{name}{}", moves.join(" ")));
        }
    }
    output::result(&format!("{} nodes, {:.3} s", thousands(report.nodes), report.seconds));
}
