//! The public face of `encode`, on random games of every built-in variant.

mod games;
mod mirror;
mod planes;
mod shapes;
mod vocabulary;
