//! From leaves to evaluations: encode, run the net, softmax over the legal moves.

use std::sync::Arc;

use encode::{Encoder, Vocabulary};
use mcts::{EvalError, Evaluation, Evaluator, Leaf, Wdl};
use model::NetShape;
use rules::Game;

use crate::backend::Backend;
use crate::cache::Cache;

/// Evaluates leaves of games with a net. Buffers are kept, so that nothing is allocated once the
/// largest batch has been seen.
#[derive(Debug)]
pub struct NetEvaluator<B> {
    encoder: Arc<Encoder>,
    backend: B,
    cache: Option<Cache>,
    /// The keys of a batch, and those of its leaves that the cache does not know; empty without cache.
    keys: Vec<u64>,
    unknown: Vec<usize>,
    input: Vec<f32>,
    policy: Vec<f32>,
    wdl: Vec<f32>,
    counters: Counters,
}

/// Work done since an evaluator was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Positions evaluated by the net.
    pub evaluations: u64,
    /// Positions whose evaluation was remembered.
    pub remembered: u64,
    /// Batches run.
    pub batches: u64,
}

/// The net gave numbers that are not finite.
#[derive(Debug, thiserror::Error)]
#[error(
    "net output of {} of {batch} rows is not finite, the first for position {}",
    .positions.len(), .positions[0]
)]
pub struct NotFinite {
    /// Rows that the net was run on.
    pub batch: usize,
    /// The positions of the rows concerned, as FEN; at least one.
    pub positions: Vec<String>,
    /// Their input planes, `[N, planes, ranks, files]`.
    pub planes: Vec<f32>,
    /// The sizes of `planes`.
    pub shape: [usize; 4],
}

/// The net has another shape than the encoder's variant.
#[derive(Debug, thiserror::Error)]
#[error("net does not fit the variant: expected {expected:?}, found {found:?}")]
pub struct ShapeMismatch {
    /// Shape of the encoder's variant.
    pub expected: Box<NetShape>,
    /// Shape of the net.
    pub found: Box<NetShape>,
}

impl<B: Backend> NetEvaluator<B> {
    /// An evaluator of the encoder's variant.
    ///
    /// # Errors
    /// If the net has another shape than the encoder.
    pub fn new(encoder: Arc<Encoder>, backend: B) -> Result<Self, ShapeMismatch> {
        check_shape(&encoder, &backend)?;
        let (keys, unknown, input, policy, wdl) = Default::default();
        let (cache, counters) = (None, Counters::default());
        Ok(Self { encoder, backend, cache, keys, unknown, input, policy, wdl, counters })
    }

    /// The same evaluator with a memory of at most so many bytes for what it has evaluated; 0 for
    /// none. Positions with equal [`Encoder::key`] have equal planes, so the net need not see them
    /// twice.
    #[must_use]
    pub fn with_cache(self, bytes: usize) -> Self {
        Self { cache: (bytes > 0).then(|| Cache::new(bytes)), ..self }
    }

    /// Exchanges the net, keeping buffers and counters and forgetting evaluations; returns the old one.
    ///
    /// # Errors
    /// If the new net has another shape than the encoder; the old one stays.
    pub fn replace(&mut self, backend: B) -> Result<B, ShapeMismatch> {
        check_shape(&self.encoder, &backend)?;
        if let Some(cache) = &mut self.cache {
            cache.clear();
        }
        Ok(std::mem::replace(&mut self.backend, backend))
    }

