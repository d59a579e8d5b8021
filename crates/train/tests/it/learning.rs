use tch::Device;
use train::{
    Control, Curve, LossWeights, Plan, Progress, TrainConfig, TrainError, TrainEvent, Trainer,
};

use crate::{dataset, encoder, plan, random_games, tiny_net, trainer};

fn run(
    trainer: &mut Trainer,
    plan: &Plan,
    data: &train::Dataset,
    loaders: usize,
) -> Vec<TrainEvent> {
    let mut events = Vec::new();
    let mut record = |event| {
        events.push(event);
        Control::Continue
    };
    assert_eq!(trainer.run(plan, data, loaders, &mut record).unwrap(), Progress::Done);
    events
}

#[test]
fn a_tiny_net_learns_64_samples_by_heart() {
    let encoder = encoder();
    // One-hot targets that a net can reach, unlike random distributions.
    let mut games = random_games(&encoder, 0..6);
    for ply in games.iter_mut().flat_map(|game| &mut game.plies) {
        ply.policy_target.fill(0.0);
        let played = ply.policy_moves.iter().position(|&mv| mv == ply.mv);
        match played {
            Some(place) => ply.policy_target[place] = 1.0,
            None => (ply.policy_moves, ply.policy_target) = (Vec::new(), Vec::new()),
        }
    }
    let mut left = 64;
    for ply in games.iter_mut().flat_map(|game| &mut game.plies) {
        ply.full_search = left > 0;
        left -= usize::from(left > 0);
    }
    let mut dataset = train::Dataset::new(encoder.clone());
    dataset.add(0, &games).unwrap();
    assert_eq!(dataset.len(), 64);
    let mut plan = plan(&dataset, 300, 64);
    plan.config.mirror = false;
    plan.config.value_mix = 1.0;
    let events = run(&mut trainer(&encoder), &plan, &dataset, 1);
    let (first, last) = (events[0].losses, events[299].losses);
    for (name, first, last) in [
        ("policy", first.policy, last.policy),
        ("wdl", first.wdl, last.wdl),
        ("reply", first.reply, last.reply),
        ("total", first.total, last.total),
    ] {
        assert!(last < 0.5 * first, "{name}: {first} to {last}");
    }
}

#[test]
fn an_interrupted_phase_goes_on_bit_for_bit() {
    let encoder = encoder();
    let dataset = dataset(&encoder, 3);
    let plan = plan(&dataset, 12, 16);
    let whole = run(&mut trainer(&encoder), &plan, &dataset, 2);

    let dir = tempfile::tempdir().unwrap();
    let checkpoints = train::Checkpoints::open(dir.path()).unwrap();
    let mut first = trainer(&encoder);
    let mut events = Vec::new();
    let mut stop_at_5 = |event: TrainEvent| {
        events.push(event);
        if event.phase_step == 5 { Control::Stop } else { Control::Continue }
    };
    let progress = first.run(&plan, &dataset, 1, &mut stop_at_5).unwrap();
    assert_eq!((progress, first.step()), (Progress::Stopped, 5));
    checkpoints.write(5, &first, &model::Metadata::new()).unwrap();
    drop(first);

    let plan = Plan::from_toml(&plan.to_toml().unwrap()).unwrap();
    let mut second = Trainer::resume(&checkpoints.read(5).unwrap(), Device::Cpu).unwrap();
    events.extend(run(&mut second, &plan, &dataset, 3));
    assert_eq!(events, whole);
    assert_eq!(second.run(&plan, &dataset, 1, &mut |_| Control::Continue).unwrap(), Progress::Done);
}

