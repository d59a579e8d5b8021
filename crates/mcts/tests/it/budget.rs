//! Budgets, repeatability, many searches at once, errors.

use mcts::{
    Driver, EvalError, Evaluation, Evaluator, Leaf, RootSelection, Search, SearchConfig, Step,
    drive_to_end, fake::Hashed,
};
use rules::Seed;

use crate::toy::{Scripted, Toy, search};

const OPEN: &str = "(0.1 (0.3 0.2) -0.3 0.2 (0.4 -0.4) 0 0 0.1 0.6)";

#[test]
fn budget_is_kept_exactly() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        for considered in [1, 3, 8, 16] {
            for simulations in 0..60 {
                let config =
                    SearchConfig { simulations, considered, root, ..SearchConfig::default() };
                let (result, leaves) = search(OPEN, config);
                let visits: u32 = result.moves.iter().map(|stat| stat.visits).sum();
                assert_eq!((result.simulations, visits), (simulations, simulations));
                assert_eq!(leaves.len(), simulations as usize + 1);
            }
        }
    }
}

#[test]
fn visits_follow_sequential_halving() {
    for (considered, simulations, expected) in [
        (8, 24, vec![7, 7, 3, 3, 1, 1, 1, 1, 0]),
        (4, 16, vec![6, 6, 2, 2, 0, 0, 0, 0, 0]),
        (16, 9, vec![1; 9]),
        (1, 5, vec![5, 0, 0, 0, 0, 0, 0, 0, 0]),
        (8, 1, vec![1, 0, 0, 0, 0, 0, 0, 0, 0]),
    ] {
        let config = SearchConfig { simulations, considered, ..SearchConfig::default() };
        let (result, _) = search(OPEN, config);
        let mut visits: Vec<u32> = result.moves.iter().map(|stat| stat.visits).collect();
        visits.sort_by_key(|&visits| std::cmp::Reverse(visits));
        assert_eq!(visits, expected);
    }
}

#[test]
fn one_legal_move_is_searched_like_any_other_position() {
    for simulations in [0, 1, 7] {
        let config = SearchConfig { simulations, ..SearchConfig::default() };
        let (result, _) = search("(0.3: 0.2)", config);
        assert_eq!((result.best, result.moves[0].visits), (0, simulations));
        assert_eq!(result.moves[0].target, 1.0);
    }
}

#[test]
fn same_seed_same_tree() {
    for root in [RootSelection::Gumbel, RootSelection::Puct] {
        let config =
            SearchConfig { simulations: 33, root, noise_fraction: 0.25, ..SearchConfig::default() };
        let mut search = Search::new(config);
        let mut seen = Vec::new();
        for seed in [5, 6, 5] {
            search.start(Toy::new(OPEN), Seed(seed));
            let mut evaluator = Scripted::default();
            drive_to_end(std::slice::from_mut(&mut search), &mut evaluator).unwrap();
            seen.push((search.result(), evaluator.leaves));
        }
        assert_eq!(seen[0], seen[2]);
        assert_ne!(seen[0], seen[1]);
    }
}

#[test]
fn searches_beside_each_other_do_not_mix() {
    let config = |n| SearchConfig { simulations: 5 + 3 * n as u32, ..SearchConfig::default() };
    let start = |n: u64| {
        let mut search = Search::new(config(n));
        let text = ["(0 (W 0) (0 0 0))", OPEN, "(L 0.1)"][n as usize % 3];
        search.start(Toy::new(text), Seed(n));
        search
    };
    let mut evaluator = Hashed { seed: Seed(9) };
    let mut together: Vec<Search<Toy>> = (0..12).map(start).collect();
    let total = drive_to_end(&mut together, &mut evaluator).unwrap();
    let mut sum = 0;
    for (n, beside) in (0..).zip(&together) {
        let mut alone = [start(n)];
        sum += drive_to_end(&mut alone, &mut evaluator).unwrap();
        assert_eq!(alone[0].result(), beside.result());
    }
    assert_eq!(total, sum);
}

/// Fails at first, then answers.
struct Broken(bool);

impl Evaluator<Toy> for Broken {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, Toy>],
        out: &mut Vec<Evaluation>,
    ) -> Result<(), EvalError> {
        if std::mem::take(&mut self.0) {
            return Err(EvalError::new("the device is gone"));
        }
        Scripted::default().evaluate(leaves, out)
    }
}

#[test]
fn a_failed_batch_can_be_tried_again() {
    let config = SearchConfig { simulations: 9, ..SearchConfig::default() };
    let mut searches = [Search::new(config), Search::new(config)];
    searches[0].start(Toy::new(OPEN), Seed(1));
    let mut driver = Driver::default();
    driver.step(&mut searches, &mut Scripted::default()).unwrap();
    let error = driver.step(&mut searches, &mut Broken(true)).unwrap_err();
    assert_eq!(error.to_string(), "evaluation of a batch of positions failed: the device is gone");
    assert_eq!(drive_to_end(&mut searches, &mut Broken(false)).unwrap(), 9);
    assert_eq!(searches[0].result(), search(OPEN, config).0);
}

#[test]
fn a_game_goes_on_and_the_state_comes_back() {
    let config = SearchConfig { simulations: 4, ..SearchConfig::default() };
    let mut search = Search::new(config);
    assert_eq!((search.select(), search.is_done()), (Step::Done, true));
    search.start(Toy::new("((0 0) 0)"), Seed(1));
    drive_to_end(std::slice::from_mut(&mut search), &mut Scripted::default()).unwrap();
    search.play(0);
    assert!(search.is_done());
    search.restart(SearchConfig { simulations: 6, ..config }, Seed(2));
    let searches = std::slice::from_mut(&mut search);
    Driver::default().step(searches, &mut Scripted::default()).unwrap();
    assert_eq!(search.select(), Step::Leaf);
    assert_eq!(search.leaf().state.path.len(), 2);
    assert_eq!(search.take().unwrap().path, [0]);
    assert!(search.is_done() && search.take().is_none());
}
