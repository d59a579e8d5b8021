//! The only loop that brings searches and an evaluator together.
//!
//! Invariant: a batch holds at most one leaf of each search, in the order of the searches, so that
//! a search does not depend on those beside it.

use crate::{EvalError, Evaluator, Leaf, Search, State, Step};

/// One step for all: takes a leaf from each search that is not done, evaluates them as one batch and
/// applies the evaluations. Returns the number of evaluations; 0 means that all are done.
///
/// # Errors
/// If the evaluator fails. The searches then still wait for the same leaves.
pub fn drive<S: State>(
    searches: &mut [Search<S>],
    evaluator: &mut (impl Evaluator<S> + ?Sized),
) -> Result<u64, EvalError> {
    // The policies live in the searches between steps, so that their memory is reused.
    let mut evaluations = Vec::with_capacity(searches.len());
    for search in searches.iter_mut() {
        if search.select() == Step::Leaf {
            evaluations.push(std::mem::take(&mut search.evaluation));
        }
    }
    if evaluations.is_empty() {
        return Ok(0);
    }
    let waiting = searches.iter().filter(|search| !search.is_done());
    let leaves: Vec<Leaf<'_, S>> = waiting.map(Search::leaf).collect();
    evaluator.evaluate(&leaves, &mut evaluations)?;
    let waiting = searches.iter_mut().filter(|search| !search.is_done());
    for (search, evaluation) in waiting.zip(&mut evaluations) {
        search.apply(evaluation);
        search.evaluation = std::mem::take(evaluation);
    }
    Ok(evaluations.len() as u64)
}

/// [`drive`] until all searches are done. Returns the number of evaluations.
///
/// # Errors
/// If the evaluator fails.
pub fn drive_to_end<S: State>(
    searches: &mut [Search<S>],
    evaluator: &mut (impl Evaluator<S> + ?Sized),
) -> Result<u64, EvalError> {
    let mut total = 0;
    loop {
        match drive(searches, evaluator)? {
            0 => return Ok(total),
            evaluations => total += evaluations,
        }
    }
}
