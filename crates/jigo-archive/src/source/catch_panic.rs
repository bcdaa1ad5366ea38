//! Panics of third-party decoders: caught here, so that they don't end the run.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// True while a guarded decoder runs on this thread.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` and returns `None` if it panics.
///
/// After a panic the caller must drop all data that `work` could change. A caught panic prints
/// nothing to standard error, since the caller reports it in terms of the input. Other panics are
/// printed as usual.
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    static INSTALL_HOOK: Once = Once::new();
    INSTALL_HOOK.call_once(|| {
        let previous_hook = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                previous_hook(panic);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work)).ok();
    IS_GUARDED.set(was_guarded);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_caught_and_guards_nest() {
        assert_eq!(catch_panic(|| 5), Some(5));
        let nested = catch_panic(|| {
            assert_eq!(catch_panic(|| -> u8 { panic!("the decoder fails") }), None);
            IS_GUARDED.get()
        });
        assert_eq!((nested, IS_GUARDED.get()), (Some(true), false));
    }
}
