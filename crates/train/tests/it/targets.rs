//! The loader against a reference that takes another way: moves by name, with the board turned by
//! hand, and values as points of the first player.

use std::collections::BTreeMap;

use encode::Encoder;
use records::{ChunkStore, GameRecord, PlyRecord};
use rules::{Color, Game, Move, Square};
use train::{Batch, Control, Dataset, DatasetError, Loader, Order, Plan};

use crate::{dataset, encoder, plan, random_game, random_games};

/// The name of a move in the mover's own coordinates, as the vocabulary writes it.
fn own_name(encoder: &Encoder, mv: Move, mover: Color) -> String {
    let (files, ranks) = (encoder.files(), encoder.ranks());
    let square = |square: Square| {
        let (mut file, mut rank) = (square.index() % files, square.index() / files);
        if mover == Color::White {
            (file, rank) = (files - 1 - file, ranks - 1 - rank);
        }
        format!("{}{}", char::from(b'a' + file as u8), rank + 1)
    };
    match mv.from() {
        Some(from) => {
            let turned = if mv.turned() { "+" } else { "" };
            let name = format!("{}{}", square(from), square(mv.to()));
            // Where a face turns without a choice the vocabulary has one name for the move.
            let both = [format!("{name}{turned}"), name];
            let known = |name: &&String| {
                (0..encoder.vocabulary().len())
                    .any(|index| encoder.vocabulary().name(index) == name.as_str())
            };
            both.iter().find(known).unwrap().clone()
        }
        None => format!("{}@{}", encoder.variant().face_letter(mv.face()), square(mv.to())),
    }
}

/// Probability by name of a dense row, entries of 0 left out.
fn by_name(encoder: &Encoder, row: &[f32]) -> BTreeMap<String, f32> {
    let named = row.iter().enumerate().filter(|&(_, &p)| p != 0.0);
    named.map(|(index, &p)| (encoder.vocabulary().name(index).to_owned(), p)).collect()
}

fn assert_close(found: &BTreeMap<String, f32>, expected: &BTreeMap<String, f32>) {
    assert!(found.keys().eq(expected.keys()), "{found:?} {expected:?}");
    for (name, p) in expected {
        assert!((found[name] - p).abs() < 1e-6, "{name}: {} {p}", found[name]);
    }
}

struct Reference<'a> {
    encoder: &'a Encoder,
    game: &'a GameRecord,
    ply: usize,
}

