//! File names from a pattern of header fields, such as `{year}/{black}-{white}.sgf`.
//!
//! Header values come from other people. They are cleaned and shortened, so that the name is always
//! below the destination folder.

use jigo_core::analysis::{GameReport, Settings};
use jigo_record::Header;
use jigo_record::splitter::GameText;
use jigo_rules::format_margin;
use jigo_rules::suggestions::{similar_words, suggestion};

use crate::row::{Column, ColumnSet, Row as _};
use crate::source::files::separators::Separators;
use crate::tables::GameRow;

/// The maximum length of a name between two `/` in bytes. File systems allow 255, and collisions
/// add numbers.
const MAX_PART_BYTES: usize = 200;
/// The maximum length of one field's value in bytes.
const MAX_VALUE_BYTES: usize = 100;
/// The maximum number of nested folders from the source's path.
const MAX_FOLDERS: usize = 16;

/// Names that some systems reserve for devices.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// A field of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Name,
    File,
    Game,
    Hash,
    Year,
    Date,
    Rules,
    Result,
    Handicap,
    Size,
    /// Each player in turn, so that a game has two names.
    Player,
    /// The column of the games table with this index.
    Column(usize),
}

/// The fields that are no columns of the games table, or have another form.
const FIELDS: [(&str, Field); 11] = [
    ("name", Field::Name),
    ("file", Field::File),
    ("game", Field::Game),
    ("hash", Field::Hash),
    ("year", Field::Year),
    ("date", Field::Date),
    ("rules", Field::Rules),
    ("result", Field::Result),
    ("handicap", Field::Handicap),
    ("size", Field::Size),
    ("player", Field::Player),
];

/// Returns all fields by name: [`FIELDS`], and the columns of the games table that need no count.
fn fields() -> impl Iterator<Item = (&'static str, Field)> {
    let is_field = |name| FIELDS.iter().any(|(field, _)| *field == name);
    let columns = GameRow::TABLE.columns.iter().enumerate();
    let columns = columns.filter(move |(_, column)| !column.needs_count && !is_field(column.name));
    FIELDS.into_iter().chain(columns.map(|(index, column)| (column.name, Field::Column(index))))
}

/// A pattern for file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<PatternPart>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum PatternPart {
    Text(String),
    Field(Field),
}

/// The reason why a text is not a valid pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// A field is unknown.
    #[error("there is no field {{{0}}}{1}; there are {2}")]
    Unknown(String, String, String),
    /// A `{` is not closed.
    #[error("a {{ is not closed")]
    Open,
    /// The pattern leads out of the folder.
    #[error("it has to name a place below the folder: neither / at its beginning or end nor .. in it")]
    Outside,
    /// All games would have the same name.
    #[error("it names all games alike: put a field into it, such as {{hash}}")]
    Fixed,
}

impl Pattern {
    /// Returns the pattern `{name}.sgf`: the source's path, and the game's number unless the source
    /// is known to contain only one game.
    pub fn standard() -> Pattern {
        Pattern(vec![PatternPart::Field(Field::Name), PatternPart::Text(".sgf".into())])
    }

    /// Parses a pattern.
    ///
    /// # Errors
    /// See [`PatternError`].
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let is_below = |part: &str| !matches!(part, "" | "." | "..");
        if !text.split(['/', '\\']).all(is_below) {
            return Err(PatternError::Outside);
        }
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after_open)) = rest.split_once('{') {
            let (name, after_brace) = after_open.split_once('}').ok_or(PatternError::Open)?;
            let Some((_, field)) = fields().find(|(field_name, _)| *field_name == name) else {
                let names = || fields().map(|(name, _)| name);
                let list = names().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ");
                return Err(PatternError::Unknown(name.into(), suggestion(&similar_words(name, names())), list));
            };
            parts.extend([PatternPart::Text(before.into()), PatternPart::Field(field)]);
            rest = after_brace;
        }
        parts.push(PatternPart::Text(rest.into()));
        let has_field = parts.iter().any(|part| matches!(part, PatternPart::Field(_)));
        if has_field { Ok(Pattern(parts)) } else { Err(PatternError::Fixed) }
    }

    /// Enables the analysis steps that the fields need.
    pub(super) fn configure(&self, settings: &mut Settings) {
        let is_column = |part: &PatternPart| matches!(part, PatternPart::Field(Field::Column(_) | Field::Player));
        let has_column = self.0.iter().any(is_column);
        settings.game_hash |= has_column || self.0.contains(&PatternPart::Field(Field::Hash));
        settings.details |= has_column;
    }

    /// Returns the names of a game's files, with `/` between folders: one, or with the field for the
    /// player one for each player.
    ///
    /// A name is never empty and never leads out of the destination folder. Without a report, only
    /// the fields for name, file and number have values.
    pub fn names(&self, text: &GameText, separators: &Separators, report: Option<&GameReport>) -> Vec<String> {
        let has_player = self.0.contains(&PatternPart::Field(Field::Player));
        let players = if has_player { &["black", "white"][..] } else { &[""] };
        let mut names: Vec<String> = players.iter().map(|player| self.name(text, separators, report, player)).collect();
        names.dedup();
        names
    }

    /// Returns one name, with this column for the player.
    fn name(&self, text: &GameText, separators: &Separators, report: Option<&GameReport>, player: &str) -> String {
        let empty_header = Header::default();
        let header = report.map_or(&empty_header, |report| &report.header);
        let mut name = String::new();
        for part in &self.0 {
            match part {
                PatternPart::Text(text) => name.push_str(text),
                PatternPart::Field(field @ (Field::File | Field::Name)) => {
                    name.push_str(&relative_path(&separators.path(text.file)));
                    if *field == Field::Name && !text.is_only {
                        name.push_str(&format!("-{:06}", text.game));
                    }
                }
                PatternPart::Field(field) => {
                    let column = |column: &Column| *field == Field::Player && column.name == player;
                    let index = GameRow::TABLE.columns.iter().position(column);
                    name.push_str(&clean(&value(index.map_or(*field, Field::Column), text, header, report)));
                }
            }
        }
        let parts: Vec<String> = name.split('/').map(portable_name).collect();
        parts.join("/")
    }
}

