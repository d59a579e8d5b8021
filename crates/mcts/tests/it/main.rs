//! Tests of the public interface: on hand-written trees and on micro-shogi.

#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

mod toy;

mod aside;
mod budget;
mod declaration;
mod golden;
mod micro;
mod proofs;
mod reports;
mod values;
