//! Dead stones from a GTP engine.
//!
//! jigo sends the final position stone by stone (`play`) and then asks for `final_status_list dead`
//! (Go Text Protocol version 2, G. Farnebäck 2002). Any program that implements these two commands
//! works.

mod gtp_engine;
mod health;
mod process;

pub use gtp_engine::{GtpEngine, parse_stones};
pub use health::{RunEngine, UselessEngine};
pub use process::{EngineCommand, EngineError, kill_all_engines, read_answer};
