//! One search of an engine, from the first leaf to the answer.
//!
//! Invariant: the tree belongs to the calling thread. Every leaf that was handed out comes back before
//! the answer is given.

mod look;

use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, never, select};
use mcts::{EvalError, Proven, Step};
use rules::Game;

use crate::control::{Command, Commands};
use crate::engine::{End, Engine};
use crate::info::{self, Info};
use crate::limits::Limits;
use crate::mate::{Found, MateSearch};
use crate::pool::{Away, Batch};
use crate::time::Allotment;

/// Leaves in flight, beyond one a thread, are at most this share of the simulations in the tree: a young
/// tree knows too little to choose many leaves without their values.
const SHARE_IN_FLIGHT: u64 = 16;
/// A move with fewer visits than the best has, divided by this, does not unsettle it by its value.
const WEIGHT: u32 = 10;
/// Simulations that need no evaluation done in a row before clock and commands are looked at.
const IN_A_ROW: u64 = 1000;

/// A search in progress.
pub(crate) struct Run<'a> {
    engine: &'a mut Engine,
    root: Arc<Game>,
    limits: Limits,
    allotment: Option<Allotment>,
    stopped: bool,
    mates: MateSearch,
    /// What the mate search has found.
    mate: Option<Found>,
    /// When the search began, and when its time began to count.
    began: Duration,
    counted_from: Duration,
    told: Duration,
    /// Batches in flight and the leaves in them.
    batches: usize,
    flying: u64,
    spare: Vec<Batch>,
    /// Simulations of the tree's search when this one began.
    before: u32,
    /// Leaves evaluated, the plies to them together, and the most.
    evaluated: u64,
    plies: u64,
    seldepth: usize,
}

impl<'a> Run<'a> {
    /// Begins a search of the engine's game.
    pub(crate) fn new(engine: &'a mut Engine, limits: Limits) -> Self {
        let now = engine.clock.now();
        let root = Arc::new(engine.search.state().clone());
        let before = engine.search.simulations();
        let mates = match (limits.mate, engine.config.mate_nodes) {
            (None, 0) => MateSearch::none(),
            (None, nodes) => MateSearch::start(&root, None, nodes),
            (plies, _) => MateSearch::start(&root, plies, u64::MAX),
        };
        let mut run = Self {
            engine,
            root,
            limits,
            allotment: None,
            stopped: false,
            mates,
            mate: None,
            began: now,
            counted_from: now,
            told: now,
            batches: 0,
            flying: 0,
            spare: Vec::new(),
            before,
            evaluated: 0,
            plies: 0,
            seldepth: 0,
        };
        run.count_from(now);
        run
    }

    /// Works until there is an answer to give.
    pub(crate) fn work(
        &mut self,
        commands: Commands,
        on_info: &mut dyn FnMut(&Info),
    ) -> Result<End, EvalError> {
        let mut commands = commands.0;
        loop {
            while let Ok(command) = commands.try_recv() {
                self.obey(command);
            }
            if let Ok(found) = self.mates.found.try_recv() {
                self.hear(Some(found));
            }
            let end = self.end();
            if end.is_none() {
                self.send_batches();
            } else if self.batches == 0 {
                match end {
                    Some(end) if !self.is_withheld() => return Ok(end),
                    _ => self.wait_for_command(&commands),
                }
            }
            if self.batches > 0 {
                self.wait(&mut commands)?;
            }
            self.tell(on_info);
        }
    }

    /// Waits for a batch to come back, or a command.
    fn wait(&mut self, commands: &mut Receiver<Command>) -> Result<(), EvalError> {
        let (done, mates) = (self.engine.pool.done.clone(), self.mates.found.clone());
        select! {
            recv(done) -> batch => self.land(batch.expect("the threads live as long as the engine")),
            recv(mates) -> found => {
                self.hear(found.ok());
                Ok(())
            }
            recv(commands) -> command => {
                match command {
                    Ok(command) => self.obey(command),
                    Err(_) => *commands = self.unattended(),
                }
                Ok(())
            }
        }
    }

    /// Takes in what the mate search has found; `None` if it has given up.
    fn hear(&mut self, found: Option<Found>) {
        self.mate = found;
        self.mates = MateSearch::none();
    }

    /// Nothing can be done but to wait.
    fn wait_for_command(&mut self, commands: &Receiver<Command>) {
        match commands.recv() {
            Ok(command) => self.obey(command),
            Err(_) => drop(self.unattended()),
        }
    }

