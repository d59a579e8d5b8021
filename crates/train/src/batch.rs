//! A batch of samples in plain memory.

use std::ops::Range;

use encode::Encoder;
use model::{Metadata, Weights};
use tch::{Device, TchError, Tensor};

/// What is added to the logits of moves that are not legal, before any softmax.
pub(crate) const ILLEGAL: f32 = -1e9;

/// Inputs and targets of one step, row-major, the sample first.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// `[planes, ranks, files]` of the board.
    board: [usize; 3],
    /// Input planes, `[N, planes, ranks, files]`.
    pub planes: Vec<f32>,
    /// Policy target times its weight, `[N, V]`; all 0 where there is none.
    pub policy: Vec<f32>,
    /// Fourth root of the policy target, its sum scaled to that of `policy`, `[N, V]`.
    pub soft_policy: Vec<f32>,
    /// Added to the logits of `policy` and `soft_policy`, `[N, V]`: 0 for legal moves.
    pub legal: Vec<f32>,
    /// The opponent's policy target one ply later times its weight, in the opponent's view, `[N, V]`.
    pub reply: Vec<f32>,
    /// Added to the logits of `reply`, `[N, V]`: 0 for legal moves.
    pub reply_legal: Vec<f32>,
    /// Value target (win, draw, loss of the side to move), `[N, 3]`.
    pub wdl: Vec<f32>,
    /// The search's value some plies later, for the side to move now, `[N, 3]`.
    pub short_term: Vec<f32>,
    /// Plies left to the end of the game in units of 20, `[N]`.
    pub plies_left: Vec<f32>,
}

/// The tensors of a batch.
pub(crate) struct Tensors {
    pub(crate) planes: Tensor,
    pub(crate) policy: Tensor,
    pub(crate) soft_policy: Tensor,
    pub(crate) legal: Tensor,
    pub(crate) reply: Tensor,
    pub(crate) reply_legal: Tensor,
    pub(crate) wdl: Tensor,
    pub(crate) short_term: Tensor,
    pub(crate) plies_left: Tensor,
}

impl Batch {
    /// A batch of `size` samples of zeros; no move is legal.
    pub(crate) fn new(encoder: &Encoder, size: usize) -> Self {
        let moves = encoder.vocabulary().len();
        let zeros = |len: usize| vec![0.0; size * len];
        Self {
            board: [encoder.planes(), encoder.ranks(), encoder.files()],
            planes: zeros(encoder.input_len()),
            policy: zeros(moves),
            soft_policy: zeros(moves),
            legal: vec![ILLEGAL; size * moves],
            reply: zeros(moves),
            reply_legal: vec![ILLEGAL; size * moves],
            wdl: zeros(3),
            short_term: zeros(3),
            plies_left: zeros(1),
        }
    }

    /// Samples in it.
    pub fn size(&self) -> usize {
        self.plies_left.len()
    }

    /// Some of its samples.
    pub(crate) fn rows(&self, rows: Range<usize>) -> Self {
        let cut = |data: &[f32]| {
            let each = data.len() / self.size();
            data[rows.start * each..rows.end * each].to_vec()
        };
        Self {
            board: self.board,
            planes: cut(&self.planes),
            policy: cut(&self.policy),
            soft_policy: cut(&self.soft_policy),
            legal: cut(&self.legal),
            reply: cut(&self.reply),
            reply_legal: cut(&self.reply_legal),
            wdl: cut(&self.wdl),
            short_term: cut(&self.short_term),
            plies_left: cut(&self.plies_left),
        }
    }

    /// The parts by name, with the shape of one sample's share.
    fn parts(&self) -> [(&'static str, &[f32], Vec<usize>); 9] {
        let moves = self.policy.len() / self.size().max(1);
        [
            ("planes", &self.planes, self.board.to_vec()),
            ("policy", &self.policy, vec![moves]),
            ("soft_policy", &self.soft_policy, vec![moves]),
            ("legal", &self.legal, vec![moves]),
            ("reply", &self.reply, vec![moves]),
            ("reply_legal", &self.reply_legal, vec![moves]),
            ("wdl", &self.wdl, vec![3]),
            ("short_term", &self.short_term, vec![3]),
            ("plies_left", &self.plies_left, vec![1]),
        ]
    }

    /// The batch as the bytes of a safetensors file, for looking at one that failed.
    pub fn to_safetensors(&self) -> Vec<u8> {
        let mut tensors = Weights::new();
        for (name, data, mut shape) in self.parts() {
            shape.insert(0, self.size());
            let tensor = model::Tensor::new(shape, data.to_vec())
                .expect("every part has its share for each sample");
            tensors.insert(name, tensor);
        }
        tensors.to_safetensors(&Metadata::new())
    }

    pub(crate) fn tensors(&self, device: Device) -> Result<Tensors, TchError> {
        let size = self.size();
        let mut tensors = Vec::new();
        for (_, data, mut shape) in self.parts() {
            shape.insert(0, size);
            let shape: Vec<i64> = shape.iter().map(|&n| n as i64).collect();
            tensors
                .push(Tensor::f_from_slice(data)?.f_view(shape.as_slice())?.f_to_device(device)?);
        }
        let [planes, policy, soft_policy, legal, reply, reply_legal, wdl, short_term, plies_left] =
            tensors.try_into().expect("one tensor for each part");
        Ok(Tensors {
            planes,
            policy,
            soft_policy,
            legal,
            reply,
            reply_legal,
            wdl,
            short_term,
            plies_left,
        })
    }
}
