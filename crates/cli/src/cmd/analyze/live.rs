//! What a person sees while the search goes on: lines that change on a terminal, elsewhere one line
//! every few seconds.

use std::time::Duration;

use console::{Term, truncate_str};
use engine::{Info, Line};
use indicatif::{ProgressBar, ProgressStyle};
use rules::Game;

use super::report::{score, written};
use crate::cmd::NotationArgs;
use crate::output;
use crate::text::{clock, thousands};

/// Time between two lines where they do not change in place.
const QUIET: Duration = Duration::from_secs(5);
/// Moves of a line that are shown.
const SHOWN: usize = 8;

pub(super) struct Live<'a> {
    game: &'a Game,
    notation: NotationArgs,
    bar: ProgressBar,
    told: Duration,
}

impl<'a> Live<'a> {
    pub(super) fn new(game: &'a Game, notation: NotationArgs) -> Self {
        let style = ProgressStyle::with_template("{msg}").expect("a template without faults");
        let bar = ProgressBar::no_length().with_style(style); // Draws on a terminal only.
        Self { game, notation, bar, told: Duration::ZERO }
    }

    pub(super) fn show(&mut self, info: &Info) {
        if !self.bar.is_hidden() {
            let lines = info.lines.iter().map(|line| self.line(line));
            let lines = std::iter::once(head(info)).chain(lines);
            // A line that the terminal breaks would not be taken away whole.
            let width = usize::from(Term::stderr().size().1);
            let cut = |line: String| truncate_str(&line, width, "…").into_owned();
            let text: Vec<String> = lines.map(cut).collect();
            return self.bar.set_message(text.join("\n"));
        }
        if info.elapsed.saturating_sub(self.told) >= QUIET {
            self.told = info.elapsed;
            output::note(&format!("{}{}", head(info), self.line(&info.lines[0])));
        }
    }

    fn line(&self, line: &Line) -> String {
        let shown = &line.pv[..line.pv.len().min(SHOWN)];
        let more = if line.pv.len() > SHOWN { " …" } else { "" };
        let moves = written(self.game, shown, self.notation).join(" ");
        format!("  {:>7}  {:>9}  {moves}{more}", score(line), thousands(line.visits.into()))
    }

    /// Takes the lines away.
    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

fn head(info: &Info) -> String {
    format!(
        "{}  {} simulations, {}/s, depth {}/{}, memory {} %",
        clock(info.elapsed),
        thousands(info.nodes),
        thousands(info.nps),
        info.depth,
        info.seldepth,
        info.hashfull / 10
    )
}