impl Reference<'_> {
    fn replayed(&self, ply: usize) -> Game {
        let mut game = Game::new(self.encoder.variant().clone());
        let opening = self.game.start_moves.iter().copied();
        for bits in opening.chain(self.game.plies[..ply].iter().map(|ply| ply.mv)) {
            game.try_play(Move::from_bits(bits)).unwrap();
        }
        game
    }

    fn record(&self, ply: usize) -> Option<&PlyRecord> {
        self.game.plies.get(ply)
    }

    fn policy(&self, ply: usize, change: impl Fn(f32) -> f32) -> BTreeMap<String, f32> {
        let Some(record) = self.record(ply) else { return BTreeMap::new() };
        let mover = self.replayed(ply).side_to_move();
        let changed: Vec<f32> = record.policy_target.iter().map(|&p| change(p)).collect();
        let sum: f32 = changed.iter().sum();
        let names = record.policy_moves.iter();
        let names = names.map(|&bits| own_name(self.encoder, Move::from_bits(bits), mover));
        names.zip(changed.iter().map(|p| p / sum)).collect()
    }

    /// Win, draw, loss of the first player as the search at `ply` or the end of the game has it.
    fn first_player(&self, ply: Option<usize>) -> [f32; 3] {
        let Some(ply) = ply else {
            return match self.game.outcome.as_str() {
                "first" => [1.0, 0.0, 0.0],
                "second" => [0.0, 0.0, 1.0],
                _ => [0.0, 1.0, 0.0],
            };
        };
        let record = &self.game.plies[ply];
        let mut wdl = match record.proven {
            Some((1, _)) => [1.0, 0.0, 0.0],
            Some((0, _)) => [0.0, 1.0, 0.0],
            Some(_) => [0.0, 0.0, 1.0],
            None => record.root_wdl,
        };
        if self.replayed(ply).side_to_move() == Color::White {
            wdl.reverse();
        }
        wdl
    }

    fn check(&self, batch: &Batch, row: usize) {
        let game = self.replayed(self.ply);
        let mut planes = vec![0.0; self.encoder.input_len()];
        self.encoder.encode(&game, &mut planes);
        assert_eq!(planes, batch.planes[row * planes.len()..][..planes.len()]);
        let moves = self.encoder.vocabulary().len();
        let dense = |all: &[f32]| by_name(self.encoder, &all[row * moves..][..moves]);
        let weighted = |ply: usize, change: fn(f32) -> f32| {
            let lost =
                self.record(ply).is_some_and(|record| record.proven.is_some_and(|p| p.0 < 0));
            let mut policy = self.policy(ply, change);
            policy.values_mut().for_each(|p| *p *= if lost { 0.25 } else { 1.0 });
            policy
        };
        assert_close(&dense(&batch.policy), &weighted(self.ply, |p| p));
        assert_close(&dense(&batch.soft_policy), &weighted(self.ply, |p| p.powf(0.25)));
        assert_close(&dense(&batch.reply), &weighted(self.ply + 1, |p| p));
        self.check_legal(&game, &batch.legal[row * moves..][..moves]);
        self.check_values(game.side_to_move(), batch, row);
    }

    fn check_legal(&self, game: &Game, mask: &[f32]) {
        let mut legal = Vec::new();
        assert!(game.status(&mut legal).is_none());
        let mut names: Vec<String> =
            legal.iter().map(|&mv| own_name(self.encoder, mv, game.side_to_move())).collect();
        names.sort();
        let allowed = mask.iter().enumerate().filter(|&(_, &add)| add == 0.0);
        let mut found: Vec<&str> =
            allowed.map(|(index, _)| self.encoder.vocabulary().name(index)).collect();
        found.sort_unstable();
        assert_eq!(found, names);
    }

    fn check_values(&self, mover: Color, batch: &Batch, row: usize) {
        let own = |mut wdl: [f32; 3]| {
            if mover == Color::White {
                wdl.reverse();
            }
            wdl
        };
        let (end, search) = (self.first_player(None), self.first_player(Some(self.ply)));
        let share = if self.game.plies[self.ply].proven.is_some() { 0.0 } else { 0.7 };
        let value = own(std::array::from_fn(|i| share * end[i] + (1.0 - share) * search[i]));
        let later = self.ply + 6;
        let later = own(self.first_player((later < self.game.plies.len()).then_some(later)));
        for i in 0..3 {
            assert!((batch.wdl[row * 3 + i] - value[i]).abs() < 1e-6);
            assert!((batch.short_term[row * 3 + i] - later[i]).abs() < 1e-6);
        }
        let left = (self.game.plies.len() - self.ply) as f32 / 20.0;
        assert_eq!(batch.plies_left[row], left);
    }
}

/// The samples of a plan's step: game and ply.
fn chosen(games: &[GameRecord], plan: &Plan, step: u64) -> Vec<(usize, usize)> {
    let searched = |(index, game): (usize, &GameRecord)| {
        let plies = game.plies.iter().enumerate().filter(|(_, ply)| ply.full_search);
        plies.map(|(ply, _)| (index, ply)).collect::<Vec<_>>()
    };
    let samples: Vec<_> = games.iter().enumerate().flat_map(searched).collect();
    let seed = rules::Seed(plan.seed).derive("train.order", 0);
    let mut order = Order::new(seed, samples.len(), plan.config.batch);
    order.batch(step).into_iter().map(|sample| samples[sample]).collect()
}

#[test]
fn samples_agree_with_the_slow_reference() {
    let encoder = encoder();
    let games = random_games(&encoder, 0..12);
    let dataset = dataset(&encoder, 3);
    let mut plan = plan(&dataset, 10, 32);
    plan.config.mirror = false;
    let mut loader = Loader::new(&plan, &dataset);
    for step in 0..10 {
        let batch = loader.batch(step);
        for (row, (game, ply)) in chosen(&games, &plan, step).into_iter().enumerate() {
            Reference { encoder: &encoder, game: &games[game], ply }.check(&batch, row);
        }
    }
}

