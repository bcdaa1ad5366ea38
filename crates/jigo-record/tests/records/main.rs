//! Records as text: the same content for every reader.

mod game_boundaries;
mod normal_form;
mod sgf_parse_comparison;
mod support;
