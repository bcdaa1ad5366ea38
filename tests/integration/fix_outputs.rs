//! The output paths of `jigo fix`, and the attributes that a replaced file keeps.

use std::fs;

use crate::support::cli::{CLEAN, Folder};

/// A game with KM in hundredths, which has a safe fix.
const FIXABLE: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[750]RE[B+R];B[ee];W[cc];B[gg])";
/// The same game after the fix.
const FIXED: &str = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R];B[ee];W[cc];B[gg])";

/// Access control lists and extended attributes on Linux.
#[cfg(target_os = "linux")]
mod attributes {
    use std::os::unix::fs::PermissionsExt;

    use rustix::fs::{XattrFlags, getxattr, setxattr};

    use super::*;

    const ACL: &str = "system.posix_acl_access";
    const OWNER: u16 = 1;
    const USER: u16 = 2;
    const GROUP: u16 = 4;
    const MASK: u16 = 16;
    const OTHERS: u16 = 32;

    /// Returns a list that gives another user the rights in `mask` and the file's group no rights.
    fn list(mask: u16) -> Vec<u8> {
        let entries = [
            (OWNER, 6, u32::MAX),
            (USER, mask, 1),
            (GROUP, 0, u32::MAX),
            (MASK, mask, u32::MAX),
            (OTHERS, 0, u32::MAX),
        ];
        let mut list = 2_u32.to_le_bytes().to_vec();
        for (what, permissions, whose) in entries {
            list.extend(u16::to_le_bytes(what));
            list.extend(u16::to_le_bytes(permissions));
            list.extend(u32::to_le_bytes(whose));
        }
        list
    }

    fn value(folder: &Folder, name: &str, attribute: &str) -> Option<Vec<u8>> {
        let mut value = [0; 1000];
        let length = getxattr(folder.path().join(name), attribute, &mut value[..]).ok()?;
        Some(value[..length].to_vec())
    }

    /// Returns a folder with a file that has a list and an attribute, or `None` if the file system
    /// has neither.
    fn folder() -> Option<Folder> {
        let folder = Folder::new();
        folder.file("a.sgf", FIXABLE);
        let path = folder.path().join("a.sgf");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let set = |name: &str, value: &[u8]| setxattr(&path, name, value, XattrFlags::empty());
        (set(ACL, &list(6)).is_ok() && set("user.source", b"kgs").is_ok()).then_some(folder)
    }

    #[test]
    fn replaced_file_keeps_acl_and_attributes() {
        let Some(folder) = folder() else { return crate::support::report_skipped("no access control lists here") };
        for flags in ["", "--backup .orig"] {
            folder.file("a.sgf", FIXABLE);
            assert_eq!(folder.run(&format!("fix -q --in-place {flags} a.sgf")).code, 0);
            assert_eq!(folder.read("a.sgf"), FIXED);
            assert_eq!(value(&folder, "a.sgf", ACL), Some(list(6)), "{flags}");
            assert_eq!(value(&folder, "a.sgf", "user.source"), Some(b"kgs".to_vec()), "{flags}");
        }
        assert_eq!(value(&folder, "a.sgf.orig", ACL), Some(list(6)));
    }

    #[test]
    fn default_acl_of_folder_is_not_added_to_replaced_file() {
        let folder = Folder::new();
        folder.file("a.sgf", FIXABLE);
        let path = folder.path().join("a.sgf");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o660)).unwrap();
        if setxattr(folder.path(), "system.posix_acl_default", &list(7), XattrFlags::empty()).is_err() {
            return crate::support::report_skipped("no access control lists here");
        }
        assert_eq!(folder.run("fix -q --in-place a.sgf").code, 0);
        assert_eq!(value(&folder, "a.sgf", ACL), None);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);
    }

    #[test]
    fn copy_gives_group_no_more_rights_than_acl() {
        let Some(folder) = folder() else { return crate::support::report_skipped("no access control lists here") };
        folder.run("fix -q --exit-zero --out copies a.sgf");
        let mode = fs::metadata(folder.path().join("copies/a.sgf")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}

#[cfg(unix)]
#[test]
fn hard_link_is_named_in_a_refusal() {
    let folder = Folder::new();
    folder.file("a.sgf", FIXABLE).file("clean.sgf", CLEAN);
    for name in ["a", "clean"] {
        let path = |ending: &str| folder.path().join(format!("{name}{ending}"));
        fs::hard_link(path(".sgf"), path(".link")).unwrap();
    }
    for flags in ["", "--backup .orig", "--backup .orig --force"] {
        let run = folder.run(&format!("fix --in-place {flags} a.sgf"));
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains("a.sgf has 2 names (hard links)"), "{}", run.err);
        assert_eq!((folder.read("a.sgf"), folder.read("a.link")), (FIXABLE.into(), FIXABLE.into()));
    }
    // In a folder it is skipped, and the other files are fixed.
    folder.file("games/other.sgf", FIXABLE);
    fs::hard_link(folder.path().join("a.sgf"), folder.path().join("games/a.sgf")).unwrap();
    let run = folder.run("fix --in-place games");
    assert!(run.code == 0 && run.err.contains("games/a.sgf is skipped: it has 3 names"), "{}", run.err);
    assert_eq!((folder.read("games/a.sgf"), folder.read("games/other.sgf")), (FIXABLE.into(), FIXED.into()));
    fs::remove_file(folder.path().join("games/a.sgf")).unwrap();
    // An unchanged file may have any number of names.
    assert_eq!(folder.run("fix --in-place clean.sgf").code, 0);
    // A backup from a killed run.
    fs::rename(folder.path().join("a.link"), folder.path().join("a.sgf.orig")).unwrap();
    assert_eq!(folder.run("fix --in-place --backup .orig --force a.sgf").code, 0);
    assert_eq!((folder.read("a.sgf"), folder.read("a.sgf.orig")), (FIXED.into(), FIXABLE.into()));
}

