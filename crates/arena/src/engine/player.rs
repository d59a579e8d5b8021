//! A program as a player: started when needed, started again when it failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rules::{Game, Move, Royalty, Variant};

use super::EngineSpec;
use super::session::{Broken, Session};
use crate::player::{Action, Answer, Failure, GameId, Player, PlayerError, Turn};

/// The pause before a program is started again, doubled by each failure that follows without a move
/// between, and its greatest length.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// An outside program. It plays one game at a time; several in turn begin a new game with each move.
#[derive(Debug)]
pub struct EnginePlayer {
    name: String,
    spec: Arc<EngineSpec>,
    variant: Arc<Variant>,
    session: Option<Session>,
    game: Option<GameId>,
    /// In a row.
    failures: u32,
    failed_at: Instant,
}

impl EnginePlayer {
    /// A player of this name. The program is started by the first game.
    pub fn new(name: String, spec: EngineSpec, variant: Arc<Variant>) -> EnginePlayer {
        let (session, game) = (None, None);
        let spec = Arc::new(spec);
        EnginePlayer { name, spec, variant, session, game, failures: 0, failed_at: Instant::now() }
    }

    /// The answer to one turn.
    fn play(&mut self, turn: &Turn<'_>, stop: &AtomicBool) -> Result<Answer, Broken> {
        if let Some(capture) = capture_of_king(turn.game) {
            return Ok(Answer::of(Action::Move(capture)));
        }
        let session = match &mut self.session {
            Some(session) => session,
            none => {
                pause(self.failures, self.failed_at, stop)?;
                none.insert(Session::start(Arc::clone(&self.spec), &self.variant, stop)?)
            }
        };
        if self.game != Some(turn.id) {
            session.new_game(stop)?;
            self.game = Some(turn.id);
        }
        session.think(turn, stop)
    }

    fn error(&self, reason: &str) -> PlayerError {
        PlayerError { player: self.name.clone(), source: reason.into() }
    }

    /// The program is done for; what is left of it is killed here.
    fn give_up(&mut self, failure: Failure) -> Answer {
        self.session = None;
        self.game = None;
        self.failures += 1;
        self.failed_at = Instant::now();
        Answer::of(Action::Fail(failure))
    }
}

impl Player for EnginePlayer {
    fn answer(
        &mut self,
        turns: &[Turn<'_>],
        stop: &AtomicBool,
        out: &mut Vec<Answer>,
    ) -> Result<(), PlayerError> {
        out.clear();
        for turn in turns {
            let unlimited = turn.limits.nodes.is_none() && turn.limits.depth.is_none();
            if turn.available().is_none() && unlimited {
                return Err(self.error("a program needs a limit: time, nodes or depth"));
            }
            match self.play(turn, stop) {
                Ok(answer) => {
                    self.failures = 0;
                    out.push(answer);
                }
                Err(Broken::Failed(failure)) => {
                    let answer = self.give_up(failure);
                    out.push(answer);
                }
                Err(Broken::Stopped) => return Ok(()),
                Err(Broken::Unfit(reason)) => return Err(self.error(&reason)),
            }
        }
        Ok(())
    }

    fn game_over(&mut self, game: GameId, half_points: Option<usize>) {
        if let Some(session) = self.session.as_mut().filter(|_| self.game == Some(game)) {
            session.game_over(half_points);
        }
        self.game = None;
    }
}

impl Drop for EnginePlayer {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            session.quit();
        }
    }
}

/// The move that takes the other king, where kings may be captured and one can be. Programs play such
/// games to the mate, as Fairy-Stockfish does: the move is theirs by what they played before, but asked
/// for it they see a position without legal moves, and resign.
fn capture_of_king(game: &Game) -> Option<Move> {
    let position = game.position();
    let capturable = game.variant().rules().royalty == Royalty::Capturable;
    let king = position.king(!game.side_to_move()).filter(|_| capturable)?;
    let mut moves = Vec::new();
    game.status(&mut moves);
    moves.into_iter().find(|mv| mv.to() == king)
}

/// Waits before the start that follows so many failures.
fn pause(failures: u32, failed_at: Instant, stop: &AtomicBool) -> Result<(), Broken> {
    while failed_at.elapsed() < pause_after(failures) {
        if stop.load(Ordering::Relaxed) {
            return Err(Broken::Stopped);
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

/// How long the pause is.
fn pause_after(failures: u32) -> Duration {
    let doubled = |before: u32| FIRST_PAUSE.saturating_mul(1 << before.min(16)).min(LONGEST_PAUSE);
    failures.checked_sub(1).map_or(Duration::ZERO, doubled)
}

#[cfg(test)]
mod tests {
    use rules::Position;

    use super::*;

    #[test]
    fn a_king_left_to_be_taken_is_taken() {
        let capture = |variant: &str, fen: &str| {
            let variant = Variant::builtin(variant).unwrap();
            let start = Position::parse(&variant, fen).unwrap();
            let game = Game::from_position(variant.clone(), start);
            capture_of_king(&game).map(|mv| rules::move_to_usi(&variant, mv))
        };
        // The lion on 2d stayed before the chick on 2c.
        let left = "2e/l1c/1cG/GL1[e] b 0 1";
        assert_eq!(capture("dobutsu", left).as_deref(), Some("2c2d+"));
        assert_eq!(capture("dobutsu", "gle/1c1/1C1/ELG[-] w 0 1"), None);
    }

    #[test]
    fn pauses_grow_to_their_limit() {
        let milliseconds = |failures| pause_after(failures).as_millis();
        assert_eq!([0, 1, 2, 3].map(milliseconds), [0, 100, 200, 400]);
        assert_eq!([7, 100, u32::MAX].map(milliseconds), [5000; 3]);
    }
}
