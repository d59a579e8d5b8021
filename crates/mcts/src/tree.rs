//! The arena of edges.
//!
//! Invariant: the edges of a node are contiguous, and everything in an edge is seen from the
//! side that makes the move.

use crate::{Evaluation, Wdl, proof::Proof};

/// The edges of a node: a run in the arena. Empty until the node is expanded.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    first: u32,
    len: u16,
}

impl Node {
    pub(crate) fn is_expanded(self) -> bool {
        self.len > 0
    }

    pub(crate) fn first(self) -> usize {
        self.first as usize
    }

    fn range(self) -> std::ops::Range<usize> {
        self.first()..self.first() + usize::from(self.len)
    }
}

/// A move and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<M> {
    pub(crate) mv: M,
    /// Probability given by the evaluator.
    pub(crate) prior: f32,
    pub(crate) visits: u32,
    /// Sum over the visits of values in `[-1, 1]`.
    pub(crate) value_sum: f32,
    // The child's run, laid open: as a `Node` it would cost four bytes of padding.
    child_first: u32,
    child_len: u16,
    pub(crate) proof: Proof,
}

impl<M> Edge<M> {
    /// The node that the move leads to.
    pub(crate) fn child(&self) -> Node {
        Node { first: self.child_first, len: self.child_len }
    }
}

/// All edges of one search; the memory is kept from one search to the next.
#[derive(Clone, Debug)]
pub(crate) struct Tree<M> {
    edges: Vec<Edge<M>>,
    root: Node,
}

impl<M: Copy> Tree<M> {
    pub(crate) fn new() -> Self {
        Self { edges: Vec::new(), root: Node::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.edges.clear();
        self.root = Node::default();
    }

    pub(crate) fn root(&self) -> Node {
        self.root
    }

    pub(crate) fn root_edges(&self) -> &[Edge<M>] {
        self.edges(self.root)
    }

    pub(crate) fn root_edges_mut(&mut self) -> &mut [Edge<M>] {
        &mut self.edges[self.root.range()]
    }

    pub(crate) fn edges(&self, node: Node) -> &[Edge<M>] {
        &self.edges[node.range()]
    }

    pub(crate) fn edge(&self, id: u32) -> &Edge<M> {
        &self.edges[id as usize]
    }

    /// Gives the node below `edge` (the root if `None`) its moves.
    ///
    /// # Panics
    /// If the policy and the moves differ in number, or there are too many.
    pub(crate) fn expand(&mut self, edge: Option<u32>, moves: &[M], evaluation: &Evaluation) {
        assert_eq!(moves.len(), evaluation.policy.len(), "a probability for each legal move");
        let first = u32::try_from(self.edges.len()).expect("fewer than 2^32 edges");
        let len = u16::try_from(moves.len()).expect("fewer than 2^16 legal moves");
        let node = Node { first, len };
        self.edges.extend(moves.iter().zip(&evaluation.policy).map(|(&mv, &prior)| Edge {
            mv,
            prior,
            visits: 0,
            value_sum: 0.0,
            child_first: 0,
            child_len: 0,
            proof: Proof::UNKNOWN,
        }));
        match edge {
            Some(id) => {
                let edge = &mut self.edges[id as usize];
                (edge.child_first, edge.child_len) = (node.first, node.len);
            }
            None => self.root = node,
        }
    }

    /// Hands a value up `path` (edges from the root down). `wdl` and `proof` are those of the
    /// last edge. Where a node becomes proven, its exact value goes on upwards. Returns the
    /// value of this simulation at the first edge, and the proof of the root, both from the
    /// root's side.
    pub(crate) fn backup(&mut self, path: &[u32], wdl: Wdl, proof: Proof) -> (Wdl, Proof) {
        let (mut wdl, mut proof) = (wdl, proof);
        for depth in (0..path.len()).rev() {
            let edge = &mut self.edges[path[depth] as usize];
            if let Some(exact) = proof.wdl() {
                edge.proof = proof;
                wdl = exact;
            }
            edge.visits += 1;
            edge.value_sum += wdl.value();
            let node = match depth {
                0 => self.root,
                _ => self.edges[path[depth - 1] as usize].child(),
            };
            if proof.is_known() {
                proof = proof_of(self.edges(node));
            }
            if depth > 0 {
                wdl = wdl.flipped();
                proof = proof.handed_up();
            }
        }
        (wdl, proof)
    }
}

/// The proof of a node, from its side to move: that of the best move if it wins or if all moves
/// are proven.
fn proof_of<M>(edges: &[Edge<M>]) -> Proof {
    let best = edges.iter().map(|edge| edge.proof).max().unwrap_or_default();
    if best.is_win() || edges.iter().all(|edge| edge.proof.is_known()) {
        best
    } else {
        Proof::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_small() {
        assert_eq!(size_of::<Edge<u32>>(), 24);
    }
}
