//! The folders of games and vectors that tests of several crates read.

use std::path::{Path, PathBuf};

/// Returns the root of the repository.
pub fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|folder| folder.join("fixtures").is_dir()).unwrap()
}

/// Returns the folder of test vectors: `JIGO_VECTORS`, or else the small set of this repository.
pub fn vectors() -> PathBuf {
    folder_in("JIGO_VECTORS", "tests/vectors")
}

/// Returns the folder of games with a manifest: real games in `JIGO_CORPUS`, or else the generated
/// ones of this repository.
pub fn corpus() -> PathBuf {
    folder_in("JIGO_CORPUS", "fixtures/played")
}

fn folder_in(variable: &str, default: &str) -> PathBuf {
    std::env::var_os(variable).map_or_else(|| root().join(default), PathBuf::from)
}

/// Returns true if the games of [`corpus`] are real. Some bounds hold only for thousands of games.
pub fn has_real_games() -> bool {
    std::env::var_os("JIGO_CORPUS").is_some()
}

/// Returns those of the named parts of [`corpus`] that exist, or the whole folder if none does.
pub fn corpus_parts(names: &[&str]) -> Vec<PathBuf> {
    let corpus = corpus();
    let parts: Vec<PathBuf> = names.iter().map(|name| corpus.join(name)).filter(|part| part.exists()).collect();
    if parts.is_empty() { vec![corpus] } else { parts }
}

/// Returns the files below a folder, sorted by name, folder by folder.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    files.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

/// Returns the files below a folder with the extension `ending`, in upper or lower case.
pub fn files_ending(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let has_extension = |path: &PathBuf| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(ending));
    files_below(folder).into_iter().filter(has_extension).collect()
}
