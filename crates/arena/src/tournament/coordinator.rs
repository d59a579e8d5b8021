//! What the threads of a tournament have in common: the games still to play, and those played.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Halt, Tournament};
use crate::referee::GameResult;
use crate::schedule::{Pair, Scores};
use crate::stats::Pentanomial;

/// A game to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) pair: Pair,
    pub(super) game: u8,
    /// Whether it is played by itself.
    pub(super) alone: bool,
}

/// Which games a thread can take now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wants {
    Any,
    /// One that shares batches with those it is playing.
    Shared,
}

/// How far games that cannot be taken now are looked over for others, in games.
const LOOK_AHEAD: usize = 1024;
/// How often a thread that waits for results looks whether it is to stop.
const GLANCE: Duration = Duration::from_millis(50);

pub(super) struct Coordinator<'a> {
    tournament: &'a Tournament<'a>,
    threads: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    games: Vec<GameResult>,
    played: HashSet<(u64, u8)>,
    shared: VecDeque<Task>,
    alone: VecDeque<Task>,
    /// Games handed out and not handed in.
    out: usize,
    next_batch: u64,
    /// No batch is left.
    exhausted: bool,
    meetings: BTreeMap<[usize; 2], Meeting>,
}

/// The pairs of two players in the order of their rounds.
#[derive(Default)]
struct Meeting {
    /// Half points of the first player and games of pairs beyond the counted ones, by round.
    waiting: BTreeMap<u64, (usize, u8)>,
    /// Rounds before this are counted.
    counted: u64,
    pentanomial: Pentanomial,
    decided: bool,
}

