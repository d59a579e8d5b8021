//! The kinds of files there are.

/// What the inputs and outputs of a file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Contract {
    /// Input `planes` `[N, planes, ranks, files]`; outputs as named in the graph, `[N, len]` logits.
    #[default]
    Graph,
    /// That of dlshogi and of YaneuraOu's deep edition: inputs `input1` `[N, 62, 9, 9]` and `input2`
    /// `[N, 57, 9, 9]`, which follow each other in the net's planes; outputs `output_policy`
    /// `[N, 2187]` logits and `output_value` `[N, 1]`, the expected score of the side to move, 0 to
    /// 1: the probability of a win and half of that of a draw.
    Dlshogi,
}

/// How numbers are kept and computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// `f32`.
    #[default]
    Single,
    /// `f16`, a file of half the size; about three decimal digits remain.
    Half,
}

/// What kind of file to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Inputs and outputs.
    pub contract: Contract,
    /// Of the weights and of the computation.
    pub precision: Precision,
}
