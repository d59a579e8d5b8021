//! The seam between the referee and whatever plays: [`Player`] is asked with [`Turn`]s and says
//! [`Answer`]s.

use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mcts::Proven;
use rand::RngExt;
use rules::{Game, Move, Seed, Termination};

use crate::alphabeta::AlphaBeta;
use crate::clock::{Clock, Limits};
use crate::score::Score;

/// Names a game of a tournament. Its moves depend on this and on the tournament's seed alone, not on
/// when or beside which others it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// Number of the pair of games.
    pub pair: u64,
    /// Which game of the pair: 0 if the pair's first player had Black at first, else 1.
    pub game: u8,
    /// How many games drawn by repetition came before in its place.
    pub replay: u32,
}

/// A game in which a player is to move.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game so far. It has no verdict yet ([`Game::verdict`]): the referee declares for a player
    /// who wins by it.
    pub game: &'a Game,
    /// Which game that is; another one means that a new game has begun.
    pub id: GameId,
    /// Chance for this move alone.
    pub seed: Seed,
    /// The clocks of Black and White. They stand; the time of the move is counted afterwards.
    pub clocks: [Clock; 2],
    /// What the player may spend on the move besides its clock.
    pub limits: Limits,
}

impl Turn<'_> {
    /// The longest that the move may take; `None`: for ever.
    pub fn available(&self) -> Option<Duration> {
        self.clocks[self.game.side_to_move().index()].available()
    }
}

/// What a player does when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Moves. The referee decides whether the move is legal.
    Move(Move),
    /// Gives up.
    Resign,
    /// Declares in place of a move ([`Game::declare`]); without the conditions for it that loses.
    Declare,
    /// Gives no usable answer, and loses this game by it.
    Fail(Failure),
}

/// How a player failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In one word.
    pub kind: FailureKind,
    /// What happened, for the record: the line it wrote, the exit status.
    pub reason: String,
}

/// Kinds of failures, by which the game they lose is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// It named a move that does not exist, or none where there are some.
    Illegal,
    /// It did not answer within its time, or too late.
    Time,
    /// Its program ended.
    Crash,
    /// Its program lives and does not answer, where time has no limit or long after it.
    Stall,
    /// Its program lives and has closed the connection.
    Disconnect,
    /// It wrote what is no answer, or without end.
    Junk,
}

impl FailureKind {
    /// How the game ends.
    pub fn termination(self) -> Termination {
        match self {
            FailureKind::Illegal => Termination::IllegalMove,
            FailureKind::Time => Termination::Time,
            FailureKind::Crash => Termination::Crash,
            FailureKind::Stall => Termination::Stall,
            FailureKind::Disconnect => Termination::Disconnect,
            FailureKind::Junk => Termination::Junk,
        }
    }
}

/// The answer to a [`Turn`].
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What it does.
    pub action: Action,
    /// What it thinks of the position before the action, from its own side; `None`: not told.
    pub score: Option<Score>,
    /// The exact result from the side of the player, where it follows from the rules; never what an
    /// engine merely says.
    pub proven: Option<Proven>,
    /// Nodes or simulations spent, if known.
    pub nodes: Option<u64>,
    /// How long it took where the player measures that itself, as one that talks to a program does
    /// (from the command written to the line read); else the referee's measure counts.
    pub elapsed: Option<Duration>,
}

impl Answer {
    /// An action without any remarks.
    pub fn of(action: Action) -> Answer {
        Answer { action, score: None, proven: None, nodes: None, elapsed: None }
    }
}

/// Something that plays, in many games at once.
///
/// A choice depends only on the turn and on the earlier ones of its game, all of which the same player
/// is asked, so that a tournament gives the same games however they are spread over threads, and
/// whenever it is interrupted.
pub trait Player: Send {
    /// Answers every turn, in this order; in all of them this player is to move. `out` is cleared and
    /// filled. Once `stop` is raised it may return early with fewer answers: nothing is played then.
    ///
    /// A failure that concerns one game is an [`Action::Fail`] of its answer.
    ///
    /// # Errors
    /// When the player can play no game at all (a net gives no finite numbers); that ends the
    /// tournament.
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError>;

    /// A game has ended in which this player took part, with so many half points (0, 1, 2) for it;
    /// `None`: the game was given up.
    fn game_over(&mut self, _: GameId, _half_points: Option<usize>) {}
}

/// Makes a player anew, once on every thread.
pub type PlayerFactory<'a> = dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Sync + 'a;

/// A player cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("player {player}: {source}")]
pub struct PlayerError {
    /// Name of the player.
    pub player: String,
    /// What went wrong.
    pub source: Box<dyn Error + Send + Sync>,
}

/// Plays every legal move with the same probability.
#[derive(Clone, Debug, Default)]
pub struct Random {
    moves: Vec<Move>,
}

impl Random {
    fn choose(&mut self, turn: &Turn<'_>) -> Move {
        turn.game.status(&mut self.moves);
        self.moves[turn.seed.rng().random_range(0..self.moves.len())]
    }
}

impl Player for Random {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        _: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        out.extend(turns.iter().map(|turn| Answer::of(Action::Move(self.choose(turn)))));
        Ok(())
    }
}

/// Plays at random with some probability, else as [`AlphaBeta`] of depth 1: a rung between the two.
#[derive(Debug)]
pub struct Blunder {
    /// Per cent of the moves that are random.
    percent: u32,
    random: Random,
    other: AlphaBeta,
}

impl Blunder {
    /// A player of which `percent` of the moves are random; 100 or more: all.
    pub fn new(percent: u32) -> Blunder {
        let other = AlphaBeta::new(std::num::NonZeroU32::MIN);
        Blunder { percent, random: Random::default(), other }
    }
}

impl Player for Blunder {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        _: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for turn in turns {
            let blunders = turn.seed.derive("blunder", 0).rng().random_range(0..100) < self.percent;
            let mv = if blunders { self.random.choose(turn) } else { self.other.choose(turn) };
            out.push(Answer::of(Action::Move(mv)));
        }
        Ok(())
    }
}