#[test]
fn the_average_follows_the_weights_and_starts_with_them() {
    let encoder = encoder();
    let dataset = dataset(&encoder, 1);
    let mut trainer = trainer(&encoder);
    assert_eq!(trainer.ema().unwrap(), tiny_net(&encoder).1);
    let mut expected = trainer.ema().unwrap();
    let plan = plan(&dataset, 3, 16);
    for step in 1..=3 {
        trainer.run(&plan, &dataset, 1, &mut |_| Control::Stop).unwrap();
        let decay = (1.0 + step as f32) / (10.0 + step as f32);
        let now = trainer.weights().unwrap();
        for (name, tensor) in now.iter() {
            let average = expected.get_mut(name).unwrap().data_mut();
            for (average, now) in average.iter_mut().zip(tensor.data()) {
                *average = decay * *average + (1.0 - decay) * now;
            }
        }
    }
    for (name, tensor) in trainer.ema().unwrap().iter() {
        let expected = expected.get(name).unwrap().data();
        assert!(tensor.data().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{name}");
    }
}

#[test]
fn a_loss_that_is_not_finite_stops_before_the_step_and_hands_over_the_batch() {
    let encoder = encoder();
    let dataset = dataset(&encoder, 1);
    let (graph, mut weights) = tiny_net(&encoder);
    weights.get_mut("wdl.bias").unwrap().data_mut()[0] = f32::MAX;
    weights.get_mut("wdl.bias").unwrap().data_mut()[1] = f32::MIN;
    let mut trainer = Trainer::new(&graph, &weights, Device::Cpu).unwrap();
    let plan = plan(&dataset, 3, 16);
    let error = trainer.run(&plan, &dataset, 1, &mut |_| Control::Continue).unwrap_err();
    let TrainError::NotFinite { step: 0, what: "the loss", batch } = error else {
        panic!("{error}");
    };
    assert_eq!(*batch, train::Loader::new(&plan, &dataset).batch(0));
    let (saved, _) = model::Weights::from_safetensors(&batch.to_safetensors()).unwrap();
    assert_eq!(saved.get("policy").unwrap().data(), batch.policy);
    assert_eq!((trainer.step(), trainer.weights().unwrap()), (0, weights));
}

#[test]
fn plans_that_do_not_fit_are_refused() {
    let encoder = encoder();
    let dataset = dataset(&encoder, 2);
    let mut trainer = trainer(&encoder);
    let good = plan(&dataset, 3, 16);
    let mut refused = |change: &dyn Fn(&mut Plan)| {
        let mut plan = good.clone();
        change(&mut plan);
        trainer.run(&plan, &dataset, 1, &mut |_| Control::Continue).unwrap_err().to_string()
    };
    assert!(refused(&|plan| plan.start_step = 1).contains("stands at 0"));
    assert!(refused(&|plan| plan.window.chunks.clear()).contains("window"));
    let text = refused(&|plan| {
        plan.config.batch = 0;
        plan.config.betas = [0.9, 1.0];
        plan.config.window.min = 0;
    });
    assert!(["batch", "betas", "window"].iter().all(|key| text.contains(key)), "{text}");
}

#[test]
fn plans_survive_toml_and_unknown_keys_do_not() {
    let plan = plan(&dataset(&encoder(), 1), 100, 16);
    let text = plan.to_toml().unwrap();
    assert_eq!(Plan::from_toml(&text).unwrap(), plan);
    let error = Plan::from_toml(&text.replace("clip_norm", "clip_nrom")).unwrap_err();
    assert!(error.to_string().contains("clip_nrom"));
    assert_eq!(TrainConfig::default().validate(), Ok(()));
    assert_eq!(TrainConfig::default().steps(3200), 100);
    assert_eq!(LossWeights::default().policy, 1.0);
}

#[test]
fn learning_rates_run_from_start_towards_end() {
    let dataset = dataset(&encoder(), 1);
    let mut plan = plan(&dataset, 100, 16);
    (plan.lr_start, plan.lr_end) = (1.0, 0.0);
    assert_eq!([plan.lr(0), plan.lr(50), plan.lr(100)], [1.0, 0.5, 0.0]);
    plan.curve = Curve::Cosine;
    assert_eq!(plan.lr(0), 1.0);
    assert!((plan.lr(50) - 0.5).abs() < 1e-12 && plan.lr(25) > 0.8 && plan.lr(100) < 1e-12);
}