impl<'a> Coordinator<'a> {
    pub(super) fn new(
        tournament: &'a Tournament<'a>,
        played: Vec<GameResult>,
        threads: usize,
    ) -> Self {
        let mut state = State {
            games: Vec::new(),
            played: HashSet::new(),
            shared: VecDeque::new(),
            alone: VecDeque::new(),
            out: 0,
            next_batch: 0,
            exhausted: false,
            meetings: BTreeMap::new(),
        };
        for game in played {
            state.count(tournament, game);
        }
        Coordinator { tournament, threads, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Most games that a thread should have at the same time, so that no thread takes all of them.
    pub(super) fn share(&self) -> usize {
        let most = self.tournament.games_in_flight.get();
        match self.tournament.schedule.games() {
            Some(games) => most.min((games as usize).div_ceil(self.threads)).max(2),
            None => most.max(2),
        }
    }

    /// The next game; `None` if there is none (yet).
    pub(super) fn take(&self, wants: Wants) -> Option<Task> {
        self.lock().take(self.tournament, wants)
    }

    /// The next game, waiting for it if it depends on games that others play; `None` when the
    /// tournament has ended or is to stop.
    pub(super) fn wait(&self, halt: &Halt<'_>) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if halt.raised() {
                return None;
            }
            if let Some(task) = state.take(self.tournament, Wants::Any) {
                return Some(task);
            }
            if state.out == 0 {
                return None;
            }
            let waited = self.changed.wait_timeout(state, GLANCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether a game no longer matters.
    pub(super) fn is_decided(&self, players: [usize; 2]) -> bool {
        self.lock().meetings.get(&players).is_some_and(|meeting| meeting.decided)
    }

    /// Takes in a finished game.
    pub(super) fn hand_in(&self, game: GameResult) {
        let mut state = self.lock();
        state.out -= 1;
        state.count(self.tournament, game);
        drop(state);
        self.changed.notify_all();
    }

    /// Takes note of a game that is given up.
    pub(super) fn give_up(&self) {
        self.lock().out -= 1;
        self.changed.notify_all();
    }

    /// All games that count.
    pub(super) fn into_games(self) -> Vec<GameResult> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let counts = |game: &GameResult| {
            let meeting = &state.meetings[&game.pair.players];
            !meeting.decided || game.pair.round < meeting.counted
        };
        let mut games = state.games;
        games.retain(counts);
        games.sort_by_key(|game| (game.pair.number, game.game));
        games
    }
}

impl State {
    fn count(&mut self, tournament: &Tournament<'_>, game: GameResult) {
        if !self.played.insert((game.pair.number, game.game)) {
            return;
        }
        let meeting = self.meetings.entry(game.pair.players).or_default();
        meeting.add(&game, tournament);
        self.games.push(game);
    }

    fn take(&mut self, tournament: &Tournament<'_>, wants: Wants) -> Option<Task> {
        loop {
            let task = match wants {
                Wants::Shared => self.shared.pop_front(),
                Wants::Any => self.shared.pop_front().or_else(|| self.alone.pop_front()),
            };
            match task {
                Some(task) if self.is_void(&task) => {}
                Some(task) => {
                    self.out += 1;
                    return Some(task);
                }
                None if self.alone.len() > LOOK_AHEAD || !self.refill(tournament) => return None,
                None => {}
            }
        }
    }

    fn is_void(&self, task: &Task) -> bool {
        self.meetings.get(&task.pair.players).is_some_and(|meeting| meeting.decided)
    }

    /// Puts the next batch of the schedule into the queues; `false` if there is none (yet).
    fn refill(&mut self, tournament: &Tournament<'_>) -> bool {
        let schedule = &tournament.schedule;
        let waits = schedule.needs_results() && self.out + self.shared.len() + self.alone.len() > 0;
        if self.exhausted || waits {
            return false;
        }
        let scores = if schedule.needs_results() {
            self.scores(tournament)
        } else {
            Scores::new(schedule.players)
        };
        let batch = schedule.batch(self.next_batch, &scores);
        self.next_batch += 1;
        let open = |pair: &Pair| !self.meetings.get(&pair.players).is_some_and(|m| m.decided);
        let endless_and_decided = schedule.pairs.is_none() && !batch.iter().any(open);
        self.exhausted = batch.is_empty() || endless_and_decided;
        for pair in batch {
            let alone = pair.players.iter().any(|&player| tournament.entrants[player].alone);
            // Who has the first move of the first game is drawn; it matters to nothing but the order.
            let furigoma = (tournament.seed.derive("furigoma", pair.number).0 & 1) as u8;
            for game in [furigoma, 1 - furigoma] {
                if !self.played.contains(&(pair.number, game)) {
                    let queue = if alone { &mut self.alone } else { &mut self.shared };
                    queue.push_back(Task { pair, game, alone });
                }
            }
        }
        !self.exhausted
    }

    /// The standings of a Swiss tournament whose rounds so far have ended.
    fn scores(&self, tournament: &Tournament<'_>) -> Scores {
        let schedule = &tournament.schedule;
        let mut scores = Scores::new(schedule.players);
        let full = 4 * schedule.pairs.unwrap_or(1);
        for round in 0..self.next_batch {
            let mut points: BTreeMap<[usize; 2], [u64; 2]> = BTreeMap::new();
            for game in self.games.iter().filter(|game| game.pair.round == round) {
                let sum = points.entry(game.pair.players).or_default();
                (0..2).for_each(|player| sum[player] += game.half_points(player) as u64);
            }
            scores.add_round(&points.into_iter().collect::<Vec<_>>(), full);
        }
        scores
    }
}

impl Meeting {
    /// Counts a game; a test sees the pairs in the order of their rounds, never in that of their ends,
    /// which would favour short games.
    fn add(&mut self, game: &GameResult, tournament: &Tournament<'_>) {
        let Some(decided) = &tournament.decided else { return };
        let (points, games) = self.waiting.entry(game.pair.round).or_default();
        *points += game.half_points(0);
        *games += 1;
        while !self.decided && self.waiting.get(&self.counted).is_some_and(|pair| pair.1 == 2) {
            let (points, _) = self.waiting.remove(&self.counted).expect("it was found");
            self.pentanomial.add(points);
            self.counted += 1;
            self.decided = decided(&self.pentanomial);
        }
    }
}
