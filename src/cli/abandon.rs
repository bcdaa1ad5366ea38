//! The end of a program that can't be waited for: nothing is left that is not whole.
//!
//! Files get their names when they are whole, and a report's checkpoint is whole at any moment. So all there is to do is to remove what has no name
//! yet, to end the engines, and to say what is there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::interrupt;
use super::standard_error::note;
use jigo_archive::engine;

/// Time for that. Disks and pipes may hang, and the program ends all the same: what is not removed then, the next run removes.
const CLEANING: Duration = Duration::from_millis(200);
/// A folder that is still written to may not be empty at once.
const TRIES: usize = 5;

/// What is to be done at the end.
struct Leaving {
    /// Files and folders that are not whole yet.
    unwhole: BTreeSet<PathBuf>,
    /// What is left then, for the user.
    left: String,
}

static LEAVING: Mutex<Leaving> = Mutex::new(Leaving { unwhole: BTreeSet::new(), left: String::new() });

fn leaving() -> MutexGuard<'static, Leaving> {
    // Nothing in here is half done after a panic.
    LEAVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or folder that is removed if the program is ended in the middle, as long as this is there.
pub struct Unwhole(PathBuf);

impl Unwhole {
    /// From now on.
    pub fn new(path: &Path) -> Unwhole {
        leaving().unwhole.insert(path.to_owned());
        Unwhole(path.to_owned())
    }
}

impl Drop for Unwhole {
    fn drop(&mut self) {
        leaving().unwhole.remove(&self.0);
    }
}

/// What the user is told to be left if the program is ended in the middle from now on.
pub fn leaves(left: impl Into<String>) {
    leaving().left = left.into();
}

/// Ends the program, whatever its other threads do.
pub fn end(signal: u8) -> ! {
    let (sender, is_clean) = sync_channel(1);
    thread::spawn(move || {
        engine::kill_all();
        let state = leaving();
        state.unwhole.iter().for_each(|path| remove(path));
        let left = if state.left.is_empty() { String::new() } else { format!(": {}", state.left) };
        note(&format!("{} ended the run{left}", interrupt::name(signal)));
        let _ = sender.send(());
    });
    let _ = is_clean.recv_timeout(CLEANING);
    signal_hook::low_level::exit(128 + i32::from(signal))
}

fn remove(path: &Path) {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    let gone = |_: &usize| if is_folder { fs::remove_dir_all(path).is_ok() } else { fs::remove_file(path).is_ok() };
    (0..TRIES).find(gone);
}
