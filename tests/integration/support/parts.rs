//! The parts of unfinished runs.

use std::fs;
use std::path::Path;

use jigo_archive::pipeline::hash;

/// Returns the bodies of the complete parts in a file.
pub fn bodies(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap_or_default();
    let (mut rest, mut bodies) = (bytes.as_slice(), Vec::new());
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let length: usize = String::from_utf8_lossy(&rest[..end]).rsplit(' ').next().unwrap().parse().unwrap();
        let Some((body, after)) = rest[end + 1..].split_at_checked(length) else { break };
        let Some((b'\n', after)) = after.split_first() else { break };
        bodies.push(String::from_utf8(body.to_vec()).unwrap());
        rest = after;
    }
    bodies
}

/// Returns the number of complete batches in a file of parts.
pub fn batches(path: &Path) -> u64 {
    bodies(path).iter().filter(|body| !body.contains("\"batches\":0")).count() as u64
}

/// Writes parts with these bodies, in jigo's format.
pub fn write(path: &Path, bodies: &[String]) {
    let part = |(number, body): (usize, &String)| {
        format!("jigo part 1 {number} {:016x} {}\n{body}\n", hash(body.as_bytes(), number as u64), body.len())
    };
    fs::write(path, bodies.iter().enumerate().map(part).collect::<String>()).unwrap();
}
