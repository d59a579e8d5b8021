use std::collections::BTreeMap;

use records::{ChunkInfo, ReplayWindow, WindowConfig};

fn chunks(sizes: &[u64]) -> Vec<ChunkInfo> {
    let info = |(chunk, &samples): (usize, &u64)| ChunkInfo {
        chunk: chunk as u64,
        games: 1,
        positions: samples,
        samples,
        by_generation: BTreeMap::new(),
    };
    sizes.iter().enumerate().map(info).collect()
}

fn window(min: u64, exponent: f64, max: u64) -> ReplayWindow {
    ReplayWindow::new(WindowConfig { min, exponent, max }).unwrap()
}

#[test]
fn the_window_grows_as_a_power_between_its_bounds() {
    let window = window(1000, 0.65, 10_000);
    assert_eq!(window.size(0), 1000);
    assert_eq!(window.size(1000), 1000);
    assert_eq!(window.size(10_000), 4467); // 1000 * 10^0.65 = 4466.8
    assert_eq!(window.size(1_000_000_000), 10_000);
    assert!((1..100).all(|n| window.size(n * 1000) <= window.size((n + 1) * 1000)));
}

#[test]
fn the_newest_whole_chunks_are_taken_whatever_their_order() {
    let mut infos = chunks(&[60, 50, 40, 30]);
    let manifest = window(70, 0.0, 70).select(&infos);
    assert_eq!((manifest.chunks.clone(), manifest.samples), (vec![2, 3], 70));
    infos.reverse();
    assert_eq!(window(70, 0.0, 70).select(&infos), manifest);
    assert_eq!(window(71, 0.0, 71).select(&infos).chunks, [1, 2, 3]);
    assert_eq!(window(10_000, 0.5, 10_000).select(&infos).samples, 180);
    assert_eq!(window(1, 1.0, 1000).select(&infos).chunks, [0, 1, 2, 3]);
    assert_eq!(window(1, 1.0, 1000).select(&[]).chunks, []);
}

#[test]
fn settings_out_of_range_are_refused() {
    for (min, exponent, max) in [(0, 0.5, 1), (2, 0.5, 1), (1, 1.1, 1), (1, f64::NAN, 1)] {
        assert!(ReplayWindow::new(WindowConfig { min, exponent, max }).is_err());
    }
}
