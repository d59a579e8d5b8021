//! Plays a match: many games at once on long-lived threads, two for each opening with the colours
//! exchanged.
//!
//! With replays, a game drawn by plain repetition is not scored: the players exchange colours and
//! begin again from the same opening, a given number of times in a row at most; then the draw counts.
//! The game that counts takes the place of the first one, so a pair remains two results from one
//! opening, each for the player and not for the colour. Colours are counted as they were in the games
//! that count: after an odd number of replays both games of a pair have the same player as Black, and
//! [`MatchResult::by_black`] need not be balanced. Matches have no clocks, so there are none to keep.
//!
//! Invariant: a move depends only on the game and on a seed derived from match seed, game and ply,
//! so that the result is the same for any number of threads.

use std::collections::BTreeMap;
use std::mem;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use rules::{Color, Game, IllegalMove, Move, Outcome, Seed, Termination, Variant};

use crate::elo::{Pentanomial, Trinomial};
use crate::opening::{Opening, OpeningConfig, OpeningError, openings};
use crate::player::{Player, PlayerError};
use crate::rating::Results;

/// What to play.
#[derive(Clone, Debug)]
pub struct MatchSpec {
    /// The game.
    pub variant: Arc<Variant>,
    /// One pair of games each: in the first player 0 is Black, in the second player 1.
    pub openings: Vec<Opening>,
    /// Origin of all chance.
    pub seed: Seed,
    /// Most games a thread plays at the same time; the batch of a net is at most this large.
    pub games_in_flight: NonZeroUsize,
    /// How many times in a row a draw by plain repetition is played again; 0: it counts.
    pub max_replays: u32,
}

/// Games that a thread plays at the same time unless a match says otherwise.
const GAMES_IN_FLIGHT: NonZeroUsize = NonZeroUsize::new(64).expect("64 is not 0");

impl MatchSpec {
    /// A match of `pairs` pairs from varied openings, all derived from `seed`.
    ///
    /// # Errors
    /// If the variant does not supply enough openings.
    pub fn varied(
        variant: Arc<Variant>,
        pairs: usize,
        seed: Seed,
    ) -> Result<MatchSpec, OpeningError> {
        let config = OpeningConfig::default();
        let openings = openings(&variant, pairs, &config, seed.derive("openings", 0))?;
        Ok(MatchSpec { variant, openings, seed, games_in_flight: GAMES_IN_FLIGHT, max_replays: 0 })
    }
}

/// Makes one of the two players anew, once on every thread.
pub type PlayerFactory<'a> = dyn Fn() -> Result<Box<dyn Player>, PlayerError> + Sync + 'a;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameResult {
    /// Index of the opening.
    pub pair: usize,
    /// Which game of the pair (0 or 1): the player that had black before any replay.
    pub game: usize,
    /// The player (0 or 1) with the black pieces.
    pub black: usize,
    /// How many games drawn by repetition came before in its place; they do not count.
    pub replays: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// All moves from the variant's start position, the opening's among them; of replayed games, those
    /// of the last one.
    pub moves: Vec<Move>,
}

impl GameResult {
    /// Half points (0, 1, 2) of a player (0 or 1).
    pub fn half_points(&self, player: usize) -> usize {
        match self.outcome.winner {
            None => 1,
            Some(Color::Black) => 2 * usize::from(self.black == player),
            Some(Color::White) => 2 * usize::from(self.black != player),
        }
    }
}

/// Results of the complete pairs of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchResult {
    /// Results of player 0, by the player that had black (index 0: player 0 itself) in the game that
    /// counts.
    pub by_black: [Trinomial; 2],
    /// Pairs by the points of player 0.
    pub pentanomial: Pentanomial,
    /// Games by the way they ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Plies of all games that count together.
    pub plies: u64,
    /// Games drawn by repetition that were played again, and do not count.
    pub replays: u64,
    /// Pairs that were not played to their end, and do not count.
    pub unfinished_pairs: usize,
}

impl MatchResult {
    /// Results of player 0.
    pub fn total(&self) -> Trinomial {
        let [a, b] = self.by_black;
        Trinomial { wins: a.wins + b.wins, draws: a.draws + b.draws, losses: a.losses + b.losses }
    }

