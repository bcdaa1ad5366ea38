//! Permissions of the files of a run. A new file follows the umask. A file that replaces another
//! one keeps its permissions.

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
mod attributes;

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::path::Path;

/// Returns the options that create a file which will become `target`.
///
/// If `target` exists, it may be private, so only the owner can read the new file until it gets its
/// name. A copy of a file has at most that file's permissions, which are `max_permissions`.
pub fn creation_options(target: &Path, max_permissions: Option<&Permissions>) -> OpenOptions {
    let mut options = File::options();
    options.create_new(true);
    limit(&mut options, target, max_permissions);
    options
}

#[cfg(unix)]
fn limit(options: &mut OpenOptions, target: &Path, max_permissions: Option<&Permissions>) {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    // The system removes the bits of the umask.
    options.mode(if replaced(target).is_some() {
        0o600
    } else {
        max_permissions.map_or(0o666, |max_permissions| max_permissions.mode() & 0o777)
    });
}

/// Does nothing, because the folder determines the permissions on these systems.
#[cfg(not(unix))]
fn limit(_: &mut OpenOptions, _: &Path, _: Option<&Permissions>) {}

/// Gives the file `new` the permissions of `target`, which it will replace, but none beyond
/// `max_permissions`. Also copies the owner if the system permits it, the access control list and
/// the extended attributes.
///
/// # Errors
/// Fails if the system refuses.
pub fn copy_permissions(new: &Path, target: &Path, max_permissions: Option<&Permissions>) -> io::Result<()> {
    replaced(target).map_or(Ok(()), |metadata| copy_metadata(new, target, &metadata, max_permissions))
}

/// Returns true if two files have the same owner and group.
#[cfg(unix)]
pub fn has_same_owner(first: &Path, second: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let owner = |path| fs::metadata(path).ok().map(|metadata| (metadata.uid(), metadata.gid()));
    owner(first).is_some_and(|first| Some(first) == owner(second))
}

/// Returns true, because Rust does not know the owners of files on these systems.
#[cfg(not(unix))]
pub fn has_same_owner(_: &Path, _: &Path) -> bool {
    true
}

/// Returns the permissions of a file as the most that a copy of it may have.
///
/// In the mode of a file with an access control list, the group bits are not the permissions of the
/// group. A copy without the list gives the group at most the permissions in the list.
#[cfg(unix)]
pub fn permission_limit(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::metadata(path).ok()?.permissions();
    let group = attributes::group_bits(path).unwrap_or(0o7);
    Some(Permissions::from_mode(permissions.mode() & !(0o70 & !(group << 3))))
}

/// Returns the permissions of a file as the most that a copy of it may have.
#[cfg(not(unix))]
pub fn permission_limit(path: &Path) -> Option<Permissions> {
    Some(fs::metadata(path).ok()?.permissions())
}

/// Returns the metadata of the file at `target`. Returns `None` for anything else, because its
/// permissions do not apply to files.
fn replaced(target: &Path) -> Option<Metadata> {
    fs::symlink_metadata(target).ok().filter(Metadata::is_file)
}

#[cfg(unix)]
fn copy_metadata(
    new: &Path,
    target: &Path,
    metadata: &Metadata,
    max_permissions: Option<&Permissions>,
) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    let new_metadata = fs::metadata(new)?;
    if (new_metadata.uid(), new_metadata.gid()) != (metadata.uid(), metadata.gid()) {
        // Only privileged users can change the owner, and only members of a group can choose it, so
        // a failure is ignored.
        let _ = chown(new, Some(metadata.uid()), None);
        let _ = chown(new, None, Some(metadata.gid()));
    }
    // Copy the list first. With a list, the group bits limit every entry of the list.
    attributes::copy(target, new)?;
    let new_metadata = fs::metadata(new)?;
    // Mask the set-user-ID and set-group-ID bits. No output may run with the rights of another
    // user.
    let mode = metadata.mode() & max_permissions.map_or(0o777, |max_permissions| max_permissions.mode() & 0o777);
    // On a file system without permissions, all files have the same ones and setting them fails.
    if new_metadata.mode() & 0o777 == mode { Ok(()) } else { fs::set_permissions(new, Permissions::from_mode(mode)) }
}

#[cfg(not(unix))]
fn copy_metadata(new: &Path, _: &Path, found: &Metadata, _: Option<&Permissions>) -> io::Result<()> {
    fs::set_permissions(new, found.permissions())
}

/// Unix systems without support for extended attributes. Other systems don't use this module.
#[cfg(all(unix, not(any(target_os = "linux", target_os = "android", target_vendor = "apple"))))]
mod attributes {
    use std::io;
    use std::path::Path;

    /// Does nothing.
    ///
    /// # Errors
    /// None.
    pub fn copy(_: &Path, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Returns `None`.
    pub fn group_bits(_: &Path) -> Option<u32> {
        None
    }
}
