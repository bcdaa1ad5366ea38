//! Properties that stray text separates from the value before them.
//!
//! In `C[nice];'B[aa];W[bb]` the first bracket closes the comment, although `'` is not a property.
//! A text with brackets of its own looks similar, but its last bracket does not close a property.

/// The brackets of a text so far, as a chain of properties after the bracket that may close it.
#[derive(Default)]
pub(super) struct PropertyChain {
    /// The `]` before the first property of the chain.
    start: Option<usize>,
    /// The last bracket, if it is a `]`.
    last_close: Option<usize>,
}

impl PropertyChain {
    /// Adds a `[`. The chain ends unless the name of a property precedes it.
    pub(super) fn open(&mut self, is_property: impl FnOnce() -> bool) {
        let close = self.last_close.take().filter(|_| is_property());
        self.start = close.map(|close| self.start.unwrap_or(close));
    }

    /// Adds the `]` at `bracket`.
    pub(super) fn close(&mut self, bracket: usize) {
        if self.last_close.replace(bracket).is_some() {
            self.start = None;
        }
    }

    /// Returns the `]` that closes the text if the next `]` closes a property of the chain.
    pub(super) fn text_end(&self) -> Option<usize> {
        self.start.filter(|_| self.last_close.is_none())
    }
}
