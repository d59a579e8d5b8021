//! The search: a state machine without IO.
//!
//! Invariant: outside of "a leaf waits", the state stands at the root.

use rand_chacha::ChaCha8Rng;
use rules::Seed;

use crate::{
    Evaluation, Leaf, SearchConfig, SearchResult, State, Wdl, proof::Proof, puct, result,
    root::Root, tree::Tree,
};

/// What a search needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// [`Search::leaf`] waits for [`Search::apply`].
    Leaf,
    /// Nothing: the budget is spent or the root is proven, and [`Search::result`] can be read; or
    /// no search was started.
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No search; with or without a state.
    Idle,
    /// The root waits for its evaluation.
    RootWaits,
    /// The leaf below the last edge of the path waits for its evaluation.
    LeafWaits,
    /// The state stands at the evaluated root.
    Ready,
    /// The same, and there is no more to do.
    Done,
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
    /// Edges from the root to where the state stands.
    path: Vec<u32>,
    /// Legal moves where the state stands, while a leaf waits.
    moves: Vec<S::Move>,
    /// Memory that [`crate::drive`] keeps here.
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
            path: Vec::new(),
            moves: Vec::new(),
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
        self.state = Some(state);
        self.restart(self.config, seed);
    }

    /// Begins a new search of the state held, after [`Search::play`] for instance, with these
    /// parameters from now on.
    ///
    /// # Panics
    /// If there is no state, a leaf waits, or the game is over.
    pub fn restart(&mut self, config: SearchConfig, seed: Seed) {
        assert!(self.phase != Phase::LeafWaits, "a leaf waits for its evaluation");
        self.config = config;
        self.rng = seed.rng();
        self.root.clear();
        self.tree.clear();
        let state = state_of(&self.state);
        let outcome = state.status(&mut self.moves);
        assert!(
            !self.moves.is_empty(),
            "the game is over, there is nothing to search: {outcome:?}"
        );
        if let Some(outcome) = outcome {
            self.root.proof = Proof::of_outcome(outcome, state.side_to_move(), 0);
        }
        self.phase = Phase::RootWaits;
    }

    /// Works until a leaf needs an evaluation or the search is done. Asked again while the leaf
    /// waits, it answers the same.
    pub fn select(&mut self) -> Step {
        loop {
            match self.phase {
                Phase::RootWaits | Phase::LeafWaits => return Step::Leaf,
                Phase::Idle | Phase::Done => return Step::Done,
                Phase::Ready if self.is_exhausted() => self.phase = Phase::Done,
                Phase::Ready => self.descend(),
            }
        }
    }

    /// Whether [`Search::select`] would answer [`Step::Done`] without further work.
    pub fn is_done(&self) -> bool {
        matches!(self.phase, Phase::Idle | Phase::Done)
    }

    fn is_exhausted(&self) -> bool {
        self.root.proof.is_known() || self.root.simulations >= self.config.simulations
    }

    /// One simulation, up to where it ends by itself or a leaf waits.
    fn descend(&mut self) {
        self.path.clear();
        let state = self.state.as_mut().expect("a search in progress has a state");
        let mut id =
            self.tree.root().first() + self.root.select(self.tree.root_edges(), &self.config);
        loop {
            let edge = self.tree.edge(id as u32);
            self.path.push(id as u32);
            state.play(edge.mv);
            if edge.proof.is_known() {
                let proof = edge.proof;
                return self.finish(Wdl::DRAW, proof);
            }
            let node = edge.child();
            if !node.is_expanded() {
                break;
            }
            let value = -edge.value_sum / edge.visits as f32;
            let edges = self.tree.edges(node);
            id = node.first() + puct::select(edges, edge.visits, value, &self.config);
        }
        match state.status(&mut self.moves) {
            Some(outcome) => {
                let proof = Proof::of_outcome(outcome, state.side_to_move(), 0).handed_up();
                self.finish(Wdl::DRAW, proof);
            }
            None => self.phase = Phase::LeafWaits,
        }
    }

    /// Hands the value of the path's last edge up and goes back to the root. `wdl` counts only
    /// where `proof` is unknown.
    fn finish(&mut self, wdl: Wdl, proof: Proof) {
        let (wdl, proof) = self.tree.backup(&self.path, wdl, proof);
        let index = self.path[0] as usize - self.tree.root().first();
        self.root.record(index, wdl, proof);
        let state = self.state.as_mut().expect("a search in progress has a state");
        for _ in 0..self.path.len() {
            state.undo();
        }
        self.phase = Phase::Ready;
    }

    /// The position that waits for its evaluation; the state stands there.
    ///
    /// # Panics
    /// If none waits.
    pub fn leaf(&self) -> Leaf<'_, S> {
        assert!(matches!(self.phase, Phase::RootWaits | Phase::LeafWaits), "no leaf waits");
        Leaf { state: state_of(&self.state), moves: &self.moves }
    }

    /// Takes in the evaluation of the waiting leaf: gives it its moves, hands its value up, and
    /// returns to the root.
    ///
    /// # Panics
    /// If none waits, or the policy has not one number for each legal move.
    pub fn apply(&mut self, evaluation: &Evaluation) {
        match self.phase {
            Phase::RootWaits => {
                self.tree.expand(None, &self.moves, evaluation);
                self.root.begin(&mut self.tree, evaluation.wdl, &self.config, &mut self.rng);
                self.phase = Phase::Ready;
            }
            Phase::LeafWaits => {
                self.tree.expand(self.path.last().copied(), &self.moves, evaluation);
                self.finish(evaluation.wdl.flipped(), Proof::UNKNOWN);
            }
            Phase::Idle | Phase::Ready | Phase::Done => panic!("no leaf waits"),
        }
    }

    /// What the search has found so far.
    ///
    /// # Panics
    /// If the root has not been evaluated.
    pub fn result(&self) -> SearchResult<S::Move> {
        let edges = self.tree.root_edges();
        assert!(!edges.is_empty(), "the root has not been evaluated");
        result::read(edges, &self.root, &self.config)
    }

    /// The game; it stands at the root, or at the leaf that waits.
    ///
    /// # Panics
    /// If there is none.
    pub fn state(&self) -> &S {
        state_of(&self.state)
    }

    /// Plays a legal move at the root and drops the tree; the next search begins with
    /// [`Search::restart`].
    ///
    /// # Panics
    /// If there is no state, or a leaf waits.
    pub fn play(&mut self, mv: S::Move) {
        assert!(self.phase != Phase::LeafWaits, "a leaf waits for its evaluation");
        self.state.as_mut().expect("start() gives the search its state").play(mv);
        self.abandon();
    }

    /// Ends the search and gives the state back, at the root; `None` if there is none.
    pub fn take(&mut self) -> Option<S> {
        let mut state = self.state.take();
        if self.phase == Phase::LeafWaits
            && let Some(state) = &mut state
        {
            self.path.iter().for_each(|_| state.undo());
        }
        self.abandon();
        state
    }

    fn abandon(&mut self) {
        self.root.clear();
        self.tree.clear();
        self.phase = Phase::Idle;
    }
}

fn state_of<S>(state: &Option<S>) -> &S {
    state.as_ref().expect("start() gives the search its state")
}