/// Returns the value of a field; empty if the record has none.
fn value(field: Field, text: &GameText, header: &Header, report: Option<&GameReport>) -> String {
    let two_digits = |number: u8| format!("{number:02}");
    match field {
        // Handled by the caller: the first two may contain `/`.
        Field::Name | Field::File | Field::Player => String::new(),
        Field::Column(index) => report.map_or(String::new(), |report| {
            let color = ["black", "white"].iter().position(|name| *name == GameRow::TABLE.columns[index].name);
            let player = color.and_then(|color| Some(&report.details.as_deref()?.player_ids[color]));
            match player.filter(|player| player.is_listed) {
                Some(listed) => listed.id.clone(),
                None => cell(index, &GameRow::new(*text, report, 0)),
            }
        }),
        Field::Game => format!("{:06}", text.game),
        Field::Hash => report.map_or(String::new(), |report| format!("{:016x}", report.hash)),
        Field::Year => header.year().map_or(String::new(), |year| format!("{year:04}")),
        Field::Date => header.first_date().map_or(String::new(), |(date, _)| {
            let rest = [date.month, date.day].into_iter().map_while(|part| part.map(two_digits));
            std::iter::once(format!("{:04}", date.year)).chain(rest).collect::<Vec<_>>().join("-")
        }),
        Field::Rules => header.rules.clone(),
        Field::Result => match header.result.black_minus_white {
            Some(margin) => format_margin(margin),
            None => header.result_text.clone(),
        },
        Field::Handicap => header.handicap.unwrap_or(0).to_string(),
        Field::Size if header.size.width() == header.size.height() => header.size.width().to_string(),
        Field::Size => format!("{}x{}", header.size.width(), header.size.height()),
    }
}

/// Returns the cell of a row with this index as text.
fn cell(index: usize, row: &GameRow<'_>) -> String {
    let mut text = String::new();
    row.written_cells(ColumnSet::from_iter([index]), |_, value| value.append_to(&mut text));
    text
}

/// Returns a source's path without its suffix and without parts that lead out of a folder:
/// `../a/b.sgf` and `/a/b.sgf` become `a/b`.
fn relative_path(path: &str) -> String {
    let parts: Vec<&str> = path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let Some((last, folders)) = parts.split_last() else { return "games".into() };
    let last = if *last == "-" { "games" } else { last.rsplit_once('.').map_or(*last, |(stem, _)| stem) };
    let folders = &folders[folders.len().saturating_sub(MAX_FOLDERS)..];
    folders.iter().copied().chain([last]).map(clean).collect::<Vec<_>>().join("/")
}

/// Cleans a text for use in a name. Removes separators, characters that are special on some system,
/// control characters, and spaces at the ends. Limits the length.
fn clean(text: &str) -> String {
    let is_special =
        |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '\u{FFFD}');
    // Characters that change the writing direction can disguise a name.
    let is_hidden = |c: &char| !matches!(*c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}');
    let text: String = text.chars().filter(is_hidden).map(|c| if is_special(c) { '_' } else { c }).collect();
    let text = truncate(text.trim(), MAX_VALUE_BYTES);
    if text.trim_matches('.').is_empty() { "unknown".into() } else { text.into() }
}

/// Converts a part of a path to one that every system accepts: visible, not a device, and not too
/// long. Keeps the suffix.
fn portable_name(part: &str) -> String {
    let part = part.trim_start_matches(['.', ' ']).trim_end_matches(['.', ' ']);
    let (stem, ending) = match part.rsplit_once('.') {
        Some((stem, ending)) if ending.len() <= 8 => (stem, format!(".{ending}")),
        _ => (part, String::new()),
    };
    let stem = truncate(stem, MAX_PART_BYTES - ending.len()).trim_end();
    let is_device = DEVICES.contains(&stem.split('.').next().unwrap_or(stem).to_ascii_lowercase().as_str());
    match stem {
        "" => format!("unknown{ending}"),
        _ if is_device => format!("{stem}_{ending}"),
        _ => format!("{stem}{ending}"),
    }
}

