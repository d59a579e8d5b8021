//! A panic in any thread ends the program with an error that names the thread, and exit code 2.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, anyhow};

/// What has panicked so far, in order. Not all of it ends the program: damaged record files, for
/// one, may upset the library that reads them.
static SEEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Runs `work`; a panic in it, or one that it reports as an error, becomes an error that says where.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let default = take_hook();
    let wants_trace = std::env::var_os("RUST_BACKTRACE").is_some();
    set_hook(Box::new(move |info| {
        let place = info.location().map_or_else(String::new, |place| format!(" at {place}"));
        let thread = thread::current();
        let name = thread.name().unwrap_or("without a name").to_owned();
        let text = format!("thread {name} panicked{place}: {}", message(info.payload()));
        SEEN.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        if wants_trace {
            default(info);
        }
    }));
    let outcome = catch_unwind(AssertUnwindSafe(work));
    let seen = || SEEN.lock().unwrap_or_else(PoisonError::into_inner).join("\n  ");
    match outcome {
        Ok(Err(error)) if format!("{error:#}").contains("panicked") => {
            Err(anyhow!("{error:#}\n  {}", seen()))
        }
        Ok(outcome) => outcome,
        Err(_) => Err(anyhow!("a fault in narikin; what is sealed is kept\n  {}", seen())),
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_thread_and_place() {
        let error = caught(|| -> Result<()> {
            thread::scope(|scope| {
                let builder = thread::Builder::new().name("loader 1".to_owned());
                builder.spawn_scoped(scope, || panic!("the dog ate it")).unwrap();
            });
            Ok(())
        });
        let text = error.unwrap_err().to_string();
        assert!(text.contains("thread loader 1 panicked at "), "{text}");
        assert!(text.contains("panics.rs") && text.contains("the dog ate it"), "{text}");

        let error = caught(|| -> Result<()> { anyhow::bail!("a worker panicked") });
        assert!(error.unwrap_err().to_string().starts_with("a worker panicked"));
        assert!(caught(|| Ok(1)).is_ok());
    }
}
