//! The only loop that brings searches and an evaluator together.
//!
//! Invariant: a batch holds at most one leaf of each search, in the order of the searches, so that
//! a search does not depend on those beside it.

use crate::{EvalError, Evaluation, Evaluator, Leaf, Search, State, Step};

/// The loop's memory, kept from batch to batch: once it has grown, driving allocates nothing.
#[derive(Debug)]
pub struct Driver<S: State + 'static> {
    /// Empty between batches.
    leaves: Vec<Leaf<'static, S>>,
    evaluations: Vec<Evaluation>,
}

impl<S: State + 'static> Default for Driver<S> {
    fn default() -> Self {
        Self { leaves: Vec::new(), evaluations: Vec::new() }
    }
}

impl<S: State + 'static> Driver<S> {
    /// One step for all: takes a leaf from each search that is not done, evaluates them as one batch
    /// and applies the evaluations. Returns the number of evaluations; 0 means that all are done.
    ///
    /// # Errors
    /// If the evaluator fails. The searches then still wait for the same leaves.
    pub fn step(
        &mut self,
        searches: &mut [Search<S>],
        evaluator: &mut (impl Evaluator<S> + ?Sized),
    ) -> Result<u64, EvalError> {
        // The policies live in the searches between steps: a smaller batch does not lose them.
        self.evaluations.clear();
        for search in searches.iter_mut() {
            if search.select() == Step::Leaf {
                self.evaluations.push(std::mem::take(&mut search.evaluation));
            }
        }
        if self.evaluations.is_empty() {
            return Ok(0);
        }
        let mut leaves = emptied(std::mem::take(&mut self.leaves));
        leaves.extend(searches.iter().filter(|search| !search.is_done()).map(Search::leaf));
        let outcome = evaluator.evaluate(&leaves, &mut self.evaluations);
        self.leaves = emptied(leaves);
        outcome?;
        let waiting = searches.iter_mut().filter(|search| !search.is_done());
        for (search, evaluation) in waiting.zip(&mut self.evaluations) {
            search.apply(evaluation);
            search.evaluation = std::mem::take(evaluation);
        }
        Ok(self.evaluations.len() as u64)
    }
}

/// The memory of a list, for leaves that live for another time.
fn emptied<'a, S: State>(mut leaves: Vec<Leaf<'_, S>>) -> Vec<Leaf<'a, S>> {
    leaves.clear();
    // The standard library collects in place; a test counts the allocations.
    leaves.into_iter().map(|_| unreachable!("the list is empty")).collect()
}

/// Steps of a [`Driver`] until all searches are done. Returns the number of evaluations.
///
/// # Errors
/// If the evaluator fails.
pub fn drive_to_end<S: State + 'static>(
    searches: &mut [Search<S>],
    evaluator: &mut (impl Evaluator<S> + ?Sized),
) -> Result<u64, EvalError> {
    let mut driver = Driver::default();
    let mut total = 0;
    loop {
        match driver.step(searches, evaluator)? {
            0 => return Ok(total),
            evaluations => total += evaluations,
        }
    }
}
