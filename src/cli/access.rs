//! Who may read and write the files of a run: a new one whoever the umask lets, and one that takes the place of another whoever might do so before.

mod attributes;

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// How a file is made that will stand at `target`: where a file is there that may be private, only its owner reads the new one until it has its place.
/// A copy of a file has no more permissions than that one, which are `most`.
pub fn new_file(target: &Path, most: Option<&Permissions>) -> OpenOptions {
    let mut options = File::options();
    options.create_new(true);
    limit(&mut options, target, most);
    options
}

#[cfg(unix)]
fn limit(options: &mut OpenOptions, target: &Path, most: Option<&Permissions>) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    // The system takes away what the umask says.
    options.mode(if replaced(target).is_some() { 0o600 } else { most.map_or(0o666, |most| most.mode() & 0o777) });
}

/// Elsewhere the folder decides.
#[cfg(not(unix))]
fn limit(_: &mut OpenOptions, _: &Path, _: Option<&Permissions>) {}

/// Gives the file `new` the permissions of the one at `target`, which it is about to replace, but none beyond `most`, and its owner where the system
/// lets us. Its access control list and its extended attributes come along.
///
/// # Errors
/// When the system refuses.
pub fn take_over(new: &Path, target: &Path, most: Option<&Permissions>) -> io::Result<()> {
    replaced(target).map_or(Ok(()), |found| hand_over(new, target, &found, most))
}

/// Returns the permissions of a file as the most that a copy of it may have.
///
/// In the mode of a file with an access control list, the bits of the group are not what the group may do. A copy without the
/// list gives the group no more than the list does.
#[cfg(unix)]
pub fn most_of(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let found = fs::metadata(path).ok()?.permissions();
    let group = attributes::group_bits(path).unwrap_or(0o7);
    Some(Permissions::from_mode(found.mode() & !(0o70 & !(group << 3))))
}

/// Returns the permissions of a file as the most that a copy of it may have.
#[cfg(not(unix))]
pub fn most_of(path: &Path) -> Option<Permissions> {
    Some(fs::metadata(path).ok()?.permissions())
}

/// The file that stands there; what else may stand there says nothing about files.
fn replaced(target: &Path) -> Option<Metadata> {
    fs::symlink_metadata(target).ok().filter(Metadata::is_file)
}

#[cfg(unix)]
fn hand_over(new: &Path, target: &Path, found: &Metadata, most: Option<&Permissions>) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let made = fs::metadata(new)?;
    if (made.uid(), made.gid()) != (found.uid(), found.gid()) {
        // It takes who may do so.
        let _ = chown(new, Some(found.uid()), Some(found.gid()));
    }
    // The list comes first: with it, the bits of the group are only the most that anybody in the list may do.
    attributes::copy(target, new)?;
    let made = fs::metadata(new)?;
    // Nothing that is written here is to be run with the rights of another user.
    let wanted = found.mode() & most.map_or(0o777, |most| most.mode() & 0o777);
    // On a file system without permissions all files have the same, and setting them fails.
    if made.mode() & 0o777 == wanted { Ok(()) } else { fs::set_permissions(new, Permissions::from_mode(wanted)) }
}

#[cfg(not(unix))]
fn hand_over(new: &Path, _: &Path, found: &Metadata, _: Option<&Permissions>) -> io::Result<()> {
    fs::set_permissions(new, found.permissions())
}
