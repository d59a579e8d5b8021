//! The replay window: whether it fits into memory, and which games have been used how often.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;

use anyhow::{Result, bail};
use records::{ChunkInfo, Manifest};
use train::{Control, Held};

use super::Run;
use crate::memory;
use crate::progress::Work;
use crate::text::thousands;

impl Run {
    /// Reads a plan's games, if there is memory for them; false if the user stopped it.
    pub(super) fn read_window(&mut self, window: &Manifest) -> Result<bool> {
        self.show(Work::short("reading the replay window"));
        let (store, stop, mut fault) = (self.collector.store(), &self.stop, None);
        let progress = self.learner.dataset.set_window(store, window, &mut |held| {
            // From the first chunk on, and then from time to time, what is there tells the rest.
            if held.chunks.is_power_of_two() {
                fault = too_large(held, window.samples, memory::available());
            }
            let go_on = fault.is_none() && !stop.load(Relaxed);
            if go_on { Control::Continue } else { Control::Stop }
        })?;
        match fault {
            Some(fault) => bail!("{fault} (now {})", self.config.train.window.max),
            None => Ok(progress == train::Progress::Done),
        }
    }

    /// How often each position of a chunk has been trained on, by chunk, from all carried-out
    /// plans. Whole passes over the window make it the same for all positions of it, give or take
    /// one use a plan.
    pub(super) fn uses(&self) -> Result<BTreeMap<u64, f64>> {
        let mut uses = BTreeMap::new();
        for generation in self.first_trained()..=self.state.generation {
            let plan = match self.read_plan(generation) {
                Ok(plan) => plan,
                Err(error) => {
                    self.tell(&format!("uses in training are counted without a plan: {error:#}"))?;
                    continue;
                }
            };
            let each = plan.config.batch as f64 * plan.steps as f64 / plan.window.samples as f64;
            for chunk in plan.window.chunks {
                if self.was_there(chunk, generation) {
                    *uses.entry(chunk).or_insert(0.0) += each;
                }
            }
        }
        Ok(uses)
    }

    /// Whether a chunk is the one that the plan of a generation could draw on, and not one that was
    /// played again later in the place of a damaged one.
    pub(super) fn was_there(&self, chunk: u64, generation: u32) -> bool {
        let played_by = |info: &ChunkInfo| info.by_generation.last_key_value().map(|(&by, _)| by);
        self.chunks.get(&chunk).and_then(played_by).is_some_and(|by| by < generation)
    }
}

/// Why a window of `samples` does not fit into memory, judged by what is held of it.
fn too_large(held: Held, samples: u64, available: Option<u64>) -> Option<String> {
    let each = held.bytes as f64 / held.samples.max(1) as f64;
    let missing = each * samples.saturating_sub(held.samples) as f64;
    let available = available.filter(|&bytes| missing > bytes as f64)?;
    let gigabytes = |bytes: f64| bytes / 1e9;
    Some(format!(
        "no memory for the replay window: its {} positions need {:.1} GB more, {:.1} GB are \
         available; lower train.window.max and go on with --retune",
        thousands(samples),
        gigabytes(missing),
        gigabytes(available as f64)
    ))
}
