//! The keywords of a pattern search.

use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};

use crate::config::table_options::FindTable;
use crate::execution::stream::StreamTable;
use jigo_core::pattern::{BoardPattern, PatternSearch, SearchOptions};
use jigo_rules::board::BoardSize;

/// The options of a search before they are complete.
#[derive(Default)]
pub(super) struct FindOptions {
    /// The pattern as a diagram.
    pub diagram: Option<String>,
    /// The pattern as a list of points.
    pub points: Option<String>,
    /// The size of the board of `points`.
    pub size: Option<BoardSize>,
    /// The options of the search.
    pub search: SearchOptions,
    /// The table.
    pub table: FindTable,
}

impl FindOptions {
    /// Returns the table of the search.
    ///
    /// # Errors
    /// Fails if there is no pattern, more than one, or a faulty one.
    pub(super) fn table(self) -> Result<StreamTable> {
        let search = Arc::new(PatternSearch::new(self.pattern()?, self.search));
        Ok(match self.table {
            FindTable::Matches => StreamTable::Matches(search),
            FindTable::Continuations => StreamTable::Continuations(search),
        })
    }

    fn pattern(&self) -> Result<BoardPattern> {
        ensure!(
            self.size.is_none() || self.points.is_some(),
            "the following required arguments were not provided:\n  --points <LIST>"
        );
        match (&self.diagram, &self.points) {
            (Some(_), Some(_)) => bail!("there are two patterns: pass a diagram or --points, not both"),
            (None, None) => bail!("there is no pattern: pass a diagram such as '.X,X.', or use --points"),
            (Some(diagram), None) => BoardPattern::from_diagram(diagram).context("PATTERN"),
            (None, Some(points)) => {
                BoardPattern::from_points(points, self.size.unwrap_or(BoardSize::standard())).context("--points")
            }
        }
    }
}
