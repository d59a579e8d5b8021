//! Boards of every shape.

use std::collections::HashSet;
use std::sync::Arc;

use encode::Encoder;
use rules::{Game, Variant};

use crate::games::walk;

/// Kings, riders and silvers on the near ranks; kings may be captured, for small boards leave no room.
fn board(files: usize, ranks: usize) -> Arc<Variant> {
    let near: String = "KNS".chars().take(files).collect();
    let far: String = near.to_lowercase().chars().rev().collect();
    let rest = files - near.len();
    let rest = if rest == 0 { String::new() } else { rest.to_string() };
    let middle = format!("{files}/").repeat(ranks - 2);
    let corner = char::from(b'a' + files as u8 - 1);
    let text = format!(
        "id = \"shape\"\nname = \"Shape\"\nfiles = {files}\nranks = {ranks}\n\
         start = \"{rest}{far}/{middle}{near}{rest}[SNsn] w 0 1\"\n\
         [zones]\nfar = \"a{ranks}-{corner}{ranks}\"\n[pieces]\nK = {{ moves = \"K\" }}\n\
         N = {{ moves = \"NNR\", reverse = {{ moves = \"nNNpR\" }} }}\n\
         S = {{ moves = \"FfWnDD\", reverse = {{ moves = \"WfF\" }} }}\n\
         [promotion]\nrule = \"choice\"\nzone = \"far\"\n[drops]\nfaces = \"either\"\n\
         [royal]\npiece = \"K\"\nrule = \"capturable\"\n[endings]\nmax_plies = 40\n"
    );
    Arc::new(Variant::parse(&text, &|_| None).unwrap_or_else(|why| panic!("{text}\n{why}")))
}

#[test]
fn every_legal_move_has_an_index_and_every_position_planes() {
    for (files, ranks) in
        [(1, 4), (1, 26), (2, 2), (2, 3), (26, 2), (8, 16), (16, 8), (4, 26), (26, 4), (11, 11)]
    {
        let variant = board(files, ranks);
        let encoder = Encoder::new(Arc::clone(&variant));
        let vocabulary = encoder.vocabulary();
        let mut planes = vec![0.0; encoder.input_len()];
        let mut seen = 0;
        walk(&variant, 3, |game: &Game, moves| {
            let index = |mv: &rules::Move| vocabulary.index(*mv, game.side_to_move());
            let indices: HashSet<usize> = moves.iter().map(index).collect();
            assert_eq!(indices.len(), moves.len(), "{files}x{ranks}");
            assert!(indices.iter().all(|&index| index < vocabulary.len()));
            encoder.encode(game, &mut planes);
            assert!(planes.iter().all(|value| (0.0..=1.0).contains(value)));
            seen += 1;
        });
        assert!(seen > 0, "{files}x{ranks}");
        let places: HashSet<u32> = vocabulary.head_gather().iter().copied().collect();
        assert_eq!(places.len(), vocabulary.len());
    }
}
