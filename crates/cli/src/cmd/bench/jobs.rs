//! Work that is measured side by side: every job once a round, so that all meet the same machine.

use std::time::{Duration, Instant};

use super::{Figure, median};

/// Something that is done again and again, and returns how much it did.
pub(super) struct Job {
    pub(super) name: String,
    pub(super) unit: &'static str,
    pub(super) work: Box<dyn FnMut() -> u64>,
    /// The job that this one is compared with.
    pub(super) reference: Option<usize>,
    /// Whether the figure is what the reference does and this job leaves out, as a share of its time.
    pub(super) left_out: bool,
}

/// Does each job in each round for that many seconds, and makes a figure of the medians.
pub(super) fn measure(jobs: &mut [Job], rounds: usize, seconds: f64) -> Vec<Figure> {
    let time = Duration::from_secs_f64(seconds);
    let mut rates = vec![Vec::new(); jobs.len()];
    for _ in 0..rounds.max(1) {
        for (job, rates) in jobs.iter_mut().zip(&mut rates) {
            rates.push(rate(&mut job.work, time));
        }
    }
    (0..jobs.len()).map(|at| figure(jobs, &rates, at)).collect()
}

/// How much of the work is done in a second.
fn rate(work: &mut dyn FnMut() -> u64, least: Duration) -> f64 {
    let begun = Instant::now();
    let mut done = 0;
    while done == 0 || begun.elapsed() < least {
        done += work();
    }
    done as f64 / begun.elapsed().as_secs_f64()
}

fn figure(jobs: &[Job], rates: &[Vec<f64>], at: usize) -> Figure {
    let Job { name, unit, reference, left_out, .. } = &jobs[at];
    let ratios = |peer: usize| rates[at].iter().zip(&rates[peer]).map(|(a, b)| a / b).collect();
    if let (true, Some(whole)) = (left_out, *reference) {
        let value = 1.0 - 1.0 / median(ratios(whole));
        return Figure { name: name.clone(), value, unit, reference: None, ratio: None };
    }
    Figure {
        name: name.clone(),
        value: median(rates[at].clone()),
        unit,
        reference: reference.map(|peer| median(rates[peer].clone())),
        ratio: reference.map(|peer| median(ratios(peer))),
    }
}
