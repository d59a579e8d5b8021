//! The public face of `encode`, on random games of every built-in variant.

mod dlshogi;
mod games;
mod mirror;
mod planes;
mod shapes;
mod vocabulary;