/// Returns as many characters of a text as fit into `max_bytes` bytes.
pub fn truncate(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{InputFormat, Source, SourceKind};
    use jigo_core::analysis::Analyzer;

    fn name(pattern: &str, file: &str, sgf: &str) -> String {
        names(pattern, file, sgf).remove(0)
    }

    fn names(pattern: &str, file: &str, sgf: &str) -> Vec<String> {
        let alone = GameText::from_sgf(sgf);
        let text = GameText { file, game: 7, ..alone };
        let (mut settings, pattern) = (Settings::default(), Pattern::parse(pattern).unwrap());
        pattern.configure(&mut settings);
        let archive = Source { name: "a.zip".into(), kind: SourceKind::Stream(None), is_named: true };
        let separators = Separators::new(&[archive], InputFormat::Auto);
        let mut analyzer = Analyzer::default();
        pattern.names(&text, &separators, Some(analyzer.analyze(&text, &settings)))
    }

    #[test]
    fn patterns_use_header_values() {
        let sgf = "(;SZ[19]PB[Lee Chang-ho]PW[古力]DT[2016-03-09,10]RE[B+3.50]KM[7.5]RO[3]TM[3600];B[dd])";
        for (pattern, expected) in [
            ("{year}/{black}-{white}.sgf", "2016/Lee Chang-ho-古力.sgf"),
            ("{date} {result} {komi} {size} {event}.sgf", "2016-03-09 B+3.5 7.5 19 unknown.sgf"),
            ("{file}-{game}.sgf", "a/b-000007.sgf"),
            ("{round} {time_main} {turns} {rules_stated}.sgf", "3 3600 1 unknown.sgf"),
        ] {
            assert_eq!(name(pattern, "a/b.sgf", sgf), expected);
        }
        let by_player = |sgf| names("{player}/{year}.sgf", "a", sgf);
        assert_eq!(by_player(sgf), ["Lee Chang-ho/2016.sgf", "古力/2016.sgf"]);
        assert_eq!(by_player("(;PB[A]PW[A];B[dd])"), ["A/unknown.sgf"]);
        assert_eq!(name("{black}.sgf", "a", "(;PB[..];B[dd])"), "unknown.sgf");
        let hash = name("{hash}.sgf", "a", sgf);
        assert!(hash.len() == 20 && hash != "0000000000000000.sgf", "{hash}");
    }

    #[test]
    fn hostile_headers_give_short_names_below_the_folder() {
        let long = "x".repeat(4096);
        let wide = "囲".repeat(2000);
        for hostile in [
            "../../etc/passwd",
            "/etc/passwd",
            "..",
            ".",
            "",
            "a\u{0}b",
            "C:\\\\x",
            "~",
            "con",
            "a\nb",
            " . ",
            &long,
            &wide,
            "\u{202E}gpj",
        ] {
            for pattern in ["{black}", "{black}/{white}.sgf", "x/{event}/{black}.sgf"] {
                let value = hostile.replace(']', "");
                let name = name(pattern, "a", &format!("(;PB[{value}]PW[{value}]EV[{value}];B[dd])"));
                for part in name.split('/') {
                    assert!(
                        !part.is_empty() && part.len() <= 255 && !part.starts_with('.') && !part.ends_with('.'),
                        "{name:?}"
                    );
                    assert!(!part.contains(|c: char| c.is_control() || c == '\\' || c == ':'), "{name:?}");
                }
                assert_eq!(name.matches('/').count(), pattern.matches('/').count(), "{name:?}");
            }
        }
        for (file, expected) in [
            ("../../b", "b-000007.sgf"),
            ("/data/b.SGF", "data/b-000007.sgf"),
            ("a.zip!../x/b.sgf", "a.zip/x/b-000007.sgf"),
            ("a!b!.sgf", "a!b!-000007.sgf"),
            ("-", "games-000007.sgf"),
            ("", "games-000007.sgf"),
            ("..", "games-000007.sgf"),
            (".hidden/.sgf", "hidden/unknown-000007.sgf"),
        ] {
            assert_eq!(name("{file}-{game}.sgf", file, "(;B[dd])"), expected, "{file}");
        }
        assert!(name("{file}.sgf", &"d/".repeat(1000), "(;B[dd])").len() < 100);
    }

    #[test]
    fn invalid_patterns_are_rejected() {
        for (pattern, expected) in [
            ("{yaer}.sgf", "there is no field {yaer} (did you mean year?)"),
            ("{year", "not closed"),
            ("/{year}", "below the folder"),
            ("../{year}", "below the folder"),
            ("{year}/", "below the folder"),
            ("all.sgf", "names all games alike"),
        ] {
            let error = Pattern::parse(pattern).unwrap_err().to_string();
            assert!(error.contains(expected), "{pattern}: {error}");
        }
    }
}
