//! One game read from its text: nodes, variations, header, setup and turns.

pub mod answer_marks;
pub(crate) mod checked_nodes;
pub mod clock;
pub(crate) mod coordinates;
pub(crate) mod evaluation;
pub(crate) mod game_details;
mod game_record;
mod handicap;
mod header;
mod misplaced_nodes;
pub mod nodes;
pub(crate) mod point_list;
pub mod position_json;
pub mod property;
mod read;
pub(crate) mod reader;
mod root;
pub mod solution_tree;
pub mod variation_text;
pub mod variations;

pub use coordinates::with_small_letters;
pub use evaluation::{Evaluation, EvaluationForm};
pub use game_details::GameDetails;
pub use game_record::{Coordinates, GameRecord, Setup, Step, StepKind};
pub use handicap::HandicapPrefix;
pub(crate) use header::parse_size;
pub use header::size_text;
pub use reader::{Reading, Unreadable};