    /// The results for [`rating::fit`](crate::rating::fit), with player `i` numbered `numbers[i]`
    /// there.
    pub fn for_rating(&self, numbers: [usize; 2]) -> [Results; 2] {
        let ([a, b], [first, second]) = (numbers, self.by_black);
        [
            Results {
                first: a,
                second: b,
                first_wins: first.wins,
                draws: first.draws,
                second_wins: first.losses,
            },
            Results {
                first: b,
                second: a,
                first_wins: second.losses,
                draws: second.draws,
                second_wins: second.wins,
            },
        ]
    }

    /// Counts the complete pairs among `pairs` (index: opening; both games of it in any order).
    fn of_pairs(pairs: &[Vec<GameResult>]) -> MatchResult {
        let mut result = MatchResult::default();
        for pair in pairs {
            let [a, b] = pair.as_slice() else {
                result.unfinished_pairs += 1;
                continue;
            };
            result.pentanomial.add(a.half_points(0) + b.half_points(0));
            for game in [a, b] {
                let counts = &mut result.by_black[game.black];
                match game.half_points(0) {
                    0 => counts.losses += 1,
                    1 => counts.draws += 1,
                    _ => counts.wins += 1,
                }
                *result.terminations.entry(game.outcome.termination).or_default() += 1;
                result.plies += game.moves.len() as u64;
                result.replays += u64::from(game.replays);
            }
        }
        result
    }
}

/// A match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A player failed.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player gave a move that is not legal.
    #[error("player {player}, pair {pair}, ply {ply}: {source}")]
    IllegalMove {
        /// Name of the player.
        player: String,
        /// Index of the opening.
        pair: usize,
        /// Plies played before.
        ply: usize,
        /// Why it is illegal.
        source: IllegalMove,
    },
    /// An opening has an illegal move.
    #[error("opening {pair}, ply {ply}: {source}")]
    Opening {
        /// Index of the opening.
        pair: usize,
        /// Plies played before.
        ply: usize,
        /// Why it is illegal.
        source: IllegalMove,
    },
    /// A thread panicked; the panic has been reported by the panic hook.
    #[error("a thread of the match panicked")]
    WorkerPanicked,
}

/// Plays all pairs of `spec` on `workers` threads and counts the results; `players[i]` makes player
/// `i`.
///
/// `on_game` is called for every finished game, on the thread that played it, in no fixed order.
/// Once `stop` is set no further move is played; pairs complete by then count.
///
/// # Errors
/// The first failure of a player or an opening; the other threads stop at once.
pub fn play_match(
    spec: &MatchSpec,
    players: [&PlayerFactory<'_>; 2],
    workers: NonZeroUsize,
    on_game: &(dyn Fn(&GameResult) + Sync),
    stop: &AtomicBool,
) -> Result<MatchResult, MatchError> {
    let shared = Shared {
        spec,
        on_game,
        stop,
        failed: AtomicBool::new(false),
        next_pair: AtomicUsize::new(0),
        pairs: Mutex::new(vec![Vec::new(); spec.openings.len()]),
    };
    // Spread the games evenly, so that no thread takes all of them.
    let share = 2 * spec.openings.len().div_ceil(workers.get());
    let in_flight = spec.games_in_flight.get().min(share).max(2);
    thread::scope(|scope| {
        let work = || {
            let result = Worker::new(&shared, players).and_then(|mut w| w.run(in_flight));
            if result.is_err() {
                shared.failed.store(true, Ordering::Relaxed);
            }
            result
        };
        let threads: Vec<_> = (0..workers.get()).map(|_| scope.spawn(work)).collect();
        let joined: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
        joined.into_iter().try_for_each(|result| result.map_err(|_| MatchError::WorkerPanicked)?)
    })?;
    let pairs = shared.pairs.into_inner().map_err(|_| MatchError::WorkerPanicked)?;
    Ok(MatchResult::of_pairs(&pairs))
}

/// What the threads of a match have in common.
struct Shared<'a> {
    spec: &'a MatchSpec,
    on_game: &'a (dyn Fn(&GameResult) + Sync),
    stop: &'a AtomicBool,
    failed: AtomicBool,
    next_pair: AtomicUsize,
    /// Finished games by opening.
    pairs: Mutex<Vec<Vec<GameResult>>>,
}

/// A game being played.
struct Slot {
    pair: usize,
    /// Which game of the pair.
    number: usize,
    black: usize,
    replays: u32,
    /// Plies of the opening.
    opening: usize,
    seed: Seed,
    game: Game,
}

impl Slot {
    fn player_to_move(&self) -> usize {
        if self.game.side_to_move() == Color::Black { self.black } else { 1 - self.black }
    }