    /// Work done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Fills in what the cache knows and lists the others in `unknown`.
    fn recall(&mut self, leaves: &[Leaf<'_, Game>], out: &mut [Evaluation]) {
        self.unknown.clear();
        let Some(cache) = &self.cache else {
            return self.unknown.extend(0..leaves.len());
        };
        self.keys.clear();
        self.keys.extend(leaves.iter().map(|leaf| self.encoder.key(leaf.state)));
        for (at, ((leaf, &key), out)) in leaves.iter().zip(&self.keys).zip(out).enumerate() {
            if !cache.get(key, leaf.moves.len(), out) {
                self.unknown.push(at);
            }
        }
    }

    /// Encodes the unknown leaves and runs the net on them.
    fn run(&mut self, leaves: &[Leaf<'_, Game>]) -> Result<(), EvalError> {
        let batch = self.unknown.len();
        let input_len = self.encoder.input_len();
        self.input.resize(batch * input_len, 0.0);
        self.policy.resize(batch * self.encoder.vocabulary().len(), 0.0);
        self.wdl.resize(batch * 3, 0.0);
        for (&at, planes) in self.unknown.iter().zip(self.input.chunks_exact_mut(input_len)) {
            self.encoder.encode(leaves[at].state, planes);
        }
        self.backend
            .run(batch, &self.input, &mut self.policy, &mut self.wdl)
            .map_err(EvalError::new)
    }

    /// What is to be known of the rows of the last batch that failed.
    fn not_finite(&self, leaves: &[Leaf<'_, Game>], rows: &[usize]) -> NotFinite {
        let (encoder, len) = (&self.encoder, self.encoder.input_len());
        let fen = |&row: &usize| {
            let state = leaves[self.unknown[row]].state;
            state.position().to_fen(state.variant())
        };
        let planes = |&row: &usize| &self.input[row * len..(row + 1) * len];
        NotFinite {
            batch: self.unknown.len(),
            positions: rows.iter().map(fen).collect(),
            planes: rows.iter().flat_map(planes).copied().collect(),
            shape: [rows.len(), encoder.planes(), encoder.ranks(), encoder.files()],
        }
    }
}

impl<B: Backend> Evaluator<Game> for NetEvaluator<B> {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Game>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        out.resize_with(leaves.len(), Evaluation::default);
        self.recall(leaves, out);
        self.counters.remembered += (leaves.len() - self.unknown.len()) as u64;
        if self.unknown.is_empty() {
            return Ok(());
        }
        self.run(leaves)?;
        let vocabulary = self.encoder.vocabulary();
        let rows = self.policy.chunks_exact(vocabulary.len()).zip(self.wdl.chunks_exact(3));
        let mut failed = Vec::new();
        for (row, (&at, (policy, wdl))) in self.unknown.iter().zip(rows).enumerate() {
            if !read_row(vocabulary, &leaves[at], policy, wdl, &mut out[at]) {
                failed.push(row);
            } else if let Some(cache) = &mut self.cache {
                cache.put(self.keys[at], &out[at]);
            }
        }
        if !failed.is_empty() {
            return Err(EvalError::new(self.not_finite(leaves, &failed)));
        }
        self.counters.evaluations += self.unknown.len() as u64;
        self.counters.batches += 1;
        Ok(())
    }
}

/// Turns one row of logits into an evaluation; false if a number that is used is not finite.
fn read_row(
    vocabulary: &Vocabulary,
    leaf: &Leaf<'_, Game>,
    policy: &[f32],
    wdl: &[f32],
    out: &mut Evaluation,
) -> bool {
    let color = leaf.state.side_to_move();
    out.policy.clear();
    out.policy.extend(leaf.moves.iter().map(|&mv| policy[vocabulary.index(mv, color)]));
    let mut outcome = [wdl[0], wdl[1], wdl[2]];
    let finite = softmax(&mut out.policy) && softmax(&mut outcome);
    let [win, draw, loss] = outcome;
    out.wdl = Wdl { win, draw, loss };
    finite
}

/// Replaces logits by probabilities; false (and nothing of use) if one of them is not finite.
fn softmax(logits: &mut [f32]) -> bool {
    // NaN and infinities survive a sum of products with zero.
    if logits.iter().map(|x| x * 0.0).sum::<f32>() != 0.0 {
        return false;
    }
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for x in logits.iter_mut() {
        *x = (*x - most).exp();
        sum += *x;
    }
    let scale = 1.0 / sum;
    logits.iter_mut().for_each(|x| *x *= scale);
    true
}

/// Whether net and encoder fit.
fn check_shape(encoder: &Encoder, backend: &impl Backend) -> Result<(), ShapeMismatch> {
    let (expected, found) = (net_shape(encoder), backend.shape());
    if expected == *found {
        return Ok(());
    }
    Err(ShapeMismatch { expected: Box::new(expected), found: Box::new(found.clone()) })
}

/// The shape of the nets of an encoder's variant.
pub fn net_shape(encoder: &Encoder) -> NetShape {
    NetShape {
        planes: encoder.planes(),
        ranks: encoder.ranks(),
        files: encoder.files(),
        head_planes: encoder.vocabulary().head_planes(),
        policy_len: encoder.vocabulary().len(),
    }
}
