//! Sets of codes, such as those that a run reports.

use super::Code;

const WORDS: usize = Code::TABLE.len().div_ceil(64);

/// A set of codes, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeSet([u64; WORDS]);

impl CodeSet {
    /// The set without codes.
    pub(crate) const EMPTY: CodeSet = CodeSet([0; WORDS]);

    /// Returns the set of all codes.
    pub fn all() -> CodeSet {
        Code::TABLE.iter().map(|row| row.code).collect()
    }

    /// Returns true if the set contains `code`.
    pub fn contains(&self, code: Code) -> bool {
        self.0[code as usize / 64] >> (code as usize % 64) & 1 != 0
    }

    /// Adds `code`. Returns true if the set did not contain it.
    pub fn insert(&mut self, code: Code) -> bool {
        let is_new = !self.contains(code);
        self.0[code as usize / 64] |= 1 << (code as usize % 64);
        is_new
    }

    /// Removes `code`. Returns true if the set contained it.
    pub fn remove(&mut self, code: Code) -> bool {
        let is_removed = self.contains(code);
        self.0[code as usize / 64] &= !(1 << (code as usize % 64));
        is_removed
    }

    /// Returns the codes in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = Code> + use<> {
        let words = (0usize..).step_by(64).zip(self.0);
        words.flat_map(|(first, mut word)| {
            std::iter::from_fn(move || {
                let index = (word != 0).then(|| first + word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(Code::TABLE[index].code)
            })
        })
    }
}

impl FromIterator<Code> for CodeSet {
    fn from_iter<I: IntoIterator<Item = Code>>(codes: I) -> CodeSet {
        let mut set = CodeSet::default();
        codes.into_iter().for_each(|code| {
            set.insert(code);
        });
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_contains_what_was_inserted_in_the_order_of_the_table() {
        let mut set = CodeSet::default();
        let codes: Vec<Code> = Code::TABLE.iter().step_by(7).map(|row| row.code).collect();
        assert!(codes.iter().rev().all(|code| set.insert(*code)));
        assert!(codes.iter().all(|code| set.contains(*code) && !set.insert(*code)));
        assert_eq!(set.iter().collect::<Vec<_>>(), codes);
        assert!(set.remove(codes[1]) && !set.remove(codes[1]) && !set.contains(codes[1]));
        assert_eq!(set.iter().count(), codes.len() - 1);
        assert_eq!(CodeSet::all().iter().count(), Code::TABLE.len());
    }
}
