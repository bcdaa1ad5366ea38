//! Cleanup before a forced exit, which does not wait for other threads.
//!
//! Files get their final names only when they are complete, and the checkpoint of a report is
//! complete at any moment. The cleanup therefore only removes temporary files, ends the engines,
//! and reports the files that remain.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use crate::process::note;
use jigo_archive::engine;

/// The time limit of the cleanup. Disks and pipes may hang, and the program must end anyway. The
/// next run removes the remaining temporary files.
const TIME_LIMIT: Duration = Duration::from_millis(200);
/// The number of attempts to remove a folder. A thread may still create files in it.
const ATTEMPTS: usize = 5;

/// The state that the cleanup needs.
struct CleanupState {
    /// Incomplete files and folders.
    incomplete: BTreeSet<PathBuf>,
    /// The message about the files that remain.
    remaining: String,
}

static STATE: Mutex<CleanupState> = Mutex::new(CleanupState { incomplete: BTreeSet::new(), remaining: String::new() });

fn state() -> MutexGuard<'static, CleanupState> {
    // Every update is one operation, so a panic leaves no update half done.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A guard that registers an incomplete file or folder. The cleanup removes the path if the program
/// exits while the guard exists.
pub struct CleanupGuard(PathBuf);

impl CleanupGuard {
    /// Registers a path.
    pub fn new(path: &Path) -> CleanupGuard {
        state().incomplete.insert(path.to_owned());
        CleanupGuard(path.to_owned())
    }
}

impl Drop for CleanupGuard {
    fn drop(&mut self) {
        state().incomplete.remove(&self.0);
    }
}

/// Sets the message about the files that remain if the program exits early.
pub fn set_remaining_message(remaining: impl Into<String>) {
    state().remaining = remaining.into();
}

/// Ends the program without waiting for its other threads. `name` is the name of the signal.
pub fn exit_after_cleanup(signal: u8, name: &'static str) -> ! {
    let (sender, is_clean) = sync_channel(1);
    thread::spawn(move || {
        engine::kill_all_engines();
        let state = state();
        state.incomplete.iter().for_each(|path| remove(path));
        let remaining = if state.remaining.is_empty() { String::new() } else { format!(": {}", state.remaining) };
        note(&format!("{} ended the run{remaining}", name));
        let _ = sender.send(());
    });
    let _ = is_clean.recv_timeout(TIME_LIMIT);
    signal_hook::low_level::exit(128 + i32::from(signal))
}

fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    let is_removed =
        |_: &usize| if is_folder { fs::remove_dir_all(path).is_ok() } else { fs::remove_file(path).is_ok() };
    (0..ATTEMPTS).find(is_removed);
}
