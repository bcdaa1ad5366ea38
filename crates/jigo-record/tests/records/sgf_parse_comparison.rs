//! Reads every file that sgf-parse accepts in two ways: with jigo's splitter and parser, and from
//! sgf-parse's tree.
//!
//! The fixtures are always read. The archive is read if `JIGO_CORPUS` names its folder.

use std::mem::take;
use std::path::PathBuf;

use crate::support::{corpus, files_ending, has_real_games, komi_in_points, read_bytes};
use jigo_record::finding::Code;
use jigo_record::{Coordinates, GameRecord, Setup, StepKind, Unreadable};
use jigo_rules::board::{BoardSize, Color, Point};
use sgf_parse::go::{Move, Prop};
use sgf_parse::{GameTree, SgfNode};

/// The content of a record in terms that both readers have.
#[derive(Debug, Default, PartialEq)]
pub struct Content {
    /// `None` if there is no such board.
    pub size: Option<BoardSize>,
    pub komi: Option<f64>,
    pub handicap: Option<u32>,
    /// The root's texts in the order of [`TEXTS`].
    pub texts: [String; 11],
    pub steps: Vec<StepKind>,
    pub setups: Vec<Setup>,
    /// Values of turns that are not points.
    pub unreadable: Vec<Box<str>>,
    pub territory: Option<[Vec<Point>; 2]>,
}

pub const TEXTS: [&str; 11] = ["RU", "RE", "PB", "PW", "BR", "WR", "EV", "DT", "PC", "AP", "SO"];

pub fn content_of_record(record: &GameRecord) -> Content {
    let header = &record.header;
    let texts = [
        &header.rules,
        &header.result_text,
        &header.black,
        &header.white,
        &header.black_rank,
        &header.white_rank,
        &header.event,
        &header.date,
        &header.place,
        &header.application,
        &header.source,
    ];
    Content {
        size: Some(header.size),
        komi: header.komi.map(|komi| f64::from(komi.0) / 2.0),
        handicap: header.handicap,
        texts: texts.map(String::clone),
        steps: record.steps.iter().map(|step| step.kind).collect(),
        setups: record.setups.clone(),
        unreadable: record.unreadable.clone(),
        territory: record.territory.clone().map(|marked| [marked.black, marked.white]),
    }
}

/// Converts a tree. Children are taken out one by one, because dropping a deep tree recurses.
pub fn content_of_tree(mut node: SgfNode<Prop>) -> Content {
    let mut content = content_of_root(&node);
    let mut unused = Vec::new();
    loop {
        add_header(&node, &mut content);
        add_node(&node, &mut content);
        let mut children = take(&mut node.children);
        if children.is_empty() {
            break;
        }
        node = children.remove(0);
        unused.append(&mut children);
    }
    while let Some(mut node) = unused.pop() {
        unused.append(&mut take(&mut node.children));
    }
    content
}

/// Adds header values that no earlier node has. FF\[4\] allows them in any one node of a path.
fn add_header(node: &SgfNode<Prop>, content: &mut Content) {
    content.komi = content.komi.or_else(|| komi(node));
    content.handicap = content.handicap.or_else(|| handicap(node));
    for (name, text) in TEXTS.iter().zip(&mut content.texts) {
        if text.trim().is_empty()
            && let Some(value) = header_value(node, name)
        {
            *text = value;
        }
    }
}

fn komi(node: &SgfNode<Prop>) -> Option<f64> {
    header_value(node, "KM").and_then(|komi| komi_in_points(komi.trim()))
}

fn handicap(node: &SgfNode<Prop>) -> Option<u32> {
    header_value(node, "HA").and_then(|handicap| handicap.trim().parse().ok())
}

fn content_of_root(root: &SgfNode<Prop>) -> Content {
    let value = |name: &str| header_value(root, name);
    let mut content = Content { size: Some(BoardSize::standard()), ..Content::default() };
    if let Some(size) = value("SZ") {
        let (width, height) = size.split_once(':').unwrap_or((&size, &size));
        content.size =
            width.parse().ok().zip(height.parse().ok()).and_then(|(width, height)| BoardSize::new(width, height));
    }
    content
}

