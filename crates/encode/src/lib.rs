//! What a net sees of a game, and how its policy names moves. Everything is derived from the variant.
//!
//! [`Encoder`] turns a game into input planes and owns the [`Vocabulary`] (move ↔ policy index) and
//! the [`Mirror`] (left-right reflection of both).
//!
//! The one invariant: everything is seen from the side to move. White's board is turned by 180
//! degrees, so rank 0 is always the mover's near rank. Planes and policy planes are stored rank by
//! rank: square index = `rank * files + file`. The one exception is the encoding of [`dlshogi`], which
//! keeps the order that engines expect.
//!
//! ```
//! use std::sync::Arc;
//! use encode::Encoder;
//! use rules::{Game, Variant};
//!
//! let variant = Variant::builtin("micro").expect("built in");
//! let encoder = Encoder::new(Arc::clone(&variant));
//! let mut game = Game::new(variant);
//! let mut planes = vec![0.0; encoder.input_len()];
//! encoder.encode(&game, &mut planes);
//!
//! let mut moves = Vec::new();
//! assert!(game.status(&mut moves).is_none());
//! let index = encoder.vocabulary().index(moves[0], game.side_to_move());
//! assert!(index < encoder.vocabulary().len());
//! game.play(moves[0]);
//! ```

pub mod dlshogi;
mod encoder;
mod layout;
mod mirror;
mod vocabulary;

pub use encoder::{Encoder, Encoding};
pub use layout::{LIMIT_HORIZON, MAX_THERMOMETER};
pub use mirror::Mirror;
pub use vocabulary::Vocabulary;

use rules::{Color, Face, Variant};

/// The square as its mover sees it: White's board is turned by 180 degrees.
#[inline]
fn own_view(square: usize, color: Color, squares: usize) -> usize {
    match color {
        Color::Black => square,
        Color::White => squares - 1 - square,
    }
}

/// A square in the mover's own coordinates, file letter first: `a1` is the near left corner.
fn square_name(square: usize, files: usize) -> String {
    let file = char::from(b'a' + u8::try_from(square % files).expect("at most 128 squares"));
    format!("{file}{}", square / files + 1)
}

/// The faces that are ever dropped: a captured king ends the game.
fn dropped_faces(variant: &Variant) -> impl Iterator<Item = Face> {
    let royal = variant.royal();
    variant.droppable_faces().iter().copied().filter(move |face| face.kind() != royal)
}
