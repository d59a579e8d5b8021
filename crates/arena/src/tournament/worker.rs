//! One thread of a tournament: its own players and its games in flight.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;

use rules::Game;

use super::coordinator::{Coordinator, Task, Wants};
use super::{Halt, Tournament, TournamentError};
use crate::player::{Answer, Player, Turn};
use crate::referee::{Board, GameResult};

pub(super) struct Worker<'a> {
    tournament: &'a Tournament<'a>,
    coordinator: &'a Coordinator<'a>,
    halt: &'a Halt<'a>,
    on_game: &'a (dyn Fn(&GameResult) + Sync),
    /// Made when they are needed first, by number.
    players: BTreeMap<usize, Box<dyn Player>>,
    boards: Vec<Board>,
    /// Whether the game in flight is played by itself.
    alone: bool,
    answers: Vec<Answer>,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        tournament: &'a Tournament<'a>,
        coordinator: &'a Coordinator<'a>,
        halt: &'a Halt<'a>,
        on_game: &'a (dyn Fn(&GameResult) + Sync),
    ) -> Self {
        Worker {
            tournament,
            coordinator,
            halt,
            on_game,
            players: BTreeMap::new(),
            boards: Vec::new(),
            alone: false,
            answers: Vec::new(),
        }
    }

    /// Plays games until there are no more, or the tournament is to stop.
    pub(super) fn run(&mut self) -> Result<(), TournamentError> {
        let most = self.coordinator.share();
        loop {
            if self.boards.is_empty() {
                let Some(task) = self.coordinator.wait(self.halt) else { return Ok(()) };
                self.begin(task)?;
            }
            while !self.alone && self.boards.len() < most {
                let Some(task) = self.coordinator.take(Wants::Shared) else { break };
                self.begin(task)?;
            }
            for player in self.to_move() {
                if self.halt.raised() {
                    return Ok(());
                }
                self.move_player(player)?;
            }
            self.drop_decided();
        }
    }

    /// The players with a turn.
    fn to_move(&self) -> Vec<usize> {
        let mut players: Vec<usize> = self.boards.iter().map(Board::player_to_move).collect();
        players.sort_unstable();
        players.dedup();
        players
    }

    /// Sets up a game.
    fn begin(&mut self, task: Task) -> Result<(), TournamentError> {
        let Tournament { variant, openings, entrants, seed, adjudication, .. } = self.tournament;
        let Task { pair, game: number, alone } = task;
        let index = (pair.opening % openings.len() as u64) as usize;
        let opening = &openings[index];
        let start = opening.start.as_ref().unwrap_or(variant.start()).clone();
        let mut game = Game::from_position(variant.clone(), start);
        for (ply, &mv) in opening.moves.iter().enumerate() {
            game.try_play(mv).map_err(|source| TournamentError::Opening {
                opening: index,
                ply,
                source,
            })?;
        }
        for player in pair.players {
            if let Entry::Vacant(place) = self.players.entry(player) {
                place.insert((entrants[player].make)()?);
            }
        }
        let seed = seed.derive("game", 2 * pair.number + u64::from(number));
        let limits = pair.players.map(|player| entrants[player].limits);
        let mut board = Board::new(pair, number, game, seed, limits);
        self.alone = alone;
        match board.begin(adjudication) {
            Some(result) => self.hand_in(result),
            None => self.boards.push(board),
        }
        Ok(())
    }

    /// Asks `player` for its moves in all games in which it is to move, and carries them out.
    fn move_player(&mut self, player: usize) -> Result<(), TournamentError> {
        let Tournament { entrants, adjudication, now, .. } = self.tournament;
        let is_turn = |board: &&Board| board.player_to_move() == player;
        let turns: Vec<Turn<'_>> = self.boards.iter().filter(is_turn).map(Board::turn).collect();
        if turns.is_empty() {
            return Ok(()); // Its games ended while others moved.
        }
        let wanted = turns.len();
        let chooser = self.players.get_mut(&player).expect("it was made when the game began");
        let timed = entrants[player].limits.time.is_some();
        let before = timed.then(now);
        chooser.answer(&turns, self.halt.stop, &mut self.answers)?;
        let elapsed = before.map(|before| now().saturating_sub(before));
        if self.answers.len() < wanted {
            assert!(self.halt.raised(), "{} gave too few answers", entrants[player].name);
            return Ok(());
        }
        let mut answers = mem::take(&mut self.answers);
        let mut given = answers.drain(..);
        let mut results = Vec::new();
        self.boards.retain_mut(|board| {
            if board.player_to_move() != player {
                return true;
            }
            let Some(answer) = given.next() else { return true };
            let result = board.answered(answer, elapsed, adjudication);
            let goes_on = result.is_none();
            results.extend(result);
            goes_on
        });
        drop(given);
        self.answers = answers;
        results.into_iter().for_each(|result| self.hand_in(result));
        Ok(())
    }

    fn hand_in(&mut self, result: GameResult) {
        for (side, number) in result.pair.players.into_iter().enumerate() {
            let (id, points) = (result.id(), Some(result.half_points(side)));
            self.players.entry(number).and_modify(|player| player.game_over(id, points));
        }
        (self.on_game)(&result);
        self.coordinator.hand_in(result);
    }

    /// Gives up games between players whose meeting a test has decided.
    fn drop_decided(&mut self) {
        if self.tournament.decided.is_none() {
            return;
        }
        let coordinator = self.coordinator;
        let players = &mut self.players;
        self.boards.retain(|board| {
            let decided = coordinator.is_decided(board.players());
            if decided {
                for player in board.players() {
                    let id = board.id();
                    players.entry(player).and_modify(|player| player.game_over(id, None));
                }
                coordinator.give_up();
            }
            !decided
        });
    }
}
