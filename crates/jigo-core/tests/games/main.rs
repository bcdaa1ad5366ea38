//! Whole games: replay, audit, fixes and estimates.

mod doubtful_roots;
mod endings_corpus;
mod fixes_conformance;
mod identities;
mod manifest;
mod odd_roots;
mod random_games;
mod referee_properties;
mod results_corpus;
mod score_vectors;
mod stray_text_in_nodes;
mod support;
mod vectors;