    /// Nobody is left to give commands: an answer that waits for one is given.
    fn unattended(&mut self) -> Receiver<Command> {
        self.stopped |= self.is_withheld();
        never()
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Stop => self.stopped = true,
            Command::PonderHit(_) if !self.limits.ponder => {}
            Command::PonderHit(limits) => {
                self.limits = limits.unwrap_or(self.limits);
                self.limits.ponder = false;
                self.count_from(self.engine.clock.now());
            }
        }
    }

    /// Time counts from now on.
    fn count_from(&mut self, now: Duration) {
        self.counted_from = now;
        let of_clock = self.limits.clock.map(|clock| self.engine.config.time.allot(&clock));
        let of_move = self.limits.movetime.map(Allotment::fixed);
        self.allotment = match (of_clock, of_move) {
            (Some(a), Some(b)) => Some(a.at_most(b.maximum)),
            (a, b) => a.or(b),
        };
    }

    /// Whether an answer has to wait.
    fn is_withheld(&self) -> bool {
        !self.stopped && (self.limits.infinite || self.limits.ponder)
    }

    /// Why no more leaves are to be evaluated, if so.
    fn end(&self) -> Option<End> {
        if !self.engine.search.is_root_evaluated() {
            return None; // There is no answer yet.
        }
        if self.stopped {
            return Some(End::Stopped);
        }
        if self.engine.search.proven().is_some() {
            return Some(End::Proven);
        }
        match &self.mate {
            Some(Some(_)) => return Some(End::Mate),
            Some(None) if self.limits.mate.is_some() => return Some(End::NoMate),
            _ => {}
        }
        if self.engine.search.is_full() {
            return Some(End::MemoryFull);
        }
        if self.limits.ponder {
            return None;
        }
        let depth_reached = self.limits.depth.is_some_and(|depth| self.depth() >= depth);
        if depth_reached || self.simulations_left(0) == 0 {
            return Some(End::Reached);
        }
        self.allotment.and_then(|allotment| self.time_end(allotment))
    }

    /// Whether the time says that it is enough.
    fn time_end(&self, allotment: Allotment) -> Option<End> {
        let spent = self.engine.clock.now().saturating_sub(self.counted_from);
        // What is sent now comes back so much later.
        let back = spent + self.engine.pace.expected();
        if back >= allotment.maximum {
            return Some(End::TimeUp);
        }
        let (lead, agrees) = self.lead();
        if back >= allotment.target && agrees {
            return Some(End::TimeUp);
        }
        self.limits.clock?;
        let deadline = if agrees { allotment.target } else { allotment.maximum };
        let to_come = self.nps() as f64 * deadline.saturating_sub(spent).as_secs_f64();
        let known = self.nodes() > 0 || lead.is_infinite();
        let settled = known && lead > to_come + self.flying as f64;
        settled.then_some(End::Settled)
    }

    /// By how many visits the best move leads the next one that does not lose, and whether no other of
    /// weight is more valuable.
    fn lead(&self) -> (f64, bool) {
        let result = self.engine.search.result();
        let moves = info::ranked(&result);
        let best = moves[0];
        let next = moves[1..].iter().filter(|stat| !is_loss(stat.proven)).map(|stat| stat.visits);
        let lead =
            next.max().map_or(f64::INFINITY, |next| f64::from(best.visits) - f64::from(next));
        let weighty = moves.iter().filter(|stat| stat.visits >= (best.visits / WEIGHT).max(1));
        (lead, weighty.into_iter().all(|stat| stat.value <= best.value))
    }

    /// Sends leaves to evaluators that have nothing to do.
    fn send_batches(&mut self) {
        while self.batches < self.engine.pool.threads() {
            if self.batches > 0 && !self.engine.search.is_root_evaluated() {
                return; // The root itself is in flight.
            }
            let mut batch = self.spare.pop().unwrap_or_default();
            self.gather(&mut batch);
            if batch.len == 0 {
                return self.spare.push(batch);
            }
            self.batches += 1;
            self.flying += batch.len as u64;
            self.engine.pool.send(&self.root, batch);
        }
    }

    /// Fills a batch with the leaves that the tree asks for next. It ends at one that is in flight
    /// already: another in its place would not be what the tree wants.
    fn gather(&mut self, batch: &mut Batch) {
        batch.len = 0;
        let room = self.room();
        while batch.len < room {
            let left = self.simulations_left(batch.len).min(IN_A_ROW);
            if self.engine.search.select_within(left) != Some(Step::Leaf) {
                break;
            }
            if batch.leaves.len() == batch.len {
                batch.leaves.push(Away::default());
            }
            let leaf = &mut batch.leaves[batch.len];
            self.engine.search.line_to_leaf(&mut leaf.line);
            leaf.moves.clear();
            leaf.moves.extend_from_slice(self.engine.search.leaf().moves);
            batch.len += 1;
            if leaf.line.is_empty() {
                break; // The root, without which there is no other.
            }
            leaf.ticket = Some(self.engine.search.set_aside());
        }
    }

    /// Simulations that may begin, with so many leaves not yet sent.
    fn simulations_left(&self, more: usize) -> u64 {
        let nodes = self.limits.nodes.filter(|_| !self.limits.ponder).unwrap_or(u64::MAX);
        nodes.saturating_sub(self.nodes() + self.flying + more as u64)
    }

    /// How many leaves the next batch may have.
    fn room(&self) -> usize {
        let share = u64::from(self.engine.search.visits()) / SHARE_IN_FLIGHT;
        let free = share.saturating_sub(self.flying).max(1);
        self.engine.pace.size().min(usize::try_from(free).unwrap_or(usize::MAX))
    }

    /// Takes in the evaluations of a batch.
    fn land(&mut self, mut batch: Batch) -> Result<(), EvalError> {
        self.batches -= 1;
        self.flying -= batch.len as u64;
        if let Some(fault) = batch.fault.take() {
            return Err(fault);
        }
        self.engine.pace.learn(batch.len, batch.took);
        for (leaf, evaluation) in batch.leaves[..batch.len].iter_mut().zip(&batch.evaluations) {
            match leaf.ticket.take() {
                Some(ticket) => self.engine.search.apply_aside(ticket, evaluation),
                None => self.engine.search.apply(evaluation),
            }
            self.evaluated += u64::from(!leaf.line.is_empty());
            self.plies += leaf.line.len() as u64;
            self.seldepth = self.seldepth.max(leaf.line.len());
        }
        self.spare.push(batch);
        Ok(())
    }

    /// After a fault: waits for what is in flight and forgets the tree.
    pub(crate) fn give_up(&mut self) {
        while self.batches > 0 {
            let batch = self.engine.pool.done.recv();
            drop(batch.expect("the threads live as long as the engine"));
            self.batches -= 1;
        }
        self.engine.start(Game::clone(&self.root));
    }
}

fn is_loss(proven: Option<Proven>) -> bool {
    proven.is_some_and(|proven| proven.value < 0)
}
