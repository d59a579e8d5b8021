//! What a search says of itself, on its way and at its end.

use std::time::Duration;

use mcts::{Proven, SearchResult};
use rules::Move;

use super::Run;
use crate::engine::{Answer, Decision, End};
use crate::info::{self, Info, Line};

impl Run<'_> {
    /// Hands out a look at the search, if it is time.
    pub(super) fn tell(&mut self, on_info: &mut dyn FnMut(&Info)) {
        let now = self.engine.clock.now();
        if now.saturating_sub(self.told) >= self.engine.config.info_every
            && self.engine.search.is_root_evaluated()
        {
            self.told = now;
            on_info(&self.info());
        }
    }

    fn elapsed(&self) -> Duration {
        self.engine.clock.now().saturating_sub(self.began)
    }

    /// Simulations of this search.
    pub(super) fn nodes(&self) -> u64 {
        u64::from(self.engine.search.simulations() - self.before)
    }

    /// Mean length of the lines that were evaluated.
    pub(super) fn depth(&self) -> u32 {
        (self.plies as f64 / self.evaluated.max(1) as f64).round() as u32
    }

    pub(super) fn nps(&self) -> u64 {
        let seconds = self.elapsed().as_secs_f64();
        if seconds > 0.0 { (self.nodes() as f64 / seconds) as u64 } else { 0 }
    }

    fn info(&self) -> Info {
        let search = &self.engine.search;
        let limit = self.engine.config.memory_bytes();
        Info {
            elapsed: self.elapsed(),
            depth: self.depth(),
            seldepth: self.seldepth as u32,
            nodes: self.nodes(),
            nps: self.nps(),
            hashfull: (search.memory_used() as f64 / limit as f64 * 1000.0).min(1000.0) as u32,
            lines: self.lines(),
        }
    }

    /// What the tree knows, and the mate found beside it.
    fn result(&self) -> SearchResult<Move> {
        let mut result = self.engine.search.result();
        if let (Some(Some(line)), None) = (&self.mate, result.proven) {
            info::put_mate(&mut result, line);
        }
        result
    }

    fn lines(&self) -> Vec<Line> {
        let result = self.result();
        let mut lines = info::lines(&self.engine.search, &result, self.engine.config.multipv);
        if let (Some(Some(line)), None) = (&self.mate, self.engine.search.proven()) {
            lines[0].pv.clone_from(line);
        }
        lines
    }

    pub(crate) fn answer(&self, end: End) -> Answer {
        let info = self.info();
        let result = self.result();
        let line = &info.lines[0];
        let score = f32::midpoint(line.wdl.value(), 1.0);
        let decision = match result.proven {
            Some(Proven { value: 1, plies: 0 }) => Decision::Declare,
            _ if self.engine.config.resign.is_some_and(|least| score < least) => Decision::Resign,
            _ => Decision::Play(result.best),
        };
        Answer { decision, ponder: line.pv.get(1).copied(), result, info, end }
    }
}