/// Returns the root's first property with this name, as text.
fn header_value(root: &SgfNode<Prop>, name: &str) -> Option<String> {
    root.properties().find_map(|property| match property {
        Prop::Invalid(invalid, values) => (invalid == name).then(|| values.join(", ")),
        Prop::SZ((width, height)) if name == "SZ" => Some(format!("{width}:{height}")),
        Prop::KM(komi) if name == "KM" => Some(komi.to_string()),
        Prop::HA(stones) if name == "HA" => Some(stones.to_string()),
        Prop::AP((application, version)) if name == "AP" => Some(format!("{}:{}", application.text, version.text)),
        Prop::RU(text) if name == "RU" => Some(text.text.clone()),
        Prop::RE(text) if name == "RE" => Some(text.text.clone()),
        Prop::PB(text) if name == "PB" => Some(text.text.clone()),
        Prop::PW(text) if name == "PW" => Some(text.text.clone()),
        Prop::BR(text) if name == "BR" => Some(text.text.clone()),
        Prop::WR(text) if name == "WR" => Some(text.text.clone()),
        Prop::EV(text) if name == "EV" => Some(text.text.clone()),
        Prop::DT(text) if name == "DT" => Some(text.text.clone()),
        Prop::PC(text) if name == "PC" => Some(text.text.clone()),
        Prop::SO(text) if name == "SO" => Some(text.text.clone()),
        _ => None,
    })
}

/// Adds the setup and the turns of a node. Adds its territory if no turn follows.
fn add_node(node: &SgfNode<Prop>, content: &mut Content) {
    let size = content.size.unwrap_or(BoardSize::standard());
    let mut setup = Setup::default();
    let mut turns = Vec::new();
    let mut territory: Option<[Vec<Point>; 2]> = None;
    for property in node.properties() {
        match property {
            Prop::B(turn) => turns.push(StepKind::Turn(Color::Black, coordinates(turn, size))),
            Prop::W(turn) => turns.push(StepKind::Turn(Color::White, coordinates(turn, size))),
            Prop::PL(color) => setup.to_play = Some(to_play(*color)),
            Prop::AB(points) => {
                setup.stones.extend(points.iter().map(|their_point| (point(their_point), Some(Color::Black))))
            }
            Prop::AW(points) => {
                setup.stones.extend(points.iter().map(|their_point| (point(their_point), Some(Color::White))))
            }
            Prop::AE(points) => setup.stones.extend(points.iter().map(|their_point| (point(their_point), None))),
            Prop::TB(points) => territory.get_or_insert_default()[0] = points.iter().map(point).collect(),
            Prop::TW(points) => territory.get_or_insert_default()[1] = points.iter().map(point).collect(),
            Prop::Invalid(name, values) if name == "B" => turns.push(malformed_turn(Color::Black, values, content)),
            Prop::Invalid(name, values) if name == "W" => turns.push(malformed_turn(Color::White, values, content)),
            Prop::Invalid(name, values) => salvage(name, values, &mut setup, &mut territory),
            _ => {}
        }
    }
    setup.stones.sort_by_key(|(point, _)| *point);
    // If a point is set up twice, the last value counts.
    setup.stones.reverse();
    setup.stones.dedup_by_key(|(point, _)| *point);
    setup.stones.reverse();
    if setup != Setup::default() {
        content.steps.push(StepKind::Setup(content.setups.len() as u32));
        content.setups.push(setup);
    }
    content.territory = if turns.is_empty() { content.territory.take() } else { None };
    content.steps.append(&mut turns);
    if let Some(mut marked) = territory {
        marked.iter_mut().for_each(|points| points.sort());
        content.territory = Some(marked);
    }
}

fn to_play(color: sgf_parse::Color) -> Color {
    match color {
        sgf_parse::Color::Black => Color::Black,
        sgf_parse::Color::White => Color::White,
    }
}

fn point(their_point: &sgf_parse::go::Point) -> Point {
    Point::new(their_point.x, their_point.y)
}

