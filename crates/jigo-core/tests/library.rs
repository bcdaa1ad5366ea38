//! The public interface: its examples, and comparisons with the complete analysis.

#[allow(dead_code, reason = "the tests call what main calls")]
#[path = "../examples/illegal_moves.rs"]
mod illegal_moves;
#[allow(dead_code, reason = "the tests call what main calls")]
#[path = "../examples/referee.rs"]
mod referee;
#[allow(dead_code, reason = "the tests call what main calls")]
#[path = "../examples/two_rulesets.rs"]
mod two_rulesets;

use jigo_core::{BoardSize, Color, Game, IllegalTurn, NotAGame, Point, Referee, Ruleset, Turn, games};

const KO: &str = "(;SZ[9]RU[AGA]AB[ba][ab][bc]AW[ca][bb][db][cc]RE[B+1];B[cb];W[bb];B[ee];W[zz])";

#[test]
fn illegal_moves_are_named_with_their_turns() {
    let lines = illegal_moves::illegal_moves(Game::parse(KO));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("turn 2 at B8: ko (repeats"), "{lines:?}");
    assert!(lines[1].starts_with("turn 4 at "), "{lines:?}");
    assert_eq!(illegal_moves::illegal_moves(Game::parse("(;GM[2])")), ["not replayed: not-go: GM[2]"]);
}

#[test]
fn ending_is_counted_under_each_ruleset() {
    let game = Game::parse("(;SZ[5:3]KM[0.5]RE[W+0.5]AB[ba][bb][bc]AW[da][db][dc];B[];W[])").unwrap();
    let rulesets = ["japanese", "tromp-taylor", "button"].map(|name| name.parse().unwrap());
    let lines = two_rulesets::count(&game, &rulesets).unwrap();
    assert_eq!(lines[1], "the record states W+0.5");
    assert_eq!(lines[2..4], ["japanese: Black minus White -0.5", "tromp-taylor: Black minus White -0.5"]);
    let cut = Game::parse("(;SZ[5:3];B[aa];W[bb]C[cut off").unwrap();
    assert!(two_rulesets::count(&cut, &rulesets).is_err());
}

#[test]
fn server_checks_each_turn_before_playing_it() {
    let mut server = Referee::new(BoardSize::square(9).unwrap());
    let rules: Ruleset = "aga".parse().unwrap();
    let mut ask = |line| referee::answer(&mut server, &rules, line);
    assert_eq!(ask("B E5"), "legal");
    assert_eq!(ask("W E5"), "illegal: the point is occupied");
    assert_eq!(ask("W pass"), "legal");
    assert!(ask("W I3").starts_with("no turn"));
}

/// The referee and the replay of a record must agree on the first illegal turn of random plays.
///
/// After that turn the boards differ, since the referee refuses it and the replay makes it.
#[test]
fn referee_and_replay_agree_on_the_first_illegal_turn() {
    let rulesets = ["japanese", "aga", "chinese-psk", "nz", "nz-kgs", "tromp-taylor", "french"];
    let (mut seed, mut with_fault) = (11_u64, 0);
    for round in 0..700 {
        let rules: Ruleset = rulesets[round % rulesets.len()].parse().unwrap();
        let size = BoardSize::new(3, 2 + (round % 2) as u8).unwrap();
        let mut record = format!("(;GM[1]SZ[{}:{}]", size.width(), size.height());
        let mut referee = Referee::new(size);
        let mut refused = None;
        for number in 1..60 {
            let color = Color::BOTH[(number + 1) % 2];
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let point = Point::new((seed >> 33) as u8 % size.width(), (seed >> 45) as u8 % size.height());
            if referee.position().stone(point).is_some() {
                record += &format!(";{}[]", color.letter());
                referee.try_turn(Turn::pass(color), &rules).unwrap();
                continue;
            }
            record += &format!(";{}[{point}]", color.letter());
            if let Err(reason) = referee.try_turn(Turn::play(color, point), &rules) {
                refused = Some((number as u32, reason));
                break;
            }
        }
        let game = Game::parse(format!("{record})")).unwrap();
        let replay = game.replay(&rules);
        let found = replay.illegal().next().map(|finding| (finding.place.turn.unwrap(), finding.code.name()));
        let name = |reason| match reason {
            IllegalTurn::Ko => "ko",
            IllegalTurn::Superko(_) => "superko",
            IllegalTurn::Suicide => "suicide",
            other => panic!("{other}"),
        };
        assert_eq!(found, refused.map(|(turn, reason)| (turn, name(reason))), "{} {record}", rules.name);
        assert!(refused.is_some() || replay.position() == referee.position(), "{record}");
        with_fault += u32::from(refused.is_some());
    }
    assert!((100..700).contains(&with_fault), "{with_fault} of 700 had an illegal turn");
}

const BLACK: &str = "(;PB[本因坊];B[dd])";

/// Returns UTF-16 with a byte order mark.
fn big_endian(text: &str) -> Vec<u8> {
    [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect()
}

#[test]
fn text_that_changes_to_utf16_and_back_has_all_its_games() {
    let utf16 = big_endian(BLACK);
    let mixed = [&utf16, &b"\n(;PB[a];B[dd])(;PB[b];B[dd])\n"[..], &utf16].concat();
    let players: Vec<_> = games(&mixed).map(|game| game.unwrap().header().black.to_string()).collect();
    assert_eq!(players, ["本因坊", "a", "b", "本因坊"]);
}

#[test]
fn wrong_byte_order_mark_is_ignored() {
    let text = [b"\xFF\xFE", &big_endian(BLACK)[2..]].concat();
    assert_eq!(Game::parse(text).unwrap().header().black, "本因坊");
}

#[test]
fn games_of_any_charset_and_damage_are_games() {
    assert_eq!(Game::parse(big_endian(BLACK)).unwrap().header().black, "本因坊");
    let damaged = "(;SZ[9];B[ee];W[C[no end\n(;SZ[9];B[aa])";
    let read: Vec<_> = games(damaged.as_bytes()).map(Result::unwrap).collect();
    assert_eq!(read.len(), 2);
    assert!(read[0].findings().iter().any(|finding| finding.code.name() == "unclosed-game"));
    assert_eq!(read[1].turns().count(), 1);
    assert_eq!(Game::parse([]).unwrap_err(), NotAGame::NoGame);
    assert!(Game::parse("(;SZ[99];B[aa])").unwrap_err().to_string().starts_with("board-size"));
}
