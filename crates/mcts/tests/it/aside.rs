//! Several leaves of one tree that wait at once, a tree kept from move to move, a tree that is full.

use mcts::{
    Evaluation, Evaluator, RootSelection, Search, SearchConfig, SearchResult, Step, Ticket,
    drive_to_end, fake::Hashed,
};
use rules::{Game, Move, Seed, Variant};

const ROOTS: [RootSelection; 2] = [RootSelection::Gumbel, RootSelection::Puct];

fn search(config: SearchConfig) -> Search<Game> {
    let mut search = Search::new(config);
    search.start(Game::new(Variant::builtin("micro").unwrap()), Seed(3));
    search
}

fn evaluate(search: &Search<Game>) -> Evaluation {
    let mut out = Vec::new();
    Hashed { seed: Seed(1) }.evaluate(&[search.leaf()], &mut out).unwrap();
    out.remove(0)
}

fn to_end(search: &mut Search<Game>) -> SearchResult<Move> {
    drive_to_end(std::slice::from_mut(search), &mut Hashed { seed: Seed(1) }).unwrap();
    search.result()
}

/// Lets up to `most` leaves wait before the oldest is answered; also the most that did.
fn batched(search: &mut Search<Game>, most: usize) -> usize {
    assert_eq!(search.select(), Step::Leaf);
    let root = evaluate(search);
    search.apply(&root);
    let mut waiting: Vec<(Ticket, Evaluation)> = Vec::new();
    let mut longest = 0;
    loop {
        match search.select() {
            Step::Leaf => {
                let evaluation = evaluate(search);
                waiting.push((search.set_aside(), evaluation));
                longest = longest.max(waiting.len());
                assert_eq!(search.waiting() as usize, waiting.len());
            }
            Step::Aside => assert!(!waiting.is_empty(), "nothing waits"),
            Step::Done if waiting.is_empty() => return longest,
            Step::Done => {}
        }
        if waiting.len() == most || (!waiting.is_empty() && search.select() != Step::Leaf) {
            let (ticket, evaluation) = waiting.remove(0);
            search.apply_aside(ticket, &evaluation);
        }
    }
}

#[test]
fn one_leaf_set_aside_is_as_good_as_one_at_hand() {
    for root in ROOTS {
        let config = SearchConfig { simulations: 150, root, ..SearchConfig::default() };
        let (mut plain, mut aside) = (search(config), search(config));
        assert_eq!(batched(&mut aside, 1), 1);
        assert_eq!(aside.result(), to_end(&mut plain));
    }
}

#[test]
fn leaves_that_wait_count_against_the_budget_and_leave_no_trace() {
    for root in ROOTS {
        for most in [2, 7, 32] {
            let config = SearchConfig { simulations: 300, root, ..SearchConfig::default() };
            let mut search = search(config);
            let longest = batched(&mut search, most);
            assert!(longest > most / 2, "{longest} of {most}");
            let result = search.result();
            let visits: u32 = result.moves.iter().map(|stat| stat.visits).sum();
            assert_eq!((result.simulations, visits, search.waiting()), (300, 300, 0));
            assert_eq!(search.state().ply(), 0);
        }
    }
}

#[test]
fn a_kept_tree_is_the_one_that_stood_below_the_move() {
    for root in ROOTS {
        let config =
            SearchConfig { simulations: 400, root, keep_tree: true, ..SearchConfig::default() };
        let mut search = search(config);
        let before = to_end(&mut search);
        let stat = before.moves.iter().find(|stat| stat.mv == before.best).unwrap();
        search.play(before.best);
        search.restart(SearchConfig { simulations: 0, ..config }, Seed(4));
        assert_eq!(search.select(), Step::Done, "the root needs no evaluation");
        let after = search.result();
        let visits: u32 = after.moves.iter().map(|stat| stat.visits).sum();
        // Its own evaluation was the first of the visits.
        assert_eq!((after.simulations, visits), (0, stat.visits - 1));
        let value: f32 =
            after.moves.iter().map(|stat| stat.visits as f32 * stat.value).sum::<f32>()
                + after.net_wdl.value();
        assert!((value / stat.visits as f32 + stat.value).abs() < 1e-5);
    }
}

#[test]
fn the_budget_is_for_new_simulations_however_many_were_kept() {
    let config = SearchConfig {
        simulations: 300,
        root: RootSelection::Puct,
        keep_tree: true,
        ..SearchConfig::default()
    };
    let mut kept = search(config);
    let mut result = to_end(&mut kept);
    for _ in 0..6 {
        kept.play(result.best);
        kept.restart(config, Seed(3));
        let before = kept.result().moves.iter().map(|stat| stat.visits).sum::<u32>();
        result = to_end(&mut kept);
        let after = result.moves.iter().map(|stat| stat.visits).sum::<u32>();
        if result.proven.is_none() {
            assert!(before > 0);
            assert_eq!((result.simulations, after), (300, before + 300));
        }
    }
}

#[test]
fn a_full_tree_ends_the_search_within_its_limit() {
    let config = SearchConfig { simulations: 1_000_000, ..SearchConfig::default() };
    let config = SearchConfig { root: RootSelection::Puct, ..config };
    let mut search = search(config);
    search.set_memory_limit(1 << 20);
    let result = to_end(&mut search);
    assert!(search.is_full() && search.memory() <= 1 << 20, "{}", search.memory());
    assert!(search.memory() > 9 << 16, "{}", search.memory());
    assert!((1_000..1_000_000).contains(&result.simulations));
    let visits: u32 = result.moves.iter().map(|stat| stat.visits).sum();
    assert_eq!(visits, result.simulations);
    // The same memory serves the next game.
    search.start(Game::new(Variant::builtin("micro").unwrap()), Seed(3));
    assert_eq!(to_end(&mut search), result);
}