/// Every named file is copied, records or not.
#[test]
fn files_of_other_kinds_are_copied() {
    let folder = Folder::new();
    let others = [("photo.jpg", &b"\xFF\xD8\xFF\xE0"[..]), ("page.html", b"<html>"), ("notes.txt", b"notes\n")];
    others.iter().for_each(|(name, bytes)| _ = folder.file(name, bytes));
    folder.file("a.sgf", FIXABLE);
    let run = folder.run("fix --out fixed a.sgf photo.jpg page.html notes.txt");
    assert!(!run.err.contains("is not written"), "{}", run.err);
    for (name, bytes) in others {
        assert_eq!(fs::read(folder.path().join("fixed").join(name)).unwrap(), bytes, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn diff_contains_nothing_that_patch_rejects() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let utf16: Vec<u8> = [0xFEFF].into_iter().chain(FIXABLE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    folder.file("g/utf16.sgf", utf16);
    // A byte within UTF-16 shifts the rest, which can't be converted.
    let mut shifted: Vec<u8> = FIXABLE.encode_utf16().flat_map(u16::to_be_bytes).collect();
    shifted.insert(14, 0);
    folder.file("g/shifted.sgf", shifted);
    let names: [&[u8]; 7] =
        [b"a\tb.sgf", b"a\rb.sgf", b"a\nb.sgf", b"a\x1bb.sgf", b"\xE9.sgf", b"good one.sgf", b"\"q.sgf"];
    for name in names {
        fs::write(folder.path().join("g").join(std::ffi::OsStr::from_bytes(name)), FIXABLE).unwrap();
    }
    fs::write(folder.path().join("\"q.sgf"), FIXABLE).unwrap();
    std::os::unix::fs::symlink("g/good one.sgf", folder.path().join("link.sgf")).unwrap();
    let run = folder.run("fix --exit-zero --unsafe --diff g \"q.sgf link.sgf");
    let headers: Vec<&str> = run.out.lines().filter(|line| line.starts_with("--- ")).collect();
    assert_eq!(headers, ["--- g/\"q.sgf", "--- g/good one.sgf\t"], "{}", run.err);
    for named in ["g/utf16.sgf: ", "g/shifted.sgf: ", "g/a·b.sgf: ", "g/%E9.sgf: ", "\"q.sgf: ", "link.sgf: "] {
        assert!(run.err.contains(&format!("jigo: {named}its changes are not in the diff: ")), "{named}: {}", run.err);
    }
    let outside = folder.path().join("g/good one.sgf");
    let outside =
        crate::support::cli::run_command(&mut folder.command(["fix".as_ref(), "--diff".as_ref(), outside.as_os_str()]));
    assert!(
        outside.out.is_empty() && outside.err.contains("patch takes names below the current folder"),
        "{}",
        outside.err
    );
}

#[test]
fn invalid_and_overlong_names_are_shortened() {
    let folder = Folder::new();
    let long = "碁".repeat(100);
    let rows = ["first", &format!("{long}1.sgf"), &format!("{long}2.sgf"), "a\\u0000b", &"d/".repeat(3000), "last"];
    let rows = rows.map(|id| format!("{{\"id\":\"{id}\",\"sgf\":\"{FIXABLE}\"}}\n"));
    folder.file("t.jsonl", rows.concat());
    let run = folder.run("fix --exit-zero --out o t.jsonl");
    assert_eq!(run.code, 0, "{}", run.err);
    let written = walkdir::WalkDir::new(folder.path().join("o")).into_iter().filter(|entry| {
        let entry = entry.as_ref().unwrap();
        entry.file_type().is_file() && fs::read_to_string(entry.path()).unwrap() == FIXED
    });
    assert_eq!(written.count(), 6, "{}", run.err);
    assert_eq!(run.err.matches("no file can have its name").count(), 4, "{}", run.err);
}

#[test]
fn summary_lists_fixes_that_need_unsafe() {
    let folder = Folder::new();
    // The colours of the turns need an unsafe fix.
    let unsafe_only = "(;GM[1]FF[4]SZ[9]RU[Chinese]KM[7.5]RE[B+R]PL[W];B[ee];W[cc];W[gg])";
    folder.file("a.sgf", unsafe_only).file("b.sgf", FIXABLE);
    let safe = folder.run("fix --exit-zero a.sgf b.sgf");
    let all = folder.run("fix --exit-zero --unsafe --ignore R a.sgf b.sgf");
    let unsafe_rows = all.column("safe").iter().filter(|safe| *safe == "false").count();
    assert!(unsafe_rows > 0, "{}", all.out);
    let last = safe.err.lines().last().unwrap();
    assert!(last.starts_with(&format!("{unsafe_rows} more with --unsafe: ")), "{}", safe.err);
    assert!(!all.err.contains("more with --unsafe"), "{}", all.err);
    let quiet = folder.run("fix --quiet --exit-zero a.sgf");
    assert_eq!(quiet.err, "");
}
