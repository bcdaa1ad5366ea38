//! Tables whose rows are not about one game.

use crate::formats::Rows;
use crate::partial_result::PartialResult;
use crate::pipeline::Visitor;
use crate::row::Table;

/// A table whose rows follow from all games together, such as `diversity`.
///
/// The accumulator of a batch is its sum. The sums of all batches merge in input order.
pub trait Aggregate: Visitor<Accumulator: PartialResult> {
    /// The table.
    const TABLE: &'static Table;

    /// Checks after each batch that the sum so far is not too large.
    ///
    /// # Errors
    /// Fails with the remedy if it is.
    fn check(&self, _total: &Self::Accumulator) -> anyhow::Result<()> {
        Ok(())
    }

    /// Appends the rows of the sum of all batches.
    fn finish(&self, total: Self::Accumulator, rows: &mut Rows);
}
