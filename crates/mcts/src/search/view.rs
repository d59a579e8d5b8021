//! Looking at a search that goes on.

use super::{Phase, Search};
use crate::{
    Proven, State,
    proof::Proof,
    tree::{ROOT, Tree},
};

impl<S: State> Search<S> {
    /// Simulations that this search has done.
    pub fn simulations(&self) -> u32 {
        self.root.simulations
    }

    /// Simulations in the tree, those of an earlier search included, and the root's own evaluation.
    pub fn visits(&self) -> u32 {
        self.tree.node(ROOT).visits
    }

    /// The root's proof.
    pub fn proven(&self) -> Option<Proven> {
        self.tree.node(ROOT).proof.get()
    }

    /// Whether the root has been evaluated, so that [`Search::result`] can be read.
    pub fn is_root_evaluated(&self) -> bool {
        matches!(self.phase, Phase::LeafWaits | Phase::Ready | Phase::Done)
    }

    /// The memory that nodes and moves take, in bytes; at most [`Search::memory`].
    pub fn memory_used(&self) -> usize {
        self.tree.used()
    }

    /// Writes the moves from the root to the leaf that waits into `line`; none if it is the root.
    ///
    /// # Panics
    /// If no leaf waits.
    pub fn line_to_leaf(&self, line: &mut Vec<S::Move>) {
        assert!(matches!(self.phase, Phase::RootWaits | Phase::LeafWaits), "no leaf waits");
        line.clear();
        line.extend(self.walk.path.windows(2).map(|step| {
            let mut children = self.tree.children(step[0]).iter();
            let slot = children.position(|&child| child == step[1]);
            self.tree.moves(step[0])[slot.expect("a path goes from nodes to their children")]
        }));
    }

    /// The line that is expected after a root move, which it begins with: at each node the best of
    /// the moves if its value is proven, else the most visited one that does not lose.
    pub fn variation(&self, mv: S::Move) -> Vec<S::Move> {
        let mut line = vec![mv];
        let mut slot = self.tree.moves(ROOT).iter().position(|&known| known == mv);
        let mut id = ROOT;
        while let Some(at) = slot {
            id = self.tree.children(id)[at];
            slot = if id == ROOT { None } else { best(&self.tree, id) };
            line.extend(slot.map(|slot| self.tree.moves(id)[slot]));
        }
        line
    }
}

/// The move of a node that is expected, the first of equals; `None` if none has been visited.
fn best<M: Copy>(tree: &Tree<M>, id: u32) -> Option<usize> {
    let proven = tree.node(id).proof.is_known();
    let children = tree.children(id).iter().enumerate().filter(|&(_, &child)| child != ROOT);
    let visited = children.map(|(slot, &child)| (slot, tree.node(child)));
    let visited = visited.filter(|(_, child)| child.visits > 0);
    // The last of equals is taken, so the first come last.
    let best = visited.rev().max_by_key(|(_, child)| {
        let proof = child.proof.handed_up();
        match proven {
            true => (true, proof, 0),
            false => (!proof.is_loss(), Proof::UNKNOWN, child.visits),
        }
    });
    best.map(|(slot, _)| slot)
}
