use super::*;
use crate::analysis::{Analyzer, KomiChoice, Settings};
use jigo_record::splitter::GameText;
use jigo_rules::board::Point;
use jigo_rules::select::Choice;
use jigo_score::DeadSource;

/// The elements of the rows of a game, by array and row.
struct Rows(Arrays);

impl Rows {
    fn new(sgf: &str) -> Rows {
        let mut arrays = Arrays::default();
        add(sgf, &mut arrays).unwrap();
        Rows(arrays)
    }

    fn row(&self, array: usize, row: usize) -> &[u8] {
        let bytes = self.0.bytes[array].len() / self.0.rows;
        &self.0.bytes[array][row * bytes..][..bytes]
    }

    fn floats(&self, array: usize, row: usize) -> Vec<f32> {
        self.row(array, row).as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    /// Returns the points of a plane as SGF pairs.
    fn plane(&self, row: usize, plane: usize) -> String {
        let bytes = &self.row(0, row)[plane * 46..][..46];
        let points = (0..361).filter(|index| bytes[index / 8] << (index % 8) & 0x80 != 0);
        points.map(|index| Point::new((index % 19) as u8, (index / 19) as u8).to_string() + " ").collect()
    }

    /// Returns the moves of a policy with the value 1. The pass is 361.
    fn policy(&self, row: usize, policy: usize) -> Vec<usize> {
        let values = &self.row(2, row)[policy * 724..][..724];
        (0..362).filter(|index| values[2 * index..][..2] == [1, 0]).collect()
    }
}

fn add(sgf: &str, arrays: &mut Arrays) -> Result<Option<u32>, NoRows> {
    add_with_komi(sgf, KomiChoice::Recorded, arrays)
}

fn add_with_komi(sgf: &str, komi: KomiChoice, arrays: &mut Arrays) -> Result<Option<u32>, NoRows> {
    let settings = Settings {
        komi,
        turns: true,
        judges: vec![Choice::Recorded],
        scored_rulesets: vec![Choice::Recorded],
        dead: vec![DeadSource::Markup],
        ..Settings::default()
    };
    let text = GameText::from_sgf(sgf);
    add_rows(Analyzer::default().analyze(&text, &settings), arrays)
}

#[test]
fn rows_show_stones_liberties_and_recent_turns() {
    let rows = Rows::new("(;GM[1]SZ[5]RU[Japanese]KM[6.5];B[aa];W[ba];B[];W[ce])");
    assert_eq!(rows.0.rows, 4);
    assert_eq!(rows.plane(0, 0).split(' ').filter(|point| *point == "ee").count(), 1);
    assert_eq!((rows.plane(2, 1), rows.plane(2, 2)), ("aa ".into(), "ba ".into()));
    assert_eq!([3, 4, 5].map(|plane| rows.plane(2, plane)), ["aa ", "ba ", ""]);
    assert_eq!([9, 10, 11].map(|plane| rows.plane(3, plane)), ["", "ba ", "aa "]);
    assert_eq!(rows.floats(1, 3)[..3], [1.0, 0.0, 0.0]);
    assert_eq!((rows.policy(0, 0), rows.policy(0, 1)), (vec![0], vec![1]));
    assert_eq!((rows.policy(2, 0), rows.policy(2, 1)), (vec![361], vec![4 * 19 + 2]));
    assert_eq!((rows.policy(3, 1).len(), rows.floats(3, 3)[28]), (362, 0.0));
}

#[test]
fn komi_of_territory_rules_follows_the_stones() {
    let rows = Rows::new("(;GM[1]SZ[9]RU[Japanese]KM[6.5];B[aa];W[ba];B[ca])");
    let komi: Vec<f32> = (0..3).map(|row| rows.floats(3, row)[47]).collect();
    assert_eq!(komi, [-6.5, 7.5, -6.5]);
    let rows = Rows::new("(;GM[1]SZ[9]RU[Chinese]KM[7];B[aa];W[ba])");
    assert_eq!((rows.floats(1, 1)[5], rows.floats(1, 1)[9]), (0.35, 0.0));
}

#[test]
fn chosen_komi_replaces_the_recorded_one_in_a_game_without_count() {
    let komi = |choice| {
        let mut arrays = Arrays::default();
        add_with_komi("(;GM[1]SZ[9]RU[Chinese]KM[6]RE[B+R];B[aa];W[ba])", choice, &mut arrays).unwrap();
        Rows(arrays).floats(3, 1)[47]
    };
    let choices = [KomiChoice::Recorded, KomiChoice::Fixed(HalfPoints(1)), KomiChoice::Preset];
    assert_eq!(choices.map(komi), [6.0, 0.5, 7.5]);
}

#[test]
fn first_pass_takes_the_button_with_half_a_point() {
    let rows = Rows::new("(;GM[1]SZ[9]RU[AGA-Button]KM[7];B[];W[];B[])");
    let global = |index: usize| [0, 1, 2].map(|row| rows.floats(1, row)[index]);
    assert_eq!((global(17), global(14)), ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]));
    assert_eq!([0, 1, 2].map(|row| rows.floats(3, row)[47]), [-7.0, 6.5, -6.5]);
}

