//! Engines that misbehave lose the game in which they do, each in its way, and nothing else is lost:
//! not another game, not a process.

mod death;
mod processes;
mod suite;
mod tournament;