fn coordinates(turn: &Move, size: BoardSize) -> Coordinates {
    match turn {
        Move::Pass => Coordinates::Pass,
        Move::Move(place) if size.contains(point(place)) => Coordinates::Play(point(place)),
        // FF[3] writes a pass as tt.
        Move::Move(place) if (place.x, place.y) == (19, 19) && size.width() <= 19 && size.height() <= 19 => {
            Coordinates::Pass
        }
        Move::Move(place) => Coordinates::OffBoard(point(place)),
    }
}

/// Converts a turn with a value that sgf-parse refuses. jigo ignores blanks around a point, reads
/// blanks alone as a pass, and takes the first of several values.
fn malformed_turn(color: Color, values: &[String], content: &mut Content) -> StepKind {
    let size = content.size.unwrap_or(BoardSize::standard());
    let value = values.first().map_or("", String::as_str);
    let place = match named_point(value) {
        _ if value.trim().is_empty() => Coordinates::Pass,
        Some(point) if size.contains(point) => Coordinates::Play(point),
        Some(point) => Coordinates::OffBoard(point),
        None => {
            content.unreadable.push(value.into());
            Coordinates::Unreadable(content.unreadable.len() as u32 - 1)
        }
    };
    StepKind::Turn(color, place)
}

/// Returns the point that a pair of letters names.
fn named_point(value: &str) -> Option<Point> {
    match value.trim().as_bytes() {
        &[column, row] => Point::from_sgf(column, row),
        _ => None,
    }
}

/// Adds the points of a list that sgf-parse refuses for one bad value. jigo keeps the points that a
/// pair of letters names.
fn salvage(name: &str, values: &[String], setup: &mut Setup, territory: &mut Option<[Vec<Point>; 2]>) {
    let points = values.iter().filter_map(|value| named_point(value));
    match name {
        "AB" => setup.stones.extend(points.map(|point| (point, Some(Color::Black)))),
        "AW" => setup.stones.extend(points.map(|point| (point, Some(Color::White)))),
        "AE" => setup.stones.extend(points.map(|point| (point, None))),
        "TB" => territory.get_or_insert_default()[0] = points.collect(),
        "TW" => territory.get_or_insert_default()[1] = points.collect(),
        _ => {}
    }
}

/// Reads a text both ways and checks that the records are equal. Returns their number, or `None` if
/// sgf-parse refuses the text.
fn compare(bytes: &[u8], name: &str) -> Option<usize> {
    let trees = sgf_parse::parse(std::str::from_utf8(bytes).ok()?).ok()?;
    let readings = read_bytes(bytes);
    assert_eq!(readings.len(), trees.len(), "games of {name}");
    for (index, (reading, tree)) in readings.iter().zip(trees).enumerate() {
        let content = match tree {
            GameTree::GoGame(root) => content_of_tree(root),
            GameTree::Unknown(_) => {
                assert_eq!(reading.unreadable, Some(Unreadable::NotGo), "{name}");
                continue;
            }
        };
        if content.size.is_none() && reading.unreadable.is_some() {
            assert_eq!(reading.unreadable, Some(Unreadable::BoardSize), "{name}");
            continue;
        }
        assert_eq!(reading.unreadable, None, "{name}");
        let has = |codes: &[Code]| reading.findings.iter().any(|finding| codes.contains(&finding.code));
        // With these findings sgf-parse ends a text too early or too late; jigo infers the
        // intended end.
        if has(&[Code::BackslashAtEnd, Code::UnescapedBracket, Code::UnclosedValue]) {
            continue;
        }
        // sgf-parse loses a list with a rectangle that starts at another corner.
        if has(&[Code::RectangleForm]) {
            continue;
        }
        let (mut ours, mut content) = (content_of_record(&reading.record), content);
        if has(&[Code::ControlCharacters]) {
            content.texts.iter_mut().for_each(|text| text.retain(|c| !c.is_control() || c.is_whitespace()));
        }
        if has(&[Code::BoardSizeForm]) {
            content.size = ours.size;
        }
        if has(&[Code::OddCoordinates, Code::BoardSizeForm]) {
            // sgf-parse can't read the points there, but it knows the players of the turns.
            ours.unreadable.clear();
            content.unreadable.clear();
            for steps in [&mut ours.steps, &mut content.steps] {
                steps.iter_mut().for_each(|step| {
                    if let StepKind::Turn(_, place) = step {
                        *place = Coordinates::Pass;
                    }
                });
            }
        }
        assert_eq!(ours, content, "game {} of {name}", index + 1);
    }
    Some(readings.len())
}

