//! Files that options name, with their state at the start of a run.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The path of a file that an option reads. It is serialized as an object, so that a command to
/// paste quotes it as a path.
#[derive(Clone, Debug)]
pub struct FilePath(PathBuf);

impl Deref for FilePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Serialize for FilePath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("path", self.0.to_str())])
    }
}

impl<'de> Deserialize<'de> for FilePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<FilePath, D::Error> {
        String::deserialize(deserializer).map(|path| FilePath(path.into()))
    }
}

#[cfg(feature = "cli")]
impl clap::builder::ValueParserFactory for FilePath {
    type Parser = clap::builder::MapValueParser<clap::builder::PathBufValueParser, fn(PathBuf) -> FilePath>;

    fn value_parser() -> Self::Parser {
        clap::builder::TypedValueParser::map(clap::builder::PathBufValueParser::new(), FilePath)
    }
}

/// A file besides the inputs that affects a run, as found at its start.
#[derive(Serialize)]
pub struct FileStamp {
    path: String,
    length: Option<u64>,
    /// The last modification in nanoseconds since 1970.
    modified: Option<u64>,
}

impl FileStamp {
    /// Examines a file.
    pub fn new(path: &Path) -> FileStamp {
        let found = fs::metadata(path).ok();
        FileStamp {
            path: path.to_string_lossy().into_owned(),
            length: found.as_ref().map(fs::Metadata::len),
            modified: found.and_then(|found| found.modified().ok()).map(nanoseconds),
        }
    }
}

/// Returns the nanoseconds since 1970, which fit into 64 bits until 2554.
pub(crate) fn nanoseconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(u64::MAX))
}
