//! Extended attributes of files, which include the access control lists of Linux.

use std::ffi::{CStr, CString};
use std::io;
use std::path::Path;

use rustix::fs::{XattrFlags, lgetxattr, llistxattr, lremovexattr, lsetxattr};
use rustix::io::Errno;

/// The attribute that contains the access control list.
const ACL: &CStr = c"system.posix_acl_access";
/// The entry of the list for the group of the file.
const GROUP_ENTRY: u16 = 4;
/// Attributes that the system maintains: checksums of the content, and marks of a program.
const OF_THE_SYSTEM: [&[u8]; 4] = [b"security.ima", b"security.evm", b"com.apple.provenance", b"com.apple.macl"];
/// The longest value in bytes, which is the limit of Linux.
const MAX_BYTES: usize = 64 << 10;

/// Copies the extended attributes and the access control list of `source` to `target`. Removes
/// the list of `target` if `source` has none.
///
/// # Errors
/// Fails if an attribute cannot be read or written. The error names it.
pub fn copy(source: &Path, target: &Path) -> io::Result<()> {
    let names = names(source)?;
    // A folder can give each new file a list.
    if !names.iter().any(|name| name.as_c_str() == ACL) && value(target, ACL).is_some() {
        lremovexattr(target, ACL)?;
    }
    // Copy the list last, because the file is private until then.
    let (lists, other_names): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.as_c_str() == ACL);
    for name in lists.into_iter().chain(other_names) {
        if OF_THE_SYSTEM.contains(&name.to_bytes()) {
            continue;
        }
        let attribute = value(source, name);
        if attribute.is_none() || attribute == value(target, name) {
            continue;
        }
        lsetxattr(target, name.as_c_str(), &attribute.unwrap_or_default(), XattrFlags::empty()).map_err(|error| {
            let error = io::Error::from(error);
            let text = format!("its attribute {} cannot be kept: {error}", name.to_string_lossy());
            io::Error::new(error.kind(), text)
        })?;
    }
    Ok(())
}

/// Returns the permissions of a file's group by its access control list, or `None` if the file
/// has no list.
pub fn group_bits(path: &Path) -> Option<u32> {
    // The value has a version of four bytes, then entries with a type, permissions and an ID,
    // in 2, 2 and 4 bytes.
    let list = read_value(|buffer| rustix::fs::getxattr(path, ACL, buffer))?;
    let mut entries = list.get(4..)?.chunks_exact(8);
    let entry = entries.find(|entry| u16::from_le_bytes([entry[0], entry[1]]) == GROUP_ENTRY)?;
    Some(u32::from(u16::from_le_bytes([entry[2], entry[3]]) & 0o7))
}

fn names(path: &Path) -> io::Result<Vec<CString>> {
    let mut list = vec![0_u8; MAX_BYTES];
    let length = match llistxattr(path, &mut list[..]) {
        Ok(length) => length,
        // The file system has no extended attributes.
        Err(Errno::NOTSUP) => 0,
        Err(error) => return Err(error.into()),
    };
    let names = list[..length].split(|byte| *byte == 0).filter(|name| !name.is_empty());
    Ok(names.filter_map(|name| CString::new(name).ok()).collect())
}

/// Returns the value of an attribute, or `None` if the file has none or it can't be read.
fn value(path: &Path, name: &CStr) -> Option<Vec<u8>> {
    read_value(|buffer| lgetxattr(path, name, buffer))
}

fn read_value(read: impl FnOnce(&mut [u8]) -> rustix::io::Result<usize>) -> Option<Vec<u8>> {
    let mut value = vec![0_u8; MAX_BYTES];
    let length = read(&mut value);
    value.truncate(length.ok()?);
    Some(value)
}
