//! What comes of holding a stated result against the count.

use super::cause::Cause;
use jigo_record::Header;
use jigo_record::finding::{Code, Finding, Place};
use jigo_rules::HalfPoints;
use jigo_rules::board::{Color, Point};
use jigo_rules::margin_text;

/// What the count says of a stated result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// The count is the stated one.
    Same,
    /// It is another, and what explains that speaks against nobody.
    Explained,
    /// It is another, and the record contradicts its own moves.
    Contradicted,
    /// It is another, or there is none, and the dead stones are too doubtful to say more.
    Unsettled,
    /// The game did not end by counting, or could not be replayed to its end.
    NotCounted,
}

impl Verdict {
    /// All of them with their words in the tables.
    pub const NAMED: [(&str, Verdict); 5] = [
        ("same", Verdict::Same),
        ("explained", Verdict::Explained),
        ("contradicted", Verdict::Contradicted),
        ("unsettled", Verdict::Unsettled),
        ("not_counted", Verdict::NotCounted),
    ];

    /// The word in the tables.
    pub fn name(self) -> &'static str {
        jigo_rules::ruleset::name_of(&Verdict::NAMED, self)
    }
}

/// A stated result and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// What the count says.
    pub verdict: Verdict,
    /// What explains a difference, the likeliest first; for a result that is the count, what it shows of rules that nobody stated. Never
    /// empty where the verdict is contradicted or explained.
    pub causes: Vec<Cause>,
    /// The turn that gives the stated result when it is taken at the end, where turns are missing there and no other turn does.
    pub last_turn: Option<(Color, Point)>,
    /// What was counted under: the record's ruleset as its server counted; empty where nobody knows it.
    pub ruleset: String,
    /// The result as stated, in the one notation of the tables; as written where it is not understood.
    pub stated: String,
    /// The final margin, Black minus White, komi and bonus included.
    pub counted: Option<HalfPoints>,
    /// The stated margin less the counted one; `None` where one of the two is not there.
    pub difference: Option<HalfPoints>,
    /// Whether every way of counting that comes into question has another winner than the record.
    pub is_winner_other: bool,
    /// How probable it is that this is the number that the players counted, from 0 to 1; of a contradicted result, which no reading of the
    /// rules gives, that the dead stones are these. `None` where nothing is in doubt.
    pub confidence: Option<f32>,
}

impl Audit {
    /// What gives the stated result, in few words: the ruleset that counts it, or the likeliest causes, with ; between. Empty where nothing was
    /// counted or is found.
    pub fn explained_by(&self) -> String {
        const MOST: usize = 3;
        let ruleset = (self.verdict == Verdict::Same && !self.ruleset.is_empty()).then(|| self.ruleset.clone());
        let known = self.causes.iter().filter(|cause| **cause != Cause::Unknown).map(Cause::to_string);
        ruleset.into_iter().chain(known).take(MOST).collect::<Vec<_>>().join(";")
    }

    /// The finding that it is; `None` where the result is the count, or there is none.
    pub fn finding(&self, header: &Header) -> Option<Finding> {
        let code = match self.verdict {
            Verdict::Explained => Code::ResultExplained,
            Verdict::Contradicted if self.is_winner_other => Code::WinnerContradicted,
            Verdict::Contradicted => Code::MarginContradicted,
            Verdict::Unsettled if self.counted.is_some() || !self.causes.is_empty() => Code::ResultInDoubt,
            Verdict::Same | Verdict::Unsettled | Verdict::NotCounted => return None,
        };
        let by = if self.ruleset.is_empty() { String::new() } else { format!(" by {}", self.ruleset) };
        let counted = self.counted.map_or(String::new(), |counted| format!(", counted {}{by}", margin_text(counted)));
        let confidence = self.confidence.map_or(String::new(), |sure| format!(", confidence {sure:.3}"));
        let cause = self.causes.first().map_or(String::new(), |cause| format!("; cause: {cause}"));
        let detail = format!("RE[{}]{counted}{confidence}{cause}", header.result_text);
        Some(Finding::new(code, Place::byte(0), detail))
    }
}
