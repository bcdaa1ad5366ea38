//! The settings of fixes and of their verification.

use crate::formats::Format;
use crate::pipeline::Job;
use crate::source::InputFormat;
use jigo_core::fix::FixOptions;
use jigo_rules::board::Picture;

/// A function that draws boards with captions, with colours if the second value is true.
type DrawBoards = fn(&[(String, Picture)], bool) -> String;

/// The selected fixes, the format of their rows, and the formats of the inputs, which are read
/// again for the verification.
pub struct FixSettings {
    /// The selection of fixes.
    pub options: FixOptions,
    /// The format of the rows.
    pub format: Format,
    /// Draws boards for people. `None` draws none.
    pub draw: Option<DrawBoards>,
    /// The format of the inputs.
    pub input: InputFormat,
    /// The column of tables that contains the game texts.
    pub column: String,
    /// The column of tables that contains the identifiers.
    pub id_column: String,
}

impl FixSettings {
    /// Returns the settings for the inputs of a run.
    pub fn new(job: &Job, format: Format, options: FixOptions) -> FixSettings {
        FixSettings {
            options,
            format,
            draw: None,
            input: job.input,
            column: job.column.clone(),
            id_column: job.id_column.clone(),
        }
    }
}
