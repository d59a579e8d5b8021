//! A program as a player: started when needed, started again when it failed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rules::Variant;

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
    use super::*;

    #[test]
    fn pauses_grow_to_their_limit() {
        let milliseconds = |failures| pause_after(failures).as_millis();
        assert_eq!([0, 1, 2, 3].map(milliseconds), [0, 100, 200, 400]);
        assert_eq!([7, 100, u32::MAX].map(milliseconds), [5000; 3]);
    }
}
