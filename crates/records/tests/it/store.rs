use std::fs;

use records::{ChunkStore, Collector, RecordsError, read_file};

use crate::{game, games};

fn store(games_per_chunk: u64) -> (tempfile::TempDir, ChunkStore) {
    let dir = tempfile::tempdir().unwrap();
    let store = ChunkStore::open(dir.path().join("games"), games_per_chunk).unwrap();
    (dir, store)
}

#[test]
fn the_order_of_arrival_does_not_reach_the_file() {
    let (_a, forwards) = store(4);
    let (_b, backwards) = store(4);
    let mut one = Collector::new(forwards.clone()).unwrap();
    let mut two = Collector::new(backwards.clone()).unwrap();
    for game in games(0..8) {
        one.push(game).unwrap();
    }
    for game in games(0..8).into_iter().rev() {
        two.push(game).unwrap();
    }
    assert_eq!((one.pending(), two.pending()), (0, 0));
    for chunk in 0..2 {
        let bytes = |store: &ChunkStore| fs::read(store.path(chunk)).unwrap();
        assert_eq!(bytes(&forwards), bytes(&backwards));
    }
    assert_eq!(forwards.read(1).unwrap(), games(4..8));
    assert_eq!(read_file(&forwards.path(1)).unwrap(), games(4..8));
}

#[test]
fn a_chunk_is_sealed_by_its_last_game_and_its_sizes_can_be_read_back() {
    let (_dir, store) = store(3);
    let mut collector = Collector::new(store.clone()).unwrap();
    assert_eq!(collector.push(game(5)).unwrap(), None);
    assert_eq!(collector.push(game(3)).unwrap(), None);
    assert_eq!(store.sealed().unwrap(), []);
    let info = collector.push(game(4)).unwrap().unwrap();
    assert_eq!(store.info(1).unwrap(), info);
    let plies: Vec<_> = games(3..6).into_iter().flat_map(|game| game.plies).collect();
    assert_eq!((info.chunk, info.games, info.positions), (1, 3, plies.len() as u64));
    assert_eq!(info.samples, plies.iter().filter(|ply| ply.full_search).count() as u64);
    let first = plies.iter().filter(|ply| ply.generation == 0).count() as u64;
    assert_eq!(info.by_generation[&0], first);
}

#[test]
fn doubled_games_are_refused_before_and_after_sealing() {
    let (_dir, store) = store(2);
    let mut collector = Collector::new(store.clone()).unwrap();
    collector.push(game(0)).unwrap();
    let again = |collector: &mut Collector, id| match collector.push(game(id)) {
        Err(RecordsError::Duplicate { game_id, .. }) => assert_eq!(game_id, id),
        other => panic!("{other:?}"),
    };
    again(&mut collector, 0);
    collector.push(game(1)).unwrap();
    again(&mut collector, 0);
    again(&mut Collector::new(store.clone()).unwrap(), 1);
    let sealed = store.seal(0, &games(0..2)).unwrap_err();
    assert!(matches!(sealed, RecordsError::Sealed { chunk: 0, .. }));
}

#[test]
fn a_kill_between_writing_and_renaming_loses_only_that_chunk() {
    let (_dir, store) = store(2);
    let mut collector = Collector::new(store.clone()).unwrap();
    for id in [0, 1, 4, 5, 6] {
        collector.push(game(id)).unwrap();
    }
    let stale = store.path(1).with_extension("parquet.tmp");
    let sealed = fs::read(store.path(0)).unwrap();
    fs::write(&stale, &sealed[..sealed.len() / 2]).unwrap();
    drop(collector);

    assert_eq!(store.sealed().unwrap(), [0, 2]);
    let mut resumed = Collector::new(store.clone()).unwrap();
    assert!(!stale.exists());
    assert_eq!(store.missing(4).unwrap(), [1, 3]);
    for id in [2, 3, 6, 7] {
        resumed.push(game(id)).unwrap();
    }
    assert_eq!(store.missing(4).unwrap(), []);
    for chunk in 0..4 {
        assert_eq!(store.read(chunk).unwrap(), games(chunk * 2..chunk * 2 + 2));
    }
}

#[test]
fn files_that_are_not_the_chunk_are_refused() {
    let (_dir, store) = store(2);
    store.seal(0, &games(0..2)).unwrap();
    fs::copy(store.path(0), store.path(3)).unwrap();
    let text = store.read(3).unwrap_err().to_string();
    assert!(text.contains("000003.parquet: row 0: column game_id"), "{text}");
    assert!(store.info(3).is_err());
    assert!(store.seal(1, &games(0..2)).is_err());
    assert!(store.seal(1, &games(2..3)).is_err());
    fs::write(store.path(4), b"PAR1").unwrap();
    assert!(matches!(store.read(4), Err(RecordsError::Invalid { .. })));
    assert!(matches!(store.read(5), Err(RecordsError::Io { .. })));
    let other = store.clone().expecting("00".repeat(32));
    let text = other.read(0).unwrap_err().to_string();
    assert!(text.contains("column board_fingerprint"), "{text}");
    assert!(store.expecting("b0".repeat(32)).read(0).is_ok());
}

#[test]
fn foreign_files_in_the_folder_are_no_chunks() {
    let (_dir, store) = store(2);
    store.seal(1_000_000, &games(2_000_000..2_000_002)).unwrap();
    for name in ["readme.txt", "7.parquet", "x.parquet", "-00001.parquet"] {
        fs::write(store.path(0).with_file_name(name), b"").unwrap();
    }
    assert_eq!(store.sealed().unwrap(), [1_000_000]);
}

#[test]
fn a_damaged_chunk_is_set_aside_and_missing_then() {
    let (dir, store) = store(2);
    for chunk in 0..3 {
        store.seal(chunk, &games(2 * chunk..2 * chunk + 2)).unwrap();
    }
    for round in 1..=2 {
        let path = store.path(1);
        let mut bytes = fs::read(&path).unwrap();
        bytes[20] ^= 1;
        fs::write(&path, &bytes).unwrap();
        assert!(store.info(1).unwrap_err().is_damage());
        let to = store.set_aside(1).unwrap();
        assert!(to.ends_with(format!("damaged/000001.{round}.parquet")));
        assert_eq!(fs::read(&to).unwrap(), bytes);
        assert_eq!(store.missing(3).unwrap(), [1]);
        store.seal(1, &games(2..4)).unwrap();
        assert_eq!(store.sealed().unwrap(), [0, 1, 2]);
    }
    let absent = ChunkStore::open(dir.path().join("none"), 2).unwrap();
    assert!(!absent.info(0).unwrap_err().is_damage(), "a file that is not there is not damaged");
}

/// Sealed files have a checksum; one that has lost it in its footer is damaged.
#[test]
fn a_sealed_file_without_its_checksum_is_damaged() {
    let (_dir, store) = store(2);
    store.seal(0, &games(0..2)).unwrap();
    let path = store.path(0);
    let mut bytes = fs::read(&path).unwrap();
    let key = b"narikin.sha256";
    let at = bytes.windows(key.len()).position(|window| window == key).unwrap();
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    assert!(read_file(&path).is_ok(), "another program may have written it");
    let error = store.info(0).unwrap_err();
    assert!(error.is_damage() && error.to_string().contains("no narikin.sha256"), "{error}");
    assert!(store.read(0).is_err());
}
