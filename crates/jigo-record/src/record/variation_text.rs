//! The text of one variation, as a game without other variations.

use super::nodes::{Event, Tape};
use super::variations::siblings;
use crate::sgf::tokens::lexer::{Lexer, ScanBudget};

/// An open parenthesis with its place on the path.
struct PathTree {
    /// True if the wanted variation goes through this tree.
    is_on_path: bool,
    /// The number of path entries that lead to this tree.
    used_entries: usize,
    children_seen: u32,
}

/// Returns a game with the nodes of one variation only. `bytes` is a game in UTF-8.
///
/// `path` names the child, from 1, at every node with several children, as the column `variation`
/// does: children of a tree that is not closed have no number. After the end of the path, the
/// variation continues with first children. Returns `None` if the game has no such variation.
///
/// ```
/// use jigo_record::record::variation_text::variation_text;
///
/// let game = b"(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]))";
/// assert_eq!(variation_text(game, &[2]).unwrap(), b"(;SZ[9];B[aa];W[cc];B[dd])");
/// assert_eq!(variation_text(game, &[3]), None);
/// ```
pub fn variation_text(bytes: &[u8], path: &[u32]) -> Option<Vec<u8>> {
    let scan_budget = ScanBudget::for_text(bytes.len());
    let lexer = Lexer { scan_budget: Some(&scan_budget), ..Lexer::utf8(bytes) };
    let mut siblings = siblings(lexer).into_iter();
    let mut open_trees = vec![PathTree { is_on_path: true, used_entries: 0, children_seen: 0 }];
    let mut text = vec![b'('];
    let mut tape = Tape::new(lexer);
    while let Some(event) = tape.next() {
        let parent = open_trees.last_mut()?;
        match event {
            Event::Open(_) => {
                parent.children_seen += 1;
                let is_choice = siblings.next().unwrap_or(1) > 1;
                let wanted = path.get(parent.used_entries).copied().unwrap_or(1);
                let is_on_path = parent.is_on_path && (!is_choice || parent.children_seen == wanted);
                let used_entries = parent.used_entries + usize::from(is_choice);
                open_trees.push(PathTree { is_on_path, used_entries, children_seen: 0 });
            }
            Event::Close(_) => {
                let closed = open_trees.pop()?;
                // The first tree of the path that closes is the last one of the variation.
                if closed.is_on_path {
                    return finished(text, &closed, path);
                }
            }
            Event::Node(node) if parent.is_on_path => {
                text.push(b';');
                text.extend_from_slice(&bytes[node.start()..tape.position()]);
            }
            Event::Node(_) | Event::EmptyTree(_) | Event::Diagram(_) | Event::Stray(_) => {}
        }
    }
    // The parentheses at the end of a truncated game are missing.
    let last = open_trees.into_iter().rfind(|tree| tree.is_on_path)?;
    finished(text, &last, path)
}

/// Closes the game unless a part of the path names no child.
fn finished(mut text: Vec<u8>, last: &PathTree, path: &[u32]) -> Option<Vec<u8>> {
    text.push(b')');
    (last.used_entries >= path.len() && text.len() > 2).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, path: &[u32]) -> Option<String> {
        variation_text(text.as_bytes(), path).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn path_selects_a_child_at_every_choice() {
        let text = "(;SZ[9];B[aa](;W[bb](;B[cc])(;B[dd];W[ee]))(;W[ff]))";
        let line = |path: &[u32]| cut(text, path);
        assert_eq!(line(&[1, 2]).unwrap(), "(;SZ[9];B[aa];W[bb];B[dd];W[ee])");
        assert_eq!(line(&[2]).unwrap(), "(;SZ[9];B[aa];W[ff])");
        // A short path continues with first children; the empty path is the main line.
        assert_eq!(line(&[1]).unwrap(), "(;SZ[9];B[aa];W[bb];B[cc])");
        assert_eq!(line(&[]), line(&[1, 1]));
        for path in [&[3][..], &[0], &[1, 3], &[2, 1], &[1, 1, 1]] {
            assert_eq!(line(path), None, "{path:?}");
        }
    }

    #[test]
    fn single_children_and_missing_parentheses_need_no_entry() {
        assert_eq!(cut("(;SZ[9](;B[aa](;W[bb])(;W[cc]))", &[2]).unwrap(), "(;SZ[9];B[aa];W[cc])");
        assert_eq!(cut("(;SZ[9];B[aa];W[bb]", &[]).unwrap(), "(;SZ[9];B[aa];W[bb])");
        // The tree with these children is not closed, so they have no numbers.
        assert_eq!(cut("(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]", &[]).unwrap(), "(;SZ[9];B[aa];W[bb])");
        assert_eq!(cut("(;SZ[9];B[aa](;W[bb])(;W[cc];B[dd]", &[2]), None);
        assert_eq!(cut("(;C[a(b;\\]c];B[aa])", &[]).unwrap(), "(;C[a(b;\\]c];B[aa])");
        assert_eq!(cut("", &[]), None);
        assert_eq!(cut("()", &[]), None);
    }
}
