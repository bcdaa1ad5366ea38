//! Decoders that others wrote, kept from ending the run.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a guarded decoder is at work on this thread.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Does `work`; `None` where it panics. What it was changing is in no known state then and has to go. Nothing stands on standard error: whoever
/// asks says it in words of the input. All other panics are told as before.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let tell = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                tell(panic);
            }
        }));
    });
    let is_within = IS_GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    IS_GUARDED.set(is_within);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_none_and_work_within_guarded_work_leaves_it_guarded() {
        assert_eq!(guarded(|| 5), Some(5));
        let within = guarded(|| {
            assert_eq!(guarded(|| -> u8 { panic!("the decoder fails") }), None);
            IS_GUARDED.get()
        });
        assert_eq!((within, IS_GUARDED.get()), (Some(true), false));
    }
}
