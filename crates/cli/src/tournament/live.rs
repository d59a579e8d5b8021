//! What a person sees while a tournament goes on: a table on a terminal, else a line at times.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use arena::GameResult;
use arena::stats::{Anchor, Sprt};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output;
use crate::standings::{Standing, Standings};
use crate::text::{clock, thousands};

/// Time between two drawings on a terminal, and between two lines elsewhere.
const REDRAW: Duration = Duration::from_secs(1);
const LINE: Duration = Duration::from_secs(30);
/// How often the drawing thread looks whether it is to end.
const GLANCE: Duration = Duration::from_millis(50);
/// Most players of the table.
const ROWS: usize = 20;

/// The games so far.
pub(crate) struct Live<'a> {
    names: &'a [String],
    /// Of the ratings.
    settings: (Option<Sprt>, Anchor),
    /// All there will be; `None`: as many as a test takes.
    goal: Option<u64>,
    /// Games of earlier sessions.
    before: usize,
    games: Mutex<Vec<GameResult>>,
    since: Instant,
}

impl<'a> Live<'a> {
    pub(crate) fn new(
        names: &'a [String],
        settings: (Option<Sprt>, Anchor),
        goal: Option<u64>,
        played: &[GameResult],
    ) -> Self {
        let (before, games) = (played.len(), Mutex::new(played.to_vec()));
        Self { names, settings, goal, before, games, since: Instant::now() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<GameResult>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of a game.
    pub(crate) fn add(&self, game: &GameResult) {
        self.lock().push(game.clone());
    }

    /// Draws until `done`.
    pub(crate) fn draw(&self, done: &AtomicBool) {
        let terminal = output::on_terminal();
        let bar = self.bar(terminal);
        let (period, mut last) = (if terminal { REDRAW } else { LINE }, Instant::now());
        while !done.load(Relaxed) {
            thread::park_timeout(GLANCE);
            if last.elapsed() < period {
                continue;
            }
            last = Instant::now();
            let games = self.lock().clone();
            // What cannot be computed yet is not shown; the end tells why.
            let (sprt, anchor) = self.settings;
            let Ok(standings) = Standings::of(self.names, &games, sprt, anchor) else { continue };
            if terminal {
                bar.set_position(games.len() as u64);
                bar.set_message(self.screen(&standings, games.len()));
            } else {
                output::line(self.text(&standings, games.len()));
            }
        }
        bar.finish_and_clear();
    }

    fn bar(&self, terminal: bool) -> ProgressBar {
        let target = match terminal {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(self.goal, target);
        let template = match self.goal {
            Some(_) => "{wide_bar} {pos}/{len}\n{msg}",
            None => "{spinner} {pos} games\n{msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        bar
    }

    /// Games done, games a minute, time left.
    fn pace(&self, games: usize) -> String {
        let seconds = self.since.elapsed().as_secs_f64();
        let rate = (games - self.before) as f64 / seconds.max(1e-3);
        let of = self.goal.map_or(String::new(), |goal| format!(" of {}", thousands(goal)));
        let mut text =
            format!("{}{of} games, {:.0} a minute", thousands(games as u64), rate * 60.0);
        let left = self.goal.map(|goal| goal.saturating_sub(games as u64) as f64 / rate);
        if let Some(left) = left.filter(|left| left.is_finite() && *left < 1e9) {
            text += &format!(", {} left", clock(Duration::from_secs_f64(left)));
        }
        text
    }

    fn screen(&self, standings: &Standings, games: usize) -> String {
        let mut lines = vec![self.pace(games)];
        let table = standings.table();
        // A header of three lines, then the players.
        lines.extend(table.lines().take(ROWS + 4).map(str::to_owned));
        lines.extend(standings.tests());
        lines.push(standings.endings());
        lines.join("\n")
    }

    fn text(&self, standings: &Standings, games: usize) -> String {
        let elo = |player: &Standing| format!("{} {:+.0}", player.name, player.elo);
        let players = standings.players.iter().take(ROWS).map(elo).collect::<Vec<_>>().join(", ");
        let tests = standings.tests().iter().map(|test| format!(" | {test}")).collect::<String>();
        format!("{} | Elo {players}{tests} | {}", self.pace(games), standings.endings())
    }
}
