//! A simulation allocates nothing once the memory has grown: counted by the allocator itself, so
//! this is a program of its own with a single test.

#![expect(unsafe_code, reason = "an allocator is unsafe to implement")]
#![expect(clippy::unwrap_used, reason = "a failed helper is a failed test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use mcts::fake::Hashed;
use mcts::{RootSelection, Search, SearchConfig, drive_to_end};
use rules::{Game, Seed, Variant};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: all work is the system allocator's; counting touches a thread-local number alone, which
// needs no allocation and no destructor.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is handed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a search and what it found.
fn allocations(search: &mut Search<Game>, variant: &str, simulations: u32) -> (u64, u32) {
    let config = SearchConfig { simulations, ..*search.config() };
    let game = Game::new(Variant::builtin(variant).unwrap());
    let before = ALLOCATIONS.get();
    search.start(game, Seed(1));
    search.restart(config, Seed(1));
    drive_to_end(std::slice::from_mut(search), &mut Hashed { seed: Seed(1) }).unwrap();
    (ALLOCATIONS.get() - before, search.result().simulations)
}

#[test]
fn a_simulation_allocates_nothing() {
    for variant in ["micro", "shogi", "xiangqi"] {
        for root in [RootSelection::Gumbel, RootSelection::Puct] {
            for leaf_mate in [0, 3] {
                let config = SearchConfig { root, leaf_mate, ..SearchConfig::default() };
                let mut search = Search::new(config);
                allocations(&mut search, variant, 2_000);
                // What is left is the game's own history, the noise and the lists of the driver.
                let (few, _) = allocations(&mut search, variant, 200);
                let (many, simulations) = allocations(&mut search, variant, 2_000);
                assert!(few < 40 && many < few + 10, "{variant} {root:?}: {few} {many}");
                assert_eq!(simulations, 2_000);
            }
        }
    }
}
