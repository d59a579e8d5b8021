//! Brinkmate (hisshi): quiet moves that threaten mate and leave no defence.

use rules::{Game, Move};

use crate::search::Search;
use crate::solver::{MOST_PLIES, Options};

/// A move after which every reply leaves a forced mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brinkmate {
    /// The move.
    pub mv: Move,
    /// Plies to the mate against the longest defence that is known, this move included.
    pub plies: u32,
}

/// What is found out about the quiet moves of a position: those that are legal and give no check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brinkmates {
    /// The moves without a defence, in the order of the generator.
    pub found: Vec<Brinkmate>,
    /// All moves that threaten mate: the mover would have one if the other side passed (tsumero).
    pub threats: Vec<Move>,
    /// The moves that so many nodes did not decide.
    pub undecided: Vec<Move>,
    /// Nodes expanded.
    pub nodes: u64,
}

/// Looks at every quiet move of the side to move. Each question, whether a move threatens mate and
/// whether there is a defence, gets at most `nodes` nodes; mates are looked for as `options` say
/// (`shortest` plays no part), the plies counted from the position after the reply.
///
/// ```
/// use mate::{Options, brinkmates};
/// use rules::{Game, Position, Variant};
///
/// let shogi = Variant::builtin("shogi").expect("shogi is built in");
/// let position = Position::parse(&shogi, "k8/2P6/1G7/9/9/9/9/9/8K b G 1")?;
/// let game = Game::from_position(shogi, position);
/// assert!(!brinkmates(&game, Options::default(), 100_000).found.is_empty());
/// # Ok::<(), rules::PositionError>(())
/// ```
pub fn brinkmates(game: &Game, options: Options, nodes: u64) -> Brinkmates {
    let attacker = game.side_to_move();
    let search =
        |game: &Game| Search::new(game.clone(), attacker, options.memory << 19, !options.problem);
    // Positions after a pass have no history; what is known of them is kept apart.
    let passed = Game::from_position(game.variant().clone(), game.position().clone());
    let (mut threats, mut defences) = (search(&passed), search(game));
    let limit = options.max_plies.min(MOST_PLIES - 1) as u16;
    let mut result = Brinkmates::default();
    for mv in quiet_moves(game) {
        let mut next = game.clone();
        next.play(mv);
        let pass = next.position().passed(next.variant());
        match ask(&mut threats, Game::from_position(next.variant().clone(), pass), limit, nodes) {
            Verdict::Refuted => continue,
            Verdict::Open => result.undecided.push(mv),
            Verdict::Mate(_) => {
                result.threats.push(mv);
                match ask(&mut defences, next, limit + 1, nodes) {
                    Verdict::Mate(plies) => {
                        result.found.push(Brinkmate { mv, plies: u32::from(plies) + 1 });
                    }
                    Verdict::Open => result.undecided.push(mv),
                    Verdict::Refuted => {}
                }
            }
        }
    }
    result.nodes = threats.nodes + defences.nodes;
    result
}

enum Verdict {
    Mate(u16),
    Refuted,
    Open,
}

/// Whether the position is a mate within so many plies, whoever is to move.
fn ask(search: &mut Search, game: Game, limit: u16, nodes: u64) -> Verdict {
    search.restart(game);
    search.stop_at = search.nodes + nodes;
    let value = search.solve(limit);
    if value.at_most <= limit {
        Verdict::Mate(value.at_most)
    } else if value.at_least > limit {
        Verdict::Refuted
    } else {
        Verdict::Open
    }
}

/// The legal moves that give no check and do not end the game.
fn quiet_moves(game: &Game) -> Vec<Move> {
    let (mut game, mut moves) = (game.clone(), Vec::new());
    game.status(&mut moves);
    moves.retain(|&mv| {
        game.play(mv);
        let quiet = !game.in_check() && game.status(&mut Vec::new()).is_none();
        game.undo();
        quiet
    });
    moves
}