#[test]
fn about_half_of_the_samples_are_mirrored_exactly() {
    let encoder = encoder();
    let dataset = dataset(&encoder, 3);
    let mirrored = plan(&dataset, 4, 64);
    let mut plain = mirrored.clone();
    plain.config.mirror = false;
    let mirror = encoder.mirror().unwrap();
    let mut turned = 0;
    for step in 0..4 {
        let (a, b) = (
            Loader::new(&plain, &dataset).batch(step),
            Loader::new(&mirrored, &dataset).batch(step),
        );
        assert_eq!((&a.wdl, &a.short_term, &a.plies_left), (&b.wdl, &b.short_term, &b.plies_left));
        for row in 0..64 {
            let planes = row * encoder.input_len()..(row + 1) * encoder.input_len();
            let moves = encoder.vocabulary().len();
            let (from, to) = (row * moves, (row + 1) * moves);
            let pairs = [
                (&a.policy, &b.policy),
                (&a.soft_policy, &b.soft_policy),
                (&a.legal, &b.legal),
                (&a.reply, &b.reply),
                (&a.reply_legal, &b.reply_legal),
            ];
            if a.planes[planes.clone()] == b.planes[planes.clone()]
                && pairs.iter().all(|(a, b)| a[from..to] == b[from..to])
            {
                continue;
            }
            turned += 1;
            let mut image = vec![0.0; encoder.input_len()];
            mirror.apply_planes(&a.planes[planes.clone()], &mut image);
            assert_eq!(image, b.planes[planes]);
            for (a, b) in pairs {
                for (index, &other) in mirror.policy().iter().enumerate() {
                    assert_eq!(a[from + index], b[from + other as usize]);
                }
            }
        }
    }
    assert!((90..166).contains(&turned), "{turned} of 256");
}

#[test]
fn games_that_do_not_fit_the_rules_are_refused_with_their_place() {
    let encoder = encoder();
    let game = (0..)
        .map(|id| random_game(encoder.variant(), id))
        .find(|g| g.plies.len() > 5 && !g.plies[3].policy_moves.is_empty())
        .unwrap();
    let refused = |spoil: &dyn Fn(&mut GameRecord)| {
        let mut game = game.clone();
        spoil(&mut game);
        let error = Dataset::new(encoder.clone()).add(8, &[game]).unwrap_err();
        assert!(matches!(error, DatasetError::Game { chunk: 8, .. }));
        error.to_string()
    };
    let text = refused(&|g| g.plies[3].mv = g.plies[4].mv);
    assert!(text.contains("ply 3"), "{text}");
    let text = refused(&|g| {
        let (ours, theirs) = (&g.plies[2].policy_moves, &g.plies[3].policy_moves);
        let foreign = theirs.iter().find(|mv| !ours.contains(mv)).copied().unwrap();
        g.plies[2].policy_moves = vec![foreign];
        g.plies[2].policy_target = vec![1.0];
    });
    assert!(text.contains("ply 2: target move"), "{text}");
    let text = refused(&|g| g.plies[1].policy_target.push(0.0));
    assert!(text.contains("ply 1"), "{text}");
    assert!(refused(&|g| g.start = "nonsense".to_owned()).contains("start"));
    assert!(refused(&|g| g.start_moves.insert(0, 0)).contains("start move 0"));
    assert!(refused(&|g| g.board_fingerprint = "00".repeat(32)).contains("board"));
}

#[test]
fn a_window_read_from_files_is_the_same_whatever_was_there_before() {
    let encoder = encoder();
    let dir = tempfile::tempdir().unwrap();
    let store = ChunkStore::open(dir.path(), 4).unwrap();
    for chunk in 0..3 {
        store.seal(chunk, &random_games(&encoder, chunk * 4..chunk * 4 + 4)).unwrap();
    }
    let window = dataset(&encoder, 3).manifest();
    let mut moved = Dataset::new(encoder.clone());
    let first = records::Manifest { chunks: vec![0, 1], samples: 0 };
    let all = &mut |_| Control::Continue;
    moved.set_window(&store, &first, all).unwrap();
    let mut fresh = Dataset::new(encoder.clone());
    let last = records::Manifest { chunks: vec![1, 2], samples: 0 };
    fresh.set_window(&store, &last, all).unwrap();
    moved.set_window(&store, &last, all).unwrap();
    assert_eq!(moved.manifest(), fresh.manifest());
    assert_ne!(moved.manifest(), window);
    let plan = plan(&fresh, 1, 64);
    assert_eq!(Loader::new(&plan, &moved).batch(0), Loader::new(&plan, &fresh).batch(0));
}
