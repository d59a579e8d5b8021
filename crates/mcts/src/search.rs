//! The search: a state machine without IO.
//!
//! Invariant: outside of "a leaf waits", the state stands at the root.

mod view;

use rand_chacha::ChaCha8Rng;
use rules::Seed;

use crate::{
    Evaluation, Leaf, Proven, Prover, SearchConfig, SearchResult, State, Wdl,
    proof::Proof,
    result,
    root::Root,
    tree::{ROOT, Tree},
};

/// What a search needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// [`Search::leaf`] waits for [`Search::apply`] or [`Search::set_aside`].
    Leaf,
    /// The evaluation of a leaf that was set aside: without it there is nothing to be done.
    Aside,
    /// Nothing: the budget is spent, the root is proven or the tree is full, and
    /// [`Search::result`] can be read; or no search was started.
    Done,
}

/// A leaf that was set aside.
#[derive(Debug, PartialEq, Eq)]
pub struct Ticket(usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No search; with or without a state.
    Idle,
    /// The root waits for its evaluation.
    RootWaits,
    /// The leaf at the end of the path waits for its evaluation.
    LeafWaits,
    /// The state stands at the evaluated root.
    Ready,
    /// The same, and there is no more to do.
    Done,
}

/// A simulation on its way: where it went and the legal moves at its end.
#[derive(Clone, Debug)]
struct Walk<M> {
    /// Nodes from the root to where the simulation stands; empty where there is none.
    path: Vec<u32>,
    moves: Vec<M>,
}

/// One tree and one game. Reused from move to move and from game to game, it allocates no more once
/// its memory has grown to the size of its searches (the game's own history aside).
#[derive(Clone, Debug)]
pub struct Search<S: State> {
    config: SearchConfig,
    state: Option<S>,
    phase: Phase,
    rng: ChaCha8Rng,
    root: Root,
    tree: Tree<S::Move>,
    prover: S::Prover,
    /// The simulation that the state follows.
    walk: Walk<S::Move>,
    /// Those that were set aside, by ticket.
    aside: Vec<Walk<S::Move>>,
    /// Tickets that are free again.
    free: Vec<usize>,
    /// The tree may not grow further.
    full: bool,
    /// Memory that [`crate::Driver`] keeps here.
    pub(crate) evaluation: Evaluation,
}

impl<S: State> Search<S> {
    /// A search without a game.
    pub fn new(config: SearchConfig) -> Self {
        Self {
            config,
            state: None,
            phase: Phase::Idle,
            rng: Seed(0).rng(),
            root: Root::default(),
            tree: Tree::new(),
            prover: S::Prover::with_plies(config.leaf_mate),
            walk: Walk { path: Vec::new(), moves: Vec::new() },
            aside: Vec::new(),
            free: Vec::new(),
            full: false,
            evaluation: Evaluation::default(),
        }
    }

    /// The parameters.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Begins a search of `state` with the generator of `seed`, and drops the tree before. Where
    /// the side to move wins by an act in place of a move, the root is proven won in 0 plies, and
    /// the result's move is the evaluator's favourite.
    ///
    /// # Panics
    /// If the game is over.
    pub fn start(&mut self, state: S, seed: Seed) {
        self.abandon();
        self.state = Some(state);
        self.restart(self.config, seed);
    }

    /// Begins a new search of the state held, after [`Search::play`] for instance, with these
    /// parameters from now on. A tree that [`Search::play`] has kept is searched on: its visits
    /// count in values and in the target, but not against the budget, and the noise is drawn anew.
    ///
    /// # Panics
    /// If there is no state, a leaf waits, or the game is over.
    pub fn restart(&mut self, config: SearchConfig, seed: Seed) {
        self.assert_at_rest();
        if self.phase != Phase::Idle {
            self.tree.clear();
        }
        if config.leaf_mate != self.config.leaf_mate {
            self.prover = S::Prover::with_plies(config.leaf_mate);
        }
        self.config = config;
        self.rng = seed.rng();
        self.root.clear();
        self.full = false;
        let state = state_of(&self.state);
        let outcome = state.status(&mut self.walk.moves);
        assert!(
            !self.walk.moves.is_empty(),
            "the game is over, there is nothing to search: {outcome:?}"
        );
        let root = self.tree.node_mut(ROOT);
        match outcome {
            Some(outcome) => root.proof = Proof::of_outcome(outcome, state.side_to_move(), 0),
            // What a prover said of a leaf says nothing of its moves.
            None if !root.is_expanded() => root.proof = Proof::UNKNOWN,
            None => {}
        }
        if self.tree.node(ROOT).is_expanded() {
            self.begin();
        } else {
            self.phase = Phase::RootWaits;
        }
    }

    /// Limits the memory of the tree, in bytes. A search whose tree may not grow is done, however
    /// much of its budget is left.
    pub fn set_memory_limit(&mut self, bytes: usize) {
        self.tree.set_limit(bytes);
    }

    /// The memory that the tree takes, in bytes, whether in use or kept for later.
    pub fn memory(&self) -> usize {
        self.tree.bytes()
    }

