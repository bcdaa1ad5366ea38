//! Tables whose rows are not about one game.

use std::io;

use crate::formats::Rows;
use crate::pipeline::Visitor;
use crate::row::Table;
use crate::summary::Summary;

/// A table whose rows follow from all games together, such as `diversity`.
///
/// The accumulator of a batch is its sum. [`merge`](Aggregate::merge) adds the sums in input order,
/// and [`finish`](Aggregate::finish) makes the rows from the total.
pub trait Aggregate: Visitor {
    /// The table.
    const TABLE: &'static Table;

    /// The sum of several batches.
    type Total: Send;

    /// Returns the sum of no batches.
    fn start(&self) -> Self::Total;

    /// Adds the sum of the next batch.
    ///
    /// # Errors
    /// Fails if the total is in a temporary file that can't be written.
    fn merge(&self, total: &mut Self::Total, batch: Self::Accumulator) -> io::Result<()>;

    /// Appends the rows, and adds the findings among them to the counts of the run.
    ///
    /// # Errors
    /// Fails if the total is in a temporary file that can't be read.
    fn finish(&self, total: Self::Total, rows: &mut Rows, summary: &mut Summary) -> io::Result<()>;
}
