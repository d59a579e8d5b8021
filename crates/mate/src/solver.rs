//! One position, searched in slices: is there a mate, how long is the shortest, and what is its line.

use rules::{Game, Move};

use crate::search::Search;
use crate::table::NEVER;

/// The longest mate that is looked for, in plies.
pub const MOST_PLIES: u32 = 1000;

/// The fewest nodes of a slice; more than the way down to the longest mate, so that each slice gets on.
pub const LEAST_SLICE: u64 = 2 * MOST_PLIES as u64;

/// What is asked of a [`Solver`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Memory for the tables, in MiB (2^20 bytes); allocated at once, used as it is needed.
    pub memory: usize,
    /// The longest mate of interest, in plies; at most [`MOST_PLIES`].
    pub max_plies: u32,
    /// Go on after the first mate until none can be shorter.
    pub shortest: bool,
    /// Count as solvers of mate problems do: a defender who could only interpose pieces that are taken
    /// with mate is mated. Without this, lengths are those of the game.
    pub problem: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { memory: 64, max_plies: MOST_PLIES, shortest: false, problem: false }
    }
}

/// What is known so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing yet; more nodes may tell.
    Open,
    /// A mate.
    Mate {
        /// Its length against the longest defence that is known, in plies.
        plies: u32,
        /// Whether there is none shorter.
        shortest: bool,
    },
    /// No mate of any length.
    NoMate,
    /// No mate of at most so many plies; longer ones were not looked for.
    NoneWithin(u32),
}

/// A forced-mate search of one position that can be interrupted and resumed.
///
/// ```
/// use mate::{Answer, Options, Solver};
/// use rules::{Game, Position, Variant};
///
/// let shogi = Variant::builtin("shogi").expect("shogi is built in");
/// let position = Position::parse(&shogi, "8k/9/8P/7N1/9/9/9/9/9 b 2G 1")?;
/// let game = Game::from_position(shogi, position);
/// let mut solver = Solver::new(&game, Options { shortest: true, ..Options::default() });
/// while solver.answer() == Answer::Open {
///     solver.run(1000);
/// }
/// assert_eq!(solver.answer(), Answer::Mate { plies: 1, shortest: true });
/// assert_eq!(solver.line().len(), 1);
/// # Ok::<(), rules::PositionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    search: Search,
    options: Options,
    /// The mate now looked for has at most so many plies.
    limit: u16,
    /// Whether the rules end the game where [`Solver::limit`] began.
    limited_by_rules: bool,
    answer: Answer,
    done: bool,
}

impl Solver {
    /// A search for a mate by the side to move of `game`, whose history counts: positions that have
    /// stood before, and the length of the game, may end it on the way.
    pub fn new(game: &Game, options: Options) -> Solver {
        let rules = game.variant().rules();
        let asked = options.max_plies.min(MOST_PLIES);
        let left = rules.max_plies.saturating_sub(game.ply() as u32);
        // Short of this no line can run into the limit.
        let quiet = rules
            .no_capture_limit
            .map_or(MOST_PLIES, |limit| limit.saturating_sub(game.quiet_plies() as u32));
        Solver {
            search: Search::new(
                game.clone(),
                game.side_to_move(),
                options.memory << 20,
                !options.problem,
            ),
            options,
            limit: asked.min(left).min(quiet) as u16,
            limited_by_rules: left <= asked.min(quiet),
            answer: Answer::Open,
            done: false,
        }
    }

    /// Searches on for about so many nodes, or until nothing is left to find out. A slice has at least
    /// [`LEAST_SLICE`] nodes: each one walks down from the root again to where the last one stopped.
    pub fn run(&mut self, nodes: u64) -> Answer {
        self.search.stop_at = self.search.nodes.saturating_add(nodes.max(LEAST_SLICE));
        while !self.done && self.search.nodes < self.search.stop_at {
            let value = self.search.solve(self.limit);
            if value.at_most <= self.limit {
                let plies = u32::from(value.at_most);
                self.done = !self.options.shortest || plies <= 1;
                self.answer = Answer::Mate { plies, shortest: plies <= 1 };
                self.limit = value.at_most.saturating_sub(1);
            } else if value.at_least > self.limit {
                self.done = true;
                self.answer = self.refuted(value.at_least);
            }
        }
        self.answer
    }

    fn refuted(&self, at_least: u16) -> Answer {
        match self.answer {
            Answer::Mate { plies, .. } => Answer::Mate { plies, shortest: true },
            _ if at_least == NEVER || self.limited_by_rules => Answer::NoMate,
            _ => Answer::NoneWithin(u32::from(self.limit)),
        }
    }

    /// What is known so far.
    pub fn answer(&self) -> Answer {
        self.answer
    }

    /// Whether nothing is left to find out.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Nodes expanded so far: positions whose moves were listed and judged, each time they were.
    pub fn nodes(&self) -> u64 {
        self.search.nodes
    }

    /// Bytes of memory of the tables; never more than was asked for, but for the smallest tables.
    pub fn memory(&self) -> usize {
        self.search.bytes()
    }

    /// How often the table was full and the entries of least work were dropped.
    pub fn collections(&self) -> u32 {
        self.search.table.collections()
    }

    /// The mating line: the attacker's shortest mate, the defender's longest resistance, as far as they
    /// are known. Empty without a mate. Searches a little to fill in what the table has dropped.
    pub fn line(&mut self) -> Vec<Move> {
        let Answer::Mate { plies, .. } = self.answer else { return Vec::new() };
        self.search.stop_at = self.search.nodes.saturating_mul(3).saturating_add(1_000_000);
        let (mut line, mut left) = (Vec::new(), plies as u16);
        while left > 0 {
            let attacks = line.len() % 2 == 0;
            let next = if attacks { self.attack(left) } else { self.defence(left) };
            let Some((mv, plies)) = next else { break };
            self.search.play(mv);
            line.push(mv);
            left = plies;
        }
        line.iter().for_each(|_| self.search.undo());
        line
    }

    /// A move that mates within so many plies, and the plies left after it.
    fn attack(&mut self, left: u16) -> Option<(Move, u16)> {
        let (_, children) = self.search.solve_moves(left);
        let best = children.iter().min_by_key(|child| child.value.at_most)?;
        (best.value.at_most < left).then_some((best.mv, best.value.at_most))
    }

    /// The move that resists longest, and the plies left after it.
    fn defence(&mut self, left: u16) -> Option<(Move, u16)> {
        let (_, children) = self.search.solve_moves(left);
        let mut children: Vec<(Move, u16)> =
            children.iter().map(|child| (child.mv, child.value.at_most)).collect();
        loop {
            // The first of the longest.
            let at = (0..children.len()).rev().max_by_key(|&at| children[at].1)?;
            let (mv, plies) = children[at];
            if plies >= left || plies == 0 {
                return (plies < left).then_some((mv, plies));
            }
            self.search.play(mv);
            let value = self.search.solve(plies - 1);
            self.search.undo();
            if value.at_most >= plies {
                return Some((mv, plies));
            }
            children[at].1 = value.at_most;
        }
    }
}