#[test]
fn ko_forbids_a_point_and_ends_the_rows_when_broken() {
    let record = "(;GM[1]SZ[5]RU[Japanese]KM[0]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])";
    let mut arrays = Arrays::default();
    assert_eq!(add(record, &mut arrays), Ok(Some(2)));
    let rows = Rows::new(&record.replace("W[bb]", "W[ee]"));
    assert_eq!((rows.plane(0, 6), rows.plane(1, 6)), (String::new(), "bb ".into()));
}

#[test]
fn ladder_ends_at_the_edge_or_at_a_stone() {
    let ladder = "(;GM[1]SZ[9]RU[Japanese]KM[0]AB[cb][bc][cd][db]AW[cc]PL[B];B[ai])";
    let (works, broken) = (Rows::new(ladder), Rows::new(&ladder.replace("AW", "AW[gg]")));
    assert_eq!((works.plane(0, 14), works.plane(0, 15)), ("cc ".into(), "cc ".into()));
    assert_eq!(broken.plane(0, 14), "");
}

#[test]
fn counted_ending_gives_owners_score_and_result() {
    let rows = Rows::new(include_str!("../../../../fixtures/games/marked.sgf"));
    let last = rows.0.rows - 1;
    let targets = rows.floats(3, last);
    assert!(targets[27] > 0.0 && targets[27] <= 1.0);
    assert_eq!((targets[35], targets[63]), (1.0 - targets[27], 3.0));
    assert_eq!(targets[0] + targets[1], 1.0);
    let score = targets[20];
    let scores = rows.row(4, last);
    let mean =
        (0..).zip(scores).map(|(place, percent)| (place as f32 - 420.5) * f32::from(*percent)).sum::<f32>() / 100.0;
    assert_eq!((mean, targets[3]), (score, score));
    let owned = rows.row(5, last)[..361].iter().filter(|owner| **owner != 0).count();
    assert!(owned > 0 && owned <= 49, "{owned}");
}

#[test]
fn game_without_count_is_policy_only_unless_a_player_resigned() {
    let record = "(;GM[1]SZ[9]RU[Japanese]KM[6.5]RE[B+R];B[ee];W[cc])";
    let weights = |rows: &Rows| [27, 34, 35].map(|target| rows.floats(3, 0)[target]);
    let resigned = Rows::new(record);
    assert_eq!((weights(&resigned), resigned.floats(3, 0)[..2].to_vec()), ([0.0, 0.0, 0.0], vec![1.0, 0.0]));
    let timed_out = Rows::new(&record.replace("B+R", "B+T"));
    assert_eq!((weights(&timed_out), timed_out.floats(3, 0)[..2].to_vec()), ([0.0, 0.0, 1.0], vec![0.5, 0.5]));
}

#[test]
fn game_without_legal_turn_too_long_or_on_a_large_board_has_no_rows() {
    let mut arrays = Arrays::default();
    assert_eq!(add("(;GM[1]SZ[20];B[aa])", &mut arrays), Err(NoRows::Board));
    assert_eq!(add("(;GM[1]SZ[9])", &mut arrays), Err(NoRows::Turns));
    assert_eq!(add("(;GM[1]SZ[9]AB[ee];B[ee])", &mut arrays), Err(NoRows::Turns));
    let passes = ";B[];W[]".repeat(1000);
    assert_eq!(add(&format!("(;GM[1]SZ[9]{passes};B[])"), &mut arrays), Err(NoRows::Length));
    assert_eq!(arrays.rows, 0);
}

#[test]
fn taken_and_remaining_rows_are_all_rows() {
    let mut rest = Rows::new("(;GM[1]SZ[9];B[aa];W[bb];B[cc])").0;
    let all = rest.clone();
    let mut first = rest.take(2);
    assert_eq!((first.rows, rest.rows), (2, 1));
    first.append(&rest);
    assert_eq!(first.bytes, all.bytes);
    assert_eq!(rest.take(5).rows, 1);
    assert_eq!((rest.rows, rest.bytes), (0, Default::default()));
}
