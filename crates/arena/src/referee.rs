//! One game under the referee: clocks, legality, endings, adjudication.

use std::time::Duration;

use rules::{Color, Game, Move, Outcome, Position, Seed, Termination};

use crate::adjudication::Adjudication;
use crate::clock::{Clock, Limits};
use crate::player::{Action, Answer, GameId, Turn};
use crate::schedule::Pair;
use crate::score::Score;

/// What a player said about one move of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remark {
    /// What it thought of the position before the move, from its own side.
    pub score: Option<Score>,
    /// Nodes or simulations, if known.
    pub nodes: Option<u64>,
    /// How long it took, where time was measured.
    pub elapsed: Option<Duration>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct GameResult {
    /// The pair it belongs to, with its players.
    pub pair: Pair,
    /// Which game of the pair (0 or 1): the player of the pair that had Black before any replay.
    pub game: u8,
    /// The player of the pair (0 or 1) that had Black in the game that counts.
    pub black: usize,
    /// How many games drawn by repetition came before in its place; they do not count.
    pub replays: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// What happened, where `outcome` does not say it all: the illegal move and why it is illegal, the
    /// last words of a program, the scores that an adjudication went by. Empty otherwise.
    pub reason: String,
    /// Where the game began.
    pub start: Position,
    /// All moves from `start`, the opening's among them; of replayed games, those of the last one.
    pub moves: Vec<Move>,
    /// How many of `moves` are the opening.
    pub opening_plies: usize,
    /// One for each move after the opening.
    pub remarks: Vec<Remark>,
}

impl GameResult {
    /// Half points (0, 1, 2) of a player of the pair (0 or 1).
    pub fn half_points(&self, player: usize) -> usize {
        match self.outcome.winner {
            None => 1,
            Some(Color::Black) => 2 * usize::from(self.black == player),
            Some(Color::White) => 2 * usize::from(self.black != player),
        }
    }

    /// Which game it is.
    pub fn id(&self) -> GameId {
        GameId { pair: self.pair.number, game: self.game, replay: self.replays }
    }

    /// The number in the tournament of the player with these pieces.
    pub fn player(&self, color: Color) -> usize {
        self.pair.players[if color == Color::Black { self.black } else { 1 - self.black }]
    }
}

/// A game that is being played. It is never over: [`Board::answered`] and [`Board::begin`] say when.
pub(crate) struct Board {
    pair: Pair,
    number: u8,
    black: usize,
    replays: u32,
    opening_plies: usize,
    seed: Seed,
    game: Game,
    /// By player of the pair; they stay with the players when colours are exchanged.
    clocks: [Clock; 2],
    limits: [Limits; 2],
    remarks: Vec<Remark>,
    /// The legal moves.
    legal: Vec<Move>,
}

/// An ending that the game itself does not show.
struct Ending {
    outcome: Outcome,
    reason: String,
}

impl Board {
    /// A game from its opening, not yet begun.
    pub(crate) fn new(
        pair: Pair,
        number: u8,
        game: Game,
        seed: Seed,
        limits: [Limits; 2],
    ) -> Board {
        Board {
            pair,
            number,
            black: usize::from(number),
            replays: 0,
            opening_plies: game.ply(),
            seed,
            game,
            clocks: limits.map(|limits| Clock::new(limits.time)),
            limits,
            remarks: Vec::new(),
            legal: Vec::new(),
        }
    }

    /// Finds the legal moves of the opening, and whether it is over already.
    pub(crate) fn begin(&mut self, rules: &Adjudication) -> Option<GameResult> {
        self.judged(None, rules)
    }

    pub(crate) fn id(&self) -> GameId {
        GameId { pair: self.pair.number, game: self.number, replay: self.replays }
    }

    pub(crate) fn players(&self) -> [usize; 2] {
        self.pair.players
    }

    /// Which player of the pair (0 or 1) is to move.
    fn mover(&self) -> usize {
        if self.game.side_to_move() == Color::Black { self.black } else { 1 - self.black }
    }

    /// The number in the tournament of the player to move.
    pub(crate) fn player_to_move(&self) -> usize {
        self.pair.players[self.mover()]
    }

