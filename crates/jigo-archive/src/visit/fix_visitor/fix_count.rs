//! The counts of fixes.

/// The counts of fixes and of remaining errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixCount {
    /// Safe fixes: they keep the meaning of the record.
    pub safe: u64,
    /// Unsafe fixes: they depend on a judgement.
    pub unsafe_fixes: u64,
    /// Rejected fixes: they would have changed the meaning of the record.
    pub rejected: u64,
    /// Games with a fix.
    pub games: u64,
    /// Games with suggested corrections, none of which was applied.
    pub suggested: u64,
    /// Findings of severity error that no fix removed.
    pub errors_left: u64,
}

impl FixCount {
    /// Adds the counts of another part.
    pub fn add(&mut self, other: &FixCount) {
        self.safe += other.safe;
        self.unsafe_fixes += other.unsafe_fixes;
        self.rejected += other.rejected;
        self.games += other.games;
        self.suggested += other.suggested;
        self.errors_left += other.errors_left;
    }

    /// Returns the number of applied fixes.
    pub fn applied(&self) -> u64 {
        self.safe + self.unsafe_fixes
    }
}
