//! The normal form of a record: jigo and sgf-parse both read the same content from it.

use std::path::Path;

use crate::sgf_parse_comparison::{TEXTS, content_of_record, content_of_tree, with_deep_stack};
use crate::support::{corpus, files_ending, has_real_games};
use jigo_record::finding::Code;
use jigo_record::sgf::{Charset, Limits};
use jigo_record::splitter::{Close, GameText, Piece, split};
use jigo_record::write::{NormalForm, WriteOptions};
use jigo_record::{DialectChoice, GameRecord, Reading, Setup, StepKind};
use sgf_parse::GameTree;

fn utf8(bytes: &[u8]) -> GameText<'_> {
    GameText::single(bytes, Close::Parenthesis, Charset::UTF8)
}

fn normal_form(text: &GameText, options: WriteOptions) -> Option<NormalForm> {
    jigo_record::write::normal_form(text, DialectChoice::Auto, Limits::default(), options, None).ok()
}

/// Returns the turns with the setups in order.
fn steps(record: &GameRecord) -> Vec<(StepKind, Option<Setup>)> {
    let setup = |kind| match kind {
        StepKind::Setup(index) => (StepKind::Setup(0), Some(record.setup(index).clone())),
        turn => (turn, None),
    };
    record.steps.iter().map(|step| setup(step.kind)).collect()
}

/// Returns the header's texts. White space is ignored, because simple text replaces it with blanks.
/// Texts that the dialect repeats are omitted, because only the last one is kept.
fn texts(reading: &Reading) -> Vec<String> {
    let mut texts = content_of_record(&reading.record).texts;
    if reading.record.header.dialect.is_some_and(|dialect| dialect.repeated.contains(&"AP")) {
        texts[TEXTS.iter().position(|name| *name == "AP").unwrap()].clear();
    }
    texts.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" ")).into()
}

/// Checks that the normal form of a game has the game's content. Returns true if the game has a
/// normal form.
fn compare(text: &GameText, name: &str) -> bool {
    let read = Reading::from_text(text);
    let Some(full) = normal_form(text, WriteOptions::default()) else {
        assert!(read.unreadable.is_some(), "{name} has no normal form");
        return false;
    };
    assert_eq!(read.unreadable, None, "{name}");
    let reread = Reading::from_text(&utf8(full.text.as_bytes()));
    assert_eq!(steps(&reread.record), steps(&read.record), "{name}: {}", full.text);
    assert_eq!(reread.record.territory, read.record.territory, "{name}");
    assert_eq!(reread.record.unreadable, read.record.unreadable, "{name}");
    let numbers = |reading: &Reading| {
        let header = &reading.record.header;
        (header.size, header.komi, header.handicap, header.dialect.map(|dialect| dialect.name))
    };
    assert_eq!(numbers(&reread), numbers(&read), "{name}");
    // With fewer bytes, the text is truncated at another place by --max text.
    if !read.findings.iter().any(|finding| finding.code == Code::LongText) {
        assert_eq!(texts(&reread), texts(&read), "{name}");
    }
    assert_eq!(
        normal_form(&utf8(full.text.as_bytes()), WriteOptions::default()).unwrap().text,
        full.text,
        "{name} again"
    );
    let trees = sgf_parse::parse(&full.text).unwrap_or_else(|error| panic!("{name}: {error}: {}", full.text));
    let [GameTree::GoGame(tree)] = &trees[..] else { panic!("{name} is no game of Go: {}", full.text) };
    let (by_tree, ours) = (content_of_tree(tree.clone()), content_of_record(&reread.record));
    assert_eq!((by_tree.size, by_tree.steps, by_tree.setups), (ours.size, ours.steps, ours.setups), "{name}");
    let pretty = normal_form(text, WriteOptions { is_pretty: true, ..WriteOptions::default() }).unwrap();
    assert_eq!(steps(&Reading::from_text(&utf8(pretty.text.as_bytes())).record), steps(&read.record), "{name}, pretty");
    let main_line =
        normal_form(text, WriteOptions { is_main_line_only: true, omits_comments: true, ..WriteOptions::default() })
            .unwrap();
    assert_eq!(
        steps(&Reading::from_text(&utf8(main_line.text.as_bytes())).record),
        steps(&read.record),
        "{name}, main line"
    );
    true
}