    /// What the player to move is asked.
    pub(crate) fn turn(&self) -> Turn<'_> {
        Turn {
            game: &self.game,
            id: self.id(),
            seed: self.seed.derive("move", self.game.ply() as u64),
            clocks: [self.clocks[self.black], self.clocks[1 - self.black]],
            limits: self.limits[self.mover()],
        }
    }

    /// Carries out the answer of the player to move, which took `elapsed` (counted if the player has a
    /// clock); the result if that ended the game.
    pub(crate) fn answered(
        &mut self,
        answer: Answer,
        elapsed: Option<Duration>,
        rules: &Adjudication,
    ) -> Option<GameResult> {
        let (mover, side) = (self.mover(), self.game.side_to_move());
        let elapsed = answer.elapsed.or(elapsed);
        let margin = self.limits[mover].margin;
        let late = match (&answer.action, elapsed) {
            (Action::Fail(_), _) | (_, None) => None,
            (_, Some(elapsed)) => {
                let available = self.clocks[mover].available();
                let in_time = self.clocks[mover].charge(elapsed, margin);
                (!in_time).then(|| available.map_or(elapsed, |had| elapsed.saturating_sub(had)))
            }
        };
        let lost = |termination, reason| {
            let outcome = Outcome { winner: Some(!side), termination };
            Some(Ending { outcome, reason })
        };
        let (score, nodes) = (answer.score, answer.nodes);
        let ending = match answer.action {
            _ if let Some(over) = late => {
                let over = over.as_millis();
                lost(Termination::Time, format!("{over} ms too late at ply {}", self.game.ply()))
            }
            Action::Fail(failure) => lost(failure.kind.termination(), self.placed(&failure.reason)),
            Action::Resign => lost(Termination::Resignation, String::new()),
            Action::Declare => match self.game.declare() {
                Some(outcome) => Some(Ending { outcome, reason: String::new() }),
                None => {
                    let reason = self.placed("a declaration, which this game does not have");
                    lost(Termination::IllegalMove, reason)
                }
            },
            Action::Move(mv) if self.legal.contains(&mv) => {
                self.game.play(mv);
                self.remarks.push(Remark { score, nodes, elapsed });
                None
            }
            Action::Move(mv) => {
                let why = self.game.try_play(mv).err().map_or(String::new(), |why| why.to_string());
                let text = rules::move_to_usi(self.game.variant(), mv);
                lost(Termination::IllegalMove, self.placed(&format!("{text}: {why}")))
            }
        };
        let ending = ending.or_else(|| {
            let proven = answer.proven.filter(|_| rules.proven)?;
            let winner = match proven.value {
                0 => None,
                1 => Some(side),
                _ => Some(!side),
            };
            let outcome = Outcome { winner, termination: Termination::Adjudication };
            Some(Ending { outcome, reason: format!("proven in {} plies", proven.plies) })
        });
        self.judged(ending, rules)
    }

    /// A fault with the place where it happened.
    fn placed(&self, what: &str) -> String {
        let fen = self.game.position().to_fen(self.game.variant());
        format!("{what} (ply {}, {fen})", self.game.ply())
    }

    /// The result, if the game is over; a repetition that is to be played again is set up.
    fn judged(&mut self, ending: Option<Ending>, rules: &Adjudication) -> Option<GameResult> {
        // What the rules say of the position goes before what was agreed on scores.
        let verdict = self.game.verdict(&mut self.legal);
        let certain =
            ending.as_ref().is_some_and(|e| e.outcome.termination != Termination::Adjudication);
        let ending = match verdict {
            Some(outcome) if !certain => Some(Ending { outcome, reason: String::new() }),
            _ => ending,
        };
        let ending = ending.or_else(|| {
            let mover = self.game.side_to_move();
            let (outcome, reason) = rules.of_scores(&self.remarks, self.game.ply(), mover)?;
            Some(Ending { outcome, reason })
        })?;
        let Outcome { winner, termination } = ending.outcome;
        let plain = termination == Termination::Repetition && winner.is_none();
        if plain && self.replays < rules.max_replays {
            self.replay();
            return self.judged(None, rules);
        }
        Some(GameResult {
            pair: self.pair,
            game: self.number,
            black: self.black,
            replays: self.replays,
            outcome: ending.outcome,
            reason: ending.reason,
            start: self.game.start().clone(),
            moves: self.game.moves().to_vec(),
            opening_plies: self.opening_plies,
            remarks: std::mem::take(&mut self.remarks),
        })
    }

    /// Back to the opening with colours exchanged, and another seed; everyone keeps the own clock.
    fn replay(&mut self) {
        while self.game.ply() > self.opening_plies {
            self.game.undo();
        }
        self.replays += 1;
        self.black = 1 - self.black;
        self.seed = self.seed.derive("replay", u64::from(self.replays));
        self.remarks.clear();
    }
}