    /// Back to the opening with colours exchanged, and another seed.
    fn replay(&mut self) {
        while self.game.ply() > self.opening {
            self.game.undo();
        }
        self.replays += 1;
        self.black = 1 - self.black;
        self.seed = self.seed.derive("replay", u64::from(self.replays));
    }

    fn into_result(self, outcome: Outcome) -> GameResult {
        let Slot { pair, number: game, black, replays, .. } = self;
        GameResult { pair, game, black, replays, outcome, moves: self.game.moves().to_vec() }
    }
}

/// One thread: its own players and its games in flight.
struct Worker<'a> {
    shared: &'a Shared<'a>,
    players: [Box<dyn Player>; 2],
    slots: Vec<Slot>,
    legal: Vec<Move>,
}

impl<'a> Worker<'a> {
    fn new(shared: &'a Shared<'a>, make: [&PlayerFactory<'_>; 2]) -> Result<Self, MatchError> {
        let players = [make[0]()?, make[1]()?];
        Ok(Worker { shared, players, slots: Vec::new(), legal: Vec::new() })
    }

    /// Plays pairs until there are no more, or the match is to stop.
    fn run(&mut self, in_flight: usize) -> Result<(), MatchError> {
        loop {
            while self.slots.len() + 2 <= in_flight && self.take_pair()? {}
            self.finish_games();
            if self.slots.is_empty() && !self.take_pair()? {
                return Ok(());
            }
            for player in 0..2 {
                if self.is_stopped() {
                    return Ok(());
                }
                self.move_player(player)?;
                self.finish_games();
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed) || self.shared.failed.load(Ordering::Relaxed)
    }

    /// Starts both games of the next pair; `false` if all pairs are taken.
    fn take_pair(&mut self) -> Result<bool, MatchError> {
        let spec = self.shared.spec;
        let pair = self.shared.next_pair.fetch_add(1, Ordering::Relaxed);
        let Some(opening) = spec.openings.get(pair) else { return Ok(false) };
        let mut game = Game::new(spec.variant.clone());
        for (ply, &mv) in opening.moves.iter().enumerate() {
            game.try_play(mv).map_err(|source| MatchError::Opening { pair, ply, source })?;
        }
        for black in 0..2 {
            let seed = spec.seed.derive("game", (2 * pair + black) as u64);
            let (opening, game) = (game.ply(), game.clone());
            let (number, replays) = (black, 0);
            self.slots.push(Slot { pair, number, black, replays, opening, seed, game });
        }
        Ok(true)
    }

    /// Plays one move in every game in which `player` is to move; those games are not over.
    fn move_player(&mut self, player: usize) -> Result<(), MatchError> {
        let turns = |slot: &&Slot| slot.player_to_move() == player;
        let games: Vec<&Game> = self.slots.iter().filter(turns).map(|slot| &slot.game).collect();
        if games.is_empty() {
            return Ok(());
        }
        let move_seed = |slot: &Slot| slot.seed.derive("move", slot.game.ply() as u64);
        let seeds: Vec<Seed> = self.slots.iter().filter(turns).map(move_seed).collect();
        let mut moves = Vec::with_capacity(games.len());
        let chooser = &mut self.players[player];
        chooser.choose(&games, &seeds, &mut moves)?;
        assert_eq!(moves.len(), games.len(), "{} chose too few moves", chooser.name());
        let slots = self.slots.iter_mut().filter(|slot| slot.player_to_move() == player);
        for (slot, mv) in slots.zip(moves) {
            let ply = slot.game.ply();
            slot.game.try_play(mv).map_err(|source| MatchError::IllegalMove {
                player: chooser.name().to_owned(),
                pair: slot.pair,
                ply,
                source,
            })?;
        }
        Ok(())
    }

    /// Hands in the games that are over, and begins again those that are to be replayed.
    fn finish_games(&mut self) {
        for mut slot in mem::take(&mut self.slots) {
            let Some(outcome) = slot.game.verdict(&mut self.legal) else {
                self.slots.push(slot);
                continue;
            };
            let plain = outcome.termination == Termination::Repetition && outcome.winner.is_none();
            if plain && slot.replays < self.shared.spec.max_replays {
                slot.replay();
                self.slots.push(slot);
                continue;
            }
            let result = slot.into_result(outcome);
            (self.shared.on_game)(&result);
            let mut pairs = self.shared.pairs.lock().expect("no thread panics while it holds this");
            pairs[result.pair].push(result);
        }
    }
}

#[cfg(test)]
mod tests;
