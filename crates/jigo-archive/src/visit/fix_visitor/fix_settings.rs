//! The settings of fixes and of their verification.

use crate::formats::Format;
use crate::source::InputFormat;
use jigo_core::fix::FixOptions;

/// The selected fixes, the format of their rows, and the formats of the inputs, which are read
/// again for the verification.
pub struct FixSettings {
    /// The selection of fixes.
    pub options: FixOptions,
    /// The format of the rows.
    pub format: Format,
    /// The format of the inputs.
    pub input: InputFormat,
    /// The column of tables that contains the game texts.
    pub column: String,
    /// The column of tables that contains the identifiers.
    pub id_column: String,
}