/// Compares one of every `one_in` games of the files below a folder. Returns the number of games
/// with and without a normal form.
fn compare_all(folder: &Path, one_in: usize) -> (usize, usize) {
    let files = files_ending(folder, "sgf");
    with_deep_stack(move || {
        let (mut seen, mut compared, mut refused) = (0, 0, 0);
        for path in files {
            let bytes = std::fs::read(&path).unwrap();
            split(&bytes, true, |piece| {
                let Piece::Game(range, close, charset) = piece else { return };
                seen += 1;
                if seen % one_in == 0 {
                    let text = GameText::single(&bytes[range.clone()], close, charset);
                    let has_form = compare(&text, &format!("{} at {}", path.display(), range.start));
                    *if has_form { &mut compared } else { &mut refused } += 1;
                }
            });
        }
        (compared, refused)
    })
}

#[test]
fn normal_form_of_fixtures_keeps_their_content() {
    let (compared, refused) = compare_all(&crate::support::root().join("fixtures"), 1);
    assert!(compared > 100 && refused > 0, "{compared} and {refused}");
}

#[test]
fn normal_form_of_corpus_keeps_its_content() {
    // All games take a quarter of a minute.
    let one_in = if std::env::var_os("JIGO_EVERY_GAME").is_some() { 1 } else { 8 };
    let (compared, refused) = compare_all(&corpus(), one_in);
    eprintln!("{compared} games have a normal form, {refused} have none");
    assert!(compared > if has_real_games() { 1_000 } else { 3 }, "{compared} and {refused}");
}

#[test]
fn normal_form_follows_ff4() {
    for (text, expected) in [
        ("(;B[aa])", "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[aa])"),
        ("(;GaMe[1]SiZe[9]Black[aa]White[bb]C[two]BL[9])", "(;FF[4]GM[1]CA[UTF-8]SZ[9]C[two];B[aa];W[bb]BL[9])"),
        ("(;SZ[9];AB[cc]B[dd]C[x]\n;W[ee]B[ff]N[y])", "(;FF[4]GM[1]CA[UTF-8]SZ[9];AB[cc];B[dd]C[x];W[ee];B[ff]N[y])"),
        ("(;SZ[9]KM[6,5]HA[ 2 ](;B[DD](;W[tt])))", "(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]HA[2];B[dd];W[])"),
        (
            "(;SZ[5:7]C[a];C[b]C[c](;TR[aa][aa]TR[bb])(;LB[aa:1][xx])())",
            "(;FF[4]GM[1]CA[UTF-8]SZ[5:7]C[a];C[b\nc](;TR[aa][bb])(;LB[aa:1]))",
        ),
        (
            "(;SZ[9]PB[a [b] c]PW[c:\\]RU[x\ny];;B[aa])",
            "(;FF[4]GM[1]CA[UTF-8]SZ[9]PB[a [b\\] c]PW[c:\\\\]RU[x y];B[aa])",
        ),
        ("(SZ[9];B[aa];SZ[8]W[bb]) junk", "(;FF[4]GM[1]CA[UTF-8]SZ[9];B[aa];W[bb])"),
        ("()", "(;FF[4]GM[1]CA[UTF-8]SZ[19])"),
        ("(;(;;B[aa]()))", "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[aa])"),
        ("(;(;;B[aa])())", "(;FF[4]GM[1]CA[UTF-8]SZ[19];B[aa])"),
        ("(;W[a[];B[b\\]];W[c\\\\])", "(;FF[4]GM[1]CA[UTF-8]SZ[19];W[a\\[];B[b\\]];W[c\\\\])"),
    ] {
        let form = |text: &str| {
            normal_form(&utf8(text.as_bytes()), WriteOptions::default()).map(|normal_form| normal_form.text)
        };
        assert_eq!(form(text).as_deref(), Some(expected), "{text}");
        assert_eq!(form(expected).as_deref(), Some(expected), "{text} again");
    }
}