    /// Whether the memory limit has ended the search.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Works until a leaf needs an evaluation or the search is done. Asked again while the leaf
    /// waits, it answers the same.
    pub fn select(&mut self) -> Step {
        loop {
            if let Some(step) = self.select_within(u64::MAX) {
                return step;
            }
        }
    }

    /// The same, but `None` once it has begun so many simulations and all of them have ended by
    /// themselves: work for a moment, where somebody waits.
    pub fn select_within(&mut self, simulations: u64) -> Option<Step> {
        let mut left = simulations;
        loop {
            match self.phase {
                Phase::RootWaits | Phase::LeafWaits => return Some(Step::Leaf),
                Phase::Idle | Phase::Done => return Some(Step::Done),
                Phase::Ready if self.is_over() => self.phase = Phase::Done,
                Phase::Ready if self.is_spent() => return Some(Step::Aside),
                Phase::Ready => {
                    left = left.checked_sub(1)?;
                    if !self.descend() {
                        return Some(Step::Aside);
                    }
                }
            }
        }
    }

    /// Whether [`Search::select`] would answer [`Step::Done`] without further work.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Done)
    }

    /// Leaves that are set aside.
    pub fn waiting(&self) -> u32 {
        (self.aside.len() - self.free.len()) as u32
    }

    fn is_over(&self) -> bool {
        self.tree.node(ROOT).proof.is_known()
            || self.root.simulations >= self.config.simulations
            || self.full
    }

    /// Whether the waiting leaves use the budget up.
    fn is_spent(&self) -> bool {
        self.root.simulations + self.waiting() >= self.config.simulations
    }

    /// One simulation, up to where it ends by itself or a leaf waits; false if it comes to a leaf
    /// that already waits, and all is as before.
    fn descend(&mut self) -> bool {
        if !self.tree.reserve(1, 0) {
            self.full = true;
            return true;
        }
        let puct = self.config.puct();
        let state = self.state.as_mut().expect("a search in progress has a state");
        let path = &mut self.walk.path;
        path.clear();
        path.push(ROOT);
        let mut id = ROOT;
        let waiting = (self.aside.len() - self.free.len()) as u32;
        let first = self.root.select(&mut self.tree, &self.config, waiting);
        let mut slot = first;
        loop {
            state.play(self.tree.moves(id)[slot]);
            id = self.tree.step(id, slot, puct);
            path.push(id);
            if self.tree.node(id).proof.is_known() || !self.tree.node(id).is_expanded() {
                break;
            }
            slot = self.tree.select(id, puct);
        }
        let node = self.tree.node(id);
        if node.waiting > 0 {
            self.return_to_root();
            return false;
        }
        self.root.begin_simulation(first);
        let mut proof = node.proof;
        if !proof.is_known() {
            proof = match state.status(&mut self.walk.moves) {
                Some(outcome) => Proof::of_outcome(outcome, state.side_to_move(), 0),
                None => self.prover.prove(state).map_or(proof, |(_, proven)| Proof::pack(proven)),
            };
        }
        if proof.is_known() {
            self.tree.backup(&self.walk.path, Wdl::DRAW, proof, self.config.proofs);
            self.root.simulations += 1;
            self.return_to_root();
        } else {
            self.phase = Phase::LeafWaits;
        }
        true
    }

    fn return_to_root(&mut self) {
        let state = self.state.as_mut().expect("a search in progress has a state");
        (1..self.walk.path.len()).for_each(|_| state.undo());
        self.walk.path.clear();
        self.phase = Phase::Ready;
    }

    /// The position that waits for its evaluation; the state stands there.
    ///
    /// # Panics
    /// If none waits.
    pub fn leaf(&self) -> Leaf<'_, S> {
        assert!(matches!(self.phase, Phase::RootWaits | Phase::LeafWaits), "no leaf waits");
        Leaf { state: state_of(&self.state), moves: &self.walk.moves }
    }

    /// Takes in the evaluation of the waiting leaf: gives it its moves, hands its value up, and
    /// returns to the root.
    ///
    /// # Panics
    /// If none waits, or the policy has not one number for each legal move.
    pub fn apply(&mut self, evaluation: &Evaluation) {
        match self.phase {
            Phase::RootWaits => {
                self.expand_and_back_up(None, evaluation);
                self.begin();
            }
            Phase::LeafWaits => {
                self.expand_and_back_up(None, evaluation);
                self.root.simulations += 1;
                self.return_to_root();
            }
            Phase::Idle | Phase::Ready | Phase::Done => panic!("no leaf waits"),
        }
    }

    /// Lets the waiting leaf wait on, counted as a virtual visit on its way, and returns to the root,
    /// so that [`Search::select`] finds another leaf of this tree. The evaluation goes to
    /// [`Search::apply_aside`].
    ///
    /// # Panics
    /// If no leaf waits, or it is the root.
    pub fn set_aside(&mut self) -> Ticket {
        assert!(self.phase == Phase::LeafWaits, "no leaf below the root waits");
        self.tree.wait(&self.walk.path);
        let ticket = self.free.pop().unwrap_or_else(|| {
            self.aside.push(Walk { path: Vec::new(), moves: Vec::new() });
            self.aside.len() - 1
        });
        let walk = &mut self.aside[ticket];
        walk.path.clone_from(&self.walk.path);
        std::mem::swap(&mut walk.moves, &mut self.walk.moves);
        self.return_to_root();
        Ticket(ticket)
    }

    /// Takes in the evaluation of a leaf that was set aside, as [`Search::apply`] does; another leaf
    /// may wait meanwhile.
    ///
    /// # Panics
    /// If the policy has not one number for each legal move, or the ticket is another search's.
    pub fn apply_aside(&mut self, ticket: Ticket, evaluation: &Evaluation) {
        self.tree.wait_no_more(&self.aside[ticket.0].path);
        self.expand_and_back_up(Some(ticket.0), evaluation);
        self.root.simulations += 1;
        self.aside[ticket.0].path.clear();
        self.free.push(ticket.0);
    }

    /// Takes in the evaluation at the end of a walk: that of the state, or one set aside. A leaf
    /// whose moves do not fit into the memory keeps its value alone.
    fn expand_and_back_up(&mut self, aside: Option<usize>, evaluation: &Evaluation) {
        let Walk { path, moves } = aside.map_or(&self.walk, |ticket| &self.aside[ticket]);
        let path = if path.is_empty() { &[ROOT][..] } else { path };
        if self.tree.reserve(0, moves.len()) || path.len() == 1 {
            self.tree.expand(path[path.len() - 1], moves, evaluation);
        } else {
            self.full = true;
        }
        self.tree.backup(path, evaluation.wdl, Proof::UNKNOWN, self.config.proofs);
    }

    /// Takes up the evaluated root.
    fn begin(&mut self) {
        self.root.begin(&mut self.tree, &self.config, &mut self.rng);
        self.phase = Phase::Ready;
        if self.config.proofs && !self.tree.node(ROOT).proof.is_known() {
            self.prove_root();
        }
    }

    /// Proves the root and the move that wins, if there is one to be found.
    fn prove_root(&mut self) {
        let state = self.state.as_mut().expect("a search in progress has a state");
        let found = self.prover.prove(state);
        if let Some((mv, proven)) = found
            && self.tree.reserve(1, 0)
        {
            let slot = self.tree.moves(ROOT).iter().position(|&known| known == mv);
            let slot = slot.expect("a winning move is legal");
            let child = self.tree.step(ROOT, slot, self.config.puct());
            self.tree.prove(child, Proven { value: -proven.value, plies: proven.plies - 1 });
            self.tree.prove(ROOT, proven);
        }
    }

    /// What the search has found so far.
    ///
    /// # Panics
    /// If the root has not been evaluated.
    pub fn result(&self) -> SearchResult<S::Move> {
        let ready = matches!(self.phase, Phase::LeafWaits | Phase::Ready | Phase::Done);
        assert!(ready, "the root has not been evaluated");
        result::read(&self.tree, &self.root, &self.config)
    }

    /// The game; it stands at the root, or at the leaf that waits.
    ///
    /// # Panics
    /// If there is none.
    pub fn state(&self) -> &S {
        state_of(&self.state)
    }

    /// The game, if it stands at the root and no search is in progress.
    pub fn at_rest(&self) -> Option<&S> {
        self.state.as_ref().filter(|_| self.is_done() && self.waiting() == 0)
    }

    /// Plays a legal move at the root. The next search begins with [`Search::restart`]; what the last
    /// one found below the move is kept for it where [`SearchConfig::keep_tree`] says so.
    ///
    /// # Panics
    /// If there is no state, or a leaf waits.
    pub fn play(&mut self, mv: S::Move) {
        self.assert_at_rest();
        let slot = self.tree.moves(ROOT).iter().position(|&known| known == mv);
        match slot {
            Some(slot) if self.config.keep_tree => self.tree.keep(slot),
            _ => self.tree.clear(),
        }
        self.state.as_mut().expect("start() gives the search its state").play(mv);
        self.phase = Phase::Idle;
    }

    /// Ends the search and gives the state back, at the root; `None` if there is none.
    pub fn take(&mut self) -> Option<S> {
        if self.phase == Phase::LeafWaits {
            self.return_to_root();
        }
        self.abandon();
        self.state.take()
    }

    /// Drops the tree and forgets what was set aside.
    fn abandon(&mut self) {
        self.root.clear();
        self.tree.clear();
        self.walk.path.clear();
        self.free.clear();
        self.free.extend(0..self.aside.len());
        self.phase = Phase::Idle;
    }

    fn assert_at_rest(&self) {
        assert!(self.phase != Phase::LeafWaits, "a leaf waits for its evaluation");
        assert!(self.waiting() == 0, "leaves that were set aside wait for their evaluations");
    }
}

fn state_of<S>(state: &Option<S>) -> &S {
    state.as_ref().expect("start() gives the search its state")
}
