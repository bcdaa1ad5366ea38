//! A run over an archive: its configuration, outputs, progress, interruption and resumption.
//!
//! [`RunRequest`] contains the options as a caller sets them. [`RunConfig`] is the configuration
//! that follows from it: complete, free of conflicts and immutable. [`run`] analyses its games and
//! passes the product of each batch to a sink, while a [`Progress`] receives events:
//!
//! ```
//! use std::sync::Arc;
//! use std::sync::atomic::{AtomicU64, Ordering};
//!
//! use jigo_archive::source::{InMemorySource, Source, SourceKind};
//! use jigo_archive::summary::Summary;
//! use jigo_archive::tables::FindingRows;
//! use jigo_run::{InputSources, Progress, RunConfig, RunRequest, run};
//!
//! /// Counts the games that were read so far.
//! struct Games(Arc<AtomicU64>);
//!
//! impl Progress for Games {
//!     fn update(&self, summary: &Summary) {
//!         self.0.store(summary.found, Ordering::Relaxed);
//!     }
//! }
//!
//! // An occupied point is played. `discover` of jigo_archive finds the sources in folders.
//! let record = b"(;GM[1]SZ[9];B[ee];W[ee])";
//! let input = InMemorySource::from_bytes(Box::new(&record[..]), Some(record.len() as u64));
//! let kind = SourceKind::InMemory(input);
//! let source = Source { name: "memory".into(), kind, is_named: true };
//!
//! let games = Arc::new(AtomicU64::new(0));
//! let counter = Arc::clone(&games);
//! let request = RunRequest {
//!     progress: Some(Arc::new(move |_| Box::new(Games(Arc::clone(&counter))))),
//!     ..RunRequest::default()
//! };
//! let config = RunConfig::new(request, || Ok(InputSources::from(vec![source])))?;
//!
//! let mut rows = 0;
//! let summary = run(&config, &config.table(FindingRows), |batch| {
//!     rows += batch.product.count();
//!     Ok(())
//! })?;
//! assert_eq!((summary.found, rows), (1, summary.all_findings()));
//! assert_eq!(games.load(Ordering::Relaxed), 1);
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! # Modules
//!
//! The order of the modules is the direction of the data: each module uses only those before it.
//!
//! - [`process`]: standard error, exit codes, and words of a command line that are safe to paste.
//! - [`output`]: files that appear complete or not at all, staging directories, locks, and conflicts
//!   between paths.
//! - [`interrupt`]: signals that end a run.
//! - [`progress`]: the events of a run.
//! - [`config`]: the options, declared once with their values, and the configuration of a run.
//! - [`baseline`], [`run_fingerprint`]: known findings, and the comparison with an earlier run.
//! - [`provenance`]: the program, command and inputs of a report.
//! - [`parts`]: the outputs of batches, from which a later run goes on.
//! - [`execution`]: a run and its end, runs that write tables, and rows for another program.
//! - `keywords`: options as keyword arguments of another program.

// Outside tests, a comment must prove that an unwrap or expect can't fail.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod process;
pub mod output;
pub mod interrupt;
pub mod progress;
pub mod config;
pub mod baseline;
pub mod run_fingerprint;
pub mod provenance;
pub mod parts;
pub mod execution;
#[cfg(feature = "columnar")]
pub mod keywords;

pub use config::run_request::{Counting, RunRequest};
pub use config::{InputSources, RunConfig};
pub use execution::execute::run;
pub use process::exit::Exit;
pub use progress::Progress;
