//! The public face of `inference`: the ONNX Runtime backend and the net evaluator.

mod common;
mod evaluator;
mod ort;
