use rules::Seed;
use train::Order;

#[test]
fn every_sample_is_used_equally_often_give_or_take_one() {
    let (samples, batch) = (37, 10);
    let mut order = Order::new(Seed(3), samples, batch);
    let mut uses = vec![0; samples];
    for step in 0..50 {
        for sample in order.batch(step) {
            uses[sample] += 1;
        }
        let total = (step as usize + 1) * batch;
        let fewest = total / samples;
        assert!(uses.iter().all(|&n| n == fewest || n == fewest + 1), "step {step}: {uses:?}");
    }
}

#[test]
fn a_batch_depends_on_seed_and_step_alone() {
    let mut order = Order::new(Seed(3), 37, 10);
    let forwards: Vec<_> = (0..20).map(|step| order.batch(step)).collect();
    let backwards: Vec<_> =
        (0..20).rev().map(|step| Order::new(Seed(3), 37, 10).batch(step)).collect();
    assert!(forwards.iter().eq(backwards.iter().rev()));
    assert_ne!(Order::new(Seed(4), 37, 10).batch(0), forwards[0]);
    assert_ne!(forwards[0], (0..10).collect::<Vec<_>>());
    assert_ne!(order.batch(0), order.batch(37));
}

#[test]
fn a_window_smaller_than_a_batch_is_used_several_times() {
    let mut sorted = Order::new(Seed(1), 3, 9).batch(5);
    sorted.sort_unstable();
    assert_eq!(sorted, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
}