/// Runs `work` on a deep stack, because sgf-parse reads trees by recursion.
pub fn with_deep_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(1 << 30).spawn(work).unwrap().join().unwrap()
}

/// Compares all files below a folder. Returns the number of compared files and games.
fn compare_all(folder: PathBuf) -> (usize, usize) {
    with_deep_stack(move || {
        let read = |path: &PathBuf| compare(&std::fs::read(path).unwrap(), &path.to_string_lossy());
        let compared: Vec<usize> = files_ending(&folder, "sgf").iter().filter_map(read).collect();
        (compared.len(), compared.iter().sum())
    })
}

#[test]
fn fixtures_give_same_records_with_sgf_parse() {
    let folder = crate::support::root().join("fixtures");
    assert!(compare_all(folder).0 > 0, "sgf-parse can read no fixture");
}

#[test]
fn corpus_gives_same_records_with_sgf_parse() {
    // Of 800 files, 27 are not UTF-8 and 3 have text before the game.
    let expected = if has_real_games() { (770, 10_979) } else { (3, 32) };
    assert_eq!(compare_all(corpus()), expected);
}

#[test]
fn all_record_features_read_the_same_with_sgf_parse() {
    const TEXTS: [&str; 15] = [
        "(;GM[1]SZ[9];B[aa];W[bb](;B[cc];W[dd](;B[ee])(;B[ff]))(;B[gg]))",
        "(;SZ[5:7]AB[aa:cc]AW[ea][eb:ed]PL[W];W[dd];AE[aa]AB[ee];B[ba])",
        "(;SZ[19];B[tt];W[];B[zz];W[sa])(;SZ[21];B[tt];W[AA])",
        "(;SZ[52];B[ZZ];W[aZ];B[Za])",
        "(;FF[3];B[dd] BL[12.5] OB [3];W [pp]WL[9]C[a \\] ;B[aa\\\\];B[dp]MN[7]LB[aa:1]C[x:y])",
        "(;KM[6,5]HA[0]RE[B+3.5]RU[Japanese]PB[a\\]b]PW[c\\\\]BR[5d]WR[6d]DT[2001-02-03]EV[e\nf]PC[g]SO[h]AP[x:1.2])",
        "(;KM[0.5]HA[2]AB[dd][pp]PB[ spaces ];W[dp])",
        "(;SZ[3];B[aa];W[bb];TB[ab][ba]TW[cc:cc])",
        "(;SZ[3];B[aa];TB[ab];W[bb])",
        "(;SZ[3];B[aa];TB[ab];C[and then nothing])",
        "(;SZ[9]PL[W];B[aa];PL[B];W[bb];PL[W]AB[cc])",
        "(;SZ[9];B[R16];W[ ];B[a];W[ bb ])",
        "(;SZ[9]AB[cc][c7][gg]AE[]AW[dd:de];B[aa][bb];W[cc]PL[green];TB[aa][?])",
        " (;GM[6];Q[what])\n(;GM[1];B[dd])\n",
        "(;SZ[9];W[aa];W[bb];B[aa]N[the node]GB[1];KO[]B[ab])",
    ];
    for text in TEXTS {
        assert!(compare(text.as_bytes(), text).is_some(), "sgf-parse refuses {text}");
    }
}

#[test]
fn twenty_thousand_turns_read_the_same_with_sgf_parse() {
    let game = format!("(;SZ[19]{})", ";B[aa];W[]C[x]".repeat(10_000));
    assert_eq!(with_deep_stack(move || compare(game.as_bytes(), "a long game")), Some(1));
}
